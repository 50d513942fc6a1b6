/* A gpu_frontend tile with a world around it, for its tests: cores that answer scans, devices that
 * ring, memory that holds completion pointers, a PCIe link that takes flags.
 *
 * Every bench_step() drives the inputs of the world, clocks the tile, and checks what comes out
 * against a reference that knows only the contract: which writes are accepted, which entry each
 * launch gets, which core is chosen, which flags are written, when a command is answered and how.
 */
#ifndef EVGPU_TESTS_TB_FRONTEND_BENCH_H
#define EVGPU_TESTS_TB_FRONTEND_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "evgpu_defs.h"
#include "gpu_frontend.h"
#include "tb/tile.h"
#include "tests/tb/bench/pattern.h"

enum {
    BENCH_RING = 1 << 17, /* events in all, and those of one row */
    BENCH_ROW_RING = 1 << 12,
    BENCH_OFTEN = 256,
    BENCH_LEVELS = 1 << EVG_PRIORITY_BITS,
    BENCH_BIG = 64, /* threads of a kernel that is no warp event */
};

/* What a completion has come to. */
enum bench_flag { BENCH_ASKED, BENCH_POINTER, BENCH_ERROR, BENCH_SILENT };

struct bench_event {
    uint8_t row;
    uint16_t tag;
    uint64_t param;
    bool aborted; /* its completion says so */
    uint64_t
        due; /* cycle from which its completion is offered, then from which its read is answered */
    uint8_t read_tag;
    bool given_up;         /* reads: its completion waits no more */
    enum bench_flag state; /* completing */
};

struct bench_fifo {
    struct bench_event *items; /* [size] */
    uint32_t size, head, count;
};

struct bench_row {
    bool used, open, draining; /* draining: unregistered, not yet free */
    uint32_t empty_for;        /* steps that it has been draining without events */
    uint16_t rid;
    uint64_t kernel, base, size, entries, next; /* next: entry of the next launch */
    uint64_t flag_first, flag_last;
    uint32_t dims[6];
    uint16_t shared;
    uint8_t priority;
    uint32_t in_flight;
};

struct bench_verdict {
    bool taken;
    uint32_t page;
    int error; /* counter that it raises, as in bench.errors; -1: accepted */
};

struct bench {
    struct tile *tile;
    struct tile *gated; /* clocked only when not idle; NULL: none */
    struct gpu_frontend_in in;
    struct gpu_frontend_out out, gated_out;
    struct rng rng;
    uint64_t cycle;
    uint64_t gated_steps;

    /* The world. Chances are out of BENCH_OFTEN per cycle. */
    uint32_t ack_chance, big_chance, mr_chance, rsp_chance, pw_chance, done_chance, stat_chance;
    struct pattern ack_pattern, big_pattern, mr_pattern, rsp_pattern, pw_pattern, done_pattern,
        stat_pattern;      /* in their place */
    uint32_t big_levels;   /* priorities that kernel management has a place for, a bit each */
    uint32_t stray_chance; /* of an answer for a group that was not asked for, or when none was */
    uint32_t stray_read_chance; /* of data for a read that is not out */
    uint32_t shuffle_chance;    /* of an answer to any read that is out, not the oldest */
    uint32_t error_chance;      /* of an answer being an error */
    uint32_t late_chance, late; /* of an answer coming only after so many cycles */
    uint32_t stuck_rows;        /* whose flags are not taken, a bit each */
    uint64_t strays;
    uint32_t run_cycles; /* from launch to completion: up to so many at random, 0 never completes */
    uint32_t null_chance; /* of a completion pointer being null */
    uint32_t bad_chance;  /* of another one being at the edge of its row's window, or anything */
    bool pointer_given;   /* all are `pointer` */
    uint64_t pointer;
    uint8_t occupancy[EVG_MAX_CORES], victims[EVG_MAX_CORES];
    uint8_t held[EVG_MAX_CORES]; /* priorities of the events in the table */
    bool busy[EVG_MAX_CORES], is_free[EVG_MAX_CORES], fits[EVG_MAX_CORES], kept[EVG_MAX_CORES];

