/* Register maps: macros for Verilog, offsets and masks for C, a table for people, SystemRDL 2.0. */
#include "tb/gen/emit.h"

#include <ctype.h>

static void put_upper(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(toupper((unsigned char)*text), out);
}

static uint32_t mask_of(const struct def_bits *bits)
{
    return (bits->width < DEF_WORD_BITS ? (1u << bits->width) - 1 : UINT32_MAX) << bits->low;
}

/* The bits of a register with that access. */
static uint32_t mask_with(const struct def_reg *reg, enum def_access access)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < reg->n_bits; i++)
        if (reg->bits[i].name && reg->bits[i].access == access)
            mask |= mask_of(&reg->bits[i]);
    return mask;
}

static uint32_t reset_of(const struct def_reg *reg)
{
    uint32_t value = 0;
    for (size_t i = 0; i < reg->n_bits; i++)
        value |= reg->bits[i].reset << reg->bits[i].low;
    return value;
}

/* Words of the map, a power of two. */
static uint32_t index_bits(const struct def_regs *map)
{
    uint32_t bits = 1;
    while (1u << bits <= map->items[map->count - 1].offset / 4)
        bits++;
    return bits;
}

/* --- Verilog ---------------------------------------------------------------------------------- */

static void put_define(FILE *out, const char *map, const char *name)
{
    fputs("`define EVG_", out);
    put_upper(out, map);
    fputc('_', out);
    put_upper(out, name);
}

static uint32_t rw_mask(const struct def_reg *reg)
{
    return mask_with(reg, DEF_RW);
}
static uint32_t w1c_mask(const struct def_reg *reg)
{
    return mask_with(reg, DEF_W1C);
}
static uint32_t w1p_mask(const struct def_reg *reg)
{
    return mask_with(reg, DEF_W1P);
}
static uint32_t ro_mask(const struct def_reg *reg)
{
    return mask_with(reg, DEF_RO);
}

/* A value of every word, the first in the lowest bits. */
static void put_words(FILE *out, const struct def_regs *map, const char *name,
                      uint32_t (*value)(const struct def_reg *))
{
    uint32_t words = 1u << index_bits(map);
    put_define(out, map->name, name);
    fprintf(out, " %u'h", DEF_WORD_BITS * words);
    size_t reg = map->count;
    for (uint32_t w = words; w-- > 0;) {
        while (reg && map->items[reg - 1].offset / 4 > w)
            reg--;
        bool there = reg && map->items[reg - 1].offset / 4 == w;
        fprintf(out, "%08x", there ? value(&map->items[reg - 1]) : 0);
        if (w)
            fputc('_', out);
    }
    fputc('\n', out);
}

static void put_mapped(FILE *out, const struct def_regs *map)
{
    uint32_t words = 1u << index_bits(map);
    put_define(out, map->name, "regs_mapped");
    fprintf(out, " %u'b", words);
    size_t reg = map->count;
    for (uint32_t w = words; w-- > 0;) {
        while (reg && map->items[reg - 1].offset / 4 > w)
            reg--;
        fputc(reg && map->items[reg - 1].offset / 4 == w ? '1' : '0', out);
    }
    fputc('\n', out);
}

void emit_regs_vh(FILE *out, const struct def_regs *map)
{
    fprintf(out,
            "// Generated from rtl/evgpu.def: register map %s. Bits count through all words, 32 to "
            "each.\n`ifndef EVGPU_%s_REGS_VH\n`define EVGPU_%s_REGS_VH\n",
            map->name, map->name, map->name);
    put_define(out, map->name, "regs_index_bits");
    fprintf(out, " %u\n", index_bits(map));
    put_mapped(out, map);
    put_words(out, map, "regs_stored", rw_mask);
    put_words(out, map, "regs_cleared", w1c_mask);
    put_words(out, map, "regs_pulsed", w1p_mask);
    put_words(out, map, "regs_shown", ro_mask);
    put_words(out, map, "regs_reset", reset_of);
    for (size_t i = 0; i < map->count; i++) {
        const struct def_reg *reg = &map->items[i];
        put_define(out, map->name, reg->name);
        fprintf(out, "_INDEX %u\n", reg->offset / 4);
        for (size_t b = 0; b < reg->n_bits; b++) {
            const struct def_bits *bits = &reg->bits[b];
            if (!bits->name)
                continue;
            uint32_t low = 8 * reg->offset + bits->low;
            put_define(out, map->name, reg->name);
            fputc('_', out);
            put_upper(out, bits->name);
            if (bits->width > 1)
                fprintf(out, " %u:%u\n", low + bits->width - 1, low);
            else
                fprintf(out, " %u\n", low);
        }
    }
    fputs("`endif\n", out);
}

/* --- C ---------------------------------------------------------------------------------------- */

static void put_enumerator(FILE *out, const char *map, const char *reg, const char *bits)
{
    fputs("    EVG_", out);
    put_upper(out, map);
    fputc('_', out);
    put_upper(out, reg);
    if (bits) {
        fputc('_', out);
        put_upper(out, bits);
    }
}

