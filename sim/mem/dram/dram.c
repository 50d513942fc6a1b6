/* One DRAM channel: its queue and its time. Which command goes when is dram_schedule.c's. */
#include "sim/mem/dram/dram.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/dram/dram_internal.h"
#include "sim/mem/dram/scheduler.h"

#define MAX_TIME 1000000u

static uint32_t log2_of(uint32_t value)
{
    return (uint32_t)__builtin_ctz(value);
}

static bool power_of_two(uint32_t v)
{
    return v && !(v & (v - 1));
}

static bool check_times(const struct dram_config *c, struct error *err)
{
    const struct {
        const char *name;
        uint32_t value;
    } times[] = {{"tCL", c->cl},      {"tRP", c->rp},   {"tRC", c->rc},    {"tRAS", c->ras},
                 {"tCCD", c->ccd},    {"tRCD", c->rcd}, {"tRRD", c->rrd},  {"tCDLR", c->cdlr},
                 {"tWR", c->wr},      {"tWL", c->wl},   {"tRTW", c->rtw},  {"tRTP", c->rtp},
                 {"burst", c->burst}, {"tRFC", c->rfc}, {"tREFI", c->refi}};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (times[i].value > MAX_TIME)
            return error_set(err, "dram %s = %" PRIu32 ": must be at most %u cycles", times[i].name,
                             times[i].value, MAX_TIME);
    uint32_t row = c->rcd + c->wl + c->burst + c->wr + c->rtp + c->ras + c->rc + c->rp;
    if (c->refi && c->refi < c->rfc + row + c->banks)
        return error_set(err,
                         "dram tREFI = %" PRIu32 ": leaves no time between refreshes, must be at "
                         "least %" PRIu32 " with these timings",
                         c->refi, c->rfc + row + c->banks);
    return true;
}

static bool check_config(const struct dram_config *c, struct error *err)
{
    if (!power_of_two(c->banks) || c->banks > 64)
        return error_set(err, "dram banks = %" PRIu32 ": must be a power of two, 1..64", c->banks);
    if (!power_of_two(c->row_bytes))
        return error_set(err, "dram row_bytes = %" PRIu32 ": must be a power of two", c->row_bytes);
    if (!power_of_two(c->column_bytes) || c->column_bytes > c->row_bytes)
        return error_set(err,
                         "dram column_bytes = %" PRIu32 ": must be a power of two, at most "
                         "row_bytes (%" PRIu32 ")",
                         c->column_bytes, c->row_bytes);
    if (!c->burst)
        return error_set(err, "dram burst = 0: a column command takes at least one data cycle");
    if (!c->queue || c->queue > 4096)
        return error_set(err, "dram queue = %" PRIu32 ": must be 1..4096", c->queue);
    if (c->reserved >= c->queue)
        return error_set(err, "dram reserved = %" PRIu32 ": must be less than queue = %" PRIu32,
                         c->reserved, c->queue);
    const struct dram_scheduler *scheduler = dram_scheduler_at(c->scheduler);
    assert(scheduler);
    return (!scheduler->check || scheduler->check(c, err)) && check_times(c, err);
}

struct dram *dram_create(const struct dram_config *config, struct error *err)
{
    if (!check_config(config, err))
        return NULL;
    struct dram *d = ALLOC(struct dram);
    uint32_t n = config->banks;
    d->config = *config;
    d->row_shift = log2_of(config->row_bytes);
    d->bank_shift = log2_of(n);
    d->slot = ALLOC_ARRAY(struct slot, config->queue);
    for (uint32_t s = 0; s < config->queue; s++)
        d->slot[s].younger = s + 1 < config->queue ? s + 1 : NO_SLOT;
    d->oldest = d->youngest = d->next = NO_SLOT;
    d->scheduler = dram_scheduler_at(config->scheduler);
    d->open_row = ALLOC_ARRAY(uint64_t, n);
    d->act_at = ALLOC_ARRAY(uint64_t, n);
    d->pre_at = ALLOC_ARRAY(uint64_t, n);
    d->column_at = ALLOC_ARRAY(uint64_t, n);
    d->bank_oldest = ALLOC_ARRAY(uint32_t, n);
    d->bank_youngest = ALLOC_ARRAY(uint32_t, n);
    d->passed = ALLOC_ARRAY(uint32_t, n);
    d->hit[0] = ALLOC_ARRAY(uint32_t, n);
    d->hit[1] = ALLOC_ARRAY(uint32_t, n);
    d->firsts = ALLOC_ARRAY(uint32_t, n);
    d->use.stats.size = config->queue;
    for (uint32_t b = 0; b < n; b++) {
        d->open_row[b] = NO_ROW;
        d->bank_oldest[b] = d->bank_youngest[b] = d->hit[0][b] = d->hit[1][b] = NO_SLOT;
    }
    d->last_act = n;
    d->refresh_at = config->refi ? config->refi : NEVER;
    d->wake = d->refresh_at;
    d->ring_size = config->queue + config->cl + config->wl + config->burst + 1;
    d->ring = ALLOC_ARRAY(struct done, d->ring_size);
    return d;
}

void dram_destroy(struct dram *d)
{
    if (!d)
        return;
    free(d->slot);
    free(d->open_row);
    free(d->act_at);
    free(d->pre_at);
    free(d->column_at);
    free(d->bank_oldest);
    free(d->bank_youngest);
    free(d->passed);
    free(d->hit[0]);
    free(d->hit[1]);
    free(d->firsts);
    free(d->ring);
    free(d);
}

/* --- queue ------------------------------------------------------------------------------------ */

