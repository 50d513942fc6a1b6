/* A warp's turn: straight runs of arithmetic and memory instructions in one loop, everything else
 * one by one, by what the pipeline has for it. */
#include "base/clones.h"
#include "sim/simt/check/check.h"
#include "sim/simt/functional/warp_turn.h"
#include "sim/simt/pipeline/pipeline.h"

#define TURN_INSTRUCTIONS 4096u /* at most, so that warps which wait for each other go on */
/* Times that it branches back after it has looked at memory; each further time is the last with
 * this chance, and fewer than so many instructions follow. With fixed numbers a loop could end
 * every turn with a lock held, and those who wait for the lock would never see it free: one of as
 * many rounds, or one that takes the lock before it branches back. */
#define TURN_POLLS       15u
#define TURN_ENDS_ONE_IN 4u
#define TURN_REST        64u
#define CLOCK_LOOKS      8u /* times that it branches back after it has only looked at the clock */
#define CLOCK_SHARE      4u /* of the time that it has waited, by which the clock then jumps */
#define CLOCK_WAIT       (1ull << 36) /* waiting longer it makes no jumps, in one turn */

struct turn {
    struct block_turns *block;
    struct functional *f;
    struct slots *slots;
    struct lane_ctx *ctx;
    const struct inst *code;
    uint64_t *counts; /* the grid's `executed` */
    uint32_t w, n_inst;
    /* Counted apart from each other: one load of both waits for every store of the warp before. */
    uint64_t executed;
    uint64_t left;
    uint64_t threads;
    uint64_t unused;     /* instructions that it does not have any more because it ends early */
    uint32_t polls_left; /* times that it may branch back after it has looked at memory */
    bool over, polled;   /* polled: it ends because it polls */
    bool stepped;        /* it has executed something other than machine code */
    uint32_t looks;      /* loops in a row that have only looked at the clock */
    uint64_t looking;    /* cycles_ahead at the first of them */
    bool busy;           /* it has done something else since the last loop */
};

/* Before the warp may be given back: what it has executed is counted. */
static void settle(struct turn *t)
{
    struct functional *f = t->f;
    f->instructions += t->executed;
    f->threads += t->threads;
    warp_count_run(&t->slots->warps, t->w, t->executed, t->threads);
    functional_count(f, warp_of(&t->slots->warps, t->w)->kernel, t->executed);
    t->executed = t->threads = 0;
}

static void count(const struct turn *t, uint32_t first, uint32_t instructions)
{
    if (!t->counts)
        return;
    t->counts[first]++;
    t->counts[first + instructions]--;
}

/* %clock counts one cycle per warp instruction of the core, and jumps in loops that wait for it;
 * %globaltimer follows it from turn to turn. */
static uint64_t cycles_ahead(const struct turn *t)
{
    return t->f->instructions + t->f->jumped + t->executed;
}

static void set_globaltimer(const struct turn *t)
{
    const uint64_t cycles = cycles_ahead(t), khz = t->slots->env.core_khz;
    t->ctx->globaltimer =
        clock_nanoseconds(&t->slots->clock) + cycles / khz * 1000000 + cycles % khz * 1000000 / khz;
}

/* An access has not taken place. */
static void access_refused(struct turn *t)
{
    t->over = t->f->asks || t->f->in_turn >> t->w & 1;
}

/* All lanes may be at a barrier like the last one. False: they are not. */
static bool gather(struct turn *t)
{
    uint32_t pc = stack_pc(&t->slots->stacks, t->w);
    if (pc + 1 >= t->n_inst)
        return false;
    enum gathered gathered = gathering_arrive_usual(&t->block->gathering, t->w, &t->code[pc]);
    if (gathered == GATHERED_NOT)
        return false;
    stack_move(&t->slots->stacks, t->w, pc + 1);
    t->executed++;
    t->threads += WARP_SIZE;
    t->left--;
    t->over = gathered == GATHERED_WAITS;
    return true;
}

