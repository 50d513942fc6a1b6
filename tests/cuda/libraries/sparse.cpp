// cuSPARSE against plain loops in double precision, in both precisions: products, triangles and ILU
// (sparse_*.cpp), sparse vectors, graphs, descriptions, mistakes.
#include "sparse.h"

// --- sparse vectors ----------------------------------------------------------------------------

template <class T, class I> static void vectors(cusparseHandle_t h, cusparseIndexType_t type)
{
    for (int base = 0; base < 2; base++) {
        std::vector<I> places = {3 + base, 900 + base, 17 + base, 0 + base, 999 + base};
        std::vector<T> values = some<T>(places.size()), old = some<T>(1000);
        array<I> indices(places);
        array<T> entries(values);
        vector<T> y(old);
        cusparseSpVecDescr_t x;
        OK(cusparseCreateSpVec(&x, 1000, 5, indices.data, entries.data, type,
                               (cusparseIndexBase_t)base, precision<T>::type));
        std::vector<double> want(old.begin(), old.end());
        T alpha = (T)2, beta = (T)-0.5, zero = 0;
        for (double &v : want)
            v *= beta;
        for (int k = 0; k < 5; k++)
            want[places[k] - base] += alpha * values[k];
        OK(cusparseAxpby(h, &alpha, x, &beta, y.v));
        same(y.values.get(), want, "Axpby");
        OK(cusparseScatter(h, x, y.v));
        for (int k = 0; k < 5; k++)
            want[places[k] - base] = values[k];
        same(y.values.get(), want, "Scatter");
        y.values.set(old);
        OK(cusparseGather(h, y.v, x));
        std::vector<T> got = entries.get();
        for (int k = 0; k < 5; k++)
            expect(got[k] == old[places[k] - base], "Gather", k);
        if (type == CUSPARSE_INDEX_32I) { // the older interface does the same
            auto from = (cusparseIndexBase_t)base;
            const int *at = (const int *)indices.data;
            entries.set(values);
            OK(precision<T>::sctr(h, 5, entries.data, at, y.values.data, from));
            want.assign(old.begin(), old.end());
            for (int k = 0; k < 5; k++)
                want[places[k] - base] = values[k];
            same(y.values.get(), want, "sctr");
            y.values.set(old);
            OK(precision<T>::gthr(h, 5, y.values.data, entries.data, at, from));
            expect(equal(entries.get(), got), "gthr");
            IS(INVALID_VALUE, precision<T>::gthr(h, 5, nullptr, entries.data, at, from));
        }
        y.values.set(std::vector<T>(1000, std::numeric_limits<T>::quiet_NaN()));
        OK(cusparseAxpby(h, &alpha, x, &zero, y.v));
        want.assign(1000, 0);
        for (int k = 0; k < 5; k++)
            want[places[k] - base] = alpha * got[k];
        same(y.values.get(), want, "Axpby from nothing");
        T one = 1;
        OK(cusparseAxpby(h, &alpha, x, &one, y.v));
        for (int k = 0; k < 5; k++)
            want[places[k] - base] += alpha * got[k];
        same(y.values.get(), want, "Axpby onto y");
        // x . y, to the host and to the device; then both turn.
        entries.set(values);
        y.values.set(old);
        array<T> sum(1);
        array<char> buffer(64);
        size_t size = 0;
        double dot = 0;
        T result = 0;
        for (int k = 0; k < 5; k++)
            dot += (double)values[k] * old[places[k] - base];
        const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
        OK(cusparseSpVV_bufferSize(h, as_is, x, y.v, &result, precision<T>::type, &size));
        expect(size > 0 && size <= 64, "SpVV: buffer");
        OK(cusparseSpVV(h, as_is, x, y.v, &result, precision<T>::type, buffer.data));
        expect(std::abs(result - dot) <= 1e-5 * (1 + std::abs(dot)), "SpVV");
        OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE));
        OK(cusparseSpVV(h, as_is, x, y.v, sum.data, precision<T>::type, nullptr));
        OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
        expect(sum.get()[0] == result, "SpVV on the device");
        IS(INVALID_VALUE, cusparseSpVV(h, as_is, x, y.v, &result, precision<T>::type, nullptr));
        IS(NOT_SUPPORTED, cusparseSpVV(h, as_is, x, y.v, &result, CUDA_C_64F, buffer.data));
        T c = (T)0.6, s = (T)0.8;
        OK(cusparseRot(h, &c, &s, x, y.v));
        std::vector<T> turned_x = entries.get(), turned_y = y.values.get();
        for (int k = 0; k < 5; k++) {
            int at = (int)places[k] - base;
            expect(std::abs(turned_x[k] - (c * values[k] + s * old[at])) < 1e-5, "Rot: x", k);
            expect(std::abs(turned_y[at] - (c * old[at] - s * values[k])) < 1e-5, "Rot: y", k);
        }
        cusparseIndexType_t told;
        OK(cusparseSpVecGet(x, nullptr, nullptr, nullptr, nullptr, &told, nullptr, nullptr));
        expect(told == type, "SpVecGet");
        OK(cusparseDestroySpVec(x));
    }
}

