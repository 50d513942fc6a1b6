// cuSPARSE's dense matrices: to sparse ones and back, counts, products where a sparse matrix has
// entries; the order of entries.
#include "sparse.h"

// A dense matrix that has the entries of m, and zeroes.
template <class T> struct filled : dense<T> {
    filled(const matrix<T> &m, bool row_order) : dense<T>(m.rows, m.columns, row_order)
    {
        std::vector<T> all = this->values.get();
        std::vector<double> want = m.dense();
        for (int i = 0; i < m.rows; i++)
            for (int j = 0; j < m.columns; j++)
                all[this->at(i, j)] = (T)want[(size_t)i * m.columns + j];
        this->values.set(all);
    }
};

// Entries by rows or columns, in their order.
template <class T> struct entries {
    std::vector<int> offsets, indices;
    std::vector<T> values;
    entries(const matrix<T> &m, cusparseFormat_t format)
    {
        matrix<T> sorted = transposed(transposed(m)),
                  lined = format == CUSPARSE_FORMAT_CSC ? transposed(m) : sorted;
        offsets = format == CUSPARSE_FORMAT_COO ? rows_of(sorted) : lined.offsets;
        indices = lined.indices;
        values = lined.values;
    }
};

template <class T>
static cusparseSpMatDescr_t described(const matrix<T> &m, cusparseFormat_t format, int *offsets)
{
    cusparseSpMatDescr_t a = nullptr;
    auto base = (cusparseIndexBase_t)m.base;
    const cusparseIndexType_t index = CUSPARSE_INDEX_32I;
    cudaDataType type = precision<T>::type;
    if (format == CUSPARSE_FORMAT_COO)
        OK(cusparseCreateCoo(&a, m.rows, m.columns, 0, nullptr, nullptr, nullptr, index, base,
                             type));
    else if (format == CUSPARSE_FORMAT_CSC)
        OK(cusparseCreateCsc(&a, m.rows, m.columns, 0, offsets, nullptr, nullptr, index, index,
                             base, type));
    else
        OK(cusparseCreateCsr(&a, m.rows, m.columns, 0, offsets, nullptr, nullptr, index, index,
                             base, type));
    return a;
}

template <class T>
static void to_sparse(cusparseHandle_t h, const matrix<T> &m, cusparseFormat_t format,
                      bool row_order)
{
    filled<T> from(m, row_order);
    entries<T> want(m, format);
    array<int> offsets(want.offsets.size()), indices(want.indices.size());
    array<T> values(want.values.size());
    cusparseSpMatDescr_t b = described(m, format, offsets.data);
    const auto alg = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
    size_t size = 0;
    int64_t rows = 0, columns = 0, nnz = -1;
    OK(cusparseDenseToSparse_bufferSize(h, from.m, b, alg, &size));
    array<char> buffer(size);
    OK(cusparseDenseToSparse_analysis(h, from.m, b, alg, buffer.data));
    OK(cusparseSpMatGetSize(b, &rows, &columns, &nnz));
    expect(nnz == m.nnz() && rows == m.rows && columns == m.columns, "DenseToSparse's count",
           (long)nnz);
    OK(cusparseSpMatSetValues(b, values.data));
    if (nnz) // no indices
        IS(INVALID_VALUE, cusparseDenseToSparse_convert(h, from.m, b, alg, buffer.data));
    if (format == CUSPARSE_FORMAT_COO)
        OK(cusparseCooSetPointers(b, offsets.data, indices.data, values.data));
    else if (format == CUSPARSE_FORMAT_CSC)
        OK(cusparseCscSetPointers(b, offsets.data, indices.data, values.data));
    else
        OK(cusparseCsrSetPointers(b, offsets.data, indices.data, values.data));
    OK(cusparseDenseToSparse_convert(h, from.m, b, alg, buffer.data));
    expect(equal(offsets.get(), want.offsets), "DenseToSparse's offsets", format);
    expect(equal(indices.get(), want.indices), "DenseToSparse's indices", format);
    expect(equal(values.get(), want.values), "DenseToSparse's values", format);
    IS(INVALID_VALUE, cusparseDenseToSparse_analysis(h, from.m, b, alg, nullptr));
    OK(cusparseDestroySpMat(b));
}

