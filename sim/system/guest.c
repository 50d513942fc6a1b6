#include "sim/system/guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/module.h"
#include "sim/simt/core.h"
#include "sim/simt/core_env.h"
#include "sim/system/machine_internal.h"
#include "sw/edge/edge.h"

struct guest *machine_add_guest(struct machine *m, const struct guest_ops *ops, const char *name,
                                void *self)
{
    struct guest *g = ALLOC(struct guest);
    g->machine = m;
    g->ops = ops;
    g->self = self;
    g->name = alloc_string(name);
    char owner[160];
    snprintf(owner, sizeof owner, "%s %.120s", ops->kind, name);
    g->owner = image_add_owner(gpu_image(m->gpu), owner);
    ARRAY_RESERVE(m->guests, m->n_guests, m->cap_guests);
    m->guests[m->n_guests++] = g;
    return g;
}

void guest_destroy(struct guest *g)
{
    g->ops->destroy(g->self);
    free(g->allocations);
    timeline_destroy_guest(g);
    free(g->event_kernels);
    free(g->name);
    free(g);
}

struct machine *guest_machine(struct guest *g)
{
    return g->machine;
}

const char *guest_name(const struct guest *g)
{
    return g->name;
}

const struct guest_ops *guest_ops(const struct guest *g)
{
    return g->ops;
}

void *guest_self(const struct guest *g)
{
    return g->self;
}

/* --- device memory --------------------------------------------------------------------------- */

