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
    return verdict(text[0] == 'a' && text[18] == 't' ? "assembly" : "strings", !count);
}
