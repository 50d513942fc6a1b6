/* IPv6 forwarding: the table against a search by length, the kernel against the host reference. */
#include "tests/sw/packet_vm.h"

#include <stdio.h>
#include <unistd.h>

#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv6/forward6.h"
#include "sw/services/ipv6/pktgen6.h"
#include "sw/services/ipv6/table6.h"

#define HOPS   50u
#define ROUTES 4000u

struct router {
    struct packet_vm p;
    struct route_list routes;
    struct table6 table;
    struct match6 *match;
    struct fwd_hop hops[HOPS + 1];
};

/* Generated routes, and ones of every length nested in some of them. */
static void make_routes(struct router *r)
{
    struct error err = {0};
    struct rng *rng = &r->p.rng;
    assert_true(routes_make(
        &(struct route_source){.family = ADDRESS_IPV6, .seed = 3, .count = ROUTES, .hops = HOPS},
        &r->routes, &err));
    for (uint32_t i = 0; i < 1000; i++) {
        struct route route = r->routes.routes[rng_below(rng, r->routes.count)];
        struct address mask = address_mask(route.length);
        route.length = (uint8_t)(i < 3 ? i : 1 + rng_below(rng, 128));
        route.prefix.high |= rng_u64(rng) & ~mask.high;
        route.prefix.low |= rng_u64(rng) & ~mask.low;
        mask = address_mask(route.length);
        route.prefix = (struct address){route.prefix.high & mask.high, route.prefix.low & mask.low};
        route.hop = (uint16_t)(1 + rng_below(rng, HOPS));
        if (route.length < 12 && i >= 3)
            continue; /* so that some addresses have no route */
        if (route.length < 3)
            route.prefix.high = (uint64_t)route.length << 62, route.length = 2;
        ARRAY_RESERVE(r->routes.routes, r->routes.count, r->routes.capacity);
        r->routes.routes[r->routes.count++] = route;
        r->routes.by_length[route.length]++;
    }
}

static struct address draw_address(struct router *r)
{
    struct rng *rng = &r->p.rng;
    const struct route *route = &r->routes.routes[rng_below(rng, r->routes.count)];
    struct address mask = address_mask(route->length);
    struct address any = {rng_u64(rng), rng_u64(rng)};
    if (rng_chance(rng, 1, 8))
        return (struct address){any.high | UINT64_C(3) << 62, any.low};
    return (struct address){route->prefix.high | (any.high & ~mask.high),
                            route->prefix.low | (any.low & ~mask.low)};
}

static int create_router(void **state)
{
    struct router *r = ALLOC(struct router);
    struct packet_vm *p = &r->p;
    rng_seed(&p->rng, 66);
    make_routes(r);
    table6_build(&r->routes, &r->table);
    r->match = match6_create(&r->routes);
    forward_make_hops(r->hops, HOPS, 7);
    p->result_words = p->threads_per_packet = 1;
    p->count_arg = 2;
    p->results_arg = 7;
    packet_vm_create(p, 64u << 20, "sw/services/ipv6/ipv6_forward.ptx", "ipv6_forward", 1536);
    p->arguments[3] = packet_vm_table(p, r->table.root, FWD6_ROOT_ENTRIES * 4);
    p->arguments[4] =
        packet_vm_table(p, r->table.nodes, (uint64_t)r->table.n_nodes * FWD6_NODE_ENTRIES * 4);
    p->arguments[5] = packet_vm_table(p, r->hops, sizeof r->hops);
    *state = r;
    return 0;
}

static int destroy_router(void **state)
{
    struct router *r = *state;
    packet_vm_destroy(&r->p);
    table6_free(&r->table);
    match6_destroy(r->match);
    routes_free(&r->routes);
    free(r);
    return 0;
}

static void table_equals_search(void **state)
{
    struct router *r = *state;
    uint32_t none = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        struct address a = draw_address(r);
        uint32_t hop = match6_lookup(r->match, a);
        assert_int_equal(table6_lookup(&r->table, a), hop);
        none += hop == 0;
    }
    assert_true(none > 1000);
}

