/* Made-up traffic on a mesh, to measure it alone: latency and throughput by load (Dally and Towles,
 * Principles and Practices of Interconnection Networks, chapter 23).
 *
 * Every node creates packets by chance, `rate` flits a tick on average, into a source queue without
 * a bound. After `warmup` ticks, packets created in the next `ticks` are measured: their latency is
 * from creation to the tick in which the last flit has left the network, source queue included.
 * The traffic goes on until all of them have arrived, or for ten times as long: then the network is
 * saturated. */
#ifndef EVGPU_MEM_NET_MESH_TRAFFIC_H
#define EVGPU_MEM_NET_MESH_TRAFFIC_H

#include "sim/mem/net/mesh.h"

enum traffic_pattern {
    TRAFFIC_UNIFORM,   /* any node, itself included */
    TRAFFIC_TRANSPOSE, /* (x, y) to (y, x); a square mesh */
    TRAFFIC_HOTSPOT,   /* hot_percent of the packets to hot_node, the others uniform */
    TRAFFIC_REPLY,     /* uniform requests of a flit; each is answered, over a network of its own,
                          by `flits`. The latency is that of both ways, the rate that of replies */
    TRAFFIC_PATTERNS
};

enum { TRAFFIC_MAX_FLITS = 64 };

struct mesh_traffic_config {
    struct mesh_config mesh; /* endpoints are filled in: one of each direction to a node */
    enum traffic_pattern pattern;
    uint32_t flits; /* of a packet, 1..TRAFFIC_MAX_FLITS */
    uint32_t hot_node, hot_percent;
    double rate; /* flits per node and tick, 0..1 */
    uint64_t warmup, ticks, seed;
};

struct mesh_traffic_result {
    uint64_t packets;        /* measured */
    double latency, p99;     /* ticks */
    double offered, carried; /* flits per node and tick while measuring: created, delivered */
    bool saturated;
    uint64_t ticks; /* in all */
};

bool mesh_traffic_run(const struct mesh_traffic_config *config, struct mesh_traffic_result *result,
                      struct error *err);

#endif
