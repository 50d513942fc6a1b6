/* surveyPropagation: surveys and fixed variables of a formula, bit for bit the host's. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sw/apps/common/app.h"
#include "sw/apps/surveyPropagation/surveyPropagation.h"

#define BLOCK 384u  /* of the sweeps, as in surveyPropagation.cu */
#define CHUNK 1024u /* keys of a block that sorts */

enum { VARIABLES, CLAUSES, LITERALS, STEPS, SWEEPS, FILE_, OPTIONS };

/* The kernels' Formula. */
struct device_formula {
    CUdeviceptr clause_rows, variable_rows, variable_edges, clause_of, variable_of, negated;
    CUdeviceptr satisfied, fixed, value;
    CUdeviceptr survey, product, towards, against;
    uint32_t edges, variables;
};

struct leaning {
    uint64_t sum;
    uint32_t count;
};

struct propagation {
    struct app *app;
    struct device_formula formula;
    CUdeviceptr change, keys, leaning;
    uint32_t padded; /* keys, a power of two */
    struct sp_limits limits;
};

static CUdeviceptr words(struct app *app, const void *data, size_t count)
{
    return app_buffer(app, data, count * sizeof(uint32_t));
}

static void upload(struct propagation *p, const struct formula *f, const struct sp_state *start)
{
    struct app *app = p->app;
    p->formula = (struct device_formula){
        .clause_rows = words(app, f->clause_rows, (size_t)f->clauses + 1),
        .variable_rows = words(app, f->variable_rows, (size_t)f->variables + 1),
        .variable_edges = words(app, f->variable_edges, f->edges),
        .clause_of = words(app, f->clause_of, f->edges),
        .variable_of = words(app, f->variable_of, f->edges),
        .negated = app_buffer(app, f->negated, f->edges),
        .satisfied = app_buffer(app, start->satisfied, f->clauses),
        .fixed = app_buffer(app, start->fixed, f->variables),
        .value = app_buffer(app, start->value, f->variables),
        .survey = words(app, start->survey, f->edges),
        .product = words(app, NULL, f->edges),
        .towards = words(app, NULL, f->edges),
        .against = words(app, NULL, f->edges),
        .edges = f->edges,
        .variables = f->variables};
    for (p->padded = CHUNK; p->padded < f->variables;)
        p->padded *= 2;
    p->change = words(app, NULL, 1);
    p->keys = app_buffer(app, NULL, p->padded * sizeof(uint64_t));
    p->leaning = app_buffer(app, NULL, sizeof(struct leaning));
}

static void launch(const struct propagation *p, const char *kernel, uint32_t blocks, uint32_t block,
                   void **arguments)
{
    struct app_launch l = {.kernel = app_kernel(p->app, "surveyPropagation", kernel),
                           .grid = {blocks},
                           .block = {block}};
    app_launch(&l, arguments);
}

/* A grid of what is on the GPU at a time takes all edges or variables. */
static void sweep(const struct propagation *p, const char *kernel, void **arguments)
{
    CUfunction function = app_kernel(p->app, "surveyPropagation", kernel);
    launch(p, kernel, app_resident_blocks(function, BLOCK), BLOCK, arguments);
}

static bool stands_still(struct propagation *p, struct sp_state *state)
{
    for (uint32_t i = 0; i < p->limits.sweeps; i++) {
        float change;
        state->sweeps++;
        sweep(p, "sp_products", APP_ARGS(&p->formula));
        APP_CALL(cuMemsetD32(p->change, 0, 1));
        sweep(p, "sp_surveys", APP_ARGS(&p->formula, &p->change));
        APP_CALL(cuMemcpyDtoH(&change, p->change, sizeof change));
        if (change <= SP_STILL)
            return true;
    }
    return false;
}

static void sort(struct propagation *p)
{
    uint32_t first = 2, last = CHUNK;
    launch(p, "sp_sort_chunk", p->padded / CHUNK, CHUNK / 2, APP_ARGS(&p->keys, &first, &last));
    for (uint32_t run = 2 * CHUNK; run <= p->padded; run *= 2) {
        for (uint32_t distance = run / 2; distance >= CHUNK; distance /= 2)
            launch(p, "sp_sort_step", p->padded / CHUNK, CHUNK / 2,
                   APP_ARGS(&p->keys, &run, &distance));
        launch(p, "sp_sort_chunk", p->padded / CHUNK, CHUNK / 2, APP_ARGS(&p->keys, &run, &run));
    }
}

/* False: the variables do not lean. */
static bool fix_some(struct propagation *p)
{
    struct leaning leaning;
    APP_CALL(cuMemsetD32(p->keys, 0, 2 * (size_t)p->padded));
    APP_CALL(cuMemsetD32(p->leaning, 0, sizeof leaning / sizeof(uint32_t)));
    sweep(p, "sp_bias", APP_ARGS(&p->formula, &p->keys, &p->leaning));
    APP_CALL(cuMemcpyDtoH(&leaning, p->leaning, sizeof leaning));
    if (leaning.count == 0 || (double)leaning.sum * 0x1p-32 / leaning.count < SP_UNDECIDED)
        return false;
    sort(p);
    uint32_t some = p->limits.fix > leaning.count ? 1 : p->limits.fix;
    CUdeviceptr last = p->keys + (CUdeviceptr)(p->padded - some) * sizeof(uint64_t);
    launch(p, "sp_fix", (some + BLOCK - 1) / BLOCK, BLOCK, APP_ARGS(&p->formula, &last, &some));
    return true;
}

