#include "sim/system/moments.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_record.h"

#define FIRST_INTERVAL 256u /* cycles; short kernels have some moments, too */

struct moments {
    struct gpu *gpu;
    uint32_t counts, n;
    uint64_t interval, next;
    uint64_t cycle[MOMENTS];
    uint64_t *row; /* [MOMENTS][counts] */
};

struct moments *moments_create(struct gpu *gpu)
{
    struct moments *s = ALLOC(struct moments);
    gpu_record_start(gpu);
    s->gpu = gpu;
    s->counts = gpu_record_shape(gpu).counts;
    s->interval = s->next = FIRST_INTERVAL;
    s->row = alloc_array((size_t)MOMENTS * s->counts, sizeof *s->row);
    s->n = 1;
    return s;
}

void moments_destroy(struct moments *s)
{
    if (s)
        free(s->row);
    free(s);
}

static uint64_t *row_of(const struct moments *s, uint32_t moment)
{
    return s->row + (size_t)moment * s->counts;
}

/* The first stays, and so does every second one behind it. */
static void thin(struct moments *s)
{
    uint32_t kept = 1;
    for (uint32_t i = 2; i < s->n; i += 2, kept++) {
        s->cycle[kept] = s->cycle[i];
        memcpy(row_of(s, kept), row_of(s, i), s->counts * sizeof *s->row);
    }
    s->n = kept;
    s->interval *= 2;
}

static void take(struct moments *s, uint64_t cycle)
{
    s->cycle[s->n] = cycle;
    gpu_record_read(s->gpu, row_of(s, s->n++));
}

void moments_tick(struct moments *s, uint64_t cycle)
{
    if (cycle < s->next)
        return;
    if (s->n == MOMENTS - 1) /* one place is the last moment's */
        thin(s);
    if (cycle - s->cycle[s->n - 1] >= s->interval)
        take(s, cycle);
    s->next = (cycle / s->interval + 1) * s->interval;
}

void moments_end(struct moments *s, uint64_t cycle)
{
    if (cycle > s->cycle[s->n - 1])
        take(s, cycle);
}

uint32_t moments_count(const struct moments *s)
{
    return s->n;
}

uint64_t moments_cycle(const struct moments *s, uint32_t moment)
{
    return s->cycle[moment];
}

const uint64_t *moments_counts(const struct moments *s, uint32_t moment)
{
    return row_of(s, moment);
}
