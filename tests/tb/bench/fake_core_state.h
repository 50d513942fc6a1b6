/* Inside of fake_core: background warps (fake_core_warps.c) and events (fake_core.c). */
#ifndef EVGPU_TESTS_TB_FAKE_CORE_STATE_H
#define EVGPU_TESTS_TB_FAKE_CORE_STATE_H

#include "base/rng.h"
#include "evgpu_defs.h"
#include "tests/tb/bench/fake_core.h"
#include "tests/tb/bench/pattern.h"

/* A rule of the tile's contract; broken, it ends the function with an error. */
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return error_set(err, __VA_ARGS__);                                                    \
    } while (0)

enum { FAKE_INFLIGHT = 3, FAKE_IBUF = 2, FAKE_BLOCK_WARPS = 4 };

struct fake_inflight {
    uint32_t pc;
    uint16_t left; /* cycles */
};

struct fake_warp {
    bool present; /* resident, also while borrowed */
    bool exited;  /* in this cycle */
    bool held, prio, borrowed;
    bool event; /* an event runs here */
    uint8_t regs;
    uint16_t stamp;
    uint32_t uid;     /* which program it runs */
    uint32_t next_pc; /* to be issued; the i-buffer holds the n_ibuf instructions from here on */
    bool fetching, fetch_stale;
    uint8_t fetch_left;
    uint8_t n_ibuf, n_loads, n_alu;
    struct fake_inflight loads[FAKE_INFLIGHT], alu[FAKE_INFLIGHT];
    uint16_t atomic_left, stale_left;
    uint32_t effect_pc; /* one past the youngest instruction that must not be repeated */
    bool barrier;       /* has arrived and waits */
};

struct fake_event {
    bool used;
    uint64_t kernel, param;
    uint32_t mask, dims;
    uint16_t tag;
    uint8_t regs, row, priority;
    uint64_t accepted_at;
    bool pushed, running, exited, popped, restored, returned, completed;
    bool fresh, spare, from_barrier;
    uint8_t warp, entry;
    uint32_t left; /* cycles to run */
};

/* What the core answered in the scan under way. */
struct fake_scan {
    uint64_t eligible;
    bool any; /* whatever the warp's registers */
    uint16_t age[EVG_MAX_WARPS];
    uint32_t cost[EVG_MAX_WARPS];
};

/* The lighter ones that a turn lets run. */
struct fake_ration {
    uint32_t lights, calm; /* started; cycles without a borrowed warp */
    bool all;              /* for all priorities */
};

struct fake_core {
    struct rng rng;
    struct fake_core_config config;
    uint64_t cycle;
    uint16_t now;                                /* launch stamps */
    uint16_t next_tag;                           /* of events */
    struct fake_event *taken;                    /* gets a warp, or was put back last; NULL: none */
    bool lighter;                                /* ... though it is another one's turn */
    struct fake_event *turn;                     /* whose turn it is, or was */
    uint32_t passed;                             /* turns of others since the oldest became that */
    struct fake_ration ration, ration_before[2]; /* now, and one and two edges ago */
    uint32_t uids;
    uint32_t free_regs;
    uint32_t claimed; /* of those, not for background warps */
    struct fake_warp warps[EVG_MAX_WARPS];
    struct fake_event events[EVG_PEWT_ENTRIES];
    uint16_t exit_tags[EVG_PEWT_ENTRIES]; /* order of exits, not completed yet */
    uint32_t n_exit_tags;
    struct fake_scan scan;
    uint64_t tried;       /* took too long for the event that gets a warp */
    uint32_t flush_edges; /* at which the victim has been looked at */
    uint32_t flush_limit; /* of them, 0: any number */
    struct sm_event_unit_in last_in;
    struct sm_event_unit_out last_out;
    uint64_t bar_done;
    /* commands being carried out, and when there are answers and events */
    bool pushes, saves, restores;
    struct pattern push_pattern, save_pattern, restore_pattern, done_pattern, event_pattern,
        scan_pattern;
    bool push_answer, push_accepted; /* to come; in the last inputs */
    struct fake_event *pushing, *restoring;
    bool saved;       /* for the next push */
    uint32_t victims; /* held at the edge before */
    uint64_t counts[FAKE_COUNTS];
};

/* --- the order of events (fake_core_order.c) */
/* The event that the tile has begun to get a warp for, if it has, is the one that is next. */
bool fake_core_note_take(struct fake_core *core, const struct sm_event_unit_out *out,
                         struct error *err);
/* `event`, which was taken, has its warp. */
void fake_core_turn_over(struct fake_core *core, const struct fake_event *event);
/* One cycle of the turn. */
void fake_core_keep_ration(struct fake_core *core, const struct sm_event_unit_out *out);

/* --- background warps (fake_core_warps.c) */
uint32_t fake_core_warps(const struct fake_core *core);
void fake_core_launch(struct fake_core *core, uint32_t w);
/* One cycle of all background warps; sets core->bar_done. */
void fake_core_execute(struct fake_core *core, bool may_launch);
void fake_warp_flush(struct fake_warp *warp);
void fake_warp_drop(struct fake_warp *warp);
bool fake_warp_flushed(const struct fake_warp *warp, bool skip_barrier);
bool fake_warp_younger(const struct fake_warp *warp);
uint16_t fake_warp_pipe(const struct fake_warp *warp);

/* --- answers (fake_core_answers.c): inputs from the state of the warps; noise where they mean
 * nothing */
void fake_core_answer(struct fake_core *core, const struct sm_event_unit_out *out,
                      struct sm_event_unit_in *in);
/* The same for commands, exits, completions and, with `offer`, events. */
void fake_core_proceed(struct fake_core *core, const struct sm_event_unit_out *out, bool offer,
                       struct sm_event_unit_in *in);
/* With CHEAPEST: the one of the last inputs that could be flushed at once, -1 if there was none. */
int fake_core_ready_victim(const struct fake_core *core);
/* The victim that the policy names, -1 if no warp is eligible. */
int fake_core_best_victim(const struct fake_core *core);

#endif
