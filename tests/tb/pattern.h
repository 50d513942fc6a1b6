/* When one side of an interface is ready, or offers something: by chance, or in a pattern that a
 * chance hardly ever makes. */
#ifndef EVGPU_TESTS_TB_PATTERN_H
#define EVGPU_TESTS_TB_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

enum pattern_kind {
    PATTERN_CHANCE,
    PATTERN_ALWAYS,
    PATTERN_ALTERNATE,
    PATTERN_BURSTS, /* `on` cycles, then not for `off` */
    PATTERN_NEVER,  /* not for `off` cycles, then always */
    PATTERN_KINDS
};

struct pattern {
    enum pattern_kind kind;
    uint32_t on, off, cycle;
};

/* A random one; PATTERN_CHANCE in one of two. */
struct pattern pattern_random(struct rng *rng);

/* Is it so in this cycle? `chance` of 256: for PATTERN_CHANCE. */
bool pattern_next(struct pattern *p, struct rng *rng, uint32_t chance);

#endif
