/* Microbenchmarks: each measures one figure of a machine with a kernel of kernels.cu and computes
 * the same figure from the machine's configuration (forms.h). */
#ifndef EVGPU_TESTS_MICROBENCH_MICRO_H
#define EVGPU_TESTS_MICROBENCH_MICRO_H

#include <stdbool.h>

#include "tests/microbench/bench.h"

struct micro_row {
    const char *group; /* name of the suite */
    char name[56];
    const char *unit;
    double measured, form;
    double low, high; /* right if low <= measured <= high */
};

struct micro_sink {
    void (*row)(void *user, const struct micro_row *row);
    void *user;
};

bool micro_right(const struct micro_row *row);

struct micro_suite {
    const char *name;
    void (*run)(const struct machine_config *config, const struct micro_sink *sink);
};
extern const struct micro_suite micro_suites[];
extern const unsigned micro_suite_count;

/* The suites. */
void micro_arithmetic(const struct machine_config *config, const struct micro_sink *sink);
void micro_shared(const struct machine_config *config, const struct micro_sink *sink);
void micro_chases(const struct machine_config *config, const struct micro_sink *sink);
void micro_streams(const struct machine_config *config, const struct micro_sink *sink);
void micro_rows(const struct machine_config *config, const struct micro_sink *sink);
void micro_atomics(const struct machine_config *config, const struct micro_sink *sink);
void micro_fairness(const struct machine_config *config, const struct micro_sink *sink);

/* What is right: from these parts of the form, or the form to within so much. */
void micro_between(struct micro_row *row, double least, double most);
void micro_within(struct micro_row *row, double difference);

static inline void micro_give(const struct micro_sink *sink, const struct micro_row *row)
{
    sink->row(sink->user, row);
}

#endif
