// cuBLASLt's algorithms one by one, with each tile and k in pieces; complex halves and planes;
// bytes in orders of blocks; what an activation leaves for its gradient, and gradients.
#include "lt_parts.h"

namespace
{

template <class T>
void set(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t which, T value)
{
    OK(cublasLtMatmulDescSetAttribute(product, which, &value, sizeof value));
}
template <class T>
cublasStatus_t configure(cublasLtMatmulAlgo_t &algo, cublasLtMatmulAlgoConfigAttributes_t which,
                         T value)
{
    return cublasLtMatmulAlgoConfigSetAttribute(&algo, which, &value, sizeof value);
}
template <class T>
T ability(const cublasLtMatmulAlgo_t &algo, cublasLtMatmulAlgoCapAttributes_t which)
{
    T value = 77;
    size_t written = 0;
    OK(cublasLtMatmulAlgoCapGetAttribute(&algo, which, &value, sizeof value, &written));
    expect(written == sizeof value, "the size of an ability", (double)which);
    return value;
}

cublasLtMatmulAlgo_t made(cublasComputeType_t compute, cudaDataType scale, cudaDataType in,
                          cudaDataType out)
{
    int ids[4] = {}, count = 0;
    cublasLtMatmulAlgo_t algo = {};
    OK(cublasLtMatmulAlgoGetIds(handle, compute, scale, in, in, out, out, 4, ids, &count));
    expect(count == 1, "algorithms", count);
    OK(cublasLtMatmulAlgoInit(handle, compute, scale, in, in, out, out, ids[0], &algo));
    IS(INVALID_VALUE,
       cublasLtMatmulAlgoInit(handle, compute, scale, in, in, out, out, ids[0] + 1, &algo));
    return algo;
}

// alpha a b + beta c by columns, of m x k and k x n numbers, with each tile and so many pieces.
template <class I, class O, class S>
void tiles(cublasComputeType_t compute, cudaDataType scale, cudaDataType in, cudaDataType out,
           double digit)
{
    const int m = 37, n = 21, k = 50;
    cublasLtMatmulAlgo_t algo = made(compute, scale, in, out);
    uint32_t list[8];
    size_t written = 0;
    OK(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_TILE_IDS, nullptr, 0, &written));
    expect(written == 8, "two tiles", (double)written);
    OK(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_TILE_IDS, list, sizeof list,
                                         &written));
    bool divides = ability<int32_t>(algo, CUBLASLT_ALGO_CAP_SPLITK_SUPPORT);
    expect((ability<uint32_t>(algo, CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK) == 1) == divides,
           "the reduction scheme");
    double size = digit ? 1 : 12;
    buffer<I> a(m * k, size), b(k * n, size);
    buffer<O> c(m * n, size), d(m * n, size);
    cublasLtMatmulDescOpaque_t how;
    cublasLtMatrixLayoutOpaque_t of_a, of_b, of_d;
    OK(cublasLtMatmulDescInit(&how, compute, scale));
    OK(cublasLtMatrixLayoutInit(&of_a, in, m, k, m));
    OK(cublasLtMatrixLayoutInit(&of_b, in, k, n, k));
    OK(cublasLtMatrixLayoutInit(&of_d, out, m, n, m));
    S alpha = number<S>::made(2), beta = number<S>::made(-1);
    for (uint32_t tile : {list[0], list[1]})
        for (int pieces : {0, 1, 3, 100}) {
            if (pieces > 1 && !divides)
                continue;
            OK(configure<uint32_t>(algo, CUBLASLT_ALGO_CONFIG_TILE_ID, tile));
            OK(configure<int32_t>(algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, pieces));
            OK(configure<uint32_t>(algo, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, pieces > 1));
            cublasLtMatmulHeuristicResult_t result;
            OK(cublasLtMatmulAlgoCheck(handle, &how, &of_a, &of_b, &of_d, &of_d, &algo, &result));
            expect(!result.workspaceSize && result.wavesCount > 0, "a result", pieces);
            OK(cublasLtMatmul(handle, &how, &alpha, a.device, &of_a, b.device, &of_b, &beta,
                              c.device, &of_d, d.device, &of_d, &result.algo, nullptr, 0, nullptr));
            std::vector<O> got = d.got();
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++) {
                    wide sum = 0;
                    for (int p = 0; p < k; p++)
                        sum += value(a.host[i + p * m]) * value(b.host[p + j * k]);
                    wide want = 2.0 * sum - value(c.host[i + j * m]);
                    double error = std::abs(value(got[i + j * m]) - want);
                    expect(error <= digit * (50 + std::abs(want)), "a tile", error, pieces);
                }
        }
}

