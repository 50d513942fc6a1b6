// cuSPARSE's matrices with indices of 64 bits: what takes them gives what it gives for 32 bits.
#include "sparse.h"

namespace
{

const auto to_sparse = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
const auto to_dense = CUSPARSE_SPARSETODENSE_ALG_DEFAULT;

std::vector<long long> widened(const std::vector<int> &from)
{
    return {from.begin(), from.end()};
}

// The matrix `narrow` has, with offsets and indices of 64 bits, or only the offsets.
template <class T> struct wide {
    array<long long> offsets, indices;
    const on_device<T> &narrow;
    cusparseSpMatDescr_t a = nullptr;
    wide(const on_device<T> &from, const matrix<T> &m, cusparseFormat_t format, bool all)
        : offsets(widened(from.offsets.get())), indices(widened(from.indices.get())), narrow(from)
    {
        void *columns = all ? (void *)indices.data : (void *)from.indices.data;
        auto index = all ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
        auto base = (cusparseIndexBase_t)m.base;
        if (format == CUSPARSE_FORMAT_COO)
            OK(cusparseCreateCoo(&a, m.rows, m.columns, m.nnz(), offsets.data, indices.data,
                                 from.values.data, CUSPARSE_INDEX_64I, base, precision<T>::type));
        else if (format == CUSPARSE_FORMAT_CSC)
            OK(cusparseCreateCsc(&a, m.rows, m.columns, m.nnz(), offsets.data, columns,
                                 from.values.data, CUSPARSE_INDEX_64I, index, base,
                                 precision<T>::type));
        else
            OK(cusparseCreateCsr(&a, m.rows, m.columns, m.nnz(), offsets.data, columns,
                                 from.values.data, CUSPARSE_INDEX_64I, index, base,
                                 precision<T>::type));
    }
    ~wide()
    {
        OK(cusparseDestroySpMat(a));
    }
};

template <class T>
void multiply(cusparseHandle_t h, const matrix<T> &m, const wide<T> &w, cusparseOperation_t op)
{
    bool turn = op != N;
    int inner = turn ? m.rows : m.columns, outer = turn ? m.columns : m.rows;
    std::vector<T> xs = some<T>(inner), ys = some<T>(outer);
    vector<T> x(xs), y(ys);
    T alpha = (T)1.5, beta = (T)-0.5;
    size_t size = 0;
    OK(cusparseSpMV_bufferSize(h, op, &alpha, w.a, x.v, &beta, y.v, precision<T>::type,
                               CUSPARSE_SPMV_ALG_DEFAULT, &size));
    array<char> buffer(size);
    OK(cusparseSpMV(h, op, &alpha, w.a, x.v, &beta, y.v, precision<T>::type,
                    CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
    same(y.values.get(),
         product(m.dense(), m.rows, m.columns, turn, {xs.begin(), xs.end()}, {ys.begin(), ys.end()},
                 1, 1.5, -0.5),
         "SpMV with 64 bits");
    dense<T> b(inner, 3, true), c(outer, 3, false);
    std::vector<double> before = c.get();
    OK(cusparseSpMM_bufferSize(h, op, N, &alpha, w.a, b.m, &beta, c.m, precision<T>::type,
                               CUSPARSE_SPMM_ALG_DEFAULT, &size));
    array<char> more(size);
    OK(cusparseSpMM(h, op, N, &alpha, w.a, b.m, &beta, c.m, precision<T>::type,
                    CUSPARSE_SPMM_ALG_DEFAULT, more.data));
    std::vector<double> have = c.get();
    same(std::vector<T>(have.begin(), have.end()),
         product(m.dense(), m.rows, m.columns, turn, b.get(), before, 3, 1.5, -0.5),
         "SpMM with 64 bits");
}

// To a dense matrix, and from there back into new arrays of 64 bits.
template <class T>
void convert(cusparseHandle_t h, const matrix<T> &m, const wide<T> &w, cusparseFormat_t format)
{
    dense<T> d(m.rows, m.columns, false);
    size_t size = 0;
    OK(cusparseSparseToDense_bufferSize(h, w.a, d.m, to_dense, &size));
    array<char> buffer(size);
    OK(cusparseSparseToDense(h, w.a, d.m, to_dense, buffer.data));
    expect(d.get() == m.dense(), "SparseToDense with 64 bits", format);
    matrix<T> sorted = transposed(transposed(m)),
              lined = format == CUSPARSE_FORMAT_CSC ? transposed(m) : sorted;
    std::vector<int> want = format == CUSPARSE_FORMAT_COO ? rows_of(sorted) : lined.offsets;
    OK(cusparseDenseToSparse_bufferSize(h, d.m, w.a, to_sparse, &size));
    array<char> room(size);
    OK(cusparseDenseToSparse_analysis(h, d.m, w.a, to_sparse, room.data));
    array<long long> offsets(want.size()), indices(lined.indices.size());
    array<T> values(lined.values.size());
    if (format == CUSPARSE_FORMAT_COO)
        OK(cusparseCooSetPointers(w.a, offsets.data, indices.data, values.data));
    else if (format == CUSPARSE_FORMAT_CSC)
        OK(cusparseCscSetPointers(w.a, offsets.data, indices.data, values.data));
    else
        OK(cusparseCsrSetPointers(w.a, offsets.data, indices.data, values.data));
    OK(cusparseDenseToSparse_convert(h, d.m, w.a, to_sparse, room.data));
    expect(equal(offsets.get(), widened(want)), "DenseToSparse: 64-bit offsets", format);
    expect(equal(indices.get(), widened(lined.indices)), "DenseToSparse: 64-bit indices", format);
    expect(equal(values.get(), lined.values), "DenseToSparse with 64 bits: values", format);
}

template <class T> void refused(cusparseHandle_t h, const matrix<T> &m, const wide<T> &w)
{
    vector<T> x(some<T>(m.rows)), y(some<T>(m.rows));
    dense<T> b(m.rows, m.rows, false);
    T one = 1;
    size_t size;
    cusparseSpSVDescr_t d;
    OK(cusparseSpSV_createDescr(&d));
    IS(NOT_SUPPORTED, cusparseSpSV_bufferSize(h, N, &one, w.a, x.v, y.v, precision<T>::type,
                                              CUSPARSE_SPSV_ALG_DEFAULT, d, &size));
    IS(NOT_SUPPORTED,
       cusparseSDDMM_bufferSize(h, N, N, &one, b.m, b.m, &one, w.a, precision<T>::type,
                                CUSPARSE_SDDMM_ALG_DEFAULT, &size));
    OK(cusparseSpSV_destroyDescr(d));
}

} // namespace

template <class T> void wide_indices(cusparseHandle_t h)
{
    for (int base : {0, 1})
        for (cusparseFormat_t format : formats) {
            matrix<T> m = random_matrix<T>(19, 23, 5, base, false, true);
            on_device<T> narrow(m, format);
            for (bool all : {true, false}) {
                wide<T> w(narrow, m, format, all);
                for (cusparseOperation_t op : {N, T_})
                    multiply(h, m, w, op);
                if (all)
                    convert(h, m, w, format);
            }
        }
    matrix<T> square = random_matrix<T>(9, 9, 3, 0, true, false);
    on_device<T> narrow(square);
    wide<T> w(narrow, square, CUSPARSE_FORMAT_CSR, true);
    refused(h, square, w);
    cusparseIndexType_t offset, index;
    OK(cusparseCsrGet(w.a, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &offset, &index,
                      nullptr, nullptr));
    expect(offset == CUSPARSE_INDEX_64I && index == CUSPARSE_INDEX_64I, "CsrGet: 64 bits");
}
template void wide_indices<float>(cusparseHandle_t h);
template void wide_indices<double>(cusparseHandle_t h);