void emit_regs_h(FILE *out, const struct def_regs *map)
{
    fprintf(out, "/* Generated from rtl/evgpu.def: register map %s%s%s. */\n", map->name,
            map->comment ? ", " : "", map->comment ? map->comment : "");
    fprintf(out, "#ifndef EVGPU_%s_REGS_H\n#define EVGPU_%s_REGS_H\n\nenum { /* bytes */\n",
            map->name, map->name);
    for (size_t i = 0; i < map->count; i++) {
        const struct def_reg *reg = &map->items[i];
        put_enumerator(out, map->name, reg->name, NULL);
        fprintf(out, " = 0x%03x,", reg->offset);
        fprintf(out, reg->comment ? " /* %s */\n" : "\n", reg->comment);
    }
    fputs("};\n\nenum { /* lowest bit and width of what is in a register */\n", out);
    for (size_t i = 0; i < map->count; i++)
        for (size_t b = 0; b < map->items[i].n_bits; b++) {
            const struct def_bits *bits = &map->items[i].bits[b];
            if (!bits->name)
                continue;
            put_enumerator(out, map->name, map->items[i].name, bits->name);
            fprintf(out, "_LSB = %u,", bits->low);
            fprintf(out, bits->comment ? " /* %s */\n" : "\n", bits->comment);
            put_enumerator(out, map->name, map->items[i].name, bits->name);
            fprintf(out, "_WIDTH = %u,\n", bits->width);
        }
    fputs("};\n\n/* X(NAME, offset, bits that software writes, that it clears with 1, that read 0, "
          "that hardware sets, reset value) */\n#define EVG_",
          out);
    put_upper(out, map->name);
    fputs("_REGISTERS(X)", out);
    for (size_t i = 0; i < map->count; i++) {
        const struct def_reg *reg = &map->items[i];
        fputs(" \\\n    X(", out);
        put_upper(out, reg->name);
        fprintf(out, ", 0x%03xu, 0x%08xu, 0x%08xu, 0x%08xu, 0x%08xu, 0x%08xu)", reg->offset,
                rw_mask(reg), w1c_mask(reg), w1p_mask(reg), ro_mask(reg), reset_of(reg));
    }
    fputs("\n\n#endif\n", out);
}

/* --- Markdown --------------------------------------------------------------------------------- */

void emit_regs_md(FILE *out, const struct def_regs *map)
{
    static const char *const access[DEF_ACCESSES] = {"rw", "ro", "const", "w1c", "w1p"};
    fputs("| offset | register | bits | field | access | reset | meaning |\n"
          "|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < map->count; i++) {
        const struct def_reg *reg = &map->items[i];
        bool first = true;
        for (size_t b = 0; b < reg->n_bits; b++) {
            const struct def_bits *bits = &reg->bits[b];
            if (!bits->name)
                continue;
            if (first)
                fprintf(out, "| 0x%03x | `%s` |", reg->offset, reg->name);
            else
                fputs("| | |", out);
            if (bits->width > 1)
                fprintf(out, " %u..%u |", bits->low + bits->width - 1, bits->low);
            else
                fprintf(out, " %u |", bits->low);
            const char *text = bits->comment ? bits->comment : first ? reg->comment : NULL;
            fprintf(out, " `%s` | %s | ", bits->name, access[bits->access]);
            if (bits->access == DEF_RO)
                fputs("-", out);
            else
                fprintf(out, bits->reset > 9 ? "0x%x" : "%u", bits->reset);
            fprintf(out, " | %s |\n", text ? text : "");
            first = false;
        }
    }
}

/* --- SystemRDL -------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *indent, const char *property, const char *text)
{
    if (!text)
        return;
    fprintf(out, "%s%s = \"", indent, property);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputs("\";\n", out);
}

void emit_regs_rdl(FILE *out, const struct def_regs *map)
{
    static const char *const properties[DEF_ACCESSES] = {
        "sw = rw; hw = r;", "sw = r; hw = w;", "sw = r; hw = na;",
        "sw = rw; hw = r; hwset; onwrite = woclr;", "sw = w; hw = r; singlepulse;"};
    fprintf(out,
            "// Generated from rtl/evgpu.def.\naddrmap evgpu_%s {\n"
            "    default regwidth = 32;\n    default accesswidth = 32;\n",
            map->name);
    put_text(out, "    ", "desc", map->comment);
    for (size_t i = 0; i < map->count; i++) {
        const struct def_reg *reg = &map->items[i];
        fputs("    reg {\n", out);
        put_text(out, "        ", "desc", reg->comment);
        for (size_t b = 0; b < reg->n_bits; b++) {
            const struct def_bits *bits = &reg->bits[b];
            if (!bits->name)
                continue;
            fprintf(out, "        field {\n            %s\n", properties[bits->access]);
            put_text(out, "            ", "desc", bits->comment);
            fprintf(out, "        } \\%s[%u:%u]", bits->name, bits->low + bits->width - 1,
                    bits->low);
            if (bits->access != DEF_RO)
                fprintf(out, " = 0x%x", bits->reset);
            fputs(";\n", out);
        }
        fprintf(out, "    } %s @ 0x%03x;\n", reg->name, reg->offset);
    }
    fputs("};\n", out);
}
