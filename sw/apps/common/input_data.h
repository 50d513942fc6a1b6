/* Input data for kernels: seeded, the same on every machine. */
#ifndef EVGPU_SW_INPUT_DATA_H
#define EVGPU_SW_INPUT_DATA_H

#include <stddef.h>
#include <stdint.h>

/* Multiples of 2^-23, uniform in [-1, 1). */
void input_floats(uint64_t seed, float *values, size_t count);

/* Uniform in [low, high): low + k * (high - low) * 2^-24, rounded to float. */
void input_range(uint64_t seed, float *values, size_t count, float low, float high);

/* Uniform in [0, below). */
void input_words(uint64_t seed, uint32_t *values, size_t count, uint32_t below);
void input_bytes(uint64_t seed, uint8_t *values, size_t count);

#endif
