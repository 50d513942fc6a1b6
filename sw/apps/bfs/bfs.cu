/* Breadth-first search, one launch per level, with a frontier queue.
 *
 * Graph in compressed sparse rows: neighbours of node v are columns[rows[v]] ..
 * columns[rows[v+1]-1]. Before level 0: distance is 0 at the source and 0xFFFFFFFF elsewhere,
 * frontier[0] is the source, *frontier_count is 1. Each launch takes the nodes of one level and
 * puts those of the next into `next`, counting them in *next_count, which must be 0 at the start.
 * It ends when *next_count stays 0. The order within a frontier depends on timing; the distances do
 * not. Any grid of one dimension. */
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