/* The warp goes on by machine code, which is for warps whose lanes are all active and wait for no
 * others. True: it is at something else. */
static bool run_native(struct turn *t)
{
    struct slots *slots = t->slots;
    if (stack_active(&slots->stacks, t->w) != FULL_MASK ||
        stack_join(&slots->stacks, t->w) < t->n_inst)
        return true;
    const bool alone = stack_is_alone(&slots->stacks, t->w);
    struct native_call *call = &t->block->call;
    call->ctx = t->ctx;
    call->w = t->w;
    call->at = stack_pc(&slots->stacks, t->w);
    call->left = t->left;
    call->less = 0;
    call->polls = alone ? t->polls_left : 0;
    call->failed = false;
    t->block->native(call);
    uint64_t ran = t->left - call->left;
    t->executed += ran;
    t->threads += ran * WARP_SIZE - call->less;
    t->left = call->left;
    t->polls_left = alone ? call->polls : t->polls_left;
    stack_move(&slots->stacks, t->w, call->at);
    if (call->failed) {
        access_refused(t);
        return false;
    }
    return !t->left || !gather(t);
}

/* Executes from the warp's place on, up to what is neither arithmetic nor a memory instruction, to
 * the join of its lanes, or to the end of its turn. True: the warp is at an instruction that has to
 * be executed by itself. */
CPU_CLONES static bool run_straight(struct turn *t)
{
    struct slots *slots = t->slots;
    const uint32_t w = t->w, first = stack_pc(&slots->stacks, w);
    const uint32_t active = stack_active(&slots->stacks, w), join = stack_join(&slots->stacks, w);
    uint32_t stop = join < t->n_inst ? join : t->n_inst;
    const bool joins = stop == join && stop - first <= t->left;
    const bool whole = stack_is_whole(&slots->stacks, w);
    stop = stop - first <= t->left ? stop : first + (uint32_t)t->left;
    const struct inst *inst = t->code + first, *end = t->code + stop;
    const exec_fn tile = t->block->tile;
    uint64_t threads = 0;
    bool failed = false;
    t->stepped = true;
    t->ctx->clock = clock_now(&slots->clock) + cycles_ahead(t);
    for (; inst != end; inst++) {
        uint32_t mask = inst_guard(inst, t->ctx, active);
        if (inst->class == INST_ALU) {
            if (inst->flags & INST_CONVERGENT && !whole)
                break;
            if (inst->unit == UNIT_TENSOR && mask == FULL_MASK) {
                uint32_t more = isa_products(inst, (uint32_t)(end - inst), t->ctx) - 1;
                t->ctx->clock += more;
                threads += more * WARP_SIZE;
                inst += more;
            } else if (inst->exec == tile && mask == FULL_MASK && inst + 1 != end &&
                       functional_load_tile(t->f, w, inst)) {
                t->busy = true;
                threads += WARP_SIZE;
                inst++;
            } else if (mask) {
                inst->exec(inst, t->ctx, mask);
            }
            t->ctx->clock++;
        } else if (inst_accesses(inst)) {
            t->busy = true;
            if (inst_polls(inst))
                stack_polls(&slots->stacks, w);
            if (mask && !functional_access(t->f, w, inst, mask)) {
                failed = true;
                access_refused(t);
                break;
            }
        } else {
            break;
        }
        threads += lanes_count(mask);
    }
    uint32_t ran = (uint32_t)(inst - (t->code + first));
    count(t, first, ran);
    t->executed += ran;
    t->threads += threads;
    t->left -= ran;
    if (inst != end || !joins || !ran) {
        stack_move(&slots->stacks, w, first + ran);
        return !failed && (inst != end || (!ran && t->left));
    }
    stack_move(&slots->stacks, w, first + ran - 1);
    stack_advance(slots, w);
    return false;
}

/* A loop begins anew. One that only looks at the clock waits for it: there the clock jumps, so that
 * a wait of a second does not take as many instructions. It goes too far by 1 / CLOCK_SHARE at
 * most. Where instructions are counted for estimates, it does not jump. */
