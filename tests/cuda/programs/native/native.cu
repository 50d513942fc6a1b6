// Kernels with what machine code for kernels without time has to tell apart: guards, lanes that
// part, accesses in rows, pairs and fours, backwards, apart and at one place, doubles, calls,
// barriers, atomics, and loops that poll. Each result is compared with the host's; the sums are
// printed, so that two runs can be compared.
#include <cstdio>
#include <cstring>
#include <vector>

#define COUNT 1000u // no multiple of a warp

#define CHECK(call)                                                                                \
    if (cudaError_t error = call; error != cudaSuccess) {                                          \
        printf("%s: %s\n", #call, cudaGetErrorString(error));                                      \
        return 1;                                                                                  \
    }

__host__ __device__ unsigned mixed(unsigned x, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x = x % 3 ? x * 5 + 1 : x - 7; // lanes part
        if (x & 64)
            x += i;
    }
    return x;
}

__device__ __noinline__ double curve(double x)
{
    return x > 500 ? x * x - 3 * x : 1 / (x + 1);
}

__global__ void parted(unsigned *out, const unsigned *in, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = mixed(in[i], 20 + i % 5);
}

// Guards of single instructions, for all lanes, some and none. The first word of `in` is 0.
__global__ void guarded(unsigned *out, const unsigned *in, unsigned most)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 1, word = 5;
    for (unsigned k = 0; k < 3; k++)
        asm volatile("{ .reg .pred p, q;\n\t"
                     "setp.lt.u32 p, %2, %4;\n\t"
                     "setp.gt.u32 q, %2, %5;\n\t"
                     "@p ld.global.u32 %1, [%3];\n\t"
                     "@!p mad.lo.u32 %0, %0, 3, %1;\n\t"
                     "@q add.u32 %0, %0, %2; }"
                     : "+r"(sum), "+r"(word)
                     : "r"(i), "l"(in), "r"(most), "r"(most + k));
    out[i] = sum * 64 + word;
    out[512] = i; // the highest lane's
}

// Rows of fours and pairs, neighbours before and behind, a gather, a place of all.
__global__ void shaped(float4 *fours, double *doubles, const float4 *in, const float2 *pairs,
                       const unsigned *order, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2 || i + 2 >= n)
        return;
    float4 here = in[i], before = in[i - 2], behind = in[i + 2];
    float2 pair = pairs[i], gathered = pairs[order[i]], first = pairs[0];
    here.x = fmaf(before.x, pair.x, behind.w);
    here.y += gathered.y - first.x;
    here.z = here.z > 300 ? before.z : behind.z;
    here.w *= pair.y;
    fours[i] = here;
    doubles[n - 1 - i] = curve(here.x) + gathered.x;
}

__global__ void summed(unsigned long long *sums, const unsigned *in, unsigned n, int rounds)
{
    __shared__ unsigned part[2][64];
    unsigned t = threadIdx.x, from = 0;
    for (int k = 0; k < rounds; k++) {
        unsigned i = (blockIdx.x * rounds + k) * 64 + t;
        part[from][t] = i < n ? in[i] : 0;
        __syncthreads();
        for (unsigned half = 32; half; half /= 2) {
            if (t < half)
                part[from][t] += part[from][t + half];
            __syncthreads();
        }
        if (t == 0)
            atomicAdd(&sums[blockIdx.x % 3], part[from][0]);
        from ^= 1;
    }
}

// A scan with volatile words and two barriers in each step: no loop that polls, though it looks at
// memory.
__global__ void stepped(unsigned *out, const unsigned *in)
{
    __shared__ unsigned words[512];
    volatile unsigned *at = words + 256 + threadIdx.x;
    at[-256] = 0;
    *at = in[threadIdx.x];
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        unsigned sum = at[0] + at[-step];
        asm volatile("bar.sync 1;" ::: "memory");
        *at = sum;
    }
    out[threadIdx.x] = *at;
}

#define LINKS 16u

// A NaN has the bits that PTX says.
__host__ __device__ unsigned bits_of(float f)
{
#ifdef __CUDA_ARCH__
    return __float_as_uint(f);
#else
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    return f != f ? 0x7FFFFFFF : bits;
#endif
}

