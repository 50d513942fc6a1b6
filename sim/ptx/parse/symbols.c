#include "sim/ptx/parse/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/opcode.h"

#define END_OF_CHAIN UINT32_MAX

static void rehash(struct symbol_table *table, size_t n)
{
    free(table->chains);
    table->chains = ALLOC_ARRAY(uint32_t, n);
    table->n_chains = n;
    memset(table->chains, 0xFF, n * sizeof *table->chains);
    for (size_t i = 0; i < table->count; i++) {
        size_t at = table->items[i].hash & (n - 1);
        table->items[i].previous = table->chains[at];
        table->chains[at] = (uint32_t)i;
    }
}

void symbols_init(struct symbol_table *table)
{
    *table = (struct symbol_table){0};
    rehash(table, 256);
}

void symbols_free(struct symbol_table *table)
{
    free(table->items);
    free(table->chains);
}

void symbols_open(struct symbol_table *table)
{
    table->depth++;
}

void symbols_close(struct symbol_table *table)
{
    while (table->count && table->items[table->count - 1].depth == table->depth) {
        const struct symbol *last = &table->items[--table->count];
        table->chains[last->hash & (table->n_chains - 1)] = last->previous;
    }
    table->depth--;
}

struct symbol *symbols_find(const struct symbol_table *table, const char *name, uint32_t length)
{
    uint32_t hash = hash_text(name, length);
    uint32_t at = table->chains[hash & (table->n_chains - 1)];
    while (at != END_OF_CHAIN) {
        struct symbol *symbol = &table->items[at];
        if (symbol->hash == hash && symbol->length == length && !memcmp(symbol->name, name, length))
            return symbol;
        at = symbol->previous;
    }
    return NULL;
}

struct symbol *symbols_add(struct symbol_table *table, const char *name, uint32_t length,
                           enum symbol_kind kind, uint32_t index)
{
    struct symbol *old = symbols_find(table, name, length);
    if (old && old->depth == table->depth)
        return NULL;
    ARRAY_RESERVE(table->items, table->count, table->capacity);
    struct symbol *symbol = &table->items[table->count++];
    *symbol = (struct symbol){.name = name,
                              .length = length,
                              .hash = hash_text(name, length),
                              .depth = table->depth,
                              .kind = (uint8_t)kind,
                              .index = index};
    if (table->count > table->n_chains) {
        rehash(table, 2 * table->n_chains);
    } else {
        size_t at = symbol->hash & (table->n_chains - 1);
        symbol->previous = table->chains[at];
        table->chains[at] = (uint32_t)(table->count - 1);
    }
    return symbol;
}

/* "%r<20>" declares %r0 .. %r19, none with a leading zero. The stem may itself end in a digit
 * ("%r1<5>" declares %r10 .. %r14), so longer stems are tried as well. */
static bool in_range(const struct symbol_table *table, const char *name, uint32_t length,
                     enum symbol_kind kind, uint32_t *index)
{
    uint32_t stem = length;
    while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
        stem--;
    for (; stem < length; stem++) {
        uint32_t digits = length - stem;
        if (digits > 9 || (digits > 1 && name[stem] == '0'))
            continue;
        const struct symbol *symbol = symbols_find(table, name, stem);
        if (!symbol || symbol->kind != kind)
            continue;
        uint32_t number = 0;
        for (uint32_t i = stem; i < length; i++)
            number = number * 10 + (uint32_t)(name[i] - '0');
        if (number < symbol->count) {
            *index = symbol->index + number;
            return true;
        }
    }
    return false;
}

/* NAME.x of a vector, as well as .r. */
static bool element(const struct symbol_table *table, const char *name, uint32_t length,
                    uint32_t *index)
{
    static const char letters[] = "xyzwrgba";
    if (length < 3 || name[length - 2] != '.' || !strchr(letters, name[length - 1]))
        return false;
    const struct symbol *symbol = symbols_find(table, name, length - 2);
    uint32_t number = (uint32_t)(strchr(letters, name[length - 1]) - letters) % 4;
    if (!symbol || symbol->kind != SYMBOL_REG_VECTOR || number >= symbol->count)
        return false;
    *index = symbol->index + number;
    return true;
}

bool symbols_register(const struct symbol_table *table, const char *name, uint32_t length,
                      uint32_t *index)
{
    const struct symbol *symbol = symbols_find(table, name, length);
    if (symbol) {
        *index = symbol->index;
        return symbol->kind == SYMBOL_REG;
    }
    return in_range(table, name, length, SYMBOL_REG_RANGE, index) ||
           element(table, name, length, index);
}

bool symbols_variable(const struct symbol_table *table, const char *name, uint32_t length,
                      uint32_t *index)
{
    const struct symbol *symbol = symbols_find(table, name, length);
    if (symbol) {
        *index = symbol->index;
        return symbol->kind == SYMBOL_VARIABLE;
    }
    return in_range(table, name, length, SYMBOL_VARIABLE_RANGE, index);
}
