/* evgpu run: guests on one machine. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evgpu_defs.h"
#include "sim/cli/cli.h"
#include "sim/cli/run/run_execute.h"
#include "sim/guest/service/service.h"
#include "sim/simt/check/check.h"

#define DEFAULT_BACKGROUND 256
#define DEFAULT_PRODUCTS   16

enum {
    OPT_SET = 256,
    OPT_SERVICE,
    OPT_PROGRAM,
    OPT_ATTACH,
    OPT_CPUS,
    OPT_CAPTURE,
    OPT_ROUTES,
    OPT_ROUTE_COUNT,
    OPT_PACKETS,
    OPT_RATE,
    OPT_PACE,
    OPT_LAUNCH,
    OPT_SCHED,
    OPT_POLICY,
    OPT_FLUSH,
    OPT_BLOCKS,
    OPT_BACKGROUND,
    OPT_DROP,
    OPT_SEED,
    OPT_JSON,
    OPT_DETAILS,
    OPT_TILES,
    OPT_TRACE,
    OPT_EVENT,
    OPT_TRIGGER,
    OPT_WINDOW,
    OPT_BEFORE,
    OPT_MAX,
    OPT_WATCHDOG,
    OPT_ALONE,
    OPT_NO_ALONE,
    OPT_OUT,
    OPT_PRODUCTS,
    OPT_REPEAT,
    OPT_COPIES,
    OPT_SCALE,
    OPT_CPU_WARMUP,
    OPT_CPU_QUOTA,
    OPT_GPU_QUOTA,
    OPT_PROFILE,
    OPT_TIMELINE,
    OPT_RECORD_PORTS,
    OPT_CHECK,
    OPT_NO_PROFILE,
    OPT_CONCURRENCY,
    OPT_BAD_READ,
    OPT_TIMING,
    OPT_NATIVE,
    OPT_SAMPLE,
    OPT_THREADS,
    OPT_LAST
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Guests", 1},
    {"service", OPT_SERVICE, "NAME[,KEY=VALUE...]", 0,
     "add an event service; may be repeated. `--service help` lists services and their keys, "
     "`--service NAME,help` those of one; `\\,` is a comma in a value (ipv4)",
     1},
    {"program", OPT_PROGRAM, "'PROG ARGS'", 0,
     "add a CUDA program, in a process of its own; may be repeated. The run ends with its status",
     1},
    {"attach", OPT_ATTACH, "FD", OPTION_HIDDEN, "serve the program that has started this command",
     1},
    {"cpus", OPT_CPUS, "MIX|PROGRAM[*N],...", 0,
     "programs of the machine's CPU cores: the name of a mix, or for each core the name of an "
     "application or a trace file",
     1},
    {"background", OPT_BACKGROUND, "N", 0,
     "add a background program that multiplies N x N matrices; 0: none (256)", 1},
    {"products", OPT_PRODUCTS, "N", 0,
     "let the background multiply at most N times beside the services (16)", 1},
    {"repeat", OPT_REPEAT, "N", OPTION_ARG_OPTIONAL,
     "restart each --program until the services are done, at least N times (1)", 1},
    {"copies", OPT_COPIES, "N", 0,
     "processes of a repeated program: one computes while another copies and checks (2)", 1},
    {"alone", OPT_ALONE, NULL, 0,
     "first run the programs without services, to compare; --no-alone: do not (default: if the "
     "background is the only program)",
     1},
    {"no-alone", OPT_NO_ALONE, NULL, OPTION_ALIAS, "do not run the programs without services first",
     1},
    {NULL, 0, NULL, 0, "Traffic, for every service", 2},
    {"capture", OPT_CAPTURE, "FILE", 0, "replay this Ethernet capture (default: a generated one)",
     2},
    {"packets", OPT_PACKETS, "N", 0,
     "packets to generate, or to replay of the capture at most (12000)", 2},
    {"rate", OPT_RATE, "PPS", 0,
     "mean rate of the generated capture in packets per second (8000000)", 2},
    {"pace", OPT_PACE, "PACE", 0,
     "rate of the wire: the capture's time stamps (time; start, from the wire's start on), pps:N "
     "or gbps:N (time)",
     2},
    {"routes", OPT_ROUTES, "FILE", 0,
     "routing table of `prefix/length [hop]` lines (default: a generated one)", 2},
    {"route-count", OPT_ROUTE_COUNT, "N", 0, "routes to generate (100000)", 2},
    {"drop", OPT_DROP, NULL, 0,
     "drop packets when the NIC's buffer is full instead of pausing the wire", 2},
    {"launch", OPT_LAUNCH, "WAY", 0,
     "way to launch events: edge, cpu, persistent, gda, hsa or xtq (edge)", 2},
    {"blocks", OPT_BLOCKS, NULL, 0,
     "launch events of 256 packets as thread blocks instead of one warp", 2},
    {"out", OPT_OUT, "FILE.pcap", 0, "write the frames that the NIC sends as a capture", 2},
    {NULL, 0, NULL, 0, "Machine", 3},
    {"config", 'c', "FILE", 0, "machine: a file, or one of config/ (edge.ini)", 3},
    {"set", OPT_SET, "SECTION.KEY=VALUE", 0, SET_HELP, 3},
    {"sched", OPT_SCHED, "HOW", 0,
     "scheduling of events: preempt, drain, reserve or dynamic (preempt); event.drain says where "
     "those wait that do not preempt",
     3},
    {"policy", OPT_POLICY, "VICTIM", 0,
     "choice of the warp that an event borrows (event.policy; `evgpu config` lists the names)", 3},
    {"flush", OPT_FLUSH, "BITS", 0,
     "flush optimisations: 1 priority, 2 i-buffer, 4 barrier skip, 8 load drop; or drop-unsafe: "
     "all, loads by the rule of EDGE's artifact (event.options)",
     3},
    {"tiles", OPT_TILES, "BACKEND", 0,
     "back end of the tiles: verilator, model, lockstep, or a board as serial:PORT[@BAUD] "
     "or serial:eth:INTERFACE; serial+verilator:PORT verilates the tiles that the board lacks "
     "(verilator)",
     3},
    {"concurrency", OPT_CONCURRENCY, "POLICY", 0,
     "warp limits of the SIMT cores: off, fixed:N, cm-cpu, cm-bal1 to cm-bal4, cm-bal:k=K, "
     "cm-next, "
     "dyncta or dyncta-tuned; settings in [concurrency] of the configuration (off)",
     3},
    {"timing", OPT_TIMING, "WHICH", 0,
     "kernels that are timed: all, none, every:N (the first launch and every N-th), after:CYCLE, "
     "or "
     "their names with commas; the others only compute, many times as fast, and have no time (all)",
     3},
    {"native", OPT_NATIVE, "WHEN", 0,
     "machine code of this computer for kernels that are not timed: auto (for those that run long, "
     "made beside the run), first (before a kernel starts) or off; results are the same (auto)",
     3},
    {"sample", OPT_SAMPLE, NULL, 0,
     "time some launches of each kernel, chosen in a first run without time, and estimate the "
     "cycles "
     "of all",
     3},
    {"seed", OPT_SEED, "N", 0, "seed of all generated input (1)", 3},
    {"threads", OPT_THREADS, "N", 0, THREADS_HELP, 3},
    {NULL, 0, NULL, 0, "Measurement (with CPU cores, or if one of these options is given)", 4},
    {"scale", OPT_SCALE, "SCALE", 0,
     "quotas for runs of seconds (small), or those of the paper (small)", 4},
    {"cpu-warmup", OPT_CPU_WARMUP, "N", 0,
     "instructions that each CPU core executes before the GPU starts", 4},
    {"cpu-quota", OPT_CPU_QUOTA, "N", 0, "instructions measured on each CPU core", 4},
    {"gpu-quota", OPT_GPU_QUOTA, "N", 0,
     "thread instructions measured of each program; 0: until it ends", 4},
    {NULL, 0, NULL, 0, "Output", 5},
    {"json", OPT_JSON, "FILE", 0, "write statistics as JSON, one section per guest", 5},
    {"details", OPT_DETAILS, NULL, 0,
     "add to --json for `evgpu report`: histograms of latencies, series over time, source lines",
     5},
    {"profile", OPT_PROFILE, NULL, 0,
     "print where each program's time went, to standard error; --no-profile: do not, nor how many "
     "launches were not timed (default: with --program)",
     5},
    {"no-profile", OPT_NO_PROFILE, NULL, OPTION_ALIAS, "do not print the profile", 5},
    {"timeline", OPT_TIMELINE, "FILE.json", 0,
     "record calls, driver, copies, kernels, events and packets for Perfetto or about:tracing", 5},
    {"check", OPT_CHECK, "WHAT", 0,
     "find mistakes that do not stop a program: uninit (reads of memory never written), races (in "
     "shared and device memory), barriers (that not all threads reach), a list of them with "
     "commas, "
     "or all; a finding fails the run",
     5},
    {"on-bad-read", OPT_BAD_READ, "HOW", 0,
     "what a kernel's load from where nothing is allocated does: stop the program, or report the "
     "place once, read 0 and go on (stop)",
     5},
    {"record-ports", OPT_RECORD_PORTS, "FILE", 0,
     "record every input and output of the RTL tiles, for evgpu-replay; FILE ends in .gz or .xz to "
     "be "
     "compressed",
     5},
    {"trace", OPT_TRACE, "FILE.fst", 0, "record waveforms of the RTL tiles", 5},
    {"trace-trigger", OPT_TRIGGER, "WHEN", 0,
     "start recording at cycle:N, preemption, doorbell:N, fe-timeout or error (cycle:0)", 5},
    {"trace-event", OPT_EVENT, "TAG", 0, "give the event with this tag the first track", 5},
    {"trace-window", OPT_WINDOW, "N", 0, "cycles to record; 0: until the end (0)", 5},
    {"trace-before", OPT_BEFORE, "N", 0,
     "cycles to keep in front of a preemption, a doorbell or fe-timeout, and more for the doorbell "
     "of "
     "an event that waits there; 0: begin with the trigger (2000)",
     5},
    {"max-cycles", OPT_MAX, "N", 0, "fail after N core cycles (no limit)", 5},
    {"watchdog", OPT_WATCHDOG, "N", 0,
     "fail with a report of the hang after N cycles without progress (2000000)", 5},
    {0},
};

/* An option of the same name as a service's setting. */
static const struct {
    int option;
    const char *key;
} service_options[] = {
    {OPT_CAPTURE, "capture"}, {OPT_PACKETS, "packets"}, {OPT_RATE, "rate"},
    {OPT_PACE, "pace"},       {OPT_ROUTES, "routes"},   {OPT_ROUTE_COUNT, "route-count"},
    {OPT_DROP, "drop"},       {OPT_LAUNCH, "launch"},   {OPT_BLOCKS, "blocks"},
    {OPT_OUT, "out"},
};

