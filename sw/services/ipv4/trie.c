#include "sw/services/ipv4/trie.h"

#include <stdlib.h>

#include "base/alloc.h"

struct node {
    uint32_t child[2]; /* 0: none; node 0 is the root */
    uint32_t hop;      /* 0: no route ends here */
};

struct trie {
    struct node *nodes;
    uint32_t count, capacity;
};

static uint32_t new_node(struct trie *trie)
{
    ARRAY_RESERVE(trie->nodes, trie->count, trie->capacity);
    trie->nodes[trie->count] = (struct node){0};
    return trie->count++;
}

static uint32_t bit(uint32_t address, uint32_t depth)
{
    return address >> (31 - depth) & 1;
}

struct trie *trie_create(const struct route_list *list)
{
    struct trie *trie = ALLOC(struct trie);
    new_node(trie);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct route *r = &list->routes[i];
        uint32_t at = 0;
        for (uint32_t depth = 0; depth < r->length; depth++) {
            uint32_t side = bit(route_ipv4(r), depth);
            uint32_t next = trie->nodes[at].child[side];
            if (!next) {
                next = new_node(trie);
                trie->nodes[at].child[side] = next;
            }
            at = next;
        }
        trie->nodes[at].hop = r->hop;
    }
    return trie;
}

void trie_destroy(struct trie *trie)
{
    if (!trie)
        return;
    free(trie->nodes);
    free(trie);
}

uint32_t trie_lookup(const struct trie *trie, uint32_t address)
{
    const struct node *node = &trie->nodes[0];
    uint32_t hop = node->hop;
    for (uint32_t depth = 0; depth < 32; depth++) {
        uint32_t next = node->child[bit(address, depth)];
        if (!next)
            break;
        node = &trie->nodes[next];
        if (node->hop)
            hop = node->hop;
    }
    return hop;
}
