/* A program that reaches for memory of another guest: intruder KIND TARGET [CLOCKS]. TARGET is a
 * device address, or SERVICE:TABLE[+BYTES]; the kernel waits for CLOCKS before it does it. Ends with
 *   3  the kernel was stopped: error 700, in every later call too
 *   5  the call was refused, the kernel freed or read nothing, and the program can go on
 *   4  it got through
 * `victim MEMORY CLOCKS` prints the addresses of its memory, of cudaMalloc, of malloc in kernels, and
 * if MEMORY is `region` with full/empty bits; keeps it in use and ends with 0 if it stays right.
 * `hoard` allocates in kernels without an end, and ends with 0 if it got all. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "sim/ptx/execute/texture.h"
#include "sw/edge/edge_cuda.h"

#define KINDS                                                                                      \
    KIND(none) KIND(store) KIND(load) KIND(atomic) KIND(poll) KIND(lane) KIND(print)               \
    KIND(release) KIND(flood) KIND(texture) KIND(set) KIND(copy_in) KIND(copy_out) KIND(copy_over) \
    KIND(drop) KIND(mark) KIND(victim) KIND(hoard)

enum kind {
#define KIND(name) kind_##name,
    KINDS
#undef KIND
        kinds
};
static const char *const names[] = {
#define KIND(name) #name,
    KINDS
#undef KIND
};

struct own {
    unsigned words[16 * 128];
    float result;
    texture_descriptor texture;
    char room[TEXTURE_BYTES]; /* an object is larger than its descriptor */
};

__device__ static void wait(long long clocks)
{
    long long begin = clock64();
    while (clock64() - begin < clocks)
        ;
}

__global__ void reach(int kind, char *at, own *mine, int clocks)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    mine->words[i] = i;
    if (blockIdx.x != 3 || threadIdx.x / 32 != 1)
        return;
    wait(clocks);
    switch (kind) {
    case kind_store:
        if (threadIdx.x == 37)
            *(unsigned *)at = 0xBADF00D;
        break;
    case kind_load:
        mine->words[i] = *(unsigned *)at;
        break;
    case kind_atomic:
        mine->words[i] = atomicAdd((unsigned *)at, 1u);
        break;
    case kind_poll:
        mine->words[i] = *(volatile unsigned *)at;
        break;
    case kind_lane: /* all of a warp but one are at home */
        *(threadIdx.x == 63 ? (unsigned *)at : mine->words + i) = 7;
        break;
    case kind_print:
        if (threadIdx.x == 32)
            printf("it reads '%.4s'\n", at);
        break;
    case kind_release:
        if (threadIdx.x == 32)
            free(at);
        break;
    case kind_flood:
        ((unsigned *)at)[threadIdx.x % 32] = 0x0BAD0BAD;
        break;
    }
}

/* The first and the last texel of the fetch are the program's, one between them is not. */
__global__ void fetch(char *at, own *mine)
{
    texture_descriptor *t = &mine->texture;
    t->base = (uint64_t)mine->words;
    t->width = t->height = t->depth = t->layers = 2;
    t->pitch = (uint64_t)at - t->base;
    t->slice = 0 - t->pitch;
    t->channels = 1;
    t->bits = 32;
    t->kind = TEXTURE_FLOAT;
    t->flags = TEXTURE_LINEAR;
    __threadfence();
    mine->result = tex3D<float>((cudaTextureObject_t)t, 1.0f, 1.0f, 1.0f);
}

__global__ void hold(float *data, char **heap, int clocks)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 && !*heap) {
        *heap = (char *)malloc(64);
        memcpy(*heap, "mine", 5);
    }
    data[i] += 1;
    wait(clocks);
}

__global__ void give_back(char *heap, int *right)
{
    *right = heap[0] == 'm' && heap[3] == 'e';
    free(heap);
}

/* Most of the heap of 8 MB, which must be free and zero, and is not given back. */
__global__ void take_heap(int *wrong)
{
    const unsigned words = 100000 / sizeof(int);
    volatile int *some = (volatile int *)malloc(words * sizeof(int));
    for (unsigned i = 0; some && i < words; i += 1000) {
        *wrong |= some[i];
        some[i] = 1;
    }
    if (!some)
        *wrong = 2;
}

