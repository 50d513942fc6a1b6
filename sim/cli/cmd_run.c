/* evgpu run: the main job. */
#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evgpu_defs.h"
#include "sim/cli/cli.h"
#include "sim/cli/route_source.h"
#include "sim/cli/run_report.h"
#include "sim/system/trace_window.h"
#include "sw/services/ipv4/pktgen.h"

#define DEFAULT_PACKETS    12000
#define DEFAULT_RATE       8000000 /* packets per second, half of 10 Gbit/s of the smallest frames */
#define DEFAULT_BACKGROUND 256
#define DEFAULT_PRODUCTS   16

struct request {
    struct machine_choice machine;
    struct forwarding_options job;
    struct machine_config config;
    struct route_source routes;
    const char *capture_path, *json, *trace_path;
    struct pktgen_options packets;
    uint32_t limit; /* packets of a capture, 0: all */
    uint64_t max_cycles, watchdog;
    enum trace_trigger trigger;
    uint64_t trigger_number, trace_length;
    char policy[32], flush[32];
    bool alone;
    char forward_path[PATH_MAX], matmul_path[PATH_MAX];
    struct error err;
};

enum {
    OPT_SET = 256,
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
    OPT_TILES,
    OPT_TRACE,
    OPT_TRIGGER,
    OPT_WINDOW,
    OPT_MAX,
    OPT_WATCHDOG,
    OPT_NO_ALONE,
    OPT_OUT,
    OPT_PRODUCTS,
    OPT_LAST
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Traffic", 1},
    {"capture", OPT_CAPTURE, "FILE", 0, "replay this Ethernet capture (a generated one)", 1},
    {"packets", OPT_PACKETS, "N", 0, "packets to generate, or at most of the capture (12000)", 1},
    {"rate", OPT_RATE, "PPS", 0, "mean packets per second of the generated capture (8000000)", 1},
    {"pace", OPT_PACE, "PACE", 0, "time (stamps of the capture), pps:N or gbps:N (time)", 1},
    {"routes", OPT_ROUTES, "FILE", 0, "`prefix/length [hop]` lines (generated ones)", 1},
    {"route-count", OPT_ROUTE_COUNT, "N", 0, "routes to generate (100000)", 1},
    {"drop", OPT_DROP, NULL, 0, "drop packets at a full NIC buffer instead of pausing the wire", 1},
    {NULL, 0, NULL, 0, "Machine", 2},
    {"config", 'c', "FILE", 0, "machine (edge.ini)", 2},
    {"set", OPT_SET, "SECTION.KEY=VALUE", 0, "override one configuration key", 2},
    {"launch", OPT_LAUNCH, "WHO", 0, "edge or cpu (edge)", 2},
    {"sched", OPT_SCHED, "HOW", 0, "preempt, drain or reserve (preempt)", 2},
    {"policy", OPT_POLICY, "VICTIM", 0, "oldest, newest or cheapest (event.policy)", 2},
    {"flush", OPT_FLUSH, "BITS", 0,
     "flush optimisations: 1 priority, 2 i-buffer, 4 barrier skip, 8 load drop (event.options)", 2},
    {"blocks", OPT_BLOCKS, NULL, 0, "events of 256 packets in thread blocks, not of one warp", 2},
    {"background", OPT_BACKGROUND, "N", 0, "N x N matrix product beside, 0: none (256)", 2},
    {"products", OPT_PRODUCTS, "N", 0, "repeat it beside the packets up to N times (16)", 2},
    {"tiles", OPT_TILES, "BACKEND", 0,
     "verilator, model, lockstep or on a board, serial:PORT[@BAUD]; serial+verilator:PORT for a "
     "board that does not hold all (verilator)",
     2},
    {"seed", OPT_SEED, "N", 0, "seed of everything generated (1)", 2},
    {NULL, 0, NULL, 0, "Output", 3},
    {"json", OPT_JSON, "FILE", 0, "statistics as JSON", 3},
    {"out", OPT_OUT, "FILE.pcap", 0, "what the NIC sends, as a capture", 3},
    {"no-alone", OPT_NO_ALONE, NULL, 0, "do not measure the background without packets", 3},
    {"trace", OPT_TRACE, "FILE.fst", 0, "waveforms of the RTL tiles", 3},
    {"trace-trigger", OPT_TRIGGER, "WHEN", 0,
     "start at cycle:N, preemption, doorbell:N or error (cycle:0)", 3},
    {"trace-window", OPT_WINDOW, "N", 0, "cycles to record, 0: to the end (0)", 3},
    {"max-cycles", OPT_MAX, "N", 0, "give up after N core cycles", 3},
    {"watchdog", OPT_WATCHDOG, "N", 0, "cycles without work that count as a hang", 3},
    {0},
};

