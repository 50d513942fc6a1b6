/* evgpu cputrace: instruction traces for CPU cores, recorded or written out, and what they are made
 * of. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/compressed_output.h"
#include "sim/cli/cli.h"
#include "sim/cli/named_files.h"
#include "sim/cli/results/about.h"
#include "sim/cpu/trace/applications.h"
#include "sim/cpu/trace/record.h"
#include "sim/cpu/trace/trace_profile.h"

enum { OPT_SKIP = 256, OPT_COUNT, OPT_DESCRIBE, OPT_APPLICATION, OPT_LIST, OPT_SEED, OPT_JSON };
enum { BATCH = 256 };

static const struct argp_option options[] = {
    {"skip", OPT_SKIP, "N", 0, "skip this many instructions first (0)", 0},
    {"count", OPT_COUNT, "N", 0,
     "keep at most this many instructions (10000000; with --describe 1000000)", 0},
    {"describe", OPT_DESCRIBE, "TRACE", 0,
     "print the instruction mix and cache misses of a trace file or an application; record nothing",
     0},
    {"application", OPT_APPLICATION, "NAME", 0,
     "write the generated stream of an application; record nothing", 0},
    {"list", OPT_LIST, NULL, 0, "list applications and mixes", 0},
    {"seed", OPT_SEED, "N", 0, "seed of an application's stream (1)", 0},
    {"json", OPT_JSON, "FILE", 0, "write the figures of --describe as JSON", 0},
    {0},
};

struct request {
    uint64_t skip, count, seed;
    bool skipped, counted, seeded, list;
    const char *describe, *application, *out, *json;
    char **program;
    struct error err;
};

static bool take_option(struct request *r, int key, const char *arg)
{
    switch (key) {
    case OPT_SKIP:
        r->skipped = true;
        return parse_whole("--skip", arg, UINT64_MAX / 4, &r->skip, &r->err);
    case OPT_COUNT:
        r->counted = true;
        return parse_count("--count", arg, UINT64_MAX / 4, &r->count, &r->err);
    case OPT_SEED:
        r->seeded = true;
        return parse_whole("--seed", arg, UINT64_MAX / 4, &r->seed, &r->err);
    case OPT_DESCRIBE:
        r->describe = arg;
        return true;
    case OPT_APPLICATION:
        r->application = arg;
        return true;
    case OPT_JSON:
        r->json = arg;
        return true;
    default:
        r->list = true;
        return true;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case OPT_SKIP:
    case OPT_COUNT:
    case OPT_DESCRIBE:
    case OPT_APPLICATION:
    case OPT_LIST:
    case OPT_SEED:
    case OPT_JSON:
        if (!r->err.set)
            take_option(r, key, arg);
        return 0;
    case ARGP_KEY_ARG:
        if (!r->out) {
            r->out = arg;
        } else {
            r->program = state->argv + state->next - 1;
            state->next = state->argc;
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- recording ---------------------------------------------------------------------------------
 */

static int run_record(struct request *r)
{
    struct cpu_record_result got;
    struct cpu_record_options o = {.path = r->out,
                                   .program = r->program,
                                   .skip = r->skip,
                                   .keep = r->count,
                                   .stop = catch_interrupts()};
    if (!cpu_record(&o, &got, &r->err))
        return complain(got.executed ? EXIT_FAILED : EXIT_BAD_INPUT, &r->err);
    const struct about about = {.kind = "cputrace"};
    if (!about_beside(r->out, &about, &r->err))
        return complain(EXIT_FAILED, &r->err);
    printf("%s: %" PRIu64 " instructions", r->out, got.kept);
    printf(got.ended ? ", to the program's end\n" : ", from number %" PRIu64 " on\n", r->skip);
    if (got.undecoded)
        printf("%" PRIu64 " of them without registers: their code could not be read\n",
               got.undecoded);
    if (got.dropped)
        printf("%" PRIu64 " accesses left out: more than a record holds\n", got.dropped);
    return EXIT_VERIFIED;
}

