/* Generated instruction streams: applications.h says what they are made of. */
#include "sim/cpu/trace/generator.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "sim/cpu/trace/generator_internal.h"
#include "sim/cpu/trace/trace_internal.h"

enum { LINE_SHIFT = 7, LINE_BYTES = 1 << LINE_SHIFT };

/* Where the parts of the address space begin, in lines. The pool has all its lines in POOL_SETS of
 * the 256 sets of a 256 KB L2 of 8 ways: 16 in each, one after the other, so that it never hits
 * there however small it is. Mid and near lines lie in the other sets. Streams begin in different
 * sets. */
#define NEAR_LINE      (1ull << 21)
#define MID_LINE       (1ull << 22)
#define POOL_LINE      (1ull << 23)
#define HEAP_LINE      (1ull << 29)
#define STREAM_LINE    (1ull << 30)
#define STREAM_LINES   (1ull << 24)
#define STREAM_STAGGER 37u
#define MAX_STREAMS    32u
enum {
    L2_SETS = 256,
    POOL_SETS = 32,
    POOL_LINES = 16 * POOL_SETS,
    POOL_STRIDE = 205,
    PAGE_LINES = 32
};

struct generator {
    const struct cpu_application *app;
    struct op *code;
    uint32_t n_ops, pc;
    uint32_t trips; /* of the function's loop, still to come */
    uint64_t random;
    uint64_t now; /* instructions behind the first walk, from some number on */

    uint32_t walk, walk_steps;

    uint64_t far_at;                 /* the next far accesses are due */
    uint64_t far_work, far_interval; /* 16 bits of fraction; due() */
    uint32_t burst_left;
    bool far_store;

    uint64_t mid_at, mid_due, mid_interval; /* likewise */
    uint32_t mid_next;

    uint32_t touches; /* accesses that go on in the last far line */
    uint64_t touched;
    uint64_t written; /* a line whose store is still to come; 0: none */

    uint32_t heap_next, heap_mask, heap_shift;
    uint32_t chain_next, stream_next;
    uint32_t stream_at[2 * MAX_STREAMS]; /* loaded ones, stored ones */
    uint32_t pool_next;
};

static inline uint64_t draw(struct generator *g)
{
    g->random ^= g->random >> 12;
    g->random ^= g->random << 25;
    g->random ^= g->random >> 27;
    return g->random * 0x2545F4914F6CDD1Dull >> 16;
}

static bool chance(struct generator *g, uint32_t percent)
{
    return (draw(g) & 0xFFFF) * 100 < (uint64_t)percent << 16;
}

/* --- when --------------------------------------------------------------------------------------
 */

/* Instruction at which `work` is done, work coming at (100 + phase) percent in the first half of
 * each period and (100 - phase) in the second: both together at 100. */
static uint64_t due(const struct generator *g, uint64_t work)
{
    uint64_t period = (uint64_t)g->app->phase_kilo * 1000 << 16, more = 100u + g->app->phase;
    uint64_t whole = work / period * period, r = work % period, first = period / 200 * more;
    uint64_t at = r < first ? r * 100 / more : period / 2 + (r - first) * 100 / (200 - more);
    return (whole + at) >> 16;
}

/* One burst somewhere in each interval, so that their number is exact over any time. */
static void next_burst(struct generator *g)
{
    g->far_at = due(g, g->far_work + draw(g) % g->far_interval);
    g->far_work += g->far_interval;
    g->burst_left = g->app->burst;
}

/* The kind of the next access of the burst: only a store instruction can make a stream of stores.
 */
static void next_far(struct generator *g)
{
    const struct cpu_application *a = g->app;
    if (!--g->burst_left)
        next_burst(g);
    g->far_store = a->streams > 1 && chance(g, a->stream) && chance(g, a->dirty);
}

/* --- where -------------------------------------------------------------------------------------
 */

/* Every line of the heap once in a scattered order, then again. */
static uint64_t heap_line(struct generator *g)
{
    uint32_t x = g->heap_next++ * 0x9E3779B1u & g->heap_mask;
    x ^= x >> g->heap_shift;
    x = x * 0x85EBCA6Bu & g->heap_mask;
    return HEAP_LINE + (x ^ x >> g->heap_shift);
}

