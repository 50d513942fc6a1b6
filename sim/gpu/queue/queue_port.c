/* The GPU's packet processor: what it reads, writes and launches. It exists from the first queue or
 * wait on. */
#include <string.h>

#include "sim/gpu/gpu_internal.h"

static uint64_t on_bus(uint64_t address)
{
    return address & ~AQL_BUS;
}

static bool on_read(void *user, uint64_t address, uint32_t bytes, uint32_t tag)
{
    struct gpu *gpu = user;
    if (address & AQL_BUS)
        return gpu->calls.bus_read(gpu->calls.user, on_bus(address), bytes, tag);
    return host_port_read_for_processor(gpu, address, bytes, tag);
}

static bool on_write(void *user, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    struct gpu *gpu = user;
    if (address & AQL_BUS)
        return gpu->calls.bus_write(gpu->calls.user, on_bus(address), data, bytes);
    return gpu_host_write(gpu, address, data, bytes);
}

static bool on_valid(void *user, uint32_t owner, uint64_t address, uint32_t bytes, bool read)
{
    struct gpu *gpu = user;
    uint64_t low, high;
    if (address & AQL_BUS)
        return gpu->calls.bus_valid &&
               gpu->calls.bus_valid(gpu->calls.user, owner, on_bus(address), bytes, read);
    return image_holds(&gpu->image, owner, address, &low, &high) && bytes <= high - address;
}

static bool on_is_kernel(void *user, uint32_t owner, uint64_t object)
{
    struct gpu *gpu = user;
    const struct kernel *kernel = gpu_kernel_at(gpu, object);
    return kernel && !kernel->defect && (!owner || !kernel->owner || kernel->owner == owner) &&
           image_valid(&gpu->image, object, AQL_PACKET_BYTES);
}

static enum pp_launched on_launch(void *user, const struct pp_queue *queue,
                                  const struct aql_dispatch *d, uint64_t cookie)
{
    struct gpu *gpu = user;
    struct error refused = {.set = false};
    struct launch launch = {.kernel = gpu_kernel_at(gpu, d->kernel),
                            .param = d->kernarg,
                            .priority = queue->priority,
                            .cookie = cookie | PROCESSOR_COOKIE};
    if (!gpu_can_launch(gpu))
        return PP_NO_ROOM;
    if (launch.kernel->param_bytes &&
        !on_valid(gpu, queue->owner, d->kernarg, launch.kernel->param_bytes, true))
        return PP_OUTSIDE;
    if (d->shared_bytes < launch.kernel->shared_bytes ||
        d->private_bytes < launch.kernel->local_bytes)
        return PP_IMPOSSIBLE;
    launch.dynamic_shared = d->shared_bytes - launch.kernel->shared_bytes;
    for (int i = 0; i < 3; i++) {
        launch.block[i] = d->group[i];
        launch.grid[i] = d->grid[i] / d->group[i];
    }
    return gpu_launch(gpu, &launch, &refused) ? PP_LAUNCHED : PP_IMPOSSIBLE;
}

static struct packet_processor *processor(struct gpu *gpu)
{
    struct pp_env env = {.decode = gpu->config.packets.decode,
                         .poll = gpu->config.packets.poll,
                         .poll_reads = gpu->config.packets.poll_reads,
                         .read = on_read,
                         .write = on_write,
                         .valid = on_valid,
                         .is_kernel = on_is_kernel,
                         .launch = on_launch,
                         .user = gpu};
    if (!gpu->processor)
        gpu->processor = pp_create(&env);
    return gpu->processor;
}

bool gpu_queue_create(struct gpu *gpu, const struct pp_queue *queue, uint32_t *number,
                      struct error *err)
{
    return pp_add_queue(processor(gpu), queue, number) ||
           error_set(err,
                     "queue of %u packets at 0x%llx: its size must be a power of two up to %u, its "
                     "memory aligned to %u bytes and allocated; a machine has at most %u queues",
                     queue->packets, (unsigned long long)queue->ring, PP_MAX_PACKETS,
                     AQL_PACKET_BYTES, PP_QUEUES);
}

void gpu_queue_doorbell(struct gpu *gpu, uint64_t offset, uint32_t bytes, uint16_t requester,
                        uint64_t value)
{
    pp_doorbell(processor(gpu), gpu->cycle, offset, bytes, requester, value);
}

bool gpu_wait_word(struct gpu *gpu, uint64_t address, uint32_t value,
                   void (*done)(void *user, uint64_t cycle, uint64_t written), void *user)
{
    return on_valid(gpu, 0, address, sizeof value, true) && address % sizeof value == 0 &&
           !(address & AQL_BUS) && pp_wait(processor(gpu), gpu->cycle, address, value, done, user);
}

void gpu_send_word(struct gpu *gpu, uint64_t address, uint32_t value)
{
    pp_send(processor(gpu), gpu->cycle, address | AQL_BUS, value);
}

void gpu_bus_data(struct gpu *gpu, uint32_t tag, const uint8_t *data)
{
    pp_data(gpu->processor, gpu->cycle, tag, data);
}
