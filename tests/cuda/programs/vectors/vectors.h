/* What must hold of helper_math.h; every number is a float without rounding. */
static inline __host__ __device__ bool floats_hold()
{
    const float4 a = make_float4(1, 2, 3, 4), b = make_float4(make_float3(8, 4, 2), 1);
    float4 c = a + b * 2.0f - 1.0f / b; /* 16.875 9.75 6.5 5 */
    c += a;
    c /= 0.5f;
    const float2 d = make_float2(make_int2(-3, 5)), e = make_float2(0.25f);
    const float3 x = make_float3(1, 0, 0), y = make_float3(make_float2(0, 1));
    return dot(c, a) == 35.75f + 2 * 23.5f + 3 * 19.0f + 4 * 18.0f &&
           dot(-fminf(a, b), fmaxf(a, b)) == -8 - 8 - 6 - 4 && length(make_float2(3, 4)) == 5 &&
           dot(lerp(d, e, 0.5f), make_float2(1, 8)) == -1.375f + 8 * 2.625f &&
           dot(fracf(d - e), make_float2(1, 2)) == 0.75f + 2 * 0.75f &&
           dot(fabs(floorf(d * e)), make_float2(1, 4)) == 1 + 4 * 1 &&
           dot(fmodf(a, make_float4(2)), b) == 8 + 2 &&
           dot(clamp(d, -1.0f, 1.0f), make_float2(1, 3)) == -1 + 3 &&
           dot(smoothstep(make_float2(0), make_float2(2), e * 4), make_float2(1, 2)) == 1.5f &&
           cross(x, y).z == 1 && reflect(make_float3(2, -3, 0), y).y == 3 &&
           normalize(x * 4.0f).x == 1;
}

static inline __host__ __device__ bool vectors_hold()
{
    const int3 a = make_int3(4, -5, 6), b = make_int3(make_float3(1.5f, 2, 3));
    uint4 c = make_uint4(make_uint3(7), 9u) - 8u; /* -1 three times, then 1 */
    c *= 2u;
    return floats_hold() && dot(a * b - 2, make_int3(1)) == 2 - 12 + 16 &&
           dot(max(-abs(a), b - 9), make_int3(1, 10, 100)) == -4 - 50 - 600 &&
           dot(clamp(a, make_int3(0), make_int3(5)), make_int3(1, 10, 100)) == 4 + 500 &&
           min(c, make_uint4(3)).x == 3 && min(c, make_uint4(3)).w == 2 &&
           make_uint2(make_int2(-1, 2)).x == 4294967295u && lerp(2.0f, 4.0f, 0.25f) == 2.5f;
}
