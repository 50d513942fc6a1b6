#include "sw/services/memc/items.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/rng.h"
#include "sw/services/common/text_input.h"

#define DIGITS     36u /* of a key's number, at its end */
#define MAX_DIGITS 5u

void memc_items_free(struct memc_items *items)
{
    for (uint32_t i = 0; i < items->n_blocks; i++)
        free(items->blocks[i]);
    free(items->blocks);
    free(items->pair);
    *items = (struct memc_items){0};
}

/* Room for a key and its value, which stays where it is. */
static uint8_t *add_pair(struct memc_items *items, uint32_t key_length, uint32_t value_length,
                         uint32_t flags)
{
    uint8_t *bytes = alloc_array(key_length + value_length + 1, 1);
    ARRAY_RESERVE(items->blocks, items->n_blocks, items->blocks_capacity);
    items->blocks[items->n_blocks++] = bytes;
    ARRAY_RESERVE(items->pair, items->count, items->capacity);
    items->pair[items->count++] = (struct memc_pair){.key = bytes,
                                                     .value = bytes + key_length,
                                                     .key_length = key_length,
                                                     .value_length = value_length,
                                                     .flags = flags,
                                                     .cas = items->n_blocks};
    if (key_length > items->longest_key)
        items->longest_key = key_length;
    if (value_length > items->longest_value)
        items->longest_value = value_length;
    return bytes;
}

static int compare(const struct memc_pair *x, const uint8_t *key, uint32_t length)
{
    uint32_t shorter = x->key_length < length ? x->key_length : length;
    int order = memcmp(x->key, key, shorter);
    return order ? order : (x->key_length > length) - (x->key_length < length);
}

static int by_key(const void *a, const void *b)
{
    const struct memc_pair *x = a, *y = b;
    int order = compare(x, y->key, y->key_length);
    return order ? order : (x->cas > y->cas) - (x->cas < y->cas);
}

/* By key; of the same key the last SET stays. */
static void sort_items(struct memc_items *items)
{
    uint32_t kept = 0;
    if (items->count) /* else there is no array */
        qsort(items->pair, items->count, sizeof *items->pair, by_key);
    for (uint32_t i = 0; i < items->count; i++) {
        const struct memc_pair *p = &items->pair[i];
        if (i + 1 < items->count && compare(p, p[1].key, p[1].key_length) == 0)
            continue;
        items->pair[kept++] = *p;
    }
    items->count = kept;
}

