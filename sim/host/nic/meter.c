/* The bucket's level is in packets times the core clock in Hz, so that it is exact; packets that
 * are held take their token in advance. */
#include "sim/host/nic/meter.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

static int64_t packet_tokens(const struct nic *n)
{
    return (int64_t)n->config.core_khz * 1000;
}

void meter_init(struct nic *n)
{
    if (!n->config.meter.rate)
        return;
    n->meter.level = n->config.meter.burst * packet_tokens(n);
    n->meter.release = ALLOC_ARRAY(uint64_t, nic_most_packets(n));
}

void meter_free(struct nic *n)
{
    free(n->meter.release);
}

bool meter_arrival(struct nic *n, uint32_t packet, uint64_t cycle)
{
    const struct nic_meter *m = &n->config.meter;

    if (!m->rate)
        return true;
    int64_t full = m->burst * packet_tokens(n), level = n->meter.level;
    uint64_t passed = cycle - n->meter.cycle;
    n->meter.cycle = cycle;
    if (passed > (uint64_t)(full - level) / m->rate)
        level = full;
    else
        level += (int64_t)(passed * m->rate);
    level -= packet_tokens(n);
    if (level < 0)
        packets_over_rate(n, packet);
    if (level < 0 && n->config.drop) {
        n->meter.level = level + packet_tokens(n);
        return false;
    }
    n->meter.level = level;
    n->meter.release[packet] = cycle + (level < 0 ? ((uint64_t)-level + m->rate - 1) / m->rate : 0);
    return true;
}

uint64_t meter_release(const struct nic *n, uint32_t packet)
{
    return n->meter.release ? n->meter.release[packet] : 0;
}
