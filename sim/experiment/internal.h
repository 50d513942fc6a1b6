/* Between the parts of experiment.h. */
#ifndef EVGPU_EXPERIMENT_INTERNAL_H
#define EVGPU_EXPERIMENT_INTERNAL_H

#include "sim/experiment/experiment.h"

int32_t experiment_variable(const struct experiment *x, const char *name);
int32_t experiment_label(const struct experiment *x, uint32_t variable, const char *name);

/* Words of a text with spaces or commas between, as variables; false with `err`. */
bool experiment_variables(const struct experiment *x, const char *text, uint32_t *list,
                          uint32_t *count, struct error *err);

/* Every map has a text for every combination of labels. */
bool experiment_bind_maps(struct experiment *x, struct error *err);

/* Adds to `mask` a bit for every variable that the text names. */
void experiment_text_variables(const struct experiment *x, const char *text, uint32_t *mask);

/* Frees n keys and texts, and the list. */
void experiment_free_arguments(struct argument *list, uint32_t n);

/* After the file is read: simulations know their variables and rows, names in expressions are
 * bound, every table, picture and paper value refers to something. */
bool experiment_bind(struct experiment *x, struct error *err);

#endif
