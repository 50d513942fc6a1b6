/* What a packet service puts into device memory: the tables of its kind, packet buffers and
 * parameters of every queue entry. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/service/packet_internal.h"
#include "sim/system/guest_region.h"

#define PARAMETER_ALIGN 64u /* bytes */
#define BIG_BLOCK       64u /* threads of a block of a thread-block event */

static uint64_t take(struct packet_service *s, uint64_t bytes, struct error *err)
{
    return guest_alloc(s->guest, bytes, 256, err);
}

/* For messages. */
static void describe(struct packet_service *s, uint64_t address, const char *what, const char *name)
{
    guest_describe(s->guest, address,
                   &(struct image_note){.what = what, .name = name, .initialised = true});
}

static void *host(const struct packet_service *s, uint64_t address)
{
    return machine_memory(s->machine, address, 1);
}

/* packet_tables.allocate of a guest. */
static void *allocate_table(void *user, uint64_t bytes, uint64_t *address, struct error *err)
{
    struct packet_service *s = user;
    *address = take(s, bytes, err);
    return *address ? machine_memory(s->machine, *address, bytes ? bytes : 1) : NULL;
}

static bool make_tables(struct packet_service *s, struct error *err)
{
    s->memory.tables.allocate = allocate_table;
    s->memory.tables.user = s;
    s->state = s->kind->create(s->inputs, &s->memory.tables, err);
    for (uint32_t i = 0; i < s->memory.tables.n_tables; i++)
        describe(s, s->memory.tables.table[i].address, "table", s->memory.tables.table[i].name);
    return s->state != NULL;
}

void packet_lend_tables(struct packet_service *s, const struct guest *borrower)
{
    for (uint32_t i = 0; i < s->memory.tables.n_tables; i++) {
        const struct packet_table *t = &s->memory.tables.table[i];
        if (t->lending)
            guest_lend(s->guest, t->address, borrower, t->lending == PACKET_WRITTEN);
    }
}

/* Words that may be empty or full: all are emptied before the first packets. */
uint64_t packet_region_alloc(struct packet_service *s, uint64_t bytes, const char *setting,
                             struct error *err)
{
    uint64_t available, total;
    bool used;
    if (guest_region(s->guest, &available, &total))
        return guest_region_alloc(s->guest, bytes, &used, err);
    error_set(err,
              "%s: the machine has no memory with full/empty bits; set fe.region_kib, or take "
              "gtx580.ini",
              setting);
    return 0;
}

/* Slots and results of an entry. For an early return these lie in one block: input, output,
 * results. */
static void take_entry(struct packet_service *s, struct nic_entry *entry, struct error *err)
{
    struct packet_memory *f = &s->memory;
    uint64_t results = (uint64_t)s->options.batch * f->result_bytes;
    f->input_bytes = (uint64_t)f->slot_bytes * s->options.batch;
    f->fill_bytes = s->returning ? 2 * f->input_bytes + results : f->input_bytes;
    entry->input = s->options.fill ? packet_region_alloc(s, f->fill_bytes, "fill", err)
                                   : take(s, f->input_bytes, err);
    entry->output = s->returning ? entry->input + f->input_bytes : entry->input;
    entry->results = s->returning ? entry->output + f->input_bytes : take(s, results, err);
}

/* The warps of a persistent kernel take turns at the entries, so that each has as many. */
static uint32_t queue_entries(struct packet_service *s)
{
    uint32_t entries = s->options.in_flight, *warps = &s->options.persistent_warps;
    if (s->options.launch != LAUNCH_PERSISTENT)
        return entries;
    *warps = *warps ? *warps : persistent_default(s, entries);
    return *warps > entries ? entries : entries - entries % *warps;
}

