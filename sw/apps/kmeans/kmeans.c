#include "sw/apps/kmeans/kmeans.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sw/apps/common/input_data.h"

void kmeans_generate(uint64_t seed, struct kmeans *k)
{
    struct rng rng;
    size_t values = (size_t)k->points * k->count;
    float *places = ALLOC_ARRAY(float, (size_t)k->clusters * k->count);
    rng_seed(&rng, seed);
    input_range(rng_u64(&rng), places, (size_t)k->clusters * k->count, 0.0f, 1.0f);
    k->features = ALLOC_ARRAY(float, values);
    input_range(rng_u64(&rng), k->features, values, -0.5f, 0.5f);
    for (size_t point = 0; point < k->points; point++) {
        const float *place = places + (size_t)rng_below(&rng, k->clusters) * k->count;
        for (uint32_t f = 0; f < k->count; f++)
            k->features[point * k->count + f] += place[f];
    }
    free(places);
}

/* Features of the line at `text`, appended from *values on; false when one is not a number. */
static bool parse_line(const char *text, struct kmeans *k, size_t *values, size_t *capacity,
                       uint32_t *found)
{
    char *end;
    *found = 0;
    strtod(text, &end);
    if (end == text)
        return false;
    while (end += strspn(end, " \t\r,"), *end && *end != '\n') {
        const char *start = end;
        float value = strtof(start, &end);
        if (end == start || !isfinite(value))
            return false;
        ARRAY_RESERVE(k->features, *values, *capacity);
        k->features[(*values)++] = value;
        ++*found;
    }
    return true;
}

bool kmeans_parse(const char *text, struct kmeans *k, struct error *err)
{
    size_t values = 0, capacity = 0;
    uint32_t line = 0, found;
    k->points = k->count = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        line++;
        if (at[strspn(at, " \t\r")] == '\n' || !at[strspn(at, " \t\r")])
            continue;
        if (!parse_line(at, k, &values, &capacity, &found))
            return error_set(err, "line %u: not a row of numbers", line);
        if (found == 0)
            return error_set(err, "line %u: the row has a number but no features", line);
        if (k->points && found != k->count)
            return error_set(err, "line %u: the row has %u features, but the first line has %u",
                             line, found, k->count);
        k->count = found;
        k->points++;
    }
    return k->points || error_set(err, "no points");
}

void kmeans_start(struct kmeans *k)
{
    k->centres = ALLOC_ARRAY(float, (size_t)k->clusters * k->count);
    k->membership = ALLOC_ARRAY(uint32_t, k->points);
    memcpy(k->centres, k->features, (size_t)k->clusters * k->count * sizeof(float));
    for (uint32_t i = 0; i < k->points; i++)
        k->membership[i] = KMEANS_NONE;
}

void kmeans_free(struct kmeans *k)
{
    free(k->features);
    free(k->centres);
    free(k->membership);
    *k = (struct kmeans){0};
}

static inline __attribute__((always_inline)) void assign(const struct kmeans *k,
                                                         uint32_t *membership)
{
    for (size_t point = 0; point < k->points; point++) {
        float least = FLT_MAX;
        membership[point] = 0;
        for (uint32_t c = 0; c < k->clusters; c++) {
            float distance = 0.0f;
            for (uint32_t f = 0; f < k->count; f++) {
                float apart =
                    k->features[point * k->count + f] - k->centres[(size_t)c * k->count + f];
                distance = fmaf(apart, apart, distance);
            }
            if (distance < least) {
                least = distance;
                membership[point] = c;
            }
        }
    }
}

#if defined(__x86_64__)
/* fmaf is exact by definition: the same bits, with instructions instead of calls. */
static __attribute__((target("avx2,fma"))) void assign_fma(const struct kmeans *k,
                                                           uint32_t *membership)
{
    assign(k, membership);
}

void kmeans_assign(const struct kmeans *k, uint32_t *membership)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        assign_fma(k, membership);
    else
        assign(k, membership);
}
#else
void kmeans_assign(const struct kmeans *k, uint32_t *membership)
{
    assign(k, membership);
}
#endif

uint32_t kmeans_move(struct kmeans *k, const uint32_t *membership)
{
    size_t values = (size_t)k->clusters * k->count;
    float *sums = ALLOC_ARRAY(float, values);
    uint32_t *members = ALLOC_ARRAY(uint32_t, k->clusters), changed = 0;
    for (size_t point = 0; point < k->points; point++) {
        uint32_t c = membership[point];
        changed += c != k->membership[point];
        k->membership[point] = c;
        members[c]++;
        for (uint32_t f = 0; f < k->count; f++)
            sums[(size_t)c * k->count + f] += k->features[point * k->count + f];
    }
    for (size_t i = 0; i < values; i++)
        if (members[i / k->count])
            k->centres[i] = sums[i] / (float)members[i / k->count];
    free(sums);
    free(members);
    return changed;
}
