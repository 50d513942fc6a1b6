/* Data flow. Nothing is searched: an instruction whose sources' times are all known gets its own at
 * once; others hang in the lists of those that they wait for. Memory instructions book the first
 * free place to issue from the cycle on in which they are ready; those that become ready by the
 * same event book in program order. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/cpu/core_internal.h"

/* --- places to issue -------------------------------------------------------------------------- */

/* The first cycle from `from` on whose bit differs from `not`; there is one. */
static uint64_t first_bit(const uint64_t *bits, uint32_t mask, uint64_t from, uint64_t not )
{
    for (uint64_t at = from;;) {
        uint32_t i = (uint32_t)at & mask;
        uint64_t word = (bits[i / 64] ^ not ) >> i % 64;
        if (word)
            return at + (uint32_t)__builtin_ctzll(word);
        at += 64 - i % 64;
    }
}

static void book(struct slots *s, uint32_t entry, uint64_t cycle)
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

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void set_registers(struct window *w, uint32_t number)
{
    const struct entry *e = &w->entry[number];
    for (uint32_t i = 0; i < CPU_TARGETS; i++) {
        uint32_t r = e->target[i];
        if (r && w->reg_writer[r] == number && w->reg_ready[r] == CPU_NEVER)
            w->reg_ready[r] = e->done;
    }
}

/* All its sources are known; true when that says when it is done. */
static bool sources_known(struct cpu_core *c, uint32_t number)
{
    struct entry *e = &c->window.entry[number];
    if (e->flags & ENTRY_MEMORY) {
        book(&c->window.slots, number, e->ready);
        return false;
    }
    e->done = e->ready + c->config.alu_latency;
    return true;
}

void window_done(struct cpu_core *c, uint32_t number, uint64_t done)
{
    struct window *w = &c->window;
    uint32_t n = 0;
    w->entry[number].done = done;
    w->work[n++] = (uint16_t)number;
    for (uint32_t i = 0; i < n; i++) {
        const struct entry *e = &w->entry[w->work[i]];
        set_registers(w, w->work[i]);
        if (e->flags & ENTRY_BLOCKS_FETCH) {
            c->front.stop = FETCH_RUNS;
            c->front.resume = e->done + c->config.branch_penalty;
        }
        for (uint32_t l = e->consumer; l != NONE16;) {
            struct entry *to = &w->entry[l / CPU_SOURCES];
            to->ready = later(to->ready, e->done);
            if (!--to->unknown && sources_known(c, l / CPU_SOURCES))
                w->work[n++] = (uint16_t)(l / CPU_SOURCES);
            l = to->next[l % CPU_SOURCES];
        }
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

static void take_lines(struct entry *e, struct entry_lines *lines, const struct cpu_instruction *in)
{
    for (uint32_t i = 0; i < CPU_LOADS; i++)
        if (in->load[i])
            lines->load[e->loads++] = in->load[i] << 1 >> (CPU_LINE_SHIFT + 1);
    for (uint32_t i = 0; i < CPU_STORES; i++)
        if (in->store[i])
            lines->store[e->stores++] = in->store[i] << 1 >> (CPU_LINE_SHIFT + 1);
    e->to_load = (uint8_t)((1u << e->loads) - 1);
    if (e->loads || e->stores)
        e->flags = ENTRY_MEMORY;
}

/* True when the instruction moves the stack pointer, which the stack engine then knows. */
static bool read_sources(struct window *w, uint32_t number, const struct cpu_instruction *in)
{
    struct entry *e = &w->entry[number];
    bool stack = false;
    for (uint32_t i = 0; i < CPU_SOURCES; i++) {
        uint32_t r = in->source[i];
        if (!r || r == CPU_REG_IP)
            continue;
        stack |= r == CPU_REG_STACK;
        if (w->reg_ready[r] == CPU_NEVER)
            wait_for(w, number, i, w->reg_writer[r]);
        else
            e->ready = later(e->ready, w->reg_ready[r]);
    }
    return stack;
}

static void write_targets(struct window *w, uint32_t number, const struct cpu_instruction *in,
                          bool stack)
{
    struct entry *e = &w->entry[number];
    for (uint32_t i = 0; i < CPU_TARGETS; i++) {
        uint8_t r = in->target[i];
        if (r == CPU_REG_IP || (r == CPU_REG_STACK && stack))
            r = 0;
        e->target[i] = r;
        if (!r)
            continue;
        w->reg_writer[r] = (uint16_t)number;
        w->reg_ready[r] = CPU_NEVER;
    }
}

uint32_t window_enter(struct cpu_core *c, const struct cpu_instruction *in, uint64_t cycle)
{
    struct window *w = &c->window;
    uint32_t number = (uint32_t)w->tail++ & w->mask;
    struct entry *e = &w->entry[number];
    *e = (struct entry){.done = CPU_NEVER, .ready = cycle + 1, .consumer = NONE16, .last = NONE16};
    take_lines(e, &w->lines[number], in);
    bool stack = read_sources(w, number, in);
    write_targets(w, number, in, stack);
    if (!e->unknown && sources_known(c, number))
        set_registers(w, number);
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
