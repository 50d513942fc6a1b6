#include "sim/gpu/launch_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/core_env.h"

void launch_log_free(struct launch_log *log)
{
    for (uint32_t i = 0; i < log->groups; i++) {
        free(log->group[i].kernel);
        free(log->group[i].timed);
    }
    free(log->group);
    free(log->record);
    *log = (struct launch_log){.record = NULL};
}

static bool same(const struct launch_group *a, const struct launch_group *b)
{
    return a->owner == b->owner && a->shared_bytes == b->shared_bytes &&
           !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) && !strcmp(a->kernel, b->kernel);
}

uint32_t launch_plan_group(const struct launch_log *plan, const struct launch_group *like)
{
    for (uint32_t i = 0; i < plan->groups; i++) {
        if (same(&plan->group[i], like))
            return i;
    }
    return UINT32_MAX;
}

static uint32_t group_of(struct launch_log *log, const struct grid *grid)
{
    struct launch_group like = {.kernel = grid->kernel->name,
                                .owner = grid->kernel->owner,
                                .shared_bytes = grid->kernel->shared_bytes + grid->dynamic_shared};
    memcpy(like.grid, grid->dims, sizeof like.grid);
    memcpy(like.block, grid->block, sizeof like.block);
    uint32_t group = launch_plan_group(log, &like);
    if (group != UINT32_MAX)
        return group;
    ARRAY_RESERVE(log->group, log->groups, log->group_capacity);
    log->group[log->groups] = like;
    log->group[log->groups].kernel = alloc_string(like.kernel);
    return log->groups++;
}

uint32_t launch_log_start(struct launch_log *log, const struct grid *grid)
{
    uint32_t group = group_of(log, grid);
    ARRAY_RESERVE(log->record, log->records, log->record_capacity);
    log->record[log->records] =
        (struct launch_record){.group = group, .number = log->group[group].launches++};
    return log->records++;
}

static enum launch_mix mix_of(const struct inst *inst)
{
    switch (inst->class) {
    case INST_ALU:
        return inst->timing <= TIMING_INT_MUL || inst->timing == TIMING_FP ? WORK_SIMPLE
                                                                           : WORK_SLOW;
    case INST_LOAD:
    case INST_STORE:
        if (inst->space == SPACE_SHARED || inst->space == SPACE_PARAM || inst->space == SPACE_CONST)
            return WORK_SHARED;
        return inst->class == INST_LOAD ? WORK_LOAD : WORK_STORE;
    case INST_COPY:
        return WORK_LOAD;
    case INST_ATOMIC:
        return WORK_ATOMIC;
    default:
        return WORK_CONTROL;
    }
}

void launch_log_end(struct launch_log *log, uint32_t record, const struct grid *grid)
{
    struct launch_record *r = &log->record[record];
    r->ended = true;
    r->timed = !grid->untimed;
    r->cycles = r->timed ? grid->end_cycle - grid->start_cycle : 0;
    r->warp_instructions = grid->warp_instructions;
    uint64_t times = 0;
    for (uint32_t i = 0; grid->executed && i < grid->kernel->n_inst; i++) {
        times += grid->executed[i];
        r->mix[mix_of(&grid->kernel->code[i])] += times;
    }
}

bool launch_plan_times(const struct launch_log *plan, const struct launch_log *log, uint32_t record)
{
    const struct launch_record *r = &log->record[record];
    uint32_t group = launch_plan_group(plan, &log->group[r->group]);
    return group == UINT32_MAX || r->number >= plan->group[group].planned ||
           plan->group[group].timed[r->number];
}
