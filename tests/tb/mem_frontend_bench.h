/* A mem_frontend tile with a world around it, for its tests: requesters, a memory channel that
 * answers in any order, software at the registers.
 *
 * Every fe_step() drives the inputs of the world, clocks the tile, and checks what comes out
 * against a reference (mem_frontend_reference.h). */
#ifndef EVGPU_TESTS_TB_MEM_FRONTEND_BENCH_H
#define EVGPU_TESTS_TB_MEM_FRONTEND_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "evgpu_defs.h"
#include "mem_frontend.h"
#include "tb/model/mem_frontend_parameters.h"
#include "tb/tile.h"
#include "tests/tb/bench_trace.h"
#include "tests/tb/pattern.h"

enum {
    FE_BENCH_QUEUES = 3,
    FE_BENCH_WORDS = EVG_FE_LINE_BYTES / EVG_FE_WORD_BYTES,
    FE_BENCH_OFTEN = 256, /* chances are out of this per cycle */
    FE_BENCH_RING = 1 << 8,
    FE_BENCH_START_UP = EVG_FE_REGION_LINES + 1, /* cycles after reset until requests are taken */
    FE_BENCH_FIRST = EVG_FE_REGION_BASE,         /* line, as after reset */
    FE_BENCH_END = EVG_FE_REGION_BASE + EVG_FE_REGION_LINES,
};

struct fe_entry {
    uint32_t line, mask;
    uint8_t trigger, action, source, write;
    uint16_t id;
    uint8_t status; /* of the reply, once it has left */
    bool error, has_bits;
    bool released;   /* was there when RELEASE took effect */
    bool answered;   /* by memory */
    uint8_t tag;     /* in memory */
    uint64_t since;  /* step from which its trigger has held at the head */
    uint32_t passed; /* departures since it could leave */
};

struct fe_bench_action { /* enum fe_action; NONE: nothing to do */
    uint8_t kind;
    uint32_t row, mask;
};

struct fe_ring {
    struct fe_entry items[FE_BENCH_RING];
    uint32_t head, count;
};

struct fe_bench {
    const struct tile_kind *kind;
    struct mem_frontend_parameters parameters;
    struct tile *tile;
    struct bench_trace *trace;
    struct tile *gated; /* clocked only when not idle; NULL: none */
    struct mem_frontend_in in;
    struct mem_frontend_out out, gated_out;
    struct rng rng;
    uint64_t cycle, gated_steps;

    /* The world. */
    uint32_t dram_chance, answer_chance, rsp_chance;
    struct pattern dram_pattern, answer_pattern, rsp_pattern; /* in their place */
    bool answers_held;                                        /* memory answers nothing by itself */
    struct fe_entry *answer_now;                              /* ... but this, in the next step */

    /* The reference. */
    struct fe_ring waiting[FE_BENCH_QUEUES]; /* taken, not yet seen to leave */
    struct fe_ring replies[FE_BENCH_QUEUES]; /* left, not yet answered to the requester */
    uint32_t *bits;                          /* [region_lines] */
    uint32_t *owner;      /* [part_lines]: row whose part-full grains are remembered there */
    uint8_t last_op;      /* range command being worked on */
    uint64_t range_start; /* step it was given in; rows follow at fixed steps */
    uint32_t range_first, range_last;
    uint32_t first_register, last_register, control;
    uint32_t base;                    /* register REGION_BASE: line */
    uint32_t region_size;             /* lines, rounded up to a power of two */
    bool settled;                     /* ... which can no longer be written */
    uint64_t ready_from;              /* step of the end of the start-up */
    bool range_active, range_resting; /* resting: the last row is written, one step is left */
    struct fe_bench_action action;    /* of the request that left in the step before */
    uint32_t longest_passed[FE_BENCH_QUEUES];

    /* What has happened. */
    uint64_t resets, dropped; /* dropped: requests that a reset ended */
    uint64_t taken, left, left_queue[FE_BENCH_QUEUES], replied, errors, released, reports;
    uint64_t overtakings;     /* departures past an older head of the same queue */
    uint64_t ranges, blocked; /* blocked: steps that heads waited for their trigger */
    uint64_t
        forgotten; /* rows whose part-full grains became empty because another took their place */
    uint64_t last_leave; /* step of the last departure to memory */
    uint16_t last_leave_id, last_reply_id;
    uint8_t last_reply_status;
    uint64_t last_reply_cycle;
};

/* After reset and start-up; the world is as quick as it can be. */
struct fe_bench *fe_bench_create(enum tile_backend backend, uint64_t seed);
/* The same with a variant of the tile, which has these parameters. */
struct fe_bench *fe_bench_create_variant(const struct tile_kind *kind,
                                         const struct mem_frontend_parameters *parameters,
                                         enum tile_backend backend, uint64_t seed);
void fe_bench_destroy(struct fe_bench *b);
/* Of a cmocka test on the tile in lockstep; the state is a new bench. The teardown is of variants
 * too. */
int fe_bench_setup(void **state);
int fe_bench_teardown(void **state);
/* A reset of a few edges, or of so many, among the inputs as they are, without waiting for the
 * start-up. */
void fe_bench_reset(struct fe_bench *b);
void fe_bench_reset_edges(struct fe_bench *b, uint32_t edges);
void fe_bench_add_gated(struct fe_bench *b);

/* One cycle with the request, register access and stalls in b->in. True if the request was taken;
 * the caller then takes it away or puts another one in its place. */
bool fe_step(struct fe_bench *b);
void fe_steps(struct fe_bench *b, uint32_t cycles);

/* Puts a request into b->in; fe_send also steps until it has been taken. Both use the next id and
 * return it. */
uint16_t fe_offer(struct fe_bench *b, uint32_t line, uint32_t mask, uint8_t trigger, uint8_t action,
                  uint8_t source);
uint16_t fe_send(struct fe_bench *b, uint32_t line, uint32_t mask, uint8_t trigger, uint8_t action,
                 uint8_t source);

/* A request that waits until all its line is full, one of the GPU, and one that waits for nothing.
 */
uint16_t fe_read_full(struct fe_bench *b, uint32_t line, uint8_t source);
uint16_t fe_gpu_read(struct fe_bench *b, uint32_t line);
uint16_t fe_plain(struct fe_bench *b, uint32_t line);

/* Steps until the request has left for memory. */
void fe_await_leave(struct fe_bench *b, uint16_t id);

/* One access in one step; fe_read_register returns what was read. */
void fe_write_register(struct fe_bench *b, uint8_t address, uint32_t value);
uint32_t fe_read_register(struct fe_bench *b, uint8_t address);
/* Where the region begins. */
void fe_set_base(struct fe_bench *b, uint32_t line);
/* Allows everything and gives a command for words `first` to `last`; returns the fe_code. */
uint8_t fe_command(struct fe_bench *b, uint8_t command, uint32_t first, uint32_t last);

/* One step in which memory answers the i-th request of the queue that has no reply yet. */
void fe_answer(struct fe_bench *b, uint32_t queue, uint32_t i);

/* Steps until nothing waits, nothing is in memory and no range is worked on. */
void fe_drain(struct fe_bench *b, uint32_t limit);

uint8_t fe_head_state(const struct fe_bench *b, uint32_t queue);

#endif
