// Products of two sparse matrices against the host.
#include "sparse.h"

struct operands {
    cusparseHandle_t h;
    const void *alpha, *beta;
    cusparseSpMatDescr_t a, b, c;
    cudaDataType type;
    cusparseSpGEMMDescr_t descr;

    cusparseStatus_t estimate(size_t *size, void *buffer) const
    {
        return cusparseSpGEMM_workEstimation(h, N, N, alpha, a, b, beta, c, type,
                                             CUSPARSE_SPGEMM_DEFAULT, descr, size, buffer);
    }
    cusparseStatus_t compute(size_t *size, void *buffer) const
    {
        return cusparseSpGEMM_compute(h, N, N, alpha, a, b, beta, c, type, CUSPARSE_SPGEMM_DEFAULT,
                                      descr, size, buffer);
    }
    cusparseStatus_t copy() const
    {
        return cusparseSpGEMM_copy(h, N, N, alpha, a, b, beta, c, type, CUSPARSE_SPGEMM_DEFAULT,
                                   descr);
    }
};

// The pattern of a b: columns of a row ascend. Also where products cancel, or are of zeroes.
template <class T> static matrix<T> pattern(const matrix<T> &a, const matrix<T> &b, int base)
{
    matrix<T> out{a.rows, b.columns, base, {base}, {}, {}};
    for (int i = 0; i < a.rows; i++) {
        std::vector<int> row;
        for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {
            int r = a.indices[k] - a.base;
            for (int j = b.offsets[r] - b.base; j < b.offsets[r + 1] - b.base; j++)
                row.push_back(b.indices[j] - b.base);
        }
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        out.row(row, false);
    }
    return out;
}

