#include "sw/edge/edge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/alloc.h"

#define KERNEL_REGS_SHIFT 56 /* of cmd_kernel in rtl/evgpu.def: registers per thread / REG_UNIT */
#define CMD_SHARED_MAX    UINT16_MAX

struct edge_event {
    const struct edge_driver *driver;
    const struct kernel *kernel;
    uint64_t base, entry_bytes;
    uint32_t entries;
    uint32_t row;
};

/* Signed, unsigned and untyped bits of one size are the same parameter. */
static uint32_t type_bytes(enum ptx_type type)
{
    switch (type) {
    case PTX_B8:
    case PTX_U8:
    case PTX_S8:
        return 1;
    case PTX_B16:
    case PTX_U16:
    case PTX_S16:
    case PTX_F16:
        return 2;
    case PTX_B32:
    case PTX_U32:
    case PTX_S32:
    case PTX_F32:
        return 4;
    case PTX_B64:
    case PTX_U64:
    case PTX_S64:
    case PTX_F64:
        return 8;
    case PTX_PRED:
        break;
    }
    return 0;
}

static bool is_float(enum ptx_type type)
{
    return type == PTX_F16 || type == PTX_F32 || type == PTX_F64;
}

static bool is_aggregate(const struct kernel_param *param)
{
    return param->size > type_bytes((enum ptx_type)param->type);
}

static bool type_matches(const struct kernel_param *param, enum ptx_type type)
{
    if (is_aggregate(param))
        return type == PTX_B8;
    return type_bytes(type) == param->size &&
           is_float(type) == is_float((enum ptx_type)param->type);
}

static bool check_types(const struct edge_request *q, const struct kernel *kernel,
                        struct error *err)
{
    if (q->n_types != kernel->n_params)
        return error_set(err, "event kernel %s has %u parameters; the list has %u types", q->kernel,
                         kernel->n_params, q->n_types);
    for (uint32_t i = 0; i < q->n_types; i++)
        if (!type_matches(&kernel->params[i], q->types[i]))
            return error_set(err,
                             "event kernel %s: type %u of the list (%u bytes%s) is not that of "
                             "parameter %s (%u bytes%s)",
                             q->kernel, i, type_bytes(q->types[i]),
                             is_float(q->types[i]) ? ", float" : "", kernel->params[i].name,
                             kernel->params[i].size,
                             is_float((enum ptx_type)kernel->params[i].type) ? ", float" : "");
    return true;
}

static bool check_block(const struct edge_request *q, const struct kernel *kernel,
                        const struct edge_limits *limits, struct error *err)
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (q->grid[i] == 0 || q->block[i] == 0)
            return error_set(err, "event kernel %s: %s dimension %c is 0", q->kernel,
                             q->grid[i] ? "block" : "grid", "xyz"[i]);
        if (q->block[i] > EVG_BLOCK_THREADS)
            return error_set(err, "event kernel %s: block dimension %c is %u; at most %u threads",
                             q->kernel, "xyz"[i], q -> block[i], EVG_BLOCK_THREADS);
        threads *= q->block[i];
    }
    uint32_t most = limits->block_threads;
    if (kernel->max_threads && kernel->max_threads < most)
        most = kernel->max_threads;
    if (threads > most)
        return error_set(err, "event kernel %s: a block of %" PRIu64 " threads; at most %u",
                         q->kernel, threads, most);
    uint64_t warps = (threads + WARP_SIZE - 1) / WARP_SIZE;
    if (warps * WARP_SIZE * kernel->regs > limits->registers)
        return error_set(
            err,
            "event kernel %s: a block needs %" PRIu64 " registers (%u per thread); a core has %u",
            q->kernel, warps * WARP_SIZE * kernel->regs, kernel->regs, limits->registers);
    return true;
}

static bool check_memory(const struct edge_request *q, const struct kernel *kernel,
                         const struct edge_limits *limits, struct error *err)
{
    uint64_t shared = (uint64_t)kernel->shared_bytes + q->shared_bytes;
    uint32_t most = limits->shared_bytes < CMD_SHARED_MAX ? limits->shared_bytes : CMD_SHARED_MAX;
    if (shared > most)
        return error_set(err,
                         "event kernel %s: %" PRIu64 " bytes of shared memory per block; at most "
                         "%u",
                         q->kernel, shared, most);
    if (kernel->local_bytes > limits->local_bytes)
        return error_set(err,
                         "event kernel %s: %u bytes of local memory per thread; an event may "
                         "use %u",
                         q->kernel, kernel->local_bytes, limits->local_bytes);
    if (q->max_in_flight == 0)
        return error_set(err, "event kernel %s: the number of events in flight must be 1 or more",
                         q->kernel);
    return true;
}

static bool create_queue(struct edge_event *e, uint32_t entries, struct error *err)
{
    const struct edge_driver *d = e->driver;
    uint64_t bytes = PARAM_HEADER_BYTES + (uint64_t)e->kernel->param_bytes;
    e->entry_bytes = (bytes + EVG_ENTRY_ALIGN - 1) / EVG_ENTRY_ALIGN * EVG_ENTRY_ALIGN;
    e->entries = entries;
    e->base = d->alloc(d->user, e->entry_bytes * entries, EVG_ENTRY_ALIGN);
    if (!e->base)
        return error_set(err,
                         "event kernel %s: no device memory for a submission queue of %u entries "
                         "of %" PRIu64 " bytes",
                         e->kernel->name, entries, e->entry_bytes);
    uint8_t *zeros = alloc_array(e->entry_bytes, 1);
    bool ok = true;
    for (uint32_t k = 0; ok && k < entries; k++)
        ok = d->write(d->user, edge_entry_address(e, k), zeros, e->entry_bytes, err);
    free(zeros);
    return ok;
}

