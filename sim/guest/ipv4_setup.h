/* The service `ipv4` from its settings: capture, routes, NIC. */
#ifndef EVGPU_GUEST_IPV4_SETUP_H
#define EVGPU_GUEST_IPV4_SETUP_H

#include "sim/guest/service.h"

extern const struct service_kind ipv4_service;

#endif
