// cuBLAS's level 3 of all precisions against the host: every transposition, half, side and
// diagonal, in place and out of place, small and large tiles, lists and strides, both pointer
// modes.
#include "blas_numbers.h"
#include "blas_parts.h"

namespace
{

// The calls of one precision under one name.
template <class T> struct blas;
#define BLAS(T, R)                                                                                 \
    template <> struct blas<T> {                                                                   \
        static constexpr auto gemm = cublas##R##gemm;                                              \
        static constexpr auto gemm_list = cublas##R##gemmBatched;                                  \
        static constexpr auto gemm_stride = cublas##R##gemmStridedBatched;                         \
        static constexpr auto trmm = cublas##R##trmm;                                              \
        static constexpr auto trsm = cublas##R##trsm;                                              \
        static constexpr auto trsm_list = cublas##R##trsmBatched;                                  \
        static constexpr auto geam = cublas##R##geam;                                              \
        static constexpr auto dgmm = cublas##R##dgmm;                                              \
        static constexpr auto tpttr = cublas##R##tpttr;                                            \
        static constexpr auto trttp = cublas##R##trttp;                                            \
    };
BLAS(float, S)
BLAS(double, D)
BLAS(cuComplex, C)
BLAS(cuDoubleComplex, Z)

// What symmetric and Hermitian matrices have; A and B: the types of alpha of rk, and of beta.
template <class T, bool Hermitian> struct half_blas;
#define HALF_BLAS(T, A, R, hermitian, mm, rk, r2k, rkx)                                            \
    template <> struct half_blas<T, hermitian> {                                                   \
        typedef A factor;                                                                          \
        static constexpr auto product = cublas##R##mm;                                             \
        static constexpr auto square = cublas##R##rk;                                              \
        static constexpr auto two = cublas##R##r2k;                                                \
        static constexpr auto one_of_two = cublas##R##rkx;                                         \
    };
HALF_BLAS(float, float, S, false, symm, syrk, syr2k, syrkx)
HALF_BLAS(double, double, D, false, symm, syrk, syr2k, syrkx)
HALF_BLAS(cuComplex, cuComplex, C, false, symm, syrk, syr2k, syrkx)
HALF_BLAS(cuDoubleComplex, cuDoubleComplex, Z, false, symm, syrk, syr2k, syrkx)
HALF_BLAS(cuComplex, float, C, true, hemm, herk, her2k, herkx)
HALF_BLAS(cuDoubleComplex, double, Z, true, hemm, herk, her2k, herkx)

#define ALPHA rounded<T>({0.75, 0.5})
#define BETA  rounded<T>({-1.25, 0.25})

dense matrix_for(cublasOperation_t trans, const dense &product)
{
    return op(product, trans == CUBLAS_OP_N ? CUBLAS_OP_N : CUBLAS_OP_T);
}

// --- general matrices
// ------------------------------------------------------------------------------------

struct shape {
    int m, n, k;
};

template <class T>
void multiply(session &s, cublasOperation_t ta, cublasOperation_t tb, const shape &h)
{
    dense a = matrix_for(ta, random_dense<T>(h.m, h.k)),
          b = matrix_for(tb, random_dense<T>(h.k, h.n)), c = random_dense<T>(h.m, h.n);
    int lda = a.rows + 3, ldb = b.rows + 1, ldc = h.m + 2;
    scalars<T> factors(s, {ALPHA, BETA});
    numbers<T> from(stored(a, lda)), other(stored(b, ldb)), to(stored(c, ldc));
    OK(blas<T>::gemm(s.handle, ta, tb, h.m, h.n, h.k, factors.at(0), from.device, lda, other.device,
                     ldb, factors.at(1), to.device, ldc));
    to.check(s, stored(sum(ALPHA, op(a, ta) * op(b, tb), BETA, c), ldc), "gemm");
}

// Three products, the second operand conjugated, into no numbers.
template <class T> void batches(session &s)
{
    const int m = 19, n = 21, k = 18, count = 3, each = 22 * 22;
    numbers<T> a(each * count), b(each * count), c(std::vector<wide>(each * count, nan_number())),
        d(std::vector<wide>(each * count, nan_number()));
    std::vector<wide> wa = a.wides(), wb = b.wides(), want(each * count, nan_number());
    for (int p = 0; p < count; p++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                wide sum = 0;
                for (int q = 0; q < k; q++)
                    sum += wa[p * each + i + q * 22] * std::conj(wb[p * each + j + q * 22]);
                want[p * each + i + j * 22] = ALPHA * sum;
            }
    scalars<T> factors(s, {ALPHA, 0});
    OK(blas<T>::gemm_stride(s.handle, CUBLAS_OP_N, CUBLAS_OP_C, m, n, k, factors.at(0), a.device,
                            22, each, b.device, 22, each, factors.at(1), c.device, 22, each,
                            count));
    c.check(s, want, "gemmStridedBatched");
    T *hosts[3 * count], **lists;
    for (int p = 0; p < count; p++) {
        hosts[p] = a.device + p * each;
        hosts[count + p] = b.device + p * each;
        hosts[2 * count + p] = d.device + p * each;
    }
    cudaMalloc(&lists, sizeof hosts);
    cudaMemcpy(lists, hosts, sizeof hosts, cudaMemcpyHostToDevice);
    OK(blas<T>::gemm_list(s.handle, CUBLAS_OP_N, CUBLAS_OP_C, m, n, k, factors.at(0), lists, 22,
                          lists + count, 22, factors.at(1), lists + 2 * count, 22, count));
    d.check(s, want, "gemmBatched");
    IS(INVALID_VALUE,
       blas<T>::gemm_list(s.handle, CUBLAS_OP_N, CUBLAS_OP_C, m, n, k, factors.at(0), lists, 22,
                          lists + count, 22, factors.at(1), lists + 2 * count, 22, -1));
    cudaFree(lists);
}

template <class T> void element_by_element(session &s, cublasOperation_t ta, cublasOperation_t tb)
{
    const int m = 33, n = 21;
    dense a = random_dense<T>(ta ? n : m, ta ? m : n), b = random_dense<T>(tb ? n : m, tb ? m : n);
    scalars<T> factors(s, {ALPHA, BETA, 0});
    numbers<T> from(stored(a, 40)), other(stored(b, 41)), to(stored(dense(m, n), 35));
    OK(blas<T>::geam(s.handle, ta, tb, m, n, factors.at(0), from.device, 40, factors.at(1),
                     other.device, 41, to.device, 35));
    to.check(s, stored(sum(ALPHA, op(a, ta), BETA, op(b, tb)), 35), "geam");
    if (ta)
        IS(INVALID_VALUE, blas<T>::geam(s.handle, ta, tb, m, n, factors.at(0), from.device, 40,
                                        factors.at(1), other.device, 41, from.device, 40));
    numbers<T> nothing(std::vector<wide>(41 * 41, nan_number()));
    OK(blas<T>::geam(s.handle, ta, tb, m, n, factors.at(0), from.device, 40, factors.at(2),
                     nothing.device, 41, to.device, 35));
    to.check(s, stored(sum(ALPHA, op(a, ta), 0, op(a, ta)), 35), "geam without b");
}

template <class T> void diagonals(session &s, cublasSideMode_t side, int increment)
{
    const int m = 33, n = 21;
    int count = side == CUBLAS_SIDE_LEFT ? m : n;
    dense a = random_dense<T>(m, n), x(count, count), c(m, n);
    numbers<T> scale((size_t)count * std::abs(increment) + 1), from(stored(a, 36)),
        to(stored(c, 35));
    std::vector<wide> w = scale.wides();
    for (int i = 0; i < count; i++)
        x(i, i) = w[at(count, increment, i)];
    OK(blas<T>::dgmm(s.handle, side, m, n, from.device, 36, scale.device, increment, to.device,
                     35));
    to.check(s, stored(side == CUBLAS_SIDE_LEFT ? x * a : a * x, 35), "dgmm");
    IS(INVALID_VALUE, blas<T>::dgmm(s.handle, side, m, n, from.device, m - 1, scale.device,
                                    increment, to.device, 35));
    IS(INVALID_VALUE, blas<T>::dgmm(s.handle, (cublasSideMode_t)2, m, n, from.device, 36,
                                    scale.device, increment, to.device, 35));
}

template <class T> void packing(session &s, cublasFillMode_t uplo)
{
    const int n = 150, ld = 153;
    dense a = random_dense<T>(n, n);
    std::vector<wide> half = stored_half(a, ld, uplo), tight;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j)
                tight.push_back(a(i, j));
    numbers<T> full(half), packed(std::vector<wide>(tight.size(), 7)),
        back(std::vector<wide>(half.size(), nan_number()));
    OK(blas<T>::trttp(s.handle, uplo, n, full.device, ld, packed.device));
    packed.check(s, tight, "trttp");
    OK(blas<T>::tpttr(s.handle, uplo, n, packed.device, back.device, ld));
    back.check(s, half, "tpttr");
    IS(INVALID_VALUE, blas<T>::trttp(s.handle, uplo, n, full.device, n - 1, packed.device));
    IS(INVALID_VALUE, blas<T>::tpttr(s.handle, uplo, -1, packed.device, back.device, ld));
}

