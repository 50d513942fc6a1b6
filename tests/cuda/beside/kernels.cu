/* Kernels that each show one part of a GPU, for cycles beside another simulator's
 * (docs/measured/gpgpusim.sh): latencies and rates of arithmetic, shared memory, and memory in the
 * patterns that programs have. Each writes to an output of its own; the program prints the outputs'
 * sums, which must be the same in both simulators. */
#include <stdio.h>
#include <stdlib.h>

#define KERNEL extern "C" __global__ void
#define INDEX  (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define ALL    (int)(blockDim.x * gridDim.x)
#define COLUMN (int)(blockIdx.x * 16 + threadIdx.x)
#define ROW    (int)(blockIdx.y * 16 + threadIdx.y)

KERNEL no_work(void)
{
}

KERNEL fma_one_warp(float *out)
{
    float value = (float)INDEX, factor = 1.0001f;
#pragma unroll 8
    for (int k = 0; k < 256; k++)
        value = value * factor + 0.5f;
    out[INDEX] = value;
}

KERNEL fma_chains(float *out)
{
    float value = (float)INDEX, factor = 1.0001f;
#pragma unroll 8
    for (int k = 0; k < 256; k++)
        value = value * factor + 0.5f;
    out[INDEX] = value;
}

KERNEL fma_four_chains(float *out)
{
    float a = (float)INDEX, b = a + 1, c = a + 2, d = a + 3, factor = 1.0001f;
#pragma unroll 8
    for (int k = 0; k < 128; k++) {
        a = a * factor + 0.5f;
        b = b * factor + 0.5f;
        c = c * factor + 0.5f;
        d = d * factor + 0.5f;
    }
    out[INDEX] = a + b + c + d;
}

KERNEL special_functions(const float *in, float *out)
{
    float value = in[INDEX];
    for (int k = 0; k < 16; k++)
        value = __sinf(value) + __expf(-value);
    out[INDEX] = value;
}

KERNEL integer_division(const int *in, int *out)
{
    int value = in[INDEX] + 7;
    for (int k = 3; k < 11; k++)
        value = value / k + in[INDEX] % k + 1;
    out[INDEX] = value;
}

KERNEL divergence(const int *in, int *out)
{
    int sum = 0, rounds = in[INDEX] & 31;
    for (int k = 0; k < rounds; k++)
        sum += k * sum + 1;
    out[INDEX] = sum;
}

__constant__ float table[1024];

KERNEL constant_memory(const float *in, float *out)
{
    float value = in[INDEX];
    for (int k = 0; k < 64; k++)
        value = value * table[k * 8] + table[k + 512];
    out[INDEX] = value;
}

KERNEL bank_conflicts(const float *in, float *out)
{
    __shared__ float words[1024];
    int thread = (int)threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; k++)
        words[thread + 256 * k] = in[thread];
    __syncthreads();
    for (int k = 0; k < 32; k++)
        sum += words[(thread * 8 + k) & 1023];
    out[INDEX] = sum;
}

KERNEL block_scan(const float *in, float *out)
{
    __shared__ float sums[2][256];
    int thread = (int)threadIdx.x, side = 0;
    sums[0][thread] = in[INDEX];
    __syncthreads();
    for (int distance = 1; distance < 256; distance *= 2) {
        float sum = sums[side][thread];
        if (thread >= distance)
            sum += sums[side][thread - distance];
        side ^= 1;
        sums[side][thread] = sum;
        __syncthreads();
    }
    out[INDEX] = sums[side][thread];
}

KERNEL product_tiled(const float *a, const float *b, float *out, int n)
{
    __shared__ float left[16][16], right[16][16];
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        left[threadIdx.y][threadIdx.x] = a[ROW * n + k + (int)threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + (int)threadIdx.y) * n + COLUMN];
        __syncthreads();
        for (int j = 0; j < 16; j++)
            sum += left[threadIdx.y][j] * right[j][threadIdx.x];
        __syncthreads();
    }
    out[ROW * n + COLUMN] = sum;
}

