#include "sim/simt/pipeline/launch.h"

#include "sim/simt/check/check.h"
#include "sim/simt/pipeline/pipeline.h"

bool pipeline_create(struct pipeline *p, struct slots *slots, struct lsu *lsu, struct error *err)
{
    p->slots = slots;
    p->lsu = lsu;
    blocks_create(&p->blocks, slots);
    barriers_create(&p->barriers, slots, &p->blocks);
    issue_create(&p->issue, &slots->config);
    ready_limit_stale(&slots->ready);
    return fetch_create(&p->fetch, slots, &lsu->port, err);
}

void pipeline_destroy(struct pipeline *p)
{
    fetch_destroy(&p->fetch);
    barriers_destroy(&p->barriers);
    blocks_destroy(&p->blocks);
}

void warp_start(struct pipeline *p, uint32_t w, const struct warp *warp, uint32_t lanes)
{
    struct slots *slots = p->slots;
    warps_enter(&slots->warps, w, warp);
    ibuffer_flush(&slots->ibuffers, w);
    stack_start(&slots->stacks, w, lanes);
    scoreboard_start(&slots->scoreboard, w);
    replay_start(&p->lsu->replay, w);
    issue_start(&p->issue, w);
    ready_limit_stale(&slots->ready);
    account_enter(&slots->accounts, w, warp->owner);
}

void launch_block(struct pipeline *p, struct grid *grid, uint64_t number)
{
    uint32_t block = block_take(&p->blocks, grid, number);
    uint32_t warps = block_warps(&p->blocks, block);
    barriers_start(&p->barriers, block);
    for (uint32_t i = 0; i < warps; i++) {
        uint32_t w = lowest(warps_free(&p->slots->warps));
        struct warp warp = block_warp(&p->blocks, block, i, w);
        warp_start(p, w, &warp, block_lanes(&p->blocks, block, i));
    }
    if (p->slots->env.check)
        check_block(p->slots, block, warps);
}
