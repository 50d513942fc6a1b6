/* Host reference of the IPv6 forwarding kernel: the same rules (ipv6_forward.h), written
 * independently. */
#ifndef EVGPU_SW_FORWARD6_H
#define EVGPU_SW_FORWARD6_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/ipv6/ipv6_forward.h"
#include "sw/services/ipv6/match6.h"

/* Forwards the frame in place if it is to be forwarded; returns the result word. `mtu` 0: none. */
uint32_t forward6_reference(uint8_t *frame, uint32_t length, const struct match6 *routes,
                            const struct fwd_hop *hops, uint32_t mtu);

/* Whether a router tells the source of a packet that it has not forwarded by an ICMPv6 message (RFC
 * 4443, 2.4(e)): not of an ICMPv6 error, nor to a source that is not one host. */
bool forward6_answers(const uint8_t *frame, uint32_t length, enum fwd6_verdict verdict);

const char *forward6_verdict_name(uint32_t verdict);

#endif
