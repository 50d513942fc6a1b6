/* The cycle, retirement, and which cycle comes next. */
#include "sim/cpu/cpu_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/cpu/core_internal.h"

/* --- set-up ----------------------------------------------------------------------------------- */

static bool in_range(const char *name, uint32_t value, uint32_t low, uint32_t high,
                     struct error *err)
{
    return (value >= low && value <= high) ||
           error_set(err, "%s = %" PRIu32 ": must be %" PRIu32 "..%" PRIu32, name, value, low,
                     high);
}

bool cpu_core_check(const struct cpu_core_config *g, struct error *err)
{
    if (g->memory_width > g->width)
        return error_set(err, "memory_width = %" PRIu32 ": must not exceed width = %" PRIu32,
                         g->memory_width, g->width);
    if (g->history_bits > g->predictor_bits)
        return error_set(err,
                         "history_bits = %" PRIu32 ": must not exceed predictor_bits = %" PRIu32,
                         g->history_bits, g->predictor_bits);
    return in_range("width", g->width, 1, 8, err) &&
           in_range("memory_width", g->memory_width, 1, 4, err) &&
           in_range("window", g->window, 4, 1024, err) &&
           in_range("alu_latency", g->alu_latency, 1, 16, err) &&
           in_range("store_buffer", g->store_buffer, CPU_STORES, 256, err) &&
           in_range("branch_penalty", g->branch_penalty, 0, 1000, err) &&
           in_range("predictor_bits", g->predictor_bits, 4, 20, err) &&
           in_range("target_bits", g->target_bits, 2, 16, err) &&
           in_range("l1_latency", g->l1_latency, 1, 100, err) &&
           in_range("l1_mshrs", g->l1_mshrs, 1, 1024, err) &&
           in_range("l2_latency", g->l2_latency, 1, 1000, err) &&
           in_range("l2_mshrs", g->l2_mshrs, 1, 1024, err) &&
           in_range("l2_writebacks", g->l2_writebacks, 1, 1024, err) && hierarchy_check(g, err);
}

struct cpu_core *cpu_core_create(const struct cpu_core_config *config,
                                 uint32_t (*read)(void *user, struct cpu_instruction *out,
                                                  uint32_t n),
                                 void *user, struct error *err)
{
    if (!cpu_core_check(config, err))
        return NULL;
    struct cpu_core *c = ALLOC(struct cpu_core);
    c->config = *config;
    c->read = read;
    c->user = user;
    c->mark = c->marked = CPU_NEVER;
    c->stores.size = config->store_buffer;
    c->stores.line = ALLOC_ARRAY(uint64_t, config->store_buffer);
    window_create(c);
    front_create(c);
    if (hierarchy_create(c, err))
        return c;
    cpu_core_destroy(c);
    return NULL;
}

void cpu_core_destroy(struct cpu_core *c)
{
    if (!c)
        return;
    window_destroy(c);
    front_destroy(c);
    hierarchy_destroy(c);
    free(c->stores.line);
    free(c);
}

/* --- retirement and stores -------------------------------------------------------------------- */

static bool buffer_stores(struct store_buffer *b, const struct entry_lines *lines, uint32_t n)
{
    if (b->count + n > b->size)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = b->head + b->count++;
        b->line[at < b->size ? at : at - b->size] = lines->store[i];
    }
    return true;
}

static void retire(struct cpu_core *c, uint64_t cycle)
{
    struct window *w = &c->window;
    uint64_t from = w->head;
    for (uint32_t n = 0; n < c->config.width && w->head != w->tail; n++) {
        uint32_t number = (uint32_t)w->head & w->mask;
        const struct entry *e = &w->entry[number];
        if (e->done > cycle ||
            (e->stores && !buffer_stores(&c->stores, &w->lines[number], e->stores)))
            break;
        w->head++;
    }
    c->stats.instructions += w->head - from;
    if (c->stats.instructions < c->mark || c->marked != CPU_NEVER)
        return;
    c->marked = cycle + 1;
    c->just_marked = true;
}

static void drain_store(struct cpu_core *c, uint64_t cycle)
{
    struct store_buffer *b = &c->stores;
    if (!b->count || b->blocked)
        return;
    b->blocked = hierarchy_store(c, b->line[b->head], cycle).what == ACCESS_HELD;
    if (b->blocked)
        return;
    b->head = b->head + 1 < b->size ? b->head + 1 : 0;
    b->count--;
}

/* --- time ------------------------------------------------------------------------------------- */

