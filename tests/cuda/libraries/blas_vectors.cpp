// cuBLAS's level 1 of all precisions against the host: increments of either sign, both pointer
// modes, rotations, calls by types.
#include "blas_numbers.h"
#include "blas_parts.h"

namespace
{

// The calls of one precision under one name; what only complex numbers have twice is here once more
// for the real ones.
template <class T> struct blas;
#define BLAS(T, V, R, I, N, product, inner, scale, rotation)                                       \
    template <> struct blas<T> {                                                                   \
        typedef V real;                                                                            \
        static constexpr auto axpy = cublas##R##axpy;                                              \
        static constexpr auto scal = cublas##R##scal;                                              \
        static constexpr auto scal_real = cublas##R##scale;                                        \
        static constexpr auto copy = cublas##R##copy;                                              \
        static constexpr auto swap = cublas##R##swap;                                              \
        static constexpr auto rot = cublas##R##rot;                                                \
        static constexpr auto rot_real = cublas##R##rotation;                                      \
        static constexpr auto rotg = cublas##R##rotg;                                              \
        static constexpr auto dot = cublas##R##product;                                            \
        static constexpr auto dotc = cublas##R##inner;                                             \
        static constexpr auto nrm2 = cublas##N##nrm2;                                              \
        static constexpr auto asum = cublas##N##asum;                                              \
        static constexpr auto amax = cublasI##I##amax;                                             \
        static constexpr auto amin = cublasI##I##amin;                                             \
    };
BLAS(float, float, S, s, S, dot, dot, scal, rot)
BLAS(double, double, D, d, D, dot, dot, scal, rot)
BLAS(cuComplex, float, C, c, Sc, dotu, dotc, sscal, srot)
BLAS(cuDoubleComplex, double, Z, z, Dz, dotu, dotc, dscal, drot)

// The elements of a vector.
struct vector {
    std::vector<wide> *all;
    int n, increment;
    wide &operator[](int i) const
    {
        return (*all)[at(n, increment, i)];
    }
};

double size(wide x)
{
    return std::fabs(x.real()) + std::fabs(x.imag());
}

template <class T> void rotate(const vector &x, const vector &y, wide c, wide s)
{
    for (int i = 0; i < x.n; i++) {
        wide old = x[i];
        x[i] = c * old + s * y[i];
        y[i] = c * y[i] - std::conj(s) * old;
    }
}

template <class T> void reductions(session &s, int n, int ix, int iy)
{
    typedef blas<T> B;
    typedef typename B::real V;
    numbers<T> x((size_t)n * std::abs(ix)), y((size_t)n * std::abs(iy));
    std::vector<wide> wx = x.wides(), wy = y.wides();
    vector vx{&wx, n, ix}, vy{&wy, n, iy};
    wide dot, dotc;
    double sum = 0, squares = 0;
    int most = 0, least = 0;
    for (int i = 0; i < n; i++) {
        dot += vx[i] * vy[i];
        dotc += std::conj(vx[i]) * vy[i];
        sum += size(vx[i]);
        squares += std::norm(vx[i]);
        most = size(vx[i]) > size(vx[most]) ? i : most;
        least = size(vx[i]) < size(vx[least]) ? i : least;
    }
    scalars<T> products(s, {7, 7});
    scalars<V> norms(s, {7, 7});
    scalars<CUBLAS_SIZE> places(s, {-1, -1});
    double scale = 4 * std::sqrt(n) * tolerance<T>();
    OK(B::dot(s.handle, n, x.device, ix, y.device, iy, products.at(0)));
    OK(B::dotc(s.handle, n, x.device, ix, y.device, iy, products.at(1)));
    expect(std::abs(products.got()[0] - dot) <= scale, "dot", n);
    expect(std::abs(products.got()[1] - dotc) <= scale, "dotc", n);
    OK(B::nrm2(s.handle, n, x.device, ix, norms.at(0)));
    OK(B::asum(s.handle, n, x.device, ix, norms.at(1)));
    OK(B::amax(s.handle, n, x.device, ix, places.at(0)));
    OK(B::amin(s.handle, n, x.device, ix, places.at(1)));
    bool none = ix < 0; // as in BLAS
    expect(std::abs(norms.got()[0] - (none ? 0 : std::sqrt(squares))) <= scale, "nrm2", n);
    expect(std::abs(norms.got()[1] - (none ? 0 : sum)) <= scale * (1 + sum), "asum", n);
    expect(places.got()[0] == (none ? 0.0 : most + 1), "amax", n);
    expect(places.got()[1] == (none ? 0.0 : least + 1), "amin", n);
    IS(INVALID_VALUE, B::dotc(s.handle, n, x.device, ix, y.device, iy, nullptr));
}

template <class T> void updates(session &s, int n, int ix, int iy)
{
    typedef blas<T> B;
    typedef typename B::real V;
    numbers<T> x((size_t)n * std::abs(ix)), y((size_t)n * std::abs(iy));
    std::vector<wide> wx = x.wides(), wy = y.wides();
    vector vx{&wx, n, ix}, vy{&wy, n, iy};
    wide alpha = rounded<T>({1.5, -0.75}), sine = rounded<T>({0.5, 0.625});
    scalars<T> factors(s, {alpha, sine});
    scalars<V> reals(s, {0.5, 0.75});
    OK(B::axpy(s.handle, n, factors.at(0), x.device, ix, y.device, iy));
    for (int i = 0; i < n; i++)
        vy[i] += alpha * vx[i];
    y.check(s, wy, "axpy");
    OK(B::rot(s.handle, n, x.device, ix, y.device, iy, reals.at(0), factors.at(1)));
    rotate<T>(vx, vy, 0.5, sine);
    x.check(s, wx, "rot, x");
    y.check(s, wy, "rot, y");
    OK(B::rot_real(s.handle, n, x.device, ix, y.device, iy, reals.at(0), reals.at(1)));
    rotate<T>(vx, vy, 0.5, 0.75);
    x.check(s, wx, "rot by real numbers, x");
    y.check(s, wy, "rot by real numbers, y");
    OK(B::swap(s.handle, n, x.device, ix, y.device, iy));
    for (int i = 0; i < n; i++)
        std::swap(vx[i], vy[i]);
    x.check(s, wx, "swap, x");
    y.check(s, wy, "swap, y");
    OK(B::copy(s.handle, n, x.device, ix, y.device, iy));
    for (int i = 0; i < n; i++)
        vy[i] = vx[i];
    y.check(s, wy, "copy");
    OK(B::scal(s.handle, n, factors.at(0), x.device, ix));
    OK(B::scal_real(s.handle, n, reals.at(1), y.device, iy));
    for (int i = 0; i < n; i++) {
        vx[i] *= ix > 0 ? alpha : 1;
        vy[i] *= iy > 0 ? 0.75 : 1;
    }
    x.check(s, wx, "scal");
    y.check(s, wy, "scal by a real number");
    IS(INVALID_VALUE, B::scal_real(s.handle, n, nullptr, x.device, ix));
    IS(INVALID_VALUE, B::rot(s.handle, n, x.device, ix, y.device, iy, reals.at(0), nullptr));
    OK(B::axpy(s.handle, 0, factors.at(0), nullptr, 1, nullptr, 1));
}

// A complex number with an infinite part stays that when a real one multiplies it.
template <class T> void infinite(session &s)
{
    double big = std::numeric_limits<double>::infinity();
    numbers<T> x(std::vector<wide>{{big, 3}});
    scalars<typename blas<T>::real> two(s, {2});
    T got;
    OK(blas<T>::scal_real(s.handle, 1, two.at(), x.device, 1));
    cudaMemcpy(&got, x.device, sizeof got, cudaMemcpyDeviceToHost);
    expect(number<T>::value(got) == rounded<T>({big, 6}), "an infinite part");
}

// (c, s) turns (a, b) to (r, 0), and real ones are found again in what b becomes.
template <class T> void making(session &s)
{
    typedef typename blas<T>::real V;
    const wide cases[][2] = {{3, 4},      {-4, 3}, {0.5, 0}, {0, 2}, {0, 0}, {{1, -2}, {0.5, 3}},
                             {{-3, 1}, 0}};
    for (auto &given : cases) {
        wide a = rounded<T>(given[0]), b = rounded<T>(given[1]);
        scalars<T> ab(s, {a, b, 7});
        scalars<V> cosine(s, {7});
        OK(blas<T>::rotg(s.handle, ab.at(0), ab.at(1), cosine.at(), ab.at(2)));
        std::vector<wide> got = ab.got();
        wide c = cosine.got()[0], sine = got[2], r = got[0];
        expect(std::abs(c * a + sine * b - r) < 1e-5, "rotg: r");
        expect(std::abs(c * b - std::conj(sine) * a) < 1e-5, "rotg: zero");
        expect(std::fabs(std::norm(c) + std::norm(sine) - 1) < 1e-5, "rotg: a rotation");
        if (number<T>::is_complex) {
            expect(got[1] == b, "rotg: b stays");
            continue;
        }
        double z = got[1].real(), z_s = std::fabs(z) < 1 ? z
                                        : z == 1         ? 1
                                                         : std::sqrt(1 - 1 / z / z);
        double z_c = std::fabs(z) < 1 ? std::sqrt(1 - z * z) : z == 1 ? 0 : 1 / z;
        expect(std::fabs(z_c - c.real()) < 1e-5 && std::fabs(z_s - sine.real()) < 1e-5, "rotg: z");
    }
    scalars<T> ab(s, {1, 1, 7});
    IS(INVALID_VALUE, blas<T>::rotg(s.handle, ab.at(0), ab.at(1), nullptr, ab.at(2)));
}

template <class T> struct modified;
template <> struct modified<float> {
    static constexpr auto rotm = cublasSrotm;
    static constexpr auto rotmg = cublasSrotmg;
};
template <> struct modified<double> {
    static constexpr auto rotm = cublasDrotm;
    static constexpr auto rotmg = cublasDrotmg;
};

// The matrix of rotm's parameters: h11, h21, h12, h22.
std::vector<double> matrix_of(const std::vector<wide> &p)
{
    double flag = p[0].real(), h11 = p[1].real(), h21 = p[2].real(), h12 = p[3].real(),
           h22 = p[4].real();
    if (flag == -2)
        return {1, 0, 0, 1};
    if (flag == 0)
        return {1, h21, h12, 1};
    if (flag == 1)
        return {h11, -1, 1, h22};
    return {h11, h21, h12, h22};
}

template <class T> void modified_rotations(session &s)
{
    typedef modified<T> B;
    const int n = 300;
    for (double flag : {-2.0, -1.0, 0.0, 1.0}) {
        numbers<T> x(2 * n), y(n);
        std::vector<wide> wx = x.wides(), wy = y.wides();
        scalars<T> parameters(s, {flag, 0.5, -0.25, 0.75, 2});
        std::vector<double> h = matrix_of(parameters.wides());
        vector vx{&wx, n, -2}, vy{&wy, n, 1};
        OK(B::rotm(s.handle, n, x.device, -2, y.device, 1, parameters.at()));
        for (int i = 0; i < n; i++) {
            wide old = vx[i];
            vx[i] = h[0] * old + h[2] * vy[i];
            vy[i] = h[1] * old + h[3] * vy[i];
        }
        x.check(s, wx, "rotm, x");
        y.check(s, wy, "rotm, y");
    }
    const double limit = 4096.0 * 4096.0;
    const double cases[][4] = {
        {2, 3, 1, 0.5},   {1, 4, 0.5, 2},       {2, 3, 1, 0},    {1e-9, 1, 2, 1}, {1e9, 1, 2, 1},
        {1, 1e-20, 1, 3}, {1e-16, 1e-17, 1, 5}, {1, 3e15, 4, 1}, {-1, 2, 1, 1},   {1, -2, 0.25, 3}};
    for (auto &given : cases) {
        double d1 = (T)given[0], d2 = (T)given[1], x = given[2], y = given[3];
        scalars<T> g(s, {d1, d2, x, y, 7, 7, 7, 7, 7});
        OK(B::rotmg(s.handle, g.at(0), g.at(1), g.at(2), g.at(3), g.at(4)));
        std::vector<wide> got = g.got();
        std::vector<double> h = matrix_of({got.begin() + 4, got.end()});
        double n1 = got[0].real(), n2 = got[1].real(), nx = got[2].real();
        if (d1 < 0 || d2 < 0) { // no such rotation
            bool none = got[4] == -1.0 && n1 == 0 && n2 == 0 && nx == 0;
            for (double element : h)
                none = none && element == 0;
            expect(none, "rotmg: nothing");
            continue;
        }
        double before = d1 * x * x + d2 * y * y, unit = std::sqrt(before);
        expect(got[3] == y, "rotmg: y stays");
        expect(std::fabs(h[0] * x + h[2] * y - nx) < 1e-5 * (1 + std::fabs(nx)), "rotmg: x");
        expect(got[4] == -2.0 || std::fabs(h[1] * x + h[3] * y) * std::sqrt(n2) < 1e-5 * unit,
               "rotmg: zero");
        expect(std::fabs(n1 * nx * nx + (got[4] == -2.0 ? n2 * y * y : 0) - before) < 1e-5 * before,
               "rotmg: the norm");
        expect(got[4] == -2.0 || (n1 > 1 / limit && n1 < limit && n2 > 1 / limit && n2 < limit),
               "rotmg: the range");
    }
    scalars<T> g(s, {1, 1, 1, 1, 7, 7, 7, 7, 7});
    IS(INVALID_VALUE, B::rotmg(s.handle, g.at(0), g.at(1), g.at(2), g.at(3), nullptr));
    IS(INVALID_VALUE, B::rotm(s.handle, n, nullptr, 1, nullptr, 1, nullptr));
}

// E: of the vectors; T: of the execution and alpha; V: of norms.
template <class E, class T, class V> struct by_type {
    session &s;
    cudaDataType type, execution, of_norm, norm_execution;

    void run(int n, int ix, int iy) const
    {
        numbers<E> x((size_t)n * std::abs(ix)), y((size_t)n * std::abs(iy));
        std::vector<wide> wx = x.wides(), wy = y.wides();
        vector vx{&wx, n, ix}, vy{&wy, n, iy};
        wide alpha = rounded<E>({0.75, 0.5}), sine = rounded<E>({0.5, -0.5});
        scalars<T> factor(s, {alpha});
        scalars<E> products(s, {7, 7}), turn(s, {0.75, sine});
        scalars<V> norm(s, {7});
        wide dot, dotc;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            dot += vx[i] * vy[i];
            dotc += std::conj(vx[i]) * vy[i];
            squares += std::norm(vx[i]);
        }
        OK(cublasDotEx(s.handle, n, x.device, type, ix, y.device, type, iy, products.at(0), type,
                       execution));
        OK(cublasDotcEx(s.handle, n, x.device, type, ix, y.device, type, iy, products.at(1), type,
                        execution));
        OK(cublasNrm2Ex(s.handle, n, x.device, type, ix, norm.at(), of_norm, norm_execution));
        moves(n, ix, iy);
        sizes(x, vx);
        double limit = 4e-6 * std::sqrt(n) + tolerance<E>() * (1 + std::abs(dot));
        expect(std::abs(products.got()[0] - dot) <= limit, "DotEx", n);
        expect(std::abs(products.got()[1] - dotc) <= limit, "DotcEx", n);
        s.near(number<V>::made(norm.got()[0]), ix > 0 ? std::sqrt(squares) : 0, "Nrm2Ex", n);
        OK(cublasAxpyEx(s.handle, n, factor.at(), execution, x.device, type, ix, y.device, type, iy,
                        execution));
        for (int i = 0; i < n; i++)
            vy[i] = rounded<E>(vy[i] + alpha * vx[i]);
        y.check(s, wy, "AxpyEx");
        OK(cublasRotEx(s.handle, n, x.device, type, ix, y.device, type, iy, turn.at(0), turn.at(1),
                       type, execution));
        rotate<E>(vx, vy, 0.75, sine);
        x.check(s, wx, "RotEx, x");
        y.check(s, wy, "RotEx, y");
        OK(cublasScalEx(s.handle, n, factor.at(), execution, x.device, type, ix, execution));
        for (int i = 0; i < n && ix > 0; i++)
            vx[i] *= alpha;
        x.check(s, wx, "ScalEx");
    }
    void sizes(const numbers<E> &x, const vector &vx) const
    {
        scalars<V> sum(s, {7});
        scalars<CUBLAS_SIZE> places(s, {-1, -1});
        double want = 0;
        int most = 0, least = 0;
        for (int i = 0; i < vx.n; i++) {
            want += size(vx[i]);
            most = size(vx[i]) > size(vx[most]) ? i : most;
            least = size(vx[i]) < size(vx[least]) ? i : least;
        }
        bool none = vx.increment < 0;
        OK(cublasAsumEx(s.handle, vx.n, x.device, type, vx.increment, sum.at(), of_norm,
                        norm_execution));
        OK(cublasIamaxEx(s.handle, vx.n, x.device, type, vx.increment, places.at(0)));
        OK(cublasIaminEx(s.handle, vx.n, x.device, type, vx.increment, places.at(1)));
        s.near(number<V>::made(sum.got()[0]), none ? 0 : want, "AsumEx", vx.n);
        expect(places.got()[0] == (none ? 0.0 : most + 1), "IamaxEx", vx.n);
        expect(places.got()[1] == (none ? 0.0 : least + 1), "IaminEx", vx.n);
    }
    void moves(int n, int ix, int iy) const
    {
        numbers<E> x((size_t)n * std::abs(ix)), y((size_t)n * std::abs(iy));
        std::vector<wide> wx = x.wides(), wy = y.wides();
        vector vx{&wx, n, ix}, vy{&wy, n, iy};
        OK(cublasSwapEx(s.handle, n, x.device, type, ix, y.device, type, iy));
        for (int i = 0; i < n; i++)
            std::swap(vx[i], vy[i]);
        x.check(s, wx, "SwapEx, x");
        y.check(s, wy, "SwapEx, y");
        vx[0] = 0.5;
        x = wx;
        OK(cublasCopyEx(s.handle, n, x.device, type, ix, y.device, type, iy));
        for (int i = 0; i < n; i++)
            vy[i] = vx[i];
        y.check(s, wy, "CopyEx");
    }
    void all() const
    {
        for (int mode = 0; mode < 2; mode++, s.turn()) {
            run(33, 1, 1);
            run(700, 2, -3);
            run(60, -1, 2);
        }
    }
};

