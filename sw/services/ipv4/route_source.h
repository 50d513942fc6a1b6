/* Where a command's routes come from: a file, or the generator. */
#ifndef EVGPU_SW_ROUTE_SOURCE_H
#define EVGPU_SW_ROUTE_SOURCE_H

#include "sw/services/ipv4/routes.h"

struct route_source {
    const char *path; /* NULL: generated */
    uint64_t seed;
    uint32_t count, hops;
};

#define ROUTE_SOURCE_DEFAULT ((struct route_source){.seed = 1, .count = 100000, .hops = 256})

static inline bool route_source_read(const struct route_source *source, struct route_list *list,
                                     struct error *err)
{
    return source->path ? routes_read(source->path, source->hops, list, err)
                        : routes_generate(source->seed, source->count, source->hops, list, err);
}

#endif
