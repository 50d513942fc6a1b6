/* The figures of a machine as its configuration gives them. Times in core cycles; rates in bytes
 * per core cycle, over the whole machine. */
#ifndef EVGPU_TESTS_MICROBENCH_FORMS_H
#define EVGPU_TESTS_MICROBENCH_FORMS_H

#include "sim/system/config.h"

/* From the issue of an instruction to that of one that needs its result. */
double form_latency(const struct machine_config *c, uint32_t timing);

/* What a loop around one instruction takes at least: count, compare, branch back, fetch. A load
 * that is quicker shows this. */
double form_loop(const struct machine_config *c);

/* Core cycles between instructions of a class when there is always one ready. */
double form_interval(const struct machine_config *c, uint32_t timing);

/* Loads by issue to use: shared memory when a bank is asked for `ways` words, L1, L2 past L1, and
 * L2 when L1 has missed. */
double form_shared(const struct machine_config *c, uint32_t ways);
double form_l1(const struct machine_config *c);
double form_l2(const struct machine_config *c);
double form_l1_miss(const struct machine_config *c);

/* The same for one sector from DRAM, when nothing else is under way. */
enum row_state { ROW_OPEN, ROW_CLOSED, ROW_OTHER };
double form_dram(const struct machine_config *c, enum row_state state);

double form_dram_peak(const struct machine_config *c);

/* What the cores' MSHRs can ask of DRAM: a line each per latency. */
double form_outstanding(const struct machine_config *c);

/* The same when each warp has one load under way. */
double form_one_load(const struct machine_config *c);

/* What the networks carry of whole lines: read replies, and writes with their data. */
double form_read_peak(const struct machine_config *c);
double form_write_peak(const struct machine_config *c);

/* Lines of random addresses, one sector each, that DRAM can serve. */
double form_scatter(const struct machine_config *c);

/* 1: then the memory controllers are full, with accesses held before them (stall_MC of CM-BAL,
 * section 4.1); 0: they never are, because L2 has too few MSHRs. */
double form_controller_full(const struct machine_config *c);

/* Banks of shared memory: words of one bank that a warp touches with a stride of words. */
uint32_t form_bank_ways(const struct machine_config *c, uint32_t stride);

/* Lanes that each walk a row of a matrix word by word, the matrix aligned to 1 MiB: part of their
 * accesses that find the word in L1, if L1 holds every line that is in use: all but the first to
 * what a miss fetches. And the same where `warps` warps take turns: lines of a set that are more
 * than its ways push each other out. */
double form_row_hits(const struct machine_config *c);
double form_rows(const struct machine_config *c, uint32_t pitch, uint32_t warps);

/* Additions per core cycle: lanes of a warp on one word; warps on the words of one line; on lines
 * of their own. */
double form_atomics_word(const struct machine_config *c);
double form_atomics_line(const struct machine_config *c);
double form_atomics_lines(const struct machine_config *c);

#endif