// --- graphs ------------------------------------------------------------------------------------

// ILU, a product with the transposed matrix and a solution, launched twice from a graph, give the
// bits that calls give.
template <class T> static void graphs(cusparseHandle_t h)
{
    typedef precision<T> P;
    matrix<T> m = random_matrix<T>(400, 400, 6, 0, true, false);
    on_device<T> a(m), lu(m);
    lu.triangle(CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT);
    vector<T> x(some<T>(400)), y(some<T>(400)), z(some<T>(400));
    ilu_state s(0);
    cusparseSpSVDescr_t d;
    cudaStream_t stream;
    T one = 1, zero = 0;
    size_t size_mv = 0, size_sv = 0;
    int size_lu = 0, n = m.rows, nnz = m.nnz();
    DONE(cudaStreamCreate(&stream));
    OK(cusparseSetStream(h, stream));
    OK(cusparseSpSV_createDescr(&d));
    OK(cusparseSpMV_bufferSize(h, T_, &one, a.a, x.v, &zero, y.v, P::type,
                               CUSPARSE_SPMV_ALG_DEFAULT, &size_mv));
    OK(cusparseSpSV_bufferSize(h, N, &one, lu.a, y.v, z.v, P::type, CUSPARSE_SPSV_ALG_DEFAULT, d,
                               &size_sv));
    OK(P::ilu_size(h, n, nnz, s.descr, lu.values.data, lu.offsets.data, lu.indices.data, s.info,
                   &size_lu));
    array<char> buffer_mv(size_mv), buffer_sv(size_sv), buffer_lu(size_lu);
    OK(P::ilu_analysis(h, n, nnz, s.descr, lu.values.data, lu.offsets.data, lu.indices.data, s.info,
                       CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer_lu.data));
    OK(cusparseSpSV_analysis(h, N, &one, lu.a, y.v, z.v, P::type, CUSPARSE_SPSV_ALG_DEFAULT, d,
                             buffer_sv.data));
    auto all = [&] {
        OK(P::ilu(h, n, nnz, s.descr, lu.values.data, lu.offsets.data, lu.indices.data, s.info,
                  CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer_lu.data));
        OK(cusparseSpMV(h, T_, &one, a.a, x.v, &zero, y.v, P::type, CUSPARSE_SPMV_ALG_DEFAULT,
                        buffer_mv.data));
        OK(cusparseSpSV_solve(h, N, &one, lu.a, y.v, z.v, P::type, CUSPARSE_SPSV_ALG_DEFAULT, d));
    };
    all();
    DONE(cudaStreamSynchronize(stream));
    std::vector<T> want = z.values.get(), nothing(400);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    all();
    DONE(cudaStreamEndCapture(stream, &graph));
    DONE(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int run = 0; run < 2; run++) {
        lu.values.set(m.values);
        z.values.set(nothing);
        DONE(cudaGraphLaunch(exec, stream));
        DONE(cudaStreamSynchronize(stream));
        expect(equal(want, z.values.get()), "graph", run);
    }
    DONE(cudaGraphExecDestroy(exec));
    DONE(cudaGraphDestroy(graph));
    OK(cusparseSpSV_destroyDescr(d));
    OK(cusparseSetStream(h, nullptr));
    DONE(cudaStreamDestroy(stream));
}

// --- descriptions and mistakes -----------------------------------------------------------------

