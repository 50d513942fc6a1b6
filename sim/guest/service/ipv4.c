#include "sim/guest/service/ipv4.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/ipv4/forward.h"

#define FORWARD_PORTS 16u /* output ports the next hops are spread over */

_Static_assert(FWD_SLOT_ALIGN == PACKET_SLOT_ALIGN && FWD_FRAME_OFFSET == PACKET_FRAME_OFFSET &&
                   FWD_RESULT_PORT_SHIFT == PACKET_PORT_SHIFT,
               "the kernels' layout of slots and results");

struct router {
    const struct route_list *routes;
    struct fwd_hop *hops;
    struct trie *trie; /* for the reference; made when it is needed */
};

enum { LEVEL1, LEVEL2, HOPS, TOTALS };

static void destroy(void *state)
{
    struct router *r = state;
    trie_destroy(r->trie);
    free(r->hops);
    free(r);
}

static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    const struct route_list *routes = inputs;
    uint64_t hop_bytes = (uint64_t)(routes->n_hops + 1) * sizeof(struct fwd_hop);
    void *level1 = packet_table(tables, "level1", DIR24_LEVEL1_BYTES, true, err);
    void *level2 =
        packet_table(tables, "level2", dir24_level2_bytes(dir24_blocks(routes)), true, err);
    void *hops = packet_table(tables, "hops", hop_bytes, true, err);
    packet_table(tables, "totals", FWD_VERDICTS * sizeof(uint32_t), false, err);
    if (err->set)
        return NULL;
    struct router *r = ALLOC(struct router);
    r->routes = routes;
    dir24_fill(routes, level1, level2);
    r->hops = ALLOC_ARRAY(struct fwd_hop, routes->n_hops + 1);
    forward_make_hops(r->hops, routes->n_hops, FORWARD_PORTS);
    memcpy(hops, r->hops, hop_bytes);
    return r;
}

static void expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    struct router *r = state;
    if (!r->trie)
        r->trie = trie_create(r->routes);
    uint32_t result = forward_reference(want->frame, packet->length, r->trie, r->hops);
    want->verdict = result & 0xFF;
    want->port = result >> FWD_RESULT_PORT_SHIFT;
}

static const uint8_t arguments[] = {
    PACKET_SLOTS,          PACKET_SLOT_BYTES,   PACKET_COUNT,   PACKET_TABLE + LEVEL1,
    PACKET_TABLE + LEVEL2, PACKET_TABLE + HOPS, PACKET_RESULTS, PACKET_TABLE + TOTALS};

const struct packet_kind ipv4_kind = {.name = "ipv4",
                                      .kernel = "ipv4_forward",
                                      .block_kernel = "ipv4_forward_big",
                                      .persistent = "ipv4_persistent",
                                      .threads_per_packet = 1,
                                      .arguments = arguments,
                                      .n_arguments = sizeof arguments,
                                      .verdicts = FWD_VERDICTS,
                                      .forward = 1u << FWD_FORWARD,
                                      .verdict_name = forward_verdict_name,
                                      .create = create,
                                      .destroy = destroy,
                                      .expect = expect};
