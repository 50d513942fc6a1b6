#include "sw/edge/edge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "evgpu_defs.h"

_Static_assert(EDGE_PRIORITIES == 1u << EVG_PRIORITY_BITS, "priorities of rtl/evgpu.def");

#define WARP_THREADS      32u
#define HEADER_BYTES      16u /* of an entry */
#define KERNEL_REGS_SHIFT 56  /* of cmd_kernel in rtl/evgpu.def: registers per thread / REG_UNIT */
#define CMD_SHARED_MAX    UINT16_MAX

struct edge_event {
    const struct edge_driver *driver;
    const struct edge_kernel *kernel;
    uint64_t base, entry_bytes;
    uint32_t entries;
    uint32_t row;
};

bool edge_fail(struct edge_error *err, const char *format, ...)
{
    if (!err || err->set)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    err->set = true;
    return false;
}

static uint32_t type_bytes(enum edge_type type)
{
    static const uint8_t bytes[] = {[EDGE_I8] = 1,  [EDGE_I16] = 2, [EDGE_I32] = 4, [EDGE_I64] = 8,
                                    [EDGE_F16] = 2, [EDGE_F32] = 4, [EDGE_F64] = 8, [EDGE_ANY] = 0};
    return bytes[type];
}

static bool is_float(enum edge_type type)
{
    return type == EDGE_F16 || type == EDGE_F32 || type == EDGE_F64;
}

static bool type_matches(const struct edge_parameter *parameter, enum edge_type type)
{
    if (parameter->type == EDGE_BYTES || type == EDGE_BYTES)
        return type == EDGE_BYTES && (parameter->type == type || parameter->type == EDGE_ANY);
    return type_bytes(type) == parameter->bytes &&
           (parameter->type == EDGE_ANY || is_float(type) == is_float(parameter->type));
}

static bool check_types(const struct edge_request *q, const struct edge_kernel *kernel,
                        struct edge_error *err)
{
    if (q->n_types != kernel->n_parameters)
        return edge_fail(err, "event kernel %s has %u parameters; the list has %u types",
                         kernel->name, kernel->n_parameters, q->n_types);
    if (q->n_types && !q->types)
        return edge_fail(err, "event kernel %s: no list of the %u types", kernel->name, q->n_types);
    for (uint32_t i = 0; i < q->n_types; i++) {
        if ((uint32_t)q->types[i] > EDGE_ANY)
            return edge_fail(err, "event kernel %s: type %u of the list is %u, which is none",
                             kernel->name, i, (uint32_t)q->types[i]);
        if (!type_matches(&kernel->parameters[i], q->types[i]))
            return edge_fail(err,
                             "event kernel %s: type %u of the list (%u bytes%s) is not that of "
                             "parameter %s (%u bytes%s)",
                             kernel->name, i, type_bytes(q->types[i]),
                             is_float(q->types[i]) ? ", float" : "", kernel->parameters[i].name,
                             kernel->parameters[i].bytes,
                             is_float(kernel->parameters[i].type) ? ", float" : "");
    }
    return true;
}

static bool check_block(const struct edge_request *q, const struct edge_kernel *kernel,
                        const struct edge_limits *limits, struct edge_error *err)
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (q->grid[i] == 0 || q->block[i] == 0)
            return edge_fail(err, "event kernel %s: %s dimension %c is 0", kernel->name,
                             q->grid[i] ? "block" : "grid", "xyz"[i]);
        if (q->block[i] > EVG_BLOCK_THREADS)
            return edge_fail(err, "event kernel %s: block dimension %c is %u; at most %u threads",
                             kernel->name, "xyz"[i], q -> block[i], EVG_BLOCK_THREADS);
        threads *= q->block[i];
    }
    uint32_t most = limits->block_threads;
    if (kernel->max_threads && kernel->max_threads < most)
        most = kernel->max_threads;
    if (threads > most)
        return edge_fail(err, "event kernel %s: a block of %" PRIu64 " threads; at most %u",
                         kernel->name, threads, most);
    uint64_t warps = (threads + WARP_THREADS - 1) / WARP_THREADS;
    if (warps * WARP_THREADS * kernel->registers > limits->registers)
        return edge_fail(err,
                         "event kernel %s: a block needs %" PRIu64
                         " registers (%u per thread); a core has %u",
                         kernel->name, warps * WARP_THREADS * kernel->registers, kernel->registers,
                         limits->registers);
    return true;
}

