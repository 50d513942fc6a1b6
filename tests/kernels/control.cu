/* Control flow that clang leaves irregular, calls, local arrays, variables with initial values. */
// RUN quicksort 2 64 : data:8192 zero:64
// RUN switch_table 4 128 : data:2048 zero:2048
// RUN gotos 4 128 : data:2048 zero:2048
// RUN early_return 4 128 : data:2048 zero:2048 u32:300
// RUN early_return_warp 3 96 : data:2048 zero:2048 u32:200
// RUN calls 4 128 : data:2048 zero:2048
// RUN globals 2 64 : zero:2048
// RUN strings 1 64 : zero:1024
// RUN grid_3d 2,3,4 4,3,5 : zero:16384
// RUN many_registers 4 128 : data:65536 zero:2048
// RUN many_registers 1 1024 : data:65536 zero:4096
// RUN local_arrays 2 64 : data:8192 zero:512
// RUN nested_loops 4 96 : data:4096 zero:4096
// RUN vectors 2 64 : data:8192 zero:8192

extern "C" __global__ void quicksort(int *a, int *dummy)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int *p = a + t * 16;
    int st[32], sp = 0;
    st[sp++] = 0;
    st[sp++] = 15;
    while (sp) {
        int h = st[--sp], l = st[--sp];
        if (l >= h)
            continue;
        int pv = p[(l + h) / 2], i = l - 1, j = h + 1;
        for (;;) {
            do
                i++;
            while (p[i] < pv);
            do
                j--;
            while (p[j] > pv);
            if (i >= j)
                break;
            int q = p[i];
            p[i] = p[j];
            p[j] = q;
        }
        st[sp++] = l;
        st[sp++] = j;
        st[sp++] = j + 1;
        st[sp++] = h;
    }
}

extern "C" __global__ void switch_table(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], r = 0;
    for (int k = 0; k < 6; k++)
        switch ((v >> (4 * k)) & 15) {
        case 0:
            r += 3;
            break;
        case 1:
            r *= 5;
            break;
        case 2:
            r ^= v;
            break;
        case 3:
            r += r << 3;
            break;
        case 4:
            r -= i;
            break;
        case 5:
            r = ~r;
            break;
        case 6:
            r = r * r;
            break;
        case 7:
            r |= 0x10;
            break;
        case 8:
            r &= 0xfffff;
            break;
        case 9:
            k++;
            break;
        case 10:
            r = (r >> 5) | (r << 27);
            break;
        case 11:
            r += in[r % 512];
            break;
        case 12:
            goto end;
        case 13:
            r += 0xabcdef;
            break;
        case 14:
            r = -r;
            break;
        default:
            r ^= 0x12345;
        }
end:
    out[i] = r;
}

extern "C" __global__ void gotos(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], n = 0, r = v;
A:
    r = r * 1664525 + 1013904223;
    n++;
    if (n > 60)
        goto D;
    if (r & 1)
        goto B;
    if (r & 2)
        goto C;
    goto A;
B:
    r ^= r >> 13;
    n += 2;
    if (r & 4)
        goto A;
    if (r & 8)
        goto D;
    goto C;
C:
    r += v;
    n += 3;
    if (n < 40 && (r & 16))
        goto B;
    if (r & 32)
        goto A;
D:
    out[i] = r ^ n;
}

extern "C" __global__ void early_return(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned s[128];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i;
    __syncthreads();
    if (i >= n)
        return;
    unsigned v = in[i];
    for (unsigned k = 0; k < 4; k++) {
        if (v % (7 + k) == 0)
            return;
        s[threadIdx.x] += v;
        v = v * 5 + 1;
    }
    out[i] = s[threadIdx.x];
}

extern "C" __global__ void early_return_warp(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned s[96];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    __syncthreads();
    if (t >= 32 && t < 64)
        return; /* a whole warp leaves */
    if (in[i] % 3 == 0)
        return;
    __syncthreads();
    out[i] = s[(t + 1) % 32] + i;
}

__device__ __noinline__ unsigned f1(unsigned x, unsigned *p)
{
    *p += x;
    return x * x + 1;
}
__device__ __noinline__ float f2(float a, float4 b, const char *c)
{
    return a + b.x * b.w + c[0];
}
struct Big {
    int v[12];
};
__device__ __noinline__ Big f3(Big b, int k)
{
    for (int i = 0; i < 12; i++)
        b.v[i] = b.v[(i * 5 + k) % 12] + i;
    return b;
}