static uint64_t stream_line(struct generator *g, uint32_t of)
{
    uint32_t s = of + g->stream_next;
    g->stream_next = (g->stream_next + 1) % g->app->streams;
    return STREAM_LINE + s * (STREAM_LINES + STREAM_STAGGER) +
           (g->stream_at[s]++ & (STREAM_LINES - 1));
}

/* All of the pool in a scattered order, whole pages of it side by side. */
static uint64_t pool_line(uint32_t i)
{
    uint32_t at = i * POOL_STRIDE % POOL_LINES, page = at / PAGE_LINES;
    uint32_t pages = POOL_SETS / PAGE_LINES;
    return POOL_LINE + page / pages * L2_SETS + page % pages * PAGE_LINES + at % PAGE_LINES;
}

static uint64_t mid_line(uint32_t i)
{
    uint32_t sets = L2_SETS - POOL_SETS;
    return MID_LINE + POOL_SETS + i / sets * L2_SETS + i % sets;
}

static uint64_t near_line(uint32_t i)
{
    return NEAR_LINE + POOL_SETS + i;
}

/* The line itself, or one of the pool's. */
static uint64_t or_pool(struct generator *g, uint64_t line)
{
    if (!chance(g, g->app->reuse))
        return line;
    g->pool_next = g->pool_next + 1 == POOL_LINES ? 0 : g->pool_next + 1;
    return pool_line(g->pool_next);
}

static void set_registers(struct cpu_instruction *x, uint8_t source, uint8_t target)
{
    x->source[0] = source;
    x->source[1] = 0;
    x->target[0] = target;
}

static void far_load(struct generator *g, struct cpu_instruction *x)
{
    const struct cpu_application *a = g->app;
    bool streams = chance(g, a->stream);
    uint64_t line = or_pool(g, streams ? stream_line(g, 0) : heap_line(g));
    g->touched = line << LINE_SHIFT;
    g->touches = streams ? 3 : 1;
    if (!streams && chance(g, a->dependent)) {
        uint8_t reg = (uint8_t)(REG_CHAIN + g->chain_next);
        g->chain_next = (g->chain_next + 1) % a->chains;
        set_registers(x, reg, reg);
    } else {
        set_registers(x, REG_BASE, REG_FAR);
    }
    if ((!streams || a->streams == 1) && chance(g, a->dirty))
        g->written = g->touched;
    x->load[0] = g->touched;
    next_far(g);
}

static uint64_t near_address(struct generator *g)
{
    uint64_t r = draw(g);
    return (near_line((uint32_t)r & (g->app->near_lines - 1u)) << LINE_SHIFT) + (r >> 20 & 15) * 8;
}

static void load(struct generator *g, struct cpu_instruction *x)
{
    if (g->now >= g->far_at && !g->far_store) {
        far_load(g, x);
    } else if (g->touches) {
        x->load[0] = g->touched + 8ull * g->touches--;
    } else if (g->now >= g->mid_at) {
        g->mid_due += g->mid_interval;
        g->mid_at = g->mid_due >> 16;
        x->load[0] = mid_line(g->mid_next) << LINE_SHIFT;
        g->mid_next = g->mid_next + 1 == g->app->mid_lines ? 0 : g->mid_next + 1;
    } else {
        x->load[0] = near_address(g);
    }
}

static void store(struct generator *g, struct cpu_instruction *x)
{
    if (g->written) {
        x->store[0] = g->written;
        g->written = 0;
    } else if (g->now >= g->far_at && g->far_store) {
        x->store[0] = or_pool(g, stream_line(g, MAX_STREAMS)) << LINE_SHIFT;
        next_far(g);
    } else {
        x->store[0] = near_address(g);
    }
}

/* --- the program -------------------------------------------------------------------------------
 */

static bool loop_again(struct generator *g)
{
    bool again = --g->trips > 0;
    if (!again)
        g->trips = g->app->trips;
    return again;
}

