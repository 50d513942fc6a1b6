/* The text in C of a kernel's straight runs. Owner: emit.c. */
#ifndef EVGPU_PTX_NATIVE_EMIT_H
#define EVGPU_PTX_NATIVE_EMIT_H

#include <stdio.h>

#include "sim/ptx/native/native.h"
#include "sim/ptx/program.h"

/* In front of the text stands the prelude: sim/simt/functional/native_prelude.c. Each run has two
 * versions. The fast one makes usual accesses only, which are looked up in groups; when it comes to
 * another one it leaves the rest of the run to the slow version. */
void native_emit(const struct kernel *kernel, FILE *text);

#endif
