/* Atomics, votes, shuffles, inline PTX, clocks, printf, assert, malloc in kernels; conversions. */
#include <assert.h>
#include <malloc.h>
#include <string.h>

#include <cstdlib>
#include <memory>

#include "check.h"

__global__ void atomics(int *g)
{
    const unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd(&g[0], 10);
    atomicSub(&g[1], 10);
    atomicExch(&g[2], tid);
    atomicMax(&g[3], tid);
    atomicMin(&g[4], tid);
    atomicInc((unsigned int *)&g[5], 17);
    atomicDec((unsigned int *)&g[6], 137);
    atomicCAS(&g[7], tid - 1, tid);
    atomicAnd(&g[8], 2 * tid + 7);
    atomicOr(&g[9], 1 << tid % 31);
    atomicXor(&g[10], tid);
    atomicAdd((float *)&g[11], 0.5f);
    atomicAdd((double *)&g[12], 0.25);
    atomicAdd((unsigned long long *)&g[14], 1ull << 30);
}

/* What CUDA does not have a program may define, and its own then count. */
__device__ unsigned long long atomicSub(unsigned long long *at, unsigned long long value)
{
    return atomicAdd(at, value);
}
__device__ long long atomicAdd(long long *at, long long value)
{
    return (long long)atomicAdd((unsigned long long *)at, (unsigned long long)(2 * value));
}
__device__ long atomicMin(long *at, long)
{
    return *at;
}
__global__ void own_atomics(long long *g)
{
    atomicSub((unsigned long long *)&g[0], 5ull); /* the three above */
    atomicAdd(&g[1], -7ll);
    atomicMin((long *)&g[2], -9l);
    atomicMax((long *)&g[3], 4l); /* ours */
    atomicMin((long long *)&g[4], -3ll);
    atomicOr((unsigned long *)&g[5], 6ul);
    atomicSub((long *)&g[6], 8l);
    atomicExch(&g[7], 11ll);
    atomicCAS((long *)&g[8], 0l, 12l);
}

static bool right_own_atomics()
{
    const long long want[] = {5, -14, 0, 4, -3, 6, -8, 11, 12};
    long long *g;
    CHECK(cudaMallocManaged(&g, sizeof want));
    CHECK(cudaMemset(g, 0, sizeof want));
    own_atomics<<<1, 1>>>(g);
    CHECK(cudaDeviceSynchronize());
    bool ok = memcmp(g, want, sizeof want) == 0;
    CHECK(cudaFree(g));
    return ok;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error "the architecture asked for is compiled for"
#endif

__global__ void votes(unsigned *out)
{
    int lane = threadIdx.x % 32;
    unsigned ballot = __ballot_sync(0xffffffffu, lane % 3 == 0);
    bool any = __any_sync(0xffffffffu, lane == 40), all = __all_sync(0xffffffffu, lane < 32);
    unsigned lane_asm, shifted, pop;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane_asm));
    asm volatile("{\n\t.reg .u32 t;\n\tadd.u32 t, %1, %2;\n\tshl.b32 %0, t, 1;\n\t}" : "=r"(shifted) : "r"(lane), "r"(3));
    pop = __popc(ballot) + __clz(1 << lane) + __ffs(lane + 1) + __brev(1u << lane);
    int up = __shfl_up_sync(0xffffffffu, lane * lane, 2), xored = __shfl_xor_sync(0xffffffffu, lane, 5);
    out[threadIdx.x] = ballot + any + 2 * all + 16 * (lane_asm == (unsigned)lane) + shifted + pop + 1000 * up + xored;
}

__global__ void speak(int n)
{
    assert(n > 0);
    if (threadIdx.x == 0)
        printf("block %d of %d: %s %5.2f %c %llu %%\n", blockIdx.x, gridDim.x, "text", n * 0.5, 'x', 1ull << 40);
}

