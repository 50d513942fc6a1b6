#include "sim/guest/program/device/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

/* A buffer of a launch. */
struct program_buffer {
    uint64_t address;
    uint32_t room;
};

static struct program_parameters *buffers(struct program *p, uint32_t room)
{
    return room == PARAM_ROOM ? &p->parameters : &p->large_parameters;
}

static uint64_t take_parameters(struct program *p, uint32_t room, struct error *err)
{
    struct program_parameters *q = buffers(p, room);
    if (q->count)
        return q->free[--q->count];
    uint64_t address = guest_alloc(p->guest, room, 256, err);
    guest_describe(p->guest, address,
                   &(struct image_note){.access = IMAGE_CLOSED, .what = "parameters"});
    return address;
}

void launch_give_parameters(struct program *p, uint64_t address, uint32_t room)
{
    struct program_parameters *q = buffers(p, room);
    ARRAY_RESERVE(q->free, q->count, q->capacity);
    q->free[q->count++] = address;
}

void launch_free(struct program *p)
{
    free(p->parameters.free);
    free(p->large_parameters.free);
}

/* CUDA's own limits; the machine's (registers, shared memory) come after. */
static bool check_dimensions(struct host_thread *t, uint64_t cycle, const struct kernel *k)
{
    const uint64_t *a = t->request.a;
    const uint64_t grid_limit[3] = {2147483647, 65535, 65535};
    const struct machine_config *c = machine_config(t->program->machine);
    uint64_t most = c->core.threads < 1024 ? c->core.threads : 1024;
    if (k->max_threads && k->max_threads < most)
        most = k->max_threads;
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t n = a[5 + i], limit = i == 2 && most > 64 ? 64 : most;
        threads = n && n <= limit ? threads * n : UINT64_MAX / 4;
        if (a[2 + i] && a[2 + i] <= grid_limit[i] && n && n <= limit && threads <= most)
            continue;
        call_fail(t, ERROR_INVALID_CONFIGURATION, cycle,
                  "launch of %s: grid %llu x %llu x %llu, block %llu x %llu x %llu; a grid has 1 "
                  "to 2147483647 x 65535 x 65535 blocks, a block 1 to %llu threads",
                  k->name, (unsigned long long)a[2], (unsigned long long)a[3],
                  (unsigned long long)a[4], (unsigned long long)a[5], (unsigned long long)a[6],
                  (unsigned long long)a[7], (unsigned long long)most);
        return false;
    }
    return true;
}

/* A buffer may leave out the padding at its end, or have some. */
static bool check_parameters(struct host_thread *t, uint64_t cycle, const struct kernel *k)
{
    uint64_t needed = 0;
    if (k->n_params)
        needed = (uint64_t)k->params[k->n_params - 1].offset + k->params[k->n_params - 1].size;
    if (t->request.payload >= needed && t->request.payload <= needed + 15)
        return true;
    call_fail(
        t, CUDA_ERROR_INVALID_VALUE, cycle,
        "launch of %s: the call passes %llu bytes of arguments, but the %u parameters take %llu",
        k->name, (unsigned long long)t->request.payload, k->n_params, (unsigned long long)needed);
    return false;
}

/* The kernel that fits with this block and shared memory; NULL when the call has failed. */
static const struct kernel *check_resources(struct host_thread *t, uint64_t cycle,
                                            const struct program_function *f)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    const struct machine_config *c = machine_config(p->machine);
    struct error err = {0};
    uint32_t block[3] = {(uint32_t)a[5], (uint32_t)a[6], (uint32_t)a[7]};
    if (a[8] > f->max_dynamic) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "launch of %s: %llu bytes of dynamic shared memory exceed the limit of %u",
                  f->kernel->name, (unsigned long long)a[8], f->max_dynamic);
        return NULL;
    }
    const struct kernel *kernel = module_kernel_for(p, f, block[0] * block[1] * block[2], &err);
    uint64_t resident =
        kernel ? core_occupancy(&c->core, kernel, block, (uint32_t)a[8], NULL, &err) : 0;
    if (!resident) {
        call_fail(t, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, cycle, "launch of %s: %s", f->kernel->name,
                  err.text);
        return NULL;
    }
    uint64_t blocks = a[2] * a[3] * a[4];
    uint32_t cores = gpu_background_cores(machine_gpu(p->machine));
    if ((a[9] & WIRE_COOPERATIVE) && blocks > resident * cores) {
        call_fail(t, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, cycle,
                  "cooperative launch of %s: of %llu blocks only %llu can be resident at a time; "
                  "%u of %u cores are for launches",
                  f->kernel->name, (unsigned long long)blocks,
                  (unsigned long long)(resident * cores), cores, c->cores);
        return NULL;
    }
    return kernel;
}

static void on_ended(void *user, const struct grid *grid)
{
    const struct command *c = user;
    figures_kernel_over(c->program, grid);
}

static void submit_launch(struct host_thread *t, const struct kernel *kernel,
                          const struct stream *s, const struct program_buffer *parameters)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    struct driver_call call = {.kind = DRIVER_LAUNCH,
                               .kernel = {.code = kernel->code_address,
                                          .parameters = parameters->address,
                                          .shared_bytes = (uint32_t)a[8],
                                          .priority = -s->priority,
                                          .cooperative = (a[9] & WIRE_COOPERATIVE) != 0,
                                          .ended = on_ended}};
    for (int i = 0; i < 3; i++) {
        call.kernel.grid[i] = (uint32_t)a[2 + i];
        call.kernel.block[i] = (uint32_t)a[5 + i];
    }
    struct command *c = command_create(t, COMMAND_KERNEL, s->id);
    c->parameters = parameters->address;
    c->parameter_room = parameters->room;
    call.kernel.user = c;
    figures_launch(p);
    command_submit(c, &call);
}

void launch_call(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const struct program_function *f = module_function(p, t->request.a[0]);
    const struct stream *s = stream_find(p, t->request.a[1]);
    struct error err = {0};
    if (!f || !s) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    if (!check_dimensions(t, cycle, f->kernel) || !check_parameters(t, cycle, f->kernel))
        return;
    const struct kernel *kernel = check_resources(t, cycle, f);
    if (!kernel)
        return;
    struct program_buffer b = {.room = f->kernel->param_bytes > PARAM_ROOM ? PARAM_ROOM_LARGE
                                                                           : PARAM_ROOM};
    b.address = take_parameters(p, b.room, &err);
    if (!b.address) {
        call_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle, "launch of %s: %s", f->kernel->name,
                  err.text);
        return;
    }
    uint64_t bytes = t->request.payload < b.room ? t->request.payload : b.room;
    if (bytes)
        memcpy(gpu_image(machine_gpu(p->machine))->base + b.address, t->payload, (size_t)bytes);
    submit_launch(t, kernel, s, &b);
}