// --- symmetric and Hermitian matrices
// -----------------------------------------------------------------------

dense in_half(const dense &before, dense after, cublasFillMode_t uplo, bool hermitian)
{
    for (int j = 0; j < after.columns; j++)
        for (int i = 0; i < after.rows; i++)
            if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                after(i, j) = before(i, j);
            else if (i == j && hermitian)
                after(i, i) = after(i, i).real();
    return after;
}

template <class T, bool Hermitian>
void half_products(session &s, cublasFillMode_t uplo, cublasSideMode_t side)
{
    typedef half_blas<T, Hermitian> B;
    const int m = 34, n = 19;
    int order = side == CUBLAS_SIDE_LEFT ? m : n;
    dense a = random_dense<T>(order, order), b = random_dense<T>(m, n), c = random_dense<T>(m, n),
          marked = a;
    for (int j = 0; j < order; j++)
        for (int i = 0; i <= j; i++)
            if (i != j)
                marked(j, i) = a(j, i) = Hermitian ? std::conj(a(i, j)) : a(i, j);
            else if (Hermitian)
                a(i, i) = a(i, i).real(); // an imaginary part in memory does not count
    scalars<T> factors(s, {ALPHA, BETA});
    numbers<T> half(stored_half(marked, 37, uplo)), from(stored(b, 36)), to(stored(c, 35));
    OK(B::product(s.handle, side, uplo, m, n, factors.at(0), half.device, 37, from.device, 36,
                  factors.at(1), to.device, 35));
    to.check(s, stored(sum(ALPHA, side == CUBLAS_SIDE_LEFT ? a * b : b * a, BETA, c), 35),
             "symm, hemm");
    IS(INVALID_VALUE, B::product(s.handle, side, uplo, m, n, factors.at(0), half.device, order - 1,
                                 from.device, 36, factors.at(1), to.device, 35));
    IS(INVALID_VALUE, B::product(s.handle, side, uplo, m, n, factors.at(0), half.device, 37,
                                 from.device, m - 1, factors.at(1), to.device, 35));
    OK(B::product(s.handle, side, uplo, 0, n, factors.at(0), half.device, 37, from.device, 36,
                  factors.at(1), to.device, 35));
}

