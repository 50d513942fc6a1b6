/* The service `ipv4`: forwarding through a DIR-24-8 table.
 *
 * With a foreign kernel, the program finds the routing table as the resources "level1", "level2"
 * and "hops" (ipv4_forward.h), and its results are result words of the same header. */
#include "sw/services/common/service.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/common/route_settings.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv4/pktgen.h"
#include "sw/services/ipv4/router.h"

_Static_assert(FWD_SLOT_ALIGN == PACKET_SLOT_ALIGN && FWD_FRAME_OFFSET == PACKET_FRAME_OFFSET &&
                   FWD_RESULT_PORT_SHIFT == PACKET_PORT_SHIFT,
               "the kernels' layout of slots and results");

struct ipv4_inputs {
    struct route_list routes;
    struct pktgen *generator;
};

enum { LEVEL1, LEVEL2, HOPS, TOTALS };

static void destroy(void *state)
{
    router_destroy(state);
}

static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    const struct ipv4_inputs *in = inputs;
    struct router *r = router_create(&in->routes, tables, err);
    if (r && packet_table(tables, "totals", FWD_VERDICTS * sizeof(uint32_t), PACKET_KEPT, err))
        return r;
    router_destroy(r);
    return NULL;
}

static void expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    packet_want_result(want, router_reference(state, want->frame, packet->length));
}

static const uint8_t arguments[] = {
    PACKET_SLOTS,          PACKET_SLOT_BYTES,   PACKET_COUNT,   PACKET_TABLE + LEVEL1,
    PACKET_TABLE + LEVEL2, PACKET_TABLE + HOPS, PACKET_RESULTS, PACKET_TABLE + TOTALS};

static const struct packet_return returning = {.kernel = "ipv4_return",
                                               .stored_bytes = FWD_STORED_BYTES};

static const struct packet_kind forward = {.file = "ipv4_forward",
                                           .kernel = "ipv4_forward",
                                           .block_kernel = "ipv4_forward_big",
                                           .persistent = "ipv4_persistent",
                                           .returning = &returning,
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
