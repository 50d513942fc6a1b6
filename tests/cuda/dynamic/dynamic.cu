// Dynamic parallelism: launches in kernels, their order, errors and ends, against the host.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

static int failures, checks;

static void expect(bool ok, const char *what, long got = 0)
{
    checks++;
    if (!ok && failures++ < 20)
        printf("wrong: %s: %ld\n", what, got);
}
#define OK(call) expect((call) == cudaSuccess, #call)

struct mixed {
    char c;
    double d;
};

namespace inner
{
template <class T, int Step> __global__ void add(char, T *p, mixed m, short s)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += (T)(m.d + m.c + s + Step);
}
} // namespace inner

// Arguments of all kinds, templates, qualified names, a grid for each thread.
__global__ void spread(int *p, double *q)
{
    mixed m = {1, 2.5};
    // clang-format off
    inner::add<int, 10> << <2, 16>>>('x', p + 32 * threadIdx.x, m, -3);
    // clang-format on
    if (threadIdx.x == 0)
        inner::add<double, (1 > 0 ? 7 : 8)><<<dim3(1), dim3(8), 0>>>('y', q, m, 4);
}

__global__ void set(int *p, int value)
{
    *p = value;
}
__global__ void twice(int *p, int add)
{
    *p = *p * 2 + add;
}

// Kernels of one name: by the arguments' types, or by their number. Names of templates stay.
__global__ void store(int *p, int value)
{
    *p = value;
}
__global__ void store(double *p, int value)
{
    *p = value + 0.5;
}
__global__ void store(int *p, unsigned value, short more)
{
    *p = (int)value + more;
}
template <class T> __global__ void choose(int *p, T *q)
{
    int local = 11;
    store<<<1, 1>>>(q, local);
    if (threadIdx.x == 0)
        store<<<dim3(1), 1, 0>>>(p, local);
    else
        store<<<1, 1>>>(p + 1, local * (2 + 1), true);
    store<<<1, 1>>>(p + 2, // )
                    'a', 4);
}

// One stream: one after the other. The parent waits, and sees what they did.
__global__ void in_order(int *p, int *seen)
{
    set<<<1, 1>>>(p, 1);
    for (int i = 0; i < 6; i++)
        twice<<<1, 1>>>(p, i);
    cudaDeviceSynchronize();
    *seen = *(volatile int *)p;
}

// A tree: the grid ends when its last leaf has.
__global__ void tree(int *count, int depth)
{
    atomicAdd(count, 1);
    if (depth && threadIdx.x < 2)
        tree<<<1, 2>>>(count, depth - 1);
}

// Quicksort, as in the samples: each part by a grid of its own, in streams of its own.
__device__ void insertion(int *data, int left, int right)
{
    for (int i = left + 1; i <= right; i++) {
        int value = data[i], j = i;
        for (; j > left && data[j - 1] > value; j--)
            data[j] = data[j - 1];
        data[j] = value;
    }
}
__global__ void quicksort(int *data, int left, int right, int depth)
{
    if (depth >= 10 || right - left <= 16) {
        insertion(data, left, right);
        return;
    }
    int *low = data + left, *high = data + right, pivot = data[(left + right) / 2];
    while (low <= high) {
        int a = *low, b = *high;
        while (a < pivot)
            a = *++low;
        while (b > pivot)
            b = *--high;
        if (low <= high) {
            *low++ = b;
            *high-- = a;
        }
    }
    int to = (int)(high - data), from = (int)(low - data);
    cudaStream_t stream;
    if (left < to) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, left, to, depth + 1);
        cudaStreamDestroy(stream);
    }
    if (from < right) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, from, right, depth + 1);
        cudaStreamDestroy(stream);
    }
}

// Waits for the flag that the launch behind it in another stream sets: both run at the same time.
__global__ void wait_for(volatile int *flag, int *done)
{
    while (!*flag)
        ;
    *done = *flag;
}
__global__ void at_once(int *flag, int *done)
{
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    wait_for<<<1, 1, 0, a>>>(flag, done);
    twice<<<1, 1, 0, a>>>(done, 1); // behind it
    set<<<1, 1, 0, b>>>(flag, 21);
    wait_for<<<1, 1, 0, cudaStreamFireAndForget>>>(flag, done + 1);
    wait_for<<<1, 1, 0, cudaStreamFireAndForget>>>(flag, done + 2);
}

// The tail starts when the blocks and their launches are over.
__global__ void slowly(int *p, int value)
{
    for (int i = 0; i < 400; i++)
        __threadfence();
    atomicAdd(p, value);
}
__global__ void copy(int *to, const int *from)
{
    *to = *from;
}
__global__ void tail(int *p, int *copied)
{
    if (blockIdx.x == 0)
        copy<<<1, 1, 0, cudaStreamTailLaunch>>>(copied, p);
    slowly<<<1, 1>>>(p, 1);
}