const struct memc_pair *memc_items_find(const struct memc_items *items, const uint8_t *key,
                                        uint32_t length)
{
    uint32_t low = 0, high = items->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare(&items->pair[middle], key, length);
        if (order == 0)
            return &items->pair[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* The keys of so many bytes that make_key has. */
static uint64_t keys_of(uint32_t key_bytes)
{
    uint64_t n = 1;
    for (uint32_t d = 0; d < key_bytes && d < MAX_DIGITS; d++)
        n *= DIGITS;
    return n;
}

/* Letters by the number, then the number, which is less than keys_of. */
static void make_key(uint64_t seed, uint32_t i, uint32_t key_bytes, uint8_t *key)
{
    static const char DIGIT[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    uint32_t digits = key_bytes < MAX_DIGITS ? key_bytes : MAX_DIGITS, rest = i;
    for (uint32_t d = 0; d < digits; d++, rest /= DIGITS)
        key[key_bytes - 1 - d] = (uint8_t)DIGIT[rest % DIGITS];
    for (uint32_t at = 0; at < key_bytes - digits; at++)
        key[at] = (uint8_t)('a' + mix(seed + ((uint64_t)i << 32) + at) % 26);
}

bool memc_items_generate(uint64_t seed, uint32_t count, uint32_t key_bytes, uint32_t value_bytes,
                         struct memc_items *items, struct error *err)
{
    struct rng rng;
    *items = (struct memc_items){0};
    if (count > keys_of(key_bytes))
        return error_set(err,
                         "%u distinct keys of %u bytes do not exist; set fewer items or longer keys",
                         count, key_bytes);
    rng_seed(&rng, seed ^ 0x6D656D63);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *key = add_pair(items, key_bytes, value_bytes, i & 3 ? 0 : (uint32_t)rng_u64(&rng));
        make_key(seed, i, key_bytes, key);
        for (uint32_t at = 0; at < value_bytes; at++)
            key[key_bytes + at] = (uint8_t)(' ' + rng_below(&rng, 95));
    }
    sort_items(items);
    return true;
}

static bool read_item(const char *line, struct memc_items *items, struct error *err)
{
    size_t key = strcspn(line, " \t");
    const char *value = line + key + strspn(line + key, " \t");
    size_t bytes = strcspn(value, " \t");
    const char *rest = value + bytes + strspn(value + bytes, " \t");
    uint64_t flags = 0;
    if (key > MEMC_LONGEST_KEY || bytes > MEMC_LONGEST_VALUE)
        return error_set(err, "a key has at most %u bytes, a value at most %u", MEMC_LONGEST_KEY,
                         MEMC_LONGEST_VALUE);
    if (!bytes)
        return error_set(err, "'%.60s': a line must have a key, a value and optionally flags",
                         line);
    if (*rest && !parse_whole("flags", rest, UINT32_MAX, &flags, err))
        return false;
    uint8_t *at = add_pair(items, (uint32_t)key, (uint32_t)bytes, (uint32_t)flags);
    memcpy(at, line, key);
    memcpy(at + key, value, bytes);
    return true;
}

bool memc_items_read(const char *path, struct memc_items *items, struct error *err)
{
    *items = (struct memc_items){0};
    struct text_input *in = text_input_open(path, err);
    if (!in)
        return false;
    struct error local = {0};
    const char *line;
    while (text_input_line(in, &line, &local)) {
        line += strspn(line, " \t");
        if (*line == '\0' || *line == '#')
            continue;
        if (!read_item(line, items, &local)) {
            error_prefix(&local, "%s:%u", path, text_input_number(in));
            break;
        }
    }
    text_input_close(in);
    if (local.set) {
        memc_items_free(items);
        return error_set(err, "%s", local.text);
    }
    sort_items(items);
    return true;
}

/* --- the table --- */

static uint32_t rotate(uint32_t x, uint32_t by)
{
    return x << by | x >> (32 - by);
}

/* MurmurHash3 of 32 bits, seed 0; never 0. */
uint32_t memc_hash(const uint8_t *key, uint32_t length)
{
    uint32_t hash = 0, block = 0;
    for (uint32_t i = 0; i < length; i++) {
        block |= (uint32_t)key[i] << 8 * (i & 3);
        if ((i & 3) != 3 && i + 1 < length)
            continue;
        hash ^= rotate(block * 0xCC9E2D51u, 15) * 0x1B873593u;
        if ((i & 3) == 3)
            hash = rotate(hash, 13) * 5 + 0xE6546B64u;
        block = 0;
    }
    hash ^= length;
    hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
    hash ^= hash >> 16;
    return hash ? hash : 1;
}

bool memc_fits(uint32_t count, uint32_t entries, struct error *err)
{
    if (entries < MEMC_WAYS || (entries & (entries - 1)) != 0)
        return error_set(err, "entries=%u: must be a power of two, at least %u", entries,
                         MEMC_WAYS);
    return count <= entries ||
           error_set(err, "%u items do not fit into a table of %u entries; raise entries", count,
                     entries);
}

bool memc_layout(const struct memc_items *items, uint32_t entries, struct memc_layout *layout,
                 struct error *err)
{
    if (!memc_fits(items->count, entries, err))
        return false;
    uint32_t room = (items->longest_key + 3) & ~3u;
    uint32_t bytes = (uint32_t)sizeof(struct memc_item) + room + items->longest_value;
    *layout = (struct memc_layout){entries, (bytes + 15) & ~15u, room};
    return true;
}

void memc_fill(const struct memc_items *items, const struct memc_layout *layout, uint32_t *tags,
               uint8_t *table)
{
    for (uint32_t i = 0; i < items->count; i++) {
        const struct memc_pair *p = &items->pair[i];
        uint32_t hash = memc_hash(p->key, p->key_length);
        uint32_t at = (hash & (layout->entries / MEMC_WAYS - 1)) * MEMC_WAYS;
        while (tags[at])
            at = (at + 1) & (layout->entries - 1);
        tags[at] = hash;
        uint8_t *item = table + (size_t)at * layout->item_bytes;
        struct memc_item head = {.key_length = (uint16_t)p->key_length,
                                 .value_length = (uint16_t)p->value_length,
                                 .flags = p->flags,
                                 .cas = {(uint32_t)p->cas, (uint32_t)(p->cas >> 32)}};
        memcpy(item, &head, sizeof head);
        memcpy(item + sizeof head, p->key, p->key_length);
        memcpy(item + sizeof head + layout->key_room, p->value, p->value_length);
    }
}
