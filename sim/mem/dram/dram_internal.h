/* Shared by the files of the DRAM model only: dram.c (queue and time), dram_schedule.c (commands),
 * schedulers. */
#ifndef EVGPU_MEM_DRAM_DRAM_INTERNAL_H
#define EVGPU_MEM_DRAM_DRAM_INTERNAL_H

#include "sim/mem/dram/dram.h"

#define NEVER   UINT64_MAX
#define NO_ROW  UINT64_MAX
#define NO_SLOT UINT32_MAX

/* One queue entry. The links run through the queue and through its bank, oldest first. */
struct slot {
    struct dram_request request;
    uint64_t age; /* order of arrival */
    uint64_t row;
    uint32_t older, younger;
    uint32_t bank_older, bank_younger;
    uint32_t columns;  /* commands still to issue */
    uint32_t blockers; /* older overlapping requests */
    uint8_t bank;
    bool started;
    bool opened; /* its row was activated on its behalf */
    bool first;  /* goes before the others of its bank that are not */
};

struct done {
    struct dram_request request;
    uint64_t at; /* first cycle after its last data */
};

struct dram {
    struct dram_config config;
    struct dram_stats stats;
    uint64_t now;  /* the coming cycle */
    uint64_t wake; /* no command is possible before this cycle */
    uint32_t row_shift, bank_shift;

    /* queue */
    struct slot *slot;
    uint32_t free, oldest, youngest; /* free: list through `younger` */
    struct occupancy use;            /* use.count slots are in use */
    uint64_t next_age;

    /* scheduler */
    const struct dram_scheduler *scheduler;
    uint32_t passed_oldest; /* requests started past the oldest since it became that */
    bool urgent;            /* the scheduler's: the oldest request comes before any class */
    uint32_t next;          /* fcfs: the only slot that may start */

    /* banks: first cycle that each kind of command is possible, as far as the bank is concerned */
    uint64_t *open_row, *act_at, *pre_at, *column_at;
    uint32_t *bank_oldest, *bank_youngest;
    uint32_t *passed; /* requests started in the open row past an older one for another row */
    uint32_t *hit[2]; /* oldest request that may use the open row, reads and writes */
    uint32_t *firsts; /* requests of the bank that go before the others */
    uint64_t busy;    /* banks with requests */
    uint64_t open;    /* banks with an open row */
    uint64_t wanted;  /* open banks whose row some request may still use */
    uint64_t stale;   /* banks whose `hit` and `wanted` must be found again */

    /* channel */
    uint64_t kind_at[2]; /* RD, WR */
    uint64_t rrd_at;
    uint32_t last_act;
    uint64_t bus_free;
    uint64_t refresh_at;

    /* requests past their last column command, in order of completion */
    struct done *ring;
    uint32_t ring_size, ring_head, ring_count, n_started;
};

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Must the younger of two requests wait for the older one? */
static inline bool ordered(const struct dram_request *a, const struct dram_request *b)
{
    return (a->write || b->write) && a->address < b->address + b->bytes &&
           b->address < a->address + a->bytes;
}

/* Do only some requests of the bank count? */
static inline bool dram_some_first(const struct dram *d, uint32_t b)
{
    return d->firsts[b] && !d->urgent;
}

/* The oldest request of a bank that counts; the bank has one. */
static inline uint32_t dram_first_of(const struct dram *d, uint32_t b)
{
    uint32_t s = d->bank_oldest[b];
    while (dram_some_first(d, b) && !d->slot[s].first)
        s = d->slot[s].bank_younger;
    return s;
}

/* First cycle at which timing allows a refresh; every bank must be closed. */
static inline uint64_t refresh_time(const struct dram *d)
{
    uint64_t at = 0;
    for (uint32_t b = 0; b < d->config.banks; b++)
        at = later(at, d->act_at[b]);
    return at;
}

/* One cycle's command, when no refresh is due, and when one is. */
enum dram_command dram_schedule(struct dram *d, uint32_t *bank);
enum dram_command dram_schedule_refresh(struct dram *d, uint32_t *bank);

#endif
