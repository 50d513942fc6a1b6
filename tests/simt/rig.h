/* One SIMT core on a real memory system, with kernels given as PTX text; the tests drive the event
 * unit's ports by hand. No gpu layer. */
#ifndef EVGPU_TESTS_SIMT_RIG_H
#define EVGPU_TESTS_SIMT_RIG_H

#include "evgpu_defs.h"
#include "sim/mem/dram/scheduler.h"
#include "sim/mem/image/image.h"
#include "sim/mem/memsys.h"
#include "sim/mem/memsys_config.h"
#include "sim/mem/memsys_stats.h"
#include "sim/ptx/module.h"
#include "sim/simt/core.h"
#include "sim/simt/core_env.h"
#include "sm_event_unit.h"
#include "tests/mem/policy_number.h"
#include "tests/unit.h"

#define RIG_PTX    ".version 4.3\n.target sm_35\n.address_size 64\n"
#define RIG_MEMORY (64u << 20)
#define RIG_LIMIT  2000000u /* cycles after which a test is taken to hang */

/* A kernel with parameters out (.u64) and n (.u32), registers declared, tid in %r1, the thread's
 * 4-byte element of `out` in %rd2. */
#define RIG_KERNEL(name, body)                                                                     \
    ".visible .entry " name "(.param .u64 out, .param .u32 n)\n{\n"                                \
    ".reg .pred %p<8>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .f32 %f<8>;\n"                 \
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r0, [n];\n"                                          \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"                        \
    "mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd2, %rd1, %rd3;\n" body \
    "\n}\n"

/* Devices on the bus: stores to them are taken from cycle `from` on, and acknowledged later. */
#define RIG_STORES   256u
#define RIG_BUS_WAIT 300u /* cycles from a store to its acknowledgement */
struct rig_bus {
    struct bus_map map;
    struct bus_store store[RIG_STORES];
    uint64_t taken[RIG_STORES], from; /* cycles */
    uint32_t count, acknowledged;
};

struct rig {
    struct core_config config;
    struct image image;
    struct memsys *memsys;
    struct module *module;
    struct core *core;
    uint64_t cycle, turned; /* core_env.turned */
    struct sm_event_unit_in in;
    struct sm_event_unit_out out;
    struct error err;
    bool skip; /* use core_next_event as the gpu layer does */
    uint64_t wake;
    uint32_t started; /* events that issued their first instruction */
    uint16_t started_tag;
    uint32_t grids;
    struct rig_bus bus;
    struct core_mark mark[16]; /* the first ones */
    uint32_t marks;
};

static inline struct core_config rig_config(void)
{
    struct core_config k = {.warps = 16,
                            .blocks = 8,
                            .threads = 512,
                            .registers = 32768,
                            .shared_bytes = 16384,
                            .schedulers = 2,
                            .fetch_width = 2,
                            .icache_bytes = 4096,
                            .icache_ways = 4,
                            .icache_latency = 1,
                            .const_bytes = 2048,
                            .const_ways = 2,
                            .const_latency = 6,
                            .l1_bytes = 16384,
                            .l1_ways = 4,
                            .l1_latency = 20,
                            .l1_mshrs = 32,
                            .l1_mshr_merges = 8,
                            .shared_banks = 32,
                            .shared_latency = 18,
                            .ldst_queue = 8};
    for (uint32_t t = 0; t < TIMING_CLASSES; t++) {
        k.latency[t] = 6;
        k.interval[t] = 1;
    }
    k.latency[TIMING_INT_DIV] = 140;
    k.latency[TIMING_SFU] = 20;
    k.interval[TIMING_SFU] = 4;
    for (uint32_t u = 0; u < EXEC_UNITS; u++)
        k.units[u] = 2;
    return k;
}

static inline struct memsys_config rig_memsys_config(struct rig *rig, perform_request perform)
{
    return (struct memsys_config){
        .ports = 2,
        .partitions = 2,
        .interleave_bytes = 256,
        .core_khz = 700000,
        .net_khz = 700000,
        .l2_khz = 700000,
        .dram_khz = 924000,
        .request_latency = 20,
        .reply_latency = 20,
        .flit_bytes = 32,
        .port_queue = 8,
        .l2_bytes = 65536,
        .l2_ways = 8,
        .l2_latency = 10,
        .l2_mshrs = 32,
        .l2_mshr_merges = 8,
        .dram = {.banks = 8,
                 .row_bytes = 4096,
                 .column_bytes = 32,
                 .burst = 4,
                 .queue = 32,
                 .scheduler = policy_number(dram_scheduler_name, "fr-fcfs-cap"),
                 .hit_cap = 16,
                 .cl = 12,
                 .rp = 12,
                 .rc = 40,
                 .ras = 28,
                 .ccd = 4,
                 .rcd = 12,
                 .rrd = 6,
                 .act_first = 1,
                 .cdlr = 5,
                 .wr = 12,
                 .wl = 4,
                 .rtw = 8,
                 .rtp = 6},
        .perform = perform,
        .user = rig};
}

