#include "sim/gpu/region_port.h"

#include "mem_frontend_grain128.h"
#include "mem_frontend_grain32.h"
#include "mem_frontend_look2.h"
#include "mem_frontend_look4.h"
#include "mem_frontend_look8.h"
#include "mem_frontend_sim.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/mem/region/fe.h"

bool gpu_region(const struct gpu *gpu, struct gpu_region *region)
{
    *region = (struct gpu_region){gpu->region.base, gpu->region.bytes};
    return gpu->region.bytes != 0;
}

bool gpu_region_start(struct gpu *gpu, struct error *err)
{
    return !gpu->region.bytes || memsys_fe_start(gpu->memsys, &gpu->place, err);
}

bool gpu_region_open(struct gpu *gpu, struct error *err)
{
    if (!gpu->region.bytes)
        return error_set(err, "the machine has no synchronised region; set fe.region_kib");
    if (!gpu->region.open && !gpu_region_start(gpu, err))
        return false;
    gpu->region.open = true;
    return true;
}

uint64_t region_port_timeout(uint64_t nanoseconds, uint32_t l2_khz)
{
    uint64_t us = nanoseconds / 1000, rest = nanoseconds % 1000;
    uint64_t cycles = us * l2_khz / 1000 + (rest * l2_khz + 999999) / 1000000;
    return us > UINT32_MAX || cycles > UINT32_MAX ? UINT32_MAX : cycles;
}

/* Lines that loads and atomics of a core may wait for: its MSHRs, and at least one instruction's.
 */
static uint32_t core_places(const struct gpu_config *c)
{
    return c->core.l1_mshrs > WARP_SIZE ? c->core.l1_mshrs : WARP_SIZE;
}

/* The tile as it has been built with these parameters; NULL: it has not. */
static const struct tile_kind *find_kind(uint32_t grain_bytes, uint32_t look_ahead)
{
    static const struct {
        uint32_t grain_bytes, look_ahead;
        const struct tile_kind *kind;
    } kinds[] = {
        {4, 1, &mem_frontend_sim_kind},        {32, 1, &mem_frontend_grain32_kind},
        {128, 1, &mem_frontend_grain128_kind}, {4, 2, &mem_frontend_look2_kind},
        {4, 4, &mem_frontend_look4_kind},      {4, 8, &mem_frontend_look8_kind},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].grain_bytes == grain_bytes && kinds[i].look_ahead == look_ahead)
            return kinds[i].kind;
    return NULL;
}

bool region_port_create(struct gpu *gpu, struct error *err)
{
    const struct gpu_config *c = &gpu->config;
    const struct memsys_config *m = &c->mem;
    uint64_t unit = (uint64_t)m->partitions * m->interleave_bytes;
    uint64_t bytes = (uint64_t)c->fe.kib * 1024 * m->partitions;
    region_requests_create(gpu);
    if (!bytes)
        return true;
    if (!find_kind(c->fe.grain_bytes, c->fe.look_ahead))
        return error_set(
            err,
            "fe.grain_bytes = %u with fe.look_ahead = %u: must be 4, 32 or 128 with 1, "
            "or 4 with 2, 4 or 8",
            c->fe.grain_bytes, c->fe.look_ahead);
    if (bytes % unit)
        return error_set(err, "fe.region_kib = %u: must be a multiple of l2.interleave_bytes = %u",
                         c->fe.kib, m->interleave_bytes);
    if (c->fe.host_requests < 1 || c->fe.host_requests > REGION_REQUESTS / 2)
        return error_set(err, "fe.host_requests = %u: must be 1..%u", c->fe.host_requests,
                         REGION_REQUESTS / 2);
    /* At the top, so that ordinary memory has the addresses that it has without a region, and
     * programs that do not use the region take the same cycles. */
    uint64_t at = image_alloc_top(&gpu->image, bytes, unit);
    if (!at)
        return error_set(
            err, "fe.region_kib = %u: device memory cannot hold %llu bytes; raise gpu.memory_mib",
            c->fe.kib, (unsigned long long)bytes);
    image_describe(
        &gpu->image, at,
        &(struct image_note){.access = IMAGE_CLOSED, .what = "unused memory with full/empty bits"});
    gpu->region.base = at;
    gpu->region.bytes = bytes;
    return true;
}

struct fe_settings region_port_settings(const struct gpu *gpu)
{
    const struct gpu_config *c = &gpu->config;
    return (struct fe_settings){
        .base = gpu->region.base,
        .bytes = gpu->region.bytes,
        .places = {[FE_QUEUE_NON] = REGION_REQUESTS,
                   [FE_QUEUE_CPU] = c->fe.host_requests,
                   [FE_QUEUE_GPU] = c->cores * core_places(c)},
        .timeout = region_port_timeout((uint64_t)c->fe.timeout_us * 1000, c->mem.l2_khz),
        .kind = find_kind(c->fe.grain_bytes, c->fe.look_ahead),
        .grain_bytes = c->fe.grain_bytes,
        .look_ahead = c->fe.look_ahead,
        .backend = c->backend};
}

void region_port_connect(const struct gpu *gpu, struct core_env *env)
{
    env->region_base = gpu->region.base;
    env->region_bytes = gpu->region.bytes;
    env->region_lines = core_places(&gpu->config);
}

/* --- registers -------------------------------------------------------------------------------- */

