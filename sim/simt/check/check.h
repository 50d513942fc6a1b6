/* The interface of the room check/, which knows warp/ only.
 *
 * Mistakes that do not stop a program: reads of memory never written, races between threads, and
 * barriers that not all threads reach. One checker serves all cores of a GPU; without it, nothing
 * of this costs anything.
 *
 * Reads of memory never written: device, local and shared memory, per byte. An element of which
 * some bytes were written counts as written, because compilers copy padding along.
 *
 * Barriers: a warp that arrives at a barrier of the block without all of its threads that have not
 * ended; a barrier of the whole block that opens although a thread has ended without it.
 *
 * Races in shared memory: two accesses of different warps to the same byte, one of them a write,
 * with no barrier between (happens-before, with a clock per warp; partial barriers count for those
 * who take part). Atomics do not race with atomics, and order what comes before the one against
 * what comes after the other; stores to a word that was exchanged or compared (a lock) count as
 * atomics. A write of what is there already is no race. Within a warp, which runs in lock step,
 * only lanes race that write different values by one instruction.
 *
 * Copies by cp.async race with every access to what they write, also of the thread itself, until
 * the thread has waited for their group; from then on, they are its writes.
 *
 * Races in device memory: the same between the threads of a grid. Within a block, barriers order
 * accesses, and so do atomics and volatile accesses of device memory. Two blocks are ordered by an
 * atomic or volatile access of the first one after its access, and one of the second one before
 * its own, whichever words these are on.
 *
 * Bad reads: loads from where nothing is allocated give 0 and are reported, instead of stopping the
 * program. They read the bytes below the lowest allocation, which are always 0. */
#ifndef EVGPU_SIMT_CHECK_CHECK_H
#define EVGPU_SIMT_CHECK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/mem/image/image.h"
#include "sim/ptx/program.h"

#define CHECK_UNINIT    1u
#define CHECK_RACES     2u
#define CHECK_BARRIERS  4u
#define CHECK_BAD_READS 8u   /* bad reads go on */
#define CHECK_FINDINGS  100u /* distinct ones that are kept; further ones are only counted */

struct checker;
struct slots;
struct lane_addresses;
struct copy_addresses;

/* `checks` has at least one bit. */
struct checker *checker_create(uint32_t checks, struct image *image, uint32_t cores,
                               uint32_t blocks);
void checker_destroy(struct checker *checker);

/* One line per distinct place, as first seen, with how often; then one that counts. */
void checker_report(const struct checker *checker, void (*line)(void *user, const char *text),
                    void *user);
uint64_t checker_found(const struct checker *checker); /* all, repeated ones too; no bad reads */

/* --- what cores tell it ------------------------------------------------------------------------
 */

/* A block of so many warps has just started. */
void check_block(struct slots *slots, uint32_t slot, uint32_t warps);
/* Before it is performed. */
void check_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                  const struct lane_addresses *p);
/* The same of an INST_COPY, and what an INST_COPY_GROUP closes and waits for. */
void check_copy(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                const struct copy_addresses *p);
void check_copy_group(struct slots *slots, uint32_t w, const struct inst *inst);
void check_arrive(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                  uint32_t barrier);
/* `whole`: it is a barrier of all threads of the block. */
void check_release(struct slots *slots, uint32_t slot, uint32_t barrier, uint64_t waiting,
                   bool whole);
/* What malloc has given; address 0: nothing. */
void check_malloc(struct slots *slots, uint64_t address, uint64_t bytes);

/* --- accesses that cannot be -------------------------------------------------------------------
 * The core's fault is set, naming thread, address and what was missed, and false is returned; true:
 * the lane reads 0 and goes on (CHECK_BAD_READS). */

/* Of a device address, also of one that stands for shared or local memory. */
bool bad_global(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                uint64_t address);

struct bad_offset {
    enum mem_space space;   /* SPACE_PARAM, SPACE_SHARED or SPACE_LOCAL */
    uint64_t offset, bytes; /* bytes: of the memory */
};
bool bad_offset(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                const struct bad_offset *bad);

/* An atomic on local memory: false. */
bool bad_atomic(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                uint64_t offset);

#endif
