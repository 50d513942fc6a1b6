#include "sim/cli/run/run_execute.h"

#include <stdio.h>

#include "base/timeline.h"
#include "base/version.h"
#include "sim/cli/results/about.h"
#include "sim/cli/run/run_report.h"
#include "sim/guest/program/program.h"
#include "tb/fst_stamp.h"
#include "tb/port_record.h"

static const char *const end_names[] = {"verified", "stopped", "cycle limit", "hang", "failed"};

/* That of the first program that did not end well, for it may mean something to whoever ran it. */
static int failed_status(const struct machine *m)
{
    for (uint32_t i = 0; i < machine_guest_count(m); i++) {
        const struct guest *g = machine_guest_at(m, i);
        if (program_is(g) && program_status(g))
            return program_status(g);
    }
    return EXIT_FAILED;
}

/* The settings of the machine that runs are those of the plan. */
static struct about about_request(const struct run_request *r, const char *kind)
{
    return (struct about){
        .kind = kind, .seed = &r->plan.seed, .choice = &r->machine, .config = &r->plan.config};
}

static int report(struct run_request *r, struct machine *m, enum run_end end, double wall)
{
    char text[4096];
    bool verified = machine_verdict(m, end != RUN_DONE, text, sizeof text) && end == RUN_DONE;
    uint64_t at;
    if (end != RUN_DONE && !machine_failed_guest(m, &at))
        snprintf(text, sizeof text, "%s", r->err.text);
    if (r->plan.attached < 0)
        run_report_print(m, wall);
    if (r->sample.sampling)
        run_sample_print(&r->sample, r->plan.config.core_khz, stdout);
    if (r->profile)
        run_report_profiles(m, r->profile_given, end == RUN_DONE, verified);
    run_report_timing(m, r->plan.attached >= 0 && (r->profile || !r->profile_given));
    bool mistakes = run_report_mistakes(m, r->plan.attached);
    if (verified && mistakes) {
        verified = false;
        snprintf(text, sizeof text, "--check found mistakes");
    }
    bool written = machine_files_written(m);
    if (r->json) {
        json_t *figures =
            run_report_json(m, end == RUN_DONE && !verified ? "failed" : end_names[end]);
        if (r->sample.sampling)
            json_object_set_new(figures, "sampling", run_sample_json(&r->sample));
        const struct about about = about_request(r, "run");
        json_t *json = about_before(about_json(&about), figures);
        struct error err = {0};
        if (!write_json(r->json, json, &err)) {
            complain(EXIT_FAILED, &err);
            written = false;
        }
        json_decref(json);
    }
    if (r->plan.attached < 0)
        printf("%s: %s\n", verified ? "VERIFIED" : "NOT VERIFIED", text);
    if (verified)
        return written ? EXIT_VERIFIED : EXIT_FAILED;
    return r->plan.attached < 0 ? failed_status(m) : EXIT_FAILED;
}

static void on_cycle(void *user, uint64_t cycle)
{
    trace_window_cycle(user, cycle);
}

/* The planned machine with its waveform; NULL with `err`. */
static struct machine *create(struct run_request *r)
{
    struct machine *m = plan_machine(&r->plan, true, &r->err);
    if (!m || !r->plan.trace)
        return m;
    if (!trace_window_attach(r->plan.trace, machine_gpu(m), &r->err)) {
        machine_destroy(m);
        return NULL;
    }
    machine_on_tick(m, on_cycle, r->plan.trace);
    return m;
}

/* A failure is known when it has happened; so the run is done again, the same to the bit, with the
 * waveform of the cycles before it. */
static void trace_failure(struct run_request *r, const struct run_control *control, uint64_t cycle)
{
    const struct error why = r->err;
    struct error err = {0};
    r->err.set = false;
    trace_window_destroy(r->plan.trace);
    r->plan.trace = trace_window_before(&r->trace, cycle);
    struct machine *m = create(r);
    if (m)
        machine_run(m, control, &err);
    trace_window_close(r->plan.trace);
    machine_destroy(m);
    r->err = why;
}