static bool take_checks(struct run_request *r, const char *text)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } checks[] = {{"uninit", CHECK_UNINIT},
                  {"races", CHECK_RACES},
                  {"barriers", CHECK_BARRIERS},
                  {"all", CHECK_UNINIT | CHECK_RACES | CHECK_BARRIERS}};
    const size_t n = sizeof checks / sizeof checks[0];
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, ","), i = 0;
        while (i < n &&
               (strlen(checks[i].name) != length || strncmp(word, checks[i].name, length) != 0))
            i++;
        if (i == n)
            break;
        r->plan.machine.checks |= checks[i].bits;
        word += length + (word[length] == ',');
        if (!*word)
            return true;
    }
    return error_set(&r->err,
                     "--check '%s': must be uninit, races, barriers or all; several with "
                     "commas",
                     text);
}

static bool take_bad_read(struct run_request *r, const char *text)
{
    bool report = strcmp(text, "report") == 0;
    if (!report && strcmp(text, "stop") != 0)
        return error_set(&r->err, "--on-bad-read '%s': must be stop or report", text);
    if (report)
        r->plan.machine.checks |= CHECK_BAD_READS;
    else
        r->plan.machine.checks &= ~CHECK_BAD_READS;
    return true;
}

static bool choose(struct run_request *r, const char *option, const char *text,
                   const char *const *names, uint32_t *index)
{
    char all[128] = "";
    for (*index = 0; names[*index]; (*index)++) {
        const char *before = !*index ? "" : names[*index + 1] ? ", " : " or ";
        if (!strcmp(text, names[*index]))
            return true;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", before, names[*index]);
    }
    return error_set(&r->err, "%s %s: must be %s", option, text, all);
}

