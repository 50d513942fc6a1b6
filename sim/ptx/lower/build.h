/* One kernel, from its entry in the parsed unit to the executable form. */
#ifndef EVGPU_PTX_LOWER_BUILD_H
#define EVGPU_PTX_LOWER_BUILD_H

#include "sim/ptx/parse/ast.h"
#include "sim/ptx/program.h"

struct address_patch { /* constant that holds the address of a module variable + addend */
    uint32_t row, variable;
    int64_t addend;
    bool wide;
};

struct built_kernel {
    struct kernel kernel;
    struct address_patch *patches;
    size_t n_patches;
};

/* With at most `max_regs` registers (MIN_REGS to MAX_REGS), or the .maxnreg of the entry if less.
 * An unsupported instruction ends up as the kernel's defect. */
void build_kernel(struct built_kernel *built, const struct unit *unit, const struct function *entry,
                  uint32_t max_regs);
void built_kernel_free(struct built_kernel *built);

#endif
