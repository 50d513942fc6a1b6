#include "sim/cli/bench_jobs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/cli/cli.h"
#include "sim/cli/run/run_plan.h"
#include "sim/cli/run/run_quotas.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/guest/cpus/cpus.h"
#include "sim/mem/net/mesh_traffic.h"

#define ALL_WAYS   (BENCH_TILES | BENCH_THREADS)
#define FAST_WAYS  (ALL_WAYS | BENCH_UNTIMED)
#define MESH_TICKS 200000

const struct bench_job bench_jobs[] = {
    {"vectorAdd 512K", "gtx480.ini", ALL_WAYS, .workload = WORKLOAD_VECTOR_ADD, .size = 524288},
    {"matmul 128", "gtx480.ini", ALL_WAYS, .workload = WORKLOAD_MATMUL, .size = 128},
    {"matmul 512", "gtx480.ini", ALL_WAYS, .workload = WORKLOAD_MATMUL, .size = 512},
    {"BFS 4096", "gtx480.ini", ALL_WAYS, .workload = WORKLOAD_BFS, .size = 4096},
    {"main job", "edge.ini", ALL_WAYS, .packets = 3200, .background = 128},
    {"histogram64", "gtx480.ini", FAST_WAYS, .program = "histogram64 --kilobytes 512"},
    {"blackScholes", "gtx480.ini", FAST_WAYS, .program = "blackScholes --options 65536"},
    {"hotspot", "gtx480.ini", FAST_WAYS, .program = "hotspot --side 256 --steps 8"},
    {"lud", "gtx480.ini", FAST_WAYS, .program = "lud --rows 128"},
    {"sssp", "gtx480.ini", FAST_WAYS, .program = "sssp --nodes 2000"},
    {"srad", "gtx480.ini", FAST_WAYS, .program = "srad"},
    {"backprop", "gtx480.ini", FAST_WAYS, .program = "backprop"},
    {"pathfinder", "gtx480.ini", FAST_WAYS, .program = "pathfinder"},
    {"matrixMul 512", "gtx480.ini", BENCH_UNTIMED | BENCH_UNTIMED_THREADS,
     .program = "matrixMul 512 1"},
    {"bfs 65536", "gtx480.ini", BENCH_UNTIMED | BENCH_UNTIMED_THREADS,
     .program = "bfs --nodes 65536"},
    {"mesh 6 x 6 pair", "cm-bal.ini", BENCH_MODEL, .mesh = 6},
    {"14 CPU cores L1", "cm-bal.ini", ALL_WAYS, .cpus = "L1", .quota = 500000},
    {"14 CPU cores M1", "cm-bal.ini", ALL_WAYS, .cpus = "M1", .quota = 250000},
    {"14 CPU cores H1", "cm-bal.ini", ALL_WAYS, .cpus = "H1", .quota = 100000},
    {"bfs beside H1", "cm-bal.ini", ALL_WAYS, .program = "bfs", .cpus = "H1", .quota = 50000,
     .policy = "cm-bal1"},
    {"bfs 65536 beside H1", "cm-bal.ini", ALL_WAYS, .program = "bfs --nodes 65536", .cpus = "H1",
     .quota = 50000, .policy = "cm-bal1"},
    /* How cost grows. */
    {"matmul 512, 4 cores", "gtx480.ini", BENCH_MODEL, .workload = WORKLOAD_MATMUL, .size = 512,
     .override = "gpu.cores=4"},
    {"matmul 512, 60 cores", "gtx480.ini", BENCH_MODEL, .workload = WORKLOAD_MATMUL, .size = 512,
     .override = "gpu.cores=60"},
    {"BFS 1024", "gtx480.ini", BENCH_MODEL, .workload = WORKLOAD_BFS, .size = 1024},
    {"BFS 16384", "gtx480.ini", BENCH_MODEL, .workload = WORKLOAD_BFS, .size = 16384},
    {"mesh 4 x 4 pair", "cm-bal.ini", BENCH_MODEL, .mesh = 4},
    {"mesh 8 x 8 pair", "cm-bal.ini", BENCH_MODEL, .mesh = 8},
    {"events alone", "edge.ini", BENCH_TILES, .packets = 12800},
    {"events alone, 800 packets", "edge.ini", BENCH_MODEL, .packets = 800},
    {"events alone, 51200 packets", "edge.ini", BENCH_MODEL, .packets = 51200},
};
const size_t bench_job_count = sizeof bench_jobs / sizeof bench_jobs[0];

bool bench_way(const struct bench_job *job, uint32_t index, struct bench_way *way)
{
    static const struct {
        enum bench_ways ways;
        const char *more;
        struct bench_way way;
    } kinds[] = {
        {BENCH_TILES, "", {.backend = TILE_VERILATOR, .threads = 1}},
        {BENCH_TILES | BENCH_MODEL, "", {.backend = TILE_MODEL, .threads = 1}},
        {BENCH_THREADS, ", 2 threads", {.backend = TILE_VERILATOR, .threads = 2}},
        {BENCH_UNTIMED, ", not timed", {.backend = TILE_MODEL, .threads = 1, .untimed = true}},
        {BENCH_UNTIMED_THREADS,
         ", not timed, 2 threads",
         {.backend = TILE_MODEL, .threads = 2, .untimed = true}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!(job->ways & kinds[i].ways) || index--)
            continue;
        *way = kinds[i].way;
        snprintf(way->name, sizeof way->name, "%s%s", job->name, kinds[i].more);
        return true;
    }
    return false;
}