static bool take_small(struct run_request *r, const char *option, const char *text, uint64_t max,
                       uint32_t *value)
{
    uint64_t n = 0;
    if (!parse_whole(option, text, max, &n, &r->err))
        return false;
    *value = (uint32_t)n;
    return true;
}

/* An option that is a setting of every service. */
static bool take_setting(struct run_request *r, int key, const char *arg)
{
    for (size_t i = 0; i < sizeof service_options / sizeof service_options[0]; i++) {
        if (service_options[i].option != key)
            continue;
        if (r->n_common == MAX_SETTINGS)
            return error_set(&r->err, "more than %d options for services", MAX_SETTINGS);
        r->common[r->n_common++] = (struct setting){service_options[i].key, arg};
        return true;
    }
    return false;
}

static bool take_guests(struct run_request *r, int key, char *arg)
{
    switch (key) {
    case OPT_SERVICE:
        if (service_help(arg, stdout))
            exit(EXIT_VERIFIED);
        r->composed = true;
        return plan_service(&r->plan, arg, &r->err);
    case OPT_PROGRAM:
        r->composed = true;
        return plan_program(&r->plan, arg, &r->err);
    case OPT_ATTACH: {
        uint32_t fd = 0;
        r->composed = true;
        if (!take_small(r, "--attach", arg, INT32_MAX, &fd))
            return false;
        r->plan.attached = (int)fd;
        return true;
    }
    case OPT_CPUS:
        r->composed = r->plan.measured = true;
        if (r->plan.cpus)
            return error_set(&r->err, "--cpus is given twice");
        r->plan.cpus = arg;
        return true;
    case OPT_BACKGROUND:
        r->background_given = true;
        return take_small(r, "--background", arg, 16384, &r->plan.background);
    case OPT_PRODUCTS:
        return take_small(r, "--products", arg, UINT32_MAX, &r->plan.products) &&
               (r->plan.products || error_set(&r->err, "--products: must be 1 or more"));
    case OPT_REPEAT:
        r->plan.repeat = 1;
        return !arg || (take_small(r, "--repeat", arg, UINT32_MAX, &r->plan.repeat) &&
                        (r->plan.repeat || error_set(&r->err, "--repeat: must be 1 or more")));
    case OPT_COPIES:
        return take_small(r, "--copies", arg, MAX_PROGRAMS, &r->plan.copies) &&
               (r->plan.copies || error_set(&r->err, "--copies: must be 1 or more"));
    default:
        r->alone = key == OPT_ALONE;
        r->alone_given = true;
        return true;
    }
}

