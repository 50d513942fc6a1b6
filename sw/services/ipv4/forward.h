/* Host reference of the IPv4 forwarding kernels: the same rules (sw/services/ipv4/ipv4_forward.h),
 * written independently: table by trie, checksum recomputed in full, header read byte by byte. */
#ifndef EVGPU_SW_FORWARD_H
#define EVGPU_SW_FORWARD_H

#include <stdint.h>

#include "sw/services/ipv4/ipv4_forward.h"
#include "sw/services/ipv4/trie.h"

#define FORWARD_PORTS 16u /* output ports that services spread the next hops over */

/* Forwards the frame in place if it is to be forwarded; returns the result word. */
uint32_t forward_reference(uint8_t *frame, uint32_t length, const struct trie *routes,
                           const struct fwd_hop *hops);

/* Fills hops[0 .. n_hops] with distinct locally administered MAC addresses; hop h leaves by port
 * (h - 1) % ports. hops[0] is zero. */
void forward_make_hops(struct fwd_hop *hops, uint32_t n_hops, uint32_t ports);

const char *forward_verdict_name(uint32_t verdict);

#endif
