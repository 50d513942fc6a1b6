#include "sim/guest/program/device/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"
#include "sim/ptx/module.h"

#define MOST_TEXT_BYTES (64u << 20) /* of a module: half a minute of the simulator at most */

static struct program_module *find_module(const struct program *p, uint64_t id)
{
    return id && id <= p->modules.count && p->modules.list[id - 1].loaded ? &p->modules.list[id - 1]
                                                                          : NULL;
}

static struct program_function *find_function(const struct program *p, uint64_t id)
{
    return id && id <= p->modules.n_functions && p->modules.functions[id - 1].used
               ? &p->modules.functions[id - 1]
               : NULL;
}

const struct program_function *module_function(const struct program *p, uint64_t id)
{
    return find_function(p, id);
}

/* --- modules ---------------------------------------------------------------------------------- */

static void load(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct error err = {0};
    const char *name = (const char *)t->payload;
    size_t bytes = (size_t)t->request.payload;
    size_t name_bytes = name ? strnlen(name, bytes) + 1 : 0;
    if (!name || name_bytes > bytes) {
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
        return;
    }
    if (bytes > MOST_TEXT_BYTES) {
        call_fail(t, CUDA_ERROR_INVALID_PTX, cycle,
                  "%.100s: PTX of %llu bytes exceeds the limit of %u; split the module", name,
                  (unsigned long long)bytes, MOST_TEXT_BYTES);
        return;
    }
    const char *text = name + name_bytes;
    struct module *module = module_parse(name, text, strlen(text), &err);
    if (!module || !guest_load(p->guest, module, &err)) {
        call_fail(t, CUDA_ERROR_INVALID_PTX, cycle, "%s", err.text);
        return;
    }
    ARRAY_RESERVE(p->modules.list, p->modules.count, p->modules.capacity);
    p->modules.list[p->modules.count++] = (struct program_module){
        .module = module, .name = alloc_string(name), .text = alloc_string(text), .loaded = true};
    for (uint32_t i = 0; i < module_variable_count(module); i++) {
        const struct module_variable *v = module_variable_at(module, i);
        if (v->size)
            memory_add(p, &(struct area){v->address, v->size, WIRE_MODULE_DATA, 0, 0});
    }
    t->reply.v[0] = p->modules.count;
    call_done(t, CUDA_SUCCESS, cycle);
}

/* Code and variables stay in device memory; their handles become invalid. */
static void unload(struct host_thread *t, uint64_t cycle, struct program_module *m)
{
    struct program *p = t->program;
    uint32_t index = (uint32_t)(m - p->modules.list);
    m->loaded = false;
    for (uint32_t i = 0; i < p->modules.n_functions; i++) {
        if (p->modules.functions[i].module == index)
            p->modules.functions[i].used = false;
    }
    call_done(t, CUDA_SUCCESS, cycle);
}

