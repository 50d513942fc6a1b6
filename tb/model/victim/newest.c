/* The warp that was launched last (EDGE VI-B). */
#include "tb/model/victim/policy.h"

const struct victim_rule victim_policy_newest = {
    .name = "newest", .in_rtl = true, .key = victim_age};
