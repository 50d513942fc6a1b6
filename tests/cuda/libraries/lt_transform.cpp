// cublasLtMatrixTransform against the host: types, orders, transposes, batches, without B, in
// place, pointer modes, and what it refuses.
#include "lt_parts.h"

namespace
{

struct variant {
    int m, n;
    cublasOperation_t ta, tb;
    int rows; // bits: a, b and c by rows
    int batch;
    bool adds, on_device;
};

template <class T>
void set(cublasLtMatrixTransformDesc_t how, cublasLtMatrixTransformDescAttributes_t which, T value)
{
    OK(cublasLtMatrixTransformDescSetAttribute(how, which, &value, sizeof value));
}

wide element(wide x, cublasOperation_t op)
{
    return op == CUBLAS_OP_C ? std::conj(x) : x;
}

// E: the type of the matrices; S: of the factors.
template <class E, class S> struct transform {
    cudaDataType type, scale;
    double digit;    // of the last bit of a result of 1
    double size = 1; // of the elements

    void run(const variant &v, double alpha, double beta) const
    {
        shape a{type, v.ta ? v.n : v.m, v.ta ? v.m : v.n, (v.rows & 1) != 0, 1, v.batch},
            b{type, v.tb ? v.n : v.m, v.tb ? v.m : v.n, (v.rows & 2) != 0, 2, v.batch},
            c{type, v.m, v.n, (v.rows & 4) != 0, 3, v.batch};
        buffer<E> from(a.stride() * v.batch, size), other(b.stride() * v.batch, size),
            to(c.stride() * v.batch, size);
        buffer<S> factors(2);
        factors.host = {made<S>(alpha), made<S>(beta)};
        factors.send();
        cublasLtMatrixTransformDesc_t how;
        OK(cublasLtMatrixTransformDescCreate(&how, scale));
        set<int32_t>(how, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, v.ta);
        set<int32_t>(how, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, v.tb);
        set<int32_t>(how, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE,
                     v.on_device ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST);
        cublasLtMatrixLayout_t of_a = a.layout(), of_b = b.layout(), of_c = c.layout();
        const S *scalars = v.on_device ? factors.device : factors.host.data();
        OK(cublasLtMatrixTransform(handle, how, scalars, from.device, of_a, scalars + 1,
                                   v.adds ? other.device : nullptr, v.adds ? of_b : nullptr,
                                   to.device, of_c, nullptr));
        std::vector<E> got = to.got();
        std::vector<bool> inside(got.size());
        for (int z = 0; z < v.batch; z++)
            for (int i = 0; i < v.m; i++)
                for (int j = 0; j < v.n; j++) {
                    wide x = value(from.host[v.ta ? a.at(z, j, i) : a.at(z, i, j)]),
                         y = value(other.host[v.tb ? b.at(z, j, i) : b.at(z, i, j)]);
                    wide want = alpha * element(x, v.ta);
                    if (v.adds)
                        want += beta * element(y, v.tb);
                    size_t at = c.at(z, i, j);
                    inside[at] = true;
                    double error = std::abs(value(got[at]) - value(made<E>(want)));
                    expect(error <= digit * (std::abs(want) + 1), "a transform", error, i);
                }
        for (size_t i = 0; i < got.size(); i++)
            if (!inside[i])
                expect(value(got[i]) == value(to.host[i]), "between the elements", (double)i);
        OK(cublasLtMatrixTransformDescDestroy(how));
        OK(cublasLtMatrixLayoutDestroy(of_a));
        OK(cublasLtMatrixLayoutDestroy(of_b));
        OK(cublasLtMatrixLayoutDestroy(of_c));
    }

    void all() const
    {
        const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
        for (int i = 0; i < 9; i++)
            run({19 - i, 7 + i, ops[i % 3], ops[i / 3], i, i % 2 ? 3 : 1, i != 4, i % 2 == 0}, 2,
                -1);
        run({200, 3, CUBLAS_OP_N, CUBLAS_OP_T, 5, 2, true, false}, 1, 1);
        run({30, 20, CUBLAS_OP_T, CUBLAS_OP_N, 4, 1, true, false}, 1, 0);
    }
};

void in_place()
{
    buffer<float> x(64), y(64);
    cublasLtMatrixTransformDescOpaque_t how;
    cublasLtMatrixLayoutOpaque_t layout;
    float two = 2, three = 3;
    OK(cublasLtMatrixTransformDescInit(&how, CUDA_R_32F));
    OK(cublasLtMatrixLayoutInit(&layout, CUDA_R_32F, 8, 8, 8));
    OK(cublasLtMatrixTransform(handle, &how, &two, x.device, &layout, &three, y.device, &layout,
                               y.device, &layout, nullptr));
    std::vector<float> got = y.got();
    for (int i = 0; i < 64; i++)
        expect(std::fabs(got[i] - (2 * x.host[i] + 3 * y.host[i])) < 1e-5, "in place", i);
}

void refusals()
{
    cublasLtMatrixTransformDescOpaque_t how;
    cublasLtMatrixLayoutOpaque_t a, c;
    buffer<float> x(64);
    float one = 1;
    int32_t order = CUBLASLT_ORDER_COL32, mode = CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
    OK(cublasLtMatrixTransformDescInit(&how, CUDA_R_32F));
    OK(cublasLtMatrixLayoutInit(&a, CUDA_R_32F, 8, 4, 8));
    OK(cublasLtMatrixLayoutInit(&c, CUDA_R_32F, 4, 8, 8));
#define RUN(h)                                                                                     \
    cublasLtMatrixTransform(h, &how, &one, x.device, &a, nullptr, nullptr, nullptr, x.device, &c,  \
                            nullptr)
    IS(INVALID_VALUE, RUN(handle)); // 8 x 4 is no 4 x 8
    IS(NOT_INITIALIZED, RUN(nullptr));
    set<int32_t>(&how, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, CUBLAS_OP_T);
    OK(RUN(handle));
    OK(cublasLtMatrixLayoutSetAttribute(&c, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    IS(NOT_SUPPORTED, RUN(handle));
    OK(cublasLtMatrixLayoutInit(&c, CUDA_R_64F, 4, 8, 8));
    IS(NOT_SUPPORTED, RUN(handle));
    OK(cublasLtMatrixLayoutInit(&c, CUDA_R_32F, 4, 8, 8));
    set<int32_t>(&how, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, mode);
    IS(NOT_SUPPORTED, RUN(handle));
}

} // namespace

void lt_transforms()
{
    transform<float, float>{CUDA_R_32F, CUDA_R_32F, 1e-6}.all();
    transform<double, double>{CUDA_R_64F, CUDA_R_64F, 1e-15}.all();
    transform<cuComplex, cuComplex>{CUDA_C_32F, CUDA_C_32F, 1e-6}.all();
    transform<cuDoubleComplex, cuDoubleComplex>{CUDA_C_64F, CUDA_C_64F, 1e-15}.all();
    transform<__half, __half>{CUDA_R_16F, CUDA_R_16F, 1e-3}.all();
    transform<__half, float>{CUDA_R_16F, CUDA_R_32F, 1e-3}.all();
    transform<__nv_bfloat16, float>{CUDA_R_16BF, CUDA_R_32F, 8e-3}.all();
    transform<signed char, float>{CUDA_R_8I, CUDA_R_32F, 0, 100}.all(); // some do not fit a byte
    transform<int, float>{CUDA_R_32I, CUDA_R_32F, 0, 7e8}.all();
    in_place();
    refusals();
}
