#include "sim/guest/program/measure.h"

#include "sim/guest/program/internal.h"

#define LOOK_EVERY 1024u /* core cycles between two looks at the quota, from cycle 0 on */

void measure_init(struct program *p, const struct program_options *options)
{
    p->measure = (struct program_measure){.on = options->measured, .quota = options->quota};
}

bool measure_on(const struct program *p)
{
    return p->measure.on;
}

double measure_share(const struct program *p)
{
    const struct program_measure *q = &p->measure;
    struct gpu_owner_work work = {.thread_instructions = 0};
    if (!q->on || !q->quota)
        return -1;
    if (q->begun)
        guest_work(p->guest, &work);
    return work.thread_instructions < q->quota ? (double)work.thread_instructions / (double)q->quota
                                               : 1;
}

bool measure_given_up(const struct program *p)
{
    return p->measure.given_up;
}

uint32_t measure_completions(const struct program *p)
{
    return p->measure.completions;
}

static void done(struct program *p, uint64_t cycle, bool completed)
{
    struct program_measure *q = &p->measure;
    guest_work(p->guest, &q->work);
    q->done = true;
    q->completed = completed;
    q->end = cycle;
}

uint64_t measure_next(const struct program *p)
{
    const struct program_measure *q = &p->measure;
    return q->on && q->begun && q->quota && !q->done ? q->next_look : CYCLE_NEVER;
}

void measure_look(struct program *p, uint64_t cycle)
{
    struct program_measure *q = &p->measure;
    struct gpu_owner_work work;
    if (measure_next(p) > cycle)
        return;
    q->next_look = cycle - cycle % LOOK_EVERY + LOOK_EVERY;
    guest_work(p->guest, &work);
    if (work.thread_instructions >= q->quota)
        done(p, cycle, false);
}

bool measure_completed(struct program *p, uint64_t cycle, struct error *err)
{
    struct program_measure *q = &p->measure;
    if (process_status(p))
        return error_set(err, "the program ended with status %d", process_status(p));
    q->completions++;
    if (!q->done)
        done(p, cycle, true);
    if (!machine_measuring(p->machine)) {
        q->given_up = true;
        return true;
    }
    return program_restart(p, err);
}

bool measure_held(const void *self)
{
    const struct program *p = self;
    return figures_launches(p) > 0;
}

void measure_begin(void *self, uint64_t cycle)
{
    struct program *p = self;
    p->measure.begun = true;
    p->measure.next_look = cycle;
    repeat_begin(p, cycle);
}

bool measure_done(const void *self)
{
    const struct program *p = self;
    return measure_on(p) ? p->measure.done : guest_ops(p->guest)->finished(p);
}

void measure_end(void *self, uint64_t cycle)
{
    struct program *p = self;
    (void)cycle;
    if (!measure_on(p))
        return;
    p->measure.given_up = true;
    process_dismiss(p);
}

static double per_cycle(uint64_t n, uint64_t cycles)
{
    return cycles ? (double)n / (double)cycles : 0;
}

void measure_print(const struct program *p, FILE *to)
{
    const struct program_measure *q = &p->measure;
    if (!q->done) {
        fprintf(to, "  measured            not completed\n");
        return;
    }
    fprintf(to,
            "  measured            %.3f M instructions of threads in %llu cycles with its kernels, "
            "%.2f per cycle; %s, completed %u times\n",
            (double)q->work.thread_instructions / 1e6, (unsigned long long)q->work.cycles,
            per_cycle(q->work.thread_instructions, q->work.cycles),
            q->completed ? "one completion" : "quota", q->completions);
}

json_t *program_measured(const struct guest *g)
{
    const struct program *p = guest_self(g);
    const struct program_measure *q = &p->measure;
    if (!program_is(g) || !q->on || !q->done)
        return json_null();
    return json_pack("{s:b, s:i, s:I, s:I, s:I, s:I, s:f, s:f}", "completed", q->completed,
                     "completions", (int)q->completions, "thread_instructions",
                     (json_int_t)q->work.thread_instructions, "warp_instructions",
                     (json_int_t)q->work.warp_instructions, "cycles", (json_int_t)q->work.cycles,
                     "end_cycle", (json_int_t)q->end, "ipc",
                     per_cycle(q->work.thread_instructions, q->work.cycles), "warp_ipc",
                     per_cycle(q->work.warp_instructions, q->work.cycles));
}
