#include "sw/services/ipv6/match6.h"

#include <stdlib.h>

#include "base/alloc.h"

struct item {
    struct route route;
    uint32_t number;
};

struct match6 {
    struct item *items;  /* by length, prefix, position in the list */
    uint32_t begin[130]; /* first item of each length */
};

static int compare(const struct route *x, const struct route *y)
{
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    if (x->prefix.high != y->prefix.high)
        return x->prefix.high < y->prefix.high ? -1 : 1;
    return x->prefix.low < y->prefix.low ? -1 : x->prefix.low > y->prefix.low;
}

static int by_prefix(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = compare(&x->route, &y->route);
    return order ? order : x->number < y->number ? -1 : 1;
}

struct match6 *match6_create(const struct route_list *list)
{
    struct match6 *m = ALLOC(struct match6);
    m->items = ALLOC_ARRAY(struct item, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        m->items[i] = (struct item){list->routes[i], i};
    qsort(m->items, list->count, sizeof *m->items, by_prefix);
    for (uint32_t length = 0; length <= 128; length++)
        m->begin[length + 1] = m->begin[length] + list->by_length[length];
    return m;
}

void match6_destroy(struct match6 *match)
{
    if (!match)
        return;
    free(match->items);
    free(match);
}

/* The last item that is not behind the prefix. */
static uint32_t find(const struct match6 *m, const struct route *key)
{
    uint32_t low = m->begin[key->length], high = m->begin[key->length + 1];
    uint32_t begin = low;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare(&m->items[middle].route, key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low > begin && compare(&m->items[low - 1].route, key) == 0 ? m->items[low - 1].route.hop
                                                                      : 0;
}

uint32_t match6_lookup(const struct match6 *match, struct address address)
{
    for (uint32_t length = 129; length-- > 0;) {
        struct address mask = address_mask(length);
        struct route key = {{address.high & mask.high, address.low & mask.low}, 0, (uint8_t)length};
        uint32_t hop = find(match, &key);
        if (hop)
            return hop;
    }
    return 0;
}
