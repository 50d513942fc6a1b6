// Singular values and eigenvalues: factors put back into their equation, orthogonal, in order. With
// that they are the right ones.
#include "solver_parts.h"

namespace
{

cusolverDnHandle_t handle;

template <class T> struct svd {
    typedef typename real_of<T>::type V;
    std::vector<V> values;
    dense a, u, vt;
};

template <class T> svd<T> decompose(const dense &given, signed char jobu, signed char jobvt)
{
    int m = given.m, n = given.n, size = 0;
    matrix<T> a(given), u(m, jobu == 'A' ? m : n), vt(n, n);
    room<typename svd<T>::V> s(n);
    room<int> info(1);
    OK(solver<T>::gesvd_size(handle, m, n, &size));
    room<T> work(size);
    OK(solver<T>::gesvd(handle, jobu, jobvt, m, n, a.device, a.ld, s.device, u.device, u.ld,
                        vt.device, vt.ld, work.device, size, nullptr, info.device));
    expect(info.got()[0] == 0, "gesvd: info");
    return {s.got(), a.got(), u.got(), vt.got()};
}

template <class T> void check(const dense &given)
{
    int m = given.m, n = given.n;
    svd<T> all = decompose<T>(given, 'A', 'A'), thin = decompose<T>(given, 'S', 'S'),
           none = decompose<T>(given, 'N', 'N'), over = decompose<T>(given, 'O', 'S'),
           over_v = decompose<T>(given, 'N', 'O');
    for (int i = 0; i < n; i++)
        expect(all.values[i] >= 0 && (!i || all.values[i] <= all.values[i - 1]), "gesvd: order", i);
    orthogonal<T>(all.u, "gesvd: U");
    orthogonal<T>(thin.u, "gesvd: U as wide as A");
    orthogonal<T>(all.vt, "gesvd: V");
    near<T>(part(all.u, m, n) * diagonal(all.values) * all.vt, given, "gesvd: A by all of U");
    near<T>(thin.u * diagonal(thin.values) * thin.vt, given, "gesvd: A");
    near<T>(over.a * diagonal(over.values) * over.vt, given, "gesvd: U in the place of A");
    near<T>(part(over_v.a, n, n), thin.vt, "gesvd: V in the place of A");
    near<T>(diagonal(none.values), diagonal(all.values), "gesvd: values alone");
}

template <class T> void singular_values()
{
    check<T>(random_matrix<T>(19, 12));
    check<T>(random_matrix<T>(9, 9));
    check<T>(random_matrix<T>(5, 1));
    check<T>(random_matrix<T>(14, 4) * random_matrix<T>(4, 9)); // five are 0
    check<T>(dense(9, 4));
    dense known(6, 3); // 5, 2, 1
    known(4, 0) = -2;
    known(1, 1) = 1;
    known(2, 2) = 5;
    svd<T> s = decompose<T>(known, 'N', 'N');
    near<T>(diagonal(s.values), diagonal(std::vector<double>{5, 2, 1}), "gesvd: 5, 2, 1");
}

template <class T> void check_eigen(const dense &given, cublasFillMode_t uplo)
{
    typedef typename real_of<T>::type V;
    int n = given.n, size = 0;
    bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
    dense half = triangle(given, lower); // the other one does not count
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (lower ? i < j : i > j)
                half(i, j) = 77;
    matrix<T> a(half), b(half);
    room<V> w(n), alone(n);
    room<int> info(1);
    OK(solver<T>::evd_size(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.device, a.ld, w.device,
                           &size));
    room<T> work(size);
    OK(solver<T>::evd(handle, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.device, a.ld, w.device,
                      work.device, size, info.device));
    expect(info.got()[0] == 0, "syevd: info");
    OK(solver<T>::evd(handle, CUSOLVER_EIG_MODE_NOVECTOR, uplo, n, b.device, b.ld, alone.device,
                      work.device, size, info.device));
    std::vector<V> values = w.got();
    for (int i = 1; i < n; i++)
        expect(values[i - 1] <= values[i], "syevd: order", i);
    dense v = a.got();
    orthogonal<T>(v, "syevd: V");
    near<T>(v * diagonal(values) * adjoint(v), given, "syevd: A");
    near<T>(diagonal(alone.got()), diagonal(values), "syevd: values alone");
}

template <class T> void eigenvalues()
{
    dense mirror(8, 8); // 1 and -1, four times each
    for (int i = 0; i < 8; i++)
        mirror(i, 7 - i) = 1;
    for (cublasFillMode_t uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        check_eigen<T>(hermitian<T>(17), uplo);
        check_eigen<T>(mirror, uplo);
    }
    check_eigen<T>(hermitian<T>(1), CUBLAS_FILL_MODE_LOWER);
    check_eigen<T>(dense(3, 3), CUBLAS_FILL_MODE_LOWER);
}

// A second difference, whose eigenvalues are known, and with more columns than a block rotates.
void many_columns()
{
    const int n = 33;
    const double pi = std::acos(-1.0);
    dense a(n, n);
    std::vector<double> want;
    for (int i = 0; i < n; i++) {
        a(i, i) = 2;
        if (i)
            a(i, i - 1) = a(i - 1, i) = -1;
        want.push_back(2 - 2 * std::cos((i + 1) * pi / (n + 1)));
    }
    matrix<double> m(a);
    room<double> w(n), work(3 * n * n);
    room<int> info(1);
    OK(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, m.device, m.ld,
                        w.device, work.device, 3 * n * n, info.device));
    near<double>(diagonal(w.got()), diagonal(want), "syevd: many columns");
    dense v = m.got();
    near<double>(v * diagonal(want) * adjoint(v), a, "syevd: many columns, A");
    expect(info.got()[0] == 0, "syevd: many columns, info");
}

} // namespace

void solver_spectrum(cusolverDnHandle_t with)
{
    handle = with;
    singular_values<float>();
    singular_values<double>();
    singular_values<cuComplex>();
    singular_values<cuDoubleComplex>();
    eigenvalues<float>();
    eigenvalues<double>();
    eigenvalues<cuComplex>();
    eigenvalues<cuDoubleComplex>();
    many_columns();
}
