/* Expressions of an experiment file: how its figures become table cells and summary values.
 *
 *   expression  sums, products, ^ and parentheses over
 *   12.5        numbers
 *   NAME        a figure or a definition; a variable: the number its label stands for (8K is 8192)
 *   NAME[VARIABLE=LABEL, ...]   the same with some variables fixed
 *   abs(X) sqrt(X) log2(X) ln(X)
 *   mean(VARIABLE: X)  also geomean, hmean (harmonic), sum, min, max: over every label of the
 *               variable
 *   argmax(VARIABLE: X)  the number of the first label for which X is largest
 *   cross(VARIABLE: X, Y)  the number of the variable from which on X <= Y, interpolated between
 *               two labels on a logarithmic scale; nothing when that never happens
 *
 * A missing value (of a simulation that failed or was not run) is NAN, and so is every value
 * computed from it, a mean included; `cross` passes over it. */
#ifndef EVGPU_EXPERIMENT_EXPRESSION_H
#define EVGPU_EXPERIMENT_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define MAX_VARIABLES 8

struct expression;

/* For each variable the index of its label, or UNBOUND. */
#define UNBOUND (-1)
struct binding {
    int32_t label[MAX_VARIABLES];
};

/* The meanings of names; the experiment's (experiment.c). Figures and definitions are numbered by
 * it. */
struct names {
    void *user;
    int32_t (*variable)(void *user, const char *name);
    int32_t (*label)(void *user, uint32_t variable, const char *label);
    uint32_t (*label_count)(void *user, uint32_t variable);
    double (*label_number)(void *user, uint32_t variable, uint32_t label);
    int32_t (*figure)(void *user, const char *name);
    /* Bit per variable that must be bound. */
    uint32_t (*figure_needs)(void *user, uint32_t figure);
    double (*figure_value)(void *user, uint32_t figure, const struct binding *at);
    const struct expression *(*definition)(void *user, const char *name);
};

/* NULL with `err`, which names what is wrong with the text; `names` stays valid as long as the
 * expression. */
struct expression *expression_parse(const char *text, const struct names *names, struct error *err);
void expression_free(struct expression *e);

/* Bit per variable that must be bound before it has a value. */
uint32_t expression_needs(const struct expression *e);
double expression_value(const struct expression *e, const struct binding *at);

/* A fold by its name over the values, NAN when one is missing or there is none. False when no fold
 * has the name. */
bool fold_named(const char *name, const double *values, uint32_t count, double *result);

#endif
