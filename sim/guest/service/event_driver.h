/* The machine's side of the EDGE API (sw/edge/edge.h), for a guest that registers event kernels
 * while no run is going on. */
#ifndef EVGPU_GUEST_SERVICE_EVENT_DRIVER_H
#define EVGPU_GUEST_SERVICE_EVENT_DRIVER_H

#include "sim/ptx/module.h"
#include "sim/system/guest.h"
#include "sw/edge/edge.h"

struct event_driver {
    struct guest *guest;
    struct edge_driver edge;
    struct edge_kernel kernel;
    struct edge_parameter *parameters; /* of the kernel */
};

/* For events of one kernel. Must stay where it is, and unfreed, as long as events are registered
 * with it. */
void event_driver_init(struct event_driver *driver, struct guest *guest,
                       const struct kernel *kernel);
void event_driver_free(struct event_driver *driver);

/* The library's view of a loaded kernel; the parameters are to be freed by the caller. */
struct edge_kernel event_kernel(const struct kernel *kernel, struct edge_parameter **parameters);

struct frontend_command event_command(const struct edge_command *command);

/* Registers of a core that let it run as many events as it holds, of so many registers per thread,
 * beside any kernel. */
uint32_t event_reserve(uint32_t registers);

/* Before `wire` is sent: a registration is refused, with `err`, if its kernel or its queue are not
 * the guest's, the kernel does not fit the row, or its promise cannot be kept, an abort if the row
 * is another guest's. */
bool event_admit(struct guest *guest, const struct edge_command *command,
                 struct frontend_command *wire, struct error *err);

/* The limits for registrations on this machine. */
struct edge_limits event_limits(const struct machine *m);

#endif
