#include "sim/guest/kernel_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evgpu_defs.h"
#include "sim/base/alloc.h"
#include "sim/system/gpu_settings.h"

struct kernel_job {
    struct gpu *gpu;
    struct module *module;
    struct machine_config config;
    uint8_t *params; /* of the next call */
    uint64_t param_room, param_address;
    bool finished;
    struct grid result;
};

static bool no_flag(void *user, uint64_t address, uint32_t data)
{
    (void)user, (void)address, (void)data;
    return true;
}

static void no_command(void *user, uint32_t code, uint32_t row)
{
    (void)user, (void)code, (void)row;
}

static void no_event(void *user, const struct event_times *times)
{
    (void)user, (void)times;
}

static void no_read(void *user, uint32_t tag)
{
    (void)user, (void)tag;
}

static void on_grid_done(void *user, uint64_t cookie, const struct grid *grid)
{
    struct kernel_job *job = user;
    (void)cookie;
    job->result = *grid;
    job->finished = true;
}

static uint64_t largest_param_block(const struct module *module)
{
    uint64_t most = 16;
    for (uint32_t i = 0; i < module_kernel_count(module); i++) {
        uint64_t bytes = module_kernel_at(module, i)->param_bytes;
        if (bytes > most)
            most = bytes;
    }
    return most;
}

/* Registers a thread may have so that a block fits on a core. */
static uint32_t registers_per_thread(const struct core_config *core, uint64_t block_threads)
{
    uint64_t lanes = (block_threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    uint64_t regs = lanes ? core->registers / lanes : MAX_REGS;
    return regs > MAX_REGS ? MAX_REGS : regs < MIN_REGS ? MIN_REGS : (uint32_t)regs;
}

static bool set_up(struct kernel_job *job, enum tile_backend backend,
                   const struct kernel_source *source, struct error *err)
{
    uint32_t max_regs = registers_per_thread(&job->config.core, source->block_threads);
    job->module = module_load_within(source->path, max_regs, err);
    if (!job->module)
        return false;
    struct gpu_config config = gpu_settings(&job->config, backend, SCHED_MODE_PREEMPT);
    struct gpu_callbacks calls = {.flag_write = no_flag,
                                  .command_done = no_command,
                                  .grid_done = on_grid_done,
                                  .event_done = no_event,
                                  .read_done = no_read,
                                  .user = job};
    job->gpu = gpu_create(&config, &calls, err);
    if (!job->gpu || !gpu_load(job->gpu, job->module, err))
        return false;
    job->param_room = largest_param_block(job->module);
    job->params = ALLOC_ARRAY(uint8_t, job->param_room);
    job->param_address = kernel_job_buffer(job, NULL, job->param_room, err);
    return job->param_address != 0;
}

struct kernel_job *kernel_job_create(const struct machine_config *config, enum tile_backend backend,
                                     const struct kernel_source *source, struct error *err)
{
    struct kernel_job *job = ALLOC(struct kernel_job);
    job->config = *config;
    if (set_up(job, backend, source, err))
        return job;
    kernel_job_destroy(job);
    return NULL;
}

void kernel_job_destroy(struct kernel_job *job)
{
    if (!job)
        return;
    gpu_destroy(job->gpu);
    module_free(job->module);
    free(job->params);
    free(job);
}

uint64_t kernel_job_buffer(struct kernel_job *job, const void *data, uint64_t bytes,
                           struct error *err)
{
    struct image *image = gpu_image(job->gpu);
    uint64_t address = image_alloc(image, bytes ? bytes : 1, 256);
    if (!address) {
        error_set(err, "device memory is full: %llu bytes do not fit in gpu.memory_mib = %u",
                  (unsigned long long)bytes, job->config.memory_mib);
        return 0;
    }
    if (data)
        memcpy(image->base + address, data, bytes);
    return address;
}

uint8_t *kernel_job_memory(struct kernel_job *job, uint64_t address)
{
    return gpu_image(job->gpu)->base + address;
}

const struct kernel *kernel_job_kernel(const struct kernel_job *job, const char *name,
                                       struct error *err)
{
    return module_launchable(job->module, name, err);
}

bool kernel_job_symbol(const struct kernel_job *job, const char *name, uint64_t *address,
                       uint64_t *bytes, struct error *err)
{
    uint32_t n = module_variable_count(job->module);
    for (uint32_t i = 0; i < n; i++) {
        const struct module_variable *v = module_variable_at(job->module, i);
        if (strcmp(v->name, name) != 0)
            continue;
        *address = v->address;
        *bytes = v->size;
        return true;
    }
    char list[300] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *other = module_variable_at(job->module, i)->name;
        if (used + strlen(other) + 3 > sizeof list)
            break;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", other);
    }
    if (!n)
        return error_set(err, "no variable named %.80s: the file has none", name);
    return error_set(err, "no variable named %.80s; there %s %s", name, n > 1 ? "are" : "is", list);
}

