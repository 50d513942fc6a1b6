/* The propagation, statement by statement as in the kernels: float operations are rounded one by
 * one, as ISO C
 * (-std=c11) has it. */
#include "sw/apps/surveyPropagation/surveyPropagation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "surveys are compared bit by bit: floats must be rounded to float after every operation"
#endif

const char *const sp_ends[] = {"all steps made", "the surveys do not converge",
                               "no variable has a bias left"};

struct products {
    float *product, *towards, *against;
};

void sp_start(const struct formula *formula, uint64_t seed, struct sp_state *state)
{
    struct rng rng;
    *state = (struct sp_state){0};
    state->satisfied = ALLOC_ARRAY(uint8_t, formula->clauses);
    state->fixed = ALLOC_ARRAY(uint8_t, formula->variables);
    state->value = ALLOC_ARRAY(uint8_t, formula->variables);
    state->survey = ALLOC_ARRAY(float, formula->edges);
    rng_seed(&rng, seed);
    for (uint32_t e = 0; e < formula->edges; e++)
        state->survey[e] = (float)(rng_u64(&rng) >> 40) * 0x1p-24f;
}

void sp_free(struct sp_state *state)
{
    free(state->satisfied);
    free(state->fixed);
    free(state->value);
    free(state->survey);
    *state = (struct sp_state){0};
}

static void make_products(const struct formula *f, const struct sp_state *s,
                          const struct products *p)
{
    for (uint32_t e = 0; e < f->edges; e++) {
        uint32_t clause = f->clause_of[e], variable = f->variable_of[e];
        float all = 1.0f, same = 1.0f, other = 1.0f;
        if (s->satisfied[clause] || s->fixed[variable])
            continue;
        for (uint32_t i = f->variable_rows[variable]; i < f->variable_rows[variable + 1]; i++) {
            uint32_t edge = f->variable_edges[i], there = f->clause_of[edge];
            float factor = 1.0f - s->survey[edge];
            if (there == clause || s->satisfied[there])
                continue;
            all *= factor;
            if (f->negated[edge] == f->negated[e])
                same *= factor;
            else
                other *= factor;
        }
        p->product[e] = all;
        p->against[e] = (1.0f - other) * same;
        p->towards[e] = (1.0f - same) * other;
    }
}

static float new_survey(const struct formula *f, const struct sp_state *s, const struct products *p,
                        uint32_t e)
{
    uint32_t clause = f->clause_of[e];
    float survey = 1.0f;
    for (uint32_t edge = f->clause_rows[clause]; edge < f->clause_rows[clause + 1]; edge++) {
        uint32_t there = f->variable_of[edge];
        if (there == f->variable_of[e] || s->fixed[there])
            continue;
        float sum = (p->product[edge] + p->towards[edge]) + p->against[edge];
        if (sum == 0.0f)
            return 0.0f;
        survey *= p->against[edge] / sum;
    }
    return survey;
}

/* The largest change. */
static float make_surveys(const struct formula *f, struct sp_state *s, const struct products *p)
{
    float most = 0.0f;
    for (uint32_t e = 0; e < f->edges; e++) {
        if (s->satisfied[f->clause_of[e]] || s->fixed[f->variable_of[e]])
            continue;
        float survey = new_survey(f, s, p, e);
        most = fmaxf(most, fabsf(survey - s->survey[e]));
        s->survey[e] = survey;
    }
    return most;
}

static bool stands_still(const struct formula *f, const struct sp_limits *limits,
                         struct sp_state *s, const struct products *p)
{
    for (uint32_t i = 0; i < limits->sweeps; i++) {
        s->sweeps++;
        make_products(f, s, p);
        if (make_surveys(f, s, p) <= SP_STILL)
            return true;
    }
    return false;
}

/* How much the variable leans, and in *weight the larger of its weights, in units of 2^-32. */
static float lean(const struct formula *f, struct sp_state *s, uint32_t variable, uint64_t *weight)
{
    float all = 1.0f, plus = 1.0f, minus = 1.0f;
    for (uint32_t i = f->variable_rows[variable]; i < f->variable_rows[variable + 1]; i++) {
        uint32_t edge = f->variable_edges[i];
        float factor = 1.0f - s->survey[edge];
        if (s->satisfied[f->clause_of[edge]])
            continue;
        all *= factor;
        if (f->negated[edge])
            minus *= factor;
        else
            plus *= factor;
    }
    float yes = (1.0f - plus) * minus, no = (1.0f - minus) * plus, sum = (all + yes) + no;
    yes = sum == 0.0f ? 0.0f : yes / sum;
    no = sum == 0.0f ? 0.0f : no / sum;
    s->value[variable] = yes > no;
    *weight = (uint64_t)(fmaxf(yes, no) * 0x1p32f);
    return fabsf(yes - no);
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void fix(const struct formula *f, struct sp_state *s, uint32_t variable)
{
    s->fixed[variable] = 1;
    for (uint32_t i = f->variable_rows[variable]; i < f->variable_rows[variable + 1]; i++) {
        uint32_t edge = f->variable_edges[i];
        if (f->negated[edge] != s->value[variable])
            s->satisfied[f->clause_of[edge]] = 1;
    }
}

/* False: the variables do not lean. */
static bool fix_some(const struct formula *f, const struct sp_limits *limits, struct sp_state *s,
                     uint64_t *keys)
{
    uint32_t count = 0;
    uint64_t sum = 0, weight;
    for (uint32_t v = 0; v < f->variables; v++) {
        if (s->fixed[v])
            continue;
        float leaning = lean(f, s, v, &weight);
        uint32_t bits;
        memcpy(&bits, &leaning, sizeof bits);
        keys[count++] = (uint64_t)bits << 32 | (v + 1);
        sum += weight;
    }
    if (count == 0 || (double)sum * 0x1p-32 / count < SP_UNDECIDED)
        return false;
    qsort(keys, count, sizeof *keys, by_key);
    for (uint32_t i = 0, some = limits->fix > count ? 1 : limits->fix; i < some; i++)
        fix(f, s, (uint32_t)keys[count - 1 - i] - 1);
    return true;
}

void sp_reference(const struct formula *formula, const struct sp_limits *limits,
                  struct sp_state *state)
{
    uint64_t *keys = ALLOC_ARRAY(uint64_t, formula->variables);
    struct products p = {.product = ALLOC_ARRAY(float, formula->edges),
                         .towards = ALLOC_ARRAY(float, formula->edges),
                         .against = ALLOC_ARRAY(float, formula->edges)};
    state->end = SP_STEPS;
    while (state->end == SP_STEPS && state->steps < limits->steps) {
        if (!stands_still(formula, limits, state, &p))
            state->end = SP_UNSTEADY;
        else if (!fix_some(formula, limits, state, keys))
            state->end = SP_NO_LEANING;
        else
            state->steps++;
    }
    free(keys);
    free(p.product);
    free(p.towards);
    free(p.against);
}

uint32_t sp_contradictions(const struct formula *formula, const struct sp_state *state)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < formula->clauses; c++) {
        bool open = state->satisfied[c];
        for (uint32_t e = formula->clause_rows[c]; !open && e < formula->clause_rows[c + 1]; e++)
            open = !state->fixed[formula->variable_of[e]];
        count += !open;
    }
    return count;
}
