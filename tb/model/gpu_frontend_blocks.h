/* Parts of the golden model of tile gpu_frontend, one per RTL block. The contract of each is in
 * the header of the block's Verilog file; this is written from those contracts.
 *
 * A cycle has two halves: the signals between the parts are read off their states (struct wires),
 * then every part moves on by itself. */
#ifndef EVGPU_TB_MODEL_GPU_FRONTEND_BLOCKS_H
#define EVGPU_TB_MODEL_GPU_FRONTEND_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "evgpu_defs.h"
#include "gpu_frontend.h"

struct launch_request {
    uint8_t row;
    uint16_t tag;
};

struct kernel_launch {
    uint64_t code, param; /* code with the register count in its top byte */
    uint32_t dims[6];
    uint16_t shared;
    uint8_t priority;
    struct launch_request from;
};

/* Signals between the parts in one cycle. */
struct wires {
    bool launch, kernel; /* handed over this cycle: decoder to table, table to dispatch */
    bool completed;
    uint8_t completed_row;
    bool open, close;
    uint8_t open_row, close_row, open_priority;
    bool open_warp;
    bool placed, queued; /* handed over: a warp event, a larger kernel, of these priorities */
    uint8_t placed_level, queued_level;
    uint16_t open_rid;
    uint64_t open_flag_first, open_flag_last;
    uint32_t over_rows; /* draining rows without events in flight, a bit each */
};

/* --- doorbell_decoder, launch_order --- */
#define PRIORITY_LEVELS (1u << EVG_PRIORITY_BITS)
enum doorbell_verdict {
    DOORBELL_NONE, /* no write was taken */
    DOORBELL_GOOD, /* accepted, or an overrun */
    DOORBELL_UNREGISTERED,
    DOORBELL_FOREIGN,
    DOORBELL_MISALIGNED,
    DOORBELL_BAD_SIZE
};
struct doorbell_row {
    bool open;
    uint16_t rid;
    uint8_t priority;
    bool warp;
    uint64_t accepted, launched, completed; /* events so far */
};
struct model_doorbell {
    struct doorbell_row rows[EVG_EKT_ROWS];
    enum doorbell_verdict verdict; /* on the write taken last cycle */
    uint8_t row;                   /* which it named */
    bool picked;                   /* an event of this row is offered to the table */
    uint8_t pick;
    uint32_t launches;                        /* since reset */
    uint8_t last_fair, last[PRIORITY_LEVELS]; /* rows that launched last */
    /* Launched and not handed over, by priority */
    uint8_t warps[PRIORITY_LEVELS], bigs[PRIORITY_LEVELS];
};
void model_count_error(uint32_t *counter); /* saturates */
void model_doorbell_reset(struct model_doorbell *d);
struct launch_request model_doorbell_request(const struct model_doorbell *d);
bool model_doorbell_empty(const struct model_doorbell *d, uint8_t row);
void model_doorbell_step(struct model_doorbell *d, const struct gpu_frontend_in *in,
                         const struct wires *w, struct gpu_frontend_out *out);
bool model_doorbell_quiet(const struct model_doorbell *d, const struct gpu_frontend_out *out);

/* --- event_kernel_table --- */
struct model_row {
    uint64_t kernel, base, head, size, last;
    uint32_t dims[6];
    uint16_t shared;
    uint8_t priority;
    bool used;
};
struct model_table {
    struct model_row rows[EVG_EKT_ROWS];
    uint32_t launch_left;  /* cycles until a launch has left the table */
    uint32_t check_left;   /* cycles until a registration is checked */
    uint32_t command_left; /* cycles until the command is answered; 0: not begun */
    bool command_held, after_command;
    bool full;                      /* no row was free when the registration had been checked; */
    uint8_t free_row;               /* else the lowest one */
    uint32_t draining;              /* rows, a bit each */
    struct gpu_frontend_in command; /* cmd_... fields */
    bool offered;                   /* `launched` waits for the dispatch */
    struct kernel_launch launched;
    bool open, close;
    uint8_t open_row;
    bool hit; /* the event of the last ABORT runs */
};
bool model_table_takes_launch(const struct model_table *t);
void model_table_step(struct model_table *t, const struct gpu_frontend_in *in,
                      const struct wires *w, const struct launch_request *request,
                      struct gpu_frontend_out *out);
