/* User-level queues on a whole GPU: packets in device memory and on the bus become kernels; what
 * cannot be launched is refused, and what has no room waits. */
#include "base/alloc.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/gpu/queue/packet_processor.h"
#include "sim/ptx/module.h"
#include "sim/system/config.h"
#include "sim/system/gpu_settings.h"
#include "tests/unit.h"

#define RID         0x300
#define PACKETS     64u
#define OWNER       3u /* of the queues */
#define BUS_LATENCY 500u
#define BUS_BYTES   65536u
#define BUS_SIGNALS 32768u

/* Counts its threads into *total; `wide` has shared and local memory. */
static const char ptx[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry count(.param .u64 total)\n"
    "{\n.reg .u64 %rd<3>;\nld.param.u64 %rd1, [total];\n"
    "red.global.add.u32 [%rd1], 1;\nret;\n}\n"
    ".visible .entry wide(.param .u64 total)\n"
    "{\n.shared .align 4 .b8 s[1024];\n.local .align 4 .b8 l[64];\n"
    ".reg .u64 %rd<3>;\n.reg .u32 %r<3>;\n"
    "ld.param.u64 %rd1, [total];\nmov.u32 %r1, 1;\nst.shared.u32 [s], %r1;\n"
    "st.local.u32 [l], %r1;\nld.local.u32 %r2, [l];\nred.global.add.u32 [%rd1], %r2;\nret;\n}\n";

struct bus_read {
    uint64_t due, address;
    uint32_t bytes, tag;
    bool used;
};

struct rig {
    struct gpu *gpu;
    struct module *module;
    uint64_t total, arguments, signals;
    uint8_t bus[BUS_BYTES];
    struct bus_read reads[16];
    uint32_t ended;
    uint64_t last_issue;
};

static bool on_bus_read(void *user, uint64_t address, uint32_t bytes, uint32_t tag)
{
    struct rig *r = user;
    for (uint32_t i = 0; i < 16; i++) {
        if (r->reads[i].used)
            continue;
        r->reads[i] = (struct bus_read){gpu_cycle(r->gpu) + BUS_LATENCY, address, bytes, tag, true};
        return true;
    }
    return false;
}

static bool on_bus_write(void *user, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    struct rig *r = user;
    memcpy(r->bus + address, data, bytes);
    return true;
}

static bool on_bus_valid(void *user, uint32_t owner, uint64_t address, uint32_t bytes, bool read)
{
    (void)user, (void)read;
    assert_int_equal(owner, OWNER);
    return address < BUS_BYTES && bytes <= BUS_BYTES - address;
}

static void on_grid(void *user, uint64_t cookie, const struct grid *grid)
{
    (void)user, (void)cookie, (void)grid;
    fail_msg("a packet's kernel is not the machine's");
}

static void on_ended(void *user, uint64_t index, uint64_t rung, const struct grid *grid)
{
    struct rig *r = user;
    (void)index;
    assert_true(rung < grid->queued_cycle && grid->queued_cycle < grid->start_cycle);
    assert_true(grid->start_cycle <= grid->issue_cycle && grid->issue_cycle < grid->end_cycle);
    r->last_issue = grid->issue_cycle;
    r->ended++;
}

static struct rig *setup(const char *const *overrides)
{
    struct rig *r = ALLOC(struct rig);
    struct machine_config machine;
    struct error err = {0};
    assert_true(config_load(&machine, "config/edge.ini", &err));
    for (; overrides && *overrides; overrides++)
        assert_true(config_override(&machine, *overrides, &err));
    struct gpu_config config = gpu_settings(&machine, TILE_MODEL, SCHED_MODE_PREEMPT);
    assert_true(concurrency_parse("off", &config.concurrency.choice, &err));
    struct gpu_callbacks calls = {.grid_done = on_grid,
                                  .bus_read = on_bus_read,
                                  .bus_write = on_bus_write,
                                  .bus_valid = on_bus_valid,
                                  .user = r};
    r->gpu = gpu_create(&config, &calls, &err);
    assert_non_null(r->gpu);
    r->module = module_parse("test", ptx, strlen(ptx), &err);
    assert_true(r->module && gpu_load(r->gpu, r->module, &err));
    r->total = image_alloc(gpu_image(r->gpu), 256, 256);
    r->arguments = image_alloc(gpu_image(r->gpu), 256, 256);
    r->signals = image_alloc(gpu_image(r->gpu), PACKETS * AQL_SIGNAL_BYTES, 256);
    memcpy(gpu_image(r->gpu)->base + r->arguments, &r->total, sizeof r->total);
    return r;
}

static void teardown(struct rig *r)
{
    gpu_destroy(r->gpu);
    module_free(r->module);
    free(r);
}

static uint8_t *memory(struct rig *r, uint64_t address)
{
    return gpu_image(r->gpu)->base + address;
}

static struct aql_dispatch plain(struct rig *r, const char *kernel, uint32_t number)
{
    const struct kernel *k = module_kernel(r->module, kernel);
    uint64_t signal = r->signals + AQL_SIGNAL_BYTES * number;
    aql_put(memory(r, signal), 1, 8);
    return (struct aql_dispatch){.dimensions = 2,
                                 .group = {16, 2, 1},
                                 .grid = {48, 4, 1},
                                 .private_bytes = k->local_bytes,
                                 .shared_bytes = k->shared_bytes,
                                 .kernel = k->code_address,
                                 .kernarg = r->arguments,
                                 .signal = signal};
}

static uint32_t add_queue(struct rig *r, uint64_t ring, uint64_t read_index)
{
    struct pp_queue queue = {.ring = ring,
                             .packets = PACKETS,
                             .read_index = read_index,
                             .owner = OWNER,
                             .requester = RID,
                             .ended = on_ended,
                             .user = r};
    struct error err = {0};
    uint32_t number = 0;
    assert_true(gpu_queue_create(r->gpu, &queue, &number, &err));
    return number;
}

static void run(struct rig *r)
{
    struct error err = {0};
    for (uint64_t i = 0; i < 200000 && !gpu_idle(r->gpu); i++) {
        for (uint32_t k = 0; k < 16; k++) {
            struct bus_read *read = &r->reads[k];
            if (!read->used || read->due > gpu_cycle(r->gpu))
                continue;
            read->used = false;
            gpu_bus_data(r->gpu, read->tag, r->bus + read->address);
        }
        if (!gpu_tick(r->gpu, &err))
            fail_msg("%s", err.text);
    }
    assert_true(gpu_idle(r->gpu));
}

static struct pp_stats stats_of(struct rig *r)
{
    struct gpu_stats stats;
    gpu_stats(r->gpu, &stats);
    assert_true(stats.processor_used);
    return stats.processor;
}

static void packets_become_kernels(void **state)
{
    (void)state;
    struct rig *r = setup(NULL);
    uint64_t ring = image_alloc(gpu_image(r->gpu), PACKETS * AQL_PACKET_BYTES, 256);
    uint32_t q = add_queue(r, ring, 0);
    for (uint32_t i = 0; i < 40; i++) {
        struct aql_dispatch d = plain(r, i % 2 ? "wide" : "count", i);
        aql_write_dispatch(memory(r, ring + i * AQL_PACKET_BYTES), &d);
    }
    gpu_queue_doorbell(r->gpu, q * AQL_DOORBELL_PAGE, AQL_INDEX_BYTES, RID, 39);
    run(r);
    assert_int_equal(r->ended, 40);
    assert_int_equal(aql_get(memory(r, r->total), 4), 40 * 48 * 4);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(aql_get(memory(r, r->signals + 8 * i), 8), 0);
    teardown(r);
}

/* Ring, signal and read index in the host's memory; a packet costs a round trip more. */
static void a_queue_on_the_bus(void **state)
{
    (void)state;
    uint64_t issued[2];
    for (uint32_t bus = 0; bus < 2; bus++) {
        struct rig *r = setup(NULL);
        uint64_t ring =
            bus ? AQL_BUS : image_alloc(gpu_image(r->gpu), PACKETS * AQL_PACKET_BYTES, 256);
        uint32_t q = add_queue(r, ring, AQL_BUS | 60000);
        struct aql_dispatch d = plain(r, "count", 0);
        d.signal = AQL_BUS | BUS_SIGNALS;
        aql_put(r->bus + BUS_SIGNALS, 1, 8);
        aql_write_dispatch(bus ? r->bus : memory(r, ring), &d);
        gpu_queue_doorbell(r->gpu, q * AQL_DOORBELL_PAGE, AQL_INDEX_BYTES, RID, 0);
        run(r);
        assert_int_equal(r->ended, 1);
        assert_int_equal(aql_get(r->bus + BUS_SIGNALS, 8), 0);
        assert_int_equal(aql_get(r->bus + 60000, 8), 1);
        issued[bus] = r->last_issue;
        teardown(r);
    }
    assert_in_range(issued[1] - issued[0], BUS_LATENCY - 450, BUS_LATENCY);
}

/* One kernel at a time, two that wait: the processor waits for room. */
static void no_room_is_waited_for(void **state)
{
    (void)state;
    const char *const few[] = {"gpu.kernels_running=1", "gpu.kernels_pending=2", NULL};
    struct rig *r = setup(few);
    uint64_t ring = image_alloc(gpu_image(r->gpu), PACKETS * AQL_PACKET_BYTES, 256);
    uint32_t q = add_queue(r, ring, 0);
    for (uint32_t i = 0; i < 20; i++) {
        struct aql_dispatch d = plain(r, "count", i);
        aql_write_dispatch(memory(r, ring + i * AQL_PACKET_BYTES), &d);
    }
    gpu_queue_doorbell(r->gpu, q * AQL_DOORBELL_PAGE, AQL_INDEX_BYTES, RID, 19);
    run(r);
    assert_int_equal(r->ended, 20);
    assert_int_equal(aql_get(memory(r, r->total), 4), 20 * 48 * 4);
    teardown(r);
}

static void refused(const char *kernel, void (*spoil)(struct rig *r, struct aql_dispatch *d),
                    enum pp_defect defect)
{
    struct rig *r = setup(NULL);
    uint64_t ring = image_alloc(gpu_image(r->gpu), PACKETS * AQL_PACKET_BYTES, 256);
    uint32_t q = add_queue(r, ring, 0);
    for (uint32_t i = 0; i < 2; i++) {
        struct aql_dispatch d = plain(r, i ? "count" : kernel, i);
        if (!i)
            spoil(r, &d);
        aql_write_dispatch(memory(r, ring + i * AQL_PACKET_BYTES), &d);
    }
    gpu_queue_doorbell(r->gpu, q * AQL_DOORBELL_PAGE, AQL_INDEX_BYTES, RID, 1);
    run(r);
    struct pp_stats stats = stats_of(r);
    for (uint32_t i = 0; i < PP_DEFECTS; i++)
        assert_int_equal(stats.defects[i], i == (uint32_t)defect);
    assert_int_equal(r->ended, 1);
    assert_int_equal(aql_get(memory(r, r->total), 4), 48 * 4);
    assert_true(aql_get(memory(r, r->signals), 8) == PP_REFUSED);
    assert_int_equal(aql_get(memory(r, r->signals + 8), 8), 0);
    teardown(r);
}

static void too_many_threads(struct rig *r, struct aql_dispatch *d)
{
    (void)r;
    d->group[0] = 2048;
    d->grid[0] = 2048;
}
static void too_much_shared(struct rig *r, struct aql_dispatch *d)
{
    (void)r;
    d->shared_bytes = 1u << 30;
}
static void too_little_shared(struct rig *r, struct aql_dispatch *d)
{
    (void)r;
    d->shared_bytes -= 4;
}
static void too_little_local(struct rig *r, struct aql_dispatch *d)
{
    (void)r;
    d->private_bytes = 0;
}
static void inside_the_code(struct rig *r, struct aql_dispatch *d)
{
    (void)r;
    d->kernel += 8;
}
static void no_address(struct rig *r, struct aql_dispatch *d)
{
    (void)r;
    d->kernel = ~(uint64_t)0;
}
static void arguments_outside(struct rig *r, struct aql_dispatch *d)
{
    d->kernarg = gpu_image(r->gpu)->bytes;
}
static void arguments_at_the_end(struct rig *r, struct aql_dispatch *d)
{
    d->kernarg = gpu_image(r->gpu)->brk - 4;
}
static void no_arguments(struct rig *r, struct aql_dispatch *d)
{
    (void)r;
    d->kernarg = 0;
}
static void arguments_on_the_bus(struct rig *r, struct aql_dispatch *d)
{
    (void)r;
    d->kernarg = AQL_BUS;
}

/* Memory and kernels of another owner. */
static uint64_t foreign(struct rig *r, uint64_t align)
{
    uint64_t address = image_alloc(gpu_image(r->gpu), 256, align);
    image_describe(gpu_image(r->gpu), address, &(struct image_note){.owner = OWNER + 1});
    return address;
}
static void foreign_arguments(struct rig *r, struct aql_dispatch *d)
{
    d->kernarg = foreign(r, 256);
    memcpy(memory(r, d->kernarg), &r->total, sizeof r->total);
}
static void foreign_kernel(struct rig *r, struct aql_dispatch *d)
{
    (void)d;
    module_kernel(r->module, "wide")->owner = OWNER + 1;
}

static void foreign_signals_stay(void **state)
{
    (void)state;
    struct rig *r = setup(NULL);
    uint64_t ring = image_alloc(gpu_image(r->gpu), PACKETS * AQL_PACKET_BYTES, 256);
    uint32_t q = add_queue(r, ring, 0);
    struct aql_dispatch d = plain(r, "count", 0);
    d.signal = foreign(r, 256);
    aql_put(memory(r, d.signal), 1, 8);
    aql_write_dispatch(memory(r, ring), &d);
    gpu_queue_doorbell(r->gpu, q * AQL_DOORBELL_PAGE, AQL_INDEX_BYTES, RID, 0);
    run(r);
    assert_int_equal(stats_of(r).defects[PP_BAD_ADDRESS], 1);
    assert_int_equal(aql_get(memory(r, d.signal), 8), 1);
    assert_int_equal(r->ended, 0);
    teardown(r);
}

static void rings_are_the_owners(void **state)
{
    (void)state;
    struct rig *r = setup(NULL);
    struct error err = {0};
    uint32_t number;
    struct pp_queue queue = {.ring = foreign(r, 256), .packets = 4, .owner = OWNER};
    assert_false(gpu_queue_create(r->gpu, &queue, &number, &err));
    queue.owner = OWNER + 1;
    err.set = false;
    assert_true(gpu_queue_create(r->gpu, &queue, &number, &err));
    teardown(r);
}

static void what_cannot_run(void **state)
{
    (void)state;
    refused("count", foreign_arguments, PP_BAD_ADDRESS);
    refused("wide", foreign_kernel, PP_BAD_KERNEL);
    refused("count", too_many_threads, PP_TOO_LARGE);
    refused("count", too_much_shared, PP_TOO_LARGE);
    refused("wide", too_little_shared, PP_TOO_LARGE);
    refused("wide", too_little_local, PP_TOO_LARGE);
    refused("count", inside_the_code, PP_BAD_KERNEL);
    refused("count", no_address, PP_BAD_KERNEL);
    refused("count", arguments_outside, PP_BAD_ADDRESS);
    refused("count", arguments_at_the_end, PP_BAD_ADDRESS);
    refused("count", no_arguments, PP_BAD_ADDRESS);
    refused("count", arguments_on_the_bus, PP_BAD_ADDRESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_become_kernels), cmocka_unit_test(a_queue_on_the_bus),
        cmocka_unit_test(no_room_is_waited_for),  cmocka_unit_test(foreign_signals_stay),
        cmocka_unit_test(rings_are_the_owners),   cmocka_unit_test(what_cannot_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