void types(session &s)
{
    by_type<__half, float, __half>{s, CUDA_R_16F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F}.all();
    by_type<__nv_bfloat16, float, __nv_bfloat16>{s, CUDA_R_16BF, CUDA_R_32F, CUDA_R_16BF,
                                                 CUDA_R_32F}
        .all();
    by_type<float, float, float>{s, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F}.all();
    by_type<double, double, double>{s, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F}.all();
    by_type<cuComplex, cuComplex, float>{s, CUDA_C_32F, CUDA_C_32F, CUDA_R_32F, CUDA_R_32F}.all();
    by_type<cuDoubleComplex, cuDoubleComplex, double>{s, CUDA_C_64F, CUDA_C_64F, CUDA_R_64F,
                                                      CUDA_R_64F}
        .all();
    numbers<cuComplex> x(50), y(50);
    std::vector<wide> wx = x.wides(), wy = y.wides();
    scalars<float> real(s, {0.25, 0.5});
    OK(cublasRotEx(s.handle, 50, x.device, CUDA_C_32F, 1, y.device, CUDA_C_32F, 1, real.at(0),
                   real.at(1), CUDA_R_32F, CUDA_C_32F));
    rotate<cuComplex>({&wx, 50, 1}, {&wy, 50, 1}, 0.25, 0.5);
    x.check(s, wx, "RotEx by real numbers, x");
    y.check(s, wy, "RotEx by real numbers, y");
    float one = 1;
    CUBLAS_SIZE place = 0;
    IS(NOT_SUPPORTED, cublasCopyEx(s.handle, 4, x.device, CUDA_R_16F, 1, y.device, CUDA_R_16BF, 1));
    IS(NOT_SUPPORTED, cublasIamaxEx(s.handle, 4, x.device, CUDA_R_32I, 1, &place));
    IS(NOT_SUPPORTED,
       cublasAsumEx(s.handle, 4, x.device, CUDA_C_32F, 1, &one, CUDA_C_32F, CUDA_R_32F));
    IS(NOT_SUPPORTED, cublasAxpyEx(s.handle, 4, &one, CUDA_R_32F, x.device, CUDA_R_16F, 1, y.device,
                                   CUDA_R_32F, 1, CUDA_R_32F));
    IS(NOT_SUPPORTED, cublasAxpyEx(s.handle, 4, &one, CUDA_R_16F, x.device, CUDA_R_16F, 1, y.device,
                                   CUDA_R_16F, 1, CUDA_R_32F));
    IS(NOT_SUPPORTED,
       cublasScalEx(s.handle, 4, &one, CUDA_R_32I, x.device, CUDA_R_32I, 1, CUDA_R_32I));
    IS(NOT_SUPPORTED,
       cublasScalEx(s.handle, 4, &one, CUDA_R_32F, x.device, CUDA_R_64F, 1, CUDA_R_64F));
    IS(NOT_SUPPORTED, cublasDotEx(s.handle, 4, x.device, CUDA_R_16F, 1, y.device, CUDA_R_16F, 1,
                                  &one, CUDA_R_32F, CUDA_R_32F));
    IS(NOT_SUPPORTED, cublasDotEx(s.handle, 4, x.device, CUDA_R_16F, 1, y.device, CUDA_R_16F, 1,
                                  &one, CUDA_R_16F, CUDA_R_16F));
    IS(NOT_SUPPORTED,
       cublasNrm2Ex(s.handle, 4, x.device, CUDA_C_32F, 1, &one, CUDA_C_32F, CUDA_R_32F));
    IS(NOT_SUPPORTED, cublasRotEx(s.handle, 4, x.device, CUDA_R_32F, 1, y.device, CUDA_R_32F, 1,
                                  &one, &one, CUDA_R_64F, CUDA_R_32F));
    IS(NOT_INITIALIZED, cublasAxpyEx(nullptr, 4, &one, CUDA_R_32F, x.device, CUDA_R_32F, 1,
                                     y.device, CUDA_R_32F, 1, CUDA_R_32F));
    IS(NOT_INITIALIZED, cublasDotEx(nullptr, 4, x.device, CUDA_R_32F, 1, y.device, CUDA_R_32F, 1,
                                    &one, CUDA_R_32F, CUDA_R_32F));
    IS(INVALID_VALUE,
       cublasScalEx(s.handle, 4, nullptr, CUDA_R_32F, x.device, CUDA_R_32F, 1, CUDA_R_32F));
    OK(cublasDotEx(s.handle, 0, x.device, CUDA_R_32F, 1, y.device, CUDA_R_32F, 1, &one, CUDA_R_32F,
                   CUDA_R_32F));
    expect(one == 0, "DotEx of nothing");
}

template <class T> void precision(session &s)
{
    const int increments[][2] = {{1, 1}, {2, 3}, {-1, 2}, {3, -2}};
    for (auto &inc : increments)
        for (int n : {1, 33, 700}) {
            reductions<T>(s, n, inc[0], inc[1]);
            updates<T>(s, n, inc[0], inc[1]);
            s.turn();
        }
    for (int mode = 0; mode < 2; mode++, s.turn()) {
        infinite<T>(s);
        making<T>(s);
    }
}

} // namespace

void blas_vectors(cublasHandle_t handle)
{
    session s(handle);
    precision<float>(s);
    precision<double>(s);
    precision<cuComplex>(s);
    precision<cuDoubleComplex>(s);
    for (int mode = 0; mode < 2; mode++, s.turn()) {
        modified_rotations<float>(s);
        modified_rotations<double>(s);
    }
    types(s);
}
