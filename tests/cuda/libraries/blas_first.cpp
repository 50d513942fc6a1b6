// cuBLAS's first interface: each kind of call against the second one, which the other parts compare
// with the host; letters, errors.
#define CUBLAS_CALL(call) (call) // as programs name theirs
#include <cublas.h>
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#include "checks.h"

extern void blas_first();

namespace
{

const int N = 12;

unsigned seed = 3;
float next()
{
    seed = seed * 1664525u + 1013904223u;
    return (float)((seed >> 8) / 8388608.0 - 1.0);
}

// Matrices a, b and c, one behind the other, with a diagonal far from 0; what two calls make of it.
template <class T> struct space {
    std::vector<T> host;
    T *device = nullptr;
    cublasHandle_t second = nullptr;

    space() : host(3 * N * N)
    {
        float *at = (float *)host.data();
        for (size_t i = 0; i < host.size() * sizeof(T) / sizeof(float); i++)
            at[i] = next() * 0.25f;
        for (int i = 0; i < N; i++)
            *(float *)&host[i * (N + 1)] += 2;
        cudaMalloc(&device, bytes());
        cublasCreate_v2(&second);
    }
    ~space()
    {
        cudaFree(device);
        cublasDestroy_v2(second);
    }
    size_t bytes() const
    {
        return host.size() * sizeof(T);
    }
    T *b() const
    {
        return device + N * N;
    }
    T *c() const
    {
        return device + 2 * N * N;
    }
    template <class F> std::vector<T> after(const F &call)
    {
        std::vector<T> out(host.size());
        cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice);
        call();
        cudaMemcpy(out.data(), device, bytes(), cudaMemcpyDeviceToHost);
        return out;
    }
    template <class F, class G> void same(const F &call, const G &want, const char *what)
    {
        std::vector<T> have = after(call), right = after([&] { expect(!want(), what, 2); });
        expect(!memcmp(have.data(), right.data(), bytes()), what);
        expect(memcmp(have.data(), host.data(), bytes()), what, 1);
        expect(cublasGetError() == CUBLAS_STATUS_SUCCESS, what, 3);
    }
};

