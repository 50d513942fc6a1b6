// Eigenvalues of two matrices, and those in a range: put back into their equation, with vectors
// that are orthogonal as the matrix of the right side wants it.
#include "solver_parts.h"

namespace
{

cusolverDnHandle_t handle;

template <class T> struct pencil {
    typedef typename real_of<T>::type V;
    cusolverEigType_t type;
    cublasFillMode_t uplo;
    dense a, b;
    bool lower() const
    {
        return uplo == CUBLAS_FILL_MODE_LOWER;
    }
    // As stored: the other triangle holds what nobody may read.
    dense half(const dense &whole) const
    {
        dense h = triangle(whole, lower());
        for (int j = 0; j < h.n; j++)
            for (int i = 0; i < h.m; i++)
                if (lower() ? i < j : i > j)
                    h(i, j) = 55;
        return h;
    }
};

template <class T> dense positive(int n)
{
    dense r = random_matrix<T>(n, n), b = r * adjoint(r);
    for (int i = 0; i < n; i++)
        b(i, i) += n;
    return b;
}

// The equation of each type, and what x* x, weighted by B, is.
template <class T> void check_vectors(const pencil<T> &p, const dense &x, const dense &w)
{
    switch (p.type) {
    case CUSOLVER_EIG_TYPE_1:
        near<T>(p.a * x, p.b * x * w, "A x = w B x");
        near<T>(adjoint(x) * p.b * x, identity(x.n), "x* B x");
        break;
    case CUSOLVER_EIG_TYPE_2:
        near<T>(p.a * (p.b * x), x * w, "A B x = w x");
        near<T>(adjoint(x) * p.b * x, identity(x.n), "x* B x of A B");
        break;
    default:
        near<T>(p.b * (p.a * x), x * w, "B A x = w x");
    }
}

// The factor is in B's place: the triangle that was given.
template <class T> void check_factor(const pencil<T> &p, const dense &stored)
{
    dense l = triangle(stored, p.lower());
    near<T>(p.lower() ? l * adjoint(l) : adjoint(l) * l, p.b, "B's factor");
}

template <class T> void check(const pencil<T> &p)
{
    typedef typename real_of<T>::type V;
    int n = p.a.n, size = 0;
    matrix<T> a(p.half(p.a)), b(p.half(p.b)), a2(p.half(p.a)), b2(p.half(p.b));
    room<V> w(n), alone(n);
    room<int> info(1);
    OK(solver<T>::gvd_size(handle, p.type, CUSOLVER_EIG_MODE_VECTOR, p.uplo, n, a.device, a.ld,
                           b.device, b.ld, w.device, &size));
    room<T> work(size);
    OK(solver<T>::gvd(handle, p.type, CUSOLVER_EIG_MODE_VECTOR, p.uplo, n, a.device, a.ld, b.device,
                      b.ld, w.device, work.device, size, info.device));
    expect(info.got()[0] == 0, "sygvd: info");
    check_vectors(p, a.got(), diagonal(w.got()));
    check_factor(p, b.got());
    OK(solver<T>::gvd(handle, p.type, CUSOLVER_EIG_MODE_NOVECTOR, p.uplo, n, a2.device, a2.ld,
                      b2.device, b2.ld, alone.device, work.device, size, info.device));
    near<T>(diagonal(alone.got()), diagonal(w.got()), "sygvd: values alone");
}

// Those from number `first` to `last`, or the same by their limits.
template <class T> void check_range(const pencil<T> &p, bool by_value)
{
    typedef typename real_of<T>::type V;
    int n = p.a.n, size = 0, found = -1, first = 3, last = 6;
    cusolverEigRange_t all = CUSOLVER_EIG_RANGE_ALL,
                       range = by_value ? CUSOLVER_EIG_RANGE_V : CUSOLVER_EIG_RANGE_I;
    matrix<T> a(p.half(p.a)), b(p.half(p.b)), a2(p.half(p.a)), b2(p.half(p.b));
    room<V> w(n), some(n);
    room<int> info(1);
    cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
    OK(solver<T>::gvdx_size(handle, p.type, job, all, p.uplo, n, a.device, a.ld, b.device, b.ld, 0,
                            0, 0, 0, &found, w.device, &size));
    room<T> work(size);
    OK(solver<T>::gvdx(handle, p.type, job, all, p.uplo, n, a.device, a.ld, b.device, b.ld, 0, 0, 0,
                       0, &found, w.device, work.device, size, info.device));
    expect(found == n && info.got()[0] == 0, "sygvdx: all of them", found);
    std::vector<V> values = w.got();
    V above = (values[first - 2] + values[first - 1]) / 2,
      upto = (values[last - 1] + values[last]) / 2;
    OK(solver<T>::gvdx(handle, p.type, job, range, p.uplo, n, a2.device, a2.ld, b2.device, b2.ld,
                       above, upto, first, last, &found, some.device, work.device, size,
                       info.device));
    expect(found == last - first + 1 && info.got()[0] == 0, "sygvdx: their number", found);
    std::vector<V> part_of = some.got();
    part_of.resize(found);
    std::vector<V> wanted(values.begin() + first - 1, values.begin() + last);
    near<T>(diagonal(part_of), diagonal(wanted), "sygvdx: values");
    check_vectors(p, part(a2.got(), n, found), diagonal(part_of));
}

template <class T> void check_one_matrix()
{
    typedef typename real_of<T>::type V;
    const int n = 9;
    int size = 0, found = -1;
    dense given = hermitian<T>(n);
    cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
    cublasFillMode_t uplo = CUBLAS_FILL_MODE_UPPER;
    matrix<T> a(given);
    room<V> w(n);
    room<int> info(1);
    OK(solver<T>::evdx_size(handle, job, CUSOLVER_EIG_RANGE_I, uplo, n, a.device, a.ld, 0, 0, 8, 9,
                            &found, w.device, &size));
    room<T> work(size);
    OK(solver<T>::evdx(handle, job, CUSOLVER_EIG_RANGE_I, uplo, n, a.device, a.ld, 0, 0, 8, 9,
                       &found, w.device, work.device, size, info.device));
    expect(found == 2 && info.got()[0] == 0, "syevdx: two", found);
    std::vector<V> two = {w.got()[0], w.got()[1]};
    dense x = part(a.got(), n, 2);
    expect(two[0] <= two[1], "syevdx: order");
    orthogonal<T>(x, "syevdx: vectors");
    near<T>(given * x, x * diagonal(two), "syevdx: A x = w x");
    matrix<T> again(given); // none lies there
    V far = V(1000);
    OK(solver<T>::evdx(handle, job, CUSOLVER_EIG_RANGE_V, uplo, n, again.device, again.ld, far,
                       2 * far, 0, 0, &found, w.device, work.device, size, info.device));
    expect(found == 0, "syevdx: none", found);
}

template <class T> void all_types()
{
    const cusolverEigType_t types[] = {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2,
                                       CUSOLVER_EIG_TYPE_3};
    dense a = hermitian<T>(9), b = positive<T>(9);
    for (cusolverEigType_t type : types)
        for (cublasFillMode_t uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
            check(pencil<T>{type, uplo, a, b});
    check_range(pencil<T>{CUSOLVER_EIG_TYPE_1, CUBLAS_FILL_MODE_LOWER, a, b}, false);
    check_range(pencil<T>{CUSOLVER_EIG_TYPE_1, CUBLAS_FILL_MODE_UPPER, a, b}, true);
    check_one_matrix<T>();
}

// By the call of 64 bits, and arguments that are none.
void calls()
{
    const int n = 4;
    cusolverDnParams_t params;
    size_t bytes = 0, host_bytes = 0;
    int64_t found = 0;
    double above = -1, upto = 3.5;
    dense given = diagonal(std::vector<double>{3, 1, 4, 2});
    matrix<double> a(given);
    room<double> w(n);
    room<int> info(1);
    OK(cusolverDnCreateParams(&params));
    cusolverEigMode_t job = CUSOLVER_EIG_MODE_VECTOR;
    cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    OK(cusolverDnXsyevdx_bufferSize(handle, params, job, CUSOLVER_EIG_RANGE_V, lower, n, CUDA_R_64F,
                                    a.device, a.ld, &above, &upto, 0, 0, &found, CUDA_R_64F,
                                    w.device, CUDA_R_64F, &bytes, &host_bytes));
    room<char> work(bytes);
    OK(cusolverDnXsyevdx(handle, params, job, CUSOLVER_EIG_RANGE_V, lower, n, CUDA_R_64F, a.device,
                         a.ld, &above, &upto, 0, 0, &found, CUDA_R_64F, w.device, CUDA_R_64F,
                         work.device, bytes, nullptr, 0, info.device));
    expect(found == 3, "Xsyevdx: three", (double)found);
    for (int i = 0; i < 3; i++)
        expect(std::abs(w.got()[i] - (i + 1)) < 1e-13, "Xsyevdx: value", i);
    IS(NOT_SUPPORTED,
       cusolverDnXsyevdx(handle, params, job, CUSOLVER_EIG_RANGE_V, lower, n, CUDA_R_64F, a.device,
                         a.ld, &above, &upto, 0, 0, &found, CUDA_R_32F, w.device, CUDA_R_64F,
                         work.device, bytes, nullptr, 0, info.device));
    OK(cusolverDnDestroyParams(params));
    dense negative = identity(n);
    negative(2, 2) = -1;
    matrix<double> b(negative), c(given);
    room<double> more(200);
    OK(cusolverDnDsygvd(handle, CUSOLVER_EIG_TYPE_1, job, lower, n, c.device, c.ld, b.device, b.ld,
                        w.device, more.device, 200, info.device));
    expect(info.got()[0] == n + 3, "sygvd: B is not positive", info.got()[0]);
    IS(INVALID_VALUE, cusolverDnDsygvd(handle, (cusolverEigType_t)4, job, lower, n, c.device, c.ld,
                                       b.device, b.ld, w.device, more.device, 200, info.device));
    IS(INVALID_VALUE, cusolverDnDsygvd(handle, CUSOLVER_EIG_TYPE_1, job, lower, n, c.device, c.ld,
                                       b.device, b.ld, w.device, more.device, 20, info.device));
    int count = 0;
    IS(INVALID_VALUE,
       cusolverDnDsyevdx(handle, job, CUSOLVER_EIG_RANGE_I, lower, n, c.device, c.ld, 0, 0, 2, 5,
                         &count, w.device, more.device, 200, info.device));
}

} // namespace

void solver_pencils(cusolverDnHandle_t with)
{
    handle = with;
    all_types<float>();
    all_types<double>();
    all_types<cuComplex>();
    all_types<cuDoubleComplex>();
    calls();
}
