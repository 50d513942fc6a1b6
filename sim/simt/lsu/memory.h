/* Issue of memory instructions: where lanes point to, which lines and banks that touches. Owner:
 * memory.c; lane_addresses.c, coalesce.c and shared.c are its parts. */
#ifndef EVGPU_SIMT_LSU_MEMORY_H
#define EVGPU_SIMT_LSU_MEMORY_H

#include "sim/simt/lsu/lsu.h"

struct memory {
    uint64_t atomics, transactions, bank_conflicts;
};

struct places {
    uint64_t address[WARP_SIZE]; /* device address, or offset in shared or local memory */
    uint8_t *at[WARP_SIZE];
    uint32_t global, shared, local, bus; /* lanes by where they point to */
    bool unit_stride; /* global only: every lane, each `size` bytes after the one before */
};

/* False: not issued (it waits, or the program failed). */
bool memory_issue(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask);
void memory_stats(const struct memory *m, struct core_stats *stats);

/* lane_addresses.c */
bool places_resolve(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                    struct places *p);

/* coalesce.c */
void coalesce_global(struct access *a, const struct places *p, uint32_t size);
void coalesce_collisions(struct access *a, const struct places *p);
void coalesce_local(struct access *a, const struct places *p, uint32_t size, uint64_t base);

/* shared.c: cycles that the banks are taken; `atomic`: no broadcast. `conflicts` goes up by those
 * beyond what an access without conflicts takes. */
uint32_t shared_cycles(uint32_t banks, const uint64_t address[WARP_SIZE], uint32_t mask,
                       uint32_t size, bool atomic, uint64_t *conflicts);

#endif
