#include "tests/microbench/forms.h"

#include <stdlib.h>

#include "evgpu_defs.h"
#include "sim/mem/cache/cache.h"

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

static double through_core(const struct machine_config *c, uint32_t cycles)
{
    return c->core.operand_cycles + cycles + c->core.writeback_cycles;
}

double form_latency(const struct machine_config *c, uint32_t timing)
{
    return through_core(c, c->core.latency[timing]);
}

double form_loop(const struct machine_config *c)
{
    return 2 * form_latency(c, TIMING_INT) + through_core(c, c->core.latency[TIMING_CONTROL]) +
           c->core.icache_latency + 2;
}

double form_interval(const struct machine_config *c, uint32_t timing)
{
    double unit = (double)c->core.interval[timing] / c->core.units[unit_of(timing)];
    return most(unit, 1.0 / c->core.schedulers);
}

double form_shared(const struct machine_config *c, uint32_t ways)
{
    return through_core(c, c->core.shared_latency + ways - 1);
}

double form_l1(const struct machine_config *c)
{
    return through_core(c, c->core.l1_latency);
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
    double words = (c->core.l1_fetch == FETCH_LINE ? LINE_BYTES : SECTOR_BYTES) / 4.0;
    return (words - 1) / words;
}

/* The set of a line, as a count of L1's ways. */
static uint32_t l1_set(const struct machine_config *c, uint64_t address)
{
    uint32_t sets = c->core.l1_bytes / LINE_BYTES / c->core.l1_ways;
    if (c->core.l1_index == INDEX_PLAIN)
        return (uint32_t)(address / LINE_BYTES % sets);
    if (c->core.l1_index == INDEX_FERMI) { /* bits 7..11, and 13, 14, 15, 17, 19 over them */
        uint32_t low = address >> 7 & 31, high = address >> 13 & 7;
        high |= (uint32_t)(address >> 17 & 1) << 3 | (uint32_t)(address >> 19 & 1) << 4;
        uint32_t top = sets == 64 ? (uint32_t)(address >> 12 & 1) << 5 : 0;
        return (low ^ high) | top;
    }
    struct cache_shape shape = {c->core.l1_bytes, c->core.l1_ways, c->core.l1_index, 0};
    struct cache cache;
    struct error err;
    if (!cache_create(&cache, &shape, &err))
        return 0;
    uint32_t set = cache_set(&cache, address / LINE_BYTES * LINE_BYTES) / c->core.l1_ways;
    cache_destroy(&cache);
    return set;
}

double form_rows(const struct machine_config *c, uint32_t pitch, uint32_t warps)
{
    uint32_t sets = c->core.l1_bytes / LINE_BYTES / c->core.l1_ways, rows = warps * WARP_SIZE;
    uint32_t *lines = calloc(sets, sizeof *lines);
    double kept = 0;
    for (uint32_t row = 0; lines && row < rows; row++)
        lines[l1_set(c, (uint64_t)row * pitch)]++;
    for (uint32_t set = 0; lines && set < sets; set++) {
        if (lines[set] <= c->core.l1_ways)
            kept += lines[set];
        else if (warps == 1 && c->core.l1_allocate == ALLOCATE_ON_FILL)
            kept += c->core.l1_ways; /* a step's misses are all made before the first comes back */
    }
    free(lines);
    return form_row_hits(c) * kept / rows;
}

/* --- L2 and DRAM ------------------------------------------------------------------------------ */

double form_l2(const struct machine_config *c)
{
    double net = c->mem.request_latency + c->mem.reply_latency;
    return c->core.operand_cycles + 1 + in_core(c, net, c->mem.net_khz) +
           in_core(c, c->mem.l2_latency, c->mem.l2_khz);
}

double form_l1_miss(const struct machine_config *c)
{
    return form_l2(c) + c->core.l1_miss_latency;
}

double form_dram(const struct machine_config *c, enum row_state state)
{
    const struct dram_config *d = &c->mem.dram;
    bool line = c->mem.l2_fetch == FETCH_LINE && d->column_bytes < LINE_BYTES;
    double columns = line ? LINE_BYTES / (double)d->column_bytes : 1;
    double cycles = d->cl + d->burst + (columns - 1) * most(d->burst, d->ccd);
    cycles += state == ROW_OPEN ? 0 : d->rcd;
    cycles += state == ROW_OTHER ? d->rp : 0;
    return form_l2(c) + in_core(c, c->mem.memory_latency, c->mem.l2_khz) +
           in_core(c, cycles, c->mem.dram_khz);
}

double form_dram_peak(const struct machine_config *c)
{
    const struct dram_config *d = &c->mem.dram;
    double column = most(d->burst, d->ccd);
    return c->mem.partitions * (double)d->column_bytes / in_core(c, column, c->mem.dram_khz);
}

static double under_way(const struct machine_config *c, double lines_of_a_core)
{
    return c->cores * lines_of_a_core * LINE_BYTES /
           (form_dram(c, ROW_OPEN) + c->core.l1_miss_latency);
}

double form_outstanding(const struct machine_config *c)
{
    return under_way(c, c->core.l1_mshrs);
}

double form_one_load(const struct machine_config *c)
{
    return under_way(c, c->core.threads / EVG_WARP_LANES);
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
    return count / in_core(c, cycles, c->mem.net_khz);
}

double form_read_peak(const struct machine_config *c)
{
    double n = flits(c, LINE_BYTES);
    return LINE_BYTES * least(ports(c, c->mem.partitions * c->mem.banks, n), ports(c, c->cores, n));
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
    return c->mem.partitions * cycle / in_core(c, 1, c->mem.dram_khz);
}

double form_controller_full(const struct machine_config *c)
{
    /* On their way back for memory_latency, at the rate of DRAM. */
    double back =
        form_scatter(c) / c->mem.partitions * in_core(c, c->mem.memory_latency, c->mem.l2_khz);
    return c->mem.banks * c->mem.l2_mshrs > c->mem.dram.queue + back;
}

/* --- atomics ---------------------------------------------------------------------------------- */

double form_atomics_word(const struct machine_config *c)
{
    return 1 / in_core(c, 1, c->mem.l2_khz);
}

/* A warp's line needs its data in flits both ways, and a cycle of its bank. */
static double warps_per_cycle(const struct machine_config *c, uint32_t count)
{
    return least(ports(c, count, flits(c, LINE_BYTES)), count / in_core(c, 1, c->mem.l2_khz));
}

double form_atomics_line(const struct machine_config *c)
{
    return WARP_SIZE * warps_per_cycle(c, 1);
}

double form_atomics_lines(const struct machine_config *c)
{
    double banks = warps_per_cycle(c, c->mem.partitions * c->mem.banks);
    return WARP_SIZE * least(banks, ports(c, c->cores, flits(c, LINE_BYTES)));
}
