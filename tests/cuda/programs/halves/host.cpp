/* What a C++ compiler alone knows of halves. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

bool host_only()
{
    __half a = 1.5f, b = __float2half(-2.0f);
    __nv_bfloat16 c = 3.0f, d = __float2bfloat16(0.5f);
    a += b++;
    c *= -d--;
    return a == __half(-0.5f) && b < a && (float)b == -1.0f && c == __nv_bfloat16(-1.5f) &&
           d != c && (float)d == -0.5f;
}
