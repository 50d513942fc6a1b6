/* Minimum spanning forest by Boruvka's algorithm (LonestarGPU mst), graph in compressed sparse rows with
 * every edge in both directions.
 *
 * A round: mst_clear; mst_node_least, where every node looks for its lightest edge that leaves its component
 * and tells the component's root; mst_pick, where one node of those that have the component's lightest
 * edge is picked; mst_verify, where the roots see that what was picked leaves the component; mst_join.
 * Roots: parent[v] == v. A parent's number is never greater than its child's, so that paths end. Which
 * edges of equal weight are taken depends on timing; the weight of all does not. Grids of one
 * dimension with at least `nodes` threads, except mst_join's. */
#define NONE 0xFFFFFFFFu

/* Beside mst_join, what it reads may be older than what is in memory: then it finds a former root, of which
 * mst_join sees that it is none any more. */
__device__ static unsigned find(unsigned *parent, unsigned node)
{
    unsigned root = parent[node];
    if (root == node)
        return node;
    for (unsigned next = parent[root]; next != root; next = parent[root])
        root = next;
    parent[node] = root; /* the next way is shorter; whoever writes, writes an ancestor */
    return root;
}

extern "C" __global__ void mst_clear(unsigned *node_least, unsigned *component_least,
                                     unsigned *partner, unsigned *picked, unsigned *joins,
                                     unsigned nodes)
{
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes)
        return;
    node_least[node] = NONE;
    component_least[node] = NONE;
    partner[node] = node;
    picked[node] = NONE;
    joins[node] = NONE;
}

extern "C" __global__ void mst_node_least(const unsigned *__restrict__ rows,
                                          const unsigned *__restrict__ columns,
                                          const unsigned *__restrict__ weights, unsigned *parent,
                                          unsigned *node_least, unsigned *component_least,
                                          unsigned *partner, unsigned nodes)
{
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes)
        return;
    unsigned root = find(parent, node), least = NONE, other = node;
    for (unsigned arc = rows[node]; arc < rows[node + 1]; arc++) {
        unsigned weight = weights[arc];
        if (weight >= least)
            continue;
        unsigned there = find(parent, columns[arc]);
        if (there == root)
            continue;
        least = weight;
        other = there;
    }
    node_least[node] = least;
    partner[node] = other;
    if (least < component_least[root])
        atomicMin(&component_least[root], least);
}

extern "C" __global__ void mst_pick(unsigned *parent, const unsigned *__restrict__ node_least,
                                    const unsigned *__restrict__ component_least, unsigned *picked,
                                    unsigned nodes)
{
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || node_least[node] == NONE)
        return;
    unsigned root = find(parent, node);
    if (node_least[node] == component_least[root])
        atomicCAS(&picked[root], NONE, node);
}

/* joins[node]: the arc by which the picked node's component joins another one. */
extern "C" __global__ void mst_verify(const unsigned *__restrict__ rows,
                                      const unsigned *__restrict__ columns,
                                      const unsigned *__restrict__ weights, unsigned *parent,
                                      const unsigned *__restrict__ component_least,
                                      const unsigned *__restrict__ partner,
                                      const unsigned *__restrict__ picked, unsigned *joins,
                                      unsigned nodes)
{
    unsigned root = blockIdx.x * blockDim.x + threadIdx.x;
    if (root >= nodes || parent[root] != root || picked[root] == NONE)
        return;
    unsigned node = picked[root];
    for (unsigned arc = rows[node]; arc < rows[node + 1]; arc++)
        if (weights[arc] == component_least[root] && find(parent, columns[arc]) == partner[node]) {
            joins[node] = arc;
            return;
        }
}

/* All threads of a grid that is on the GPU as a whole. *arrived is 0 before the first time, and counts on. */
__device__ static void grid_barrier(unsigned *arrived)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned ticket = atomicAdd(arrived, 1u);
        unsigned all = (ticket / gridDim.x + 1) * gridDim.x;
        while (*(volatile unsigned *)arrived < all) {
        }
        __threadfence();
    }
    __syncthreads();
}

struct mst_result {
    unsigned long long weight;
    unsigned edges, again;
};

/* The roots of both ends are looked for, then, behind a barrier, one becomes the child of the other, if
 * it is still a root; if it is none any more, result->again asks for one more launch. taken[] gets the
 * arcs. Any grid that fits on the GPU as a whole. */
extern "C" __global__ void mst_join(unsigned *parent, const unsigned *__restrict__ columns,
                                    const unsigned *__restrict__ weights, unsigned *joins,
                                    unsigned *taken, mst_result *result, unsigned *arrived,
                                    unsigned nodes)
{
    unsigned threads = gridDim.x * blockDim.x;
    unsigned rounds = (nodes + threads - 1) / threads; /* the same for all: there are barriers */
    unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < rounds; i++, node += threads) {
        unsigned arc = node < nodes ? joins[node] : NONE, from = 0, to = 0;
        if (arc != NONE) {
            from = find(parent, node);
            to = find(parent, columns[arc]);
        }
        grid_barrier(arrived);
        if (arc != NONE) {
            unsigned child = max(from, to), root = min(from, to);
            if (from == to) {
                joins[node] = NONE;
            } else if (atomicCAS(&parent[child], child, root) == child) {
                joins[node] = NONE;
                taken[atomicAdd(&result->edges, 1u)] = arc;
                atomicAdd(&result->weight, (unsigned long long)weights[arc]);
            } else {
                result->again = 1;
            }
        }
        grid_barrier(arrived);
    }
}
