/* The contents of rtl/evgpu.def: constants, enumerations, records, tile ports and register maps, in
 * file order. The format is documented at the top of that file. */
#ifndef EVGPU_TB_GEN_DEFINITION_H
#define EVGPU_TB_GEN_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { DEF_WORD_BITS = 32, DEF_MAX_WIDTH = 4096, DEF_MAX_FLAG = 128 };

/* Most bytes of a tile's inputs, or outputs, in one frame of the serial link (docs/design/fpga.md).
 */
enum { DEF_LINK_BYTES = 248 };

struct def_constant {
    char *name, *comment; /* comment may be NULL */
    uint32_t value;       /* 0..2^31-1, so that a C enumerator holds it */
};

struct def_enum {
    char *name;
    char **states; /* value = index */
    size_t n_states, cap_states;
};

struct def_flags { /* bits of a value */
    char *name;
    size_t *bits; /* indices of constants */
    size_t n_bits, cap_bits;
};

struct def_field {
    char *name;
    uint32_t width; /* bits */
};

struct def_record { /* a vector of fields, the first in its highest bits */
    char *name;
    struct def_field *fields;
    size_t n_fields, cap_fields;
};

struct def_port {
    char *name, *comment;
    uint32_t width; /* bits, 1..DEF_MAX_WIDTH */
    uint8_t *small; /* the bits that a reduced tile has, lowest byte first; NULL: all */
    size_t when[2]; /* outputs: 1 + those while one of which is 1 this one has a value; 0: none */
};

struct def_ports {
    struct def_port *items;
    size_t count, capacity;
};

struct def_small { /* a Verilog parameter of a reduced tile, or of a variant */
    char *name;
    uint32_t value;
};

struct def_tile {
    char *name;
    struct def_ports in, out;
    struct def_small *small;
    size_t n_small, cap_small;
};

struct def_variant { /* a tile once more, with other parameters */
    char *name;
    size_t tile; /* its index */
    struct def_small *set;
    size_t n_set, cap_set;
};

/* Who changes bits of a register, and what software reads. */
enum def_access {
    DEF_RW,    /* software; they keep their value */
    DEF_RO,    /* hardware */
    DEF_CONST, /* nobody */
    DEF_W1C,   /* hardware sets them, writing 1 clears them */
    DEF_W1P,   /* writing 1 is a pulse; they read as 0 */
    DEF_ACCESSES
};

struct def_bits {
    char *name, *comment; /* name NULL: unused bits, which read as 0 */
    uint32_t low, width;
    enum def_access access;
    uint32_t reset; /* value after reset, or for ever */
};

struct def_reg {
    char *name, *comment;
    uint32_t offset; /* bytes */
    struct def_bits *bits;
    size_t n_bits, cap_bits;
};

struct def_regs { /* a map of 32-bit registers, 4 bytes apart, in ascending order */
    char *name, *comment;
    struct def_reg *items;
    size_t count, capacity;
};

struct definition {
    struct def_constant *constants;
    size_t n_constants, cap_constants;
    struct def_enum *enums;
    size_t n_enums, cap_enums;
    struct def_flags *flags;
    size_t n_flags, cap_flags;
    struct def_record *records;
    size_t n_records, cap_records;
    struct def_tile *tiles;
    size_t n_tiles, cap_tiles;
    struct def_tile *blocks; /* without a model, on no board */
    size_t n_blocks, cap_blocks;
    struct def_regs *regs;
    size_t n_regs, cap_regs;
    struct def_variant *variants;
    size_t n_variants, cap_variants;
};

/* Reads and checks the file; errors name FILE:LINE. */
bool definition_read(struct definition *def, const char *path, struct error *err);
void definition_free(struct definition *def);

/* Bits of a variable that holds any state: at least 1. */
uint32_t def_enum_width(const struct def_enum *e);

uint32_t def_record_width(const struct def_record *record);

/* Inputs and outputs each take at most DEF_LINK_BYTES on the serial link, whole bytes per port. */
bool def_link_fits(const struct def_tile *tile);

/* Hash of names and widths: tells whether a board has been made from the same definition. */
uint32_t def_signature(const struct def_tile *tile);

/* The same of the reduced tile; equal to the other one when nothing is reduced. */
uint32_t def_small_signature(const struct def_tile *tile);

#endif
