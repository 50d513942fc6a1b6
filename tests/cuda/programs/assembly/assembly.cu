/* Special registers by their plain names in assembly, as nvcc takes them beside "%%": each value
 * against what CUDA's own names give. */
#include "check.h"
#include "names.cuh"

#define CLOCK(to) asm volatile("mov.u32 %0, %clock;" : "=r"(to)::"memory")

/* asm("mov.u32 %0, %tid.x;" : "=r"(x)); in a comment, and below in a string, is none. */
static const char text[] = "asm(\"mov.u32 %0, %tid.x;\" : \"=r\"(x));";

__global__ void registers(unsigned *out, unsigned *wrong)
{
    unsigned x, y, width, first, last, sum;
    asm("mov.u32 %0, %tid.x;" : "=r"(x));
    __asm__ __volatile__("mov.u32 %0, %%ctaid.x;" /* %ctaid */ : "=r"(y));
    asm volatile("{\n\t"
                 ".reg .u32 %some;\n\t"
                 "mov.u32 %some, %ntid.x;\n\t"
                 "add.u32 %0, %some, %1;\n\t"
                 "}"
                 : "=r"(width)
                 : "r"(x));
    CLOCK(first);
    asm(R"(mad.lo.u32 %0, %1, %ntid.x, %2;)" : "=r"(sum) : "r"(y) /* no comma */ "r"((x)));
    CLOCK(last);
    asm volatile("membar.gl;"); // %none: without operands
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (x != threadIdx.x || y != blockIdx.x || width != blockDim.x + threadIdx.x ||
        lane_of() != threadIdx.x % 32 || last < first)
        atomicAdd(wrong, 1);
}

/* Words with carries, in lanes that have their own operands and go their own ways: products and sums of 64 bits. */
#define CARRIES 1000
static __host__ __device__ unsigned operand(unsigned i, unsigned salt)
{
    unsigned x = (i + salt) * 2654435761u;
    return i % 5 == salt % 5 ? 0xFFFFFFFF : x ^ (x >> 15);
}
__global__ void carries(uint2 *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = operand(i, 1), b = operand(i, 2);
    unsigned c = operand(i, 3), d = operand(i, 4);
    if (i >= CARRIES)
        return;
    if (i % 3 == 0)
        asm("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.u32 %1, %2, %3, %1;" : "+r"(c), "+r"(d) : "r"(a), "r"(b));
    else if (i % 3 == 1)
        asm("add.cc.u32 %0, %0, %2; addc.u32 %1, %1, %3;" : "+r"(c), "+r"(d) : "r"(a), "r"(b));
    else
        asm("sub.cc.u32 %0, %0, %2; subc.u32 %1, %1, %3;" : "+r"(c), "+r"(d) : "r"(a), "r"(b));
    out[i] = make_uint2(c, d);
}
static bool carries_right()
{
    uint2 *out;
    bool ok = true;
    CHECK(cudaMallocManaged(&out, CARRIES * sizeof *out));
    carries<<<8, 128>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (unsigned i = 0; i < CARRIES; i++) {
        unsigned long long a = operand(i, 1), b = operand(i, 2), wide = a | b << 32;
        unsigned long long sum = operand(i, 3) | (unsigned long long)operand(i, 4) << 32;
        sum = i % 3 == 0 ? sum + a * b : i % 3 == 1 ? sum + wide : sum - wide;
        ok = ok && sum == (out[i].x | (unsigned long long)out[i].y << 32);
    }
    return ok;
}

int main()
{
    unsigned got[192], *out, *wrong, count = 1;
    CHECK(cudaMalloc(&out, sizeof got));
    CHECK(cudaMalloc(&wrong, sizeof count));
    CHECK(cudaMemset(wrong, 0, sizeof count));
    registers<<<2, 96>>>(out, wrong);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 192; i++)
        count += got[i] != i;
    return verdict(text[0] == 'a' && text[18] == 't' ? "assembly" : "strings", !count && carries_right());
}
