/* Making one frame for the packet generator. */
#ifndef EVGPU_SW_PKTGEN_FRAME_H
#define EVGPU_SW_PKTGEN_FRAME_H

#include "sw/services/ipv4/pktgen.h"

struct rng; /* base/rng.h */

/* Writes a frame of `length` bytes (without FCS) of `kind`; PKTGEN_KINDS is an ordinary one.
 * Returns its length, which PKTGEN_OPTIONS may raise to fit the options. `frame` has room for
 * TRAFFIC_MAX_FRAME. */
uint32_t pktgen_frame(uint8_t *frame, uint32_t length, enum pktgen_kind kind, uint32_t destination,
                      struct rng *rng);

#endif
