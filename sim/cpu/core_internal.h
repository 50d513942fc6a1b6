/* State shared by the parts of a CPU core: window.c (data flow), front_end.c (fetch, branches),
 * hierarchy.c (caches, MSHRs, requests), cpu_core.c (cycles, retirement). */
#ifndef EVGPU_CPU_CORE_INTERNAL_H
#define EVGPU_CPU_CORE_INTERNAL_H

#include "sim/cpu/cpu_cache.h"
#include "sim/cpu/cpu_core.h"
#include "sim/mem/cache/cache.h"

#define NONE16   UINT16_MAX
#define BATCH    64u  /* instructions read at a time */
#define MAX_REGS 256u /* numbers in a trace */

enum entry_flags {
    ENTRY_MEMORY = 1,
    ENTRY_BLOCKS_FETCH = 2 /* a branch that was predicted wrong */
};

/* An instruction of the window. Times are cycles; `done` is CPU_NEVER until it is known. */
struct entry {
    uint64_t done;
    uint64_t ready;             /* latest of its sources and loads that are known */
    uint16_t consumer, last;    /* links of those that wait for it, oldest first, or NONE16 */
    uint16_t next[CPU_SOURCES]; /* links: entry * CPU_SOURCES + source */
    uint8_t unknown;            /* sources or loads whose time is not known */
    uint8_t flags;
    uint8_t loads, stores;
    uint8_t to_load; /* bit i: load i has not been handed to the caches */
    uint8_t target[CPU_TARGETS];
};

struct entry_lines {
    uint64_t load[CPU_LOADS], store[CPU_STORES];
};

/* Where memory instructions issue: a ring over cycles. */
struct slots {
    uint16_t *entry;       /* [(cycle & mask) * width + i] */
    uint8_t *used;         /* [cycle & mask] */
    uint64_t *full, *some; /* bits by cycle & mask */
    uint32_t mask, width;
    uint32_t count; /* booked in all */
};

struct window {
    struct entry *entry; /* ring, by number & mask */
    struct entry_lines *lines;
    uint32_t mask;
    uint64_t head, tail; /* numbers of the oldest instruction and of the next to come */
    uint64_t reg_ready[MAX_REGS];
    uint16_t reg_writer[MAX_REGS];
    uint16_t *work; /* entries whose time has become known */
    struct slots slots;
    uint16_t *blocked; /* ring by & mask: memory instructions without an MSHR, oldest first */
    uint32_t blocked_head, blocked_count;
};

enum fetch_stop {
    FETCH_RUNS,   /* from `resume` on */
    FETCH_BRANCH, /* a wrong branch is not done */
    FETCH_LINE,   /* an instruction line is on its way from memory */
    FETCH_MSHR,   /* no MSHR for it */
    FETCH_ENDED
};

struct front_end {
    struct cpu_instruction *batch;
    uint32_t at, filled;
    uint64_t line;   /* of the last instruction, or UINT64_MAX */
    uint64_t resume; /* no fetch before */
    uint32_t stop;   /* enum fetch_stop */
    uint64_t history;
    uint8_t *counter;  /* 0..3, taken from 2 on */
    uint64_t *targets; /* by hashed address of the branch */
};

struct store_buffer {
    uint64_t *line; /* ring */
    uint32_t size, head, count;
    bool blocked; /* no MSHR for the oldest */
};

/* The use of a line that is on its way. */
struct pending_line {
    uint16_t loads; /* first of the waiting ones, a list of entry * CPU_LOADS + load, or NONE16 */
    bool data, instructions, dirty;
    uint64_t sent;
};

struct outgoing {
    uint64_t due, line;
    uint32_t tag;
    bool write;
};

struct hierarchy {
    struct cpu_cache l1i, l1d, l2;
    struct mshr_table mshrs; /* lines on their way to L2 */
    struct pending_line *pending;
    uint16_t *load_next;   /* [entry * CPU_LOADS + load] */
    uint32_t data_pending; /* of them, on their way to L1D */
    uint64_t *l2_hit;      /* ring of the cycles in which L2's data reach L1D */
    uint32_t l2_hit_head, l2_hit_count;
    uint32_t writebacks; /* places in use */
    struct outgoing *out;
    uint32_t out_size, out_head, out_count;
    uint32_t sent;       /* requests without a reply */
    uint64_t first_sent; /* when the first of them left, or one before */
};

struct cpu_core {
    struct cpu_core_config config;
    uint64_t next; /* cycle to be run next */
    uint64_t now;  /* cycles that have been run */
    uint64_t mark, marked;
    bool just_marked;
    uint32_t (*read)(void *user, struct cpu_instruction *out, uint32_t n);
    void *user;
    struct window window;
    struct front_end front;
    struct store_buffer stores;
    struct hierarchy mem;
    struct cpu_core_stats stats;
};

#define TAG_WRITEBACK 0x80000000u

/* --- cpu_core.c */
/* An MSHR or a place for a write-back has become free: what waits for one tries again. */
void core_freed(struct cpu_core *c, uint64_t cycle);

/* --- window.c */
void window_create(struct cpu_core *c);
void window_destroy(struct cpu_core *c);
/* An instruction enters in `cycle`; there is room. Returns its entry. */
uint32_t window_enter(struct cpu_core *c, const struct cpu_instruction *in, uint64_t cycle);
/* The time at which an entry is done has become known. */
void window_done(struct cpu_core *c, uint32_t entry, uint64_t done);
/* A load that waited has its data. */
void window_loaded(struct cpu_core *c, uint32_t load, uint64_t cycle);
void window_issue(struct cpu_core *c, uint64_t cycle);
/* Those that wait for an MSHR try again, oldest first, until one finds none. */
void window_retry(struct cpu_core *c, uint64_t cycle);
uint64_t window_next_slot(const struct cpu_core *c, uint64_t cycle);

static inline uint32_t window_count(const struct window *w)
{
    return (uint32_t)(w->tail - w->head);
}

/* --- front_end.c */
void front_create(struct cpu_core *c);
void front_destroy(struct cpu_core *c);
void front_fetch(struct cpu_core *c, uint64_t cycle);

/* --- hierarchy.c */
bool hierarchy_check(const struct cpu_core_config *config, struct error *err);
bool hierarchy_create(struct cpu_core *c, struct error *err);
void hierarchy_destroy(struct cpu_core *c);

enum access {
    ACCESS_DONE,  /* there, or known when */
    ACCESS_WAITS, /* for memory */
    ACCESS_HELD   /* nothing happened: no MSHR, no place */
};
struct access_result {
    uint32_t what;
    uint64_t there;
};
/* A load of the window (entry * CPU_LOADS + load); `first` may pass those that wait for an MSHR. */
struct access_result hierarchy_load(struct cpu_core *c, uint32_t load, uint64_t cycle, bool first);
struct access_result hierarchy_store(struct cpu_core *c, uint64_t line, uint64_t cycle);
struct access_result hierarchy_fetch(struct cpu_core *c, uint64_t line, uint64_t cycle);
/* MSHRs of L1D whose line has come from L2. */
void hierarchy_release(struct cpu_core *c, uint64_t cycle);
/* No reply comes before this cycle, as far as the core knows. */
static inline uint64_t hierarchy_horizon(const struct cpu_core *c)
{
    const struct hierarchy *h = &c->mem;
    if (h->sent)
        return h->first_sent + c->config.least;
    return h->out_count ? h->out[h->out_head].due + c->config.least : CPU_NEVER;
}
/* The next cycle in which that happens, or CPU_NEVER. */
uint64_t hierarchy_next_release(const struct cpu_core *c);

#endif
