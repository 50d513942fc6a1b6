// cuSPARSE's triangles of every kind, and incomplete factors: pivots that are missing or 0, equal
// bits.
#include "sparse.h"

// What the solver takes of a matrix, n x n row by row.
template <class T>
static std::vector<double> triangle_of(const matrix<T> &m, bool lower, bool unit, bool turn)
{
    int n = m.rows;
    std::vector<double> all = m.dense(), out((size_t)n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool in = i == j || (j < i) == lower;
            double v = i == j && unit ? 1 : in ? all[(size_t)i * n + j] : 0;
            out[turn ? (size_t)j * n + i : (size_t)i * n + j] = v;
        }
    return out;
}

// Entries that must not be read have no number.
template <class T> static matrix<T> poisoned(matrix<T> m, bool lower, bool unit)
{
    for (int i = 0; i < m.rows; i++)
        for (int k = m.offsets[i] - m.base; k < m.offsets[i + 1] - m.base; k++) {
            int j = m.indices[k] - m.base;
            if (j == i ? unit : (j < i) != lower)
                m.values[k] = std::numeric_limits<T>::quiet_NaN();
        }
    return m;
}

// op(a) y = alpha x, by SpSV.
template <class T>
static void solve_generic(cusparseHandle_t h, cusparseOperation_t op, T alpha, on_device<T> &a,
                          vector<T> &x, vector<T> &y)
{
    cusparseSpSVDescr_t d;
    OK(cusparseSpSV_createDescr(&d));
    size_t size = 0;
    OK(cusparseSpSV_bufferSize(h, op, &alpha, a.a, x.v, y.v, precision<T>::type,
                               CUSPARSE_SPSV_ALG_DEFAULT, d, &size));
    array<char> buffer(size);
    OK(cusparseSpSV_analysis(h, op, &alpha, a.a, x.v, y.v, precision<T>::type,
                             CUSPARSE_SPSV_ALG_DEFAULT, d, buffer.data));
    OK(cusparseSpSV_solve(h, op, &alpha, a.a, x.v, y.v, precision<T>::type,
                          CUSPARSE_SPSV_ALG_DEFAULT, d));
    OK(cusparseSpSV_destroyDescr(d));
}

// By csrsv2. The info objects of two analyses may share a buffer.
template <class T>
static void solve_csrsv2(cusparseHandle_t h, cusparseOperation_t op, T alpha, on_device<T> &a,
                         const matrix<T> &m, bool lower, bool unit, vector<T> &x, vector<T> &y)
{
    typedef precision<T> P;
    csrsv2Info_t info, other;
    cusparseMatDescr_t descr;
    int size = 0, at = 5, n = m.rows, nnz = m.nnz();
    OK(cusparseCreateCsrsv2Info(&info));
    OK(cusparseCreateCsrsv2Info(&other));
    OK(cusparseCreateMatDescr(&descr));
    OK(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)m.base));
    OK(cusparseSetMatFillMode(descr, lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER));
    OK(cusparseSetMatDiagType(descr, unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT));
    OK(P::sv_size(h, op, n, nnz, descr, a.values.data, a.offsets.data, a.indices.data, info,
                  &size));
    array<char> buffer(size);
    for (csrsv2Info_t of : {info, other})
        OK(P::sv_analysis(h, of == info ? op : N, n, nnz, descr, a.values.data, a.offsets.data,
                          a.indices.data, of, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.data));
    OK(P::sv_solve(h, op, n, nnz, &alpha, descr, a.values.data, a.offsets.data, a.indices.data,
                   info, x.values.data, y.values.data, CUSPARSE_SOLVE_POLICY_USE_LEVEL,
                   buffer.data));
    OK(cusparseXcsrsv2_zeroPivot(h, info, &at));
    expect(at == -1, "no zero on the diagonal", at);
    OK(cusparseDestroyMatDescr(descr));
    OK(cusparseDestroyCsrsv2Info(info));
    OK(cusparseDestroyCsrsv2Info(other));
    IS(INVALID_VALUE, cusparseDestroyCsrsv2Info(other)); // no longer there
    IS(INVALID_VALUE, cusparseDestroyMatDescr(descr));
}

