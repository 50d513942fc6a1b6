/* Host side of sw/apps/surveyPropagation/surveyPropagation.cu: formulas, and the same propagation.
 */
#ifndef EVGPU_SW_SURVEY_PROPAGATION_H
#define EVGPU_SW_SURVEY_PROPAGATION_H

#include <stdbool.h>
#include <stdint.h>

struct error; /* base/error.h */

#define SP_MAX_EDGES (1u << 27)
#define SP_STILL     0.01f /* surveys stand still when none changes by more (LonestarGPU's epsilon) */
#define SP_UNDECIDED 0.01 /* no variable is fixed when they lean less than this on average */

/* Factor graph: an edge is a literal, those of a clause lie behind each other. */
struct formula {
    uint32_t clauses, variables, edges;
    uint32_t *clause_rows;    /* clauses + 1 */
    uint32_t *variable_rows;  /* variables + 1, into variable_edges */
    uint32_t *variable_edges; /* edges */
    uint32_t *clause_of, *variable_of;
    uint8_t *negated;
};

/* Clauses of `literals` different variables each, with random signs; deterministic in `seed`.
 * literals <= variables, clauses * literals <= SP_MAX_EDGES. */
void formula_random(uint64_t seed, uint32_t clauses, uint32_t variables, uint32_t literals,
                    struct formula *formula);

/* DIMACS: `p cnf VARIABLES CLAUSES`, then clauses of numbers that end with 0; comments `c`, and the
 * text ends at
 * `%`. `path` is for messages, which are PATH:LINE: TEXT. */
bool formula_parse(const char *path, const char *text, struct formula *formula, struct error *err);
void formula_free(struct formula *formula);

struct sp_limits {
    uint32_t sweeps; /* at most, until the surveys stand still */
    uint32_t steps;  /* at most, of fixing variables */
    uint32_t fix;    /* variables in a step; one when there are fewer */
};

enum sp_end {
    SP_STEPS,     /* as many steps as were asked for */
    SP_UNSTEADY,  /* the surveys did not stand still */
    SP_NO_LEANING /* the variables do not lean: what is left is easy for other methods */
};
extern const char *const sp_ends[]; /* in words */

/* The state and the result of a propagation. */
struct sp_state {
    uint8_t *satisfied;     /* of a clause */
    uint8_t *fixed, *value; /* of a variable */
    float *survey;          /* of an edge */
    uint32_t sweeps, steps; /* made */
    enum sp_end end;
};

/* Surveys from `seed`, uniform in [0, 1); nothing is fixed. */
void sp_start(const struct formula *formula, uint64_t seed, struct sp_state *state);
void sp_free(struct sp_state *state);

/* Propagates and fixes, in the same arithmetic as the kernels. */
void sp_reference(const struct formula *formula, const struct sp_limits *limits,
                  struct sp_state *state);

/* Clauses all of whose variables are fixed and which are not satisfied. */
uint32_t sp_contradictions(const struct formula *formula, const struct sp_state *state);

#endif
