// csric02 against the host: L in the pattern of a matrix, whose upper triangle stays.
#include "sparse.h"

namespace
{

template <class T> struct state {
    csric02Info_t info = nullptr;
    cusparseMatDescr_t descr = nullptr;
    explicit state(int base)
    {
        OK(cusparseCreateCsric02Info(&info));
        OK(cusparseCreateMatDescr(&descr));
        OK(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base));
    }
    ~state()
    {
        OK(cusparseDestroyCsric02Info(info));
        OK(cusparseDestroyMatDescr(descr));
    }
};

// Factors in place; where zeroPivot finds one, after the analysis and after the factoring.
template <class T> void factor(cusparseHandle_t h, const matrix<T> &m, on_device<T> &a, int at[2])
{
    typedef precision<T> P;
    state<T> s(m.base);
    int size = 0, n = m.rows, nnz = m.nnz();
    const auto policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
    OK(P::ic_size(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info,
                  &size));
    array<char> buffer(size);
    IS(INVALID_VALUE, P::ic(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data,
                            s.info, policy, buffer.data)); // not analysed
    OK(P::ic_analysis(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info,
                      policy, buffer.data));
    cusparseXcsric02_zeroPivot(h, s.info, &at[0]);
    OK(P::ic(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info, policy,
             buffer.data));
    cusparseStatus_t status = cusparseXcsric02_zeroPivot(h, s.info, &at[1]);
    expect(status == (at[1] < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT),
           "zeroPivot's status", status);
}

// Symmetric, with a strong diagonal.
template <class T> matrix<T> symmetric(int n, int base)
{
    matrix<T> half = random_matrix<T>(n, n, 5, 0, true, false), m{n, n, base, {base}, {}, {}};
    std::vector<double> all = half.dense();
    for (int i = 0; i < n; i++) {
        std::vector<int> row;
        for (int j = 0; j < n; j++)
            if (i == j || all[(size_t)i * n + j] != 0 || all[(size_t)j * n + i] != 0)
                row.push_back(j);
        m.row(row, false);
        for (int k = m.offsets[i] - base; k < m.nnz(); k++) {
            int j = m.indices[k] - base;
            m.values[k] = (T)(all[(size_t)i * n + j] + all[(size_t)j * n + i]);
        }
    }
    return m;
}

template <class T> void against_host(cusparseHandle_t h, int base)
{
    const int n = 150;
    matrix<T> m = symmetric<T>(n, base);
    on_device<T> a(m);
    int at[2];
    std::vector<double> l = m.dense(), want;
    std::vector<bool> in((size_t)n * n);
    for (int i = 0; i < n; i++)
        for (int k = m.offsets[i] - base; k < m.offsets[i + 1] - base; k++)
            in[(size_t)i * n + m.indices[k] - base] = true;
    std::vector<double> upper = l;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            if (!in[(size_t)i * n + j])
                continue;
            double rest = l[(size_t)i * n + j];
            for (int k = 0; k < j; k++)
                if (in[(size_t)i * n + k] && in[(size_t)j * n + k])
                    rest -= l[(size_t)i * n + k] * l[(size_t)j * n + k];
            l[(size_t)i * n + j] = i == j ? std::sqrt(rest) : rest / l[(size_t)j * n + j];
        }
    for (int i = 0; i < n; i++)
        for (int k = m.offsets[i] - base; k < m.offsets[i + 1] - base; k++) {
            int j = m.indices[k] - base;
            want.push_back(j <= i ? l[(size_t)i * n + j] : upper[(size_t)i * n + j]);
        }
    factor(h, m, a, at);
    same(a.values.get(), want, "csric02");
    expect(at[0] == -1 && at[1] == -1, "no zero pivot", at[0], at[1]);
}

} // namespace

template <class T> void incomplete_cholesky(cusparseHandle_t h)
{
    int at[2];
    against_host<T>(h, 0);
    against_host<T>(h, 1);
    // [4 2; 2 1]: the second root is of 0; and of less. Base 1: its row is 2.
    for (T last : {(T)1, (T)-1}) {
        matrix<T> numeric{2, 2, 1, {1, 3, 5}, {1, 2, 1, 2}, {4, 2, 2, last}};
        on_device<T> a(numeric);
        factor(h, numeric, a, at);
        expect(at[0] == -1 && at[1] == 2, "not positive", at[0], at[1]);
    }
    matrix<T> structural{3, 3, 0, {0, 1, 2, 4}, {0, 2, 1, 2}, {1, 1, 1, 1}};
    on_device<T> b(structural);
    factor(h, structural, b, at);
    expect(at[0] == 1 && at[1] == 1, "structural zero", at[0], at[1]);
}
template void incomplete_cholesky<float>(cusparseHandle_t h);
template void incomplete_cholesky<double>(cusparseHandle_t h);