template <class T, bool Hermitian>
void ranks(session &s, cublasFillMode_t uplo, cublasOperation_t trans)
{
    typedef half_blas<T, Hermitian> B;
    typedef typename B::factor A;
    const int n = 35, k = 9, ldc = 36;
    const cublasOperation_t turn = Hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    dense a = matrix_for(trans, random_dense<T>(n, k)),
          b = matrix_for(trans, random_dense<T>(n, k)), c = random_dense<T>(n, n);
    wide single = rounded<A>(ALPHA), beta = rounded<A>(BETA);
    scalars<T> factor(s, {ALPHA});
    scalars<A> factors(s, {single, beta});
    int ld = a.rows + 1, ldb = b.rows + 2;
    numbers<T> from(stored(a, ld)), other(stored(b, ldb)), to(stored(c, ldc));
    dense oa = op(a, trans), ob = op(b, trans);
    if (number<T>::is_complex && trans == (Hermitian ? CUBLAS_OP_T : CUBLAS_OP_C)) {
        IS(INVALID_VALUE, B::square(s.handle, uplo, trans, n, k, factors.at(0), from.device, ld,
                                    factors.at(1), to.device, ldc));
        return;
    }
    OK(B::square(s.handle, uplo, trans, n, k, factors.at(0), from.device, ld, factors.at(1),
                 to.device, ldc));
    to.check(s, stored(in_half(c, sum(single, oa * op(oa, turn), beta, c), uplo, Hermitian), ldc),
             "syrk, herk");
    to = stored(c, ldc);
    OK(B::one_of_two(s.handle, uplo, trans, n, k, factor.at(), from.device, ld, other.device, ldb,
                     factors.at(1), to.device, ldc));
    to.check(s, stored(in_half(c, sum(ALPHA, oa * op(ob, turn), beta, c), uplo, Hermitian), ldc),
             "syrkx, herkx");
    to = stored(c, ldc);
    OK(B::two(s.handle, uplo, trans, n, k, factor.at(), from.device, ld, other.device, ldb,
              factors.at(1), to.device, ldc));
    dense both =
        sum(ALPHA, oa * op(ob, turn), Hermitian ? std::conj(ALPHA) : ALPHA, ob * op(oa, turn));
    to.check(s, stored(in_half(c, sum(1, both, beta, c), uplo, Hermitian), ldc), "syr2k, her2k");
    IS(INVALID_VALUE, B::two(s.handle, uplo, trans, n, k, factor.at(), from.device, ld,
                             other.device, b.rows - 1, factors.at(1), to.device, ldc));
    IS(INVALID_VALUE, B::square(s.handle, CUBLAS_FILL_MODE_FULL, trans, n, k, factors.at(0),
                                from.device, ld, factors.at(1), to.device, ldc));
}

