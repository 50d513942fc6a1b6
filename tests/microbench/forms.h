/* The figures of a machine as its configuration gives them. Times in core cycles; rates in bytes
 * per core cycle, over the whole machine. */
#ifndef EVGPU_TESTS_MICROBENCH_FORMS_H
#define EVGPU_TESTS_MICROBENCH_FORMS_H

#include "sim/system/config.h"

/* From the issue of an instruction to that of one that needs its result. */
double form_latency(const struct machine_config *c, uint32_t timing);

/* Core cycles between instructions of a class when there is always one ready. */
double form_interval(const struct machine_config *c, uint32_t timing);

/* Loads by issue to use: shared memory when a bank is asked for `ways` words, L1, L2. */
double form_shared(const struct machine_config *c, uint32_t ways);
double form_l1(const struct machine_config *c);
double form_l2(const struct machine_config *c);

/* The same for one sector from DRAM, when nothing else is under way. */
enum row_state { ROW_OPEN, ROW_CLOSED, ROW_OTHER };
double form_dram(const struct machine_config *c, enum row_state state);

double form_dram_peak(const struct machine_config *c);

/* What the networks carry of whole lines: read replies, and writes with their data. */
double form_read_peak(const struct machine_config *c);
double form_write_peak(const struct machine_config *c);

/* Lines of random addresses, one sector each, that DRAM can serve. */
double form_scatter(const struct machine_config *c);

/* Banks of shared memory: words of one bank that a warp touches with a stride of words. */
uint32_t form_bank_ways(const struct machine_config *c, uint32_t stride);

/* Part of the accesses of lockstep lanes, each walking a row of its own word by word, that find
 * their line in L1 when L1 holds all lines that are in use: all but a line's first. */
double form_row_hits(const struct machine_config *c);

#endif