/* Reads past `skip` instructions, then hands the others out. */
static bool write_stream(struct request *r, struct cpu_trace *t, struct compressed_output *w)
{
    struct cpu_instruction in[BATCH];
    uint64_t left = r->skip + r->count;
    while (left) {
        uint32_t n = left < BATCH ? (uint32_t)left : BATCH;
        if (left > r->count && left - r->count < n)
            n = (uint32_t)(left - r->count);
        if (cpu_trace_read(t, in, n) < n)
            return error_set(&r->err, "%s", cpu_trace_error(t));
        if (left <= r->count && !compressed_output_write(w, in, n * sizeof *in, &r->err))
            return false;
        left -= n;
    }
    return true;
}

static int run_write(struct request *r)
{
    if (!cpu_application_find(r->application)) {
        error_set(&r->err,
                  "--application %s: no such application; `evgpu cputrace --list` lists them",
                  r->application);
        return complain(EXIT_BAD_INPUT, &r->err);
    }
    const struct about about = {.kind = "cputrace", .seed = &r->seed};
    struct cpu_trace *t = cpu_trace_open(r->application, 0, r->seed, &r->err);
    struct compressed_output *w = t ? compressed_output_open(r->out, &r->err) : NULL;
    bool ok = w && write_stream(r, t, w);
    if (ok)
        ok = compressed_output_finish(w, &r->err) && about_beside(r->out, &about, &r->err);
    else if (w)
        compressed_output_abandon(w);
    cpu_trace_close(t);
    if (!ok)
        return complain(EXIT_BAD_INPUT, &r->err);
    printf("%s: %" PRIu64 " instructions of %s\n", r->out, r->count, r->application);
    return EXIT_VERIFIED;
}

/* --- describing --------------------------------------------------------------------------------
 */

static double per(uint64_t n, uint64_t of, double scale)
{
    return of ? scale * (double)n / (double)of : 0;
}

static void print_profile(const struct request *r, const struct cpu_profile *p)
{
    uint64_t n = p->instructions;
    printf("Trace                 %s: %" PRIu64 " instructions behind %" PRIu64 "\n", r->describe,
           n, r->skip);
    if (p->rounds)
        printf("                      the file began again %" PRIu64 " times\n", p->rounds);
    printf("Instructions          %.1f %% load, %.1f %% store, %.1f %% branch (%.1f %% taken)\n",
           per(p->with_load, n, 100), per(p->with_store, n, 100), per(p->branches, n, 100),
           per(p->taken, p->branches, 100));
    printf("Loads behind loads    %.1f %% need an address that comes of an earlier load\n",
           per(p->waiting_loads, p->with_load, 100));
    printf("Caches (Table I)      misses per 1000 instructions: L1I %.2f, L1D %.2f, L2 %.2f; L2 "
           "writes back %.2f\n",
           per(p->l1i_misses, n, 1000), per(p->l1d_misses, n, 1000), per(p->l2_misses, n, 1000),
           per(p->l2_writebacks, n, 1000));
}

static json_t *profile_json(const struct request *r, const struct cpu_profile *p)
{
    uint64_t n = p->instructions;
    return json_pack(
        "{s:s,s:I,s:I,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f}", "trace", r->describe, "instructions",
        (json_int_t)n, "rounds", (json_int_t)p->rounds, "load_percent", per(p->with_load, n, 100),
        "store_percent", per(p->with_store, n, 100), "branch_percent", per(p->branches, n, 100),
        "waiting_load_percent", per(p->waiting_loads, p->with_load, 100), "l1i_mpki",
        per(p->l1i_misses, n, 1000), "l1d_mpki", per(p->l1d_misses, n, 1000), "l2_mpki",
        per(p->l2_misses, n, 1000), "l2_writebacks_per_1000", per(p->l2_writebacks, n, 1000));
}

