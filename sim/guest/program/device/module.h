/* Modules of a program and their functions. Owner: module.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_MODULE_H
#define EVGPU_GUEST_PROGRAM_DEVICE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct program;
struct host_thread;
struct kernel;
struct module;
struct module_variable;

/* The same text with another limit of registers, for blocks that would not fit otherwise. */
struct module_variant {
    uint32_t max_regs;
    struct module *module;
};

struct program_module {
    struct module *module;
    char *name, *text;
    bool loaded;
    struct module_variant *variants;
    uint32_t n_variants, cap_variants;
};

struct program_function {
    const struct kernel *kernel;
    uint32_t module; /* index */
    uint32_t max_dynamic;
    bool used;
};

struct program_modules {
    struct program_module *list; /* by id - 1 */
    uint32_t count, capacity;
    struct program_function *functions;
    uint32_t n_functions, cap_functions;
};

void module_call(struct host_thread *t, uint64_t cycle);

/* A variable of a loaded module; NULL: there is none. */
const struct module_variable *module_variable_find(const struct program *p, uint64_t module,
                                                   const char *name);
const struct program_function *module_function(const struct program *p, uint64_t id);
/* The kernel of this function for blocks of `threads` threads: as it was loaded when that fits,
 * else loaded again with as many registers as do, the rest of its values in local memory. NULL with
 * `err`: there is none. */
const struct kernel *module_kernel_for(struct program *p, const struct program_function *f,
                                       uint32_t threads, struct error *err);
void modules_clear(struct program *p); /* the process has ended */
void modules_free(struct program *p);

#endif
