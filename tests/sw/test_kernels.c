/* The PTX of our kernels, run by the ptx layer's lane functions, against the host
 * references. Run from the project's root. */
#include "tests/sw/warp_vm.h"

#include "base/error.h"
#include "base/rng.h"
#include "sw/apps/bfs/bfs.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/matrixMul/matmul.h"
#include "sw/apps/vectorAdd/vector_add.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv4/ipv4.h"
#include "sw/services/ipv4/pktgen_frame.h"

#define MEMORY     (160u << 20)
#define SLOT_BYTES 1536u
#define HOPS       50u
#define UNTOUCHED  0xDEADBEEFu

struct router {
    struct vm vm;
    struct module *module;
    struct route_list routes;
    struct trie *trie;
    struct fwd_hop hops[HOPS + 1];
    uint64_t level1, level2, hops_at;
    struct rng rng;
};

/* Generated routes, and long prefixes nested in some of them, so that the second level is used. */
static void make_routes(struct router *r)
{
    struct error err = {0};
    assert_true(routes_make(
        &(struct route_source){.family = ADDRESS_IPV4, .seed = 3, .count = 3000, .hops = HOPS},
        &r->routes, &err));
    for (uint32_t i = 0; i < 2000; i++) {
        struct route route = r->routes.routes[rng_below(&r->rng, 3000)];
        uint32_t prefix = route_ipv4(&route);
        prefix |= (uint32_t)rng_u64(&r->rng) & ~address_ipv4_mask(route.length);
        route.length = (uint8_t)(25 + rng_below(&r->rng, 8));
        route.prefix = address_of_ipv4(prefix & address_ipv4_mask(route.length));
        route.hop = (uint16_t)(1 + rng_below(&r->rng, HOPS));
        ARRAY_RESERVE(r->routes.routes, r->routes.count, r->routes.capacity);
        r->routes.routes[r->routes.count++] = route;
        r->routes.by_length[route.length]++;
    }
    r->trie = trie_create(&r->routes);
}

static int create_router(void **state)
{
    struct router *r = ALLOC(struct router);
    rng_seed(&r->rng, 77);
    make_routes(r);
    r->vm = vm_create(MEMORY);
    r->module = vm_load(&r->vm, "sw/services/ipv4/ipv4_forward.ptx");
    uint32_t blocks = dir24_blocks(&r->routes);
    r->level1 = vm_alloc(&r->vm, DIR24_LEVEL1_BYTES, 256);
    r->level2 = vm_alloc(&r->vm, dir24_level2_bytes(blocks), 256);
    r->hops_at = vm_alloc(&r->vm, sizeof r->hops, 256);
    dir24_fill(&r->routes, (uint32_t *)(void *)(r->vm.memory + r->level1),
               (uint32_t *)(void *)(r->vm.memory + r->level2));
    forward_make_hops(r->hops, HOPS, 7);
    memcpy(r->vm.memory + r->hops_at, r->hops, sizeof r->hops);
    *state = r;
    return 0;
}

static int destroy_router(void **state)
{
    struct router *r = *state;
    module_free(r->module);
    trie_destroy(r->trie);
    routes_free(&r->routes);
    free(r->vm.memory);
    free(r);
    return 0;
}

/* A packet of any kind; now and then with bits flipped in its header, or cut short. */
static uint32_t make_packet(struct router *r, uint8_t *frame)
{
    struct rng *rng = &r->rng;
    const struct route *route = &r->routes.routes[rng_below(rng, r->routes.count)];
    uint32_t address =
        route_ipv4(route) | ((uint32_t)rng_u64(rng) & ~address_ipv4_mask(route->length));
    if (rng_chance(rng, 1, 8))
        address = (uint32_t)rng_u64(rng);
    uint32_t kind = rng_chance(rng, 2, 3) ? PKTGEN_KINDS : rng_below(rng, PKTGEN_KINDS);
    uint32_t length = 60 + (rng_chance(rng, 1, 3) ? rng_below(rng, 1455) : 0);
    length = pktgen_frame(frame, length, (enum pktgen_kind)kind, address, rng);
    if (rng_chance(rng, 1, 10))
        frame[12 + rng_below(rng, 24)] ^= (uint8_t)(1u << rng_below(rng, 8));
    if (rng_chance(rng, 1, 20))
        frame[14] = (uint8_t)rng_u64(rng);
    if (rng_chance(rng, 1, 20))
        length = rng_below(rng, 61);
    return length;
}

