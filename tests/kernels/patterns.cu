/* Reductions, scans, histograms, sorts: shared memory, shuffles, votes, atomics, barriers. */
// RUN reduce_shared 8 256 --shared 1024 : data:65536 zero:256 u32:16384
// RUN reduce_shared 3 96 --shared 1024 : data:65536 zero:256 u32:16001
// RUN reduce_shuffle 8 256 : data:65536 zero:256 u32:16384
// RUN reduce_shuffle 5 1024 : data:65536 zero:256 u32:16000
// RUN reduce_last_block 9 128 : data:65536 zero:256 zero:256 u32:16384
// RUN scan_block 4 512 : data:8192 zero:8192 zero:64
// RUN histogram_shared 6 200 : data:40000 zero:1024 u32:10000
// RUN histogram_global 6 200 : data:40000 zero:1024 u32:10000
// RUN transpose_pad 5,7 32,8 : data:65536 zero:65536 u32:100 u32:150
// RUN bitonic 1 512 : data:4096
// RUN radix_pass 4 256 : data:4096 zero:4096 zero:4096 u32:4
// RUN counts 3 200 : data:4096 zero:8192

template <class T> __device__ T wsum(T v)
{
    for (int o = 16; o; o >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, o);
    return v;
}

__device__ unsigned ticket = 0;

extern "C" __global__ void reduce_shared(const unsigned *in, unsigned *out, unsigned n)
{
    DYNAMIC_SHARED(unsigned, s);
    unsigned t = threadIdx.x, a = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        a += in[i];
    s[t] = a;
    __syncthreads();
    for (unsigned k = 128; k; k >>= 1) {
        if (t < k && t + k < blockDim.x)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduce_shuffle(const int *in, long long *out, unsigned n)
{
    __shared__ long long part[32];
    unsigned t = threadIdx.x;
    long long a = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        a += in[i];
    a = wsum(a);
    if ((t & 31) == 0)
        part[t >> 5] = a;
    __syncthreads();
    if (t < 32) {
        a = t < blockDim.x / 32 ? part[t] : 0;
        a = wsum(a);
        if (t == 0)
            out[blockIdx.x] = a;
    }
}

extern "C" __global__ void reduce_last_block(const unsigned *in, volatile unsigned *part,
                                             unsigned *out, unsigned n)
{
    __shared__ unsigned s[128];
    __shared__ bool last;
    unsigned t = threadIdx.x, a = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        a ^= in[i] * 2654435761u;
    s[t] = a;
    __syncthreads();
    for (unsigned k = 64; k; k >>= 1) {
        if (t < k)
            s[t] ^= s[t + k];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&ticket, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        if (t == 0) {
            unsigned x = 0;
            for (unsigned b = 0; b < gridDim.x; b++)
                x = x * 31 + part[b];
            out[0] = x;
            ticket = 0;
        }
    }
}

extern "C" __global__ void scan_block(const unsigned *in, unsigned *out, unsigned *sums)
{
    __shared__ unsigned s[2][512];
    unsigned t = threadIdx.x, g = blockIdx.x * 512 + t;
    int p = 0;
    s[0][t] = in[g];
    __syncthreads();
    for (unsigned d = 1; d < 512; d *= 2) {
        p ^= 1;
        s[p][t] = t >= d ? s[p ^ 1][t] + s[p ^ 1][t - d] : s[p ^ 1][t];
        __syncthreads();
    }
    out[g] = s[p][t];
    if (t == 511)
        sums[blockIdx.x] = s[p][t];
}

extern "C" __global__ void histogram_shared(const unsigned *in, unsigned *h, unsigned n)
{
    __shared__ unsigned s[256];
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned v = in[i];
        if ((v & 255) != 200)
            atomicAdd(&s[v & 255], 1u);
        atomicAdd(&s[v >> 8 & 15], 1u);
        atomicMax(&s[200], v >> 20);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        if (i != 200)
            atomicAdd(&h[i], s[i]);
        else
            atomicMax(&h[i], s[i]);
}

extern "C" __global__ void histogram_global(const unsigned *in, unsigned *h, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned v = in[i];
        atomicAdd(&h[v & 63], v);
        atomicXor(&h[64 + (v & 3)], v);
        atomicOr(&h[70], v & 0x5555);
        atomicMin((int *)&h[71], (int)v);
        atomicMax((int *)&h[72], (int)v);
        atomicMin(&h[73], v);
        atomicMax(&h[74], v);
        atomicSub(&h[75], v);
        atomicInc(&h[76], 99);
        atomicDec(&h[77], 77);
    }
}

extern "C" __global__ void transpose_pad(const unsigned *in, unsigned *out, unsigned w, unsigned h)
{
    __shared__ unsigned t[32][33];
    unsigned x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (x < w && y0 + j < h)
            t[j][threadIdx.x] = in[(y0 + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y0 = blockIdx.x * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (x < h && y0 + j < w)
            out[(y0 + j) * h + x] = t[threadIdx.x][j];
}

extern "C" __global__ void bitonic(int *a)
{
    __shared__ int s[1024];
    unsigned t = threadIdx.x;
    s[t] = a[t];
    s[t + 512] = a[t + 512];
    __syncthreads();
    for (unsigned k = 2; k <= 1024; k *= 2)
        for (unsigned j = k / 2; j; j /= 2) {
            for (unsigned i = t; i < 1024; i += 512) {
                unsigned x = i ^ j;
                if (x > i) {
                    if (((i & k) == 0) == (s[i] > s[x])) {
                        int q = s[i];
                        s[i] = s[x];
                        s[x] = q;
                    }
                }
            }
            __syncthreads();
        }
    a[t] = s[t];
    a[t + 512] = s[t + 512];
}

extern "C" __global__ void radix_pass(const unsigned *in, unsigned *out, unsigned *cnt,
                                      unsigned shift)
{
    __shared__ unsigned c[16], base[16];
    unsigned t = threadIdx.x, v = in[blockIdx.x * 256 + t], d = v >> shift & 15;
    __shared__ unsigned wc[8][16];
    for (int i = t; i < 128; i += 256)
        wc[i / 16][i % 16] = 0;
    if (t < 16)
        c[t] = 0;
    __syncthreads();
    unsigned rank = 0;
    for (unsigned k = 0; k < 16; k++) {
        unsigned m = __ballot_sync(~0u, d == k);
        if (d == k)
            rank = __popc(m & __lanemask_lt());
        if ((t & 31) == 0)
            wc[t >> 5][k] = __popc(m);
    }
    __syncthreads();
    if (t < 16) {
        unsigned s = 0;
        for (int w = 0; w < 8; w++) {
            unsigned q = wc[w][t];
            wc[w][t] = s;
            s += q;
        }
        c[t] = s;
    }
    __syncthreads();
    if (t == 0) {
        unsigned s = 0;
        for (int i = 0; i < 16; i++) {
            base[i] = s;
            s += c[i];
        }
    }
    __syncthreads();
    out[blockIdx.x * 256 + base[d] + wc[t >> 5][d] + rank] = v;
    if (t < 16)
        cnt[blockIdx.x * 16 + t] = c[t];
}

extern "C" __global__ void counts(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    int c = __syncthreads_count(v & 1), o = __syncthreads_or((v & 0xff) == 3),
        a = __syncthreads_and(v != 0);
    out[i] = c * 4 + o * 2 + a;
}