template <class T>
static void multiply(cusparseHandle_t h, const matrix<T> &m, const matrix<T> &n, int base, T beta,
                     bool there)
{
    on_device<T> a(m), b(n);
    matrix<T> want = pattern(m, n, base);
    array<int> offsets(want.offsets.size()), indices(want.indices.size());
    std::vector<T> old = want.values, first;
    if (beta == 0 && !old.empty())
        old[0] = std::numeric_limits<T>::quiet_NaN(); // is not read
    array<T> values(old), scalars(std::vector<T>{(T)-1.5, beta});
    T alpha = (T)-1.5;
    operands o{h,
               there ? scalars.data : &alpha,
               there ? scalars.data + 1 : &beta,
               a.a,
               b.a,
               nullptr,
               precision<T>::type,
               nullptr};
    OK(cusparseSetPointerMode(h,
                              there ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
    OK(cusparseCreateCsr(&o.c, m.rows, n.columns, 0, offsets.data, nullptr, nullptr,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)base,
                         precision<T>::type));
    OK(cusparseSpGEMM_createDescr(&o.descr));
    size_t size = 0, second = 0, few = 1;
    int64_t rows, columns, nnz = -1;
    IS(INVALID_VALUE, o.compute(&second, nullptr)); // before the estimation
    OK(o.estimate(&size, nullptr));
    array<char> buffer(size);
    IS(INSUFFICIENT_RESOURCES, o.estimate(&few, buffer.data));
    OK(o.estimate(&size, buffer.data));
    IS(INVALID_VALUE, o.copy()); // before the computation
    OK(o.compute(&second, nullptr));
    array<char> other(second);
    int64_t products = -1, all_products = 0;
    for (int k : m.indices)
        all_products += n.offsets[k - m.base + 1] - n.offsets[k - m.base];
    size_t third = 0, same_as_second = 0;
    OK(cusparseSpGEMM_getNumProducts(o.descr, &products));
    expect(products == all_products, "SpGEMM's products", (double)products);
#define MEMORY(buffer)                                                                             \
    cusparseSpGEMM_estimateMemory(h, N, N, o.alpha, o.a, o.b, o.beta, o.c, o.type,                 \
                                  CUSPARSE_SPGEMM_ALG3, o.descr, 0.2f, &third, buffer,             \
                                  &same_as_second)
    OK(MEMORY(nullptr));
    array<char> estimate(third);
    OK(MEMORY(estimate.data));
    expect(same_as_second == second, "SpGEMM's memory", (double)same_as_second);
    IS(INSUFFICIENT_RESOURCES, o.compute(&few, other.data));
    for (int run = 0; run < 2; run++) {
        values.set(old);
        OK(o.compute(&second, other.data));
        OK(cusparseSpMatGetSize(o.c, &rows, &columns, &nnz));
        expect(nnz == want.nnz() && rows == m.rows && columns == n.columns, "SpGEMM's count",
               (long)nnz);
        OK(cusparseCsrSetPointers(o.c, offsets.data, indices.data, values.data));
        OK(o.copy());
        if (run)
            expect(equal(first, values.get()), "SpGEMM again");
        first = values.get();
    }
    expect(equal(offsets.get(), want.offsets), "SpGEMM's offsets");
    expect(equal(indices.get(), want.indices), "SpGEMM's columns");
    std::vector<double> all = product(m.dense(), m.rows, m.columns, false, n.dense(), want.dense(),
                                      n.columns, alpha, beta),
                        at;
    std::vector<int> row = rows_of(want);
    for (int k = 0; k < want.nnz(); k++)
        at.push_back(all[(size_t)(row[k] - base) * n.columns + want.indices[k] - base]);
    same(first, at, "SpGEMM");
    OK(cusparseSpGEMM_destroyDescr(o.descr));
    OK(cusparseDestroySpMat(o.c));
    OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
}

// The pattern is found once; then values of a and b change.
template <class T>
static void again(cusparseHandle_t h, const matrix<T> &m, const matrix<T> &n, int base, T beta)
{
    on_device<T> a(m), b(n);
    matrix<T> want = pattern(m, n, base);
    array<int> offsets(want.offsets.size()), indices(want.indices.size());
    array<T> values(want.values);
    cusparseSpMatDescr_t c;
    cusparseSpGEMMDescr_t d;
    const auto alg = CUSPARSE_SPGEMM_DEFAULT;
    T alpha = (T)-1.5;
    size_t size[6] = {}, few = 1;
    int64_t rows, columns, nnz = -1;
    OK(cusparseCreateCsr(&c, m.rows, n.columns, 0, offsets.data, nullptr, nullptr,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)base,
                         precision<T>::type));
    OK(cusparseSpGEMM_createDescr(&d));
#define NNZ(b2, b3, b4)                                                                            \
    cusparseSpGEMMreuse_nnz(h, N, N, a.a, b.a, c, alg, d, &size[2], b2, &size[3], b3, &size[4], b4)
#define ESTIMATE(of, buffer)                                                                       \
    cusparseSpGEMMreuse_workEstimation(h, N, N, a.a, b.a, c, alg, d, of, buffer)
    IS(INVALID_VALUE, NNZ(nullptr, nullptr, nullptr)); // before the estimation
    OK(ESTIMATE(&size[1], nullptr));
    {
        array<char> first(size[1]);
        IS(INSUFFICIENT_RESOURCES, ESTIMATE(&few, first.data));
        OK(ESTIMATE(&size[1], first.data));
        OK(NNZ(nullptr, nullptr, nullptr));
        array<char> second(size[2]), third(size[3]), fourth(size[4]);
        OK(NNZ(second.data, third.data, fourth.data));
        OK(cusparseSpMatGetSize(c, &rows, &columns, &nnz));
        expect(nnz == want.nnz(), "SpGEMMreuse's count", (double)nnz);
        OK(cusparseCsrSetPointers(c, offsets.data, indices.data, values.data));
        IS(INVALID_VALUE, cusparseSpGEMMreuse_compute(h, N, N, &alpha, a.a, b.a, &beta, c,
                                                      precision<T>::type, alg, d)); // no copy
        OK(cusparseSpGEMMreuse_copy(h, N, N, a.a, b.a, c, alg, d, &size[5], nullptr));
        DONE(cudaMemset(first.data, 0x55, size[1])); // nobody needs these any more
        DONE(cudaMemset(second.data, 0x55, size[2]));
        array<char> fifth(size[5]);
        OK(cusparseSpGEMMreuse_copy(h, N, N, a.a, b.a, c, alg, d, &size[5], fifth.data));
        DONE(cudaMemset(third.data, 0x55, size[3]));
        expect(equal(offsets.get(), want.offsets), "SpGEMMreuse's offsets");
        expect(equal(indices.get(), want.indices), "SpGEMMreuse's columns");
        matrix<T> left = m, right = n;
        for (int run = 0; run < 3; run++) {
            std::vector<double> all = product(left.dense(), m.rows, m.columns, false, right.dense(),
                                              want.dense(), n.columns, alpha, beta),
                                at;
            std::vector<int> row = rows_of(want);
            for (int k = 0; k < want.nnz(); k++)
                at.push_back(all[(size_t)(row[k] - base) * n.columns + want.indices[k] - base]);
            values.set(want.values);
            OK(cusparseSpGEMMreuse_compute(h, N, N, &alpha, a.a, b.a, &beta, c, precision<T>::type,
                                           alg, d));
            same(values.get(), at, "SpGEMMreuse");
            left.values = some<T>(left.values.size());
            right.values = some<T>(right.values.size());
            a.values.set(left.values);
            b.values.set(right.values);
        }
    }
    OK(cusparseSpGEMM_destroyDescr(d));
    OK(cusparseDestroySpMat(c));
}