__global__ void heap(int *ok)
{
    int *p = (int *)malloc(4 * (threadIdx.x + 1));
    if (!p)
        return;
    for (int i = 0; i <= threadIdx.x; i++)
        p[i] = i;
    int sum = 0;
    for (int i = 0; i <= threadIdx.x; i++)
        sum += p[i];
    ok[threadIdx.x] = sum;
    free(p);
    void (*release)(void *) = std::free;
    release(std::malloc(4));
}

/* Both sides have the same malloc and free, so that a program may ask for their types. */
template <class T> static size_t freed(T *memory, void (*release)(T *))
{
    release(memory);
    return 1;
}

static bool right_host_heap()
{
    typedef decltype(malloc) allocate;
    static_assert(std::is_same<allocate *, decltype(&std::malloc)>::value, "");
    allocate *get = malloc;
    std::unique_ptr<void, decltype(&free)> a(get(4), free);
    std::unique_ptr<void, decltype(std::free) *> b(get(4), &std::free);
    return a && b && freed(malloc(4), &free) + freed(malloc(4), std::free) == 2 && malloc_usable_size(a.get()) >= 4;
}

/* As older headers have it. */
extern "C" void free(void *);

__global__ void timed(clock_t *timer, int *data)
{
    if (threadIdx.x == 0)
        timer[blockIdx.x] = clock();
    for (int i = 0; i < 4; i++)
        data[threadIdx.x] = data[threadIdx.x] * 3 + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        timer[blockIdx.x + gridDim.x] = clock();
}

__global__ void convert(float *f, int *i)
{
    i[0] = __float2int_rd(-1.5f);
    i[1] = __float2int_rn(2.5f);
    i[2] = __float_as_int(1.0f);
    i[3] = (int)__float2uint_rz(7.9f);
    i[4] = __mulhi(1 << 20, 1 << 20);
    /* The fourth bit of a byte's number is not used. */
    i[5] = __byte_perm(0x03020100, 0x07060504, 0x5410) ^ __byte_perm(0x83020100, 0x07060504, 0xFDB8);
    i[6] = __double2hiint(1.0);
    i[7] = __syncthreads_count(threadIdx.x < 5);
    f[0] = __int_as_float(0x40490fdb);
    f[1] = __fdividef(1.0f, 4.0f);
    f[2] = __saturatef(1.7f);
    f[3] = fmaf(2.0f, 3.0f, 4.0f);
    f[4] = __expf(1.0f);
    f[5] = rsqrtf(16.0f);
    f[6] = (float)__hiloint2double(0x40000000, 0);
    f[7] = fmodf(7.5f, 2.0f);
}

/* Texts of errors in device code, one after the other with a zero behind each. */
__global__ void texts(const int *errors, char *out, int n)
{
    for (int i = 0; i < n; i++)
        for (int which = 0; which < 2; which++) {
            const char *s = which ? cudaGetErrorString((cudaError_t)errors[i]) : cudaGetErrorName((cudaError_t)errors[i]);
            do
                *out++ = *s;
            while (*s++);
        }
}

