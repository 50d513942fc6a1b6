#include "sim/cli/run/run_report.h"

#include <stdio.h>
#include <sys/socket.h>

#include "evgpu_defs.h"
#include "sim/cli/run/concurrency_report.h"
#include "sim/cli/run/details_json.h"
#include "sim/cli/run/stats_json.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/guest/profile.h"
#include "sim/guest/program/program.h"
#include "sim/simt/check/check.h"
#include "sim/system/guest.h"
#include "tb/model/victim/policy.h"

static const char *const mode_names[] = {"preempt", "drain", "reserve", "dynamic"};
static const char *const cause_names[CAUSES] = {"pipeline", "scoreboard", "load",
                                                "i-cache",  "barrier",    "fence"};

static void print_causes(const struct gpu_stats *s)
{
    uint64_t preemptions = s->events_by_path[EVENT_SPARE] + s->events_by_path[EVENT_SAVED];
    if (!preemptions)
        return;
    printf("\nPreemption by cause   ");
    for (int i = 0; i < CAUSES; i++)
        printf("%s%s %.1f", i ? ", " : "", cause_names[i],
               (double)s->cores.flush_cycles[i] / (double)preemptions);
    printf(" cycles per preemption\n                      %llu loads dropped and replayed, %llu "
           "registers saved, %llu restored\n",
           (unsigned long long)s->cores.loads_dropped, (unsigned long long)s->cores.registers_saved,
           (unsigned long long)s->cores.registers_restored);
    if (s->cores.wrong_replays)
        printf("                      %llu victims that hardware would have replayed wrongly "
               "(event.options=drop-unsafe)\n",
               (unsigned long long)s->cores.wrong_replays);
}

static void print_verdict(const struct guest *g)
{
    const char *text;
    bool right = machine_guest_verdict(g, &text);
    if (text)
        printf("Verdict               %s: %s\n", right ? "verified" : "NOT verified", text);
}

/* The time of what was not timed is not known, and in no figure. */
static void print_timing(struct machine *m, const struct gpu_stats *s, FILE *to)
{
    if (machine_options(m)->timing.kind == TIMED_ALL)
        return;
    fprintf(to, "Timed                 %llu of %llu kernel launches", (unsigned long long)s->timed,
            (unsigned long long)s->launches);
    if (s->launches != s->timed)
        fprintf(to, "; %llu warp instructions of the others have no time",
                (unsigned long long)s->cores.untimed_warp_instructions);
    fprintf(to, "\n");
    if (s->timed_anyway)
        fprintf(to,
                "                      %llu of them because events, devices on PCIe or "
                "full/empty bits need time\n",
                (unsigned long long)s->timed_anyway);
}

static json_t *json_of_timing(const struct gpu_stats *s)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "launches", (json_int_t)s->launches,
                     "timed_launches", (json_int_t)s->timed, "timed_anyway",
                     (json_int_t)s->timed_anyway, "untimed_warp_instructions",
                     (json_int_t)s->cores.untimed_warp_instructions, "untimed_thread_instructions",
                     (json_int_t)s->cores.untimed_thread_instructions);
}

void run_report_print(struct machine *m, double wall)
{
    const struct machine_config *config = machine_config(m);
    struct gpu_stats s;
    gpu_stats(machine_gpu(m), &s);
    uint64_t cycles = machine_cycle(m), instructions = s.cores.warp_instructions;
    printf("Machine               %s: %u SIMT cores at %.0f MHz; scheduling %s, victim %s\n",
           config->name, config->cores, (double)config->core_khz / 1000,
           mode_names[machine_options(m)->mode], victim_policy_name(config->events.policy));
    for (uint32_t i = 0; i < machine_guest_count(m); i++) {
        struct guest *g = machine_guest_at(m, i);
        guest_ops(g)->print(guest_self(g), stdout);
        print_verdict(g);
    }
    print_causes(&s);
    concurrency_print(m, stdout);
    printf("Simulated             %llu cycles (%.3f ms), %llu warp instructions, %.2f per cycle\n",
           (unsigned long long)cycles, (double)cycles / (double)config->core_khz,
           (unsigned long long)instructions, (double)instructions / (double)(cycles ? cycles : 1));
    print_timing(m, &s, stdout);
    instructions += s.cores.untimed_warp_instructions;
    printf("Speed                 %.2f s, %.0f kcycle/s, %.2f M warp instructions/s\n", wall,
           (double)cycles / wall / 1e3, (double)instructions / wall / 1e6);
    if (s.native)
        printf("                      machine code for %u kernel%s without time\n", s.native,
               s.native == 1 ? "" : "s");
}

