#include "sim/simt/pipeline/fetch.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/simt/core_internal.h"

bool fetch_create(struct core *c, struct error *err)
{
    if (!cache_create(
            &c->fetch.icache,
            &(struct cache_shape){c->config.icache_bytes, c->config.icache_ways, INDEX_PLAIN, 0},
            err)) {
        error_prefix(err, "instruction cache");
        return false;
    }
    c->fetch.size = c->config.fetch_width * (c->config.icache_latency + 1);
    c->fetch.hit = ALLOC_ARRAY(struct fetch_hit, c->fetch.size);
    return true;
}

void fetch_destroy(struct core *c)
{
    cache_destroy(&c->fetch.icache);
    free(c->fetch.hit);
}

static void buffer(struct core *c, uint32_t w, uint32_t count)
{
    uint64_t bit = BIT(w);
    c->fetch.ibuf[w] = (uint8_t)(c->fetch.ibuf[w] + count);
    c->fetch.some |= bit;
    if (c->fetch.ibuf[w] == IBUF_ENTRIES)
        c->fetch.room &= ~bit;
    issue_refresh(c, w);
}

void fetch_arrivals(struct core *c)
{
    while (c->fetch.count) {
        const struct fetch_hit *f = &c->fetch.hit[c->fetch.head];
        if (f->cycle > clock_now(&c->clock))
            return;
        if (!f->dead) {
            c->fetch.busy &= ~BIT(f->warp);
            buffer(c, f->warp, f->count);
        }
        c->fetch.head = (c->fetch.head + 1) % c->fetch.size;
        c->fetch.count--;
    }
}

/* Forgets fetches that hit and have not arrived. */
static void kill_hits(struct fetch *f, uint32_t w)
{
    for (uint32_t i = 0; i < f->count; i++) {
        struct fetch_hit *hit = &f->hit[(f->head + i) % f->size];
        if (hit->warp == w && !hit->dead) {
            hit->dead = true;
            f->busy &= ~BIT(w);
        }
    }
}

void fetch_flush(struct fetch *f, uint32_t w)
{
    uint64_t bit = BIT(w);
    f->ibuf[w] = 0;
    f->some &= ~bit;
    f->room |= bit;
    if (f->busy & bit)
        kill_hits(f, w);
}

void fetch_stop(struct fetch *f, uint32_t w)
{
    fetch_flush(f, w);
    f->room &= ~BIT(w);
}

void fetch_forget(struct fetch *f, uint32_t w)
{
    kill_hits(f, w);
    if (!(f->busy & BIT(w)))
        return;
    f->busy &= ~BIT(w);
    for (uint32_t i = 0; i < SLOTS; i++)
        f->miss[i].waiting &= ~BIT(w);
}

static void miss(struct core *c, uint32_t w, uint64_t line)
{
    uint32_t slot = SLOTS;
    c->fetch.misses++;
    c->fetch.busy |= BIT(w);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (c->fetch.miss[i].used && c->fetch.miss[i].line == line) {
            c->fetch.miss[i].waiting |= BIT(w);
            return;
        }
        if (!c->fetch.miss[i].used && slot == SLOTS)
            slot = i;
    }
    if (slot == SLOTS) { /* forgotten misses fill the table: try again later */
        c->fetch.busy &= ~BIT(w);
        return;
    }
    c->fetch.miss[slot] = (struct icache_miss){.line = line, .waiting = BIT(w), .used = true};
    c->fetch.unsent++;
}

/* Address of the next instruction that the i-buffer has room for; 0: there is none. */
static uint64_t next_address(struct core *c, uint32_t w)
{
    const struct kernel *kernel = warp_of(&c->warps, w)->kernel;
    uint32_t first = stack_pc(&c->stacks, w) + c->fetch.ibuf[w];
    if (first < kernel->n_inst)
        return kernel->code_address + (uint64_t)first * INST_BYTES;
    /* Nothing follows. Only an error if the warp really gets there. */
    if (c->fetch.ibuf[w])
        c->fetch.room &= ~BIT(w);
    else
        fail_at(c, w, &kernel->code[kernel->n_inst - 1], lowest(stack_active(&c->stacks, w)),
                FAULT_INSTRUCTION, "the kernel's code ends here without exit");
    return 0;
}

