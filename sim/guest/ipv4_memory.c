/* What the service puts into device memory: routing table, next hops, packet buffers and parameters
 * of every queue entry. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/guest/ipv4_internal.h"
#include "sim/system/region.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/ipv4/forward.h"

#define BIG_BLOCK     64u /* threads of a block of a thread-block event */
#define FORWARD_PORTS 16u /* output ports the next hops are spread over */

static uint64_t take(struct ipv4 *s, uint64_t bytes, struct error *err)
{
    return guest_alloc(s->guest, bytes, 256, err);
}

static void *host(struct ipv4 *s, uint64_t address)
{
    return machine_memory(s->machine, address, 1);
}

static bool make_table(struct ipv4 *s, struct error *err)
{
    struct ipv4_memory *f = &s->memory;
    const struct route_list *routes = s->options.routes;
    uint64_t hop_bytes = (uint64_t)(routes->n_hops + 1) * sizeof(struct fwd_hop);
    f->level1 = take(s, DIR24_LEVEL1_BYTES, err);
    f->level2 = take(s, dir24_level2_bytes(dir24_blocks(routes)), err);
    f->hops = take(s, hop_bytes, err);
    f->totals = take(s, FWD_VERDICTS * sizeof(uint32_t), err);
    if (err->set)
        return false;
    dir24_fill(routes, host(s, f->level1), host(s, f->level2));
    f->host_hops = ALLOC_ARRAY(struct fwd_hop, routes->n_hops + 1);
    forward_make_hops(f->host_hops, routes->n_hops, FORWARD_PORTS);
    memcpy(host(s, f->hops), f->host_hops, hop_bytes);
    return true;
}

/* Words that may be empty or full: all are emptied before the first packets. */
static uint64_t take_input(struct ipv4 *s, struct error *err)
{
    uint64_t available, total;
    bool used;
    if (!s->options.fill)
        return take(s, s->memory.input_bytes, err);
    if (!guest_region(s->guest, &available, &total)) {
        error_set(err, "fill: the machine has no memory with full/empty bits (fe.region_kib)");
        return 0;
    }
    return guest_region_alloc(s->guest, s->memory.input_bytes, &used, err);
}

