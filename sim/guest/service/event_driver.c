#include "sim/guest/service/event_driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/system/machine.h"

static uint64_t driver_alloc(void *user, uint64_t bytes, uint64_t align)
{
    const struct event_driver *d = user;
    uint64_t address = guest_alloc(d->guest, bytes, align, NULL);
    guest_describe(d->guest, address,
                   &(struct image_note){.what = "submission queue", .initialised = true});
    return address;
}

static void driver_release(void *user, uint64_t address)
{
    const struct event_driver *d = user;
    guest_release(d->guest, address, NULL);
}

static bool driver_write(void *user, uint64_t address, const void *data, uint64_t bytes,
                         struct edge_error *err)
{
    const struct event_driver *d = user;
    void *memory = machine_memory(guest_machine(d->guest), address, bytes);
    if (!memory)
        return edge_fail(err, "write of %llu bytes to 0x%llx, outside device memory",
                         (unsigned long long)bytes, (unsigned long long)address);
    memcpy(memory, data, bytes);
    return true;
}

static bool driver_command_now(void *user, const struct edge_command *command, uint32_t *code,
                               uint32_t *row, struct edge_error *err)
{
    const struct event_driver *d = user;
    struct error why = {0};
    struct frontend_command wire = event_command(command);
    if (event_admit(d->guest, command, &wire, &why) &&
        machine_command(d->guest, &wire, code, row, &why))
        return true;
    return edge_fail(err, "%s", why.text);
}

struct frontend_command event_command(const struct edge_command *command)
{
    struct frontend_command wire = {.op = command->op,
                                    .row = command->row,
                                    .requester = command->requester,
                                    .kernel = command->kernel,
                                    .base = command->base,
                                    .size = command->size,
                                    .last = command->last,
                                    .shared = command->shared,
                                    .flag_first = command->flag_first,
                                    .flag_last = command->flag_last,
                                    .priority = command->priority};
    memcpy(wire.dims, command->dims, sizeof wire.dims);
    return wire;
}

uint32_t event_reserve(uint32_t registers)
{
    return EVG_PEWT_ENTRIES * EVG_WARP_LANES * registers;
}

/* An event must come to a warp beside any kernel. */
static bool check_machine(struct guest *guest, const struct edge_command *command,
                          struct error *err)
{
    const struct machine *m = guest_machine(guest);
    const struct machine_config *c = machine_config(m);
    uint32_t mode = machine_options(m)->mode;
    uint32_t reserve = event_reserve((uint32_t)(command->kernel >> 56) * EVG_REG_UNIT);
    if (mode == SCHED_MODE_DRAIN)
        return error_set(
            err,
            "%s: no p99 can be promised with --sched drain, where events wait for warps to end",
            guest_name(guest));
    if (mode == SCHED_MODE_RESERVE && c->events.drain != EVENT_DRAIN_CORE)
        return error_set(err,
                         "%s: no p99 can be promised where events are thread blocks and wait for "
                         "kernel management; set event.drain=core",
                         guest_name(guest));
    if (mode == SCHED_MODE_RESERVE ||
        (c->events.spare_registers && c->core.register_reserve >= reserve))
        return true;
    return error_set(
        err,
        "%s: no p99 can be promised: an event cannot preempt a kernel with fewer registers; set "
        "event.registers = spare and event.register_reserve = %u or more",
        guest_name(guest), reserve);
}

/* What the hardware takes as it is: the row's kernel is the guest's and fits the row, and all
 * entries of its queue lie in one allocation of the guest. */
static bool check_row(struct guest *guest, const struct edge_command *c, struct error *err)
{
    uint64_t code = c->kernel & (((uint64_t)1 << 56) - 1);
    uint32_t registers = (uint32_t)(c->kernel >> 56) * EVG_REG_UNIT;
    const struct kernel *kernel = guest_kernel(guest, code);
    if (!kernel)
        return error_set(err, "%s: no kernel of it begins at code address 0x%llx",
                         guest_name(guest), (unsigned long long)code);
    if (kernel->regs != registers)
        return error_set(err, "%s: event kernel %s needs %u registers per thread, not %u",
                         guest_name(guest), kernel->name, kernel->regs, registers);
    if (kernel->local_bytes > EVENT_LOCAL_BYTES)
        return error_set(err,
                         "%s: event kernel %s needs %u bytes of local memory per thread; an event "
                         "may use %u",
                         guest_name(guest), kernel->name, kernel->local_bytes, EVENT_LOCAL_BYTES);
    if (c->size < (uint64_t)PARAM_HEADER_BYTES + kernel->param_bytes || c->last < c->base ||
        (c->last - c->base) % c->size || c->last - c->base > UINT64_MAX - c->size ||
        !guest_holds(guest, c->base, c->last - c->base + c->size))
        return error_set(err,
                         "%s: the submission queue of event kernel %s, entries of %llu bytes from "
                         "0x%llx to 0x%llx, is too small or lies in no allocation of it",
                         guest_name(guest), kernel->name, (unsigned long long)c->size,
                         (unsigned long long)c->base, (unsigned long long)c->last);
    return true;
}