/* A packet of any kind; now and then with bits flipped in its header, or cut short. */
static uint32_t make_packet(void *user, uint8_t *frame)
{
    struct router *r = user;
    struct rng *rng = &r->p.rng;
    uint32_t kind = rng_chance(rng, 2, 3) ? PKTGEN6_KINDS : rng_below(rng, PKTGEN6_KINDS);
    uint32_t length = 60 + (rng_chance(rng, 1, 3) ? rng_below(rng, 1455) : 0);
    length = pktgen6_frame(frame, length, (enum pktgen6_kind)kind, draw_address(r), rng);
    if (rng_chance(rng, 1, 10))
        frame[12 + rng_below(rng, 44)] ^= (uint8_t)(1u << rng_below(rng, 8));
    if (rng_chance(rng, 1, 20))
        length = rng_below(rng, 61);
    return length;
}

static void kernel_equals_reference(void **state)
{
    struct router *r = *state;
    struct packet_vm *p = &r->p;
    uint32_t verdicts[FWD6_VERDICTS] = {0};
    for (uint32_t run = 0; run < 700; run++) {
        uint32_t count = run < 33 ? run : 1 + rng_below(&p->rng, 32);
        uint32_t mtu = run & 1 ? 1280 + rng_below(&p->rng, 200) : 0;
        p->arguments[6] = mtu;
        packet_vm_fill(p, make_packet, r);
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *slot = p->slots + (size_t)i * p->slot_bytes;
            uint32_t length = slot[0] | (uint32_t)slot[1] << 8;
            p->result[i] = forward6_reference(slot + 2, length, r->match, r->hops, mtu);
            verdicts[p->result[i] & 0xFF]++;
        }
        packet_vm_run(p, count);
        packet_vm_compare(p);
    }
    assert_int_equal(verdicts[FWD6_NONE], 0);
    for (uint32_t v = FWD6_FORWARD; v < FWD6_VERDICTS; v++)
        assert_true(verdicts[v] > 100); /* each verdict was put to the test */
}

static void routes_are_checked(void **state)
{
    static const struct {
        const char *line, *message;
    } CASES[] = {{"2001:db8::/129", "lacks a prefix length 0..128"},
                 {"2001:db8::1/64", "bits beyond the prefix length 64"},
                 {"2001:zz::/32", "does not start with an IPv6 address"},
                 {"2001:db8::/32 0", "must be followed by a next hop number 1..4"},
                 {"2001:db8::/32 5", "must be followed by a next hop number 1..4"},
                 {"nonsense", "does not start with an IPv6 address"},
                 {"10.0.0.0/8", "the file contains no IPv6 route (1 IPv4 prefixes)"}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char path[] = "/tmp/evgpu-test-XXXXXX";
        int file = mkstemp(path);
        FILE *out = fdopen(file, "w");
        assert_non_null(out);
        fprintf(out, "# a comment\n%s\n", CASES[i].line);
        fclose(out);
        struct route_list list;
        struct error err = {0};
        assert_false(routes_make(
            &(struct route_source){.family = ADDRESS_IPV6, .path = path, .hops = 4}, &list, &err));
        if (!strstr(err.text, CASES[i].message))
            fail_msg("\"%s\" lacks \"%s\"", err.text, CASES[i].message);
        remove(path);
    }
}

static void routes_survive_a_file(void **state)
{
    struct router *r = *state;
    struct error err = {0};
    char path[] = "/tmp/evgpu-test-XXXXXX";
    close(mkstemp(path));
    struct route_list again;
    assert_true(routes_write(path, &r->routes, &err));
    assert_true(routes_make(
        &(struct route_source){.family = ADDRESS_IPV6, .path = path, .hops = HOPS}, &again, &err));
    remove(path);
    assert_int_equal(again.count, r->routes.count);
    for (uint32_t i = 0; i < again.count; i++) {
        const struct route *a = &again.routes[i], *b = &r->routes.routes[i];
        assert_true(a->prefix.high == b->prefix.high && a->prefix.low == b->prefix.low);
        assert_true(a->length == b->length && a->hop == b->hop);
    }
    routes_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_equals_search), cmocka_unit_test(kernel_equals_reference),
        cmocka_unit_test(routes_are_checked), cmocka_unit_test(routes_survive_a_file)};
    return cmocka_run_group_tests(tests, create_router, destroy_router);
}