static int run_describe(struct request *r)
{
    /* CM-BAL, Table I. */
    static const struct cpu_profile_caches caches = {32768, 4, 32768, 4, 262144, 8};
    struct cpu_profile p;
    struct cpu_trace *t = cpu_trace_open(r->describe, 0, r->seed, &r->err);
    bool ok =
        t && cpu_profile_trace(t, &caches, r->skip, r->counted ? r->count : 1000000, &p, &r->err);
    cpu_trace_close(t);
    if (!ok)
        return complain(EXIT_BAD_INPUT, &r->err);
    if (r->json) {
        const struct about about = {.kind = "cputrace", .seed = &r->seed};
        json_t *json = about_before(about_json(&about), profile_json(r, &p));
        ok = write_json(r->json, json, &r->err);
        json_decref(json);
    }
    print_profile(r, &p);
    return ok ? EXIT_VERIFIED : complain(EXIT_FAILED, &r->err);
}

static int run_list(void)
{
    printf("Applications of CM-BAL's Table III, with their L2 misses per 1000 instructions:\n");
    for (uint32_t i = 0; i < CPU_APPLICATIONS; i++)
        printf("  %-11s %5.1f\n", cpu_applications[i].name, cpu_applications[i].mpki);
    printf("Mixes of Table IV:\n");
    for (uint32_t m = 0; m < CPU_MIXES; m++) {
        printf("  %s ", cpu_mixes[m].name);
        for (uint32_t c = 0; c < CPU_MIX_CORES; c++)
            printf("%s %s", c ? "," : "", cpu_mixes[m].application[c]);
        printf("\n");
    }
    return EXIT_VERIFIED;
}

/* What was asked for must be one thing. */
static bool check_request(struct request *r)
{
    int things = r->list + (r->describe != NULL) + (r->application != NULL) + (r->program != NULL);
    if (things > 1)
        return error_set(&r->err,
                         "only one of PROGRAM, --application, --describe and --list at a time");
    if ((r->skipped || r->counted) && r->list)
        return error_set(&r->err, "--skip and --count need a trace, an application or a PROGRAM");
    if (r->seeded && (r->list || r->program))
        return error_set(&r->err, "--seed goes with --application or --describe");
    if (r->json && !r->describe)
        return error_set(&r->err, "--json goes with --describe");
    if ((r->describe || r->list) && r->out)
        return error_set(&r->err, "%s: --describe and --list write no trace; leave OUT out",
                         r->out);
    if (things == 0 || (r->application && !r->out))
        return error_set(&r->err, "name %s; `evgpu cputrace --help` has the forms",
                         r->application ? "the file OUT to write"
                         : r->out       ? "the PROGRAM to record, behind `--`, or --application"
                                        : "OUT and PROGRAM, or --describe or --list");
    return true;
}

static bool check_files(struct request *r)
{
    const struct named_file files[] = {{"--describe", r->describe, false, NULL},
                                       {"PROGRAM", r->program ? *r->program : NULL, false, NULL},
                                       {"OUT", r->out, true, NULL},
                                       {"--json", r->json, true, NULL}};
    return (!r->out || check_output("OUT", r->out, &r->err)) &&
           (!r->json || check_output("--json", r->json, &r->err)) &&
           files_distinct(files, sizeof files / sizeof *files, &r->err);
}

const struct argp cputrace_argp = {
    options,
    parse,
    "OUT -- PROGRAM [ARG...]\n--application=NAME OUT\n--describe=TRACE\n--list",
    "Runs a program under valgrind and records it as a ChampSim trace OUT, compressed if the "
    "name ends in .gz or .xz. `evgpu run --cpus` executes it on the CPU cores.",
    NULL,
    NULL,
    NULL};

int cmd_cputrace(int argc, char **argv)
{
    struct request r = {.seed = 1, .count = 10000000};
    argp_parse(&cputrace_argp, argc, argv, ARGP_IN_ORDER, NULL, &r);
    if (r.err.set || !check_request(&r) || !check_files(&r))
        return complain(EXIT_BAD_INPUT, &r.err);
    if (r.list)
        return run_list();
    if (r.describe)
        return run_describe(&r);
    return r.application ? run_write(&r) : run_record(&r);
}
