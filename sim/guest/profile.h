/* Where the time of a program went: a row per kernel and per kind of copy, for the table at its end
 * and for the statistics file. The figures are made from counters of the grids themselves
 * (sim/simt/counters.h), so that programs and kernels that share the GPU are told apart. */
#ifndef EVGPU_GUEST_PROFILE_H
#define EVGPU_GUEST_PROFILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/simt/counters.h"
#include "sim/system/config.h"
#include "sim/system/guest.h"

enum profile_copy { COPY_IN, COPY_OUT, COPY_DEVICE, COPY_SET, COPY_KINDS };

/* Cycles: from the moment at which its turn in its stream has come to its end on the GPU's side. */
struct profile_copies {
    uint64_t calls, bytes, cycles;
};

struct profile_kernel {
    const char *name;
    uint64_t calls, cycles; /* of its grids, from the first block to the last */
    const struct grid_counters *counts;
    bool event;       /* of events: `cycles` of each, also where they overlap */
    uint64_t untimed; /* calls beside those, of which there is no time */
};

/* One table; its shares are of `cycles`. */
struct profile {
    const struct machine_config *config;
    const char *name;
    uint64_t cycles;
    const struct profile_kernel *kernels;
    uint32_t n_kernels;
    const struct profile_copies *copies; /* [COPY_KINDS], or NULL */
};

/* The profile of one kernel. Rates are 0..1; negative: there was nothing to count. */
struct profile_figures {
    double occupancy; /* resident warps of those that a core has room for, on cores with any */
    double ipc;       /* warp instructions per cycle and core with any of its warps */
    double l1, l2;    /* hits */
    double dram;      /* bytes of what the channels can move in its cycles */
    double no_warps;  /* of all schedulers' cycles while it ran: without a warp of it */
    double state[WARP_STATES]; /* of its warps' cycles */
    enum warp_state main;      /* most of these, but issuing */
};

struct profile_figures profile_figures(const struct machine_config *config,
                                       const struct profile_kernel *kernel);

/* A name in at most three words: "memory", "bank conflicts". */
const char *profile_state_name(enum warp_state state);

/* The key of its figures in statistics files. */
const char *profile_state_key(enum warp_state state);

/* The main reason for which it does not issue more: "memory 81 %", "no warps 93 % (memory)". */
void profile_main_stall(const struct profile_figures *f, char *text, size_t room);

/* Demangled, without parameters: _Z3addPfS_i is add, _Z6reduceIfEvPT_ is reduce<float>. */
void profile_short_name(const char *name, char *text, size_t room);

/* At most 100 columns; kernels by their time. */
void profile_print(const struct profile *p, FILE *to);

/* Members are added to the object of a kernel. */
void profile_json(const struct profile_figures *f, const struct grid_counters *counts,
                  json_t *kernel);
json_t *profile_events_json(const struct machine_config *config, struct guest *g);

/* The guest's event kernels behind `n` rows that there are; free() what comes back. */
struct profile_kernel *profile_with_events(struct profile_kernel *rows, uint32_t *n,
                                           struct guest *g);

/* The table of a guest that has nothing but event kernels. */
void profile_print_events(struct guest *g, FILE *to);

json_t *profile_copies_json(const struct profile_copies *copies);

#endif
