/* Full/empty bits of a program: its memory that has them, and what is done to the bits beside
 * copies. */
#include "sim/guest/program_internal.h"

static void no_region(struct host_thread *t, uint64_t cycle)
{
    host_fail(t, CUDA_ERROR_NOT_SUPPORTED, cycle, "machine %s has no memory with full/empty bits",
              machine_config(t->program->machine)->name);
}

void region_alloc(struct host_thread *t, uint64_t cycle)
{
    no_region(t, cycle);
}

void region_call(struct host_thread *t, uint64_t cycle)
{
    no_region(t, cycle);
}
