/* C = A x B, square matrices of n x n floats, row-major, tiled through shared memory. n is at most
 * 65535: element numbers have 32 bits, which saves registers and so leaves some for events.
 *
 * Block 16 x 16, grid of ceil(n/16) x ceil(n/16) blocks. Every element is one chain of fused
 * multiply-adds over k = 0, 1, ..., rounded up to a whole tile with zeros, so that the host
 * reference (sw/apps/matrixMul/matmul.c) gives the same bits. */
#define TILE 16

extern "C" __global__ void matmul(const float *__restrict__ a, const float *__restrict__ b,
                                  float *__restrict__ c, unsigned n)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (unsigned k = 0; k < n; k += TILE) {
        tile_a[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0.0f;
        tile_b[y][x] = column < n && k + y < n ? b[(k + y) * n + column] : 0.0f;
        __syncthreads();
        for (unsigned i = 0; i < TILE; i++)
            sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
