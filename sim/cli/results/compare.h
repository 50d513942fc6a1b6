/* What differs between two result files. */
#ifndef EVGPU_CLI_RESULTS_COMPARE_H
#define EVGPU_CLI_RESULTS_COMPARE_H

#include "sim/cli/results/result_file.h"

struct difference {
    const struct result_leaf *a, *b; /* one of them may be NULL: only the other file has it */
    double relative;                 /* of numbers: b less a, of a; else infinite */
};

struct comparison {
    struct difference *differences; /* most first; then what only one file has */
    uint32_t count, capacity;
    uint32_t compared, within; /* fields of both files; those that differ within the threshold */
};

/* Leaves that `filter` wants, by path. */
void compare(struct comparison *c, const struct result_file *a, const struct result_file *b,
             const struct leaf_filter *filter, double threshold);
void comparison_free(struct comparison *c);

#endif
