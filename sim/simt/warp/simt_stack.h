/* Program counter, active lanes and SIMT stack of each warp. Owner: simt_stack.c. */
#ifndef EVGPU_SIMT_WARP_SIMT_STACK_H
#define EVGPU_SIMT_WARP_SIMT_STACK_H

#include "base/alloc.h"
#include "sim/simt/warp/units.h"

struct slots;

enum entry_flag {
    ENTRY_RETURN = 1u << 0, /* where a call returns to: ret takes lanes away above it only */
    ENTRY_WAITS = 1u << 1,  /* a path that stands at a convergent instruction for other lanes */
    ENTRY_NEEDS = 1u << 2,  /* and the instruction says which: it cannot do without them */
    ENTRY_SPLIT = 1u << 3   /* a victim under an event: its warp was split */
};

/* A path of the warp's lanes, or where the paths above it join (`pc`) and go on as one. */
struct stack_entry {
    uint32_t pc, rpc, mask;
    uint32_t flags; /* enum entry_flag */
};

/* The place that a warp is at, to go back to. */
struct stack_point {
    uint32_t pc, rpc, active, depth;
};

/* The top of a warp's stack, together in half a line of the host's cache. */
struct stack_top {
    uint32_t pc, active, rpc, depth, base;
    uint8_t polls; /* rounds of a polling loop since another path had its turn */
    uint32_t unused[2];
};

struct stacks {
    _Alignas(CACHE_LINE) struct stack_top top[SLOTS];
    struct stack_entry *entry[SLOTS];
    uint32_t capacity[SLOTS];
    /* Masks over warp slots. */
    uint64_t polled; /* has looked at memory that others write since it last branched back */
    uint64_t split;  /* paths do not wait for each other at every join any more */
    uint64_t forced; /* the top goes on alone from its convergent instruction */
};

static inline uint32_t stack_pc(const struct stacks *s, uint32_t w)
{
    return s->top[w].pc;
}

static inline uint32_t stack_active(const struct stacks *s, uint32_t w)
{
    return s->top[w].active;
}

/* Where the active lanes join those that wait below them; NO_RECONV: nowhere. */
static inline uint32_t stack_join(const struct stacks *s, uint32_t w)
{
    return s->top[w].rpc;
}

/* The active lanes have executed straight on to `pc`, which is not beyond their join. stack_advance
 * has to take the last step to the join itself. */
static inline void stack_move(struct stacks *s, uint32_t w, uint32_t pc)
{
    s->top[w].pc = pc;
}

/* Those that have not exited, wherever they are. */
static inline uint32_t stack_lanes(const struct stacks *s, uint32_t w)
{
    uint32_t lanes = s->top[w].active;
    for (uint32_t i = s->top[w].base; i < s->top[w].depth; i++)
        lanes |= s->entry[w][i].mask;
    return lanes;
}

/* The warp issues a load or atomic that sees what others write meanwhile. */
static inline void stack_polls(struct stacks *s, uint32_t w)
{
    s->polled |= BIT(w);
}

static inline bool stack_polled(const struct stacks *s, uint32_t w)
{
    return s->polled >> w & 1;
}

static inline void stack_forget_polls(struct stacks *s, uint32_t w)
{
    s->polled &= ~BIT(w);
}

/* The warp is one path, and no other waits. */
static inline bool stack_is_alone(const struct stacks *s, uint32_t w)
{
    return s->top[w].depth == s->top[w].base;
}

/* Nothing to gather before a convergent instruction, but at barriers: the warp is one path, or its
 * paths wait for each other at their joins. */
static inline bool stack_is_whole(const struct stacks *s, uint32_t w)
{
    return stack_is_alone(s, w) || !(s->split >> w & 1);
}

static inline struct stack_point stack_point(const struct stacks *s, uint32_t w)
{
    return (struct stack_point){s->top[w].pc, s->top[w].rpc, s->top[w].active, s->top[w].depth};
}

void stacks_create(struct stacks *s, uint32_t warps);
void stacks_destroy(struct stacks *s);
void stack_start(struct stacks *s, uint32_t w, uint32_t lanes);
void stack_reconverge(struct slots *slots, uint32_t w); /* has just advanced to its rpc */
void stack_branch(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t taken);
/* The taken lanes go each to its target, and come back to the next instruction. */
void stack_call(struct slots *slots, uint32_t w, uint32_t taken, const uint32_t target[WARP_SIZE]);
void stack_return(struct slots *slots, uint32_t w, uint32_t lanes);
/* Before a convergent instruction issues: false when the warp goes on elsewhere first, because
 * lanes that should take part have not got there. Barriers always, others only after a split. */
bool stack_gather(struct slots *slots, uint32_t w, const struct inst *inst);
bool stack_exit(struct slots *slots, uint32_t w, uint32_t lanes); /* false: no lane is left */
void stack_end(struct stacks *s, uint32_t w); /* no lane is left, of the event only if one runs */
void stack_go_back(struct stacks *s, uint32_t w, const struct stack_point *to);
void stack_push_event(struct slots *slots, uint32_t w, uint32_t mask);
void stack_pop_event(struct slots *slots, uint32_t w);

#endif
