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

template <class T> void inverse(int n, cublasFillMode_t uplo, cublasDiagType_t diag)
{
    const cudaDataType type = types<T>::own;
    const bool below = uplo == lower, unit = diag == CUBLAS_DIAG_UNIT;
    dense given = random_matrix<T>(n, n);
    for (wide &x : given.all) /* so that no number of the inverse is large */
        x *= 0.2;
    for (int i = 0; i < n; i++)
        given(i, i) += 4;
    matrix<T> a(given);
    given = a.got(); /* rounded */
    room<int> info(1);
    size_t bytes = 0, host = 1;
    OK(cusolverDnXtrtri_bufferSize(handle, uplo, diag, n, type, a.device, a.ld, &bytes, &host));
    room<char> work(bytes);
    IS(INVALID_VALUE, cusolverDnXtrtri(handle, uplo, diag, n, type, a.device, a.ld, work.device,
                                       bytes - 1, nullptr, 0, info.device));
    OK(cusolverDnXtrtri(handle, uplo, diag, n, type, a.device, a.ld, work.device, bytes, nullptr,
                        host, info.device));
    expect(info.got()[0] == 0, "trtri: info");
    dense got = a.got(), f = triangle(given, below, unit);
    near<T>(triangle(got, below, unit) * f, identity(n), "Xtrtri");
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if ((unit && i == j) || (below ? i < j : i > j))
                expect(got(i, j) == given(i, j), "trtri: what is beside the triangle", i);
    given(n / 2, n / 2) = 0;
    matrix<T> singular(given);
    OK(cusolverDnXtrtri(handle, uplo, diag, n, type, singular.device, singular.ld, work.device,
                        bytes, nullptr, host, info.device));
    expect(info.got()[0] == (unit ? 0 : n / 2 + 1), "trtri: a 0 on the diagonal", info.got()[0]);
    if (!unit)
        near<T>(singular.got(), given, "trtri: a matrix without inverse");
}

// U S V* of a matrix of any shape.
template <class T> void polar(int m, int n)
{
    typedef typename real_of<T>::type V;
    const cudaDataType type = types<T>::own, real = types<T>::real;
    const int least = m < n ? m : n;
    dense given = random_matrix<T>(m, n);
    matrix<T> a(given), u(dense(m, least)), v(dense(n, least));
    room<V> values(least);
    room<int> info(1);
    double error = 7;
    size_t bytes = 0, host = 1;
    OK(cusolverDnXgesvdp_bufferSize(handle, params, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, type,
                                    a.device, a.ld, real, values.device, type, u.device, u.ld, type,
                                    v.device, v.ld, type, &bytes, &host));
    room<char> work(bytes);
    OK(cusolverDnXgesvdp(handle, params, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, type, a.device, a.ld,
                         real, values.device, type, u.device, u.ld, type, v.device, v.ld, type,
                         work.device, bytes, nullptr, host, info.device, &error));
    expect(info.got()[0] == 0 && error == 0, "gesvdp: info and error");
    near<T>(u.got() * diagonal(values.got()) * adjoint(v.got()), given, "Xgesvdp");
    IS(NOT_SUPPORTED, cusolverDnXgesvdp_bufferSize(
                          handle, params, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, type, a.device, a.ld,
                          type == real ? CUDA_C_32F : type, values.device, type, u.device, u.ld,
                          type, v.device, v.ld, type, &bytes, &host));
}

