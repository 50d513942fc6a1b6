/* Constants and enumerations for Verilog, C and GTKWave; records for Verilog. */
#include "tb/gen/emit.h"

#include <ctype.h>
#include <string.h>

static void put_upper(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(toupper((unsigned char)*text), out);
}

/* `define EVG_RECORD_FIELDsuffix */
static void put_define(FILE *out, const char *record, const char *field, const char *suffix)
{
    fputs("`define EVG_", out);
    put_upper(out, record);
    fputc('_', out);
    put_upper(out, field);
    fputs(suffix, out);
}

/* HIGH:LOW, or the only bit; the lowest bit; the width */
static void put_field(FILE *out, const char *record, const struct def_field *field, uint32_t low)
{
    put_define(out, record, field->name, " ");
    if (field->width > 1)
        fprintf(out, "%u:", low + field->width - 1);
    fprintf(out, "%u\n", low);
    put_define(out, record, field->name, "_LSB ");
    fprintf(out, "%u\n", low);
    put_define(out, record, field->name, "_WIDTH ");
    fprintf(out, "%u\n", field->width);
}

static void put_record(FILE *out, const struct def_record *record)
{
    uint32_t low = def_record_width(record);
    fputs("`define EVG_", out);
    put_upper(out, record->name);
    fprintf(out, "_WIDTH %u\n", low);
    for (size_t i = 0; i < record->n_fields; i++) {
        low -= record->fields[i].width;
        put_field(out, record->name, &record->fields[i], low);
    }
}

void emit_defs_vh(FILE *out, const struct definition *def)
{
    fputs("// Generated from rtl/evgpu.def.\n`ifndef EVGPU_DEFS_VH\n`define EVGPU_DEFS_VH\n", out);
    for (size_t i = 0; i < def->n_constants; i++) {
        const struct def_constant *c = &def->constants[i];
        fprintf(out, "`define EVG_%s %u\n", c->name, c->value);
    }
    for (size_t i = 0; i < def->n_enums; i++) {
        const struct def_enum *e = &def->enums[i];
        uint32_t width = def_enum_width(e);
        fputs("`define EVG_", out);
        put_upper(out, e->name);
        fprintf(out, "_WIDTH %u\n", width);
        for (size_t s = 0; s < e->n_states; s++) {
            fputs("`define EVG_", out);
            put_upper(out, e->name);
            fputc('_', out);
            put_upper(out, e->states[s]);
            fprintf(out, " %u'd%zu\n", width, s);
        }
    }
    for (size_t i = 0; i < def->n_records; i++)
        put_record(out, &def->records[i]);
    fputs("`endif\n", out);
}

void emit_defs_h(FILE *out, const struct definition *def)
{
    fputs("/* Generated from rtl/evgpu.def. */\n#ifndef EVGPU_DEFS_H\n#define EVGPU_DEFS_H\n\n"
          "enum {\n",
          out);
    for (size_t i = 0; i < def->n_constants; i++) {
        const struct def_constant *c = &def->constants[i];
        fprintf(out, "    EVG_%s = %u,", c->name, c->value);
        fprintf(out, c->comment ? " /* %s */\n" : "\n", c->comment);
    }
    fputs("};\n", out);
    for (size_t i = 0; i < def->n_enums; i++) {
        const struct def_enum *e = &def->enums[i];
        fprintf(out, "\nenum %s {\n", e->name);
        for (size_t s = 0; s < e->n_states; s++) {
            fputs("    ", out);
            put_upper(out, e->name);
            fputc('_', out);
            put_upper(out, e->states[s]);
            fprintf(out, " = %zu,\n", s);
        }
        fputs("};\n", out);
    }
    fputs("\n#endif\n", out);
}

void emit_filter(FILE *out, const struct def_enum *e)
{
    int digits = (int)((def_enum_width(e) + 3) / 4);
    for (size_t s = 0; s < e->n_states; s++) {
        fprintf(out, "%0*zX ", digits, s);
        put_upper(out, e->states[s]);
        fputc('\n', out);
    }
}

/* A line for every value: the names of its bits without what is in front of the first _. */
void emit_flags_filter(FILE *out, const struct emit_flags *f)
{
    uint32_t all = 0;
    for (size_t i = 0; i < f->flags->n_bits; i++)
        all |= f->def->constants[f->flags->bits[i]].value;
    for (uint32_t value = 0; value <= all; value++) {
        const char *between = " ";
        if (value & ~all)
            continue;
        fprintf(out, "%0*X", all > 15 ? 2 : 1, value);
        for (size_t i = 0; i < f->flags->n_bits; i++) {
            const struct def_constant *c = &f->def->constants[f->flags->bits[i]];
            const char *underline = strchr(c->name, '_');
            if (!(value & c->value))
                continue;
            fprintf(out, "%s%s", between, underline ? underline + 1 : c->name);
            between = "+";
        }
        fputs(value ? "\n" : " NONE\n", out);
    }
}