// --- triangles
// -----------------------------------------------------------------------------------------------

template <class T> struct triangle {
    session &s;
    cublasSideMode_t side;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    cublasDiagType_t diag;

    static constexpr int m = 13, n = 10, lda = 15, ldb = 14, count = 2;

    // As it lies in memory: the other half and a diagonal of ones hold no numbers.
    dense random() const
    {
        int order = side == CUBLAS_SIDE_LEFT ? m : n;
        dense a = random_dense<T>(order, order);
        for (wide &x : a.at)
            x = rounded<T>(0.1 * x);
        for (int i = 0; i < order; i++)
            a(i, i) = diag == CUBLAS_DIAG_UNIT ? nan_number() : rounded<T>({2.0 + i % 3, 0.5});
        return a;
    }
    dense times(dense a, const dense &b) const
    {
        for (int j = 0; j < a.columns; j++)
            for (int i = 0; i < a.rows; i++)
                if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                    a(i, j) = 0;
                else if (i == j && diag == CUBLAS_DIAG_UNIT)
                    a(i, i) = 1;
        return side == CUBLAS_SIDE_LEFT ? op(a, trans) * b : b * op(a, trans);
    }
    void all() const
    {
        typedef blas<T> B;
        dense a = random(), b = random_dense<T>(m, n);
        dense product = times(a, b), scaled = sum(ALPHA, product, 0, product);
        scalars<T> alpha(s, {ALPHA, 0});
        numbers<T> half(stored_half(a, lda, uplo)), from(stored(b, ldb)), to(stored(b, ldb + 1));
        OK(B::trmm(s.handle, side, uplo, trans, diag, m, n, alpha.at(0), half.device, lda,
                   from.device, ldb, to.device, ldb + 1));
        to.check(s, stored(scaled, ldb + 1), "trmm");
        OK(B::trmm(s.handle, side, uplo, trans, diag, m, n, alpha.at(0), half.device, lda,
                   from.device, ldb, from.device, ldb));
        from.check(s, stored(scaled, ldb), "trmm in place");
        from = stored(product, ldb);
        OK(B::trsm(s.handle, side, uplo, trans, diag, m, n, alpha.at(0), half.device, lda,
                   from.device, ldb));
        from.check(s, stored(sum(ALPHA, b, 0, b), ldb), "trsm");
        IS(INVALID_VALUE, B::trmm(s.handle, side, uplo, trans, diag, m, n, alpha.at(0), half.device,
                                  lda, from.device, ldb, from.device, ldb + 1));
        IS(INVALID_VALUE, B::trmm(s.handle, side, uplo, trans, diag, m, n, alpha.at(0), half.device,
                                  a.rows - 1, from.device, ldb, to.device, ldb + 1));
        OK(B::trsm(s.handle, side, uplo, trans, diag, m, n, alpha.at(1), half.device, lda,
                   from.device, ldb));
        from.check(s, stored(dense(m, n), ldb), "trsm without a system");
        list();
    }
    void list() const
    {
        dense a[] = {random(), random()}, b[] = {random_dense<T>(m, n), random_dense<T>(m, n)};
        scalars<T> alpha(s, {ALPHA});
        numbers<T> a0(stored_half(a[0], lda, uplo)), a1(stored_half(a[1], lda, uplo)),
            b0(stored(times(a[0], b[0]), ldb)), b1(stored(times(a[1], b[1]), ldb));
        T *hosts[2 * count] = {a0.device, a1.device, b0.device, b1.device}, **lists;
        cudaMalloc(&lists, sizeof hosts);
        cudaMemcpy(lists, hosts, sizeof hosts, cudaMemcpyHostToDevice);
        OK(blas<T>::trsm_list(s.handle, side, uplo, trans, diag, m, n, alpha.at(), lists, lda,
                              lists + count, ldb, count));
        b0.check(s, stored(sum(ALPHA, b[0], 0, b[0]), ldb), "trsmBatched, the first");
        b1.check(s, stored(sum(ALPHA, b[1], 0, b[1]), ldb), "trsmBatched, the second");
        IS(INVALID_VALUE, blas<T>::trsm_list(s.handle, side, uplo, trans, diag, m, n, alpha.at(),
                                             lists, lda, lists + count, ldb, -1));
        cudaFree(lists);
    }
};

