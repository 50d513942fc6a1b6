/* What the EDGE API needs of a machine (sw/edge/edge.h), for a guest that registers event kernels
 * while no run is going on. */
#ifndef EVGPU_GUEST_EVENT_DRIVER_H
#define EVGPU_GUEST_EVENT_DRIVER_H

#include "sim/isa/module.h"
#include "sim/system/guest.h"
#include "sw/edge/edge.h"

struct event_driver {
    struct guest *guest;
    const struct module *module; /* whose kernels may be registered */
    struct edge_driver edge;
};

/* Fills *driver, which must stay where it is as long as events are registered with it. */
void event_driver_init(struct event_driver *driver, struct guest *guest,
                       const struct module *module);

#endif
