/* Words that nvcc's own front end does not miss: attributes that only the declaration of a member
 * function has or only its definition, or that differ between a template and its specialization;
 * "this->", "template" and "typename" in templates. Attributes of C++ behind __device__. Names that
 * nobody declares, in templates that nobody uses. And what it ignores: loops that are to be
 * unrolled less than once, and pointers in front of static members. */
#include <cstdio>

#define BOTH __host__ __device__

class counter
{
    unsigned *word;

  public:
    counter(unsigned *w);
    void add() const;
    unsigned *address() const;
    int step();
    BOTH int size();
    operator unsigned() const;
};

__device__ counter::counter(unsigned *w) : word(w)
{
}
__device__ void counter::add() const
{
    atomicAdd(word, 1);
}
__device__ unsigned *counter::address() const
{
    return word;
}
BOTH int counter::step()
{
    return 2;
}
int counter::size()
{
    return 3;
}
BOTH counter::operator unsigned() const
{
    return 4;
}

template <int N> struct list {
    BOTH int decoded(int v)
    {
        return v + N;
    }
};
template <int N> struct heap : list<N> {
    int entry[N];
    int first();
    __device__ int last();
};
template <int N> BOTH int heap<N>::first()
{
    return decoded(entry[0]);
}
template <int N> int heap<N>::last()
{
    return entry[N - 1];
}

template <class T> BOTH float truncated(T t);
template <> inline BOTH float truncated(float f)
{
    return f;
}
#ifdef __CUDA_ARCH__
template <> inline __device__ float truncated(int i)
{
    return __int2float_rz(i);
}
#endif

struct maker {
    typedef unsigned type;
    template <class T> BOTH T make()
    {
        return (T)5;
    }
};
template <class M> __device__ unsigned made(M m)
{
    M::type made = m.make<unsigned>();
    made = M::type(made);
    return made;
}

template <class T> struct unused {
    __device__ T lowest(const T *t)
    {
        return min(*t, undeclared);
    }
    __device__ int sum()
    {
        absent a = {1};
        return a.sum;
    }
    static __device__ unsigned six()
    {
        return 6;
    }
};

static BOTH [[nodiscard]] unsigned twice(unsigned x)
{
    return 2 * x;
}
template <class T> __device__ [[gnu::noinline]] T thrice(T x)
{
    return 3 * x;
}
// clang-format off
struct half {__device__ [[nodiscard]] unsigned of(unsigned x) { return x / 2; }};
// clang-format on
struct quarter {
    unsigned of;
    __device__ [[nodiscard, gnu::always_inline]] unsigned value() const
    {
        return of / 4;
    }
};

__global__ __launch_bounds__(64) [[gnu::used]] void kernel(unsigned *words)
{
    counter c(words);
    c.add();
    heap<2> h;
    h.entry[0] = 7;
    h.entry[1] = 9;
    words[1] = (unsigned)(c.step() + c.size()) + (c.address() == words) + (unsigned)c;
    words[2] = (unsigned)(h.first() + h.last());
    words[3] = (unsigned)truncated(6) + made(maker());
    words[4] = unused<maker>::six() + twice(thrice(5u)) + quarter{words[2]}.value() + half().of(6);
}

/* Of two classes, kernels use that of the device. */
#ifdef __CUDA_ARCH__
struct one_side {
    unsigned number;
    __device__ one_side(unsigned n) : number(n)
    {
    }
};
#else
struct one_side {
};
#endif
template <class T> __global__ void device_sides(unsigned *words, T t)
{
    // } "
#define SEVEN 7
    words[5] = one_side(t).number;
}
__global__ void device_seven(unsigned *words)
{
    enum { once = 1 };
#pragma unroll(once)
    for (int i = 0; i < once; i++)
        words[6] = one_side(SEVEN).number;
}

/* Of two functions, host code calls that of the host. */
#ifdef __CUDA_ARCH__
template <class T> static __device__ void count(T &t)
{
    atomicAdd(&t, 1);
}
static __device__ unsigned side()
{
    return 2;
}
#else
template <class T> static void count(T &t)
{
    t++;
}
static unsigned side()
{
    return 1;
}
#endif
__global__ void device_counts(unsigned *words)
{
    count(words[7]);
    words[8] = side();
}
static unsigned host_counts()
{
    unsigned counted = 10, (*of)() = side;
    count(counted);
    return counted + side() + of();
}

/* Loops that are to be unrolled less than once. */
#define NEVER -1
template <int N> __global__ void unrolled(unsigned *words)
{
#pragma unroll N // 0 and 2
    for (int i = 0; i < 3; i++)
        words[9] += i;
#pragma unroll(N - 1) /* -1 and 1 */
    for (int i = 0; i < 3; i++)
        words[9] += i;
#pragma unroll NEVER
    for (int i = 0; i < 3; i++)
        words[9] += i;
}
static unsigned host_unrolled()
{
    unsigned sum = 0;
#pragma unroll 0
    for (unsigned i = 0; i < 3; i++)
        sum += i;
    return sum;
}

/* Static members as constants by a pointer that is none, and operators that are templates. */
struct scale {
    template <int M> BOTH int operator()(int cell) const
    {
        return cell * M;
    }
    template <int M> BOTH static int add(int cell)
    {
        return cell + M;
    }
    BOTH static int add(int cell, int other)
    {
        return cell + other;
    }
};
template <int N, class S> struct tile {
    static constexpr int side = N;
    static constexpr bool wide = N > 4;
    struct inner {
        typedef S kind;
    };
    int cell;
    S by;
    BOTH int area() const
    {
        if constexpr (this -> wide)
            return S::add<1>(this->by.operator()<N>(this->cell));
        else
            return inner::kind::add<0>(-(*this).by.operator() < side > (cell));
    }
};
__global__ void areas(unsigned *words)
{
    tile<8, scale> wide = {5};
    tile<2, scale> narrow = {7};
    words[10] = wide.area();
    words[11] = narrow.area();
}

int main()
{
    unsigned *words;
    if (cudaMallocManaged(&words, 12 * sizeof *words))
        return 1;
    words[0] = words[7] = words[9] = 0;
    kernel<<<2, 32>>>(words);
    device_sides<<<1, 1>>>(words, 6);
    device_seven<<<1, 1>>>(words);
    device_counts<<<1, 3>>>(words);
    unrolled<0><<<1, 1>>>(words);
    unrolled<2><<<1, 1>>>(words);
    areas<<<1, 1>>>(words);
    cudaError_t error = cudaDeviceSynchronize();
    if (error) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    bool right = words[0] == 64 && words[1] == 10 && words[2] == 18 && words[3] == 11 &&
                 words[4] == 43 && words[5] == 6 && words[6] == 7 && words[7] == 3 &&
                 words[8] == 2 && host_counts() == 13 && words[9] == 18 && host_unrolled() == 3 &&
                 words[10] == 41 && words[11] == -14u && tile<8, scale>{6}.area() == 49;
    printf("%s\n", right ? "PASSED" : "FAILED");
    return !right;
}