static void descriptions(cusparseHandle_t h)
{
    int version = 0, major = 0;
    OK(cusparseGetVersion(h, &version));
    OK(cusparseGetProperty(MAJOR_VERSION, &major));
    expect(version == CUSPARSE_VERSION && major == version / 1000, "version", version);
    expect(std::string(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT)) ==
               "CUSPARSE_STATUS_ZERO_PIVOT",
           "name");
    expect(std::string(cusparseGetErrorName((cusparseStatus_t)99)) == "unknown status", "no name");
    cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
    OK(cusparseGetPointerMode(h, &mode));
    expect(mode == CUSPARSE_POINTER_MODE_HOST, "pointer mode");
    cudaStream_t stream = nullptr, back = nullptr;
    DONE(cudaStreamCreate(&stream));
    OK(cusparseSetStream(h, stream));
    OK(cusparseGetStream(h, &back));
    expect(stream == back, "stream");
    OK(cusparseSetStream(h, nullptr));
    DONE(cudaStreamDestroy(stream));

    cusparseMatDescr_t descr;
    OK(cusparseCreateMatDescr(&descr));
    expect(cusparseGetMatType(descr) == CUSPARSE_MATRIX_TYPE_GENERAL &&
               cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ZERO,
           "a new type");
    OK(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_TRIANGULAR));
    OK(cusparseSetMatFillMode(descr, CUSPARSE_FILL_MODE_UPPER));
    OK(cusparseSetMatDiagType(descr, CUSPARSE_DIAG_TYPE_UNIT));
    OK(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
    IS(INVALID_VALUE, cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)2));
    expect(cusparseGetMatType(descr) == CUSPARSE_MATRIX_TYPE_TRIANGULAR &&
               cusparseGetMatFillMode(descr) == CUSPARSE_FILL_MODE_UPPER &&
               cusparseGetMatDiagType(descr) == CUSPARSE_DIAG_TYPE_UNIT &&
               cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ONE,
           "a type");
    OK(cusparseDestroyMatDescr(descr));

    matrix<float> m = random_matrix<float>(20, 30, 4, 1, false, false);
    on_device<float> a(m);
    int64_t rows = 0, columns = 0, nnz = 0;
    void *offsets = nullptr, *indices = nullptr, *values = nullptr;
    cusparseIndexType_t of_offsets, of_indices;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFormat_t format;
    OK(cusparseCsrGet(a.a, &rows, &columns, &nnz, &offsets, &indices, &values, &of_offsets,
                      &of_indices, &base, &type));
    expect(rows == 20 && columns == 30 && nnz == m.nnz() && offsets == a.offsets.data &&
               indices == a.indices.data && values == a.values.data &&
               of_offsets == CUSPARSE_INDEX_32I && of_indices == CUSPARSE_INDEX_32I &&
               base == CUSPARSE_INDEX_BASE_ONE && type == CUDA_R_32F,
           "CsrGet");
    OK(cusparseSpMatGetFormat(a.a, &format));
    expect(format == CUSPARSE_FORMAT_CSR, "format");
    OK(cusparseSpMatSetValues(a.a, a.offsets.data));
    OK(cusparseSpMatGetValues(a.a, &values));
    expect(values == a.offsets.data, "values");
    OK(cusparseCsrSetPointers(a.a, a.offsets.data, a.indices.data, a.values.data));
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER;
    cusparseDiagType_t diag = CUSPARSE_DIAG_TYPE_UNIT;
    a.triangle(CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT);
    OK(cusparseSpMatGetAttribute(a.a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    OK(cusparseSpMatGetAttribute(a.a, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
    expect(fill == CUSPARSE_FILL_MODE_LOWER && diag == CUSPARSE_DIAG_TYPE_UNIT, "attributes");
    IS(INVALID_VALUE, cusparseSpMatSetAttribute(a.a, CUSPARSE_SPMAT_FILL_MODE, &fill, 1));
}

static void mistakes(cusparseHandle_t h)
{
    matrix<float> m = random_matrix<float>(20, 30, 4, 0, false, false);
    matrix<float> square = random_matrix<float>(20, 20, 4, 0, true, false);
    on_device<float> a(m), sq(square);
    vector<float> x(some<float>(30)), y(some<float>(20));
    vector<double> wide(some<double>(20));
    float one = 1;
    size_t size = 0;
    IS(NOT_INITIALIZED, cusparseSetStream(nullptr, nullptr));
    IS(NOT_INITIALIZED, cusparseDestroy(nullptr));
    IS(INVALID_VALUE, cusparseCreate(nullptr));
    IS(INVALID_VALUE, cusparseSetPointerMode(h, (cusparsePointerMode_t)5));
    cusparseSpMatDescr_t none;
    IS(NOT_SUPPORTED,
       cusparseCreateCsr(&none, 2, 2, 1, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_16U, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    IS(INVALID_VALUE,
       cusparseCreateCsr(&none, -1, 2, 1, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    cusparseMatDescr_t plain;
    OK(cusparseCreateMatDescr(&plain));
    IS(INVALID_VALUE, cusparseXcsrsort(h, 0, 4, 3, plain, (int *)x.values.data,
                                       (int *)x.values.data, nullptr, x.values.data));
    OK(cusparseDestroyMatDescr(plain));
    cusparseDnMatDescr_t flat;
    IS(INVALID_VALUE,
       cusparseCreateDnMat(&flat, 4, 3, 3, x.values.data, CUDA_R_32F, CUSPARSE_ORDER_COL));
#define SPMV(op, a, x, y, type, alg) cusparseSpMV(h, op, &one, a, x, &one, y, type, alg, nullptr)
    IS(INVALID_VALUE, SPMV(N, a.a, y.v, x.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(INVALID_VALUE, SPMV(T_, a.a, y.v, x.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT)); // no buffer
    IS(INVALID_VALUE, SPMV(N, nullptr, x.v, y.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(NOT_SUPPORTED, SPMV(N, a.a, x.v, y.v, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(NOT_SUPPORTED, SPMV(N, a.a, x.v, wide.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(NOT_SUPPORTED, SPMV(N, a.a, x.v, y.v, CUDA_R_32F, CUSPARSE_SPMV_COO_ALG1));
    IS(INVALID_VALUE, cusparseSpMV_bufferSize(h, (cusparseOperation_t)7, &one, a.a, x.v, &one, y.v,
                                              CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &size));

    cusparseSpSVDescr_t d;
    OK(cusparseSpSV_createDescr(&d));
#define SPSV(call, a, ...)                                                                         \
    cusparseSpSV_##call(h, N, &one, a, y.v, y.v, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT,            \
                        d __VA_ARGS__)
    IS(INVALID_VALUE, SPSV(solve, sq.a, )); // not analysed
    IS(INVALID_VALUE, SPSV(bufferSize, a.a, , &size));
    OK(SPSV(bufferSize, sq.a, , &size));
    array<char> buffer(size);
    std::vector<int> bad = square.indices;
    bad[5] = 20;
    sq.indices.set(bad);
    IS(INVALID_VALUE, SPSV(analysis, sq.a, , buffer.data)); // a column beyond the matrix
    sq.indices.set(square.indices);
    OK(SPSV(analysis, sq.a, , buffer.data));
    sq.triangle(CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_UNIT);
    IS(INVALID_VALUE, SPSV(solve, sq.a, )); // the other triangle
    OK(cusparseSpSV_destroyDescr(d));
    IS(INVALID_VALUE, SPSV(bufferSize, sq.a, , &size)); // no longer there
    IS(INVALID_VALUE, cusparseSpSV_destroyDescr(d));
    cusparseDnVecDescr_t gone;
    OK(cusparseCreateDnVec(&gone, 2, x.values.data, CUDA_R_32F));
    OK(cusparseDestroyDnVec(gone));
    IS(INVALID_VALUE, SPMV(N, a.a, gone, y.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(INVALID_VALUE, cusparseDestroyDnVec(gone));

    ilu_state s(0);
    matrix<float> open = random_matrix<float>(30, 30, 9, 0, true, true);
    on_device<float> unsorted(open);
    array<char> room(4096);
#define ILU(call)                                                                                  \
    cusparseScsrilu02##call(h, 30, open.nnz(), s.descr, unsorted.values.data,                      \
                            unsorted.offsets.data, unsorted.indices.data, s.info,                  \
                            CUSPARSE_SOLVE_POLICY_USE_LEVEL, room.data)
    IS(NOT_SUPPORTED, ILU(_analysis));
    IS(INVALID_VALUE, ILU()); // not analysed
    OK(cusparseSetMatType(s.descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    IS(MATRIX_TYPE_NOT_SUPPORTED, ILU(_analysis));
}

template <class T> static void both(cusparseHandle_t h)
{
    products<T>(h);
    conversions<T>(h);
    dense_matrices<T>(h);
    sparse_products<T>(h);
    wide_indices<T>(h);
    triangles<T>(h);
    incomplete_cholesky<T>(h);
    diagonals<T>(h);
    blocked<T>(h);
    vectors<T, int>(h, CUSPARSE_INDEX_32I);
    vectors<T, long long>(h, CUSPARSE_INDEX_64I);
    graphs<T>(h);
}

int main(int argc, char **)
{
    cusparseHandle_t h;
    OK(cusparseCreate(&h));
    both<float>(h);
    if (argc > 1)
        return verdict();
    both<double>(h);
    descriptions(h);
    mistakes(h);
    OK(cusparseDestroy(h));
    IS(NOT_INITIALIZED, cusparseDestroy(h)); // no longer there
    DONE(cudaDeviceSynchronize());
    return verdict();
}
