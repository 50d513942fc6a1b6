/* A program that runs again and again beside services (program.h): one process after the other. */
#include "sim/guest/program/program_internal.h"

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

void repeat_begin(struct program *p, uint64_t cycle)
{
    if (!p->repeat.on || !machine_has_services(p->machine))
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
    r->over = p->status || p->failure || !wanted(p);
    r->completed += !p->status && !p->failure;
    if (r->over)
        return true;
    r->launches = p->figures.launches;
    return program_fresh(p, err);
}

bool repeat_tick(struct program *p, uint64_t cycle, struct error *err)
{
    struct program_repeat *r = &p->repeat;
    look_at_services(p, cycle);
    if (r->over)
        return true;
    if (p->exited)
        return p->outstanding || next_process(p, err);
    /* It has nothing on the GPU yet, and nobody needs it any more. */
    if (r->completed && !wanted(p) && !p->failure && p->figures.launches == r->launches) {
        process_kill(p);
        p->status = 0;
        p->death[0] = '\0';
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
