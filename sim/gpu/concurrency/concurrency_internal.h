/* Shared by the files concurrency*.c: time and wiring (concurrency.c), the cores' tiles
 * (concurrency_cores.c), what is written down (concurrency_series.c). */
#ifndef EVGPU_GPU_CONCURRENCY_CONCURRENCY_INTERNAL_H
#define EVGPU_GPU_CONCURRENCY_CONCURRENCY_INTERNAL_H

#include "concurrency_unit.h"
#include "sim/gpu/concurrency/concurrency.h"
#include "sim/gpu/concurrency/dyncta.h"
#include "sim/simt/core.h"
#include "sm_concurrency_unit.h"
#include "tb/tile.h"

/* Inputs of a core's tile at an edge. */
enum {
    INPUT_ACTIVE = 1,
    INPUT_READY = 2, /* two bits */
    INPUT_FULL = 8,  /* two bits */
    INPUT_BEGIN = 32,
    INPUT_END = 64
};

/* Equal edges, one after the other. */
struct input_run {
    uint32_t edges;
    uint8_t inputs;
};

struct core_side {
    struct core *core;
    struct tile *tile;
    struct sm_concurrency_unit_in in;
    struct sm_concurrency_unit_out out;
    struct input_run *runs; /* of the edges fed .. known - 1 */
    uint32_t first_run, n_runs, cap_runs;
    uint64_t known, fed; /* edges */
    uint32_t counted;    /* stalls at the edges fed since the last tick ... */
    uint32_t ended;      /* ... and in the interval before it */
    uint8_t rest;        /* inputs at the edges of cycles in which the core is not ticked */
    uint8_t limit;       /* in force */
    uint8_t wanted;      /* to be written to LIMIT, 0: nothing */
    bool rest_memory;    /* DYNCTA: in such cycles it waits for memory */
    struct dyncta dyncta;
    uint64_t limit_since; /* edge */
    uint16_t stalls;      /* of the interval that ended last */
};

struct concurrency {
    struct concurrency_config config;
    struct concurrency_env env;
    struct tile *unit;
    struct concurrency_unit_in unit_in;
    struct concurrency_unit_out unit_out;
    struct core_side *core;
    uint64_t now;       /* the last cycle that concurrency_tick was called for */
    uint64_t edge;      /* the next one for the unit */
    uint64_t time_zero; /* edge before which its TIME was 0 */
    uint64_t next_read; /* the edge after which the unit reads the monitors */
    uint64_t next_sample;
    uint64_t tick_edge; /* the last one with a tick */
    bool live;          /* some core decides: every edge at once */
    bool traced;
    bool adds_up;   /* edges at which a core's tile only counts are added up and given as one */
    uint8_t pulses; /* INPUT_BEGIN, INPUT_END of the cycle under way */
    bool asked;     /* a monitor, which has not answered */
    uint32_t sum_mc, sum_net;
    uint64_t unit_steps, core_steps;
    /* concurrency_series.c */
    struct concurrency_interval *intervals;
    uint64_t n_intervals, cap_intervals;
    uint16_t watched[4]; /* own, lower, upper averages, and which are valid */
    struct concurrency_stats sums;
    uint64_t *core_limit_cycles;
};

/* Number of the concurrency level with so many warps; EVG_CM_LEVELS: it is none. */
static inline uint32_t concurrency_level(uint8_t warps)
{
    static const uint8_t levels[] = {EVG_CM_LEVEL_0, EVG_CM_LEVEL_1, EVG_CM_LEVEL_2,
                                     EVG_CM_LEVEL_3, EVG_CM_LEVEL_4, EVG_CM_LEVEL_5,
                                     EVG_CM_LEVEL_6, EVG_CM_LEVEL_7, EVG_CM_LEVEL_8};
    uint32_t level = 0;
    while (level < EVG_CM_LEVELS && levels[level] != warps)
        level++;
    return level;
}

/* concurrency_cores.c */
bool cores_create(struct concurrency *c, struct error *err);
void cores_destroy(struct concurrency *c);
/* Gives every core's tile the edges before `edge`, then that one with what the unit broadcasts. */
bool cores_give(struct concurrency *c, uint64_t edge, struct error *err);
/* Edges before `edge` that no tick has described. */
void core_settle(struct concurrency *c, struct core_side *s, uint64_t edge);
/* Puts the pulses of the last cycle that was ticked into its inputs. */
void cores_pulse(struct concurrency *c);
bool cores_decide(const struct concurrency *c); /* some tile is between a tick and its limit */

/* concurrency_series.c */
void series_create(struct concurrency *c);
void series_destroy(struct concurrency *c);
void series_limit(struct concurrency *c, uint32_t core, uint64_t edge);
void series_interval(struct concurrency *c);
void series_average(struct concurrency *c, uint32_t which, uint16_t value);

#endif