__global__ void with_shared(int *out)
{
    extern __shared__ int room[];
    room[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}
__global__ void errors(int *out, int *shared)
{
    with_shared<<<1, 2000>>>(shared); // more threads than a block may have
    out[0] = cudaGetLastError();
    out[1] = cudaGetLastError();
    with_shared<<<1, 32, 1 << 20>>>(shared);
    out[2] = cudaPeekAtLastError();
    out[3] = cudaGetLastError();
    with_shared<<<0, 32>>>(shared);
    out[4] = cudaGetLastError();
    with_shared<<<1, 64, 64 * sizeof(int)>>>(shared);
    out[5] = cudaGetLastError();
    out[6] = cudaDeviceSynchronize();
    out[7] = *(volatile int *)&shared[0];
}

__global__ void deep(int *depth, int level)
{
    *depth = level;
    deep<<<1, 1>>>(depth, level + 1);
    if (cudaGetLastError() == cudaErrorLaunchMaxDepthExceeded)
        depth[1] = level;
}

// Many at once: more than the ring and the queue of pending kernels have places.
__global__ void count(int *p)
{
    atomicAdd(p, 1);
}
__global__ void many(int *p)
{
    for (int i = 0; i < 20; i++)
        count<<<1, 1, 0, cudaStreamFireAndForget>>>(p);
}

// Copies and sets of the device's runtime, in the order of the stream.
struct fixed {
    const int factor; // arguments need no assignment
};
__global__ void scale(int *p, fixed f) { p[threadIdx.x] *= f.factor; }
__global__ void copies(int *p)
{
    cudaMemsetAsync(p, 1, 64 * sizeof(int));
    scale<<<1, 64>>>(p, fixed{3});
    cudaMemcpyAsync(p + 64, p, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemcpyAsync((char *)p + 1, (char *)p + 257, 2, cudaMemcpyDeviceToDevice);
    p[128] = cudaMemcpyAsync(p, p, 4, cudaMemcpyHostToDevice, 0);
    p[129] = cudaGetErrorString(cudaErrorInvalidConfiguration)[8];
}

static std::vector<int> host(const int *device, size_t n)
{
    std::vector<int> made(n);
    OK(cudaMemcpy(made.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
    return made;
}

int main()
{
    const int n = 3000;
    int *p;
    double *q;
    OK(cudaMalloc(&p, n * sizeof(int)));
    OK(cudaMalloc(&q, 8 * sizeof(double)));
    auto clear = [&] { OK(cudaMemset(p, 0, n * sizeof(int))); };
    clear();
    OK(cudaMemset(q, 0, 8 * sizeof(double)));
    spread<<<1, 32>>>(p, q);
    std::vector<int> got = host(p, 32 * 32);
    for (int i = 0; i < 32 * 32; i++)
        expect(got[i] == 10, "a grid for each thread", got[i]);
    double doubles[8];
    OK(cudaMemcpy(doubles, q, sizeof doubles, cudaMemcpyDeviceToHost));
    for (double each : doubles)
        expect(each == 14.5, "arguments", (long)each);

    clear();
    choose<<<1, 2>>>(p, q);
    got = host(p, 3);
    OK(cudaMemcpy(doubles, q, sizeof doubles[0], cudaMemcpyDeviceToHost));
    expect(got[0] == 11 && got[1] == 34 && got[2] == 'a' + 4 && doubles[0] == 11.5, "kernels of one name", got[1]);
    choose<<<1, 1>>>(p, p + 3);
    expect(host(p, 4)[3] == 11, "kernels of one name, in another instance");

    in_order<<<1, 1>>>(p, p + 1);
    got = host(p, 2);
    int want = 1;
    for (int i = 0; i < 6; i++)
        want = want * 2 + i;
    expect(got[0] == want && got[1] == want, "in order", got[1]);

    clear();
    tree<<<1, 2>>>(p, 6); // each of two threads a grid, six times: 2 + 4 + ... threads
    expect(host(p, 1)[0] == 2 * (2 * 64 - 1), "a tree", host(p, 1)[0]);

    std::vector<int> data(n);
    unsigned seed = 1;
    for (int &x : data)
        x = (int)((seed = seed * 1664525u + 1013904223u) >> 9);
    OK(cudaMemcpy(p, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    quicksort<<<1, 1>>>(p, 0, n - 1, 0);
    got = host(p, n);
    std::sort(data.begin(), data.end());
    expect(got == data, "quicksort");

    clear();
    at_once<<<1, 1>>>(p, p + 1);
    got = host(p, 4);
    expect(got[1] == 43 && got[2] == 21 && got[3] == 21, "streams at the same time", got[1]);

    clear();
    tail<<<20, 1>>>(p, p + 1);
    expect(host(p, 2)[1] == 20, "the tail", host(p, 2)[1]);

    clear();
    errors<<<1, 1>>>(p, p + 100);
    got = host(p, 164);
    const int expected[] = {cudaErrorInvalidConfiguration,
                            0,
                            cudaErrorLaunchOutOfResources,
                            cudaErrorLaunchOutOfResources,
                            cudaErrorInvalidConfiguration,
                            0,
                            0,
                            63 * 3};
    for (int i = 0; i < 8; i++)
        expect(got[i] == expected[i], "errors", i * 1000 + got[i]);
    for (int i = 0; i < 64; i++)
        expect(got[100 + i] == (63 - i) * 3, "dynamic shared memory", got[100 + i]);

    clear();
    copies<<<1, 1>>>(p);
    got = host(p, 130);
    for (int i = 0; i < 128; i++)
        expect(got[i] == 0x03030303, "copies", got[i]);
    expect(got[128] == cudaErrorInvalidMemcpyDirection && got[129] == 'c', "copies that are none", got[128]);

    clear();
    deep<<<1, 1>>>(p, 0);
    got = host(p, 2);
    expect(got[0] == 23 && got[1] == 23, "24 levels", got[0]);

    clear();
    many<<<2, 64>>>(p);
    expect(host(p, 1)[0] == 2 * 64 * 20, "many launches", host(p, 1)[0]);
    OK(cudaGetLastError());
    OK(cudaFree(p));
    OK(cudaFree(q));
    printf("%d checks, %d failures\n%s\n", checks, failures, failures ? "FAILED" : "PASSED");
    return failures != 0;
}
