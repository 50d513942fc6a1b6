/* CUDA C on the host: the reference of the kernels in this directory is their own source, compiled
 * for the host and run block by block, each thread a fiber that runs to its next barrier or warp
 * operation. Included before a .cu file; a main() made by tests/e2e/cuda/kernels.sh registers the
 * kernels and calls host_main:
 *
 *   PROGRAM NAME GRID BLOCK TYPE:VALUE... OUT...   runs kernel NAME and writes each buffer to its
 *                                                 OUT, in order
 *   PROGRAM data BYTES SEED FILE                  writes pseudo-random bytes
 *   PROGRAM floats BYTES SEED FILE                writes floats from -0.5 to 1.5
 *
 * Warp operations are collective over the lanes in their mask; results that depend on the order of
 * atomics are not comparable. */
#ifndef EVGPU_TESTS_KERNELS_HOST_H
#define EVGPU_TESTS_KERNELS_HOST_H

#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __shared__    static
#define __constant__  static
#define __noinline__  __attribute__((noinline))
#define __syncthreads host_barrier

#define DYNAMIC_SHARED(T, name) T *name = (T *)host_dynamic

struct uint3 {
    unsigned x, y, z;
};
struct alignas(4) uchar4 {
    unsigned char x, y, z, w;
};
struct alignas(4) ushort2 {
    unsigned short x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
static inline float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}
static inline ushort2 make_ushort2(unsigned x, unsigned y)
{
    return {(unsigned short)x, (unsigned short)y};
}
static inline uchar4 make_uchar4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {(unsigned char)x, (unsigned char)y, (unsigned char)z, (unsigned char)w};
}

static uint3 threadIdx, blockIdx, blockDim, gridDim;
alignas(64) static char host_dynamic[65536];

/* --- fibers ---------------------------------------------------------------------------------- */

enum host_state { HOST_RUNS, HOST_AT_BARRIER, HOST_AT_WARP, HOST_DONE };

struct host_fiber {
    ucontext_t context;
    uint3 thread;
    host_state state;
    unsigned mask;        /* of the warp operation */
    int predicate;        /* given to a vote or barrier */
    unsigned long long v; /* given to a shuffle */
    std::vector<char> stack;
};

static std::vector<host_fiber> host_fibers;
static unsigned host_current;
static int host_barrier_count;
static ucontext_t host_scheduler;
static std::function<void()> host_body;

static host_fiber &host_self()
{
    return host_fibers[host_current];
}

static void host_wait(host_state state)
{
    host_self().state = state;
    swapcontext(&host_self().context, &host_scheduler);
}

static void host_entry()
{
    host_body();
    host_wait(HOST_DONE);
}

static bool host_any(host_state state)
{
    for (host_fiber &f : host_fibers)
        if (f.state == state)
            return true;
    return false;
}

/* Lets the lanes of one complete warp operation go on. */
static bool host_release_warp()
{
    size_t n = host_fibers.size();
    for (size_t i = 0; i < n; i++) {
        if (host_fibers[i].state != HOST_AT_WARP)
            continue;
        unsigned mask = host_fibers[i].mask;
        bool complete = true;
        auto each = [&](std::function<void(host_fiber &)> visit) {
            for (size_t lane = 0, first = i & ~31u; lane < 32 && first + lane < n; lane++)
                if (mask >> lane & 1 && host_fibers[first + lane].state != HOST_DONE)
                    visit(host_fibers[first + lane]);
        };
        each([&](host_fiber &f) { complete &= f.state == HOST_AT_WARP && f.mask == mask; });
        if (!complete)
            continue;
        each([](host_fiber &f) { f.state = HOST_RUNS; });
        return true;
    }
    return false;
}

static void host_release_barrier()
{
    host_barrier_count = 0;
    for (host_fiber &f : host_fibers)
        if (f.state == HOST_AT_BARRIER) {
            host_barrier_count += f.predicate;
            f.state = HOST_RUNS;
        }
}

