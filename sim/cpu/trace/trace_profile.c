#include "sim/cpu/trace/trace_profile.h"

#include "sim/cpu/cpu_cache.h"

enum { BATCH = 256 };

struct profiler {
    struct cpu_cache l1i, l1d, l2;
    uint64_t fetched; /* line of the last instruction */
    bool loaded[256]; /* by register: holds what a load brought, or what was computed from it */
    struct cpu_profile counts;
};

static void fill_l2(struct profiler *p, uint64_t line, bool dirty)
{
    struct cpu_way *w = cpu_cache_find(&p->l2, line);
    if (w)
        w->line |= dirty ? CPU_DIRTY : 0;
    else
        p->counts.l2_writebacks += cpu_cache_fill(&p->l2, line, dirty, 0).dirty;
}

static void read_l2(struct profiler *p, uint64_t line)
{
    if (cpu_cache_find(&p->l2, line))
        return;
    p->counts.l2_misses++;
    fill_l2(p, line, false);
}

static void access_data(struct profiler *p, uint64_t address, bool store)
{
    uint64_t line = address >> CPU_LINE_SHIFT;
    struct cpu_way *w = cpu_cache_find(&p->l1d, line);
    if (w) {
        w->line |= store ? CPU_DIRTY : 0;
        return;
    }
    p->counts.l1d_misses++;
    read_l2(p, line);
    struct cpu_victim v = cpu_cache_fill(&p->l1d, line, store, 0);
    if (v.dirty)
        fill_l2(p, v.line, true);
}

static void fetch(struct profiler *p, uint64_t ip)
{
    uint64_t line = ip >> CPU_LINE_SHIFT;
    if (line == p->fetched)
        return;
    p->fetched = line;
    if (cpu_cache_find(&p->l1i, line))
        return;
    p->counts.l1i_misses++;
    read_l2(p, line);
    cpu_cache_fill(&p->l1i, line, false, 0);
}

static void follow_registers(struct profiler *p, const struct cpu_instruction *in, bool load)
{
    bool waits = false;
    for (uint32_t i = 0; i < CPU_SOURCES; i++)
        waits |= p->loaded[in->source[i]];
    p->counts.waiting_loads += load && waits;
    for (uint32_t i = 0; i < CPU_TARGETS; i++)
        p->loaded[in->target[i]] = load || waits;
    p->loaded[0] = false;
}

static void count(struct profiler *p, const struct cpu_instruction *in)
{
    uint32_t loads = 0, stores = 0;
    fetch(p, in->ip);
    for (uint32_t i = 0; i < CPU_LOADS; i++) {
        if (in->load[i]) {
            access_data(p, in->load[i], false);
            loads++;
        }
    }
    for (uint32_t i = 0; i < CPU_STORES; i++) {
        if (in->store[i]) {
            access_data(p, in->store[i], true);
            stores++;
        }
    }
    follow_registers(p, in, loads > 0);
    struct cpu_profile *c = &p->counts;
    c->instructions++;
    c->loads += loads;
    c->stores += stores;
    c->with_load += loads > 0;
    c->with_store += stores > 0;
    c->branches += in->branch;
    c->taken += in->taken;
}

static bool count_many(struct profiler *p, struct cpu_trace *t, uint64_t n, struct error *err)
{
    struct cpu_instruction in[BATCH];
    while (n) {
        uint32_t want = n < BATCH ? (uint32_t)n : BATCH, got = cpu_trace_read(t, in, want);
        for (uint32_t i = 0; i < got; i++)
            count(p, &in[i]);
        if (got < want)
            return error_set(err, "%s", cpu_trace_error(t));
        n -= got;
    }
    return true;
}

bool cpu_profile_trace(struct cpu_trace *t, const struct cpu_profile_caches *caches, uint64_t skip,
                       uint64_t n, struct cpu_profile *profile, struct error *err)
{
    struct profiler p = {.fetched = UINT64_MAX};
    bool ok = cpu_cache_create(&p.l1i, "L1 instruction cache", caches->l1i_bytes, caches->l1i_ways,
                               err) &&
              cpu_cache_create(&p.l1d, "L1 data cache", caches->l1d_bytes, caches->l1d_ways, err) &&
              cpu_cache_create(&p.l2, "L2 cache", caches->l2_bytes, caches->l2_ways, err) &&
              count_many(&p, t, skip, err);
    p.counts = (struct cpu_profile){0};
    ok = ok && count_many(&p, t, n, err);
    *profile = p.counts;
    profile->rounds = cpu_trace_rounds(t);
    cpu_cache_destroy(&p.l1i);
    cpu_cache_destroy(&p.l1d);
    cpu_cache_destroy(&p.l2);
    return ok;
}
