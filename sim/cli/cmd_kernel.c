/* evgpu kernel: anybody's PTX kernel alone on a machine. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/kernel_args.h"
#include "sim/cli/named_files.h"
#include "sim/cli/results/about.h"
#include "sim/cli/run/stats_json.h"
#include "sim/guest/profile.h"
#include "sim/mem/memsys_stats.h"

#define MAX_ARGS 128
#define DEFAULT_LIMIT                                                                              \
    1000000000u /* core cycles; a kernel that never ends should say so within hours */

struct output { /* of a buffer argument, or of a variable */
    const char *symbol;
    uint32_t index;
    const char *path;
};

struct symbol {
    char *name;
    const char *path;
};

struct request {
    const char *ptx;
    struct machine_choice machine;
    enum tile_backend backend;
    struct kernel_call call;
    struct kernel_arg args[MAX_ARGS];
    uint32_t n_args;
    struct output outputs[MAX_ARGS];
    uint32_t n_outputs;
    struct symbol symbols[MAX_ARGS];
    uint32_t n_symbols;
    const char *json;
    uint64_t max_cycles;
    struct error err;
};

enum {
    OPT_GRID = 256,
    OPT_BLOCK,
    OPT_SHARED,
    OPT_COOPERATIVE,
    OPT_ARG,
    OPT_OUT,
    OPT_SYMBOL,
    OPT_JSON,
    OPT_TILES,
    OPT_SET,
    OPT_THREADS,
    OPT_MAX
};

static const struct argp_option options[] = {
    {"config", 'c', "FILE", 0, "machine: a file, or one of config/ (gtx480.ini)", 0},
    {"set", OPT_SET, "SECTION.KEY=VALUE", 0, SET_HELP, 0},
    {"grid", OPT_GRID, "X[,Y[,Z]]", 0, "blocks of the grid (1)", 0},
    {"block", OPT_BLOCK, "X[,Y[,Z]]", 0, "threads of a block (1)", 0},
    {"shared", OPT_SHARED, "BYTES", 0, "dynamic shared memory of a block, in bytes (0)", 0},
    {"cooperative", OPT_COOPERATIVE, NULL, 0,
     "cooperative launch: refused unless all blocks are resident at once", 0},
    {"arg", OPT_ARG, "TYPE:VALUE", 0,
     "next argument: u32:128, s64:-1, f32:1.5, b64:0xFF, buf:FILE, zero:BYTES, raw:FILE", 0},
    {"out", OPT_OUT, "N=FILE", 0,
     "write the buffer of argument N (from 0), or the variable of that name, to FILE", 0},
    {"symbol", OPT_SYMBOL, "NAME=FILE", 0,
     "fill a __constant__ or __device__ variable from FILE; a shorter file fills its beginning", 0},
    {"json", OPT_JSON, "FILE", 0, "write the figures as JSON", 0},
    {"tiles", OPT_TILES, "BACKEND", 0,
     "back end of the tiles: verilator, model or lockstep (verilator)", 0},
    {"threads", OPT_THREADS, "N", 0, THREADS_HELP, 0},
    {"max-cycles", OPT_MAX, "N", 0, "fail after N core cycles (1000000000)", 0},
    {0},
};

static bool parse_dims(const char *what, const char *text, uint32_t dims[3], struct error *err)
{
    char copy[64];
    if (strlen(text) >= sizeof copy)
        return error_set(err, "%s %s: must be X[,Y[,Z]]", what, text);
    strcpy(copy, text);
    char *rest = copy;
    for (int i = 0; i < 3; i++) {
        dims[i] = 1;
        char *item = rest ? strsep(&rest, ",") : NULL;
        uint64_t value = 0;
        if (!item)
            continue;
        if (!parse_whole(what, item, INT32_MAX, &value, err))
            return false;
        if (!value)
            return error_set(err, "%s %s: a dimension is 0", what, text);
        dims[i] = (uint32_t)value;
    }
    return rest ? error_set(err, "%s %s: must be X[,Y[,Z]]", what, text) : true;
}

static bool parse_output(struct request *r, char *text)
{
    char *equals = strchr(text, '=');
    uint64_t index = 0;
    if (!equals || equals == text || !equals[1] || r->n_outputs == MAX_ARGS)
        return error_set(&r->err, "--out %s: must be N=FILE or NAME=FILE", text);
    *equals = '\0';
    bool number = *text >= '0' && *text <= '9';
    if (number && !parse_whole("--out", text, MAX_ARGS, &index, &r->err))
        return false;
    r->outputs[r->n_outputs++] = (struct output){
        .symbol = number ? NULL : text, .index = (uint32_t)index, .path = equals + 1};
    return true;
}