static bool make_buffers(struct packet_service *s, struct error *err)
{
    struct packet_memory *f = &s->memory;
    f->entries = queue_entries(s);
    f->entry = ALLOC_ARRAY(struct nic_entry, f->entries);
    for (uint32_t i = 0; i < f->entries && !err->set; i++) {
        take_entry(s, &f->entry[i], err);
        if (!s->options.fill)
            describe(s, f->entry[i].input, "packets of a queue entry", NULL);
        if (!s->returning)
            describe(s, f->entry[i].results, "results of a queue entry", NULL);
    }
    return !err->set;
}

uint64_t packet_argument(const struct packet_service *s, uint32_t entry, uint8_t argument)
{
    const struct packet_memory *f = &s->memory;
    uint64_t bytes;
    switch (argument) {
    case PACKET_SLOTS:
        return f->entry[entry].input;
    case PACKET_SLOT_BYTES:
        return f->slot_bytes;
    case PACKET_COUNT:
        return 0;
    case PACKET_RESULTS:
        return f->entry[entry].results;
    case PACKET_OUTPUT:
        return f->entry[entry].output;
    case PACKET_COUNT_PLACE:
        return f->entry[entry].count;
    case PACKET_RECORDS:
        return packet_pipeline_records(s->pipeline, entry, &bytes);
    case PACKET_QUEUE:
        return packet_pipeline_queue_address(s->pipeline);
    case PACKET_ENTRY:
        return entry;
    default:
        return argument >= PACKET_VALUE ? f->tables.value[argument - PACKET_VALUE]
                                        : f->tables.table[argument - PACKET_TABLE].address;
    }
}

bool packet_constant(uint8_t argument)
{
    return argument == PACKET_SLOT_BYTES || argument == PACKET_QUEUE || argument >= PACKET_TABLE;
}

/* The argument that is PACKET_COUNT. */
static uint32_t count_argument(const struct packet_service *s)
{
    uint32_t index = 0;
    while (s->arguments[index] != PACKET_COUNT)
        index++;
    return index;
}

bool packet_set_event(const struct packet_service *s, struct edge_event *event,
                      const struct packet_call *call, uint32_t entry, uint64_t completion,
                      struct edge_error *err)
{
    const struct kernel *kernel = call->kernel;
    for (uint32_t i = 0; i < kernel->n_params; i++) {
        uint64_t value = packet_argument(s, entry, call->arguments[i]);
        bool ok = kernel->params[i].size == 8 ? edge_set_u64(event, entry, i, value, err)
                                              : edge_set_u32(event, entry, i, (uint32_t)value, err);
        if (!ok)
            return false;
    }
    return edge_set_completion(event, entry, completion, err);
}

/* The first kernel of a pipeline tells nobody that it has ended. */
static bool set_edge_entry(struct packet_service *s, uint32_t entry, struct edge_error *err)
{
    struct packet_memory *f = &s->memory;
    const struct packet_call call = {f->kernel, s->arguments};
    f->entry[entry].count = edge_argument_address(f->event, entry, count_argument(s));
    return packet_set_event(s, f->event, &call, entry,
                            s->pipeline ? 0 : s->completion_base + entry * sizeof(uint32_t), err);
}

/* In events: full batches, or those that the NIC's patience ends. */
static struct edge_promise event_promise(const struct packet_service *s)
{
    const struct packet_promise *p = &s->options.promise;
    uint32_t timeout = machine_config(s->machine)->nic_timeout_ns, batch = s->options.batch;
    uint64_t rate = p->rate / batch + (timeout ? 1000000000u / timeout : p->rate) + 1;
    if (!p->p99_ns)
        return (struct edge_promise){.p99_ns = 0};
    return (struct edge_promise){.p99_ns = p->p99_ns,
                                 .rate = rate < p->rate ? (uint32_t)rate : p->rate,
                                 .burst = (p->burst + batch - 1) / batch,
                                 .worst_ns = p->worst_ns,
                                 .event_ns = p->event_ns};
}