static bool choose(struct request *r, const char *option, const char *text,
                   const char *const *names, uint32_t *index)
{
    for (*index = 0; names[*index]; (*index)++) {
        if (!strcmp(text, names[*index]))
            return true;
    }
    return error_set(&r->err, "%s %s: must be %s, %s%s%s", option, text, names[0], names[1],
                     names[2] ? " or " : "", names[2] ? names[2] : "");
}

static bool take_small(struct request *r, const char *option, const char *text, uint64_t max,
                       uint32_t *value)
{
    uint64_t n = 0;
    if (!parse_whole(option, text, max, &n, &r->err))
        return false;
    *value = (uint32_t)n;
    return true;
}

static bool take_pace(struct request *r, const char *text)
{
    if (!strcmp(text, "time")) {
        r->job.pace = NIC_PACE_TIMESTAMPS;
        return true;
    }
    bool packets = !strncmp(text, "pps:", 4), bits = !strncmp(text, "gbps:", 5);
    if (!packets && !bits)
        return error_set(&r->err, "--pace %s: must be time, pps:N or gbps:N", text);
    r->job.pace = packets ? NIC_PACE_PACKETS : NIC_PACE_BITS;
    if (!parse_whole("--pace", strchr(text, ':') + 1, packets ? 1000000000 : 1000, &r->job.rate,
                     &r->err))
        return false;
    if (!r->job.rate)
        return error_set(&r->err, "--pace %s: a rate of 0", text);
    if (bits)
        r->job.rate *= 1000000000;
    return true;
}

static bool take_trigger(struct request *r, const char *text)
{
    if (!strcmp(text, "preemption")) {
        r->trigger = TRIGGER_PREEMPTION;
        return true;
    }
    if (!strcmp(text, "error")) {
        r->trigger = TRIGGER_ERROR;
        return true;
    }
    bool doorbell = !strncmp(text, "doorbell:", 9);
    if (!doorbell && strncmp(text, "cycle:", 6))
        return error_set(
            &r->err, "--trace-trigger %s: must be cycle:N, preemption, doorbell:N or error", text);
    r->trigger = doorbell ? TRIGGER_DOORBELL : TRIGGER_CYCLE;
    return parse_whole("--trace-trigger", strchr(text, ':') + 1, UINT64_MAX, &r->trigger_number,
                       &r->err);
}

static bool take_traffic(struct request *r, int key, const char *arg)
{
    switch (key) {
    case OPT_CAPTURE:
        r->capture_path = arg;
        return true;
    case OPT_PACKETS:
        return take_small(r, "--packets", arg, 100000000, &r->limit);
    case OPT_RATE:
        return parse_whole("--rate", arg, 1000000000, &r->packets.rate_pps, &r->err);
    case OPT_PACE:
        return take_pace(r, arg);
    case OPT_ROUTES:
        r->routes.path = arg;
        return true;
    case OPT_ROUTE_COUNT:
        return take_small(r, "--route-count", arg, ROUTES_GENERATE_MAX, &r->routes.count);
    default:
        r->job.drop = true;
        return true;
    }
}

static bool add_override(struct request *r, const char *text)
{
    if (r->machine.n_overrides == MAX_OVERRIDES)
        return error_set(&r->err, "--set: more than %d overrides", MAX_OVERRIDES);
    r->machine.overrides[r->machine.n_overrides++] = text;
    return true;
}

static bool take_machine(struct request *r, int key, const char *arg)
{
    static const char *const launches[] = {"edge", "cpu", NULL};
    static const char *const modes[] = {"preempt", "drain", "reserve", NULL};
    uint32_t index = 0;
    switch (key) {
    case OPT_SET:
        return add_override(r, arg);
    case OPT_LAUNCH:
        if (!choose(r, "--launch", arg, launches, &index))
            return false;
        r->job.cpu_launch = index == 1;
        return true;
    case OPT_SCHED:
        return choose(r, "--sched", arg, modes, &r->job.mode);
    case OPT_POLICY:
        snprintf(r->policy, sizeof r->policy, "event.policy=%s", arg);
        return add_override(r, r->policy);
    case OPT_FLUSH:
        snprintf(r->flush, sizeof r->flush, "event.options=%s", arg);
        return add_override(r, r->flush);
    case OPT_BLOCKS:
        r->job.thread_blocks = true;
        return true;
    case OPT_BACKGROUND:
        return take_small(r, "--background", arg, 16384, &r->job.background);
    case OPT_PRODUCTS:
        return take_small(r, "--products", arg, UINT32_MAX, &r->job.products);
    case OPT_SEED:
        return parse_whole("--seed", arg, UINT64_MAX, &r->job.seed, &r->err);
    default:
        return parse_tiles(arg, &r->job.backend, &r->job.serial_port, &r->err);
    }
}

