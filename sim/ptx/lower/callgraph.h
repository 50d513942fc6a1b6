/* Which functions are called for real instead of being expanded where they are called: those that
 * call themselves, directly or not, and those that would be copied too often. */
#ifndef EVGPU_PTX_LOWER_CALLGRAPH_H
#define EVGPU_PTX_LOWER_CALLGRAPH_H

#include "sim/ptx/parse/ast.h"

/* Sets `called` of every function of the unit. */
void callgraph_build(struct unit *unit);

#endif
