// cuSOLVER's factors of sparse matrices as matrices (csrluExtract), and its refactorization.
#include <cusolverRf.h>

#include <cstdlib>

#include "solver_rows.h"

namespace
{

struct by_rows {
    int n;
    std::vector<int> offsets, columns;
    std::vector<double> values;
    int nnz() const
    {
        return (int)columns.size();
    }
    dense whole(int base = 0) const
    {
        dense a(n, n);
        for (int i = 0; i < n; i++)
            for (int k = offsets[i] - base; k < offsets[i + 1] - base; k++)
                a(i, columns[k] - base) = values[k];
        return a;
    }
};

// About `most` entries in a row near the diagonal, which may be missing: rows have to change
// places.
by_rows sparse_rows(int n, int most, int reach, int base)
{
    by_rows a{n, {base}, {}, {}};
    for (int i = 0; i < n; i++) {
        dense row(1, n);
        row(0, (i + 1) % n) = 2 + next_number();
        for (int k = 0; k < most; k++) {
            int j = i + (int)(next_number() * reach);
            if (j >= 0 && j < n)
                row(0, j) = next_number();
        }
        for (int j = n - 1; j >= 0; j--)
            if (row(0, j) != 0.0) {
                a.columns.push_back(j + base);
                a.values.push_back(row(0, j).real());
            }
        a.offsets.push_back(a.nnz() + base);
    }
    return a;
}

struct factors {
    by_rows l, u;
    std::vector<int> p, q;
};

// The rows and columns of a in the order of factors.
dense permuted(const dense &a, const factors &f)
{
    dense b(a.m, a.n);
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            b(i, j) = a(f.p[i], f.q[j]);
    return b;
}

dense with_ones(dense l)
{
    for (int i = 0; i < l.n; i++)
        l(i, i) = 1;
    return l;
}

// Each row ascends, l is below the diagonal, u is not.
void are_triangles(const factors &f, int base_l, int base_u)
{
    for (int i = 0; i < f.l.n; i++) {
        for (int k = f.l.offsets[i] - base_l; k < f.l.offsets[i + 1] - base_l; k++) {
            bool first = k == f.l.offsets[i] - base_l;
            expect(f.l.columns[k] - base_l < i && (first || f.l.columns[k - 1] < f.l.columns[k]),
                   "a row of L", i, k);
        }
        for (int k = f.u.offsets[i] - base_u; k < f.u.offsets[i + 1] - base_u; k++) {
            bool first = k == f.u.offsets[i] - base_u;
            expect(first ? f.u.columns[k] - base_u == i : f.u.columns[k - 1] < f.u.columns[k],
                   "a row of U", i, k);
        }
    }
}

#define EXTRACTED(T, R)                                                                            \
    factors extracted(cusolverSpHandle_t handle, const by_rows &a, int base, int base_l,           \
                      int base_u, T)                                                               \
    {                                                                                              \
        description of_a(base), of_l(base_l), of_u(base_u);                                        \
        cusparseMatDescr_t d = of_a.of, dl = of_l.of, du = of_u.of;                                \
        std::vector<T> values(a.values.begin(), a.values.end()), vl, vu;                           \
        by_rows pattern = a;                                                                       \
        csrluInfoHost_t info;                                                                      \
        factors f{{a.n, {}, {}, {}}, {a.n, {}, {}, {}}, {}, {}};                                   \
        int nl = -1, nu = -1;                                                                      \
        OK(cusolverSpCreateCsrluInfoHost(&info));                                                  \
        OK(cusolverSpXcsrluAnalysisHost(handle, a.n, a.nnz(), d, pattern.offsets.data(),           \
                                        pattern.columns.data(), info));                            \
        IS(INVALID_VALUE, cusolverSpXcsrluNnzHost(handle, &nl, &nu, info));                        \
        OK(cusolverSp##R##csrluFactorHost(handle, a.n, a.nnz(), d, values.data(),                  \
                                          pattern.offsets.data(), pattern.columns.data(), info, 1, \
                                          nullptr));                                               \
        std::fill(pattern.columns.begin(), pattern.columns.end(), -1); /* it has its own */        \
        OK(cusolverSpXcsrluNnzHost(handle, &nl, &nu, info));                                       \
        f.p.resize(a.n);                                                                           \
        f.q.resize(a.n);                                                                           \
        f.l.offsets.resize(a.n + 1);                                                               \
        f.u.offsets.resize(a.n + 1);                                                               \
        f.l.columns.resize(nl + 1);                                                                \
        f.u.columns.resize(nu);                                                                    \
        vl.resize(nl + 1);                                                                         \
        vu.resize(nu);                                                                             \
        IS(INVALID_VALUE,                                                                          \
           cusolverSp##R##csrluExtractHost(                                                        \
               handle, nullptr, f.q.data(), dl, vl.data(), f.l.offsets.data(), f.l.columns.data(), \
               du, vu.data(), f.u.offsets.data(), f.u.columns.data(), info, nullptr));             \
        OK(cusolverSp##R##csrluExtractHost(                                                        \
            handle, f.p.data(), f.q.data(), dl, vl.data(), f.l.offsets.data(), f.l.columns.data(), \
            du, vu.data(), f.u.offsets.data(), f.u.columns.data(), info, nullptr));                \
        expect(f.l.offsets[a.n] == nl + base_l && f.u.offsets[a.n] == nu + base_u, "counts");      \
        f.l.columns.resize(nl);                                                                    \
        f.l.values.assign(vl.begin(), vl.begin() + nl);                                            \
        f.u.values.assign(vu.begin(), vu.end());                                                   \
        are_triangles(f, base_l, base_u);                                                          \
        near<T>(with_ones(f.l.whole(base_l)) * f.u.whole(base_u), permuted(a.whole(base), f),      \
                "csrluExtract");                                                                   \
        OK(cusolverSpDestroyCsrluInfoHost(info));                                                  \
        return f;                                                                                  \
    }