template <class T>
static void to_dense(cusparseHandle_t h, const matrix<T> &m, cusparseFormat_t format,
                     bool row_order)
{
    on_device<T> a(m, format);
    dense<T> to(m.rows, m.columns, row_order), other(m.rows + 1, m.columns, row_order);
    std::vector<T> old = to.values.get();
    const auto alg = CUSPARSE_SPARSETODENSE_ALG_DEFAULT;
    size_t size = 0;
    OK(cusparseSparseToDense_bufferSize(h, a.a, to.m, alg, &size));
    array<char> buffer(size);
    OK(cusparseSparseToDense(h, a.a, to.m, alg, buffer.data));
    expect(to.get() == m.dense(), "SparseToDense", format);
    to.gaps(old);
    IS(INVALID_VALUE, cusparseSparseToDense(h, a.a, other.m, alg, buffer.data));
}

template <class T>
static void count(cusparseHandle_t h, const matrix<T> &m, bool of_columns, bool there)
{
    filled<T> from(m, false);
    cusparseMatDescr_t descr = nullptr;
    OK(cusparseCreateMatDescr(&descr));
    int lines = of_columns ? m.columns : m.rows, total = -1;
    array<int> counts(lines), sum(1);
    OK(cusparseSetPointerMode(h,
                              there ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
    auto direction = of_columns ? CUSPARSE_DIRECTION_COLUMN : CUSPARSE_DIRECTION_ROW;
    OK(precision<T>::nnz(h, direction, m.rows, m.columns, descr, from.values.data, from.ld,
                         counts.data, there ? sum.data : &total));
    expect((there ? sum.get()[0] : total) == m.nnz(), "nnz of all", total);
    std::vector<int> have = counts.get(), offsets = (of_columns ? transposed(m) : m).offsets;
    for (int i = 0; i < lines; i++)
        expect(have[i] == offsets[i + 1] - offsets[i], "nnz", i);
    OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
    IS(INVALID_VALUE, precision<T>::nnz(h, direction, m.rows, m.columns, descr, from.values.data,
                                        m.rows - 1, counts.data, &total));
    OK(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    IS(MATRIX_TYPE_NOT_SUPPORTED,
       precision<T>::nnz(h, direction, m.rows, m.columns, descr, from.values.data, from.ld,
                         counts.data, &total));
    OK(cusparseDestroyMatDescr(descr));
}

// Rows of shuffled entries, among them equal columns, which keep their order.
template <class T> static void order(cusparseHandle_t h, int base, bool by_columns)
{
    matrix<T> m = random_matrix<T>(60, 40, 30, base, false, true);
    for (int k = 0; k < m.nnz(); k += 3)
        m.indices[k] = 5 + base;
    on_device<T> a(m);
    std::vector<int> want(m.nnz());
    for (int k = 0; k < m.nnz(); k++)
        want[k] = k;
    for (int i = 0; i < m.rows; i++)
        std::stable_sort(want.begin() + m.offsets[i] - base, want.begin() + m.offsets[i + 1] - base,
                         [&](int x, int y) { return m.indices[x] < m.indices[y]; });
    std::vector<int> sorted;
    for (int k : want)
        sorted.push_back(m.indices[k]);
    cusparseMatDescr_t descr = nullptr;
    OK(cusparseCreateMatDescr(&descr));
    OK(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base));
    array<int> p(m.nnz());
    OK(cusparseCreateIdentityPermutation(h, m.nnz(), p.data));
    size_t size = 0;
    if (by_columns) {
        OK(cusparseXcscsort_bufferSizeExt(h, 40, 60, m.nnz(), a.offsets.data, a.indices.data,
                                          &size));
        array<char> buffer(size);
        OK(cusparseXcscsort(h, 40, 60, m.nnz(), descr, a.offsets.data, a.indices.data, p.data,
                            buffer.data));
    } else {
        OK(cusparseXcsrsort_bufferSizeExt(h, 60, 40, m.nnz(), a.offsets.data, a.indices.data,
                                          &size));
        array<char> buffer(size);
        OK(cusparseXcsrsort(h, 60, 40, m.nnz(), descr, a.offsets.data, a.indices.data, p.data,
                            buffer.data));
        IS(INVALID_VALUE, cusparseXcsrsort(h, 60, 40, m.nnz(), descr, a.offsets.data,
                                           a.indices.data, p.data, nullptr));
    }
    expect(equal(a.indices.get(), sorted), "csrsort's columns", base);
    expect(equal(p.get(), want), "csrsort's permutation", base);
    OK(cusparseDestroyMatDescr(descr));
}

// Entries in any order, some of them twice.
static void sort_entries(cusparseHandle_t h, int base, bool by_columns)
{
    const int m = 60, n = 40, nnz = 700;
    std::vector<int> rows, columns, want(nnz), sorted_rows, sorted_columns;
    for (int k = 0; k < nnz; k++) {
        rows.push_back(below(m) + base);
        columns.push_back(below(n) + base);
        want[k] = k;
    }
    const std::vector<int> &keys = by_columns ? columns : rows,
                           &others = by_columns ? rows : columns;
    std::stable_sort(want.begin(), want.end(), [&](int x, int y) {
        return keys[x] < keys[y] || (keys[x] == keys[y] && others[x] < others[y]);
    });
    for (int k : want) {
        sorted_rows.push_back(rows[k]);
        sorted_columns.push_back(columns[k]);
    }
    array<int> r(rows), c(columns), p(nnz);
    size_t size = 0;
    auto call = by_columns ? cusparseXcoosortByColumn : cusparseXcoosortByRow;
    OK(cusparseXcoosort_bufferSizeExt(h, m, n, nnz, r.data, c.data, &size));
    array<char> buffer(size);
    OK(cusparseCreateIdentityPermutation(h, nnz, p.data));
    OK(call(h, m, n, nnz, r.data, c.data, p.data, buffer.data));
    expect(equal(r.get(), sorted_rows), "coosort's rows", base, by_columns);
    expect(equal(c.get(), sorted_columns), "coosort's columns", base, by_columns);
    expect(equal(p.get(), want), "coosort's permutation", base, by_columns);
    r.set(rows);
    c.set(columns);
    OK(call(h, m, n, nnz, r.data, c.data, nullptr, buffer.data));
    expect(equal(r.get(), sorted_rows), "coosort without a permutation", base, by_columns);
    OK(call(h, m, n, 0, nullptr, nullptr, nullptr, nullptr));
    IS(INVALID_VALUE, call(h, m, n, nnz, r.data, c.data, p.data, nullptr));
}

// c = alpha op(a) op(b) + beta c where c has entries; `batch` products, of which a may be one for
// all.
template <class T> static void sample(cusparseHandle_t h, int kind, int batch)
{
    bool turn_a = kind & 1, turn_b = kind & 2, rows_a = kind & 4, rows_b = kind & 8,
         shared = kind & 16;
    const int m = 29, n = 34, inner = kind & 1 ? 50 : 3;
    matrix<T> c = random_matrix<T>(m, n, 12, kind & 1, false, true);
    dense<T> a(turn_a ? inner : m, turn_a ? m : inner, rows_a),
        b(turn_b ? n : inner, turn_b ? inner : n, rows_b);
    // The others of a batch lie behind the first.
    size_t size_a = a.values.n, size_b = b.values.n, count = (size_t)batch;
    array<T> all_a(some<T>(size_a * (shared ? 1 : count))), all_b(some<T>(size_b * count));
    OK(cusparseDnMatSetValues(a.m, all_a.data));
    OK(cusparseDnMatSetValues(b.m, all_b.data));
    std::vector<T> old = some<T>(c.nnz() * count), host_a = all_a.get(), host_b = all_b.get();
    array<T> values(old);
    on_device<T> to(c);
    OK(cusparseSpMatSetValues(to.a, values.data));
    if (batch > 1) {
        OK(cusparseDnMatSetStridedBatch(a.m, shared ? 1 : batch, (int64_t)size_a));
        OK(cusparseDnMatSetStridedBatch(b.m, batch, (int64_t)size_b));
        std::vector<int> repeated;
        for (int z = 0; z < batch; z++)
            repeated.insert(repeated.end(), c.indices.begin(), c.indices.end());
        array<int> indices(repeated);
        OK(cusparseCsrSetPointers(to.a, to.offsets.data, indices.data, values.data));
        OK(cusparseCsrSetStridedBatch(to.a, batch, 0, c.nnz()));
        std::swap(indices.data, to.indices.data);
    }
    T factors[] = {(T)1.5, (T)(kind & 2 ? 0.5 : 0)};
    array<T> on(std::vector<T>(factors, factors + 2));
    bool there = kind & 8;
    const T *alpha = there ? on.data : factors, *beta = alpha + 1;
    OK(cusparseSetPointerMode(h,
                              there ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
    size_t size = 0;
    cusparseOperation_t op_a = turn_a ? T_ : N, op_b = turn_b ? T_ : N;
    OK(cusparseSDDMM_bufferSize(h, op_a, op_b, alpha, a.m, b.m, beta, to.a, precision<T>::type,
                                CUSPARSE_SDDMM_ALG_DEFAULT, &size));
    array<char> buffer(size);
    OK(cusparseSDDMM_preprocess(h, op_a, op_b, alpha, a.m, b.m, beta, to.a, precision<T>::type,
                                CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data));
    OK(cusparseSDDMM(h, op_a, op_b, alpha, a.m, b.m, beta, to.a, precision<T>::type,
                     CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data));
    OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
    std::vector<double> want;
    std::vector<int> rows = rows_of(c);
    for (int z = 0; z < batch; z++)
        for (int k = 0; k < c.nnz(); k++) {
            int i = rows[k] - c.base, j = c.indices[k] - c.base;
            double sum = 0;
            for (int q = 0; q < inner; q++)
                sum +=
                    (double)host_a[(shared ? 0 : z) * size_a + (turn_a ? a.at(q, i) : a.at(i, q))] *
                    host_b[z * size_b + (turn_b ? b.at(j, q) : b.at(q, j))];
            want.push_back(factors[0] * sum + factors[1] * old[(size_t)z * c.nnz() + k]);
        }
    same(values.get(), want, "SDDMM");
}

// Products of a batch with SpMM: matrices of their own, or a that is one for all.
template <class T> static void batches(cusparseHandle_t h, bool shared)
{
    const int m = 21, n = 9, inner = 17, batch = 3;
    matrix<T> a = random_matrix<T>(m, inner, 6, 1, false, false);
    on_device<T> of(a);
    dense<T> b(inner, n, true), c(m, n, false);
    array<T> all_a(some<T>((size_t)a.nnz() * batch)), all_b(some<T>(b.values.n * batch)),
        all_c(some<T>(c.values.n * batch));
    std::vector<int> repeated;
    for (int z = 0; z < batch; z++)
        repeated.insert(repeated.end(), a.indices.begin(), a.indices.end());
    array<int> indices(repeated);
    OK(cusparseCsrSetPointers(of.a, of.offsets.data, indices.data, all_a.data));
    OK(cusparseDnMatSetValues(b.m, all_b.data));
    OK(cusparseDnMatSetValues(c.m, all_c.data));
    if (!shared)
        OK(cusparseCsrSetStridedBatch(of.a, batch, 0, a.nnz()));
    OK(cusparseDnMatSetStridedBatch(b.m, batch, (int64_t)b.values.n));
    OK(cusparseDnMatSetStridedBatch(c.m, batch, (int64_t)c.values.n));
    T alpha = 2, beta = 0;
    OK(cusparseSpMM_preprocess(h, N, N, &alpha, of.a, b.m, &beta, c.m, precision<T>::type,
                               CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
    OK(cusparseSpMM(h, N, N, &alpha, of.a, b.m, &beta, c.m, precision<T>::type,
                    CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
    std::vector<T> have = all_c.get(), from_a = all_a.get(), from_b = all_b.get(), got;
    std::vector<double> want;
    for (int z = 0; z < batch; z++) {
        matrix<T> one = a;
        std::copy_n(from_a.begin() + (shared ? 0 : z) * a.nnz(), a.nnz(), one.values.begin());
        std::vector<double> right, none((size_t)m * n);
        for (int i = 0; i < inner; i++)
            for (int j = 0; j < n; j++)
                right.push_back(from_b[z * b.values.n + b.at(i, j)]);
        std::vector<double> each = product(one.dense(), m, inner, false, right, none, n, alpha, 0);
        want.insert(want.end(), each.begin(), each.end());
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                got.push_back(have[z * c.values.n + c.at(i, j)]);
    }
    same(got, want, "SpMM in a batch");
    int count = 0;
    int64_t stride = 0;
    OK(cusparseSpMatGetStridedBatch(of.a, &count));
    expect(count == (shared ? 1 : batch), "SpMatGetStridedBatch", count);
    OK(cusparseDnMatGetStridedBatch(b.m, &count, &stride));
    expect(count == batch && stride == (int64_t)b.values.n, "DnMatGetStridedBatch", count);
    OK(cusparseDnMatSetStridedBatch(b.m, batch + 1, (int64_t)b.values.n));
    IS(INVALID_VALUE, cusparseSpMM(h, N, N, &alpha, of.a, b.m, &beta, c.m, precision<T>::type,
                                   CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
    IS(INVALID_VALUE, cusparseDnMatSetStridedBatch(b.m, 0, 0));
    IS(INVALID_VALUE, cusparseDnMatSetStridedBatch(b.m, 2, b.ld));
    IS(INVALID_VALUE, cusparseCooSetStridedBatch(of.a, 2, 5));
}

template <class T> void dense_matrices(cusparseHandle_t h)
{
    const int shapes[][3] = {{1, 1, 1}, {47, 33, 6}, {5, 400, 90}, {300, 7, 3}};
    for (auto &s : shapes)
        for (int base = 0; base < 2; base++) {
            matrix<T> m = random_matrix<T>(s[0], s[1], s[2], base, false, base != 0);
            for (cusparseFormat_t format : formats) {
                to_sparse<T>(h, m, format, base);
                to_dense<T>(h, m, format, base);
            }
            count<T>(h, m, false, base);
            count<T>(h, m, true, !base);
        }
    matrix<T> empty{3, 4, 1, {1, 1, 1, 1}, {}, {}};
    for (cusparseFormat_t format : formats) {
        to_sparse<T>(h, empty, format, true);
        to_dense<T>(h, empty, format, false);
    }
    for (int kind = 0; kind < 4; kind++)
        order<T>(h, kind & 1, kind & 2);
    for (int kind = 0; kind < 4; kind++)
        sort_entries(h, kind & 1, kind & 2);
    for (int kind = 0; kind < 32; kind++)
        sample<T>(h, kind, kind & 16 ? 3 : kind % 3 + 1);
    batches<T>(h, false);
    batches<T>(h, true);
    IS(NOT_INITIALIZED, cusparseCreateIdentityPermutation(nullptr, 1, nullptr));
}
template void dense_matrices<float>(cusparseHandle_t h);
template void dense_matrices<double>(cusparseHandle_t h);
