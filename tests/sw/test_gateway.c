/* The kernels of the service gateway: both one after the other against the references of ipsec and
 * ipv4, every byte of every slot; the order in which the first one hands batches on. */
#include "tests/sw/packet_vm.h"

#include <stdio.h>

#include "sw/services/common/pipeline.h"
#include "sw/services/gateway/gateway.h"
#include "sw/services/gateway/gatewaygen.h"
#include "sw/services/ipsec/esp_reference.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv4/pktgen.h"

#define SLOT    640u
#define ENTRIES 3u
#define COUNT   24u /* packets of a batch, fewer than slots */

enum { OPEN_RECORDS = 9, OPEN_QUEUE, OPEN_ENTRY };

struct gateway {
    struct packet_vm p; /* the first kernel */
    struct module *module;
    const struct kernel *route;
    struct sa_list sas;
    struct route_list routes;
    struct esp_receiver *receiver;
    struct trie *trie;
    struct fwd_hop *hops;
    struct gatewaygen *generator;
    uint64_t count_at, records_at, queue_at, doorbell_at, tables[3];
    uint32_t kind; /* of the next frame */
};

static void load_associations(struct gateway *g)
{
    uint32_t places = sas_places(&g->sas);
    struct esp_sa *sas = ALLOC_ARRAY(struct esp_sa, places);
    uint32_t *keys = ALLOC_ARRAY(uint32_t, places * ESP_KEY_WORDS);
    uint32_t *windows = ALLOC_ARRAY(uint32_t, places * ESP_WINDOW);
    uint32_t ciphers[ESP_DES_WORDS + ESP_AES_WORDS];
    sas_fill(&g->sas, false, sas, keys);
    cipher_tables(false, ciphers);
    g->p.arguments[3] = packet_vm_table(&g->p, sas, places * sizeof *sas);
    g->p.arguments[4] = packet_vm_table(&g->p, keys, places * ESP_KEY_WORDS * 4);
    g->p.arguments[5] = packet_vm_table(&g->p, ciphers, sizeof ciphers);
    g->p.arguments[6] = packet_vm_table(&g->p, windows, (uint64_t)places * ESP_WINDOW * 4);
    g->p.arguments[7] = places - 1;
    g->p.arguments[8] = 0;
    free(sas);
    free(keys);
    free(windows);
}

static void load_routes(struct gateway *g)
{
    uint64_t level2_bytes = dir24_level2_bytes(dir24_blocks(&g->routes));
    void *level1 = alloc_array(DIR24_LEVEL1_BYTES, 1), *level2 = alloc_array(level2_bytes + 1, 1);
    dir24_fill(&g->routes, level1, level2);
    g->hops = ALLOC_ARRAY(struct fwd_hop, g->routes.n_hops + 1);
    forward_make_hops(g->hops, g->routes.n_hops, FORWARD_PORTS);
    g->tables[0] = packet_vm_table(&g->p, level1, DIR24_LEVEL1_BYTES);
    g->tables[1] = packet_vm_table(&g->p, level2, level2_bytes);
    g->tables[2] = packet_vm_table(&g->p, g->hops, (g->routes.n_hops + 1) * sizeof *g->hops);
    g->trie = trie_create(&g->routes);
    free(level1);
    free(level2);
}

static int create_gateway(void **state)
{
    struct gateway *g = ALLOC(struct gateway);
    struct packet_vm *p = &g->p;
    struct route_source source = {
        .family = ADDRESS_IPV4, .seed = 4, .count = 300, .hops = ROUTES_DEFAULT_HOPS};
    rng_seed(&p->rng, 51);
    sas_generate(9, 20, ESP_3DES_CBC, &g->sas);
    for (uint32_t i = 1; i < 20; i += 2)
        g->sas.sa[i].cipher = ESP_AES128_CBC;
    assert_true(routes_make(&source, &g->routes, NULL));
    p->threads_per_packet = 32;
    p->result_words = 2;
    p->count_arg = 2;
    p->results_arg = PACKET_VM_ARGS - 1; /* the first kernel has none */
    packet_vm_create(p, 256u << 20, "sw/services/gateway/gateway_open.ptx", "gateway_open", SLOT);
    g->module = vm_load(&p->vm, "sw/services/gateway/gateway_route.ptx");
    g->route = module_kernel(g->module, "gateway_route");
    assert_non_null(g->route);
    load_associations(g);
    load_routes(g);
    g->receiver = esp_receiver_create(&g->sas, 0);
    g->generator = gatewaygen_create(&g->sas, &g->routes, 256, 0);
    g->count_at = vm_alloc(&p->vm, 4, 256);
    g->records_at = vm_alloc(&p->vm, (uint64_t)PACKET_VM_SLOTS * GATEWAY_RECORD_BYTES, 256);
    g->queue_at = vm_alloc(&p->vm, sizeof(struct pipeline_queue) + 4 * ENTRIES, 256);
    g->doorbell_at = vm_alloc(&p->vm, 4, 256);
    *state = g;
    return 0;
}

