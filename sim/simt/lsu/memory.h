/* Issue of memory instructions: where lanes point to, which lines and banks that touches. Owner:
 * memory.c; coalesce.c and shared.c are its parts. */
#ifndef EVGPU_SIMT_LSU_MEMORY_H
#define EVGPU_SIMT_LSU_MEMORY_H

#include "sim/simt/lsu/access.h"
#include "sim/simt/lsu/lane_addresses.h"

struct lsu;

struct memory {
    struct bounds_cache bounds;
    uint64_t atomics, transactions, bank_conflicts;
};

/* False: not issued (it waits, or the program failed). */
bool memory_issue(struct lsu *l, uint32_t w, const struct inst *inst, uint32_t mask);
void memory_stats(const struct memory *m, struct core_stats *stats);

/* coalesce.c */
void coalesce_global(struct access *a, struct lane_addresses *p, uint32_t size);
void coalesce_collisions(struct access *a, const struct lane_addresses *p);
void coalesce_local(struct access *a, const struct lane_addresses *p, uint32_t size, uint64_t base);

/* shared.c. Do all lanes, in this pattern, surely have their elements of `size` bytes in one cycle?
 */
bool shared_pattern_free(uint32_t banks, const struct lane_pattern *p, uint32_t size);
/* Cycles that the banks are taken; `atomic`: no broadcast. `conflicts` goes up by those
 * beyond what an access without conflicts takes. */
uint32_t shared_cycles(uint32_t banks, const uint64_t address[WARP_SIZE], uint32_t mask,
                       uint32_t size, bool atomic, uint64_t *conflicts);

#endif
