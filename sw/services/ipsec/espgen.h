/* Traffic for the ESP receiver (sw/services/common/traffic.h): encrypted by OpenSSL, with
 * everything else that a gateway may be sent. */
#ifndef EVGPU_SW_ESPGEN_H
#define EVGPU_SW_ESPGEN_H

#include "sw/services/common/traffic.h"
#include "sw/services/ipsec/sas.h"

/* The kind of a frame. */
enum espgen_kind {
    ESPGEN_REPLAY,      /* a copy of an earlier frame, or number 0 */
    ESPGEN_UNKNOWN_SPI, /* also 0 */
    ESPGEN_WRONG_PEER,
    ESPGEN_BAD_PADDING,
    ESPGEN_BAD_INNER,  /* IPv6, a dummy packet, or lengths that do not agree */
    ESPGEN_BAD_LENGTH, /* of the encrypted part */
    ESPGEN_BAD_CHECKSUM,
    ESPGEN_CUT,    /* total length beyond the end of the frame */
    ESPGEN_HEADER, /* IP options or a fragment */
    ESPGEN_OTHER,  /* UDP */
    ESPGEN_PADDED, /* good, with more padding than needed, or bytes behind the inner packet */
    ESPGEN_KINDS
};

#define ESPGEN_LEAST 48u /* encrypted bytes of a packet */
#define ESPGEN_MOST  1424u

/* 100,000 frames, 1 million per second, Poisson; 2 % of trouble. */
struct traffic_options espgen_defaults(void);

struct espgen;

/* `payload`: encrypted bytes of ordinary packets, ESPGEN_LEAST to ESPGEN_MOST; a multiple of 16, or
 * of 8 where all associations have 3DES. `icv_bytes` of noise at the end. The list stays the
 * caller's. */
struct espgen *espgen_create(const struct sa_list *list, uint32_t payload, uint32_t icv_bytes);
void espgen_destroy(struct espgen *g);
const struct traffic_source *espgen_source(const struct espgen *g);

/* What is to be done to the IPv4 packet inside of each frame before it is encrypted: its header
 * has no options and is right. */
void espgen_inside(struct espgen *g, void (*inside)(void *user, uint8_t *ip, struct rng *rng),
                   void *user);

/* One frame, of TRAFFIC_ROOM bytes at most; its length. */
uint32_t espgen_frame(struct espgen *g, uint8_t *frame, uint32_t kind, struct rng *rng);

#endif
