/* Shared variables whose types have constructors and destructors, which nobody runs: as libcu++'s
 * barriers are declared. */
#include <cstdio>

#include "sums.h"

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void kernel(int *out)
{
    __shared__ counter one;
    __shared__ counter *where;
    __shared__ __align__(16) counter many[3]; // "__shared__ counter x;" is no code here
    static __shared__ pair<int, counter> both;
    const int t = threadIdx.x;
    if (t < 3)
        many[t].start(t);
    if (t == 0) {
        where = &one;
        one.start(100);
        both.first = 7;
        both.second.start(1000);
    }
    __syncthreads();
    atomicAdd(&where->sum, t);
    atomicAdd(&many[t % 3].sum, 1);
    __syncthreads();
    out[t] = one.sum + many[1].sum + both.first + both.second.sum;
    out[t] += nested<counter>(t);
}

int main()
{
    int *out, got[64];
    if (cudaMalloc(&out, sizeof got) || states() == 0)
        return 1;
    kernel<<<1, 64>>>(out);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost))
        return 1;
    for (int t = 0; t < 64; t++) {
        /* 100 + 0 + ... + 63; 1 and the threads 1, 4, ... 61; 7; 1000; and nested(). */
        int want = 100 + 2016 + 1 + 21 + 7 + 1000 + 5 + 64;
        if (got[t] != want) {
            printf("thread %d: %d instead of %d\nFAILED\n", t, got[t], want);
            return 1;
        }
    }
    puts("PASSED");
    return 0;
}
