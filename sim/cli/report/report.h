/* A page about runs: what all of its sections share. Each section has a file of its own. */
#ifndef EVGPU_CLI_REPORT_REPORT_H
#define EVGPU_CLI_REPORT_REPORT_H

#include "sim/cli/report/charts.h"
#include "sim/cli/results/result_file.h"

#define REPORT_RUNS 8u

struct report_run {
    struct result_file file;
    const char *timeline; /* path of a file of evgpu run --timeline, or NULL */
    const json_t *json;   /* of `file` */
    const json_t *series; /* "details.series", or NULL: the run had no --details */
    double khz;           /* of the cores */
    char name[4];         /* A, B, ... */
};

struct report {
    struct report_run run[REPORT_RUNS];
    uint32_t runs;
    struct charts *charts;
    FILE *page;
    struct field_list fields;
};

/* The member at a path such as "gpu.memory.dram_reads"; NULL: there is none. */
const json_t *report_at(const json_t *json, const char *path);
double report_number(const json_t *json, const char *path); /* NaN: there is none */
const char *report_text(const json_t *json, const char *path);

/* The moments' ends in milliseconds, from the second on; element 0 is where the first begins, 0.
 * NULL without series. Free what comes back. */
double *report_times(const struct report_run *r, uint32_t *moments);

/* Names of guests of any run, in order, of those that have the member `key`; free the list alone.
 */
const char **report_guests(const struct report *r, const char *key, uint32_t *n);
const json_t *report_guest(const struct report_run *r, const char *guest);

/* --- page --- */
void report_heading(struct report *r, const char *text);
void report_note(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_table_begin(struct report *r, const char *caption);
void report_table_end(struct report *r);
/* A cell of a number with these decimals, grouped; of a NaN: a dash. */
void report_cell(struct report *r, double value, uint32_t decimals);
/* B over A in percent, where both are numbers. */
void report_change(struct report *r, double a, double b);

/* --- sections, in the order of the page --- */
void report_overview(struct report *r);
void report_latencies(struct report *r);
bool report_timelines(struct report *r, struct error *err);
void report_stalls(struct report *r);
void report_concurrency(struct report *r);
void report_memory(struct report *r);
void report_kernels(struct report *r);
void report_lines(struct report *r);
void report_differences(struct report *r);
void report_foot(struct report *r);

#endif