/* Registers a thread may have so that a block of so many threads fits on a core. */
static uint32_t registers_for(const struct machine_config *c, uint32_t threads)
{
    uint32_t lanes = (threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    uint32_t regs = c->core.registers / lanes / 4 * 4;
    return regs > MAX_REGS ? MAX_REGS : regs < MIN_REGS ? MIN_REGS : regs;
}

const struct kernel *module_kernel_for(struct program *p, const struct program_function *f,
                                       uint32_t threads, struct error *err)
{
    struct program_module *m = &p->modules.list[f->module];
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

/* --- functions -------------------------------------------------------------------------------- */

/* The block that a program finds as a kernel's largest one has room for its registers, as programs
 * expect that divide by both. A larger one runs all the same, with fewer registers, and so does one
 * that the kernel itself promises (.maxntid). */
static void give_limits(const struct machine_config *c, const struct kernel *k,
                        struct wire_function *f)
{
    uint32_t threads = c->core.threads < 1024 ? c->core.threads : 1024;
    uint32_t fitting = c->core.registers / (k->regs ? k->regs : 1) / WARP_SIZE * WARP_SIZE;
    if (k->max_threads) {
        f->max_threads = k->max_threads < threads ? (uint32_t)k->max_threads : threads;
        uint32_t registers = registers_for(c, f->max_threads);
        f->registers = k->regs < registers ? k->regs : registers;
    } else {
        f->max_threads = fitting && fitting < threads ? fitting : threads;
        f->registers = k->regs;
    }
}

static void fill_function(const struct program *p, const struct module *module,
                          const struct kernel *k, struct wire_function *f)
{
    *f = (struct wire_function){.shared_bytes = k->shared_bytes,
                                .local_bytes = k->local_bytes,
                                .param_bytes = k->param_bytes,
                                .n_params = k->n_params,
                                .ptx_version = module_architecture(module)};
    give_limits(machine_config(p->machine), k, f);
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
        call_fail(t, module_kernel(m->module, name) ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_NOT_FOUND,
                  cycle, "%s: %s", m->name, err.text);
        return;
    }
    if (kernel->n_params > WIRE_MAX_PARAMS || kernel->param_bytes > PARAM_ROOM_LARGE) {
        call_fail(
            t, CUDA_ERROR_NOT_SUPPORTED, cycle,
            "%s: kernel %s has %u parameters of %u bytes; a launch passes at most %u of %u bytes",
            m->name, name, kernel->n_params, kernel->param_bytes, WIRE_MAX_PARAMS,
            PARAM_ROOM_LARGE);
        return;
    }
    ARRAY_RESERVE(p->modules.functions, p->modules.n_functions, p->modules.cap_functions);
    p->modules.functions[p->modules.n_functions++] =
        (struct program_function){.kernel = kernel,
                                  .module = (uint32_t)(m - p->modules.list),
                                  .max_dynamic = machine_config(p->machine)->core.shared_bytes,
                                  .used = true};
    struct wire_function *info = ALLOC(struct wire_function);
    fill_function(p, m->module, kernel, info);
    t->text = (char *)info;
    t->reply.payload = sizeof *info;
    t->reply.v[0] = p->modules.n_functions;
    call_done(t, CUDA_SUCCESS, cycle);
}

/* clang mangles the name of a static variable (_ZL, its length, the name), and nvcc does not. */
static bool is_static(const char *mangled, const char *name)
{
    char *rest;
    if (strncmp(mangled, "_ZL", 3) != 0)
        return false;
    return strtoul(mangled + 3, &rest, 10) == strlen(name) && !strcmp(rest, name);
}

const struct module_variable *module_variable_find(const struct program *p, uint64_t module,
                                                   const char *name)
{
    const struct program_module *m = find_module(p, module);
    const struct module_variable *found = NULL;
    for (uint32_t i = 0; m && i < module_variable_count(m->module); i++) {
        const struct module_variable *v = module_variable_at(m->module, i);
        if (!strcmp(v->name, name))
            return v;
        if (is_static(v->name, name))
            found = v;
    }
    return found;
}

static void get_global(struct host_thread *t, uint64_t cycle, const struct program_module *m)
{
    struct program *p = t->program;
    const char *name = t->payload ? (const char *)t->payload : "";
    const struct module_variable *v = module_variable_find(p, t->request.a[0], name);
    if (!v) {
        call_fail(t, CUDA_ERROR_NOT_FOUND, cycle, "%s: no variable named %s", m->name, name);
        return;
    }
    t->reply.v[0] = v->address;
    t->reply.v[1] = v->size;
    t->reply.v[2] = v->space == SPACE_CONST;
    if (t->request.a[1])
        image_show_constant(gpu_image(machine_gpu(p->machine)), v->address);
    call_done(t, CUDA_SUCCESS, cycle);
}

static void occupancy(struct host_thread *t, uint64_t cycle, const struct program_function *f)
{
    struct program *p = t->program;
    const struct machine_config *c = machine_config(p->machine);
    struct error err = {0};
    uint32_t block[3] = {(uint32_t)t->request.a[1], 1, 1};
    if (!block[0] || t->request.a[1] > c->core.threads || t->request.a[2] > UINT32_MAX) {
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
        return;
    }
    const struct kernel *kernel = module_kernel_for(p, f, block[0], &err);
    if (kernel)
        t->reply.v[0] =
            core_occupancy(&c->core, kernel, block, (uint32_t)t->request.a[2], NULL, &err);
    call_done(t, CUDA_SUCCESS, cycle);
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
    call_done(t, status, cycle);
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
        struct program_function *f = find_function(p, t->request.a[0]);
        if (!f)
            call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
        else if (op == WIRE_OCCUPANCY)
            occupancy(t, cycle, f);
        else
            set_function(t, cycle, f);
        return;
    }
    struct program_module *m = find_module(p, t->request.a[0]);
    if (!m)
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
    else if (op == WIRE_UNLOAD)
        unload(t, cycle, m);
    else if (op == WIRE_FUNCTION)
        get_function(t, cycle, m);
    else
        get_global(t, cycle, m);
}

void modules_clear(struct program *p)
{
    for (uint32_t i = 0; i < p->modules.count; i++) {
        free(p->modules.list[i].name);
        free(p->modules.list[i].text);
        free(p->modules.list[i].variants);
    }
    p->modules.count = p->modules.n_functions = 0;
}

void modules_free(struct program *p)
{
    free(p->modules.list);
    free(p->modules.functions);
}