/* Names that --timing gives, and that no kernel had. */
static void print_unknown(const struct timing_choice *timing, uint32_t named)
{
    for (uint32_t i = 0; i < timing->n_names; i++) {
        if (!(named >> i & 1))
            fprintf(stderr, "evgpu: --timing: no kernel named %.*s was launched\n",
                    (int)timing->length[i], timing->name[i]);
    }
}

void run_report_timing(struct machine *m, bool untimed)
{
    struct gpu_stats s;
    gpu_stats(machine_gpu(m), &s);
    print_unknown(&machine_options(m)->timing, s.timing_named);
    if (untimed && s.launches != s.timed)
        fprintf(stderr,
                "evgpu: %llu of %llu kernel launches were not timed; times that the program "
                "measures do not contain theirs\n",
                (unsigned long long)(s.launches - s.timed), (unsigned long long)s.launches);
}

/* What was measured of each program, in order. */
static json_t *measured_programs(struct machine *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < machine_guest_count(m); i++) {
        const struct guest *g = machine_guest_at(m, i);
        if (program_is(g))
            json_array_append_new(list, program_measured(g));
    }
    return list;
}

json_t *run_report_json(struct machine *m, const char *end)
{
    const struct machine_config *config = machine_config(m);
    struct gpu_stats s;
    gpu_stats(machine_gpu(m), &s);
    json_t *guests = json_object();
    for (uint32_t i = 0; i < machine_guest_count(m); i++) {
        struct guest *g = machine_guest_at(m, i);
        json_t *section = guest_ops(g)->json(guest_self(g));
        json_t *events = profile_events_json(config, g);
        if (json_object_size(events))
            json_object_set(section, "event_kernels", events);
        json_decref(events);
        json_object_set_new(section, "kind", json_string(guest_ops(g)->kind));
        const char *text;
        bool right = machine_guest_verdict(g, &text);
        json_object_set_new(section, "verified", json_boolean(right));
        json_object_set_new(section, "verdict", json_string(text ? text : "not checked"));
        json_object_set_new(guests, guest_name(g), section);
    }
    json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:i, s:I}", "end", end, "config", config->name,
                          "sched", mode_names[machine_options(m)->mode], "policy",
                          victim_policy_name(config->events.policy), "flush_options",
                          (int)config->events.options, "cycles", (json_int_t)machine_cycle(m));
    json_object_set_new(j, "guests", guests);
    json_object_set_new(j, "programs", measured_programs(m));
    json_object_set_new(j, "concurrency", concurrency_json(m));
    json_object_set_new(j, "gpu", json_of_gpu(&s));
    if (machine_moments(m))
        json_object_set_new(j, "details", details_json(m));
    if (machine_options(m)->timing.kind != TIMED_ALL)
        json_object_set_new(j, "timing", json_of_timing(&s));
    return j;
}

void run_report_profiles(struct machine *m, bool all, bool done, bool verified)
{
    for (uint32_t i = 0; i < machine_guest_count(m); i++) {
        struct guest *g = machine_guest_at(m, i);
        bool well = program_is(g) && !program_status(g) && !guest_failure(g)->set;
        bool shown = all || verified || (done && well);
        if (shown && program_is(g))
            program_print_profile(g, stderr);
        else if (shown)
            profile_print_events(g, stderr);
    }
}

static void print_mistake(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "evgpu: %s\n", text);
}

bool run_report_mistakes(struct machine *m, int attached)
{
    const struct checker *checker = gpu_checker(machine_gpu(m));
    if (!checker)
        return false;
    checker_report(checker, print_mistake, NULL);
    if (!checker_found(checker))
        return false;
    if (attached >= 0)
        (void)!send(attached, "!", 1, MSG_NOSIGNAL);
    return true;
}
