/* A CPU core alone: a program in an array, and a memory that answers every request after a stated
 * time. */
#ifndef EVGPU_TESTS_CPU_CORE_FIXTURE_H
#define EVGPU_TESTS_CPU_CORE_FIXTURE_H

#include "base/alloc.h"
#include "base/rng.h"
#include "sim/cpu/cpu_core.h"
#include "tests/unit.h"

#define DATA 0x10000000u /* where data begin */
#define CODE 0x400000u
#define LINE 128u

/* Table I. */
static inline struct cpu_core_config table1_core(void)
{
    return (struct cpu_core_config){.width = 3,
                                    .memory_width = 1,
                                    .window = 128,
                                    .alu_latency = 1,
                                    .store_buffer = 32,
                                    .branch_penalty = 15,
                                    .predictor_bits = 14,
                                    .history_bits = 12,
                                    .target_bits = 9,
                                    .l1i_bytes = 32768,
                                    .l1i_ways = 4,
                                    .l1d_bytes = 32768,
                                    .l1d_ways = 4,
                                    .l1_latency = 2,
                                    .l1_mshrs = 16,
                                    .l2_bytes = 262144,
                                    .l2_ways = 8,
                                    .l2_latency = 8,
                                    .l2_mshrs = 32,
                                    .l2_writebacks = 16};
}

/* A program: `n` instructions made by `make`, one after the other. */
struct program {
    uint64_t n, made;
    void (*make)(struct cpu_instruction *out, uint64_t i, const void *what);
    const void *what;
};

static inline uint32_t read_program(void *user, struct cpu_instruction *out, uint32_t n)
{
    struct program *p = user;
    uint32_t got = 0;
    for (; got < n && p->made < p->n; got++) {
        out[got] = (struct cpu_instruction){.ip = CODE};
        p->make(&out[got], p->made++, p->what);
    }
    return got;
}

#define IN_FLIGHT 4096u

struct reply {
    uint64_t cycle;
    uint32_t tag;
};

struct rig {
    struct cpu_core *core;
    struct program *program;
    uint64_t latency; /* of memory */
    bool by_event;    /* time goes on by events, not by cycles */
    uint64_t ahead;   /* cycles that the core may be ahead of time */
    struct reply reply[IN_FLIGHT];
    uint32_t first, count;
    uint64_t cycle;
};

static inline struct rig *rig_create(const struct cpu_core_config *config, struct program *program,
                                     uint64_t latency)
{
    struct error err = {0};
    struct rig *r = ALLOC(struct rig);
    struct cpu_core_config c = *config;
    c.least = (uint32_t)latency;
    r->core = cpu_core_create(&c, read_program, program, &err);
    if (!r->core)
        fail_msg("%s", err.text);
    r->program = program;
    r->latency = latency;
    return r;
}

static inline void rig_destroy(struct rig *r)
{
    cpu_core_destroy(r->core);
    free(r);
}

/* One cycle, and everything that leaves the core in it. */
static inline void rig_cycle(struct rig *r)
{
    struct cpu_request q;
    for (; r->count && r->reply[r->first % IN_FLIGHT].cycle <= r->cycle; r->count--)
        cpu_core_reply(r->core, r->reply[r->first++ % IN_FLIGHT].tag, r->cycle);
    while (!cpu_core_run(r->core, r->cycle + 1, r->ahead ? r->cycle + r->ahead : 0))
        ;
    while (cpu_core_request(r->core, r->cycle + 1, &q)) {
        cpu_core_sent(r->core, r->cycle);
        assert_true(r->count < IN_FLIGHT);
        r->reply[(r->first + r->count++) % IN_FLIGHT] =
            (struct reply){r->cycle + r->latency, q.tag};
    }
    r->cycle++;
    if (!r->by_event)
        return;
    uint64_t next = cpu_core_next(r->core);
    if (r->count && r->reply[r->first % IN_FLIGHT].cycle < next)
        next = r->reply[r->first % IN_FLIGHT].cycle;
    if (next != CPU_NEVER && next > r->cycle)
        r->cycle = next;
}

/* Cycles until `instructions` have retired. */
static inline uint64_t rig_until(struct rig *r, uint64_t instructions)
{
    cpu_core_mark(r->core, instructions);
    for (uint64_t n = 0; cpu_core_marked(r->core) == CPU_NEVER; n++) {
        assert_true(n < 100000000);
        rig_cycle(r);
    }
    return cpu_core_marked(r->core);
}

/* Until the program has ended and nothing is on its way. */
static inline void rig_end(struct rig *r)
{
    for (uint64_t n = 0; !cpu_core_ended(r->core) || cpu_core_outstanding(r->core); n++) {
        assert_true(n < 100000000);
        rig_cycle(r);
    }
}

static inline struct cpu_core_stats rig_stats(const struct rig *r)
{
    struct cpu_core_stats s;
    cpu_core_stats(r->core, &s);
    return s;
}

/* Cycles of a program as a whole. */
static inline uint64_t cycles_of(const struct cpu_core_config *config, struct program *program,
                                 uint64_t latency)
{
    struct rig *r = rig_create(config, program, latency);
    uint64_t cycles = rig_until(r, program->n);
    rig_destroy(r);
    return cycles;
}

/* The first instruction is fetched when its line has come. */
static inline uint64_t first_fetch(const struct cpu_core_config *c, uint64_t latency)
{
    return c->l1_latency + c->l2_latency + latency;
}

#endif
