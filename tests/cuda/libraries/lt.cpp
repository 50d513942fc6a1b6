// cuBLASLt against the host: types, orders, transposes, batches, epilogues, pointer modes, C as D
// or not, and what it refuses.
#include "lt_parts.h"

cublasLtHandle_t handle;

namespace
{

struct variant {
    int m, n, k;
    cublasOperation_t ta, tb;
    int rows; // bits: a, b, c and d by rows
    int batch;
    uint32_t epilogue;
    bool in_place, on_device;
    double beta;
};

double activated(double x, uint32_t epilogue)
{
    if (epilogue & CUBLASLT_EPILOGUE_RELU)
        return x > 0 ? x : 0;
    if (epilogue & CUBLASLT_EPILOGUE_GELU)
        return 0.5 * x *
               (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
    return x;
}

template <class T>
void set(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t which, T value)
{
    OK(cublasLtMatmulDescSetAttribute(product, which, &value, sizeof value));
}

// I: the type of a and b; O: of c and d; S: of the factors.
template <class I, class O, class S> struct product {
    cudaDataType in, out, scale;
    cublasComputeType_t compute;
    double digit; // of the last bit of a result of 1
    double alpha = 1.5, size = 1;

    void check(const variant &v, const shape &a, const shape &b, const shape &d,
               const buffer<I> &from, const buffer<I> &other, const buffer<O> &old,
               const buffer<O> &bias, const std::vector<O> &got, const std::vector<O> &before) const
    {
        std::vector<bool> inside(got.size());
        for (int z = 0; z < v.batch; z++)
            for (int i = 0; i < v.m; i++)
                for (int j = 0; j < v.n; j++) {
                    wide sum = 0;
                    double sizes = 1;
                    for (int p = 0; p < v.k; p++) {
                        wide x = value(from.host[v.ta ? a.at(z, p, i) : a.at(z, i, p)]),
                             y = value(other.host[v.tb ? b.at(z, j, p) : b.at(z, p, j)]);
                        wide term = (v.ta == CUBLAS_OP_C ? std::conj(x) : x) *
                                    (v.tb == CUBLAS_OP_C ? std::conj(y) : y);
                        sum += term;
                        sizes += std::abs(term);
                    }
                    wide want = alpha * sum + v.beta * value(old.host[d.at(z, i, j)]);
                    if (v.epilogue & CUBLASLT_EPILOGUE_BIAS)
                        want += value(bias.host[(size_t)z * v.m + i]);
                    if (v.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
                        want = activated(want.real(), v.epilogue);
                    size_t at = d.at(z, i, j);
                    inside[at] = true;
                    double error = std::abs(value(got[at]) - value(made<O>(want)));
                    bool whole = digit == 0;
                    expect(error <= (whole ? 0
                                           : digit * (std::abs(want) + 1) +
                                                 (sizeof(S) > 4 && digit < 1e-10 ? 1e-15 : 1e-6) *
                                                     sizes),
                           "a product", error, (double)v.epilogue);
                }
        for (size_t i = 0; i < got.size(); i++)
            if (!inside[i])
                expect(value(got[i]) == value(before[i]), "between the elements", (double)i);
    }

    void run(const variant &v) const
    {
        shape a{in, v.ta ? v.k : v.m, v.ta ? v.m : v.k, (v.rows & 1) != 0, 1, v.batch},
            b{in, v.tb ? v.n : v.k, v.tb ? v.k : v.n, (v.rows & 2) != 0, 2, v.batch},
            d{out, v.m, v.n, (v.rows & 4) != 0, 3, v.batch};
        buffer<I> from(a.stride() * v.batch, size), other(b.stride() * v.batch, size);
        buffer<O> old(d.stride() * v.batch, size), to(d.stride() * v.batch, size),
            bias((size_t)v.m * v.batch, size);
        buffer<S> factors(2);
        factors.host = {made<S>(alpha), made<S>(v.beta)};
        factors.send();
        cublasLtMatmulDesc_t how;
        OK(cublasLtMatmulDescCreate(&how, compute, scale));
        set<int32_t>(how, CUBLASLT_MATMUL_DESC_TRANSA, v.ta);
        set<int32_t>(how, CUBLASLT_MATMUL_DESC_TRANSB, v.tb);
        set<uint32_t>(how, CUBLASLT_MATMUL_DESC_EPILOGUE, v.epilogue);
        set<const void *>(how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
        set<int64_t>(how, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, v.m);
        if (v.in_place)
            set<cublasDataType_t>(how, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, out);
        set<int32_t>(how, CUBLASLT_MATMUL_DESC_POINTER_MODE,
                     v.on_device ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST);
        cublasLtMatrixLayout_t of_a = a.layout(), of_b = b.layout(), of_d = d.layout();
        cublasLtMatmulPreference_t wish;
        cublasLtMatmulHeuristicResult_t found[4] = {};
        int count = 0;
        OK(cublasLtMatmulPreferenceCreate(&wish));
        OK(cublasLtMatmulAlgoGetHeuristic(handle, how, of_a, of_b, of_d, of_d, wish, 4, found,
                                          &count));
        expect(count == 2 && found[0].state == CUBLAS_STATUS_SUCCESS && !found[0].workspaceSize &&
                   found[0].wavesCount > 0,
               "two algorithms", count);
        const S *scalars = v.on_device ? factors.device : factors.host.data();
        O *place = v.in_place ? old.device : to.device;
        OK(cublasLtMatmul(handle, how, scalars, from.device, of_a, other.device, of_b, scalars + 1,
                          old.device, of_d, place, of_d, v.in_place ? nullptr : &found[0].algo,
                          nullptr, 0, nullptr));
        check(v, a, b, d, from, other, old, bias, v.in_place ? old.got() : to.got(),
              v.in_place ? old.host : to.host);
        if (!v.in_place) // c is only read
            expect(old.got().size() == old.host.size() &&
                       value(old.got()[d.at(0, 0, 0)]) == value(old.host[d.at(0, 0, 0)]),
                   "c stays");
        OK(cublasLtMatmulPreferenceDestroy(wish));
        IS(INVALID_VALUE, cublasLtMatmulPreferenceDestroy(wish)); // no longer there
        OK(cublasLtMatmulDescDestroy(how));
        OK(cublasLtMatrixLayoutDestroy(of_a));
        OK(cublasLtMatrixLayoutDestroy(of_b));
        OK(cublasLtMatrixLayoutDestroy(of_d));
    }

    void all(bool epilogues) const
    {
        const uint32_t each[] = {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU,
                                 CUBLASLT_EPILOGUE_BIAS,    CUBLASLT_EPILOGUE_RELU_BIAS,
                                 CUBLASLT_EPILOGUE_GELU,    CUBLASLT_EPILOGUE_GELU_BIAS};
        const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
        double beta = size > 1 ? -1 : -0.5;
        for (int i = 0; i < 9; i++) // each pair of transposes, orders and epilogues in turn
            run({17 - i, 9 + i, 20, ops[i % 3], ops[i / 3], i, i % 2 ? 3 : 1,
                 epilogues ? each[i % 6] : each[0], i % 4 == 1, i % 3 == 1, i == 4 ? 0 : beta});
        run({100, 200, 19, CUBLAS_OP_T, CUBLAS_OP_N, 0, 2, epilogues ? each[3] : each[0], true,
             false, beta}); // large tiles
        run({40, 70, 8, CUBLAS_OP_N, CUBLAS_OP_N, 7, 8, epilogues ? each[5] : each[0], false, true,
             beta});
        run({7, 5, 0, CUBLAS_OP_N, CUBLAS_OP_N, 0, 1, each[0], false, false, beta});
    }
};

void types()
{
    product<float, float, float>{CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-6}.all(
        true);
    product<float, float, float>{CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32,
                                 1e-6}
        .run({9, 8, 7, CUBLAS_OP_N, CUBLAS_OP_T, 0, 1, CUBLASLT_EPILOGUE_DEFAULT, true, false, 2});
    product<double, double, double>{CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 1e-14}
        .all(true);
    product<cuComplex, cuComplex, cuComplex>{CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F,
                                             1e-6}
        .all(false);
    product<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>{CUDA_C_64F, CUDA_C_64F, CUDA_C_64F,
                                                               CUBLAS_COMPUTE_64F, 1e-14}
        .all(false);
    product<__half, __half, __half>{CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, 1e-3}
        .all(true);
    product<__half, __half, float>{CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-3}
        .all(true);
    product<__half, float, float>{CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-6}.all(
        true);
    product<__nv_bfloat16, __nv_bfloat16, float>{CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F,
                                                 CUBLAS_COMPUTE_32F, 8e-3}
        .all(true);
    product<__nv_bfloat16, float, float>{CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F,
                                         1e-6}
        .all(true);
    product<signed char, float, float>{CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F,
                                       1e-6,      1.5,        100}
        .all(true);
    product<signed char, int, int>{CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 0, 2, 100}
        .all(false);
    // Sums of bytes that fit a byte, and some that do not; whole numbers, so the host rounds the
    // same way.
    product<signed char, signed char, float>{CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32I,
                                             0,         0.25,      12}
        .run({33, 20, 9, CUBLAS_OP_T, CUBLAS_OP_N, 0, 2, CUBLASLT_EPILOGUE_RELU_BIAS, false, false,
              0.5});
    product<signed char, signed char, float>{CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32I,
                                             0,         0.25,      12}
        .run({90, 150, 30, CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, CUBLASLT_EPILOGUE_DEFAULT, true, true,
              -1});
}

// A product of floats, 8 x 8 each, to be spoilt.
struct sample {
    cublasLtMatmulDescOpaque_t how;
    cublasLtMatrixLayoutOpaque_t a, b, c, d;
    sample()
    {
        OK(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F));
        for (cublasLtMatrixLayoutOpaque_t *each : {&a, &b, &c, &d})
            OK(cublasLtMatrixLayoutInit(each, CUDA_R_32F, 8, 8, 8));
    }
    cublasStatus_t run(const void *c_data = nullptr, const cublasLtMatmulAlgo_t *algo = nullptr)
    {
        buffer<float> x(64), y(64);
        float one = 1, zero = 0;
        return cublasLtMatmul(handle, &how, &one, x.device, &a, x.device, &b, &zero, c_data, &c,
                              y.device, &d, algo, nullptr, 0, nullptr);
    }
};

template <class T> sample with(cublasLtMatmulDescAttributes_t which, T value)
{
    sample s;
    set<T>(&s.how, which, value);
    return s;
}
template <class T> sample with_d(cublasLtMatrixLayoutAttribute_t which, T value)
{
    sample s;
    OK(cublasLtMatrixLayoutSetAttribute(&s.d, which, &value, sizeof value));
    return s;
}

void refusals()
{
    IS(NOT_SUPPORTED, with<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, 3).run());
    IS(INVALID_VALUE, with<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS).run());
    sample biased = with<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    set<const void *>(&biased.how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &handle);
    set<cublasDataType_t>(&biased.how, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUDA_R_16F);
    IS(NOT_SUPPORTED, biased.run());
    IS(NOT_SUPPORTED, with<const void *>(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &handle).run());
    IS(NOT_SUPPORTED,
       with<int32_t>(CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_POINTER_MODE_DEVICE_VECTOR).run());
    IS(NOT_SUPPORTED, with<int32_t>(CUBLASLT_MATMUL_DESC_TRANSC, CUBLAS_OP_T).run());
    IS(INVALID_VALUE, with<int32_t>(CUBLASLT_MATMUL_DESC_TRANSA, 9).run());
    IS(NOT_SUPPORTED, with<int32_t>(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLAS_COMPUTE_64F).run());
    IS(NOT_SUPPORTED, with_d<int32_t>(CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_ORDER_COL32).run());
    IS(NOT_SUPPORTED, with_d<uint32_t>(CUBLASLT_MATRIX_LAYOUT_TYPE, CUDA_R_8F_E4M3).run());
    IS(INVALID_VALUE, with_d<uint64_t>(CUBLASLT_MATRIX_LAYOUT_COLS, 7).run());
    IS(INVALID_VALUE, with_d<int64_t>(CUBLASLT_MATRIX_LAYOUT_LD, 7).run());
    IS(INVALID_VALUE, with_d<int32_t>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 2).run());
    cublasLtMatmulAlgo_t none = {};
    IS(INVALID_VALUE, sample().run(nullptr, &none));
    OK(sample().run()); // without c, whose factor is 0

