// Products of cuSPARSE's matrices with vectors and matrices: bases, operations, orders, factors of
// 0.
#include "sparse.h"

template <class T>
static void multiply_vector(cusparseHandle_t h, const matrix<T> &m, cusparseFormat_t format,
                            cusparseOperation_t op, T alpha, T beta, bool scalars_there)
{
    bool turn = op != N;
    on_device<T> a(m, format);
    std::vector<T> from = some<T>(turn ? m.rows : m.columns),
                   old = some<T>(turn ? m.columns : m.rows);
    if (beta == 0 && !old.empty())
        old[0] = std::numeric_limits<T>::quiet_NaN();
    vector<T> x(from), y(old);
    array<T> scalars(std::vector<T>{alpha, beta});
    const T *at_alpha = scalars_there ? scalars.data : &alpha,
            *at_beta = scalars_there ? scalars.data + 1 : &beta;
    OK(cusparseSetPointerMode(h, scalars_there ? CUSPARSE_POINTER_MODE_DEVICE
                                               : CUSPARSE_POINTER_MODE_HOST));
    cusparseSpMVAlg_t second =
        format == CUSPARSE_FORMAT_COO ? CUSPARSE_SPMV_COO_ALG2 : CUSPARSE_SPMV_CSR_ALG2;
    size_t size = 1;
    OK(cusparseSpMV_bufferSize(h, op, at_alpha, a.a, x.v, at_beta, y.v, precision<T>::type,
                               CUSPARSE_SPMV_ALG_DEFAULT, &size));
    array<char> buffer(size);
    std::vector<T> first;
    for (int run = 0; run < 2; run++) {
        y.values.set(old);
        OK(cusparseSpMV_preprocess(h, op, at_alpha, a.a, x.v, at_beta, y.v, precision<T>::type,
                                   run ? second : CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
        OK(cusparseSpMV(h, op, at_alpha, a.a, x.v, at_beta, y.v, precision<T>::type,
                        run ? second : CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
        if (run)
            expect(equal(first, y.values.get()), "SpMV again", op);
        first = y.values.get();
    }
    same(first,
         product(m.dense(), m.rows, m.columns, turn, {from.begin(), from.end()},
                 {old.begin(), old.end()}, 1, alpha, beta),
         "SpMV");
    if (turn &&
        format ==
            CUSPARSE_FORMAT_CSR) { // in one order: entries are sorted, whatever thread placed them
        on_device<T> rows(transposed(m));
        y.values.set(old);
        OK(cusparseSpMV(h, N, at_alpha, rows.a, x.v, at_beta, y.v, precision<T>::type,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
        expect(equal(first, y.values.get()), "the bits of a transposed matrix", m.nnz());
    }
    OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
}

template <class T> static void products_of_vectors(cusparseHandle_t h)
{
    // Rows of few entries, of many (threads share them), and none.
    const int shapes[][3] = {{1, 1, 1}, {47, 33, 6}, {33, 300, 400}, {300, 20, 15}, {700, 900, 3}};
    for (auto &s : shapes)
        for (int base = 0; base < 2; base++)
            for (cusparseOperation_t op : {N, T_, C_})
                for (cusparseFormat_t format : formats) {
                    matrix<T> m = random_matrix<T>(s[0], s[1], s[2], base, false, base != 0);
                    multiply_vector<T>(h, m, format, op, (T)1.5, (T)-0.5, base != 0);
                    multiply_vector<T>(h, m, format, op, (T)0.5, (T)0, base == 0);
                }
    matrix<T> empty{5, 4, 1, {1, 1, 1, 1, 1, 1}, {}, {}};
    for (cusparseFormat_t format : formats) {
        multiply_vector<T>(h, empty, format, N, (T)1, (T)2, false);
        multiply_vector<T>(h, empty, format, T_, (T)1, (T)0, false);
    }
}

template <class T> static void products_of_matrices(cusparseHandle_t h)
{
    for (int kind = 0; kind < 48; kind++) {
        bool turn = kind & 1, turn_b = kind & 2;
        cusparseFormat_t format = formats[kind / 16];
        matrix<T> m = random_matrix<T>(37, 53, 9, kind & 1, false, false);
        on_device<T> a(m, format);
        int r = turn ? 53 : 37, inner = turn ? 37 : 53, n = 11;
        dense<T> b(turn_b ? n : inner, turn_b ? inner : n, kind & 4), c(r, n, kind & 8);
        T alpha = (T)-1.25, beta = (T)(turn_b ? 0.75 : 0);
        std::vector<T> old_all = c.values.get();
        std::vector<double> old = c.get();
        size_t size = 1;
        OK(cusparseSpMM_bufferSize(h, turn ? T_ : N, turn_b ? T_ : N, &alpha, a.a, b.m, &beta, c.m,
                                   precision<T>::type, CUSPARSE_SPMM_ALG_DEFAULT, &size));
        array<char> buffer(size);
        OK(cusparseSpMM(
            h, turn ? T_ : N, turn_b ? T_ : N, &alpha, a.a, b.m, &beta, c.m, precision<T>::type,
            format == CUSPARSE_FORMAT_COO ? CUSPARSE_SPMM_COO_ALG1 : CUSPARSE_SPMM_CSR_ALG2,
            buffer.data));
        std::vector<double> have = c.get();
        same<T>({have.begin(), have.end()},
                product(m.dense(), 37, 53, turn, b.get(turn_b), old, n, alpha, beta), "SpMM");
        c.gaps(old_all);
    }
}

template <class T> void products(cusparseHandle_t h)
{
    products_of_vectors<T>(h);
    products_of_matrices<T>(h);
}
template void products<float>(cusparseHandle_t h);
template void products<double>(cusparseHandle_t h);
