/* The machine's services to every program: formatted output, assertions, dynamic memory. Owner:
 * system_call.c. */
#ifndef EVGPU_SIMT_PIPELINE_SYSTEM_CALL_H
#define EVGPU_SIMT_PIPELINE_SYSTEM_CALL_H

#include "sim/simt/warp/slots.h"

struct slots;

/* False: the program is at fault. */
bool system_call_issue(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask);

#endif
