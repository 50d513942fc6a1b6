/* evgpu bench: the simulator's own speed. Every job runs in a process of its own, so that its peak
 * memory is its own; every result is verified. */
#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/cli/bench_threads.h"
#include "sim/cli/cli.h"
#include "sim/cli/results/about.h"
#include "sim/cli/run/run_plan.h"
#include "sim/cli/run/run_quotas.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/guest/cpus/cpus.h"
#include "sim/guest/kernel/bench_kernels.h"
#include "sim/mem/net/mesh_traffic.h"

struct job {
    const char *name, *config;
    enum workload workload;
    uint32_t size;       /* 0: the main job, or an application */
    const char *program; /* application of sw/apps and its arguments, or NULL */
    const char *cpus;    /* mix of the CPU cores, or NULL */
    uint64_t quota;      /* instructions of each of them */
    const char *policy;  /* of the concurrency units, or NULL */
    bool mesh;           /* no machine, its two networks alone */
};

static const struct job jobs[] = {
    {"vectorAdd 512K", "gtx480.ini", .workload = WORKLOAD_VECTOR_ADD, .size = 524288},
    {"matmul 128", "gtx480.ini", .workload = WORKLOAD_MATMUL, .size = 128},
    {"matmul 512", "gtx480.ini", .workload = WORKLOAD_MATMUL, .size = 512},
    {"BFS 4096", "gtx480.ini", .workload = WORKLOAD_BFS, .size = 4096},
    {"main job", "edge.ini", .size = 0},
    {"histogram64", "gtx480.ini", .program = "histogram64 --kilobytes 512"},
    {"blackScholes", "gtx480.ini", .program = "blackScholes --options 65536"},
    {"hotspot", "gtx480.ini", .program = "hotspot --side 256 --steps 8"},
    {"lud", "gtx480.ini", .program = "lud --rows 128"},
    {"sssp", "gtx480.ini", .program = "sssp --nodes 2000"},
    {"mesh 6 x 6 pair", "cm-bal.ini", .mesh = true},
    {"14 CPU cores L1", "cm-bal.ini", .cpus = "L1", .quota = 500000},
    {"14 CPU cores M1", "cm-bal.ini", .cpus = "M1", .quota = 250000},
    {"14 CPU cores H1", "cm-bal.ini", .cpus = "H1", .quota = 100000},
    {"bfs beside H1", "cm-bal.ini", .program = "bfs", .cpus = "H1", .quota = 50000,
     .policy = "cm-bal1"},
};
#define MAIN_JOB_PACKETS    "3200"
#define MAIN_JOB_BACKGROUND 128
#define MESH_TICKS          200000

struct measure {
    bool ok;
    uint64_t cycles, warp_instructions, cpu_instructions;
    double wall;
    struct thread_model model; /* of a run that was measured core by core */
    char text[512];
};

struct request {
    const char *json;
    const char *only;
    bool list;
    uint32_t threads;
    bool threads_model;
    struct error err;
};

static bool run_workload(const struct job *job, const struct machine_config *config,
                         enum tile_backend backend, struct measure *m, struct error *err)
{
    char path[PATH_MAX];
    if (!find_kernel(workload_ptx(job->workload), path, sizeof path, err))
        return false;
    struct workload_request request = {.workload = job->workload,
                                       .size = job->size,
                                       .config = config,
                                       .backend = backend,
                                       .ptx_path = path,
                                       .seed = 1};
    struct run_control control = {.stop = NULL};
    struct workload_result result;
    bool ok = workload_run(&request, &control, &result, err);
    m->cycles = result.cycles;
    m->warp_instructions = result.warp_instructions;
    return ok;
}

/* The demonstration of `evgpu run`, smaller; `service` has PATH_MAX places. */
static bool plan_main_job(struct run_plan *plan, char *service, struct error *err)
{
    snprintf(service, PATH_MAX, "ipv4,packets=" MAIN_JOB_PACKETS);
    plan->background = MAIN_JOB_BACKGROUND;
    plan->products = UINT32_MAX;
    return plan_service(plan, service, err);
}

