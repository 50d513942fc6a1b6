/* nvcuda::wmma: products of matrices by a whole warp (CUDA C++ Programming Guide, warp matrix
 * functions). Elements of a and b, sums, shapes and the least -arch:
 *
 *   __half                       __half, float   16 x 16 x 16, 32 x 8 x 16, 8 x 32 x 16   sm_70
 *   signed char, unsigned char   int             the same                                 sm_72
 *   experimental::precision s4, u4, b1   int     8 x 8 x 32, b1: 8 x 8 x 128              sm_75
 *   __nv_bfloat16                float           as __half                                sm_80
 *   precision::tf32              float           16 x 16 x 8                              sm_80
 *   double                       double          8 x 8 x 4                                sm_80
 *
 * Which element of a fragment is which is the machine's own affair; an element of a or b may be
 * unused. */
#ifndef EVGPU_SW_MMA_H
#define EVGPU_SW_MMA_H

#include <cuda_bf16.h>
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

namespace precision
{
struct tf32 {
};
} // namespace precision

namespace experimental
{
namespace precision
{
struct u4 {
};
struct s4 {
};
struct b1 {
};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* `Count` elements of type T in `Stored` pieces of type S. */
template <class T, int Count, class S = T, int Stored = Count> struct evgpu_storage {
    enum { num_elements = Count, num_storage_elements = Stored };
    typedef T element_type;
    typedef S storage_element_type;
    S x[Stored];
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

#define EVGPU_MMA_OPERANDS(m, n, k, T, a_storage, b_storage)                                       \
    template <class L> class fragment<matrix_a, m, n, k, T, L> : public a_storage                  \
    {                                                                                              \
    };                                                                                             \
    template <class L> class fragment<matrix_b, m, n, k, T, L> : public b_storage                  \
    {                                                                                              \
    };
#define EVGPU_MMA_SUM(m, n, k, T, count)                                                           \
    template <> class fragment<accumulator, m, n, k, T> : public evgpu_storage<T, count>           \
    {                                                                                              \
    };
/* A type whose fragments have so many elements, in each of the shapes of halves. */
#define EVGPU_MMA_ELEMENTS(T, a, b, a_tall, b_tall, a_flat, b_flat)                                \
    EVGPU_MMA_OPERANDS(16, 16, 16, T, evgpu_storage<T EVGPU_COMMA a>,                              \
                       evgpu_storage<T EVGPU_COMMA b>)                                             \
    EVGPU_MMA_OPERANDS(32, 8, 16, T, evgpu_storage<T EVGPU_COMMA a_tall>,                          \
                       evgpu_storage<T EVGPU_COMMA b_tall>)                                        \
    EVGPU_MMA_OPERANDS(8, 32, 16, T, evgpu_storage<T EVGPU_COMMA a_flat>,                          \
                       evgpu_storage<T EVGPU_COMMA b_flat>)
#define EVGPU_MMA_SUMS(T)                                                                          \
    EVGPU_MMA_SUM(16, 16, 16, T, 8)                                                                \
    EVGPU_MMA_SUM(32, 8, 16, T, 8)                                                                 \
    EVGPU_MMA_SUM(8, 32, 16, T, 8)
/* Elements of less than a byte: a register of them. */
#define EVGPU_MMA_SUB_BYTE(k, T, element, count)                                                   \
    EVGPU_MMA_OPERANDS(8, 8, k, T,                                                                 \
                       evgpu_storage<element EVGPU_COMMA count EVGPU_COMMA element EVGPU_COMMA 1>, \
                       evgpu_storage<element EVGPU_COMMA count EVGPU_COMMA element EVGPU_COMMA 1>)
#define EVGPU_COMMA ,

#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
EVGPU_MMA_ELEMENTS(__half, 16, 16, 16, 16, 16, 16)
EVGPU_MMA_SUMS(__half)
EVGPU_MMA_SUMS(float)
#endif
#if __CUDA_ARCH__ >= 720 || !defined(__CUDA_ARCH__)
EVGPU_MMA_ELEMENTS(signed char, 8, 8, 16, 4, 4, 16)
EVGPU_MMA_ELEMENTS(unsigned char, 8, 8, 16, 4, 4, 16)
EVGPU_MMA_SUMS(int)
#endif
#if __CUDA_ARCH__ >= 750 || !defined(__CUDA_ARCH__)
EVGPU_MMA_SUB_BYTE(32, experimental::precision::s4, int, 8)
EVGPU_MMA_SUB_BYTE(32, experimental::precision::u4, unsigned, 8)
EVGPU_MMA_SUB_BYTE(128, experimental::precision::b1, unsigned, 32)
EVGPU_MMA_SUM(8, 8, 32, int, 2)
EVGPU_MMA_SUM(8, 8, 128, int, 2)
#endif
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
EVGPU_MMA_ELEMENTS(__nv_bfloat16, 8, 8, 16, 4, 4, 16)
EVGPU_MMA_OPERANDS(16, 16, 8, precision::tf32, evgpu_storage<float EVGPU_COMMA 4>,
                   evgpu_storage<float EVGPU_COMMA 4>)
EVGPU_MMA_SUM(16, 16, 8, float, 8)
EVGPU_MMA_OPERANDS(8, 8, 4, double, evgpu_storage<double EVGPU_COMMA 1>,
                   evgpu_storage<double EVGPU_COMMA 1>)
EVGPU_MMA_SUM(8, 8, 4, double, 2)
#endif
#undef EVGPU_MMA_OPERANDS
#undef EVGPU_MMA_SUM
#undef EVGPU_MMA_ELEMENTS
#undef EVGPU_MMA_SUMS
#undef EVGPU_MMA_SUB_BYTE
#undef EVGPU_COMMA

template <class T, class V> EVGPU_MMA_DEVICE void fill_fragment(T &f, const V &value)
{
#pragma unroll
    for (int i = 0; i < T::num_storage_elements; i++)
        f.x[i] = static_cast<typename T::storage_element_type>(value);
}

/* To the nearest tf32, ties away from zero (PTX: cvt.rna.tf32.f32). */
EVGPU_MMA_DEVICE float __float_to_tf32(float value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7F800000u) != 0x7F800000u)
        bits = (bits + 0x1000u) & 0xFFFFE000u;
    __builtin_memcpy(&value, &bits, sizeof bits);
    return value;
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

/* clang's built-in functions, on registers of type R, want the layout as a constant. */
#define EVGPU_MMA_LOAD(use, m, n, k, T, P, R, function)                                            \
    template <class L>                                                                             \
    EVGPU_MMA_DEVICE void load_matrix_sync(fragment<use, m, n, k, T, L> &f, const P *p,            \
                                           unsigned ldm)                                           \
    {                                                                                              \
        evgpu_registers<R, fragment<use, m, n, k, T, L>> to = {};                                  \
        function(to.r, (const R *)p, ldm, evgpu_layout<L>::number);                                \
        to.to(f);                                                                                  \
    }
#define EVGPU_MMA_SUM(m, n, k, T, R, load, store)                                                  \
    EVGPU_MMA_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p,       \
                                           unsigned ldm, layout_t layout)                          \
    {                                                                                              \
        evgpu_registers<R, fragment<accumulator, m, n, k, T>> to = {};                             \
        if (layout == mem_row_major)                                                               \
            load(to.r, (const R *)p, ldm, 0);                                                      \
        else                                                                                       \
            load(to.r, (const R *)p, ldm, 1);                                                      \
        to.to(f);                                                                                  \
    }                                                                                              \
    EVGPU_MMA_DEVICE void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f,      \
                                            unsigned ldm, layout_t layout)                         \
    {                                                                                              \
        auto from = evgpu_registers<R, fragment<accumulator, m, n, k, T>>::of(f);                  \
        if (layout == mem_row_major)                                                               \
            store((R *)p, from.r, ldm, 0);                                                         \
        else                                                                                       \
            store((R *)p, from.r, ldm, 1);                                                         \
    }
