/* The inputs of a target, and mutants of them. */
#ifndef EVGPU_TESTS_FUZZ_INPUTS_H
#define EVGPU_TESTS_FUZZ_INPUTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/rng.h"

#define FUZZ_LONGEST 65536u /* bytes of a mutant */

struct fuzz_input {
    uint8_t *data;
    size_t size;
};

/* Reads the corpus and asks the target for the rest. */
void inputs_load(void);
void inputs_free(void);
uint32_t inputs_count(void);
const struct fuzz_input *inputs_at(uint32_t index);

/* `data` has room for FUZZ_LONGEST; returns the mutant's size. */
size_t inputs_mutant(struct rng *rng, uint8_t *data);

/* As a line of the corpus. */
void inputs_print(FILE *to, const uint8_t *data, size_t size);

#endif
