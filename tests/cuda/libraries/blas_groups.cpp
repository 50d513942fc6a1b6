// Products in groups: each matrix against the host's product, by small whole numbers, which are
// exact.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <vector>

#include "blas_parts.h"

namespace
{

struct group {
    cublasOperation_t ta, tb;
    int m, n, k, size;
    double alpha, beta;
};
const group groups[] = {{CUBLAS_OP_N, CUBLAS_OP_N, 5, 3, 4, 2, 2, 1},
                        {CUBLAS_OP_T, CUBLAS_OP_N, 2, 7, 9, 1, -1, 0},
                        {CUBLAS_OP_N, CUBLAS_OP_T, 17, 16, 3, 3, 1, 2}};
const int count = sizeof groups / sizeof groups[0], gap = 2;

int rows(cublasOperation_t t, int there, int else_)
{
    return t == CUBLAS_OP_N ? there : else_;
}

template <class T> struct matrix { // by columns
    std::vector<T> host;
    int ld;
    T *device = nullptr;
    matrix(int m, int n, int seed) : host((size_t)(m + gap) * n), ld(m + gap)
    {
        for (size_t i = 0; i < host.size(); i++)
            host[i] = T((float)((int)(i * 7 + seed) % 5 - 2));
        cudaMalloc(&device, host.size() * sizeof(T));
        cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    double at(cublasOperation_t t, int i, int j) const
    {
        return (double)(float)(t == CUBLAS_OP_N ? host[(size_t)j * ld + i]
                                                : host[(size_t)i * ld + j]);
    }
};

struct lists { // what a call takes
    std::vector<cublasOperation_t> ta, tb;
    std::vector<CUBLAS_SIZE> m, n, k, lda, ldb, ldc, sizes;
};

template <class T, class Call> void check(Call call, const char *what)
{
    lists l;
    std::vector<matrix<T>> a, b, c;
    for (const group &g : groups) {
        l.ta.push_back(g.ta), l.tb.push_back(g.tb);
        l.m.push_back(g.m), l.n.push_back(g.n), l.k.push_back(g.k), l.sizes.push_back(g.size);
        for (int i = 0; i < g.size; i++) {
            a.emplace_back(rows(g.ta, g.m, g.k), rows(g.ta, g.k, g.m), i);
            b.emplace_back(rows(g.tb, g.k, g.n), rows(g.tb, g.n, g.k), i + 1);
            c.emplace_back(g.m, g.n, i + 2);
        }
        l.lda.push_back(a.back().ld), l.ldb.push_back(b.back().ld), l.ldc.push_back(c.back().ld);
    }
    const size_t all = a.size();
    std::vector<T *> at;
    for (auto *set : {&a, &b, &c})
        for (const matrix<T> &x : *set)
            at.push_back(x.device);
    T **device;
    cudaMalloc(&device, at.size() * sizeof *device);
    cudaMemcpy(device, at.data(), at.size() * sizeof *device, cudaMemcpyHostToDevice);
    expect(call(l, device, device + all, device + 2 * all) == CUBLAS_STATUS_SUCCESS, what);
    size_t which = 0;
    for (const group &g : groups) {
        for (int i = 0; i < g.size; i++, which++) {
            std::vector<T> got(c[which].host.size());
            cudaMemcpy(got.data(), c[which].device, got.size() * sizeof(T), cudaMemcpyDeviceToHost);
            for (int x = 0; x < g.m; x++)
                for (int y = 0; y < g.n; y++) {
                    double want = g.beta * c[which].at(CUBLAS_OP_N, x, y);
                    for (int z = 0; z < g.k; z++)
                        want += g.alpha * a[which].at(g.ta, x, z) * b[which].at(g.tb, z, y);
                    expect((double)(float)got[(size_t)y * c[which].ld + x] == want, what, which);
                }
        }
    }
    for (T *each : at)
        cudaFree(each);
    cudaFree(device);
}

} // namespace

void blas_groups(cublasHandle_t handle)
{
    float alpha[count], beta[count];
    double by[count], and_[count];
    for (int i = 0; i < count; i++) {
        by[i] = groups[i].alpha, and_[i] = groups[i].beta;
        alpha[i] = (float)by[i], beta[i] = (float)and_[i];
    }
    check<float>(
        [&](const lists &l, float **a, float **b, float **c) {
            return cublasSgemmGroupedBatched(
                handle, l.ta.data(), l.tb.data(), l.m.data(), l.n.data(), l.k.data(), alpha, a,
                l.lda.data(), b, l.ldb.data(), beta, c, l.ldc.data(), count, l.sizes.data());
        },
        "SgemmGroupedBatched");
    check<double>(
        [&](const lists &l, double **a, double **b, double **c) {
            return cublasDgemmGroupedBatched(
                handle, l.ta.data(), l.tb.data(), l.m.data(), l.n.data(), l.k.data(), by, a,
                l.lda.data(), b, l.ldb.data(), and_, c, l.ldc.data(), count, l.sizes.data());
        },
        "DgemmGroupedBatched");
    check<__half>(
        [&](const lists &l, __half **a, __half **b, __half **c) {
            return cublasGemmGroupedBatchedEx(
                handle, l.ta.data(), l.tb.data(), l.m.data(), l.n.data(), l.k.data(), alpha,
                (const void **)a, CUDA_R_16F, l.lda.data(), (const void **)b, CUDA_R_16F,
                l.ldb.data(), beta, (void **)c, CUDA_R_16F, l.ldc.data(), count, l.sizes.data(),
                CUBLAS_COMPUTE_32F);
        },
        "GemmGroupedBatchedEx");
    IS(INVALID_VALUE, cublasSgemmGroupedBatched(handle, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                alpha, nullptr, nullptr, nullptr, nullptr, beta,
                                                nullptr, nullptr, 1, nullptr));
    IS(NOT_INITIALIZED, cublasSgemmGroupedBatched(nullptr, nullptr, nullptr, nullptr, nullptr,
                                                  nullptr, alpha, nullptr, nullptr, nullptr,
                                                  nullptr, beta, nullptr, nullptr, 0, nullptr));
}
