/* Host side of sw/apps/sssp/sssp.cu. */
#ifndef EVGPU_SW_SSSP_H
#define EVGPU_SW_SSSP_H

#include <stdint.h>

#include "sw/apps/common/graph.h"

#define SSSP_FAR UINT32_MAX /* no way */

/* Dijkstra. Ways longer than SSSP_FAR - 1 are none. */
void sssp_reference(const struct graph *graph, uint32_t source, uint32_t *distance);

#endif
