#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "sim/cpu/trace/generator_internal.h"

enum {
    BLOCKS = 6,      /* of a function */
    NEVER_TAKEN = 15 /* percent of the branches that always go the same way */
};

/* A share of the ops that is kept exactly over the program but not in a fixed pattern. */
struct share {
    double percent, credit;
};

struct maker {
    const struct cpu_application *a;
    struct rng rng;
    struct op *op;
    uint32_t n;
    uint32_t temp; /* written last */
    struct share load, store, chain, hard, data;
};

/* Whether this op is one of them; `of` is the percent that such ops are of all. */
static bool takes(struct maker *m, struct share *s, double of)
{
    s->credit += s->percent / of;
    if (s->credit * 1000 <= rng_below(&m->rng, 1000))
        return false;
    s->credit -= 1;
    return true;
}

static uint64_t registers(const struct cpu_instruction *in)
{
    uint64_t bytes;
    memcpy(&bytes, &in->branch, sizeof bytes);
    return bytes;
}

static uint8_t some_temp(struct maker *m)
{
    return (uint8_t)(REG_TEMP + rng_below(&m->rng, REG_TEMPS));
}

static uint8_t next_temp(struct maker *m)
{
    m->temp = (m->temp + 1) % REG_TEMPS;
    return (uint8_t)(REG_TEMP + m->temp);
}

static void add_plain(struct maker *m)
{
    struct cpu_instruction in = {0};
    struct op *op = &m->op[m->n++];
    double of = 100 - m->a->branches, rest = of - m->a->loads - m->a->stores;
    if (takes(m, &m->load, of)) {
        op->kind = OP_LOAD;
        in.source[0] = REG_BASE;
        in.source[1] = rng_chance(&m->rng, 1, 2) ? some_temp(m) : 0;
        in.target[0] = next_temp(m);
    } else if (takes(m, &m->store, of - m->a->loads)) {
        op->kind = OP_STORE;
        in.source[0] = REG_BASE;
        in.source[1] = some_temp(m);
    } else if (takes(m, &m->chain, rest)) {
        op->kind = OP_COMPUTE;
        in.source[0] = in.target[0] = REG_COMPUTE_CHAIN;
        in.source[1] = some_temp(m);
    } else {
        op->kind = OP_COMPUTE;
        in.source[0] = some_temp(m);
        in.source[1] = REG_BASE;
        in.target[0] = next_temp(m);
    }
    op->registers = registers(&in);
}

/* Of a loop's other branches most are always taken, as in loops and checks; those over one
 * instruction. */
static void add_branch(struct maker *m, enum op_kind kind, uint32_t jump)
{
    struct cpu_instruction in = {.branch = 1, .target = {CPU_REG_IP}, .source = {CPU_REG_IP}};
    struct op *op = &m->op[m->n++];
    op->kind = (uint8_t)kind;
    op->jump = jump;
    if (kind == OP_SKIP && takes(m, &m->hard, 1000)) {
        op->odds = (uint8_t)(64 + rng_below(&m->rng, 128));
        bool waits = takes(m, &m->data, 100);
        in.source[1] = !waits ? some_temp(m) : m->a->dependent ? REG_CHAIN : REG_FAR;
    } else if (kind != OP_JUMP) {
        op->odds = rng_chance(&m->rng, NEVER_TAKEN, 100) ? 0 : 255;
        in.source[1] = some_temp(m);
    }
    op->registers = registers(&in);
}

/* A loop of blocks, each with a conditional branch over one instruction in its end, the last one
 * back to the begin; then a jump to the op behind, which comes once in `trips` rounds. */
static void add_function(struct maker *m, const uint32_t length[BLOCKS])
{
    uint32_t begin = m->n;
    for (uint32_t b = 0; b < BLOCKS; b++) {
        for (uint32_t i = 1; i < length[b]; i++)
            add_plain(m);
        if (b + 1 < BLOCKS) {
            add_branch(m, OP_SKIP, m->n + 2);
            add_plain(m);
        }
    }
    add_branch(m, OP_LOOP, begin);
    add_branch(m, OP_JUMP, m->n + 1);
}

struct op *generator_code(const struct cpu_application *a, uint32_t *n)
{
    struct maker m = {.a = a,
                      .load = {a->loads, 0},
                      .store = {a->stores, 0},
                      .chain = {a->chain, 0},
                      .hard = {a->hard, 0},
                      .data = {a->data_branch, 0}};
    uint32_t total = a->code_kib * 1024u / OP_BYTES, length[BLOCKS];
    /* Instructions of a block, without what its branch skips: the shares of all blocks together. */
    double each = 100.0 / a->branches - NEVER_TAKEN / 100.0;
    for (uint32_t b = 0; b < BLOCKS; b++)
        length[b] = (uint32_t)(each * (b + 1)) - (uint32_t)(each * b);
    uint32_t ops = (uint32_t)(each * BLOCKS) + BLOCKS;
    uint32_t functions = total / ops ? total / ops : 1;
    uint64_t seed = 0;
    for (const char *c = a->name; *c; c++)
        seed = seed * 31 + (uint8_t)*c;
    rng_seed(&m.rng, seed);
    m.op = ALLOC_ARRAY(struct op, (size_t)functions * ops);
    for (uint32_t f = 0; f < functions; f++)
        add_function(&m, length);
    m.op[m.n - 1].jump = 0;
    *n = m.n;
    return m.op;
}
