/* libcu++ by NVIDIA's own headers: barriers, pipelines, atomics, a semaphore and a latch, against
 * what the host computes. Ends with PASSED. */
#include <algorithm>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <vector>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

static bool failed;
template <class T> static void same(const char *what, const T *device, const std::vector<T> &want)
{
    std::vector<T> got(want.size());
    cudaError_t error =
        cudaMemcpy(got.data(), device, want.size() * sizeof(T), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess || got != want) {
        printf("%s is wrong (%s)\n", what, cudaGetErrorString(error));
        failed = true;
    }
}

template <class T> static T *device(const std::vector<T> &values)
{
    T *p = nullptr;
    cudaMalloc(&p, values.size() * sizeof(T));
    cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

/* --- barriers: arrival and wait apart, and threads that leave ----------------------------------
 */
#define THREADS 96
#define ROUNDS  6

__global__ void rotate(int *out)
{
    __shared__ block_barrier all;
    __shared__ int values[2][THREADS];
    const int t = threadIdx.x;
    if (t == 0)
        init(&all, THREADS);
    __syncthreads();
    values[0][t] = t;
    for (int round = 0; round < ROUNDS; round++) {
        block_barrier::arrival_token token = all.arrive();
        const int own = round * t; /* work that needs nobody */
        all.wait(std::move(token));
        values[(round + 1) % 2][t] = values[round % 2][(t + 1) % THREADS] + own;
    }
    out[t] = values[ROUNDS % 2][t];
}

__global__ void leave(int *out)
{
    __shared__ block_barrier pair[2];
    __shared__ int turns;
    const int t = threadIdx.x;
    if (t == 0) {
        init(&pair[0], THREADS);
        init(&pair[1], THREADS / 2);
        turns = 0;
    }
    __syncthreads();
    if (t >= THREADS / 2) {
        pair[0].arrive_and_drop();
        return;
    }
    pair[0].arrive_and_wait();
    for (int i = 0; i < 3; i++) {
        if (t == i)
            turns += t + 1;
        pair[i % 2].arrive_and_wait();
    }
    out[t] = turns;
}

static void barriers()
{
    std::vector<int> values(THREADS), next(THREADS), half(THREADS / 2, 6);
    for (int t = 0; t < THREADS; t++)
        values[t] = t;
    for (int round = 0; round < ROUNDS; round++, values = next)
        for (int t = 0; t < THREADS; t++)
            next[t] = values[(t + 1) % THREADS] + round * t;
    int *out = device(std::vector<int>(THREADS));
    rotate<<<1, THREADS>>>(out);
    same("barrier: arrive, wait", out, values);
    leave<<<1, THREADS>>>(out);
    same("barrier: arrive_and_drop", out, half);
}

/* --- pipelines: two stages in shared memory, and each thread's own -------------------------------
 */
#define BATCH   64
#define BATCHES 7

__global__ void staged(const int *in, long *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int stage[2][BATCH];
    auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    long sum = 0;
    for (int fetch = 0, compute = 0; compute < BATCHES; compute++) {
        for (; fetch < BATCHES && fetch < compute + 2; fetch++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, stage[fetch % 2], in + fetch * BATCH, sizeof stage[0],
                               pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum = sum * 3 + stage[compute % 2][(threadIdx.x * 5) % BATCH];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__global__ void own_pipeline(const int *in, int *out)
{
    __shared__ int copy[BATCH];
    auto pipeline = cuda::make_pipeline();
    pipeline.producer_acquire();
    cuda::memcpy_async(&copy[threadIdx.x], in + threadIdx.x, sizeof(int), pipeline);
    pipeline.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipeline);
    out[threadIdx.x] = copy[threadIdx.x] * 2;
    pipeline.consumer_release();
}

static void pipelines()
{
    std::vector<int> in(BATCH * BATCHES), twice(BATCH);
    std::vector<long> sums(BATCH);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (int)(i * 37 % 101);
    for (int t = 0; t < BATCH; t++) {
        twice[t] = in[t] * 2;
        for (int b = 0; b < BATCHES; b++)
            sums[t] = sums[t] * 3 + in[b * BATCH + t * 5 % BATCH];
    }
    int *values = device(in), *out = device(twice);
    cudaMemset(out, 0, BATCH * sizeof(int));
    long *got = device(std::vector<long>(BATCH));
    staged<<<1, BATCH>>>(values, got);
    same("pipeline of a block", got, sums);
    own_pipeline<<<1, BATCH>>>(values, out);
    same("pipeline of a thread", out, twice);
}

/* --- atomics, semaphore, latch, std ------------------------------------------------------------
 */
struct counters {
    cuda::atomic<int, cuda::thread_scope_device> sum, most;
    cuda::atomic<unsigned long long, cuda::thread_scope_device> bits;
    cuda::binary_semaphore<cuda::thread_scope_device> lock;
    int guarded;
};

__global__ void prepare(counters *c)
{
    new (c) counters{{0}, {-1}, {0}, cuda::binary_semaphore<cuda::thread_scope_device>{1}, 0};
}

__global__ void count(counters *c, float *plain, double *product)
{
    using block_latch = cuda::latch<cuda::thread_scope_block>;
    alignas(block_latch) __shared__ char storage[sizeof(block_latch)];
    block_latch &ready = *reinterpret_cast<block_latch *>(storage);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> inside;
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) {
        new (&ready) block_latch(blockDim.x);
        new (&inside) cuda::atomic<int, cuda::thread_scope_block>(0);
    }
    __syncthreads();
    inside.fetch_add(1, cuda::memory_order_relaxed);
    ready.arrive_and_wait();
    if (t == 0) { /* all have counted */
        c->lock.acquire();
        c->guarded += inside.load();
        c->lock.release();
    }
    c->sum.fetch_add(i);
    c->most.fetch_max(i * 7 % 61);
    c->bits.fetch_xor(1ull << (i % 64), cuda::memory_order_acq_rel);
    cuda::atomic_ref<float, cuda::thread_scope_device>(*plain).fetch_add(0.5f);
    if (t < 3) {
        cuda::atomic_ref<double, cuda::thread_scope_device> of(*product);
        double old = of.load();
        while (!of.compare_exchange_weak(old, old * 2)) {
        }
    }
}

__global__ void standard(float *out)
{
    cuda::std::complex<float> z(3, -1);
    auto parts = cuda::std::make_tuple(z * z, threadIdx.x);
    out[0] = cuda::std::get<0>(parts).real();
    out[1] = cuda::std::get<0>(parts).imag();
}

static void atomics()
{
    const int blocks = 5, threads = 50, n = blocks * threads;
    counters *c;
    cudaMalloc(&c, sizeof *c);
    float *plain = device(std::vector<float>(1));
    double *product = device(std::vector<double>(1, 1));
    float *numbers = device(std::vector<float>(2));
    prepare<<<1, 1>>>(c);
    count<<<blocks, threads>>>(c, plain, product);
    int most = 0, sum = 0;
    unsigned long long bits = 0;
    for (int i = 0; i < n; i++) {
        sum += i;
        most = std::max(most, i * 7 % 61);
        bits ^= 1ull << (i % 64);
    }
    same("atomic: fetch_add", (int *)&c->sum, {sum});
    same("atomic: fetch_max", (int *)&c->most, {most});
    same("atomic: fetch_xor", (unsigned long long *)&c->bits, {bits});
    same("semaphore, latch and a block's atomic", &c->guarded, {n});
    same("atomic_ref: fetch_add", plain, {n * 0.5f});
    same("atomic_ref: compare_exchange", product, {32768.0});
    standard<<<1, 1>>>(numbers);
    same("complex, tuple", numbers, {8.0f, -6.0f});
}

int main()
{
    barriers();
    pipelines();
    atomics();
    puts(failed ? "FAILED" : "PASSED");
    return failed;
}
