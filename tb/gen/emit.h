/* Writers of the generated files. Each writes one file to an open stream; the caller checks the
 * stream for errors. */
#ifndef EVGPU_TB_GEN_EMIT_H
#define EVGPU_TB_GEN_EMIT_H

#include <stdio.h>

#include "tb/gen/definition.h"

void emit_defs_vh(FILE *out, const struct definition *def);
void emit_defs_h(FILE *out, const struct definition *def);
void emit_filter(FILE *out, const struct def_enum *e);
struct emit_flags {
    const struct definition *def;
    const struct def_flags *flags;
};
void emit_flags_filter(FILE *out, const struct emit_flags *f);

void emit_tile_header(FILE *out, const struct def_tile *tile);
void emit_tile_kind(FILE *out, const struct def_tile *tile);
void emit_tile_shim(FILE *out, const struct def_tile *tile);

/* A variant and the tile that it is of. */
struct emit_variant {
    const struct def_tile *tile;
    const struct def_variant *variant;
};
void emit_variant_header(FILE *out, const struct emit_variant *v);
void emit_variant_kind(FILE *out, const struct emit_variant *v);
void emit_variant_shim(FILE *out, const struct emit_variant *v);
void emit_variant_flags(FILE *out, const struct emit_variant *v); /* for Verilator */

/* A block, which has ports for C only. */
void emit_block_header(FILE *out, const struct def_tile *block);

void emit_regs_vh(FILE *out, const struct def_regs *map);
void emit_regs_h(FILE *out, const struct def_regs *map);
void emit_regs_md(FILE *out, const struct def_regs *map);
void emit_regs_rdl(FILE *out, const struct def_regs *map);

void emit_link_vh(FILE *out, const struct definition *def);
void emit_packed_tile(FILE *out, const struct definition *def);

#endif