void search()
{
    tiles<float, float, float>(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 1e-6);
    tiles<double, double, double>(CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 1e-14);
    tiles<cuComplex, cuComplex, cuComplex>(CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F,
                                           1e-6);
    tiles<__half, __half, __half>(CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, 2e-3);
    tiles<signed char, int, int>(CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I, 0);

    cublasLtMatmulAlgo_t algo =
        made(CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I); // no sums in bytes
    expect(ability<int32_t>(algo, CUBLASLT_ALGO_CAP_SPLITK_SUPPORT) == 0, "pieces of bytes");
    algo = made(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    uint32_t masks = ability<uint32_t>(algo, CUBLASLT_ALGO_CAP_EPILOGUE_MASK);
    expect((masks & CUBLASLT_EPILOGUE_DGELU_BGRAD) == CUBLASLT_EPILOGUE_DGELU_BGRAD, "epilogues");
    expect(ability<uint64_t>(algo, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS) ==
               (CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
                CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F),
           "how it computes");
    size_t written = 5;
    OK(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_STAGES_IDS, nullptr, 0,
                                         &written));
    expect(written == 0, "no stages", (double)written);
    int32_t id = 0;
    OK(cublasLtMatmulAlgoConfigGetAttribute(&algo, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id,
                                            nullptr));
    expect(id == 10, "the number", id);
    IS(INVALID_VALUE, configure<int32_t>(algo, CUBLASLT_ALGO_CONFIG_ID, 3));

    cublasLtMatmulDescOpaque_t how;
    cublasLtMatrixLayoutOpaque_t l, wide_l;
    cublasLtMatmulHeuristicResult_t result;
    OK(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(cublasLtMatrixLayoutInit(&l, CUDA_R_32F, 8, 8, 8));
    OK(cublasLtMatrixLayoutInit(&wide_l, CUDA_R_64F, 8, 8, 8));
#define CHECKED() cublasLtMatmulAlgoCheck(handle, &how, &l, &l, &l, &l, &algo, &result)
    OK(CHECKED());
    OK(configure<uint32_t>(algo, CUBLASLT_ALGO_CONFIG_TILE_ID, CUBLASLT_MATMUL_TILE_128x256));
    IS(NOT_SUPPORTED, CHECKED());
    expect(result.state == CUBLAS_STATUS_NOT_SUPPORTED, "the state");
    OK(configure<uint32_t>(algo, CUBLASLT_ALGO_CONFIG_TILE_ID, CUBLASLT_MATMUL_TILE_UNDEFINED));
    OK(configure<int32_t>(algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 2));
    IS(NOT_SUPPORTED, CHECKED()); // without a scheme
    OK(configure<int32_t>(algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 0));
    OK(configure<uint32_t>(algo, CUBLASLT_ALGO_CONFIG_STAGES_ID, 4));
    IS(NOT_SUPPORTED, CHECKED());
    algo = made(CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F);
    IS(INVALID_VALUE, CHECKED()); // of other types
    algo = {};
    IS(INVALID_VALUE, CHECKED());
    int ids[1], count = 7;
    IS(NOT_SUPPORTED, cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_32F,
                                               CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 1, ids, &count));
    expect(count == 0, "no algorithm", count);
}

