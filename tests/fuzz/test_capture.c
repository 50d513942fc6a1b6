/* Captures: pcap and pcapng, plain and compressed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compressed_output.h"
#include "base/file.h"
#include "sw/services/common/capture.h"
#include "sw/services/common/capture_write.h"
#include "tests/fuzz/fuzz.h"

static void read_with(const char *path, const struct capture_filter *filter, uint32_t limit)
{
    struct capture capture = {0};
    struct error err = {0};
    uint64_t sum = 0;
    bool ok = capture_read(path, filter, limit, &capture, &err);
    fuzz_check(ok, &err);
    for (uint32_t i = 0; ok && i < capture.count; i++) {
        const struct captured_packet *p = &capture.packets[i];
        fuzz_expect(p->length && p->length <= CAPTURE_MAX_FRAME && p->length <= capture.longest,
                    "a frame's length");
        fuzz_expect((uint64_t)p->offset + p->length <= capture.size, "a frame lies in the buffer");
        for (uint32_t b = 0; b < p->length; b++)
            sum += capture.bytes[p->offset + b];
    }
    fuzz_expect(!ok || (capture.count && sum != UINT64_MAX), "a capture has frames");
    if (ok)
        capture_free(&capture);
}

static void one(const uint8_t *data, size_t size)
{
    static const struct capture_filter ipv4 = {"IPv4", 0x0800, true},
                                       ipv6 = {"IPv6", 0x86DD, false};
    const char *path = fuzz_file("frames.pcap", data, size);
    read_with(path, &ipv4, 0);
    read_with(path, &ipv6, 2);
}

static void packed(const char *name, const uint8_t *data, size_t size)
{
    char path[256];
    struct error err = {0};
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    struct compressed_output *out = compressed_output_open(path, &err);
    fuzz_expect(out && compressed_output_write(out, data, size, &err) &&
                    compressed_output_finish(out, &err),
                err.text);
    fuzz_seed_file(path);
}

static void seeds(void)
{
    uint8_t frames[3][80] = {{0}};
    struct capture_frame list[3];
    struct error err = {0};
    char path[256];
    size_t size;
    for (uint32_t i = 0; i < 3; i++) {
        memset(frames[i], (int)(0x11 * (i + 1)), sizeof frames[i]);
        memcpy(frames[i] + 12, i == 1 ? "\x86\xDD\x60" : "\x08\x00\x45", 3);
        list[i] = (struct capture_frame){1000 * i, frames[i], 60 + 10 * i};
    }
    snprintf(path, sizeof path, "%s/seed.pcap", fuzz_folder());
    fuzz_expect(capture_write(path, list, 3, &err), err.text);
    uint8_t *data = read_file(path, &size, &err);
    fuzz_seed(data, size);
    packed("seed.gz", data, size);
    packed("seed.xz", data, size);
    free(data);
}

const struct fuzz_target fuzz_target = {
    .name = "capture", .one = one, .seeds = seeds, .mutants = 3000};
