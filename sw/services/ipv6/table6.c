#include "sw/services/ipv6/table6.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/ipv6/address6.h"

#define ROOT_BITS 16u
#define NODE_BITS 8u

/* Order of insertion: shorter prefixes first, so that longer ones overwrite them; equal ones in
 * file order. */
struct item {
    const struct route *route;
    uint32_t number;
};

static int by_length(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->route->length != y->route->length)
        return x->route->length < y->route->length ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* A node whose entries are all `hop`. */
static uint32_t new_node(struct table6 *t, uint32_t hop)
{
    if (t->n_nodes == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 1024;
        t->nodes =
            alloc_resize(t->nodes, (size_t)t->capacity * FWD6_NODE_ENTRIES, sizeof *t->nodes);
    }
    for (uint32_t i = 0; i < FWD6_NODE_ENTRIES; i++)
        t->nodes[(size_t)t->n_nodes * FWD6_NODE_ENTRIES + i] = hop;
    return t->n_nodes++;
}

static uint32_t *entry_of(struct table6 *t, bool root, uint32_t node, uint32_t index)
{
    return root ? &t->root[index] : &t->nodes[(size_t)node * FWD6_NODE_ENTRIES + index];
}

static void insert(struct table6 *t, const struct route *r)
{
    bool root = true;
    uint32_t node = 0, depth = 0, bits = ROOT_BITS;
    uint32_t index = (uint32_t)(r->prefix.high >> 48);
    while (r->length > depth + bits) {
        uint32_t entry = *entry_of(t, root, node, index);
        if (!(entry & FWD6_NODE_FLAG)) {
            uint32_t made = new_node(t, entry) | FWD6_NODE_FLAG;
            *entry_of(t, root, node, index) = made;
            entry = made;
        }
        depth += bits;
        bits = NODE_BITS;
        node = entry & ~FWD6_NODE_FLAG;
        root = false;
        index = address6_byte(r->prefix, depth / 8);
    }
    /* Nothing longer is there yet: no entry in the range has a node. */
    for (uint32_t i = 0; i < 1u << (depth + bits - r->length); i++)
        *entry_of(t, root, node, index + i) = r->hop;
}

void table6_build(const struct route_list *list, struct table6 *table)
{
    *table = (struct table6){.root = ALLOC_ARRAY(uint32_t, FWD6_ROOT_ENTRIES)};
    struct item *items = ALLOC_ARRAY(struct item, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        items[i] = (struct item){&list->routes[i], i};
    qsort(items, list->count, sizeof *items, by_length);
    for (uint32_t i = 0; i < list->count; i++)
        insert(table, items[i].route);
    free(items);
}

void table6_free(struct table6 *table)
{
    free(table->root);
    free(table->nodes);
    *table = (struct table6){0};
}

uint32_t table6_lookup(const struct table6 *table, struct address address)
{
    uint32_t entry = table->root[address.high >> 48];
    for (uint32_t byte = 2; entry & FWD6_NODE_FLAG; byte++)
        entry = table->nodes[(size_t)(entry & ~FWD6_NODE_FLAG) * FWD6_NODE_ENTRIES +
                             address6_byte(address, byte)];
    return entry;
}
