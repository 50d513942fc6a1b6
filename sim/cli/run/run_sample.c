#include "sim/cli/run/run_sample.h"

#include <string.h>

#include "sim/cli/cli.h"

#define SHOWN 12 /* kernels in the table; the statistics file has all */

enum run_end run_sample_first(struct run_sample *s, struct run_plan *plan,
                              const struct run_control *control, struct error *err)
{
    double since = wall_seconds();
    char text[1024];
    plan->machine.timing = (struct timing_choice){.kind = TIMED_NONE, .log = &s->plan};
    plan->rehearsal = true;
    struct machine *m = plan_machine(plan, true, err);
    plan->rehearsal = false;
    enum run_end end = m ? machine_run(m, control, err) : RUN_FAILED;
    if (end == RUN_DONE && !machine_verdict(m, true, text, sizeof text)) {
        error_set(err, "%.900s", text);
        end = RUN_FAILED;
    }
    machine_destroy(m);
    s->seconds = wall_seconds() - since;
    if (end != RUN_DONE)
        return end;
    s->sampling = sampling_create(&s->plan, plan->config.cores);
    plan->machine.timing =
        (struct timing_choice){.kind = TIMED_PLAN, .plan = &s->plan, .log = &s->run};
    return RUN_DONE;
}

void run_sample_free(struct run_sample *s)
{
    sampling_destroy(s->sampling);
    launch_log_free(&s->plan);
    launch_log_free(&s->run);
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void print_estimate(const struct estimate *e, FILE *to)
{
    fprintf(to, "%.0f cycles", e->cycles);
    if (e->timed == e->launches)
        fprintf(to, ", all timed");
    else
        fprintf(to, " +- %.1f %%", percent(e->within, e->cycles));
    fprintf(to, " (%llu of %llu launches, %.0f %% of instructions)\n", (unsigned long long)e->timed,
            (unsigned long long)e->launches,
            percent((double)e->timed_instructions, (double)e->warp_instructions));
}

/* The n-th kernel of the run by its first launch; NULL: there are no more. */
static const char *kernel_at(const struct launch_log *run, uint32_t n)
{
    for (uint32_t i = 0; i < run->groups; i++) {
        uint32_t k = 0;
        while (k < i && strcmp(run->group[k].kernel, run->group[i].kernel) != 0)
            k++;
        if (k == i && !n--)
            return run->group[i].kernel;
    }
    return NULL;
}

void run_sample_print(const struct run_sample *s, double core_khz, FILE *to)
{
    struct estimate all = sampling_estimate(s->sampling, &s->run, NULL);
    uint64_t unforeseen = sampling_unforeseen(s->sampling, &s->run);
    const char *kernel;
    fprintf(
        to,
        "\nSample                %llu of %llu launches timed, %llu of them because no others are "
        "like them; %u groups\n",
        (unsigned long long)all.timed, (unsigned long long)all.launches,
        (unsigned long long)all.alone, sampling_strata(s->sampling));
    fprintf(to, "  all kernels         ");
    print_estimate(&all, to);
    fprintf(to, "                      %.3f ms; with %.0f %% confidence within %.3f ms\n",
            all.cycles / core_khz, 100 * SAMPLING_CONFIDENCE, all.within / core_khz);
    for (uint32_t i = 0; i < SHOWN && (kernel = kernel_at(&s->run, i)) != NULL; i++) {
        struct estimate one = sampling_estimate(s->sampling, &s->run, kernel);
        fprintf(to, "  %-20.60s", kernel);
        print_estimate(&one, to);
    }
    if (unforeseen)
        fprintf(to, "  %llu launches were not in the run without time; they were timed\n",
                (unsigned long long)unforeseen);
    fprintf(to, "  run without time    %.2f s\n", s->seconds);
}

static json_t *json_of_estimate(const struct estimate *e)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "launches", (json_int_t)e->launches,
                     "timed_launches", (json_int_t)e->timed, "alone_launches", (json_int_t)e->alone,
                     "warp_instructions", (json_int_t)e->warp_instructions,
                     "timed_warp_instructions", (json_int_t)e->timed_instructions, "cycles",
                     e->cycles, "within_cycles", e->within);
}

json_t *run_sample_json(const struct run_sample *s)
{
    struct estimate all = sampling_estimate(s->sampling, &s->run, NULL);
    json_t *j = json_of_estimate(&all), *kernels = json_object();
    const char *kernel;
    for (uint32_t i = 0; (kernel = kernel_at(&s->run, i)) != NULL; i++) {
        struct estimate one = sampling_estimate(s->sampling, &s->run, kernel);
        json_object_set_new(kernels, kernel, json_of_estimate(&one));
    }
    json_object_set_new(j, "confidence", json_real(SAMPLING_CONFIDENCE));
    json_object_set_new(j, "groups", json_integer(sampling_strata(s->sampling)));
    json_object_set_new(j, "unforeseen_launches",
                        json_integer((json_int_t)sampling_unforeseen(s->sampling, &s->run)));
    json_object_set_new(j, "kernels", kernels);
    return j;
}
