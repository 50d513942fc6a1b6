/* Coalescing: the lanes of one memory instruction -> transactions of one 128-byte line each, in the
 * order of the lowest lane that touches the line. */
#include "sim/mem/cache/cache.h"
#include "sim/simt/lsu/memory.h"

#define WORDS_PER_LINE (LINE_BYTES / 4)
#define LINE_MASK      (~(uint64_t)(LINE_BYTES - 1))

static struct transaction *find(struct access *a, uint64_t line)
{
    for (uint32_t i = a->n_tx; i > 0; i--) {
        if (a->tx[i - 1].line == line)
            return &a->tx[i - 1];
    }
    struct transaction *tx = &a->tx[a->n_tx++];
    *tx = (struct transaction){.line = line, .event = a->event, .owner = a->owner};
    return tx;
}

static void finish(struct access *a)
{
    for (uint32_t i = 0; i < a->n_tx; i++)
        a->tx[i].sectors = word_sectors(a->tx[i].words);
}

/* The lanes from `lane` on, each right after the one before: whole runs of words. */
static void contiguous(struct access *a, uint64_t first, uint32_t size, uint32_t lane, uint64_t end)
{
    for (uint64_t at = first; at < end;) {
        uint64_t line = at & LINE_MASK;
        uint64_t stop = line + LINE_BYTES < end ? line + LINE_BYTES : end;
        uint32_t from = (uint32_t)(at - line) / 4, to = (uint32_t)(stop - line + 3) / 4;
        uint32_t lanes = (uint32_t)(stop - at) / size;
        struct transaction *tx = find(a, line);
        tx->words |= (uint32_t)((1ull << to) - (1ull << from));
        tx->lanes |= (uint32_t)(((1ull << lanes) - 1) << lane);
        tx->partial |= (at | stop) % 4 != 0;
        lane += lanes;
        at = stop;
    }
}

/* A row of 16 lanes with one element. */
static void one_element(struct access *a, uint64_t at, uint32_t size, uint32_t lanes)
{
    struct transaction *tx = find(a, at & LINE_MASK);
    tx->words |= ((1u << size / 4) - 1) << (at % LINE_BYTES / 4);
    tx->lanes |= lanes;
}

/* Without a look at the lanes; false: they have to be looked at. Rows of elements narrower than a
 * word may cover one together. */
static bool pattern(struct access *a, const struct lane_pattern *p, uint32_t size)
{
    uint64_t second = p->first + p->half;
    if (p->step == size && p->half == 16 * size) {
        contiguous(a, p->first, size, 0, p->first + WARP_SIZE * (uint64_t)size);
    } else if (size >= 4 && p->step == size) {
        contiguous(a, p->first, size, 0, second - p->half + 16 * (uint64_t)size);
        contiguous(a, second, size, 16, second + 16 * (uint64_t)size);
    } else if (size >= 4 && !p->step) {
        one_element(a, p->first, size, 0xFFFFu);
        one_element(a, second, size, 0xFFFF0000u);
    } else {
        return false;
    }
    return true;
}

/* Accesses narrower than a word: do they cover the words they touch? */
static void mark_partial(struct access *a, const struct lane_addresses *p, uint32_t size)
{
    for (uint32_t i = 0; i < a->n_tx; i++) {
        struct transaction *tx = &a->tx[i];
        uint64_t bytes[2] = {0, 0};
        for (uint32_t m = tx->lanes; m; m &= m - 1) {
            uint32_t offset = (uint32_t)(p->address[lowest(m)] - tx->line);
            bytes[offset / 64] |= ((1ull << size) - 1) << offset % 64;
        }
        for (uint32_t word = 0; word < WORDS_PER_LINE; word++) {
            uint64_t got = bytes[word / 16] >> (word % 16 * 4) & 0xF;
            if (got && got != 0xF)
                tx->partial = 1;
        }
    }
}

void coalesce_global(struct access *a, struct lane_addresses *p, uint32_t size)
{
    if (p->regular && pattern(a, &p->pattern, size)) {
        finish(a);
        return;
    }
    if (p->regular)
        lane_addresses_list(p);
    uint32_t words = size < 4 ? 1 : (1u << size / 4) - 1;
    struct transaction *tx = &a->tx[0];
    for (uint32_t m = p->global; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t address = p->address[lane];
        if (!a->n_tx || tx->line != (address & LINE_MASK))
            tx = find(a, address & LINE_MASK);
        tx->words |= words << (address % LINE_BYTES / 4);
        tx->lanes |= 1u << lane;
    }
    if (size < 4)
        mark_partial(a, p, size);
    finish(a);
}

/* Most lanes of an atomic on one word, for each line: L2 performs one of them after the other. */
void coalesce_collisions(struct access *a, const struct lane_addresses *p)
{
    for (uint32_t i = 0; i < a->n_tx; i++) {
        struct transaction *tx = &a->tx[i];
        uint8_t lanes_on[WORDS_PER_LINE] = {0};
        for (uint32_t m = tx->lanes; m; m &= m - 1) {
            uint8_t n = ++lanes_on[p->address[lowest(m)] % LINE_BYTES / 4];
            tx->collisions = n > tx->collisions ? n : tx->collisions;
        }
    }
}

/* Line k of a warp's local memory holds word k of all lanes. */
void coalesce_local(struct access *a, const struct lane_addresses *p, uint32_t size, uint64_t base)
{
    uint32_t words = size < 4 ? 1 : size / 4;
    for (uint32_t m = p->local; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        for (uint32_t i = 0; i < words; i++) {
            struct transaction *tx = find(a, base + (p->address[lane] / 4 + i) * LINE_BYTES);
            tx->words |= 1u << lane;
            tx->partial |= size < 4;
            tx->local = 1;
        }
    }
    finish(a);
}
