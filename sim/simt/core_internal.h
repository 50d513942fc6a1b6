/* Shared by the files of sim/simt only.
 *
 * Hot state of the warps is kept as arrays over warp slots and as 64-bit masks, bit w for slot w,
 * so that a cycle looks at masks first and at single warps only when something about them changes.
 */
#ifndef EVGPU_SIMT_CORE_INTERNAL_H
#define EVGPU_SIMT_CORE_INTERNAL_H

#include "evgpu_defs.h"
#include "sim/mem/cache.h"
#include "sim/simt/core.h"

#define SLOTS          EVG_MAX_WARPS
#define EVENTS         EVG_PEWT_ENTRIES
#define NO_ENTRY       0xFFu
#define NO_BLOCK       0xFFFFFFFFu
#define NO_NODE        0xFFFFFFFFu
#define NO_ACCESS      0xFFFFu
#define BARRIERS       16
#define IBUF_ENTRIES   2
#define INST_BYTES     8
#define STACK_ENTRIES  (2 * (2 * WARP_SIZE + 2)) /* a warp's and, above it, an event's */
#define UNDO_ROWS      16
#define ACCESSES       512 /* memory instructions between issue and their last reply */
#define ACCESS_BITS    9
#define MAX_TX         128 /* local memory: up to 4 words per lane, each in a line of its own */
#define REMOTES        64  /* atomics and volatile loads among them */
#define CONST_MSHRS    8
#define MAX_LATENCY    4096
#define MAX_LDST_QUEUE 256
#define MAX_COPIES     16 /* of one execution unit */

#define BIT(w) (1ull << (w))

/* What a memory request was for; low bits of its tag. */
enum tag_kind {
    TAG_ICACHE, /* value: index of the miss */
    TAG_CONST,  /* MSHR ticket */
    TAG_L1,     /* MSHR ticket */
    TAG_DIRECT, /* access and its generation */
    TAG_STORE,  /* warp and account */
    TAG_REMOTE, /* access and transaction */
    TAG_SAVE,   /* PEWT entry */
    TAG_RESTORE /* PEWT entry and row */
};
#define TAG_KIND_BITS 3

struct stack_entry {
    uint32_t pc, rpc, mask;
};

/* One line of a memory instruction. */
struct transaction {
    uint64_t line;
    uint32_t words, lanes;
    uint8_t sectors, partial;
};

enum access_route { ROUTE_NONE, ROUTE_L1, ROUTE_DIRECT, ROUTE_CONST, ROUTE_STORE, ROUTE_REMOTE };

/* How an access in flight is counted: see the cand_ and vic_ ports of sm_event_unit. */
enum access_count { COUNT_PIPE, COUNT_LOAD, COUNT_REMOTE, COUNT_STORE };

/* A memory instruction from issue to its last reply. */
struct access {
    const struct inst *inst;
    uint64_t seq;        /* position in the warp's issue order */
    uint32_t generation; /* counts the uses of this record; stale replies do not match */
    uint32_t mask;
    uint32_t pc, active, rpc; /* of the warp before it issued, for a replay */
    uint8_t depth;
    uint8_t warp, account;
    uint8_t route, count; /* enum access_route, enum access_count */
    bool queued;          /* in the load-store queue */
    bool dropped;
    bool missed; /* a constant access that waits for memory */
    uint16_t n_tx, next_tx, remaining;
    uint16_t unperformed; /* remote: transactions not performed at L2 yet */
    uint16_t shared_cycles;
    uint16_t remote;     /* index of struct remote */
    uint16_t prev, next; /* the warp's loads, or its unperformed remotes, oldest first */
    struct transaction tx[MAX_TX];
};

/* Where and with what an atomic or volatile load is performed later. */
struct remote {
    struct atomic_operands operands;
    uint8_t *at[WARP_SIZE];
};

/* Rows that a load overwrote although an older load in flight took its address from them. */
struct undo_row {
    uint64_t seq;
    uint32_t reg;
    uint32_t value[WARP_SIZE];
};

/* Cold state of whatever runs in a warp slot: a warp of a block or an event. */
struct warp {
    const struct kernel *kernel;
    struct grid *grid; /* NULL: an event */
    struct lane_ctx *ctx;
    uint32_t block;      /* block slot or NO_BLOCK */
    uint32_t index;      /* number of the warp in its block */
    uint64_t param;      /* device address of argument 0 */
    uint64_t local;      /* device address of the warp's local memory */
    uint32_t local_lane; /* bytes per lane */
    uint8_t *shared;
    uint32_t shared_bytes;
    uint8_t entry; /* event: its PEWT entry */
    uint64_t warp_instructions, thread_instructions;
    /* bar.red waiting for its result, or a result that must not be written yet */
    const struct inst *bar_inst;
    uint32_t bar_mask, bar_value;
    bool bar_ready;
};