/* Index of the first allocation that begins after `address`. */
static uint32_t first_after(const struct guest *g, uint64_t address)
{
    uint32_t low = 0, high = g->n_allocations;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->allocations[middle].address > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void remember(struct guest *g, uint64_t address, uint64_t bytes)
{
    uint32_t at = first_after(g, address);
    ARRAY_RESERVE(g->allocations, g->n_allocations, g->cap_allocations);
    memmove(&g->allocations[at + 1], &g->allocations[at],
            (g->n_allocations - at) * sizeof *g->allocations);
    g->allocations[at] = (struct allocation){.address = address, .bytes = bytes};
    g->n_allocations++;
    g->allocated += bytes;
}

uint64_t guest_alloc(struct guest *g, uint64_t bytes, uint64_t align, struct error *err)
{
    struct image *image = gpu_image(g->machine->gpu);
    if (!bytes)
        bytes = 1;
    uint64_t address = image_alloc(image, bytes, align);
    if (!address) {
        error_set(
            err,
            "device memory is full: %llu bytes beside %llu exceed gpu.memory_mib = %u; raise it",
            (unsigned long long)bytes, (unsigned long long)image->allocated,
            g->machine->config.memory_mib);
        return 0;
    }
    remember(g, address, bytes);
    guest_describe(g, address, &(struct image_note){.what = "memory", .initialised = true});
    return address;
}

uint64_t guest_region_alloc(struct guest *g, uint64_t bytes, bool *used, struct error *err)
{
    uint64_t address = guest_region_take_block(g, bytes, used, err);
    if (!address)
        return 0;
    remember(g, address, bytes);
    image_add_part(gpu_image(g->machine->gpu),
                   &(struct image_block){.address = address,
                                         .bytes = bytes,
                                         .note = {.owner = g->owner,
                                                  .what = "memory with full/empty bits",
                                                  .initialised = true}});
    return address;
}

void guest_describe(struct guest *g, uint64_t address, const struct image_note *note)
{
    struct image_note own = *note;
    own.owner = g->owner;
    image_describe(gpu_image(g->machine->gpu), address, &own);
}

bool guest_release(struct guest *g, uint64_t address, struct error *err)
{
    uint32_t at = first_after(g, address);
    if (!at || g->allocations[at - 1].address != address)
        return error_set(err, "0x%llx is not an allocation of %s, or was released",
                         (unsigned long long)address, g->name);
    at--;
    g->allocated -= g->allocations[at].bytes;
    g->n_allocations--;
    memmove(&g->allocations[at], &g->allocations[at + 1],
            (g->n_allocations - at) * sizeof *g->allocations);
    struct image *image = gpu_image(g->machine->gpu);
    if (guest_region_give_block(g->machine, address))
        image_release_part(image, address);
    else
        image_release(image, address);
    return true;
}

bool guest_allocation(const struct guest *g, uint64_t address, uint64_t *base, uint64_t *bytes)
{
    uint32_t at = first_after(g, address);
    if (!at || address - g->allocations[at - 1].address >= g->allocations[at - 1].bytes)
        return false;
    *base = g->allocations[at - 1].address;
    *bytes = g->allocations[at - 1].bytes;
    return true;
}

bool guest_holds(const struct guest *g, uint64_t address, uint64_t bytes)
{
    uint64_t base, size;
    return guest_allocation(g, address, &base, &size) && bytes <= size - (address - base);
}

void guest_lend(struct guest *g, uint64_t address, const struct guest *borrower, bool for_writes)
{
    image_lend(gpu_image(g->machine->gpu), address, borrower->owner, for_writes);
}

uint64_t guest_allocated(const struct guest *g)
{
    return g->allocated;
}

void *machine_memory(struct machine *m, uint64_t address, uint64_t bytes)
{
    const struct image *image = gpu_image(m->gpu);
    return image_valid(image, address, bytes) ? image->base + address : NULL;
}

/* --- kernels --------------------------------------------------------------------------------- */

/* Its kernels may access what is the guest's, and nothing else. */
static void own_kernels(const struct guest *g, struct module *module)
{
    for (uint32_t i = 0; i < module_kernel_count(module); i++)
        module_kernel_at(module, i)->owner = g->owner;
}

/* Once, however many guests load the file. */
static void say_remark(const struct machine *m, const struct module *module)
{
    const char *remark = module_remark(module);
    bool said = m->options.silent || !remark;
    for (uint32_t i = 0; i < m->n_modules && !said; i++) {
        const char *other = module_remark(m->modules[i]);
        said = other && !strcmp(other, remark);
    }
    if (!said)
        fprintf(stderr, "evgpu: warning: %s\n", remark);
}

bool guest_load(struct guest *g, struct module *module, struct error *err)
{
    struct machine *m = g->machine;
    say_remark(m, module);
    ARRAY_RESERVE(m->modules, m->n_modules, m->cap_modules);
    m->modules[m->n_modules++] = module;
    own_kernels(g, module);
    if (!gpu_load(m->gpu, module, err))
        return false;
    for (uint32_t i = 0; i < module_variable_count(module); i++) {
        const struct module_variable *v = module_variable_at(module, i);
        image_describe(
            gpu_image(m->gpu), v->address,
            &(struct image_note){.access = v->space == SPACE_CONST ? IMAGE_CONST : IMAGE_OPEN,
                                 .initialised = true,
                                 .owner = g->owner,
                                 .what = "variable",
                                 .name = v->name});
    }
    return true;
}

bool guest_load_like(struct guest *g, struct module *module, const struct module *like,
                     struct error *err)
{
    struct machine *m = g->machine;
    ARRAY_RESERVE(m->modules, m->n_modules, m->cap_modules);
    m->modules[m->n_modules++] = module;
    own_kernels(g, module);
    return gpu_load_like(m->gpu, module, like, err);
}

const struct kernel *guest_kernel(const struct guest *g, uint64_t code)
{
    const struct kernel *kernel = gpu_kernel_at(g->machine->gpu, code);
    return kernel && kernel->owner == g->owner ? kernel : NULL;
}

bool guest_thread(struct guest *g, uint32_t *thread, struct error *err)
{
    if (!driver_add_thread(g->machine->driver, thread, err))
        return false;
    g->machine->thread_guest[*thread] = g;
    return true;
}

bool guest_stream(struct guest *g, uint32_t *stream, struct error *err)
{
    struct machine *m = g->machine;
    if (!m->n_free_streams)
        return driver_add_stream(m->driver, stream, err);
    *stream = m->free_streams[--m->n_free_streams];
    return true;
}

void guest_stream_end(struct guest *g, uint32_t stream)
{
    struct machine *m = g->machine;
    ARRAY_RESERVE(m->free_streams, m->n_free_streams, m->cap_free_streams);
    m->free_streams[m->n_free_streams++] = stream;
}

bool guest_call(struct guest *g, const struct driver_call *call, struct error *err)
{
    struct machine *m = g->machine;
    if (driver_call(m->driver, gpu_cycle(m->gpu), call))
        return true;
    return error_set(
        err, "driver: too many calls are outstanding, or the thread or stream does not exist");
}

static bool check_launch(const struct guest *g, const struct guest_launch *launch,
                         struct error *err)
{
    for (int i = 0; i < 3; i++) {
        if (!launch->grid[i] || !launch->block[i])
            return error_set(err, "kernel %s: a grid or block dimension is 0",
                             launch->kernel->name);
    }
    return core_occupancy(&g->machine->config.core, launch->kernel, launch->block,
                          launch->dynamic_shared, NULL, err) != 0;
}

bool guest_launch(struct guest *g, const struct guest_launch *launch, struct error *err)
{
    if (!check_launch(g, launch, err))
        return false;
    struct driver_call call = {.kind = DRIVER_LAUNCH,
                               .thread = launch->thread,
                               .stream = launch->stream,
                               .blocking = launch->blocking,
                               .kernel = {.code = launch->kernel->code_address,
                                          .parameters = launch->parameters,
                                          .shared_bytes = launch->dynamic_shared,
                                          .priority = launch->priority,
                                          .cooperative = launch->cooperative,
                                          .ended = launch->ended,
                                          .user = launch->user},
                               .returned = launch->returned,
                               .done = launch->done,
                               .user = launch->user};
    memcpy(call.kernel.grid, launch->grid, sizeof call.kernel.grid);
    memcpy(call.kernel.block, launch->block, sizeof call.kernel.block);
    return guest_call(g, &call, err);
}

bool guest_launch_now(struct guest *g, const struct guest_launch *launch, struct error *err)
{
    uint32_t slot = 0;
    struct launched *launched = machine_launch_slot(g->machine, &slot);
    if (!launched || !check_launch(g, launch, err))
        return launched ? false : error_set(err, "too many kernels are pending");
    *launched = (struct launched){.ended = launch->ended, .user = launch->user, .used = true};
    struct launch request = {.kernel = launch->kernel,
                             .dynamic_shared = launch->dynamic_shared,
                             .param = launch->parameters,
                             .priority = launch->priority,
                             .cooperative = launch->cooperative,
                             .cookie = slot};
    memcpy(request.grid, launch->grid, sizeof request.grid);
    memcpy(request.block, launch->block, sizeof request.block);
    launched->used = gpu_launch(g->machine->gpu, &request, err);
    return launched->used;
}

void guest_cut_copies(struct guest *g)
{
    for (uint32_t i = 0; i < DRIVER_MAX_THREADS; i++) {
        if (g->machine->thread_guest[i] == g)
            driver_cut_copies(g->machine->driver, i);
    }
}

bool guest_at_work(const struct guest *g)
{
    return gpu_owner_at_work(g->machine->gpu, g->owner);
}

void guest_work(const struct guest *g, struct gpu_owner_work *work)
{
    gpu_owner_work(g->machine->gpu, g->owner, work);
}

/* --- devices and events ----------------------------------------------------------------------- */

bool guest_attach_device(struct guest *g, const struct pcie_endpoint *endpoint,
                         struct guest_port *port, struct error *err)
{
    struct machine *m = g->machine;
    struct pcie_endpoint device = *endpoint;
    device.name = g->name;
    device.side = 1;
    device.rid = (uint16_t)(DEVICE_RID + (m->n_devices << 8));
    int number = pcie_attach(m->gpu_link, &device, err);
    if (number < 0)
        return false;
    m->n_devices++;
    m->device_guest[number] = g;
    *port = (struct guest_port){.link = m->gpu_link,
                                .self = (uint8_t)number,
                                .gpu = m->gpu_end,
                                .rid = device.rid,
                                .bus_base = (uint64_t)number << WINDOW_SHIFT};
    return true;
}

uint64_t guest_map_device(struct guest *g, const struct guest_port *port, uint32_t offset,
                          uint32_t bytes, struct error *err)
{
    struct bus_window window = {.base = port->bus_base + offset, .bytes = bytes, .owner = g->owner};
    return gpu_map_bus(g->machine->gpu, &window, err) ? BUS_WINDOW + window.base : 0;
}

uint64_t guest_map_doorbell(struct guest *g, uint32_t doorbell, struct error *err)
{
    struct machine *m = g->machine;
    struct bus_window window = {.base = ((uint64_t)m->gpu_end << WINDOW_SHIFT) + doorbell,
                                .bytes = EVG_DOORBELL_BYTES,
                                .owner = g->owner};
    return gpu_map_bus(m->gpu, &window, err) ? BUS_WINDOW + window.base : 0;
}

struct pcie *guest_link(struct guest *g, struct error *err)
{
    struct pcie_config settings = machine_link_settings(&g->machine->config);
    return pcie_create(&settings, err);
}

static struct guest *find_port(struct guest *g, const char *name, struct error *err)
{
    const struct machine *m = g->machine;
    char names[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < m->n_guests; i++) {
        struct guest *other = m->guests[i];
        if (!other->ops->port)
            continue;
        if (!strcmp(other->name, name))
            return other;
        int n = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", other->name);
        used += n > 0 && (size_t)n < sizeof names - used ? (size_t)n : 0;
    }
    error_set(err, "no service %s takes an event kernel; there %s %s", name, used ? "is" : "are",
              used ? names : "none");
    return NULL;
}

bool guest_port_info(struct guest *g, const char *name, struct edge_port_info *info,
                     struct error *err)
{
    struct guest *service = find_port(g, name, err);
    if (service)
        service->ops->port(service->self, info);
    return service != NULL;
}

bool guest_bind(struct guest *g, const char *name, const struct device_binding *binding,
                struct error *err)
{
    struct machine *m = g->machine;
    struct guest *service = find_port(g, name, err);
    if (!service)
        return false;
    if (binding->row >= EVG_EKT_ROWS || m->row_owner[binding->row] != g)
        return error_set(err, "event row %u: %s has not registered it", binding->row, g->name);
    struct edge_port_info port;
    service->ops->port(service->self, &port);
    if (m->row_requester[binding->row] != port.requester)
        return error_set(err,
                         "event row %u: takes doorbells of requester 0x%x, but %s is 0x%x "
                         "(edge_port_info.requester)",
                         binding->row, m->row_requester[binding->row], service->name,
                         port.requester);
    struct device_binding own = *binding;
    own.guest = g;
    if (!service->ops->bind(service->self, &own, err))
        return false;
    m->row_owner[binding->row] = service;
    g->bound = true;
    service->served = g;
    return true;
}

bool guest_has_row(const struct guest *g, uint32_t row)
{
    return row < EVG_EKT_ROWS && g->machine->row_use[row].home == g;
}

bool guest_has_rows(const struct guest *g)
{
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        if (guest_has_row(g, row))
            return true;
    }
    return false;
}

