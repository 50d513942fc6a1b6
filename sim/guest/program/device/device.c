#include "sim/guest/program/device/device.h"

#include <stdio.h>

#include "sim/gpu/device_heap.h"
#include "sim/gpu/device_output.h"
#include "sim/guest/program/internal.h"
#include "sw/cuda/socket.h"

#define MOST_OUTPUT_BYTES (1u << 30)

/* --- properties ------------------------------------------------------------------------------- */

static uint64_t shared_room(const struct machine_config *config)
{
    return (uint64_t)config->core.shared_bytes;
}

static void describe_device(const struct program *p, struct wire_device *d)
{
    const struct machine_config *c = machine_config(p->machine);
    const struct image *image = gpu_image(machine_gpu(p->machine));
    uint32_t bytes_per_cycle = c->mem.dram.column_bytes / c->mem.dram.burst;
    *d = (struct wire_device){
        .map_bytes = image->bytes,
        .far_base = image->far.address,
        .far_bytes = image->far.bytes,
        .memory_bytes = (uint64_t)c->memory_mib << 20,
        .const_bytes = 65536,
        .core_khz = c->core_khz,
        .memory_khz = c->mem.dram_khz,
        .memory_bus_bits = c->mem.partitions * bytes_per_cycle * 4,
        .l2_bytes = c->mem.partitions * c->mem.l2_bytes,
        .cores = gpu_background_cores(machine_gpu(p->machine)),
        .warps = c->core.warps,
        .blocks = c->core.blocks,
        .threads = c->core.threads,
        .registers = c->core.registers,
        .shared_bytes = (uint32_t)shared_room(c),
        .warp_size = WARP_SIZE,
        .max_threads_per_block = c->core.threads < 1024 ? c->core.threads : 1024,
        .major = c->capability / 10,
        .minor = c->capability % 10,
        .copy_engines = c->copy_engines,
        .kernels = c->kernels.running,
        .single_to_double = c->core.interval[TIMING_DP] / c->core.interval[TIMING_FP],
        .greatest_priority = -5};
    snprintf(d->name, sizeof d->name, "evgpu %.50s", c->name);
}

/* Not through call_reply: it brings a descriptor. */
void device_hello(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct wire_device device;
    describe_device(p, &device);
    process_take_title(p, t->pid);
    t->reply.payload = sizeof device;
    t->reply.clock_ns = call_clock_ns(p, cycle);
    t->clock = cycle;
    t->state = HOST_RUNNING;
    settle_again(p);
    if (!channel_writable(t) ||
        !socket_write_fd(t->fd, &t->reply, sizeof t->reply,
                         gpu_image(machine_gpu(p->machine))->file) ||
        !channel_write(t, &device, sizeof device))
        thread_close(t);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* The stack is never smaller than a machine has by itself: frames here are larger than NVIDIA's. */
static bool set_limit(struct program *p, CUlimit which, uint64_t value, struct error *err)
{
    bool ok = true;
    if (which == CU_LIMIT_STACK_SIZE)
        ok = guest_set_stack(p->guest, value > CALL_STACK_BYTES ? value : CALL_STACK_BYTES, err);
    else if (which == CU_LIMIT_MALLOC_HEAP_SIZE)
        ok = guest_set_heap(p->guest, value, err);
    else if (which == CU_LIMIT_PRINTF_FIFO_SIZE && value > MOST_OUTPUT_BYTES)
        ok = error_set(err, "a printf FIFO of %llu bytes exceeds the limit of %u",
                       (unsigned long long)value, MOST_OUTPUT_BYTES);
    else if (which == CU_LIMIT_PRINTF_FIFO_SIZE)
        guest_set_output(p->guest, value);
    if (ok)
        p->limits.values[which] = value;
    return ok;
}

/* Of a new context; of the earlier ones nothing is left. */
void device_init(struct program *p)
{
    static const uint64_t defaults[][2] = {{CU_LIMIT_STACK_SIZE, 1024},
                                           {CU_LIMIT_PRINTF_FIFO_SIZE, DEVICE_OUTPUT_BYTES},
                                           {CU_LIMIT_MALLOC_HEAP_SIZE, DEVICE_HEAP_BYTES},
                                           {CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2},
                                           {CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048}};
    struct error err = {0};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        set_limit(p, (CUlimit)defaults[i][0], defaults[i][1], &err);
}

void device_limit(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    if (a[0] >= sizeof p->limits.values / sizeof p->limits.values[0] || !p->limits.values[a[0]]) {
        call_done(t, CUDA_ERROR_UNSUPPORTED_LIMIT, cycle);
        return;
    }
    struct error err = {0};
    if (a[2] && !set_limit(p, (CUlimit)a[0], a[1], &err)) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "cudaDeviceSetLimit: %s", err.text);
        return;
    }
    t->reply.v[0] = p->limits.values[a[0]];
    call_done(t, CUDA_SUCCESS, cycle);
}

/* --- reset ------------------------------------------------------------------------------------ */

static void reset_now(struct host_thread *t, uint64_t cycle)
{
    memory_release_all(t->program, lives_count(t->program) > 1 ? t->pid : 0);
    call_done(t, CUDA_SUCCESS, cycle);
}

void device_reset(struct host_thread *t, uint64_t cycle)
{
    stream_mark_all(t);
    call_wait(t, cycle, stream_marks_seen, reset_now);
}