static bool run_workload(const struct bench_job *job, const struct bench_way *way,
                         const struct machine_config *config, struct bench_measure *m,
                         struct error *err)
{
    char path[PATH_MAX];
    if (!find_kernel(workload_ptx(job->workload), path, sizeof path, err))
        return false;
    struct workload_request request = {.workload = job->workload,
                                       .size = job->size,
                                       .config = config,
                                       .backend = way->backend,
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
static bool plan_packets(struct run_plan *plan, const struct bench_job *job, char *service,
                         struct error *err)
{
    snprintf(service, PATH_MAX, "ipv4,packets=%u", job->packets);
    plan->background = job->background;
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

static bool plan_cpus(struct run_plan *plan, const struct bench_job *job, struct error *err)
{
    plan->cpus = job->cpus;
    plan->measured = true;
    if (!quota_scale("small", &plan->quotas, err))
        return false;
    plan->quotas.cpu_quota = job->quota;
    return !job->policy || concurrency_parse(job->policy, &plan->machine.concurrency, err);
}

static bool run_plan_once(struct run_plan *plan, struct bench_measure *m, struct error *err)
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
        m->warp_instructions =
            stats.cores.warp_instructions + stats.cores.untimed_warp_instructions;
        m->events = stats.events;
        for (uint32_t i = 0; i < machine_guest_count(machine); i++)
            m->cpu_instructions += cpus_executed(machine_guest_at(machine, i));
    }
    machine_destroy(machine);
    return ok;
}

static bool run_guests(const struct bench_job *job, const struct bench_way *way,
                       const struct machine_config *config, struct bench_measure *m,
                       struct error *err)
{
    char text[PATH_MAX]; /* outlives the plan, which points into it */
    struct run_plan *plan = ALLOC(struct run_plan);
    plan->config = *config;
    plan->machine.backend = way->backend;
    plan->machine.timing.kind = way->untimed ? TIMED_NONE : TIMED_ALL;
    plan->seed = 1;
    plan->attached = -1;
    bool ok = (!job->cpus || plan_cpus(plan, job, err)) &&
              (!job->program || plan_application(plan, job->program, text, err)) &&
              (!job->packets || plan_packets(plan, job, text, err)) && run_plan_once(plan, m, err);
    plan_release(plan);
    free(plan);
    return ok;
}

/* Requests and their replies, 0.1 flits per node and cycle in each direction; the traffic is made,
 * and all of it has to arrive. Has no tiles. */
static bool run_mesh(const struct bench_job *job, struct bench_measure *m, struct error *err)
{
    struct mesh_traffic_config traffic = {.mesh = mesh_table_one(),
                                          .pattern = TRAFFIC_REPLY,
                                          .flits = 1,
                                          .rate = 0.1,
                                          .warmup = 1000,
                                          .ticks = MESH_TICKS,
                                          .seed = 1};
    struct mesh_traffic_result result;
    traffic.mesh.width = traffic.mesh.height = job->mesh;
    if (!mesh_traffic_run(&traffic, &result, err))
        return false;
    m->cycles = result.ticks;
    /* What has been carried is counted in one direction. */
    m->flits = (uint64_t)(2 * result.carried * job->mesh * job->mesh * MESH_TICKS);
    return !result.saturated || error_set(err, "the network did not deliver all packets");
}

/* A reading of the clock, so that the model can take them out again. */
static uint64_t clock_cost(void)
{
    uint64_t begin = thread_model_now(), last = begin;
    for (uint32_t i = 0; i < 1000000; i++)
        last = thread_model_now();
    return last - begin;
}

static void run_here(const struct bench_job *job, const struct bench_way *way,
                     struct bench_measure *m)
{
    struct machine_choice choice = {.config_name = job->config, .threads = way->threads};
    struct machine_config config;
    struct error err = {0};
    if (job->override)
        choice.overrides[choice.n_overrides++] = job->override;
    memset(m, 0, sizeof *m);
    double start = wall_seconds();
    m->ok = load_machine(&choice, &config, &err);
    if (way->core_by_core) {
        m->model.clock_ns = clock_cost();
        config.thread_model = &m->model;
    }
    m->ok = m->ok && (job->mesh   ? run_mesh(job, m, &err)
                      : job->size ? run_workload(job, way, &config, m, &err)
                                  : run_guests(job, way, &config, m, &err));
    m->wall = wall_seconds() - start;
    memcpy(m->text, err.text, sizeof m->text);
}

void bench_run(const struct bench_job *job, const struct bench_way *way, struct bench_measure *m)
{
    int ends[2];
    struct rusage usage;
    *m = (struct bench_measure){.text = "the run died"};
    if (pipe(ends))
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct bench_measure mine;
        run_here(job, way, &mine);
        ssize_t n = write(ends[1], &mine, sizeof mine);
        _exit(n == (ssize_t)sizeof mine ? 0 : 1);
    }
    close(ends[1]);
    struct bench_measure got;
    bool whole = child > 0 && read(ends[0], &got, sizeof got) == (ssize_t)sizeof got;
    close(ends[0]);
    if (child < 0 || wait4(child, NULL, 0, &usage) < 0 || !whole)
        return;
    *m = got;
    m->peak = ((uint64_t)usage.ru_maxrss + 1023) / 1024;
    m->user = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
}
