#include "tests/system/gpu_rig.h"

#include "sim/guest/service/event_driver.h"
#include "tests/unit.h"

static void on_command(void *user, uint32_t code, uint32_t row)
{
    struct gpu_rig *rig = user;
    rig->answered = true;
    rig->code = code;
    rig->row = row;
}

static void on_freed(void *user, uint32_t row)
{
    struct gpu_rig *rig = user;
    rig->freed = true;
    rig->freed_row = row;
}

static void on_read(void *user, uint32_t tag)
{
    (void)user, (void)tag;
}

static bool on_flag(void *user, uint32_t row, uint64_t address, uint32_t data)
{
    (void)user, (void)row, (void)address, (void)data;
    return true;
}

static void on_grid(void *user, uint64_t cookie, const struct grid *grid)
{
    (void)cookie, (void)grid;
    ((struct gpu_rig *)user)->grids++;
}

static void on_event(void *user, const struct event_times *times)
{
    (void)times;
    ((struct gpu_rig *)user)->events++;
}

void gpu_rig_tick(struct gpu_rig *rig)
{
    struct error err = {0};
    if (!gpu_tick(rig->gpu, &err))
        fail_msg("%s", err.text);
}

void gpu_rig_run_until_idle(struct gpu_rig *rig, uint64_t most)
{
    for (uint64_t i = 0; i < most && !gpu_idle(rig->gpu); i++) {
        uint64_t next = gpu_next_event(rig->gpu);
        assert_true(next != UINT64_MAX);
        if (next > gpu_cycle(rig->gpu))
            gpu_skip_to(rig->gpu, next);
        gpu_rig_tick(rig);
    }
    assert_true(gpu_idle(rig->gpu));
}

uint64_t gpu_rig_alloc(void *rig, uint64_t bytes, uint64_t align)
{
    return image_alloc(gpu_image(((struct gpu_rig *)rig)->gpu), bytes, align);
}

static void release(void *user, uint64_t address)
{
    image_release(gpu_image(((struct gpu_rig *)user)->gpu), address);
}

static bool write_memory(void *user, uint64_t address, const void *data, uint64_t bytes,
                         struct edge_error *err)
{
    (void)err;
    memcpy(gpu_image(((struct gpu_rig *)user)->gpu)->base + address, data, bytes);
    return true;
}

static bool command(void *user, const struct edge_command *wanted, uint32_t *code, uint32_t *row,
                    struct edge_error *err)
{
    struct gpu_rig *rig = user;
    struct frontend_command wire = event_command(wanted);
    rig->answered = rig->freed = false;
    assert_true(gpu_command(rig->gpu, &wire));
    for (int i = 0; i < 100000 && !rig->answered; i++)
        gpu_rig_tick(rig);
    bool stays = wanted->op != FRONTEND_CMD_UNREGISTER || rig->code != FRONTEND_CODE_OK;
    for (int i = 0; i < 100000 && !stays && !rig->freed; i++)
        gpu_rig_tick(rig);
    assert_true(stays || rig->freed_row == wanted->row);
    *code = rig->code;
    *row = rig->row;
    return rig->answered && (stays || rig->freed) ? true : edge_fail(err, "no answer");
}

void gpu_rig_machine(struct machine_config *machine, const char *const *overrides)
{
    struct error err = {0};
    assert_true(config_load(machine, "config/edge.ini", &err));
    for (; overrides && *overrides; overrides++)
        if (!config_override(machine, *overrides, &err))
            fail_msg("%s", err.text);
    assert_true(config_check(machine, &err));
}

void gpu_rig_create(struct gpu_rig *rig, const struct gpu_config *config,
                    struct gpu_callbacks *calls)
{
    struct error err = {0};
    calls->command_done = on_command;
    calls->row_freed = on_freed;
    calls->read_done = on_read;
    if (!calls->flag_write)
        calls->flag_write = on_flag;
    if (!calls->grid_done)
        calls->grid_done = on_grid;
    if (!calls->event_done)
        calls->event_done = on_event;
    calls->user = rig;
    rig->gpu = gpu_create(config, calls, &err);
    if (!rig->gpu)
        fail_msg("%s", err.text);
    rig->driver = (struct edge_driver){.user = rig,
                                       .limits = {.block_threads = 1024,
                                                  .shared_bytes = 49152,
                                                  .registers = 65536,
                                                  .local_bytes = EVENT_LOCAL_BYTES},
                                       .alloc = gpu_rig_alloc,
                                       .release = release,
                                       .write = write_memory,
                                       .command = command};
}
