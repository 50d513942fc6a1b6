/* Mistakes that do not stop a program: reads of memory never written, and races between threads of
 * a block in shared memory. One checker serves all cores of a GPU; without it, nothing of this
 * costs anything.
 *
 * Reads of memory never written: device, local and shared memory, per byte. An element of which
 * some bytes were written counts as written, because compilers copy padding along.
 *
 * Barriers: a warp that arrives at a barrier of the block without all of its threads that have not
 * ended.
 *
 * Races: two accesses of different warps to the same byte, one of them a write, with no barrier
 * between (happens-before, with a clock per warp; partial barriers count for those who take part).
 * Atomics do not race with atomics, and order what comes before the one against what comes after
 * the other; stores to a word that was exchanged or compared (a lock) count as atomics. A write of
 * what is there already is no race. Within a warp, which runs in lock step, only lanes race that
 * write different values by one instruction. */
#ifndef EVGPU_SIMT_CHECK_CHECK_H
#define EVGPU_SIMT_CHECK_CHECK_H

#include <stdint.h>

#include "sim/mem/image/image.h"

#define CHECK_UNINIT   1u
#define CHECK_RACES    2u
#define CHECK_BARRIERS 4u
#define CHECK_PLACES   100u /* distinct ones that are kept; further ones are only counted */

struct checker;
struct core;
struct inst;
struct places;

/* `checks` has at least one bit. */
struct checker *checker_create(uint32_t checks, struct image *image, uint32_t cores,
                               uint32_t blocks);
void checker_destroy(struct checker *checker);

/* One line per distinct place, as first seen, with how often; then one that counts. */
void checker_report(const struct checker *checker, void (*line)(void *user, const char *text),
                    void *user);
uint64_t checker_found(const struct checker *checker); /* all, repeated ones too */

/* --- what cores tell it ------------------------------------------------------------------------
 */

void check_block(struct core *c, uint32_t slot); /* has just started */
/* Before it is performed. */
void check_access(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                  const struct places *p);
void check_arrive(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                  uint32_t barrier);
void check_release(struct core *c, uint32_t slot, uint32_t barrier, uint64_t waiting);

#endif