// Numbers of complex parts R, beside each other or, with `apart`, imaginary ones after all real
// ones.
template <class R> struct numbers_of_parts {
    int count;
    bool apart;
    buffer<R> parts;
    numbers_of_parts(int n, bool planes) : count(n), apart(planes), parts(2 * (size_t)n)
    {
    }
    wide at(const std::vector<R> &from, int i) const
    {
        return {value(from[apart ? i : 2 * i]).real(),
                value(from[apart ? count + i : 2 * i + 1]).real()};
    }
    cublasLtMatrixLayoutOpaque_t layout(cudaDataType type, int rows, int columns, int ld,
                                        int64_t stride) const
    {
        cublasLtMatrixLayoutOpaque_t l;
        int64_t plane = apart ? count * (int64_t)sizeof(R) : 0;
        int32_t batch = 2;
        OK(cublasLtMatrixLayoutInit(&l, type, rows, columns, ld));
        OK(cublasLtMatrixLayoutSetAttribute(&l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                                            sizeof batch));
        OK(cublasLtMatrixLayoutSetAttribute(&l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                            &stride, sizeof stride));
        OK(cublasLtMatrixLayoutSetAttribute(&l, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, &plane,
                                            sizeof plane));
        return l;
    }
};

// Two products conj(a)^T b, of the three matrices some in planes.
template <class R, class O> void planes(cudaDataType in, cudaDataType out, double digit, int which)
{
    const int m = 35, n = 18, k = 20;
    numbers_of_parts<R> a(2 * k * m, (which & 1) != 0), b(2 * k * n, (which & 2) != 0);
    numbers_of_parts<O> d(2 * m * n, (which & 4) != 0);
    cublasLtMatmulDescOpaque_t how;
    OK(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32F, CUDA_C_32F));
    set<int32_t>(&how, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_C);
    cublasLtMatrixLayoutOpaque_t of_a = a.layout(in, k, m, k, k * m),
                                 of_b = b.layout(in, k, n, k, k * n),
                                 of_d = d.layout(out, m, n, m, m * n);
    cuComplex alpha = {0.5f, -1}, beta = {0, 2};
    cublasLtMatmulAlgo_t algo = made(CUBLAS_COMPUTE_32F, CUDA_C_32F, in, out);
    OK(configure<int32_t>(algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, which == 7 ? 3 : 1));
    OK(configure<uint32_t>(algo, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, which == 7));
    OK(cublasLtMatmul(handle, &how, &alpha, a.parts.device, &of_a, b.parts.device, &of_b, &beta,
                      d.parts.device, &of_d, d.parts.device, &of_d, &algo, nullptr, 0, nullptr));
    std::vector<O> got = d.parts.got();
    for (int z = 0; z < 2; z++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                wide sum = 0;
                for (int p = 0; p < k; p++)
                    sum += std::conj(a.at(a.parts.host, z * k * m + p + i * k)) *
                           b.at(b.parts.host, z * k * n + p + j * k);
                int at = z * m * n + i + j * m;
                wide want = wide(0.5, -1) * sum + wide(0, 2) * d.at(d.parts.host, at);
                double error = std::abs(d.at(got, at) - want);
                expect(error <= digit * (20 + std::abs(want)), "complex parts", error, which);
            }
}

