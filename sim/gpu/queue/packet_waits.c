/* Words of device memory that are waited for.
 *
 * When none of them has been written and no wait has begun for so long, they are read seldom, until
 * one is: hours without work would otherwise be billions of reads. */
#include "sim/gpu/queue/packet_processor_internal.h"

#define AWAKE_CYCLES (1u << 18)
#define REST_CYCLES  (1u << 28)

static bool at_rest(const struct packet_processor *p, uint64_t cycle)
{
    return cycle - p->stirred_at > AWAKE_CYCLES;
}

/* The reads go on. */
static void stir(struct packet_processor *p, uint64_t cycle)
{
    uint64_t due = cycle + p->env.poll;
    for (uint32_t i = 0; at_rest(p, cycle) && i < p->top_waits; i++) {
        struct waiting *w = &p->waits[i];
        w->due = w->due > due ? due : w->due;
        pp_wake(p, due);
    }
    p->stirred_at = cycle;
}

bool pp_wait(struct packet_processor *p, uint64_t cycle, uint64_t address, uint32_t value,
             void (*done)(void *user, uint64_t cycle, uint64_t written), void *user)
{
    uint32_t i = 0;
    stir(p, cycle);
    while (i < p->top_waits && p->waits[i].used)
        i++;
    if (i == PP_WAITS)
        return false;
    p->waits[i] = (struct waiting){
        .address = address, .due = cycle, .value = value, .used = true, .done = done, .user = user};
    p->top_waits = i == p->top_waits ? i + 1 : p->top_waits;
    p->n_waits++;
    p->stats.waits++;
    pp_wake(p, cycle);
    return true;
}

void pp_written(struct packet_processor *p, uint64_t cycle, uint64_t address, uint32_t bytes)
{
    for (uint32_t i = 0; p->n_waits && i < p->top_waits; i++) {
        struct waiting *w = &p->waits[i];
        if (!w->used || w->address < address || w->address >= address + bytes)
            continue;
        w->written = cycle;
        stir(p, cycle);
    }
}

void pp_waits_tick(struct packet_processor *p, uint64_t cycle)
{
    uint32_t first = p->wait_turn;
    for (uint32_t k = 0; p->n_waits && k < p->top_waits; k++) {
        uint32_t i = (first + k) % p->top_waits;
        struct waiting *w = &p->waits[i];
        if (!w->used || w->reading)
            continue;
        if (p->polls == p->env.poll_reads)
            return; /* the next answer wakes */
        if (w->due > cycle) {
            pp_wake(p, w->due);
            continue;
        }
        struct pp_read read = {.kind = READ_WORD, .who = i};
        if (!pp_start_read(p, w->address, sizeof w->value, &read)) {
            pp_wake(p, cycle + 1);
            return;
        }
        w->reading = true;
        p->polls++;
        p->stats.polls++;
        p->wait_turn = (i + 1) % p->top_waits;
    }
}

void pp_waits_data(struct packet_processor *p, uint64_t cycle, uint32_t wait, const uint8_t *data)
{
    struct waiting *w = &p->waits[wait];
    uint32_t passed = (uint32_t)aql_get(data, sizeof w->value) - w->value;
    p->polls--;
    w->reading = false;
    w->due = cycle + (at_rest(p, cycle) ? REST_CYCLES : p->env.poll);
    pp_wake(p, cycle + 1);
    if (passed >> 31)
        return;
    struct waiting over = *w;
    w->used = false;
    p->n_waits--;
    while (p->top_waits && !p->waits[p->top_waits - 1].used)
        p->top_waits--;
    p->wait_turn = p->top_waits ? p->wait_turn % p->top_waits : 0;
    over.done(over.user, cycle, over.written);
}
