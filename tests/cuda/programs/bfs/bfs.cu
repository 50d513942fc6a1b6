/* Breadth-first search by masks, level by level, until a kernel sets no flag. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>
#include <vector>

#include "check.h"

#define THREADS RD_WG_SIZE_0

struct Node {
    int starting;
    int n_edges;
};

#include "kernel.cu"
#include "kernel2.cu"

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    unsigned seed = 7;
    std::vector<Node> nodes(n);
    std::vector<int> edges;
    for (int i = 0; i < n; i++) {
        nodes[i].starting = (int)edges.size();
        nodes[i].n_edges = 1 + (int)(next_random(&seed) % 4);
        for (int k = 0; k < nodes[i].n_edges; k++)
            edges.push_back((int)(next_random(&seed) % n));
    }

    bool *h_mask = (bool *)calloc(n, sizeof(bool));
    bool *h_visited = (bool *)calloc(n, sizeof(bool));
    int *h_cost = (int *)malloc(n * sizeof(int));
    memset(h_cost, 0xff, n * sizeof(int));
    h_mask[0] = h_visited[0] = true;
    h_cost[0] = 0;

    Node *d_nodes;
    int *d_edges, *d_cost;
    bool *d_mask, *d_updating, *d_visited, *d_over;
    cudaMalloc((void **)&d_nodes, n * sizeof(Node));
    cudaMalloc((void **)&d_edges, edges.size() * sizeof(int));
    cudaMalloc((void **)&d_mask, n * sizeof(bool));
    cudaMalloc((void **)&d_updating, n * sizeof(bool));
    cudaMalloc((void **)&d_visited, n * sizeof(bool));
    cudaMalloc((void **)&d_cost, n * sizeof(int));
    CHECK(cudaMalloc((void **)&d_over, sizeof(bool)));
    cudaMemcpy(d_nodes, &nodes[0], n * sizeof(Node), cudaMemcpyHostToDevice);
    cudaMemcpy(d_edges, &edges[0], edges.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_mask, h_mask, n * sizeof(bool), cudaMemcpyHostToDevice);
    cudaMemset(d_updating, 0, n * sizeof(bool));
    cudaMemcpy(d_visited, h_visited, n * sizeof(bool), cudaMemcpyHostToDevice);
    CHECK(cudaMemcpy(d_cost, h_cost, n * sizeof(int), cudaMemcpyHostToDevice));

    dim3 grid((n + THREADS - 1) / THREADS, 1, 1), threads(THREADS, 1, 1);
    int k = 0;
    bool stop;
    do {
        stop = false;
        cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
        Expand<<<grid, threads, 0>>>(d_nodes, d_edges, d_mask, d_updating, d_visited, d_cost, n);
        Commit<<<grid, threads, 0>>>(d_mask, d_updating, d_visited, d_over, n);
        CHECK(cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost));
        k++;
    } while (stop);
    printf("Kernel Executed %d times\n", k);
    CHECK(cudaMemcpy(h_cost, d_cost, n * sizeof(int), cudaMemcpyDeviceToHost));

    std::vector<int> want(n, -1), queue(1, 0);
    want[0] = 0;
    for (size_t head = 0; head < queue.size(); head++) {
        const Node &node = nodes[queue[head]];
        for (int i = node.starting; i < node.starting + node.n_edges; i++) {
            if (want[edges[i]] < 0) {
                want[edges[i]] = want[queue[head]] + 1;
                queue.push_back(edges[i]);
            }
        }
    }
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += h_cost[i] != want[i];
    cudaFree(d_nodes);
    cudaFree(d_edges);
    free(h_mask);
    return verdict("bfs", wrong == 0);
}