/* --- commands for the front end --------------------------------------------------------------- */

bool guest_admit(struct guest *g, uint32_t priority, const struct edge_promise *promise,
                 struct frontend_command *command, struct error *err)
{
    struct edge_error why = {.set = false};
    return edge_book_admit(g->machine->book, g->name, priority, promise, &command->ticket, &why) ||
           error_set(err, "%s", why.text);
}

void guest_command(struct guest *g, const struct frontend_command *command,
                   void (*answered)(void *user, uint32_t code, uint32_t row), void *user)
{
    struct machine *m = g->machine;
    ARRAY_RESERVE(m->commands, m->n_commands, m->cap_commands);
    m->commands[m->n_commands++] = (struct waiting_command){
        .command = *command, .guest = g, .answered = answered, .user = user};
    if (!m->command_sent)
        machine_send_command(m);
}

/* The first one, unless the front end has not taken the one before. */
void machine_send_command(struct machine *m)
{
    m->command_sent = gpu_command(m->gpu, &m->commands[0].command);
}

/* The kernel's address has its registers in the upper byte. */
static void take_row(struct machine *m, uint32_t row, const struct waiting_command *registered)
{
    uint64_t code = registered->command.kernel & (((uint64_t)1 << 56) - 1);
    m->row_owner[row] = registered->guest;
    m->row_ticket[row] = registered->command.ticket;
    m->row_requester[row] = registered->command.requester;
    machine_row_registered(m, row, registered->guest, gpu_kernel_at(m->gpu, code));
}