static bool parse_symbol(struct request *r, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1] || r->n_symbols == MAX_ARGS)
        return error_set(&r->err, "--symbol %s: must be NAME=FILE", text);
    *equals = '\0';
    r->symbols[r->n_symbols++] = (struct symbol){text, equals + 1};
    return true;
}

static bool take_option(struct request *r, int key, char *arg)
{
    uint64_t number = 0;
    switch (key) {
    case 'c':
        r->machine.config_name = arg;
        return true;
    case OPT_SET:
        if (r->machine.n_overrides == MAX_OVERRIDES)
            return error_set(&r->err, "--set: more than %d overrides", MAX_OVERRIDES);
        r->machine.overrides[r->machine.n_overrides++] = arg;
        return true;
    case OPT_GRID:
        return parse_dims("--grid", arg, r->call.grid, &r->err);
    case OPT_BLOCK:
        return parse_dims("--block", arg, r->call.block, &r->err);
    case OPT_COOPERATIVE:
        r->call.cooperative = true;
        return true;
    case OPT_SHARED:
        if (!parse_whole("--shared", arg, 1 << 20, &number, &r->err))
            return false;
        r->call.dynamic_shared = (uint32_t)number;
        return true;
    case OPT_ARG:
        if (r->n_args == MAX_ARGS)
            return error_set(&r->err, "--arg: more than %d arguments", MAX_ARGS);
        r->args[r->n_args++].text = arg;
        return true;
    case OPT_OUT:
        return parse_output(r, arg);
    case OPT_SYMBOL:
        return parse_symbol(r, arg);
    case OPT_JSON:
        r->json = arg;
        return true;
    case OPT_TILES:
        return parse_backend(arg, &r->backend, &r->err);
    case OPT_THREADS:
        return parse_threads("--threads", arg, &r->machine.threads, &r->err);
    case OPT_MAX:
        return parse_count("--max-cycles", arg, UINT64_MAX, &r->max_cycles, &r->err);
    default:
        return true;
    }
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            r->ptx = arg;
        else if (state->arg_num == 1)
            r->call.name = arg;
        else
            argp_error(state, "%s: one PTX file and one kernel at a time", arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_error(state, "name a PTX file and a kernel");
        return 0;
    default:
        if (key < 256 && key != 'c')
            return ARGP_ERR_UNKNOWN;
        if (!take_option(r, key, arg))
            return EINVAL;
        return 0;
    }
}

static bool fill_symbol(struct request *r, struct kernel_job *job, const struct symbol *symbol)
{
    uint64_t address = 0, room = 0;
    size_t bytes = 0;
    if (!kernel_job_symbol(job, symbol->name, &address, &room, &r->err))
        return false;
    uint8_t *data = read_file(symbol->path, &bytes, &r->err);
    if (!data)
        return false;
    if (bytes <= room)
        memcpy(kernel_job_memory(job, address), data, bytes);
    else
        error_set(&r->err, "--symbol %s: %s has %zu bytes, the variable has %llu", symbol->name,
                  symbol->path, bytes, (unsigned long long)room);
    free(data);
    return bytes <= room;
}

static bool check_outputs(struct request *r, struct kernel_job *job)
{
    for (uint32_t i = 0; i < r->n_outputs; i++) {
        const struct output *o = &r->outputs[i];
        uint64_t address, bytes;
        if (o->symbol && !kernel_job_symbol(job, o->symbol, &address, &bytes, &r->err))
            return false;
        if (!o->symbol && (o->index >= r->n_args || !r->args[o->index].address))
            return error_set(&r->err, "--out %u: argument %u is not a buffer", o->index, o->index);
    }
    return true;
}

/* A buffer or a variable may be written back to where it came from. */
static bool check_output_paths(struct request *r)
{
    struct config_files config;
    struct named_file files[2 + INCLUDE_DEPTH + MAX_ARGS] = {{"FILE.ptx", r->ptx, false, NULL},
                                                             {"--json", r->json, true, NULL}};
    size_t n = 2 + files_of_config(r->machine.config_name, &config, files + 2);
    for (uint32_t i = 0; i < r->n_outputs; i++) {
        if (!check_output("--out", r->outputs[i].path, &r->err))
            return false;
        files[n++] = (struct named_file){"--out", r->outputs[i].path, true, NULL};
    }
    return (!r->json || check_output("--json", r->json, &r->err)) &&
           files_distinct(files, n, &r->err);
}

