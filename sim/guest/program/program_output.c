/* What a program's kernels have printed goes to the program with the next answer, so that it stands
 * in its own output in order; failed assertions go to the error stream, which both have. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

static bool in_module(const struct module *module, const struct kernel *kernel)
{
    for (uint32_t i = 0; module && i < module_kernel_count(module); i++) {
        if (module_kernel_at(module, i) == kernel)
            return true;
    }
    return false;
}

static bool is_ours(void *user, const struct kernel *kernel)
{
    const struct program *p = user;
    for (uint32_t m = 0; m < p->n_modules; m++) {
        const struct program_module *module = &p->modules[m];
        if (in_module(module->module, kernel))
            return true;
        for (uint32_t v = 0; v < module->n_variants; v++) {
            if (in_module(module->variants[v].module, kernel))
                return true;
        }
    }
    return false;
}

static void keep(void *user, bool is_error, const char *text, size_t bytes)
{
    struct program *p = user;
    if (is_error) {
        fwrite(text, 1, bytes, stderr);
        return;
    }
    if (p->output_bytes + bytes > p->output_room) {
        p->output_room = 2 * (p->output_bytes + bytes);
        p->output = alloc_resize(p->output, p->output_room, 1);
    }
    memcpy(p->output + p->output_bytes, text, bytes);
    p->output_bytes += bytes;
}

void output_collect(struct program *p)
{
    struct output_reader reader = {is_ours, keep, p};
    gpu_take_output(machine_gpu(p->machine), &reader);
}
