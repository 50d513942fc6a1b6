/* Mistakes that --check finds, and correct programs beside them: memory NAME. Lines say BAD NAME,
 * and FIRST NAME where the access before it is. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

/* Two warps; without the barrier the second reads what the first may not have written. */
__global__ void raw(const int *in, int *out, bool right)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t]; // FIRST raw
    if (right)
        __syncthreads();
    out[t] = s[t ^ 32]; // BAD raw
}

__global__ void war(const int *in, int *out, bool right)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    int other = s[t ^ 32]; // FIRST war
    if (right)
        __syncthreads();
    s[t] = other + 1000; // BAD war
    out[t] = s[t];
}

__global__ void waw(int *out, bool right)
{
    __shared__ int s[2];
    int t = threadIdx.x;
    if (t % 32 == 0)
        s[right ? t / 32 : 0] = t + 5; // BAD waw
    __syncthreads();
    out[t] = s[right ? t / 32 : 0];
}

/* One instruction, lanes that write different values to one place. */
__global__ void lanes(int *out, bool right)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[right ? t % 32 : t % 31] = t % 32 + 1; // BAD lanes
    __syncthreads();
    out[t] = s[t % 31];
}

/* Half of the block at a time: a barrier of 64 threads orders them and nobody else. */
__global__ void partial(const int *in, int *out, bool right)
{
    __shared__ int s[128];
    int t = threadIdx.x, half = t / 64;
    s[t] = in[t]; // FIRST partial
    asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
    out[t] = s[right ? t ^ 32 : t ^ 64]; // BAD partial
}

/* Threads of one warp at two barriers. */
__global__ void barrier(int *out, bool right)
{
    int t = threadIdx.x;
    if (right || t % 32 < 7)
        asm volatile("bar.sync 0;" ::: "memory");
    else
        asm volatile("bar.sync 1;" ::: "memory"); // BAD barrier
    out[t] = t;
}

/* The rest of the block ends without the barrier: threads of the warp, and whole warps. */
__global__ void ended(int *out, bool right)
{
    int t = threadIdx.x;
    if (right || t < 40)
        __syncthreads(); // BAD ended
    out[t] = t;
}

/* Each block reads what its neighbour writes. */
__global__ void between(int *data, int *out, bool right)
{
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int i = blockIdx.y * 64 + t, other = i ^ 127; // the last thread of the other block
    data[i] = 7 * i + 1;              // FIRST between
    out[i] = data[right ? i : other]; // BAD between
}

/* Device memory in the place of shared memory. */
__global__ void within(int *data, int *out, bool right)
{
    int t = threadIdx.x;
    int before = data[t ^ 32]; // FIRST within
    if (right)
        __syncthreads();
    data[t] = before + t + 1; // BAD within
    __syncthreads();
    out[t] = data[t ^ 32];
}

/* Neighbouring bytes of one word are different places. */
__global__ void bytes(char *data, bool right)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[right ? i : i % 63] = (char)(i + 1); // BAD bytes
}

/* The block that counts last adds up what all have written. */
__device__ unsigned int done;
__global__ void last_block(int *data, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    data[blockIdx.x * blockDim.x + t] = 3 * blockIdx.x + t;
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    int sum = 0;
    for (unsigned int b = 0; b < gridDim.x; b++)
        sum += data[b * blockDim.x + t];
    out[t] = sum;
}

/* A flag without atomics: volatile, behind a fence. */
__device__ volatile int flag;
__global__ void flagged(int *data, int *out)
{
    if (blockIdx.x == 1) {
        data[0] = 5;
        __threadfence();
        flag = 1;
    } else {
        while (!flag)
            continue;
        __threadfence();
        out[0] = data[0];
    }
}

