/* Traffic for the ESP sender (sw/services/common/traffic.h): packets to the networks that
 * associations protect, and others. */
#ifndef EVGPU_SW_SEALGEN_H
#define EVGPU_SW_SEALGEN_H

#include "sw/services/common/traffic.h"
#include "sw/services/ipsec/sas.h"

/* The kind of a frame. */
enum sealgen_kind {
    SEALGEN_NO_POLICY,
    SEALGEN_BAD_CHECKSUM,
    SEALGEN_BAD_LENGTH,  /* total length beyond the end of the frame */
    SEALGEN_BAD_VERSION, /* header that says version 6, or 4 header words */
    SEALGEN_OPTIONS,     /* good, with IPv4 options */
    SEALGEN_KINDS
};

/* 100,000 frames, 1 million per second, Poisson; 2 % of trouble. */
struct traffic_options sealgen_defaults(void);

struct sealgen;

/* `payload`: encrypted bytes of ordinary packets, as of espgen.h. The list stays the caller's; one
 * at least must protect a network, and no network may be all addresses. */
struct sealgen *sealgen_create(const struct sa_list *list, uint32_t payload);
void sealgen_destroy(struct sealgen *g);
const struct traffic_source *sealgen_source(const struct sealgen *g);

/* One frame, of TRAFFIC_ROOM bytes at most; its length. */
uint32_t sealgen_frame(const struct sealgen *g, uint8_t *frame, uint32_t kind, struct rng *rng);

#endif