static bool make_buffers(struct ipv4 *s, struct error *err)
{
    struct ipv4_memory *f = &s->memory;
    f->entries = machine_config(s->machine)->nic_in_flight;
    f->entry = ALLOC_ARRAY(struct nic_entry, f->entries);
    f->input_bytes = (uint64_t)f->slot_bytes * s->options.batch;
    for (uint32_t i = 0; i < f->entries && !err->set; i++) {
        f->entry[i].input = take_input(s, err);
        f->entry[i].output = f->entry[i].input;
        f->entry[i].results = take(s, (uint64_t)s->options.batch * sizeof(uint32_t), err);
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

static uint64_t argument_value(const struct ipv4_memory *f, uint32_t entry, uint32_t index)
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

static bool set_edge_entry(struct ipv4 *s, uint32_t entry, struct edge_error *err)
{
    struct ipv4_memory *f = &s->memory;
    for (uint32_t i = 0; i < f->kernel->n_params; i++) {
        uint64_t value = argument_value(f, entry, i);
        bool ok = f->kernel->params[i].size == 8
                      ? edge_set_u64(f->event, entry, i, value, err)
                      : edge_set_u32(f->event, entry, i, (uint32_t)value, err);
        if (!ok)
            return false;
    }
    f->entry[entry].count = edge_argument_address(f->event, entry, ARG_COUNT);
    return edge_set_completion(f->event, entry, s->completion_base + entry * sizeof(uint32_t), err);
}

static bool register_event(struct ipv4 *s, struct error *err)
{
    struct ipv4_memory *f = &s->memory;
    struct edge_error why = {.set = false};
    event_driver_init(&f->driver, s->guest, f->kernel);
    struct edge_request request = {
        EDGE_TYPES(EDGE_I64, EDGE_I32, EDGE_I32, EDGE_I64, EDGE_I64, EDGE_I64, EDGE_I64, EDGE_I64),
        .kernel = &f->driver.kernel,
        .grid = {f->grid, 1, 1},
        .block = {f->block, 1, 1},
        .max_in_flight = f->entries,
        .requester = s->port.rid};
    request.n_types = f->kernel->n_params;
    f->event = edge_register_event(&f->driver.edge, &request, &why);
    bool ok = f->event != NULL;
    f->doorbell = ok ? edge_doorbell(f->event) : 0;
    for (uint32_t i = 0; i < f->entries && ok; i++)
        ok = set_edge_entry(s, i, &why);
    return ok || error_set(err, "%s", why.text);
}

/* The baseline's parameter buffers: the same arguments, one buffer per entry (EDGE Figure 8b). */
static bool make_cpu_entries(struct ipv4 *s, struct error *err)
{
    struct ipv4_memory *f = &s->memory;
    f->kernels = ALLOC_ARRAY(struct driver_kernel, f->entries);
    for (uint32_t i = 0; i < f->entries; i++) {
        uint64_t params = take(s, f->kernel->param_bytes, err);
        if (!params)
            return false;
        for (uint32_t p = 0; p < f->kernel->n_params; p++) {
            const struct kernel_param *param = &f->kernel->params[p];
            uint64_t value = argument_value(f, i, p);
            memcpy(host(s, params + param->offset), &value, param->size);
        }
        f->entry[i].count = params + f->kernel->params[ARG_COUNT].offset;
        f->kernels[i] = (struct driver_kernel){.code = f->kernel->code_address,
                                               .parameters = params,
                                               .grid = {f->grid, 1, 1},
                                               .block = {f->block, 1, 1},
                                               .priority = 1};
    }
    return true;
}

static bool load_kernel(struct ipv4 *s, struct error *err)
{
    struct ipv4_memory *f = &s->memory;
    const struct ipv4_options *o = &s->options;
    f->module = module_load(o->ptx, err);
    if (!f->module || !guest_load(s->guest, f->module, err))
        return false;
    f->kernel =
        module_launchable(f->module, o->thread_blocks ? "ipv4_forward_big" : "ipv4_forward", err);
    if (!f->kernel) {
        error_prefix(err, "%s", o->ptx);
        return false;
    }
    f->block = o->thread_blocks ? BIG_BLOCK : WARP_SIZE;
    f->grid = (o->batch + f->block - 1) / f->block;
    return true;
}

bool ipv4_memory_create(struct ipv4 *s, struct error *err)
{
    uint32_t longest = s->options.capture->longest + FWD_FRAME_OFFSET;
    s->memory.slot_bytes = (longest + FWD_SLOT_ALIGN - 1) / FWD_SLOT_ALIGN * FWD_SLOT_ALIGN;
    if (s->options.foreign)
        return make_table(s, err);
    return load_kernel(s, err) && make_table(s, err) && make_buffers(s, err) &&
           (s->options.cpu_launch ? make_cpu_entries(s, err) : register_event(s, err));
}

void ipv4_port(const void *self, struct edge_port_info *info)
{
    const struct ipv4 *s = self;
    const struct ipv4_memory *f = &s->memory;
    const struct route_list *routes = s->options.routes;
    *info = (struct edge_port_info){
        .completion = s->completion_base,
        .max_entries = machine_config(s->machine)->nic_in_flight,
        .batch = s->options.batch,
        .slot_bytes = f->slot_bytes,
        .length_bytes = FWD_FRAME_OFFSET,
        .item_offset = FWD_FRAME_OFFSET,
        .result_bytes = sizeof(uint32_t),
        .requester = s->port.rid,
        .n_resources = 3,
        .resources = {{.name = "level1", .address = f->level1, .bytes = DIR24_LEVEL1_BYTES},
                      {.name = "level2",
                       .address = f->level2,
                       .bytes = dir24_level2_bytes(dir24_blocks(routes))},
                      {.name = "hops",
                       .address = f->hops,
                       .bytes = (uint64_t)(routes->n_hops + 1) * sizeof(struct fwd_hop)}}};
}

void ipv4_memory_destroy(struct ipv4 *s)
{
    struct ipv4_memory *f = &s->memory;
    bool in_order = s->started && s->nic && nic_finished(s->nic);
    if (f->event && !(in_order && edge_unregister_event(f->event, NULL)))
        edge_abandon_event(f->event);
    event_driver_free(&f->driver);
    free(f->host_hops);
    free(f->entry);
    free(f->kernels);
}