KERNEL product_plain(const float *a, const float *b, float *out, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[ROW * n + k] * b[k * n + COLUMN];
    out[ROW * n + COLUMN] = sum;
}

KERNEL pointer_chase(const int *next, int *out)
{
    int at = 0;
    for (int k = 0; k < 200; k++)
        at = next[at];
    out[0] = at;
}

KERNEL atomics_histogram(const int *in, int *out)
{
    atomicAdd(&out[in[INDEX] & 255], 1);
}

KERNEL write_stream(float *out)
{
    out[INDEX] = (float)INDEX;
}

KERNEL vector_add(const float *a, const float *b, float *out)
{
    out[INDEX] = a[INDEX] + b[INDEX];
}

KERNEL copy_vectors(const float4 *in, float4 *out)
{
    out[INDEX] = in[INDEX];
}

KERNEL saxpy_loop(const float *in, float *out, int n)
{
    for (int i = INDEX; i < n; i += ALL)
        out[i] = 2 * in[i] + out[i];
}

KERNEL read_stream(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = INDEX; i < n; i += ALL)
        sum += in[i];
    out[INDEX] = sum;
}

KERNEL reduction(const float *in, float *out, int n)
{
    __shared__ float sums[256];
    int thread = (int)threadIdx.x;
    float sum = 0;
    for (int i = INDEX; i < n; i += ALL)
        sum += in[i];
    sums[thread] = sum;
    __syncthreads();
    for (int distance = 128; distance; distance >>= 1) {
        if (thread < distance)
            sums[thread] += sums[thread + distance];
        __syncthreads();
    }
    if (!thread)
        out[blockIdx.x] = sums[0];
}

KERNEL stencil(const float *in, float *out, int n)
{
    int x = COLUMN, y = ROW;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[y * n + x] = in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
                         in[(y - 1) * n + x] + in[(y + 1) * n + x];
}

KERNEL transpose_plain(const float *in, float *out, int n)
{
    out[COLUMN * n + ROW] = in[ROW * n + COLUMN];
}

