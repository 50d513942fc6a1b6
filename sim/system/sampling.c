#include "sim/system/sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define SIZE_STEP 1.1    /* between the instructions of the largest and the smallest of a stratum */
#define MIX_STEP  0.05   /* between the shares of their instructions, summed over all kinds */
#define FEW       4u     /* so many are all timed, and so many at least of more */
#define ONE_IN    10u    /* of many */
#define SHORT     20000u /* instructions of a launch that leaves cores idle: all of these are timed */

struct sampling {
    struct launch_log *log;
    uint32_t cores;
    uint32_t *stratum; /* by record of the log */
    uint32_t strata;
    uint32_t *first;  /* by group: where its records begin in `record` */
    uint32_t *record; /* of the log, by group and number */
};

/* --- strata ----------------------------------------------------------------------------------- */

struct by_size {
    const struct launch_record *record;
    uint32_t index;
};

static int compare(const void *a, const void *b)
{
    const struct by_size *x = a, *y = b;
    if (x->record->group != y->record->group)
        return x->record->group < y->record->group ? -1 : 1;
    if (x->record->warp_instructions != y->record->warp_instructions)
        return x->record->warp_instructions < y->record->warp_instructions ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static double share(const struct launch_record *r, uint32_t kind)
{
    return r->warp_instructions ? (double)r->mix[kind] / (double)r->warp_instructions : 0;
}

static bool alike(const struct launch_record *a, const struct launch_record *b)
{
    double differ = 0;
    for (uint32_t k = 0; k < WORK_KINDS; k++)
        differ += fabs(share(a, k) - share(b, k));
    return a->group == b->group && differ <= MIX_STEP &&
           (double)b->warp_instructions <= SIZE_STEP * (double)a->warp_instructions;
}

/* No launch of the kernel was before this one. */
static bool is_first(const struct launch_log *log, uint32_t record)
{
    const struct launch_group *group = &log->group[log->record[record].group];
    if (log->record[record].number)
        return false;
    for (uint32_t i = 0; i < record; i++) {
        const struct launch_group *other = &log->group[log->record[i].group];
        if (other->owner == group->owner && !strcmp(other->kernel, group->kernel))
            return false;
    }
    return true;
}

/* The stratum that a launch joins; its smallest launch is in `smallest`, NULL: it takes no other. A
 * new one if there is none. */
static uint32_t join(struct sampling *s, const struct launch_record **smallest,
                     const struct launch_record *r)
{
    for (uint32_t i = s->strata; i-- > 0;) {
        if (smallest[i] && smallest[i]->group != r->group)
            break;
        if (smallest[i] && alike(smallest[i], r))
            return i;
    }
    smallest[s->strata] = r;
    return s->strata++;
}

static void find_strata(struct sampling *s)
{
    const struct launch_log *log = s->log;
    struct by_size *sorted = ALLOC_ARRAY(struct by_size, log->records + 1);
    const struct launch_record **smallest = alloc_array(log->records + 1, sizeof *smallest);
    for (uint32_t i = 0; i < log->records; i++)
        sorted[i] = (struct by_size){&log->record[i], i};
    qsort(sorted, log->records, sizeof *sorted, compare);
    for (uint32_t i = 0; i < log->records; i++) {
        bool first = is_first(log, sorted[i].index);
        s->stratum[sorted[i].index] = first ? s->strata++ : join(s, smallest, sorted[i].record);
    }
    free(sorted);
    free(smallest);
}

/* --- the plan --------------------------------------------------------------------------------- */

/* Whether a short launch finds its instructions and data in the caches depends on the core that it
 * comes to, and that on all launches before it. */
static bool is_short(const struct sampling *s, const struct launch_record *r)
{
    const uint32_t *grid = s->log->group[r->group].grid;
    return (uint64_t)grid[0] * grid[1] * grid[2] < s->cores && r->warp_instructions < SHORT;
}

static uint32_t sample_size(uint32_t launches)
{
    uint32_t some = (launches + ONE_IN - 1) / ONE_IN;
    if (some < FEW)
        some = FEW;
    return launches < some ? launches : some;
}

/* The n-th of so many is among `size` ones at equal distances, in the middle of theirs. */
static bool is_chosen(uint32_t n, uint32_t launches, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        if ((uint64_t)(2 * i + 1) * launches / (2 * (uint64_t)size) == n)
            return true;
    }
    return false;
}

static void make_plan(struct sampling *s)
{
    struct launch_log *log = s->log;
    uint32_t *launches = ALLOC_ARRAY(uint32_t, s->strata + 1);
    uint32_t *seen = ALLOC_ARRAY(uint32_t, s->strata + 1);
    for (uint32_t i = 0; i < log->groups; i++) {
        log->group[i].planned = log->group[i].launches;
        log->group[i].timed = ALLOC_ARRAY(bool, log->group[i].launches);
    }
    for (uint32_t i = 0; i < log->records; i++)
        launches[s->stratum[i]]++;
    for (uint32_t i = 0; i < log->records; i++) {
        uint32_t stratum = s->stratum[i], all = launches[stratum];
        const struct launch_record *r = &log->record[i];
        bool chosen = is_chosen(seen[stratum]++, all, sample_size(all));
        log->group[r->group].timed[r->number] = chosen || is_short(s, r);
    }
    free(launches);
    free(seen);
}