static bool add_override(struct run_request *r, const char *option, const char *text)
{
    if (r->machine.n_overrides == MAX_OVERRIDES)
        return error_set(&r->err, "--set: more than %d overrides", MAX_OVERRIDES);
    r->machine.options[r->machine.n_overrides] = option;
    r->machine.overrides[r->machine.n_overrides++] = text;
    return true;
}

static bool take_machine(struct run_request *r, int key, const char *arg)
{
    static const char *const modes[] = {"preempt", "drain", "reserve", "dynamic", NULL};
    switch (key) {
    case OPT_SET:
        return add_override(r, "--set", arg);
    case OPT_SCHED:
        return choose(r, "--sched", arg, modes, &r->plan.machine.mode);
    case OPT_POLICY:
        r->policy = arg;
        return true;
    case OPT_FLUSH:
        r->flush = arg;
        return true;
    case OPT_CONCURRENCY:
        return concurrency_parse(arg, &r->plan.machine.concurrency, &r->err);
    case OPT_TIMING:
        return timing_parse(arg, &r->plan.machine.timing, &r->err);
    case OPT_NATIVE:
        return parse_native(arg, &r->plan.machine.native, &r->err);
    case OPT_THREADS:
        return parse_threads("--threads", arg, &r->machine.threads, &r->err);
    case OPT_SAMPLE:
        r->sample.on = true;
        return true;
    case OPT_SEED:
        return parse_whole("--seed", arg, UINT64_MAX, &r->plan.seed, &r->err);
    default:
        return parse_tiles(arg, &r->plan.machine.backend, &r->plan.machine.serial_port, &r->err);
    }
}

