/* The event services by name, for `evgpu run --service NAME[,key=value...]`. */
#ifndef EVGPU_GUEST_SERVICE_SERVICE_H
#define EVGPU_GUEST_SERVICE_SERVICE_H

#include <stdio.h>

#include "base/error.h"
#include "sw/services/common/service.h"

/* NULL with the list of names in `err`. */
const struct event_service *service_find(const char *name, struct error *err);

/* For people: every service with its settings, then those that all have. */
void service_print(FILE *to);

#endif