static void loop(struct turn *t)
{
    bool waits = t->ctx->clock_read && !t->busy && !t->counts && !t->slots->env.warms;
    t->looks = waits ? t->looks + 1 : 0;
    if (t->looks == 1)
        t->looking = cycles_ahead(t);
    uint64_t waited = cycles_ahead(t) - t->looking;
    if (t->looks > CLOCK_LOOKS && waited < CLOCK_WAIT) {
        t->f->jumped += waited / CLOCK_SHARE;
        set_globaltimer(t);
    }
    t->ctx->clock_read = t->busy = false;
}

static void branch(struct turn *t, const struct inst *inst, uint32_t mask)
{
    bool back = mask && inst->target <= stack_pc(&t->slots->stacks, t->w);
    bool polls = back && stack_polled(&t->slots->stacks, t->w);
    stack_branch(t->slots, t->w, inst, mask);
    if (back)
        loop(t);
    if (!polls || t->polled)
        return;
    if (t->polls_left) {
        t->polls_left--;
        return;
    }
    if (rng_below(&t->f->rng, TURN_ENDS_ONE_IN))
        return;
    const uint64_t rest = rng_below(&t->f->rng, TURN_REST);
    t->polled = true;
    t->unused = rest < t->left ? t->left - rest : 0;
    t->left -= t->unused;
}

static void leave(struct turn *t, uint32_t mask)
{
    struct slots *slots = t->slots;
    if (!mask) {
        stack_advance(slots, t->w);
        return;
    }
    if (stack_exit(slots, t->w, mask))
        return;
    t->over = true;
    settle(t);
    gathering_end(&t->block->gathering);
    retire_exited(t->f->pipeline, t->w);
    warp_settle(slots, t->w);
}

static void arrive(struct turn *t, const struct inst *inst, uint32_t mask)
{
    stack_advance(t->slots, t->w);
    if (!mask || inst->bar_kind == BAR_WARP)
        return;
    enum gathered gathered = gathering_arrive(&t->block->gathering, t->w, inst, mask);
    if (gathered == GATHERED_NOT) {
        gathering_end(&t->block->gathering);
        barrier_arrive(&t->f->pipeline->barriers, t->w, inst, mask);
    }
    t->over = gathered == GATHERED_WAITS || ready_held(&t->slots->ready, WAIT_BARRIER) >> t->w & 1;
}

/* nanosleep: others have their turn. */
static void rest(struct turn *t, uint32_t mask)
{
    if (mask) {
        stack_polls(&t->slots->stacks, t->w);
        t->over = t->polled = true;
    }
    stack_advance(t->slots, t->w);
}

/* Everything of which run_straight knows nothing. */
static void execute(struct turn *t, const struct inst *inst, uint32_t mask)
{
    struct slots *slots = t->slots;
    const uint32_t w = t->w;
    t->busy = t->busy || (inst->class != INST_ALU && inst->class != INST_BRANCH);
    switch (inst->class) {
    case INST_ALU:
        if (mask)
            inst->exec(inst, t->ctx, mask);
        stack_advance(slots, w);
        return;
    case INST_COPY_GROUP:
        if (mask && slots->env.check)
            check_copy_group(slots, w, inst);
        stack_advance(slots, w);
        return;
    case INST_BRANCH:
        branch(t, inst, mask);
        return;
    case INST_EXIT:
        leave(t, mask);
        return;
    case INST_CALL:
        control_call(slots, w, inst, mask);
        return;
    case INST_RET:
        if (mask)
            stack_return(slots, w, mask);
        else
            stack_advance(slots, w);
        return;
    case INST_BARRIER:
        arrive(t, inst, mask);
        return;
    case INST_SYSTEM_CALL:
        if (inst->op.sub == SYSTEM_CALL_LAUNCHES)
            stack_polls(&slots->stacks, w);
        if (!mask || system_call_now(slots, w, inst, mask))
            stack_advance(slots, w);
        return;
    case INST_SLEEP:
        rest(t, mask);
        return;
    case INST_FENCE:
        stack_polls(&slots->stacks, w);
        stack_advance(slots, w);
        return;
    case INST_MARK:
        settle(t);
        if (mask && slots->env.mark)
            control_mark(slots, w, inst);
        stack_advance(slots, w);
        return;
    default:
        if (mask)
            fail_at(slots, w, inst, lowest(mask), FAULT_TRAP, "trap");
        else
            stack_advance(slots, w);
    }
}

