/* One bad access per name: access NAME. The line that is at fault says BAD NAME. Two blocks of
 * 8 x 4 x 2 threads; thread (3,1,1) of block (1,0,0) does it. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__device__ int table[10];
__constant__ int fixed[4];

__device__ bool chosen()
{
    return blockIdx.x == 1 && threadIdx.x == 3 && threadIdx.y == 1 && threadIdx.z == 1;
}

__global__ void store(int *p, long at)
{
    if (chosen())
        p[at] = 1; // BAD after before null host readonly freed managed
}

__global__ void load_bytes(const char *p, int *out, long at)
{
    if (chosen())
        *out = *(const int *)(p + at); // BAD misaligned
}

__global__ void load_vector(const float4 *p, float4 *out, long at)
{
    if (chosen())
        asm volatile("{.reg .f32 a, b, c, d; ld.global.v4.f32 {a, b, c, d}, [%1];" // BAD vector
                     "st.global.v4.f32 [%0], {a, b, c, d};}" ::"l"(out),
                     "l"(p + at));
}

__global__ void add(int *p, long at)
{
    if (chosen())
        atomicAdd(&p[at], 1); // BAD atomic
}

__global__ void every_lane(int *p)
{
    int i = threadIdx.x + 8 * (threadIdx.y + 4 * threadIdx.z) + 64 * blockIdx.x;
    p[i] = i; // BAD coalesced
}

__global__ void in_shared(int *out, int at)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (chosen())
        *out = s[at]; // BAD shared
}

__global__ void in_local(int *out, int at)
{
    int own[6];
    for (int i = 0; i < 6; i++)
        own[i] = out[i];
    own[at % 6] = 2;
    if (chosen())
        out[1] = own[at]; // BAD local
}

__global__ void in_table(int at)
{
    if (chosen())
        table[at] = 3; // BAD variable
}

__global__ void to_constant()
{
    int *p = const_cast<int *>(&fixed[1]);
    asm volatile("" : "+l"(p)); /* so that the compiler forgets what it is */
    if (chosen())
        *p = 4; // BAD constant
}

__global__ void shared_as_global()
{
    __shared__ int s;
    unsigned long long address = (unsigned long long)&s;
    if (chosen())
        asm volatile("st.global.u32 [%0], 5;" ::"l"(address)); // BAD space
}

__global__ void global_as_shared(int *p)
{
    unsigned long long address = (unsigned long long)p;
    if (chosen())
        asm volatile("st.shared.u32 [%0], 5;" ::"l"(address)); // BAD space2
}

__global__ void from_heap(int at, bool release)
{
    if (!chosen())
        return;
    int *p = (int *)malloc(40);
    p[0] = 1;
    if (release)
        free(p);
    *(volatile int *)(p + at) = 6; // BAD heap heapfreed
}

static int run(const char *name)
{
    int *p = NULL, *q = NULL, here = 0;
    dim3 block(8, 4, 2);
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 4096);
    auto is = [name](const char *other) { return !strcmp(name, other); };
    if (is("after"))
        store<<<2, block>>>(p, 100);
    else if (is("before"))
        store<<<2, block>>>(p, -1);
    else if (is("null"))
        store<<<2, block>>>(NULL, 2);
    else if (is("host"))
        store<<<2, block>>>(&here, 0);
    else if (is("readonly")) {
        int *mine = (int *)calloc(256, sizeof *mine);
        cudaHostRegister(mine, 256 * sizeof *mine, cudaHostRegisterReadOnly);
        cudaHostGetDevicePointer((void **)&p, mine, 0);
        load_bytes<<<2, block>>>((char *)p, q, 4);
        store<<<2, block>>>(p, 1);
    } else if (is("freed")) {
        store<<<1, 1>>>(p, 0); /* the module's variables get their places */
        cudaFree(p);
        store<<<2, block>>>(p, 5);
    } else if (is("managed")) {
        cudaMallocManaged(&p, 100);
        store<<<2, block>>>(p, 25);
    } else if (is("misaligned"))
        load_bytes<<<2, block>>>((char *)p, q, 6);
    else if (is("vector")) {
        cudaMalloc(&p, 20);
        load_vector<<<2, block>>>((float4 *)p, (float4 *)q, 1);
    } else if (is("atomic"))
        add<<<2, block>>>(p, 107);
    else if (is("coalesced"))
        every_lane<<<2, block>>>(p);
    else if (is("shared"))
        in_shared<<<2, block, 64>>>(p, 16);
    else if (is("local"))
        in_local<<<2, block>>>(p, 6);
    else if (is("variable"))
        in_table<<<2, block>>>(10);
    else if (is("constant"))
        to_constant<<<2, block>>>();
    else if (is("space"))
        shared_as_global<<<2, block>>>();
    else if (is("space2"))
        global_as_shared<<<2, block>>>(p);
    else if (is("heap"))
        from_heap<<<2, block>>>(10, false);
    else if (is("heapfreed"))
        from_heap<<<2, block>>>(4, true);
    else
        return 2;
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d %s\n", (int)error, cudaGetErrorName(error));
    return error != cudaSuccess;
}

int main(int argc, char **argv)
{
    return run(argc > 1 ? argv[1] : "");
}
