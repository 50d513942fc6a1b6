/* Instruction fetch: i-buffers of two entries, filled through the instruction cache.
 *
 * The i-buffer of a warp holds the instructions at pc and pc + 1, so that a count describes it. */
#include <stdlib.h>

#include "sim/base/alloc.h"
#include "sim/simt/core_internal.h"

bool fetch_create(struct core *c, struct error *err)
{
    if (!cache_create(&c->icache, c->config.icache_bytes, c->config.icache_ways, err)) {
        error_prefix(err, "instruction cache");
        return false;
    }
    c->fetch_size = c->config.fetch_width * (c->config.icache_latency + 1);
    c->fetching = ALLOC_ARRAY(struct fetch, c->fetch_size);
    return true;
}

void fetch_destroy(struct core *c)
{
    cache_destroy(&c->icache);
    free(c->fetching);
}

static void buffer(struct core *c, uint32_t w, uint32_t count)
{
    uint64_t bit = BIT(w);
    c->ibuf[w] = (uint8_t)(c->ibuf[w] + count);
    c->ibuf_some |= bit;
    if (c->ibuf[w] == IBUF_ENTRIES)
        c->ibuf_room &= ~bit;
    warp_refresh(c, w);
}

void fetch_arrivals(struct core *c)
{
    while (c->fetch_count) {
        const struct fetch *f = &c->fetching[c->fetch_head];
        if (f->cycle > c->cycle)
            return;
        if (!f->dead) {
            c->fetch_busy &= ~BIT(f->warp);
            buffer(c, f->warp, f->count);
        }
        c->fetch_head = (c->fetch_head + 1) % c->fetch_size;
        c->fetch_count--;
    }
}

void fetch_kill(struct core *c, uint32_t w)
{
    for (uint32_t i = 0; i < c->fetch_count; i++) {
        struct fetch *f = &c->fetching[(c->fetch_head + i) % c->fetch_size];
        if (f->warp == w && !f->dead) {
            f->dead = true;
            c->fetch_busy &= ~BIT(w);
        }
    }
}

void fetch_forget(struct core *c, uint32_t w)
{
    fetch_kill(c, w);
    if (!(c->fetch_busy & BIT(w)))
        return;
    c->fetch_busy &= ~BIT(w);
    for (uint32_t i = 0; i < SLOTS; i++)
        c->miss[i].waiting &= ~BIT(w);
}

static void miss(struct core *c, uint32_t w, uint64_t line)
{
    uint32_t slot = SLOTS;
    c->stats.icache_misses++;
    c->fetch_busy |= BIT(w);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (c->miss[i].used && c->miss[i].line == line) {
            c->miss[i].waiting |= BIT(w);
            return;
        }
        if (!c->miss[i].used && slot == SLOTS)
            slot = i;
    }
    if (slot == SLOTS) { /* forgotten misses fill the table: try again later */
        c->fetch_busy &= ~BIT(w);
        return;
    }
    c->miss[slot] = (struct icache_miss){.line = line, .waiting = BIT(w), .used = true};
    c->misses_unsent++;
}

/* Address of the next instruction that the i-buffer has room for; 0: there is none. */
static uint64_t next_address(struct core *c, uint32_t w)
{
    const struct kernel *kernel = c->warp[w].kernel;
    uint32_t first = c->pc[w] + c->ibuf[w];
    if (first < kernel->n_inst)
        return kernel->code_address + (uint64_t)first * INST_BYTES;
    /* Nothing follows. Only an error if the warp really gets there. */
    if (c->ibuf[w])
        c->ibuf_room &= ~BIT(w);
    else
        fail_at(c, w, &kernel->code[kernel->n_inst - 1], lowest(c->active[w]),
                "the kernel's code ends here without exit");
    return 0;
}

/* Instructions at the address that fit into the i-buffer and lie in one line. */
static uint32_t fetch_count(const struct core *c, uint32_t w, uint64_t address)
{
    uint32_t count = IBUF_ENTRIES - c->ibuf[w];
    uint32_t in_line = (LINE_BYTES - (uint32_t)(address % LINE_BYTES)) / INST_BYTES;
    uint32_t left = c->warp[w].kernel->n_inst - (c->pc[w] + c->ibuf[w]);
    count = count < in_line ? count : in_line;
    return count < left ? count : left;
}

static void fetch_one(struct core *c, uint32_t w)
{
    uint64_t address = next_address(c, w);
    if (!address)
        return;
    uint64_t line = address & ~(uint64_t)(LINE_BYTES - 1);
    uint32_t entry = c->fetch_entry[w];
    if (c->icache.line[entry] != line) {
        entry = cache_find(&c->icache, line);
        if (entry == CACHE_NONE) {
            miss(c, w, line);
            return;
        }
        c->fetch_entry[w] = entry;
    }
    cache_touch(&c->icache, entry);
    uint32_t count = fetch_count(c, w, address);
    if (c->config.icache_latency == 1) {
        buffer(c, w, count);
        return;
    }
    c->fetch_busy |= BIT(w);
    c->fetching[(c->fetch_head + c->fetch_count++) % c->fetch_size] =
        (struct fetch){c->cycle + c->config.icache_latency, (uint8_t)w, (uint8_t)count, false};
}

uint64_t fetch_candidates(const struct core *c)
{
    uint64_t mask = c->alive & c->ibuf_room & ~c->fetch_busy & ~c->frozen;
    if (c->cmd_hold && c->vic_valid && !(c->borrowed & BIT(c->vic_slot)))
        mask &= ~BIT(c->vic_slot);
    return mask;
}

void fetch_tick(struct core *c)
{
    uint64_t mask = fetch_candidates(c);
    for (uint32_t n = 0; mask && n < c->config.fetch_width; n++) {
        uint64_t pick = mask & c->is_event;
        if (!pick)
            pick = mask & (UINT64_MAX << c->fetch_next);
        if (!pick)
            pick = mask;
        uint32_t w = lowest(pick);
        c->fetch_next = (w + 1) % SLOTS;
        mask &= ~BIT(w);
        fetch_one(c, w);
    }
}

void fetch_send_misses(struct core *c)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct icache_miss *m = &c->miss[i];
        if (!m->used || m->sent)
            continue;
        struct transaction tx = {.line = m->line, .words = FULL_MASK, .sectors = 0xF};
        m->sent = send_request(c, REQUEST_READ, &tx, i << TAG_KIND_BITS | TAG_ICACHE);
        c->misses_unsent -= m->sent;
        return;
    }
}

/* The line fills the cache and goes straight to the warps that wait for it: it may be evicted
 * before they could look it up again. */
void fetch_reply(struct core *c, uint32_t value)
{
    struct icache_miss *m = &c->miss[value];
    cache_fill(&c->icache, m->line, 0xF);
    c->fetch_busy &= ~m->waiting;
    m->used = false;
    for (uint64_t waiting = m->waiting & fetch_candidates(c); waiting; waiting &= waiting - 1) {
        uint32_t w = lowest(waiting);
        uint64_t address = next_address(c, w);
        if (address && address / LINE_BYTES * LINE_BYTES == m->line)
            buffer(c, w, fetch_count(c, w, address));
    }
}