// The largest singular values of those that Xgesvdp finds, with their vectors.
template <class T> void largest(int m, int n)
{
    typedef typename real_of<T>::type V;
    const cudaDataType type = types<T>::own, real = types<T>::real;
    const int k = 3, p = 2, least = m < n ? m : n;
    dense given = random_matrix<T>(m, n);
    matrix<T> a(given), u(dense(m, k)), v(dense(n, k)), all_u(dense(m, least)),
        all_v(dense(n, least));
    room<V> values(k), all(least);
    room<int> info(1);
    double error;
    size_t bytes = 0, host = 1;
#define GESVDR(name, job, p, s, ...)                                                               \
    cusolverDnXgesvdr##name(handle, params, job, job, m, n, k, p, 4, type, a.device, a.ld, real,   \
                            (s).device, type, u.device, u.ld, type, v.device, v.ld, type,          \
                            __VA_ARGS__)
    OK(GESVDR(_bufferSize, 'S', p, values, &bytes, &host));
    room<char> work(bytes);
    OK(GESVDR(, 'S', p, values, work.device, bytes, nullptr, host, info.device));
    expect(info.got()[0] == 0, "Xgesvdr: info");
    near<T>(given * v.got(), u.got() * diagonal(values.got()), "Xgesvdr: A V = U S");
    near<T>(adjoint(u.got()) * u.got(), diagonal(std::vector<V>(k, 1)), "Xgesvdr: U");
    near<T>(a.got(), given, "Xgesvdr: A stays");
    room<V> again(k);
    OK(GESVDR(, 'N', p, again, work.device, bytes, nullptr, host, info.device));
    OK(cusolverDnXgesvdp_bufferSize(handle, params, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, type,
                                    a.device, a.ld, real, all.device, type, all_u.device, all_u.ld,
                                    type, all_v.device, all_v.ld, type, &bytes, &host));
    room<char> more(bytes);
    OK(cusolverDnXgesvdp(handle, params, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, type, a.device, a.ld,
                         real, all.device, type, all_u.device, all_u.ld, type, all_v.device,
                         all_v.ld, type, more.device, bytes, nullptr, host, info.device, &error));
    for (int i = 0; i < k; i++) {
        const double want = all.got()[i], near_it = 1e-5 * want;
        expect(std::fabs(values.got()[i] - want) < near_it, "Xgesvdr: a value", i);
        expect(std::fabs(again.got()[i] - want) < near_it, "Xgesvdr: a value alone", i);
    }
    IS(INVALID_VALUE, GESVDR(_bufferSize, 'S', least, values, &bytes, &host)); // k + p
    IS(INVALID_VALUE, GESVDR(_bufferSize, 'A', p, values, &bytes, &host));
}