// From neighbours to planes and back.
template <class R> void apart(cudaDataType type, double digit)
{
    const int m = 13, n = 9;
    numbers_of_parts<R> from(2 * m * n, false), to(2 * m * n, true), back(2 * m * n, false);
    cublasLtMatrixTransformDescOpaque_t how;
    cuComplex i = {0, 1}, minus = {0, -1};
    OK(cublasLtMatrixTransformDescInit(&how, CUDA_C_32F));
    cublasLtMatrixLayoutOpaque_t of_from = from.layout(type, m, n, m, m * n),
                                 of_to = to.layout(type, m, n, m, m * n);
    OK(cublasLtMatrixTransform(handle, &how, &i, from.parts.device, &of_from, nullptr, nullptr,
                               nullptr, to.parts.device, &of_to, nullptr));
    OK(cublasLtMatrixTransform(handle, &how, &minus, to.parts.device, &of_to, nullptr, nullptr,
                               nullptr, back.parts.device, &of_from, nullptr));
    std::vector<R> there = to.parts.got(), again = back.parts.got();
    for (int at = 0; at < 2 * m * n; at++) {
        wide x = from.at(from.parts.host, at);
        expect(std::abs(to.at(there, at) - wide(0, 1) * x) <= digit, "to planes", at);
        expect(std::abs(back.at(again, at) - x) <= digit, "from planes", at);
    }
}

// The places of a matrix's elements, block after block; -1: of none.
std::vector<int> places(int32_t order, int rows, int columns, int64_t *ld)
{
    int high = order == CUBLASLT_ORDER_COL32 ? 1 : order == CUBLASLT_ORDER_COL4_4R2_8C ? 8 : 32;
    int blocks = (rows + high - 1) / high, groups = (columns + 31) / 32;
    std::vector<int> of;
    *ld = (int64_t)blocks * high * 32;
    for (int group = 0; group < groups; group++)
        for (int block = 0; block < blocks; block++)
            for (int n = 0; n < high * 32; n++) {
                int row = 0, column = n % 32;
                if (order ==
                    CUBLASLT_ORDER_COL4_4R2_8C) { // the even rows, in squares; the odd ones
                    row = n % 16 / 4 * 2 + n / 128;
                    column = n % 128 / 16 * 4 + n % 4;
                } else if (order == CUBLASLT_ORDER_COL32_2R_4R4) {
                    row = n / 256 * 2 + n / 64 % 4 * 8 + n / 32 % 2;
                }
                row += block * high;
                column += group * 32;
                of.push_back(row < rows && column < columns ? row + column * rows : -1);
            }
    return of;
}