static int hoard()
{
    int *wrong, is_wrong = 0;
    cudaMalloc(&wrong, sizeof *wrong);
    cudaMemset(wrong, 0, sizeof *wrong);
    for (int i = 0; i < 60; i++)
        take_heap<<<1, 1>>>(wrong);
    cudaMemcpy(&is_wrong, wrong, sizeof is_wrong, cudaMemcpyDeviceToHost);
    return is_wrong;
}

static int victim(bool region, int clocks)
{
    const int n = 4 * 64;
    float *data, *table = nullptr, host[n];
    char **heap, *kept;
    int *right, is_right = 0;
    bool marked = region && cudaMallocFullEmpty(&table, n * sizeof *table) == cudaSuccess;
    cudaMalloc(&data, n * sizeof *data);
    cudaMalloc(&heap, sizeof *heap);
    cudaMalloc(&right, sizeof *right);
    cudaMemset(heap, 0, sizeof *heap);
    for (int i = 0; i < n; i++)
        host[i] = 1;
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    if (marked)
        cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < 20; i++)
        hold<<<4, 64>>>(data, heap, clocks);
    cudaMemcpy(&kept, heap, sizeof kept, cudaMemcpyDeviceToHost);
    give_back<<<1, 1>>>(kept, right);
    cudaMemcpy(&is_right, right, sizeof is_right, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        is_right = is_right && host[i] == 21;
    if (marked)
        cudaMemcpy(host, table, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; marked && i < n; i++)
        is_right = is_right && host[i] == 1;
    printf("device %p heap %p region %p\n", (void *)data, (void *)kept, (void *)table);
    return is_right && cudaDeviceSynchronize() == cudaSuccess ? 0 : 4;
}

static char *find(const char *target)
{
    char service[32], table[32];
    unsigned bytes = 0;
    struct edge_port_info info;
    struct edge_error err = {};
    if (sscanf(target, "%31[a-z0-9]:%31[a-z0-9]+%u", service, table, &bytes) < 2)
        return (char *)strtoull(target, nullptr, 16);
    if (!edge_cuda_port(service, &info, &err))
        fprintf(stderr, "%s\n", err.text);
    return (char *)edge_port_resource(&info, table) + bytes;
}

static cudaError_t call(int kind, char *at, own *mine)
{
    static char host[64];
    switch (kind) {
    case kind_set:
        return cudaMemset(at, 0xFF, sizeof host);
    case kind_copy_in:
        return cudaMemcpy(at, host, sizeof host, cudaMemcpyHostToDevice);
    case kind_copy_out:
        return cudaMemcpy(host, at, sizeof host, cudaMemcpyDeviceToHost);
    case kind_copy_over:
        return cudaMemcpy(at, mine, sizeof host, cudaMemcpyDeviceToDevice);
    case kind_drop:
        return cudaFree(at);
    default:
        return cudaMarkEmptyAsync(at, sizeof host, 0);
    }
}

int main(int argc, char **argv)
{
    int kind = 0, clocks = argc > 3 ? atoi(argv[3]) : 0;
    while (argc > 1 && kind < kinds && strcmp(argv[1], names[kind]) != 0)
        kind++;
    if (argc < 3 || kind == kinds)
        return 2;
    if (kind == kind_victim)
        return victim(strcmp(argv[2], "region") == 0, clocks);
    if (kind == kind_hoard)
        return hoard();
    own *mine;
    float result = 0;
    char *at = find(argv[2]);
    cudaMalloc(&mine, sizeof *mine);
    reach<<<16, 128>>>(kind, at, mine, clocks);
    if (kind == kind_texture) {
        cudaMemset(mine, 0, sizeof *mine);
        fetch<<<1, 1>>>(at, mine);
    }
    cudaError_t error = cudaDeviceSynchronize();
    if (kind >= kind_set)
        error = call(kind, at, mine);
    cudaError_t again = cudaMemcpy(&result, &mine->result, sizeof result, cudaMemcpyDeviceToHost);
    printf("%s at %p: %d %d %g\n", names[kind], (void *)at, error, again, result);
    if (error == cudaErrorIllegalAddress && again == error)
        return 3;
    if (kind == kind_none)
        return again;
    if (kind == kind_texture)
        return result == 0 ? 5 : 4;
    return kind >= kind_set && error == cudaErrorInvalidValue && again == cudaSuccess ? 5 : 4;
}
