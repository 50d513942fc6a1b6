#include "sw/services/common/capture.h"

#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compressed_input.h"
#include "base/error.h"
#include "sw/services/common/bytes.h"

#define ETHERTYPE_FIELD 12u
#define ETHERNET_BYTES  14u
#define ETHERTYPE_IPV4  0x0800u
#define IPV4_BYTES      20u /* without options */
#define IPV6_BYTES      40u

struct reader {
    const char *path;
    const struct capture_filter *filter;
    struct compressed_input *file;
    struct error damage; /* of the compression */
    pcap_t *pcap;
    struct capture *capture;
    size_t packet_capacity, byte_capacity;
};

void capture_free(struct capture *capture)
{
    free(capture->packets);
    free(capture->bytes);
    *capture = (struct capture){0};
}

const char *capture_skip_name(const struct capture_filter *filter, enum capture_skip reason,
                              char text[32])
{
    static const char *const NAMES[CAPTURE_SKIPS] = {"not ", "cut by the snapshot length",
                                                     "longer than 65535 bytes"};
    snprintf(text, 32, "%s%s", reason < CAPTURE_SKIPS ? NAMES[reason] : "invalid reason",
             reason == CAPTURE_OTHER ? filter->protocol : "");
    return text;
}

/* Bytes of the frame that end with its IP header. */
static uint32_t header_end(const struct capture_filter *filter, const uint8_t *frame, uint32_t have)
{
    if (filter->ethertype != ETHERTYPE_IPV4)
        return ETHERNET_BYTES + IPV6_BYTES;
    uint32_t words = have > ETHERNET_BYTES ? frame[ETHERNET_BYTES] & 15u : 0;
    return ETHERNET_BYTES + (words < 5 ? IPV4_BYTES : 4 * words);
}

bool capture_wants(const struct capture_filter *filter, const uint8_t *frame, uint32_t length)
{
    return length >= ETHERNET_BYTES && read_be16(frame + ETHERTYPE_FIELD) == filter->ethertype;
}

/* CAPTURE_SKIPS when the frame is to be kept. */
static enum capture_skip classify(const struct capture_filter *filter,
                                  const struct pcap_pkthdr *header, const uint8_t *frame)
{
    uint32_t have = header->caplen;
    bool cut = have < header->len;
    if (have < ETHERNET_BYTES)
        return cut ? CAPTURE_CUT : CAPTURE_OTHER;
    if (!capture_wants(filter, frame, have))
        return CAPTURE_OTHER;
    if (header->len > CAPTURE_MAX_FRAME || have > CAPTURE_MAX_FRAME)
        return CAPTURE_TOO_LONG;
    if (!cut)
        return CAPTURE_SKIPS;
    return !filter->headers || have < header_end(filter, frame, have) ? CAPTURE_CUT : CAPTURE_SKIPS;
}

/* libpcap reads the 32-bit seconds of a pcap file as signed; they are not, until 2106. */
static uint64_t nanoseconds(const struct timeval *ts)
{
    uint64_t seconds = ts->tv_sec < 0 ? (uint32_t)ts->tv_sec : (uint64_t)ts->tv_sec;
    return seconds * 1000000000u + (uint64_t)ts->tv_usec;
}

static bool keep(struct reader *r, const struct pcap_pkthdr *header, const uint8_t *frame,
                 struct error *err)
{
    struct capture *c = r->capture;
    uint32_t length = header->len > header->caplen ? header->len : header->caplen;
    if (header->ts.tv_usec < 0) /* libpcap's product of 32 bits */
        return error_set(err, "%s: frame %" PRIu64 ": its time stamp has more than a second's part",
                         r->path, c->frames);
    if (header->ts.tv_sec >= (time_t)(UINT64_MAX / 1000000000u))
        return error_set(err,
                         "%s: frame %" PRIu64 ": its time stamp is %lld s, more than 500 years",
                         r->path, c->frames, (long long)header->ts.tv_sec);
    if (c->size + length > UINT32_MAX)
        return error_set(err, "%s: frame %" PRIu64 ": more than 4 GiB of frames; limit them",
                         r->path, c->frames);
    while (c->size + length > r->byte_capacity) {
        r->byte_capacity = r->byte_capacity ? 2 * r->byte_capacity : 1u << 16;
        c->bytes = alloc_resize(c->bytes, r->byte_capacity, 1);
    }
    ARRAY_RESERVE(c->packets, c->count, r->packet_capacity);
    c->packets[c->count++] = (struct captured_packet){
        .timestamp_ns = nanoseconds(&header->ts), .offset = (uint32_t)c->size, .length = length};
    memcpy(c->bytes + c->size, frame, header->caplen);
    memset(c->bytes + c->size + header->caplen, 0, length - header->caplen);
    c->size += length;
    c->padded += length > header->caplen;
    if (length > c->longest)
        c->longest = length;
    return true;
}

