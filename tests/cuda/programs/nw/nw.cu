/* Needleman-Wunsch along diagonals, and an LU step on the same tile shapes. */
#include "check.h"

#define BLOCK_SIZE 16

__device__ __host__ int maximum(int a, int b, int c)
{
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

__global__ void needle(const int *reference, int *matrix, int cols, int penalty, int i, bool second,
                       int block_width)
{
    int bx = blockIdx.x, tx = threadIdx.x;
    int b_index_x = second ? bx + block_width - i : bx, b_index_y = second ? block_width - bx - 1 : i - 1 - bx;
    int index = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (cols + 1);
    int index_n = index - cols, index_w = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + cols;
    int index_nw = index_w - cols;
    __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE];
    if (tx == 0)
        temp[tx][0] = matrix[index_nw];
    for (int ty = 0; ty < BLOCK_SIZE; ty++)
        ref[ty][tx] = reference[index + cols * ty];
    __syncthreads();
    temp[tx + 1][0] = matrix[index_w + cols * tx];
    __syncthreads();
    temp[0][tx + 1] = matrix[index_n];
    __syncthreads();
    for (int m = 0; m < 2 * BLOCK_SIZE - 1; m++) {
        int x = tx + 1, y = m - tx + 1;
        if (y >= 1 && y <= BLOCK_SIZE)
            temp[y][x] = maximum(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty,
                                 temp[y - 1][x] - penalty);
        __syncthreads();
    }
    for (int ty = 0; ty < BLOCK_SIZE; ty++)
        matrix[index + ty * cols] = temp[ty + 1][tx + 1];
}

__global__ void lud_diagonal(float *m, int matrix_dim, int offset)
{
    int i, j;
    __shared__ float shadow[BLOCK_SIZE][BLOCK_SIZE];
    int array_offset = offset * matrix_dim + offset;
    for (i = 0; i < BLOCK_SIZE; i++) {
        shadow[i][threadIdx.x] = m[array_offset + threadIdx.x];
        array_offset += matrix_dim;
    }
    __syncthreads();
    for (i = 0; i < BLOCK_SIZE - 1; i++) {
        if (threadIdx.x > i) {
            for (j = 0; j < i; j++)
                shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
            shadow[threadIdx.x][i] /= shadow[i][i];
        }
        __syncthreads();
        if (threadIdx.x > i) {
            for (j = 0; j < i + 1; j++)
                shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
        }
        __syncthreads();
    }
    array_offset = (offset + 1) * matrix_dim + offset;
    for (i = 1; i < BLOCK_SIZE; i++) {
        m[array_offset + threadIdx.x] = shadow[i][threadIdx.x];
        array_offset += matrix_dim;
    }
}

static bool test_lud()
{
    float a[BLOCK_SIZE][BLOCK_SIZE], lu[BLOCK_SIZE][BLOCK_SIZE], *d;
    unsigned seed = 6;
    for (int i = 0; i < BLOCK_SIZE; i++)
        for (int j = 0; j < BLOCK_SIZE; j++)
            a[i][j] = next_float(&seed) + (i == j ? BLOCK_SIZE : 0);
    CHECK(cudaMalloc((void **)&d, sizeof a));
    CHECK(cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice));
    lud_diagonal<<<1, BLOCK_SIZE>>>(d, BLOCK_SIZE, 0);
    CHECK(cudaMemcpy(lu, d, sizeof a, cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int i = 0; i < BLOCK_SIZE; i++) {
        for (int j = 0; j < BLOCK_SIZE; j++) {
            double sum = i <= j ? lu[i][j] : 0;
            for (int k = 0; k < (i <= j ? i : j + 1); k++)
                sum += (double)lu[i][k] * lu[k][j];
            ok = ok && near(sum, a[i][j], 1e-5);
        }
    }
    return ok;
}

int main()
{
    const int n = 64, cols = n + 1, penalty = 10, width = n / BLOCK_SIZE;
    int *ref = new int[cols * cols](), *want = new int[cols * cols](), *got = new int[cols * cols];
    unsigned seed = 8;
    for (int i = 0; i < cols * cols; i++)
        ref[i] = (int)(next_random(&seed) % 15) - 4;
    for (int i = 0; i < cols; i++)
        want[i] = want[i * cols] = -i * penalty;
    int *d_ref, *d_matrix;
    CHECK(cudaMalloc((void **)&d_ref, sizeof(int) * cols * cols));
    CHECK(cudaMalloc((void **)&d_matrix, sizeof(int) * cols * cols));
    cudaMemcpy(d_ref, ref, sizeof(int) * cols * cols, cudaMemcpyHostToDevice);
    cudaMemcpy(d_matrix, want, sizeof(int) * cols * cols, cudaMemcpyHostToDevice);
    for (int i = 1; i <= width; i++)
        needle<<<i, BLOCK_SIZE>>>(d_ref, d_matrix, cols, penalty, i, false, width);
    for (int i = width - 1; i >= 1; i--)
        needle<<<i, BLOCK_SIZE>>>(d_ref, d_matrix, cols, penalty, i, true, width);
    CHECK(cudaMemcpy(got, d_matrix, sizeof(int) * cols * cols, cudaMemcpyDeviceToHost));
    bool ok = test_lud();
    for (int i = 1; i < cols; i++) {
        for (int j = 1; j < cols; j++) {
            want[i * cols + j] = maximum(want[(i - 1) * cols + j - 1] + ref[i * cols + j],
                                         want[i * cols + j - 1] - penalty, want[(i - 1) * cols + j] - penalty);
            ok = ok && got[i * cols + j] == want[i * cols + j];
        }
    }
    return verdict("nw", ok);
}