struct barrier {
    uint64_t waiting;           /* warp slots */
    uint32_t arrived, expected; /* warps; expected 0: every live warp of the block */
    uint32_t popc;
    bool all, any;
};

struct block {
    bool used;
    struct grid *grid;
    uint32_t warps, resident, live; /* in all, not given back, not exited */
    uint32_t threads, registers, shared_bytes;
    uint32_t ctaid[3];
    uint16_t barriers; /* bit b: barrier b has arrivals */
    struct barrier barrier[BARRIERS];
};

/* An event that runs, and the victim under it. */
struct borrow {
    bool used, fresh, spare, started;
    uint8_t slot;
    uint16_t tag;
    uint32_t registers; /* taken from the free ones */
    struct warp victim;
    uint32_t victim_stores; /* its acknowledgements still to come */
};

/* Register rows on their way to or from the save area. */
struct transfer {
    bool active, restore;
    uint8_t slot;
    uint32_t rows, next, outstanding;
};

enum node_kind { NODE_PIPE, NODE_ACCESS };

/* Something that happens at a known cycle. */
struct node {
    uint32_t next;
    uint8_t kind, warp;
    uint16_t access;
    uint32_t generation;
    const struct inst *inst;
};

struct wheel {
    uint32_t *bucket; /* size: a power of two above every latency */
    uint64_t *full;   /* bit per bucket */
    struct node *node;
    uint32_t size, free, count;
};

struct icache_miss {
    uint64_t line, waiting;
    bool used, sent;
};

struct fetch {
    uint64_t cycle;
    uint8_t warp, count;
    bool dead;
};

struct core {
    struct core_config config;
    struct core_env env;
    uint64_t cycle;       /* of the last core_tick */
    uint64_t nanoseconds; /* %globaltimer */
    uint32_t ns_rest;
    uint64_t last_resident; /* after the last core_tick, and how many that were */
    uint32_t last_warps;
    struct error failure; /* set by whatever finds the program or the tile at fault */

    /* masks over warp slots */
    uint64_t slots; /* that exist */
    uint64_t resident, alive;
    uint64_t at_barrier, at_fence;
    uint64_t wait_remote;  /* head touches a line of the warp's own unperformed atomic */
    uint64_t frozen;       /* victim between the event's pop and its release */
    uint64_t is_event;     /* an event runs in the slot */
    uint64_t borrowed;     /* victim under or after an event, not yet released */
    uint64_t saving;       /* victim whose registers are being, or have been saved */
    uint64_t victim_waits; /* borrowed victim whose barrier has not completed */
    uint64_t ibuf_some, ibuf_room, fetch_busy;
    uint64_t head[EXEC_UNITS]; /* ready warps by the unit that their next instruction needs */
    uint64_t allowed;          /* by the warp limit */
    uint64_t older[SLOTS];
    uint64_t sched_mask[4];
    bool limit_stale;

    /* warp slots */
    const struct inst *code[SLOTS];
    struct lane_ctx *ctx[SLOTS];
    uint32_t pc[SLOTS], active[SLOTS], rpc[SLOTS];
    uint8_t ibuf[SLOTS], head_unit[SLOTS], depth[SLOTS], base[SLOTS];
    uint64_t pending[SLOTS][REG_SET_WORDS];
    uint32_t pipe[SLOTS], loads[SLOTS], stores[SLOTS], remotes[SLOTS], unperformed[SLOTS];
    uint32_t const_misses[SLOTS];
    uint64_t pipe_until[SLOTS], issued[SLOTS], other_seq[SLOTS], stamp[SLOTS];
    uint16_t first_load[SLOTS], last_load[SLOTS], first_remote[SLOTS], last_remote[SLOTS];
    uint64_t load_uses[SLOTS][REG_SET_WORDS];
    uint8_t undo_count[SLOTS];
    uint32_t fetch_entry[SLOTS]; /* instruction cache entry of the last fetch */
    struct warp warp[SLOTS];
    struct stack_entry (*stack)[STACK_ENTRIES];
    struct undo_row (*undo)[UNDO_ROWS];
    uint32_t (*file)[WARP_SIZE]; /* physical registers: slot w starts at row w * FILE_ROWS */
    uint32_t (*event_file)[WARP_SIZE];
    struct lane_ctx *slot_ctx, *event_ctx;
    uint32_t (*slot_preds)[MAX_PREDS], (*event_preds)[MAX_PREDS];

