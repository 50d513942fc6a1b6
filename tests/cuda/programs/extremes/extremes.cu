/* DPX functions on the device and on the host, against their definitions in 64-bit integers. */
#include <algorithm>
#include <cstring>

#include "check.h"

#define COUNT 4096

struct input {
    unsigned a, b, c;
};
struct results {
    int s32[8]; /* addmax, addmin, max3, min3; each also with _relu */
    unsigned u32[4], s16x2[8], u16x2[4];
    int two[2]; /* max and min of two with _relu */
    unsigned pairs[2];
    int choice[2]; /* vibmax, vibmin */
    unsigned wide[2], halves[4];
    bool first[2], wide_first[2], high[4], low[4];
};

__host__ __device__ static results compute(const input &i)
{
    results r;
    const unsigned a = i.a, b = i.b, c = i.c;
    const int x = (int)a, y = (int)b, z = (int)c;
    memset(&r, 0, sizeof r);
#define EVERY(at, name)                                                                            \
    r.s32[at] = name##_s32(x, y, z);                                                               \
    r.s32[at + 4] = name##_s32_relu(x, y, z);                                                      \
    r.u32[at] = name##_u32(a, b, c);                                                               \
    r.s16x2[at] = name##_s16x2(a, b, c);                                                           \
    r.s16x2[at + 4] = name##_s16x2_relu(a, b, c);                                                  \
    r.u16x2[at] = name##_u16x2(a, b, c);
    EVERY(0, __viaddmax)
    EVERY(1, __viaddmin)
    EVERY(2, __vimax3)
    EVERY(3, __vimin3)
    r.two[0] = __vimax_s32_relu(x, y);
    r.two[1] = __vimin_s32_relu(x, y);
    r.pairs[0] = __vimax_s16x2_relu(a, b);
    r.pairs[1] = __vimin_s16x2_relu(a, b);
    r.choice[0] = __vibmax_s32(x, y, &r.first[0]);
    r.choice[1] = __vibmin_s32(x, y, &r.first[1]);
    r.wide[0] = __vibmax_u32(a, b, &r.wide_first[0]);
    r.wide[1] = __vibmin_u32(a, b, &r.wide_first[1]);
    r.halves[0] = __vibmax_s16x2(a, b, &r.high[0], &r.low[0]);
    r.halves[1] = __vibmin_s16x2(a, b, &r.high[1], &r.low[1]);
    r.halves[2] = __vibmax_u16x2(a, b, &r.high[2], &r.low[2]);
    r.halves[3] = __vibmin_u16x2(a, b, &r.high[3], &r.low[3]);
    return r;
}

__global__ void on_device(const input *in, results *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = compute(in[i]);
}

typedef long long wide;

/* Operation 0 to 3 of a type: `sum` wraps around in it. */
static wide by_definition(int operation, wide sum, wide a, wide b, wide c)
{
    switch (operation) {
    case 0:
        return std::max(sum, c);
    case 1:
        return std::min(sum, c);
    case 2:
        return std::max(a, std::max(b, c));
    default:
        return std::min(a, std::min(b, c));
    }
}

template <class T> static wide value(int operation, unsigned a, unsigned b, unsigned c, bool relu)
{
    wide x = (T)a, y = (T)b, z = (T)c, result = by_definition(operation, (T)(a + b), x, y, z);
    return relu ? std::max(result, 0ll) : result;
}
template <class T> static unsigned both(int operation, const input &i, bool relu)
{
    unsigned low = (unsigned)value<T>(operation, i.a, i.b, i.c, relu) & 0xFFFF;
    return low | (unsigned)value<T>(operation, i.a >> 16, i.b >> 16, i.c >> 16, relu) << 16;
}

static bool right(const input &i, const results &r)
{
    bool ok = true;
    const int x = (int)i.a, y = (int)i.b;
    const input two = {i.a, i.b, i.b};
    for (int o = 0; o < 4; o++) {
        ok &= r.s32[o] == value<int>(o, i.a, i.b, i.c, false) &&
              r.s32[o + 4] == value<int>(o, i.a, i.b, i.c, true);
        ok &= r.u32[o] == value<unsigned>(o, i.a, i.b, i.c, false);
        ok &= r.s16x2[o] == both<short>(o, i, false) && r.s16x2[o + 4] == both<short>(o, i, true);
        ok &= r.u16x2[o] == both<unsigned short>(o, i, false);
    }
    ok &= r.two[0] == std::max(std::max(x, y), 0) && r.two[1] == std::max(std::min(x, y), 0);
    ok &= r.pairs[0] == both<short>(2, two, true) && r.pairs[1] == both<short>(3, two, true);
    ok &= r.choice[0] == std::max(x, y) && r.choice[1] == std::min(x, y) &&
          r.first[0] == (x >= y) && r.first[1] == (x <= y);
    ok &= r.wide[0] == std::max(i.a, i.b) && r.wide[1] == std::min(i.a, i.b);
    ok &= r.wide_first[0] == (i.a >= i.b) && r.wide_first[1] == (i.a <= i.b);
    for (int o = 0; o < 4; o++) {
        const bool with_sign = o < 2, most = o % 2 == 0;
        ok &= r.halves[o] == (with_sign ? both<short>(2 + o % 2, two, false)
                                        : both<unsigned short>(2 + o % 2, two, false));
        for (int half = 0; half < 2; half++) {
            unsigned a = i.a >> 16 * half & 0xFFFF, b = i.b >> 16 * half & 0xFFFF;
            int p = with_sign ? (short)a : (int)a, q = with_sign ? (short)b : (int)b;
            ok &= (half ? r.high : r.low)[o] == (most ? p >= q : p <= q);
        }
    }
    return ok;
}

int main()
{
    static input in[COUNT];
    static results got[COUNT];
    input *d_in;
    results *d_out;
    unsigned seed = 20;
    for (int i = 0; i < COUNT; i++) {
        unsigned *words = &in[i].a;
        for (int k = 0; k < 3; k++)
            words[k] = next_random(&seed) << 12 ^ next_random(&seed);
        if (i % 4 == 0)
            in[i].b = in[i].a; /* equal, and in one half */
        if (i % 4 == 1)
            in[i].b = (in[i].a & 0xFFFF) | (in[i].b & 0xFFFF0000);
    }
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof got));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    on_device<<<COUNT / 256, 256>>>(d_in, d_out);
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++) {
        const results host = compute(in[i]);
        if (memcmp(&host, &got[i], sizeof host) != 0 || !right(in[i], got[i])) {
            printf("%08x %08x %08x\n", in[i].a, in[i].b, in[i].c);
            return verdict("extremes", 0);
        }
    }
    return verdict("extremes", 1);
}