static bool same_texts()
{
    const int errors[] = {0, 1, 2, 9, 21, 65, 98, 701, 801, 12345}, n = sizeof errors / sizeof errors[0];
    int *d_errors;
    static char got[4096];
    char *d_got, *at = got;
    cudaMalloc(&d_errors, sizeof errors);
    cudaMalloc(&d_got, sizeof got);
    cudaMemcpy(d_errors, errors, sizeof errors, cudaMemcpyHostToDevice);
    texts<<<1, 1>>>(d_errors, d_got, n);
    cudaMemcpy(got, d_got, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        for (int which = 0; which < 2; which++, at += strlen(at) + 1) {
            const char *want = which ? cudaGetErrorString((cudaError_t)errors[i]) : cudaGetErrorName((cudaError_t)errors[i]);
            if (strcmp(at, want)) {
                printf("error %d: \"%s\" in device code, \"%s\" on the host\n", errors[i], at, want);
                return false;
            }
        }
    return true;
}

int main()
{
    const int threads = 256, blocks = 8, total = threads * blocks;
    int g[16] = {0, 0, 0, 0, 1 << 20, 0, 0, 0, 0xff, 0xf}, *d;
    CHECK(cudaMalloc(&d, 65536));
    CHECK(cudaMemcpy(d, g, sizeof g, cudaMemcpyHostToDevice));
    atomics<<<blocks, threads>>>(d);
    CHECK(cudaMemcpy(g, d, sizeof g, cudaMemcpyDeviceToHost));
    int inc = 0, dec = 0, band = 0xff, bor = 0xf, bxor = 0;
    for (int i = 0; i < total; i++) {
        inc = inc >= 17 ? 0 : inc + 1;
        dec = dec == 0 || dec > 137 ? 137 : dec - 1;
        band &= 2 * i + 7;
        bor |= 1 << i % 31;
        bxor ^= i;
    }
    float f;
    double dd;
    unsigned long long u;
    memcpy(&f, &g[11], 4);
    memcpy(&dd, &g[12], 8);
    memcpy(&u, &g[14], 8);
    bool ok = g[0] == 10 * total && g[1] == -10 * total && g[2] >= 0 && g[2] < total && g[3] == total - 1 &&
              g[4] == 0 && g[5] == inc && g[6] == dec && g[7] >= 0 && g[8] == band && g[9] == bor && g[10] == bxor &&
              f == 0.5f * total && dd == 0.25 * total && u == (unsigned long long)total << 30;
    printf("atomics %d\n", ok);

    unsigned out[64];
    votes<<<1, 64>>>((unsigned *)d);
    CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++) {
        unsigned lane = t % 32, ballot = 0x49249249u, first = (lane + 1) & -(lane + 1);
        unsigned pop = 11 + (31 - lane) + (unsigned)__builtin_ctz(first) + 1 + (0x80000000u >> lane);
        unsigned up = lane < 2 ? lane * lane : (lane - 2) * (lane - 2);
        ok = ok && out[t] == ballot + 2 + 16 + (lane + 3) * 2 + pop + 1000 * up + (lane ^ 5);
    }
    printf("votes %d\n", ok);

    speak<<<2, 32>>>(5);
    CHECK(cudaDeviceSynchronize());
    int sums[64];
    heap<<<1, 64>>>(d);
    CHECK(cudaMemcpy(sums, d, sizeof sums, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++)
        ok = ok && sums[t] == t * (t + 1) / 2;
    printf("heap %d\n", ok);

    clock_t timer[8], *d_timer;
    CHECK(cudaMalloc(&d_timer, sizeof timer));
    timed<<<4, 64>>>(d_timer, d);
    CHECK(cudaMemcpy(timer, d_timer, sizeof timer, cudaMemcpyDeviceToHost));
    for (int b = 0; b < 4; b++)
        ok = ok && timer[b + 4] > timer[b];
    int i[8];
    float fl[8];
    convert<<<1, 32>>>((float *)(d + 64), d);
    CHECK(cudaMemcpy(i, d, sizeof i, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(fl, d + 64, sizeof fl, cudaMemcpyDeviceToHost));
    ok = ok && i[0] == -2 && i[1] == 2 && i[2] == 0x3f800000 && i[3] == 7 && i[4] == 256 && i[5] == (0x05040100 ^ 0x07058300) &&
         i[6] == 0x3ff00000 && i[7] == 5;
    ok = ok && fl[0] == 3.14159274f && near(fl[1], 0.25, 1e-6) && fl[2] == 1 && fl[3] == 10 &&
         near(fl[4], 2.718281828, 1e-5) && near(fl[5], 0.25, 1e-6) && fl[6] == 2 && fl[7] == 1.5f;
    ok = ok && same_texts() && right_own_atomics() && right_host_heap();
    return verdict("intrinsics", ok);
}