struct edge_event *packet_register(struct packet_service *s, struct event_driver *driver,
                                   const struct kernel *kernel, struct edge_request *request,
                                   struct edge_error *err)
{
    enum edge_type types[PACKET_ARGUMENTS];
    event_driver_init(driver, s->guest, kernel);
    for (uint32_t i = 0; i < kernel->n_params; i++)
        types[i] = kernel->params[i].size == 8 ? EDGE_I64 : EDGE_I32;
    request->types = types;
    request->n_types = kernel->n_params;
    request->kernel = &driver->kernel;
    return edge_register_event(&driver->edge, request, err);
}

static bool register_event(struct packet_service *s, struct error *err)
{
    struct packet_memory *f = &s->memory;
    struct edge_error why = {.set = false};
    struct edge_request request = {.grid = {f->grid, 1, 1},
                                   .block = {f->block, 1, 1},
                                   .max_in_flight = f->entries,
                                   .priority = s->options.priority,
                                   .promise = event_promise(s),
                                   .requester = s->port.rid,
                                   .completion = s->pipeline ? 0 : s->completion_base};
    f->event = packet_register(s, &f->driver, f->kernel, &request, &why);
    bool ok = f->event != NULL;
    f->doorbell = ok ? edge_doorbell(f->event) : 0;
    for (uint32_t i = 0; i < f->entries && ok; i++)
        ok = set_edge_entry(s, i, &why);
    return ok || error_set(err, "%s", why.text);
}

/* Parameter buffers of kernels that are no events: the same arguments, one buffer per entry (EDGE
 * Figure 8b). With a user-level queue they lie at equal distances, as in a NIC's table. */
static uint64_t take_parameters(struct packet_service *s, uint32_t entry, struct error *err)
{
    struct packet_memory *f = &s->memory;
    uint32_t bytes = f->kernel->param_bytes;
    if (s->options.launch != LAUNCH_HSA && s->options.launch != LAUNCH_XTQ)
        return take(s, bytes, err);
    if (!entry) {
        f->parameter_stride = (bytes + PARAMETER_ALIGN - 1) / PARAMETER_ALIGN * PARAMETER_ALIGN;
        f->parameters = take(s, f->parameter_stride * f->entries, err);
    }
    return f->parameters ? f->parameters + entry * f->parameter_stride : 0;
}

void packet_write_parameters(const struct packet_service *s, const struct packet_call *call,
                             uint32_t entry, uint64_t buffer)
{
    for (uint32_t i = 0; i < call->kernel->n_params; i++) {
        const struct kernel_param *param = &call->kernel->params[i];
        uint64_t value = packet_argument(s, entry, call->arguments[i]);
        memcpy(host(s, buffer + param->offset), &value, param->size);
    }
}

static bool make_entries(struct packet_service *s, struct error *err)
{
    struct packet_memory *f = &s->memory;
    const struct packet_call call = {f->kernel, s->arguments};
    f->kernels = ALLOC_ARRAY(struct driver_kernel, f->entries * (s->pipeline ? 2 : 1));
    for (uint32_t i = 0; i < f->entries; i++) {
        uint64_t params = take_parameters(s, i, err);
        if (!params)
            return false;
        packet_write_parameters(s, &call, i, params);
        f->entry[i].count = params + f->kernel->params[count_argument(s)].offset;
        f->kernels[i] = (struct driver_kernel){.code = f->kernel->code_address,
                                               .parameters = params,
                                               .grid = {f->grid, 1, 1},
                                               .block = {f->block, 1, 1},
                                               .priority = PACKET_PRIORITY};
    }
    return true;
}

const struct kernel *packet_load(struct packet_service *s, const char *ptx, const char *name,
                                 uint32_t most_arguments, struct module **module, struct error *err)
{
    uint32_t registers = s->options.registers;
    *module = registers ? module_load_within(ptx, registers, err) : module_load(ptx, err);
    if (!*module || !guest_load(s->guest, *module, err))
        return NULL;
    const struct kernel *kernel = module_launchable(*module, name, err);
    if (!kernel) {
        error_prefix(err, "%s", ptx);
        return NULL;
    }
    if (kernel->n_params <= most_arguments)
        return kernel;
    error_set(err, "%s: kernel %s has %u parameters; a service passes at most %u", ptx, name,
              kernel->n_params, most_arguments);
    return NULL;
}