    sample s = with<int32_t>(CUBLASLT_MATMUL_DESC_TRANSC, CUBLAS_OP_T);
    cublasLtMatmulPreferenceOpaque_t wish;
    cublasLtMatmulHeuristicResult_t found;
    int count = 5;
    OK(cublasLtMatmulPreferenceInit(&wish));
    IS(NOT_SUPPORTED, cublasLtMatmulAlgoGetHeuristic(handle, &s.how, &s.a, &s.b, &s.c, &s.d, &wish,
                                                     1, &found, &count));
    expect(count == 0, "no algorithm", count);
    IS(NOT_INITIALIZED, cublasLtMatmulAlgoGetHeuristic(nullptr, &s.how, &s.a, &s.b, &s.c, &s.d,
                                                       &wish, 1, &found, &count));
    IS(NOT_INITIALIZED, cublasLtDestroy(nullptr));
}

void attributes()
{
    cublasLtMatrixLayoutOpaque_t layout;
    cublasLtMatmulPreferenceOpaque_t wish;
    uint64_t rows = 0, workspace = 1 << 20;
    size_t written = 0;
    int32_t short_value = 3;
    OK(cublasLtMatrixLayoutInit(&layout, CUDA_R_16F, 12, 34, 56));
    OK(cublasLtMatrixLayoutGetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_COLS, &rows, sizeof rows,
                                        &written));
    expect(rows == 34 && written == sizeof rows, "an attribute", (double)rows, (double)written);
    OK(cublasLtMatrixLayoutGetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_ORDER, nullptr, 0,
                                        &written));
    expect(written == 4, "the bytes of an attribute", (double)written);
    IS(INVALID_VALUE, cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_ROWS,
                                                       &short_value, sizeof short_value));
    IS(INVALID_VALUE, cublasLtMatrixLayoutSetAttribute(&layout, (cublasLtMatrixLayoutAttribute_t)77,
                                                       &rows, sizeof rows));
    OK(cublasLtMatmulPreferenceInit(&wish));
    OK(cublasLtMatmulPreferenceSetAttribute(&wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                            &workspace, sizeof workspace));
    OK(cublasLtMatmulPreferenceGetAttribute(&wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &rows,
                                            sizeof rows, nullptr));
    expect(rows == workspace, "the workspace", (double)rows);
    int major = 0;
    OK(cublasLtGetProperty(MAJOR_VERSION, &major));
    expect(major == 11 && cublasLtGetVersion() / 10000 == 11, "the version", major);
}

} // namespace

int main(int argc, char **)
{
    if (cublasLtCreate(&handle))
        return 1;
    types();
    if (argc > 1)
        return verdict();
    refusals();
    attributes();
    lt_transforms();
    lt_algorithms();
    OK(cublasLtDestroy(handle));
    IS(NOT_INITIALIZED, cublasLtDestroy(handle)); // no longer there
    expect(cudaGetLastError() == cudaSuccess, "no error of the runtime");
    return verdict();
}
