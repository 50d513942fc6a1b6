/* Modules, functions and launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

#define PARAM_ROOM 4608u /* bytes of a parameter buffer: CUDA's 4 KiB and some padding */

static uint32_t call_ns(const struct program *p)
{
    return machine_config(p->machine)->call_ns;
}

static struct program_module *find_module(struct program *p, uint64_t id)
{
    return id && id <= p->n_modules && p->modules[id - 1].loaded ? &p->modules[id - 1] : NULL;
}

struct program_function *function_find(struct program *p, uint64_t id)
{
    return id && id <= p->n_functions && p->functions[id - 1].used ? &p->functions[id - 1] : NULL;
}

/* --- modules
 * ---------------------------------------------------------------------------------------- */

static void load(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct error err = {0};
    const char *name = (const char *)t->payload;
    size_t bytes = (size_t)t->request.payload;
    size_t name_bytes = name ? strnlen(name, bytes) + 1 : 0;
    if (!name || name_bytes > bytes) {
        host_return(t, CUDA_ERROR_INVALID_VALUE, cycle, call_ns(p));
        return;
    }
    const char *text = name + name_bytes;
    struct module *module = module_parse(name, text, strlen(text), &err);
    if (!module || !guest_load(p->guest, module, &err)) {
        host_fail(t, CUDA_ERROR_INVALID_PTX, cycle, "%s", err.text);
        return;
    }
    ARRAY_RESERVE(p->modules, p->n_modules, p->cap_modules);
    p->modules[p->n_modules++] = (struct program_module){
        .module = module, .name = alloc_string(name), .text = alloc_string(text), .loaded = true};
    for (uint32_t i = 0; i < module_variable_count(module); i++) {
        const struct module_variable *v = module_variable_at(module, i);
        if (v->size)
            memory_add(p, v->address, v->size, WIRE_MODULE_DATA, 0);
    }
    t->reply.v[0] = p->n_modules;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

/* Code and variables stay in device memory; their handles become invalid. */
static void unload(struct host_thread *t, uint64_t cycle, struct program_module *m)
{
    struct program *p = t->program;
    uint32_t index = (uint32_t)(m - p->modules);
    m->loaded = false;
    for (uint32_t i = 0; i < p->n_functions; i++) {
        if (p->functions[i].module == index)
            p->functions[i].used = false;
    }
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

/* Registers a thread may have so that a block of so many threads fits on a core. */
static uint32_t registers_for(const struct machine_config *c, uint32_t threads)
{
    uint32_t lanes = (threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    uint32_t regs = c->core.registers / lanes / 4 * 4;
    return regs > MAX_REGS ? MAX_REGS : regs < MIN_REGS ? MIN_REGS : regs;
}

/* The kernel of this function for blocks of `threads` threads: as it was loaded when that fits,
 * else loaded again with as many registers as do, the rest of its values in local memory. NULL with
 * `err` when there is none. */
static const struct kernel *kernel_for(struct program *p, const struct program_function *f,
                                       uint32_t threads, struct error *err)
{
    struct program_module *m = &p->modules[f->module];
    uint32_t regs = registers_for(machine_config(p->machine), threads);
    if (f->kernel->regs <= regs)
        return f->kernel;
    for (uint32_t i = 0; i < m->n_variants; i++) {
        if (m->variants[i].max_regs == regs)
            return module_launchable(m->variants[i].module, f->kernel->name, err);
    }
    struct module *module = module_parse_within(m->name, m->text, strlen(m->text), regs, err);
    if (!module || !guest_load_like(p->guest, module, m->module, err))
        return NULL;
    ARRAY_RESERVE(m->variants, m->n_variants, m->cap_variants);
    m->variants[m->n_variants++] = (struct module_variant){.max_regs = regs, .module = module};
    return module_launchable(module, f->kernel->name, err);
}

/* --- functions
 * --------------------------------------------------------------------------------------- */

static void fill_function(const struct program *p, const struct kernel *k, struct wire_function *f)
{
    const struct machine_config *c = machine_config(p->machine);
    uint32_t threads = c->core.threads < 1024 ? c->core.threads : 1024;
    if (k->max_threads && k->max_threads < threads)
        threads = k->max_threads;
    *f = (struct wire_function){.registers = k->regs,
                                .shared_bytes = k->shared_bytes,
                                .local_bytes = k->local_bytes,
                                .max_threads = threads,
                                .param_bytes = k->param_bytes,
                                .n_params = k->n_params,
                                .ptx_version = 50};
    for (uint32_t i = 0; i < k->n_params && i < WIRE_MAX_PARAMS; i++) {
        f->params[i].offset = k->params[i].offset;
        f->params[i].bytes = k->params[i].size;
    }
}

static void get_function(struct host_thread *t, uint64_t cycle, const struct program_module *m)
{
    struct program *p = t->program;
    struct error err = {0};
    const char *name = t->payload ? (const char *)t->payload : "";
    const struct kernel *kernel = module_launchable(m->module, name, &err);
    if (!kernel) {
        host_fail(t, module_kernel(m->module, name) ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_NOT_FOUND,
                  cycle, "%s: %s", m->name, err.text);
        return;
    }
    if (kernel->n_params > WIRE_MAX_PARAMS || kernel->param_bytes > PARAM_ROOM) {
        host_fail(
            t, CUDA_ERROR_NOT_SUPPORTED, cycle,
            "%s: kernel %s has %u parameters of %u bytes; at most %u of %u bytes can be passed",
            m->name, name, kernel->n_params, kernel->param_bytes, WIRE_MAX_PARAMS, PARAM_ROOM);
        return;
    }
    ARRAY_RESERVE(p->functions, p->n_functions, p->cap_functions);
    p->functions[p->n_functions++] =
        (struct program_function){.kernel = kernel,
                                  .module = (uint32_t)(m - p->modules),
                                  .max_dynamic = machine_config(p->machine)->core.shared_bytes,
                                  .used = true};
    struct wire_function *info = ALLOC(struct wire_function);
    fill_function(p, kernel, info);
    t->text = (char *)info;
    t->reply.payload = sizeof *info;
    t->reply.v[0] = p->n_functions;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

const struct module_variable *module_variable_find(struct program *p, uint64_t module,
                                                   const char *name)
{
    const struct program_module *m = find_module(p, module);
    for (uint32_t i = 0; m && i < module_variable_count(m->module); i++) {
        const struct module_variable *v = module_variable_at(m->module, i);
        if (!strcmp(v->name, name))
            return v;
    }
    return NULL;
}

static void get_global(struct host_thread *t, uint64_t cycle, const struct program_module *m)
{
    struct program *p = t->program;
    const char *name = t->payload ? (const char *)t->payload : "";
    const struct module_variable *v = module_variable_find(p, t->request.a[0], name);
    if (!v) {
        host_fail(t, CUDA_ERROR_NOT_FOUND, cycle, "%s: no variable named %s", m->name, name);
        return;
    }
    t->reply.v[0] = v->address;
    t->reply.v[1] = v->size;
    t->reply.v[2] = v->space == SPACE_CONST;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

static void occupancy(struct host_thread *t, uint64_t cycle, const struct program_function *f)
{
    struct program *p = t->program;
    const struct machine_config *c = machine_config(p->machine);
    struct error err = {0};
    uint32_t block[3] = {(uint32_t)t->request.a[1], 1, 1};
    if (!block[0] || t->request.a[1] > c->core.threads || t->request.a[2] > UINT32_MAX) {
        host_return(t, CUDA_ERROR_INVALID_VALUE, cycle, call_ns(p));
        return;
    }
    const struct kernel *kernel = kernel_for(p, f, block[0], &err);
    if (kernel)
        t->reply.v[0] =
            core_occupancy(&c->core, kernel, block, (uint32_t)t->request.a[2], NULL, &err);
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

static void set_function(struct host_thread *t, uint64_t cycle, struct program_function *f)
{
    struct program *p = t->program;
    uint32_t room = machine_config(p->machine)->core.shared_bytes;
    uint32_t status = CUDA_ERROR_INVALID_VALUE;
    if (t->request.a[1] == WIRE_MAX_DYNAMIC_SHARED && f->kernel->shared_bytes <= room &&
        t->request.a[2] <= room - f->kernel->shared_bytes) {
        f->max_dynamic = (uint32_t)t->request.a[2];
        status = CUDA_SUCCESS;
    }
    host_return(t, status, cycle, call_ns(p));
}

void module_call(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint16_t op = t->request.op;
    if (op == WIRE_MODULE) {
        load(t, cycle);
        return;
    }
    if (op == WIRE_OCCUPANCY || op == WIRE_FUNCTION_SET) {
        struct program_function *f = function_find(p, t->request.a[0]);
        if (!f)
            host_return(t, CUDA_ERROR_INVALID_HANDLE, cycle, call_ns(p));
        else if (op == WIRE_OCCUPANCY)
            occupancy(t, cycle, f);
        else
            set_function(t, cycle, f);
        return;
    }
    struct program_module *m = find_module(p, t->request.a[0]);
    if (!m)
        host_return(t, CUDA_ERROR_INVALID_HANDLE, cycle, call_ns(p));
    else if (op == WIRE_UNLOAD)
        unload(t, cycle, m);
    else if (op == WIRE_FUNCTION)
        get_function(t, cycle, m);
    else
        get_global(t, cycle, m);
}

void module_release_all(struct program *p)
{
    for (uint32_t i = 0; i < p->n_modules; i++) {
        free(p->modules[i].name);
        free(p->modules[i].text);
        free(p->modules[i].variants);
    }
    p->n_modules = p->n_functions = 0;
}

/* --- launches
 * ----------------------------------------------------------------------------------------- */

static uint64_t take_parameters(struct program *p, struct error *err)
{
    if (p->n_free_params)
        return p->free_params[--p->n_free_params];
    uint64_t address = guest_alloc(p->guest, PARAM_ROOM, 256, err);
    guest_describe(p->guest, address,
                   &(struct image_note){.access = IMAGE_CLOSED, .what = "parameters"});
    return address;
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
        host_fail(t, ERROR_INVALID_CONFIGURATION, cycle,
                  "launch of %s: grid %llu x %llu x %llu, block %llu x %llu x %llu; grids are 1 to "
                  "2147483647 x 65535 x 65535, blocks 1 to %llu threads",
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
    host_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
              "launch of %s: %llu bytes of arguments, its %u parameters take %llu", k->name,
              (unsigned long long)t->request.payload, k->n_params, (unsigned long long)needed);
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
        host_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "launch of %s: %llu bytes of dynamic shared memory, at most %u", f->kernel->name,
                  (unsigned long long)a[8], f->max_dynamic);
        return NULL;
    }
    const struct kernel *kernel = kernel_for(p, f, block[0] * block[1] * block[2], &err);
    uint64_t resident =
        kernel ? core_occupancy(&c->core, kernel, block, (uint32_t)a[8], NULL, &err) : 0;
    if (!resident) {
        host_fail(t, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, cycle, "launch of %s: %s", f->kernel->name,
                  err.text);
        return NULL;
    }
    uint64_t blocks = a[2] * a[3] * a[4];
    if ((a[9] & WIRE_COOPERATIVE) && blocks > resident * c->cores) {
        host_fail(t, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, cycle,
                  "cooperative launch of %s: %llu blocks, %llu can be resident at a time",
                  f->kernel->name, (unsigned long long)blocks,
                  (unsigned long long)(resident * c->cores));
        return NULL;
    }
    return kernel;
}

static void on_ended(void *user, const struct grid *grid)
{
    struct command *c = user;
    struct program *p = c->program;
    p->figures.kernel_cycles += grid->end_cycle - grid->start_cycle;
    kernel_figures_add(&p->kernels, grid, machine_services_at_work(p->machine));
}

static void submit_launch(struct host_thread *t, const struct kernel *kernel,
                          const struct stream *s, uint64_t parameters)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    struct driver_call call = {.kind = DRIVER_LAUNCH,
                               .kernel = {.code = kernel->code_address,
                                          .parameters = parameters,
                                          .shared_bytes = (uint32_t)a[8],
                                          .priority = -s->priority,
                                          .cooperative = (a[9] & WIRE_COOPERATIVE) != 0,
                                          .ended = on_ended}};
    for (int i = 0; i < 3; i++) {
        call.kernel.grid[i] = (uint32_t)a[2 + i];
        call.kernel.block[i] = (uint32_t)a[5 + i];
    }
    struct command *c = command_create(t, COMMAND_KERNEL, s->id);
    c->parameters = parameters;
    call.kernel.user = c;
    p->figures.launches++;
    command_submit(c, &call);
}

void launch_call(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const struct program_function *f = function_find(p, t->request.a[0]);
    const struct stream *s = stream_find(p, t->request.a[1]);
    struct error err = {0};
    if (!f || !s) {
        host_return(t, CUDA_ERROR_INVALID_HANDLE, cycle, call_ns(p));
        return;
    }
    if (!check_dimensions(t, cycle, f->kernel) || !check_parameters(t, cycle, f->kernel))
        return;
    const struct kernel *kernel = check_resources(t, cycle, f);
    if (!kernel)
        return;
    uint64_t parameters = take_parameters(p, &err);
    if (!parameters) {
        host_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle, "launch of %s: %s", f->kernel->name,
                  err.text);
        return;
    }
    uint64_t bytes = t->request.payload < PARAM_ROOM ? t->request.payload : PARAM_ROOM;
    if (bytes)
        memcpy(gpu_image(machine_gpu(p->machine))->base + parameters, t->payload, (size_t)bytes);
    submit_launch(t, kernel, s, parameters);
}