template <class T> static void mistakes(cusparseHandle_t h)
{
    matrix<T> m = random_matrix<T>(8, 6, 3, 0, false, false),
              n = random_matrix<T>(7, 5, 3, 0, false, false);
    on_device<T> a(m), b(n), columns(m, CUSPARSE_FORMAT_CSC),
        square(random_matrix<T>(8, 8, 2, 0, false, false));
    T one = 1;
    size_t size = 0;
    cusparseSpGEMMDescr_t descr = nullptr;
    OK(cusparseSpGEMM_createDescr(&descr));
    operands o{h, &one, &one, a.a, b.a, a.a, precision<T>::type, descr};
    IS(INVALID_VALUE, o.estimate(&size, nullptr)); // 6 columns by 7 rows
    o.a = square.a, o.b = columns.a, o.c = a.a;
    IS(NOT_SUPPORTED, o.estimate(&size, nullptr)); // by columns
    o.b = a.a;
    o.type = precision<T>::type == CUDA_R_32F ? CUDA_R_64F : CUDA_R_32F;
    IS(NOT_SUPPORTED, o.estimate(&size, nullptr));
    o.type = precision<T>::type;
    OK(o.estimate(&size, nullptr));
    IS(NOT_SUPPORTED,
       cusparseSpGEMM_workEstimation(h, T_, N, &one, square.a, a.a, &one, a.a, precision<T>::type,
                                     CUSPARSE_SPGEMM_DEFAULT, descr, &size, nullptr));
    o.h = nullptr;
    IS(NOT_INITIALIZED, o.estimate(&size, nullptr));
    OK(cusparseSpGEMM_destroyDescr(descr));
}

template <class T> void sparse_products(cusparseHandle_t h)
{
    const int shapes[][5] = {
        {1, 1, 1, 1, 1}, {37, 50, 41, 6, 7}, {5, 300, 60, 90, 3}, {300, 20, 33, 2, 30}};
    for (auto &s : shapes)
        for (int kind = 0; kind < 4; kind++) {
            matrix<T> a = random_matrix<T>(s[0], s[1], s[3], kind & 1, false, kind & 2),
                      b = random_matrix<T>(s[1], s[2], s[4], !(kind & 1), false, kind & 2);
            multiply<T>(h, a, b, kind & 1, (T)(kind & 2 ? 0.5 : 0), kind & 1);
            again<T>(h, a, b, kind & 1, (T)(kind & 2 ? 0.5 : 0));
        }
    matrix<T> empty{3, 4, 1, {1, 1, 1, 1}, {}, {}}, b = random_matrix<T>(4, 5, 3, 0, false, false);
    multiply<T>(h, empty, b, 0, (T)0, false);
    mistakes<T>(h);
}
template void sparse_products<float>(cusparseHandle_t h);
template void sparse_products<double>(cusparseHandle_t h);
