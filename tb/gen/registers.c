#include "tb/gen/registers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { REG_BYTES = 4, MAP_BYTES = 4096 };

static const char *const accesses[DEF_ACCESSES] = {"rw", "ro", "const", "w1c", "w1p"};

bool read_regs(struct reader *r)
{
    struct definition *def = r->def;
    char *name;
    if (!reader_name(r, "regs", &name) || !reader_end(r))
        return false;
    for (size_t i = 0; i < def->n_regs; i++)
        if (!strcmp(def->regs[i].name, name))
            return reader_fail(r, "second definition of regs", name);
    ARRAY_RESERVE(def->regs, def->n_regs, def->cap_regs);
    def->regs[def->n_regs++] =
        (struct def_regs){.name = alloc_string(name), .comment = reader_comment(r)};
    return true;
}

bool read_reg(struct reader *r)
{
    struct definition *def = r->def;
    char *name;
    uint32_t offset;
    if (!def->n_regs)
        return reader_fail(r, "reg outside a map", NULL);
    struct def_regs *map = &def->regs[def->n_regs - 1];
    const struct def_reg *last = map->count ? &map->items[map->count - 1] : NULL;
    if (!reader_name(r, "reg", &name) ||
        !reader_number(r, name, 0, MAP_BYTES - REG_BYTES, &offset) || !reader_end(r))
        return false;
    if (offset % REG_BYTES || (last && offset <= last->offset))
        return reader_fail(r, "reg: its offset must be a multiple of 4 above the last one:", name);
    for (size_t i = 0; i < map->count; i++)
        if (!strcmp(map->items[i].name, name))
            return reader_fail(r, "second definition of reg", name);
    ARRAY_RESERVE(map->items, map->count, map->capacity);
    map->items[map->count++] = (struct def_reg){
        .name = alloc_string(name), .comment = reader_comment(r), .offset = offset};
    return true;
}

/* A number, or a constant above this line. */
static bool read_value(const struct reader *r, const char *token, uint32_t *out)
{
    if (isdigit((unsigned char)token[0]))
        return reader_number_of(r, token, 0, UINT32_MAX, out);
    for (size_t i = 0; i < r->def->n_constants; i++)
        if (!strcmp(r->def->constants[i].name, token)) {
            *out = r->def->constants[i].value;
            return true;
        }
    return reader_fail(r, "bits: no such constant above it:", token);
}

static bool read_access(const struct reader *r, enum def_access *out)
{
    const char *token = strtok(NULL, " \t");
    for (int a = 0; token && a < DEF_ACCESSES; a++)
        if (!strcmp(token, accesses[a])) {
            *out = (enum def_access)a;
            return true;
        }
    return reader_fail(r, "bits: expected rw, ro, const, w1c or w1p, found", token ? token : "");
}

bool read_bits(struct reader *r)
{
    struct definition *def = r->def;
    struct def_regs *map = def->n_regs ? &def->regs[def->n_regs - 1] : NULL;
    if (!map || !map->count)
        return reader_fail(r, "bits outside a reg", NULL);
    struct def_reg *reg = &map->items[map->count - 1];
    struct def_bits bits = {.access = DEF_CONST};
    for (size_t i = 0; i < reg->n_bits; i++)
        bits.low += reg->bits[i].width;
    char *name;
    if (!reader_name(r, "bits", &name) || !reader_number(r, name, 1, DEF_WORD_BITS, &bits.width))
        return false;
    if (bits.low + bits.width > DEF_WORD_BITS)
        return reader_fail(r, "bits: more than 32 bits with", name);
    if (strcmp(name, "unused") != 0) {
        if (!read_access(r, &bits.access))
            return false;
        const char *value = strtok(NULL, " \t");
        if (value && !read_value(r, value, &bits.reset))
            return false;
        if (bits.width < DEF_WORD_BITS && bits.reset >> bits.width)
            return reader_fail(r, "bits: the value does not fit", name);
        if (value && bits.access != DEF_RW && bits.access != DEF_CONST)
            return reader_fail(r, "bits: only rw and const have a value, not", name);
        for (size_t i = 0; i < reg->n_bits; i++)
            if (reg->bits[i].name && !strcmp(reg->bits[i].name, name))
                return reader_fail(r, "second definition of bits", name);
        bits.name = alloc_string(name);
        bits.comment = reader_comment(r);
    }
    if (!reader_end(r)) {
        free(bits.name);
        free(bits.comment);
        return false;
    }
    ARRAY_RESERVE(reg->bits, reg->n_bits, reg->cap_bits);
    reg->bits[reg->n_bits++] = bits;
    return true;
}

bool check_regs(const struct definition *def, const char *path, struct error *err)
{
    for (size_t i = 0; i < def->n_regs; i++) {
        const struct def_regs *map = &def->regs[i];
        if (!map->count)
            return error_set(err, "%s: map %s needs at least one reg", path, map->name);
        for (size_t k = 0; k < map->count; k++)
            if (!map->items[k].n_bits)
                return error_set(err, "%s: reg %s needs at least one line of bits", path,
                                 map->items[k].name);
    }
    return true;
}

void regs_free(struct definition *def)
{
    for (size_t i = 0; i < def->n_regs; i++) {
        struct def_regs *map = &def->regs[i];
        for (size_t k = 0; k < map->count; k++) {
            struct def_reg *reg = &map->items[k];
            for (size_t b = 0; b < reg->n_bits; b++) {
                free(reg->bits[b].name);
                free(reg->bits[b].comment);
            }
            free(reg->bits);
            free(reg->name);
            free(reg->comment);
        }
        free(map->items);
        free(map->name);
        free(map->comment);
    }
    free(def->regs);
}