static bool take_output(struct request *r, int key, const char *arg)
{
    switch (key) {
    case OPT_JSON:
        r->json = arg;
        return true;
    case OPT_OUT:
        r->job.forwarded_path = arg;
        return true;
    case OPT_NO_ALONE:
        r->alone = false;
        return true;
    case OPT_TRACE:
        r->trace_path = arg;
        return true;
    case OPT_TRIGGER:
        return take_trigger(r, arg);
    case OPT_WINDOW:
        return parse_whole("--trace-window", arg, UINT64_MAX, &r->trace_length, &r->err);
    case OPT_MAX:
        return parse_whole("--max-cycles", arg, UINT64_MAX, &r->max_cycles, &r->err);
    default:
        return parse_whole("--watchdog", arg, UINT64_MAX, &r->watchdog, &r->err);
    }
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    bool ok = true;
    if (key == 'c')
        r->machine.config_name = arg;
    else if (key < OPT_SET || key >= OPT_LAST)
        return ARGP_ERR_UNKNOWN;
    else if (key == OPT_CAPTURE || key == OPT_PACKETS || key == OPT_RATE || key == OPT_PACE ||
             key == OPT_ROUTES || key == OPT_ROUTE_COUNT || key == OPT_DROP)
        ok = take_traffic(r, key, arg);
    else if (key == OPT_JSON || (key >= OPT_TRACE && key <= OPT_OUT))
        ok = take_output(r, key, arg);
    else
        ok = take_machine(r, key, arg);
    return ok ? 0 : EINVAL;
}

/* A generated capture goes through a file like any other. */
static bool generate_capture(struct request *r, const struct route_list *routes,
                             struct capture *capture)
{
    char path[] = "/tmp/evgpu-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        return error_set(&r->err, "%s: cannot be made", path);
    close(file);
    r->packets.count = r->limit ? r->limit : DEFAULT_PACKETS;
    r->packets.seed = r->job.seed;
    bool ok = pktgen_write(path, &r->packets, routes, NULL, &r->err) &&
              capture_read(path, 0, capture, &r->err);
    unlink(path);
    return ok;
}

static bool read_capture(struct request *r, const struct route_list *routes,
                         struct capture *capture)
{
    if (!r->capture_path)
        return generate_capture(r, routes, capture);
    if (!capture_read(r->capture_path, r->limit, capture, &r->err))
        return false;
    printf("%s: %u IPv4 packets of %llu frames", r->capture_path, capture->count,
           (unsigned long long)capture->frames);
    for (int i = 0; i < CAPTURE_SKIPS; i++) {
        if (capture->skipped[i])
            printf(", %llu %s", (unsigned long long)capture->skipped[i],
                   capture_skip_name((enum capture_skip)i));
    }
    printf("\n");
    return true;
}

static bool prepare(struct request *r, struct route_list *routes, struct capture *capture)
{
    if (!load_machine(&r->machine, &r->config, &r->err))
        return false;
    r->job.config = &r->config;
    r->job.batch = r->job.thread_blocks ? 256 : r->config.nic_batch;
    r->routes.seed = r->job.seed;
    if (!find_data("ipv4_forward.ptx", "sw/kernels", r->forward_path, PATH_MAX) ||
        !find_data("matmul.ptx", "sw/kernels", r->matmul_path, PATH_MAX))
        return error_set(&r->err, "sw/services/ipv4/ipv4_forward.ptx and matmul.ptx are not found; run "
                                  "evgpu in its source directory");
    r->job.forward_ptx = r->forward_path;
    r->job.matmul_ptx = r->matmul_path;
    if (r->trace_path && r->job.backend != TILE_VERILATOR && r->job.backend != TILE_LOCKSTEP)
        return error_set(&r->err, "--trace: these tiles have no waveforms; use --tiles "
                                  "verilator or lockstep");
    if (!route_source_read(&r->routes, routes, &r->err) || !read_capture(r, routes, capture))
        return false;
    r->job.routes = routes;
    r->job.capture = capture;
    return true;
}

