#include "sim/system/forwarding_memory.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/ipv4/forward.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/matrixMul/matmul.h"

#define BIG_BLOCK 64u /* threads of a block of a thread-block event */

static struct image *image_of(const struct forwarding_memory *f)
{
    return gpu_image(machine_gpu(f->machine));
}

static uint64_t take(const struct forwarding_memory *f, uint64_t bytes, struct error *err)
{
    uint64_t address = image_alloc(image_of(f), bytes ? bytes : 1, 256);
    if (!address)
        error_set(err, "device memory is full: gpu.memory_mib must be larger");
    return address;
}

static void *host(const struct forwarding_memory *f, uint64_t address)
{
    return image_of(f)->base + address;
}

/* --- the driver's side of the EDGE API ----------------------------------------------------------
 */

static uint64_t edge_alloc(void *user, uint64_t bytes, uint64_t align)
{
    const struct forwarding_memory *f = user;
    return image_alloc(image_of(f), bytes, align);
}

static void edge_release(void *user, uint64_t address)
{
    const struct forwarding_memory *f = user;
    image_release(image_of(f), address);
}

static bool edge_write(void *user, uint64_t address, const void *data, uint64_t bytes,
                       struct error *err)
{
    const struct forwarding_memory *f = user;
    if (!image_valid(image_of(f), address, bytes))
        return error_set(err, "write of %llu bytes to 0x%llx, outside device memory",
                         (unsigned long long)bytes, (unsigned long long)address);
    memcpy(host(f, address), data, bytes);
    return true;
}

static const struct kernel *edge_kernel(void *user, const char *name)
{
    const struct forwarding_memory *f = user;
    return module_kernel(f->forward, name);
}

static bool edge_command(void *user, const struct frontend_command *command, uint32_t *code,
                         uint32_t *row, struct error *err)
{
    const struct forwarding_memory *f = user;
    return machine_command(f->machine, command, code, row, err);
}

static void fill_edge_driver(struct forwarding_memory *f)
{
    const struct core_config *core = &f->options->config->core;
    f->edge_driver = (struct edge_driver){
        .user = f,
        .limits = {.block_threads =
                       core->threads < EVG_BLOCK_THREADS ? core->threads : EVG_BLOCK_THREADS,
                   .shared_bytes = core->shared_bytes,
                   .registers = core->registers,
                   .local_bytes = EVENT_LOCAL_BYTES},
        .alloc = edge_alloc,
        .release = edge_release,
        .write = edge_write,
        .kernel = edge_kernel,
        .command = edge_command};
}

/* --- routing table and packet buffers -----------------------------------------------------------
 */

static bool make_table(struct forwarding_memory *f, struct error *err)
{
    const struct route_list *routes = f->options->routes;
    uint64_t hop_bytes = (uint64_t)(routes->n_hops + 1) * sizeof(struct fwd_hop);
    f->level1 = take(f, DIR24_LEVEL1_BYTES, err);
    f->level2 = take(f, dir24_level2_bytes(dir24_blocks(routes)), err);
    f->hops = take(f, hop_bytes, err);
    f->totals = take(f, FWD_VERDICTS * sizeof(uint32_t), err);
    if (err->set)
        return false;
    dir24_fill(routes, host(f, f->level1), host(f, f->level2));
    f->host_hops = ALLOC_ARRAY(struct fwd_hop, routes->n_hops + 1);
    forward_make_hops(f->host_hops, routes->n_hops, FORWARD_PORTS);
    memcpy(host(f, f->hops), f->host_hops, hop_bytes);
    return true;
}

static bool make_buffers(struct forwarding_memory *f, struct error *err)
{
    uint32_t longest = f->options->capture->longest + FWD_FRAME_OFFSET;
    f->slot_bytes = (longest + FWD_SLOT_ALIGN - 1) / FWD_SLOT_ALIGN * FWD_SLOT_ALIGN;
    f->entries = f->options->config->nic_in_flight;
    f->entry = ALLOC_ARRAY(struct nic_entry, f->entries);
    for (uint32_t i = 0; i < f->entries && !err->set; i++) {
        f->entry[i].input = take(f, (uint64_t)f->slot_bytes * f->options->batch, err);
        f->entry[i].output = f->entry[i].input;
        f->entry[i].results = take(f, (uint64_t)f->options->batch * sizeof(uint32_t), err);
    }
    return !err->set;
}

