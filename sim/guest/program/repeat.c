#include "sim/guest/program/repeat.h"

#include "sim/guest/program/internal.h"

#define LOOK_EVERY 1024u /* core cycles between two looks whether services are at work */

static bool wanted(const struct program *p)
{
    return machine_services_at_work(p->machine) || p->repeat.completed < p->repeat.least;
}

void repeat_init(struct program *p, const struct program_options *options)
{
    p->repeat = (struct program_repeat){
        .on = options->repeat > 0, .least = options->repeat, .next_look = CYCLE_NEVER};
}

bool repeat_on(const struct program *p)
{
    return p->repeat.on;
}

bool repeat_pending(const struct program *p)
{
    return p->repeat.on && !p->repeat.over;
}

bool repeat_follows(const struct program *p)
{
    return repeat_pending(p) && p->repeat.completed >= p->repeat.least;
}

uint32_t repeat_completed(const struct program *p)
{
    return p->repeat.completed;
}

uint64_t repeat_next(const struct program *p)
{
    return p->repeat.next_look;
}

void repeat_begin(struct program *p, uint64_t cycle)
{
    if (!repeat_on(p) || !machine_has_services(p->machine))
        return;
    guest_work(p->guest, &p->repeat.before);
    p->repeat.begin = cycle;
    p->repeat.next_look = cycle;
}

/* The last look while services are at work ends what was done beside them. */
static void look_at_services(struct program *p, uint64_t cycle)
{
    struct program_repeat *r = &p->repeat;
    if (r->next_look > cycle)
        return;
    r->next_look = machine_services_at_work(p->machine) ? cycle - cycle % LOOK_EVERY + LOOK_EVERY
                                                        : CYCLE_NEVER;
    guest_work(p->guest, &r->after);
    r->end = cycle;
}

static bool next_process(struct program *p, struct error *err)
{
    struct program_repeat *r = &p->repeat;
    r->over = process_status(p) || failure_status(p) || !wanted(p);
    r->completed += !process_status(p) && !failure_status(p);
    if (r->over)
        return true;
    r->launches = figures_launches(p);
    return program_restart(p, err);
}

bool repeat_tick(struct program *p, uint64_t cycle, struct error *err)
{
    struct program_repeat *r = &p->repeat;
    look_at_services(p, cycle);
    if (r->over)
        return true;
    if (process_exited(p))
        return !context_over(p) || next_process(p, err);
    /* It has nothing on the GPU yet, and nobody needs it any more. */
    if (r->completed && !wanted(p) && !failure_status(p) && figures_launches(p) == r->launches) {
        process_dismiss(p);
        r->over = true;
    }
    return true;
}

/* Thread instructions per cycle while services were at work. */
static double speed(const struct program_repeat *r)
{
    uint64_t done = r->after.thread_instructions - r->before.thread_instructions;
    return r->end > r->begin ? (double)done / (double)(r->end - r->begin) : 0;
}

void repeat_print(const struct program *p, FILE *to)
{
    const struct program_repeat *r = &p->repeat;
    fprintf(to, "  repeated            %u times, each with status 0", r->completed);
    if (r->end > r->begin)
        fprintf(to, "; %.2f thread instructions per cycle beside services", speed(r));
    fprintf(to, "\n");
}

json_t *repeat_json(const struct program *p)
{
    const struct program_repeat *r = &p->repeat;
    return json_pack("{s:i, s:I, s:I, s:f}", "completed", (int)r->completed, "thread_instructions",
                     (json_int_t)(r->after.thread_instructions - r->before.thread_instructions),
                     "cycles", (json_int_t)(r->end - r->begin), "speed", speed(r));
}
