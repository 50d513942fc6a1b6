/* Mean and 95 % interval of samples: of a value for each label of the variable that a table or the
 * summary is `over`, seeds say. A sample that is not known (of a simulation that failed or was not
 * run) is left out; whoever shows a mean says of how many samples it is. */
#ifndef EVGPU_EXPERIMENT_SAMPLES_H
#define EVGPU_EXPERIMENT_SAMPLES_H

#include <stdint.h>

struct samples {
    double first, sum, squares; /* shifted by the first, so that equal samples have no interval */
    uint32_t known;
};

/* NAN: not known. */
void samples_add(struct samples *s, double value);
/* NAN of none. */
double samples_mean(const struct samples *s);
/* Half of the two-sided interval, by Student's t; NAN of fewer than two. */
double samples_spread(const struct samples *s);

#endif
