// cuBLAS's level 2 of all precisions against the host: matrices as a whole, as bands and packed,
// every half, transposition and diagonal, increments of either sign, both pointer modes.
#include "blas_numbers.h"
#include "blas_parts.h"

namespace
{

// The calls of one precision under one name.
template <class T> struct blas;
#define BLAS(T, R, outer, outer_conjugated)                                                        \
    template <> struct blas<T> {                                                                   \
        static constexpr auto gemv = cublas##R##gemv;                                              \
        static constexpr auto gbmv = cublas##R##gbmv;                                              \
        static constexpr auto ger = cublas##R##outer;                                              \
        static constexpr auto gerc = cublas##R##outer_conjugated;                                  \
        static constexpr auto trmv = cublas##R##trmv;                                              \
        static constexpr auto tbmv = cublas##R##tbmv;                                              \
        static constexpr auto tpmv = cublas##R##tpmv;                                              \
        static constexpr auto trsv = cublas##R##trsv;                                              \
        static constexpr auto tbsv = cublas##R##tbsv;                                              \
        static constexpr auto tpsv = cublas##R##tpsv;                                              \
    };
BLAS(float, S, ger, ger)
BLAS(double, D, ger, ger)
BLAS(cuComplex, C, geru, gerc)
BLAS(cuDoubleComplex, Z, geru, gerc)

// What symmetric and Hermitian matrices have; A: the type of alpha of sums of one product.
template <class T, bool Hermitian> struct half_blas;
#define HALF_BLAS(T, A, R, hermitian, mv, r, r2)                                                   \
    template <> struct half_blas<T, hermitian> {                                                   \
        typedef A factor;                                                                          \
        static constexpr auto product = cublas##R##mv;                                             \
        static constexpr auto add = cublas##R##r;                                                  \
        static constexpr auto add_two = cublas##R##r2;                                             \
    };
HALF_BLAS(float, float, S, false, symv, syr, syr2)
HALF_BLAS(double, double, D, false, symv, syr, syr2)
HALF_BLAS(cuComplex, cuComplex, C, false, symv, syr, syr2)
HALF_BLAS(cuDoubleComplex, cuDoubleComplex, Z, false, symv, syr, syr2)
HALF_BLAS(cuComplex, float, C, true, hemv, her, her2)
HALF_BLAS(cuDoubleComplex, double, Z, true, hemv, her, her2)

// ... in bands and packed: real symmetric and complex Hermitian ones.
template <class T> struct packed_blas;
#define PACKED_BLAS(T, A, R, bmv, pmv, pr, pr2)                                                    \
    template <> struct packed_blas<T> {                                                            \
        typedef A factor;                                                                          \
        static constexpr auto band = cublas##R##bmv;                                               \
        static constexpr auto product = cublas##R##pmv;                                            \
        static constexpr auto add = cublas##R##pr;                                                 \
        static constexpr auto add_two = cublas##R##pr2;                                            \
    };
PACKED_BLAS(float, float, S, sbmv, spmv, spr, spr2)
PACKED_BLAS(double, double, D, sbmv, spmv, spr, spr2)
PACKED_BLAS(cuComplex, float, C, hbmv, hpmv, hpr, hpr2)
PACKED_BLAS(cuDoubleComplex, double, Z, hbmv, hpmv, hpr, hpr2)

// --- how matrices lie
// -----------------------------------------------------------------------------------

bool inside(cublasFillMode_t uplo, int i, int j)
{
    return uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

// `below` and `above` elements beside the diagonal of a, in columns of ld; no numbers elsewhere.
std::vector<wide> band(const dense &a, int below, int above, int ld)
{
    std::vector<wide> out((size_t)ld * a.columns, nan_number());
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            if (i - j <= below && j - i <= above)
                out[above + i - j + (size_t)j * ld] = a(i, j);
    return out;
}
std::vector<wide> half_band(const dense &a, int k, int ld, cublasFillMode_t uplo)
{
    bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
    return band(a, lower ? k : 0, lower ? 0 : k, ld);
}
std::vector<wide> packed(const dense &a, cublasFillMode_t uplo)
{
    std::vector<wide> out;
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            if (inside(uplo, i, j))
                out.push_back(a(i, j));
    return out;
}
dense banded(dense a, int below, int above)
{
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            if (i - j > below || j - i > above)
                a(i, j) = 0;
    return a;
}

// A vector on the host, and in memory with an increment.
dense column(int n)
{
    return dense(n, 1);
}
std::vector<wide> spread(const dense &x, int increment)
{
    std::vector<wide> out((size_t)x.rows * std::abs(increment), 9);
    for (int i = 0; i < x.rows; i++)
        out[at(x.rows, increment, i)] = x(i, 0);
    return out;
}

// --- products with general matrices
// -------------------------------------------------------------------------

template <class T> void general(session &s, cublasOperation_t trans, int ix, int iy)
{
    const int m = 37, n = 22, lda = 40, below = 5, above = 3, ld_band = 10;
    bool turned = trans != CUBLAS_OP_N;
    int rows = turned ? n : m, columns = turned ? m : n;
    dense a = random_dense<T>(m, n), x = random_dense<T>(columns, 1), y = random_dense<T>(rows, 1);
    wide alpha = rounded<T>({0.75, 0.5}), beta = rounded<T>({-1.25, 0.25});
    scalars<T> factors(s, {alpha, beta, 0});
    numbers<T> full(stored(a, lda)), from(spread(x, ix)), to(spread(y, iy));
    OK(blas<T>::gemv(s.handle, trans, m, n, factors.at(0), full.device, lda, from.device, ix,
                     factors.at(1), to.device, iy));
    to.check(s, spread(sum(alpha, op(a, trans) * x, beta, y), iy), letter(trans));
    dense narrow = banded(a, below, above);
    numbers<T> diagonals(band(narrow, below, above, ld_band)), other(spread(y, iy));
    OK(blas<T>::gbmv(s.handle, trans, m, n, below, above, factors.at(0), diagonals.device, ld_band,
                     from.device, ix, factors.at(1), other.device, iy));
    other.check(s, spread(sum(alpha, op(narrow, trans) * x, beta, y), iy), "gbmv");
    // A factor of 0 reads nothing.
    numbers<T> none(spread(y, 1));
    none = std::vector<wide>(rows, nan_number());
    OK(blas<T>::gbmv(s.handle, trans, m, n, below, above, factors.at(0), diagonals.device, ld_band,
                     from.device, ix, factors.at(2), none.device, 1));
    none.check(s, spread(sum(alpha, op(narrow, trans) * x, 0, y), 1), "gbmv into no numbers");
    IS(INVALID_VALUE,
       blas<T>::gbmv(s.handle, trans, m, n, below, above, factors.at(0), diagonals.device,
                     below + above, from.device, ix, factors.at(1), other.device, iy));
    IS(INVALID_VALUE,
       blas<T>::gbmv(s.handle, trans, m, n, -1, above, factors.at(0), diagonals.device, ld_band,
                     from.device, ix, factors.at(1), other.device, iy));
    IS(INVALID_VALUE, blas<T>::gemv(s.handle, trans, m, n, factors.at(0), full.device, m - 1,
                                    from.device, ix, factors.at(1), to.device, iy));
}

template <class T> void outer(session &s, int ix, int iy)
{
    const int m = 37, n = 22, lda = 40;
    dense a = random_dense<T>(m, n), x = random_dense<T>(m, 1), y = random_dense<T>(n, 1);
    wide alpha = rounded<T>({0.75, 0.5});
    scalars<T> factor(s, {alpha});
    numbers<T> plain(stored(a, lda)), conjugated(stored(a, lda)), from(spread(x, ix)),
        other(spread(y, iy));
    OK(blas<T>::ger(s.handle, m, n, factor.at(), from.device, ix, other.device, iy, plain.device,
                    lda));
    plain.check(s, stored(sum(alpha, x * op(y, CUBLAS_OP_T), 1, a), lda), "ger");
    OK(blas<T>::gerc(s.handle, m, n, factor.at(), from.device, ix, other.device, iy,
                     conjugated.device, lda));
    conjugated.check(s, stored(sum(alpha, x * op(y, CUBLAS_OP_C), 1, a), lda), "gerc");
    IS(INVALID_VALUE, blas<T>::ger(s.handle, m, n, factor.at(), from.device, 0, other.device, iy,
                                   plain.device, lda));
    IS(INVALID_VALUE, blas<T>::gerc(s.handle, m, n, factor.at(), from.device, ix, other.device, iy,
                                    plain.device, m - 1));
}

// --- symmetric and Hermitian matrices
// -----------------------------------------------------------------------

// `marked`: with imaginary parts on the diagonal that do not count.
template <class T> dense mirrored(int n, bool hermitian, bool marked)
{
    dense a = random_dense<T>(n, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            if (i != j)
                a(j, i) = hermitian ? std::conj(a(i, j)) : a(i, j);
            else if (hermitian)
                a(i, i) = {a(i, i).real(), marked ? 5.0 : 0};
    return a;
}
dense real_diagonal(dense a)
{
    for (int i = 0; i < a.rows; i++)
        a(i, i) = a(i, i).real();
    return a;
}
// What a's half becomes when `more` is added.
dense added(const dense &a, const dense &more, bool hermitian)
{
    dense out = sum(1, a, 1, more);
    return hermitian ? real_diagonal(out) : out;
}

// x y^T or x y^H, times alpha, and the same with x and y exchanged if `twice`.
dense rank_two(wide alpha, const dense &x, const dense &y, bool hermitian, bool twice)
{
    cublasOperation_t turn = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    wide other = !twice ? 0 : hermitian ? std::conj(alpha) : alpha;
    return sum(alpha, x * op(y, turn), other, y * op(x, turn));
}

template <class T, bool Hermitian> void halves(session &s, cublasFillMode_t uplo, int ix, int iy)
{
    typedef half_blas<T, Hermitian> B;
    typedef typename B::factor A;
    const int n = 35, lda = 38;
    dense marked = mirrored<T>(n, Hermitian, true), x = random_dense<T>(n, 1),
          y = random_dense<T>(n, 1);
    dense a = Hermitian ? real_diagonal(marked) : marked;
    wide alpha = rounded<T>({0.75, 0.5}), beta = rounded<T>({-1.25, 0.25}),
         single = rounded<A>(alpha);
    scalars<T> factors(s, {alpha, beta});
    scalars<A> factor(s, {single});
    numbers<T> half(stored_half(marked, lda, uplo)), from(spread(x, ix)), to(spread(y, iy));
    OK(B::product(s.handle, uplo, n, factors.at(0), half.device, lda, from.device, ix,
                  factors.at(1), to.device, iy));
    to.check(s, spread(sum(alpha, a * x, beta, y), iy), "symv, hemv");
    OK(B::add(s.handle, uplo, n, factor.at(), from.device, ix, half.device, lda));
    a = added(a, rank_two(single, x, x, Hermitian, false), Hermitian);
    half.check(s, stored_half(a, lda, uplo), "syr, her");
    numbers<T> other(spread(y, iy));
    OK(B::add_two(s.handle, uplo, n, factors.at(0), from.device, ix, other.device, iy, half.device,
                  lda));
    a = added(a, rank_two(alpha, x, y, Hermitian, true), Hermitian);
    half.check(s, stored_half(a, lda, uplo), "syr2, her2");
    IS(INVALID_VALUE, B::product(s.handle, uplo, n, factors.at(0), half.device, n - 1, from.device,
                                 ix, factors.at(1), to.device, iy));
    IS(INVALID_VALUE,
       B::add(s.handle, CUBLAS_FILL_MODE_FULL, n, factor.at(), from.device, ix, half.device, lda));
    IS(INVALID_VALUE, B::add_two(s.handle, uplo, -1, factors.at(0), from.device, ix, other.device,
                                 iy, half.device, lda));
    OK(B::add(s.handle, uplo, 0, factor.at(), nullptr, ix, nullptr, 1));
}

template <class T> void packed_halves(session &s, cublasFillMode_t uplo, int ix, int iy)
{
    typedef packed_blas<T> B;
    typedef typename B::factor A;
    const bool hermitian = number<T>::is_complex;
    const int n = 35, k = 4, ld = 6;
    dense marked = mirrored<T>(n, hermitian, true), x = random_dense<T>(n, 1),
          y = random_dense<T>(n, 1);
    dense a = hermitian ? real_diagonal(marked) : marked;
    wide alpha = rounded<T>({0.75, 0.5}), beta = rounded<T>({-1.25, 0.25}),
         single = rounded<A>(alpha);
    scalars<T> factors(s, {alpha, beta});
    scalars<A> factor(s, {single});
    numbers<T> diagonals(half_band(marked, k, ld, uplo)), half(packed(marked, uplo)),
        from(spread(x, ix)), to(spread(y, iy)), other(spread(y, iy));
    OK(B::band(s.handle, uplo, n, k, factors.at(0), diagonals.device, ld, from.device, ix,
               factors.at(1), to.device, iy));
    to.check(s, spread(sum(alpha, banded(a, k, k) * x, beta, y), iy), "sbmv, hbmv");
    to = spread(y, iy);
    OK(B::product(s.handle, uplo, n, factors.at(0), half.device, from.device, ix, factors.at(1),
                  to.device, iy));
    to.check(s, spread(sum(alpha, a * x, beta, y), iy), "spmv, hpmv");
    OK(B::add(s.handle, uplo, n, factor.at(), from.device, ix, half.device));
    a = added(a, rank_two(single, x, x, hermitian, false), hermitian);
    half.check(s, packed(a, uplo), "spr, hpr");
    OK(B::add_two(s.handle, uplo, n, factors.at(0), from.device, ix, other.device, iy,
                  half.device));
    a = added(a, rank_two(alpha, x, y, hermitian, true), hermitian);
    half.check(s, packed(a, uplo), "spr2, hpr2");
    IS(INVALID_VALUE, B::band(s.handle, uplo, n, k, factors.at(0), diagonals.device, k, from.device,
                              ix, factors.at(1), to.device, iy));
    IS(INVALID_VALUE, B::band(s.handle, uplo, n, -1, factors.at(0), diagonals.device, ld,
                              from.device, ix, factors.at(1), to.device, iy));
    IS(INVALID_VALUE, B::product(s.handle, uplo, n, nullptr, half.device, from.device, ix,
                                 factors.at(1), to.device, iy));
}

// --- triangles
// -----------------------------------------------------------------------------------------------

// What a call makes of the triangle of `a`; the diagonal is 1 or far from 0, so that systems have
// solutions.
template <class T> struct triangle {
    session &s;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    cublasDiagType_t diag;
    int increment;

    static constexpr int n = 17, lda = 19, k = 4, ld = 7;

    dense whole(const dense &a, int reach) const
    {
        bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
        dense out = banded(a, lower ? reach : 0, lower ? 0 : reach);
        for (int i = 0; i < n && diag == CUBLAS_DIAG_UNIT; i++)
            out(i, i) = 1;
        return op(out, trans);
    }
    // The solution of a system multiplied, and found again.
    template <class M, class S>
    void check(const dense &a, const M &multiply, const S &solve, const char *what) const
    {
        dense x = random_dense<T>(n, 1);
        std::vector<wide> product = spread(a * x, increment), solution = spread(x, increment);
        numbers<T> v(solution);
        OK(multiply(v.device));
        v.check(s, product, what);
        v = product;
        OK(solve(v.device));
        v.check(s, solution, what);
    }
    void all() const
    {
        typedef blas<T> B;
        dense a = random_dense<T>(n, n);
        for (wide &x : a.at)
            x = rounded<T>(0.1 * x);
        for (int i = 0; i < n; i++)
            a(i, i) = diag == CUBLAS_DIAG_UNIT ? nan_number() : rounded<T>({2.0 + i % 3, 0.5});
        numbers<T> full(stored_half(a, lda, uplo)), diagonals(half_band(a, k, ld, uplo)),
            tight(packed(a, uplo));
        cublasHandle_t h = s.handle;
        check(
            whole(a, n),
            [&](T *x) { return B::trmv(h, uplo, trans, diag, n, full.device, lda, x, increment); },
            [&](T *x) { return B::trsv(h, uplo, trans, diag, n, full.device, lda, x, increment); },
            "trmv, trsv");
        check(
            whole(a, k),
            [&](T *x) {
                return B::tbmv(h, uplo, trans, diag, n, k, diagonals.device, ld, x, increment);
            },
            [&](T *x) {
                return B::tbsv(h, uplo, trans, diag, n, k, diagonals.device, ld, x, increment);
            },
            "tbmv, tbsv");
        check(
            whole(a, n),
            [&](T *x) { return B::tpmv(h, uplo, trans, diag, n, tight.device, x, increment); },
            [&](T *x) { return B::tpsv(h, uplo, trans, diag, n, tight.device, x, increment); },
            "tpmv, tpsv");
        IS(INVALID_VALUE, B::trmv(h, uplo, trans, diag, n, full.device, lda, full.device, 0));
        IS(INVALID_VALUE,
           B::tbsv(h, uplo, trans, diag, n, ld, diagonals.device, ld, full.device, 1));
        IS(INVALID_VALUE,
           B::tpsv(h, uplo, (cublasOperation_t)7, diag, n, tight.device, full.device, 1));
        OK(B::tpmv(h, uplo, trans, diag, 0, nullptr, nullptr, 1));
    }
};

template <class T> void precision(session &s)
{
    for (int ix : {1, -2}) {
        int iy = ix < 0 ? 1 : -3;
        for (cublasOperation_t trans : EACH_TRANS) {
            general<T>(s, trans, ix, iy);
            s.turn();
        }
        outer<T>(s, ix, iy);
        for (cublasFillMode_t uplo : EACH_FILL) {
            halves<T, false>(s, uplo, ix, iy);
            packed_halves<T>(s, uplo, ix, iy);
            s.turn();
            for (cublasOperation_t trans : EACH_TRANS)
                for (cublasDiagType_t diag : EACH_DIAG)
                    triangle<T>{s, uplo, trans, diag, ix}.all();
        }
    }
    if (s.on_device)
        s.turn();
}

} // namespace

void blas_matrices(cublasHandle_t handle)
{
    session s(handle);
    precision<float>(s);
    precision<double>(s);
    precision<cuComplex>(s);
    precision<cuDoubleComplex>(s);
    for (cublasFillMode_t uplo : EACH_FILL)
        for (int mode = 0; mode < 2; mode++, s.turn()) {
            halves<cuComplex, true>(s, uplo, 1, -2);
            halves<cuDoubleComplex, true>(s, uplo, -3, 1);
        }
    IS(NOT_INITIALIZED, cublasStpsv(nullptr, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT,
                                    1, nullptr, nullptr, 1));
}
