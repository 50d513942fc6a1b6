/* Breadth-first search in compressed sparse rows: neighbours of node v are columns[rows[v]] ..
 * columns[rows[v+1]-1]. Two forms; a launch of any grid of one dimension. */

/* One launch per level, with a frontier queue.
 *
 * Before level 0: distance is 0 at the source and 0xFFFFFFFF elsewhere, frontier[0] is the source,
 * *frontier_count is 1. Each launch takes the nodes of one level and puts those of the next into
 * `next`, counting them in *next_count, which must be 0 at the start. It ends when *next_count
 * stays 0. The order within a frontier depends on timing; the distances do not. */
extern "C" __global__ void bfs_level(const unsigned *__restrict__ rows,
                                     const unsigned *__restrict__ columns,
                                     const unsigned *__restrict__ frontier,
                                     const unsigned *__restrict__ frontier_count, unsigned *next,
                                     unsigned *next_count, unsigned *distance, unsigned level)
{
    unsigned count = *frontier_count;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        unsigned node = frontier[i];
        for (unsigned e = rows[node]; e < rows[node + 1]; e++) {
            unsigned neighbour = columns[e];
            if (atomicCAS(&distance[neighbour], 0xFFFFFFFFu, level + 1) == 0xFFFFFFFFu)
                next[atomicAdd(next_count, 1u)] = neighbour;
        }
    }
}

/* Rodinia's form (Harish and Narayanan, HiPC 2007): two launches per level, a thread per node,
 * three masks of a byte per node. Before the first level: mask and visited are 1 at the source and
 * 0 elsewhere, updating is 0; cost is 0 at the source.
 *
 * Kernel: the nodes of this level leave `mask`; each gives its neighbours that are not visited
 * their cost and marks them in `updating`. Threads that share a neighbour write the same values.
 * Kernel2: what is marked becomes the next level; *over is 1 when there is one. */
extern "C" __global__ void Kernel(const uint2 *__restrict__ nodes,
                                  const unsigned *__restrict__ columns, unsigned char *mask,
                                  unsigned char *updating, const unsigned char *visited,
                                  unsigned *cost, unsigned count)
{
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= count || !mask[node])
        return;
    mask[node] = 0;
    uint2 edges = nodes[node]; /* first, number */
    for (unsigned e = edges.x; e < edges.x + edges.y; e++) {
        unsigned neighbour = columns[e];
        if (!visited[neighbour]) {
            cost[neighbour] = cost[node] + 1;
            updating[neighbour] = 1;
        }
    }
}

extern "C" __global__ void Kernel2(unsigned char *mask, unsigned char *updating,
                                   unsigned char *visited, unsigned *over, unsigned count)
{
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= count || !updating[node])
        return;
    mask[node] = 1;
    visited[node] = 1;
    *over = 1;
    updating[node] = 0;
}

/* Kernel2 for a host that waits for the word *over with a copy that was called in advance: the word
 * is written in any case, with 1 as soon as a thread has found a node, with 0 by the last block
 * when none has. *blocks counts those that are done, in its lower half, and those of them that have
 * found something; it is 0 at the start and at the end. */
extern "C" __global__ void Kernel2Early(unsigned char *mask, unsigned char *updating,
                                        unsigned char *visited, volatile unsigned *over,
                                        unsigned *blocks, unsigned count)
{
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
    bool next = node < count && updating[node];
    if (next) {
        *over = 1;
        mask[node] = 1;
        visited[node] = 1;
        updating[node] = 0;
    }
    unsigned found = __syncthreads_or(next);
    if (threadIdx.x)
        return;
    unsigned before = atomicAdd(blocks, found ? 0x10001 : 1);
    if ((before & 0xFFFF) != gridDim.x - 1)
        return;
    *blocks = 0;
    if (!found && before < 0x10000)
        *over = 0;
}
