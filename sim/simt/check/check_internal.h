/* Between the files of the checker: check.c, check_uninit.c, check_race.c. */
#ifndef EVGPU_SIMT_CHECK_CHECK_INTERNAL_H
#define EVGPU_SIMT_CHECK_CHECK_INTERNAL_H

#include "sim/simt/check/check.h"
#include "sim/simt/core_internal.h"

enum finding_kind { FOUND_UNINIT, FOUND_RAW, FOUND_WAR, FOUND_WAW, FOUND_BARRIER };

/* The line of a place and of the access before it; what is not known before is 0. */
struct finding {
    enum finding_kind kind;
    const struct kernel *kernel;
    uint32_t line, other_line;
    enum mem_space space;
    uint32_t warp, lane;   /* slot and lane, of who does it */
    uint32_t other_thread; /* linear; of a barrier: a lane that is away */
    uint32_t bytes;
    uint64_t address;
};

struct race_state; /* check_race.c */

struct checker {
    uint32_t checks;
    struct image *image;
    struct race_state *races;
    struct mistake *places;
    uint32_t n_places;
    uint64_t found, dropped;
};

void checker_add(struct core *c, const struct finding *f);

void uninit_block(struct core *c, uint32_t slot);
void uninit_access(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                   const struct places *p);

struct race_state *race_create(uint32_t cores, uint32_t blocks);
void race_destroy(struct race_state *r);
void race_block(struct core *c, uint32_t slot);
void race_access(struct core *c, uint32_t w, const struct inst *inst, const struct places *p);
void race_arrive(struct core *c, uint32_t w, uint32_t barrier);
void race_release(struct core *c, uint32_t slot, uint32_t barrier, uint64_t waiting);

/* Bytes of shared memory that a block has written. False: never. */
bool race_written(struct core *c, uint32_t w, uint64_t offset, uint32_t bytes);

#endif
