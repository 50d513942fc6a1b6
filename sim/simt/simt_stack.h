/* Program counter, active lanes and SIMT stack of each warp. Owner: simt_stack.c. */
#ifndef EVGPU_SIMT_SIMT_STACK_H
#define EVGPU_SIMT_SIMT_STACK_H

#include "sim/simt/units.h"

#define STACK_ENTRIES (2 * (2 * WARP_SIZE + 2)) /* a warp's and, above it, an event's */

struct core;

struct stack_entry {
    uint32_t pc, rpc, mask;
};

/* The place that a warp is at, to go back to. */
struct stack_point {
    uint32_t pc, rpc, active;
    uint8_t depth;
};

struct stacks {
    uint32_t pc[SLOTS], active[SLOTS], rpc[SLOTS];
    uint8_t depth[SLOTS], base[SLOTS];
    struct stack_entry (*entry)[STACK_ENTRIES];
};

static inline uint32_t stack_pc(const struct stacks *s, uint32_t w)
{
    return s->pc[w];
}

static inline uint32_t stack_active(const struct stacks *s, uint32_t w)
{
    return s->active[w];
}

static inline struct stack_point stack_point(const struct stacks *s, uint32_t w)
{
    return (struct stack_point){s->pc[w], s->rpc[w], s->active[w], s->depth[w]};
}

void stacks_create(struct core *c);
void stacks_destroy(struct core *c);
void stack_start(struct core *c, uint32_t w, uint32_t lanes);
void stack_advance(struct core *c, uint32_t w);
void stack_branch(struct core *c, uint32_t w, const struct inst *inst, uint32_t taken);
bool stack_exit(struct core *c, uint32_t w, uint32_t lanes); /* false: no lane is left */
void stack_go_back(struct core *c, uint32_t w, const struct stack_point *to);
void stack_push_event(struct core *c, uint32_t w, uint32_t mask);
void stack_pop_event(struct core *c, uint32_t w);

#endif
