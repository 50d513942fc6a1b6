// cuBLAS's handles: streams, pointer modes, copies, what is wrong; long vectors, extremes and large
// tiles. The other parts of the test compare each call with the host.
#include "blas_numbers.h"
#include "blas_parts.h"

// The calls of one precision under one name.
template <class T> struct handle_blas;
#define BLAS(T, R, I)                                                                              \
    template <> struct handle_blas<T> {                                                            \
        static constexpr auto dot = cublas##R##dot;                                                \
        static constexpr auto nrm2 = cublas##R##nrm2;                                              \
        static constexpr auto amax = cublasI##I##amax;                                             \
        static constexpr auto amin = cublasI##I##amin;                                             \
        static constexpr auto gemm = cublas##R##gemm;                                              \
    };
BLAS(float, S, s)
BLAS(double, D, d)

// More elements than all blocks have threads, equal extremes, nothing, squares beyond the type's
// range.
template <class T> static void extremes(session &s)
{
    typedef handle_blas<T> B;
    const int n = 70001;
    numbers<T> x(n);
    T got = 1, huge = (T)(sizeof(T) == 4 ? 1e30 : 1e300);
    double squares = 0;
    CUBLAS_SIZE place = -1;
    for (wide v : x.wides())
        squares += std::norm(v);
    OK(B::dot(s.handle, n, x.device, 1, x.device, 1, &got));
    expect(std::fabs(got - squares) <= 1e-5 * squares, "a long dot");
    OK(B::nrm2(s.handle, n, x.device, 1, &got));
    expect(std::fabs(got - std::sqrt(squares)) <= 1e-5 * squares, "a long nrm2");
    for (T &v : x.host)
        v = 0.25;
    x.host[60000] = x.host[60100] = -3;
    x.host[1500] = x.host[1400] = 0;
    x.send();
    OK(B::amax(s.handle, n, x.device, 1, &place));
    expect(place == 60001, "the first greatest", (double)place);
    OK(B::amin(s.handle, n, x.device, 1, &place));
    expect(place == 1401, "the first least", (double)place);
    OK(B::amax(s.handle, 0, x.device, 1, &place));
    expect(place == 0, "greatest of nothing");
    OK(B::dot(s.handle, 0, x.device, 1, x.device, 1, &got));
    expect(got == 0, "dot of nothing");
    x.host[0] = 3 * huge;
    x.host[1] = 4 * huge;
    x.send();
    OK(B::nrm2(s.handle, 2, x.device, 1, &got));
    expect(std::fabs(got / huge - 5) < 1e-5, "a norm without overflow");
}

template <class T> static void large_tiles(session &s, cublasOperation_t ta, cublasOperation_t tb)
{
    const int m = 150, n = 200, k = 19;
    dense a = random_dense<T>(ta ? k : m, ta ? m : k), b = random_dense<T>(tb ? n : k, tb ? k : n),
          c = random_dense<T>(m, n);
    T alpha = (T)1.25, beta = (T)0.5;
    numbers<T> from(stored(a, a.rows + 3)), other(stored(b, b.rows + 1)), to(stored(c, m + 2));
    OK(handle_blas<T>::gemm(s.handle, ta, tb, m, n, k, &alpha, from.device, a.rows + 3,
                            other.device, b.rows + 1, &beta, to.device, m + 2));
    to.check(s, stored(sum(alpha, op(a, ta) * op(b, tb), beta, c), m + 2), "gemm by large tiles");
}

