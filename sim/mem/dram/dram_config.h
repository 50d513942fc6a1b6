/* The numbers of a DRAM channel: what it is made with, and what it counts. */
#ifndef EVGPU_MEM_DRAM_DRAM_CONFIG_H
#define EVGPU_MEM_DRAM_DRAM_CONFIG_H

#include <stdint.h>

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

struct dram_stats {
    uint64_t cycles, reads, writes, activates, precharges, refreshes; /* reads, writes: commands */
    uint64_t row_hits, row_misses;                                    /* per request */
    uint64_t bus_busy;                                                /* data-bus cycles */
};

#endif