static inline enum perform_result rig_perform(void *user, const struct mem_request *request,
                                              uint32_t *words)
{
    struct rig *rig = user;
    core_perform(rig->core, request);
    rig->wake = 0; /* what waited for it may issue */
    *words = 0;
    return PERFORM_DONE;
}

static inline const struct kernel *rig_kernel_at(void *user, uint64_t address)
{
    struct rig *rig = user;
    for (uint32_t i = 0; i < module_kernel_count(rig->module); i++) {
        if (module_kernel_at(rig->module, i)->code_address == address)
            return module_kernel_at(rig->module, i);
    }
    return NULL;
}

static inline void rig_started(void *user, uint32_t core, uint16_t tag)
{
    struct rig *rig = user;
    (void)core;
    rig->started++;
    rig->started_tag = tag;
}

static inline bool rig_bus_room(void *user, uint32_t core)
{
    struct rig *rig = user;
    (void)core;
    return rig->cycle >= rig->bus.from;
}

static inline void rig_bus_store(void *user, const struct bus_store *store)
{
    struct rig *rig = user;
    struct rig_bus *bus = &rig->bus;
    assert_true(bus->count < RIG_STORES);
    bus->taken[bus->count] = rig->cycle;
    bus->store[bus->count++] = *store;
}

static inline void rig_acknowledge(struct rig *rig)
{
    struct rig_bus *bus = &rig->bus;
    for (; bus->acknowledged < bus->count &&
           bus->taken[bus->acknowledged] + RIG_BUS_WAIT <= rig->cycle;
         bus->acknowledged++) {
        core_bus_stored(rig->core, bus->store[bus->acknowledged].account);
        rig->wake = 0;
    }
}

static inline void rig_mark(void *user, const struct core_mark *mark)
{
    struct rig *rig = user;
    if (rig->marks < sizeof rig->mark / sizeof *rig->mark)
        rig->mark[rig->marks++] = *mark;
}

static inline uint64_t rig_allocate(void *user, uint64_t bytes, uint64_t align)
{
    return image_alloc(user, bytes, align);
}

static inline uint64_t rig_alloc(struct rig *rig, uint64_t bytes)
{
    uint64_t address = image_alloc(&rig->image, bytes, 256);
    assert_true(address != 0);
    memset(rig->image.base + address, 0, bytes);
    return address;
}

/* `latency`: network cycles each way; `net_khz`: the network's clock. */
static inline void rig_open_net(struct rig *rig, const struct core_config *config, const char *ptx,
                                uint32_t latency, uint32_t net_khz)
{
    memset(rig, 0, sizeof *rig);
    rig->config = *config;
    if (!image_create(&rig->image, RIG_MEMORY, &rig->err))
        fail_msg("%s", rig->err.text);
    rig->module = module_parse("test.ptx", ptx, strlen(ptx), &rig->err);
    if (!rig->module)
        fail_msg("%s", rig->err.text);
    if (!module_place(rig->module, rig_allocate, &rig->image, &rig->err))
        fail_msg("%s", rig->err.text);
    for (uint32_t i = 0; i < module_variable_count(rig->module); i++) {
        const struct module_variable *v = module_variable_at(rig->module, i);
        if (v->init)
            memcpy(rig->image.base + v->address, v->init, v->size);
    }
    struct memsys_config mem = rig_memsys_config(rig, rig_perform);
    mem.request_latency = mem.reply_latency = latency;
    mem.net_khz = net_khz;
    rig->memsys = memsys_create(&mem, &rig->err);
    if (!rig->memsys)
        fail_msg("%s", rig->err.text);
    uint32_t event_local = 256;
    struct core_env env = {
        .image = &rig->image,
        .memsys = rig->memsys,
        .n_cores = 1,
        .core_khz = 700000,
        .turned = &rig->turned,
        .save_area = rig_alloc(rig, (uint64_t)EVG_PEWT_ENTRIES * MAX_REGS * LINE_BYTES),
        .event_local = rig_alloc(rig, (uint64_t)EVG_PEWT_ENTRIES * WARP_SIZE * event_local),
        .event_local_bytes = event_local,
        .kernel_at = rig_kernel_at,
        .event_started = rig_started,
        .bus = &rig->bus.map,
        .bus_room = rig_bus_room,
        .bus_store = rig_bus_store,
        .mark = rig_mark,
        .user = rig};
    rig->core = core_create(config, &env, &rig->err);
    if (!rig->core)
        fail_msg("%s", rig->err.text);
}

