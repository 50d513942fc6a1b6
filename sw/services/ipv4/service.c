/* The service `ipv4`: forwarding through a DIR-24-8 table.
 *
 * With a foreign kernel, the program finds the routing table as the resources "level1", "level2"
 * and "hops" (ipv4_forward.h), and its results are result words of the same header. */
#include "sw/services/common/service.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sw/services/common/route_settings.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv4/pktgen.h"

_Static_assert(FWD_SLOT_ALIGN == PACKET_SLOT_ALIGN && FWD_FRAME_OFFSET == PACKET_FRAME_OFFSET &&
                   FWD_RESULT_PORT_SHIFT == PACKET_PORT_SHIFT,
               "the kernels' layout of slots and results");

struct ipv4_inputs {
    struct route_list routes;
    struct pktgen *generator;
};

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
    const struct ipv4_inputs *in = inputs;
    const struct route_list *routes = &in->routes;
    uint64_t hop_bytes = (uint64_t)(routes->n_hops + 1) * sizeof(struct fwd_hop);
    void *level1 = packet_table(tables, "level1", DIR24_LEVEL1_BYTES, PACKET_READ, err);
    void *level2 =
        packet_table(tables, "level2", dir24_level2_bytes(dir24_blocks(routes)), PACKET_READ, err);
    void *hops = packet_table(tables, "hops", hop_bytes, PACKET_READ, err);
    packet_table(tables, "totals", FWD_VERDICTS * sizeof(uint32_t), PACKET_KEPT, err);
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
    packet_want_result(want, result);
}

static const uint8_t arguments[] = {
    PACKET_SLOTS,          PACKET_SLOT_BYTES,   PACKET_COUNT,   PACKET_TABLE + LEVEL1,
    PACKET_TABLE + LEVEL2, PACKET_TABLE + HOPS, PACKET_RESULTS, PACKET_TABLE + TOTALS};

static const struct packet_kind forward = {.file = "ipv4_forward",
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

/* --- settings -----------------------------------------------------------------------------------
 */

enum { ROUTES, ROUTE_COUNT };

static const struct setting_row settings[] = {
    [ROUTES] = ROUTES_ROW, [ROUTE_COUNT] = ROUTE_COUNT_ROW(ROUTES_MAX_IPV4), {.key = NULL}};

static void release(void *inputs)
{
    struct ipv4_inputs *in = inputs;
    pktgen_destroy(in->generator);
    routes_free(&in->routes);
    free(in);
}

static void *prepare(const struct service_input *input, struct error *err)
{
    struct ipv4_inputs *in = ALLOC(struct ipv4_inputs);
    struct route_source source = route_source_of(ADDRESS_IPV4, input->seed, &input->values[ROUTES],
                                                 &input->values[ROUTE_COUNT]);
    if (routes_make(&source, &in->routes, err)) {
        in->generator = pktgen_create(&in->routes);
        return in;
    }
    release(in);
    return NULL;
}

static const struct traffic_source *traffic(const void *inputs, struct traffic_options *usual)
{
    const struct ipv4_inputs *in = inputs;
    *usual = pktgen_defaults();
    return pktgen_source(in->generator);
}

const struct event_service ipv4_service = {.name = "ipv4",
                                           .summary = "an event kernel forwards IPv4 packets",
                                           .settings = settings,
                                           .kinds = {&forward},
                                           .filter = {"IPv4", FWD_ETHERTYPE_IPV4, true},
                                           .rate = SERVICE_RATE,
                                           .prepare = prepare,
                                           .release = release,
                                           .traffic = traffic};
