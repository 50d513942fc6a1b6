/* Traffic for the service echo (sw/services/common/traffic.h): IPv4 frames of the generator of
 * ipv4, with UDP ports put into them. */
#ifndef EVGPU_SW_ECHOGEN_H
#define EVGPU_SW_ECHOGEN_H

#include "sw/services/common/traffic.h"

/* The kind of a frame. */
enum echogen_kind {
    ECHOGEN_OTHER_PORT,
    ECHOGEN_LOOP, /* from the port that it goes to */
    ECHOGEN_BAD_CHECKSUM,
    ECHOGEN_BAD_LENGTH,  /* total length beyond the end of the frame */
    ECHOGEN_BAD_VERSION, /* header that says version 6, or 4 header words */
    ECHOGEN_OPTIONS,     /* good, with IPv4 options */
    ECHOGEN_KINDS
};

/* 100,000 frames, 1 million per second, Poisson, 64 bytes; 2 % of trouble. */
struct traffic_options echogen_defaults(void);

struct echogen;

/* `port` 0: the echo port of RFC 862. */
struct echogen *echogen_create(uint32_t port);
void echogen_destroy(struct echogen *g);
const struct traffic_source *echogen_source(const struct echogen *g);

/* One frame; `length` is raised where a kind needs more. Its length. `frame` has TRAFFIC_ROOM
 * bytes. */
uint32_t echogen_frame(const struct echogen *g, uint8_t *frame, uint32_t length, uint32_t kind,
                       struct rng *rng);

#endif