static struct region_command *take_command(struct gpu *gpu, uint32_t tag)
{
    for (uint32_t i = 0; i < REGION_COMMANDS; i++) {
        struct region_command *c = &gpu->region.command[i];
        if (c->used)
            continue;
        *c = (struct region_command){.gpu = gpu, .tag = tag, .used = true};
        return c;
    }
    return NULL;
}

/* From within the memory system; the host hears of it when the cycle is over. */
static void on_part(void *user, uint32_t code, uint32_t value)
{
    struct region_command *c = user;
    c->code = code ? code : c->code;
    c->value = value;
    if (!--c->parts)
        c->gpu->region.answers++;
}

/* There is room: a scheduler takes more jobs than all commands can have. */
static void submit(struct region_command *c, uint32_t partition, struct fe_job job)
{
    job.done = on_part;
    job.user = c;
    c->parts++;
    memsys_fe_submit(c->gpu->memsys, partition, &job);
}

static void mark(struct region_command *c, bool full, uint64_t address, uint64_t bytes)
{
    struct gpu *gpu = c->gpu;
    const uint32_t line = LINE_BYTES / EVG_FE_WORD_BYTES;
    for (uint32_t i = 0; i < gpu->config.mem.partitions; i++) {
        struct fe_job job = {.kind = FE_JOB_RANGE};
        if (!memsys_fe_words(gpu->memsys, i, address, bytes, &job.first, &job.last))
            continue;
        /* CLEAR takes a cycle for a line, EMPTY four. */
        bool whole = job.first % line == 0 && job.last % line == line - 1;
        job.command = full ? FE_COMMAND_FILL : whole ? FE_COMMAND_CLEAR : FE_COMMAND_EMPTY;
        submit(c, i, job);
    }
}

bool gpu_region_mark(struct gpu *gpu, bool full, uint64_t address, uint64_t bytes, uint32_t tag)
{
    struct region_command *c = take_command(gpu, tag);
    if (c)
        mark(c, full, address, bytes);
    return c != NULL;
}

void region_port_free_head(struct gpu *gpu, const struct fe_report *report, uint64_t word,
                           uint32_t owner)
{
    struct region_command *c = gpu->region.freeing ? NULL : take_command(gpu, 0);
    if (!c)
        return;
    gpu->region.freeing = c->frees_head = true;
    c->report = *report;
    struct image_block block;
    uint64_t distance;
    enum image_relation at = image_locate(&gpu->image, word, &block, &distance);
    if ((at != IMAGE_INSIDE && at != IMAGE_FREED) || block.note.owner != owner)
        block = (struct image_block){.address = word, .bytes = 4};
    mark(c, report->request.trigger == TRIGGER_FULL, block.address, (block.bytes + 3) & ~3ull);
}

void region_port_fill(struct gpu *gpu, uint64_t address, uint64_t bytes)
{
    struct region_command *c = gpu->region.freeing ? NULL : take_command(gpu, 0);
    if (!c)
        return;
    gpu->region.freeing = c->fills = true;
    mark(c, true, address, bytes);
}

bool gpu_region_release(struct gpu *gpu, uint32_t tag)
{
    struct region_command *c = take_command(gpu, tag);
    for (uint32_t i = 0; c && i < gpu->config.mem.partitions; i++)
        submit(c, i, (struct fe_job){.kind = FE_JOB_RELEASE});
    return c != NULL;
}

bool gpu_region_set_timeout(struct gpu *gpu, uint64_t nanoseconds, uint32_t tag)
{
    struct region_command *c = take_command(gpu, tag);
    uint64_t cycles = region_port_timeout(nanoseconds, gpu->config.mem.l2_khz);
    for (uint32_t i = 0; c && i < gpu->config.mem.partitions; i++)
        for (uint8_t reg = FE_REG_TIMEOUT_CPU; reg <= FE_REG_TIMEOUT_GPU; reg++)
            submit(c, i,
                   (struct fe_job){.kind = FE_JOB_WRITE, .reg = reg, .data = (uint32_t)cycles});
    return c != NULL;
}

bool gpu_region_register(struct gpu *gpu, uint32_t partition, uint32_t reg, bool write,
                         uint32_t data, uint32_t tag)
{
    struct region_command *c = take_command(gpu, tag);
    if (!c)
        return false;
    c->is_register = true;
    submit(c, partition,
           (struct fe_job){
               .kind = write ? FE_JOB_WRITE : FE_JOB_READ, .reg = (uint8_t)reg, .data = data});
    return true;
}

bool gpu_region_timed_out(const struct gpu *gpu, struct fe_report *report)
{
    return gpu->region.open && memsys_fe_timed_out(gpu->memsys, report);
}

/* --- one cycle -------------------------------------------------------------------------------- */

static void answer(const struct gpu *gpu, const struct region_command *c)
{
    const struct gpu_callbacks *calls = &gpu->calls;
    if (c->frees_head)
        memsys_fe_report_over(gpu->memsys, &c->report);
    else if (c->is_register && calls->region_register)
        calls->region_register(calls->user, c->tag, c->value);
    else if (!c->is_register && !c->fills && calls->region_marked)
        calls->region_marked(calls->user, c->tag, c->code);
}

void region_port_tick(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->region.answers && i < REGION_COMMANDS; i++) {
        struct region_command *c = &gpu->region.command[i];
        if (!c->used || c->parts)
            continue;
        struct region_command done = *c;
        c->used = false;
        gpu->region.freeing = gpu->region.freeing && !done.frees_head && !done.fills;
        gpu->region.answers--;
        answer(gpu, &done);
    }
}