template <class T> void precision(session &s)
{
    for (cublasOperation_t ta : EACH_TRANS) {
        for (cublasOperation_t tb : EACH_TRANS) {
            multiply<T>(s, ta, tb, {20, 23, 19});
            if (number<T>::is_complex && ta == tb)
                multiply<T>(s, ta, tb, {66, 98, 9}); // large tiles
            element_by_element<T>(s, ta, tb);
            s.turn();
        }
        for (cublasFillMode_t uplo : EACH_FILL) {
            ranks<T, false>(s, uplo, ta);
            for (cublasSideMode_t side : EACH_SIDE)
                for (cublasDiagType_t diag : EACH_DIAG) {
                    triangle<T>{s, side, uplo, ta, diag}.all();
                    s.turn();
                }
        }
    }
    multiply<T>(s, CUBLAS_OP_N, CUBLAS_OP_N, {17, 9, 0});
    batches<T>(s);
    s.turn();
    for (cublasSideMode_t side : EACH_SIDE) {
        for (cublasFillMode_t uplo : EACH_FILL)
            half_products<T, false>(s, uplo, side);
        diagonals<T>(s, side, 1);
        diagonals<T>(s, side, -2);
        diagonals<T>(s, side, 0);
        s.turn();
    }
    for (cublasFillMode_t uplo : EACH_FILL)
        packing<T>(s, uplo);
}

template <class T> void hermitian(session &s)
{
    for (cublasFillMode_t uplo : EACH_FILL) {
        for (cublasSideMode_t side : EACH_SIDE)
            half_products<T, true>(s, uplo, side);
        for (cublasOperation_t trans : EACH_TRANS) {
            ranks<T, true>(s, uplo, trans);
            s.turn();
        }
    }
}

template <class V, class Call>
void rank_by_types(session &s, Call call, bool hermitian, const char *what)
{
    const int n = 11, k = 6;
    const cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;
    const cublasOperation_t turn = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    dense a = random_dense<cuComplex>(n, k), c = random_dense<cuComplex>(n, n);
    scalars<V> factors(s, {0.5, 0.25});
    numbers<cuComplex> from(stored(a, n)), to(stored(c, n));
    OK(call(s.handle, uplo, CUBLAS_OP_N, n, k, factors.at(0), from.device, CUDA_C_32F, n,
            factors.at(1), to.device, CUDA_C_32F, n));
    to.check(s, stored(in_half(c, sum(0.5, a * op(a, turn), 0.25, c), uplo, hermitian), n), what);
    IS(NOT_SUPPORTED, call(s.handle, uplo, CUBLAS_OP_N, n, k, factors.at(0), from.device, CUDA_C_8I,
                           n, factors.at(1), to.device, CUDA_C_32F, n));
    IS(INVALID_VALUE, call(s.handle, uplo, CUBLAS_OP_N, n, k, factors.at(0), from.device,
                           CUDA_C_32F, n - 1, factors.at(1), to.device, CUDA_C_32F, n));
}

void ranks_by_types(session &s)
{
    rank_by_types<cuComplex>(s, cublasCsyrkEx, false, "CsyrkEx");
    rank_by_types<cuComplex>(s, cublasCsyrk3mEx, false, "Csyrk3mEx");
    rank_by_types<float>(s, cublasCherkEx, true, "CherkEx");
    rank_by_types<float>(s, cublasCherk3mEx, true, "Cherk3mEx");
}

