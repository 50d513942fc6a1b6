/* What the machine does for every program: formatted output, assertions, dynamic memory. Owner:
 * system_call.c. */
#ifndef EVGPU_SIMT_SYSTEM_CALL_H
#define EVGPU_SIMT_SYSTEM_CALL_H

#include "sim/simt/units.h"

struct core;

/* False: the program is at fault. */
bool service_issue(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask);

#endif
