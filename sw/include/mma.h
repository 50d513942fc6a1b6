/* nvcuda::wmma: products of matrices of halves by a whole warp (CUDA C++ Programming Guide, warp
 * matrix functions), for -arch=sm_70 and later. Fragments of a and b are __half, sums __half or
 * float; the shapes are 16 x 16 x 16, 32 x 8 x 16 and 8 x 32 x 16. Integers, bfloat16, tf32 and
 * double are not there. Which element of a fragment is which is the machine's own affair; an
 * element of a or b may be unused. */
#ifndef EVGPU_SW_MMA_H
#define EVGPU_SW_MMA_H

#include <cuda_fp16.h>

#ifdef __CUDACC__

namespace nvcuda
{
namespace wmma
{

enum layout_t { mem_row_major, mem_col_major };

struct row_major {
};
struct col_major {
};
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};

template <class T, int Count> struct evgpu_storage {
    enum { num_elements = Count, num_storage_elements = Count };
    typedef T element_type;
    typedef T storage_element_type;
    T x[Count];
};

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;

#define EVGPU_MMA_DEVICE __device__ static __inline__ __attribute__((always_inline))

/* The registers of a fragment. */
template <class R, class F> struct evgpu_registers {
    R r[sizeof(F) / sizeof(R)];
    EVGPU_MMA_DEVICE evgpu_registers of(const F &f)
    {
        evgpu_registers made;
        __builtin_memcpy(made.r, f.x, sizeof made.r);
        return made;
    }
    __device__ __inline__ void to(F &f) const
    {
        __builtin_memcpy(f.x, r, sizeof r);
    }
};

#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
#define EVGPU_MMA_SHAPE(m, n, k, shape)                                                            \
    template <class L>                                                                             \
    class fragment<matrix_a, m, n, k, __half, L> : public evgpu_storage<__half, 16>                \
    {                                                                                              \
    };                                                                                             \
    template <class L>                                                                             \
    class fragment<matrix_b, m, n, k, __half, L> : public evgpu_storage<__half, 16>                \
    {                                                                                              \
    };                                                                                             \
    template <> class fragment<accumulator, m, n, k, __half> : public evgpu_storage<__half, 8>     \
    {                                                                                              \
    };                                                                                             \
    template <> class fragment<accumulator, m, n, k, float> : public evgpu_storage<float, 8>       \
    {                                                                                              \
    };
EVGPU_MMA_SHAPE(16, 16, 16, m16n16k16)
EVGPU_MMA_SHAPE(32, 8, 16, m32n8k16)
EVGPU_MMA_SHAPE(8, 32, 16, m8n32k16)
#undef EVGPU_MMA_SHAPE
#endif

template <class T, class V> EVGPU_MMA_DEVICE void fill_fragment(T &f, const V &value)
{
#pragma unroll
    for (int i = 0; i < T::num_elements; i++)
        f.x[i] = static_cast<typename T::element_type>(value);
}

#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 700

template <class L> struct evgpu_layout;
template <> struct evgpu_layout<row_major> {
    enum { number = 0 };
};
template <> struct evgpu_layout<col_major> {
    enum { number = 1 };
};

/* clang's built-in functions want the layout as a constant. */
#define EVGPU_MMA_FUNCTIONS(m, n, k, shape)                                                        \
    template <class L>                                                                             \
    EVGPU_MMA_DEVICE void load_matrix_sync(fragment<matrix_a, m, n, k, __half, L> &f,              \
                                           const __half *p, unsigned ldm)                          \
    {                                                                                              \
        evgpu_registers<int, fragment<matrix_a, m, n, k, __half, L>> to = {};                      \
        __hmma_##shape##_ld_a(to.r, (const int *)p, ldm, evgpu_layout<L>::number);                 \
        to.to(f);                                                                                  \
    }                                                                                              \
    template <class L>                                                                             \
    EVGPU_MMA_DEVICE void load_matrix_sync(fragment<matrix_b, m, n, k, __half, L> &f,              \
                                           const __half *p, unsigned ldm)                          \
    {                                                                                              \
        evgpu_registers<int, fragment<matrix_b, m, n, k, __half, L>> to = {};                      \
        __hmma_##shape##_ld_b(to.r, (const int *)p, ldm, evgpu_layout<L>::number);                 \
        to.to(f);                                                                                  \
    }                                                                                              \
    EVGPU_MMA_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, float> &f,               \
                                           const float *p, unsigned ldm, layout_t layout)          \
    {                                                                                              \
        if (layout == mem_row_major)                                                               \
            __hmma_##shape##_ld_c_f32(f.x, p, ldm, 0);                                             \
        else                                                                                       \
            __hmma_##shape##_ld_c_f32(f.x, p, ldm, 1);                                             \
    }                                                                                              \
    EVGPU_MMA_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, __half> &f,              \
                                           const __half *p, unsigned ldm, layout_t layout)         \
    {                                                                                              \
        evgpu_registers<int, fragment<accumulator, m, n, k, __half>> to = {};                      \
        if (layout == mem_row_major)                                                               \
            __hmma_##shape##_ld_c_f16(to.r, (const int *)p, ldm, 0);                               \
        else                                                                                       \
            __hmma_##shape##_ld_c_f16(to.r, (const int *)p, ldm, 1);                               \
        to.to(f);                                                                                  \
    }                                                                                              \
    EVGPU_MMA_DEVICE void store_matrix_sync(                                                       \
        float *p, const fragment<accumulator, m, n, k, float> &f, unsigned ldm, layout_t layout)   \
    {                                                                                              \
        auto from = evgpu_registers<float, fragment<accumulator, m, n, k, float>>::of(f);          \
        if (layout == mem_row_major)                                                               \
            __hmma_##shape##_st_c_f32(p, from.r, ldm, 0);                                          \
        else                                                                                       \
            __hmma_##shape##_st_c_f32(p, from.r, ldm, 1);                                          \
    }                                                                                              \
    EVGPU_MMA_DEVICE void store_matrix_sync(                                                       \
        __half *p, const fragment<accumulator, m, n, k, __half> &f, unsigned ldm, layout_t layout) \
    {                                                                                              \
        auto from = evgpu_registers<int, fragment<accumulator, m, n, k, __half>>::of(f);           \
        if (layout == mem_row_major)                                                               \
            __hmma_##shape##_st_c_f16((int *)p, from.r, ldm, 0);                                   \
        else                                                                                       \
            __hmma_##shape##_st_c_f16((int *)p, from.r, ldm, 1);                                   \
    }                                                                                              \
    EVGPU_MMA_PRODUCT(m, n, k, shape, float, float, f32f32)                                        \
    EVGPU_MMA_PRODUCT(m, n, k, shape, __half, __half, f16f16)                                      \
    EVGPU_MMA_PRODUCT(m, n, k, shape, float, __half, f32f16)                                       \
    EVGPU_MMA_PRODUCT(m, n, k, shape, __half, float, f16f32)
