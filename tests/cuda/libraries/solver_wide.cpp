// The calls of 64 bits: each factor put back into its equation, and what their types exclude.
#include "solver_parts.h"

namespace
{

cusolverDnHandle_t handle;
cusolverDnParams_t params;

template <class T> struct types;
template <> struct types<float> {
    static constexpr cudaDataType own = CUDA_R_32F, real = CUDA_R_32F;
};
template <> struct types<double> {
    static constexpr cudaDataType own = CUDA_R_64F, real = CUDA_R_64F;
};
template <> struct types<cuComplex> {
    static constexpr cudaDataType own = CUDA_C_32F, real = CUDA_R_32F;
};
template <> struct types<cuDoubleComplex> {
    static constexpr cudaDataType own = CUDA_C_64F, real = CUDA_R_64F;
};

const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;

template <class T> void lu(int n)
{
    const cudaDataType type = types<T>::own;
    dense given = random_matrix<T>(n, n), right = random_matrix<T>(n, 2);
    matrix<T> a(given), b(right), back(right);
    room<int> info(1);
    room<int64_t> pivots(n);
    size_t bytes = 0, host = 1;
    OK(cusolverDnXgetrf_bufferSize(handle, params, n, n, type, a.device, a.ld, type, &bytes,
                                   &host));
    expect(bytes > 0 && host == 0, "getrf: workspace");
    room<char> work(bytes);
    IS(INVALID_VALUE, cusolverDnXgetrf(handle, params, n, n, type, a.device, a.ld, pivots.device,
                                       type, work.device, bytes - 1, nullptr, 0, info.device));
    OK(cusolverDnXgetrf(handle, params, n, n, type, a.device, a.ld, pivots.device, type,
                        work.device, bytes, nullptr, 0, info.device));
    dense f = a.got(), l = triangle(f, true, true), u = triangle(f, false), moved = given;
    std::vector<int64_t> p = pivots.got();
    for (int k = 0; k < n; k++) {
        expect(p[k] > k && p[k] <= n, "getrf: pivot", k);
        for (int j = 0; j < n; j++)
            std::swap(moved(k, j), moved((int)p[k] - 1, j));
    }
    near<T>(l * u, moved, "Xgetrf");
    OK(cusolverDnXgetrs(handle, params, CUBLAS_OP_N, n, 2, type, a.device, a.ld, pivots.device,
                        type, b.device, b.ld, info.device));
    expect(info.got()[0] == 0, "getrs: info");
    near<T>(given * b.got(), right, "Xgetrs");
    OK(cusolverDnXgetrs(handle, params, CUBLAS_OP_C, n, 2, type, a.device, a.ld, pivots.device,
                        type, back.device, back.ld, info.device));
    near<T>(adjoint(given) * back.got(), right, "Xgetrs, adjoint");
}

template <class T> void cholesky(int n)
{
    const cudaDataType type = types<T>::own;
    dense half = random_matrix<T>(n, n), given = half * adjoint(half),
          right = random_matrix<T>(n, 3);
    for (int i = 0; i < n; i++)
        given(i, i) += 1;
    matrix<T> a(given), b(right);
    room<int> info(1);
    size_t bytes = 0, host = 1;
    OK(cusolverDnXpotrf_bufferSize(handle, params, lower, n, type, a.device, a.ld, type, &bytes,
                                   &host));
    room<char> work(bytes);
    OK(cusolverDnXpotrf(handle, params, lower, n, type, a.device, a.ld, type, work.device, bytes,
                        nullptr, host, info.device));
    OK(cusolverDnXpotrs(handle, params, lower, n, 3, type, a.device, a.ld, type, b.device, b.ld,
                        info.device));
    near<T>(given * b.got(), right, "Xpotrs");
}

template <class T> void orthogonal_factor(int m, int n)
{
    const cudaDataType type = types<T>::own;
    dense given = random_matrix<T>(m, n);
    matrix<T> a(given);
    room<T> tau(n);
    room<int> info(1);
    size_t bytes = 0, host = 1;
    OK(cusolverDnXgeqrf_bufferSize(handle, params, m, n, type, a.device, a.ld, type, tau.device,
                                   type, &bytes, &host));
    room<char> work(bytes);
    OK(cusolverDnXgeqrf(handle, params, m, n, type, a.device, a.ld, type, tau.device, type,
                        work.device, bytes, nullptr, host, info.device));
    dense r = part(triangle(a.got(), false), n, n);
    near<T>(adjoint(r) * r, adjoint(given) * given, "Xgeqrf");
}

template <class T> void spectra(int m, int n)
{
    typedef typename real_of<T>::type V;
    const cudaDataType type = types<T>::own, real = types<T>::real;
    dense given = random_matrix<T>(m, n), gram = adjoint(given) * given;
    matrix<T> a(given), u(dense(m, m)), vt(dense(n, n)), g(gram);
    room<V> values(n), squares(n);
    room<int> info(1);
    size_t bytes = 0, host = 1;
    OK(cusolverDnXgesvd_bufferSize(handle, params, 'A', 'A', m, n, type, a.device, a.ld, real,
                                   values.device, type, u.device, u.ld, type, vt.device, vt.ld,
                                   type, &bytes, &host));
    room<char> work(bytes);
    OK(cusolverDnXgesvd(handle, params, 'A', 'A', m, n, type, a.device, a.ld, real, values.device,
                        type, u.device, u.ld, type, vt.device, vt.ld, type, work.device, bytes,
                        nullptr, host, info.device));
    dense s(m, n);
    std::vector<V> singular = values.got();
    for (int i = 0; i < n; i++)
        s(i, i) = singular[i];
    near<T>(u.got() * s * vt.got(), given, "Xgesvd");
    OK(cusolverDnXsyevd_bufferSize(handle, params, CUSOLVER_EIG_MODE_VECTOR, lower, n, type,
                                   g.device, g.ld, real, squares.device, type, &bytes, &host));
    room<char> more(bytes);
    OK(cusolverDnXsyevd(handle, params, CUSOLVER_EIG_MODE_VECTOR, lower, n, type, g.device, g.ld,
                        real, squares.device, type, more.device, bytes, nullptr, host,
                        info.device));
    dense v = g.got(), d(n, n);
    std::vector<V> eigen = squares.got();
    for (int i = 0; i < n; i++)
        d(i, i) = eigen[i];
    near<T>(v * d * adjoint(v), gram, "Xsyevd");
}

template <class T> void all()
{
    lu<T>(37);
    cholesky<T>(20);
    orthogonal_factor<T>(21, 9);
    spectra<T>(12, 7);
}

} // namespace

