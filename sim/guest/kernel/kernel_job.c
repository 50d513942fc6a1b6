#include "sim/guest/kernel/kernel_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/gpu/device_output.h"
#include "sim/ptx/module.h"
#include "sim/simt/core.h"
#include "sim/system/guest.h"
#include "sim/system/machine.h"

struct kernel_job {
    struct machine *machine;
    struct guest *guest;
    struct module *module; /* the machine's */
    const struct machine_config *config;
    uint8_t *params; /* of the next call */
    uint64_t param_room, param_address;
    struct guest_launch call;
    bool finished;
    struct grid result;
};

/* --- the job as a guest -------------------------------------------------------------------------
 */

static void on_ended(void *user, const struct grid *grid)
{
    struct kernel_job *job = user;
    job->result = *grid;
    job->finished = true;
}

static bool job_start(void *self, uint64_t cycle, struct error *err)
{
    struct kernel_job *job = self;
    (void)cycle;
    job->finished = false;
    return guest_launch_now(job->guest, &job->call, err);
}

static bool job_tick(void *self, uint64_t cycle, struct error *err)
{
    (void)self, (void)cycle, (void)err;
    return true;
}

static uint64_t job_next_event(const void *self)
{
    (void)self;
    return CYCLE_NEVER;
}

static double job_share(const void *self)
{
    const struct kernel_job *job = self;
    struct gpu_owner_work work;
    guest_work(job->guest, &work);
    return work.blocks ? (double)work.blocks_done / (double)work.blocks : 0;
}

static bool job_finished(const void *self)
{
    return ((const struct kernel_job *)self)->finished;
}

/* Results are for whoever gave the arguments to judge. */
static bool job_verdict(void *self, char *text, size_t room)
{
    const struct kernel_job *job = self;
    snprintf(text, room, "kernel %s", job->call.kernel->name);
    return job->finished;
}

static uint64_t job_work(const void *self)
{
    const struct kernel_job *job = self;
    struct gpu_stats stats;
    gpu_stats(machine_gpu(job->machine), &stats);
    return stats.mem.requests[0] + stats.mem.requests[1];
}

static void job_describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    (void)self, (void)line, (void)user; /* the GPU says which warps wait */
}

static void job_print(const void *self, FILE *to)
{
    const struct kernel_job *job = self;
    fprintf(to, "kernel                %s\n", job->call.kernel->name);
}

static json_t *job_json(const void *self)
{
    const struct kernel_job *job = self;
    return json_pack("{s:s}", "name", job->call.kernel->name);
}

static void job_detach(void *self)
{
    (void)self; /* kernel_job_destroy */
}

static const struct guest_ops ops = {.kind = "kernel",
                                     .role = GUEST_LOAD,
                                     .start = job_start,
                                     .tick = job_tick,
                                     .next_event = job_next_event,
                                     .share = job_share,
                                     .finished = job_finished,
                                     .verdict = job_verdict,
                                     .work = job_work,
                                     .describe = job_describe,
                                     .print = job_print,
                                     .json = job_json,
                                     .destroy = job_detach};

/* --- arguments and memory -----------------------------------------------------------------------
 */

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

static bool set_up(struct kernel_job *job, const struct machine_config *config,
                   enum tile_backend backend, const struct kernel_source *source, struct error *err)
{
    struct machine_options options = {.backend = backend, .mode = SCHED_MODE_PREEMPT};
    uint32_t max_regs = registers_per_thread(&config->core, source->block_threads);
    job->module = module_load_within(source->path, max_regs, err);
    if (!job->module)
        return false;
    job->machine = machine_create(config, &options, err);
    if (!job->machine) {
        module_free(job->module);
        return false;
    }
    job->config = machine_config(job->machine);
    job->guest = machine_add_guest(job->machine, &ops, "kernel", job);
    if (!guest_load(job->guest, job->module, err))
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
    if (set_up(job, config, backend, source, err))
        return job;
    kernel_job_destroy(job);
    return NULL;
}

void kernel_job_destroy(struct kernel_job *job)
{
    if (!job)
        return;
    machine_destroy(job->machine);
    free(job->params);
    free(job);
}

uint64_t kernel_job_buffer(struct kernel_job *job, const void *data, uint64_t bytes,
                           struct error *err)
{
    uint64_t address = guest_alloc(job->guest, bytes, 256, err);
    if (address && data)
        memcpy(kernel_job_memory(job, address), data, bytes);
    return address;
}

uint8_t *kernel_job_memory(struct kernel_job *job, uint64_t address)
{
    return gpu_image(machine_gpu(job->machine))->base + address;
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
        return error_set(err, "no variable named %.80s: the file defines none", name);
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
        return error_set(err, "kernel %s, argument %u (%s): has %u bytes and must have %u", name,
                         index, param->name, bytes, param->size);
    memcpy(job->params + param->offset, value, bytes);
    return true;
}

static void fill_figures(struct kernel_job *job, const struct kernel *kernel,
                         const struct kernel_call *call, uint64_t start,
                         struct kernel_figures *figures)
{
    memset(figures, 0, sizeof *figures);
    figures->cycles = machine_cycle(job->machine) - start;
    figures->warp_instructions = job->result.warp_instructions;
    figures->thread_instructions = job->result.thread_instructions;
    figures->grid_cycles = job->result.end_cycle - job->result.start_cycle;
    figures->counts = job->result.counters;
    gpu_stats(machine_gpu(job->machine), &figures->stats);
    figures->blocks_per_core = core_occupancy(&job->config->core, kernel, call->block,
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
    job->call = (struct guest_launch){.kernel = kernel,
                                      .dynamic_shared = call->dynamic_shared,
                                      .cooperative = call->cooperative,
                                      .parameters = job->param_address,
                                      .ended = on_ended,
                                      .user = job};
    memcpy(job->call.grid, call->grid, sizeof job->call.grid);
    memcpy(job->call.block, call->block, sizeof job->call.block);
    uint64_t start = machine_cycle(job->machine);
    enum run_end end = machine_run(job->machine, control, err);
    fill_figures(job, kernel, call, start, figures);
    return end;
}

void kernel_job_output(struct kernel_job *job,
                       void (*print)(void *user, bool is_error, const char *text, size_t bytes),
                       void *user)
{
    guest_take_output(job->guest, &(struct output_reader){print, user});
}