static bool read_frames(struct reader *r, uint32_t limit, struct error *err)
{
    struct capture *c = r->capture;
    while (!limit || c->count < limit) {
        struct pcap_pkthdr *header;
        const u_char *frame;
        int result = pcap_next_ex(r->pcap, &header, &frame);
        if (result == PCAP_ERROR_BREAK)
            break;
        if (result != 1)
            return error_set(err, "%s: frame %" PRIu64 ": %s", r->path, c->frames + 1,
                             r->damage.set ? r->damage.text : pcap_geterr(r->pcap));
        c->frames++;
        enum capture_skip skip = classify(r->filter, header, frame);
        if (skip == CAPTURE_SKIPS) {
            if (!keep(r, header, frame, err))
                return false;
            continue;
        }
        if (!c->skipped[skip]++)
            c->first_skipped[skip] = c->frames;
    }
    return true;
}

static ssize_t read_some(void *reader, char *to, size_t room)
{
    struct reader *r = reader;
    size_t got = compressed_input_read(r->file, (uint8_t *)to, room, &r->damage);
    return !got && r->damage.set ? -1 : (ssize_t)got;
}

static bool open_capture(struct reader *r, struct error *err)
{
    char message[PCAP_ERRBUF_SIZE] = "";
    r->file = compressed_input_open(strcmp(r->path, "-") ? r->path : "/dev/stdin", err);
    if (!r->file)
        return false;
    FILE *stream = fopencookie(r, "r", (cookie_io_functions_t){.read = read_some});
    if (stream)
        r->pcap =
            pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, message);
    if (r->pcap)
        return true; /* and it closes the stream */
    if (stream)
        fclose(stream);
    return error_set(err, "%s: is not a readable packet capture: %s", r->path,
                     r->damage.set ? r->damage.text : message);
}

static bool open_and_read(struct reader *r, uint32_t limit, struct error *err)
{
    struct capture *c = r->capture;
    if (!open_capture(r, err))
        return false;
    int link = pcap_datalink(r->pcap);
    if (link != DLT_EN10MB) {
        const char *name = pcap_datalink_val_to_name(link);
        return error_set(err,
                         "%s: the link type is %s (%d); only an Ethernet capture can be replayed",
                         r->path, name ? name : "unknown", link);
    }
    if (!read_frames(r, limit, err))
        return false;
    if (c->frames == 0)
        return error_set(err, "%s: the capture contains no packets", r->path);
    if (c->count == 0)
        return error_set(err,
                         "%s: no %s packet among %" PRIu64 " frames (%" PRIu64 " not %s, %" PRIu64
                         " cut by the snapshot length, %" PRIu64 " too long)",
                         r->path, r->filter->protocol, c->frames, c->skipped[CAPTURE_OTHER],
                         r->filter->protocol, c->skipped[CAPTURE_CUT],
                         c->skipped[CAPTURE_TOO_LONG]);
    return true;
}

bool capture_read(const char *path, const struct capture_filter *filter, uint32_t limit,
                  struct capture *capture, struct error *err)
{
    *capture = (struct capture){0};
    struct reader r = {.path = path, .filter = filter, .capture = capture};
    bool ok = open_and_read(&r, limit, err);
    if (r.pcap)
        pcap_close(r.pcap);
    compressed_input_close(r.file);
    if (!ok)
        capture_free(capture);
    return ok;
}
