/* The Verilog parameters of tile mem_frontend that its variants change (rtl/evgpu.def), for the
 * golden model. */
#ifndef EVGPU_TB_MODEL_MEM_FRONTEND_PARAMETERS_H
#define EVGPU_TB_MODEL_MEM_FRONTEND_PARAMETERS_H

#include <stdint.h>

#include "evgpu_defs.h"

struct mem_frontend_parameters {
    uint32_t region_lines, grain_bytes, part_lines, look_ahead;
    uint32_t scheduler; /* 0: the stall counters alone */
};

static inline struct mem_frontend_parameters mem_frontend_defaults(void)
{
    return (struct mem_frontend_parameters){.region_lines = EVG_FE_REGION_LINES,
                                            .grain_bytes = EVG_FE_GRAIN_BYTES,
                                            .part_lines = EVG_FE_PART_LINES,
                                            .look_ahead = EVG_FE_LOOK_AHEAD,
                                            .scheduler = 1};
}

void *mem_frontend_model_create_with(const struct mem_frontend_parameters *parameters);

#endif
