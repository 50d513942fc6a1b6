/* What the parts of OpenMP for clang's code share (clang_on_gomp.c). */
#ifndef EVGPU_CUDA_OPENMP_OPENMP_H
#define EVGPU_CUDA_OPENMP_OPENMP_H

#include <stdint.h>

#define SHARED __attribute__((weak, visibility("hidden")))

#define MOST_ARGUMENTS 32

typedef void region_function(int32_t *thread, int32_t *bound, ...);

struct region {
    region_function *function;
    void *arguments[MOST_ARGUMENTS];
    void *copied;              /* what the thread of a single region gives to the others */
    struct doacross *doacross; /* loops of which threads are still to come */
    void *lock;
};

/* A thread in a region. */
struct openmp_member {
    struct region *region; /* NULL: there is none, and one thread */
    uint64_t loops;        /* doacross loops that it has begun there */
};
struct openmp_member *evgpu_openmp_here(void);

/* Of gcc's library. */
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
int omp_get_num_threads(void);

#endif
