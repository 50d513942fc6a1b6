/* Control instructions whose effect does not depend on how their time is modelled: control.c. */
#ifndef EVGPU_SIMT_PIPELINE_CONTROL_H
#define EVGPU_SIMT_PIPELINE_CONTROL_H

#include "sim/simt/warp/slots.h"

/* Lanes of `mask`, which is not 0, go to the functions that they call. They may call different ones
 * by address; each must be there and have room for its frame, else the program is at fault. */
void control_call(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask);
/* pmevent of a kernel; events have none. Only with env.mark. */
void control_mark(struct slots *slots, uint32_t w, const struct inst *inst);

#endif