extern "C" __global__ void calls(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, acc = 5;
    char c = 3;
    unsigned r = f1(in[i], &acc) + acc;
    if (i & 1)
        r += f1(r, &acc);
    float g = f2(1.5f, make_float4(1, 2, 3, (float)(in[i] & 255)), &c);
    Big b;
    for (int k = 0; k < 12; k++)
        b.v[k] = k * (int)r;
    b = f3(b, i % 12);
    out[i] = r + acc + (unsigned)g + b.v[i % 12];
}

__device__ int gtab[10] = {1, -2, 3, -4, 5};
__device__ int gx = 42;
__device__ int *gp[3] = {&gtab[1], &gx, gtab + 4};
__constant__ double cd[4] = {1.5, -2.5, 1e300, 3};
struct P {
    const char *n;
    int v;
    float f;
};
__device__ const P ptab[3] = {{"alpha", 1, 1.5f}, {"be\"ta\n", 2, 2.5f}, {"g", 3, 3.5f}};
__device__ short sh[3] = {-1, 2, -3};
__device__ long long gl = 0x123456789abcdefll;
__device__ unsigned char ub[5] = {1, 2, 3, 250, 255};

extern "C" __global__ void globals(int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int r =
        *gp[i % 3] + gtab[i % 10] + (int)cd[i % 2] + sh[i % 3] + (int)(gl >> (i % 40)) + ub[i % 5];
    const P &p = ptab[i % 3];
    r += p.v * 10 + (int)(p.f * 2);
    for (const char *c = p.n; *c; c++)
        r = r * 31 + *c;
    out[i] = r;
    if (i == 0)
        out[200] = gtab[9];
}

extern "C" __global__ void strings(char *out)
{
    const char *m = "hello, \"world\"\t\x01\xff end";
    unsigned t = threadIdx.x, n = 0;
    while (m[n])
        n++;
    out[t] = m[t % n];
}

extern "C" __global__ void grid_3d(unsigned *out)
{
    unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x,
             t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[b * 60 + t] = blockIdx.x | blockIdx.y << 4 | blockIdx.z << 8 | threadIdx.x << 12 |
                      threadIdx.y << 16 | threadIdx.z << 20 |
                      (gridDim.x + gridDim.y + gridDim.z + blockDim.z) << 24;
}

extern "C" __global__ void many_registers(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r[110];
#pragma unroll
    for (int k = 0; k < 110; k++)
        r[k] = in[(i + k * 64) & 16383];
    unsigned s = i;
    for (int it = 0; it < 5; it++) {
#pragma unroll
        for (int k = 0; k < 110; k++)
            r[k] = r[k] * 3 + r[(k * 7 + 1) % 110] + s;
        s = s * 5 + r[3];
    }
#pragma unroll
    for (int k = 0; k < 110; k++)
        s ^= r[k] * (k + 1);
    out[i] = s;
}

extern "C" __global__ void local_arrays(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a[16];
    unsigned char b[16];
    double d[8];
    for (int k = 0; k < 16; k++) {
        a[k] = in[i * 16 + k];
        b[k] = a[k] >> 5;
        d[k & 7] = a[k] * 0.5;
    }
    unsigned r = 0;
    for (int k = 0; k < 16; k++) {
        r = r * 3 + a[(r ^ b[k]) & 15] + (unsigned)(d[r & 7]);
        a[r & 15] += k;
        b[a[k] & 15] ^= r;
    }
    out[i] = r;
}

extern "C" __global__ void nested_loops(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], r = 0;
    for (unsigned a = 0; a < (v & 7); a++) {
        for (unsigned b = a; b < ((v >> 3) & 7); b++) {
            if ((a ^ b) & 1) {
                if (v & 64)
                    continue;
                r += 3;
            } else {
                if (b > 5)
                    break;
                r += in[(r + a * b) & 1023] & 15;
            }
            unsigned w = v;
            while (w > 1) {
                w = (w & 1) ? 3 * w + 1 : w / 2;
                w &= 0xff;
                if (++r & 32)
                    goto out;
            }
        }
    }
out:
    out[i] = r;
}

extern "C" __global__ void vectors(const float4 *in, uint4 *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[i];
    uint4 w = ((const uint4 *)in)[i ^ 1];
    uchar4 c = ((const uchar4 *)in)[i];
    out[i] = make_uint4(__float_as_uint(v.w) ^ c.x, w.y + c.y, w.z * 3 + c.z,
                        __float_as_uint(v.x) ^ c.w);
    ((uchar4 *)out)[i * 4 + 2] = make_uchar4(c.w, c.z, c.y, c.x);
    ((ushort2 *)out)[i * 4 + 3] = make_ushort2(w.x, w.y);
}
