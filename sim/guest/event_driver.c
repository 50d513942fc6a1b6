#include "sim/guest/event_driver.h"

#include <string.h>

#include "evgpu_defs.h"
#include "sim/system/machine.h"

static uint64_t driver_alloc(void *user, uint64_t bytes, uint64_t align)
{
    const struct event_driver *d = user;
    return guest_alloc(d->guest, bytes, align, NULL);
}

static void driver_release(void *user, uint64_t address)
{
    const struct event_driver *d = user;
    guest_release(d->guest, address, NULL);
}

static bool driver_write(void *user, uint64_t address, const void *data, uint64_t bytes,
                         struct error *err)
{
    const struct event_driver *d = user;
    void *memory = machine_memory(guest_machine(d->guest), address, bytes);
    if (!memory)
        return error_set(err, "write of %llu bytes to 0x%llx, outside device memory",
                         (unsigned long long)bytes, (unsigned long long)address);
    memcpy(memory, data, bytes);
    return true;
}

static const struct kernel *driver_kernel(void *user, const char *name)
{
    const struct event_driver *d = user;
    return module_kernel(d->module, name);
}

static bool driver_command_now(void *user, const struct frontend_command *command, uint32_t *code,
                               uint32_t *row, struct error *err)
{
    const struct event_driver *d = user;
    return machine_command(d->guest, command, code, row, err);
}

void event_driver_init(struct event_driver *driver, struct guest *guest,
                       const struct module *module)
{
    const struct core_config *core = &machine_config(guest_machine(guest))->core;
    driver->guest = guest;
    driver->module = module;
    driver->edge = (struct edge_driver){
        .user = driver,
        .limits = {.block_threads =
                       core->threads < EVG_BLOCK_THREADS ? core->threads : EVG_BLOCK_THREADS,
                   .shared_bytes = core->shared_bytes,
                   .registers = core->registers,
                   .local_bytes = EVENT_LOCAL_BYTES},
        .alloc = driver_alloc,
        .release = driver_release,
        .write = driver_write,
        .kernel = driver_kernel,
        .command = driver_command_now};
}