static void propagate(struct propagation *p, const struct formula *f, struct sp_state *state)
{
    state->end = SP_STEPS;
    while (state->end == SP_STEPS && state->steps < p->limits.steps) {
        if (!stands_still(p, state))
            state->end = SP_UNSTEADY;
        else if (!fix_some(p))
            state->end = SP_NO_LEANING;
        else
            state->steps++;
    }
    APP_CALL(cuMemcpyDtoH(state->satisfied, p->formula.satisfied, f->clauses));
    APP_CALL(cuMemcpyDtoH(state->fixed, p->formula.fixed, f->variables));
    APP_CALL(cuMemcpyDtoH(state->value, p->formula.value, f->variables));
    APP_CALL(cuMemcpyDtoH(state->survey, p->formula.survey, f->edges * sizeof(float)));
}

static bool equal_bytes(const struct app *app, const char *what, const uint8_t *got,
                        const uint8_t *want, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (got[i] != want[i]) {
            printf("%s: %s[%u] is %u, but the host has %u\n", app->name, what, i, got[i], want[i]);
            return false;
        }
    return true;
}

static bool compare(const struct app *app, const struct formula *f, const struct sp_state *got,
                    const struct sp_state *want)
{
    if (got->sweeps != want->sweeps || got->steps != want->steps || got->end != want->end) {
        printf("%s: %u sweeps, %u steps, %s; but the host has %u, %u, %s\n", app->name, got->sweeps,
               got->steps, sp_ends[got->end], want->sweeps, want->steps, sp_ends[want->end]);
        return false;
    }
    return equal_bytes(app, "fixed", got->fixed, want->fixed, f->variables) &&
           equal_bytes(app, "value", got->value, want->value, f->variables) &&
           equal_bytes(app, "satisfied", got->satisfied, want->satisfied, f->clauses) &&
           app_equal_floats(app, "survey", got->survey, want->survey, f->edges);
}

static void make_formula(struct app *app, struct formula *formula)
{
    const struct app_option *o = app->options;
    struct error err = {0};
    size_t bytes;
    if (o[FILE_].text) {
        if (!formula_parse(o[FILE_].text, app_file(app, o[FILE_].text, &bytes), formula, &err))
            app_fail(app, APP_BAD_INPUT, "%s", err.text);
        return;
    }
    if (o[LITERALS].number > o[VARIABLES].number)
        app_fail(app, APP_BAD_INPUT, "--literals is %u; it must be at most --variables, %u",
                 o[LITERALS].number, o[VARIABLES].number);
    if ((uint64_t)o[CLAUSES].number * o[LITERALS].number > SP_MAX_EDGES)
        app_fail(app, APP_BAD_INPUT, "--clauses %u times --literals %u exceeds %u",
                 o[CLAUSES].number, o[LITERALS].number, SP_MAX_EDGES);
    formula_random(app->seed, o[CLAUSES].number, o[VARIABLES].number, o[LITERALS].number, formula);
}

static void tell(const struct formula *f, const struct sp_state *state)
{
    uint32_t fixed = 0, satisfied = 0;
    for (uint32_t v = 0; v < f->variables; v++)
        fixed += state->fixed[v];
    for (uint32_t c = 0; c < f->clauses; c++)
        satisfied += state->satisfied[c];
    printf("%u steps, %u sweeps: %s\n", state->steps, state->sweeps, sp_ends[state->end]);
    printf("%u of %u variables fixed; of %u clauses %u satisfied, %u contradicted\n", fixed,
           f->variables, f->clauses, satisfied, sp_contradictions(f, state));
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [VARIABLES] = {"variables", "variables (LonestarGPU: 10000)", .number = 128, .min = 1,
                       .max = 1u << 24},
        [CLAUSES] = {"clauses", "clauses (LonestarGPU: 42000)", .number = 525, .min = 1,
                     .max = 1u << 26},
        [LITERALS] = {"literals", "literals of a clause (LonestarGPU: 3)", .number = 3, .min = 1,
                      .max = 64},
        [STEPS] = {"steps",
                   "steps, each of which fixes a hundredth of the variables (LonestarGPU: "
                   "until the surveys are of no more help, about 50)",
                   .number = 2, .min = 1, .max = UINT32_MAX},
        [SWEEPS] = {"sweeps", "sweeps in which surveys must stand still (LonestarGPU: 1000)",
                    .number = 1000, .min = 1, .max = UINT32_MAX},
        [FILE_] = {"file", "formula to read instead, in the DIMACS format (.cnf)", APP_TEXT}};
    struct app app = {
        .name = "surveyPropagation",
        .doc = "Survey propagation with decimation on the factor graph of a random formula: sweeps "
               "over its edges until the surveys stand still, then the variables that lean most "
               "are fixed (LonestarGPU sp, `random-42000-10000-3.cnf`).",
        .options = options,
        .count = OPTIONS};
    app_start(&app, argc, argv);
    struct formula formula;
    struct sp_state got, want;
    make_formula(&app, &formula);
    struct propagation p = {
        .app = &app,
        .limits = {.sweeps = options[SWEEPS].number,
                   .steps = options[STEPS].number,
                   .fix = formula.variables < 100 ? 1 : formula.variables / 100}};
    sp_start(&formula, (uint64_t)app.seed + 1, &got);
    sp_start(&formula, (uint64_t)app.seed + 1, &want);
    upload(&p, &formula, &got);
    propagate(&p, &formula, &got);
    sp_reference(&formula, &p.limits, &want);
    tell(&formula, &got);
    bool right = compare(&app, &formula, &got, &want);
    sp_free(&got);
    sp_free(&want);
    formula_free(&formula);
    return app_end(&app, right);
}