/* --- a window that begins before its trigger: the run is done once without a waveform, as far as
 * the trigger, and then again, the same to the bit
 * ----------------------------------------------------- */

#define LONGEST_WAIT 20000u /* cycles; a doorbell that has waited for longer is not waited with */

struct trigger_search {
    const struct trace_request *trace;
    const struct gpu *gpu;
    const volatile sig_atomic_t *stop; /* of the user */
    sig_atomic_t over;
    bool found;
    struct trace_place at;
};

static void look_for_trigger(void *user, uint64_t cycle)
{
    struct trigger_search *s = user;
    if (!s->found && trace_trigger_fires(s->gpu, s->trace->trigger, s->trace->number, cycle)) {
        s->found = true;
        s->at.cycle = cycle;
        s->at.waiting = gpu_waiting_since(s->gpu, cycle > LONGEST_WAIT ? cycle - LONGEST_WAIT : 0);
    }
    if (s->found || *s->stop)
        s->over = 1;
}

static void find_trigger(struct run_request *r, const struct run_control *control)
{
    struct error err = {0};
    struct trigger_search search = {.trace = &r->trace, .stop = control->stop};
    struct run_control until_found = *control;
    r->plan.rehearsal = true;
    struct machine *m = plan_machine(&r->plan, true, &err);
    r->plan.rehearsal = false;
    if (!m)
        return;
    until_found.stop = &search.over;
    search.gpu = machine_gpu(m);
    machine_on_tick(m, look_for_trigger, &search);
    machine_run(m, &until_found, &err);
    machine_destroy(m);
    if (search.found) {
        trace_window_destroy(r->plan.trace);
        r->plan.trace = trace_window_at(&r->trace, &search.at);
    }
}

/* Says why there is no waveform. False when one was asked for; a run without an error has none to
 * show of that trigger. */
static bool waveform_kept(const struct run_request *r)
{
    struct error err = {0};
    if (!r->plan.trace || trace_window_kept(r->plan.trace, &err))
        return true;
    complain(EXIT_FAILED, &err);
    return r->trace.trigger == WAVE_TRIGGER_ERROR && !trace_window_recorded(r->plan.trace);
}

/* The programs on the same machine without services. */
static enum run_end run_alone(struct run_request *r, const struct run_control *control)
{
    uint64_t at;
    struct machine *m = plan_machine(&r->plan, false, &r->err);
    enum run_end end = m ? machine_run(m, control, &r->err) : RUN_FAILED;
    if (end == RUN_DONE && !machine_failed_guest(m, &at)) /* one fails together, too */
        plan_keep_alone(&r->plan, m);
    machine_destroy(m);
    return end;
}

/* The timeline is of this run alone, and complete before anything is said of the run. */
static bool end_timeline(struct run_request *r, struct machine *m, struct error *err)
{
    struct timeline *timeline = r->plan.machine.timeline;
    r->plan.machine.timeline = NULL;
    if (m)
        machine_end_timeline(m);
    return timeline_close(timeline, err);
}

/* In its header, as far as that has room, and beside it. */
static bool describe_waveform(const struct run_request *r, struct error *err)
{
    const struct about about = about_request(r, "waveform");
    char text[VERSION_TEXT], name[VERSION_TEXT + 8], date[ABOUT_DATE];
    snprintf(name, sizeof name, "evgpu %s", version_text(text));
    return fst_stamp(r->trace.path, name, about_date(date), err) &&
           about_beside(r->trace.path, &about, err);
}

/* The recorded ports are of this run alone. */
static bool end_ports(struct run_request *r, bool done, struct error *err)
{
    struct port_record *ports = r->plan.machine.ports;
    r->plan.machine.ports = NULL;
    if (!ports || done)
        return !ports || port_record_finish(ports, err);
    port_record_abandon(ports);
    return true;
}