    /* blocks and resources */
    struct block *blocks;
    uint8_t *shared; /* config.shared_bytes per block slot */
    uint32_t free_threads, free_registers, free_shared, free_blocks;
    uint64_t launches;

    /* issue */
    uint8_t last[4];                            /* warp each scheduler issued from last */
    uint64_t unit_busy[EXEC_UNITS][MAX_COPIES]; /* first cycle at which the copy is free */
    uint64_t unit_free[EXEC_UNITS];             /* first cycle at which any copy is */
    uint32_t units_taken;                       /* bit per unit: no copy is free */

    /* fetch */
    struct cache icache;
    struct icache_miss miss[SLOTS];
    uint32_t misses_unsent, fetch_next;
    struct fetch *fetching;
    uint32_t fetch_head, fetch_count, fetch_size;

    /* load-store unit */
    struct access *access;
    uint16_t *free_access;
    uint32_t n_free_access;
    struct remote *remote;
    uint16_t free_remote[REMOTES];
    uint32_t n_free_remote;
    uint16_t queue[MAX_LDST_QUEUE];
    uint32_t queue_head, queue_count;
    uint64_t lsu_busy; /* first cycle at which the unit takes the next transaction */
    bool lsu_blocked;  /* until a reply arrives */
    bool port_used;    /* the memory port, in this cycle */
    bool has_l1;
    struct cache l1, constant;
    struct mshr_table l1_mshr, const_mshr;

    struct wheel wheel;

    /* event side */
    struct borrow event[EVENTS];
    struct transfer transfer[EVENTS];
    uint32_t transfers;
    bool tile_active, vic_valid, cmd_hold, cmd_prio, cmd_skip, cand_req;
    uint8_t vic_slot, cand_group;
    bool push_ok, push_fail, save_done, restore_done;
    uint64_t bar_done, died;
    uint8_t exits[SLOTS];
    uint32_t exit_count;

    struct core_stats stats;
};

/* Rows between the register files of two slots: odd, so that equal rows of different warps do not
 * fall into the same set of the host's cache. */
#define FILE_ROWS (MAX_REGS + 5)

static inline uint32_t lowest(uint64_t mask)
{
    return (uint32_t)__builtin_ctzll(mask);
}

static inline uint32_t oldest(const struct core *c, uint64_t mask)
{
    uint32_t w = lowest(mask);
    for (uint64_t m = mask & c->older[w]; m; m = mask & c->older[w])
        w = lowest(m);
    return w;
}

static inline uint32_t lanes_count(uint32_t mask)
{
    return mask == FULL_MASK ? WARP_SIZE : (uint32_t)__builtin_popcount(mask);
}

static inline bool warp_is_event(const struct core *c, uint32_t w)
{
    return c->is_event >> w & 1;
}

/* Account of a store's acknowledgement: the slot's own warp, or the event on it. */
static inline uint8_t store_account(const struct core *c, uint32_t w)
{
    return (c->borrowed >> w & 1) && warp_is_event(c, w) ? (uint8_t)(c->warp[w].entry + 1) : 0;
}

/* Recomputes whether the warp's next instruction may issue. To be called after every change of its
 * i-buffer, scoreboard or blocking condition. */
static inline void warp_refresh(struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    c->head[c->head_unit[w]] &= ~bit;
    if (!(c->ibuf_some & bit & ~(c->at_barrier | c->at_fence | c->wait_remote | c->frozen)))
        return;
    const struct inst *i = c->code[w] + c->pc[w];
    const uint64_t *p = c->pending[w];
    if ((p[0] & i->use_set[0]) | (p[1] & i->use_set[1]) | (p[2] & i->use_set[2]) |
        (p[3] & i->use_set[3]) | (p[4] & i->use_set[4]))
        return;
    /* A barrier orders the memory accesses before it (PTX ISA, bar): atomics must have happened. */
    if (i->class == INST_BARRIER && c->unperformed[w])
        return;
    c->head_unit[w] = i->unit;
    c->head[i->unit] |= bit;
}

static inline void pending_clear(struct core *c, uint32_t w, const struct inst *inst)
{
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        c->pending[w][i] &= ~inst->def_set[i];
}

static inline void pending_set(struct core *c, uint32_t w, const struct inst *inst)
{
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        c->pending[w][i] |= inst->def_set[i];
}

/* wheel.c */
void wheel_create(struct wheel *wheel, uint32_t max_delay, uint32_t per_cycle);
void wheel_destroy(struct wheel *wheel);
struct node *wheel_add(struct wheel *wheel, uint64_t cycle);
/* First cycle after `now` with a node in it; UINT64_MAX: none. */
uint64_t wheel_next(const struct wheel *wheel, uint64_t now);

