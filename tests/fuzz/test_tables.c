/* The tables of services, plain or compressed: routes of both families, items, security
 * associations. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/common/routes.h"
#include "sw/services/ipsec/sas.h"
#include "sw/services/ipv4/trie.h"
#include "sw/services/ipv6/match6.h"
#include "sw/services/memc/items.h"
#include "tests/fuzz/fuzz.h"

#define HOPS 40u

static void check_routes(const struct route_list *list)
{
    uint32_t longest = list->family == ADDRESS_IPV4 ? 32 : 128;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct route *r = &list->routes[i];
        fuzz_expect(r->length <= longest, "a prefix has a length of its family");
        struct address mask = address_mask(r->length);
        fuzz_expect(!(r->prefix.high & ~mask.high) && !(r->prefix.low & ~mask.low),
                    "no bits beyond the prefix");
        fuzz_expect(r->hop >= 1 && r->hop <= list->n_hops, "a next hop in range");
    }
}

static void read_routes(const char *path, enum address_family family)
{
    struct route_source source = {.family = family, .path = path, .count = 1, .hops = HOPS};
    struct route_list list = {0};
    struct error err = {0};
    bool ok = routes_make(&source, &list, &err);
    fuzz_check(ok, &err);
    if (!ok)
        return;
    check_routes(&list);
    if (family == ADDRESS_IPV4) {
        struct trie *trie = trie_create(&list);
        for (uint32_t i = 0; i < list.count; i++)
            fuzz_expect(trie_lookup(trie, route_ipv4(&list.routes[i])), "a route is found");
        trie_destroy(trie);
    } else {
        struct match6 *match = match6_create(&list);
        for (uint32_t i = 0; i < list.count; i++)
            fuzz_expect(match6_lookup(match, list.routes[i].prefix), "a route is found");
        match6_destroy(match);
    }
    routes_free(&list);
}

static void read_items(const char *path)
{
    struct memc_items items = {0};
    struct memc_layout layout = {0};
    struct error err = {0}, full = {0};
    bool ok = memc_items_read(path, &items, &err);
    fuzz_check(ok, &err);
    for (uint32_t i = 0; ok && i < items.count; i++)
        fuzz_expect(memc_items_find(&items, items.pair[i].key, items.pair[i].key_length) ==
                        &items.pair[i],
                    "an item is found");
    if (ok && items.count <= 1024 && memc_layout(&items, 1024, &layout, &full)) {
        uint32_t *tags = ALLOC_ARRAY(uint32_t, layout.entries);
        uint8_t *table = alloc_array(layout.entries, layout.item_bytes);
        memc_fill(&items, &layout, tags, table);
        free(tags);
        free(table);
    }
    if (ok)
        memc_items_free(&items);
}

static void read_associations(const char *path)
{
    struct sa_list list = {0};
    struct error err = {0};
    bool ok = sas_read(path, &list, &err);
    fuzz_check(ok, &err);
    if (!ok)
        return;
    uint32_t places = sas_places(&list);
    struct esp_sa *sas = ALLOC_ARRAY(struct esp_sa, places);
    uint32_t *keys = ALLOC_ARRAY(uint32_t, (size_t)places * ESP_KEY_WORDS);
    struct esp_policy *policies = ALLOC_ARRAY(struct esp_policy, list.count + 1);
    sas_fill(&list, true, sas, keys);
    fuzz_expect(sas_policies(&list, sas, policies) <= list.count, "policies of associations");
    for (uint32_t i = 0; i < list.count; i++)
        fuzz_expect(sas_find(&list, list.sa[i].spi) == i, "an association is found");
    free(sas);
    free(keys);
    free(policies);
    sas_free(&list);
}

static void one(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file("table", data, size);
    read_routes(path, ADDRESS_IPV4);
    read_routes(path, ADDRESS_IPV6);
    read_items(path);
    read_associations(path);
}

const struct fuzz_target fuzz_target = {.name = "tables", .one = one, .mutants = 3000};