/* Instructions at the address that fit into the i-buffer and lie in one line. */
static uint32_t fetch_count(const struct core *c, uint32_t w, uint64_t address)
{
    uint32_t count = IBUF_ENTRIES - c->fetch.ibuf[w];
    uint32_t in_line = (LINE_BYTES - (uint32_t)(address % LINE_BYTES)) / INST_BYTES;
    uint32_t left =
        warp_of(&c->warps, w)->kernel->n_inst - (stack_pc(&c->stacks, w) + c->fetch.ibuf[w]);
    count = count < in_line ? count : in_line;
    return count < left ? count : left;
}

static void fetch_one(struct core *c, uint32_t w)
{
    uint64_t address = next_address(c, w);
    if (!address)
        return;
    uint64_t line = address & ~(uint64_t)(LINE_BYTES - 1);
    uint32_t entry = c->fetch.entry[w];
    if (c->fetch.icache.line[entry] != line) {
        entry = cache_find(&c->fetch.icache, line);
        if (entry == CACHE_NONE) {
            miss(c, w, line);
            return;
        }
        c->fetch.entry[w] = entry;
    }
    cache_touch(&c->fetch.icache, entry);
    uint32_t count = fetch_count(c, w, address);
    if (c->config.icache_latency == 1) {
        buffer(c, w, count);
        return;
    }
    c->fetch.busy |= BIT(w);
    c->fetch.hit[(c->fetch.head + c->fetch.count++) % c->fetch.size] = (struct fetch_hit){
        clock_now(&c->clock) + c->config.icache_latency, (uint8_t)w, (uint8_t)count, false};
}

uint64_t fetch_candidates(const struct core *c)
{
    uint64_t off = c->fetch.busy | events_frozen(&c->events) | warps_doomed(&c->warps);
    off |= port_held(&c->port) & ~events_borrowed(&c->events);
    return warps_alive(&c->warps) & c->fetch.room & ~off;
}

void fetch_tick(struct core *c)
{
    uint64_t mask = fetch_candidates(c);
    for (uint32_t n = 0; mask && n < c->config.fetch_width; n++) {
        uint64_t pick = mask & events_running(&c->events);
        if (!pick)
            pick = mask & (UINT64_MAX << c->fetch.turn);
        if (!pick)
            pick = mask;
        uint32_t w = lowest(pick);
        c->fetch.turn = (w + 1) % SLOTS;
        mask &= ~BIT(w);
        fetch_one(c, w);
    }
}

void fetch_send_misses(struct core *c)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct icache_miss *m = &c->fetch.miss[i];
        if (!m->used || m->sent)
            continue;
        struct transaction tx = {.line = m->line,
                                 .words = FULL_MASK,
                                 .sectors = 0xF,
                                 .event = (m->waiting & events_running(&c->events)) != 0};
        m->sent = lsu_send(c, REQUEST_READ, &tx, i << TAG_KIND_BITS | TAG_ICACHE);
        c->fetch.unsent -= m->sent;
        return;
    }
}

/* The line fills the cache and goes straight to the warps that wait for it: it may be evicted
 * before they could look it up again. */
void fetch_reply(struct core *c, uint32_t value)
{
    struct icache_miss *m = &c->fetch.miss[value];
    cache_fill(&c->fetch.icache, m->line, 0xF);
    c->fetch.busy &= ~m->waiting;
    m->used = false;
    for (uint64_t waiting = m->waiting & fetch_candidates(c); waiting; waiting &= waiting - 1) {
        uint32_t w = lowest(waiting);
        uint64_t address = next_address(c, w);
        if (address && address / LINE_BYTES * LINE_BYTES == m->line)
            buffer(c, w, fetch_count(c, w, address));
    }
}

void fetch_stats(const struct fetch *f, struct core_stats *stats)
{
    stats->icache_misses = f->misses;
}
