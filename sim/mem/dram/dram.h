/* One DRAM channel: bank state, timing constraints, commands. The rules are in dram_schedule.c, the
 * schedulers in scheduler.h. All times are command-clock cycles of the channel. */
#ifndef EVGPU_MEM_DRAM_DRAM_H
#define EVGPU_MEM_DRAM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/mem/queue.h"

struct dram_config {
    uint32_t banks;        /* power of two */
    uint32_t row_bytes;    /* per bank in this channel, power of two */
    uint32_t column_bytes; /* bytes moved by one RD or WR command */
    uint32_t burst;        /* data-bus cycles of one RD or WR */
    uint32_t queue;        /* shared read/write queue entries */
    uint32_t scheduler;    /* number in scheduler.h */
    uint32_t hit_cap; /* fr-fcfs-cap: row hits served in a row past an older miss to that bank */
    /* CM-BAL Table I plus write latency, turnaround and refresh */
    uint32_t cl, rp, rc, ras, ccd, rcd, rrd, cdlr, wr; /* cdlr: end of write data to read command */
    uint32_t wl;                                       /* write command to first data */
    uint32_t rtw;                                      /* read command to write command */
    uint32_t rtp;                                      /* read command to precharge */
    uint32_t refi, rfc; /* refresh interval and duration; refi 0: no refresh */
    uint32_t priority;  /* bit c: requests of class c go before the others; 0: no classes */
    uint32_t reserved;  /* queue entries that only classes with priority may take */
    uint32_t act_first; /* 1: rule 4 of the policy */
};

struct dram_request {
    uint64_t address; /* within this channel, multiple of column_bytes */
    uint32_t bytes;   /* multiple of column_bytes, within one row */
    uint32_t tag;
    bool write;
    uint8_t class; /* enum request_class */
};

struct dram_stats {
    uint64_t cycles, reads, writes, activates, precharges, refreshes; /* reads, writes: commands */
    uint64_t row_hits, row_misses;                                    /* per request */
    uint64_t bus_busy;                                                /* data-bus cycles */
};

enum dram_command { DRAM_NOP, DRAM_ACT, DRAM_PRE, DRAM_RD, DRAM_WR, DRAM_REF };

struct dram;

struct dram *dram_create(const struct dram_config *config, struct error *err);
void dram_destroy(struct dram *d);

/* False when the queue has no room for its class. The request must obey the field comments above.
 * Takes part in the coming cycle. */
bool dram_push(struct dram *d, const struct dram_request *request);
bool dram_room(const struct dram *d, uint8_t class);

/* Requests it holds at most, in the queue and until dram_pop. */
uint32_t dram_capacity(const struct dram *d);

/* One command-clock cycle; returns the command put on the bus and its bank. */
enum dram_command dram_tick(struct dram *d, uint32_t *bank);

/* A request whose last data has been transferred, in order of completion; available after the tick
 * of that cycle. False when none. The channel stalls when results are left in it for long. */
bool dram_pop(struct dram *d, struct dram_request *done);
bool dram_done(const struct dram *d); /* dram_pop would return true */

bool dram_idle(const struct dram *d);

/* Coming cycles in which dram_tick would put no command on the bus and complete no request, as long
 * as nothing is pushed; 0 when the next one may, and while results wait for dram_pop. UINT64_MAX:
 * for ever. */
uint64_t dram_quiet(const struct dram *d);

/* The same as this many dram_tick calls without looking at the commands. */
void dram_skip(struct dram *d, uint64_t cycles);
const struct dram_stats *dram_get_stats(const struct dram *d);
void dram_queue_stats(const struct dram *d, struct queue_stats *stats);

/* For tests of the constraints: may this command be issued to this bank in the coming cycle? */
bool dram_legal(const struct dram *d, enum dram_command command, uint32_t bank);

#endif
