/* Classes with padding behind their members, by value from and to device functions, on their own,
 * in others and as bases: the members keep their values. */
#include "check.h"

namespace padded /* LLVM's names of such classes have quotes */
{

template <class K, class V> struct pair {
    K k;
    V v;
    __host__ __device__ pair()
    {
    }
    __host__ __device__ pair(K key, V value) : k(key), v(value)
    {
    }
    __host__ __device__ bool operator<(const pair &r) const
    {
        return k < r.k || (k == r.k && v < r.v);
    }
};

template <class T> struct less_than {
    static __host__ __device__ bool compare(const T l, const T r)
    {
        return l < r;
    }
};

struct two { /* padding in the middle */
    pair<short, char> first;
    int second;
    __host__ __device__ two(pair<short, char> a, int b) : first(a), second(b)
    {
    }
    __host__ __device__ bool operator<(const two &r) const
    {
        typedef less_than<pair<short, char>> less;
        return less::compare(first, r.first) ||
               (!less::compare(r.first, first) && second < r.second);
    }
};

struct more : pair<int, char> { /* a member where the base has its padding */
    char third;
    __host__ __device__ more(int a, char b, char c) : pair<int, char>(a, b), third(c)
    {
    }
    __host__ __device__ bool operator<(const more &r) const
    {
        return k < r.k || (k == r.k && third < r.third);
    }
};

__device__ pair<int, bool> other(const pair<int, bool> &p)
{
    return pair<int, bool>(__shfl_xor_sync(~0u, p.k, 1), __shfl_xor_sync(~0u, p.v, 1));
}
__device__ pair<float, char> other(const pair<float, char> &p)
{
    return pair<float, char>(__shfl_xor_sync(~0u, p.k, 1), (char)__shfl_xor_sync(~0u, p.v, 1));
}
__device__ pair<short, char> other(const pair<short, char> &p)
{
    return pair<short, char>((short)__shfl_xor_sync(~0u, p.k, 1),
                             (char)__shfl_xor_sync(~0u, p.v, 1));
}
__device__ two other(const two &p)
{
    return two(pair<short, char>((short)__shfl_xor_sync(~0u, p.first.k, 1),
                                 (char)__shfl_xor_sync(~0u, p.first.v, 1)),
               __shfl_xor_sync(~0u, p.second, 1));
}
__device__ more other(const more &p)
{
    return more(__shfl_xor_sync(~0u, p.k, 1), (char)__shfl_xor_sync(~0u, p.v, 1),
                (char)__shfl_xor_sync(~0u, p.third, 1));
}

/* The greater of two lanes, where `up`, else the less. */
template <class T> __device__ T exchange(const T x, int up)
{
    T y = other(x);
    return less_than<T>::compare(x, y) == up ? y : x;
}

template <class T> __host__ __device__ T made(int lane);
template <> __host__ __device__ pair<int, bool> made(int lane)
{
    return pair<int, bool>(lane * 7 % 32, lane % 3 == 0);
}
template <> __host__ __device__ pair<float, char> made(int lane)
{
    return pair<float, char>((float)(lane * 5 % 8), (char)lane);
}
template <> __host__ __device__ pair<short, char> made(int lane)
{
    return pair<short, char>((short)(lane * 3 % 4), (char)(lane % 5));
}
template <> __host__ __device__ two made(int lane)
{
    return two(pair<short, char>((short)(lane * 3 % 4), (char)(lane % 5)), lane * 11 % 32);
}
template <> __host__ __device__ more made(int lane)
{
    return more(lane / 4, (char)lane, (char)(lane * 13 % 32));
}

template <class T> __global__ void sort_pairs(T *out)
{
    int lane = (int)threadIdx.x;
    out[lane] = exchange(made<T>(lane), lane & 1);
}

__host__ __device__ bool same(const pair<int, bool> &a, const pair<int, bool> &b)
{
    return a.k == b.k && a.v == b.v;
}
__host__ __device__ bool same(const pair<float, char> &a, const pair<float, char> &b)
{
    return a.k == b.k && a.v == b.v;
}
__host__ __device__ bool same(const pair<short, char> &a, const pair<short, char> &b)
{
    return a.k == b.k && a.v == b.v;
}
__host__ __device__ bool same(const two &a, const two &b)
{
    return a.first.k == b.first.k && a.first.v == b.first.v && a.second == b.second;
}
__host__ __device__ bool same(const more &a, const more &b)
{
    return a.k == b.k && a.v == b.v && a.third == b.third;
}

template <class T> bool sorts()
{
    T *out;
    bool ok = true;
    CHECK(cudaMallocManaged(&out, 32 * sizeof(T)));
    sort_pairs<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int lane = 0; lane < 32; lane++) {
        T x = made<T>(lane), y = made<T>(lane ^ 1);
        ok = ok && same(out[lane], less_than<T>::compare(x, y) == (lane & 1) ? y : x);
    }
    CHECK(cudaFree(out));
    return ok;
}

} // namespace padded

using namespace padded;

int main()
{
    bool ok[] = {sorts<pair<int, bool>>(), sorts<pair<float, char>>(), sorts<pair<short, char>>(),
                 sorts<two>(), sorts<more>()};
    printf("%d %d %d %d %d\n", ok[0], ok[1], ok[2], ok[3], ok[4]);
    return verdict("padding", ok[0] && ok[1] && ok[2] && ok[3] && ok[4]);
}