// An effect on memory of a call and of the same one of the second interface.
#define SAME(call, want) s.same([&] { call; }, [&] { return want; }, #call)
// A result.
#define VALUE(type, call, want)                                                                    \
    do {                                                                                           \
        type have, right;                                                                          \
        s.after([&] { have = call; });                                                             \
        s.after([&] { expect(!want, #call, 2); });                                                 \
        expect(!memcmp(&have, &right, sizeof have), #call);                                        \
    } while (0)

void singles()
{
    space<float> s;
    cublasHandle_t h = s.second;
    float *a = s.device, *b = s.b(), *c = s.c(), f = 0.5f, g = -2, param[] = {-1, 2, 3, 4, 5};
    const auto N_ = CUBLAS_OP_N, T_ = CUBLAS_OP_T;
    const auto L = CUBLAS_FILL_MODE_LOWER, U = CUBLAS_FILL_MODE_UPPER;
    const auto left = CUBLAS_SIDE_LEFT, right_side = CUBLAS_SIDE_RIGHT;
    const auto unit = CUBLAS_DIAG_UNIT, other = CUBLAS_DIAG_NON_UNIT;
    VALUE(int, cublasIsamax(30, b, 2), cublasIsamax_v2(h, 30, b, 2, &right));
    VALUE(int, cublasIsamin(30, b, 2), cublasIsamin_v2(h, 30, b, 2, &right));
    VALUE(float, cublasSasum(30, b, 2), cublasSasum_v2(h, 30, b, 2, &right));
    VALUE(float, cublasSnrm2(30, b, 2), cublasSnrm2_v2(h, 30, b, 2, &right));
    VALUE(float, cublasSdot(30, a, 2, b, 1), cublasSdot_v2(h, 30, a, 2, b, 1, &right));
    SAME(cublasSaxpy(30, f, a, 2, b, 1), cublasSaxpy_v2(h, 30, &f, a, 2, b, 1));
    SAME(cublasScopy(30, a, 2, b, 1), cublasScopy_v2(h, 30, a, 2, b, 1));
    SAME(cublasSswap(30, a, 2, b, 1), cublasSswap_v2(h, 30, a, 2, b, 1));
    SAME(cublasSscal(30, f, a, 2), cublasSscal_v2(h, 30, &f, a, 2));
    SAME(cublasSrot(30, a, 1, b, 1, f, g), cublasSrot_v2(h, 30, a, 1, b, 1, &f, &g));
    SAME(cublasSrotm(30, a, 1, b, 1, param), cublasSrotm_v2(h, 30, a, 1, b, 1, param));
    SAME(cublasSgemv('t', N, N, f, a, N, b, 1, g, c, 2),
         cublasSgemv_v2(h, T_, N, N, &f, a, N, b, 1, &g, c, 2));
    SAME(cublasSgbmv('N', N, N, 2, 1, f, a, N, b, 1, g, c, 1),
         cublasSgbmv_v2(h, N_, N, N, 2, 1, &f, a, N, b, 1, &g, c, 1));
    SAME(cublasStrmv('u', 'C', 'U', N, a, N, b, 1), cublasStrmv_v2(h, U, T_, unit, N, a, N, b, 1));
    SAME(cublasStbsv('L', 'n', 'n', N, 2, a, N, b, 1),
         cublasStbsv_v2(h, L, N_, other, N, 2, a, N, b, 1));
    SAME(cublasStpmv('L', 'T', 'N', N, a, b, 1), cublasStpmv_v2(h, L, T_, other, N, a, b, 1));
    SAME(cublasSsymv('U', N, f, a, N, b, 1, g, c, 1),
         cublasSsymv_v2(h, U, N, &f, a, N, b, 1, &g, c, 1));
    SAME(cublasSsbmv('U', N, 3, f, a, N, b, 1, g, c, 1),
         cublasSsbmv_v2(h, U, N, 3, &f, a, N, b, 1, &g, c, 1));
    SAME(cublasSspmv('L', N, f, a, b, 1, g, c, 1), cublasSspmv_v2(h, L, N, &f, a, b, 1, &g, c, 1));
    SAME(cublasSger(N, N, f, b, 1, c, 1, a, N), cublasSger_v2(h, N, N, &f, b, 1, c, 1, a, N));
    SAME(cublasSsyr('L', N, f, b, 1, a, N), cublasSsyr_v2(h, L, N, &f, b, 1, a, N));
    SAME(cublasSsyr2('L', N, f, b, 1, c, 1, a, N), cublasSsyr2_v2(h, L, N, &f, b, 1, c, 1, a, N));
    SAME(cublasSspr('U', N, f, b, 1, a), cublasSspr_v2(h, U, N, &f, b, 1, a));
    SAME(cublasSspr2('U', N, f, b, 1, c, 1, a), cublasSspr2_v2(h, U, N, &f, b, 1, c, 1, a));
    SAME(cublasSgemm('n', 'T', N, N, N, f, a, N, b, N, g, c, N),
         cublasSgemm_v2(h, N_, T_, N, N, N, &f, a, N, b, N, &g, c, N));
    SAME(cublasSsymm('R', 'U', N, N, f, a, N, b, N, g, c, N),
         cublasSsymm_v2(h, right_side, U, N, N, &f, a, N, b, N, &g, c, N));
    SAME(cublasSsyrk('L', 'N', N, N, f, a, N, g, c, N),
         cublasSsyrk_v2(h, L, N_, N, N, &f, a, N, &g, c, N));
    SAME(cublasSsyr2k('L', 'N', N, N, f, a, N, b, N, g, c, N),
         cublasSsyr2k_v2(h, L, N_, N, N, &f, a, N, b, N, &g, c, N));
    SAME(cublasStrsm('l', 'l', 'n', 'n', N, N, f, a, N, b, N),
         cublasStrsm_v2(h, left, L, N_, other, N, N, &f, a, N, b, N));
    SAME(cublasStrmm('R', 'U', 'T', 'N', N, N, f, a, N, b, N),
         cublasStrmm_v2(h, right_side, U, T_, other, N, N, &f, a, N, b, N, b, N));
}

void complex_numbers()
{
    space<cuComplex> s;
    cublasHandle_t h = s.second;
    cuComplex *a = s.device, *b = s.b(), *c = s.c(), f = {0.5f, 1}, g = {-2, 0.25f};
    float real = 0.75f, more = -0.5f;
    const auto C_ = CUBLAS_OP_C;
    const auto L = CUBLAS_FILL_MODE_LOWER;
    VALUE(int, cublasIcamax(30, b, 2), cublasIcamax_v2(h, 30, b, 2, &right));
    VALUE(float, cublasScasum(30, b, 2), cublasScasum_v2(h, 30, b, 2, &right));
    VALUE(float, cublasScnrm2(30, b, 2), cublasScnrm2_v2(h, 30, b, 2, &right));
    VALUE(cuComplex, cublasCdotu(30, a, 2, b, 1), cublasCdotu_v2(h, 30, a, 2, b, 1, &right));
    VALUE(cuComplex, cublasCdotc(30, a, 2, b, 1), cublasCdotc_v2(h, 30, a, 2, b, 1, &right));
    SAME(cublasCaxpy(30, f, a, 2, b, 1), cublasCaxpy_v2(h, 30, &f, a, 2, b, 1));
    SAME(cublasCsscal(30, real, a, 2), cublasCsscal_v2(h, 30, &real, a, 2));
    SAME(cublasCrot(30, a, 1, b, 1, real, f), cublasCrot_v2(h, 30, a, 1, b, 1, &real, &f));
    SAME(cublasCsrot(30, a, 1, b, 1, real, more), cublasCsrot_v2(h, 30, a, 1, b, 1, &real, &more));
    SAME(cublasCgeru(N, N, f, b, 1, c, 1, a, N), cublasCgeru_v2(h, N, N, &f, b, 1, c, 1, a, N));
    SAME(cublasCgerc(N, N, f, b, 1, c, 1, a, N), cublasCgerc_v2(h, N, N, &f, b, 1, c, 1, a, N));
    SAME(cublasChemv('L', N, f, a, N, b, 1, g, c, 1),
         cublasChemv_v2(h, L, N, &f, a, N, b, 1, &g, c, 1));
    SAME(cublasChpr('L', N, real, b, 1, a), cublasChpr_v2(h, L, N, &real, b, 1, a));
    SAME(cublasCher2('L', N, f, b, 1, c, 1, a, N), cublasCher2_v2(h, L, N, &f, b, 1, c, 1, a, N));
    SAME(cublasCherk('L', 'C', N, N, real, a, N, more, c, N),
         cublasCherk_v2(h, L, C_, N, N, &real, a, N, &more, c, N));
    SAME(cublasCher2k('L', 'c', N, N, f, a, N, b, N, more, c, N),
         cublasCher2k_v2(h, L, C_, N, N, &f, a, N, b, N, &more, c, N));
    SAME(cublasChemm('L', 'L', N, N, f, a, N, b, N, g, c, N),
         cublasChemm_v2(h, CUBLAS_SIDE_LEFT, L, N, N, &f, a, N, b, N, &g, c, N));
    cuComplex r = {3, 4}, turn, r2 = r, other = f, turn2;
    float cosine = 0, cosine2 = 0;
    cublasCrotg(&r, f, &cosine, &turn);
    expect(!cublasCrotg_v2(h, &r2, &other, &cosine2, &turn2), "Crotg_v2");
    expect(!memcmp(&r, &r2, sizeof r) && cosine == cosine2 && !memcmp(&turn, &turn2, sizeof turn),
           "Crotg");
}

void state()
{
    void *memory = nullptr;
    int version = 0;
    expect(cublasAlloc(8, 4, &memory) == CUBLAS_STATUS_NOT_INITIALIZED,
           "nothing before cublasInit");
    cublasSscal(1, 1, nullptr, 1);
    expect(cublasGetError() == CUBLAS_STATUS_NOT_INITIALIZED, "an error");
    expect(cublasGetError() == CUBLAS_STATUS_SUCCESS, "told once");
    expect(cublasInit() == CUBLAS_STATUS_SUCCESS && cublasInit() == CUBLAS_STATUS_SUCCESS,
           "cublasInit");
    expect(cublasGetVersion(&version) == CUBLAS_STATUS_SUCCESS && version == CUBLAS_VERSION,
           "cublasGetVersion");
    expect(cublasAlloc(0, 4, &memory) == CUBLAS_STATUS_INVALID_VALUE, "no elements");
    expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "the error of no elements");
    expect(cublasAlloc(8, 4, &memory) == CUBLAS_STATUS_SUCCESS && memory, "cublasAlloc");
    float in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    expect(cublasSetKernelStream(stream) == CUBLAS_STATUS_SUCCESS, "cublasSetKernelStream");
    expect(cublasSetVector(8, 4, in, 1, memory, 1) == CUBLAS_STATUS_SUCCESS, "cublasSetVector");
    cublasSscal(8, 2, (float *)memory, 1);
    cudaStreamSynchronize(stream);
    expect(cublasGetVector(8, 4, memory, 1, out, 1) == CUBLAS_STATUS_SUCCESS && out[7] == 16,
           "twice as much");
    expect(cublasSetKernelStream(nullptr) == CUBLAS_STATUS_SUCCESS, "the stream of all");
    cudaStreamDestroy(stream);
    for (char wrong : {'X', '\0', 'r'}) {
        cublasSgemm(wrong, 'N', 1, 1, 1, 1, in, 1, in, 1, 0, out, 1);
        expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "a wrong letter", wrong);
    }
    cublasStrsv('N', 'N', 'N', 1, (float *)memory, 1, (float *)memory, 1);
    expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "a wrong half");
    cublasStrsv('L', 'N', 'L', 1, (float *)memory, 1, (float *)memory, 1);
    expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "a wrong diagonal");
    expect(CUBLAS_CALL(cublasFree(memory)) == CUBLAS_STATUS_SUCCESS, "cublasFree");
}

} // namespace

void blas_first()
{
    state();
    singles();
    complex_numbers();
    expect(cublasShutdown() == CUBLAS_STATUS_SUCCESS, "cublasShutdown");
    expect(cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED, "cublasShutdown again");
    expect(cublasGetError() == CUBLAS_STATUS_NOT_INITIALIZED, "the error of that");
}