cublasLtMatrixLayoutOpaque_t in_order(cudaDataType type, int rows, int columns, int32_t order,
                                      int64_t ld)
{
    cublasLtMatrixLayoutOpaque_t l;
    OK(cublasLtMatrixLayoutInit(&l, type, rows, columns, ld));
    OK(cublasLtMatrixLayoutSetAttribute(&l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    return l;
}

// a b^T of bytes to O, a and the result in COL32 and b in an order of its own.
template <class O, class S>
void blocks(cudaDataType out, cudaDataType scale, int32_t order, int m, int n, int k)
{
    int64_t ld_a, ld_b, ld_d;
    std::vector<int> of_a = places(CUBLASLT_ORDER_COL32, m, k, &ld_a),
                     of_b = places(order, n, k, &ld_b),
                     of_d = places(CUBLASLT_ORDER_COL32, m, n, &ld_d);
    buffer<signed char> a(m * k, 3), b(k * n, 3), a_there(of_a.size()), b_there(of_b.size());
    buffer<O> d_there(of_d.size()), d(m * n);
    cublasLtMatrixLayoutOpaque_t from_a = in_order(CUDA_R_8I, m, k, CUBLASLT_ORDER_COL, m),
                                 from_b = in_order(CUDA_R_8I, k, n, CUBLASLT_ORDER_COL, k),
                                 to_a = in_order(CUDA_R_8I, m, k, CUBLASLT_ORDER_COL32, ld_a),
                                 to_b = in_order(CUDA_R_8I, n, k, order, ld_b),
                                 to_d = in_order(out, m, n, CUBLASLT_ORDER_COL32, ld_d),
                                 back = in_order(out, m, n, CUBLASLT_ORDER_COL, m);
    cublasLtMatrixTransformDescOpaque_t straight, turned;
    cublasLtMatmulDescOpaque_t how;
    int32_t trans = CUBLAS_OP_T;
    float one = 1;
    S alpha = number<S>::made(1), beta = number<S>::made(0);
    OK(cublasLtMatrixTransformDescInit(&straight, CUDA_R_32F));
    OK(cublasLtMatrixTransformDescInit(&turned, CUDA_R_32F));
    OK(cublasLtMatrixTransformDescSetAttribute(&turned, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA,
                                               &trans, sizeof trans));
    OK(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32I, scale));
    set<int32_t>(&how, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_T);
    OK(cublasLtMatrixTransform(handle, &straight, &one, a.device, &from_a, nullptr, nullptr,
                               nullptr, a_there.device, &to_a, nullptr));
    OK(cublasLtMatrixTransform(handle, &turned, &one, b.device, &from_b, nullptr, nullptr, nullptr,
                               b_there.device, &to_b, nullptr));
    OK(cublasLtMatmul(handle, &how, &alpha, a_there.device, &to_a, b_there.device, &to_b, &beta,
                      d_there.device, &to_d, d_there.device, &to_d, nullptr, nullptr, 0, nullptr));
    OK(cublasLtMatrixTransform(handle, &straight, &one, d_there.device, &to_d, nullptr, nullptr,
                               nullptr, d.device, &back, nullptr));
    std::vector<signed char> got_a = a_there.got(), got_b = b_there.got();
    std::vector<O> got = d.got(), there = d_there.got();
    for (size_t i = 0; i < of_a.size(); i++)
        expect(of_a[i] < 0 || got_a[i] == a.host[of_a[i]], "a in its order", (double)i);
    for (size_t i = 0; i < of_b.size(); i++)
        expect(of_b[i] < 0 || got_b[i] == b.host[of_b[i] % n * k + of_b[i] / n], "b in its order",
               (double)i, order);
    for (size_t i = 0; i < of_d.size(); i++)
        expect(of_d[i] < 0 || there[i] == got[of_d[i]], "d in its order", (double)i);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int p = 0; p < k; p++)
                sum += a.host[i + p * m] * b.host[p + j * k];
            expect(value(got[i + j * m]) == value(::made<O>(sum)), "a product in blocks", i, j);
        }
}

