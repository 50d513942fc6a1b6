#include "sw/services/ipv4/capture.h"

#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/dev/nic.h"
#include "sw/services/ipv4/ipv4.h"
#include "sw/services/ipv4/ipv4_forward.h"

#define ETHERTYPE_FIELD 12u

struct reader {
    const char *path;
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

const char *capture_skip_name(enum capture_skip reason)
{
    static const char *const NAMES[CAPTURE_SKIPS] = {"not IPv4", "cut by the snapshot length",
                                                     "longer than 65535 bytes"};
    return reason < CAPTURE_SKIPS ? NAMES[reason] : "invalid reason";
}

/* CAPTURE_SKIPS when the frame is to be kept. */
static enum capture_skip classify(const struct pcap_pkthdr *header, const uint8_t *frame)
{
    uint32_t have = header->caplen;
    bool cut = have < header->len;
    if (have < FWD_ETHERNET_BYTES)
        return cut ? CAPTURE_CUT : CAPTURE_NOT_IPV4;
    if (read_be16(frame + ETHERTYPE_FIELD) != FWD_ETHERTYPE_IPV4)
        return CAPTURE_NOT_IPV4;
    if (header->len > CAPTURE_MAX_FRAME || have > CAPTURE_MAX_FRAME)
        return CAPTURE_TOO_LONG;
    if (!cut)
        return CAPTURE_SKIPS;
    if (have <= FWD_ETHERNET_BYTES)
        return CAPTURE_CUT;
    uint32_t words = frame[FWD_ETHERNET_BYTES] & 15u;
    return have < FWD_ETHERNET_BYTES + (words < 5 ? FWD_IPV4_BYTES : 4 * words) ? CAPTURE_CUT
                                                                                : CAPTURE_SKIPS;
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
    if (c->size + length > UINT32_MAX)
        return error_set(err, "%s: frame %" PRIu64 ": more than 4 GiB of IPv4 frames; limit them",
                         r->path, c->frames);
    while (c->size + length > r->byte_capacity) {
        r->byte_capacity = r->byte_capacity ? 2 * r->byte_capacity : 1u << 16;
        c->bytes = alloc_resize(c->bytes, r->byte_capacity, 1);
    }
    ARRAY_RESERVE(c->packets, c->count, r->packet_capacity);
    c->packets[c->count++] = (struct nic_packet){
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
                             pcap_geterr(r->pcap));
        c->frames++;
        enum capture_skip skip = classify(header, frame);
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

static bool open_and_read(struct reader *r, uint32_t limit, struct error *err)
{
    struct capture *c = r->capture;
    char message[PCAP_ERRBUF_SIZE];
    r->pcap = pcap_open_offline_with_tstamp_precision(r->path, PCAP_TSTAMP_PRECISION_NANO, message);
    if (!r->pcap && strstr(message, r->path))
        return error_set(err, "%s", message);
    if (!r->pcap)
        return error_set(err, "%s: cannot be read as a packet capture: %s", r->path, message);
    int link = pcap_datalink(r->pcap);
    if (link != DLT_EN10MB) {
        const char *name = pcap_datalink_val_to_name(link);
        return error_set(err,
                         "%s: the link type is %s (%d); only Ethernet captures can be replayed",
                         r->path, name ? name : "unknown", link);
    }
    if (!read_frames(r, limit, err))
        return false;
    if (c->frames == 0)
        return error_set(err, "%s: the capture has no packets", r->path);
    if (c->count == 0)
        return error_set(err,
                         "%s: no IPv4 packet among %" PRIu64 " frames (%" PRIu64
                         " not IPv4, %" PRIu64 " cut by the snapshot length, %" PRIu64 " too long)",
                         r->path, c->frames, c->skipped[CAPTURE_NOT_IPV4], c->skipped[CAPTURE_CUT],
                         c->skipped[CAPTURE_TOO_LONG]);
    return true;
}

bool capture_read(const char *path, uint32_t limit, struct capture *capture, struct error *err)
{
    *capture = (struct capture){0};
    struct reader r = {.path = path, .capture = capture};
    bool ok = open_and_read(&r, limit, err);
    if (r.pcap)
        pcap_close(r.pcap);
    if (!ok)
        capture_free(capture);
    return ok;
}
