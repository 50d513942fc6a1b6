/* Stratified sampling of kernel launches: which launches of a run are timed, and what the cycles of
 * all of them are estimated to be from those.
 *
 * A stratum has launches of one kernel with the same grid, block and shared memory, about as many
 * instructions, and about the same mix of them. The first launch of a kernel is a stratum of its
 * own, because it finds cold caches. All launches are timed that are short and have fewer blocks
 * than the machine has cores. Of the others of a stratum, if they are more than a few, some are
 * timed, at equal distances; the cycles of the others are those per instruction of the timed ones
 * (ratio estimator). The interval is that of a stratified sample of a finite population: W. G.
 * Cochran, "Sampling Techniques", 3rd edition, sections 5.4 and 6.10; degrees of freedom after
 * Satterthwaite. */
#ifndef EVGPU_SYSTEM_SAMPLING_H
#define EVGPU_SYSTEM_SAMPLING_H

#include <stdint.h>

#include "sim/gpu/launch_log.h"

#define SAMPLING_CONFIDENCE 0.95

struct sampling;

/* `log`: of a run without time on so many cores. Writes the plan into its groups. The log has to
 * outlive it. */
struct sampling *sampling_create(struct launch_log *log, uint32_t cores);
void sampling_destroy(struct sampling *s);

uint32_t sampling_strata(const struct sampling *s);

struct estimate {
    uint64_t launches, timed;
    uint64_t alone; /* launches that are timed because no other is like them */
    uint64_t warp_instructions, timed_instructions;
    double cycles; /* of all launches */
    double within; /* the true value is no farther away, with SAMPLING_CONFIDENCE; 0: all timed */
};

/* `run`: the log of the run with the plan. `kernel`: of this one only; NULL: of all. */
struct estimate sampling_estimate(const struct sampling *s, const struct launch_log *run,
                                  const char *kernel);

/* Launches that the run without time has not had: they were timed, and are in every estimate. */
uint64_t sampling_unforeseen(const struct sampling *s, const struct launch_log *run);

#endif
