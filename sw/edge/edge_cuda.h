/* The EDGE API in a CUDA program (link with libcuda): an event kernel of the program's own,
 * launched by the device of a service on the same machine.
 *
 *   edge_cuda_port("ipv4", &port, &err);                      what the device does, whom it tells
 *   request.kernel = edge_cuda_kernel(function, &err);        function: a CUfunction
 *   request.requester = port.requester, request.completion = port.completion;
 *   event = edge_register_event(edge_cuda_driver(&err), &request, &err);        edge.h
 *   for each entry k: edge_set_completion(event, k, port.completion + 4 * k, &err);
 *                     edge_set_u64(event, k, 0, buffer[k], &err); ...
 *   edge_cuda_bind("ipv4", event, entries, &err);             the device begins
 *   edge_cuda_wait(&err);                                     until it has nothing more to do
 *   edge_unregister_event(event, &err);
 *
 * request.priority and request.promise are as in edge.h: a promise that cannot be kept fails the
 * registration with the reason. The device meters the traffic by its service's own settings
 * (`--service ipv4,kernel=program,promise_rate=PPS`).
 *
 * The buffers must stay allocated until then. A kernel of the runtime API becomes a CUfunction by
 * cudaGetFuncBySymbol. */
#ifndef EVGPU_SW_EDGE_CUDA_H
#define EVGPU_SW_EDGE_CUDA_H

#include <cuda.h>

#include "edge.h"
#include "edge_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One for the process; NULL with `err` when there is no simulator. */
const struct edge_driver *edge_cuda_driver(struct edge_error *err);

/* Lives as long as the process; NULL with `err`. */
const struct edge_kernel *edge_cuda_kernel(CUfunction function, struct edge_error *err);

/* False with `err`: there is no such service, or it takes no event kernels. */
bool edge_cuda_port(const char *service, struct edge_port_info *info, struct edge_error *err);

/* Device address of something the service provides; 0 when there is nothing of that name. */
uint64_t edge_port_resource(const struct edge_port_info *info, const char *name);

/* `entries`: edge_entries(event) of them. False with `err`: the device has a kernel, or a buffer
 * lies in no allocation of this process. From now on its kernels may access the service's
 * resources. */
bool edge_cuda_bind(const char *service, const struct edge_event *event,
                    const struct edge_port_entry *entries, struct edge_error *err);

/* Returns when the devices that this process has bound kernels to have nothing more to do. */
bool edge_cuda_wait(struct edge_error *err);

#ifdef __cplusplus
}
#endif

#endif