bool event_admit(struct guest *guest, const struct edge_command *command,
                 struct frontend_command *wire, struct error *err)
{
    if (command->op != FRONTEND_CMD_REGISTER && !guest_has_row(guest, command->row))
        return error_set(err, "%s: row %u of the event kernel table belongs to another guest",
                         guest_name(guest), command->row);
    if (command->op == FRONTEND_CMD_REGISTER && !check_row(guest, command, err))
        return false;
    if (command->op == FRONTEND_CMD_REGISTER && command->promise.p99_ns &&
        !check_machine(guest, command, err))
        return false;
    return command->op != FRONTEND_CMD_REGISTER ||
           guest_admit(guest, command->priority, &command->promise, wire, err);
}

static enum edge_type type_of(const struct kernel_param *param)
{
    static const uint8_t types[] = {
        [PTX_B8] = EDGE_I8,   [PTX_U8] = EDGE_I8,   [PTX_S8] = EDGE_I8,   [PTX_B16] = EDGE_I16,
        [PTX_U16] = EDGE_I16, [PTX_S16] = EDGE_I16, [PTX_B32] = EDGE_I32, [PTX_U32] = EDGE_I32,
        [PTX_S32] = EDGE_I32, [PTX_B64] = EDGE_I64, [PTX_U64] = EDGE_I64, [PTX_S64] = EDGE_I64,
        [PTX_F16] = EDGE_F16, [PTX_F32] = EDGE_F32, [PTX_F64] = EDGE_F64};
    static const uint8_t bytes[] = {[EDGE_I8] = 1,  [EDGE_I16] = 2, [EDGE_I32] = 4, [EDGE_I64] = 8,
                                    [EDGE_F16] = 2, [EDGE_F32] = 4, [EDGE_F64] = 8};
    if (param->type >= sizeof types || param->type == PTX_PRED)
        return EDGE_ANY;
    enum edge_type type = (enum edge_type)types[param->type];
    return param->size > bytes[type] ? EDGE_BYTES : type;
}

struct edge_kernel event_kernel(const struct kernel *kernel, struct edge_parameter **parameters)
{
    struct edge_parameter *list = ALLOC_ARRAY(struct edge_parameter, kernel->n_params + 1);
    for (uint32_t i = 0; i < kernel->n_params; i++)
        list[i] = (struct edge_parameter){.name = kernel->params[i].name,
                                          .type = type_of(&kernel->params[i]),
                                          .offset = kernel->params[i].offset,
                                          .bytes = kernel->params[i].size};
    *parameters = list;
    return (struct edge_kernel){.name = kernel->name,
                                .defect = kernel->defect,
                                .code = kernel->code_address,
                                .registers = kernel->regs,
                                .shared_bytes = kernel->shared_bytes,
                                .local_bytes = kernel->local_bytes,
                                .max_threads = kernel->max_threads,
                                .parameter_bytes = kernel->param_bytes,
                                .n_parameters = kernel->n_params,
                                .parameters = list};
}

struct edge_limits event_limits(const struct machine *m)
{
    const struct core_config *core = &machine_config(m)->core;
    return (struct edge_limits){
        .block_threads = core->threads < EVG_BLOCK_THREADS ? core->threads : EVG_BLOCK_THREADS,
        .shared_bytes = core->shared_bytes,
        .registers = core->registers,
        .local_bytes = EVENT_LOCAL_BYTES};
}

void event_driver_init(struct event_driver *driver, struct guest *guest,
                       const struct kernel *kernel)
{
    driver->guest = guest;
    driver->kernel = event_kernel(kernel, &driver->parameters);
    driver->edge = (struct edge_driver){.user = driver,
                                        .limits = event_limits(guest_machine(guest)),
                                        .alloc = driver_alloc,
                                        .release = driver_release,
                                        .write = driver_write,
                                        .command = driver_command_now};
}

void event_driver_free(struct event_driver *driver)
{
    free(driver->parameters);
}
