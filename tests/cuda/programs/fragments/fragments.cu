/* Where the elements of a wmma fragment of 16 x 16 are: as mma.m16n8 has them, twice beside each
 * other, so that a program may load fragments by ldmatrix and index them. */
#include <cuda_fp16.h>
#include <mma.h>

#include "check.h"

using namespace nvcuda;

#define SIDE 16

// Of element e of a lane, whose words are pairs: rows by lane / 4, columns by lane % 4; then the
// lower rows, then the right columns.
struct place {
    int row, column;
};
__host__ __device__ static place place_of(int lane, int e)
{
    place p = {lane / 4 + 8 * (e / 2 % 2), 2 * (lane % 4) + e % 2 + 8 * (e / 4)};
    return p;
}

// Elements are their numbers, row by row; b's are by columns, and a word has two of one column.
__global__ void places(const __half *halves, const float *floats, int *wrong)
{
    wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, __half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, __half> c;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> d;
    wmma::load_matrix_sync(a, halves, SIDE);
    wmma::load_matrix_sync(b, halves, SIDE);
    wmma::load_matrix_sync(c, halves, SIDE, wmma::mem_row_major);
    wmma::load_matrix_sync(d, floats, SIDE, wmma::mem_row_major);
    for (int e = 0; e < 8; e++) {
        place p = place_of(threadIdx.x, e);
        int number = p.row * SIDE + p.column;
        int across = (threadIdx.x / 4 + 8 * (e / 4)) * SIDE + 2 * (threadIdx.x % 4) + e % 2 +
                     8 * (e / 2 % 2);
        bool right = (int)__half2float(a.x[e]) == number && (int)__half2float(b.x[e]) == across &&
                     (int)__half2float(c.x[e]) == number && (int)d.x[e] == number;
        if (!right)
            atomicAdd(wrong, 1);
    }
}

__device__ static void ldmatrix(__half *x, const __half *row)
{
    unsigned *r = (unsigned *)x;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
}

// c = a b', with a and b by ldmatrix and c stored element by element.
__global__ void product(const __half *a, const __half *b, float *c)
{
    __shared__ __align__(16) __half rows[2][SIDE * SIDE];
    for (int i = threadIdx.x; i < SIDE * SIDE; i += 32) {
        rows[0][i] = a[i];
        rows[1][i] = b[i];
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, __half, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, __half, wmma::col_major> of_b;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> of_c;
    int lane = threadIdx.x;
    ldmatrix(of_a.x, rows[0] + lane % 16 * SIDE + lane / 16 * 8);
    ldmatrix(of_b.x, rows[1] + (lane % 8 + lane / 16 * 8) * SIDE + lane / 8 % 2 * 8);
    wmma::fill_fragment(of_c, 0.0f);
    wmma::mma_sync(of_c, of_a, of_b, of_c);
    for (int e = 0; e < 8; e++) {
        place p = place_of(lane, e);
        c[p.row * SIDE + p.column] = of_c.x[e];
    }
}

int main()
{
    __half *halves, *b;
    float *floats;
    int *wrong;
    CHECK(cudaMallocManaged(&halves, SIDE * SIDE * sizeof *halves));
    CHECK(cudaMallocManaged(&b, SIDE * SIDE * sizeof *b));
    CHECK(cudaMallocManaged(&floats, SIDE * SIDE * sizeof *floats));
    CHECK(cudaMallocManaged(&wrong, sizeof *wrong));
    for (int i = 0; i < SIDE * SIDE; i++) {
        halves[i] = __float2half((float)i);
        b[i] = __float2half((float)(i * 7 % 5 - 2));
        floats[i] = (float)i;
    }
    *wrong = 0;
    places<<<1, 32>>>(halves, floats, wrong);
    product<<<1, 32>>>(halves, b, floats);
    CHECK(cudaDeviceSynchronize());
    bool ok = *wrong == 0;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            int sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += (i * SIDE + k) * ((j * SIDE + k) * 7 % 5 - 2);
            ok = ok && (int)floats[i * SIDE + j] == sum;
        }
    }
    printf("%d elements elsewhere\n", *wrong);
    return verdict("fragments", ok);
}
