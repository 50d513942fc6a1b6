/* The warp with the fewest registers among those that have enough for the event; of equal ones, the
 * one that was launched longest ago. So warps with many registers stay for events that need them.
 */
#include "tb/model/victim/policy.h"

static uint32_t key(const struct sm_event_unit_in *in, uint32_t lane)
{
    uint32_t youth = VICTIM_MOST_AGE - victim_age(in, lane);
    return victim_registers(in, lane) * (VICTIM_MOST_AGE + 1) + youth;
}

const struct victim_rule victim_policy_least_registers = {.name = "least-registers", .key = key};
