/* Shared by the files of a cache bank only: bank.c (set-up, lanes, one cycle), bank_decide.c (what
 * happens to a request). */
#ifndef EVGPU_MEM_BANK_INTERNAL_H
#define EVGPU_MEM_BANK_INTERNAL_H

#include "sim/mem/bank.h"
#include "sim/mem/traffic.h"

#define NEVER UINT64_MAX

struct lane {
    struct request_queue ingress;
    struct delay_line line;
    struct access_queue *accesses; /* not owned */
};

/* A request that waits for data, or parked; `words` are those still to be performed. */
struct waiting {
    struct mem_request request;
    uint32_t words;
    uint64_t deadline; /* cycle in which it fails, since it was first parked; 0: it has not been */
};

struct parked {
    struct waiting waiting;
    uint64_t line;    /* within the bank */
    bool used, again; /* again: to be tried again */
};

/* On whose behalf something is fetched or written back. */
struct cause {
    uint8_t class;
    uint16_t owner;
};

struct bank {
    struct bank_config config;
    struct bank_stats stats;
    struct traffic traffic[TRAFFIC_OWNERS];
    struct cache cache;
    struct mshr_table mshr;
    struct occupancy mshrs; /* entries in use, for the statistics */
    uint32_t event_mshrs;   /* of them, made for events */
    uint32_t granule;       /* sectors that DRAM transfers at least */
    struct lane lane[MAX_LANES];
    uint32_t turn;      /* lane that decides first */
    uint64_t busy;      /* no decision before this cycle: an atomic has the bank */
    uint32_t releasing; /* MSHR whose data have arrived and whose requests are being answered */
    uint32_t released;  /* cache entry of its line, or CACHE_NONE */
    struct waiting *waiting; /* by waiter number of the MSHRs */
    uint32_t *free_waiting, n_free_waiting;
    uint32_t *reserved;    /* cache entry that each MSHR has reserved, or CACHE_NONE */
    struct cause *fetcher; /* of the request that each MSHR was made for */
    struct parked *parked;
    uint32_t n_parked, n_again; /* in use; to be tried again */
    uint32_t promised;          /* parking places promised to requests in MSHRs, or in use */
    uint64_t next_deadline;
    struct request_queue replies;
    uint32_t held[REQUEST_CLASSES]; /* requests between ingress queue and reply network */
    bool stalled_reply;
    uint64_t wake; /* first cycle in which something happens unless it comes from outside */
};

static inline uint32_t touched_words(const struct mem_request *r)
{
    return r->words ? r->words : sector_words(r->sectors);
}

/* Data that have come, and the next request that waited for them. True when no other may be decided
 * in this cycle: the bank is taken, or the reply queue is full. */
bool bank_release(struct bank *b, struct mem_side *side, uint64_t now);

/* A request at the end of a lane; false when it is held. */
bool bank_decide(struct bank *b, struct lane *lane, const struct mem_request *r, uint64_t now);

/* Widens a sector mask to what DRAM transfers at once. */
uint8_t bank_columns(const struct bank *b, uint32_t sectors);

/* Parked requests: one whose time is over, or one that was woken. True when the bank's turn is
 * used. */
bool bank_parked(struct bank *b, uint64_t now);
void bank_wake_line(struct bank *b, uint64_t line);

#endif