/* An application in a process of its own; `command` has PATH_MAX places. */
static bool plan_application(struct run_plan *plan, const char *program, char *command,
                             struct error *err)
{
    char name[64], path[PATH_MAX - 128];
    snprintf(name, sizeof name, "apps/%.*s", (int)strcspn(program, " "), program);
    if (!find_beside(name, path, sizeof path))
        return error_set(err, "%s is not found beside evgpu; `make apps` builds it", name);
    snprintf(command, PATH_MAX, "'%s' %s >/dev/null", path, program + strcspn(program, " "));
    return plan_program(plan, command, err);
}

static bool plan_cpus(struct run_plan *plan, const struct job *job, struct error *err)
{
    plan->cpus = job->cpus;
    plan->measured = true;
    if (!quota_scale("small", &plan->quotas, err))
        return false;
    plan->quotas.cpu_quota = job->quota;
    return !job->policy || concurrency_parse(job->policy, &plan->machine.concurrency, err);
}

static bool run_plan_once(struct run_plan *plan, struct measure *m, struct error *err)
{
    struct run_control control = {.stop = NULL};
    struct machine *machine = NULL;
    char text[256];
    bool ok = plan_prepare(plan, NULL, 0, err) && (machine = plan_machine(plan, true, err)) &&
              machine_run(machine, &control, err) == RUN_DONE;
    if (ok && !machine_verdict(machine, false, text, sizeof text))
        ok = error_set(err, "%s", text);
    if (ok) {
        struct gpu_stats stats;
        gpu_stats(machine_gpu(machine), &stats);
        m->cycles = machine_cycle(machine);
        m->warp_instructions = stats.cores.warp_instructions;
        for (uint32_t i = 0; i < machine_guest_count(machine); i++)
            m->cpu_instructions += cpus_executed(machine_guest_at(machine, i));
    }
    machine_destroy(machine);
    return ok;
}

static bool run_guests(const struct job *job, const struct machine_config *config,
                       enum tile_backend backend, struct measure *m, struct error *err)
{
    char text[PATH_MAX]; /* outlives the plan, which points into it */
    struct run_plan *plan = ALLOC(struct run_plan);
    plan->config = *config;
    plan->machine.backend = backend;
    plan->seed = 1;
    plan->attached = -1;
    bool ok = (!job->cpus || plan_cpus(plan, job, err)) &&
              (!job->program || plan_application(plan, job->program, text, err)) &&
              (job->program || job->cpus || plan_main_job(plan, text, err)) &&
              run_plan_once(plan, m, err);
    plan_release(plan);
    free(plan);
    return ok;
}

/* Requests and their replies, 0.1 flits per node and cycle in each direction; the traffic is made,
 * and all of it has to arrive. Has no tiles. */
static bool run_mesh(const struct machine_config *config, struct measure *m, struct error *err)
{
    struct mesh_traffic_config traffic = {.mesh = mesh_table_one(),
                                          .pattern = TRAFFIC_REPLY,
                                          .flits = 1,
                                          .rate = 0.1,
                                          .warmup = 1000,
                                          .ticks = MESH_TICKS,
                                          .seed = 1};
    struct mesh_traffic_result result;
    traffic.mesh.width = config->mem.placement.width;
    traffic.mesh.height = config->mem.placement.height;
    if (!mesh_traffic_run(&traffic, &result, err))
        return false;
    m->cycles = result.ticks;
    return !result.saturated || error_set(err, "the network did not deliver all packets");
}

/* How a job is run. */
struct manner {
    enum tile_backend backend;
    uint32_t threads;
    bool core_by_core; /* measured for the model of threads */
};

