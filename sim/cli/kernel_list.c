#include "sim/cli/kernel_list.h"

#include <stdio.h>

#include "sim/ptx/module.h"

bool kernel_list(const char *path, struct error *err)
{
    struct module *module = module_load(path, err);
    bool ok = true;
    if (!module)
        return false;
    printf("%-32s %9s %9s %12s %12s %12s\n", "kernel", "registers", "constants", "instructions",
           "local bytes", "shared bytes");
    for (uint32_t i = 0; i < module_kernel_count(module); i++) {
        const struct kernel *k = module_kernel_at(module, i);
        if (k->defect) {
            ok = error_set(err, "%s", k->defect);
            continue;
        }
        printf("%-32s %9u %9u %12u %12u %12u\n", k->name, k->regs, k->bank, k->n_inst,
               k->local_used, k->shared_bytes);
    }
    module_free(module);
    return ok;
}