// Chains of sums that nobody looks at before their ends, with every kind of NaN in them; of the
// last one `looks` has the bits of each link.
__host__ __device__ void add_links(float sum[3], unsigned &looks, const float *a, const float *b,
                                   unsigned t)
{
    sum[0] = 1;
    sum[1] = sum[2] = 0;
    looks = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned k = 0; k < LINKS; k++) {
        const float of = b[32 * k + t];
        sum[0] = fmaf(a[k], of, sum[0]);
        sum[1] = fmaf(of, sum[1], 1) - a[k];
        sum[2] = fmaf(a[k], of, sum[2]);
        looks = looks * 3 + bits_of(sum[2]);
    }
}

__global__ void chained(unsigned *out, const float *in)
{
    __shared__ float a[LINKS], b[LINKS * 32];
    const unsigned t = threadIdx.x;
    for (unsigned k = 0; k < LINKS; k++)
        b[32 * k + t] = in[LINKS + 32 * k + t];
    if (t < LINKS)
        a[t] = in[t];
    __syncthreads();
    float sum[3], *one = a, *row = b + t;
    asm volatile("" : "+l"(one), "+l"(row)); // each has one base
    add_links(sum, out[96 + t], one, row, 0);
    for (unsigned i = 0; i < 3; i++)
        out[32 * i + t] = bits_of(sum[i]);
}

// Each block waits for the one behind it, which starts later.
__global__ void handed(volatile unsigned *turn, unsigned *chain)
{
    while (*turn != gridDim.x - 1 - blockIdx.x) // by all lanes
        ;
    if (threadIdx.x == 0) {
        *chain = *chain * 3 + blockIdx.x;
        __threadfence();
        *turn = gridDim.x - blockIdx.x;
    }
}

// Every block writes the same words, the first ones take longest: on several threads the host's
// order must not show.
__global__ void contended(unsigned *out)
{
    unsigned x = threadIdx.x;
    for (unsigned k = 0; k < 4 * (gridDim.x - blockIdx.x); k++)
        x = x * 5 + k;
    for (unsigned k = 0; k < 8; k++)
        out[threadIdx.x + k * 128] = blockIdx.x + (x & 1) * 1024;
}

// Two words of each lane by one base, again and again, of which in the third round the second lies
// behind the buffer or before it.
template <int other, int step> __global__ void outside(unsigned *out, const unsigned *in)
{
    unsigned sum = 0;
    in += threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 4; k++, in += step)
        sum += in[0] * in[other];
    out[threadIdx.x] = sum;
}

// Two warps, each at a barrier of the whole block of its own.
__global__ void apart(unsigned *out)
{
    out[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 32)
        asm volatile("bar.sync 0;" ::: "memory");
    else
        asm volatile("bar.sync 1;" ::: "memory");
}

