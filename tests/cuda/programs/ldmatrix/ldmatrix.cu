// ldmatrix: matrices of 8 x 8 halves out of rows in shared memory, as they are and transposed,
// against the host.
#include <cuda_runtime.h>

#include <vector>

#include "../common/check.h"

#define ROW   40 // halves from a row to the next: 80 bytes
#define ROWS  33
#define FORMS 7
#define MOST  4

static int failures;

static void expect(bool ok, const char *what, int form, int lane)
{
    if (!ok && failures++ < 20)
        printf("wrong: %s, form %d, lane %d\n", what, form, lane);
}

// The row whose address lane gives: no two matrices have neighbouring rows.
__host__ __device__ static int row_of(int lane)
{
    return lane * 7 % 32;
}

__device__ static void put(unsigned *out, int form, const unsigned (&value)[MOST])
{
    for (int m = 0; m < MOST; m++)
        out[(form * MOST + m) * 32 + threadIdx.x] = value[m];
}

__global__ void forms(const unsigned short *in, unsigned *out)
{
    __shared__ __align__(16) unsigned short rows[ROWS][ROW];
    for (int i = threadIdx.x; i < ROWS * ROW; i += 32)
        rows[i / ROW][i % ROW] = in[i];
    __syncwarp();
    const void *row = rows[row_of(threadIdx.x)];
    unsigned near = (unsigned)__cvta_generic_to_shared(row), v[MOST] = {0, 0, 0, 0};
    // Lanes whose addresses do not count have bad ones.
    unsigned one = threadIdx.x < 8 ? near : ~0u, two = threadIdx.x < 16 ? near : ~0u;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v[0]) : "r"(one));
    put(out, 0, v);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(v[0])
                 : "r"(one));
    put(out, 1, v);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2+16];"
                 : "=r"(v[0]), "=r"(v[1])
                 : "r"(two));
    put(out, 2, v);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.b16 {%0, %1}, [%2+-16];"
                 : "=r"(v[0]), "=r"(v[1])
                 : "l"(threadIdx.x < 16 ? (const char *)row + 32 : (const char *)0));
    put(out, 3, v);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "l"((size_t)near));
    put(out, 4, v);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "r"(near));
    put(out, 5, v);
    v[0] = near; // the first matrix where the addresses were
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%0];"
                 : "+r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]));
    put(out, 6, v);
}

static void compare(const std::vector<unsigned short> &in, const std::vector<unsigned> &got)
{
    static const struct {
        int count, column;
        bool turned;
    } form[FORMS] = {{1, 0, false}, {1, 0, true}, {2, 8, false}, {2, 8, true},
                     {4, 0, false}, {4, 0, true}, {4, 0, true}};
    for (int f = 0; f < FORMS; f++)
        for (int m = 0; m < form[f].count; m++)
            for (int lane = 0; lane < 32; lane++) {
                unsigned word = got[(f * MOST + m) * 32 + lane];
                for (int half = 0; half < 2; half++) {
                    int r = lane / 4, c = lane % 4 * 2 + half;
                    int row = form[f].turned ? c : r, column = form[f].turned ? r : c;
                    unsigned want = in[row_of(8 * m + row) * ROW + form[f].column + column];
                    expect((word >> 16 * half & 0xFFFF) == want, "half", f, lane);
                }
            }
}

int main()
{
    std::vector<unsigned short> in(ROWS * ROW);
    std::vector<unsigned> got(FORMS * MOST * 32);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (unsigned short)(i * 49 + 0x8001);
    unsigned short *from;
    unsigned *to;
    CHECK(cudaMalloc(&from, in.size() * 2));
    CHECK(cudaMalloc(&to, got.size() * 4));
    CHECK(cudaMemcpy(from, in.data(), in.size() * 2, cudaMemcpyHostToDevice));
    forms<<<1, 32>>>(from, to);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), to, got.size() * 4, cudaMemcpyDeviceToHost));
    compare(in, got);
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return verdict("ldmatrix", failures == 0);
}
