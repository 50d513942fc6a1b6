/* The machine's services to every program: formatted output, assertions, dynamic memory. Owner:
 * system_call.c. */
#ifndef EVGPU_SIMT_PIPELINE_SYSTEM_CALL_H
#define EVGPU_SIMT_PIPELINE_SYSTEM_CALL_H

#include "sim/simt/warp/slots.h"

/* False: the program is at fault. Calls of what all cores share (malloc, free, launches) wait for
 * the cores' meeting, which calls system_call_service. */
bool system_call_issue(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask);
bool system_call_service(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask);
/* All of it at once, while no other core runs. */
bool system_call_now(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask);

#endif
