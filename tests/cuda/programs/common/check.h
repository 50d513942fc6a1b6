/* What every program here shares: the error check, a generator, and the verdict. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t check_status = (call);                                                         \
        if (check_status != cudaSuccess) {                                                         \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(check_status));                                             \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static inline unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline float next_float(unsigned *state)
{
    return (float)next_random(state) / 16777216.0f;
}

/* Relative to the larger of |want| and 1. */
static inline int near(double got, double want, double tolerance)
{
    double scale = fabs(want) > 1.0 ? fabs(want) : 1.0;
    return fabs(got - want) <= tolerance * scale;
}

static inline int verdict(const char *name, int ok)
{
    printf("%s: %s\n", name, ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}

#endif