static bool apply_arguments(struct request *r, struct kernel_job *job)
{
    const struct kernel *kernel = kernel_job_kernel(job, r->call.name, &r->err);
    if (!kernel) {
        error_prefix(&r->err, "%s", r->ptx);
        return false;
    }
    for (uint32_t i = 0; i < r->n_args; i++) {
        if (!kernel_arg_apply(job, r->call.name, i, &r->args[i], &r->err))
            return false;
    }
    if (r->n_args < kernel->n_params)
        return error_set(&r->err,
                         "kernel %s takes %u arguments, %u given: the next is %s (%u bytes)",
                         r->call.name, kernel->n_params, r->n_args, kernel->params[r->n_args].name,
                         kernel->params[r->n_args].size);
    for (uint32_t i = 0; i < r->n_symbols; i++)
        if (!fill_symbol(r, job, &r->symbols[i]))
            return false;
    return check_outputs(r, job);
}

/* Saturates well above any core's size. */
static uint64_t block_threads(const struct kernel_call *call)
{
    uint64_t plane = (uint64_t)call->block[0] * call->block[1];
    return plane > UINT32_MAX ? plane : plane * call->block[2];
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0.0;
}

static struct profile_figures profile_of(const struct request *r,
                                         const struct machine_config *config,
                                         const struct kernel_figures *f)
{
    struct profile_kernel kernel = {
        .name = r->call.name, .calls = 1, .cycles = f->grid_cycles, .counts = &f->counts};
    return profile_figures(config, &kernel);
}

/* What its warps waited for, most first. */
static void print_states(const struct profile_figures *p)
{
    bool shown[WARP_STATES] = {false};
    char stall[64];
    profile_main_stall(p, stall, sizeof stall);
    printf("main stall            %s; of its warps' cycles", stall);
    for (uint32_t n = 0; n < 4; n++) {
        uint32_t best = WARP_STATES;
        for (uint32_t s = 0; s < WARP_STATES; s++) {
            if (!shown[s] && (best == WARP_STATES || p->state[s] > p->state[best]))
                best = s;
        }
        shown[best] = true;
        if (p->state[best] >= 0.005)
            printf("%s %s %.0f %%", n ? "," : "", profile_state_name((enum warp_state)best),
                   100 * p->state[best]);
    }
    printf("\n");
}

static void print_figures(const struct request *r, const struct machine_config *config,
                          const struct kernel_figures *f, double wall)
{
    const struct core_stats *c = &f->stats.cores;
    const struct memsys_stats *m = &f->stats.mem;
    uint32_t block_warps = (uint32_t)((block_threads(&r->call) + WARP_SIZE - 1) / WARP_SIZE);
    uint32_t warps = block_warps * f->blocks_per_core;
    printf("kernel                %s on %s\n", r->call.name, config->name);
    printf("cycles                %llu\n", (unsigned long long)f->cycles);
    printf("warp instructions     %llu\n", (unsigned long long)f->warp_instructions);
    printf("thread instructions   %llu\n", (unsigned long long)f->thread_instructions);
    printf("IPC                   %.3f warp, %.2f thread instructions per cycle\n",
           ratio(f->warp_instructions, f->cycles), ratio(f->thread_instructions, f->cycles));
    printf("L1                    %llu hits, %llu misses (%.1f %% hits)\n",
           (unsigned long long)c->l1_hits, (unsigned long long)c->l1_misses,
           100 * ratio(c->l1_hits, c->l1_hits + c->l1_misses));
    printf("L2                    %llu hits, %llu misses (%.1f %% hits)\n",
           (unsigned long long)m->l2.hits, (unsigned long long)m->l2.misses,
           100 * ratio(m->l2.hits, m->l2.hits + m->l2.misses));
    printf("DRAM                  %llu reads, %llu writes, %.1f %% row hits, bus %.1f %% busy\n",
           (unsigned long long)m->dram.reads, (unsigned long long)m->dram.writes,
           100 * ratio(m->dram.row_hits, m->dram.row_hits + m->dram.row_misses),
           100 * ratio(m->dram.bus_busy, m->dram.cycles));
    struct profile_figures p = profile_of(r, config, f);
    print_states(&p);
    printf("occupancy             %u blocks, %u of %u warps per core; limited by %s\n",
           f->blocks_per_core, warps, config->core.warps, f->limiter);
    printf("per thread, block     %u registers, %u bytes shared memory\n", f->registers,
           f->shared_bytes);
    printf("speed                 %.2f s, %.0f kcycle/s, %.0f warp instructions/s\n", wall,
           (double)f->cycles / wall / 1000, (double)f->warp_instructions / wall);
}

