// Asynchronous copies of device memory to shared memory: cp.async with every size and operand, the
// pipeline primitives, the first C++ pipeline and cooperative groups, against the host.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <vector>

#include "../common/check.h"

namespace cg = cooperative_groups;

static int failures;

static void expect(bool ok, const char *what, size_t at)
{
    if (!ok && failures++ < 20)
        printf("wrong: %s, at %zu\n", what, at);
}

/* `in` gets so many bytes by chance; they are also on the device. */
static unsigned char *random_bytes(std::vector<unsigned char> *in, size_t bytes, unsigned seed)
{
    unsigned char *device;
    in->resize(bytes);
    for (unsigned char &byte : *in)
        byte = (unsigned char)next_random(&seed);
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaMemcpy(device, in->data(), bytes, cudaMemcpyHostToDevice));
    return device;
}

#define SLOT 16
#define ROUNDS 12

/* Each thread's 16 bytes hold ones before the copy. */
__global__ void forms(const unsigned char *in, unsigned char *out, unsigned less)
{
    __shared__ __align__(16) unsigned char bytes[ROUNDS][64][SLOT];
    unsigned t = threadIdx.x;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < SLOT; i++)
            bytes[r][t][i] = 0xFF;
    __syncthreads();
    const unsigned char *from = in + t * SLOT;
    unsigned to = (unsigned)__cvta_generic_to_shared(&bytes[0][t][0]);
    size_t wide = to;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from));
    asm volatile("cp.async.ca.shared.global [%0+1024], [%1+8], 8;" ::"r"(to), "l"(from));
    asm volatile("cp.async.ca.shared.global [%0+2048], [%1], 16;" ::"l"(wide), "l"(from));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"l"(wide + 3 * 1024), "l"(from));
    asm volatile("cp.async.cg.shared.global [%0+4096], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(less + t % 17));
    asm volatile("cp.async.ca.shared.global [%0+5120], [%1], 8, 3;" ::"r"(to), "l"(from));
    asm volatile("cp.async.ca.shared.global [%0+6144], [%1], 4, 0;" ::"r"(to), "l"((size_t)0));
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 20;\n"
                 "cp.async.ca.shared.global [%0+7168], [%1], 16, p; }" ::"r"(to),
                 "l"(from), "r"(t));
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 20;\n"
                 "cp.async.ca.shared.global [%0+8192], [%1], 16, !p; }" ::"r"(to), "l"(from),
                 "r"(t));
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 20;\n"
                 "@p cp.async.ca.shared.global [%0+9216], [%1], 16; }" ::"r"(to), "l"(from),
                 "r"(t));
    if (t % 3 == 0)
        asm volatile("cp.async.ca.shared.global [%0+10240], [%1], 8;" ::"r"(to), "l"(from));
    asm volatile("cp.async.ca.shared.global [%0+11264], [%1], 16;" ::"r"(to),
                 "l"(in + (63 - t) * SLOT));
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < SLOT; i++)
            out[(r * 64 + t) * SLOT + i] = bytes[r][63 - t][i];
}

static int wanted(const unsigned char *in, int r, int t, int i, unsigned less)
{
    const unsigned char *from = in + (r == 11 ? 63 - t : t) * SLOT;
    int sizes[ROUNDS] = {4, 8, 16, 16, 16, 8, 4, 16, 16, 16, 8, 16};
    int size = sizes[r], read = size;
    if ((r == 9 && t >= 20) || (r == 10 && t % 3))
        return 0xFF;
    read = r == 4 && (int)(less + t % 17) < 16 ? (int)(less + t % 17) : r == 5 ? 3 : r == 6 ? 0 : read;
    read = (r == 7 && t < 20) || (r == 8 && t >= 20) ? 0 : read;
    if (i >= size)
        return 0xFF;
    return i < read ? from[i + (r == 1 ? 8 : 0)] : 0;
}

static void check_forms()
{
    std::vector<unsigned char> in, out(ROUNDS * 64 * SLOT);
    unsigned less = 1;
    unsigned char *from = random_bytes(&in, 64 * SLOT, 11), *to;
    CHECK(cudaMalloc(&to, out.size()));
    forms<<<1, 64>>>(from, to, less);
    CHECK(cudaMemcpy(out.data(), to, out.size(), cudaMemcpyDeviceToHost));
    for (int r = 0; r < ROUNDS; r++)
        for (int t = 0; t < 64; t++)
            for (int i = 0; i < SLOT; i++)
                expect(out[(r * 64 + 63 - t) * SLOT + i] == wanted(in.data(), r, t, i, less),
                       "bytes of a form", (size_t)(r * 10000 + t * 100 + i));
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
}

/* Products of matrices of N x N by tiles, of which the next ones are on their way. */
#define N    64
#define TILE 16
#define AHEAD 3

