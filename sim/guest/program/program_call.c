/* Calls of host threads: how they begin, wait and return. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

uint64_t host_cycles(const struct program *p, uint64_t ns)
{
    return rate_ns_to_cycles(ns, machine_config(p->machine)->core_khz);
}

static uint64_t cycles_to_ns(const struct program *p, uint64_t cycles)
{
    uint64_t khz = machine_config(p->machine)->core_khz;
    return cycles / khz * 1000000 + cycles % khz * 1000000 / khz;
}

/* --- returning ----------------------------------------------------------------------------------
 */

void host_reply(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    t->resume = NULL;
    t->ready = NULL;
    t->wake = CYCLE_NEVER;
    if (t->state == HOST_GONE)
        return;
    if (p->failure && t->request.op != WIRE_HELLO)
        t->reply.status = p->failure;
    const void *answer = t->text ? t->text : t->answer;
    output_collect(p);
    t->reply.output = (uint32_t)p->output_bytes;
    program_timeline_call(t, cycle);
    t->reply.clock_ns = cycles_to_ns(p, cycle);
    t->clock = cycle;
    t->state = HOST_RUNNING;
    p->unsettled = true;
    if (!channel_write(t->fd, &t->reply, sizeof t->reply) ||
        !channel_write(t->fd, p->output, p->output_bytes) ||
        (t->reply.payload && !channel_write(t->fd, answer, t->reply.payload)))
        process_close(p, t);
    p->output_bytes = 0;
    free(t->text);
    t->text = NULL;
    t->answer = NULL;
}

void host_return(struct host_thread *t, uint32_t status, uint64_t cycle, uint32_t ns)
{
    t->reply.status = status;
    t->wake = cycle + host_cycles(t->program, ns);
    t->resume = host_reply;
    t->state = HOST_WAITING;
    if (t->wake <= cycle)
        host_reply(t, cycle);
}

void host_fail(struct host_thread *t, uint32_t status, uint64_t cycle, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (vasprintf(&t->text, format, args) < 0)
        t->text = NULL;
    va_end(args);
    t->reply.payload = t->text ? strlen(t->text) + 1 : 0;
    host_return(t, status, cycle, machine_config(t->program->machine)->call_ns);
}

uint32_t host_failure(enum fault_kind kind)
{
    static const uint32_t errors[] = {[FAULT_NONE] = CUDA_ERROR_LAUNCH_TIMEOUT, /* hang, limit */
                                      [FAULT_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
                                      [FAULT_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
                                      [FAULT_INSTRUCTION] = CUDA_ERROR_ILLEGAL_INSTRUCTION,
                                      [FAULT_STACK] = CUDA_ERROR_HARDWARE_STACK_ERROR,
                                      [FAULT_TRAP] = CUDA_ERROR_LAUNCH_FAILED,
                                      [FAULT_ASSERT] = CUDA_ERROR_ASSERT,
                                      [FAULT_MACHINE] = CUDA_ERROR_UNKNOWN};
    return errors[kind];
}

/* --- waiting ------------------------------------------------------------------------------------
 */

static void begin_wait(struct host_thread *t, uint64_t cycle)
{
    t->wake = CYCLE_NEVER;
    if (t->ready(t)) {
        void (*then)(struct host_thread *, uint64_t) = t->resume;
        t->ready = NULL;
        then(t, cycle);
    }
}

void host_wait(struct host_thread *t, uint64_t cycle, bool (*ready)(const struct host_thread *t),
               void (*then)(struct host_thread *t, uint64_t cycle))
{
    t->ready = ready;
    t->resume = then;
    t->state = HOST_WAITING;
    begin_wait(t, cycle);
}

void host_check_waits(struct program *p, uint64_t cycle)
{
    for (uint32_t i = 0; i < p->n_threads; i++) {
        struct host_thread *t = p->threads[i];
        if (t->state == HOST_WAITING && t->ready)
            begin_wait(t, cycle);
    }
}

/* --- beginning ----------------------------------------------------------------------------------
 */

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
        .memory_bytes = (uint64_t)c->memory_mib << 20,
        .const_bytes = 65536,
        .core_khz = c->core_khz,
        .memory_khz = c->dram_khz,
        .memory_bus_bits = c->mem.partitions * bytes_per_cycle * 4,
        .l2_bytes = c->mem.partitions * c->mem.l2_bytes,
        .cores = c->cores,
        .warps = c->core.warps,
        .blocks = c->core.blocks,
        .threads = c->core.threads,
        .registers = c->core.registers,
        .shared_bytes = (uint32_t)shared_room(c),
        .warp_size = WARP_SIZE,
        .max_threads_per_block = c->core.threads < 1024 ? c->core.threads : 1024,
        .major = 6, /* the newest generation whose warps have one program counter, as here */
        .copy_engines = c->copy_engines,
        .kernels = c->kernels_running,
        .single_to_double = c->core.interval[TIMING_DP] / c->core.interval[TIMING_FP],
        .greatest_priority = -5};
    snprintf(d->name, sizeof d->name, "evgpu %.50s", c->name);
}

