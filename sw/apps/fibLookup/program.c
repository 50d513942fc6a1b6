/* fibLookup: next hops of addresses by longest prefix, compared with those of a trie on the host.
 */
#include "base/error.h"
#include "base/rng.h"
#include "sw/apps/common/app.h"
#include "sw/apps/common/offload.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/common/routes.h"
#include "sw/services/ipv4/trie.h"

#define HOPS 256u

enum { THREADS, BLOCK, ROUTES, TABLE, MODE };

struct tables {
    CUdeviceptr level1, level2;
};

struct run {
    struct app_launch launch;
    struct offload offload;
    struct tables tables;
    uint32_t n;
};

static void launch(void *user, CUstream stream)
{
    struct run *r = user;
    struct offload *o = &r->offload;
    r->launch.stream = stream;
    app_launch(&r->launch, APP_ARGS(&o->in[0].device, &r->tables.level1, &r->tables.level2, &r->n,
                                    &o->out[0].device));
}

/* An address inside a route, so that most have one; every eighth is anywhere. */
static void make_addresses(uint64_t seed, const struct route_list *list, uint32_t *addresses,
                           uint32_t count)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (uint32_t i = 0; i < count; i++) {
        const struct route *route = &list->routes[rng_below(&rng, list->count)];
        uint32_t any = (uint32_t)rng_u64(&rng), mask = address_ipv4_mask(route->length);
        addresses[i] = i % 8 == 7 ? any : route_ipv4(route) | (any & ~mask);
    }
}

static struct tables upload(struct app *app, const struct route_list *list)
{
    uint32_t blocks = dir24_blocks(list);
    size_t level1_words = FWD_LEVEL1_ENTRIES;
    size_t level2_words = (size_t)(blocks ? blocks : 1) * FWD_BLOCK_ENTRIES;
    uint32_t *level1 = APP_ARRAY(app, uint32_t, level1_words);
    uint32_t *level2 = APP_ARRAY(app, uint32_t, level2_words);
    dir24_fill(list, level1, level2);
    return (struct tables){.level1 = app_buffer(app, level1, level1_words * sizeof *level1),
                           .level2 = app_buffer(app, level2, level2_words * sizeof *level2)};
}

static void reference(const struct route_list *list, const uint32_t *addresses, uint32_t *hops,
                      uint32_t count)
{
    struct trie *trie = trie_create(list);
    for (uint32_t i = 0; i < count; i++)
        hops[i] = trie_lookup(trie, addresses[i]);
    trie_destroy(trie);
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [THREADS] = {"threads", "addresses, a thread for each (full/empty bits paper: 512)",
                     .number = 512, .min = 1, .max = 1u << 24},
        [BLOCK] = {"block", "threads of a block", .number = 64, .min = 1, .max = 1024},
        [ROUTES] = {"routes", "routes of the generated table", .number = 10000, .min = 1,
                    .max = routes_generate_max(ADDRESS_IPV4)},
        [TABLE] = {"table", "file with a route `prefix/length [hop]` per line, instead", APP_TEXT},
        [MODE] = OFFLOAD_OPTION};
    struct app app = {.name = "fibLookup",
                      .doc = "Looks addresses up in a forwarding table, longest prefix first, in "
                             "two levels as the packet forwarding of PacketShader does.",
                      .options = options,
                      .count = 5};
    app_start(&app, argc, argv);
    struct route_source source = {.family = ADDRESS_IPV4,
                                  .path = options[TABLE].text,
                                  .seed = app.seed,
                                  .count = options[ROUTES].number,
                                  .hops = HOPS};
    struct route_list list;
    struct error err = {.set = false};
    if (!routes_make(&source, &list, &err))
        app_fail(&app, APP_BAD_INPUT, "%s", err.text);
    uint32_t n = options[THREADS].number, block = options[BLOCK].number;
    size_t bytes = n * sizeof(uint32_t);
    struct run r = {.offload = offload_create(&app, options[MODE].number), .n = n};
    r.launch = (struct app_launch){.kernel = app_kernel(&app, "fibLookup", "fib_lookup"),
                                   .grid = {(n + block - 1) / block},
                                   .block = {block}};
    r.tables = upload(&app, &list);
    uint32_t *addresses = offload_in(&r.offload, bytes), *got = offload_out(&r.offload, bytes);
    uint32_t *want = APP_ARRAY(&app, uint32_t, n);
    make_addresses((uint64_t)app.seed + 1, &list, addresses, n);
    reference(&list, addresses, want, n);
    routes_free(&list);
    offload_run(&r.offload, launch, &r);
    return app_end(&app, app_equal(&app, "hop", got, want, n));
}