static void host_run_block()
{
    for (size_t i = 0; i < host_fibers.size(); i++) {
        host_fiber &f = host_fibers[i];
        unsigned at = (unsigned)i;
        f.thread = {at % blockDim.x, at / blockDim.x % blockDim.y, at / blockDim.x / blockDim.y};
        f.stack.resize(65536);
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = f.stack.data();
        f.context.uc_stack.ss_size = f.stack.size();
        f.context.uc_link = nullptr;
        makecontext(&f.context, host_entry, 0);
        f.state = HOST_RUNS;
    }
    for (;;) {
        for (size_t i = 0; i < host_fibers.size(); i++)
            if (host_fibers[i].state == HOST_RUNS) {
                host_current = (unsigned)i;
                threadIdx = host_fibers[i].thread;
                swapcontext(&host_scheduler, &host_fibers[i].context);
            }
        if (host_any(HOST_RUNS) || host_release_warp())
            continue;
        if (host_any(HOST_AT_WARP)) {
            fprintf(stderr, "host: a warp operation waits for lanes that do not come\n");
            exit(3);
        }
        if (!host_any(HOST_AT_BARRIER))
            return;
        host_release_barrier();
    }
}

/* --- what kernels call ------------------------------------------------------------------------ */

static void host_barrier()
{
    host_self().predicate = 0;
    host_wait(HOST_AT_BARRIER);
}
static int __syncthreads_count(int predicate)
{
    host_self().predicate = predicate != 0;
    host_wait(HOST_AT_BARRIER);
    return host_barrier_count;
}
static int __syncthreads_or(int predicate)
{
    return __syncthreads_count(predicate) != 0;
}
static int __syncthreads_and(int predicate)
{
    return __syncthreads_count(!predicate) == 0;
}
static inline void __threadfence()
{
}
static inline unsigned __lanemask_lt()
{
    return (1u << (host_current & 31)) - 1;
}

static void host_warp(unsigned mask)
{
    host_self().mask = mask;
    host_wait(HOST_AT_WARP);
}
static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    host_warp(mask);
}
/* In a loop that waits for another thread: the host's threads take turns only where they say so. */
static inline void host_yield()
{
    host_wait(HOST_RUNS);
}
static unsigned __ballot_sync(unsigned mask, int predicate)
{
    unsigned lanes = 0, first = host_current & ~31u;
    host_self().predicate = predicate != 0;
    host_warp(mask);
    for (unsigned lane = 0; lane < 32 && first + lane < host_fibers.size(); lane++)
        if (mask >> lane & 1 && host_fibers[first + lane].predicate)
            lanes |= 1u << lane;
    host_warp(mask);
    return lanes;
}
template <class T> static T host_shuffle(unsigned mask, T v, unsigned lane)
{
    memcpy(&host_self().v, &v, sizeof v);
    host_warp(mask);
    memcpy(&v, &host_fibers[(host_current & ~31u) + lane].v, sizeof v);
    host_warp(mask);
    return v;
}
template <class T> static T __shfl_down_sync(unsigned mask, T v, unsigned by)
{
    unsigned lane = host_current & 31;
    return host_shuffle(mask, v, lane + by > 31 ? lane : lane + by);
}
template <class T> static T __shfl_up_sync(unsigned mask, T v, unsigned by)
{
    unsigned lane = host_current & 31;
    return host_shuffle(mask, v, by > lane ? lane : lane - by);
}
template <class T> static T __shfl_xor_sync(unsigned mask, T v, unsigned by)
{
    return host_shuffle(mask, v, (host_current & 31) ^ by);
}

#define HOST_ATOMIC(name, expression)                                                              \
    template <class T, class U> static T name(T *p, U value)                                       \
    {                                                                                              \
        T old = *p, v = (T)value;                                                                  \
        *p = (T)(expression);                                                                      \
        return old;                                                                                \
    }
