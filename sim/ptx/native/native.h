/* Machine code of the host for kernels that run without time. A kernel becomes a function in
 * which the host's compiler knows registers and operations: a text in C, made from the sources that
 * the lane functions are made from (execute/), compiled beside the run and loaded when it is ready.
 * Values are the same; a kernel without such code is interpreted.
 *
 * Who executes a kernel has written the other half of the text: how its memory instructions are
 * made, in terms of its own call (sim/simt/functional/native_prelude.c). */
#ifndef EVGPU_PTX_NATIVE_NATIVE_H
#define EVGPU_PTX_NATIVE_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

struct kernel;

/* Executes instructions of a kernel for a warp, as far as it can. */
typedef void (*native_code)(void *call);

/* When code is made for a kernel. */
enum native_when {
    NATIVE_LATER, /* when it has run for a while, beside it */
    NATIVE_NEVER,
    NATIVE_FIRST /* before its first instruction, which waits for the compiler */
};

/* What is known of a kernel's code: from native_create, when the kernel is built, to native_free.
 */
struct native;

/* Warps of the kernel have executed `instructions` more warp instructions. To be called while no
 * thread executes the kernel: the call may start the compiler, or load what it has made. True: this
 * call has loaded the code. There never is code without a compiler, nor for
 * kernels that read the clock or are too long for it (native.c). */
bool native_count(const struct kernel *kernel, uint64_t instructions, enum native_when when);
/* NULL: there is no code yet. */
native_code native_code_of(const struct kernel *kernel);
struct native *native_create(void);
void native_free(struct native *native);

#endif