static bool take_output(struct run_request *r, int key, const char *arg)
{
    switch (key) {
    case OPT_JSON:
        r->json = arg;
        return true;
    case OPT_DETAILS:
        r->plan.machine.details = true;
        return true;
    case OPT_TIMELINE:
        r->timeline_path = arg;
        return true;
    case OPT_RECORD_PORTS:
        r->ports_path = arg;
        return true;
    case OPT_PROFILE:
    case OPT_NO_PROFILE:
        r->profile = key == OPT_PROFILE;
        r->profile_given = true;
        return true;
    case OPT_TRACE:
        r->trace.path = arg;
        return true;
    case OPT_TRIGGER:
        return trace_take_trigger(&r->trace, arg, &r->err);
    case OPT_EVENT:
        r->trace.follows = true;
        return take_small(r, "--trace-event", arg, UINT16_MAX, &r->trace.followed);
    case OPT_WINDOW:
        return parse_whole("--trace-window", arg, UINT64_MAX, &r->trace.length, &r->err);
    case OPT_BEFORE:
        return parse_whole("--trace-before", arg, UINT64_MAX, &r->trace.before, &r->err);
    case OPT_CHECK:
        return take_checks(r, arg);
    case OPT_BAD_READ:
        return take_bad_read(r, arg);
    case OPT_MAX:
        return parse_count("--max-cycles", arg, UINT64_MAX, &r->max_cycles, &r->err);
    default:
        return parse_count("--watchdog", arg, UINT64_MAX, &r->watchdog, &r->err);
    }
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct run_request *r = state->input;
    bool ok = true;
    if (key == ARGP_KEY_ARG) {
        error_set(&r->err, "run %s: must be an option; --program '%s' runs a CUDA program", arg,
                  arg);
        return EINVAL;
    }
    if (key == 'c')
        r->machine.config_name = arg;
    else if (key < OPT_SET || key >= OPT_LAST)
        return ARGP_ERR_UNKNOWN;
    else if (key == OPT_SERVICE || key == OPT_PROGRAM || key == OPT_ATTACH || key == OPT_CPUS ||
             key == OPT_BACKGROUND || key == OPT_PRODUCTS || key == OPT_REPEAT ||
             key == OPT_COPIES || key == OPT_ALONE || key == OPT_NO_ALONE)
        ok = take_guests(r, key, arg);
    else if (key >= OPT_SCALE && key <= OPT_GPU_QUOTA)
        ok = quota_option(&r->quotas, key - OPT_SCALE, arg, &r->err);
    else if (key == OPT_JSON || key == OPT_DETAILS || key == OPT_PROFILE || key == OPT_NO_PROFILE ||
             key == OPT_TIMELINE || key == OPT_RECORD_PORTS || key == OPT_CHECK ||
             key == OPT_BAD_READ || (key >= OPT_TRACE && key <= OPT_WATCHDOG))
        ok = take_output(r, key, arg);
    else
        ok = take_setting(r, key, arg) || (!r->err.set && take_machine(r, key, arg));
    options_give(&r->options, key);
    return ok ? 0 : EINVAL;
}

/* --policy and --flush are keys of the configuration by shorter names. */
static bool load(struct run_request *r)
{
    snprintf(r->policy_override, sizeof r->policy_override, "event.policy=%s",
             r->policy ? r->policy : "");
    snprintf(r->flush_override, sizeof r->flush_override, "event.options=%s",
             r->flush ? r->flush : "");
    return (!r->policy || add_override(r, "--policy", r->policy_override)) &&
           (!r->flush || add_override(r, "--flush", r->flush_override)) &&
           load_machine(&r->machine, &r->plan.config, &r->err);
}

/* For option_needs.h, but for HAVE_EVENTS. */
static uint32_t have(const struct run_request *r)
{
    const struct run_plan *plan = &r->plan;
    bool programs = plan->n_programs || plan->attached >= 0;
    return (plan->n_services ? HAVE_SERVICE : 0u) | (programs ? HAVE_PROGRAM | HAVE_EVENTS : 0u) |
           (plan->background ? HAVE_BACKGROUND : 0u) | (plan->cpus ? HAVE_CPUS : 0u) |
           (r->trace.path ? HAVE_TRACE : 0u) |
           (r->trace.trigger != WAVE_TRIGGER_CYCLE ? HAVE_TRIGGER : 0u) |
           (plan->machine.mode > SCHED_MODE_DRAIN ? HAVE_RESERVED : 0u);
}

static bool launches_events(const struct run_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_services; i++) {
        if (packet_setup_options(plan->services[i].setup)->launch == LAUNCH_EDGE)
            return true;
    }
    return false;
}