/* Arguments of the kernel in order; the count (2) is written by the NIC. */
enum {
    ARG_SLOTS,
    ARG_SLOT_BYTES,
    ARG_COUNT,
    ARG_LEVEL1,
    ARG_LEVEL2,
    ARG_HOPS,
    ARG_RESULTS,
    ARG_TOTALS
};

static uint64_t argument_value(const struct forwarding_memory *f, uint32_t entry, uint32_t index)
{
    switch (index) {
    case ARG_SLOTS:
        return f->entry[entry].input;
    case ARG_SLOT_BYTES:
        return f->slot_bytes;
    case ARG_LEVEL1:
        return f->level1;
    case ARG_LEVEL2:
        return f->level2;
    case ARG_HOPS:
        return f->hops;
    case ARG_RESULTS:
        return f->entry[entry].results;
    case ARG_TOTALS:
        return f->totals;
    default:
        return 0;
    }
}

static bool set_edge_entry(struct forwarding_memory *f, uint32_t entry, struct error *err)
{
    for (uint32_t i = 0; i < f->kernel->n_params; i++) {
        uint64_t value = argument_value(f, entry, i);
        bool ok = f->kernel->params[i].size == 8
                      ? edge_set_u64(f->event, entry, i, value, err)
                      : edge_set_u32(f->event, entry, i, (uint32_t)value, err);
        if (!ok)
            return false;
    }
    f->entry[entry].count = edge_argument_address(f->event, entry, ARG_COUNT);
    return edge_set_completion(f->event, entry,
                               NIC_COMPLETION_BASE + (uint64_t)entry * sizeof(uint32_t), err);
}

static bool register_event(struct forwarding_memory *f, struct error *err)
{
    struct edge_request request = {
        EDGE_TYPES(PTX_U64, PTX_U32, PTX_U32, PTX_U64, PTX_U64, PTX_U64, PTX_U64, PTX_U64),
        .kernel = f->kernel->name,
        .grid = {f->grid, 1, 1},
        .block = {f->block, 1, 1},
        .max_in_flight = f->entries,
        .requester = NIC_RID};
    request.n_types = f->kernel->n_params;
    fill_edge_driver(f);
    f->event = edge_register_event(&f->edge_driver, &request, err);
    if (!f->event)
        return false;
    for (uint32_t i = 0; i < f->entries; i++) {
        if (!set_edge_entry(f, i, err))
            return false;
    }
    return true;
}

/* The baseline's parameter buffers: the same arguments, one buffer per entry (EDGE Figure 8b). */
static bool make_cpu_entries(struct forwarding_memory *f, struct error *err)
{
    f->kernels = ALLOC_ARRAY(struct driver_kernel, f->entries);
    for (uint32_t i = 0; i < f->entries; i++) {
        uint64_t params = take(f, f->kernel->param_bytes, err);
        if (!params)
            return false;
        for (uint32_t p = 0; p < f->kernel->n_params; p++) {
            const struct kernel_param *param = &f->kernel->params[p];
            uint64_t value = argument_value(f, i, p);
            memcpy(host(f, params + param->offset), &value, param->size);
        }
        f->entry[i].count = params + f->kernel->params[ARG_COUNT].offset;
        f->kernels[i] = (struct driver_kernel){.code = f->kernel->code_address,
                                               .parameters = params,
                                               .grid = {f->grid, 1, 1},
                                               .block = {f->block, 1, 1},
                                               .priority = 1};
    }
    return machine_add_launcher(f->machine, f->kernels, f->entries, err);
}