// op(a) y is compared with alpha x.
template <class T>
static void solve_vector(cusparseHandle_t h, const matrix<T> &m, int kind, bool in_place)
{
    bool lower = kind & 1, unit = kind & 2, turn = kind & 4;
    T alpha = (T)1.5;
    int n = m.rows;
    cusparseOperation_t op = turn ? T_ : N;
    on_device<T> a(poisoned(m, lower, unit), in_place ? CUSPARSE_FORMAT_CSR : formats[kind % 3]);
    a.triangle(lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER,
               unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
    std::vector<T> from = some<T>(n);
    vector<T> x(from), other(std::vector<T>((size_t)n, std::numeric_limits<T>::quiet_NaN()));
    vector<T> &y = in_place ? x : other;
    if (in_place)
        solve_csrsv2(h, op, alpha, a, m, lower, unit, x, y);
    else
        solve_generic(h, op, alpha, a, x, y);
    std::vector<T> got = y.values.get();
    std::vector<double> want(from.begin(), from.end()), have;
    for (double &v : want)
        v *= alpha;
    std::vector<double> t = triangle_of(m, lower, unit, turn);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += t[(size_t)i * n + j] * got[j];
        have.push_back(sum);
    }
    same<T>({have.begin(), have.end()}, want, "SpSV");
}

// A chain: each row waits for the one before.
template <class T> static matrix<T> chain(int n)
{
    matrix<T> m{n, n, 0, {0}, {}, {}};
    for (int i = 0; i < n; i++) {
        m.row(i == 0      ? std::vector<int>{0, 1}
              : i + 1 < n ? std::vector<int>{i - 1, i, i + 1}
                          : std::vector<int>{i - 1, i},
              false);
        for (int k = m.offsets[i]; k < m.offsets[i + 1]; k++)
            m.values[k] = m.indices[k] == i ? (T)(2.5 + next() / 4) : (T)(-1 + next() / 4);
    }
    return m;
}

template <class T> static void triangles_of_vectors(cusparseHandle_t h)
{
    for (int kind = 0; kind < 8; kind++) {
        solve_vector<T>(h, random_matrix<T>(1, 1, 1, 0, true, false), kind, false);
        solve_vector<T>(h, random_matrix<T>(90, 90, 8, kind & 1, true, true), kind, kind & 2);
        solve_vector<T>(h, random_matrix<T>(120, 120, 400, 1, true, false), kind, false);
        solve_vector<T>(h, chain<T>(200), kind, true);
    }
    // A wide level, and narrow ones around it.
    matrix<T> wide = random_matrix<T>(2200, 2200, 1, 0, true, false);
    solve_vector<T>(h, wide, 1, false);
    solve_vector<T>(h, wide, 4, false);
}

