/* The reference of the bench of a mem_frontend tile, which knows only the contract: the order of
 * each queue, the full/empty bits as departures and range commands change them, who may leave, what
 * is answered and in which order. */
#ifndef EVGPU_TESTS_TB_MEM_FRONTEND_REFERENCE_H
#define EVGPU_TESTS_TB_MEM_FRONTEND_REFERENCE_H

#include "tests/tb/mem_frontend_bench.h"
#include "tests/unit.h"

#define EXPECT(b, condition)                                                                       \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("cycle %llu: %s:%d: %s", (unsigned long long)(b)->cycle, __FILE__, __LINE__,  \
                     #condition);                                                                  \
    } while (0)

/* The i-th entry from the oldest on. */
struct fe_entry *fe_ring_at(struct fe_ring *r, uint32_t i);

/* Of a line of the region: its base is a multiple of region_size. */
static inline uint32_t fe_row(const struct fe_bench *b, uint32_t line)
{
    return line % b->region_size;
}

/* The tile has been reset; its start-up begins. */
void fe_reference_reset(struct fe_bench *b);

/* The tile has made the step from the outputs `before` to b->out with the inputs b->in, which is
 * checked. True if the request was taken. */
bool fe_reference_step(struct fe_bench *b, const struct mem_frontend_out *before);

#endif
