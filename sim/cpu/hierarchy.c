/* The private caches, what is on its way to them, and the requests that leave the core. Lines are
 * numbers of 128 bytes here. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/cpu/core_internal.h"

static const char *const cache_names[] = {"L1 instruction cache", "L1 data cache", "L2 cache"};

bool hierarchy_check(const struct cpu_core_config *g, struct error *err)
{
    return cpu_cache_check(cache_names[0], g->l1i_bytes, g->l1i_ways, err) &&
           cpu_cache_check(cache_names[1], g->l1d_bytes, g->l1d_ways, err) &&
           cpu_cache_check(cache_names[2], g->l2_bytes, g->l2_ways, err);
}

bool hierarchy_create(struct cpu_core *c, struct error *err)
{
    const struct cpu_core_config *g = &c->config;
    struct hierarchy *h = &c->mem;
    if (!cpu_cache_create(&h->l1i, cache_names[0], g->l1i_bytes, g->l1i_ways, err) ||
        !cpu_cache_create(&h->l1d, cache_names[1], g->l1d_bytes, g->l1d_ways, err) ||
        !cpu_cache_create(&h->l2, cache_names[2], g->l2_bytes, g->l2_ways, err) ||
        !mshr_create(&h->mshrs, g->l2_mshrs, 1, err))
        return false;
    h->pending = ALLOC_ARRAY(struct pending_line, g->l2_mshrs);
    h->load_next = ALLOC_ARRAY(uint16_t, (c->window.mask + 1) * CPU_LOADS);
    h->l2_hit = ALLOC_ARRAY(uint64_t, g->l1_mshrs);
    /* Reads, and the write-backs beyond the allowed ones that each fill may still cause: a line out
     * of L2, and one out of L1 that pushes another one out of L2. */
    h->out_size = g->l2_writebacks + 3 * g->l2_mshrs + 4;
    h->out = ALLOC_ARRAY(struct outgoing, h->out_size);
    return true;
}

void hierarchy_destroy(struct cpu_core *c)
{
    struct hierarchy *h = &c->mem;
    cpu_cache_destroy(&h->l1i);
    cpu_cache_destroy(&h->l1d);
    cpu_cache_destroy(&h->l2);
    mshr_destroy(&h->mshrs);
    free(h->pending);
    free(h->load_next);
    free(h->l2_hit);
    free(h->out);
}

/* --- out of the core -------------------------------------------------------------------------- */

static void send(struct hierarchy *h, const struct outgoing *request)
{
    uint32_t at = h->out_head + h->out_count++;
    h->out[at < h->out_size ? at : at - h->out_size] = *request;
}

static void write_back(struct cpu_core *c, uint64_t line, uint64_t cycle)
{
    c->mem.writebacks++;
    c->stats.l2.writebacks++;
    send(&c->mem,
         &(struct outgoing){.due = cycle, .line = line, .tag = TAG_WRITEBACK, .write = true});
}

static void fill_l2(struct cpu_core *c, uint64_t line, bool dirty, uint64_t cycle)
{
    struct cpu_way *w = cpu_cache_find(&c->mem.l2, line);
    if (w) {
        w->line |= dirty ? CPU_DIRTY : 0;
        return;
    }
    struct cpu_victim v = cpu_cache_fill(&c->mem.l2, line, dirty, 0);
    if (v.dirty)
        write_back(c, v.line, cycle);
}

static void fill_l1d(struct cpu_core *c, uint64_t line, bool dirty, uint64_t there, uint64_t cycle)
{
    struct cpu_victim v = cpu_cache_fill(&c->mem.l1d, line, dirty, there);
    if (!v.dirty)
        return;
    c->stats.l1d.writebacks++;
    fill_l2(c, v.line, true, cycle);
}

/* --- misses ----------------------------------------------------------------------------------- */

static const struct access_result held = {ACCESS_HELD, 0};
static const struct access_result waits = {ACCESS_WAITS, 0};

static struct access_result hold(struct cpu_core *c)
{
    c->stats.held++;
    return held;
}