/* A program that has started us is known by the file it runs. */
static void take_title(const struct host_thread *t)
{
    struct program *p = t->program;
    char link[40], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)t->pid);
    ssize_t n = p->attached && !p->title[0] ? readlink(link, path, sizeof path - 1) : 0;
    if (n <= 0)
        return;
    path[n] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(p->title, sizeof p->title, "%.60s", slash ? slash + 1 : path);
    if (guest_timeline(p->guest))
        guest_timeline_title(p->guest, p->title);
}

/* Not through host_reply: it brings a descriptor. */
static void hello(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct wire_device device;
    describe_device(p, &device);
    take_title(t);
    t->reply.payload = sizeof device;
    t->reply.clock_ns = cycles_to_ns(p, cycle);
    t->clock = cycle;
    t->state = HOST_RUNNING;
    p->unsettled = true;
    if (!channel_write_fd(t->fd, &t->reply, sizeof t->reply,
                          gpu_image(machine_gpu(p->machine))->file) ||
        !channel_write(t->fd, &device, sizeof device))
        process_close(p, t);
}

/* The stack is never smaller than a machine has by itself: frames here are larger than NVIDIA's. */
static bool set_limit(struct program *p, CUlimit which, uint64_t value, struct error *err)
{
    struct gpu *gpu = machine_gpu(p->machine);
    bool ok = true;
    if (which == CU_LIMIT_STACK_SIZE)
        ok = gpu_set_stack_bytes(gpu, value > CALL_STACK_BYTES ? value : CALL_STACK_BYTES, err);
    else if (which == CU_LIMIT_MALLOC_HEAP_SIZE)
        ok = gpu_set_heap_bytes(gpu, value, err);
    else if (which == CU_LIMIT_PRINTF_FIFO_SIZE)
        gpu_set_output_bytes(gpu, value);
    if (ok)
        p->limits[which] = value;
    return ok;
}

static void limit(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    uint32_t ns = machine_config(p->machine)->call_ns;
    if (a[0] >= sizeof p->limits / sizeof p->limits[0] || !p->limits[a[0]]) {
        host_return(t, CUDA_ERROR_UNSUPPORTED_LIMIT, cycle, ns);
        return;
    }
    struct error err = {0};
    if (a[2] && !set_limit(p, (CUlimit)a[0], a[1], &err)) {
        host_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "cudaDeviceSetLimit: %s", err.text);
        return;
    }
    t->reply.v[0] = p->limits[a[0]];
    host_return(t, CUDA_SUCCESS, cycle, ns);
}

static void reset_now(struct host_thread *t, uint64_t cycle)
{
    memory_release_all(t->program);
    host_return(t, CUDA_SUCCESS, cycle, machine_config(t->program->machine)->call_ns);
}

static void reset(struct host_thread *t, uint64_t cycle)
{
    stream_mark_all(t);
    host_wait(t, cycle, stream_marks_seen, reset_now);
}

static void take_thread(struct host_thread *t)
{
    struct program *p = t->program;
    struct error err = {0};
    if (t->has_driver_thread)
        return;
    if (p->n_free_driver_threads) {
        t->driver_thread = p->free_driver_threads[--p->n_free_driver_threads];
        t->has_driver_thread = true;
    } else {
        t->has_driver_thread = guest_thread(p->guest, &t->driver_thread, &err);
    }
}

