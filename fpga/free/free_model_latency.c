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

/* The lowest core whose last push has not been counted. */
static void look_up(struct free_latency *l)
{
    int c = 0;
    while (c < FREE_CORES && !l->core[c].pending)
        c++;
    l->read.valid = c < FREE_CORES;
    if (!l->read.valid)
        return;
    l->core[c].pending = false;
    l->read.time = l->core[c].time;
    l->read.take = l->core[c].take;
    l->read.rung = l->rung[l->core[c].at];
    l->read.class = l->core[c].class;
}

bool free_latency_edge(struct free_latency *l, const struct free_push pushes[FREE_CORES],
                       uint16_t now, int accepted, int clear, uint32_t at)
{
    bool kept = true;
    bool takes = l->counted.valid && l->counted.class;
    histogram_edge(&l->launch, l->counted.valid, l->counted.class, l->counted.launch, clear, at);
    histogram_edge(&l->take, takes, l->counted.class, l->counted.take, clear, at);
    count(l);
    l->counted.valid = l->read.valid;
    l->counted.launch = (uint16_t)(l->read.time - l->read.rung);
    l->counted.take = l->read.take;
    l->counted.class = l->read.class;
    look_up(l);
    if (accepted >= 0)
        l->rung[accepted] = (uint16_t)(now - 2);
    for (int c = 0; c < FREE_CORES; c++) {
        if (pushes[c].push) {
            kept &= !l->core[c].pending;
            l->core[c].pending = true;
            l->core[c].time = now;
            l->core[c].take = (uint16_t)(now - l->core[c].hold_at);
            l->core[c].at = pushes[c].at;
            l->core[c].class = pushes[c].class;
        }
        if (pushes[c].hold && !l->core[c].held)
            l->core[c].hold_at = now;
        l->core[c].held = pushes[c].hold;
    }
    return kept;
}
