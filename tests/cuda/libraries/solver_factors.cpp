// Cholesky, LU and QR: each factor put back into its equation, solutions into theirs.
#include "solver_parts.h"

namespace
{

cusolverDnHandle_t handle;

dense positive(const dense &b)
{
    dense a = b * adjoint(b);
    for (int i = 0; i < a.n; i++)
        a(i, i) += 1;
    return a;
}
dense rounded(const dense &a, bool single)
{
    dense r = a;
    for (wide &x : r.all)
        x = single ? wide((float)x.real(), (float)x.imag()) : x;
    return r;
}
template <class T> dense as_is(const dense &a)
{
    return rounded(a, tolerance<T>() > 1e-10);
}

template <class T> void cholesky(cublasFillMode_t uplo, int n)
{
    bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
    dense given = as_is<T>(positive(random_matrix<T>(n, n))), right = random_matrix<T>(n, 3);
    matrix<T> a(given), b(right);
    room<int> info(1);
    int size = 0;
    OK(solver<T>::potrf_size(handle, uplo, n, a.device, a.ld, &size));
    room<T> work(size);
    OK(solver<T>::potrf(handle, uplo, n, a.device, a.ld, work.device, size, info.device));
    expect(info.got()[0] == 0, "potrf: info");
    dense f = a.got(), l = triangle(f, lower);
    near<T>(lower ? l * adjoint(l) : adjoint(l) * l, given, "potrf");
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            expect(i == j || (i > j) == lower || f(i, j) == given(i, j), "potrf: other triangle");
    OK(solver<T>::potrs(handle, uplo, n, 3, a.device, a.ld, b.device, b.ld, info.device));
    near<T>(given * b.got(), right, "potrs");
    OK(solver<T>::potri_size(handle, uplo, n, a.device, a.ld, &size));
    room<T> more(size);
    OK(solver<T>::potri(handle, uplo, n, a.device, a.ld, more.device, size, info.device));
    dense inverse = triangle(a.got(), lower);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            (lower ? inverse(i, j) : inverse(j, i)) =
                std::conj(lower ? inverse(j, i) : inverse(i, j));
    near<T>(given * inverse, identity(n), "potri");
}

// The first minor that is not positive.
template <class T> void not_positive(cublasFillMode_t uplo)
{
    const int n = 40;
    room<int> info(1);
    for (int bad : {1, 35}) {
        dense given = identity(n);
        given(bad - 1, bad - 1) = -1;
        given(n - 1, n - 1) = -1;
        matrix<T> a(given);
        OK(solver<T>::potrf(handle, uplo, n, a.device, a.ld, nullptr, 0, info.device));
        expect(info.got()[0] == bad, "potrf: the minor", bad);
    }
}

template <class T> void batches(cublasFillMode_t uplo)
{
    const int n = 9, count = 4;
    bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
    std::vector<dense> given, right;
    std::vector<T *> as, bs;
    std::vector<matrix<T> *> a, b;
    room<T *> list(count), others(count);
    room<int> info(count);
    for (int i = 0; i < count; i++) {
        given.push_back(as_is<T>(positive(random_matrix<T>(n, n))));
        right.push_back(random_matrix<T>(n, 1));
        if (i == 2)
            given[i](4, 4) = -9;
        a.push_back(new matrix<T>(given[i]));
        b.push_back(new matrix<T>(right[i]));
        as.push_back(a[i]->device);
        bs.push_back(b[i]->device);
    }
    cudaMemcpy(list.device, as.data(), count * sizeof(T *), cudaMemcpyHostToDevice);
    cudaMemcpy(others.device, bs.data(), count * sizeof(T *), cudaMemcpyHostToDevice);
    int ld = a[0]->ld;
    OK(solver<T>::potrf_batched(handle, uplo, n, list.device, ld, info.device, count));
    std::vector<int> infos = info.got();
    OK(solver<T>::potrs_batched(handle, uplo, n, 1, list.device, ld, others.device, ld, info.device,
                                count));
    for (int i = 0; i < count; i++) {
        expect(infos[i] == (i == 2 ? 5 : 0), "potrfBatched: info", i);
        dense l = triangle(a[i]->got(), lower);
        if (i != 2) {
            near<T>(lower ? l * adjoint(l) : adjoint(l) * l, given[i], "potrfBatched");
            near<T>(given[i] * b[i]->got(), right[i], "potrsBatched");
        }
        delete a[i];
        delete b[i];
    }
}

template <class T> dense exchanged(const dense &a, const std::vector<int> &pivots)
{
    dense p = a;
    for (size_t k = 0; k < pivots.size(); k++) {
        expect(pivots[k] > (int)k && pivots[k] <= a.m, "a pivot's row", (long)k);
        for (int j = 0; j < a.n; j++)
            std::swap(p((int)k, j), p(pivots[k] - 1, j));
    }
    return p;
}

template <class T> void lu(int m, int n)
{
    int least = std::min(m, n), size = 0;
    dense given = random_matrix<T>(m, n);
    matrix<T> a(given);
    room<int> pivots(least), info(1);
    OK(solver<T>::getrf_size(handle, m, n, a.device, a.ld, &size));
    room<T> work(size);
    OK(solver<T>::getrf(handle, m, n, a.device, a.ld, work.device, pivots.device, info.device));
    expect(info.got()[0] == 0, "getrf: info");
    dense f = a.got(), l = part(triangle(f, true, true), m, least);
    near<T>(l * part(triangle(f, false), least, n), exchanged<T>(given, pivots.got()), "getrf");
    expect(l.most() <= (number<T>::is_complex ? 1.5 : 1), "getrf: the largest is the pivot");
    if (m != n)
        return;
    for (cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
        dense right = random_matrix<T>(n, 5);
        matrix<T> b(right);
        OK(solver<T>::getrs(handle, trans, n, 5, a.device, a.ld, pivots.device, b.device, b.ld,
                            info.device));
        dense op = trans == CUBLAS_OP_N ? given : adjoint(given, trans == CUBLAS_OP_C);
        dense x = b.got(), back = op * x;
        for (wide &e : back.all) // by the solution's size
            e /= 1 + x.most();
        for (wide &e : right.all)
            e /= 1 + x.most();
        near<T>(back, right, "getrs");
    }
}

// Without pivots, and with a column of zeroes.
template <class T> void lu_odd()
{
    const int n = 36;
    dense given = random_matrix<T>(n, n), right = random_matrix<T>(n, 1);
    for (int i = 0; i < n; i++)
        given(i, i) += 3.0 * n;
    matrix<T> a(given), b(right);
    room<int> pivots(n), info(1);
    OK(solver<T>::getrf(handle, n, n, a.device, a.ld, nullptr, nullptr, info.device));
    dense f = a.got();
    near<T>(triangle(f, true, true) * triangle(f, false), given, "getrf without pivots");
    OK(solver<T>::getrs(handle, CUBLAS_OP_N, n, 1, a.device, a.ld, nullptr, b.device, b.ld,
                        info.device));
    near<T>(given * b.got(), right, "getrs without pivots");
    for (int i = 0; i < n; i++)
        given(i, 33) = 0;
    matrix<T> singular(given);
    OK(solver<T>::getrf(handle, n, n, singular.device, singular.ld, nullptr, pivots.device,
                        info.device));
    expect(info.got()[0] == 34, "getrf: a column of zeroes");
}

template <class T> void qr(int m, int n)
{
    int least = std::min(m, n), size = 0;
    dense given = random_matrix<T>(m, n);
    matrix<T> a(given);
    room<T> tau(least);
    room<int> info(1);
    OK(solver<T>::geqrf_size(handle, m, n, a.device, a.ld, &size));
    room<T> work(size);
    OK(solver<T>::geqrf(handle, m, n, a.device, a.ld, tau.device, work.device, size, info.device));
    dense f = a.got(), r = part(triangle(f, false), least, n);
    // Q as a whole: on the identity from the left.
    matrix<T> q(identity(m));
    OK(solver<T>::mqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, m, least, a.device, a.ld,
                      tau.device, q.device, q.ld, nullptr, 0, info.device));
    dense all = q.got();
    orthogonal<T>(all, "ormqr: Q");
    near<T>(part(all, m, least) * r, given, "geqrf");
    cublasOperation_t turned = number<T>::is_complex ? CUBLAS_OP_C : CUBLAS_OP_T;
    for (cublasOperation_t trans : {CUBLAS_OP_N, turned}) {
        dense c = random_matrix<T>(m, 7), d = random_matrix<T>(5, m),
              op = trans == CUBLAS_OP_N ? all : adjoint(all);
        matrix<T> left(c), right(d);
        OK(solver<T>::mqr_size(handle, CUBLAS_SIDE_LEFT, trans, m, 7, least, a.device, a.ld,
                               tau.device, left.device, left.ld, &size));
        OK(solver<T>::mqr(handle, CUBLAS_SIDE_LEFT, trans, m, 7, least, a.device, a.ld, tau.device,
                          left.device, left.ld, work.device, size, info.device));
        near<T>(left.got(), op * c, "ormqr from the left");
        OK(solver<T>::mqr(handle, CUBLAS_SIDE_RIGHT, trans, 5, m, least, a.device, a.ld, tau.device,
                          right.device, right.ld, work.device, size, info.device));
        near<T>(right.got(), d * op, "ormqr from the right");
    }
    OK(solver<T>::gqr_size(handle, m, least, least, a.device, a.ld, tau.device, &size));
    room<T> more(size);
    OK(solver<T>::gqr(handle, m, least, least, a.device, a.ld, tau.device, more.device, size,
                      info.device));
    near<T>(part(a.got(), m, least), part(all, m, least), "orgqr");
}

template <class T> void precision()
{
    for (cublasFillMode_t uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        cholesky<T>(uplo, 1);
        cholesky<T>(uplo, 39); // two panels
        not_positive<T>(uplo);
        batches<T>(uplo);
    }
    lu<T>(40, 40);
    lu<T>(41, 35);
    lu<T>(33, 50);
    lu_odd<T>();
    qr<T>(44, 36);
    qr<T>(20, 27);
}

} // namespace

void solver_factors(cusolverDnHandle_t with)
{
    handle = with;
    precision<float>();
    precision<double>();
    precision<cuComplex>();
    precision<cuDoubleComplex>();
}
