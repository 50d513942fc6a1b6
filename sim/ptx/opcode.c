#include "sim/ptx/opcode.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct opcode_slot {
    const char *name;
    uint32_t length, hash, index;
};

static const char *const operation_names[OPERATION_COUNT] = {
#define X(name) #name,
    OPERATIONS(X)
#undef X
};

static const char *const modifier_names[MODIFIER_COUNT] = {
#define X(name, text) text,
    MODIFIERS(X)
#undef X
};

uint32_t hash_text(const char *text, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

static size_t find_name(const char *const *names, size_t count, const char *text, size_t length)
{
    size_t i = 0;
    while (i < count && (strlen(names[i]) != length || memcmp(names[i], text, length) != 0))
        i++;
    return i;
}

enum modifier modifier_of(const char *text, size_t length)
{
    return (enum modifier)find_name(modifier_names, MODIFIER_COUNT, text, length);
}

static bool take_apart(struct opcode *op, const char *name, uint32_t length, const char **bad,
                       uint32_t *bad_length)
{
    uint32_t start = 0, part = 0;
    while (start <= length) {
        uint32_t end = start;
        while (end < length && name[end] != '.')
            end++;
        size_t n = part == 0 ? OPERATION_COUNT : MODIFIER_COUNT;
        const char *const *names = part == 0 ? operation_names : modifier_names;
        size_t found = find_name(names, n, name + start, end - start);
        if (found == n || part > MAX_MODIFIERS) {
            *bad = name + start;
            *bad_length = end - start;
            return false;
        }
        if (part == 0)
            op->operation = (uint8_t)found;
        else
            op->mods[op->n_mods++] = (uint8_t)found;
        part++;
        start = end + 1;
    }
    return true;
}

static void grow(struct opcode_pool *pool)
{
    size_t n = pool->n_slots ? 2 * pool->n_slots : 256;
    struct opcode_slot *slots = ALLOC_ARRAY(struct opcode_slot, n);
    for (size_t i = 0; i < pool->n_slots; i++) {
        if (!pool->slots[i].name)
            continue;
        size_t at = pool->slots[i].hash & (n - 1);
        while (slots[at].name)
            at = (at + 1) & (n - 1);
        slots[at] = pool->slots[i];
    }
    free(pool->slots);
    pool->slots = slots;
    pool->n_slots = n;
}

uint32_t opcode_intern(struct opcode_pool *pool, const char *name, uint32_t length,
                       const char **bad, uint32_t *bad_length)
{
    if (2 * pool->count >= pool->n_slots)
        grow(pool);
    uint32_t hash = hash_text(name, length);
    size_t at = hash & (pool->n_slots - 1);
    for (; pool->slots[at].name; at = (at + 1) & (pool->n_slots - 1)) {
        const struct opcode_slot *slot = &pool->slots[at];
        if (slot->hash == hash && slot->length == length && !memcmp(slot->name, name, length))
            return slot->index;
    }
    struct opcode op = {0};
    if (!take_apart(&op, name, length, bad, bad_length))
        return UINT32_MAX;
    ARRAY_RESERVE(pool->items, pool->count, pool->capacity);
    pool->items[pool->count] = op;
    pool->slots[at] = (struct opcode_slot){name, length, hash, (uint32_t)pool->count};
    return (uint32_t)pool->count++;
}

void opcode_pool_free(struct opcode_pool *pool)
{
    free(pool->items);
    free(pool->slots);
}