/* The built-in function's layouts: a row or column, b the same: 0 to 3. */
#define EVGPU_MMA_LAYOUTS(LA, LB) (2 * evgpu_layout<LA>::number + evgpu_layout<LB>::number)
#define EVGPU_MMA_PRODUCT(m, n, k, T, R, D, RD, C, RC, function)                                   \
    template <class LA, class LB>                                                                  \
    EVGPU_MMA_DEVICE void mma_sync(                                                                \
        fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LA> &a,         \
        const fragment<matrix_b, m, n, k, T, LB> &b, const fragment<accumulator, m, n, k, C> &c)   \
    {                                                                                              \
        auto ra = evgpu_registers<R, fragment<matrix_a, m, n, k, T, LA>>::of(a);                   \
        auto rb = evgpu_registers<R, fragment<matrix_b, m, n, k, T, LB>>::of(b);                   \
        auto rc = evgpu_registers<RC, fragment<accumulator, m, n, k, C>>::of(c);                   \
        evgpu_registers<RD, fragment<accumulator, m, n, k, D>> rd;                                 \
        function(rd.r, ra.r, rb.r, rc.r, EVGPU_MMA_LAYOUTS(LA, LB), 0);                            \
        rd.to(d);                                                                                  \
    }
#define EVGPU_MMA_INTEGERS(m, n, k, T, function)                                                   \
    template <class LA, class LB>                                                                  \
    EVGPU_MMA_DEVICE void mma_sync(                                                                \
        fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, T, LA> &a,       \
        const fragment<matrix_b, m, n, k, T, LB> &b, const fragment<accumulator, m, n, k, int> &c, \
        bool saturates = false)                                                                    \
    {                                                                                              \
        auto ra = evgpu_registers<int, fragment<matrix_a, m, n, k, T, LA>>::of(a);                 \
        auto rb = evgpu_registers<int, fragment<matrix_b, m, n, k, T, LB>>::of(b);                 \
        auto rc = evgpu_registers<int, fragment<accumulator, m, n, k, int>>::of(c);                \
        if (saturates)                                                                             \
            function(d.x, ra.r, rb.r, rc.r, EVGPU_MMA_LAYOUTS(LA, LB), 1);                         \
        else                                                                                       \
            function(d.x, ra.r, rb.r, rc.r, EVGPU_MMA_LAYOUTS(LA, LB), 0);                         \
    }

