#include "sim/system/guest_region.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/region_port.h"
#include "sim/system/machine_internal.h"

/* --- jobs ------------------------------------------------------------------------------------- */

static bool submit(struct machine *m, uint32_t tag)
{
    const struct region_job *job = &m->region.jobs[tag].job;
    switch (job->kind) {
    case REGION_MARK:
        return gpu_region_mark(m->gpu, job->full, job->address, job->bytes, tag);
    case REGION_RELEASE:
        return gpu_region_release(m->gpu, tag);
    default:
        return gpu_region_set_timeout(m->gpu, job->nanoseconds, tag);
    }
}

/* In the order in which they came, as far as the schedulers take them. */
static void submit_waiting(struct machine *m)
{
    struct guest_region_state *r = &m->region;
    for (bool room = true; room && r->n_waiting;) {
        uint32_t tag = r->waiting[0];
        room = submit(m, tag);
        if (!room)
            return;
        r->n_waiting--;
        memmove(r->waiting, r->waiting + 1, r->n_waiting * sizeof *r->waiting);
    }
}

static void add_job(struct machine *m, const struct region_job *job)
{
    struct guest_region_state *r = &m->region;
    uint32_t tag = 0;
    while (tag < r->n_jobs && r->jobs[tag].used)
        tag++;
    if (tag == r->n_jobs) {
        ARRAY_RESERVE(r->jobs, r->n_jobs, r->cap_jobs);
        r->n_jobs++;
    }
    r->jobs[tag] = (struct guest_region_slot){.job = *job, .used = true};
    ARRAY_RESERVE(r->waiting, r->n_waiting, r->cap_waiting);
    r->waiting[r->n_waiting++] = tag;
    submit_waiting(m);
}

void guest_region_job(struct guest *g, const struct region_job *job)
{
    gpu_region_open(g->machine->gpu, &g->machine->fault);
    if (job->kind == REGION_TIMEOUT)
        g->machine->region.timeout_of = g;
    add_job(g->machine, job);
}

void guest_region_marked(struct machine *m, uint32_t tag, uint32_t code)
{
    struct guest_region_slot *slot = &m->region.jobs[tag];
    struct region_job job = slot->job;
    slot->used = false;
    if (code)
        error_set(&m->fault, "the full/empty schedulers refuse a command: code %u", code);
    submit_waiting(m);
    job.done(job.user, gpu_cycle(m->gpu));
}

/* --- what the schedulers do for all ----------------------------------------------------------- */

static void nothing(void *user, uint64_t cycle)
{
    (void)user;
    (void)cycle;
}

static void default_timeout(struct machine *m)
{
    if (!m->region.timeout_of)
        return;
    m->region.timeout_of = NULL;
    add_job(m, &(struct region_job){.kind = REGION_TIMEOUT,
                                    .nanoseconds = (uint64_t)m->config.fe.timeout_us * 1000,
                                    .done = nothing});
}

bool guest_region_alone(const struct guest *g)
{
    const struct guest_region_state *r = &g->machine->region;
    for (uint32_t i = 0; i < r->n_blocks; i++) {
        if (r->blocks[i].guest != g)
            return false;
    }
    return true;
}

void guest_region_ended(struct guest *g)
{
    if (g->machine->region.timeout_of == g)
        default_timeout(g->machine);
}

/* --- memory ----------------------------------------------------------------------------------- */

static uint64_t rounded(uint64_t bytes)
{
    return (bytes + REGION_ALIGN - 1) / REGION_ALIGN * REGION_ALIGN;
}

bool guest_region(struct guest *g, uint64_t *available, uint64_t *total)
{
    const struct machine *m = g->machine;
    struct gpu_region region;
    bool there = gpu_region(m->gpu, &region);
    *total = region.bytes;
    *available = region.bytes - m->region.allocated;
    return there;
}

/* First fit: where a block of `bytes` fits, and before which one. */
static bool find_gap(const struct machine *m, const struct gpu_region *region, uint64_t bytes,
                     uint64_t *address, uint32_t *before)
{
    uint64_t from = region->base;
    for (*before = 0; *before <= m->region.n_blocks; ++*before) {
        const struct region_block *next = &m->region.blocks[*before];
        uint64_t to = *before < m->region.n_blocks ? next->address : region->base + region->bytes;
        if (bytes <= to - from) {
            *address = from;
            return true;
        }
        from = next->address + next->bytes;
    }
    return false;
}

uint64_t guest_region_take_block(struct guest *g, uint64_t bytes, bool *used, struct error *err)
{
    struct machine *m = g->machine;
    struct guest_region_state *r = &m->region;
    struct gpu_region region;
    uint64_t address = 0;
    uint32_t at = 0;
    if (!gpu_region(m->gpu, &region) || !gpu_region_open(m->gpu, err))
        return 0;
    if (bytes > region.bytes || !find_gap(m, &region, rounded(bytes), &address, &at)) {
        error_set(err,
                  "memory with full/empty bits is full: %llu bytes beside %llu exceed %llu; raise "
                  "fe.region_kib",
                  (unsigned long long)bytes, (unsigned long long)r->allocated,
                  (unsigned long long)region.bytes);
        return 0;
    }
    bytes = rounded(bytes);
    ARRAY_RESERVE(r->blocks, r->n_blocks, r->cap_blocks);
    memmove(&r->blocks[at + 1], &r->blocks[at], (r->n_blocks - at) * sizeof *r->blocks);
    r->blocks[at] = (struct region_block){.address = address, .bytes = bytes, .guest = g};
    r->n_blocks++;
    if (r->timeout_of != g)
        default_timeout(m);
    r->allocated += bytes;
    *used = address < r->touched;
    if (address + bytes > r->touched)
        r->touched = address + bytes;
    return address;
}

bool guest_region_give_block(struct machine *m, uint64_t address)
{
    struct guest_region_state *r = &m->region;
    for (uint32_t i = 0; i < r->n_blocks; i++) {
        if (r->blocks[i].address != address)
            continue;
        r->allocated -= r->blocks[i].bytes;
        r->n_blocks--;
        memmove(&r->blocks[i], &r->blocks[i + 1], (r->n_blocks - i) * sizeof *r->blocks);
        return true;
    }
    return false;
}

void guest_region_free(struct machine *m)
{
    free(m->region.blocks);
    free(m->region.jobs);
    free(m->region.waiting);
}