static inline void rig_open_far(struct rig *rig, const struct core_config *config, const char *ptx,
                                uint32_t latency)
{
    rig_open_net(rig, config, ptx, latency, 700000);
}

static inline void rig_open(struct rig *rig, const struct core_config *config, const char *ptx)
{
    rig_open_far(rig, config, ptx, 20);
}

static inline void rig_close(struct rig *rig)
{
    core_destroy(rig->core);
    memsys_destroy(rig->memsys);
    module_free(rig->module);
    image_destroy(&rig->image);
}

static inline const struct kernel *rig_kernel(struct rig *rig, const char *name)
{
    const struct kernel *kernel = module_kernel(rig->module, name);
    if (!kernel)
        fail_msg("no kernel %s", name);
    return kernel;
}

/* A one-dimensional launch; arguments follow as 64-bit values and are cut to their size. */
static inline struct grid rig_grid(struct rig *rig, const char *name, uint32_t blocks,
                                   uint32_t threads, uint32_t n_args, const uint64_t *args)
{
    const struct kernel *kernel = rig_kernel(rig, name);
    struct grid grid = {.kernel = kernel,
                        .id = ++rig->grids,
                        .dims = {blocks, 1, 1},
                        .block = {threads, 1, 1},
                        .total_blocks = blocks};
    assert_int_equal(n_args, kernel->n_params);
    grid.param = rig_alloc(rig, 4096);
    for (uint32_t i = 0; i < n_args; i++)
        memcpy(rig->image.base + grid.param + kernel->params[i].offset, &args[i],
               kernel->params[i].size);
    uint64_t local = core_local_bytes(&rig->config, kernel, 1);
    grid.local_base = local ? rig_alloc(rig, local) : 0;
    return grid;
}

static inline bool rig_tick(struct rig *rig)
{
    bool ok = true;
    if (!rig->skip || rig->cycle >= rig->wake || memsys_reply_ports(rig->memsys, 0) ||
        memsys_room_ports(rig->memsys)) {
        ok = core_tick(rig->core, rig->cycle, &rig->err);
        rig->wake = core_next_event(rig->core);
        if (rig->skip)
            memsys_wait(rig->memsys, 1, core_waits_for_room(rig->core));
    }
    rig->turned = rig->cycle + 1;
    rig_acknowledge(rig);
    memsys_tick(rig->memsys);
    rig->cycle++;
    return ok;
}

static inline void rig_ticks(struct rig *rig, uint32_t n)
{
    while (n--) {
        if (!rig_tick(rig))
            fail_msg("%s", rig->err.text);
    }
}

static inline void rig_print(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "%s\n", text);
}

static inline void rig_launch(struct rig *rig, struct grid *grid)
{
    while (grid->next_block < grid->total_blocks && core_accepts(rig->core, grid)) {
        core_launch_block(rig->core, grid, grid->next_block++);
        rig->wake = rig->cycle;
    }
}

/* Until all blocks are done; false on an error of the program. Returns the cycles in `cycles`. */
static inline bool rig_finish(struct rig *rig, struct grid *grid)
{
    for (uint32_t n = 0; grid->blocks_done < grid->total_blocks; n++) {
        rig_launch(rig, grid);
        if (!rig_tick(rig))
            return false;
        if (n == RIG_LIMIT) {
            core_describe(rig->core, rig_print, NULL);
            fail_msg("%s hangs", grid->kernel->name);
        }
    }
    return true;
}

static inline struct grid rig_run(struct rig *rig, const char *name, uint32_t blocks,
                                  uint32_t threads, uint32_t n_args, const uint64_t *args)
{
    struct grid grid = rig_grid(rig, name, blocks, threads, n_args, args);
    if (!rig_finish(rig, &grid))
        fail_msg("%s", rig->err.text);
    return grid;
}

static inline uint32_t *rig_words(struct rig *rig, uint64_t address)
{
    return (uint32_t *)(void *)(rig->image.base + address);
}

static inline struct core_stats rig_stats(const struct rig *rig)
{
    struct core_stats stats;
    core_stats(rig->core, &stats);
    return stats;
}

#endif
