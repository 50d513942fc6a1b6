/* E4M3 and E5M2 on the device and on the host, against a search for the nearest of all values. */
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_fp8.h>

#include "../common/check.h"

#define VALUES 8192

struct results {
    __nv_fp8_e4m3 e4;
    __nv_fp8_e5m2 e5;
    __nv_fp8_storage_t open4, open5, half4, brain5, wide4;
    __nv_fp8x2_e4m3 pair;
    __nv_fp8x4_e5m2 four;
    float back4, back5;
    float4 all;
    int whole;
};

__host__ __device__ static results compute(float x, float y)
{
    results r;
    memset(&r, 0, sizeof r);
    r.e4 = __nv_fp8_e4m3(x);
    r.e5 = __nv_fp8_e5m2(x);
    r.open4 = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3);
    r.open5 = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2);
    r.half4 = __nv_fp8_e4m3(__half(x)).__x;
    r.brain5 = __nv_fp8_e5m2(__nv_bfloat16(x)).__x;
    r.wide4 =
        __nv_fp8_e4m3((double)x * (1 + 1e-12)).__x; /* beyond a tie by less than a float's bit */
    r.pair = __nv_fp8x2_e4m3(make_float2(x, y));
    r.four = __nv_fp8x4_e5m2(make_float4(x, y, -x, -y));
    r.back4 = (float)r.e4;
    r.back5 = (float)r.e5;
    r.all = (float4)r.four;
    r.whole = (int)r.e4;
    return r;
}

__global__ void on_device(const float *in, results *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = compute(in[i], in[i ^ 1]);
}

/* By definition: `fraction` bits below an exponent with this bias. */
static double value(unsigned code, int fraction, int bias)
{
    int exponent = (code & 0x7F) >> fraction, rest = code & ((1 << fraction) - 1);
    double size = exponent ? ldexp((1 << fraction) + rest, exponent - bias - fraction)
                           : ldexp(rest, 1 - bias - fraction);
    return code & 0x80 ? -size : size;
}

/* The code whose value is nearest, an even one in a tie, or `beyond` from half a step above `most`
 * on. */
static unsigned nearest(double x, int fraction, int bias, unsigned most, unsigned beyond)
{
    unsigned best = 0, sign = std::signbit(x) ? 0x80 : 0;
    double size = fabs(x), far;
    for (unsigned code = 1; code <= most + 1; code++) {
        double before = fabs(size - value(best, fraction, bias));
        far = fabs(size - value(code, fraction, bias));
        if (far < before || (far == before && !(code & 1)))
            best = code;
    }
    return sign | (best > most ? beyond : best);
}

static int check(float x, float y, const results &r)
{
    const float rounded = __half2float(__float2half(x)), brain = (float)__nv_bfloat16(x);
    return r.e4.__x == nearest(x, 3, 7, 0x7E, 0x7E) && r.e5.__x == nearest(x, 2, 15, 0x7B, 0x7B) &&
           r.open4 == nearest(x, 3, 7, 0x7E, 0x7F) && r.open5 == nearest(x, 2, 15, 0x7B, 0x7C) &&
           r.half4 == nearest(rounded, 3, 7, 0x7E, 0x7E) &&
           r.brain5 == nearest(brain, 2, 15, 0x7B, 0x7B) &&
           r.wide4 == nearest((double)x * (1 + 1e-12), 3, 7, 0x7E, 0x7E) &&
           r.pair.__x == (r.e4.__x | nearest(y, 3, 7, 0x7E, 0x7E) << 8) && r.all.x == r.back5 &&
           r.all.z == -r.back5 && r.all.w == -r.all.y &&
           r.all.y == value(nearest(y, 2, 15, 0x7B, 0x7B), 2, 15) &&
           r.back4 == value(r.e4.__x, 3, 7) && r.back5 == value(r.e5.__x, 2, 15) &&
           r.whole == (int)value(r.e4.__x, 3, 7);
}

static int codes() /* every code, and values that are no numbers */
{
    int ok = 1;
    for (unsigned code = 0; code < 256; code++) {
        __nv_fp8_e4m3 e4;
        __nv_fp8_e5m2 e5;
        e4.__x = e5.__x = (__nv_fp8_storage_t)code;
        const float f4 = (float)e4, f5 = (float)e5;
        ok &= (code & 0x7F) == 0x7F ? f4 != f4 : f4 == value(code, 3, 7);
        ok &= (code & 0x7F) > 0x7C    ? f5 != f5
              : (code & 0x7F) == 0x7C ? std::isinf(f5) && std::signbit(f5) == (code >> 7 != 0)
                                      : f5 == value(code, 2, 15);
    }
    return ok && __nv_fp8_e4m3(NAN).__x == 0x7F && __nv_fp8_e5m2(NAN).__x == 0x7E &&
           __nv_fp8_e4m3(-INFINITY).__x == 0xFE && __nv_fp8_e5m2(INFINITY).__x == 0x7B &&
           __nv_cvt_float_to_fp8(INFINITY, __NV_NOSAT, __NV_E5M2) == 0x7C &&
           __nv_fp8_e4m3(-3).__x == 0xC4 && (unsigned char)__nv_fp8_e4m3(-3.0f) == 0;
}

int main()
{
    static float in[VALUES];
    static results got[VALUES];
    float *d_in;
    results *d_out;
    unsigned seed = 8;
    for (int i = 0; i < VALUES;
         i++) { /* either sign, 2^-19 to 2^17; every other a tie or next to one */
        unsigned word = next_random(&seed) << 8 ^ next_random(&seed);
        word = (word & 0x807FFFFFu) | (108 + next_random(&seed) % 36) << 23;
        if (i % 2)
            word = (word & 0xFFF80000u) | (i % 8 == 1 ? 1u : 0u);
        if (i % 8 == 3)
            word--;
        memcpy(&in[i], &word, sizeof word);
    }
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof got));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    on_device<<<VALUES / 256, 256>>>(d_in, d_out);
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < VALUES; i++) {
        const results host = compute(in[i], in[i ^ 1]);
        if (memcmp(&host, &got[i], sizeof host) != 0 || !check(in[i], in[i ^ 1], got[i])) {
            printf("%a: e4m3 %02x, e5m2 %02x\n", in[i], got[i].e4.__x, got[i].e5.__x);
            return verdict("eighths", 0);
        }
    }
    return verdict("eighths", codes());
}