bool model_table_quiet(const struct model_table *t, const struct wires *w,
                       const struct gpu_frontend_out *out);

/* --- event_dispatch --- */
enum scan_step { SCAN_NONE, SCAN_ASK, SCAN_COMPARE, SCAN_CHOOSE, SCAN_OFFER };
struct model_dispatch {
    struct kernel_launch warps[PRIORITY_LEVELS][2],
        bigs[PRIORITY_LEVELS]; /* waiting, oldest first */
    uint8_t n_warps[PRIORITY_LEVELS], n_bigs[PRIORITY_LEVELS];
    uint8_t tried;  /* priority of the last try */
    bool down;      /* which was of a lower one, in its turn */
    uint32_t found; /* tries in a row that found a core, since the last one of a lower priority */
    uint8_t big_shown; /* priority of the larger kernel at the port */
    enum scan_step step;
    bool answered; /* a group's cores wait to be compared */
    uint32_t answer_first;
    uint8_t answer_ok;
    uint16_t answer_key[EVG_SCAN_LANES];
    int32_t best; /* core, -1: none yet */
    uint16_t best_key;
};
bool model_is_warp_event(const uint32_t dims[6], uint16_t shared);
void model_dispatch_reset(struct model_dispatch *d, struct gpu_frontend_out *out);
bool model_dispatch_takes(const struct model_dispatch *d, const struct kernel_launch *k);
void model_dispatch_step(struct model_dispatch *d, const struct gpu_frontend_in *in,
                         const struct wires *w, const struct kernel_launch *launched,
                         struct gpu_frontend_out *out);
bool model_dispatch_quiet(const struct model_dispatch *d);

/* --- event_completion, completion_window --- */
struct flag_window {
    uint64_t first, last;
};
enum flag_state {
    FLAG_NOBODY, /* waits for it; also where no completion is */
    FLAG_ASKED,  /* the read of its pointer is not answered */
    FLAG_GOOD,
    FLAG_POINTER, /* not written: the pointer is bad, its read was answered with an error, ... */
    FLAG_ANSWER,
    FLAG_TIMEOUT,
    FLAG_SILENT
};
struct model_completing {
    uint8_t row, read_tag;
    uint16_t tag;
    bool aborted;
    enum flag_state flag;
    uint64_t pointer;
    struct flag_window window;
};
#define GENERATIONS ((1u << EVG_COMPLETION_TAG_BITS) / EVG_COMPLETION_READS)
struct model_completion {
    struct flag_window windows[EVG_EKT_ROWS];
    struct model_completing ring[EVG_COMPLETION_READS];
    uint32_t taken, left; /* counted from reset */
    uint32_t out;         /* tags of reads without an answer, a bit each */
    uint32_t silent;      /* rows, a bit each */
    bool sweep;           /* a row has become silent, a cycle ago */
    uint8_t sweep_row;
    uint32_t waited; /* edges for which the flag at the port, or the completion in front, waits */
    bool over;       /* ... as long as it may */
    bool completed;
    uint8_t completed_row, writing_row;
};
void model_completion_step(struct model_completion *c, const struct gpu_frontend_in *in,
                           const struct wires *w, struct gpu_frontend_out *out);
bool model_completion_quiet(const struct model_completion *c, const struct gpu_frontend_out *out);

/* --- event_reserve --- */
struct model_reserve {
    uint32_t events, most, per_core, patience, wanted, above;
};
void model_reserve_step(struct model_reserve *r, const struct gpu_frontend_in *in,
                        const struct wires *w, struct gpu_frontend_out *out);
bool model_reserve_quiet(const struct model_reserve *r, const struct wires *w,
                         const struct gpu_frontend_out *out);

#endif
