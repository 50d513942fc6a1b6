#include "tests/system/count_rig.h"

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/guest/service/event_driver.h"
#include "sim/system/gpu_settings.h"
#include "tests/unit.h"

/* Counts its threads into *total; `spin` makes it last. */
static const char ptx[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry count(.param .u64 total, .param .u32 spin)\n"
    "{\n.reg .u64 %rd<3>;\n.reg .u32 %r<4>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [total];\nld.param.u32 %r1, [spin];\n"
    "LOOP:\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nsub.u32 %r1, %r1, 1;\nbra LOOP;\n"
    "DONE:\nred.global.add.u32 [%rd1], 1;\nret;\n}\n"
    ".visible .entry empty()\n{\nret;\n}\n";

static bool on_flag(void *user, uint32_t row, uint64_t address, uint32_t data)
{
    struct count_rig *r = user;
    (void)row;
    if (r->stuck)
        return false;
    if (r->flag_busy && gpu_cycle(r->host.gpu) % r->flag_busy == 0)
        return false;
    assert_int_equal(data, EVG_COMPLETION_DONE);
    r->flags++;
    r->flag_sum += address;
    return true;
}

static void on_lost(void *user, const struct event_times *times, uint32_t why, uint64_t pointer)
{
    struct count_rig *r = user;
    assert_int_equal(times->row, 0);
    r->lost[why]++;
    r->refused += why == FLAG_LOST_POINTER;
    r->refused_sum += pointer;
}

static void on_grid(void *user, uint64_t cookie, const struct grid *grid)
{
    struct count_rig *r = user;
    r->grids[r->n_grids++] =
        (struct done_grid){.cookie = cookie, .start = grid->start_cycle, .end = grid->end_cycle};
    assert_true(grid->blocks_done == grid->total_blocks);
}

static void on_event(void *user, const struct event_times *t)
{
    struct count_rig *r = user;
    r->events++;
    assert_true(t->arrived <= t->accepted && t->accepted <= t->launched);
    assert_true(t->launched <= t->taken && t->taken <= t->pushed && t->pushed <= t->started);
    assert_true(t->started <= t->exited && t->exited <= t->flagged);
}

struct count_rig *count_rig_create_with(const char *const *overrides, enum tile_backend backend,
                                        uint32_t mode, const char *policy)
{
    struct count_rig *r = ALLOC(struct count_rig);
    struct machine_config machine;
    struct error err = {0};
    gpu_rig_machine(&machine, overrides);
    struct gpu_config config = gpu_settings(&machine, backend, mode);
    assert_true(concurrency_parse(policy, &config.concurrency.choice, &err));
    struct gpu_callbacks calls = {
        .flag_write = on_flag, .grid_done = on_grid, .event_done = on_event, .flag_lost = on_lost};
    gpu_rig_create(&r->host, &config, &calls);
    r->module = module_parse("test", ptx, strlen(ptx), &err);
    if (!r->module)
        fail_msg("%s", err.text);
    assert_true(gpu_load(r->host.gpu, r->module, &err));
    r->count = event_kernel(module_kernel(r->module, "count"), &r->parameters);
    return r;
}

struct count_rig *count_rig_create(const char *const *overrides, enum tile_backend backend,
                                   uint32_t mode)
{
    return count_rig_create_with(overrides, backend, mode, "off");
}

void count_rig_destroy(struct count_rig *r)
{
    gpu_destroy(r->host.gpu);
    module_free(r->module);
    free(r->parameters);
    free(r);
}

uint64_t zero_word(struct count_rig *r)
{
    return image_alloc(gpu_image(r->host.gpu), 256, 256);
}

uint32_t word_at(struct count_rig *r, uint64_t address)
{
    uint32_t value = 0;
    memcpy(&value, gpu_image(r->host.gpu)->base + address, sizeof value);
    return value;
}

bool launch(struct count_rig *r, uint64_t total, uint32_t spin, int32_t priority, uint64_t cookie,
            struct error *err)
{
    uint64_t params = image_alloc(gpu_image(r->host.gpu), 16, 16);
    memcpy(gpu_image(r->host.gpu)->base + params, &total, sizeof total);
    memcpy(gpu_image(r->host.gpu)->base + params + 8, &spin, sizeof spin);
    struct launch l = {.kernel = module_kernel(r->module, "count"),
                       .grid = {2, 1, 1},
                       .block = {40, 1, 1},
                       .param = params,
                       .priority = priority,
                       .cookie = cookie};
    return gpu_launch(r->host.gpu, &l, err);
}
