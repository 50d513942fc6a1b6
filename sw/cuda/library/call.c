#include "sw/cuda/library/call.h"

#include <stdio.h>

void library_add_scalar(struct library_call *call, const void *scalar)
{
    size_t i = call->n_scalars++;
    call->devices[i] = call->scalars_on_device ? scalar : NULL;
    if (!call->scalars_on_device && call->precision == LIBRARY_S)
        call->scalars[i].single = *(const float *)scalar;
    else if (!call->scalars_on_device)
        call->scalars[i].twice = *(const double *)scalar;
    library_add(call, &call->devices[i]);
    library_add(call, &call->scalars[i]);
}

cudaError_t library_start(struct library_call *call, const char *kernel, dim3 grid, dim3 block)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%c", kernel, "sdczhbi"[call->precision]);
    return library_launch(call->library, name, grid, block, call->stream, call->at);
}

unsigned int library_blocks(long long n, unsigned int size, unsigned int most)
{
    unsigned long long blocks = ((unsigned long long)n + size - 1) / size;
    return blocks < most ? (unsigned int)blocks : most;
}