static json_t *figures_json(const struct request *r, const struct machine_config *config,
                            const struct kernel_figures *f)
{
    json_t *j =
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:i, s:s, s:i, s:i}", "name", r->call.name,
                  "config", config->name, "cycles", (json_int_t)f->cycles, "warp_instructions",
                  (json_int_t)f->warp_instructions, "thread_instructions",
                  (json_int_t)f->thread_instructions, "ipc", ratio(f->warp_instructions, f->cycles),
                  "thread_ipc", ratio(f->thread_instructions, f->cycles), "blocks_per_core",
                  (int)f->blocks_per_core, "occupancy_limiter", f->limiter, "registers",
                  (int)f->registers, "shared_bytes", (int)f->shared_bytes);
    json_t *profile = json_object();
    struct profile_figures p = profile_of(r, config, f);
    profile_json(&p, &f->counts, profile);
    json_object_set_new(j, "profile", profile);
    json_object_set_new(j, "gpu", json_of_gpu(&f->stats));
    return j;
}

static bool write_outputs(struct request *r, struct kernel_job *job)
{
    for (uint32_t i = 0; i < r->n_outputs; i++) {
        const struct output *o = &r->outputs[i];
        uint64_t address, bytes;
        if (!o->symbol) {
            address = r->args[o->index].address;
            bytes = r->args[o->index].bytes;
        } else if (!kernel_job_symbol(job, o->symbol, &address, &bytes, &r->err)) {
            return false;
        }
        if (!write_file(o->path, kernel_job_memory(job, address), bytes, &r->err))
            return false;
    }
    return true;
}

static void print_output(void *user, bool is_error, const char *text, size_t bytes)
{
    (void)user;
    FILE *stream = is_error ? stderr : stdout;
    fwrite(text, 1, bytes, stream);
    fflush(stream);
}

static int run_request(struct request *r, const struct machine_config *config,
                       struct kernel_job *job)
{
    if (!apply_arguments(r, job))
        return EXIT_BAD_INPUT;
    struct progress progress = {.what = NULL};
    progress_start(&progress, r->call.name);
    struct run_control control = {.max_cycles = r->max_cycles ? r->max_cycles : DEFAULT_LIMIT,
                                  .stop = catch_interrupts(),
                                  .progress = progress_update,
                                  .user = &progress};
    struct kernel_figures figures;
    memset(&figures, 0, sizeof figures);
    enum run_end end = kernel_job_run(job, &r->call, &control, &figures, &r->err);
    progress_end(&progress);
    kernel_job_output(job, print_output, NULL);
    if (end != RUN_DONE)
        return figures.cycles ? EXIT_FAILED : EXIT_BAD_INPUT;
    print_figures(r, config, &figures, wall_seconds() - progress.start);
    if (!write_outputs(r, job))
        return EXIT_FAILED;
    if (!r->json)
        return EXIT_VERIFIED;
    const struct about about = {.kind = "kernel", .choice = &r->machine, .config = config};
    json_t *json = about_before(about_json(&about), figures_json(r, config, &figures));
    bool written = write_json(r->json, json, &r->err);
    json_decref(json);
    return written ? EXIT_VERIFIED : EXIT_FAILED;
}

const struct argp kernel_argp = {
    .options = options,
    .parser = on_option,
    .args_doc = "FILE.ptx NAME",
    .doc = "Runs one kernel of a PTX file alone and prints its figures. Arguments are given in "
           "order with --arg; buffers can be written back with --out."};

int cmd_kernel(int argc, char **argv)
{
    struct request *r = calloc(1, sizeof *r);
    if (!r)
        return EXIT_BAD_INPUT;
    r->machine.config_name = "gtx480.ini";
    for (int i = 0; i < 3; i++)
        r->call.grid[i] = r->call.block[i] = 1;
    int status = EXIT_BAD_INPUT;
    struct machine_config config;
    struct kernel_job *job = NULL;
    if (argp_parse(&kernel_argp, argc, argv, 0, NULL, r) == 0 && check_output_paths(r) &&
        load_machine(&r->machine, &config, &r->err)) {
        struct kernel_source source = {.path = r->ptx, .block_threads = block_threads(&r->call)};
        job = kernel_job_create(&config, r->backend, &source, &r->err);
        if (job)
            status = run_request(r, &config, job);
    }
    if (status)
        complain(status, &r->err);
    kernel_job_destroy(job);
    free(r);
    return status;
}