template <class T> struct Device {
    T *at = nullptr;
    size_t n;
    Device(const std::vector<T> &from) : n(from.size())
    {
        cudaMalloc(&at, n * sizeof(T));
        cudaMemcpy(at, from.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> read() const
    {
        std::vector<T> to(n);
        cudaMemcpy(to.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost);
        return to;
    }
};

static unsigned long long digest(const void *at, size_t bytes)
{
    unsigned long long sum = 14695981039346656037ull;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ static_cast<const unsigned char *>(at)[i]) * 1099511628211ull;
    return sum;
}

// Seldom a NaN with some payload, or an infinite number.
static std::vector<float> with_nans()
{
    std::vector<float> to(LINKS * 33);
    for (unsigned i = 0; i < to.size(); i++) {
        unsigned bits = i * 2654435761u, rare = bits >> 8 & 0xFF;
        to[i] = static_cast<float>(i % 13) / 4 - 1;
        if (i >= LINKS && rare < 6) {
            bits = rare < 2 ? 0x7F800000 : rare < 4 ? 0xFFC01234 : 0x7F812345;
            memcpy(&to[i], &bits, sizeof bits);
        }
    }
    return to;
}

int main(int argc, char **argv)
{
    std::vector<unsigned> numbers(COUNT), order(COUNT);
    std::vector<float4> fours(COUNT);
    std::vector<float2> pairs(COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        float f = static_cast<float>(i);
        numbers[i] = i * 2654435761u;
        order[i] = i * 37 % COUNT;
        fours[i] = {f, f / 3, f / 2, 1 - f};
        pairs[i] = {f / 7, 2 * f};
    }
    Device<unsigned> in(numbers), out(std::vector<unsigned>(COUNT)), by(order),
        turn(std::vector<unsigned>(2)), guards(std::vector<unsigned>(544)),
        steps(std::vector<unsigned>(256)), ends(std::vector<unsigned>(128)),
        places(std::vector<unsigned>(8 * 1024));
    const std::vector<float> links = with_nans();
    Device<float> linked(links);
    Device<float4> from(fours), to(std::vector<float4>(COUNT));
    Device<float2> two(pairs);
    Device<double> doubles(std::vector<double>(COUNT));
    Device<unsigned long long> sums(std::vector<unsigned long long>(3));
    if (argc > 1) {
        if (!strcmp(argv[1], "behind"))
            outside<24, 32><<<1, 32>>>(in.at, out.at + COUNT - 104);
        else if (!strcmp(argv[1], "apart"))
            apart<<<1, 64>>>(out.at);
        else
            outside<-8, -32><<<1, 32>>>(in.at, out.at + 64);
        CHECK(cudaDeviceSynchronize())
        return 0;
    }
    parted<<<(COUNT + 95) / 96, 96>>>(out.at, in.at, COUNT);
    shaped<<<(COUNT + 127) / 128, 128>>>(to.at, doubles.at, from.at, two.at, by.at, COUNT);
    summed<<<4, 64>>>(sums.at, in.at, COUNT, 4);
    stepped<<<1, 256>>>(steps.at, in.at);
    handed<<<8, 32>>>(turn.at, turn.at + 1);
    chained<<<1, 32>>>(ends.at, linked.at);
    guarded<<<4, 128>>>(guards.at, in.at, 200);
    for (unsigned k = 0; k < 8; k++)
        contended<<<600, 128>>>(places.at + k * 1024);
    CHECK(cudaDeviceSynchronize())

    bool right = true;
    unsigned long long whole = 0, sum = 0;
    unsigned chain = 0;
    const std::vector<unsigned> mixes = out.read(), words = guards.read();
    for (unsigned i = 0; i < COUNT; i++) {
        right &= mixes[i] == mixed(numbers[i], 20 + i % 5);
        whole += numbers[i];
    }
    std::vector<unsigned long long> parts = sums.read();
    for (unsigned i = 0; i < 3; i++)
        sum += parts[i];
    for (unsigned i = 8; i-- > 0;)
        chain = chain * 3 + i;
    right &= turn.read()[1] == chain && (sum & 0xFFFFFFFF) == (whole & 0xFFFFFFFF);
    for (unsigned i = 0; i < 512; i++) {
        unsigned one = 1, word = i < 200 ? 0 : 5;
        for (unsigned k = 0; k < 3; k++)
            one = (i < 200 ? one : one * 3 + word) + (i > 200 + k ? i : 0);
        right &= words[i] == one * 64 + word;
    }
    const std::vector<unsigned> scanned = steps.read();
    for (unsigned i = 0, before = 0; i < 256; before = scanned[i++])
        right &= scanned[i] == before + numbers[i];
    const std::vector<unsigned> linked_sums = ends.read();
    for (unsigned t = 0; t < 32; t++) {
        float want[3];
        unsigned looks;
        add_links(want, looks, links.data(), links.data() + LINKS, t);
        for (unsigned i = 0; i < 3; i++)
            right &= linked_sums[32 * i + t] == bits_of(want[i]);
        right &= linked_sums[96 + t] == looks;
    }
    right &= words[512] % 32 == 31;
    for (unsigned i = 513; i < 544; i++)
        right &= words[i] == 0;
    std::vector<float4> shapes = to.read();
    for (unsigned i = 2; i + 2 < COUNT; i++)
        right &= shapes[i].x == fmaf(fours[i - 2].x, pairs[i].x, fours[i + 2].w) &&
                 shapes[i].z == (fours[i].z > 300 ? fours[i - 2].z : fours[i + 2].z);
    printf("values %llx %llx %llx %llx\n", digest(shapes.data(), COUNT * sizeof(float4)),
           digest(doubles.read().data(), COUNT * sizeof(double)),
           digest(places.read().data(), 8 * 1024 * sizeof(unsigned)),
           digest(linked_sums.data(), 128 * sizeof(unsigned)));
    puts(right ? "PASSED" : "WRONG");
    return !right;
}