double gelu(double x)
{
    return x / 2 *
           (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
}

// Two products by columns, d = f(2 a b), with `after` and what belongs to it.
template <class E, class S> struct gradients {
    static const int m = 45, n = 19, k = 6, ld = 128; // of the auxiliary matrix
    cudaDataType type, scale;
    cublasComputeType_t compute;
    double digit;

    void run(uint32_t after) const
    {
        buffer<E> a(2 * m * k), b(2 * k * n), d(2 * m * n), bias(2 * ld), aux(2 * ld * n);
        cublasLtMatmulDescOpaque_t how;
        OK(cublasLtMatmulDescInit(&how, compute, scale));
        set<uint32_t>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE, after);
        set<const void *>(&how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
        set<int64_t>(&how, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, ld);
        set<void *>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.device);
        set<int64_t>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld);
        set<int64_t>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, ld * n);
        cublasLtMatrixLayout_t of_a = shape{type, m, k, false, 0, 2}.layout(),
                               of_b = shape{type, k, n, false, 0, 2}.layout(),
                               of_d = shape{type, m, n, false, 0, 2}.layout();
        int64_t strides[] = {m * k, k * n, m * n};
        cublasLtMatrixLayout_t layouts[] = {of_a, of_b, of_d};
        for (int i = 0; i < 3; i++)
            OK(cublasLtMatrixLayoutSetAttribute(layouts[i],
                                                CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                &strides[i], sizeof strides[i]));
        S alpha = number<S>::made(2), beta = number<S>::made(0);
        OK(cublasLtMatmul(handle, &how, &alpha, a.device, of_a, b.device, of_b, &beta, d.device,
                          of_d, d.device, of_d, nullptr, nullptr, 0, nullptr));
        check(after, a, b, d.got(), bias, aux);
        for (cublasLtMatrixLayout_t l : layouts)
            OK(cublasLtMatrixLayoutDestroy(l));
    }

    void near(double got, double want, const char *what, uint32_t after) const
    {
        expect(std::fabs(got - want) <= digit * (4 + std::fabs(want)), what, got - want, after);
    }

    void check(uint32_t after, const buffer<E> &a, const buffer<E> &b, const std::vector<E> &d,
               const buffer<E> &bias, const buffer<E> &aux) const
    {
        std::vector<E> left = aux.got(), summed = bias.got();
        const unsigned char *bits = (const unsigned char *)left.data(),
                            *old_bits = (const unsigned char *)aux.host.data();
        std::vector<double> rows(2 * m), of_a(2 * m), of_b(2 * n);
        for (int z = 0; z < 2; z++) {
            for (int p = 0; p < k; p++) {
                for (int i = 0; i < m; i++)
                    of_a[z * m + i] += value(a.host[z * m * k + i + p * m]).real();
                for (int j = 0; j < n; j++)
                    of_b[z * n + j] += value(b.host[z * k * n + p + j * k]).real();
            }
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++) {
                    double x = 0, want = 0;
                    for (int p = 0; p < k; p++)
                        x += 2 * value(a.host[z * m * k + i + p * m]).real() *
                             value(b.host[z * k * n + p + j * k]).real();
                    if (after & CUBLASLT_EPILOGUE_BIAS)
                        x += value(bias.host[z * ld + i]).real();
                    int at = z * ld * n + i + j * ld;
                    double u = value(aux.host[at]).real(), h = 1e-5;
                    bool bit = bits[at / 8] >> at % 8 & 1, old_bit = old_bits[at / 8] >> at % 8 & 1;
                    want = x;
                    if ((after & CUBLASLT_EPILOGUE_DRELU) == CUBLASLT_EPILOGUE_DRELU)
                        want = old_bit ? x : 0;
                    else if ((after & CUBLASLT_EPILOGUE_DGELU) == CUBLASLT_EPILOGUE_DGELU)
                        want = x * (gelu(u + h) - gelu(u - h)) / (2 * h);
                    else if (after & CUBLASLT_EPILOGUE_RELU)
                        want = x > 0 ? x : 0;
                    else if (after & CUBLASLT_EPILOGUE_GELU)
                        want = gelu(x);
                    double got = value(d[z * m * n + i + j * m]).real();
                    near(got, want, "an activation", after);
                    rows[z * m + i] += got;
                    if ((after & ~CUBLASLT_EPILOGUE_BIAS) == CUBLASLT_EPILOGUE_RELU_AUX)
                        expect(bit == (got > 0), "a bit", i, j);
                    if ((after & ~CUBLASLT_EPILOGUE_BIAS) == CUBLASLT_EPILOGUE_GELU_AUX)
                        near(value(left[at]).real(), x, "what goes into GELU", after);
                }
            for (int i = 0; i < (after == CUBLASLT_EPILOGUE_BGRADB ? n : m); i++) {
                double got = value(summed[z * ld + i]).real();
                if (after == CUBLASLT_EPILOGUE_BGRADA)
                    near(got, of_a[z * m + i], "a gradient of A", after);
                if (after == CUBLASLT_EPILOGUE_BGRADB)
                    near(got, of_b[z * n + i], "a gradient of B", after);
                if (after == CUBLASLT_EPILOGUE_DRELU_BGRAD ||
                    after == CUBLASLT_EPILOGUE_DGELU_BGRAD)
                    near(got, rows[z * m + i], "a gradient of D", after);
            }
        }
    }

    void all() const
    {
        for (uint32_t after :
             {CUBLASLT_EPILOGUE_RELU_AUX, CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
              CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DRELU,
              CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_DGELU, CUBLASLT_EPILOGUE_DGELU_BGRAD,
              CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_BGRADB})
            run(after);
    }
};

