/* The part of the golden model of sm_concurrency_unit that stands for rtl/cm/cm_next_core.v. */
#ifndef EVGPU_TB_MODEL_SM_CONCURRENCY_NEXT_H
#define EVGPU_TB_MODEL_SM_CONCURRENCY_NEXT_H

#include "sm_concurrency_unit.h"

struct sm_concurrency_next;

struct sm_concurrency_next *sm_concurrency_next_create(void);
void sm_concurrency_next_destroy(struct sm_concurrency_next *model);
void sm_concurrency_next_reset(struct sm_concurrency_next *model,
                               struct sm_concurrency_unit_out *out);
void sm_concurrency_next_step(struct sm_concurrency_next *model,
                              const struct sm_concurrency_unit_in *in,
                              struct sm_concurrency_unit_out *out);

#endif
