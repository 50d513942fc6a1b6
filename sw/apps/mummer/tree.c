/* A suffix tree in linear time (Ukkonen 1995), put into breadth-first order. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sw/apps/mummer/mummer.h"

#define NONE UINT32_MAX

/* While it grows: a leaf's edge ends where the text does, which NONE says. */
struct node {
    uint32_t first, end, link;
    uint32_t children[MUMMER_LETTERS]; /* 0: none */
};

struct builder {
    const uint8_t *codes;
    struct node *nodes;
    uint32_t count;
    uint32_t node, edge,
        letters;       /* active point: `letters` letters from codes[edge] on, below `node` */
    uint32_t pending;  /* suffixes that are not leaves yet */
    uint32_t unlinked; /* inner node of this phase that waits for its link; 0: none */
};

static uint32_t add_node(struct builder *b, uint32_t first, uint32_t end)
{
    b->nodes[b->count] = (struct node){.first = first, .end = end};
    return b->count++;
}

static void link_to(struct builder *b, uint32_t node)
{
    if (b->unlinked)
        b->nodes[b->unlinked].link = node;
    b->unlinked = node;
}

/* Goes below the edge's node when the active point is at or behind it. */
static bool walked_down(struct builder *b, uint32_t child, uint32_t position)
{
    const struct node *n = &b->nodes[child];
    uint32_t length = (n->end == NONE ? position + 1 : n->end) - n->first;
    if (b->letters < length)
        return false;
    b->edge += length;
    b->letters -= length;
    b->node = child;
    return true;
}

static uint32_t split(struct builder *b, uint32_t child, uint32_t position)
{
    uint32_t first = b->nodes[child].first;
    uint32_t upper = add_node(b, first, first + b->letters);
    uint32_t leaf = add_node(b, position, NONE);
    b->nodes[b->node].children[b->codes[b->edge]] = upper;
    b->nodes[upper].children[b->codes[position]] = leaf;
    b->nodes[child].first = first + b->letters;
    b->nodes[upper].children[b->codes[b->nodes[child].first]] = child;
    return upper;
}

static void next_suffix(struct builder *b, uint32_t position)
{
    b->pending--;
    if (b->node == 0 && b->letters) {
        b->letters--;
        b->edge = position - b->pending + 1;
    } else if (b->node) {
        b->node = b->nodes[b->node].link;
    }
}

static void extend(struct builder *b, uint32_t position)
{
    uint8_t code = b->codes[position];
    b->unlinked = 0;
    b->pending++;
    while (b->pending) {
        if (b->letters == 0)
            b->edge = position;
        uint32_t child = b->nodes[b->node].children[b->codes[b->edge]];
        if (child == 0) {
            uint32_t leaf = add_node(b, position, NONE);
            b->nodes[b->node].children[b->codes[b->edge]] = leaf;
            link_to(b, b->node);
        } else {
            if (walked_down(b, child, position))
                continue;
            if (b->codes[b->nodes[child].first + b->letters] == code) {
                b->letters++;
                link_to(b, b->node);
                break;
            }
            link_to(b, split(b, child, position));
        }
        next_suffix(b, position);
    }
}

static void put_in_order(const struct builder *b, uint32_t end, struct suffix_tree *tree)
{
    uint32_t *order = ALLOC_ARRAY(uint32_t, b->count), *number = ALLOC_ARRAY(uint32_t, b->count);
    tree->count = b->count;
    tree->nodes = ALLOC_ARRAY(struct tree_node, b->count);
    tree->children = alloc_array(b->count, sizeof *tree->children);
    for (uint32_t i = 0, known = 1; i < b->count; i++)
        for (uint32_t c = 0; c < MUMMER_LETTERS; c++) {
            uint32_t child = b->nodes[order[i]].children[c];
            if (child == 0)
                continue;
            number[child] = known;
            order[known++] = child;
            if (c < 4)
                tree->children[i][c] = number[child];
            const struct node *n = &b->nodes[child];
            uint32_t until = n->end == NONE ? end : n->end;
            tree->nodes[number[child]] = (struct tree_node){
                .first = n->first, .end = until, .depth = tree->nodes[i].depth + until - n->first};
        }
    for (uint32_t i = 0; i < b->count; i++)
        tree->nodes[i].link = number[b->nodes[order[i]].link];
    free(order);
    free(number);
}

void suffix_tree_build(const struct sequences *reference, struct suffix_tree *tree)
{
    uint32_t letters = reference->starts[1];
    uint8_t *codes = ALLOC_ARRAY(uint8_t, (size_t)letters + 1);
    memcpy(codes, reference->codes, letters);
    codes[letters] = MUMMER_END;
    struct builder b = {.codes = codes};
    b.nodes = ALLOC_ARRAY(struct node, 2 * ((size_t)letters + 1) + 1);
    add_node(&b, 0, 0);
    for (uint32_t i = 0; i <= letters; i++)
        extend(&b, i);
    put_in_order(&b, letters + 1, tree);
    free(b.nodes);
    free(codes);
}

void suffix_tree_free(struct suffix_tree *tree)
{
    free(tree->nodes);
    free(tree->children);
    *tree = (struct suffix_tree){0};
}
