/* Tag array. */
#include "sim/mem/cache/cache.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"

#define LINE_FREE UINT64_MAX

/* Primitive polynomials over GF(2) without their leading term, by degree. */
static const uint16_t polynomials[] = {0,    0x1, 0x3, 0x3,  0x3,  0x5,   0x3, 0x3,   0x1d,
                                       0x11, 0x9, 0x5, 0x53, 0x1b, 0x443, 0x3, 0x100b};

/* Remainders of the four lowest bytes of a line number, each where it stands. */
static const uint16_t (*create_fold(uint32_t degree))[256]
{
    uint16_t(*fold)[256] = alloc_array(4, sizeof *fold);
    for (uint32_t bit = 0; bit < 32; bit++) {
        uint32_t power = 1; /* x^bit modulo the polynomial */
        for (uint32_t i = 0; i < bit; i++) {
            power <<= 1;
            if (power >> degree)
                power = (power ^ polynomials[degree]) & ((1u << degree) - 1);
        }
        for (uint32_t byte = 0; byte < 256; byte++)
            if (byte >> bit % 8 & 1)
                fold[bit / 8][byte] ^= (uint16_t)power;
    }
    return (const uint16_t(*)[256])fold;
}

bool cache_create(struct cache *c, const struct cache_shape *shape, struct error *err)
{
    *c = (struct cache){0};
    uint64_t bytes = shape->bytes, way_bytes = (uint64_t)shape->ways * LINE_BYTES;
    if (!shape->ways || !bytes || bytes % way_bytes || bytes / LINE_BYTES >= CACHE_NONE)
        return error_set(err,
                         "cache of %" PRIu64 " bytes, %" PRIu32
                         " ways: the size must be a multiple "
                         "of ways x %u bytes",
                         bytes, shape->ways, LINE_BYTES);
    uint32_t ways = shape->ways;
    c->sets = (uint32_t)(bytes / way_bytes);
    c->ways = ways;
    c->set_mask = c->sets & (c->sets - 1) ? 0 : c->sets - 1;
    c->index = shape->index;
    if (c->index == INDEX_FERMI && c->sets != 32 && c->sets != 64)
        return error_set(err,
                         "cache of %" PRIu32
                         " sets: index 'fermi' is defined for 32 and 64 sets only; use 'hashed'",
                         c->sets);
    if (c->index == INDEX_HASHED && c->set_mask >= 1u << 16)
        return error_set(
            err, "cache of %" PRIu32 " sets: index 'hashed' is defined for at most 65536 sets",
            c->sets);
    if (c->index == INDEX_HASHED && c->set_mask)
        c->folded = create_fold((uint32_t)__builtin_ctz(c->sets));
    size_t entries = (size_t)c->sets * ways;
    c->line = ALLOC_ARRAY(uint64_t, entries);
    c->valid = ALLOC_ARRAY(uint32_t, entries);
    c->dirty = ALLOC_ARRAY(uint32_t, entries);
    c->pins = ALLOC_ARRAY(uint16_t, entries);
    c->policy = cache_policy_at(shape->policy);
    assert(c->policy);
    c->state = alloc_array(entries, c->policy->line_bytes);
    cache_invalidate_all(c);
    return true;
}

void cache_destroy(struct cache *c)
{
    free((void *)(uintptr_t)c->folded);
    free(c->line);
    free(c->valid);
    free(c->dirty);
    free(c->pins);
    free(c->state);
    *c = (struct cache){0};
}

uint32_t cache_victim(const struct cache *c, uint64_t line)
{
    uint32_t first = cache_set(c, line);
    for (uint32_t e = first; e < first + c->ways; e++)
        if (c->line[e] == LINE_FREE)
            return e;
    return c->policy->victim(c, first);
}

static void empty(struct cache *c, uint32_t entry, uint64_t line)
{
    c->line[entry] = line;
    c->valid[entry] = 0;
    c->dirty[entry] = 0;
    c->pins[entry] = 0;
}

void cache_allocate(struct cache *c, uint32_t entry, uint64_t line)
{
    bool evicts = c->line[entry] != LINE_FREE;
    empty(c, entry, line);
    c->policy->fill(c, entry, evicts);
}

void cache_fill(struct cache *c, uint64_t line, uint32_t sectors)
{
    uint32_t e = cache_find(c, line);
    if (e == CACHE_NONE) {
        e = cache_victim(c, line);
        if (e == CACHE_NONE)
            return;
        cache_allocate(c, e, line);
    } else {
        cache_touch(c, e);
    }
    c->valid[e] |= sector_words(sectors);
}

void cache_invalidate(struct cache *c, uint64_t line)
{
    uint32_t e = cache_find(c, line);
    if (e != CACHE_NONE)
        empty(c, e, LINE_FREE);
}

void cache_invalidate_all(struct cache *c)
{
    for (uint32_t e = 0; e < c->sets * c->ways; e++)
        empty(c, e, LINE_FREE);
}