/* Fills `slots` slots, runs the kernel on the first `count`, compares every byte of every slot and
 * every result; adds up the verdicts. */
static void forward_batch(struct router *r, const char *name, uint32_t slots, uint32_t count,
                          uint32_t blocks, uint32_t verdicts[FWD_VERDICTS])
{
    struct vm *vm = &r->vm;
    uint64_t keep = vm->brk;
    uint64_t slots_at = vm_alloc(vm, (uint64_t)slots * SLOT_BYTES, FWD_SLOT_ALIGN);
    uint64_t results_at = vm_alloc(vm, slots * 4u, 16);
    uint64_t totals_at = vm_alloc(vm, FWD_VERDICTS * 4u, 16);
    uint8_t *expected = alloc_array(slots, SLOT_BYTES);
    uint32_t *results = ALLOC_ARRAY(uint32_t, slots), totals[FWD_VERDICTS] = {0};
    for (uint32_t i = 0; i < slots; i++) {
        uint8_t *slot = expected + (size_t)i * SLOT_BYTES;
        memset(slot, (int)(i * 37 + count), SLOT_BYTES);
        uint32_t length = make_packet(r, slot + FWD_FRAME_OFFSET);
        memcpy(slot, &(uint16_t){(uint16_t)length}, 2);
        results[i] = UNTOUCHED;
        memcpy(vm->memory + slots_at + (size_t)i * SLOT_BYTES, slot, SLOT_BYTES);
        memcpy(vm->memory + results_at + 4 * i, &results[i], 4);
        if (i >= count)
            continue;
        results[i] = forward_reference(slot + FWD_FRAME_OFFSET, length, r->trie, r->hops);
        totals[results[i] & 0xFF]++;
        verdicts[results[i] & 0xFF]++;
    }
    memset(vm->memory + totals_at, 0, sizeof totals);

    struct vm_params p = {.kernel = module_kernel(r->module, name)};
    assert_non_null(p.kernel);
    const uint64_t arguments[] = {slots_at,  SLOT_BYTES, count,      r->level1,
                                  r->level2, r->hops_at, results_at, totals_at};
    for (uint32_t i = 0; i < p.kernel->n_params; i++)
        vm_set(&p, i, arguments[i]);
    struct vm_launch launch = {p.kernel, {blocks, 1, 1}, {slots / blocks, 1, 1}, 0, p.bytes};
    vm_run(vm, &launch);
    assert_memory_equal(vm->memory + results_at, results, slots * 4);
    assert_memory_equal(vm->memory + slots_at, expected, (size_t)slots * SLOT_BYTES);
    if (p.kernel->n_params == 8)
        assert_memory_equal(vm->memory + totals_at, totals, sizeof totals);
    free(expected);
    free(results);
    vm->brk = keep;
}

static void ipv4_forward_equals_reference(void **state)
{
    struct router *r = *state;
    uint32_t verdicts[FWD_VERDICTS] = {0};
    for (uint32_t i = 0; i < 1500; i++)
        forward_batch(r, "ipv4_forward", 32, i < 33 ? i : 1 + rng_below(&r->rng, 32), 1, verdicts);
    assert_int_equal(verdicts[FWD_NONE], 0);
    for (uint32_t v = FWD_FORWARD; v < FWD_VERDICTS; v++)
        assert_true(verdicts[v] > 100); /* each verdict was put to the test */
}

