/* Between the files of the checker: check.c, check_uninit.c, check_race.c, check_global.c,
 * check_barrier.c, findings.c, place.c, bad_access.c. */
#ifndef EVGPU_SIMT_CHECK_CHECK_INTERNAL_H
#define EVGPU_SIMT_CHECK_CHECK_INTERNAL_H

#include "sim/simt/check/check.h"
#include "sim/simt/warp/slots.h"

enum finding_kind {
    FOUND_UNINIT,
    FOUND_RAW,
    FOUND_WAR,
    FOUND_WAW,
    FOUND_COPY,    /* an access to what a copy of cp.async is about to write */
    FOUND_BARRIER, /* a barrier that the rest of a warp is not at */
    FOUND_ENDED,   /* a barrier that opens without a thread, which has ended */
    FOUND_BAD_READ /* a load from where nothing is, which gave 0 */
};

/* The line of a place and of the access before it; what is not known before is 0. */
struct finding {
    enum finding_kind kind;
    const struct kernel *kernel;
    uint32_t line, other_line;
    enum mem_space space;
    uint32_t warp, lane;   /* slot and lane, of who does it */
    uint32_t other_thread; /* linear; FOUND_BARRIER: a lane that is away */
    uint32_t other_block;  /* of a race in device memory: linear */
    bool between_blocks;
    bool writes; /* FOUND_COPY: the access */
    uint32_t bytes;
    uint64_t address;
    const char *what; /* FOUND_BAD_READ: the access */
};

struct race_state;    /* check_race.c */
struct global_state;  /* check_global.c */
struct barrier_state; /* check_barrier.c */

struct checker {
    uint32_t checks;
    struct image *image;
    struct race_state *races;
    struct global_state *global;
    struct barrier_state *barriers;
    struct mistake *findings;
    uint32_t n_findings;
    uint64_t found, dropped; /* without bad reads */
    uint64_t bad_reads, bad_dropped;
};

#define TEXT_BYTES 700

/* A message that grows, cut where it is full. */
struct text {
    char bytes[TEXT_BYTES];
    size_t length;
};
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What lies at the address, or nearest to it. */
void text_add_place(struct text *t, const struct slots *slots, uint64_t address);

/* "400 bytes inside ..." for a message. */
void access_place(const struct slots *slots, uint64_t address, char *text, size_t room);

void findings_create(struct checker *checker);
void findings_destroy(struct checker *checker);
void checker_add(struct slots *slots, const struct finding *f);

void uninit_block(struct slots *slots, uint32_t slot);
void uninit_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                   const struct lane_addresses *p);

struct race_state *race_create(uint32_t cores, uint32_t blocks);
void race_destroy(struct race_state *r);
void race_block(struct slots *slots, uint32_t slot, uint32_t warps);
void race_access(struct slots *slots, uint32_t w, const struct inst *inst,
                 const struct lane_addresses *p);
void race_copy(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
               const struct lane_addresses *p);
void race_copy_group(struct slots *slots, uint32_t w, const struct inst *inst);
void race_arrive(struct slots *slots, uint32_t w, uint32_t barrier);
void race_release(struct slots *slots, uint32_t slot, uint32_t barrier, uint64_t waiting);

/* What the warp has seen of the warps of its block, by their numbers. */
const uint32_t *race_seen(struct slots *slots, uint32_t w);
/* An atomic or volatile access of device memory orders the warp with those of its block that have
 * made one before. */
void race_device_sync(struct slots *slots, uint32_t w);

struct global_state *global_state_create(uint32_t cores, uint32_t blocks);
void global_state_destroy(struct global_state *g);
void global_block(struct slots *slots, uint32_t slot);
void global_access(struct slots *slots, uint32_t w, const struct inst *inst,
                   const struct lane_addresses *p);
/* Memory that malloc has given: its earlier users do not matter. */
void global_fresh(struct slots *slots, uint64_t address, uint64_t bytes);

struct barrier_state *barrier_state_create(uint32_t cores, uint32_t blocks);
void barrier_state_destroy(struct barrier_state *b);
void barrier_check_block(struct slots *slots, uint32_t slot, uint32_t warps);
void barrier_check_arrive(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                          uint32_t barrier);
void barrier_check_release(struct slots *slots, uint32_t slot, uint32_t barrier, uint64_t waiting,
                           bool whole);

/* Bytes of shared memory that a block has written. False: never. */
bool race_written(struct slots *slots, uint32_t w, uint64_t offset, uint32_t bytes);

#endif