// Scalars on the device, a stream, what is wrong.
static void modes(session &s)
{
    cublasHandle_t handle = s.handle;
    cublasPointerMode_t mode;
    cudaStream_t stream, current;
    numbers<float> x(1000), scalar(1), result(2);
    int version = 0;
    CUBLAS_SIZE *place, first = 1;
    std::vector<wide> want = x.wides();
    double sum = 0;
    float one = 1, zero = 0;
    cudaStreamCreate(&stream);
    cudaMalloc(&place, sizeof *place);
    OK(cublasSetStream(handle, stream));
    OK(cublasGetStream(handle, &current));
    expect(current == stream, "the stream");
    OK(cublasSetWorkspace(handle, x.device, 4000));
    OK(cublasSetWorkspace(handle, nullptr, 0));
    IS(NOT_SUPPORTED, cublasSetWorkspace(handle, x.device + 1, 2000));
    IS(NOT_INITIALIZED, cublasSetWorkspace(nullptr, x.device, 4000));
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasGetPointerMode(handle, &mode));
    expect(mode == CUBLAS_POINTER_MODE_DEVICE, "the pointer mode");
    for (wide &v : want) {
        v *= scalar.host[0];
        sum += std::abs(v);
    }
    OK(cublasSscal(handle, 1000, scalar.device, x.device, 1));
    OK(cublasSasum(handle, 1000, x.device, 1, result.device));
    OK(cublasIsamax(handle, 0, x.device, 1, place)); // of nothing: 0, on the device
    cudaStreamSynchronize(stream);
    float got = 0;
    cudaMemcpy(&got, result.device, sizeof got, cudaMemcpyDeviceToHost);
    x.check(s, want, "a scalar on the device");
    expect(std::fabs(got - sum) < 1e-3 * sum, "a result on the device");
    cudaMemcpy(&first, place, sizeof first, cudaMemcpyDeviceToHost);
    expect(first == 0, "nothing, on the device");
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    OK(cublasGetVersion(handle, &version));
    expect(version == CUBLAS_VERSION && version / 10000 == 11, "the version");

    IS(NOT_INITIALIZED, cublasSscal(nullptr, 1, &one, x.device, 1));
    IS(NOT_INITIALIZED, cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x.device, 1,
                                    x.device, 1, &zero, x.device, 1));
    IS(INVALID_VALUE, cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 1, 1, &one, x.device, 1,
                                  x.device, 1, &zero, x.device, 1));
    IS(INVALID_VALUE, cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, x.device, 7,
                                  x.device, 8, &zero, x.device, 8));
    IS(INVALID_VALUE, cublasSgemm(handle, (cublasOperation_t)9, CUBLAS_OP_N, 8, 8, 8, &one,
                                  x.device, 8, x.device, 8, &zero, x.device, 8));
    IS(INVALID_VALUE,
       cublasSgemv(handle, CUBLAS_OP_N, 8, 8, &one, x.device, 8, x.device, 0, &zero, x.device, 1));
    IS(INVALID_VALUE, cublasSetPointerMode(handle, (cublasPointerMode_t)5));
    IS(INVALID_VALUE, cublasSetVector(-1, 4, &one, 1, x.device, 1));
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 8, 8, &one, nullptr, 1, nullptr, 8, &zero,
                   nullptr, 1));
    OK(cublasSetStream(handle, nullptr));
    cudaStreamDestroy(stream);
    cudaFree(place);

    double rows[4][3], back[4][3];
    double *matrix;
    for (int i = 0; i < 12; i++)
        rows[i / 3][i % 3] = i;
    cudaMalloc(&matrix, 5 * 4 * sizeof *matrix);
    OK(cublasSetMatrix(3, 4, sizeof(double), rows, 3, matrix, 5));
    OK(cublasGetMatrix(3, 4, sizeof(double), matrix, 5, back, 3));
    for (int i = 0; i < 12; i++)
        expect(back[i / 3][i % 3] == i, "a matrix there and back", i);
    OK(cublasGetVector(4, sizeof(double), matrix + 1, 5, back, 2)); // the second row
    for (int i = 0; i < 4; i++)
        expect((&back[0][0])[2 * i] == 3 * i + 1, "a row", i);
    double forth[4][3] = {}, row[4] = {};
    OK(cublasSetVectorAsync(4, sizeof(double), &rows[0][1], 3, matrix, 5, nullptr));
    OK(cublasGetMatrixAsync(3, 4, sizeof(double), matrix, 5, forth, 3, nullptr));
    OK(cublasSetMatrixAsync(1, 4, sizeof(double), rows, 3, matrix + 2, 5, nullptr));
    OK(cublasGetVectorAsync(4, sizeof(double), matrix + 2, 5, row, 1, nullptr));
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++) {
        expect(forth[i][0] == 3 * i + 1 && forth[i][2] == 3 * i + 2, "Async, a matrix", i);
        expect(row[i] == 3 * i, "Async, a row", i);
    }
    cudaFree(matrix);
}

template <class T> static void precision(session &s)
{
    extremes<T>(s);
    large_tiles<T>(s, CUBLAS_OP_N, CUBLAS_OP_C);
    large_tiles<T>(s, CUBLAS_OP_T, CUBLAS_OP_N);
}

int main(int argc, char **)
{
    cublasHandle_t handle;
    if (cublasCreate(&handle))
        return 1;
    session s(handle);
    precision<float>(s);
    if (argc > 1)
        return verdict();
    precision<double>(s);
    modes(s);
    blas_batches(handle);
    blas_compute(handle);
    blas_mixed(handle);
    blas_groups(handle);
    blas_vectors(handle);
    blas_sizes(handle);
    blas_sums(handle);
    blas_matrices(handle);
    blas_products(handle);
    blas_xt();
    blas_first();
    OK(cublasDestroy(handle));
    IS(NOT_INITIALIZED, cublasDestroy(handle)); // no longer there
    cublasHandle_t other;
    OK(cublasCreate(&other));
    IS(NOT_INITIALIZED, cublasDestroy((cublasHandle_t)&other)); // while a handle is there
    OK(cublasDestroy(other));
    IS(NOT_INITIALIZED, cublasDestroy(nullptr));
    expect(cudaGetLastError() == cudaSuccess, "no error of the runtime");
    return verdict();
}