void refusals()
{
    cublasLtMatmulDescOpaque_t how;
    cublasLtMatrixLayoutOpaque_t l;
    cublasLtMatmulHeuristicResult_t result;
    cublasLtMatmulAlgo_t algo = made(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    OK(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(cublasLtMatrixLayoutInit(&l, CUDA_R_32F, 8, 8, 8));
    set<uint32_t>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_AUX);
    IS(INVALID_VALUE, CHECKED()); // no pointer
    set<void *>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &how);
    set<int64_t>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, 8);
    IS(INVALID_VALUE, CHECKED()); // bits are 128 to a line
    set<uint32_t>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_AUX);
    OK(CHECKED());
    set<uint32_t>(&how, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BGRADB);
    IS(INVALID_VALUE, CHECKED()); // no bias
    int64_t plane = 64, ld = 8 * 32 - 1;
    OK(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(cublasLtMatrixLayoutSetAttribute(&l, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, &plane,
                                        sizeof plane));
    IS(NOT_SUPPORTED, CHECKED()); // of real numbers
    algo = made(CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I);
    OK(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32I, CUDA_R_32I));
    cublasLtMatrixLayoutOpaque_t d = in_order(CUDA_R_32I, 8, 8, CUBLASLT_ORDER_COL, 8);
    for (int32_t order : {CUBLASLT_ORDER_COL32, CUBLASLT_ORDER_COL4_4R2_8C}) {
        l = in_order(CUDA_R_8I, 8, 8, order, ld); // blocks are larger
        IS(INVALID_VALUE, cublasLtMatmulAlgoCheck(handle, &how, &l, &l, &d, &d, &algo, &result));
    }
    l = in_order(CUDA_R_8I, 8, 8, CUBLASLT_ORDER_COL32, ld + 1);
    OK(cublasLtMatmulAlgoCheck(handle, &how, &l, &l, &d, &d, &algo, &result));
    OK(configure<int32_t>(algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 2));
    OK(configure<uint32_t>(algo, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 1));
    IS(NOT_SUPPORTED, cublasLtMatmulAlgoCheck(handle, &how, &l, &l, &d, &d, &algo, &result));
    l = in_order(CUDA_R_8I, 8, 8, 5, 4096); // no order
    IS(NOT_SUPPORTED, cublasLtMatmulAlgoCheck(handle, &how, &l, &l, &d, &d, &algo, &result));
}

} // namespace

void lt_algorithms()
{
    search();
    for (int which : {0, 3, 4, 7}) {
        planes<__half, __half>(CUDA_C_16F, CUDA_C_16F, 1e-3, which);
        planes<__half, float>(CUDA_C_16F, CUDA_C_32F, 1e-6, which);
        planes<__nv_bfloat16, __nv_bfloat16>(CUDA_C_16BF, CUDA_C_16BF, 8e-3, which);
        planes<__nv_bfloat16, float>(CUDA_C_16BF, CUDA_C_32F, 1e-6, which);
    }
    apart<float>(CUDA_C_32F, 1e-6);
    apart<__half>(CUDA_C_16F, 1e-3);
    apart<__nv_bfloat16>(CUDA_C_16BF, 8e-3);
    gradients<float, float>{CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-5}.all();
    gradients<double, double>{CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 1e-8}.all();
    gradients<__half, float>{CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2e-3}.all();
    gradients<__nv_bfloat16, float>{CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-2}.all();
    for (int32_t order :
         {CUBLASLT_ORDER_COL32, CUBLASLT_ORDER_COL4_4R2_8C, CUBLASLT_ORDER_COL32_2R_4R4}) {
        blocks<int, int>(CUDA_R_32I, CUDA_R_32I, order, 37, 41, 70);
        blocks<signed char, float>(CUDA_R_8I, CUDA_R_32F, order, 150, 140, 33); // large tiles
    }
    refusals();
}
