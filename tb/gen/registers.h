/* Register maps of rtl/evgpu.def: their lines. */
#ifndef EVGPU_TB_GEN_REGISTERS_H
#define EVGPU_TB_GEN_REGISTERS_H

#include "tb/gen/reader.h"

/* regs NAME; reg NAME OFFSET of it; bits NAME WIDTH ACCESS [RESET] or bits unused WIDTH of that. */
bool read_regs(struct reader *r);
bool read_reg(struct reader *r);
bool read_bits(struct reader *r);

/* Every map has registers, and each of them bits. */
bool check_regs(const struct definition *def, const char *path, struct error *err);
void regs_free(struct definition *def);

#endif
