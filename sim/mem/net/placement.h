/* Who is at which node of a mesh: a map of letters, a row of the mesh to a row of the map.
 *
 *   G  SIMT cores, `cores_per_node` of them     M  a memory partition: LLC slice and controller
 *   C  a CPU core                               H  the host interface
 *   .  a router with nothing at it
 *   g, c, m  as G, C, M, and the host interface shares the node
 *
 * Numbers go in the order of reading: cores 0 .. cores_per_node - 1 are at the first G, partition 0
 * at the first M. */
#ifndef EVGPU_MEM_NET_PLACEMENT_H
#define EVGPU_MEM_NET_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/mem/net/endpoint.h"

#define PLACEMENT_NODES 256u

struct placement {
    uint32_t width, height; /* height 0: no map */
    uint32_t cores_per_node;
    char node[PLACEMENT_NODES];
};

/* Adds rows, separated by '/'. False for an unknown letter, a row of another length than the first
 * one, more than PLACEMENT_NODES nodes. */
bool placement_add(struct placement *p, const char *rows, struct error *err);

/* Endpoints of a kind that the map has room for. */
uint32_t placement_room(const struct placement *p, enum endpoint_kind kind);

/* The node of an endpoint; PLACEMENT_NODES: the map has no place for it. */
uint32_t placement_node(const struct placement *p, enum endpoint_kind kind, uint32_t index);

/* Whether the map has places for this many endpoints of a kind, and none too many (the last node of
 * SIMT cores may have fewer than the others). */
bool placement_fits(const struct placement *p, enum endpoint_kind kind, uint32_t count,
                    struct error *err);

#endif
