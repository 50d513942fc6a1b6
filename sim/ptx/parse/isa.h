/* Whether a file holds by its own header: the instructions that its .version and .target have.
 * evgpu runs all of them whatever the header says; other assemblers refuse the file.
 *
 * Source: PTX ISA 8.8, "PTX ISA Notes" and "Target ISA Notes" of each instruction. */
#ifndef EVGPU_PTX_PARSE_ISA_H
#define EVGPU_PTX_PARSE_ISA_H

#include "sim/ptx/parse/ast.h"

/* The first instruction that the header does not have, as one line "FILE:LINE: ..."; free it.
 * NULL: there is none. */
char *isa_remark(const struct unit *unit);

#endif