/* A reading of the clock, so that the model can take them out again. */
static uint64_t clock_cost(void)
{
    uint64_t begin = thread_model_now(), last = begin;
    for (uint32_t i = 0; i < 1000000; i++)
        last = thread_model_now();
    return last - begin;
}

static void run_job(const struct job *job, const struct manner *how, struct measure *m)
{
    struct machine_choice choice = {.config_name = job->config, .threads = how->threads};
    struct machine_config config;
    struct error err = {0};
    memset(m, 0, sizeof *m);
    double start = wall_seconds();
    m->ok = load_machine(&choice, &config, &err);
    if (how->core_by_core) {
        m->model.clock_ns = clock_cost();
        config.thread_model = &m->model;
    }
    m->ok = m->ok && (job->mesh   ? run_mesh(&config, m, &err)
                      : job->size ? run_workload(job, &config, how->backend, m, &err)
                                  : run_guests(job, &config, how->backend, m, &err));
    m->wall = wall_seconds() - start;
    memcpy(m->text, err.text, sizeof m->text);
}

/* Runs the job in a child; its peak memory in MiB, or 0 when the child died. */
static uint64_t measure_job(const struct job *job, const struct manner *how, struct measure *m)
{
    int ends[2];
    struct rusage usage;
    memset(m, 0, sizeof *m);
    if (pipe(ends))
        return 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct measure mine;
        run_job(job, how, &mine);
        ssize_t n = write(ends[1], &mine, sizeof mine);
        _exit(n == (ssize_t)sizeof mine ? 0 : 1);
    }
    close(ends[1]);
    bool got = child > 0 && read(ends[0], m, sizeof *m) == (ssize_t)sizeof *m;
    close(ends[0]);
    if (child < 0 || wait4(child, NULL, 0, &usage) < 0 || !got)
        return 0;
    return ((uint64_t)usage.ru_maxrss + 1023) / 1024;
}

static json_t *record(const struct job *job, const char *tiles, const struct measure *m,
                      uint64_t peak)
{
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:I}", "name", job->name,
                     "config", job->config, "tiles", tiles, "cycles", (json_int_t)m->cycles,
                     "warp_instructions", (json_int_t)m->warp_instructions, "cpu_instructions",
                     (json_int_t)m->cpu_instructions, "wall_s", m->wall, "kcycle_per_s",
                     (double)m->cycles / m->wall / 1e3, "warp_inst_per_s",
                     (double)m->warp_instructions / m->wall, "cpu_inst_per_s",
                     (double)m->cpu_instructions / m->wall, "peak_mib", (json_int_t)peak);
}

static bool bench_one(const struct job *job, uint32_t backend, uint32_t threads, json_t *records,
                      struct error *err)
{
    static const char *const names[] = {"verilator", "model"};
    struct measure m;
    const struct manner how = {.backend = (enum tile_backend)backend, .threads = threads};
    uint64_t peak = measure_job(job, &how, &m);
    if (!peak || !m.ok)
        return error_set(err, "%s, tiles %s: %s", job->name, names[backend],
                         peak ? m.text : "the run died");
    printf("%-16s %-11s %-10s %10llu %12llu %8.2f %10.1f %14.0f %13.0f %9llu\n", job->name,
           job->config, names[backend], (unsigned long long)m.cycles,
           (unsigned long long)m.warp_instructions, m.wall, (double)m.cycles / m.wall / 1e3,
           (double)m.warp_instructions / m.wall, (double)m.cpu_instructions / m.wall,
           (unsigned long long)peak);
    fflush(stdout);
    json_array_append_new(records, record(job, names[backend], &m, peak));
    return true;
}

static bool bench_all(const struct request *r, json_t *records, struct error *err)
{
    printf("%-16s %-11s %-10s %10s %12s %8s %10s %14s %13s %9s\n", "job", "config", "tiles",
           "cycles", "warp inst.", "wall s", "kcycle/s", "warp inst./s", "CPU inst./s", "peak MiB");
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        if (r->only && !strstr(jobs[i].name, r->only))
            continue;
        for (uint32_t backend = jobs[i].mesh; backend < 2; backend++) {
            if (!bench_one(&jobs[i], backend, r->threads, records, err))
                return false;
        }
    }
    return true;
}