static bool has_priority(const struct dram *d, uint8_t class)
{
    return d->config.priority >> class & 1;
}

bool dram_room(const struct dram *d, uint8_t class)
{
    uint32_t reserved = has_priority(d, class) ? 0 : d->config.reserved;
    return d->use.count + reserved < d->config.queue;
}

uint32_t dram_capacity(const struct dram *d)
{
    return d->config.queue + d->ring_size;
}

static void make_first(struct dram *d, uint32_t s)
{
    d->firsts[d->slot[s].bank] += !d->slot[s].first;
    d->slot[s].first = true;
}

/* A request with priority, and whatever it or one of those has to wait for. */
static void put_first(struct dram *d, uint32_t s)
{
    make_first(d, s);
    for (uint32_t i = s; i != NO_SLOT; i = d->slot[i].bank_older) {
        if (!d->slot[i].first || !d->slot[i].blockers)
            continue;
        for (uint32_t o = d->slot[i].bank_older; o != NO_SLOT; o = d->slot[o].bank_older)
            if (ordered(&d->slot[o].request, &d->slot[i].request))
                make_first(d, o);
    }
}

bool dram_push(struct dram *d, const struct dram_request *request)
{
    if (!dram_room(d, request->class))
        return false;
    uint32_t offset = (uint32_t)request->address & (d->config.row_bytes - 1);
    assert(request->bytes && request->bytes % d->config.column_bytes == 0 &&
           offset % d->config.column_bytes == 0 && request->bytes <= d->config.row_bytes - offset);
    uint32_t s = d->free;
    struct slot *e = &d->slot[s];
    d->free = e->younger;
    uint64_t row = request->address >> d->row_shift;
    uint32_t bank = (uint32_t)row & (d->config.banks - 1);
    *e = (struct slot){.request = *request,
                       .age = d->next_age++,
                       .row = row >> d->bank_shift,
                       .bank = (uint8_t)bank,
                       .older = d->youngest,
                       .younger = NO_SLOT,
                       .bank_older = d->bank_youngest[bank],
                       .bank_younger = NO_SLOT,
                       .columns = request->bytes / d->config.column_bytes};
    for (uint32_t i = d->bank_oldest[bank]; i != NO_SLOT; i = d->slot[i].bank_younger)
        e->blockers += ordered(&d->slot[i].request, request);
    *(e->older == NO_SLOT ? &d->oldest : &d->slot[e->older].younger) = s;
    *(e->bank_older == NO_SLOT ? &d->bank_oldest[bank] : &d->slot[e->bank_older].bank_younger) = s;
    d->youngest = d->bank_youngest[bank] = s;
    occupancy_enter(&d->use, d->now);
    if (has_priority(d, request->class))
        put_first(d, s);
    d->busy |= 1ull << bank;
    d->stale |= 1ull << bank;
    d->wake = d->now;
    if (d->scheduler->update)
        d->scheduler->update(d);
    return true;
}

bool dram_pop(struct dram *d, struct dram_request *done)
{
    if (!dram_done(d))
        return false;
    *done = d->ring[d->ring_head].request;
    d->ring_head = (d->ring_head + 1) % d->ring_size;
    if (d->ring_count-- + d->n_started >= d->ring_size)
        d->wake = d->now;
    return true;
}

bool dram_done(const struct dram *d)
{
    return d->ring_count && d->ring[d->ring_head].at <= d->now;
}

bool dram_idle(const struct dram *d)
{
    return !d->use.count && !d->ring_count;
}

enum dram_command dram_tick(struct dram *d, uint32_t *bank)
{
    enum dram_command command = DRAM_NOP;
    *bank = 0;
    if (d->now >= d->wake)
        command = d->now >= d->refresh_at ? dram_schedule_refresh(d, bank) : dram_schedule(d, bank);
    d->now++;
    d->stats.cycles++;
    return command;
}

uint64_t dram_quiet(const struct dram *d)
{
    uint64_t until = d->wake;
    if (d->ring_count && d->ring[d->ring_head].at - 1 < until)
        until = d->ring[d->ring_head].at - 1;
    if (until == NEVER)
        return NEVER;
    return until > d->now ? until - d->now : 0;
}

/* Without requests and with every bank closed, nothing but refreshes happens: all those before
 * `end` at once. */
static void skip_refreshes(struct dram *d, uint64_t end)
{
    if (d->use.count || d->open || d->refresh_at >= end || refresh_time(d) > d->refresh_at)
        return;
    uint64_t count = (end - 1 - d->refresh_at) / d->config.refi + 1;
    uint64_t last = d->refresh_at + (count - 1) * d->config.refi;
    for (uint32_t b = 0; b < d->config.banks; b++)
        d->act_at[b] = last + d->config.rfc;
    d->stats.refreshes += count;
    d->refresh_at += count * d->config.refi;
    d->wake = d->refresh_at;
}

void dram_skip(struct dram *d, uint64_t cycles)
{
    uint64_t end = d->now + cycles;
    while (d->now < end) {
        if (d->wake == d->refresh_at)
            skip_refreshes(d, end);
        uint64_t to = d->wake < end ? d->wake : end;
        if (to > d->now) {
            d->stats.cycles += to - d->now;
            d->now = to;
        } else {
            uint32_t bank;
            dram_tick(d, &bank);
        }
    }
}

void dram_queue_stats(const struct dram *d, struct queue_stats *stats)
{
    queue_stats_add(stats, &d->use, d->now);
}

const struct dram_stats *dram_get_stats(const struct dram *d)
{
    return &d->stats;
}
