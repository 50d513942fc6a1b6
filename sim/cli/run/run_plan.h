/* What `evgpu run` composes: a machine and its guests, as often as the run needs them (alone, then
 * together, then again for a waveform). */
#ifndef EVGPU_CLI_RUN_RUN_PLAN_H
#define EVGPU_CLI_RUN_RUN_PLAN_H

#include <limits.h>
#include <stdio.h>

#include "sim/cli/cli.h"
#include "sim/guest/kernel_figures.h"
#include "sim/guest/service/packet_setup.h"
#include "sim/system/machine.h"
#include "sim/system/measure.h"
#include "sim/system/trace_window.h"

#define MAX_PROGRAMS 16
#define MAX_SERVICES 12
#define MAX_SETTINGS 64

struct planned_service {
    const struct event_service *service;
    struct setting settings[MAX_SETTINGS]; /* common ones first */
    uint32_t n_settings;
    char name[64]; /* of the guest: ipv4, ipv4-2, ... */
    struct packet_setup *setup;
};

struct planned_program {
    const char *command;               /* NULL: the background, see below */
    uint32_t repeat;                   /* program_options.repeat */
    struct kernel_figures_table alone; /* measured without services; empty: not */
};

struct run_plan {
    struct machine_config config;
    struct machine_options machine;
    uint64_t seed;
    bool traffic_only; /* services only for their traffic (packet_setup.h) */
    struct planned_service services[MAX_SERVICES];
    uint32_t n_services;
    struct planned_program programs[MAX_PROGRAMS];
    uint32_t n_programs;
    int attached; /* control channel of a program that has started us, or -1 */
    /* The program matrixMul beside services: rows (0: none) and at most so many products. */
    uint32_t background, products;
    char background_path[PATH_MAX];
    bool rehearsal;             /* programs say nothing */
    uint32_t repeat, copies;    /* of --program: completions at least, 0: once; at a time, 0: 2 */
    struct trace_window *trace; /* may be NULL */
    const char *cpus; /* what the CPU cores execute (sim/guest/cpus/cpus.h); NULL: nothing */
    bool measured;    /* measure.h: there are CPU cores, or quotas */
    struct measure_quotas quotas;
};

/* "NAME[,key=value...]": appends a service; cuts `text` into pieces (settings_next). A key may be
 * given once. */
bool plan_service(struct run_plan *plan, char *text, struct error *err);

/* A program and its arguments. */
bool plan_program(struct run_plan *plan, const char *command, struct error *err);

/* Measures what the services' promises are made from (sim/guest/service/promise.h); lines for
 * people to `to`, unless it is NULL. */
bool plan_promises(struct run_plan *plan, const struct run_control *control, FILE *to,
                   struct error *err);

/* Settings for all services, put before their own; then everything is read. */
bool plan_prepare(struct run_plan *plan, const struct setting *common, uint32_t n_common,
                  struct error *err);

/* A service with the kernel of a program waits for one for ever where none runs; after
 * plan_prepare. */
bool plan_brings_kernels(const struct run_plan *plan, struct error *err);
void plan_release(struct run_plan *plan);

/* A machine with the planned guests, or only the programs; NULL with `err`. */
struct machine *plan_machine(const struct run_plan *plan, bool services, struct error *err);

/* After a run of the programs alone: keeps their figures, to compare with. */
void plan_keep_alone(struct run_plan *plan, const struct machine *m);

#endif
