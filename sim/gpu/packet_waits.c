/* Words of device memory that are waited for. */
#include "sim/gpu/packet_processor_internal.h"

bool pp_wait(struct packet_processor *p, uint64_t cycle, uint64_t address, uint32_t value,
             void (*done)(void *user, uint64_t cycle, uint64_t written), void *user)
{
    uint32_t i = 0;
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
        if (w->used && w->address >= address && w->address < address + bytes)
            w->written = cycle;
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
    w->due = cycle + p->env.poll;
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
