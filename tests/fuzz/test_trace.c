/* Instruction traces of CPU cores in both formats, plain and compressed, and the decoder of x86
 * registers that recording uses. */
#include <stdio.h>
#include <string.h>

#include "base/compressed_output.h"
#include "sim/cpu/trace/trace.h"
#include "sim/cpu/trace/trace_profile.h"
#include "sim/cpu/trace/x86_registers.h"
#include "tests/fuzz/fuzz.h"

#define INSTRUCTIONS 4096u

static void read_as(const char *format, const char *path)
{
    static const struct cpu_profile_caches caches = {4096, 2, 4096, 2, 16384, 4};
    struct cpu_instruction read[64];
    struct cpu_profile profile;
    char spec[256];
    struct error err = {0}, damaged = {0};
    snprintf(spec, sizeof spec, "%s%s", format, path);
    struct cpu_trace *t = cpu_trace_open(spec, 0, 1, &err);
    fuzz_check(t != NULL, &err);
    if (!t)
        return;
    for (uint32_t n = 0, got = 64; n < INSTRUCTIONS && got == 64; n += got) {
        got = cpu_trace_read(t, read, 64);
        fuzz_expect((got == 64) == !cpu_trace_error(t), "a trace ends only with an error");
        for (uint32_t i = 0; i < got; i++)
            fuzz_expect(read[i].branch <= 1 && read[i].taken <= 1, "a branch is 0 or 1");
    }
    cpu_trace_close(t);
    t = cpu_trace_open(spec, 0, 1, &err);
    fuzz_check(cpu_profile_trace(t, &caches, 100, INSTRUCTIONS, &profile, &damaged), &damaged);
    cpu_trace_close(t);
}

static void one(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file("trace", data, size);
    struct cpu_instruction decoded = {0};
    read_as("", path);
    read_as("champsim:", path);
    read_as("ramulator:", path);
    for (uint32_t n = 1; n <= 15 && n <= size; n++)
        x86_registers(data, n, &decoded);
}

static void seeds(void)
{
    struct cpu_instruction list[8];
    struct error err = {0};
    char path[256];
    memset(list, 0, sizeof list);
    for (uint32_t i = 0; i < 8; i++)
        list[i] = (struct cpu_instruction){.ip = 0x400000 + 4 * i,
                                           .branch = i == 7,
                                           .taken = i == 7,
                                           .source = {6, (uint8_t)i},
                                           .target = {3},
                                           .load = {0x10000 + 64 * i}};
    fuzz_seed(list, sizeof list);
    for (uint32_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/seed.%s", fuzz_folder(), i ? "gz" : "xz");
        struct compressed_output *out = compressed_output_open(path, &err);
        fuzz_expect(out && compressed_output_write(out, list, sizeof list, &err) &&
                        compressed_output_finish(out, &err),
                    err.text);
        fuzz_seed_file(path);
    }
}

const struct fuzz_target fuzz_target = {
    .name = "trace", .one = one, .seeds = seeds, .mutants = 500};
