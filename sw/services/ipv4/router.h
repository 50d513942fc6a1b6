/* What services that forward IPv4 packets have beside their kernel: the DIR-24-8 table and the next
 * hops in device memory, and the reference for a packet. */
#ifndef EVGPU_SW_ROUTER_H
#define EVGPU_SW_ROUTER_H

#include "sw/services/common/routes.h"
#include "sw/services/common/service.h"

struct router;

/* Takes the tables "level1", "level2" and "hops", the next three of `tables`, and fills them; NULL
 * with `err`. The routes stay the caller's, and unchanged. */
struct router *router_create(const struct route_list *routes, struct packet_tables *tables,
                             struct error *err);
void router_destroy(struct router *r);

/* Forwards the frame in place if it is to be forwarded; the result word (forward_reference). */
uint32_t router_reference(struct router *r, uint8_t *frame, uint32_t length);

#endif
