/* The event services by name, for `evgpu run --service NAME[,key=value...]`. */
#ifndef EVGPU_GUEST_SERVICE_SERVICE_H
#define EVGPU_GUEST_SERVICE_SERVICE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "sw/services/common/service.h"

/* NULL with the list of names in `err`. */
const struct event_service *service_find(const char *name, struct error *err);

/* For people, when `text` asks for it: "help" prints every service with its settings, then those
 * that all have; "NAME,...,help" those of one. */
bool service_help(const char *text, FILE *to);

#endif