/* warp.c */
void warp_start(struct core *c, uint32_t w);
void warp_flush_ibuf(struct core *c, uint32_t w);
void warp_exited(struct core *c, uint32_t w);
void warp_settle(struct core *c, uint32_t w); /* after a count in flight went down */
void warp_update_limit(struct core *c);
void ctx_thread_ids(struct lane_ctx *ctx, const uint32_t block[3], uint32_t first);
void ctx_common(struct core *c, struct lane_ctx *ctx, const struct kernel *kernel, uint32_t slot);

/* simt_stack.c */
void stack_advance(struct core *c, uint32_t w);
void stack_branch(struct core *c, uint32_t w, const struct inst *inst, uint32_t taken);
bool stack_exit(struct core *c, uint32_t w, uint32_t lanes); /* false: no lane is left */
void stack_push_event(struct core *c, uint32_t w, uint32_t mask);
void stack_pop_event(struct core *c, uint32_t w);

/* fetch.c */
bool fetch_create(struct core *c, struct error *err);
void fetch_destroy(struct core *c);
void fetch_arrivals(struct core *c);
void fetch_tick(struct core *c);
void fetch_send_misses(struct core *c);
void fetch_reply(struct core *c, uint32_t value);
void fetch_kill(struct core *c, uint32_t w);   /* forgets fetches that hit and have not arrived */
void fetch_forget(struct core *c, uint32_t w); /* the slot is given back */
uint64_t fetch_candidates(const struct core *c);

/* issue.c */
void issue_tick(struct core *c);
void issue_skipped(struct core *c, uint64_t cycles);
void issue_pipe(struct core *c, uint32_t w, const struct inst *inst, uint32_t latency);

/* memory.c: issue of memory instructions. False: not issued (it waits, or the program failed). */
bool memory_issue(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask);

/* places.c */
struct places {
    uint64_t address[WARP_SIZE]; /* device address, or offset in shared or local memory */
    uint8_t *at[WARP_SIZE];
    uint32_t global, shared, local; /* lanes by where they point to */
    bool unit_stride; /* global only: every lane, each `size` bytes after the one before */
};
bool places_resolve(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                    struct places *p);

/* coalesce.c */
void coalesce_global(struct access *a, const struct places *p, uint32_t size);
void coalesce_local(struct access *a, const struct places *p, uint32_t size, uint64_t base);

/* shared.c: cycles that the banks are taken; `atomic`: no broadcast. */
uint32_t shared_cycles(struct core *c, const uint64_t address[WARP_SIZE], uint32_t mask,
                       uint32_t size, bool atomic);

/* lsu.c */
bool lsu_create(struct core *c, struct error *err);
void lsu_destroy(struct core *c);
void lsu_tick(struct core *c);
void lsu_part_done(struct core *c, uint16_t index); /* one transaction or the shared part */
void lsu_reply(struct core *c, const struct mem_request *reply);
void lsu_store_done(struct core *c, uint32_t value);
bool send_request(struct core *c, uint8_t kind, const struct transaction *tx, uint32_t tag);
struct access *access_take(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask);
void access_enqueue(struct core *c, struct access *a);
void access_free(struct core *c, struct access *a);
void access_append(struct core *c, uint16_t first[], uint16_t last[], struct access *a);
void access_unlink(struct core *c, uint16_t first[], uint16_t last[], struct access *a);

/* remote.c */
void remote_capture(struct core *c, struct access *a, const struct places *p);
bool remote_conflict(const struct core *c, uint32_t w, const struct access *a);

/* barrier.c */
void barrier_arrive(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask);
void barrier_warp_exited(struct core *c, struct block *block);
void barrier_apply_result(struct core *c, uint32_t w);

/* block.c */
void block_warp_released(struct core *c, uint32_t w);

/* preempt.c */
void preempt_drop_loads(struct core *c, uint32_t w);
void preempt_note_load(struct core *c, uint32_t w, const struct access *a);
void transfer_start(struct core *c, uint32_t entry, uint32_t slot, uint32_t rows, bool restore);
void transfer_tick(struct core *c);
void transfer_reply(struct core *c, uint32_t value, bool restore);

/* event_run.c: events on warp slots */
void event_issued(struct core *c, uint32_t w);
void event_finished(struct core *c, uint32_t w);
void event_push(struct core *c, const struct sm_event_unit_out *out);
void event_pop(struct core *c, uint32_t slot, uint32_t entry);
void event_release(struct core *c, uint32_t slot, bool barrier);
void event_resume(struct core *c, uint32_t slot);

/* describe.c */
void fail_at(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane, const char *what);

#endif
