/* The work of a program: calls, copies, kernels. Owner: figures.c. */
#ifndef EVGPU_GUEST_PROGRAM_FIGURES_H
#define EVGPU_GUEST_PROGRAM_FIGURES_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/guest/kernel_figures.h"
#include "sim/guest/profile.h"

struct program;

struct program_figures {
    uint64_t calls, launches, copies, sets;
    uint64_t bytes[COPY_KINDS]; /* of copies that were submitted */
    uint64_t kernel_cycles;     /* of the kernels that were timed */
    uint64_t timed, untimed;    /* kernels that are over */
    uint64_t last_cycle;
    struct kernel_figures_table kernels, alone; /* alone: of the same program without services */
    struct profile_copies by_kind[COPY_KINDS];  /* copies that are over */
};

/* `alone` may be NULL. */
void figures_init(struct program *p, const struct kernel_figures_table *alone);
void figures_free(struct program *p);

void figures_call(struct program *p);
void figures_launch(struct program *p);
void figures_copy(struct program *p, enum profile_copy kind, uint64_t bytes);
void figures_set(struct program *p);
void figures_copy_over(struct program *p, enum profile_copy kind, uint64_t bytes, uint64_t cycles);
void figures_kernel_over(struct program *p, const struct grid *grid);
void figures_served(struct program *p, uint64_t cycle); /* the process, in this cycle */

uint64_t figures_calls(const struct program *p);
uint64_t figures_launches(const struct program *p);

void figures_print(const struct program *p, FILE *to);
json_t *figures_json(const struct program *p); /* the beginning of the program's section */

#endif
