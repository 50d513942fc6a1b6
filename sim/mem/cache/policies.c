#include "sim/mem/cache/policy.h"

/* The policies in the order of their numbers. */
#define POLICIES(POLICY)                                                                           \
    POLICY(lru)                                                                                    \
    POLICY(srrip)

#define DECLARE(name) extern const struct cache_policy cache_policy_##name;
POLICIES(DECLARE)

#define ADDRESS(name) &cache_policy_##name,
static const struct cache_policy *const policies[] = {POLICIES(ADDRESS)};

const struct cache_policy *cache_policy_at(uint32_t index)
{
    return index < sizeof policies / sizeof *policies ? policies[index] : NULL;
}

const char *cache_policy_name(uint32_t index)
{
    const struct cache_policy *policy = cache_policy_at(index);
    return policy ? policy->name : NULL;
}
