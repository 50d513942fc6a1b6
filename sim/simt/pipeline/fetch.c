#include "sim/simt/pipeline/fetch.h"

bool fetch_create(struct fetch *f, struct slots *slots, struct mem_port *port, struct error *err)
{
    const struct core_config *config = &slots->config;
    struct cache_shape shape = {config->icache_bytes, config->icache_ways, INDEX_PLAIN, 0};
    f->slots = slots;
    f->port = port;
    if (cache_create(&f->icache, &shape, err))
        return true;
    error_prefix(err, "instruction cache");
    return false;
}

void fetch_destroy(struct fetch *f)
{
    cache_destroy(&f->icache);
}

void fetch_forget(struct fetch *f, uint32_t w)
{
    if (!ibuffer_forget(&f->slots->ibuffers, w))
        return;
    for (uint32_t i = 0; i < SLOTS; i++)
        f->miss[i].waiting &= ~BIT(w);
}

static void miss(struct fetch *f, uint32_t w, uint64_t line)
{
    uint32_t slot = SLOTS;
    f->misses++;
    ibuffers_wait(&f->slots->ibuffers, BIT(w));
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (f->miss[i].used && f->miss[i].line == line) {
            f->miss[i].waiting |= BIT(w);
            return;
        }
        if (!f->miss[i].used && slot == SLOTS)
            slot = i;
    }
    if (slot == SLOTS) { /* forgotten misses fill the table: try again later */
        ibuffers_go_on(&f->slots->ibuffers, BIT(w));
        return;
    }
    f->miss[slot] = (struct icache_miss){.line = line, .waiting = BIT(w), .used = true};
    f->unsent++;
}

/* Address of the next instruction that the i-buffer has room for; 0: there is none. */
static uint64_t next_address(struct fetch *f, uint32_t w)
{
    const struct kernel *kernel = warp_of(&f->slots->warps, w)->kernel;
    uint32_t first = stack_pc(&f->slots->stacks, w) + ibuffer_entries(&f->slots->ibuffers, w);
    if (first < kernel->n_inst)
        return kernel->code_address + (uint64_t)first * INST_BYTES;
    /* Nothing follows. Only an error if the warp really gets there. */
    if (ibuffer_entries(&f->slots->ibuffers, w))
        ibuffer_last(&f->slots->ibuffers, w);
    else
        fail_at(f->slots, w, &kernel->code[kernel->n_inst - 1],
                lowest(stack_active(&f->slots->stacks, w)), FAULT_INSTRUCTION,
                "the kernel's code ends without exit");
    return 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Instructions at the address that fit into the i-buffer and lie in one line. */
static uint32_t fetch_count(const struct fetch *f, uint32_t w, uint64_t address)
{
    const struct kernel *kernel = warp_of(&f->slots->warps, w)->kernel;
    uint32_t in_line = (LINE_BYTES - (uint32_t)(address % LINE_BYTES)) / INST_BYTES;
    uint32_t left = kernel->n_inst - (uint32_t)((address - kernel->code_address) / INST_BYTES);
    return least(least(IBUF_ENTRIES - ibuffer_entries(&f->slots->ibuffers, w), in_line), left);
}

static void fetch_one(struct fetch *f, uint32_t w)
{
    uint64_t address = next_address(f, w);
    if (!address)
        return;
    uint64_t line = address & ~(uint64_t)(LINE_BYTES - 1);
    uint32_t entry = f->entry[w];
    if (f->icache.line[entry] != line) {
        entry = cache_find(&f->icache, line);
        if (entry == CACHE_NONE) {
            miss(f, w, line);
            return;
        }
        f->entry[w] = entry;
    }
    cache_touch(&f->icache, entry);
    uint32_t count = fetch_count(f, w, address);
    if (f->slots->config.icache_latency == 1) {
        ibuffer_fill(f->slots, w, count);
        return;
    }
    ibuffer_send(&f->slots->ibuffers, w, count,
                 clock_now(&f->slots->clock) + f->slots->config.icache_latency);
}

uint64_t fetch_candidates(const struct fetch *f)
{
    uint64_t off = ibuffers_busy(&f->slots->ibuffers) | events_frozen(&f->slots->events) |
                   warps_doomed(&f->slots->warps);
    off |= events_held(&f->slots->events) & ~events_borrowed(&f->slots->events);
    return warps_alive(&f->slots->warps) & ibuffers_room(&f->slots->ibuffers) & ~off;
}

void fetch_tick(struct fetch *f)
{
    uint64_t mask = fetch_candidates(f);
    for (uint32_t n = 0; mask && n < f->slots->config.fetch_width; n++) {
        uint64_t pick = mask & events_running(&f->slots->events);
        if (!pick)
            pick = mask & (UINT64_MAX << f->turn);
        if (!pick)
            pick = mask;
        uint32_t w = lowest(pick);
        f->turn = (w + 1) % SLOTS;
        mask &= ~BIT(w);
        fetch_one(f, w);
    }
}

void fetch_send_misses(struct fetch *f)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct icache_miss *m = &f->miss[i];
        if (!m->used || m->sent)
            continue;
        struct transaction tx = {.line = m->line,
                                 .words = FULL_MASK,
                                 .sectors = 0xF,
                                 .event = (m->waiting & events_running(&f->slots->events)) != 0};
        m->sent = port_send(f->port, REQUEST_READ, &tx, i << TAG_KIND_BITS | TAG_ICACHE);
        f->unsent -= m->sent;
        return;
    }
}

/* The line fills the cache and goes straight to the warps that wait for it: it may be evicted
 * before they could look it up again. */
void fetch_reply(struct fetch *f, uint32_t value)
{
    struct icache_miss *m = &f->miss[value];
    cache_fill(&f->icache, m->line, 0xF);
    ibuffers_go_on(&f->slots->ibuffers, m->waiting);
    m->used = false;
    for (uint64_t waiting = m->waiting & fetch_candidates(f); waiting; waiting &= waiting - 1) {
        uint32_t w = lowest(waiting);
        uint64_t address = next_address(f, w);
        if (address && address / LINE_BYTES * LINE_BYTES == m->line)
            ibuffer_fill(f->slots, w, fetch_count(f, w, address));
    }
}

void fetch_warm(struct fetch *f, uint64_t line)
{
    if (!cache_hit(&f->icache, line, 0xF))
        cache_fill(&f->icache, line, 0xF);
}

void fetch_stats(const struct fetch *f, struct core_stats *stats)
{
    stats->icache_misses = f->misses;
}
