/* Owners of what cores and memory count: grids by their dispatch slot, events by their row of the
 * event kernel table. */
#include "sim/gpu/gpu_internal.h"

#define MAX_GRIDS 32u
_Static_assert(1 + MAX_GRIDS + EVG_EKT_ROWS <= GPU_OWNERS, "every owner has a number");

uint16_t counts_grid_owner(uint32_t slot)
{
    return (uint16_t)(1 + slot);
}

uint16_t counts_row_owner(uint32_t row)
{
    return (uint16_t)(1 + MAX_GRIDS + row);
}

void counts_take(struct gpu *gpu, uint16_t owner, struct grid_counts *sum)
{
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        core_take_counts(gpu->sm[i].core, owner, &sum->core);
    struct traffic memory = memsys_traffic(gpu->memsys, owner);
    traffic_add(&sum->memory, &memory);
    memsys_clear_traffic(gpu->memsys, owner);
}

void gpu_take_event_counts(struct gpu *gpu, uint32_t row, struct grid_counts *sum)
{
    counts_take(gpu, counts_row_owner(row), sum);
    grid_counts_add(sum, &gpu->event_counts[row]);
    gpu->event_counts[row] = (struct grid_counts){.memory = {0}};
}
