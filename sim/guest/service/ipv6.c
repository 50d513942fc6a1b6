#include "sim/guest/service/ipv6.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv6/forward6.h"
#include "sw/services/ipv6/table6.h"

#define FORWARD_PORTS 16u /* output ports the next hops are spread over */

_Static_assert(FWD6_SLOT_ALIGN == PACKET_SLOT_ALIGN && FWD6_FRAME_OFFSET == PACKET_FRAME_OFFSET &&
                   FWD6_RESULT_PORT_SHIFT == PACKET_PORT_SHIFT,
               "the kernel's layout of slots and results");

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
    void *root = packet_table(tables, "root", root_bytes, true, err);
    void *nodes = packet_table(tables, "nodes", node_bytes, true, err);
    void *hops = packet_table(tables, "hops", hop_bytes, true, err);
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
    want->verdict = result & 0xFF;
    want->port = result >> FWD6_RESULT_PORT_SHIFT;
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

const struct packet_kind ipv6_kind = {.name = "ipv6",
                                      .kernel = "ipv6_forward",
                                      .block_kernel = "ipv6_forward",
                                      .persistent = "ipv6_persistent",
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
