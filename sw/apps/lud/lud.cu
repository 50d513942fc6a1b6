/* LU decomposition in place, without pivoting, in tiles of 16 x 16, as Rodinia's lud does it: for
 * every tile of the diagonal, first that tile (one block of 16 threads), then the tiles right of it
 * and below it (a block of 32 threads for each pair), then all that lie below and right (a block of
 * 16 x 16 threads each). `matrix` is n x n, row-major, n a multiple of 16; `at` is the row and
 * column of the diagonal tile. L has ones on its diagonal, which are not stored.
 *
 * Every a * b + c is one fused operation, so that the host (sw/apps/lud/lud.c) gives the same bits.
 */
#define TILE 16

extern "C" __global__ void lud_diagonal(float *matrix, unsigned n, unsigned at)
{
    __shared__ float tile[TILE][TILE];
    unsigned x = threadIdx.x;
    float *corner = matrix + at * n + at;
    for (unsigned i = 0; i < TILE; i++)
        tile[i][x] = corner[i * n + x];
    __syncthreads();
    for (unsigned i = 0; i < TILE - 1; i++) {
        if (x > i) {
            for (unsigned j = 0; j < i; j++)
                tile[x][i] = fmaf(-tile[x][j], tile[j][i], tile[x][i]);
            tile[x][i] /= tile[i][i];
        }
        __syncthreads();
        if (x > i)
            for (unsigned j = 0; j < i + 1; j++)
                tile[i + 1][x] = fmaf(-tile[i + 1][j], tile[j][x], tile[i + 1][x]);
        __syncthreads();
    }
    for (unsigned i = 1; i < TILE; i++)
        corner[i * n + x] = tile[i][x];
}

/* Block b: tile b + 1 right of the diagonal (threads 0 to 15, a column each) and tile b + 1 below
 * it (threads 16 to 31, a row each). Each half loads half of the diagonal tile. */
extern "C" __global__ void lud_perimeter(float *matrix, unsigned n, unsigned at)
{
    __shared__ float diagonal[TILE][TILE];
    __shared__ float right[TILE][TILE];
    __shared__ float below[TILE][TILE];
    unsigned x = threadIdx.x % TILE, away = (blockIdx.x + 1) * TILE;
    bool columns = threadIdx.x < TILE;
    float *corner = matrix + at * n + at;
    float *mine = columns ? corner + away : corner + away * n;
    unsigned half = columns ? 0 : TILE / 2;
    for (unsigned i = half; i < half + TILE / 2; i++)
        diagonal[i][x] = corner[i * n + x];
    for (unsigned i = 0; i < TILE; i++)
        (columns ? right : below)[i][x] = mine[i * n + x];
    __syncthreads();
    if (columns) {
        for (unsigned i = 1; i < TILE; i++)
            for (unsigned j = 0; j < i; j++)
                right[i][x] = fmaf(-diagonal[i][j], right[j][x], right[i][x]);
    } else {
        for (unsigned i = 0; i < TILE; i++) {
            for (unsigned j = 0; j < i; j++)
                below[x][i] = fmaf(-below[x][j], diagonal[j][i], below[x][i]);
            below[x][i] /= diagonal[i][i];
        }
    }
    __syncthreads();
    for (unsigned i = columns ? 1 : 0; i < TILE; i++)
        mine[i * n + x] = (columns ? right : below)[i][x];
}

extern "C" __global__ void lud_internal(float *matrix, unsigned n, unsigned at)
{
    __shared__ float right[TILE][TILE];
    __shared__ float below[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = at + (blockIdx.y + 1) * TILE, column = at + (blockIdx.x + 1) * TILE;
    right[y][x] = matrix[(at + y) * n + column + x];
    below[y][x] = matrix[(row + y) * n + at + x];
    __syncthreads();
    float sum = 0.0f;
    for (unsigned i = 0; i < TILE; i++)
        sum = fmaf(below[y][i], right[i][x], sum);
    matrix[(row + y) * n + column + x] -= sum;
}
