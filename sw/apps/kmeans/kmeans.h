/* Host side of sw/apps/kmeans/kmeans.cu. */
#ifndef EVGPU_SW_KMEANS_H
#define EVGPU_SW_KMEANS_H

#include <stdbool.h>
#include <stdint.h>

struct error; /* base/error.h */

#define KMEANS_BLOCK         256u  /* threads */
#define KMEANS_CENTRE_VALUES 4096u /* clusters x features at most: kmeans_centres of kmeans.cu */
#define KMEANS_NONE          UINT32_MAX

struct kmeans {
    uint32_t points, count, clusters; /* count: features of a point */
    float *features;                  /* points x count */
    float *centres;                   /* clusters x count */
    uint32_t *membership;             /* of each point, KMEANS_NONE at first */
};

/* Points around `clusters` random places, at random; deterministic in `seed`. */
void kmeans_generate(uint64_t seed, struct kmeans *k);

/* Points from a text as Rodinia has it: a line is a number, which is not used, and the features,
 * the same number of them in each line. Sets points, count and features. Errors name the line. */
bool kmeans_parse(const char *text, struct kmeans *k, struct error *err);

/* The first `clusters` points are the first centres. Needs features. */
void kmeans_start(struct kmeans *k);
void kmeans_free(struct kmeans *k);

/* The host reference of the second kernel, bit for bit: the distance is one chain of fused
 * operations over the features, and of equal distances the first one counts. */
void kmeans_assign(const struct kmeans *k, uint32_t *membership);

/* Takes the new membership and moves every centre that has points to their mean, summed in single
 * precision in their order; returns how many points have changed. */
uint32_t kmeans_move(struct kmeans *k, const uint32_t *membership);

#endif
