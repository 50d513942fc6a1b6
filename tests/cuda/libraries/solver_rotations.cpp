// syevj, gesvdj and their kin: what the program chooses and hears, batches, wide matrices, the
// largest values of a batch.
#include "solver_parts.h"

namespace
{

cusolverDnHandle_t handle;

// Its matrices one behind the other, by columns without gaps.
template <class T> struct pile {
    room<T> numbers;
    int m, n;
    pile(int rows, int columns, int count)
        : numbers((size_t)rows * columns * count), m(rows), n(columns)
    {
    }
    explicit pile(const std::vector<dense> &all) : pile(all[0].m, all[0].n, (int)all.size())
    {
        std::vector<T> out;
        for (const dense &a : all)
            for (wide x : a.all)
                out.push_back(number<T>::made(x));
        cudaMemcpy(numbers.device, out.data(), out.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    dense got(int which) const
    {
        std::vector<T> in = numbers.got();
        dense a(m, n);
        for (size_t i = 0; i < a.all.size(); i++)
            a.all[i] = number<T>::value(in[which * a.all.size() + i]);
        return a;
    }
};

template <class V> std::vector<V> slice(const room<V> &values, int from, int count)
{
    std::vector<V> all = values.got();
    return std::vector<V>(all.begin() + from, all.begin() + from + count);
}

template <class T> void eigen(int n)
{
    typedef typename real_of<T>::type V;
    dense given = hermitian<T>(n);
    cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
    cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    syevjInfo_t params;
    matrix<T> a(given);
    room<V> w(n);
    room<int> info(1);
    int size = 0, sweeps = 0;
    double residual = -1;
    OK(cusolverDnCreateSyevjInfo(&params));
    IS(NOT_SUPPORTED, cusolverDnXsyevjGetSweeps(handle, params, &sweeps)); // no call so far
    OK(solver<T>::evj_size(handle, job, lower, n, a.device, a.ld, w.device, &size, params));
    room<T> work(size);
    OK(solver<T>::evj(handle, job, lower, n, a.device, a.ld, w.device, work.device, size,
                      info.device, params));
    expect(info.got()[0] == 0, "syevj: info", info.got()[0]);
    dense v = a.got();
    orthogonal<T>(v, "syevj: V");
    near<T>(v * diagonal(w.got()) * adjoint(v), given, "syevj: A");
    for (int i = 1; i < n; i++)
        expect(w.got()[i - 1] <= w.got()[i], "syevj: order", i);
    OK(cusolverDnXsyevjGetResidual(handle, params, &residual));
    OK(cusolverDnXsyevjGetSweeps(handle, params, &sweeps));
    expect(residual >= 0 && residual < tolerance<T>() * n * 100, "syevj: residual", residual);
    expect(sweeps >= 3 && sweeps < 15, "syevj: sweeps", sweeps);

    matrix<T> once(given); // one sweep is too few, and the residual says so
    OK(cusolverDnXsyevjSetMaxSweeps(params, 1));
    OK(cusolverDnXsyevjSetSortEig(params, 0));
    OK(solver<T>::evj(handle, job, lower, n, once.device, once.ld, w.device, work.device, size,
                      info.device, params));
    expect(info.got()[0] == n + 1, "syevj: one sweep", info.got()[0]);
    OK(cusolverDnXsyevjGetResidual(handle, params, &residual));
    OK(cusolverDnXsyevjGetSweeps(handle, params, &sweeps));
    expect(sweeps == 1 && residual > tolerance<T>() * n * 100, "syevj: after one sweep", sweeps,
           residual);
    orthogonal<T>(once.got(), "syevj: V after one sweep");

    matrix<T> rough(given); // a tolerance that one sweep or two reach
    OK(cusolverDnXsyevjSetMaxSweeps(params, 50));
    OK(cusolverDnXsyevjSetTolerance(params, 0.5));
    OK(solver<T>::evj(handle, job, lower, n, rough.device, rough.ld, w.device, work.device, size,
                      info.device, params));
    OK(cusolverDnXsyevjGetSweeps(handle, params, &sweeps));
    expect(info.got()[0] == 0 && sweeps < 4, "syevj: a rough tolerance", sweeps);
    OK(cusolverDnDestroySyevjInfo(params));
}

// Of a diagonal matrix, in the order of the diagonal.
void unsorted()
{
    const int n = 5;
    const std::vector<double> order = {3, -1, 4, 0, 2};
    matrix<double> a(diagonal(order));
    room<double> w(n), work(200);
    room<int> info(1);
    syevjInfo_t params;
    OK(cusolverDnCreateSyevjInfo(&params));
    OK(cusolverDnXsyevjSetSortEig(params, 0));
    OK(cusolverDnDsyevj(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, a.device, a.ld,
                        w.device, work.device, 200, info.device, params));
    near<double>(diagonal(w.got()), diagonal(order), "syevj: unsorted");
    near<double>(a.got(), identity(n), "syevj: unsorted vectors");
    IS(INVALID_VALUE, cusolverDnXsyevjSetMaxSweeps(params, 0));
    IS(INVALID_VALUE,
       cusolverDnDsyevj(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, a.device, a.ld,
                        w.device, work.device, 200, info.device, nullptr));
    OK(cusolverDnDestroySyevjInfo(params));
}

template <class T> void eigen_batch()
{
    typedef typename real_of<T>::type V;
    const int n = 6, count = 3;
    std::vector<dense> given;
    for (int i = 0; i < count; i++)
        given.push_back(hermitian<T>(n));
    pile<T> a(given);
    room<V> w(n * count);
    room<int> info(count);
    syevjInfo_t params;
    int size = 0, sweeps;
    cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
    cublasFillMode_t uplo = CUBLAS_FILL_MODE_UPPER;
    OK(cusolverDnCreateSyevjInfo(&params));
    OK(solver<T>::evj_batched_size(handle, job, uplo, n, a.numbers.device, n, w.device, &size,
                                   params, count));
    room<T> work(size);
    OK(solver<T>::evj_batched(handle, job, uplo, n, a.numbers.device, n, w.device, work.device,
                              size, info.device, params, count));
    IS(NOT_SUPPORTED, cusolverDnXsyevjGetSweeps(handle, params, &sweeps)); // as NVIDIA's
    for (int i = 0; i < count; i++) {
        dense v = a.got(i);
        expect(info.got()[i] == 0, "syevjBatched: info", i);
        orthogonal<T>(v, "syevjBatched: V");
        near<T>(v * diagonal(slice(w, n * i, n)) * adjoint(v), given[i], "syevjBatched: A");
    }
    OK(cusolverDnDestroySyevjInfo(params));
}

template <class T> void pencil()
{
    typedef typename real_of<T>::type V;
    const int n = 7;
    dense a = hermitian<T>(n), r = random_matrix<T>(n, n), b = r * adjoint(r);
    for (int i = 0; i < n; i++)
        b(i, i) += n;
    matrix<T> x(a), factor(b);
    room<V> w(n);
    room<int> info(1);
    syevjInfo_t params;
    int size = 0, sweeps = 0;
    cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
    cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    OK(cusolverDnCreateSyevjInfo(&params));
    OK(solver<T>::gvj_size(handle, CUSOLVER_EIG_TYPE_1, job, lower, n, x.device, x.ld,
                           factor.device, factor.ld, w.device, &size, params));
    room<T> work(size);
    OK(solver<T>::gvj(handle, CUSOLVER_EIG_TYPE_1, job, lower, n, x.device, x.ld, factor.device,
                      factor.ld, w.device, work.device, size, info.device, params));
    expect(info.got()[0] == 0, "sygvj: info");
    near<T>(a * x.got(), b * x.got() * diagonal(w.got()), "sygvj: A x = w B x");
    OK(cusolverDnXsyevjGetSweeps(handle, params, &sweeps));
    expect(sweeps > 1, "sygvj: sweeps", sweeps);
    OK(cusolverDnDestroySyevjInfo(params));
}

template <class T> void singular(int m, int n)
{
    typedef typename real_of<T>::type V;
    int wide = std::min(m, n), size = 0, sweeps = 0;
    double residual = -1;
    dense given = random_matrix<T>(m, n);
    gesvdjInfo_t params;
    room<V> s(wide), alone(wide);
    room<int> info(1);
    OK(cusolverDnCreateGesvdjInfo(&params));
    for (int econ = 0; econ < 2; econ++) {
        matrix<T> a(given), u(m, econ ? wide : m), v(n, econ ? wide : n);
        cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
        OK(solver<T>::gesvdj_size(handle, job, econ, m, n, a.device, a.ld, s.device, u.device, u.ld,
                                  v.device, v.ld, &size, params));
        room<T> work(size);
        OK(solver<T>::gesvdj(handle, job, econ, m, n, a.device, a.ld, s.device, u.device, u.ld,
                             v.device, v.ld, work.device, size, info.device, params));
        expect(info.got()[0] == 0, "gesvdj: info", info.got()[0]);
        orthogonal<T>(u.got(), "gesvdj: U");
        orthogonal<T>(v.got(), "gesvdj: V");
        near<T>(part(u.got(), m, wide) * diagonal(s.got()) * adjoint(part(v.got(), n, wide)), given,
                "gesvdj: A");
        OK(cusolverDnXgesvdjGetResidual(handle, params, &residual));
        OK(cusolverDnXgesvdjGetSweeps(handle, params, &sweeps));
        expect(residual >= 0 && residual < tolerance<T>() * 100 * wide && sweeps > 1,
               "gesvdj: residual", residual, sweeps);
    }
    matrix<T> a(given);
    room<T> work(size);
    OK(solver<T>::gesvdj(handle, CUSOLVER_EIG_MODE_NOVECTOR, 0, m, n, a.device, a.ld, alone.device,
                         nullptr, 1, nullptr, 1, work.device, size, info.device, params));
    near<T>(diagonal(alone.got()), diagonal(s.got()), "gesvdj: values alone");
    OK(cusolverDnDestroyGesvdjInfo(params));
}

template <class T> void singular_batch(int m, int n)
{
    typedef typename real_of<T>::type V;
    const int count = 2;
    int wide = std::min(m, n), size = 0;
    std::vector<dense> given = {random_matrix<T>(m, n), random_matrix<T>(m, n)};
    pile<T> a(given), u(m, m, count), v(n, n, count);
    room<V> s(wide * count);
    room<int> info(count);
    gesvdjInfo_t params;
    cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
    OK(cusolverDnCreateGesvdjInfo(&params));
    OK(solver<T>::gesvdj_batched_size(handle, job, m, n, a.numbers.device, m, s.device,
                                      u.numbers.device, m, v.numbers.device, n, &size, params,
                                      count));
    room<T> work(size);
    OK(solver<T>::gesvdj_batched(handle, job, m, n, a.numbers.device, m, s.device, u.numbers.device,
                                 m, v.numbers.device, n, work.device, size, info.device, params,
                                 count));
    for (int i = 0; i < count; i++)
        near<T>(part(u.got(i), m, wide) * diagonal(slice(s, i * wide, wide)) *
                    adjoint(part(v.got(i), n, wide)),
                given[i], "gesvdjBatched: A");
    OK(cusolverDnDestroyGesvdjInfo(params));
}

// Two of five: the rest is what the norm says, and the matrix stays.
template <class T> void largest()
{
    typedef typename real_of<T>::type V;
    const int m = 8, n = 5, rank = 2, count = 2;
    const double values[] = {9, 7, 2, 1, 0.5};
    int size = 0;
    double norms[count], rest = std::sqrt(4 + 1 + 0.25);
    std::vector<dense> given;
    for (int i = 0; i < count; i++) { // with these singular values: of reflections
        dense x = random_matrix<T>(m, 1), y = random_matrix<T>(n, 1), p = identity(m),
              q = identity(n), d(m, n);
        double xx = 0, yy = 0;
        for (wide e : x.all)
            xx += std::norm(e);
        for (wide e : y.all)
            yy += std::norm(e);
        dense outer = x * adjoint(x), outer_y = y * adjoint(y);
        for (size_t e = 0; e < p.all.size(); e++)
            p.all[e] -= 2 / xx * outer.all[e];
        for (size_t e = 0; e < q.all.size(); e++)
            q.all[e] -= 2 / yy * outer_y.all[e];
        for (int k = 0; k < n; k++)
            d(k, k) = values[k];
        given.push_back(p * d * q);
    }
    pile<T> a(given), u(m, rank, count), v(n, rank, count);
    room<V> s(rank * count);
    room<int> info(count);
    cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
    OK(solver<T>::gesvda_size(handle, job, rank, m, n, a.numbers.device, m, m * n, s.device, rank,
                              u.numbers.device, m, m * rank, v.numbers.device, n, n * rank, &size,
                              count));
    room<T> work(size);
    OK(solver<T>::gesvda(handle, job, rank, m, n, a.numbers.device, m, m * n, s.device, rank,
                         u.numbers.device, m, m * rank, v.numbers.device, n, n * rank, work.device,
                         size, info.device, norms, count));
    for (int i = 0; i < count; i++) {
        double scale = tolerance<T>() * 1000;
        expect(info.got()[i] == 0, "gesvda: info", i);
        expect(std::abs(s.got()[rank * i] - 9) < scale &&
                   std::abs(s.got()[rank * i + 1] - 7) < scale,
               "gesvda: values", s.got()[rank * i], s.got()[rank * i + 1]);
        expect(std::abs(norms[i] - rest) < scale, "gesvda: norm", norms[i], rest);
        near<T>(given[i] * v.got(i), u.got(i) * diagonal(slice(s, rank * i, rank)), "gesvda: A V");
        near<T>(a.got(i), given[i], "gesvda: A stays");
    }
}

template <class T> void all_of()
{
    eigen<T>(11);
    eigen_batch<T>();
    pencil<T>();
    singular<T>(10, 6);
    singular<T>(5, 9);
    singular_batch<T>(4, 7);
    largest<T>();
}

} // namespace

void solver_rotations(cusolverDnHandle_t with)
{
    handle = with;
    all_of<float>();
    all_of<double>();
    all_of<cuComplex>();
    all_of<cuDoubleComplex>();
    eigen<double>(34); // more columns than a block rotates
    unsorted();
}
