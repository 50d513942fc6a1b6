// Products of matrices on the host, in tiles: against the host's, by small whole numbers, which are
// exact.
#include <cublasXt.h>
#include <cuda_runtime.h>

#include <complex>
#include <vector>

#include "blas_parts.h"
#include "blas_values.h"

namespace
{

const int gap = 3;

template <class T> std::vector<T> matrix(int m, int n, int seed) // by columns
{
    std::vector<T> x((size_t)(m + gap) * n);
    for (size_t i = 0; i < x.size(); i++)
        x[i] = number<T>::made(
            wide((double)((int)(i * 7 + seed) % 5 - 2), (double)((int)(i + seed) % 3 - 1)));
    return x;
}
template <class T> wide at(const std::vector<T> &x, int rows, cublasOperation_t op, int i, int j)
{
    wide v = number<T>::value(op == CUBLAS_OP_N ? x[(size_t)j * (rows + gap) + i]
                                                : x[(size_t)i * (rows + gap) + j]);
    return op == CUBLAS_OP_C ? std::conj(v) : v;
}

template <class T, class Call>
void product(Call call, cublasXtHandle_t handle, cublasOperation_t ta, cublasOperation_t tb,
             const int size[3])
{
    const int m = size[0], n = size[1], k = size[2];
    const int rows_a = ta == CUBLAS_OP_N ? m : k, rows_b = tb == CUBLAS_OP_N ? k : n;
    std::vector<T> a = matrix<T>(rows_a, ta == CUBLAS_OP_N ? k : m, 1),
                   b = matrix<T>(rows_b, tb == CUBLAS_OP_N ? n : k, 2), c = matrix<T>(m, n, 3),
                   old = c;
    const wide alpha(2, 0), beta(-1, 0);
    T by = number<T>::made(alpha), times = number<T>::made(beta);
    OK(call(handle, ta, tb, m, n, k, &by, a.data(), rows_a + gap, b.data(), rows_b + gap, &times,
            c.data(), m + gap));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m + gap; i++) {
            const size_t here = (size_t)j * (m + gap) + i;
            wide want = number<T>::value(old[here]);
            if (i < m) {
                want *= beta;
                for (int l = 0; l < k; l++)
                    want += alpha * at(a, rows_a, ta, i, l) * at(b, rows_b, tb, l, j);
            }
            expect(number<T>::value(c[here]) == want, "cublasXt gemm", (long)here);
        }
}

template <class T, class Call> void all(Call call, cublasXtHandle_t handle)
{
    const int sizes[][3] = {{37, 21, 40}, {16, 16, 16}, {5, 33, 0}, {1, 1, 50}};
    for (const auto &size : sizes) {
        product<T>(call, handle, CUBLAS_OP_N, CUBLAS_OP_N, size);
        product<T>(call, handle, CUBLAS_OP_T, CUBLAS_OP_C, size);
        product<T>(call, handle, CUBLAS_OP_C, CUBLAS_OP_N, size);
    }
}

} // namespace

void blas_xt()
{
    cublasXtHandle_t handle;
    int zero = 0, both[2] = {0, 1}, dim = 0, boards = 0;
    float one = 1, x = 2;
    IS(INVALID_VALUE, cublasXtCreate(nullptr));
    OK(cublasXtCreate(&handle));
    OK(cublasXtDeviceSelect(handle, 1, &zero));
    IS(INVALID_VALUE, cublasXtDeviceSelect(handle, 2, both));
    OK(cublasXtGetBlockDim(handle, &dim));
    expect(dim == 2048, "cublasXt: first tile");
    const float ones[] = {1, 1, 1, 1};
    float sums[] = {1, 2, 3, 4}; // of columns one behind the other
    auto multiply = [&](int ldc) {
        return cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, ones, 2, ones, 2,
                             &one, sums, ldc);
    };
    IS(INVALID_VALUE, multiply(1));
    OK(multiply(2));
    for (int i = 0; i < 4; i++)
        expect(sums[i] == (float)i + 3, "cublasXtSgemm without gaps", i);
    IS(INVALID_VALUE, cublasXtSetBlockDim(handle, 0));
    OK(cublasXtSetBlockDim(handle, 16)); // several tiles
    OK(cublasXtGetNumBoards(1, &zero, &boards));
    expect(boards == 1, "cublasXt: boards");
    all<float>(cublasXtSgemm, handle);
    all<double>(cublasXtDgemm, handle);
    all<cuComplex>(cublasXtCgemm, handle);
    all<cuDoubleComplex>(cublasXtZgemm, handle);
    IS(INVALID_VALUE,
       cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 1, &one, &x, 1, &x, 1, &one, &x, 2));
    IS(NOT_INITIALIZED,
       cublasXtSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, &x, 1, &x, 1, &one, &x, 1));
    OK(cublasXtDestroy(handle));
}
