/* Between the parts of experiment.h. */
#ifndef EVGPU_EXPERIMENT_INTERNAL_H
#define EVGPU_EXPERIMENT_INTERNAL_H

#include "sim/experiment/experiment.h"

int32_t experiment_variable(const struct experiment *x, const char *name);
int32_t experiment_label(const struct experiment *x, uint32_t variable, const char *name);

/* After the file is read: simulations know their variables and rows, names in expressions are
 * bound, every table, picture and paper value refers to something. */
bool experiment_bind(struct experiment *x, struct error *err);

#endif