static void index_records(struct sampling *s)
{
    const struct launch_log *log = s->log;
    for (uint32_t i = 0; i < log->groups; i++)
        s->first[i + 1] = s->first[i] + log->group[i].launches;
    for (uint32_t i = 0; i < log->records; i++)
        s->record[s->first[log->record[i].group] + log->record[i].number] = i;
}

struct sampling *sampling_create(struct launch_log *log, uint32_t cores)
{
    struct sampling *s = ALLOC(struct sampling);
    s->log = log;
    s->cores = cores;
    s->stratum = ALLOC_ARRAY(uint32_t, log->records + 1);
    s->record = ALLOC_ARRAY(uint32_t, log->records + 1);
    s->first = ALLOC_ARRAY(uint32_t, log->groups + 1);
    index_records(s);
    find_strata(s);
    make_plan(s);
    return s;
}

void sampling_destroy(struct sampling *s)
{
    if (!s)
        return;
    free(s->stratum);
    free(s->record);
    free(s->first);
    free(s);
}

uint32_t sampling_strata(const struct sampling *s)
{
    return s->strata;
}

/* --- the estimate ----------------------------------------------------------------------------- */

struct sums {
    uint64_t launches, timed;
    double size, timed_size, cycles; /* size: instructions */
    double cycles2, size2, product;  /* of the timed ones: squares, and cycles by size */
};

/* The record of the plan's log for a launch of another run; UINT32_MAX: not foreseen. */
static uint32_t planned_record(const struct sampling *s, const struct launch_log *run,
                               const struct launch_record *r)
{
    uint32_t group = launch_plan_group(s->log, &run->group[r->group]);
    if (group == UINT32_MAX || r->number >= s->log->group[group].launches)
        return UINT32_MAX;
    return s->record[s->first[group] + r->number];
}

static void add(struct sums *sum, const struct launch_record *r, double size)
{
    double cycles = (double)r->cycles;
    sum->launches++;
    sum->size += size;
    if (!r->timed)
        return;
    sum->timed++;
    sum->timed_size += size;
    sum->cycles += cycles;
    sum->cycles2 += cycles * cycles;
    sum->size2 += size * size;
    sum->product += cycles * size;
}

/* Of Student's distribution: 97.5 % of it is below. Cornish and Fisher's expansion from the normal
 * quantile; good to 1 % from 3 degrees of freedom on. */
static double quantile(double freedom)
{
    const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    double f = freedom < 1 ? 1 : freedom;
    return z + (z3 + z) / (4 * f) + (5 * z5 + 16 * z3 + 3 * z) / (96 * f * f) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * f * f * f);
}

/* Adds a stratum to the estimate; its variance, and that squared by degrees of freedom. */
static void add_stratum(const struct sums *sum, struct estimate *e, double *variance,
                        double *weighted)
{
    double n = (double)sum->launches, m = (double)sum->timed;
    e->launches += sum->launches;
    e->timed += sum->timed;
    e->alone += sum->launches <= FEW ? sum->timed : 0;
    e->warp_instructions += (uint64_t)sum->size;
    e->timed_instructions += (uint64_t)sum->timed_size;
    if (!sum->timed)
        return;
    double ratio = sum->timed_size > 0 ? sum->cycles / sum->timed_size : 0;
    e->cycles += sum->timed_size > 0 ? ratio * sum->size : sum->cycles / m * n;
    if (sum->timed == sum->launches || sum->timed < 2)
        return;
    double squares = sum->cycles2 - 2 * ratio * sum->product + ratio * ratio * sum->size2;
    double v = squares > 0 ? n * n * (1 - m / n) / m * squares / (m - 1) : 0;
    *variance += v;
    *weighted += v * v / (m - 1);
}

static bool counts(const struct launch_log *run, const struct launch_record *r, const char *kernel)
{
    return r->ended && (!kernel || !strcmp(run->group[r->group].kernel, kernel));
}

struct estimate sampling_estimate(const struct sampling *s, const struct launch_log *run,
                                  const char *kernel)
{
    struct estimate e = {.launches = 0};
    struct sums *sums = ALLOC_ARRAY(struct sums, s->strata + 1);
    double variance = 0, weighted = 0;
    for (uint32_t i = 0; i < run->records; i++) {
        const struct launch_record *r = &run->record[i];
        uint32_t planned = planned_record(s, run, r);
        if (!counts(run, r, kernel))
            continue;
        if (planned == UINT32_MAX)
            add_stratum(&(struct sums){.launches = 1,
                                       .timed = 1,
                                       .cycles = (double)r->cycles,
                                       .size = (double)r->warp_instructions,
                                       .timed_size = (double)r->warp_instructions},
                        &e, &variance, &weighted);
        else
            add(&sums[s->stratum[planned]], r, (double)s->log->record[planned].warp_instructions);
    }
    for (uint32_t i = 0; i < s->strata; i++)
        add_stratum(&sums[i], &e, &variance, &weighted);
    if (weighted > 0)
        e.within = quantile(variance * variance / weighted) * sqrt(variance);
    free(sums);
    return e;
}

uint64_t sampling_unforeseen(const struct sampling *s, const struct launch_log *run)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < run->records; i++)
        n += planned_record(s, run, &run->record[i]) == UINT32_MAX;
    return n;
}
