/* The warp that was launched longest ago (EDGE VI-B). */
#include "tb/model/victim/policy.h"

static uint32_t key(const struct sm_event_unit_in *in, uint32_t lane)
{
    return VICTIM_MOST_AGE - victim_age(in, lane);
}

const struct victim_rule victim_policy_oldest = {.name = "oldest", .in_rtl = true, .key = key};