static int destroy_gateway(void **state)
{
    struct gateway *g = *state;
    packet_vm_destroy(&g->p);
    module_free(g->module);
    gatewaygen_destroy(g->generator);
    esp_receiver_destroy(g->receiver);
    trie_destroy(g->trie);
    free(g->hops);
    routes_free(&g->routes);
    sas_free(&g->sas);
    free(g);
    return 0;
}

static uint32_t make(void *user, uint8_t *frame)
{
    struct gateway *g = user;
    const struct traffic_source *source = gatewaygen_source(g->generator);
    struct traffic_file file = {.rng = g->p.rng};
    struct error err = {.set = false};
    uint32_t kind = g->kind++ % (GATEWAYGEN_KINDS + 6);
    uint32_t length = source->frame(source->user, &file,
                                    kind < GATEWAYGEN_KINDS ? kind : GATEWAYGEN_KINDS, frame, &err);
    g->p.rng = file.rng;
    assert_true(length != 0);
    return length;
}

/* A batch through the first kernel: a warp for each slot, of which COUNT have packets. */
static void run_open(struct gateway *g, uint64_t queue, uint32_t entry)
{
    struct packet_vm *p = &g->p;
    struct vm_params params = {.kernel = p->kernel};
    p->arguments[p->count_arg] = COUNT;
    p->arguments[OPEN_RECORDS] = g->records_at;
    p->arguments[OPEN_QUEUE] = queue;
    p->arguments[OPEN_ENTRY] = entry;
    for (uint32_t i = 0; i < p->kernel->n_params; i++)
        vm_set(&params, i, p->arguments[i]);
    struct vm_launch launch = {p->kernel, {PACKET_VM_SLOTS / 2, 1, 1}, {64, 1, 1}, 0, params.bytes};
    vm_run(&p->vm, &launch);
}

static void run_route(struct gateway *g)
{
    struct packet_vm *p = &g->p;
    struct vm_params params = {.kernel = g->route};
    const uint64_t values[] = {p->slots_at,  SLOT,         g->count_at,  g->records_at,
                               g->tables[0], g->tables[1], g->tables[2], p->results_at};
    memcpy(p->vm.memory + g->count_at, &(uint32_t){COUNT}, 4);
    assert_int_equal(g->route->n_params, sizeof values / sizeof *values);
    for (uint32_t i = 0; i < g->route->n_params; i++)
        vm_set(&params, i, values[i]);
    struct vm_launch launch = {g->route, {1, 1, 1}, {PACKET_VM_SLOTS, 1, 1}, 0, params.bytes};
    vm_run(&p->vm, &launch);
}

/* What should have become of a packet; its slot's bytes behind a refused one's frame are as the
 * first kernel leaves them, and nobody's. */
static uint32_t check_packet(struct gateway *g, uint32_t i)
{
    const uint8_t *slot = g->p.slots + (size_t)i * SLOT;
    uint8_t frame[SLOT];
    uint16_t length;
    uint32_t got[2];
    memcpy(got, g->p.vm.memory + g->p.results_at + 8 * i, sizeof got);
    memcpy(&length, slot, 2);
    memcpy(frame, slot + 2, length);
    uint32_t bytes = length;
    uint32_t want = esp_reference(g->receiver, frame, &bytes, (got[0] & 0xFF) == ESP_REPLAY);
    if ((want & 0xFF) == ESP_FORWARD) {
        want = forward_reference(frame, bytes, g->trie, g->hops);
        if ((want & 0xFF) != FWD_FORWARD)
            want = GATEWAY_VERDICT(want);
    }
    assert_int_equal(got[0], want);
    if ((want & 0xFF) == FWD_FORWARD) {
        assert_int_equal(got[1], bytes);
        assert_memory_equal(g->p.vm.memory + g->p.slots_at + (size_t)i * SLOT + 2, frame, bytes);
    }
    return want & 0xFF;
}

