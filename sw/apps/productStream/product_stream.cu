/* A stream of products C = start + A x B of row-major floats, tiled through shared memory; rows and
 * columns of C are multiples of TILE, `inner` is one, too. Block TILE x TILE.
 *
 * product: a kernel for each product, a block for each tile of C.
 * polling: persistent blocks take the tiles of all products from a queue in memory. The queue is a
 * software scheduler (Gupta et al., A Study of Persistent Threads Style GPU Programming, 2012): a
 * ticket for each tile, a walk to the product that the tile is of, a count of finished tiles. A
 * product without tiles ends the blocks. */
#include "product_stream.h"

#define TILE PRODUCT_TILE

static __device__ void tile_of(const struct product *p, unsigned tile)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    const float *a = (const float *)p->a, *b = (const float *)p->b;
    unsigned x = threadIdx.x, y = threadIdx.y, wide = p->columns / TILE;
    unsigned row = tile / wide * TILE + y, column = tile % wide * TILE + x;
    float sum = p->start;
    for (unsigned k = 0; k < p->inner; k += TILE) {
        tile_a[y][x] = a[row * p->inner + k + x];
        tile_b[y][x] = b[(k + y) * p->columns + column];
        __syncthreads();
        for (unsigned i = 0; i < TILE; i++)
            sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
        __syncthreads();
    }
    ((float *)p->c)[row * p->columns + column] = sum;
}

extern "C" __global__ void product(struct product p)
{
    tile_of(&p, blockIdx.x);
}

extern "C" __global__ void polling(struct product_queue *queue)
{
    __shared__ struct product p;
    __shared__ unsigned ticket;
    unsigned at = 0;
    bool first = threadIdx.x == 0 && threadIdx.y == 0;
    for (;;) {
        if (first) {
            ticket = atomicAdd(&queue->next, 1);
            while (*(volatile unsigned *)&queue->published <= at ||
                   (queue->products[at].tiles && ticket >= queue->products[at].last))
                at += *(volatile unsigned *)&queue->published > at;
            p = queue->products[at];
        }
        __syncthreads();
        if (!p.tiles)
            return;
        tile_of(&p, ticket - (p.last - p.tiles));
        __threadfence();
        __syncthreads();
        if (first)
            atomicAdd(&queue->products[at].done, 1);
    }
}