static inline void step(struct generator *g, struct cpu_instruction *x)
{
    const struct op *op = &g->code[g->pc];
    *x = (struct cpu_instruction){.ip = CODE_BASE + (uint64_t)g->pc * OP_BYTES};
    memcpy(&x->branch, &op->registers, sizeof op->registers);
    g->now++;
    switch ((enum op_kind)op->kind) {
    case OP_COMPUTE:
        break;
    case OP_LOAD:
        load(g, x);
        break;
    case OP_STORE:
        store(g, x);
        break;
    case OP_SKIP:
        x->taken = op->odds == 255 || (op->odds && (draw(g) & 0xFF) < op->odds);
        break;
    case OP_LOOP:
        x->taken = loop_again(g);
        break;
    case OP_JUMP:
        x->taken = 1;
        break;
    }
    g->pc = x->taken ? op->jump : g->pc + 1;
}

static uint32_t walked_lines(const struct cpu_application *a)
{
    return (a->reuse ? POOL_LINES : 0u) + a->mid_lines + a->near_lines;
}

static uint64_t walked_line(const struct generator *g, uint32_t i)
{
    uint32_t pool = g->app->reuse ? POOL_LINES : 0, mid = g->app->mid_lines;
    if (i < pool)
        return pool_line(i);
    i -= pool;
    return i < mid ? mid_line(i) : near_line(i - mid < g->app->near_lines ? i - mid : 0);
}

/* A step of the first walk: a load, and a jump to the next line of the program. */
static void walk(struct generator *g, struct cpu_instruction *x)
{
    uint32_t at = g->walk / 2, code_lines = (g->n_ops * OP_BYTES + LINE_BYTES - 1) / LINE_BYTES;
    bool jumps = g->walk & 1;
    *x = (struct cpu_instruction){.ip = CODE_BASE + (uint64_t)(at % code_lines) * LINE_BYTES};
    if (jumps) {
        x->ip += OP_BYTES;
        x->branch = x->taken = 1;
        x->source[0] = x->target[0] = CPU_REG_IP;
    } else {
        set_registers(x, REG_BASE, REG_TEMP);
        x->load[0] = walked_line(g, at) << LINE_SHIFT;
    }
    g->walk++;
}

static uint32_t generator_read(void *self, struct cpu_instruction *out, uint32_t n,
                               struct error *err)
{
    struct generator *g = self;
    uint32_t i = 0;
    (void)err;
    for (; i < n && g->walk < g->walk_steps; i++)
        walk(g, &out[i]);
    for (; i < n; i++)
        step(g, &out[i]);
    return n;
}

static void generator_close(void *self)
{
    struct generator *g = self;
    free(g->code);
    free(g);
}

const struct cpu_trace_kind generator_kind = {generator_read, NULL, generator_close};

static uint32_t log2_of(uint32_t n)
{
    return 31u - (uint32_t)__builtin_clz(n);
}

void *generator_open(const struct cpu_application *a, uint32_t core, uint64_t seed)
{
    struct generator *g = ALLOC(struct generator);
    struct rng rng;
    g->app = a;
    g->code = generator_code(a, &g->n_ops);
    rng_seed(&rng, seed * 1000003 + core);
    g->random = rng_u64(&rng) | 1;
    g->trips = a->trips;
    uint32_t lines = walked_lines(a);
    uint32_t code_lines = g->n_ops * OP_BYTES / LINE_BYTES + 1;
    g->walk_steps = 2 * (lines > code_lines ? lines : code_lines);
    g->heap_mask = (uint32_t)a->heap_mib * (1024u * 1024u / LINE_BYTES) - 1;
    g->heap_shift = (log2_of(g->heap_mask) + 1) / 2;
    g->heap_next = (uint32_t)rng_u64(&rng);
    for (uint32_t s = 0; s < 2 * MAX_STREAMS; s++)
        g->stream_at[s] = rng_below(&rng, 1u << 20);
    g->far_interval = (uint64_t)(1000.0 * 65536.0 * a->burst / a->mpki + 0.5);
    /* Cores of one application are not in step. */
    g->far_work = draw(g) % ((uint64_t)a->phase_kilo * 1000 << 16);
    g->now = due(g, g->far_work);
    next_burst(g);
    g->mid_interval = (1000ull << 16) / a->mid_rate;
    g->mid_due = g->now << 16;
    return g;
}