static void ipv4_forward_big_equals_reference(void **state)
{
    struct router *r = *state;
    uint32_t verdicts[FWD_VERDICTS] = {0};
    for (uint32_t i = 0; i < 40; i++)
        forward_batch(r, "ipv4_forward_big", 256, 1 + rng_below(&r->rng, 256), 1u << i % 4,
                      verdicts);
    assert_true(verdicts[FWD_FORWARD] > 1000);
}

/* An event runs on a borrowed warp only when it uses no shared memory, and its registers must fit
 * into those of a matmul warp or be spare. */
static void event_kernel_needs_little(void **state)
{
    struct router *r = *state;
    const struct kernel *k = module_kernel(r->module, "ipv4_forward");
    assert_int_equal(k->shared_bytes, 0);
    assert_int_equal(k->local_bytes, 0);
    assert_true(module_kernel(r->module, "ipv4_forward_big")->shared_bytes > 0);
    assert_true(k->regs <= 32);
}

static uint64_t put(struct vm *vm, const void *data, size_t bytes)
{
    uint64_t at = vm_alloc(vm, bytes, 256);
    assert_int_not_equal(at, 0);
    if (data)
        memcpy(vm->memory + at, data, bytes);
    return at;
}

static void matmul_is_bit_exact(void **state)
{
    (void)state;
    static const uint32_t SIZES[] = {1, 2, 15, 16, 17, 33, 48, 65};
    struct vm vm = vm_create(1 << 22);
    struct module *module = vm_load(&vm, "sw/apps/matrixMul/matmul.ptx");
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        uint32_t n = SIZES[s], tiles = (n + MATMUL_TILE - 1) / MATMUL_TILE;
        size_t bytes = (size_t)n * n * sizeof(float);
        float *a = alloc_array(bytes, 1), *b = alloc_array(bytes, 1), *c = alloc_array(bytes, 1);
        input_floats(s, a, (size_t)n * n);
        input_floats(s + 100, b, (size_t)n * n);
        b[0] = 0x1p-149f; /* products that underflow to either zero */
        a[0] = -0x1p-10f;
        if (n == 2)
            a[1] = 0;
        matmul_reference(a, b, c, n);
        struct vm_params p = {.kernel = module_kernel(module, "matmul")};
        vm_set(&p, 0, put(&vm, a, bytes));
        vm_set(&p, 1, put(&vm, b, bytes));
        uint64_t out = put(&vm, NULL, bytes);
        vm_set(&p, 2, out);
        vm_set(&p, 3, n);
        struct vm_launch launch = {
            p.kernel, {tiles, tiles, 1}, {MATMUL_TILE, MATMUL_TILE, 1}, 0, p.bytes};
        vm_run(&vm, &launch);
        assert_memory_equal(vm.memory + out, c, bytes);
        free(a);
        free(b);
        free(c);
    }
    module_free(module);
    free(vm.memory);
}

static void vector_add_is_bit_exact(void **state)
{
    (void)state;
    enum { N = 1000 };
    static float a[N], b[N], c[N];
    struct vm vm = vm_create(1 << 20);
    struct module *module = vm_load(&vm, "sw/apps/vectorAdd/vector_add.ptx");
    input_floats(1, a, N);
    input_floats(2, b, N);
    vector_add_reference(a, b, c, N);
    struct vm_params p = {.kernel = module_kernel(module, "vector_add")};
    vm_set(&p, 0, put(&vm, a, sizeof a));
    vm_set(&p, 1, put(&vm, b, sizeof b));
    uint64_t out = put(&vm, NULL, sizeof c + 4);
    vm.memory[out + sizeof c] = 0x5A;
    vm_set(&p, 2, out);
    vm_set(&p, 3, N);
    struct vm_launch launch = {p.kernel, {4, 1, 1}, {256, 1, 1}, 0, p.bytes};
    vm_run(&vm, &launch);
    assert_memory_equal(vm.memory + out, c, sizeof c);
    assert_int_equal(vm.memory[out + sizeof c], 0x5A); /* thread N did nothing */
    module_free(module);
    free(vm.memory);
}