// A x = b. Where a lower precision is meant, A becomes its factors; else it stays.
template <class T, class Size, class Solve>
void refined(Size size, Solve solve, bool own, const char *what)
{
    const int n = 41;
    dense given = random_matrix<T>(n, n), right = random_matrix<T>(n, 2);
    matrix<T> a(given), b(right), x(dense(n, 2));
    room<int> pivots(n), info(1);
    size_t bytes = 0;
    int niter = 99;
    OK(size(handle, n, 2, a.device, a.ld, pivots.device, b.device, b.ld, x.device, x.ld, nullptr,
            &bytes));
    room<char> work(bytes);
    IS(INVALID_VALUE, solve(handle, n, 2, a.device, a.ld, pivots.device, b.device, b.ld, x.device,
                            x.ld, work.device, bytes - 1, &niter, info.device));
    OK(solve(handle, n, 2, a.device, a.ld, pivots.device, b.device, b.ld, x.device, x.ld,
             work.device, bytes, &niter, info.device));
    expect(niter == (own ? 0 : -1) && info.got()[0] == 0, what, niter);
    near<T>(given * x.got(), right, what);
    near<T>(b.got(), right, "gesv: the right-hand sides stay");
    if (own) {
        near<T>(a.got(), given, "gesv: A stays");
        return;
    }
    dense f = a.got(), moved = given;
    std::vector<int> p = pivots.got();
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            std::swap(moved(k, j), moved(p[k] - 1, j));
    near<T>(triangle(f, true, true) * triangle(f, false), moved, "gesv: A becomes its factors");
}
#define REFINED(T, name, own)                                                                      \
    refined<T>(cusolverDn##name##gesv_bufferSize, cusolverDn##name##gesv, own, #name "gesv")

template <class T>
void refined_by_parameters(cusolverPrecType_t main, cusolverPrecType_t lowest, int want)
{
    const int n = 23;
    cusolverDnIRSParams_t how;
    cusolverDnIRSInfos_t infos;
    dense given = random_matrix<T>(n, n), right = random_matrix<T>(n, 1);
    given(5, 5) = 0;
    matrix<T> a(given), b(right), x(dense(n, 1));
    room<int> info(1);
    size_t bytes = 0;
    int niter = 99, told = 99;
    OK(cusolverDnIRSParamsCreate(&how));
    IS(NOT_SUPPORTED, cusolverDnIRSXgesv_bufferSize(handle, how, n, 1, &bytes));
    OK(cusolverDnIRSParamsSetSolverPrecisions(how, main, lowest));
    OK(cusolverDnIRSParamsSetRefinementSolver(how, CUSOLVER_IRS_REFINE_GMRES));
    OK(cusolverDnIRSInfosCreate(&infos));
    OK(cusolverDnIRSXgesv_bufferSize(handle, how, n, 1, &bytes));
    room<char> work(bytes);
    OK(cusolverDnIRSXgesv(handle, how, infos, n, 1, a.device, a.ld, b.device, b.ld, x.device, x.ld,
                          work.device, bytes, &niter, info.device));
    OK(cusolverDnIRSInfosGetNiters(infos, &told));
    expect(niter == want && told == want && info.got()[0] == 0, "IRSXgesv: iterations", niter);
    near<T>(given * x.got(), right, "IRSXgesv");
    matrix<T> singular(dense(n, n));
    OK(cusolverDnIRSXgesv(handle, how, infos, n, 1, singular.device, singular.ld, b.device, b.ld,
                          x.device, x.ld, work.device, bytes, &niter, info.device));
    expect(info.got()[0] == 1, "IRSXgesv: a matrix of zeroes", info.got()[0]);
    OK(cusolverDnIRSInfosDestroy(infos));
    OK(cusolverDnIRSParamsDestroy(how));
}

void refinement()
{
    REFINED(float, SS, true);
    REFINED(float, SH, false);
    REFINED(float, SB, false);
    REFINED(float, SX, false);
    REFINED(double, DD, true);
    REFINED(double, DS, false);
    REFINED(double, DH, false);
    REFINED(double, DB, false);
    REFINED(double, DX, false);
    REFINED(cuComplex, CC, true);
    REFINED(cuComplex, CK, false);
    REFINED(cuComplex, CE, false);
    REFINED(cuComplex, CY, false);
    REFINED(cuDoubleComplex, ZZ, true);
    REFINED(cuDoubleComplex, ZC, false);
    REFINED(cuDoubleComplex, ZK, false);
    REFINED(cuDoubleComplex, ZE, false);
    REFINED(cuDoubleComplex, ZY, false);
    refined_by_parameters<double>(CUSOLVER_R_64F, CUSOLVER_R_16F, -1);
    refined_by_parameters<float>(CUSOLVER_R_32F, CUSOLVER_R_32F, 0);
    refined_by_parameters<cuComplex>(CUSOLVER_C_32F, CUSOLVER_C_16BF, -1);
    refined_by_parameters<cuDoubleComplex>(CUSOLVER_C_64F, CUSOLVER_C_32F, -1);
}

template <class T> void all()
{
    lu<T>(37);
    cholesky<T>(20);
    orthogonal_factor<T>(21, 9);
    spectra<T>(12, 7);
    for (cublasDiagType_t diag : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT}) {
        inverse<T>(33, lower, diag);
        inverse<T>(20, CUBLAS_FILL_MODE_UPPER, diag);
    }
    polar<T>(12, 7);
    polar<T>(5, 9);
    largest<T>(12, 7);
    largest<T>(6, 40);
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
    refinement();
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
