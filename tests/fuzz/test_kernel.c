/* PTX that runs: every kernel of the text alone on a small machine, with zeroes as its arguments,
 * for a bounded time. Faults are errors of the kernel, never of the simulator. */
#include <stdlib.h>
#include <string.h>

#include "sim/guest/kernel/kernel_job.h"
#include "sim/ptx/module.h"
#include "tests/fuzz/fuzz.h"

#define CYCLES  20000u
#define KERNELS 2u
#define LARGEST (4u << 20) /* bytes of variables */

static const struct machine_config *machine(void)
{
    static const char *const overrides[] = {"gpu.cores=2", "gpu.memory_mib=64"};
    static struct machine_config config;
    struct error err = {0};
    if (config.cores)
        return &config;
    bool ok = config_load(&config, "config/gtx480.ini", &err);
    for (uint32_t i = 0; i < 2 && ok; i++)
        ok = config_override(&config, overrides[i], &err);
    fuzz_expect(ok && config_check(&config, &err), err.text);
    return &config;
}

/* Names of the kernels, and whether the text's variables fit. */
static bool look(const uint8_t *data, size_t size, char names[KERNELS][64], uint32_t *n)
{
    struct error err = {0};
    uint64_t bytes = 0;
    struct module *m = module_parse("kernel.ptx", (const char *)data, size, &err);
    for (uint32_t i = 0; m && i < module_variable_count(m); i++)
        bytes += module_variable_at(m, i)->size;
    for (uint32_t i = 0; m && i < module_kernel_count(m) && *n < KERNELS; i++) {
        const struct kernel *k = module_kernel_at(m, i);
        if (!k->defect && strlen(k->name) < 64 && k->shared_bytes < LARGEST &&
            k->local_bytes < LARGEST)
            strcpy(names[(*n)++], k->name);
    }
    module_free(m);
    return m && bytes < LARGEST;
}

static void launch(struct kernel_job *job, const char *name)
{
    static const uint8_t zeroes[4096];
    struct kernel_call call = {.name = name, .grid = {3, 1, 1}, .block = {40, 1, 1}};
    struct run_control control = {.max_cycles = CYCLES};
    struct kernel_figures figures;
    struct error err = {0};
    const struct kernel *k = kernel_job_kernel(job, name, &err);
    bool ok = k != NULL;
    for (uint32_t i = 0; ok && i < k->n_params; i++)
        ok = k->params[i].size <= sizeof zeroes &&
             kernel_job_argument(job, name, i, zeroes, k->params[i].size, &err);
    if (ok)
        kernel_job_run(job, &call, &control, &figures, &err);
}

static void one(const uint8_t *data, size_t size)
{
    char names[KERNELS][64];
    uint32_t n = 0;
    if (!look(data, size, names, &n))
        return;
    const char *path = fuzz_file("kernel.ptx", data, size);
    for (uint32_t i = 0; i < n; i++) {
        struct kernel_source source = {.path = path, .block_threads = 40};
        struct error err = {0};
        struct kernel_job *job = kernel_job_create(machine(), TILE_MODEL, &source, &err);
        fuzz_check(job != NULL, &err);
        if (job)
            launch(job, names[i]);
        kernel_job_destroy(job);
    }
}

static void seeds(void)
{
    fuzz_seed_file("sw/services/ipv4/ipv4_forward.ptx");
    fuzz_seed_file("sw/apps/matrixMul/matmul.ptx");
}

const struct fuzz_target fuzz_target = {
    .name = "kernel", .one = one, .seeds = seeds, .mutants = 1000};
