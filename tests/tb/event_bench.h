/* Bench for directed tests of sm_event_unit: RTL and golden model in lockstep, warps whose state
 * the test sets, and a log of the tile's commands in order, one letter each: H a victim is chosen
 * and held   F flush i-buffer   D drop loads   U let go (resume) S save   P push   O pop   R
 * restore   L release   B release into the barrier   C completed The core's part is played at the
 * next edge unless the test keeps an answer back. */
#ifndef EVGPU_TESTS_TB_EVENT_BENCH_H
#define EVGPU_TESTS_TB_EVENT_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "evgpu_defs.h"
#include "sm_event_unit.h"
#include "tb/tile.h"

enum {
    EVENT_BENCH_REGS = 5,    /* of most events; the warps have 10 */
    EVENT_BENCH_LIMIT = 500, /* edges after which a wait has failed */
};

struct bench_warp {
    bool ok; /* candidate: valid, no event, not borrowed */
    uint8_t regs, ibuf;
    uint16_t stamp, pipe; /* pipe: cycles, as in cand_pipe */
    bool exited, fetch, loads, younger, barrier, atomic;
};

struct event_bench {
    struct tile *tile;
    struct sm_event_unit_in in; /* what lasts; pulses are cleared after an edge */
    struct sm_event_unit_out out;
    struct bench_warp warps[EVG_MAX_WARPS];
    bool keep_push, keep_save, keep_restore; /* no answers but those the test puts into `in` */
    bool lie;                                /* borrowed warps are offered as candidates */
    uint64_t now, drop;                      /* cand_now, cand_drop: as the test says */
    bool silent, misnumber;                  /* cand_req is not answered; wrong cand_group */
    uint64_t edges;
    char log[256];
    uint32_t n_log;
};

/* One group of warps, each with 10 units of registers and stamp = warp number; policy OLDEST, all
 * optimisations and preemption on; no free context, no free registers. */
bool event_bench_create(struct event_bench *b, enum tile_backend backend);
void event_bench_destroy(struct event_bench *b);
/* Resets the tile; warps and inputs stay. */
void event_bench_reset(struct event_bench *b);

/* One clock edge; a difference between RTL and model fails the test. */
void event_bench_edge(struct event_bench *b);
void event_bench_edges(struct event_bench *b, int n);

/* Edges until `condition` holds for the outputs. */
#define EVENT_BENCH_UNTIL(b, condition)                                                            \
    for (uint64_t start_ = (b)->edges; !(condition); event_bench_edge(b))                          \
        if ((b)->edges - start_ > EVENT_BENCH_LIMIT)                                               \
            event_bench_never((b), #condition, __LINE__);
void event_bench_never(const struct event_bench *b, const char *condition, int line);

/* Puts an event with this tag into the inputs of the next edge. */
void event_bench_offer(struct event_bench *b, uint16_t tag, uint8_t regs);
/* Lets the event on `warp` exit at the next edge. */
void event_bench_exit(struct event_bench *b, uint8_t warp);

/* Offers an event of EVENT_BENCH_REGS units and waits until it runs; returns its warp. */
uint8_t event_bench_run_event(struct event_bench *b, uint16_t tag);
/* Lets it exit, and waits until the tile is idle. */
void event_bench_end_event(struct event_bench *b, uint8_t warp);

void event_bench_expect_log(const struct event_bench *b, const char *log);
void event_bench_clear_log(struct event_bench *b);

/* Set-up and tear-down for cmocka: *state is a fresh bench; of the model alone. */
int event_bench_setup(void **state);
int event_bench_setup_model(void **state);
int event_bench_teardown(void **state);

#endif