void solver_wide(cusolverDnHandle_t with)
{
    handle = with;
    OK(cusolverDnCreateParams(&params));
    OK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
    IS(INVALID_VALUE, cusolverDnSetAdvOptions(nullptr, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
    all<float>();
    all<double>();
    all<cuComplex>();
    all<cuDoubleComplex>();
    room<double> some(4);
    room<int> info(1);
    size_t bytes = 0, host = 0;
    const int64_t large = (int64_t)1 << 32;
    IS(NOT_INITIALIZED, cusolverDnXpotrf_bufferSize(nullptr, params, lower, 2, CUDA_R_64F,
                                                    some.device, 2, CUDA_R_64F, &bytes, &host));
    IS(NOT_SUPPORTED, cusolverDnXpotrf_bufferSize(handle, params, lower, large, CUDA_R_64F,
                                                  some.device, large, CUDA_R_64F, &bytes, &host));
    IS(NOT_SUPPORTED, cusolverDnXpotrf_bufferSize(handle, params, lower, 2, CUDA_R_64F, some.device,
                                                  2, CUDA_R_32F, &bytes, &host));
    IS(NOT_SUPPORTED, cusolverDnXpotrf_bufferSize(handle, params, lower, 2, CUDA_R_16F, some.device,
                                                  2, CUDA_R_16F, &bytes, &host));
    IS(INVALID_VALUE, cusolverDnXpotrf_bufferSize(handle, params, lower, -1, CUDA_R_64F,
                                                  some.device, 2, CUDA_R_64F, &bytes, &host));
    IS(NOT_SUPPORTED, cusolverDnXsyevd_bufferSize(handle, params, CUSOLVER_EIG_MODE_VECTOR, lower,
                                                  2, CUDA_C_64F, some.device, 2, CUDA_C_64F,
                                                  some.device, CUDA_C_64F, &bytes, &host));
    OK(cusolverDnDestroyParams(params));
}