/* The built-in function's layouts: a row or column, b the same: 0 to 3. */
#define EVGPU_MMA_PRODUCT(m, n, k, shape, D, C, types)                                             \
    template <class LA, class LB>                                                                  \
    EVGPU_MMA_DEVICE void mma_sync(fragment<accumulator, m, n, k, D> &d,                           \
                                   const fragment<matrix_a, m, n, k, __half, LA> &a,               \
                                   const fragment<matrix_b, m, n, k, __half, LB> &b,               \
                                   const fragment<accumulator, m, n, k, C> &c)                     \
    {                                                                                              \
        typedef typename evgpu_sum<D>::type RD;                                                    \
        typedef typename evgpu_sum<C>::type RC;                                                    \
        auto ra = evgpu_registers<int, fragment<matrix_a, m, n, k, __half, LA>>::of(a);            \
        auto rb = evgpu_registers<int, fragment<matrix_b, m, n, k, __half, LB>>::of(b);            \
        auto rc = evgpu_registers<RC, fragment<accumulator, m, n, k, C>>::of(c);                   \
        evgpu_registers<RD, fragment<accumulator, m, n, k, D>> rd;                                 \
        __hmma_##shape##_mma_##types(rd.r, ra.r, rb.r, rc.r,                                       \
                                     2 * evgpu_layout<LA>::number + evgpu_layout<LB>::number, 0);  \
        rd.to(d);                                                                                  \
    }
template <class T> struct evgpu_sum;
template <> struct evgpu_sum<float> {
    typedef float type;
};
template <> struct evgpu_sum<__half> {
    typedef int type;
};
EVGPU_MMA_FUNCTIONS(16, 16, 16, m16n16k16)
EVGPU_MMA_FUNCTIONS(32, 8, 16, m32n8k16)
EVGPU_MMA_FUNCTIONS(8, 32, 16, m8n32k16)
#undef EVGPU_MMA_FUNCTIONS
#undef EVGPU_MMA_PRODUCT

#endif
#else

/* For the host's compilation, which only reads the kernels. */
template <class... A> __device__ void load_matrix_sync(A &&...);
template <class... A> __device__ void store_matrix_sync(A &&...);
template <class... A> __device__ void mma_sync(A &&...);

#endif
#undef EVGPU_MMA_DEVICE

} // namespace wmma
} // namespace nvcuda

#endif
#endif
