#ifndef KERNEL_CU
#define KERNEL_CU

__global__ void Expand(Node *g_nodes, int *g_edges, bool *g_mask, bool *g_updating, bool *g_visited,
                       int *g_cost, int n)
{
    int tid = blockIdx.x * THREADS + threadIdx.x;
    if (tid < n && g_mask[tid]) {
        g_mask[tid] = false;
        for (int i = g_nodes[tid].starting; i < g_nodes[tid].starting + g_nodes[tid].n_edges; i++) {
            int id = g_edges[i];
            if (!g_visited[id]) {
                g_cost[id] = g_cost[tid] + 1;
                g_updating[id] = true;
            }
        }
    }
}
#endif
