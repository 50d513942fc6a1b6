/* Threads of one warp that wait for each other: locks in the forms that programs have them in,
 * hand-over from lane to lane, and what reads every lane afterwards. */
// RUN spin_before 2 64 : zero:512
// RUN spin_inside 3 96 : zero:512
// RUN try_lock 2 64 : zero:512
// RUN lock_per_bucket 4 64 : data:1024 zero:512
// RUN lock_loop 2 48 : zero:512 u32:3
// RUN ticket 2 64 : zero:512
// RUN ordered 1 64 : zero:512
// RUN ordered_function 1 96 : zero:1024
// RUN shared_lock 2 128 : zero:1024
// RUN lock_then_barrier 2 96 : zero:2048
// RUN lock_then_shuffle 2 64 : zero:2048
// RUN long_poll_loop 1 64 : zero:512
// RUN divergent_syncwarp 1 64 : zero:512
// RUN warp_hand_over 1 64 : zero:512
// RUN divergent_barriers 2 96 : zero:2048

/* The lock is taken by a loop of its own, the critical section follows it. */
extern "C" __global__ void spin_before(unsigned *a)
{
    while (atomicCAS(&a[0], 0u, 1u) != 0u)
        ;
    __threadfence();
    volatile unsigned *v = a;
    v[1] = v[1] + 1;
    v[2] = v[2] + threadIdx.x;
    __threadfence();
    atomicExch(&a[0], 0u);
}

/* Everything in the loop. */
extern "C" __global__ void spin_inside(unsigned *a)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&a[0], 0u, 1u) == 0u) {
            volatile unsigned *v = a;
            v[1] = v[1] + threadIdx.x * 3;
            __threadfence();
            atomicExch(&a[0], 0u);
            done = true;
        }
    }
}

extern "C" __global__ void try_lock(unsigned *a)
{
    for (;;) {
        if (atomicExch(&a[0], 1u) != 0u)
            continue;
        volatile unsigned *v = a;
        v[1] = v[1] ^ (threadIdx.x + 1) * 2654435761u;
        __threadfence();
        atomicExch(&a[0], 0u);
        break;
    }
}

extern "C" __global__ void lock_per_bucket(unsigned *data, unsigned *a)
{
    unsigned x = data[blockIdx.x * blockDim.x + threadIdx.x], b = x % 16;
    while (atomicCAS(&a[b], 0u, 1u) != 0u)
        ;
    __threadfence();
    volatile unsigned *sum = a + 16;
    sum[b] = sum[b] + (x >> 4);
    __threadfence();
    atomicExch(&a[b], 0u);
}

__device__ __noinline__ void acquire(unsigned *lock)
{
    while (atomicCAS(lock, 0u, 1u) != 0u)
        ;
    __threadfence();
}

__device__ __noinline__ void release(unsigned *lock)
{
    __threadfence();
    atomicExch(lock, 0u);
}

extern "C" __global__ void lock_loop(unsigned *a, unsigned rounds)
{
    for (unsigned i = 0; i < rounds + threadIdx.x % 3; i++) {
        acquire(a);
        volatile unsigned *v = a;
        v[1] = v[1] + i + 1;
        release(a);
    }
}

extern "C" __global__ void ticket(unsigned *a)
{
    unsigned mine = atomicAdd(&a[0], 1u);
    volatile unsigned *v = a;
    while (v[1] != mine)
        ;
    v[2] = v[2] * 3 + 1;
    __threadfence();
    v[1] = mine + 1;
}

/* Each lane waits for the one before it, the last ones first in the program. */
extern "C" __global__ void ordered(unsigned *a)
{
    volatile unsigned *v = a;
    unsigned t = threadIdx.x;
    while (v[0] != t)
        ;
    v[1] = v[1] * 5 + t;
    __threadfence();
    v[0] = t + 1;
}

__device__ __noinline__ unsigned turn(volatile unsigned *v, unsigned t)
{
    if (t % 3 == 1) {
        while (v[0] != t)
            ;
    } else {
        for (unsigned n = 1; v[0] != t; n++)
            if (n % 7 == 6)
                v[100] = 0;
    }
    return v[1] * 7 + t;
}

