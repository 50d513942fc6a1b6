/* What a guest's kernels have for themselves beside memory. */
#include "sim/system/machine_internal.h"

void guest_take_output(struct guest *g, const struct output_reader *reader)
{
    gpu_take_output(g->machine->gpu, g->owner, reader);
}

void guest_set_output(struct guest *g, uint64_t bytes)
{
    gpu_set_output_bytes(g->machine->gpu, g->owner, bytes);
}

bool guest_set_heap(struct guest *g, uint64_t bytes, struct error *err)
{
    return gpu_set_heap_bytes(g->machine->gpu, g->owner, bytes, err);
}

bool guest_set_stack(struct guest *g, uint64_t bytes, struct error *err)
{
    return gpu_set_stack_bytes(g->machine->gpu, g->owner, bytes, err);
}

void guest_free_heap(struct guest *g)
{
    gpu_free_heap(g->machine->gpu, g->owner);
}