/* An MSHR for a line that neither cache has; MSHR_NONE: there is none. */
static uint32_t ask_memory(struct cpu_core *c, uint64_t line, uint64_t cycle)
{
    struct hierarchy *h = &c->mem;
    uint32_t entry = MSHR_NONE;
    uint8_t fetch;
    if (h->writebacks >= c->config.l2_writebacks ||
        mshr_add(&h->mshrs, line << CPU_LINE_SHIFT, ALL_SECTORS, 0, &entry, &fetch) == MSHR_FULL)
        return MSHR_NONE;
    h->pending[entry] = (struct pending_line){.loads = NONE16};
    send(h, &(struct outgoing){.due = cycle + c->config.l1_latency + c->config.l2_latency,
                               .line = line,
                               .tag = entry});
    c->stats.l2.accesses++;
    c->stats.l2.misses++;
    return entry;
}

static uint32_t find_pending(const struct hierarchy *h, uint64_t line)
{
    return h->mshrs.used ? mshr_find(&h->mshrs, line << CPU_LINE_SHIFT) : MSHR_NONE;
}

/* Something for L1D is in L2: it will be in L1D after L2's latency. */
static struct access_result from_l2(struct cpu_core *c, uint64_t line, bool dirty, uint64_t cycle)
{
    struct hierarchy *h = &c->mem;
    uint64_t there = cycle + c->config.l1_latency + c->config.l2_latency;
    uint32_t at = h->l2_hit_head + h->l2_hit_count++;
    h->l2_hit[at < c->config.l1_mshrs ? at : at - c->config.l1_mshrs] = there;
    fill_l1d(c, line, dirty, there, cycle);
    c->stats.l1d.accesses++;
    c->stats.l1d.misses++;
    c->stats.l2.accesses++;
    return (struct access_result){ACCESS_DONE, there};
}

/* Not in L1D; `load` is a load or NONE16. */
static struct access_result miss_data(struct cpu_core *c, uint64_t line, uint32_t load,
                                      uint64_t cycle)
{
    struct hierarchy *h = &c->mem;
    bool store = load == NONE16, room = h->data_pending + h->l2_hit_count < c->config.l1_mshrs;
    uint32_t entry = find_pending(h, line);
    bool merged = entry != MSHR_NONE && h->pending[entry].data;
    if (!merged && (!room || h->writebacks >= c->config.l2_writebacks))
        return hold(c);
    if (entry == MSHR_NONE) {
        if (cpu_cache_find(&h->l2, line))
            return from_l2(c, line, store, cycle);
        entry = ask_memory(c, line, cycle);
        if (entry == MSHR_NONE)
            return hold(c);
    }
    struct pending_line *p = &h->pending[entry];
    c->stats.l1d.accesses++;
    c->stats.l1d.merged += merged;
    c->stats.l1d.misses += !merged;
    h->data_pending += !merged;
    p->data = true;
    p->dirty |= store;
    if (!store) {
        h->load_next[load] = p->loads;
        p->loads = (uint16_t)load;
    }
    return waits;
}

/* --- accesses --------------------------------------------------------------------------------- */

struct access_result hierarchy_load(struct cpu_core *c, uint32_t load, uint64_t cycle, bool first)
{
    uint64_t line = c->window.lines[load / CPU_LOADS].load[load % CPU_LOADS];
    const struct cpu_way *w = cpu_cache_find(&c->mem.l1d, line);
    struct access_result r = {ACCESS_DONE, cycle + c->config.l1_latency};
    if (w) {
        c->stats.l1d.accesses++;
        if (w->there > r.there) {
            c->stats.l1d.merged++;
            r.there = w->there;
        }
    } else {
        r = c->window.blocked_count && !first ? hold(c) : miss_data(c, line, load, cycle);
    }
    c->stats.loads += r.what != ACCESS_HELD;
    return r;
}

struct access_result hierarchy_store(struct cpu_core *c, uint64_t line, uint64_t cycle)
{
    struct cpu_way *w = cpu_cache_find(&c->mem.l1d, line);
    if (!w) {
        struct access_result r = miss_data(c, line, NONE16, cycle);
        c->stats.stores += r.what != ACCESS_HELD;
        return r;
    }
    w->line |= CPU_DIRTY;
    c->stats.l1d.accesses++;
    c->stats.stores++;
    return (struct access_result){ACCESS_DONE, cycle};
}

