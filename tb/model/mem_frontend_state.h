/* State of the golden model of tile mem_frontend. The contract of each part is in the headers of
 * rtl/fe and rtl/cm/mem_stall_monitor.v; this is written from those contracts.
 *
 * A cycle has two halves: what happens in it (struct fe_events) is read off the state, then the
 * parts move on. The model keeps no copies of rows: a head is judged against `bits` itself. */
#ifndef EVGPU_TB_MODEL_MEM_FRONTEND_STATE_H
#define EVGPU_TB_MODEL_MEM_FRONTEND_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "evgpu_defs.h"
#include "mem_frontend.h"
#include "tb/model/mem_frontend_parameters.h"

enum { FE_LOOK_AHEAD_MAX = 8 };
enum { FE_QUEUES = 3, FE_WORDS = EVG_FE_LINE_BYTES / EVG_FE_WORD_BYTES };

struct fe_request {
    uint32_t line, mask;
    uint32_t row; /* of the region, if it uses bits */
    uint8_t trigger, action, source;
    bool write, error;
    bool uses_bits; /* in the region, with a trigger or an action */
    uint16_t id;
};

struct fe_place { /* of a request that has left and is not yet answered */
    uint16_t id;
    uint8_t source, status;
    bool done;
    bool storing; /* it has left in the cycle before */
};

struct fe_ahead { /* one of several heads */
    struct fe_request request;
    enum fe_head state;
    bool released;
};

struct fe_lane { /* a queue, its head, and the replies due to it */
    struct fe_request items[EVG_FE_QUEUE_DEPTH];
    uint32_t first, count; /* with several heads: of those behind them */
    enum fe_head state;
    uint32_t releases; /* so many of the items leave whatever their trigger says */
    uint32_t look_ahead;
    struct fe_ahead heads[FE_LOOK_AHEAD_MAX]; /* with look_ahead above 1: oldest first */
    uint32_t n_heads;
    int32_t chosen;  /* of them, -1: none */
    bool moved;      /* the oldest of them left in the cycle before */
    uint32_t passed; /* departures that went before the head */
    uint32_t timeout, age;
    bool stayed; /* the head was here in the cycle before */
    bool old;    /* the age was the time-out or more in the cycle before */
    bool reported;
    struct fe_place places[EVG_FE_REPLY_DEPTH];
    uint32_t first_place, n_places;
    bool due; /* the first place's reply can be sent */
};

struct fe_pending_action { /* of the request that left in the cycle before; NONE: nothing to do */
    enum fe_action kind;
    uint32_t row, mask;
};

struct fe_range_work {
    enum fe_range state;
    uint32_t row, last_row;
    uint32_t first_word, last_word; /* of `row` and of `last_row` */
    bool fill, clear;
    uint32_t merged; /* bits of `row` after the command, from MERGE on */
};

struct fe_report {
    bool held;
    uint32_t line, mask, age, info;
};

struct fe_model {
    struct mem_frontend_parameters parameters;
    uint32_t *bits; /* [region_lines]; bit i: word i is full */
    uint32_t grain_words;
    /* With a bit for more than a word: the row that has a place in the table of part-full grains,
     * and whether a row had such grains when it was written. */
    uint32_t *owner; /* [part_lines] */
    bool *marked;    /* [region_lines] */
    bool lost[2]; /* words of a row that was read had been lost: in the cycle before, before that */
    struct fe_lane lanes[FE_QUEUES];
    struct fe_request incoming; /* taken in the cycle before, */
    int32_t incoming_queue;     /* for this queue, -1: none */
    struct fe_pending_action action;
    struct fe_range_work range;
    struct fe_report report;
    bool started, error_left; /* error_left: in the cycle before */
    enum fe_command command;  /* accepted in the cycle before */
    uint8_t age_right;        /* queue that last went first because it had been passed */
    uint8_t last_reply;
    uint32_t control, range_first, range_last, errors, losses;
    uint32_t region_base; /* line */
    bool settled;         /* ... which can no longer be written */
    uint8_t code;         /* enum fe_code */
    struct mem_frontend_out out;
};

/* The events of one cycle, decided before anything changes. */
struct fe_events {
    int32_t leaves;  /* queue, -1: none */
    bool released;   /* ... though its trigger does not hold */
    int32_t looks;   /* queue whose head (of several, the youngest) is looked at, -1: none */
    int32_t chooses; /* of several heads, -1: none */
    bool loads;      /* one more of several heads */
    int32_t replies;
    int64_t reads; /* row of bits, -1: none */
    bool range_writes;
    bool writes; /* a row of bits: the range or an action */
    uint32_t row, new_bits;
};

/* The head that could leave, of several the one chosen; NULL: none. */
static inline const struct fe_request *fe_head_of(const struct fe_lane *lane)
{
    if (lane->look_ahead > 1)
        return lane->chosen >= 0 ? &lane->heads[lane->chosen].request : 0;
    return lane->count ? &lane->items[lane->first] : 0;
}

/* The first request of the queue, NULL: none. */
static inline const struct fe_request *fe_oldest_of(const struct fe_lane *lane)
{
    if (lane->look_ahead > 1)
        return lane->n_heads ? &lane->heads[0].request : 0;
    return fe_head_of(lane);
}

/* The row of a request that uses bits. */
static inline uint32_t fe_row_of(const struct fe_request *request)
{
    return request->row;
}

/* The words of full grains of `bits`. */
uint32_t fe_whole_grains(const struct fe_model *m, uint32_t bits);

/* Several heads (mem_frontend_ahead.c): what happens in this cycle, from the state alone but for
 * the departure, and what comes of it, after the heads have moved on. */
void fe_ahead_decide(const struct fe_model *m, struct fe_events *e);
void fe_ahead_step(struct fe_lane *lane, bool leaves, const struct fe_events *e);
bool fe_ahead_still(const struct fe_lane *lane);

/* Range command or start-up: does it write in this cycle, and what. */
bool fe_range_writes(const struct fe_model *m, uint32_t *row, uint32_t *new_bits);

/* Registers, commands and time-outs; before the lanes move on. */
void fe_registers_step(struct fe_model *m, const struct mem_frontend_in *in,
                       const struct fe_events *events);
bool fe_registers_quiet(const struct fe_model *m);

#endif
