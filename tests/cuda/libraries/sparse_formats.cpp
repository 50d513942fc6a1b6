// cuSPARSE's formats: descriptions, and from one to another.
#include "sparse.h"

template <class T> static void to_columns(cusparseHandle_t h, const matrix<T> &m)
{
    typedef precision<T> P;
    on_device<T> a(m);
    matrix<T> want = transposed(m);
    auto base = (cusparseIndexBase_t)m.base;
    for (cusparseAction_t action : {CUSPARSE_ACTION_NUMERIC, CUSPARSE_ACTION_SYMBOLIC}) {
        array<int> offsets(m.columns + 1), indices(m.nnz());
        array<T> values(std::vector<T>((size_t)m.nnz(), (T)7));
        size_t size = 0;
        OK(cusparseCsr2cscEx2_bufferSize(h, m.rows, m.columns, m.nnz(), a.values.data,
                                         a.offsets.data, a.indices.data, values.data, offsets.data,
                                         indices.data, P::type, action, base, CUSPARSE_CSR2CSC_ALG1,
                                         &size));
        array<char> buffer(size);
        OK(cusparseCsr2cscEx2(h, m.rows, m.columns, m.nnz(), a.values.data, a.offsets.data,
                              a.indices.data, values.data, offsets.data, indices.data, P::type,
                              action, base, CUSPARSE_CSR2CSC_ALG1, buffer.data));
        expect(equal(offsets.get(), want.offsets), "csr2csc's offsets", m.nnz());
        expect(equal(indices.get(), want.indices), "csr2csc's indices", m.nnz());
        bool numeric = action == CUSPARSE_ACTION_NUMERIC;
        expect(equal(values.get(), numeric ? want.values : std::vector<T>((size_t)m.nnz(), (T)7)),
               "csr2csc's values", m.nnz());
    }
}

template <class T> static void entries(cusparseHandle_t h, const matrix<T> &m)
{
    on_device<T> a(m);
    array<int> rows(m.nnz()), offsets(m.rows + 1);
    auto base = (cusparseIndexBase_t)m.base;
    OK(cusparseXcsr2coo(h, a.offsets.data, m.nnz(), m.rows, rows.data, base));
    expect(equal(rows.get(), rows_of(m)), "csr2coo", m.nnz());
    OK(cusparseXcoo2csr(h, rows.data, m.nnz(), m.rows, offsets.data, base));
    expect(equal(offsets.get(), m.offsets), "coo2csr", m.nnz());
}

template <class T> static void descriptions()
{
    matrix<T> m = random_matrix<T>(20, 30, 4, 1, false, false);
    int64_t rows = 0, columns = 0, nnz = 0;
    void *of_rows = nullptr, *of_columns = nullptr, *values = nullptr;
    cusparseIndexType_t index;
    cusparseIndexBase_t base;
    cudaDataType type;
    for (cusparseFormat_t format : formats) {
        on_device<T> a(m, format);
        cusparseFormat_t got;
        OK(cusparseSpMatGetFormat(a.a, &got));
        expect(got == format, "format", got);
        bool coo = format == CUSPARSE_FORMAT_COO;
        expect((cusparseCooGet(a.a, &rows, &columns, &nnz, &of_rows, &of_columns, &values, &index,
                               &base, &type) == CUSPARSE_STATUS_SUCCESS) == coo,
               "CooGet", format);
        expect((cusparseCooSetPointers(a.a, a.offsets.data, a.indices.data, a.values.data) ==
                CUSPARSE_STATUS_SUCCESS) == coo,
               "CooSetPointers", format);
        expect((cusparseCscSetPointers(a.a, a.offsets.data, a.indices.data, a.values.data) ==
                CUSPARSE_STATUS_SUCCESS) == (format == CUSPARSE_FORMAT_CSC),
               "CscSetPointers", format);
        if (coo)
            expect(rows == 20 && columns == 30 && nnz == m.nnz() && of_rows == a.offsets.data &&
                       of_columns == a.indices.data && values == a.values.data &&
                       index == CUSPARSE_INDEX_32I && base == CUSPARSE_INDEX_BASE_ONE &&
                       type == precision<T>::type,
                   "what CooGet gets");
    }
}

template <class T> void conversions(cusparseHandle_t h)
{
    for (int base = 0; base < 2; base++) {
        const int shapes[][3] = {{1, 1, 1}, {47, 33, 6}, {33, 300, 200}, {700, 5, 3}};
        for (auto &s : shapes) {
            matrix<T> m = random_matrix<T>(s[0], s[1], s[2], base, false, base != 0);
            to_columns<T>(h, m);
            entries<T>(h, m);
        }
        matrix<T> empty{3, 4, base, {base, base, base, base}, {}, {}};
        to_columns<T>(h, empty);
        entries<T>(h, empty);
    }
    descriptions<T>();
    IS(NOT_SUPPORTED, cusparseCsr2cscEx2(h, 1, 1, 0, nullptr, nullptr, nullptr, nullptr, (int *)h,
                                         nullptr, CUDA_R_8I, CUSPARSE_ACTION_NUMERIC,
                                         CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, nullptr));
    IS(INVALID_VALUE, cusparseXcoo2csr(h, nullptr, 3, 4, nullptr, CUSPARSE_INDEX_BASE_ZERO));
    IS(NOT_INITIALIZED,
       cusparseXcsr2coo(nullptr, nullptr, 3, 4, nullptr, CUSPARSE_INDEX_BASE_ZERO));
}
template void conversions<float>(cusparseHandle_t h);
template void conversions<double>(cusparseHandle_t h);
