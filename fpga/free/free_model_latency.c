/* Latencies of free_run, from the contracts of free_latency.v and free_histogram.v. */
#include "fpga/free/free_model.h"

#include <string.h>

enum { EXACT = 16, PER_OCTAVE = 8 };

uint32_t free_bin_of(uint32_t value)
{
    if (value < EXACT)
        return value;
    uint32_t octave = 31 - (uint32_t)__builtin_clz(value);
    return EXACT + (octave - 4) * PER_OCTAVE + (value >> (octave - 3) & 7);
}

uint32_t free_bin_first(uint32_t bin)
{
    if (bin < EXACT)
        return bin;
    uint32_t octave = 4 + (bin - EXACT) / PER_OCTAVE;
    return (PER_OCTAVE + (bin - EXACT) % PER_OCTAVE) << (octave - 3);
}

void free_latency_reset(struct free_latency *l)
{
    memset(l, 0, sizeof *l);
    l->in.accepted = -1;
    l->chosen = -1;
}

static void histogram_edge(struct free_histogram *h, bool add, uint32_t class, uint32_t value,
                           int clear, uint32_t at)
{
    h->read = h->count[at];
    if (h->written.valid && clear < 0)
        h->count[h->written.bin]++;
    if (clear >= 0)
        h->count[clear] = 0;
    h->written = h->added;
    h->added = (struct free_count){add, class * FREE_BINS + free_bin_of(value)};
}

static void count(struct free_latency *l)
{
    if (!l->counted.valid)
        return;
    uint32_t class = l->counted.class;
    l->launch_sum[class] += l->counted.launch;
    l->launch_last = l->counted.launch;
    if (l->counted.launch > l->launch_most)
        l->launch_most = l->counted.launch;
    if (!class)
        return;
    l->take_sum[class] += l->counted.take;
    if (l->counted.take > l->take_most)
        l->take_most = l->counted.take;
}

enum { SLOTS = FREE_CORES * EVG_PEWT_ENTRIES };

static void look_up(struct free_latency *l)
{
    l->found.valid = l->read.valid;
    l->found.time = l->read.time;
    l->found.take = l->read.take;
    l->found.rung = l->rung[l->read.at];
    l->found.class = l->read.class;
}

static void read_slot(struct free_latency *l)
{
    l->read.valid = l->chosen >= 0;
    if (!l->read.valid)
        return;
    l->read.time = l->slot[l->chosen].time;
    l->read.take = l->slot[l->chosen].take;
    l->read.at = l->slot[l->chosen].at;
    l->read.class = l->slot[l->chosen].class;
}

/* The lowest entry whose last push has not been counted. */
static void choose(struct free_latency *l)
{
    l->chosen = -1;
    for (int s = 0; s < SLOTS && l->chosen < 0; s++) {
        if (!l->slot[s].pending)
            continue;
        l->slot[s].pending = false;
        l->chosen = s;
    }
}

/* False: the entry's last one has not been read. */
static bool push(struct free_latency *l, uint32_t core, const struct free_push *push, uint16_t now)
{
    uint32_t s = core * EVG_PEWT_ENTRIES + push->entry;
    bool kept = !l->slot[s].pending && l->chosen != (int)s;
    l->slot[s].pending = true;
    l->slot[s].time = now;
    l->slot[s].take = (uint16_t)(now - l->core[core].hold_at);
    l->slot[s].at = push->at;
    l->slot[s].class = push->class;
    return kept;
}

bool free_latency_edge(struct free_latency *l, const struct free_push pushes[FREE_CORES],
                       uint16_t now, int accepted, int clear, uint32_t at)
{
    bool kept = true;
    bool takes = l->counted.valid && l->counted.class;
    histogram_edge(&l->launch, l->counted.valid, l->counted.class, l->counted.launch, clear, at);
    histogram_edge(&l->take, takes, l->counted.class, l->counted.take, clear, at);
    count(l);
    l->counted.valid = l->found.valid;
    l->counted.launch = (uint16_t)(l->found.time - l->found.rung);
    l->counted.take = l->found.take;
    l->counted.class = l->found.class;
    look_up(l);
    read_slot(l);
    choose(l);
    if (l->in.accepted >= 0)
        l->rung[l->in.accepted] = (uint16_t)(l->in.now - 2);
    for (uint32_t c = 0; c < FREE_CORES; c++) {
        const struct free_push *p = &l->in.push[c];
        if (p->push)
            kept &= push(l, c, p, l->in.now);
        if (p->hold && !l->core[c].held)
            l->core[c].hold_at = l->in.now;
        l->core[c].held = p->hold;
    }
    memcpy(l->in.push, pushes, sizeof l->in.push);
    l->in.now = now;
    l->in.accepted = accepted;
    return kept;
}
