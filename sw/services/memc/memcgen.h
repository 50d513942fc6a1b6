/* Traffic for memcached's GET over UDP (sw/services/common/traffic.h): keys that are there, drawn
 * uniformly, and everything else that a server may be sent. */
#ifndef EVGPU_SW_MEMCGEN_H
#define EVGPU_SW_MEMCGEN_H

#include "sw/services/common/traffic.h"
#include "sw/services/memc/items.h"

/* The kind of a frame; an ordinary one is a GET of a key that is there. */
enum memcgen_kind {
    MEMCGEN_MISS,
    MEMCGEN_GETS,
    MEMCGEN_BINARY,
    MEMCGEN_BINARY_KEY, /* GETK, a third of them of keys that are not there */
    MEMCGEN_QUIET_MISS,
    MEMCGEN_SEVERAL, /* keys or commands in one datagram */
    MEMCGEN_UNKNOWN, /* set, delete, version, binary SET */
    MEMCGEN_BAD_CHECKSUM,
    MEMCGEN_BAD_UDP_CHECKSUM,
    MEMCGEN_BAD_UDP_LENGTH,
    MEMCGEN_BAD_FRAME,   /* memcached's header of several datagrams */
    MEMCGEN_BAD_REQUEST, /* without an end, or with lengths that do not agree */
    MEMCGEN_BAD_KEY,     /* none, or of more than 250 bytes */
    MEMCGEN_CUT,         /* total length beyond the end of the frame */
    MEMCGEN_HEADER,      /* IP options or a fragment */
    MEMCGEN_OTHER,       /* another port, or TCP */
    MEMCGEN_KINDS
};

/* 100,000 frames, 1 million per second, Poisson; 5 % misses, 1 % of trouble. */
struct traffic_options memcgen_defaults(void);

struct memcgen;

/* `binary`: ordinary requests are of the binary protocol. The items stay the caller's. */
struct memcgen *memcgen_create(const struct memc_items *items, uint32_t key_bytes, uint32_t port,
                               bool binary);
void memcgen_destroy(struct memcgen *g);
const struct traffic_source *memcgen_source(const struct memcgen *g);

/* One frame, of TRAFFIC_ROOM bytes at most; its length. */
uint32_t memcgen_frame(const struct memcgen *g, uint8_t *frame, uint32_t kind, struct rng *rng);

#endif
