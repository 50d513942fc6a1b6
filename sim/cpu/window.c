/* Data flow. Nothing is searched: an instruction whose sources' times are all known gets its own at
 * once; others hang in the lists of those that they wait for. Memory instructions book the first
 * free place to issue from the cycle on in which they are ready; those that become ready by the
 * same event book in program order. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cpu/core_internal.h"

/* --- places to issue -------------------------------------------------------------------------- */

/* The first cycle from `from` on whose bit differs from `not`; there is one. */
static inline uint64_t first_bit(const uint64_t *bits, uint32_t mask, uint64_t from, uint64_t not )
{
    for (uint64_t at = from;;) {
        uint32_t i = (uint32_t)at & mask;
        uint64_t word = (bits[i / 64] ^ not ) >> i % 64;
        if (word)
            return at + (uint32_t)__builtin_ctzll(word);
        at += 64 - i % 64;
    }
}

static inline void book(struct slots *s, uint32_t entry, uint64_t cycle)
{
    uint64_t at = first_bit(s->full, s->mask, cycle, UINT64_MAX);
    uint32_t i = (uint32_t)at & s->mask;
    s->entry[i * s->width + s->used[i]] = (uint16_t)entry;
    s->some[i / 64] |= 1ull << i % 64;
    if (++s->used[i] == s->width)
        s->full[i / 64] |= 1ull << i % 64;
    s->count++;
}

uint64_t window_next_slot(const struct cpu_core *c, uint64_t cycle)
{
    const struct slots *s = &c->window.slots;
    return s->count ? first_bit(s->some, s->mask, cycle, 0) : CPU_NEVER;
}

/* Longer than the time from any cycle to the last one that can be booked in it. */
static void create_slots(struct cpu_core *c)
{
    const struct cpu_core_config *g = &c->config;
    struct slots *s = &c->window.slots;
    uint32_t most = g->window * (g->alu_latency + 1) + g->l1_latency + g->l2_latency + 64;
    uint32_t size = 64;
    while (size < most)
        size *= 2;
    s->mask = size - 1;
    s->width = g->memory_width;
    s->entry = ALLOC_ARRAY(uint16_t, (size_t)size * s->width);
    s->used = ALLOC_ARRAY(uint8_t, size);
    s->full = ALLOC_ARRAY(uint64_t, size / 64);
    s->some = ALLOC_ARRAY(uint64_t, size / 64);
}

void window_create(struct cpu_core *c)
{
    struct window *w = &c->window;
    uint32_t size = 1;
    while (size < c->config.window)
        size *= 2;
    w->mask = size - 1;
    w->entry = ALLOC_ARRAY(struct entry, size);
    w->lines = ALLOC_ARRAY(struct entry_lines, size);
    w->work = ALLOC_ARRAY(uint16_t, size);
    w->blocked = ALLOC_ARRAY(uint16_t, size);
    create_slots(c);
}

void window_destroy(struct cpu_core *c)
{
    struct window *w = &c->window;
    free(w->entry);
    free(w->lines);
    free(w->work);
    free(w->blocked);
    free(w->slots.entry);
    free(w->slots.used);
    free(w->slots.full);
    free(w->slots.some);
}

/* --- times become known ----------------------------------------------------------------------- */

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline void set_registers(struct window *w, uint32_t number)
{
    const struct entry *e = &w->entry[number];
    for (uint32_t i = 0; i < CPU_TARGETS; i++) {
        uint32_t r = e->target[i];
        if (r && w->reg_writer[r] == number && w->reg_ready[r] == CPU_NEVER)
            w->reg_ready[r] = e->done;
    }
}

/* Those that wait for an entry learn when it is done; returns the number of those in `work` then.
 */
static uint32_t wake_consumers(struct cpu_core *c, const struct entry *e, uint32_t n)
{
    struct window *w = &c->window;
    for (uint32_t l = e->consumer; l != NONE16;) {
        uint32_t number = l / CPU_SOURCES;
        struct entry *to = &w->entry[number];
        l = to->next[l % CPU_SOURCES];
        to->ready = later(to->ready, e->done);
        if (--to->unknown)
            continue;
        if (to->flags & ENTRY_MEMORY) {
            book(&w->slots, number, to->ready);
            continue;
        }
        to->done = to->ready + c->config.alu_latency;
        w->work[n++] = (uint16_t)number;
    }
    return n;
}

void window_done(struct cpu_core *c, uint32_t number, uint64_t done)
{
    struct window *w = &c->window;
    uint32_t n = 1;
    w->entry[number].done = done;
    w->work[0] = (uint16_t)number;
    for (uint32_t i = 0; i < n; i++) {
        const struct entry *e = &w->entry[w->work[i]];
        set_registers(w, w->work[i]);
        if (e->flags & ENTRY_BLOCKS_FETCH) {
            c->front.stop = FETCH_RUNS;
            c->front.resume = e->done + c->config.branch_penalty;
        }
        n = wake_consumers(c, e, n);
    }
}

/* --- entering --------------------------------------------------------------------------------- */

static void wait_for(struct window *w, uint32_t number, uint32_t source, uint32_t producer)
{
    struct entry *e = &w->entry[number], *p = &w->entry[producer];
    uint16_t link = (uint16_t)(number * CPU_SOURCES + source);
    e->next[source] = NONE16;
    e->unknown++;
    if (p->consumer == NONE16)
        p->consumer = link;
    else
        w->entry[p->last / CPU_SOURCES].next[p->last % CPU_SOURCES] = link;
    p->last = link;
}