struct access_result hierarchy_fetch(struct cpu_core *c, uint64_t line, uint64_t cycle)
{
    struct hierarchy *h = &c->mem;
    const struct cpu_way *w = cpu_cache_find(&h->l1i, line);
    if (w) {
        c->stats.l1i.accesses++;
        return (struct access_result){ACCESS_DONE, w->there};
    }
    uint32_t entry = find_pending(h, line);
    if (entry == MSHR_NONE && cpu_cache_find(&h->l2, line)) {
        uint64_t there = cycle + c->config.l1_latency + c->config.l2_latency;
        cpu_cache_fill(&h->l1i, line, false, there);
        c->stats.l1i.accesses++;
        c->stats.l1i.misses++;
        c->stats.l2.accesses++;
        return (struct access_result){ACCESS_DONE, there};
    }
    if (entry == MSHR_NONE)
        entry = ask_memory(c, line, cycle);
    if (entry == MSHR_NONE)
        return hold(c);
    h->pending[entry].instructions = true;
    c->stats.l1i.accesses++;
    c->stats.l1i.misses++;
    return waits;
}

/* --- data arrive ------------------------------------------------------------------------------ */

void hierarchy_release(struct cpu_core *c, uint64_t cycle)
{
    struct hierarchy *h = &c->mem;
    bool any = false;
    for (; h->l2_hit_count && h->l2_hit[h->l2_hit_head] <= cycle; h->l2_hit_count--) {
        h->l2_hit_head = h->l2_hit_head + 1 < c->config.l1_mshrs ? h->l2_hit_head + 1 : 0;
        any = true;
    }
    if (any)
        core_freed(c, cycle);
}

uint64_t hierarchy_next_release(const struct cpu_core *c)
{
    return c->mem.l2_hit_count ? c->mem.l2_hit[c->mem.l2_hit_head] : CPU_NEVER;
}

static void wake_loads(struct cpu_core *c, uint32_t first, uint64_t cycle)
{
    uint16_t *next = c->mem.load_next, previous = NONE16;
    for (uint32_t l = first; l != NONE16;) { /* the list has the youngest one first */
        uint32_t after = next[l];
        next[l] = previous;
        previous = (uint16_t)l;
        l = after;
    }
    for (uint32_t l = previous; l != NONE16;) {
        uint32_t after = next[l];
        window_loaded(c, l, cycle);
        l = after;
    }
}

static void line_arrives(struct cpu_core *c, uint32_t entry, uint64_t cycle)
{
    struct hierarchy *h = &c->mem;
    struct pending_line p = h->pending[entry];
    uint64_t line = h->mshrs.line[entry] >> CPU_LINE_SHIFT;
    uint32_t waiter;
    mshr_arrived(&h->mshrs, entry, ALL_SECTORS);
    mshr_next(&h->mshrs, entry, &waiter);
    c->stats.read_cycles += cycle - p.sent;
    fill_l2(c, line, false, cycle);
    if (p.data) {
        h->data_pending--;
        fill_l1d(c, line, p.dirty, cycle, cycle);
    }
    if (p.instructions) {
        cpu_cache_fill(&h->l1i, line, false, cycle);
        c->front.stop = FETCH_RUNS;
        c->front.resume = cycle;
    }
    wake_loads(c, p.loads, cycle);
}

void cpu_core_reply(struct cpu_core *c, uint32_t tag, uint64_t cycle)
{
    if (tag == TAG_WRITEBACK)
        c->mem.writebacks--;
    else
        line_arrives(c, tag, cycle);
    c->mem.sent--;
    core_freed(c, cycle);
    if (cycle < c->next)
        c->next = cycle;
}

/* --- towards memory --------------------------------------------------------------------------- */

bool cpu_core_request(const struct cpu_core *c, uint64_t until, struct cpu_request *request)
{
    const struct hierarchy *h = &c->mem;
    const struct outgoing *o = &h->out[h->out_head];
    if (!h->out_count || o->due >= until)
        return false;
    *request = (struct cpu_request){o->line << CPU_LINE_SHIFT, o->tag, o->write};
    return true;
}

void cpu_core_sent(struct cpu_core *c, uint64_t cycle)
{
    struct hierarchy *h = &c->mem;
    const struct outgoing *o = &h->out[h->out_head];
    if (o->write) {
        c->stats.writes++;
    } else {
        c->stats.reads++;
        h->pending[o->tag].sent = cycle;
    }
    if (!h->sent++)
        h->first_sent = cycle;
    h->out_head = h->out_head + 1 < h->out_size ? h->out_head + 1 : 0;
    h->out_count--;
}

uint32_t cpu_core_outstanding(const struct cpu_core *c)
{
    return c->mem.mshrs.used + c->mem.writebacks;
}
