__global__ void Commit(bool *g_mask, bool *g_updating, bool *g_visited, bool *g_over, int n)
{
    int tid = blockIdx.x * THREADS + threadIdx.x;
    if (tid < n && g_updating[tid]) {
        g_mask[tid] = true;
        g_visited[tid] = true;
        *g_over = true;
        g_updating[tid] = false;
    }
}