static bool load_kernel(struct packet_service *s, struct error *err)
{
    struct packet_memory *f = &s->memory;
    const struct packet_options *o = &s->options;
    const char *name = o->launch == LAUNCH_PERSISTENT ? s->kind->persistent
                       : s->returning                 ? s->returning->kernel
                       : o->thread_blocks             ? s->kind->block_kernel
                                                      : s->kind->kernel;
    uint32_t most = o->launch == LAUNCH_PERSISTENT ? UINT32_MAX : s->n_arguments;
    f->kernel = packet_load(s, o->ptx, name, most, &f->module, err);
    if (!f->kernel)
        return false;
    if (o->skip)
        kernel_skip(module_kernel(f->module, name));
    uint32_t threads = o->batch * s->kind->threads_per_packet;
    f->block = o->thread_blocks ? BIG_BLOCK : WARP_SIZE;
    if (s->kind->then && threads % BIG_BLOCK == 0) /* every warp has a slot */
        f->block = BIG_BLOCK;
    f->grid = (threads + f->block - 1) / f->block;
    return true;
}

/* What a launch of each entry needs. */
static bool make_launches(struct packet_service *s, struct error *err)
{
    switch (s->options.launch) {
    case LAUNCH_EDGE:
        return register_event(s, err);
    case LAUNCH_PERSISTENT:
        s->persistent = persistent_create(s, err);
        return s->persistent != NULL;
    default:
        return make_entries(s, err);
    }
}

bool packet_memory_create(struct packet_service *s, struct error *err)
{
    struct packet_memory *f = &s->memory;
    f->growth = s->kind->growth ? s->kind->growth(s->inputs) : 0;
    f->result_bytes = s->kind->sends_length ? 2 * sizeof(uint32_t) : sizeof(uint32_t);
    uint32_t longest = packet_longest(s) + f->growth + PACKET_FRAME_OFFSET;
    f->slot_bytes = (longest + PACKET_SLOT_ALIGN - 1) / PACKET_SLOT_ALIGN * PACKET_SLOT_ALIGN;
    if (s->options.foreign)
        return make_tables(s, err);
    return load_kernel(s, err) && make_tables(s, err) && make_buffers(s, err) &&
           (!s->kind->then || packet_pipeline_create(s, err)) && make_launches(s, err) &&
           (!s->pipeline || packet_pipeline_make_launches(s->pipeline, err));
}

static void add_resource(struct edge_port_info *info, const struct packet_table *t)
{
    if (!t->lending)
        return;
    struct edge_resource *r = &info->resources[info->n_resources++];
    *r = (struct edge_resource){.address = t->address, .bytes = t->bytes};
    snprintf(r->name, sizeof r->name, "%s", t->name);
}

void packet_port(const void *self, struct edge_port_info *info)
{
    const struct packet_service *s = self;
    *info = (struct edge_port_info){.completion = s->completion_base,
                                    .max_entries = s->options.in_flight,
                                    .batch = s->options.batch,
                                    .slot_bytes = s->memory.slot_bytes,
                                    .length_bytes = PACKET_FRAME_OFFSET,
                                    .item_offset = PACKET_FRAME_OFFSET,
                                    .result_bytes = s->memory.result_bytes,
                                    .requester = s->port.rid};
    for (uint32_t i = 0; i < s->memory.tables.n_tables; i++)
        add_resource(info, &s->memory.tables.table[i]);
}

void packet_memory_destroy(struct packet_service *s)
{
    struct packet_memory *f = &s->memory;
    bool in_order = s->started && s->nic && nic_finished(s->nic) && !s->failed;
    if (f->event && !(in_order && edge_unregister_event(f->event, NULL)))
        edge_abandon_event(f->event);
    event_driver_free(&f->driver);
    free(f->entry);
    free(f->kernels);
}