extern "C" __global__ void ordered_function(unsigned *a)
{
    volatile unsigned *v = a;
    unsigned t = threadIdx.x, x = turn(v, t);
    v[1] = x;
    v[2 + t] = x;
    __threadfence();
    v[0] = t + 1;
}

extern "C" __global__ void shared_lock(unsigned *out)
{
    __shared__ unsigned lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    while (atomicCAS(&lock, 0u, 1u) != 0u)
        ;
    *(volatile unsigned *)&sum = *(volatile unsigned *)&sum + threadIdx.x;
    __threadfence();
    atomicExch(&lock, 0u);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + threadIdx.x;
}

/* The lanes of a warp that lost each other at the lock meet at the barrier. */
extern "C" __global__ void lock_then_barrier(unsigned *a)
{
    __shared__ unsigned tile[96];
    unsigned t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        while (atomicCAS(&a[0], 0u, 1u) != 0u)
            ;
        volatile unsigned *v = a;
        v[1] = v[1] + 1;
        __threadfence();
        atomicExch(&a[0], 0u);
        tile[t] = t * 3 + i;
        __syncthreads();
        a[4 + blockIdx.x * blockDim.x + t] += tile[(t + 1) % 96];
        __syncthreads();
    }
}

extern "C" __global__ void lock_then_shuffle(unsigned *a)
{
    unsigned t = threadIdx.x, x = t;
    while (atomicCAS(&a[0], 0u, 1u) != 0u)
        ;
    volatile unsigned *v = a;
    v[1] = v[1] + 1;
    __threadfence();
    atomicExch(&a[0], 0u);
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    x += __shfl_down_sync(0xffffffffu, x, 4);
    a[4 + blockIdx.x * blockDim.x + t] = x;
}

/* No lock, but a long loop with volatile loads and lanes that leave it one after the other. */
extern "C" __global__ void long_poll_loop(unsigned *a)
{
    __shared__ unsigned tile[64];
    volatile unsigned *v = a + 64;
    unsigned t = threadIdx.x, x = 0;
    for (unsigned i = 0; i < 20 * (t % 32) + 1; i++)
        x += v[t] + i;
    tile[t] = x;
    __syncthreads();
    a[t] = tile[63 - t];
}

/* Both sides of a branch meet at a warp barrier each has for itself. */
extern "C" __global__ void divergent_syncwarp(unsigned *a)
{
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x;
    if (t & 1) {
        tile[t] = t * 10;
        __syncwarp(0xffffffffu);
        a[t] = tile[t - 1];
    } else {
        tile[t] = t * 100;
        __syncwarp(0xffffffffu);
        a[t] = tile[t + 1];
    }
}

/* The lane that is waited for comes second in the program. */
extern "C" __global__ void warp_hand_over(unsigned *a)
{
    volatile unsigned *v = a;
    unsigned t = threadIdx.x, w = t / 32;
    if (t % 32 == 5) {
        for (unsigned i = 0; i < 10; i++)
            v[10 + w] = v[10 + w] + i;
        __threadfence();
        v[w] = 77;
    } else {
        while (v[w] != 77)
            host_yield();
    }
    a[64 + t] = v[w] + v[10 + w];
}

/* __syncthreads() of one round in different places of the program, by lane. */
extern "C" __global__ void divergent_barriers(unsigned *a)
{
    __shared__ unsigned tile[96];
    unsigned t = threadIdx.x, x = t;
    for (unsigned i = 0; i < 4; i++) {
        if ((t + i) % 3 == 0) {
            tile[t] = x * 3 + i;
            __syncthreads();
            x += tile[(t + 1) % 96];
        } else if ((t + i) % 3 == 1) {
            tile[t] = x + 7 * i;
            __syncthreads();
            x ^= tile[(t + 5) % 96];
        } else {
            tile[t] = ~x;
            __syncthreads();
            x = tile[95 - t] - x;
        }
        __syncthreads();
    }
    a[blockIdx.x * blockDim.x + t] = x;
}
