/* The Verilog parameters of tile sm_concurrency_unit that its variants change (rtl/evgpu.def), for
 * the golden model. */
#ifndef EVGPU_TB_MODEL_SM_CONCURRENCY_UNIT_PARAMETERS_H
#define EVGPU_TB_MODEL_SM_CONCURRENCY_UNIT_PARAMETERS_H

#include <stdint.h>

struct sm_concurrency_unit_parameters {
    uint32_t next; /* 1: cm_next_core instead of cm_bal_core */
};

static inline struct sm_concurrency_unit_parameters sm_concurrency_unit_defaults(void)
{
    return (struct sm_concurrency_unit_parameters){.next = 0};
}

void *
sm_concurrency_unit_model_create_with(const struct sm_concurrency_unit_parameters *parameters);

#endif