/* What makes no sense with kernels that take no time; NULL: nothing. */
static const char *needs_time(const struct run_request *r)
{
    const struct run_plan *plan = &r->plan;
    if (plan->n_services)
        return "--service: events meet a GPU at work";
    if (plan->cpus)
        return "--cpus: they share memory with the GPU";
    if (plan->measured || r->quotas.given)
        return "a quota: it ends a measured time";
    if (plan->machine.concurrency.policy != CONCURRENCY_OFF)
        return "--concurrency: it reacts to the cores' cycles";
    return NULL;
}

static bool check_timing(struct run_request *r)
{
    const char *what = needs_time(r), *option = r->sample.on ? "--sample" : "--timing";
    bool timing = r->plan.machine.timing.kind != TIMED_ALL;
    if (r->sample.on && option_was_given(&r->options, "timing"))
        return error_set(&r->err, "--sample: leave out --timing; --sample chooses what is timed");
    if (r->sample.on && r->plan.attached >= 0)
        return error_set(&r->err, "--sample: it runs a program twice; start it with evgpu run "
                                  "--sample --program");
    if ((timing || r->sample.on) && !r->composed)
        return error_set(&r->err,
                         "%s: needs --program; all kernels are timed beside the service "
                         "that runs by default",
                         option);
    if ((timing || r->sample.on) && what)
        return error_set(&r->err, "%s: leave it out with %s, so all kernels are timed", option,
                         what);
    return true;
}

static bool prepare(struct run_request *r)
{
    struct run_plan *plan = &r->plan;
    char ipv4[] = "ipv4"; /* without settings: the plan keeps no pointer into it */
    if (!load(r))
        return false;
    if (!r->composed && !plan_service(plan, ipv4, &r->err))
        return false;
    if (r->composed && !r->background_given)
        plan->background = 0;
    const uint32_t here = have(r);
    if (!options_needed(&r->options, here, &r->err) || !check_timing(r))
        return false;
    if (!r->alone_given) /* a program of the user's runs once */
        r->alone = plan->background && !plan->n_programs;
    if (!r->profile_given)
        r->profile = plan->n_programs || plan->attached >= 0;
    if (!quota_resolve(&r->quotas, &plan->quotas, &r->err))
        return false;
    plan->measured = plan->measured || r->quotas.given;
    if (plan->repeat && plan->measured)
        return error_set(&r->err,
                         "--repeat: leave it out; beside CPU cores and with quotas, programs "
                         "restart anyway");
    if (r->trace.path && plan->machine.backend != TILE_VERILATOR &&
        plan->machine.backend != TILE_LOCKSTEP)
        return error_set(&r->err, "--trace: these tiles have no waveforms; use --tiles "
                                  "verilator or lockstep");
    if (r->ports_path && r->machine.threads > 1)
        return error_set(&r->err, "--record-ports: needs --threads 1, so that steps have an order");
    if (!plan_prepare(plan, r->common, r->n_common, &r->err) ||
        !plan_brings_kernels(plan, &r->err) || !run_outputs_check(r))
        return false;
    options_idle(&r->options, here | (launches_events(plan) ? HAVE_EVENTS : 0u));
    return true;
}

const struct argp run_argp = {
    .options = options,
    .parser = on_option,
    .doc = "Runs guests on one machine and checks the results of each. Without --service, the "
           "service ipv4 runs beside a matrix product: a NIC replays a packet capture, each "
           "batch of packets rings a doorbell, and the forwarding kernel starts without a CPU "
           "and preempts a warp."};

int cmd_run(int argc, char **argv)
{
    struct run_request *r = calloc(1, sizeof *r);
    if (!r)
        return EXIT_BAD_INPUT;
    catch_interrupts(); /* traffic may take a while to be generated */
    r->options.table = options;
    r->machine.config_name = "edge.ini";
    r->plan.background = DEFAULT_BACKGROUND;
    r->plan.products = DEFAULT_PRODUCTS;
    r->plan.seed = 1;
    r->plan.attached = -1;
    r->trace.before = TRACE_BEFORE;
    int status = EXIT_BAD_INPUT;
    if (argp_parse(&run_argp, argc, argv, 0, NULL, r) || !prepare(r)) {
        complain(status, &r->err);
    } else {
        r->plan.trace = trace_window_of(&r->trace);
        status = run_execute(r);
        trace_window_destroy(r->plan.trace);
    }
    plan_release(&r->plan);
    run_sample_free(&r->sample);
    free(r);
    return status;
}
