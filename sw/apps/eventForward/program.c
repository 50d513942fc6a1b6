/* eventForward: brings its own forwarding kernel to the device of a service
 * (ipv4) that was started with kernel=program, and waits until the device has nothing more to do.
 * The service checks every packet. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/apps/common/app.h"
#include "sw/edge/edge_cuda.h"

enum { SERVICE, ENTRIES };

static void fail(const struct edge_error *err)
{
    fprintf(stderr, "eventForward: %s\n", err->text);
    exit(APP_NO_GPU);
}

/* Buffers and arguments of one entry of the submission queue. */
static struct edge_port_entry make_entry(struct app *app, struct edge_event *event, uint32_t k,
                                         const struct edge_port_info *port)
{
    struct edge_error err = {.set = false};
    CUdeviceptr slots = app_buffer(app, NULL, (size_t)port->batch * port->slot_bytes);
    CUdeviceptr results = app_buffer(app, NULL, (size_t)port->batch * port->result_bytes);
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
    struct app_option options[] = {[SERVICE] = {"service",
                                                "service that was started with kernel=program",
                                                APP_TEXT, .text = "ipv4"},
                                   [ENTRIES] = {"entries", "entries of the submission queue",
                                                .number = 16, .min = 1, .max = 1024}};
    struct app app = {
        .name = "eventForward",
        .doc = "Brings a forwarding kernel of its own to the device of a service and waits "
               "until the device has nothing more to do. The service checks every packet.",
        .options = options,
        .count = 2};
    app_start(&app, argc, argv);
    const char *service = options[SERVICE].text;
    uint32_t entries = options[ENTRIES].number;
    struct edge_error err = {.set = false};
    struct edge_port_info port;
    CUfunction kernel = app_kernel(&app, "event_forward", "event_forward");
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
        .requester = port.requester,
        .completion = port.completion};
    struct edge_event *event = request.kernel ? edge_register_event(driver, &request, &err) : NULL;
    struct edge_port_entry *entry = APP_ARRAY(&app, struct edge_port_entry, entries);
    if (!event)
        fail(&err);
    for (uint32_t k = 0; k < entries; k++)
        entry[k] = make_entry(&app, event, k, &port);
    if (!edge_cuda_bind(service, event, entry, &err) || !edge_cuda_wait(&err) ||
        !edge_unregister_event(event, &err))
        fail(&err);
    printf("eventForward: the device of %s has nothing more to do\n", service);
    return app_end(&app, true);
}
