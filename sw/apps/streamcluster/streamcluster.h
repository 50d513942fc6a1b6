/* Online clustering as in PARSEC's and Rodinia's streamcluster: a stream of points is taken in
 * chunks; each is clustered by local search for centres, whose number is held in a range by the
 * cost of a centre; the chunks' centres, weighted, are clustered at the end. Nearly all work is the
 * question what one more centre would save, which the caller answers: on the GPU or by
 * streamcluster_cost. */
#ifndef EVGPU_SW_STREAMCLUSTER_H
#define EVGPU_SW_STREAMCLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

#define STREAMCLUSTER_BLOCK 512u /* threads */

/* As in streamcluster.cu. */
struct streamcluster_point {
    float weight;
    uint64_t first; /* index of its first coordinate */
    int64_t centre;
    float cost;
};

/* One chunk, or the centres of all. */
struct streamcluster_chunk {
    uint32_t count, dimensions;
    struct streamcluster_point *points;
    float *coordinates;  /* of points[i] from points[i].first on */
    float *by_dimension; /* what the kernel reads: [dimension][point] */
    bool *is_centre;
    uint32_t *place; /* of centres: their number among the centres */
    uint32_t centres;
};

/* One question: savings (count rows of centres + 1 values) and moves (count) are zeros. */
struct streamcluster_question {
    const struct streamcluster_chunk *chunk;
    uint32_t x; /* the point that might become a centre */
    float *savings;
    uint8_t *moves;
};
typedef void streamcluster_answer(void *self, const struct streamcluster_question *question);

struct streamcluster {
    uint32_t dimensions;
    uint32_t least, most; /* centres wanted of each clustering */
    struct rng rng;
    streamcluster_answer *answer;
    void *self; /* of answer */
};

/* The host's answer, bit for bit as the kernel gives it: a distance is one chain of fused
 * operations. */
void streamcluster_cost(const struct streamcluster_question *question);

/* `count` points with room for their centres; coordinates are copied, weights are 1 unless given.
 */
struct streamcluster_chunk streamcluster_chunk_new(const float *coordinates, const float *weights,
                                                   uint32_t count, uint32_t dimensions);
void streamcluster_chunk_free(struct streamcluster_chunk *chunk);

/* Clusters one chunk: is_centre, and each point's centre and cost; returns the sum of costs without
 * that of the centres themselves. */
double streamcluster_search(struct streamcluster *s, struct streamcluster_chunk *chunk);

/* The centres, moved to the weighted mean of their points, with the weight of these, appended to
 * coordinates (dimensions each) and weights; returns how many. */
uint32_t streamcluster_centres(const struct streamcluster_chunk *chunk, float *coordinates,
                               float *weights);

#endif