static bool check_memory(const struct edge_request *q, const struct edge_kernel *kernel,
                         const struct edge_limits *limits, struct edge_error *err)
{
    uint64_t shared = (uint64_t)kernel->shared_bytes + q->shared_bytes;
    uint32_t most = limits->shared_bytes < CMD_SHARED_MAX ? limits->shared_bytes : CMD_SHARED_MAX;
    if (shared > most)
        return edge_fail(err,
                         "event kernel %s: %" PRIu64 " bytes of shared memory per block; at most "
                         "%u",
                         kernel->name, shared, most);
    if (kernel->local_bytes > limits->local_bytes)
        return edge_fail(err,
                         "event kernel %s: %u bytes of local memory per thread; an event may "
                         "use %u",
                         kernel->name, kernel->local_bytes, limits->local_bytes);
    if (q->max_in_flight == 0)
        return edge_fail(err, "event kernel %s: the number of events in flight must be 1 or more",
                         kernel->name);
    if (q->max_in_flight > EVG_ROW_EVENTS)
        return edge_fail(err, "event kernel %s: %u events in flight; at most %u", kernel->name,
                         q->max_in_flight, EVG_ROW_EVENTS);
    if (q->priority >= EDGE_PRIORITIES)
        return edge_fail(err, "event kernel %s: priority %u; 0 to %u, the highest first",
                         kernel->name, q->priority, EDGE_PRIORITIES - 1);
    return true;
}

static bool check_completion(const struct edge_request *q, const struct edge_kernel *kernel,
                             struct edge_error *err)
{
    uint64_t bytes = (uint64_t)q->max_in_flight * EVG_FLAG_BYTES;
    if (q->completion % EVG_FLAG_BYTES)
        return edge_fail(
            err, "event kernel %s: completion queue at 0x%" PRIx64 "; flags lie at multiples of %u",
            kernel->name, q->completion, EVG_FLAG_BYTES);
    if (q->completion && q->completion + (bytes - 1) < q->completion)
        return edge_fail(err,
                         "event kernel %s: completion queue at 0x%" PRIx64
                         " of %u flags passes the end of the bus",
                         kernel->name, q->completion, q->max_in_flight);
    return true;
}

static bool create_queue(struct edge_event *e, uint32_t entries, struct edge_error *err)
{
    const struct edge_driver *d = e->driver;
    uint64_t bytes = HEADER_BYTES + (uint64_t)e->kernel->parameter_bytes;
    e->entry_bytes = (bytes + EVG_ENTRY_ALIGN - 1) / EVG_ENTRY_ALIGN * EVG_ENTRY_ALIGN;
    e->entries = entries;
    e->base = d->alloc(d->user, e->entry_bytes * entries, EVG_ENTRY_ALIGN);
    if (!e->base)
        return edge_fail(err,
                         "event kernel %s: no device memory for a submission queue of %u entries "
                         "of %" PRIu64 " bytes",
                         e->kernel->name, entries, e->entry_bytes);
    uint8_t *zeros = calloc(e->entry_bytes, 1);
    bool ok = zeros != NULL || edge_fail(err, "event kernel %s: out of memory", e->kernel->name);
    for (uint32_t k = 0; ok && k < entries; k++)
        ok = d->write(d->user, edge_entry_address(e, k), zeros, e->entry_bytes, err);
    free(zeros);
    return ok;
}

static bool register_row(struct edge_event *e, const struct edge_request *q, struct edge_error *err)
{
    const struct edge_driver *d = e->driver;
    struct edge_command command = {
        .op = FRONTEND_CMD_REGISTER,
        .requester = q->requester,
        .kernel = e->kernel->code | (uint64_t)(e->kernel->registers / EVG_REG_UNIT)
                                        << KERNEL_REGS_SHIFT,
        .base = e->base,
        .size = e->entry_bytes,
        .last = edge_entry_address(e, e->entries - 1),
        .flag_first = q->completion,
        .flag_last =
            q->completion ? q->completion + (e->entries - 1) * (uint64_t)EVG_FLAG_BYTES : 0,
        .dims = {q->grid[0], q->grid[1], q->grid[2], q->block[0], q->block[1], q->block[2]},
        .shared = (uint16_t)(e->kernel->shared_bytes + q->shared_bytes),
        .priority = (uint8_t)q->priority,
        .promise = q->promise,
    };
    uint32_t code;
    if (!d->command(d->user, &command, &code, &e->row, err))
        return false;
    if (code == FRONTEND_CODE_OK)
        return true;
    if (code == FRONTEND_CODE_FULL)
        return edge_fail(
            err,
            "event kernel %s: the event kernel table is full; unregister another event "
            "first",
            e->kernel->name);
    return edge_fail(err, "event kernel %s: the GPU refused the registration (code %u)",
                     e->kernel->name, code);
}

struct edge_event *edge_register_event(const struct edge_driver *driver,
                                       const struct edge_request *request, struct edge_error *err)
{
    const struct edge_kernel *kernel = request ? request->kernel : NULL;
    if (!driver || !kernel) {
        edge_fail(err, "registration of an event kernel without %s", driver ? "one" : "a driver");
        return NULL;
    }
    if (kernel->defect) {
        edge_fail(err, "event kernel %.80s cannot run: %s", kernel->name, kernel->defect);
        return NULL;
    }
    if (!check_types(request, kernel, err) || !check_block(request, kernel, &driver->limits, err) ||
        !check_memory(request, kernel, &driver->limits, err) ||
        !check_completion(request, kernel, err))
        return NULL;
    struct edge_event *e = calloc(1, sizeof *e);
    if (!e) {
        edge_fail(err, "event kernel %.80s: out of memory", kernel->name);
        return NULL;
    }
    e->driver = driver;
    e->kernel = kernel;
    if (create_queue(e, request->max_in_flight, err) && register_row(e, request, err))
        return e;
    if (e->base)
        driver->release(driver->user, e->base);
    free(e);
    return NULL;
}