static void give_row(struct machine *m, uint32_t row)
{
    m->row_owner[row] = NULL;
    edge_book_withdraw(m->book, m->row_ticket[row]);
    machine_row_over(m, row);
}

void machine_answer(struct machine *m, uint32_t code, uint32_t row)
{
    struct waiting_command done = m->commands[0];
    m->n_commands--;
    memmove(m->commands, m->commands + 1, m->n_commands * sizeof *m->commands);
    m->command_sent = false;
    if (code != FRONTEND_CODE_OK && done.command.op == FRONTEND_CMD_REGISTER)
        edge_book_withdraw(m->book, done.command.ticket);
    if (code == FRONTEND_CODE_OK && done.command.op == FRONTEND_CMD_UNREGISTER) {
        m->leaving[row] = done; /* it drains, while other commands go on */
        return;
    }
    if (code == FRONTEND_CODE_OK && done.command.op == FRONTEND_CMD_REGISTER)
        take_row(m, row, &done);
    done.answered(done.user, code, row);
}

void machine_row_freed(struct machine *m, uint32_t row)
{
    struct waiting_command done = m->leaving[row];
    give_row(m, row);
    done.answered(done.user, FRONTEND_CODE_OK, row);
}

struct answer {
    bool here;
    uint32_t code, row;
};

static void take_answer(void *user, uint32_t code, uint32_t row)
{
    *(struct answer *)user = (struct answer){.here = true, .code = code, .row = row};
}

bool machine_command(struct guest *g, const struct frontend_command *command, uint32_t *code,
                     uint32_t *row, struct error *err)
{
    struct answer answer = {.here = false};
    guest_command(g, command, take_answer, &answer);
    /* An unregistration waits for its events; the watchdog's patience bounds it. */
    for (uint32_t i = 0; i < DEFAULT_WATCHDOG_CYCLES && !answer.here; i++) {
        if (!machine_tick(g->machine, err))
            return false;
    }
    *code = answer.code;
    *row = answer.row;
    return answer.here ? true : error_set(err, "front end: a command received no answer");
}
