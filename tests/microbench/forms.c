#include "tests/microbench/forms.h"

#include "sim/mem/cache.h"

#define HEADER_BYTES 8.0

static double in_core(const struct machine_config *c, double cycles, uint32_t khz)
{
    return cycles * c->core_khz / khz;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static uint32_t unit_of(uint32_t timing)
{
    return timing == TIMING_SFU                             ? UNIT_SFU
           : timing == TIMING_DP || timing == TIMING_DP_DIV ? UNIT_DP
                                                            : UNIT_SP;
}

/* --- the core --------------------------------------------------------------------------------- */

double form_latency(const struct machine_config *c, uint32_t timing)
{
    return c->core.latency[timing];
}

double form_interval(const struct machine_config *c, uint32_t timing)
{
    double unit = (double)c->core.interval[timing] / c->core.units[unit_of(timing)];
    return most(unit, 1.0 / c->core.schedulers);
}

double form_shared(const struct machine_config *c, uint32_t ways)
{
    return c->core.shared_latency + ways - 1.0;
}

double form_l1(const struct machine_config *c)
{
    return c->core.l1_latency;
}

uint32_t form_bank_ways(const struct machine_config *c, uint32_t stride)
{
    uint32_t banks = c->core.shared_banks, worst = 1;
    for (uint32_t bank = 0; stride && bank < banks; bank++) {
        uint32_t words = 0;
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            words += lane * stride % banks == bank;
        worst = words > worst ? words : worst;
    }
    return worst;
}

double form_row_hits(const struct machine_config *c)
{
    (void)c;
    double words = SECTOR_BYTES / 4.0;
    return (words - 1) / words;
}

/* --- L2 and DRAM ------------------------------------------------------------------------------ */

double form_l2(const struct machine_config *c)
{
    double net = c->mem.request_latency + c->mem.reply_latency;
    return 1 + in_core(c, net, c->net_khz) + in_core(c, c->mem.l2_latency, c->l2_khz);
}

double form_dram(const struct machine_config *c, enum row_state state)
{
    const struct dram_config *d = &c->mem.dram;
    double cycles = d->cl + d->burst;
    cycles += state == ROW_OPEN ? 0 : d->rcd;
    cycles += state == ROW_OTHER ? d->rp : 0;
    return form_l2(c) + in_core(c, cycles, c->dram_khz);
}

double form_dram_peak(const struct machine_config *c)
{
    const struct dram_config *d = &c->mem.dram;
    double column = most(d->burst, d->ccd);
    return c->mem.partitions * (double)d->column_bytes / in_core(c, column, c->dram_khz);
}

static double flits(const struct machine_config *c, double bytes)
{
    uint32_t whole = (uint32_t)(HEADER_BYTES + bytes), size = c->mem.flit_bytes;
    return (whole + size - 1) / size;
}

/* Lines per core cycle at so many ports, when a message keeps a port for `cycles` network cycles.
 */
static double ports(const struct machine_config *c, uint32_t count, double cycles)
{
    return count / in_core(c, cycles, c->net_khz);
}

double form_read_peak(const struct machine_config *c)
{
    double n = flits(c, LINE_BYTES);
    return LINE_BYTES * least(ports(c, c->mem.partitions, n), ports(c, c->cores, n));
}

double form_write_peak(const struct machine_config *c)
{
    return form_read_peak(c);
}

double form_scatter(const struct machine_config *c)
{
    const struct dram_config *d = &c->mem.dram;
    double cycle = 1.0 / d->rrd;
    cycle = least(cycle, (double)d->banks / d->rc);
    cycle = least(cycle, 1.0 / most(d->burst, d->ccd));
    return c->mem.partitions * cycle / in_core(c, 1, c->dram_khz);
}