static inline uint64_t line_of(uint64_t address)
{
    return address << 1 >> (CPU_LINE_SHIFT + 1);
}

static void take_lines(struct entry *e, struct entry_lines *lines, const struct cpu_instruction *in)
{
    uint32_t loads = 0, stores = 0;
    for (uint32_t i = 0; i < CPU_LOADS; i++)
        if (in->load[i])
            lines->load[loads++] = line_of(in->load[i]);
    for (uint32_t i = 0; i < CPU_STORES; i++)
        if (in->store[i])
            lines->store[stores++] = line_of(in->store[i]);
    e->flags = ENTRY_MEMORY;
    e->loads = (uint8_t)loads;
    e->stores = (uint8_t)stores;
    e->to_load = (uint8_t)((1u << loads) - 1);
}

/* Registers 0 and CPU_REG_IP are always ready. */
static inline void read_sources(struct window *w, uint32_t number, const struct cpu_instruction *in)
{
    struct entry *e = &w->entry[number];
    uint64_t ready = e->ready;
    for (uint32_t i = 0; i < CPU_SOURCES; i++) {
        uint32_t r = in->source[i];
        uint64_t at = w->reg_ready[r];
        if (at == CPU_NEVER)
            wait_for(w, number, i, w->reg_writer[r]);
        else
            ready = later(ready, at);
    }
    e->ready = ready;
}

/* The registers that the instruction writes get this time. */
static inline void write_targets(struct window *w, uint32_t number,
                                 const struct cpu_instruction *in, uint64_t time)
{
    struct entry *e = &w->entry[number];
    for (uint32_t i = 0; i < CPU_TARGETS; i++) {
        uint8_t r = in->target[i];
        if (r == CPU_REG_IP)
            r = 0;
        if (r == CPU_REG_STACK) /* the stack engine's, when it is moved */
            for (uint32_t k = 0; k < CPU_SOURCES; k++)
                r = in->source[k] == CPU_REG_STACK ? 0 : r;
        e->target[i] = r;
        if (!r)
            continue;
        w->reg_writer[r] = (uint16_t)number;
        w->reg_ready[r] = time;
    }
}

uint32_t window_enter(struct cpu_core *c, const struct cpu_instruction *in, uint64_t cycle)
{
    struct window *w = &c->window;
    uint32_t number = (uint32_t)w->tail++ & w->mask;
    struct entry *e = &w->entry[number];
    e->ready = cycle + 1;
    e->done = CPU_NEVER;
    e->consumer = e->last = NONE16;
    e->unknown = e->flags = e->loads = e->stores = e->to_load = 0;
    if (in->load[0] | in->load[1] | in->load[2] | in->load[3] | in->store[0] | in->store[1])
        take_lines(e, &w->lines[number], in);
    read_sources(w, number, in);
    if (!e->unknown && !e->flags)
        e->done = e->ready + c->config.alu_latency;
    else if (!e->unknown)
        book(&w->slots, number, e->ready);
    write_targets(w, number, in, e->done);
    return number;
}

/* --- memory instructions ---------------------------------------------------------------------- */

/* False when some load found no MSHR. `first`: it is the first of those that wait for one. */
static bool issue_loads(struct cpu_core *c, uint32_t number, uint64_t cycle, bool first)
{
    struct entry *e = &c->window.entry[number];
    for (uint32_t i = 0; i < e->loads; i++) {
        if (!(e->to_load >> i & 1))
            continue;
        struct access_result r = hierarchy_load(c, number * CPU_LOADS + i, cycle, first);
        if (r.what == ACCESS_HELD)
            return false;
        e->to_load = (uint8_t)(e->to_load & ~(1u << i));
        if (r.what == ACCESS_WAITS)
            e->unknown++;
        else
            e->ready = later(e->ready, r.there);
    }
    if (!e->unknown)
        window_done(c, number, e->ready);
    return true;
}

void window_retry(struct cpu_core *c, uint64_t cycle)
{
    struct window *w = &c->window;
    while (w->blocked_count && issue_loads(c, w->blocked[w->blocked_head & w->mask], cycle, true)) {
        w->blocked_head++;
        w->blocked_count--;
    }
}

static void issue(struct cpu_core *c, uint32_t number, uint64_t cycle)
{
    struct window *w = &c->window;
    if (!w->entry[number].loads)
        window_done(c, number, cycle + 1);
    else if (!issue_loads(c, number, cycle, false))
        w->blocked[(w->blocked_head + w->blocked_count++) & w->mask] = (uint16_t)number;
}

void window_issue(struct cpu_core *c, uint64_t cycle)
{
    struct slots *s = &c->window.slots;
    uint32_t i = (uint32_t)cycle & s->mask, n = s->used[i];
    if (!n)
        return;
    s->used[i] = 0;
    s->some[i / 64] &= ~(1ull << i % 64);
    s->full[i / 64] &= ~(1ull << i % 64);
    s->count -= n;
    for (uint32_t k = 0; k < n; k++)
        issue(c, s->entry[i * s->width + k], cycle);
}

void window_loaded(struct cpu_core *c, uint32_t load, uint64_t cycle)
{
    struct entry *e = &c->window.entry[load / CPU_LOADS];
    e->ready = later(e->ready, cycle);
    if (!--e->unknown && !e->to_load)
        window_done(c, load / CPU_LOADS, e->ready);
}