    /* The reference. */
    struct bench_row rows[EVG_EKT_ROWS];
    struct bench_fifo waiting[EVG_EKT_ROWS]; /* accepted, not yet launched */
    uint32_t n_waiting;
    struct bench_fifo running;           /* launched, not yet completed */
    struct bench_fifo reads, unanswered; /* completions taken; reads sent */
    struct bench_fifo flags; /* completions that have not left; answered: the pointer in param */
    uint32_t taken;          /* completions since reset */
    uint32_t silent;         /* rows, a bit each */
    uint32_t waited;         /* edges for which the one in front waits, or its flag */
    bool over, sweep;        /* ... as long as it may; a row became silent in the last step */
    bool warp_shown, bigs_shown[EVG_EKT_ROWS];
    uint8_t least, most; /* priorities that have rows, for certain and perhaps */
    uint32_t levels_same;
    uint16_t next_number[EVG_EKT_ROWS]; /* of an event of the row, in its tag */
    uint32_t errors[9]; /* unregistered, foreign, misaligned, size, overrun; flag_lost + 5 */
    struct gpu_frontend_in command;
    bool command_busy;
    bool hit;                 /* answer to the last abort */
    uint32_t used_history[2]; /* rows that were used after the last step and the one before */
    uint64_t command_cycle;
    uint32_t free_row;            /* lowest one when the registration had been checked */
    struct bench_verdict verdict; /* on the write taken last step */
    uint16_t scan_key[EVG_MAX_CORES];
    bool scan_ok[EVG_MAX_CORES];      /* in the mask */
    int8_t scan_left[EVG_MAX_CORES];  /* entries not in use */
    uint8_t scan_held[EVG_MAX_CORES]; /* priorities with an event there, and with rows */
    uint8_t scan_rows[EVG_MAX_CORES];
    uint8_t scan_wait[EVG_MAX_CORES]; /* priorities of which events may wait for a place */

    /* What has happened, for directed tests. */
    uint8_t big_taken_row, last_warp_row;
    uint64_t accepted, warp_launches, big_launches, bigs_taken, flags_written, flags_refused,
        completions, answers, freed;
    uint64_t lost[4];      /* flag_lost */
    uint64_t late_answers; /* to reads that had been given up */
    uint64_t without_read; /* no tag was free */
    uint64_t lost_of_row[EVG_EKT_ROWS];
    uint64_t resets, forgotten, unlaunched; /* forgotten: events that a reset ended; unlaunched:
                                               those of them that had not been launched */
    uint64_t big_taken_cycle, warp_valid_cycle, big_valid_cycle;
    uint64_t last_flag_address, last_warp_param, last_big_param;
};

struct bench *bench_create(enum tile_backend backend, uint64_t seed);
void bench_destroy(struct bench *b);
/* A reset of a few edges among the inputs as they are; nothing is left of what was under way. */
void bench_reset(struct bench *b);

/* One cycle with what is in b->in for the write channel, command, configuration and err_clear. The
 * caller keeps cmd_valid high until the command was taken: then true. A write is always taken. */
bool bench_step(struct bench *b);
void bench_steps(struct bench *b, uint32_t cycles);

/* One step with this write. */
void bench_write(struct bench *b, uint32_t addr, uint32_t size, uint16_t rid);

/* A good doorbell write for the row. */
void bench_ring(struct bench *b, uint32_t row);

/* Steps until the command is answered. The code and row are in b->out. */
void bench_command(struct bench *b, const struct gpu_frontend_in *command);
void bench_start_command(struct bench *b, const struct gpu_frontend_in *command);

/* A command that registers a one-warp kernel of `threads` x 1 x 1 with `entries` queue entries. */
struct gpu_frontend_in bench_registration(uint32_t threads, uint64_t entries);
struct gpu_frontend_in bench_unregistration(uint32_t row);
struct gpu_frontend_in bench_abort(uint32_t row, uint64_t entry);

/* All events that run complete from now on. */
void bench_complete_all(struct bench *b);

/* Unregisters and steps until the row is free. */
void bench_unregister(struct bench *b, uint32_t row);

/* Registers and expects OK with this row; `simple` as by bench_registration(). */
void bench_register(struct bench *b, const struct gpu_frontend_in *command, uint32_t row);
void bench_register_simple(struct bench *b, uint32_t threads, uint64_t entries, uint32_t row);

/* Steps until everything has launched and completed; fails after `limit` cycles. */
void bench_drain(struct bench *b, uint32_t limit);

/* A cmocka test on each back end; the state is a new bench. */
extern enum tile_backend bench_backends[3];
int bench_setup(void **state);
int bench_teardown(void **state);
/* clang-format off */
#define BENCH_ON_EACH(test)                                                                        \
    {#test "_verilator", test, bench_setup, bench_teardown, &bench_backends[TILE_VERILATOR]},      \
    {#test "_model", test, bench_setup, bench_teardown, &bench_backends[TILE_MODEL]},              \
    {#test "_lockstep", test, bench_setup, bench_teardown, &bench_backends[TILE_LOCKSTEP]}
/* clang-format on */

#endif