static bool register_row(struct edge_event *e, const struct edge_request *q, struct error *err)
{
    const struct edge_driver *d = e->driver;
    struct frontend_command command = {
        .op = FRONTEND_CMD_REGISTER,
        .requester = q->requester,
        .kernel = e->kernel->code_address | (uint64_t)(e->kernel->regs / EVG_REG_UNIT)
                                                << KERNEL_REGS_SHIFT,
        .base = e->base,
        .size = e->entry_bytes,
        .last = edge_entry_address(e, e->entries - 1),
        .dims = {q->grid[0], q->grid[1], q->grid[2], q->block[0], q->block[1], q->block[2]},
        .shared = (uint16_t)(e->kernel->shared_bytes + q->shared_bytes),
    };
    uint32_t code;
    if (!d->command(d->user, &command, &code, &e->row, err))
        return false;
    if (code == FRONTEND_CODE_OK)
        return true;
    if (code == FRONTEND_CODE_FULL)
        return error_set(err,
                         "event kernel %s: the event kernel table is full (%u rows); unregister "
                         "another event first",
                         q->kernel, EVG_EKT_ROWS);
    return error_set(err, "event kernel %s: the GPU refused the registration (code %u)", q->kernel,
                     code);
}

struct edge_event *edge_register_event(const struct edge_driver *driver,
                                       const struct edge_request *request, struct error *err)
{
    const struct kernel *kernel = driver->kernel(driver->user, request->kernel);
    if (!kernel) {
        error_set(err, "there is no kernel named %s", request->kernel);
        return NULL;
    }
    if (kernel->defect) {
        error_set(err, "event kernel %.80s cannot run: %s", request->kernel, kernel->defect);
        return NULL;
    }
    if (!check_types(request, kernel, err) || !check_block(request, kernel, &driver->limits, err) ||
        !check_memory(request, kernel, &driver->limits, err))
        return NULL;
    struct edge_event *e = ALLOC(struct edge_event);
    e->driver = driver;
    e->kernel = kernel;
    if (create_queue(e, request->max_in_flight, err) && register_row(e, request, err))
        return e;
    if (e->base)
        driver->release(driver->user, e->base);
    free(e);
    return NULL;
}

bool edge_unregister_event(struct edge_event *e, struct error *err)
{
    const struct edge_driver *d = e->driver;
    struct frontend_command command = {.op = FRONTEND_CMD_UNREGISTER, .row = (uint8_t)e->row};
    uint32_t code, row;
    if (!d->command(d->user, &command, &code, &row, err))
        return false;
    if (code != FRONTEND_CODE_OK)
        return error_set(err, "event kernel %s: the GPU refused to unregister row %u (code %u)",
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
    return edge_entry_address(e, entry) + PARAM_HEADER_BYTES + e->kernel->params[index].offset;
}

static bool check_entry(const struct edge_event *e, uint32_t entry, struct error *err)
{
    if (entry >= e->entries)
        return error_set(err, "event kernel %s: entry %u; the submission queue has %u entries",
                         e->kernel->name, entry, e->entries);
    return true;
}

bool edge_set_completion(struct edge_event *e, uint32_t entry, uint64_t pointer, struct error *err)
{
    return check_entry(e, entry, err) &&
           e->driver->write(e->driver->user, edge_entry_address(e, entry), &pointer, sizeof pointer,
                            err);
}

bool edge_set_argument(struct edge_event *e, uint32_t entry, uint32_t index, enum ptx_type type,
                       const void *value, uint32_t bytes, struct error *err)
{
    if (!check_entry(e, entry, err))
        return false;
    if (index >= e->kernel->n_params)
        return error_set(err, "event kernel %s: argument %u; it has %u parameters", e->kernel->name,
                         index, e->kernel->n_params);
    const struct kernel_param *param = &e->kernel->params[index];
    if (bytes != param->size || !type_matches(param, type))
        return error_set(
            err, "event kernel %s: argument %u is %u bytes%s; parameter %s is %u bytes%s",
            e->kernel->name, index, bytes, is_float(type) ? ", float" : "", param->name,
            param->size, is_float((enum ptx_type)param->type) ? ", float" : "");
    return e->driver->write(e->driver->user, edge_argument_address(e, entry, index), value, bytes,
                            err);
}

bool edge_set_u32(struct edge_event *e, uint32_t entry, uint32_t index, uint32_t value,
                  struct error *err)
{
    return edge_set_argument(e, entry, index, PTX_U32, &value, sizeof value, err);
}

bool edge_set_u64(struct edge_event *e, uint32_t entry, uint32_t index, uint64_t value,
                  struct error *err)
{
    return edge_set_argument(e, entry, index, PTX_U64, &value, sizeof value, err);
}

bool edge_set_f32(struct edge_event *e, uint32_t entry, uint32_t index, float value,
                  struct error *err)
{
    return edge_set_argument(e, entry, index, PTX_F32, &value, sizeof value, err);
}