void core_freed(struct cpu_core *c, uint64_t cycle)
{
    c->stores.blocked = false;
    if (c->front.stop == FETCH_MSHR) {
        c->front.stop = FETCH_RUNS;
        c->front.resume = cycle;
    }
    window_retry(c, cycle);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* After a cycle, the next one in which something happens unless a reply comes. */
static uint64_t next_cycle(const struct cpu_core *c, uint64_t cycle)
{
    const struct window *w = &c->window;
    uint64_t next = CPU_NEVER;
    if (c->front.stop == FETCH_RUNS && window_count(w) < c->config.window)
        next = c->front.resume;
    if (c->stores.count && !c->stores.blocked)
        next = 0;
    if (next <= cycle + 1)
        return cycle + 1;
    const struct entry *oldest = &w->entry[w->head & w->mask];
    if (w->head != w->tail && c->stores.count + oldest->stores <= c->stores.size)
        next = earlier(next, oldest->done);
    if (next <= cycle + 1)
        return cycle + 1;
    next = earlier(next, window_next_slot(c, cycle + 1));
    if (w->blocked_count || c->stores.blocked || c->front.stop == FETCH_MSHR)
        next = earlier(next, hierarchy_next_release(c));
    return next > cycle ? next : cycle + 1;
}

static void step(struct cpu_core *c, uint64_t cycle)
{
    if (c->mem.l2_hit_count)
        hierarchy_release(c, cycle);
    retire(c, cycle);
    drain_store(c, cycle);
    window_issue(c, cycle);
    front_fetch(c, cycle);
    c->next = next_cycle(c, cycle);
}

bool cpu_core_run(struct cpu_core *c, uint64_t until, uint64_t ahead)
{
    uint64_t end = until;
    for (;;) {
        uint64_t cycle = c->next;
        if (cycle >= end) {
            end = earlier(ahead, hierarchy_horizon(c));
            if (cycle >= end)
                break;
        }
        step(c, cycle);
        if (c->now <= cycle)
            c->now = cycle + 1;
        if (c->mem.out_count)
            end = until;
        if (!c->just_marked)
            continue;
        c->just_marked = false;
        return false;
    }
    if (c->now < until)
        c->now = until;
    return true;
}

uint64_t cpu_core_next(const struct cpu_core *c)
{
    const struct hierarchy *h = &c->mem;
    return h->out_count ? earlier(c->next, h->out[h->out_head].due) : c->next;
}

void cpu_core_mark(struct cpu_core *c, uint64_t instructions)
{
    c->mark = instructions;
    c->marked = CPU_NEVER;
    if (c->stats.instructions < instructions)
        return;
    c->marked = c->now;
}

uint64_t cpu_core_marked(const struct cpu_core *c)
{
    return c->marked;
}

bool cpu_core_ended(const struct cpu_core *c)
{
    return c->front.stop == FETCH_ENDED && !window_count(&c->window) && !c->stores.count;
}

/* --- what a user sees ------------------------------------------------------------------------- */

void cpu_core_stats(const struct cpu_core *c, struct cpu_core_stats *stats)
{
    *stats = c->stats;
    stats->cycles = c->now;
}

void cpu_core_describe(const struct cpu_core *c, char *text, uint32_t room)
{
    static const char *const stops[] = {"runs", "waits for a branch", "waits for a line",
                                        "waits for an MSHR", "ended"};
    snprintf(text, room,
             "%" PRIu64 " instructions retired, %u in the window, fetch %s, %u lines and %u "
             "write-backs on their way, %u stores buffered",
             c->stats.instructions, window_count(&c->window), stops[c->front.stop],
             c->mem.mshrs.used, c->mem.writebacks, c->stores.count);
}

/* --- addresses -------------------------------------------------------------------------------- */

#define PAGE_SHIFT 12
#define RANGE_BITS 52
#define PAGE_BITS  (RANGE_BITS - PAGE_SHIFT)

/* Each step can be undone, so the whole is one to one: a product with an odd number, and the upper
 * half added to the lower one without carry. */
uint64_t cpu_core_place(uint32_t core, uint64_t line)
{
    const uint64_t mask = (1ull << PAGE_BITS) - 1;
    uint64_t page = line >> PAGE_SHIFT & mask;
    page = page * 0x9e3779b97f4a7c15u & mask;
    page ^= page >> PAGE_BITS / 2;
    page = page * 0xd1b54a32d192ed03u & mask;
    page ^= page >> PAGE_BITS / 2;
    return (uint64_t)(core + 1) << RANGE_BITS | page << PAGE_SHIFT |
           (line & ((1ull << PAGE_SHIFT) - 1));
}
