#include "sim/guest/kernel/bench_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/kernel/kernel_job.h"
#include "sw/apps/bfs/bfs.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/matrixMul/matmul.h"
#include "sw/apps/vectorAdd/vector_add.h"

#define BFS_DEGREE 8

struct run {
    const struct workload_request *request;
    const struct run_control *control;
    struct workload_result *result;
    struct kernel_job *job;
    const char *name;
};

static bool argument(struct run *run, uint32_t index, const void *value, uint32_t bytes,
                     struct error *err)
{
    return kernel_job_argument(run->job, run->name, index, value, bytes, err);
}

static bool pointers(struct run *run, const uint64_t *addresses, uint32_t n, struct error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!addresses[i] || !argument(run, i, &addresses[i], 8, err))
            return false;
    }
    return true;
}

static bool call(struct run *run, const struct kernel_call *request, struct error *err)
{
    struct kernel_figures figures;
    if (kernel_job_run(run->job, request, run->control, &figures, err) != RUN_DONE)
        return false;
    run->result->cycles += figures.cycles;
    run->result->warp_instructions += figures.warp_instructions;
    return true;
}

static bool differs(struct run *run, const void *expected, uint64_t address, uint64_t count,
                    struct error *err)
{
    const uint32_t *want = expected;
    const uint32_t *got = (const uint32_t *)(const void *)kernel_job_memory(run->job, address);
    for (uint64_t i = 0; i < count; i++) {
        if (want[i] != got[i]) {
            error_set(err, "%s: word %llu is 0x%08x, but the host reference has 0x%08x", run->name,
                      (unsigned long long)i, got[i], want[i]);
            return true;
        }
    }
    return false;
}

/* Two random float arrays of n elements and room for the result, in host and device memory. */
struct float_job {
    float *a, *b, *c;
    uint64_t device[3];
};

static void float_job_make(struct run *run, struct float_job *f, uint64_t n, struct error *err)
{
    f->a = ALLOC_ARRAY(float, n);
    f->b = ALLOC_ARRAY(float, n);
    f->c = ALLOC_ARRAY(float, n);
    input_floats(run->request->seed, f->a, n);
    input_floats(run->request->seed + 1, f->b, n);
    const void *data[3] = {f->a, f->b, NULL};
    for (int i = 0; i < 3; i++)
        f->device[i] = kernel_job_buffer(run->job, data[i], n * sizeof(float), err);
}

static void float_job_free(struct float_job *f)
{
    free(f->a);
    free(f->b);
    free(f->c);
}

static bool run_vector_add(struct run *run, struct error *err)
{
    uint32_t n = run->request->size;
    struct float_job f;
    float_job_make(run, &f, n, err);
    vector_add_reference(f.a, f.b, f.c, n);
    struct kernel_call request = {
        .name = run->name, .grid = {(n + 255) / 256, 1, 1}, .block = {256, 1, 1}};
    bool ok = pointers(run, f.device, 3, err) && argument(run, 3, &n, 4, err) &&
              call(run, &request, err) && !differs(run, f.c, f.device[2], n, err);
    float_job_free(&f);
    return ok;
}

static bool run_matmul(struct run *run, struct error *err)
{
    uint32_t n = run->request->size, tiles = (n + MATMUL_TILE - 1) / MATMUL_TILE;
    struct float_job f;
    float_job_make(run, &f, (uint64_t)n * n, err);
    matmul_reference(f.a, f.b, f.c, n);
    struct kernel_call request = {
        .name = run->name, .grid = {tiles, tiles, 1}, .block = {MATMUL_TILE, MATMUL_TILE, 1}};
    bool ok = pointers(run, f.device, 3, err) && argument(run, 3, &n, 4, err) &&
              call(run, &request, err) && !differs(run, f.c, f.device[2], (uint64_t)n * n, err);
    float_job_free(&f);
    return ok;
}

struct bfs_device {
    uint64_t rows, columns, frontier[2], counts, distance;
};