KERNEL transpose_shared(const float *in, float *out, int n)
{
    __shared__ float tile[16][17];
    int x = (int)blockIdx.x * 16, y = (int)blockIdx.y * 16;
    tile[threadIdx.y][threadIdx.x] = in[ROW * n + COLUMN];
    __syncthreads();
    out[(x + (int)threadIdx.y) * n + y + (int)threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

KERNEL read_with_stride(const float *in, float *out, int n)
{
    out[INDEX] = in[INDEX * 32 & (n - 1)];
}

KERNEL l2_lines(const float *in, float *out)
{
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += in[(INDEX * 8 + k * 5120) & 65535];
    out[INDEX] = sum;
}

KERNEL gather(const int *index, const float *in, float *out)
{
    out[INDEX] = in[index[INDEX]];
}

KERNEL sparse_product(const int *column, const float *value, const float *x, float *out)
{
    float sum = 0;
    for (int k = INDEX * 8; k < INDEX * 8 + 8; k++)
        sum += value[k] * x[column[k]];
    out[INDEX] = sum;
}

#define WORDS (1 << 20)
#define MOST  32        /* outputs */
#define ROOM  (1 << 18) /* words of one */

static int outputs;
static float *all_out;
static const char *names[MOST];
static char whole[MOST]; /* the output is integers */

static float *output(const char *name, int integers)
{
    whole[outputs] = (char)integers;
    names[outputs] = name;
    return all_out + (size_t)outputs++ * ROOM;
}
#define OUT(name)     output(#name, 0)
#define INT_OUT(name) (int *)output(#name, 1)

static void print_sums(void)
{
    float *host = (float *)malloc(sizeof(float) * ROOM);
    for (int k = 0; k < outputs; k++) {
        double sum = 0;
        cudaMemcpy(host, all_out + (size_t)k * ROOM, sizeof(float) * ROOM, cudaMemcpyDeviceToHost);
        for (int i = 0; i < ROOM; i++)
            sum += whole[k] ? ((int *)host)[i] : host[i];
        printf("sum %s %.5g\n", names[k], sum);
    }
    free(host);
}

/* Each kernel by itself, one after the other. */
static void launch_all(const float *a, const float *b, const int *index)
{
    dim3 tile(16, 16);
    no_work<<<120, 256>>>();
    fma_one_warp<<<15, 32>>>(OUT(fma_one_warp));
    fma_chains<<<90, 256>>>(OUT(fma_chains));
    fma_four_chains<<<30, 256>>>(OUT(fma_four_chains));
    special_functions<<<120, 256>>>(a, OUT(special_functions));
    integer_division<<<60, 256>>>(index, INT_OUT(integer_division));
    divergence<<<120, 256>>>(index, INT_OUT(divergence));
    constant_memory<<<60, 256>>>(a, OUT(constant_memory));
    bank_conflicts<<<60, 256>>>(a, OUT(bank_conflicts));
    block_scan<<<120, 256>>>(a, OUT(block_scan));
    product_tiled<<<dim3(8, 8), tile>>>(a, b, OUT(product_tiled), 128);
    product_plain<<<dim3(8, 8), tile>>>(a, b, OUT(product_plain), 128);
    pointer_chase<<<1, 1>>>(index, INT_OUT(pointer_chase));
    atomics_histogram<<<64, 256>>>(index, INT_OUT(atomics_histogram));
    write_stream<<<512, 256>>>(OUT(write_stream));
    vector_add<<<256, 256>>>(a, b, OUT(vector_add));
    copy_vectors<<<128, 256>>>((const float4 *)a, (float4 *)OUT(copy_vectors));
    saxpy_loop<<<90, 256>>>(a, OUT(saxpy_loop), 1 << 18);
    read_stream<<<90, 256>>>(a, OUT(read_stream), 1 << 19);
    reduction<<<90, 256>>>(a, OUT(reduction), 1 << 18);
    stencil<<<dim3(16, 16), tile>>>(a, OUT(stencil), 256);
    transpose_plain<<<dim3(16, 16), tile>>>(a, OUT(transpose_plain), 256);
    transpose_shared<<<dim3(16, 16), tile>>>(a, OUT(transpose_shared), 256);
    read_with_stride<<<64, 256>>>(a, OUT(read_with_stride), WORDS);
    l2_lines<<<90, 256>>>(a, OUT(l2_lines));
    gather<<<128, 256>>>(index, a, OUT(gather));
    sparse_product<<<32, 256>>>(index, b, a, OUT(sparse_product));
    cudaDeviceSynchronize();
}

int main(void)
{
    size_t bytes = sizeof(float) * WORDS;
    float *numbers = (float *)malloc(bytes), *a, *b;
    int *random = (int *)malloc(bytes), *index;
    unsigned state = 1;
    for (int i = 0; i < WORDS; i++) {
        numbers[i] = (float)(i % 97);
        state = state * 1664525u + 1013904223u;
        random[i] = (int)(state >> 8 & 0xffff);
    }
    cudaMalloc((void **)&a, bytes);
    cudaMalloc((void **)&b, bytes);
    cudaMalloc((void **)&index, bytes);
    cudaMalloc((void **)&all_out, sizeof(float) * ROOM * MOST);
    cudaMemset(all_out, 0, sizeof(float) * ROOM * MOST);
    cudaMemcpy(a, numbers, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, numbers, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(index, random, bytes, cudaMemcpyHostToDevice);
    launch_all(a, b, index);
    print_sums();
    free(numbers);
    free(random);
    return cudaGetLastError() != cudaSuccess;
}
