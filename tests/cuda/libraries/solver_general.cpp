// Matrices without symmetry: each value and vector put back into its equation.
#include "solver_parts.h"

#include <limits>

namespace
{

cusolverDnHandle_t handle;
cusolverDnParams_t params;

template <class T> struct types;
template <> struct types<float> {
    static constexpr cudaDataType own = CUDA_R_32F, wide_values = CUDA_C_32F;
    typedef cuComplex complex;
};
template <> struct types<double> {
    static constexpr cudaDataType own = CUDA_R_64F, wide_values = CUDA_C_64F;
    typedef cuDoubleComplex complex;
};
template <> struct types<cuComplex> {
    static constexpr cudaDataType own = CUDA_C_32F, wide_values = CUDA_C_32F;
    typedef cuComplex complex;
};
template <> struct types<cuDoubleComplex> {
    static constexpr cudaDataType own = CUDA_C_64F, wide_values = CUDA_C_64F;
    typedef cuDoubleComplex complex;
};

struct answer {
    std::vector<wide> values;
    dense vectors;
    int info;
};

// lists: the values as a list of real parts and one of imaginary ones.
template <class T> answer eigen(const dense &given, bool vectors, bool lists = false)
{
    typedef typename real_of<T>::type V;
    const int n = given.n;
    const cudaDataType type = types<T>::own;
    const cudaDataType of_values = lists ? type : types<T>::wide_values;
    const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR;
    const cusolverEigMode_t job = vectors ? CUSOLVER_EIG_MODE_VECTOR : none;
    matrix<T> a(given), vr(n, n);
    room<V> w(2 * (size_t)n);
    room<int> info(1);
    size_t bytes = 0, host = 0;
    OK(cusolverDnXgeev_bufferSize(handle, params, none, job, n, type, a.device, a.ld, of_values,
                                  w.device, type, nullptr, 1, type, vr.device, vr.ld, type, &bytes,
                                  &host));
    room<char> work(bytes);
    std::vector<char> on_host(host + 1, 'x');
    IS(INVALID_VALUE, cusolverDnXgeev(handle, params, none, job, n, type, a.device, a.ld, of_values,
                                      w.device, type, nullptr, 1, type, vr.device, vr.ld, type,
                                      work.device, bytes, on_host.data(), host - 1, info.device));
    OK(cusolverDnXgeev(handle, params, none, job, n, type, a.device, a.ld, of_values, w.device,
                       type, nullptr, 1, type, vr.device, vr.ld, type, work.device, bytes,
                       on_host.data(), host, info.device));
    expect(on_host[host] == 'x', "geev: behind its workspace");
    answer got{{}, vr.got(), info.got()[0]};
    std::vector<V> parts = w.got();
    for (size_t k = 0; k < (size_t)n; k++)
        got.values.push_back(lists ? wide(parts[k], parts[(size_t)n + k])
                                   : wide(parts[2 * k], parts[2 * k + 1]));
    return got;
}

// The vectors as complex columns.
template <class T> dense columns(const answer &got)
{
    dense v = got.vectors;
    for (int k = 0; !number<T>::is_complex && k + 1 < v.n; k++) {
        if (got.values[(size_t)k].imag() == 0)
            continue;
        expect(got.values[(size_t)k].imag() > 0 &&
                   got.values[(size_t)k + 1] == std::conj(got.values[(size_t)k]),
               "geev: a pair", k);
        for (int i = 0; i < v.m; i++) {
            wide part = v(i, k + 1);
            v(i, k + 1) = v(i, k) - wide(0, 1) * part;
            v(i, k) += wide(0, 1) * part;
        }
        k++;
    }
    return v;
}

template <class T> void normal(const dense &v)
{
    for (int k = 0; k < v.n; k++) {
        double square = 0, most = 0;
        for (int i = 0; i < v.m; i++) {
            square += std::norm(v(i, k));
            most = std::max(most, std::abs(v(i, k)));
        }
        expect(std::abs(square - 1) < 50 * tolerance<T>(), "geev: length", k);
        bool real = false;
        for (int i = 0; i < v.m; i++)
            real |= v(i, k).imag() == 0 && std::abs(v(i, k)) > most * (1 - 10 * tolerance<T>());
        expect(real, "geev: the largest number of a vector", k);
    }
}

// The wanted values in some order; each once.
template <class T> void same(std::vector<wide> got, const std::vector<wide> &want, double allowed)
{
    expect(got.size() == want.size(), "geev: count");
    for (wide w : want) {
        size_t best = 0;
        for (size_t i = 1; i < got.size(); i++)
            if (std::abs(got[i] - w) < std::abs(got[best] - w))
                best = i;
        expect(std::abs(got[best] - w) <= allowed, "geev: a value", (long)best);
        got.erase(got.begin() + (long)best);
    }
}

template <class T> answer checked(const dense &given)
{
    answer got = eigen<T>(given, true);
    expect(got.info == 0, "geev: info");
    dense v = columns<T>(got), scaled = v;
    for (int k = 0; k < v.n; k++)
        for (int i = 0; i < v.m; i++)
            scaled(i, k) *= got.values[(size_t)k];
    near<T>(given * v, scaled, "Xgeev");
    normal<T>(v);
    return got;
}

template <class T> void random(int n)
{
    dense given = random_matrix<T>(n, n);
    answer got = checked<T>(given), alone = eigen<T>(given, false);
    expect(alone.info == 0, "geev: values alone");
    double allowed = tolerance<T>() * n * 100;
    same<T>(alone.values, got.values, allowed);
    expect(alone.vectors.most() == 0, "geev: vectors stay");
    if (!number<T>::is_complex)
        same<T>(eigen<T>(given, true, true).values, got.values, 0);
}

// A cycle moves every vector on: the roots of 1, which shifts from the matrix alone never find.
template <class T> void cycle(int n)
{
    dense given(n, n);
    std::vector<wide> roots;
    for (int i = 0; i < n; i++) {
        given((i + 1) % n, i) = 1;
        roots.push_back(std::polar(1.0, 2 * M_PI * i / n));
    }
    same<T>(checked<T>(given).values, roots, tolerance<T>() * 50);
}

// Values 1 to n in a triangle, seen through powers of 2 that only balancing takes away.
template <class T> void graded(int n)
{
    dense given(n, n);
    std::vector<wide> values;
    for (int i = 0; i < n; i++) {
        values.push_back(i + 1);
        for (int j = i; j < n; j++)
            given(i, j) = j == i ? i + 1.0 : 1.0;
    }
    for (int j = 1; j < n; j++) // another basis, which fills the other triangle exactly
        for (int i = 0; i < n; i++)
            given(i, 0) += given(i, j);
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            given(i, j) -= given(0, j);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            given(i, j) *= std::exp2(6.0 * (i - j));
    answer got = eigen<T>(given, false);
    same<T>(got.values, values, tolerance<T>() * 1000);
}

template <class T> void special()
{
    dense zero(4, 4), one = identity(5), chain(4, 4), large = random_matrix<T>(6, 6);
    same<T>(checked<T>(zero).values, {0, 0, 0, 0}, 0);
    same<T>(checked<T>(one).values, {1, 1, 1, 1, 1}, 0);
    for (int i = 0; i < 3; i++) // one vector for all values
        chain(i, i + 1) = 1;
    same<T>(checked<T>(chain).values, {0, 0, 0, 0}, 0);
    const double huge = std::numeric_limits<typename real_of<T>::type>::max() / 64;
    dense scaled = large;
    for (wide &x : scaled.all)
        x *= huge;
    std::vector<wide> values = eigen<T>(scaled, true).values;
    for (wide &w : values)
        w /= huge;
    same<T>(values, checked<T>(large).values, tolerance<T>() * 1000);
    large(3, 1) = std::numeric_limits<double>::quiet_NaN();
    expect(eigen<T>(large, true).info == 6, "geev: a number that is none");
}

template <class T> void all()
{
    for (int n : {1, 2, 3, 4, 9, 40})
        random<T>(n);
    cycle<T>(4);
    cycle<T>(7);
    graded<T>(5);
    special<T>();
}

void refused()
{
    const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR, vector = CUSOLVER_EIG_MODE_VECTOR;
    const cudaDataType real = CUDA_R_64F, complex = CUDA_C_64F;
    size_t bytes, host;
    room<int> info(1);
    auto size = [&](cusolverEigMode_t left, int64_t n, cudaDataType w, cudaDataType vr,
                    int64_t ldvr) {
        return cusolverDnXgeev_bufferSize(handle, params, left, vector, n, real, nullptr,
                                          n > 0 ? n : 1, w, nullptr, real, nullptr, 1, vr, nullptr,
                                          ldvr, real, &bytes, &host);
    };
    OK(size(none, 4, real, real, 4));
    OK(size(none, 4, complex, real, 4));
    IS(NOT_SUPPORTED, size(vector, 4, real, real, 4));
    IS(NOT_SUPPORTED, size(none, 4, CUDA_C_32F, real, 4));
    IS(NOT_SUPPORTED, size(none, 4, complex, complex, 4));
    IS(INVALID_VALUE, size(none, 4, real, real, 3));
    IS(INVALID_VALUE, size(none, -1, real, real, 4));
    OK(size(none, 0, real, real, 1));
    OK(cusolverDnXgeev(handle, params, none, vector, 0, real, nullptr, 1, real, nullptr, real,
                       nullptr, 1, real, nullptr, 1, real, nullptr, bytes, nullptr, host,
                       info.device));
    expect(info.got()[0] == 0, "geev: info of nothing");
}

} // namespace

void solver_general(cusolverDnHandle_t given)
{
    handle = given;
    OK(cusolverDnCreateParams(&params));
    refused();
    all<float>();
    all<double>();
    all<cuComplex>();
    all<cuDoubleComplex>();
    OK(cusolverDnDestroyParams(params));
}
