#include "tests/system/region_rig.h"

#include "base/alloc.h"
#include "sim/system/config.h"
#include "sim/system/gpu_settings.h"
#include "tests/unit.h"

/* Thread i of all: of `in`, to `out`.
 * move: out[i] = in[i] + 1. add: in[i % n] += 1. spin: moves after `n` rounds of a loop.
 * gather: out[i] = in[i * n]: a line for every lane.
 * own: in[i * n] = i + 1, all in one partition; the last lane of each warp loads its word back.
 * chain: block b waits for in[b + 1], and fills in[b]: the last one's word is somebody else's. */
#define HEAD                                                                                       \
    "(.param .u64 in, .param .u64 out, .param .u64 n, .param .u64 m)\n{\n"                         \
    ".reg .u64 %rd<8>;\n.reg .u32 %r<8>;\n.reg .pred %p<4>;\n"                                     \
    "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nld.param.u64 %rd3, [n];\n"               \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"                        \
    "mad.lo.u32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd4, %r4, 4;\n"
static const char ptx[] = ".version 3.2\n.target sm_35\n.address_size 64\n"
                          ".visible .entry move" HEAD "add.u64 %rd5, %rd1, %rd4;\n"
                          "add.u64 %rd6, %rd2, %rd4;\nld.global.u32 %r5, [%rd5];\n"
                          "add.u32 %r5, %r5, 1;\nst.global.u32 [%rd6], %r5;\nret;\n}\n"
                          ".visible .entry add" HEAD "cvt.u32.u64 %r6, %rd3;\n"
                          "rem.u32 %r4, %r4, %r6;\nmul.wide.u32 %rd4, %r4, 4;\n"
                          "add.u64 %rd5, %rd1, %rd4;\nred.global.add.u32 [%rd5], 1;\nret;\n}\n"
                          ".visible .entry spin" HEAD "cvt.u32.u64 %r6, %rd3;\n"
                          "LOOP:\nsub.u32 %r6, %r6, 1;\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra LOOP;\n"
                          "add.u64 %rd5, %rd1, %rd4;\nadd.u64 %rd6, %rd2, %rd4;\n"
                          "ld.global.u32 %r5, [%rd5];\nst.global.u32 [%rd6], %r5;\nret;\n}\n"
                          ".visible .entry gather" HEAD "mul.wide.u32 %rd4, %r4, 4;\n"
                          "add.u64 %rd6, %rd2, %rd4;\nmul.lo.u64 %rd4, %rd4, %rd3;\n"
                          "add.u64 %rd5, %rd1, %rd4;\nld.global.u32 %r5, [%rd5];\n"
                          "st.global.u32 [%rd6], %r5;\nret;\n}\n"
                          ".visible .entry own" HEAD "mul.wide.u32 %rd4, %r4, 4;\n"
                          "add.u64 %rd6, %rd2, %rd4;\nmul.lo.u64 %rd4, %rd4, %rd3;\n"
                          "add.u64 %rd5, %rd1, %rd4;\nadd.u32 %r5, %r4, 1;\n"
                          "and.b32 %r6, %r1, 31;\nsetp.eq.u32 %p1, %r6, 31;\n"
                          "st.global.u32 [%rd5], %r5;\n@%p1 ld.global.u32 %r7, [%rd5];\n"
                          "@%p1 st.global.u32 [%rd6], %r7;\nret;\n}\n"
                          ".visible .entry chain" HEAD "mul.wide.u32 %rd4, %r2, 4;\n"
                          "add.u64 %rd5, %rd1, %rd4;\nld.global.u32 %r5, [%rd5+4];\n"
                          "add.u32 %r5, %r5, 1;\nst.global.u32 [%rd5], %r5;\nret;\n}\n";

static void on_grid(void *user, uint64_t cookie, const struct grid *grid)
{
    struct region_rig *r = user;
    (void)cookie, (void)grid;
    r->grids++;
}

static void on_done(void *user, uint32_t tag, uint32_t status)
{
    struct region_rig *r = user;
    assert_true(tag < RIG_TAGS && !r->done[tag]);
    r->done[tag] = true;
    r->status[tag] = (uint8_t)status;
    r->done_at[tag] = gpu_cycle(r->gpu);
}

static void on_mark(void *user, uint32_t tag, uint32_t code)
{
    struct region_rig *r = user;
    (void)tag;
    r->marks++;
    r->code = code;
}

static void on_register(void *user, uint32_t tag, uint32_t value)
{
    struct region_rig *r = user;
    (void)tag;
    r->marks++;
    r->value = value;
}

static bool on_pending(void *user, uint64_t address, bool fill, char *text, size_t room)
{
    const struct region_rig *r = user;
    (void)address, (void)fill;
    if (r->pending)
        snprintf(text, room, "%s", r->pending);
    return r->pending != NULL;
}

