/* The service `ipv6`: forwarding through a trie of prefixes.
 *
 * With a foreign kernel, the program finds the table as the resources "root", "nodes" and "hops"
 * (ipv6_forward.h), and its results are result words of the same header. */
#include "sw/services/common/service.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sw/services/common/route_settings.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv6/forward6.h"
#include "sw/services/ipv6/pktgen6.h"
#include "sw/services/ipv6/table6.h"

#define LEAST_MTU 1280u /* RFC 8200, 5 */

_Static_assert(FWD6_SLOT_ALIGN == PACKET_SLOT_ALIGN && FWD6_FRAME_OFFSET == PACKET_FRAME_OFFSET &&
                   FWD6_RESULT_PORT_SHIFT == PACKET_PORT_SHIFT,
               "the kernel's layout of slots and results");

struct ipv6_inputs {
    struct route_list routes;
    uint32_t mtu; /* bytes of a packet with its header; 0: none */
    struct pktgen6 *generator;
};

struct router {
    const struct ipv6_inputs *inputs;
    struct fwd_hop *hops;
    struct match6 *match;         /* for the reference; made when it is needed */
    uint64_t icmp[FWD6_VERDICTS]; /* messages that a router would send, by the verdict */
};

enum { ROOT, NODES, HOPS };
enum { MTU };

static void destroy(void *state)
{
    struct router *r = state;
    match6_destroy(r->match);
    free(r->hops);
    free(r);
}

static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    const struct ipv6_inputs *in = inputs;
    const uint32_t n_hops = in->routes.n_hops;
    uint64_t hop_bytes = (uint64_t)(n_hops + 1) * sizeof(struct fwd_hop);
    struct table6 t;
    table6_build(&in->routes, &t);
    uint64_t root_bytes = FWD6_ROOT_ENTRIES * sizeof *t.root;
    uint64_t node_bytes = (uint64_t)t.n_nodes * FWD6_NODE_ENTRIES * sizeof *t.nodes;
    void *root = packet_table(tables, "root", root_bytes, PACKET_READ, err);
    void *nodes = packet_table(tables, "nodes", node_bytes, PACKET_READ, err);
    void *hops = packet_table(tables, "hops", hop_bytes, PACKET_READ, err);
    struct router *r = NULL;
    if (!err->set) {
        r = ALLOC(struct router);
        r->inputs = in;
        r->hops = ALLOC_ARRAY(struct fwd_hop, n_hops + 1);
        forward_make_hops(r->hops, n_hops, FORWARD_PORTS);
        memcpy(root, t.root, root_bytes);
        if (node_bytes)
            memcpy(nodes, t.nodes, node_bytes);
        memcpy(hops, r->hops, hop_bytes);
        tables->value[MTU] = in->mtu;
    }
    table6_free(&t);
    return r;
}

static void expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    struct router *r = state;
    if (!r->match)
        r->match = match6_create(&r->inputs->routes);
    uint32_t result =
        forward6_reference(want->frame, packet->length, r->match, r->hops, r->inputs->mtu);
    packet_want_result(want, result);
    if (forward6_answers(packet->frame, packet->length, (enum fwd6_verdict)want->verdict))
        r->icmp[want->verdict]++;
}

static void print(const void *state, FILE *to)
{
    const struct router *r = state;
    fprintf(to,
            "ICMP to be sent       %llu destination unreachable, %llu time exceeded, %llu packet "
            "too big\n",
            (unsigned long long)r->icmp[FWD6_NO_ROUTE], (unsigned long long)r->icmp[FWD6_HOP_LIMIT],
            (unsigned long long)r->icmp[FWD6_TOO_BIG]);
}

static void json(const void *state, json_t *into)
{
    const struct router *r = state;
    json_object_set_new(into, "icmp",
                        json_pack("{s:I, s:I, s:I}", "destination unreachable",
                                  (json_int_t)r->icmp[FWD6_NO_ROUTE], "time exceeded",
                                  (json_int_t)r->icmp[FWD6_HOP_LIMIT], "packet too big",
                                  (json_int_t)r->icmp[FWD6_TOO_BIG]));
}

static const uint8_t arguments[] = {PACKET_SLOTS,        PACKET_SLOT_BYTES,    PACKET_COUNT,
                                    PACKET_TABLE + ROOT, PACKET_TABLE + NODES, PACKET_TABLE + HOPS,
                                    PACKET_VALUE + MTU,  PACKET_RESULTS};

static const struct packet_return returning = {.kernel = "ipv6_return",
                                               .stored_bytes = FWD_STORED_BYTES};

static const struct packet_kind forward = {.file = "ipv6_forward",
                                           .kernel = "ipv6_forward",
                                           .block_kernel = "ipv6_forward",
                                           .persistent = "ipv6_persistent",
                                           .returning = &returning,
                                           .threads_per_packet = 1,
                                           .arguments = arguments,
                                           .n_arguments = sizeof arguments,
                                           .verdicts = FWD6_VERDICTS,
                                           .forward = 1u << FWD6_FORWARD,
                                           .verdict_name = forward6_verdict_name,
                                           .create = create,
                                           .destroy = destroy,
                                           .expect = expect,
                                           .print = print,
                                           .json = json};

/* --- settings -----------------------------------------------------------------------------------
 */

enum { ROUTES, ROUTE_COUNT, MTU_BYTES };

static const struct setting_row settings[] = {
    [ROUTES] = ROUTES_ROW,
    [ROUTE_COUNT] = ROUTE_COUNT_ROW(ROUTES_MAX_IPV6),
    [MTU_BYTES] = {.key = "mtu",
                   .type = SETTING_NUMBER,
                   .unit = "BYTES",
                   .help = "longer packets are not forwarded; 0: no limit",
                   .most = CAPTURE_MAX_FRAME},
    {.key = NULL}};

static void release(void *inputs)
{
    struct ipv6_inputs *in = inputs;
    pktgen6_destroy(in->generator);
    routes_free(&in->routes);
    free(in);
}

static void *prepare(const struct service_input *input, struct error *err)
{
    struct ipv6_inputs *in = ALLOC(struct ipv6_inputs);
    struct route_source source = route_source_of(ADDRESS_IPV6, input->seed, &input->values[ROUTES],
                                                 &input->values[ROUTE_COUNT]);
    in->mtu = (uint32_t)input->values[MTU_BYTES].number;
    if (in->mtu && in->mtu < LEAST_MTU)
        error_set(err, "mtu=%u: must be 0 or at least %u", in->mtu, LEAST_MTU);
    else if (routes_make(&source, &in->routes, err)) {
        in->generator = pktgen6_create(&in->routes);
        return in;
    }
    release(in);
    return NULL;
}

static const struct traffic_source *traffic(const void *inputs, struct traffic_options *usual)
{
    const struct ipv6_inputs *in = inputs;
    *usual = pktgen6_defaults();
    return pktgen6_source(in->generator);
}

const struct event_service ipv6_service = {.name = "ipv6",
                                           .summary = "an event kernel forwards IPv6 packets",
                                           .settings = settings,
                                           .kinds = {&forward},
                                           .filter = {"IPv6", FWD6_ETHERTYPE, true},
                                           .rate = SERVICE_RATE,
                                           .prepare = prepare,
                                           .release = release,
                                           .traffic = traffic};