HOST_ATOMIC(atomicAdd, old + v)
HOST_ATOMIC(atomicSub, old - v)
HOST_ATOMIC(atomicExch, v)
HOST_ATOMIC(atomicOr, old | v)
HOST_ATOMIC(atomicXor, old ^ v)
HOST_ATOMIC(atomicMin, v < old ? v : old)
HOST_ATOMIC(atomicMax, old < v ? v : old)
HOST_ATOMIC(atomicInc, old >= v ? 0 : old + 1)
HOST_ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1)
template <class T, class U, class V> static T atomicCAS(T *p, U compare, V value)
{
    T old = *p;
    if (old == (T)compare)
        *p = (T)value;
    return old;
}

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++)
        result |= (unsigned)(bytes >> (8 * (selector >> (4 * i) & 7)) & 255) << (8 * i);
    return result;
}
template <class T> static T min(T a, T b)
{
    return b < a ? b : a;
}
template <class T> static T max(T a, T b)
{
    return a < b ? b : a;
}
static inline unsigned __brev(unsigned x)
{
    unsigned result = 0;
    for (int i = 0; i < 32; i++)
        result |= (x >> i & 1) << (31 - i);
    return result;
}
static inline int __float_as_int(float x)
{
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline unsigned __float_as_uint(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* --- the program ------------------------------------------------------------------------------ */

struct host_arg {
    std::vector<char> value;
    char *buffer;
    size_t bytes;
};

template <class T> static T host_value(const host_arg &a)
{
    T v{};
    memcpy(&v, a.value.data(), a.value.size() < sizeof v ? a.value.size() : sizeof v);
    return v;
}

typedef std::function<std::function<void()>(std::vector<host_arg> &)> host_kernel;
static std::map<std::string, host_kernel> host_kernels;

template <class... A, size_t... I>
static host_kernel host_bind(void (*k)(A...), std::index_sequence<I...>)
{
    return [=](std::vector<host_arg> &v) -> std::function<void()> {
        auto values = std::make_shared<std::tuple<A...>>(host_value<A>(v.at(I))...);
        return [=] { std::apply(k, *values); };
    };
}
template <class... A> static host_kernel host_wrap(void (*k)(A...))
{
    return host_bind(k, std::index_sequence_for<A...>());
}

static std::vector<char> host_read(const char *path)
{
    std::vector<char> bytes;
    FILE *file = fopen(path, "rb");
    for (int c; file && (c = getc(file)) != EOF;)
        bytes.push_back((char)c);
    if (file)
        fclose(file);
    return bytes;
}

static void host_write(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file))
        exit(2);
}

static int host_data(char **argv)
{
    std::vector<char> bytes(strtoul(argv[2], nullptr, 0));
    unsigned long long state = strtoull(argv[3], nullptr, 0) * 2654435761u + 88172645463325252ull;
    for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        float real = (float)(state >> 40) * 0x1p-23f - 0.5f;
        unsigned word = (unsigned)(state >> 16);
        memcpy(&bytes[i], argv[1][0] == 'f' ? (void *)&real : (void *)&word, 4);
    }
    host_write(argv[4], bytes.data(), bytes.size());
    return 0;
}

static host_arg host_parse(const char *text)
{
    host_arg a = {};
    const char *value = strchr(text, ':') + 1;
    std::string type(text, (size_t)(value - text) - 1);
    auto put = [&](const void *p, size_t n) { a.value.assign((char *)p, (char *)p + n); };
    if (type == "buf" || type == "zero") {
        std::vector<char> bytes(type == "zero" ? strtoul(value, nullptr, 0) : 0);
        if (type == "buf")
            bytes = host_read(value);
        a.bytes = bytes.size();
        a.buffer = (char *)aligned_alloc(256, (a.bytes / 256 + 1) * 256);
        memcpy(a.buffer, bytes.data(), a.bytes);
        put(&a.buffer, sizeof a.buffer);
    } else if (type == "raw") {
        a.value = host_read(value);
    } else if (type == "f32") {
        float f = strtof(value, nullptr);
        put(&f, sizeof f);
    } else if (type == "f64") {
        double d = strtod(value, nullptr);
        put(&d, sizeof d);
    } else {
        unsigned long long n = strtoull(value, nullptr, 0);
        put(&n, (size_t)atoi(type.c_str() + 1) / 8);
    }
    return a;
}

static uint3 host_dims(const char *text)
{
    uint3 d = {1, 1, 1};
    sscanf(text, "%u,%u,%u", &d.x, &d.y, &d.z);
    return d;
}

static int host_main(int argc, char **argv)
{
    if (argc == 5 && (!strcmp(argv[1], "data") || !strcmp(argv[1], "floats")))
        return host_data(argv);
    if (argc < 4 || !host_kernels.count(argv[1]))
        return 2;
    gridDim = host_dims(argv[2]);
    blockDim = host_dims(argv[3]);
    host_fibers = std::vector<host_fiber>(blockDim.x * blockDim.y * blockDim.z);
    std::vector<host_arg> args;
    int at = 4;
    for (; at < argc && strchr(argv[at], ':'); at++)
        args.push_back(host_parse(argv[at]));
    host_body = host_kernels[argv[1]](args);
    for (unsigned b = 0; b < gridDim.x * gridDim.y * gridDim.z; b++) {
        blockIdx = {b % gridDim.x, b / gridDim.x % gridDim.y, b / gridDim.x / gridDim.y};
        host_run_block();
    }
    for (const host_arg &a : args)
        if (a.buffer && at < argc)
            host_write(argv[at++], a.buffer, a.bytes);
    return 0;
}

#endif
