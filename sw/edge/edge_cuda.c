#include "sw/edge/edge_cuda.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/core.h"
#include "sw/cuda/include/evgpu.h"

#define MESSAGE_ROOM 512

/* A kernel's description and the call's data in one piece. */
struct kernel_entry {
    uint64_t id; /* of the function: its address may become another one's */
    char *name;
    struct wire_event_function wire;
    struct edge_kernel kernel;
    struct edge_parameter parameters[WIRE_MAX_PARAMS];
    struct kernel_entry *next;
};

static struct {
    pthread_mutex_t lock;
    struct edge_driver driver;
    bool ready;
    struct kernel_entry *kernels;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* False with the simulator's reason. */
static bool make_call(struct evc_call *call, const char *what, struct edge_error *err)
{
    char reason[MESSAGE_ROOM] = "";
    call->message = reason;
    call->message_room = sizeof reason;
    CUresult status = evc_call(call);
    const char *name = evc_error_name((uint32_t)status, false);
    if (status == CUDA_SUCCESS)
        return true;
    return *reason ? edge_fail(err, "%s", reason)
                   : edge_fail(err, "%s: %s", what, name ? name : "unknown error");
}

/* --- the driver ---------------------------------------------------------------------------------
 */

static uint64_t driver_alloc(void *user, uint64_t bytes, uint64_t align)
{
    (void)user, (void)align; /* EVC_ALIGN is more than entries need */
    uint64_t address = 0;
    return evc_alloc(bytes, WIRE_DEVICE, 0, &address) == CUDA_SUCCESS ? address : 0;
}

static void driver_release(void *user, uint64_t address)
{
    (void)user;
    evc_free(address, WIRE_DEVICE);
}

static bool driver_write(void *user, uint64_t address, const void *data, uint64_t bytes,
                         struct edge_error *err)
{
    (void)user;
    struct evc_copy copy = {.dst = address,
                            .src = (uint64_t)(uintptr_t)data,
                            .width = bytes,
                            .height = 1,
                            .depth = 1,
                            .blocking = true};
    CUresult status = evc_copy(&copy);
    return status == CUDA_SUCCESS ||
           edge_fail(err, "write of %llu bytes to 0x%llx fails", (unsigned long long)bytes,
                     (unsigned long long)address);
}

static bool driver_command(void *user, const struct edge_command *command, uint32_t *code,
                           uint32_t *row, struct edge_error *err)
{
    (void)user;
    struct evc_call call = {
        .op = WIRE_EDGE_COMMAND, .payload = command, .payload_bytes = sizeof *command};
    if (!make_call(&call, "event kernel table", err))
        return false;
    *code = (uint32_t)call.v[0];
    *row = (uint32_t)call.v[1];
    return true;
}

const struct edge_driver *edge_cuda_driver(struct edge_error *err)
{
    struct edge_limits limits;
    struct evc_call call = {
        .op = WIRE_EDGE_LIMITS, .answer = &limits, .answer_room = sizeof limits};
    pthread_mutex_lock(&process.lock);
    if (!process.ready && make_call(&call, "event kernels", err)) {
        process.driver = (struct edge_driver){.limits = limits,
                                              .alloc = driver_alloc,
                                              .release = driver_release,
                                              .write = driver_write,
                                              .command = driver_command};
        process.ready = true;
    }
    pthread_mutex_unlock(&process.lock);
    return process.ready ? &process.driver : NULL;
}

/* --- kernels -------------------------------------------------------------------------------------
 */

static struct kernel_entry *find_kernel(CUfunction function)
{
    struct kernel_entry *e = process.kernels;
    while (e && e->id != function->id)
        e = e->next;
    return e;
}

static struct kernel_entry *describe(CUfunction function, struct edge_error *err)
{
    struct kernel_entry *e = calloc(1, sizeof *e);
    char *name = strdup(function->name);
    if (!e || !name) {
        free(e);
        free(name);
        edge_fail(err, "out of memory");
        return NULL;
    }
    struct evc_call call = {.op = WIRE_EDGE_FUNCTION,
                            .a = {function->id},
                            .answer = &e->wire,
                            .answer_room = sizeof e->wire};
    if (!make_call(&call, function->name, err)) {
        free(e);
        free(name);
        return NULL;
    }
    e->id = function->id;
    e->name = name;
    for (uint32_t i = 0; i < e->wire.n_params && i < WIRE_MAX_PARAMS; i++)
        e->parameters[i] = (struct edge_parameter){.name = e->wire.params[i].name,
                                                   .type = (enum edge_type)e->wire.params[i].type,
                                                   .offset = e->wire.params[i].offset,
                                                   .bytes = e->wire.params[i].bytes};
    e->kernel = (struct edge_kernel){.name = e->name,
                                     .defect = *e->wire.defect ? e->wire.defect : NULL,
                                     .code = e->wire.code,
                                     .registers = e->wire.registers,
                                     .shared_bytes = e->wire.shared_bytes,
                                     .local_bytes = e->wire.local_bytes,
                                     .max_threads = e->wire.max_threads,
                                     .parameter_bytes = e->wire.param_bytes,
                                     .n_parameters = e->wire.n_params,
                                     .parameters = e->parameters};
    e->next = process.kernels;
    process.kernels = e;
    return e;
}

const struct edge_kernel *edge_cuda_kernel(CUfunction function, struct edge_error *err)
{
    if (!evc_function_valid(function)) {
        edge_fail(err, "this is no kernel of a loaded module");
        return NULL;
    }
    pthread_mutex_lock(&process.lock);
    struct kernel_entry *e = find_kernel(function);
    if (!e)
        e = describe(function, err);
    pthread_mutex_unlock(&process.lock);
    return e ? &e->kernel : NULL;
}

/* --- devices -------------------------------------------------------------------------------------
 */

bool edge_cuda_port(const char *service, struct edge_port_info *info, struct edge_error *err)
{
    if (!service || !info)
        return edge_fail(err, "port: %s",
                         service ? "no place for what it is" : "no name of a service");
    struct evc_call call = {.op = WIRE_EDGE_PORT,
                            .payload = service,
                            .payload_bytes = strlen(service) + 1,
                            .answer = info,
                            .answer_room = sizeof *info};
    return make_call(&call, service, err);
}

uint64_t edge_port_resource(const struct edge_port_info *info, const char *name)
{
    for (uint32_t i = 0; info && name && i < info->n_resources && i < EDGE_PORT_RESOURCES; i++) {
        if (!strcmp(info->resources[i].name, name))
            return info->resources[i].address;
    }
    return 0;
}

bool edge_cuda_bind(const char *service, const struct edge_event *event,
                    const struct edge_port_entry *entries, struct edge_error *err)
{
    if (!service || !event || !entries)
        return edge_fail(err, "bind: %s",
                         !service ? "no name of a service"
                         : !event ? "no event kernel is registered"
                                  : "no entries");
    /* A name of whole words, so that the entries behind it are aligned. */
    size_t length = strlen(service) + 1, head = (length + 7) / 8 * 8;
    char *name = calloc(1, head);
    if (!name)
        return edge_fail(err, "out of memory");
    memcpy(name, service, length);
    struct evc_call call = {.op = WIRE_EDGE_BIND,
                            .a = {edge_row(event), edge_entries(event), head},
                            .head = name,
                            .head_bytes = head,
                            .payload = entries,
                            .payload_bytes = edge_entries(event) * sizeof *entries};
    bool bound = make_call(&call, service, err);
    free(name);
    return bound;
}

int evgpuServicesAtWork(void)
{
    struct evc_call call = {.op = WIRE_SERVICES};
    return evc_call(&call) == CUDA_SUCCESS && call.v[0];
}

bool edge_cuda_wait(struct edge_error *err)
{
    struct evc_call call = {.op = WIRE_EDGE_WAIT};
    return make_call(&call, "the device", err);
}
