/* The launches of a run, one by one, and which of them a plan made from such a log has timed. A
 * launch is known by its kernel, owner, grid, block and shared memory, and by the how manieth of
 * these it is: two runs of the same programs have the same launches. */
#ifndef EVGPU_GPU_LAUNCH_LOG_H
#define EVGPU_GPU_LAUNCH_LOG_H

#include <stdbool.h>
#include <stdint.h>

struct grid;

/* What instructions were executed, in warp instructions. */
enum launch_mix {
    WORK_SIMPLE, /* arithmetic that a pipeline takes each cycle */
    WORK_SLOW,   /* division, special functions, f64 */
    WORK_LOAD,   /* of device or local memory */
    WORK_STORE,
    WORK_ATOMIC,
    WORK_SHARED, /* of shared memory, parameters and constants */
    WORK_CONTROL,
    WORK_KINDS
};

struct launch_record {
    uint32_t group, number; /* the how manieth of its group, from 0, as they started */
    bool timed, ended;
    uint64_t cycles; /* if it was timed */
    uint64_t warp_instructions;
    uint64_t mix[WORK_KINDS]; /* if it was not timed */
};

struct launch_group {
    char *kernel;
    uint32_t owner, grid[3], block[3], shared_bytes;
    uint32_t launches;
    bool *timed; /* by number, of a plan: `planned` of them */
    uint32_t planned;
};

struct launch_log {
    struct launch_record *record; /* in the order in which they started */
    struct launch_group *group;
    uint32_t records, groups, record_capacity, group_capacity;
};

void launch_log_free(struct launch_log *log);

/* A grid starts; its record's number. */
uint32_t launch_log_start(struct launch_log *log, const struct grid *grid);
/* It has ended. */
void launch_log_end(struct launch_log *log, uint32_t record, const struct grid *grid);

/* Is the launch with this record of `log` timed? One that the plan has not foreseen is. */
bool launch_plan_times(const struct launch_log *plan, const struct launch_log *log,
                       uint32_t record);
/* The plan's group of the same launches as this one of another log; UINT32_MAX: there is none. */
uint32_t launch_plan_group(const struct launch_log *plan, const struct launch_group *like);

#endif