// Complex products, which the other names may compute in other steps.
template <class T, class Call> void by_3m(session &s, Call call, const char *what)
{
    dense a = random_dense<T>(9, 7), b = random_dense<T>(7, 8), c = random_dense<T>(9, 8);
    numbers<T> from(stored(a, 9)), other(stored(b, 7)), to(stored(c, 9));
    scalars<T> factors(s, {{0.5, 0.25}, {0, 1}});
    OK(call(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 8, 7, factors.at(0), from.device, 9,
            other.device, 7, factors.at(1), to.device, 9));
    to.check(s, stored(sum({0.5, 0.25}, a * b, {0, 1}, c), 9), what);
}

// The products that are others by another name.
void other_names(session &s)
{
    by_3m<cuComplex>(s, cublasCgemm3m, "Cgemm3m");
    by_3m<cuDoubleComplex>(s, cublasZgemm3m, "Zgemm3m");
    dense a = random_dense<cuComplex>(9, 7), b = random_dense<cuComplex>(7, 8),
          c = random_dense<cuComplex>(9, 8);
    numbers<cuComplex> from(stored(a, 9)), other(stored(b, 7)), to(stored(c, 9));
    scalars<cuComplex> factors(s, {{0.5, 0.25}, {0, 1}});
    OK(cublasGemmEx(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 8, 7, factors.at(0), from.device,
                    CUDA_C_32F, 9, other.device, CUDA_C_32F, 7, factors.at(1), to.device,
                    CUDA_C_32F, 9, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    to.check(s, stored(sum({0.5, 0.25}, a * b, {0, 1}, c), 9), "GemmEx of complex numbers");
    dense x = random_dense<__half>(9, 7), y = random_dense<__half>(7, 8),
          z = random_dense<__half>(9, 8);
    numbers<__half> half_x(stored(x, 9)), half_y(stored(y, 7)), half_z(stored(z, 9));
    scalars<float> floats(s, {0.5, 0.25});
    numbers<float> out(stored(z, 9));
    OK(cublasSgemmEx(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 8, 7, floats.at(0), half_x.device,
                     CUDA_R_16F, 9, half_y.device, CUDA_R_16F, 7, floats.at(1), out.device,
                     CUDA_R_32F, 9));
    out.check(s, stored(sum(0.5, x * y, 0.25, z), 9), "SgemmEx");
    IS(NOT_SUPPORTED, cublasSgemmEx(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 8, 7, floats.at(0),
                                    half_x.device, CUDA_R_64F, 9, half_y.device, CUDA_R_64F, 7,
                                    floats.at(1), out.device, CUDA_R_64F, 9));
    scalars<__half> halves(s, {0.5, 0.25});
    OK(cublasHgemm(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 8, 7, halves.at(0), half_x.device, 9,
                   half_y.device, 7, halves.at(1), half_z.device, 9));
    half_z.check(s, stored(sum(0.5, x * y, 0.25, z), 9), "Hgemm");
    half_z = stored(z, 9);
    OK(cublasHgemmStridedBatched(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 4, 7, halves.at(0),
                                 half_x.device, 9, 0, half_y.device, 7, 28, halves.at(1),
                                 half_z.device, 9, 36, 2));
    half_z.check(s, stored(sum(0.5, x * y, 0.25, z), 9), "HgemmStridedBatched");
    half_z = stored(z, 9);
    __half *hosts[6], **lists;
    for (int p = 0; p < 2; p++) {
        hosts[p] = half_x.device;
        hosts[2 + p] = half_y.device + 28 * p;
        hosts[4 + p] = half_z.device + 36 * p;
    }
    cudaMalloc(&lists, sizeof hosts);
    cudaMemcpy(lists, hosts, sizeof hosts, cudaMemcpyHostToDevice);
    OK(cublasHgemmBatched(s.handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 4, 7, halves.at(0), lists, 9,
                          lists + 2, 7, halves.at(1), lists + 4, 9, 2));
    half_z.check(s, stored(sum(0.5, x * y, 0.25, z), 9), "HgemmBatched");
    cudaFree(lists);
}

} // namespace

void blas_products(cublasHandle_t handle)
{
    session s(handle);
    precision<float>(s);
    precision<double>(s);
    precision<cuComplex>(s);
    precision<cuDoubleComplex>(s);
    hermitian<cuComplex>(s);
    hermitian<cuDoubleComplex>(s);
    for (int mode = 0; mode < 2; mode++, s.turn())
        ranks_by_types(s);
    other_names(s);
    if (s.on_device)
        s.turn();
}