struct region_rig *rig_create(enum tile_backend backend, const char *const *overrides)
{
    struct region_rig *r = ALLOC(struct region_rig);
    struct machine_config machine;
    struct error err = {0};
    assert_true(config_load(&machine, "config/gtx480.ini", &err));
    assert_true(config_override(&machine, "fe.region_kib=64", &err));
    for (; overrides && *overrides; overrides++)
        if (!config_override(&machine, *overrides, &err))
            fail_msg("%s", err.text);
    struct gpu_config config = gpu_settings(&machine, backend, 0);
    struct gpu_callbacks calls = {.grid_done = on_grid,
                                  .region_done = on_done,
                                  .region_marked = on_mark,
                                  .region_register = on_register,
                                  .region_pending = on_pending,
                                  .user = r};
    r->gpu = gpu_create(&config, &calls, &err);
    if (!r->gpu)
        fail_msg("%s", err.text);
    r->module = module_parse("region", ptx, strlen(ptx), &err);
    if (!r->module || !gpu_load(r->gpu, r->module, &err) || !gpu_region_open(r->gpu, &err))
        fail_msg("%s", err.text);
    assert_true(gpu_region(r->gpu, &r->region));
    struct image_block all = {.address = r->region.base, .bytes = r->region.bytes};
    image_add_part(gpu_image(r->gpu), &all);
    r->plain = image_alloc(gpu_image(r->gpu), 1 << 20, 4096);
    return r;
}

void rig_destroy(struct region_rig *r)
{
    gpu_destroy(r->gpu);
    module_free(r->module);
    free(r);
}

static bool step(struct region_rig *r, uint64_t end)
{
    uint64_t next = gpu_next_event(r->gpu);
    if (next > gpu_cycle(r->gpu))
        gpu_skip_to(r->gpu, next < end ? next : end);
    return gpu_cycle(r->gpu) >= end || gpu_tick(r->gpu, &r->error);
}

bool rig_run(struct region_rig *r, uint64_t cycles)
{
    uint64_t end = gpu_cycle(r->gpu) + cycles;
    while (gpu_cycle(r->gpu) < end)
        if (!step(r, end))
            return false;
    return true;
}

void rig_launch(struct region_rig *r, const char *kernel, uint32_t blocks, uint32_t threads,
                const uint64_t arguments[4])
{
    struct error err = {0};
    uint64_t param = image_alloc(gpu_image(r->gpu), 32, 128);
    memcpy(gpu_image(r->gpu)->base + param, arguments, 32);
    struct launch launch = {.kernel = module_kernel(r->module, kernel),
                            .grid = {blocks, 1, 1},
                            .block = {threads, 1, 1},
                            .param = param};
    if (!gpu_launch(r->gpu, &launch, &err))
        fail_msg("%s", err.text);
}

bool rig_wait_grids(struct region_rig *r, uint32_t grids)
{
    uint64_t end = gpu_cycle(r->gpu) + 1000000;
    while (r->grids < grids && gpu_cycle(r->gpu) < end)
        if (!step(r, end))
            return false;
    return r->grids >= grids;
}

bool rig_wait(struct region_rig *r, uint32_t tag)
{
    uint64_t end = gpu_cycle(r->gpu) + 1000000;
    while (!r->done[tag] && gpu_cycle(r->gpu) < end)
        if (!step(r, end))
            return false;
    return r->done[tag];
}

void rig_mark(struct region_rig *r, bool full, uint64_t address, uint64_t bytes)
{
    uint32_t marks = r->marks;
    uint64_t end = gpu_cycle(r->gpu) + 1000000;
    assert_true(gpu_region_mark(r->gpu, full, address, bytes, 0));
    while (r->marks == marks && gpu_cycle(r->gpu) < end)
        assert_true(step(r, end));
    assert_int_equal(r->marks, marks + 1);
    assert_int_equal(r->code, FE_CODE_OK);
}

static void request(struct region_rig *r, const struct region_request *q)
{
    uint64_t end = gpu_cycle(r->gpu) + 1000000;
    r->done[q->tag] = false;
    while (!gpu_region_request(r->gpu, q))
        assert_true(gpu_cycle(r->gpu) < end && step(r, end));
}

void rig_write(struct region_rig *r, uint64_t address, const void *data, uint32_t bytes,
               uint8_t trigger, uint8_t action, uint32_t tag)
{
    uint8_t copy[LINE_BYTES];
    memcpy(copy, data, bytes);
    request(r, &(struct region_request){.address = address,
                                        .bytes = bytes,
                                        .write = true,
                                        .trigger = trigger,
                                        .action = action,
                                        .data = copy,
                                        .tag = tag});
}

void rig_read(struct region_rig *r, uint64_t address, void *data, uint32_t bytes, uint8_t trigger,
              uint8_t action, uint32_t tag)
{
    request(r, &(struct region_request){.address = address,
                                        .bytes = bytes,
                                        .trigger = trigger,
                                        .action = action,
                                        .data = data,
                                        .tag = tag});
}