/* Tiles in C: they cost the same with any number of threads. */
static bool model_one(const struct job *job, const struct thread_costs *costs, json_t *records,
                      struct error *err)
{
    const struct manner how[3] = {
        {TILE_MODEL, 1, false}, {TILE_MODEL, 2, false}, {TILE_MODEL, 1, true}};
    struct measure m[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!measure_job(job, &how[i], &m[i]) || !m[i].ok)
            return error_set(err, "%s: %s", job->name, m[i].text[0] ? m[i].text : "the run died");
    const struct thread_runs runs = {job->name, m[0].wall, m[1].wall, m[2].model};
    json_array_append_new(records, thread_model_line(&runs, costs));
    return true;
}

static bool model_all(const struct request *r, json_t *records, struct error *err)
{
    const struct thread_costs costs = thread_costs_measure();
    thread_model_head(&costs);
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        /* Others have no SIMT cores at work. */
        bool cores = jobs[i].program || !(jobs[i].cpus || jobs[i].mesh);
        if (!cores || (r->only && !strstr(jobs[i].name, r->only)))
            continue;
        if (!model_one(&jobs[i], &costs, records, err))
            return false;
    }
    return true;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case 'j':
        r->json = arg;
        return 0;
    case 'o':
        r->only = arg;
        return 0;
    case 'l':
        r->list = true;
        return 0;
    case 'm':
        r->threads_model = true;
        return 0;
    case 't':
        return parse_threads("--threads", arg, &r->threads, &r->err) ? 0 : EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"json", 'j', "FILE", 0, "write the records as JSON", 0},
    {"only", 'o', "TEXT", 0, "run only the jobs whose name contains TEXT", 0},
    {"list", 'l', NULL, 0, "print the names of the jobs and run none", 0},
    {"threads-model", 'm', NULL, 0,
     "instead, run each job on one thread and say what speed-up to expect from 2 to 32 threads, "
     "and "
     "what limits it; measured with 2",
     0},
    {"threads", 't', "N", 0, THREADS_HELP, 0},
    {0},
};

const struct argp bench_argp = {
    .options = options,
    .parser = on_option,
    .doc = "Measures the speed of the simulator. Each job runs with the RTL in the loop (tiles "
           "verilator) and without (tiles model); its time includes start-up and "
           "the check of its results."};

static bool has_jobs(struct request *r)
{
    bool any = false;
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        bool chosen = !r->only || strstr(jobs[i].name, r->only);
        if (chosen && r->list)
            puts(jobs[i].name);
        any |= chosen;
    }
    return any || error_set(&r->err, "--only %s: no job has this in its name", r->only);
}

int cmd_bench(int argc, char **argv)
{
    struct request r = {.json = NULL};
    if (argp_parse(&bench_argp, argc, argv, 0, NULL, &r))
        return complain(EXIT_BAD_INPUT, &r.err);
    if (!has_jobs(&r) || (r.json && !check_output("--json", r.json, &r.err)))
        return complain(EXIT_BAD_INPUT, &r.err);
    if (r.list)
        return EXIT_VERIFIED;
    static const uint64_t seed = 1;
    const struct about about = {.kind = "bench", .seed = &seed};
    json_t *records = json_array();
    json_t *json = about_before(about_json(&about), json_pack("{s:o}", "jobs", records));
    bool ok = (r.threads_model ? model_all(&r, records, &r.err) : bench_all(&r, records, &r.err)) &&
              (!r.json || write_json(r.json, json, &r.err));
    json_decref(json);
    return ok ? EXIT_VERIFIED : complain(EXIT_FAILED, &r.err);
}
