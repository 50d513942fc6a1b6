/* Single-source shortest paths (LonestarGPU sssp), graph in compressed sparse rows.
 *
 * Both kernels lower distance[] with atomicMin and are launched until nothing changes: Bellman-Ford, in
 * an order that depends on timing; the distances do not. A sum that does not fit into 32 bits is no way. */
#define FAR 0xFFFFFFFFu


__device__ static bool relax(const unsigned *columns, const unsigned *weights, unsigned arc,
                             unsigned own, unsigned *distance)
{
    unsigned to = columns[arc], way = own + weights[arc];
    if (way < own || way >= distance[to])
        return false;
    return atomicMin(&distance[to], way) > way;
}

/* Topology-driven: a thread for every node, all of which send their distance along all their arcs. *changed
 * is set when one of them was shorter. Grid of one dimension with at least `nodes` threads. */
extern "C" __global__ void sssp_all(const unsigned *__restrict__ rows,
                                    const unsigned *__restrict__ columns,
                                    const unsigned *__restrict__ weights, unsigned *distance,
                                    unsigned *changed, unsigned nodes)
{
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes)
        return;
    unsigned own = distance[node];
    if (own == FAR)
        return;
    bool shorter = false;
    for (unsigned arc = rows[node]; arc < rows[node + 1]; arc++)
        shorter |= relax(columns, weights, arc, own, distance);
    if (shorter)
        *changed = 1;
}

/* Data-driven: only the nodes of the list `in`, those whose distance has fallen since they were last taken.
 * A node is in `out` once, which queued[] sees to. A thread per node of the list. */
extern "C" __global__ void sssp_list(const unsigned *__restrict__ rows,
                                     const unsigned *__restrict__ columns,
                                     const unsigned *__restrict__ weights, unsigned *distance,
                                     const unsigned *__restrict__ in, unsigned count, unsigned *out,
                                     unsigned *out_count, unsigned *queued)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned node = in[i];
    atomicExch(&queued[node], 0u);
    __threadfence(); /* who lowers the distance from now on finds that the node may be queued again */
    unsigned own = atomicAdd(&distance[node], 0u);
    for (unsigned arc = rows[node]; arc < rows[node + 1]; arc++)
        if (relax(columns, weights, arc, own, distance)) {
            unsigned to = columns[arc];
            if (atomicExch(&queued[to], 1u) == 0)
                out[atomicAdd(out_count, 1u)] = to;
        }
}