#define EVGPU_MMA_HALVES(m, n, k, shape)                                                           \
    EVGPU_MMA_LOAD(matrix_a, m, n, k, __half, __half, int, __hmma_##shape##_ld_a)                  \
    EVGPU_MMA_LOAD(matrix_b, m, n, k, __half, __half, int, __hmma_##shape##_ld_b)                  \
    EVGPU_MMA_SUM(m, n, k, float, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)     \
    EVGPU_MMA_SUM(m, n, k, __half, int, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)      \
    EVGPU_MMA_PRODUCT(m, n, k, __half, int, float, float, float, float,                            \
                      __hmma_##shape##_mma_f32f32)                                                 \
    EVGPU_MMA_PRODUCT(m, n, k, __half, int, __half, int, __half, int, __hmma_##shape##_mma_f16f16) \
    EVGPU_MMA_PRODUCT(m, n, k, __half, int, float, float, __half, int,                             \
                      __hmma_##shape##_mma_f32f16)                                                 \
    EVGPU_MMA_PRODUCT(m, n, k, __half, int, __half, int, float, float, __hmma_##shape##_mma_f16f32)
EVGPU_MMA_HALVES(16, 16, 16, m16n16k16)
EVGPU_MMA_HALVES(32, 8, 16, m32n8k16)
EVGPU_MMA_HALVES(8, 32, 16, m8n32k16)
#undef EVGPU_MMA_HALVES
#endif

#if __CUDA_ARCH__ >= 720
#define EVGPU_MMA_BYTES(m, n, k, shape)                                                            \
    EVGPU_MMA_LOAD(matrix_a, m, n, k, signed char, signed char, int, __imma_##shape##_ld_a_s8)     \
    EVGPU_MMA_LOAD(matrix_b, m, n, k, signed char, signed char, int, __imma_##shape##_ld_b_s8)     \
    EVGPU_MMA_LOAD(matrix_a, m, n, k, unsigned char, unsigned char, int, __imma_##shape##_ld_a_u8) \
    EVGPU_MMA_LOAD(matrix_b, m, n, k, unsigned char, unsigned char, int, __imma_##shape##_ld_b_u8) \
    EVGPU_MMA_SUM(m, n, k, int, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)             \
    EVGPU_MMA_INTEGERS(m, n, k, signed char, __imma_##shape##_mma_s8)                              \
    EVGPU_MMA_INTEGERS(m, n, k, unsigned char, __imma_##shape##_mma_u8)
EVGPU_MMA_BYTES(16, 16, 16, m16n16k16)
EVGPU_MMA_BYTES(32, 8, 16, m32n8k16)
EVGPU_MMA_BYTES(8, 32, 16, m8n32k16)
#undef EVGPU_MMA_BYTES
#endif

#if __CUDA_ARCH__ >= 750
#define EVGPU_MMA_NIBBLES(T, type)                                                                 \
    EVGPU_MMA_LOAD(matrix_a, 8, 8, 32, experimental::precision::T, void, int,                      \
                   __imma_m8n8k32_ld_a_##type)                                                     \
    EVGPU_MMA_LOAD(matrix_b, 8, 8, 32, experimental::precision::T, void, int,                      \
                   __imma_m8n8k32_ld_b_##type)                                                     \
    EVGPU_MMA_INTEGERS(8, 8, 32, experimental::precision::T, __imma_m8n8k32_mma_##type)
EVGPU_MMA_NIBBLES(s4, s4)
EVGPU_MMA_NIBBLES(u4, u4)
EVGPU_MMA_SUM(8, 8, 32, int, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
EVGPU_MMA_LOAD(matrix_a, 8, 8, 128, experimental::precision::b1, void, int, __bmma_m8n8k128_ld_a_b1)
EVGPU_MMA_LOAD(matrix_b, 8, 8, 128, experimental::precision::b1, void, int, __bmma_m8n8k128_ld_b_b1)
EVGPU_MMA_SUM(8, 8, 128, int, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
#undef EVGPU_MMA_NIBBLES

/* Of rows and columns of 128 bits: how many bits are 1 in one of them or, from sm_80 on, in both.
 */
EVGPU_MMA_DEVICE void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
          const fragment<accumulator, 8, 8, 128, int> &c,
          experimental::bmmaBitOp bits = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    int ra = (int)a.x[0], rb = (int)b.x[0], rc[2] = {c.x[0], c.x[1]};
#if __CUDA_ARCH__ >= 800
    if (bits == experimental::bmmaBitOpAND)
        __bmma_m8n8k128_mma_and_popc_b1(d.x, &ra, &rb, rc, 1);
    else
#endif
        __bmma_m8n8k128_mma_xor_popc_b1(d.x, &ra, &rb, rc, 1);
}
#endif

#if __CUDA_ARCH__ >= 800
#define EVGPU_MMA_BFLOATS(m, n, k, shape)                                                          \
    EVGPU_MMA_LOAD(matrix_a, m, n, k, __nv_bfloat16, __nv_bfloat16, int,                           \
                   __mma_bf16_##shape##_ld_a)                                                      \
    EVGPU_MMA_LOAD(matrix_b, m, n, k, __nv_bfloat16, __nv_bfloat16, int,                           \
                   __mma_bf16_##shape##_ld_b)                                                      \
    EVGPU_MMA_PRODUCT(m, n, k, __nv_bfloat16, int, float, float, float, float,                     \
                      __mma_bf16_##shape##_mma_f32)
EVGPU_MMA_BFLOATS(16, 16, 16, m16n16k16)
EVGPU_MMA_BFLOATS(32, 8, 16, m32n8k16)
EVGPU_MMA_BFLOATS(8, 32, 16, m8n32k16)
#undef EVGPU_MMA_BFLOATS
EVGPU_MMA_LOAD(matrix_a, 16, 16, 8, precision::tf32, float, int, __mma_tf32_m16n16k8_ld_a)
EVGPU_MMA_LOAD(matrix_b, 16, 16, 8, precision::tf32, float, int, __mma_tf32_m16n16k8_ld_b)
EVGPU_MMA_SUM(16, 16, 8, float, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
EVGPU_MMA_PRODUCT(16, 16, 8, precision::tf32, int, float, float, float, float,
                  __mma_tf32_m16n16k8_mma_f32)
EVGPU_MMA_LOAD(matrix_a, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_a)
EVGPU_MMA_LOAD(matrix_b, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_b)
EVGPU_MMA_SUM(8, 8, 4, double, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
EVGPU_MMA_PRODUCT(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64)
#endif
#undef EVGPU_MMA_LOAD
#undef EVGPU_MMA_SUM
#undef EVGPU_MMA_PRODUCT
#undef EVGPU_MMA_INTEGERS
#undef EVGPU_MMA_LAYOUTS

#else

/* For the host's compilation, which only reads the kernels. */
template <class... A> __device__ void load_matrix_sync(A &&...);
template <class... A> __device__ void store_matrix_sync(A &&...);
template <class... A> __device__ void mma_sync(A &&...);
template <class... A> __device__ void bmma_sync(A &&...);

#endif
#undef EVGPU_MMA_DEVICE

} // namespace wmma
} // namespace nvcuda

#endif
#endif
