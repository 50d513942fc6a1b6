/* The jobs of `evgpu bench`: fixed, so that figures of different days can be compared. */
#ifndef EVGPU_CLI_BENCH_JOBS_H
#define EVGPU_CLI_BENCH_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/gpu/turns/thread_model.h"
#include "sim/guest/kernel/bench_kernels.h"
#include "tb/tile.h"

enum bench_ways {
    BENCH_TILES = 1,           /* with verilated tiles, and with their models */
    BENCH_MODEL = 2,           /* with models alone */
    BENCH_THREADS = 4,         /* with verilated tiles, on two threads */
    BENCH_UNTIMED = 8,         /* with models, no kernel timed */
    BENCH_UNTIMED_THREADS = 16 /* the same on two threads */
};

struct bench_job {
    const char *name, *config;
    uint32_t ways; /* enum bench_ways */
    enum workload workload;
    uint32_t size;        /* 0: no workload */
    const char *program;  /* application of sw/apps and its arguments, or NULL */
    const char *override; /* SECTION.KEY=VALUE of the configuration, or NULL */
    const char *cpus;     /* mix of the CPU cores, or NULL */
    uint64_t quota;       /* instructions of each of them */
    const char *policy;   /* of the concurrency units, or NULL */
    uint32_t packets;     /* of the service ipv4, 0: no service */
    uint32_t background;  /* rows of its matrix product, 0: none */
    uint32_t mesh;        /* width and height; no machine, its two networks alone */
};

extern const struct bench_job bench_jobs[];
extern const size_t bench_job_count;

/* One way of a job; the name tells it from the job's others, but for the tiles. */
struct bench_way {
    char name[64];
    enum tile_backend backend; /* TILE_VERILATOR or TILE_MODEL */
    uint32_t threads;
    bool untimed;
    bool core_by_core; /* measured for the model of threads */
};

/* The `index`-th way of a job, from 0; false: it has fewer. */
bool bench_way(const struct bench_job *job, uint32_t index, struct bench_way *way);

struct bench_measure {
    bool ok;
    uint64_t cycles, warp_instructions, cpu_instructions;
    uint64_t flits, events;    /* of the mesh job; of services */
    double wall, user;         /* s, start and check included; user: with the programs of the job */
    uint64_t peak;             /* MiB of memory */
    struct thread_model model; /* of a run that was measured core by core */
    char text[512];            /* why not `ok` */
};

/* Runs the job in a process of its own, so that its peak memory is its own; the result is
 * verified. */
void bench_run(const struct bench_job *job, const struct bench_way *way, struct bench_measure *m);

#endif