static bool no_event(struct edge_error *err)
{
    return edge_fail(err, "no event kernel is registered");
}

bool edge_unregister_event(struct edge_event *e, struct edge_error *err)
{
    if (!e)
        return no_event(err);
    const struct edge_driver *d = e->driver;
    struct edge_command command = {.op = FRONTEND_CMD_UNREGISTER, .row = (uint8_t)e->row};
    uint32_t code, row;
    if (!d->command(d->user, &command, &code, &row, err))
        return false;
    if (code != FRONTEND_CODE_OK)
        return edge_fail(err, "event kernel %s: the GPU refused to unregister row %u (code %u)",
                         e->kernel->name, e->row, code);
    d->release(d->user, e->base);
    free(e);
    return true;
}

void edge_abandon_event(struct edge_event *e)
{
    free(e);
}

uint32_t edge_row(const struct edge_event *e)
{
    return e->row;
}

uint32_t edge_doorbell(const struct edge_event *e)
{
    return e->row * EVG_DOORBELL_PAGE;
}

uint32_t edge_entries(const struct edge_event *e)
{
    return e->entries;
}

uint64_t edge_entry_bytes(const struct edge_event *e)
{
    return e->entry_bytes;
}

uint64_t edge_entry_address(const struct edge_event *e, uint32_t entry)
{
    return e->base + entry * e->entry_bytes;
}

uint64_t edge_argument_address(const struct edge_event *e, uint32_t entry, uint32_t index)
{
    if (entry >= e->entries || index >= e->kernel->n_parameters)
        return 0;
    return edge_entry_address(e, entry) + HEADER_BYTES + e->kernel->parameters[index].offset;
}

static bool check_entry(const struct edge_event *e, uint32_t entry, struct edge_error *err)
{
    if (!e)
        return no_event(err);
    if (entry >= e->entries)
        return edge_fail(err, "event kernel %s: entry %u; the submission queue has %u entries",
                         e->kernel->name, entry, e->entries);
    return true;
}

bool edge_abort_event(struct edge_event *e, uint32_t entry, bool *ended, struct edge_error *err)
{
    uint32_t code, row;
    if (!check_entry(e, entry, err))
        return false;
    const struct edge_driver *d = e->driver;
    struct edge_command command = {
        .op = FRONTEND_CMD_ABORT, .row = (uint8_t)e->row, .base = edge_entry_address(e, entry)};
    if (!d->command(d->user, &command, &code, &row, err))
        return false;
    *ended = code == FRONTEND_CODE_OK;
    if (*ended || code == FRONTEND_CODE_NOT_RUNNING)
        return true;
    return edge_fail(err, "event kernel %s: the GPU refused to abort an event of row %u (code %u)",
                     e->kernel->name, e->row, code);
}

bool edge_set_completion(struct edge_event *e, uint32_t entry, uint64_t pointer,
                         struct edge_error *err)
{
    return check_entry(e, entry, err) &&
           e->driver->write(e->driver->user, edge_entry_address(e, entry), &pointer, sizeof pointer,
                            err);
}

bool edge_set_argument(struct edge_event *e, uint32_t entry, uint32_t index, enum edge_type type,
                       const void *value, uint32_t bytes, struct edge_error *err)
{
    if (!check_entry(e, entry, err))
        return false;
    if (index >= e->kernel->n_parameters)
        return edge_fail(err, "event kernel %s: argument %u; it has %u parameters", e->kernel->name,
                         index, e->kernel->n_parameters);
    const struct edge_parameter *param = &e->kernel->parameters[index];
    if ((uint32_t)type > EDGE_ANY || !value)
        return edge_fail(err, "event kernel %s: argument %u has no %s", e->kernel->name, index,
                         value ? "type that there is" : "value");
    if (bytes != param->bytes || !type_matches(param, type))
        return edge_fail(err,
                         "event kernel %s: argument %u is %u bytes%s; parameter %s is %u bytes%s",
                         e->kernel->name, index, bytes, is_float(type) ? ", float" : "",
                         param->name, param->bytes, is_float(param->type) ? ", float" : "");
    return e->driver->write(e->driver->user, edge_argument_address(e, entry, index), value, bytes,
                            err);
}

bool edge_set_u32(struct edge_event *e, uint32_t entry, uint32_t index, uint32_t value,
                  struct edge_error *err)
{
    return edge_set_argument(e, entry, index, EDGE_I32, &value, sizeof value, err);
}

bool edge_set_u64(struct edge_event *e, uint32_t entry, uint32_t index, uint64_t value,
                  struct edge_error *err)
{
    return edge_set_argument(e, entry, index, EDGE_I64, &value, sizeof value, err);
}

bool edge_set_f32(struct edge_event *e, uint32_t entry, uint32_t index, float value,
                  struct edge_error *err)
{
    return edge_set_argument(e, entry, index, EDGE_F32, &value, sizeof value, err);
}
