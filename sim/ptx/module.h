/* Loading PTX: text -> kernels.
 *
 * parse -> inline device functions -> control-flow graph -> immediate post-dominators -> liveness
 * -> linear-scan register allocation -> decode (docs/design/architecture.md). Text that is not PTX
 * stops the load with "FILE:LINE: ..." and nothing is kept. A kernel with an instruction that is
 * not supported stays in the module with kernel->defect set, so that the file's other kernels run.
 */
#ifndef EVGPU_PTX_MODULE_H
#define EVGPU_PTX_MODULE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/ptx/program.h"

enum ptx_type {
    PTX_PRED,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_F16,
    PTX_F32,
    PTX_F64,
    PTX_F16X2 /* two halves in 32 bits, the first in the low ones */
};

/* A module-scope .global or .const array. */
struct module_variable {
    char *name;
    uint8_t space; /* SPACE_GLOBAL or SPACE_CONST */
    uint64_t size, align;
    uint8_t *init;    /* `size` bytes, or NULL for zero; pointers are filled in by module_place */
    uint64_t address; /* set by module_place */
};

struct module; /* owns its kernels */

/* Loads a file, or NULL with `err` set. */
struct module *module_load(const char *path, struct error *err);

/* Same with at most `max_regs` registers per thread (MIN_REGS to MAX_REGS); what does not fit is
 * kept in local memory. For blocks that would not fit on a core otherwise. */
struct module *module_load_within(const char *path, uint32_t max_regs, struct error *err);

/* Same as module_load for text in memory; `name` stands for the file in messages. */
struct module *module_parse(const char *name, const char *text, size_t length, struct error *err);

/* Both limits: as module_load_within, of text in memory. */
struct module *module_parse_within(const char *name, const char *text, size_t length,
                                   uint32_t max_regs, struct error *err);

void module_free(struct module *module);

uint32_t module_kernel_count(const struct module *module);
struct kernel *module_kernel_at(const struct module *module, uint32_t index);

/* By entry name; NULL when absent. */
struct kernel *module_kernel(const struct module *module, const char *name);

/* Makes its first instruction the last one; registers, parameters and address stay. For a kernel
 * without defect. */
void kernel_skip(struct kernel *kernel);

/* A kernel that can be launched: NULL with `err` set when there is none of this name (the message
 * lists those there are) or when it has a defect (the message is the defect). */
const struct kernel *module_launchable(const struct module *module, const char *name,
                                       struct error *err);

/* The number of its .target: 52 of sm_52; 0: it names none. */
uint32_t module_architecture(const struct module *module);
/* One line about the first instruction that its .version or .target does not have; NULL: the file
 * holds by its own header. The machine runs it all the same. */
const char *module_remark(const struct module *module);
uint32_t module_variable_count(const struct module *module);
struct module_variable *module_variable_at(const struct module *module, uint32_t index);

/* Gives code and variables their device addresses: `allocate(user, bytes, align)` returns an
 * address or 0 when memory is full. Addresses in code and in initialisers are patched. Call once,
 * before any kernel runs; then copy each variable's `init` to its address. */
bool module_place(struct module *module,
                  uint64_t (*allocate)(void *user, uint64_t bytes, uint64_t align), void *user,
                  struct error *err);

/* Same for another version of a placed module, made from the same text with another number of
 * registers: it shares the variables of `like`, which keep their contents. */
bool module_place_like(struct module *module, const struct module *like,
                       uint64_t (*allocate)(void *user, uint64_t bytes, uint64_t align), void *user,
                       struct error *err);

#endif
