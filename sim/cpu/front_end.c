/* Fetch and branch prediction. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cpu/core_internal.h"

void front_create(struct cpu_core *c)
{
    struct front_end *f = &c->front;
    f->batch = ALLOC_ARRAY(struct cpu_instruction, BATCH);
    f->counter = ALLOC_ARRAY(uint8_t, 1ull << c->config.predictor_bits);
    memset(f->counter, 2, 1ull << c->config.predictor_bits);
    f->targets = ALLOC_ARRAY(uint64_t, 1ull << c->config.target_bits);
    f->line = UINT64_MAX;
}

void front_destroy(struct cpu_core *c)
{
    free(c->front.batch);
    free(c->front.counter);
    free(c->front.targets);
}

/* --- prediction ------------------------------------------------------------------------------- */

enum branch_kind { BRANCH_ALWAYS_RIGHT, BRANCH_CONDITIONAL, BRANCH_INDIRECT };

/* What a trace says of a branch is which registers it reads. */
static enum branch_kind branch_kind(const struct cpu_instruction *in)
{
    bool stack = false, ip = false, flags = false, other = false;
    for (uint32_t i = 0; i < CPU_SOURCES; i++) {
        uint32_t r = in->source[i];
        stack |= r == CPU_REG_STACK;
        ip |= r == CPU_REG_IP;
        flags |= r == CPU_REG_FLAGS;
        other |= r && r != CPU_REG_STACK && r != CPU_REG_IP && r != CPU_REG_FLAGS;
    }
    if (!stack && (flags || (ip && other)))
        return BRANCH_CONDITIONAL;
    return other && (ip || !stack) ? BRANCH_INDIRECT : BRANCH_ALWAYS_RIGHT;
}

static uint64_t mix(uint64_t n)
{
    return n ^ n >> 13;
}

static bool predict_direction(struct cpu_core *c, const struct cpu_instruction *in)
{
    struct front_end *f = &c->front;
    uint64_t mask = (1ull << c->config.predictor_bits) - 1;
    uint64_t recent = f->history & ((1ull << c->config.history_bits) - 1);
    uint8_t *counter = &f->counter[(mix(in->ip) ^ recent) & mask];
    bool right = (*counter >= 2) == in->taken;
    if (in->taken)
        *counter = (uint8_t)(*counter + (*counter < 3));
    else
        *counter = (uint8_t)(*counter - (*counter > 0));
    f->history = f->history << 1 | in->taken;
    return right;
}

static bool predict_target(struct cpu_core *c, uint64_t ip, uint64_t target)
{
    uint64_t *last = &c->front.targets[mix(ip) & ((1ull << c->config.target_bits) - 1)];
    bool right = *last == target;
    *last = target;
    return right;
}

/* `in` stands in the batch, with the next instruction behind it unless the trace ends. */
static bool predict(struct cpu_core *c, const struct cpu_instruction *in)
{
    bool right = true;
    enum branch_kind kind = branch_kind(in);
    if (kind == BRANCH_CONDITIONAL)
        right = predict_direction(c, in);
    else if (kind == BRANCH_INDIRECT && c->front.at < c->front.filled)
        right = predict_target(c, in->ip, in[1].ip);
    c->stats.branches++;
    c->stats.mispredicted += !right;
    return right;
}

/* --- fetch ------------------------------------------------------------------------------------ */

/* At least this instruction and the next one are in the batch, if there are any. */
static bool refill(struct cpu_core *c)
{
    struct front_end *f = &c->front;
    uint32_t left = f->filled - f->at;
    if (left)
        f->batch[0] = f->batch[f->at];
    f->at = 0;
    f->filled = left + c->read(c->user, f->batch + left, BATCH - left);
    return f->filled > 0;
}

/* True when the instruction's line is there; otherwise fetch stops. */
static bool have_line(struct cpu_core *c, uint64_t line, uint64_t cycle)
{
    struct front_end *f = &c->front;
    struct access_result r = hierarchy_fetch(c, line, cycle);
    if (r.what == ACCESS_HELD) {
        f->stop = FETCH_MSHR;
        return false;
    }
    f->line = line;
    if (r.what == ACCESS_WAITS)
        f->stop = FETCH_LINE;
    else if (r.there > cycle)
        f->resume = r.there;
    return r.what == ACCESS_DONE && r.there <= cycle;
}

static void stop_behind(struct cpu_core *c, uint32_t number)
{
    struct entry *e = &c->window.entry[number];
    if (e->done != CPU_NEVER) {
        c->front.resume = e->done + c->config.branch_penalty;
        return;
    }
    e->flags |= ENTRY_BLOCKS_FETCH;
    c->front.stop = FETCH_BRANCH;
}

void front_fetch(struct cpu_core *c, uint64_t cycle)
{
    struct front_end *f = &c->front;
    if (f->stop != FETCH_RUNS || cycle < f->resume)
        return;
    for (uint32_t n = 0; n < c->config.width; n++) {
        if (window_count(&c->window) == c->config.window)
            return;
        if (f->at + 1 >= f->filled && !refill(c)) {
            f->stop = FETCH_ENDED;
            return;
        }
        const struct cpu_instruction *in = &f->batch[f->at];
        uint64_t line = in->ip << 1 >> (CPU_LINE_SHIFT + 1);
        if (line != f->line && !have_line(c, line, cycle))
            return;
        f->at++;
        uint32_t number = window_enter(c, in, cycle);
        if (in->branch && !predict(c, in)) {
            stop_behind(c, number);
            return;
        }
    }
}