static int run_together(struct run_request *r, const struct run_control *control, double since)
{
    struct error written = {0};
    struct timeline **timeline = &r->plan.machine.timeline;
    if (r->timeline_path) {
        const struct about about = about_request(r, "timeline");
        json_t *text = about_json(&about);
        *timeline = timeline_create(r->timeline_path, r->plan.config.core_khz, text, &r->err);
        json_decref(text);
    }
    if (r->ports_path)
        r->plan.machine.ports = port_record_open(r->ports_path, &r->err);
    bool opened = (!r->timeline_path || *timeline) && (!r->ports_path || r->plan.machine.ports);
    struct machine *m = opened ? create(r) : NULL;
    if (!m) {
        end_timeline(r, m, &written);
        end_ports(r, false, &written);
        return complain(EXIT_BAD_INPUT, &r->err);
    }
    enum run_end end = machine_run(m, control, &r->err);
    progress_end(control->user);
    end_timeline(r, m, &written);
    if (r->plan.trace)
        trace_window_close(r->plan.trace);
    uint64_t at = machine_cycle(m);
    bool failed = machine_failed_guest(m, &at) || (end != RUN_DONE && end != RUN_STOPPED);
    machine_on_tick(m, NULL, NULL);
    int status = report(r, m, end, wall_seconds() - since);
    machine_destroy(m);
    end_ports(r, true, &written);
    if (r->plan.trace && r->trace.trigger == WAVE_TRIGGER_ERROR && failed &&
        !trace_window_recorded(r->plan.trace))
        trace_failure(r, control, at);
    bool kept = waveform_kept(r);
    if (kept && r->plan.trace && trace_window_recorded(r->plan.trace) && !written.set)
        describe_waveform(r, &written);
    if (written.set)
        complain(EXIT_FAILED, &written);
    return status || (kept && !written.set) ? status : EXIT_FAILED;
}

/* Finds the launches of which some are timed. */
static int find_launches(struct run_request *r, const struct run_control *control)
{
    progress_start(control->user, "run without time");
    enum run_end end = run_sample_first(&r->sample, &r->plan, control, &r->err);
    progress_end(control->user);
    if (end == RUN_DONE)
        return EXIT_VERIFIED;
    printf("NOT VERIFIED: without time: %s\n", r->err.text);
    return EXIT_FAILED;
}

int run_execute(struct run_request *r)
{
    struct progress progress = {.what = NULL};
    struct run_control control = {.max_cycles = r->max_cycles,
                                  .watchdog_cycles = r->watchdog,
                                  .stop = catch_interrupts(),
                                  .progress = progress_update,
                                  .user = &progress};
    if (r->alone && r->plan.n_programs && r->plan.n_services) {
        progress_start(&progress, "programs alone");
        enum run_end end = run_alone(r, &control);
        progress_end(&progress);
        if (end == RUN_FAILED)
            return complain(EXIT_BAD_INPUT, &r->err);
        if (end != RUN_DONE && end != RUN_STOPPED) {
            printf("NOT VERIFIED: without services: %s\n", r->err.text);
            return EXIT_FAILED;
        }
        r->err.set =
            false; /* stopped: the run with services is at once, too, and leaves its files */
    }
    if (!plan_promises(&r->plan, &control, r->plan.attached < 0 ? stdout : NULL, &r->err))
        return complain(EXIT_BAD_INPUT, &r->err);
    if (trace_looks_back(&r->trace) && r->plan.attached < 0) {
        progress_start(&progress, "looking for the trigger");
        find_trigger(r, &control);
        progress_end(&progress);
    }
    if (r->sample.on && find_launches(r, &control) != EXIT_VERIFIED)
        return EXIT_FAILED;
    progress_start(&progress, r->plan.attached < 0 ? "run" : "evgpu");
    return run_together(r, &control, progress.start);
}
