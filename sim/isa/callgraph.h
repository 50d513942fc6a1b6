/* Which functions are called for real instead of being expanded where they are called: those that
 * call themselves, directly or not, and those that would be copied too often. */
#ifndef EVGPU_ISA_CALLGRAPH_H
#define EVGPU_ISA_CALLGRAPH_H

#include "sim/isa/ast.h"

/* Sets `called` of every function of the unit. */
void callgraph_build(struct unit *unit);

#endif