static void search(struct vm *vm, const struct module *module, const struct bfs_graph *graph,
                   uint32_t source, uint32_t grid)
{
    uint32_t nodes = graph->nodes;
    uint32_t *expected = ALLOC_ARRAY(uint32_t, nodes);
    uint32_t launches = bfs_reference(graph, source, expected), zero = 0, one = 1;
    uint64_t keep = vm->brk;
    uint64_t distance = put(vm, NULL, 4 * (size_t)nodes);
    memset(vm->memory + distance, 0xFF, 4 * (size_t)nodes);
    memcpy(vm->memory + distance + 4 * (size_t)source, &zero, 4);
    uint64_t frontier[2] = {put(vm, NULL, 4 * (size_t)nodes), put(vm, NULL, 4 * (size_t)nodes)};
    uint64_t count[2] = {put(vm, &one, 4), put(vm, &zero, 4)};
    memcpy(vm->memory + frontier[0], &source, 4);

    struct vm_params p = {.kernel = module_kernel(module, "bfs_level")};
    vm_set(&p, 0, put(vm, graph->rows, 4 * ((size_t)nodes + 1)));
    vm_set(&p, 1, put(vm, graph->columns, 4 * (size_t)graph->edges));
    vm_set(&p, 6, distance);
    for (uint32_t level = 0; level < launches; level++) {
        uint32_t left = 0;
        memcpy(&left, vm->memory + count[level % 2], 4);
        assert_int_not_equal(left, 0);
        vm_set(&p, 2, frontier[level % 2]);
        vm_set(&p, 3, count[level % 2]);
        vm_set(&p, 4, frontier[1 - level % 2]);
        vm_set(&p, 5, count[1 - level % 2]);
        vm_set(&p, 7, level);
        memcpy(vm->memory + count[1 - level % 2], &zero, 4);
        struct vm_launch launch = {p.kernel, {grid, 1, 1}, {64, 1, 1}, 0, p.bytes};
        vm_run(vm, &launch);
    }
    assert_memory_equal(vm->memory + count[launches % 2], &zero, 4);
    assert_memory_equal(vm->memory + distance, expected, 4 * (size_t)nodes);
    vm->brk = keep;
    free(expected);
}

static void bfs_equals_reference(void **state)
{
    (void)state;
    struct error err = {0};
    struct vm vm = vm_create(1 << 20);
    struct module *module = vm_load(&vm, "sw/apps/bfs/bfs.ptx");
    for (uint32_t i = 0; i < 12; i++) {
        struct bfs_graph graph;
        assert_true(bfs_generate(i, 1 + 90 * i, 1 + i % 5, &graph, &err));
        search(&vm, module, &graph, i, 1 + i % 3);
        bfs_free(&graph);
    }
    module_free(module);
    free(vm.memory);
}

static void graphs_are_checked(void **state)
{
    (void)state;
    struct bfs_graph graph;
    struct error err = {0};
    assert_false(bfs_generate(1, 0, 1, &graph, &err));
    err = (struct error){0};
    assert_false(bfs_generate(1, 5, 0, &graph, &err));
    err = (struct error){0};
    assert_false(bfs_generate(1, 1u << 20, 1u << 11, &graph, &err));
    assert_non_null(strstr(err.text, "too many edges"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ipv4_forward_equals_reference, create_router,
                                        destroy_router),
        cmocka_unit_test_setup_teardown(ipv4_forward_big_equals_reference, create_router,
                                        destroy_router),
        cmocka_unit_test_setup_teardown(event_kernel_needs_little, create_router, destroy_router),
        cmocka_unit_test(matmul_is_bit_exact),
        cmocka_unit_test(vector_add_is_bit_exact),
        cmocka_unit_test(bfs_equals_reference),
        cmocka_unit_test(graphs_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
