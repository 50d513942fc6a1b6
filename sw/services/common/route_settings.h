/* Rows of a settings table for a service that has a routing table. */
#ifndef EVGPU_SW_ROUTE_SETTINGS_H
#define EVGPU_SW_ROUTE_SETTINGS_H

#include "sw/services/common/routes.h"
#include "sw/services/common/service.h"

#define ROUTES_ROW                                                                                 \
    {                                                                                              \
        .key = "routes", .type = SETTING_TEXT, .unit = "FILE",                                     \
        .help = "`prefix/length [hop]` lines", .usual_text = "generated ones"                      \
    }

/* `most_routes`: ROUTES_MAX_IPV4 or ROUTES_MAX_IPV6. */
#define ROUTE_COUNT_ROW(most_routes)                                                               \
    {                                                                                              \
        .key = "route-count", .type = SETTING_NUMBER, .unit = "N", .help = "routes to generate",   \
        .least = 1, .most = (most_routes), .usual = ROUTES_DEFAULT_COUNT, .replaced_by = "routes"  \
    }

/* The table that two such rows say. */
static inline struct route_source route_source_of(enum address_family family, uint64_t seed,
                                                  const struct setting_value *routes,
                                                  const struct setting_value *count)
{
    return (struct route_source){.family = family,
                                 .path = routes->text,
                                 .seed = seed,
                                 .count = (uint32_t)count->number,
                                 .hops = ROUTES_DEFAULT_HOPS};
}

#endif