template <class T> static void triangles_of_matrices(cusparseHandle_t h)
{
    for (int kind = 0; kind < 32; kind++) {
        bool lower = kind & 1, unit = kind % 3 == 0, turn = kind & 2, turn_b = kind & 4;
        const int n = 60, count = 7;
        T alpha = (T)-0.5;
        matrix<T> m = random_matrix<T>(n, n, 5, kind & 1, true, false);
        on_device<T> a(poisoned(m, lower, unit));
        a.triangle(lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER,
                   unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
        dense<T> b(turn_b ? count : n, turn_b ? n : count, kind & 8), c(n, count, kind & 16);
        std::vector<T> old = c.values.get();
        cusparseOperation_t op = turn ? C_ : N, op_b = turn_b ? T_ : N;
        cusparseSpSMDescr_t d;
        OK(cusparseSpSM_createDescr(&d));
        size_t size = 0;
        OK(cusparseSpSM_bufferSize(h, op, op_b, &alpha, a.a, b.m, c.m, precision<T>::type,
                                   CUSPARSE_SPSM_ALG_DEFAULT, d, &size));
        array<char> buffer(size);
        OK(cusparseSpSM_analysis(h, op, op_b, &alpha, a.a, b.m, c.m, precision<T>::type,
                                 CUSPARSE_SPSM_ALG_DEFAULT, d, buffer.data));
        OK(cusparseSpSM_solve(h, op, op_b, &alpha, a.a, b.m, c.m, precision<T>::type,
                              CUSPARSE_SPSM_ALG_DEFAULT, d));
        OK(cusparseSpSM_destroyDescr(d));
        std::vector<double> back = product(triangle_of(m, lower, unit, turn), n, n, false, c.get(),
                                           {}, count, 1, 0),
                            want = b.get(turn_b);
        for (double &v : want)
            v *= alpha;
        same<T>({back.begin(), back.end()}, want, "SpSM");
        c.gaps(old);
    }
}

// --- ILU ---------------------------------------------------------------------------------------

// Factors in place; where zeroPivot finds one, after the analysis and after the factoring.
template <class T>
static void factor(cusparseHandle_t h, const matrix<T> &m, on_device<T> &a, int at[2])
{
    typedef precision<T> P;
    ilu_state s(m.base);
    int size = 0, n = m.rows, nnz = m.nnz();
    OK(P::ilu_size(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info,
                   &size));
    array<char> buffer(size);
    OK(P::ilu_analysis(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info,
                       CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.data));
    for (int stage = 0; stage < 2; stage++) {
        if (stage)
            OK(P::ilu(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info,
                      CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data));
        cusparseStatus_t status = cusparseXcsrilu02_zeroPivot(h, s.info, &at[stage]);
        expect(status == (at[stage] < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT),
               "zeroPivot's status", stage);
    }
}

// csrsv2 tells of a diagonal entry of 0, and of none.
template <class T> static void zero_divisors(cusparseHandle_t h)
{
    typedef precision<T> P;
    for (bool there : {true, false}) {
        matrix<T> m{3, 3, 1, {1, 2, 4, 5}, {1, 1, there ? 2 : 3, 3}, {1, 1, 0, 1}};
        on_device<T> a(m);
        vector<T> x(some<T>(3));
        csrsv2Info_t info;
        cusparseMatDescr_t descr;
        T one = 1;
        int at = 5;
        OK(cusparseCreateCsrsv2Info(&info));
        OK(cusparseCreateMatDescr(&descr));
        OK(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
        OK(P::sv_analysis(h, N, 3, 4, descr, a.values.data, a.offsets.data, a.indices.data, info,
                          CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
        expect(cusparseXcsrsv2_zeroPivot(h, info, &at) ==
                   (there ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT),
               "zeroPivot of an analysis", there);
        expect(at == (there ? -1 : 2), "no diagonal entry", at);
        OK(P::sv_solve(h, N, 3, 4, &one, descr, a.values.data, a.offsets.data, a.indices.data, info,
                       x.values.data, x.values.data, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
        IS(ZERO_PIVOT, cusparseXcsrsv2_zeroPivot(h, info, &at));
        expect(at == 2, "a diagonal entry of 0", at);
        OK(cusparseDestroyMatDescr(descr));
        OK(cusparseDestroyCsrsv2Info(info));
    }
}

template <class T> static void incomplete_factors(cusparseHandle_t h)
{
    for (int base = 0; base < 2; base++) {
        matrix<T> m = random_matrix<T>(150, 150, 9, base, true, false);
        on_device<T> a(m);
        int n = m.rows, at[2];
        std::vector<double> lu = m.dense(), want;
        std::vector<bool> in((size_t)n * n);
        for (int i = 0; i < n; i++)
            for (int k = m.offsets[i] - base; k < m.offsets[i + 1] - base; k++)
                in[(size_t)i * n + m.indices[k] - base] = true;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++)
                if (in[(size_t)i * n + k]) {
                    double l = lu[(size_t)i * n + k] /= lu[(size_t)k * n + k];
                    for (int j = k + 1; j < n; j++)
                        if (in[(size_t)i * n + j])
                            lu[(size_t)i * n + j] -= l * lu[(size_t)k * n + j];
                }
        for (int i = 0; i < n; i++)
            for (int k = m.offsets[i] - base; k < m.offsets[i + 1] - base; k++)
                want.push_back(lu[(size_t)i * n + m.indices[k] - base]);
        factor(h, m, a, at);
        same(a.values.get(), want, "csrilu02");
        expect(at[0] == -1 && at[1] == -1, "no zero pivot", base);
    }
    // Of three diagonals nothing is left out: L U is the matrix.
    matrix<T> m = chain<T>(300);
    on_device<T> a(m);
    int at[2];
    factor(h, m, a, at);
    matrix<T> lu = m;
    lu.values = a.values.get();
    std::vector<double> all = lu.dense(), product_of(m.values.size());
    for (int i = 0, e = 0; i < m.rows; i++)
        for (int k = m.offsets[i]; k < m.offsets[i + 1]; k++, e++)
            for (int j = 0, c = m.indices[k]; j <= std::min(i, c); j++)
                product_of[e] +=
                    (j == i ? 1 : all[(size_t)i * m.rows + j]) * all[(size_t)j * m.rows + c];
    same(m.values, product_of, "L U");
}

template <class T> static void zero_pivots(cusparseHandle_t h)
{
    int at[2];
    // [1 2; 2 4]: U's last is 0. Base 1: its row is 2.
    matrix<T> numeric{2, 2, 1, {1, 3, 5}, {1, 2, 1, 2}, {1, 2, 2, 4}};
    on_device<T> a(numeric);
    factor(h, numeric, a, at);
    expect(at[0] == -1 && at[1] == 2, "numeric zero", at[1]);
    matrix<T> structural{3, 3, 0, {0, 1, 2, 4}, {0, 2, 1, 2}, {1, 1, 1, 1}};
    on_device<T> b(structural);
    factor(h, structural, b, at);
    expect(at[0] == 1 && at[1] == 1, "structural zero", at[0]);
}

template <class T> void triangles(cusparseHandle_t h)
{
    triangles_of_vectors<T>(h);
    triangles_of_matrices<T>(h);
    incomplete_factors<T>(h);
    zero_pivots<T>(h);
    zero_divisors<T>(h);
}
template void triangles<float>(cusparseHandle_t h);
template void triangles<double>(cusparseHandle_t h);