bool kernel_job_argument(struct kernel_job *job, const char *name, uint32_t index,
                         const void *value, uint32_t bytes, struct error *err)
{
    const struct kernel *kernel = module_launchable(job->module, name, err);
    if (!kernel)
        return false;
    if (index >= kernel->n_params)
        return error_set(err, "kernel %s takes %u arguments; there is no argument %u", name,
                         kernel->n_params, index);
    const struct kernel_param *param = &kernel->params[index];
    if (param->size != bytes)
        return error_set(err, "kernel %s, argument %u (%s): is %u bytes, must be %u", name, index,
                         param->name, bytes, param->size);
    memcpy(job->params + param->offset, value, bytes);
    return true;
}

static bool job_tick(void *self, struct error *err)
{
    struct kernel_job *job = self;
    return gpu_tick(job->gpu, err);
}

static uint64_t job_cycle(const void *self)
{
    return gpu_cycle(((const struct kernel_job *)self)->gpu);
}

static uint64_t job_next(const void *self)
{
    return gpu_next_event(((const struct kernel_job *)self)->gpu);
}

static void job_skip(void *self, uint64_t cycle)
{
    gpu_skip_to(((struct kernel_job *)self)->gpu, cycle);
}

static bool job_done(const void *self)
{
    return ((const struct kernel_job *)self)->finished;
}

static uint64_t job_work(const void *self)
{
    struct gpu_stats stats;
    gpu_stats(((const struct kernel_job *)self)->gpu, &stats);
    return stats.cores.warp_instructions + stats.mem.requests[0] + stats.mem.requests[1];
}

static void job_describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    gpu_describe(((const struct kernel_job *)self)->gpu, line, user);
}

static void fill_figures(struct kernel_job *job, const struct kernel *kernel,
                         const struct kernel_call *call, uint64_t start,
                         struct kernel_figures *figures)
{
    memset(figures, 0, sizeof *figures);
    figures->cycles = gpu_cycle(job->gpu) - start;
    figures->warp_instructions = job->result.warp_instructions;
    figures->thread_instructions = job->result.thread_instructions;
    gpu_stats(job->gpu, &figures->stats);
    figures->blocks_per_core = core_occupancy(&job->config.core, kernel, call->block,
                                              call->dynamic_shared, &figures->limiter, NULL);
    figures->registers = kernel->regs;
    figures->shared_bytes = kernel->shared_bytes + call->dynamic_shared;
}

enum run_end kernel_job_run(struct kernel_job *job, const struct kernel_call *call,
                            const struct run_control *control, struct kernel_figures *figures,
                            struct error *err)
{
    const struct kernel *kernel = module_launchable(job->module, call->name, err);
    if (!kernel)
        return RUN_FAILED;
    memcpy(kernel_job_memory(job, job->param_address), job->params, kernel->param_bytes);
    struct launch launch = {
        .kernel = kernel, .dynamic_shared = call->dynamic_shared, .param = job->param_address};
    memcpy(launch.grid, call->grid, sizeof launch.grid);
    memcpy(launch.block, call->block, sizeof launch.block);
    if (!gpu_launch(job->gpu, &launch, err))
        return RUN_FAILED;
    struct run_target target = {.self = job,
                                .tick = job_tick,
                                .cycle = job_cycle,
                                .next_event = job_next,
                                .skip_to = job_skip,
                                .done = job_done,
                                .work = job_work,
                                .describe = job_describe};
    uint64_t start = gpu_cycle(job->gpu);
    job->finished = false;
    enum run_end end = run_loop(&target, control, err);
    fill_figures(job, kernel, call, start, figures);
    return end;
}

struct gpu *kernel_job_gpu(struct kernel_job *job)
{
    return job->gpu;
}
