/* The time of a job on N threads is that of one thread with the cores' time taken out, and put in
 * again:
 *
 *   of the thread that takes longest, turn by turn
 *   a meeting in each turn that more than the first thread has work in, which costs another
 *     thread's letter and answer for each further thread
 *   the cache lines that travel beside those: two for the request or reply of another thread's
 * core, STORE_LINES for its stores
 *
 * What the model leaves out: caches, of which N threads have N times as much. */
#include "sim/cli/bench_threads.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/threads/team.h"

#define MEETINGS    50000u
#define LINES       16u /* that travel both ways, when a line is measured */
#define PORT_LINES  2.0
#define STORE_LINES 8.0 /* addresses and registers of a warp */

/* --- what a meeting costs --------------------------------------------------------------------- */

struct lines {
    uint32_t count;
    struct {
        _Alignas(CACHE_LINE) uint64_t value;
    } * line;
};

static void touch(void *user, uint32_t thread)
{
    struct lines *lines = user;
    for (uint32_t i = 0; thread && i < lines->count; i++)
        lines->line[i].value++;
}

/* The shortest of several: other programs may take a processor away. */
static double meeting_ns(struct team *team, struct lines *lines)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t round = 0; round < 10; round++) {
        uint64_t begin = thread_model_now();
        for (uint32_t i = 0; i < MEETINGS / 10; i++) {
            team_run(team, 3, touch, lines);
            for (uint32_t k = 0; k < lines->count; k++)
                lines->line[k].value++;
        }
        uint64_t took = thread_model_now() - begin;
        least = took < least ? took : least;
    }
    return (double)least / (MEETINGS / 10);
}

static uint32_t processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : (uint32_t)CPU_COUNT(&set);
}

struct thread_costs thread_costs_measure(void)
{
    struct thread_costs costs = {0, 0};
    if (processors() < 2)
        return costs;
    struct lines lines = {.line = alloc_lines(LINES, sizeof *lines.line)};
    struct team *team = team_create(2);
    team_work_together(team);
    costs.meeting = meeting_ns(team, &lines);
    lines.count = LINES;
    double with = meeting_ns(team, &lines);
    costs.line = with > costs.meeting ? (with - costs.meeting) / (2 * LINES) : 0;
    team_destroy(team);
    free(lines.line);
    return costs;
}

/* --- the model -------------------------------------------------------------------------------- */

/* Seconds of a job on so many threads, by what they go to. */
struct shares {
    double rest, cores, meetings, lines;
};

static double sum(const struct shares *s)
{
    return s->rest + s->cores + s->meetings + s->lines;
}

static double clock_s(const struct thread_model *m)
{
    return (double)m->clock_ns * 1e-15;
}

static struct shares shares_of(const struct thread_runs *runs, const struct thread_costs *costs,
                               uint32_t index)
{
    const struct thread_model *m = &runs->model;
    const struct thread_load *load = &m->with[index];
    double all = (double)m->core_ns * 1e-9 - (double)m->runs * clock_s(m);
    double further = (double)load->others - (double)load->meetings;
    double lines = PORT_LINES * (double)load->ports + STORE_LINES * (double)load->stores;
    return (struct shares){
        .rest = runs->one > all ? runs->one - all : 0,
        .cores = (double)load->longest_ns * 1e-9 - (double)load->its_runs * clock_s(m),
        .meetings = ((double)load->meetings * costs->meeting + 2 * further * costs->line) * 1e-9,
        .lines = lines * costs->line * 1e-9};
}

static const char *limit_of(const struct shares *s)
{
    double most = s->rest;
    const char *name = "what one thread does";
    if (s->cores > most) {
        most = s->cores;
        name = "the thread with the longest work";
    }
    if (s->meetings > most) {
        most = s->meetings;
        name = "meetings";
    }
    return s->lines > most ? "cache lines that travel" : name;
}

void thread_model_head(const struct thread_costs *costs)
{
    printf("A meeting of two threads takes %.0f ns here, a further cache line %.0f ns.\n",
           costs->meeting, costs->line);
    printf("%-16s %6s %9s | speed-up to expect with this many threads\n", "", "cores'", "measured");
    printf("%-16s %6s %9s |", "job", "share", "with 2");
    for (uint32_t i = 1; i < THREAD_COUNTS; i++)
        printf(" %5u", thread_model_threads(i));
    printf("  limit at %u\n", thread_model_threads(THREAD_COUNTS - 1));
}

json_t *thread_model_line(const struct thread_runs *runs, const struct thread_costs *costs)
{
    json_t *expected = json_array();
    struct shares one = shares_of(runs, costs, 0), last = one;
    printf("%-16s %5.0f%% %9.2f |", runs->name, 100 * one.cores / runs->one, runs->one / runs->two);
    for (uint32_t i = 1; i < THREAD_COUNTS; i++) {
        last = shares_of(runs, costs, i);
        printf(" %5.2f", runs->one / sum(&last));
        json_array_append_new(expected, json_real(runs->one / sum(&last)));
    }
    printf("  %s\n", limit_of(&last));
    fflush(stdout);
    return json_pack("{s:s, s:f, s:f, s:o, s:s}", "name", runs->name, "cores_share",
                     one.cores / runs->one, "measured_speed_up", runs->one / runs->two, "expected",
                     expected, "limit", limit_of(&last));
}
