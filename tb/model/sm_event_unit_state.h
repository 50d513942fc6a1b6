/* Golden model of rtl/tiles/sm_event_unit.v, written from the contracts in the headers of the
 * Verilog modules: the same outputs at every edge, from plain data and loops. Inner interface of
 * the model; its users see the functions in the generated sm_event_unit.h. */
#ifndef EVGPU_TB_MODEL_SM_EVENT_UNIT_STATE_H
#define EVGPU_TB_MODEL_SM_EVENT_UNIT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "evgpu_defs.h"
#include "sm_event_unit.h"

/* One line of the pending event warp table. */
struct seu_entry {
    enum pewt_state state;
    uint64_t arrival, exit; /* ordinal numbers: order of service, of give-back and completion */
    uint64_t kernel, param;
    uint32_t mask, dims;
    uint16_t tag;
    uint8_t regs, row, priority;
    uint8_t warp; /* valid once the push is commanded */
    bool fresh, spare, barrier;
    bool aborted;    /* ended by the driver */
    bool pop_due;    /* exited, cmd_pop not given yet */
    bool back_owed;  /* exited, warp not given back yet */
    bool report_due; /* exited, not at the completion port yet */
    bool done_owed;  /* exited, completion not accepted yet */
};

/* Victim selection: the best warp so far, and the edges until the result is known. */
struct seu_select {
    bool scanning;
    bool found;
    uint32_t key;
    uint8_t warp;
    uint8_t done_in, confirm_in; /* 0: not running */
    bool confirm_ok;
};

struct seu {
    struct seu_entry table[EVG_PEWT_ENTRIES];
    uint64_t arrivals, exits;
    struct seu_select select;
    enum take_state take;
    uint8_t taking;     /* table entry of the take controller */
    uint8_t event_regs; /* its registers: the fewest that were tried for since the turn came */
    bool trying;        /* `taking` has not been started, though others may be tried next */
    bool lighter;       /* it is another one's turn */
    uint8_t turn;       /* whose: a table entry */
    int8_t light;       /* the lighter one to try next, as the edge before found it; -1: none */
    bool any;           /* the last scan asked for any warp */
    uint32_t passed;    /* turns of others since the one that waits longest does */
    struct {
        uint32_t lights; /* lighter ones that it has let run */
        uint32_t calm;   /* cycles of it without a borrowed warp */
        bool all;        /* for all priorities */
    } ration;            /* of the turn, rtl/edge/pending_order.v */
    uint32_t rescan;
    uint32_t swaps;       /* victims of the event let go for another warp that was ready */
    uint32_t flush_edges; /* of the flush under way, seen so far ... */
    uint32_t flush_limit; /* ... and allowed; 0: any number */
    uint64_t tried;       /* warps that took longer than the limit */
    enum back_state back;
    uint8_t returning; /* table entry of the give-back controller */
    uint8_t reported;  /* table entry at the completion port */
    struct sm_event_unit_out out;
};

/* The decisions of one edge, applied to the table after both controllers have looked at it. */
struct seu_actions {
    bool take, bind, start;
    bool fresh, spare, barrier; /* with bind */
    uint8_t warp;               /* with bind */
    bool scan, confirm, stop;
    bool popped, returned; /* entry `back_entry` */
    uint8_t back_entry;
};

/* Takes the answer to the request that is in `old`, before the take controller acts. */
void seu_select_answer(struct seu *m, const struct sm_event_unit_in *in,
                       const struct sm_event_unit_out *old);
/* True at the edge that sees the result. */
bool seu_select_done(struct seu_select *select);
bool seu_select_confirmed(struct seu_select *select);
/* Next request, into m->out. */
void seu_select_request(struct seu *m, const struct sm_event_unit_in *in,
                        const struct sm_event_unit_out *old, const struct seu_actions *act);

/* A warp that can be flushed at once: rtl/edge/ready_select.v. False: none. */
bool seu_ready_warp(const struct seu *m, const struct sm_event_unit_in *in, uint8_t *warp,
                    bool *drop);

/* The take controller at one edge: new state and commands into m, table changes into act. */
void seu_take(struct seu *m, const struct sm_event_unit_in *in, const struct sm_event_unit_out *old,
              struct seu_actions *act);

#endif