template <int Kind> __global__ void product(const float *a, const float *b, float *c)
{
    __shared__ float as[AHEAD][TILE][TILE], bs[AHEAD][TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    nvcuda::experimental::pipeline pipe;
    float sum = 0;
    for (int tile = 0, next = 0; tile < N / TILE; tile++) {
        for (; next < N / TILE && next < tile + AHEAD - 1; next++) {
            float *to_a = &as[next % AHEAD][y][x], *to_b = &bs[next % AHEAD][y][x];
            const float *from_a = &a[row * N + next * TILE + x];
            const float *from_b = &b[(next * TILE + y) * N + column];
            if (Kind) {
                nvcuda::experimental::memcpy_async(*to_a, *from_a, pipe);
                nvcuda::experimental::memcpy_async(to_b, from_b, 4, 0, pipe);
                pipe.commit();
            } else {
                __pipeline_memcpy_async(to_a, from_a, 4);
                __pipeline_memcpy_async(to_b, from_b, 4);
                __pipeline_commit();
            }
        }
        if (Kind)
            pipe.wait(tile);
        else
            __pipeline_wait_prior(next - tile - 1);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[tile % AHEAD][y][k] * bs[tile % AHEAD][k][x];
        __syncthreads();
    }
    c[row * N + column] = sum;
}

static void check_products()
{
    std::vector<float> a(N * N), b(N * N), c(N * N);
    unsigned seed = 5;
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(int)(next_random(&seed) % 9) - 4;
        b[i] = (float)(int)(next_random(&seed) % 9) - 4;
    }
    float *da, *db, *dc;
    CHECK(cudaMalloc(&da, N * N * 4));
    CHECK(cudaMalloc(&db, N * N * 4));
    CHECK(cudaMalloc(&dc, N * N * 4));
    CHECK(cudaMemcpy(da, a.data(), N * N * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), N * N * 4, cudaMemcpyHostToDevice));
    for (int kind = 0; kind < 2; kind++) {
        dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
        CHECK(cudaMemset(dc, 0xFF, N * N * 4));
        if (kind)
            product<1><<<grid, block>>>(da, db, dc);
        else
            product<0><<<grid, block>>>(da, db, dc);
        CHECK(cudaMemcpy(c.data(), dc, N * N * 4, cudaMemcpyDeviceToHost));
        for (int i = 0; i < N * N; i++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i / N * N + k] * b[k * N + i % N];
            expect(c[i] == sum, "product", (size_t)(kind * N * N + i));
        }
    }
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
}

/* Rows of so many bytes from an offset on, by a block and by its warps. */
#define ROW 1000

__global__ void rows(const unsigned char *in, unsigned char *out, int offset, int bytes)
{
    __shared__ __align__(16) unsigned char first[ROW], second[ROW];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, first + offset, in + offset, bytes);
    cg::memcpy_async(block, second + offset, (size_t)bytes, in + ROW + offset, (size_t)ROW);
    cg::wait_prior<1>(block);
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        out[i] = first[offset + i];
    cg::wait(block);
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        out[ROW + i] = second[offset + i];
    block.sync();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    unsigned char *mine = first + warp.meta_group_rank() * 320;
    cg::memcpy_async(warp, (int *)mine, (const int *)in + 5, 300);
    cg::wait(warp);
    for (int i = warp.thread_rank(); i < 300; i += 32)
        out[2 * ROW + warp.meta_group_rank() * 300 + i] = mine[i];
}

static void check_rows()
{
    std::vector<unsigned char> in, out(3 * ROW);
    unsigned char *from = random_bytes(&in, 2 * ROW, 17), *to;
    CHECK(cudaMalloc(&to, out.size()));
    const int offsets[] = {0, 8, 4, 1, 0, 0}, sizes[] = {992, 512, 900, 777, 0, 991};
    for (int r = 0; r < 6; r++) {
        CHECK(cudaMemset(to, 0, out.size()));
        rows<<<1, 96>>>(from, to, offsets[r], sizes[r]);
        CHECK(cudaMemcpy(out.data(), to, out.size(), cudaMemcpyDeviceToHost));
        for (int i = 0; i < sizes[r]; i++) {
            expect(out[i] == in[offsets[r] + i], "row of a block", (size_t)(r * 10000 + i));
            expect(out[ROW + i] == in[ROW + offsets[r] + i], "second row", (size_t)(r * 10000 + i));
        }
        for (int i = 0; i < 900; i++)
            expect(out[2 * ROW + i] == in[20 + i % 300], "row of a warp", (size_t)(r * 10000 + i));
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
}

int main()
{
    check_forms();
    check_products();
    check_rows();
    return verdict("async_copy", failures == 0);
}
