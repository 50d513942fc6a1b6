#include "tb/model/victim/policy.h"

#include <stddef.h>

#include "evgpu_defs.h"
#include "sm_event_unit.h"

/* The policies in the order of their numbers. */
#define POLICIES(POLICY)                                                                           \
    POLICY(oldest)                                                                                 \
    POLICY(newest)                                                                                 \
    POLICY(cheapest)                                                                               \
    POLICY(least_registers)

#define DECLARE(name) extern const struct victim_rule victim_policy_##name;
POLICIES(DECLARE)

#define ADDRESS(name) &victim_policy_##name,
static const struct victim_rule *const policies[] = {POLICIES(ADDRESS)};

enum {
    N_POLICIES = sizeof policies / sizeof *policies,
    BEYOND_PORT = 4, /* cfg_policy has two bits */
    REGS_BITS = 7,
    STAMP_BITS = 16,
};

const struct victim_rule *victim_policy_at(uint32_t index)
{
    return index < N_POLICIES ? policies[index] : NULL;
}

const char *victim_policy_name(uint32_t index)
{
    const struct victim_rule *policy = victim_policy_at(index);
    return policy ? policy->name : NULL;
}

uint8_t victim_policy_port(uint32_t index)
{
    return (uint8_t)(policies[index]->in_rtl ? index : BEYOND_PORT + index);
}

const struct victim_rule *victim_policy_of(uint8_t cfg_policy)
{
    for (uint32_t i = 0; i < N_POLICIES; i++)
        if (victim_policy_port(i) == cfg_policy)
            return policies[i];
    return policies[VICTIM_POLICY_OLDEST];
}

uint32_t victim_bits(const uint32_t *words, uint32_t lsb, uint32_t width)
{
    uint32_t value = 0;
    for (uint32_t bit = 0; bit < width; bit++)
        value |= (words[(lsb + bit) / 32] >> (lsb + bit) % 32 & 1) << bit;
    return value;
}

uint32_t victim_age(const struct sm_event_unit_in *in, uint32_t lane)
{
    uint32_t stamp = victim_bits(in->cand_stamp, STAMP_BITS * lane, STAMP_BITS);
    return (in->core_now - stamp) & VICTIM_MOST_AGE;
}

uint32_t victim_registers(const struct sm_event_unit_in *in, uint32_t lane)
{
    return (uint32_t)(in->cand_regs >> REGS_BITS * lane) & ((1U << REGS_BITS) - 1);
}
