#include "sim/simt/warp/account.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void accounts_create(struct accounts *a)
{
    a->account = ALLOC_ARRAY(struct account, GPU_OWNERS);
}

void accounts_destroy(struct accounts *a)
{
    free(a->account);
}

void account_enter(struct accounts *a, uint32_t w, uint32_t owner)
{
    struct account *one = &a->account[owner];
    one->warps |= BIT(w);
    if (one->active)
        return;
    one->active = true;
    a->active[a->n_active++] = (uint8_t)owner;
}

void account_leave(struct accounts *a, uint32_t w, uint32_t owner)
{
    a->account[owner].warps &= ~BIT(w);
}

static void settle(struct account *one, uint64_t cycle)
{
    uint64_t passed = cycle - one->since;
    one->counters.warp_cycles += passed * (uint64_t)__builtin_popcountll(one->counted);
    one->counters.core_cycles += one->counted ? passed : 0;
    one->counted = one->warps;
    one->since = cycle;
}

void account_settle(struct accounts *a, uint64_t cycle)
{
    for (uint32_t i = 0; i < a->n_active;) {
        struct account *one = &a->account[a->active[i]];
        settle(one, cycle);
        one->active = one->warps != 0;
        if (one->active)
            i++;
        else
            a->active[i] = a->active[--a->n_active];
    }
}

void account_take(struct accounts *a, uint64_t cycle, uint32_t owner, struct core_counters *sum)
{
    struct account *one = &a->account[owner];
    settle(one, cycle);
    core_counters_add(sum, &one->counters);
    memset(&one->counters, 0, sizeof one->counters);
}