/* One instruction by itself, or none: its warp goes on elsewhere first. */
static void run_one(struct turn *t)
{
    struct slots *slots = t->slots;
    uint32_t pc = stack_pc(&slots->stacks, t->w);
    const struct inst *inst = t->code + pc;
    if (pc >= t->n_inst) {
        fail_at(slots, t->w, &t->code[t->n_inst - 1], lowest(stack_active(&slots->stacks, t->w)),
                FAULT_INSTRUCTION, "the kernel's code ends without exit");
        return;
    }
    t->left--;
    if ((inst->flags & INST_CONVERGENT) && !stack_gather(slots, t->w, inst))
        return;
    uint32_t mask = inst_guard(inst, t->ctx, stack_active(&slots->stacks, t->w));
    count(t, pc, 1);
    t->executed++;
    t->threads += lanes_count(mask);
    t->stepped = true;
    execute(t, inst, mask);
}

/* The warp is at an instruction of which run_straight knows nothing. */
static bool stands_apart(const struct turn *t)
{
    uint32_t pc = stack_pc(&t->slots->stacks, t->w);
    return pc >= t->n_inst || !inst_straight(&t->code[pc]);
}

void block_turns_start(struct block_turns *b, struct functional *f, uint32_t block)
{
    const struct core_env *env = &f->slots->env;
    const struct grid *grid = block_grid(&f->pipeline->blocks, block);
    *b = (struct block_turns){.f = f,
                              .counts = grid->executed,
                              .tile = isa_tile_address(),
                              .gathering = {&f->pipeline->barriers, .block = block}};
    if (grid->executed || env->warms || env->check)
        return;
    b->native = native_code_of(grid->kernel);
    b->call = (struct native_call){.f = f,
                                   .code = grid->kernel->code,
                                   .shared = block_shared(&f->pipeline->blocks, block),
                                   .access = functional_access,
                                   .products = isa_products};
}

enum warp_turn warp_take_turn(struct block_turns *b, uint32_t w, uint64_t *budget)
{
    struct slots *slots = b->f->slots;
    const struct warp *warp = warp_of(&slots->warps, w);
    if (gathering_waits(&b->gathering, w) || ready_held(&slots->ready, WAIT_BARRIER) >> w & 1)
        return TURN_NONE;
    uint64_t most = *budget < TURN_INSTRUCTIONS ? *budget : TURN_INSTRUCTIONS;
    struct turn t = {.block = b,
                     .f = b->f,
                     .slots = slots,
                     .ctx = warp_ctx(&slots->warps, w),
                     .code = warp->kernel->code,
                     .counts = b->counts,
                     .w = w,
                     .n_inst = warp->kernel->n_inst,
                     .left = most,
                     .polls_left = TURN_POLLS};
    if (warp->kernel->reads_clock)
        set_globaltimer(&t);
    t.ctx->clock_read = false;
    while (t.left && !t.over && !(warps_doomed(&slots->warps) >> w & 1)) {
        if (b->native && (!run_native(&t) || !t.left))
            continue;
        if ((b->native && stands_apart(&t)) || (run_straight(&t) && t.left))
            run_one(&t);
    }
    *budget -= most - t.left - t.unused;
    settle(&t);
    if (t.stepped)
        ibuffer_stop(&slots->ibuffers, w);
    return t.polled ? TURN_POLLED : TURN_RAN;
}
