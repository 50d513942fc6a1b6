/* Reading a packet capture: the frames of one protocol of an Ethernet pcap or pcapng, in one dense
 * buffer.
 *
 * A frame counts by its EtherType. Frames that a snapshot length has cut are skipped; for services
 * that look at nothing behind the IP header they are completed with zero bytes when that is there.
 * Skipped frames are counted by reason, with the number (from 1) of the first of them. */
#ifndef EVGPU_SW_CAPTURE_H
#define EVGPU_SW_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/captured_packet.h"

struct error; /* base/error.h */

#define CAPTURE_MAX_FRAME 65535u /* bytes; longer frames are skipped */

/* The packets that a service takes from a capture. */
struct capture_filter {
    const char *protocol; /* for messages */
    uint16_t ethertype;
    bool headers; /* a cut frame will do that has its IP header (IPv4: with options) */
};

enum capture_skip {
    CAPTURE_OTHER,    /* ARP, VLAN tags, ..., or no EtherType at all */
    CAPTURE_CUT,      /* the snapshot length has cut into what is needed */
    CAPTURE_TOO_LONG, /* above CAPTURE_MAX_FRAME */
    CAPTURE_SKIPS
};

struct capture {
    struct captured_packet *packets; /* time stamps in ns, in file order */
    uint8_t *bytes;                  /* the frames, without FCS, one after another */
    uint32_t count;
    size_t size;
    uint32_t longest; /* longest frame, bytes */
    uint64_t frames;  /* in the file */
    uint64_t padded;  /* cut frames completed with zeros; they count in `count` */
    uint64_t skipped[CAPTURE_SKIPS];
    uint64_t first_skipped[CAPTURE_SKIPS]; /* frame number, 0 for none */
};

/* `limit`: at most so many frames, 0 for all. False with an error naming file and, where one is at
 * fault, frame: not a capture, truncated, not Ethernet, no frame, no frame of the protocol. */
bool capture_read(const char *path, const struct capture_filter *filter, uint32_t limit,
                  struct capture *capture, struct error *err);
void capture_free(struct capture *capture);

/* A whole frame of a wire is one of the protocol. */
bool capture_wants(const struct capture_filter *filter, const uint8_t *frame, uint32_t length);

/* "not IPv4" and the like; valid until the next call with this buffer. */
const char *capture_skip_name(const struct capture_filter *filter, enum capture_skip reason,
                              char text[32]);

#endif
