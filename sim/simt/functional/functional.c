#include "sim/simt/functional/functional.h"

#include "sim/simt/functional/warp_turn.h"
#include "sim/simt/pipeline/pipeline.h"

void functional_create(struct functional *f, struct slots *slots, struct pipeline *pipeline,
                       struct lsu *lsu)
{
    f->slots = slots;
    f->pipeline = pipeline;
    f->lsu = lsu;
    rng_seed(&f->rng, 0);
}

void functional_destroy(struct functional *f)
{
    kept_stores_destroy(&f->kept);
}

const struct kernel *functional_take_count(struct functional *f, uint64_t *instructions)
{
    const struct kernel *kernel = f->counted;
    *instructions = f->counted_instructions;
    f->counted = NULL;
    f->counted_instructions = 0;
    return kernel;
}

/* Nobody fetches for the warps that have come. */
void functional_launch(struct functional *f, struct grid *grid, uint64_t number)
{
    struct slots *slots = f->slots;
    uint64_t before = warps_resident(&slots->warps);
    if (slots->env.warms)
        warm_code(f, grid->kernel);
    launch_block(f->pipeline, grid, number);
    uint64_t come = warps_resident(&slots->warps) & ~before;
    for (uint64_t m = come; m; m &= m - 1)
        ibuffer_stop(&slots->ibuffers, lowest(m));
    uint32_t slot = warp_of(&slots->warps, lowest(come))->block;
    f->warps[slot] = come;
    f->used |= BIT(slot);
    if (!grid->issue_cycle)
        grid->issue_cycle = clock_now(&slots->clock) + 1;
}

/* The block in the slot is still one of ours. */
static bool is_there(struct functional *f, uint32_t block)
{
    const struct grid *grid = block_grid(&f->pipeline->blocks, block);
    if (grid && grid->untimed)
        return true;
    f->used &= ~BIT(block);
    return false;
}

/* Its warps that have not exited; others may have come to the slots of those that have. */
static uint64_t warps_left(const struct functional *f, uint32_t block)
{
    uint64_t left = 0;
    for (uint64_t m = f->warps[block] & warps_alive(&f->slots->warps); m; m &= m - 1)
        left |= warp_of(&f->slots->warps, lowest(m))->block == block ? m & -m : 0;
    return left;
}

uint64_t functional_find_warps(const struct functional *f)
{
    uint64_t warps = 0;
    for (uint64_t m = f->used; m; m &= m - 1) {
        const struct grid *grid = block_grid(&f->pipeline->blocks, lowest(m));
        for (uint64_t of = grid && grid->untimed ? f->warps[lowest(m)] : 0; of; of &= of - 1)
            warps |= warp_of(&f->slots->warps, lowest(of))->block == lowest(m) ? of & -of : 0;
    }
    return warps & warps_resident(&f->slots->warps);
}

/* Every warp of the block has a turn. */
static enum warp_turn run_round(struct block_turns *b, uint64_t *budget)
{
    struct functional *f = b->f;
    enum warp_turn most = TURN_NONE;
    uint64_t left = warps_left(f, b->gathering.block);
    if (!b->gathering.all)
        gathering_start(&b->gathering, left);
    left &= ~(warps_doomed(&f->slots->warps) | f->in_turn);
    for (uint64_t m = left; m && *budget; m &= m - 1) {
        enum warp_turn turn = warp_take_turn(b, lowest(m), budget);
        most = turn > most ? turn : most;
        if (fault_text(&f->slots->fault) || f->asks)
            break;
    }
    return most;
}

static enum untimed_end run_rounds(struct block_turns *b, uint64_t *budget)
{
    struct functional *f = b->f;
    for (;;) {
        enum warp_turn turn = run_round(b, budget);
        if (fault_text(&f->slots->fault))
            return UNTIMED_FAULT;
        if (f->asks)
            return UNTIMED_ASKS;
        if (!is_there(f, b->gathering.block))
            return UNTIMED_BLOCK;
        if (!*budget)
            return UNTIMED_BUDGET;
        if (turn != TURN_RAN)
            return turn == TURN_POLLED ? UNTIMED_POLLS : UNTIMED_NONE;
    }
}

/* The block goes on until it is over, polls, waits, or the budget is used up. */
static enum untimed_end run_block(struct functional *f, uint32_t block, uint64_t *budget)
{
    struct block_turns turns;
    block_turns_start(&turns, f, block);
    enum untimed_end end = run_rounds(&turns, budget);
    gathering_end(&turns.gathering);
    return end;
}

/* A block after the other, from the one whose turn it is. The one that has used up the budget is
 * the last next time. */
enum untimed_end functional_run(struct functional *f, uint64_t *budget)
{
    enum untimed_end most = UNTIMED_NONE;
    for (uint32_t i = 0; i < SLOTS && f->used; i++) {
        uint32_t block = (f->turn + i) % SLOTS;
        if (!(f->used >> block & 1) || !is_there(f, block))
            continue;
        enum untimed_end end = run_block(f, block, budget);
        if (end >= UNTIMED_BLOCK) {
            f->turn = end == UNTIMED_BUDGET ? (block + 1) % SLOTS : block;
            return end;
        }
        most = end > most ? end : most;
    }
    return most;
}

/* --- blocks apart ----------------------------------------------------------------------------- */

/* The next block of the core's share, when it has none. */
static bool take_block(struct functional *f)
{
    struct apart_share *share = f->share;
    if (functional_warps(f) || share->next == share->end ||
        !blocks_accept(&f->pipeline->blocks, share->grid))
        return false;
    functional_launch(f, share->grid, share->next++);
    return true;
}

enum untimed_end functional_run_apart(struct functional *f, struct apart_share *share)
{
    enum untimed_end end, most = UNTIMED_NONE;
    if (share->fresh)
        bounds_forget_all(&f->bounds);
    share->fresh = false;
    f->share = share;
    do {
        end = functional_run(f, &share->budget);
        most = end > most ? end : most;
    } while (share->budget && end <= UNTIMED_BLOCK && (take_block(f) || end == UNTIMED_BLOCK));
    f->share = NULL;
    f->asks = false;
    return f->in_turn && most < UNTIMED_TURN ? UNTIMED_TURN : most;
}

/* One instruction of each, for which nothing has to be granted. */
uint32_t functional_take_turn(struct functional *f)
{
    uint32_t accesses = 0;
    for (; f->in_turn && !fault_text(&f->slots->fault); accesses++) {
        uint32_t w = lowest(f->in_turn);
        const struct inst *inst =
            &warp_of(&f->slots->warps, w)->kernel->code[stack_pc(&f->slots->stacks, w)];
        uint64_t budget = 1;
        f->in_turn &= ~BIT(w);
        struct block_turns turns;
        block_turns_start(&turns, f, warp_of(&f->slots->warps, w)->block);
        warp_take_turn(&turns, w, &budget);
        bounds_forget(&f->bounds, inst);
    }
    f->in_turn = 0;
    return accesses;
}
