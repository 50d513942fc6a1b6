/* The warp whose flush takes the fewest cycles, estimated from its state. */
#include "evgpu_defs.h"
#include "sm_event_unit.h"
#include "tb/model/victim/policy.h"

enum { PIPE_BITS = 9, IBUF_BITS = 2 };

static bool lane_bit(uint8_t port, uint32_t lane)
{
    return port >> lane & 1;
}

static uint32_t key(const struct sm_event_unit_in *in, uint32_t lane)
{
    bool barrier = lane_bit(in->cand_barrier, lane);
    bool atomic = lane_bit(in->cand_atomic, lane);
    bool droppable = (in->cfg_opts & EVG_OPT_DROP_LOADS) && !lane_bit(in->cand_younger, lane) &&
                     !barrier && !atomic;
    uint32_t cost = victim_bits(in->cand_pipe, PIPE_BITS * lane, PIPE_BITS);
    if (!(in->cfg_opts & EVG_OPT_FLUSH_IBUF))
        cost += EVG_COST_IBUF * (in->cand_ibuf >> IBUF_BITS * lane & 3U);
    if (lane_bit(in->cand_loads, lane))
        cost += droppable ? EVG_COST_DROP : EVG_COST_LOAD;
    if (barrier && !(in->cfg_opts & EVG_OPT_SKIP_BARRIER))
        cost += EVG_COST_BARRIER;
    if (atomic)
        cost += EVG_COST_ATOMIC;
    return cost;
}

const struct victim_rule victim_policy_cheapest = {
    .name = "cheapest", .in_rtl = true, .takes_ready = true, .key = key};
