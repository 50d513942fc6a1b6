#include "sim/simt/recorder.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/ptx/program.h"

struct recorder *recorder_create(void)
{
    return ALLOC(struct recorder);
}

void recorder_free(struct recorder *r)
{
    for (uint32_t i = 0; r && i < r->n_kernels; i++)
        free(r->kernels[i].inst);
    if (r)
        free(r->kernels);
    free(r);
}

/* The last one found comes first: warps of one kernel follow each other. */
static struct recorded_kernel *kernel_of(struct recorder *r, const struct kernel *kernel)
{
    for (uint32_t i = 0; i < r->n_kernels; i++) {
        struct recorded_kernel found = r->kernels[i];
        if (found.kernel != kernel)
            continue;
        r->kernels[i] = r->kernels[0];
        r->kernels[0] = found;
        return &r->kernels[0];
    }
    ARRAY_RESERVE(r->kernels, r->n_kernels, r->capacity);
    struct recorded_kernel *k = &r->kernels[r->n_kernels++];
    *k = (struct recorded_kernel){.kernel = kernel,
                                  .inst = alloc_array(kernel->n_inst, sizeof *k->inst)};
    return k;
}

void recorder_add(struct recorder *r, enum warp_state state, uint64_t cycles,
                  const struct kernel *kernel, uint32_t instruction)
{
    r->state[state] += cycles;
    if (kernel && instruction < kernel->n_inst)
        kernel_of(r, kernel)->inst[instruction][state] += cycles;
}
