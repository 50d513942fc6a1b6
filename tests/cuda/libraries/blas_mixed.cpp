// cuBLAS's products of mixed types against the host: each pair of types, transpositions, small and
// large tiles, lists and strides, factors on host and device.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "blas_parts.h"

namespace
{

unsigned seed = 5;
double next()
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
}

// Whole numbers where the type has no others.
template <class E> E element()
{
    return E((float)next());
}
template <> double element<double>()
{
    return next();
}
template <> signed char element<signed char>()
{
    return (signed char)(next() * 127);
}
template <> int element<int>()
{
    return (int)(next() * 1000);
}

template <class E> double digit() // of the last bit of 1
{
    return 1e-6;
}
template <> double digit<double>()
{
    return 1e-14;
}
template <> double digit<__half>()
{
    return 1e-3;
}
template <> double digit<__nv_bfloat16>()
{
    return 8e-3;
}
template <> double digit<int>()
{
    return 0;
}

template <class E> double number(E x)
{
    return (double)(float)x;
}
double number(double x)
{
    return x;
}
double number(int x)
{
    return x;
}

template <class E> struct array {
    std::vector<E> host;
    E *device = nullptr;
    explicit array(size_t n) : host(n)
    {
        for (E &x : host)
            x = element<E>();
        cudaMalloc(&device, n * sizeof(E));
        cudaMemcpy(device, host.data(), n * sizeof(E), cudaMemcpyHostToDevice);
    }
    ~array()
    {
        cudaFree(device);
    }
    std::vector<E> got() const
    {
        std::vector<E> out(host.size());
        cudaMemcpy(out.data(), device, out.size() * sizeof(E), cudaMemcpyDeviceToHost);
        return out;
    }
};

enum way { ONE, LIST, STRIDES };

// S: of the factors; I: of the elements of a and b; O: of those of c.
template <class S, class I, class O> struct product {
    cublasHandle_t handle;
    cudaDataType in, out;
    cublasComputeType_t compute;

    void run(int m, int n, int k, int trans, enum way way) const
    {
        cublasOperation_t ta = trans & 1 ? CUBLAS_OP_T : CUBLAS_OP_N,
                          tb = trans & 2 ? CUBLAS_OP_C : CUBLAS_OP_N;
        int lda = (trans & 1 ? k : m) + 1, ldb = (trans & 2 ? n : k) + 2, ldc = m + 3,
            count = way == ONE ? 1 : 3;
        size_t size_a = (size_t)lda * (trans & 1 ? m : k),
               size_b = (size_t)ldb * (trans & 2 ? k : n), size_c = (size_t)ldc * n;
        array<I> a(size_a * count), b(size_b * count);
        array<O> c(size_c * count);
        array<S> factors(2);
        factors.host[0] = S(sizeof(I) == 1 ? 2 : 1.5f);
        factors.host[1] = S(trans == 3 ? 0 : sizeof(I) == 1 ? -1 : -0.5f);
        cudaMemcpy(factors.device, factors.host.data(), 2 * sizeof(S), cudaMemcpyHostToDevice);
        bool there = trans & 1;
        OK(cublasSetPointerMode(handle,
                                there ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
        const S *alpha = there ? factors.device : factors.host.data(), *beta = alpha + 1;
        call(ta, tb, m, n, k, alpha, beta, a, lda, b, ldb, c, ldc, way, size_a, size_b, size_c);
        OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
        std::vector<O> got = c.got();
        double x = number(factors.host[0]), y = number(factors.host[1]);
        for (int z = 0; z < count; z++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < ldc; i++) {
                    size_t at = z * size_c + (size_t)j * ldc + i;
                    double sum = 0, scale = 1, old = number(c.host[at]);
                    for (int p = 0; p < k && i < m; p++) {
                        double l = number(a.host[z * size_a + (trans & 1 ? p + (size_t)i * lda
                                                                         : i + (size_t)p * lda)]),
                               r = number(b.host[z * size_b + (trans & 2 ? j + (size_t)p * ldb
                                                                         : p + (size_t)j * ldb)]);
                        sum += l * r;
                        scale += std::fabs(l * r);
                    }
                    double want = i < m ? x * sum + y * old : old;
                    expect(std::fabs(number(got[at]) - want) <=
                               digit<O>() * (std::fabs(want) + 1) +
                                   1e-6 * scale * (sizeof(O) < 8 && digit<O>() > 0),
                           "GemmEx", number(got[at]) - want);
                }
    }

    void call(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const S *alpha,
              const S *beta, const array<I> &a, int lda, const array<I> &b, int ldb,
              const array<O> &c, int ldc, enum way way, size_t size_a, size_t size_b,
              size_t size_c) const
    {
        const cublasGemmAlgo_t any = CUBLAS_GEMM_DEFAULT_TENSOR_OP;
        if (way == ONE) {
            OK(cublasGemmEx(handle, ta, tb, m, n, k, alpha, a.device, in, lda, b.device, in, ldb,
                            beta, c.device, out, ldc, compute, any));
            return;
        }
        if (way == STRIDES) {
            OK(cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, alpha, a.device, in, lda,
                                          (long long)size_a, b.device, in, ldb, (long long)size_b,
                                          beta, c.device, out, ldc, (long long)size_c, 3, compute,
                                          any));
            return;
        }
        void *each[9], **list;
        for (int z = 0; z < 3; z++) {
            each[z] = a.device + z * size_a;
            each[3 + z] = b.device + z * size_b;
            each[6 + z] = c.device + z * size_c;
        }
        cudaMalloc(&list, sizeof each);
        cudaMemcpy(list, each, sizeof each, cudaMemcpyHostToDevice);
        OK(cublasGemmBatchedEx(handle, ta, tb, m, n, k, alpha, list, in, lda, list + 3, in, ldb,
                               beta, list + 6, out, ldc, 3, compute, any));
        cudaDeviceSynchronize();
        cudaFree(list);
    }

    void all() const
    {
        for (int trans = 0; trans < 4; trans++) {
            run(17, 9, 33, trans, ONE);
            run(9, 20, 5, trans, trans & 1 ? LIST : STRIDES);
        }
        run(150, 200, 35, 1, ONE); // large tiles
        run(7, 5, 0, 0, ONE);
    }
};

} // namespace

void blas_mixed(cublasHandle_t handle)
{
    product<double, double, double>{handle, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F}.all();
    product<float, float, float>{handle, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32}
        .all();
    product<__half, __half, __half>{handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F}.all();
    product<float, __half, __half>{handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F}.all();
    product<float, __half, float>{handle, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC}
        .all();
    product<float, __nv_bfloat16, __nv_bfloat16>{handle, CUDA_R_16BF, CUDA_R_16BF,
                                                 CUBLAS_COMPUTE_32F}
        .all();
    product<float, __nv_bfloat16, float>{handle, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F}.all();
    product<float, signed char, float>{handle, CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F}.all();
    product<int, signed char, int>{handle, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I}.all();
    array<float> x(16);
    float one = 1;
#define CALL(a, b, c, compute, ld)                                                                 \
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x.device, a, ld, x.device, b, 2, \
                 &one, x.device, c, 2, compute, CUBLAS_GEMM_DEFAULT)
    IS(NOT_SUPPORTED, CALL(CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2));
    IS(NOT_SUPPORTED, CALL(CUDA_R_16F, CUDA_R_16F, CUDA_R_64F, CUBLAS_COMPUTE_32F, 2));
    IS(NOT_SUPPORTED, CALL(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_64F, 2));
    IS(INVALID_VALUE, CALL(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1));
}
