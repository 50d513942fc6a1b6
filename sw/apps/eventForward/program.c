/* eventForward [SERVICE [ENTRIES]]: brings its own forwarding kernel to the device of a service
 * (ipv4) that was started with kernel=program, and waits until the device has nothing more to do.
 * The service checks every packet. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/apps/common/app.h"
#include "sw/edge/edge_cuda.h"

static void fail(const struct edge_error *err)
{
    fprintf(stderr, "eventForward: %s\n", err->text);
    exit(APP_NO_GPU);
}

/* Buffers and arguments of one entry of the submission queue. */
static struct edge_port_entry make_entry(struct edge_event *event, uint32_t k,
                                         const struct edge_port_info *port)
{
    struct edge_error err = {.set = false};
    CUdeviceptr slots = app_buffer(NULL, (size_t)port->batch * port->slot_bytes);
    CUdeviceptr results = app_buffer(NULL, (size_t)port->batch * port->result_bytes);
    if (!edge_set_completion(event, k, port->completion + 4 * (uint64_t)k, &err) ||
        !edge_set_u64(event, k, 0, slots, &err) ||
        !edge_set_u32(event, k, 1, port->slot_bytes, &err) ||
        !edge_set_u64(event, k, 3, edge_port_resource(port, "level1"), &err) ||
        !edge_set_u64(event, k, 4, edge_port_resource(port, "level2"), &err) ||
        !edge_set_u64(event, k, 5, edge_port_resource(port, "hops"), &err) ||
        !edge_set_u64(event, k, 6, results, &err))
        fail(&err);
    return (struct edge_port_entry){.input = slots,
                                    .output = slots,
                                    .results = results,
                                    .count = edge_argument_address(event, k, 2)};
}

int main(int argc, char **argv)
{
    const char *service = argc > 1 ? argv[1] : "ipv4";
    uint32_t entries = app_number(argc, argv, 2, 16, 1, 1024);
    struct edge_error err = {.set = false};
    struct edge_port_info port;
    CUfunction kernel = app_kernel("eventForward", "event_forward.ptx", "event_forward");
    const struct edge_driver *driver = edge_cuda_driver(&err);
    if (!driver || !edge_cuda_port(service, &port, &err))
        fail(&err);
    if (entries > port.max_entries)
        entries = port.max_entries;

    struct edge_request request = {
        EDGE_TYPES(EDGE_I64, EDGE_I32, EDGE_I32, EDGE_I64, EDGE_I64, EDGE_I64, EDGE_I64),
        .kernel = edge_cuda_kernel(kernel, &err),
        .grid = {1, 1, 1},
        .block = {port.batch, 1, 1},
        .max_in_flight = entries,
        .requester = port.requester};
    struct edge_event *event = request.kernel ? edge_register_event(driver, &request, &err) : NULL;
    struct edge_port_entry *entry = calloc(entries, sizeof *entry);
    if (!event || !entry)
        fail(&err);
    for (uint32_t k = 0; k < entries; k++)
        entry[k] = make_entry(event, k, &port);
    if (!edge_cuda_bind(service, event, entry, &err) || !edge_cuda_wait(&err) ||
        !edge_unregister_event(event, &err))
        fail(&err);
    for (uint32_t k = 0; k < entries; k++) {
        APP_CALL(cuMemFree(entry[k].input));
        APP_CALL(cuMemFree(entry[k].results));
    }
    free(entry);
    printf("eventForward: the device of %s has nothing more to do\n", service);
    return 0;
}