static const char *const end_names[] = {"verified", "stopped", "cycle limit", "hang", "failed"};

static int report(struct request *r, enum run_end end, const struct forwarding_result *result,
                  double wall)
{
    run_report_print(&r->job, result, wall);
    if (r->json) {
        json_t *json = run_report_json(&r->job, result, end_names[end]);
        struct error err = {0};
        bool written = write_json(r->json, json, &err);
        json_decref(json);
        if (!written)
            return complain(EXIT_FAILED, &err);
    }
    if (end != RUN_DONE) {
        printf("NOT VERIFIED: %s\n", r->err.text);
        return EXIT_FAILED;
    }
    printf("VERIFIED: %llu packets%s equal their host references\n",
           (unsigned long long)result->packets_checked, r->job.background ? " and the matrix" : "");
    return EXIT_VERIFIED;
}

/* A failure is known when it has happened; so the run is done again, the same to the bit, with the
 * waveform of the cycles before it. */
#define CYCLES_BEFORE_ERROR 2000
static void trace_failure(struct request *r, const struct run_control *control, uint64_t cycle)
{
    uint64_t length = r->trace_length ? r->trace_length : CYCLES_BEFORE_ERROR;
    struct forwarding_result again;
    struct error err = {0};
    memset(&again, 0, sizeof again);
    trace_window_destroy(r->job.trace);
    r->job.trace =
        trace_window_create(r->trace_path, TRIGGER_CYCLE, cycle > length ? cycle - length : 0, 0);
    forwarding_run(&r->job, control, &again, &err);
    forwarding_free(&again);
}

static int run(struct request *r)
{
    struct forwarding_result result;
    memset(&result, 0, sizeof result);
    struct progress progress = {.events = NULL};
    struct run_control control = {.max_cycles = r->max_cycles,
                                  .watchdog_cycles = r->watchdog,
                                  .stop = catch_interrupts(),
                                  .progress = progress_update,
                                  .user = &progress};
    enum run_end end = RUN_DONE;
    if (r->alone && r->job.background) {
        progress_start(&progress, "background alone");
        end = forwarding_alone(&r->job, &control, &result, &r->err);
        progress_end(&progress);
    }
    progress_start(&progress, "packets");
    if (end == RUN_DONE)
        end = forwarding_run(&r->job, &control, &result, &r->err);
    if (r->job.trace && r->trigger == TRIGGER_ERROR && end != RUN_DONE && end != RUN_STOPPED &&
        result.cycles && !trace_window_recorded(r->job.trace))
        trace_failure(r, &control, result.cycles);
    progress_end(&progress);
    int status = end == RUN_FAILED && !result.cycles
                     ? complain(EXIT_BAD_INPUT, &r->err)
                     : report(r, end, &result, wall_seconds() - progress.start);
    forwarding_free(&result);
    return status;
}

int cmd_run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = on_option,
        .doc = "Replays a packet capture into a GPU that works on a matrix product: every batch of "
               "packets rings a doorbell, the forwarding kernel is launched without a CPU and "
               "preempts a warp. All packets and the matrix are checked."};
    struct request *r = calloc(1, sizeof *r);
    if (!r)
        return EXIT_BAD_INPUT;
    r->machine.config_name = "edge.ini";
    r->job.background = DEFAULT_BACKGROUND;
    r->job.products = DEFAULT_PRODUCTS;
    r->job.seed = 1;
    r->routes = ROUTE_SOURCE_DEFAULT;
    r->packets = pktgen_defaults();
    r->packets.rate_pps = DEFAULT_RATE;
    r->alone = true;
    struct route_list routes = {0};
    struct capture capture = {0};
    int status = EXIT_BAD_INPUT;
    if (argp_parse(&argp, argc, argv, 0, NULL, r) || !prepare(r, &routes, &capture)) {
        complain(status, &r->err);
    } else {
        if (r->trace_path)
            r->job.trace =
                trace_window_create(r->trace_path, r->trigger, r->trigger_number, r->trace_length);
        status = run(r);
        trace_window_destroy(r->job.trace);
    }
    capture_free(&capture);
    routes_free(&routes);
    free(r);
    return status;
}