EXTRACTED(float, S)
EXTRACTED(double, D)

// --- refactorization ---------------------------------------------------------------------------

template <class T> struct on_device {
    T *at = nullptr;
    size_t count;
    explicit on_device(const std::vector<T> &from) : count(from.size())
    {
        cudaMalloc(&at, count * sizeof(T) + 1);
        cudaMemcpy(at, from.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    on_device(const on_device &) = delete;
    ~on_device()
    {
        cudaFree(at);
    }
    std::vector<T> got() const
    {
        std::vector<T> to(count);
        cudaMemcpy(to.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
        return to;
    }
};

by_rows other_values(const by_rows &a)
{
    by_rows b = a;
    for (double &v : b.values)
        v *= 1 + next_number() / 8;
    return b;
}

// a x = b, as far as the size of x allows.
void is_solution(const by_rows &a, const double *x, const double *b, const char *what)
{
    dense solution(a.n, 1), want(a.n, 1);
    for (int i = 0; i < a.n; i++)
        solution(i, 0) = x[i];
    dense back = a.whole() * solution;
    double size = 1 + solution.most();
    for (int i = 0; i < a.n; i++) {
        back(i, 0) /= size;
        want(i, 0) = b[i] / size;
    }
    near<double>(back, want, what);
}

// Two right-hand sides, with a gap between them, that must stay.
void solve(cusolverRfHandle_t rf, const by_rows &a, const factors &f, const char *what)
{
    const int n = a.n, ld = n + 2;
    std::vector<double> b(2 * ld);
    for (double &v : b)
        v = next_number();
    on_device<double> x(b), temp(std::vector<double>(2 * ld, 5));
    on_device<int> p(f.p), q(f.q);
    OK(cusolverRfSolve(rf, p.at, q.at, 2, temp.at, ld, x.at, ld));
    std::vector<double> got = x.got();
    for (int k = 0; k < 2; k++) {
        is_solution(a, &got[k * ld], &b[k * ld], what);
        for (int i = n; i < ld; i++)
            expect(got[k * ld + i] == b[k * ld + i], "a gap", i);
    }
    IS(INVALID_VALUE, cusolverRfSolve(rf, p.at, q.at, 1, temp.at, n - 1, x.at, ld));
}

by_rows taken(int n, int nnz, int *offsets, int *columns, double *values)
{
    by_rows a{n, std::vector<int>(offsets, offsets + n + 1),
              std::vector<int>(columns, columns + nnz), std::vector<double>(values, values + nnz)};
    free(offsets);
    free(columns);
    free(values);
    return a;
}

void factors_are(cusolverRfHandle_t rf, const by_rows &a, const factors &f, bool stored)
{
    int nnz, nl, nu, *offsets, *columns, *ol, *cl, *ou, *cu;
    double *values, *vl, *vu;
    dense want = permuted(a.whole(), f);
    OK(cusolverRfExtractSplitFactorsHost(rf, &nl, &ol, &cl, &vl, &nu, &ou, &cu, &vu));
    dense l = taken(a.n, nl, ol, cl, vl).whole(), u = taken(a.n, nu, ou, cu, vu).whole();
    expect(nl == f.l.nnz() + (stored ? a.n : 0) && nu == f.u.nnz(), "entries", nl, nu);
    for (int i = 0; i < a.n; i++)
        expect(l(i, i) == (stored ? 1.0 : 0.0), "the diagonal of L", i);
    near<double>(with_ones(l) * u, want, "ExtractSplitFactorsHost");
    OK(cusolverRfExtractBundledFactorsHost(rf, &nnz, &offsets, &columns, &values));
    dense both = taken(a.n, nnz, offsets, columns, values).whole();
    near<double>(triangle(both, true, true) * triangle(both, false), want, "ExtractBundled");
    OK(cusolverRfAccessBundledFactorsDevice(rf, &nnz, &offsets, &columns, &values));
    std::vector<double> there(nnz);
    expect(!cudaMemcpy(there.data(), values, nnz * sizeof(double), cudaMemcpyDeviceToHost), "copy");
    double most = 0;
    for (double v : there)
        most = std::max(most, std::abs(v));
    expect(most == both.most(), "AccessBundledFactorsDevice", most, both.most());
}

#define ROWS(m)   (m).nnz(), (m).offsets.data(), (m).columns.data(), (m).values.data()
#define ORDERS(f) (f).p.data(), (f).q.data()

factors with_stored(factors f) // the ones of L among its entries
{
    by_rows l{f.l.n, {0}, {}, {}};
    for (int i = 0; i < l.n; i++) {
        l.columns.push_back(i); // in any order
        l.values.push_back(1);
        for (int k = f.l.offsets[i]; k < f.l.offsets[i + 1]; k++) {
            l.columns.push_back(f.l.columns[k]);
            l.values.push_back(f.l.values[k]);
        }
        l.offsets.push_back(l.nnz());
    }
    f.l = l;
    return f;
}

void refactored(by_rows a, factors f, bool stored)
{
    factors given = stored ? with_stored(f) : f;
    cusolverRfHandle_t rf;
    OK(cusolverRfCreate(&rf));
    IS(INVALID_VALUE, cusolverRfAnalyze(rf));
    OK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                 stored ? CUSOLVERRF_UNIT_DIAGONAL_STORED_L
                                        : CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
    OK(cusolverRfSetupHost(a.n, ROWS(a), ROWS(given.l), ROWS(given.u), ORDERS(f), rf));
    IS(INVALID_VALUE, cusolverRfRefactor(rf));
    OK(cusolverRfAnalyze(rf));
    OK(cusolverRfRefactor(rf));
    IS(INVALID_VALUE, cusolverRfRefactor(rf)); // of factors
    solve(rf, a, f, "cusolverRfSolve");
    factors_are(rf, a, f, stored);
    on_device<int> offsets(a.offsets), columns(a.columns), p(f.p), q(f.q);
    for (int turn = 0; turn < 2; turn++) {
        by_rows b = other_values(a);
        on_device<double> values(b.values);
        OK(cusolverRfResetValues(b.n, b.nnz(), offsets.at, columns.at, values.at, p.at, q.at, rf));
        OK(cusolverRfRefactor(rf));
        solve(rf, b, f, "cusolverRfSolve of new values");
    }
    IS(INVALID_VALUE,
       cusolverRfResetValues(a.n, a.nnz() - 1, offsets.at, columns.at, nullptr, p.at, q.at, rf));
    // The same from the device.
    on_device<int> lo(given.l.offsets), lc(given.l.columns), uo(given.u.offsets),
        uc(given.u.columns);
    on_device<double> av(a.values), lv(given.l.values), uv(given.u.values);
    OK(cusolverRfSetupDevice(a.n, a.nnz(), offsets.at, columns.at, av.at, given.l.nnz(), lo.at,
                             lc.at, lv.at, given.u.nnz(), uo.at, uc.at, uv.at, p.at, q.at, rf));
    OK(cusolverRfAnalyze(rf));
    OK(cusolverRfRefactor(rf));
    solve(rf, a, f, "cusolverRfSetupDevice");
    OK(cusolverRfDestroy(rf));
    IS(NOT_INITIALIZED, cusolverRfDestroy(rf));
}

// Three matrices; the second one becomes singular.
void batch(by_rows a, factors f)
{
    const int n = a.n;
    by_rows each[3] = {a, other_values(a), other_values(a)};
    double *values[3] = {each[0].values.data(), each[1].values.data(), each[2].values.data()};
    int zero[3] = {7, 7, 7};
    cusolverRfHandle_t rf;
    OK(cusolverRfCreate(&rf));
    OK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                 CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
    OK(cusolverRfBatchSetupHost(3, n, a.nnz(), a.offsets.data(), a.columns.data(), values,
                                ROWS(f.l), ROWS(f.u), ORDERS(f), rf));
    OK(cusolverRfBatchAnalyze(rf));
    OK(cusolverRfBatchRefactor(rf));
    OK(cusolverRfBatchZeroPivot(rf, zero));
    std::vector<double> ones(n, 1);
    on_device<int> offsets(a.offsets), columns(a.columns), p(f.p), q(f.q);
    on_device<double> x0(ones), x1(ones), x2(ones), temp(std::vector<double>(6 * n));
    double *x[3] = {x0.at, x1.at, x2.at};
    OK(cusolverRfBatchSolve(rf, p.at, q.at, 1, temp.at, n, x, n));
    std::vector<double> got[3] = {x0.got(), x1.got(), x2.got()};
    for (int i = 0; i < 3; i++) {
        expect(zero[i] == -1, "cusolverRfBatchZeroPivot", zero[i]);
        is_solution(each[i], got[i].data(), ones.data(), "cusolverRfBatchSolve");
    }
    std::vector<double> none(a.values.size(), 0);
    on_device<double> v0(each[0].values), v1(none), v2(each[2].values);
    double *there[3] = {v0.at, v1.at, v2.at};
    OK(cusolverRfBatchResetValues(3, n, a.nnz(), offsets.at, columns.at, there, p.at, q.at, rf));
    OK(cusolverRfBatchRefactor(rf));
    IS(ZERO_PIVOT, cusolverRfBatchZeroPivot(rf, zero));
    expect(zero[0] == -1 && zero[1] == 0 && zero[2] == -1, "the singular one", zero[0], zero[1]);
    IS(INVALID_VALUE, cusolverRfResetValues(n, a.nnz(), offsets.at, columns.at, v0.at, p.at, q.at,
                                            rf)); // of one matrix
    OK(cusolverRfDestroy(rf));
}

void refused(by_rows a, factors f)
{
    cusolverRfHandle_t rf;
    cusolverRfMatrixFormat_t format;
    cusolverRfUnitDiagonal_t diagonal;
    cusolverRfFactorization_t factor;
    cusolverRfTriangularSolve_t triangles;
    OK(cusolverRfCreate(&rf));
    IS(NOT_SUPPORTED, cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSC,
                                                CUSOLVERRF_UNIT_DIAGONAL_STORED_L));
    IS(NOT_SUPPORTED, cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                                CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U));
    IS(NOT_SUPPORTED, cusolverRfSetNumericProperties(rf, 1e-8, 1));
    OK(cusolverRfSetNumericProperties(rf, 0, 0));
    OK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                 CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
    OK(cusolverRfGetMatrixFormat(rf, &format, &diagonal));
    expect(format == CUSOLVERRF_MATRIX_FORMAT_CSR && diagonal == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L,
           "cusolverRfGetMatrixFormat");
    OK(cusolverRfSetAlgs(rf, CUSOLVERRF_FACTORIZATION_ALG2, CUSOLVERRF_TRIANGULAR_SOLVE_ALG3));
    OK(cusolverRfGetAlgs(rf, &factor, &triangles));
    expect(factor == CUSOLVERRF_FACTORIZATION_ALG2 && triangles == CUSOLVERRF_TRIANGULAR_SOLVE_ALG3,
           "cusolverRfGetAlgs");
    factors wrong = f;
    wrong.p[0] = wrong.p[1];
    IS(INVALID_VALUE, cusolverRfSetupHost(a.n, ROWS(a), ROWS(f.l), ROWS(f.u), ORDERS(wrong), rf));
    wrong = f;
    wrong.u.columns[0] = a.n;
    IS(INVALID_VALUE, cusolverRfSetupHost(a.n, ROWS(a), ROWS(f.l), ROWS(wrong.u), ORDERS(f), rf));
    wrong = with_stored(f); // but they are not to be stored
    IS(INVALID_VALUE, cusolverRfSetupHost(a.n, ROWS(a), ROWS(wrong.l), ROWS(f.u), ORDERS(f), rf));
    by_rows empty{a.n, std::vector<int>(a.n + 1), {}, {}}; // without places for A's entries
    IS(INVALID_VALUE, cusolverRfSetupHost(a.n, ROWS(a), ROWS(empty), ROWS(f.u), ORDERS(f), rf));
    by_rows diagonal_alone{3, {0, 1, 2, 3}, {0, 1, 2}, {1, 2, 4}}, above{3, {0, 0, 1, 1}, {2}, {1}},
        below{3, {0, 0, 1, 2}, {0, 1}, {1, 1}};
    int order[] = {0, 1, 2};
    IS(INVALID_VALUE, cusolverRfSetupHost(3, ROWS(diagonal_alone), ROWS(above),
                                          ROWS(diagonal_alone), order, order, rf));
    IS(INVALID_VALUE,
       cusolverRfSetupHost(3, ROWS(below), ROWS(below), ROWS(below), order, order, rf));
    OK(cusolverRfSetupHost(3, ROWS(diagonal_alone), ROWS(below), ROWS(diagonal_alone), order, order,
                           rf));
    std::fill(a.values.begin(), a.values.end(), 0);
    OK(cusolverRfSetupHost(a.n, ROWS(a), ROWS(f.l), ROWS(f.u), ORDERS(f), rf));
    OK(cusolverRfAnalyze(rf));
    IS(ZERO_PIVOT, cusolverRfRefactor(rf));
    OK(cusolverRfDestroy(rf));
    IS(NOT_INITIALIZED, cusolverRfAnalyze(nullptr));
}

} // namespace

void solver_refactor()
{
    cusolverSpHandle_t handle;
    OK(cusolverSpCreate(&handle));
    for (int base = 0; base < 2; base++) {
        extracted(handle, sparse_rows(50, 3, 6, base), base, 1 - base, base, 0.0f);
        extracted(handle, sparse_rows(33, 2, 33, base), base, base, 1 - base, 0.0);
    }
    for (int n : {1, 2, 40}) {
        by_rows a = sparse_rows(n, 3, 7, 0);
        factors f = extracted(handle, a, 0, 0, 0, 0.0);
        refactored(a, f, n == 2);
        if (n > 2) {
            refactored(a, f, true);
            batch(a, f);
            refused(a, f);
        }
    }
    OK(cusolverSpDestroy(handle));
}