static bool bfs_level(struct run *run, const struct bfs_device *d, uint32_t level, uint32_t nodes,
                      struct error *err)
{
    uint32_t here = level % 2, next = 1 - here;
    uint64_t addresses[7] = {
        d->rows,           d->columns,           d->frontier[here], d->counts + 4 * here,
        d->frontier[next], d->counts + 4 * next, d->distance};
    memset(kernel_job_memory(run->job, d->counts + 4 * next), 0, 4);
    struct kernel_call request = {
        .name = run->name, .grid = {(nodes + 255) / 256, 1, 1}, .block = {256, 1, 1}};
    return pointers(run, addresses, 7, err) && argument(run, 7, &level, 4, err) &&
           call(run, &request, err);
}

static bool bfs_upload(struct run *run, const struct bfs_graph *g, struct bfs_device *d,
                       struct error *err)
{
    uint32_t one = 1, source = 0;
    uint64_t words = (uint64_t)g->nodes * 4;
    d->rows = kernel_job_buffer(run->job, g->rows, words + 4, err);
    d->columns = kernel_job_buffer(run->job, g->columns, (uint64_t)g->edges * 4, err);
    d->frontier[0] = kernel_job_buffer(run->job, NULL, words, err);
    d->frontier[1] = kernel_job_buffer(run->job, NULL, words, err);
    d->counts = kernel_job_buffer(run->job, NULL, 8, err);
    d->distance = kernel_job_buffer(run->job, NULL, words, err);
    if (err->set)
        return false;
    memset(kernel_job_memory(run->job, d->distance), 0xFF, words);
    memcpy(kernel_job_memory(run->job, d->distance), &source, 4);
    memcpy(kernel_job_memory(run->job, d->frontier[0]), &source, 4);
    memcpy(kernel_job_memory(run->job, d->counts), &one, 4);
    return true;
}

static bool bfs_search(struct run *run, const struct bfs_graph *g, struct error *err)
{
    struct bfs_device d = {0};
    if (!bfs_upload(run, g, &d, err))
        return false;
    uint32_t *distance = ALLOC_ARRAY(uint32_t, g->nodes);
    uint32_t levels = bfs_reference(g, 0, distance), frontier = 1;
    bool ok = true;
    for (uint32_t level = 0; ok && frontier && level <= levels; level++) {
        ok = bfs_level(run, &d, level, g->nodes, err);
        memcpy(&frontier, kernel_job_memory(run->job, d.counts + 4 * (1 - level % 2)), 4);
    }
    ok = ok && !differs(run, distance, d.distance, g->nodes, err);
    free(distance);
    return ok;
}

static bool run_bfs(struct run *run, struct error *err)
{
    struct bfs_graph graph = {0};
    bool ok = bfs_generate(run->request->seed, run->request->size, BFS_DEGREE, &graph, err) &&
              bfs_search(run, &graph, err);
    bfs_free(&graph);
    return ok;
}

static const struct {
    const char *ptx, *kernel;
    bool (*run)(struct run *run, struct error *err);
} table[] = {
    [WORKLOAD_VECTOR_ADD] = {"sw/apps/vectorAdd/vector_add.ptx", "vector_add", run_vector_add},
    [WORKLOAD_MATMUL] = {"sw/apps/matrixMul/matmul.ptx", "matmul", run_matmul},
    [WORKLOAD_BFS] = {"sw/apps/bfs/bfs.ptx", "bfs_level", run_bfs},
};

const char *workload_ptx(enum workload workload)
{
    return table[workload].ptx;
}

const char *workload_kernel(enum workload workload)
{
    return table[workload].kernel;
}

bool workload_run(const struct workload_request *request, const struct run_control *control,
                  struct workload_result *result, struct error *err)
{
    struct run run = {.request = request,
                      .control = control,
                      .result = result,
                      .name = table[request->workload].kernel};
    memset(result, 0, sizeof *result);
    struct kernel_source source = {.path = request->ptx_path};
    run.job = kernel_job_create(request->config, request->backend, &source, err);
    bool ok = run.job && table[request->workload].run(&run, err);
    kernel_job_destroy(run.job);
    return ok;
}
