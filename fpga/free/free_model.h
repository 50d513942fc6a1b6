/* The golden model of free_run's parts (rtl/evgpu.def), one cycle at a time: what the registers
 * hold, commands first, then what follows from them. */
#ifndef EVGPU_FPGA_FREE_MODEL_H
#define EVGPU_FPGA_FREE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "evgpu_defs.h"
#include "gpu_frontend.h"
#include "sm_event_unit.h"

enum {
    FREE_CORES = 4,
    FREE_WARPS = 8,
    FREE_ROWS = 4,
    FREE_QUEUE = 256, /* entries of a row's queue */
    FREE_BINS = 128,  /* of a class */
    FREE_CLASSES = 3  /* a free context, a victim with spare registers, with its own saved */
};

/* The first value of a bin; bins of one value below 16, eight to an octave above. */
uint32_t free_bin_first(uint32_t bin);
uint32_t free_bin_of(uint32_t value);

uint32_t free_random_seed(uint32_t seed);
uint32_t free_random_next(uint32_t value); /* xorshift32 */

/* --- a core
 * --------------------------------------------------------------------------------------- */

struct free_warp {
    bool alive, event, under, over, discard, loads, younger, barrier, replay;
    uint8_t ibuf, fetch, pipe, left;
    uint32_t wait, run;
    uint16_t stamp;
};

struct free_core {
    struct free_warp warps[FREE_WARPS];
    uint32_t random;
    uint32_t free;                    /* units of registers */
    uint32_t given[EVG_PEWT_ENTRIES]; /* to the event of an entry */
    uint16_t launched;
    uint32_t save, restore; /* cycles left */
    /* Of this cycle */
    bool launchable[FREE_WARPS], vacated[FREE_WARPS];
    int pushed, exit;   /* warps, -1: none */
    uint32_t popped;    /* units of registers that come back at the edge */
    uint32_t scan_free; /* what a scan sees: the core before the commands */
    bool scan_context;
    bool barrier_done;
    bool wrong, was_wrong; /* ... and of the one before */
};

void free_core_reset(struct free_core *core);
void free_core_start(struct free_core *core, uint32_t number, uint32_t seed);

/* The commands of `out` are obeyed, and `in` says what the event unit sees then. cfg_... of `in`
 * are settings and stay. */
void free_core_inputs(struct free_core *core, const struct sm_event_unit_out *out,
                      struct sm_event_unit_in *in);

/* Answers for the scan of the cores, as it was before the commands of free_core_inputs. */
void free_core_scan(const struct free_core *core, const struct sm_event_unit_in *in, uint32_t units,
                    bool *is_free, bool *fits);

/* The edge: a cycle of the warps. `active`: background warps are launched. */
void free_core_edge(struct free_core *core, const struct sm_event_unit_out *out, bool active);

/* --- latencies
 * ------------------------------------------------------------------------------------ */

struct free_push { /* of a core, in this cycle */
    bool hold, push;
    uint32_t entry; /* of the event unit's table */
    uint32_t at;    /* row and low bits of the tag */
    uint32_t class; /* 0 .. FREE_CLASSES - 1 */
};

struct free_count { /* a value on its way into a histogram */
    bool valid;
    uint32_t bin;
};

struct free_histogram {
    uint32_t count[512];
    struct free_count added, written;
    uint32_t read;
};

struct free_latency {
    struct {
        bool held;
        uint16_t hold_at;
    } core[FREE_CORES];
    struct {
        bool pending;
        uint16_t time, take;
        uint32_t at, class;
    } slot[FREE_CORES * EVG_PEWT_ENTRIES]; /* an entry of a core's table each */
    uint16_t rung[FREE_ROWS * FREE_QUEUE];
    struct { /* the inputs of the cycle before */
        struct free_push push[FREE_CORES];
        uint16_t now;
        int accepted;
    } in;
    /* One push per cycle: the slot that is chosen, what it holds, the time of its doorbell */
    int chosen; /* below 0: none */
    struct {
        bool valid;
        uint16_t time, take;
        uint32_t at, class;
    } read;
    struct {
        bool valid;
        uint16_t time, take, rung;
        uint32_t class;
    } found;
    struct {
        bool valid;
        uint16_t launch, take;
        uint32_t class;
    } counted;
    struct free_histogram launch, take;
    uint64_t launch_sum[FREE_CLASSES], take_sum[FREE_CLASSES];
    uint16_t launch_most, take_most, launch_last;
};

void free_latency_reset(struct free_latency *l);
/* False: a push of the cycle before was not counted. `clear` is below 0 or the bin that is cleared;
 * `accepted` below 0 or the place of an accepted doorbell. */
bool free_latency_edge(struct free_latency *l, const struct free_push pushes[FREE_CORES],
                       uint16_t now, int accepted, int clear, uint32_t at);

#endif
