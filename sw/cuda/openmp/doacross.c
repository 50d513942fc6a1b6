/* Doacross loops of OpenMP for clang's code (clang_on_gomp.c): `ordered depend` waits for turns of
 * other threads, of which a bit says that they are done. */
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/cuda/openmp/openmp.h"

#define WORD_BITS 64

/* As clang describes a loop of the nest, whatever its own variable does: turns one by one. The last
 * one may lie behind the loop. */
struct dimension {
    int64_t first, last, step;
};

/* A nest that the threads of a region share. */
struct doacross {
    struct doacross *next;
    uint64_t number; /* the threads of a region meet such loops in the same order */
    int32_t count, ended;
    struct dimension *of;
    _Atomic uint64_t *done;
};

/* The loops in which a thread is, through regions within each other. */
struct within {
    struct within *outer;
    struct doacross *loop; /* NULL: of one thread, whose turns are in order */
};
static __thread struct within *within;

static void *memory(size_t count, size_t bytes)
{
    void *made = calloc(count, bytes);
    if (!made) {
        fprintf(stderr, "evgpu: no memory for an OpenMP loop with depend\n");
        abort();
    }
    return made;
}

static uint64_t turns(const struct dimension *d)
{
    return (uint64_t)(d->last - d->first) + 1;
}

static struct doacross *make(int32_t count, const struct dimension *of)
{
    struct doacross *loop = memory(1, sizeof *loop);
    uint64_t all = 1;
    loop->count = count;
    loop->of = memory((size_t)count, sizeof *of);
    for (int32_t i = 0; i < count; i++) {
        loop->of[i] = of[i];
        all *= turns(&of[i]);
    }
    loop->done = memory(all / WORD_BITS + 1, sizeof *loop->done);
    return loop;
}

SHARED void __kmpc_doacross_init(void *where, int32_t thread, int32_t count, void *dimensions)
{
    struct openmp_member *here = evgpu_openmp_here();
    struct within *entered = memory(1, sizeof *entered);
    (void)where, (void)thread;
    entered->outer = within;
    within = entered;
    if (!here->region || omp_get_num_threads() == 1)
        return;
    uint64_t number = here->loops++;
    GOMP_critical_name_start(&here->region->lock);
    struct doacross *loop = here->region->doacross;
    while (loop && loop->number != number)
        loop = loop->next;
    if (!loop) {
        loop = make(count, dimensions);
        loop->number = number;
        loop->next = here->region->doacross;
        here->region->doacross = loop;
    }
    GOMP_critical_name_end(&here->region->lock);
    entered->loop = loop;
}

/* The bit of a turn; false: there is no such turn. */
static bool bit_of(const struct doacross *loop, const int64_t *turn, uint64_t *bit)
{
    *bit = 0;
    for (int32_t i = 0; i < loop->count; i++) {
        const struct dimension *d = &loop->of[i];
        if (turn[i] < d->first || turn[i] > d->last)
            return false;
        *bit = *bit * turns(d) + (uint64_t)(turn[i] - d->first);
    }
    return true;
}

SHARED void __kmpc_doacross_wait(void *where, int32_t thread, int64_t *turn)
{
    const struct doacross *loop = within->loop;
    uint64_t bit;
    (void)where, (void)thread;
    if (!loop || !bit_of(loop, turn, &bit))
        return;
    while (!(loop->done[bit / WORD_BITS] >> bit % WORD_BITS & 1))
        sched_yield();
}

SHARED void __kmpc_doacross_post(void *where, int32_t thread, int64_t *turn)
{
    struct doacross *loop = within->loop;
    uint64_t bit;
    (void)where, (void)thread;
    if (loop && bit_of(loop, turn, &bit))
        loop->done[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
}

/* The last thread frees the loop. */
SHARED void __kmpc_doacross_fini(void *where, int32_t thread)
{
    struct within *left = within;
    struct doacross *loop = left->loop;
    struct region *region = evgpu_openmp_here()->region;
    (void)where, (void)thread;
    within = left->outer;
    free(left);
    if (!loop)
        return;
    GOMP_critical_name_start(&region->lock);
    bool last = ++loop->ended == omp_get_num_threads();
    struct doacross **at = &region->doacross;
    while (last && *at != loop)
        at = &(*at)->next;
    if (last)
        *at = loop->next;
    GOMP_critical_name_end(&region->lock);
    if (last) {
        free((void *)loop->done);
        free(loop->of);
        free(loop);
    }
}