static bool load_forward_kernel(struct forwarding_memory *f, struct error *err)
{
    const struct forwarding_options *o = f->options;
    f->forward = module_load(o->forward_ptx, err);
    if (!f->forward || !gpu_load(machine_gpu(f->machine), f->forward, err))
        return false;
    const char *name = o->thread_blocks ? "ipv4_forward_big" : "ipv4_forward";
    f->kernel = module_launchable(f->forward, name, err);
    if (!f->kernel) {
        error_prefix(err, "%s", o->forward_ptx);
        return false;
    }
    f->block = o->thread_blocks ? BIG_BLOCK : WARP_SIZE;
    f->grid = (o->batch + f->block - 1) / f->block;
    return true;
}

/* --- the background kernel ----------------------------------------------------------------------
 */

bool forwarding_background_create(struct forwarding_memory *f, struct machine *machine,
                                  const struct forwarding_options *options, struct error *err)
{
    uint32_t n = options->background;
    uint64_t count = (uint64_t)n * n;
    f->machine = machine;
    f->options = options;
    f->matmul = module_load(options->matmul_ptx, err);
    if (!f->matmul || !gpu_load(machine_gpu(machine), f->matmul, err))
        return false;
    const struct kernel *kernel = module_launchable(f->matmul, "matmul", err);
    if (!kernel) {
        error_prefix(err, "%s", options->matmul_ptx);
        return false;
    }
    f->a = ALLOC_ARRAY(float, count);
    f->b = ALLOC_ARRAY(float, count);
    input_floats(options->seed, f->a, count);
    input_floats(options->seed + 1, f->b, count);
    uint64_t a = take(f, count * sizeof(float), err), b = take(f, count * sizeof(float), err);
    f->c = take(f, count * sizeof(float), err);
    uint64_t params = take(f, kernel->param_bytes, err);
    if (err->set)
        return false;
    memcpy(host(f, a), f->a, count * sizeof(float));
    memcpy(host(f, b), f->b, count * sizeof(float));
    uint64_t values[4] = {a, b, f->c, n};
    for (uint32_t i = 0; i < kernel->n_params && i < 4; i++)
        memcpy(host(f, params + kernel->params[i].offset), &values[i], kernel->params[i].size);
    uint32_t tiles = (n + MATMUL_TILE - 1) / MATMUL_TILE;
    f->background = (struct background){.kernel = kernel,
                                        .grid = {tiles, tiles, 1},
                                        .block = {MATMUL_TILE, MATMUL_TILE, 1},
                                        .parameters = params};
    return true;
}

bool forwarding_check_matrix(const struct forwarding_memory *f, struct error *err)
{
    uint32_t n = f->options->background;
    float *want = ALLOC_ARRAY(float, (uint64_t)n *n);
    matmul_reference(f->a, f->b, want, n);
    const float *got = host(f, f->c);
    bool same = true;
    for (uint64_t i = 0; i < (uint64_t)n * n && same; i++) {
        if (memcmp(&want[i], &got[i], sizeof *got))
            same = error_set(err, "matmul: element %llu is %.9g, the host reference has %.9g",
                             (unsigned long long)i, (double)got[i], (double)want[i]);
    }
    free(want);
    return same;
}

bool forwarding_memory_create(struct forwarding_memory *f, struct machine *machine,
                              const struct forwarding_options *options, struct error *err)
{
    f->machine = machine;
    f->options = options;
    if (!load_forward_kernel(f, err) || !make_table(f, err) || !make_buffers(f, err))
        return false;
    if (options->cpu_launch ? !make_cpu_entries(f, err) : !register_event(f, err))
        return false;
    return !options->background || forwarding_background_create(f, machine, options, err);
}

void forwarding_memory_free(struct forwarding_memory *f, bool alive)
{
    if (f->event && !(alive && edge_unregister_event(f->event, NULL)))
        edge_abandon_event(f->event);
    module_free(f->forward);
    module_free(f->matmul);
    free(f->host_hops);
    free(f->entry);
    free(f->kernels);
    free(f->a);
    free(f->b);
}