static void both_kernels_equal_the_references(void **state)
{
    struct gateway *g = *state;
    uint32_t seen[GATEWAY_VERDICTS] = {0};
    for (uint32_t batch = 0; batch < 40; batch++) {
        packet_vm_fill(&g->p, make, g);
        run_open(g, 0, 0);
        run_route(g);
        for (uint32_t i = 0; i < COUNT; i++)
            seen[check_packet(g, i)]++;
        for (uint32_t i = COUNT; i < PACKET_VM_SLOTS; i++) { /* without a packet: untouched */
            assert_memory_equal(g->p.vm.memory + g->p.slots_at + (size_t)i * SLOT,
                                g->p.slots + (size_t)i * SLOT, SLOT);
            assert_memory_equal(g->p.vm.memory + g->p.results_at + 8 * i, &g->p.result[2 * i], 8);
        }
    }
    for (uint32_t v = 1; v < GATEWAY_VERDICTS; v++) {
        /* The first kernel lets no packet through that these are about. */
        bool never = v == GATEWAY_VERDICT(FWD_TOO_SHORT) || v == GATEWAY_VERDICT(FWD_BAD_HEADER);
        assert_int_equal(seen[v] != 0, !never);
    }
    struct error err = {.set = false};
    assert_true(esp_settled(g->receiver, &err));
}

/* A kernel that hands on without having opened is found out: its frames are still ESP. */
static void what_is_not_opened_differs(void **state)
{
    struct gateway *g = *state;
    uint32_t records[PACKET_VM_SLOTS * GATEWAY_RECORD_WORDS] = {0};
    packet_vm_fill(&g->p, make, g);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t *slot = (const uint32_t *)(const void *)(g->p.slots + (size_t)i * SLOT);
        uint32_t *r = &records[i * GATEWAY_RECORD_WORDS];
        r[0] = ESP_FORWARD;
        r[1] = slot[0] & 0xFFFF;
        r[2] = slot[8];
        memcpy(&r[3], &slot[4], 16);
    }
    memcpy(g->p.vm.memory + g->records_at, records, sizeof records);
    run_route(g);
    uint32_t forwarded = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t verdict = g->p.vm.memory[g->p.results_at + 8 * i];
        forwarded += verdict == FWD_FORWARD;
        assert_true(verdict != ESP_NONE);
    }
    assert_true(forwarded < COUNT / 2); /* the outer destinations have few routes */
}

static struct pipeline_queue *queue_of(struct gateway *g)
{
    return (struct pipeline_queue *)(void *)(g->p.vm.memory + g->queue_at);
}

static bool rang(struct gateway *g)
{
    uint32_t *word = (uint32_t *)(void *)(g->p.vm.memory + g->doorbell_at);
    bool was = *word != 0;
    *word = 0;
    return was;
}

/* Batches are handed on in any order, and taken off in the order of the entries. */
static void batches_are_taken_off_in_order(void **state)
{
    struct gateway *g = *state;
    struct pipeline_queue *q = queue_of(g);
    static const struct {
        uint32_t entry, next; /* next: batches off the front afterwards */
    } steps[] = {{1, 0}, {0, 2}, {2, 3}, {0, 4}, {2, 4}, {1, 6}, {1, 6}, {2, 6}, {0, 9}};
    q->doorbell = g->doorbell_at;
    q->entries = ENTRIES;
    packet_vm_fill(&g->p, make, g);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint32_t before = q->next;
        run_open(g, g->queue_at, steps[i].entry);
        assert_int_equal(q->next, steps[i].next);
        assert_int_equal(rang(g), q->next != before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kernels_equal_the_references),
        cmocka_unit_test(what_is_not_opened_differs),
        cmocka_unit_test(batches_are_taken_off_in_order),
    };
    return cmocka_run_group_tests(tests, create_gateway, destroy_gateway);
}