typedef void (*call_function)(struct host_thread *t, uint64_t cycle);

static const call_function functions[WIRE_OPS] = {
    [WIRE_HELLO] = hello,
    [WIRE_RESET] = reset,
    [WIRE_ALLOC] = memory_alloc,
    [WIRE_FREE] = memory_free,
    [WIRE_POINTER] = memory_pointer,
    [WIRE_MEMINFO] = memory_info,
    [WIRE_LIMIT] = limit,
    [WIRE_MODULE] = module_call,
    [WIRE_UNLOAD] = module_call,
    [WIRE_FUNCTION] = module_call,
    [WIRE_GLOBAL] = module_call,
    [WIRE_OCCUPANCY] = module_call,
    [WIRE_FUNCTION_SET] = module_call,
    [WIRE_LAUNCH] = launch_call,
    [WIRE_COPY] = copy_call,
    [WIRE_MEMSET] = set_call,
    [WIRE_STREAM_CREATE] = stream_call,
    [WIRE_STREAM_DESTROY] = stream_call,
    [WIRE_STREAM_INFO] = stream_call,
    [WIRE_STREAM_QUERY] = stream_call,
    [WIRE_STREAM_SYNC] = stream_call,
    [WIRE_STREAM_WAIT] = stream_call,
    [WIRE_DEVICE_SYNC] = stream_call,
    [WIRE_HOST_FUNCTION] = stream_call,
    [WIRE_NEXT_FUNCTION] = function_next,
    [WIRE_EDGE_LIMITS] = edge_call,
    [WIRE_EDGE_PORT] = edge_call,
    [WIRE_EDGE_FUNCTION] = edge_call,
    [WIRE_EDGE_COMMAND] = edge_call,
    [WIRE_EDGE_BIND] = edge_call,
    [WIRE_EDGE_WAIT] = edge_call,
    [WIRE_SERVICES] = edge_call,
    [WIRE_TEXTURE] = texture_call,
    [WIRE_TEXTURE_DESTROY] = texture_call,
    [WIRE_TEXTURE_BIND] = texture_call,
    [WIRE_REGION_INFO] = region_call,
    [WIRE_MARK] = region_call,
    [WIRE_OVERRIDE] = region_call,
    [WIRE_RELEASE] = region_call,
    [WIRE_WAIT_LIMIT] = region_call,
    [WIRE_EVENT_CREATE] = event_call,
    [WIRE_EVENT_DESTROY] = event_call,
    [WIRE_EVENT_RECORD] = event_call,
    [WIRE_EVENT_QUERY] = event_call,
    [WIRE_EVENT_SYNC] = event_call,
    [WIRE_EVENT_ELAPSED] = event_call,
};

static bool submits(uint16_t op)
{
    return op == WIRE_LAUNCH || op == WIRE_COPY || op == WIRE_MEMSET || op == WIRE_STREAM_WAIT ||
           op == WIRE_HOST_FUNCTION || op == WIRE_EVENT_RECORD || op == WIRE_MARK;
}

static bool has_room(const struct host_thread *t)
{
    return t->program->outstanding < MAX_OUTSTANDING;
}

void host_begin(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint16_t op = t->request.op;
    uint32_t ns = machine_config(p->machine)->call_ns;
    t->state = HOST_WAITING;
    t->wake = CYCLE_NEVER;
    t->reply = (struct wire_reply){0};
    copy_land_waiting(t);
    t->begun = cycle;
    p->figures.calls++;
    if (op == WIRE_TIME) {
        host_return(t, CUDA_SUCCESS, cycle, 0);
        return;
    }
    if (p->failure && op != WIRE_HELLO) {
        host_return(t, p->failure, cycle, 0);
        return;
    }
    if (op >= WIRE_OPS || !functions[op]) {
        host_return(t, CUDA_ERROR_NOT_SUPPORTED, cycle, ns);
        return;
    }
    if (!submits(op)) {
        functions[op](t, cycle);
        return;
    }
    take_thread(t);
    if (!t->has_driver_thread)
        host_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle, "more than %u host threads at a time",
                  DRIVER_MAX_THREADS);
    else
        host_wait(t, cycle, has_room, functions[op]);
}
