/* What a GPU counts (sim/gpu/gpu_record.h) over time, in a bounded number of moments: when there
 * are too many, every second one goes, and the distance of those to come doubles. */
#ifndef EVGPU_SYSTEM_MOMENTS_H
#define EVGPU_SYSTEM_MOMENTS_H

#include <stdint.h>

struct gpu;
struct moments;

#define MOMENTS 128u /* at most, with the first and the last */

/* Before the first tick of the GPU. */
struct moments *moments_create(struct gpu *gpu);
void moments_destroy(struct moments *s); /* `s` may be NULL */

/* Before every tick, in the order of cycles; takes a moment when one is due. */
void moments_tick(struct moments *s, uint64_t cycle);
/* The last moment. */
void moments_end(struct moments *s, uint64_t cycle);

/* Moments in order, the first at cycle 0 with counts of 0. */
uint32_t moments_count(const struct moments *s);
uint64_t moments_cycle(const struct moments *s, uint32_t moment);
const uint64_t *moments_counts(const struct moments *s, uint32_t moment);

#endif
