/* A guest whose kernel fills every core and does not end: loads that miss all caches, stores,
 * arithmetic and barriers. For measurements under contention; the machine is to be stopped. */
#ifndef EVGPU_GUEST_KERNEL_STRESS_H
#define EVGPU_GUEST_KERNEL_STRESS_H

#include "sim/system/machine.h"

bool stress_create(struct machine *m, struct error *err);

#endif