/* A counter and a lock: atomics, with what they protect. */
__global__ void locked(int *out)
{
    __shared__ int count, lock, sum;
    int t = threadIdx.x;
    if (t == 0)
        count = lock = sum = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    if (t % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            continue;
        sum = sum + t;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    out[t] = count + sum;
}

/* The last warp without barriers, as kernels of old do. */
__global__ void reduce(const int *in, int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
    if (t == 0)
        out[0] = s[0];
}

__global__ void copy(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // BAD unset part
}

__global__ void from_shared(int *out, bool right)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (right || t != 37)
        s[t] = t;
    __syncthreads();
    out[t] = s[t]; // BAD sharedunset
}

__global__ void from_heap(int *out)
{
    if (threadIdx.x != 5)
        return;
    int *p = (int *)malloc(64);
    p[0] = 1;
    out[0] = p[0] + *(volatile int *)(p + 3); // BAD heapunset
    free(p);
}

__device__ static void copy_word(int *to, const int *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" // FIRST early waits
                 ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* A thread reads what it copies before it has waited for that. */
__global__ void early(const int *in, int *out, bool right)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    copy_word(&s[t], &in[t]);
    if (right)
        asm volatile("cp.async.wait_group 0;" ::: "memory");
    else
        asm volatile("cp.async.wait_group 1;" ::: "memory");
    out[t] = s[t]; // BAD early
}

/* The other warp has waited for its copies, but behind the barrier. */
__global__ void waits(const int *in, int *out, bool right)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    copy_word(&s[t], &in[t]);
    if (right)
        asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    asm volatile("cp.async.wait_all;" ::: "memory");
    if (t < 32) {
        for (int i = 0; i < 1000; i++)
            asm volatile("" ::: "memory");
        out[t] = s[t + 32]; // BAD waits
    }
}

static int *set, *out, *unset;

static bool run(const char *name, bool right)
{
    auto is = [name](const char *other) { return !strcmp(name, other); };
    if (is("raw"))
        raw<<<1, 64>>>(set, out, right);
    else if (is("war"))
        war<<<1, 64>>>(set, out, right);
    else if (is("waw"))
        waw<<<1, 64>>>(out, right);
    else if (is("lanes"))
        lanes<<<1, 64>>>(out, right);
    else if (is("partial"))
        partial<<<1, 128>>>(set, out, right);
    else if (is("barrier"))
        barrier<<<1, 32>>>(out, right);
    else if (is("unset")) {
        if (right)
            cudaMemset(unset, 0, 256);
        copy<<<1, 64>>>(unset, out);
    } else if (is("part")) {
        cudaMemcpy(unset, set, right ? 256 : 160, cudaMemcpyDeviceToDevice);
        copy<<<1, 64>>>(unset, out);
    } else if (is("sharedunset"))
        from_shared<<<1, 64>>>(out, right);
    else if (is("ended"))
        ended<<<1, 96>>>(out, right);
    else if (is("between"))
        between<<<dim3(1, 2), dim3(4, 4, 4)>>>(set, out, right);
    else if (is("within"))
        within<<<1, 64>>>(set, out, right);
    else if (is("bytes"))
        bytes<<<2, 32>>>((char *)out, right);
    else if (is("early"))
        early<<<1, 64>>>(set, out, right);
    else if (is("waits"))
        waits<<<1, 64>>>(set, out, right);
    else if (is("heapunset"))
        from_heap<<<1, 32>>>(out);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    int numbers[128];
    for (int i = 0; i < 128; i++)
        numbers[i] = 3 * i + 1;
    cudaMalloc(&set, sizeof numbers);
    cudaMalloc(&out, 4096);
    cudaMalloc(&unset, 256);
    cudaMemcpy(set, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    if (argc > 1 && !run(argv[1], argc > 2))
        return 2;
    if (argc < 2) { /* everything that is right */
        static const char *const all[] = {"raw",     "war",    "waw",  "lanes",       "partial",
                                          "barrier", "unset",  "part", "sharedunset", "ended",
                                          "between", "within", "bytes", "early",       "waits"};
        for (const char *name : all)
            run(name, true);
        locked<<<1, 256>>>(out);
        reduce<<<1, 64>>>(set, out);
        last_block<<<4, 32>>>(set, out);
        flagged<<<2, 1>>>(set, out);
    }
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
