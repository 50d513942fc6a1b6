/* cuFFT with a program's own functions at both ends, against plans without them whose data the host
 * has changed in the same way. */
#include <cufftXt.h>

#include <vector>

#include "check.h"

#define FFT(status, call)                                                                          \
    do {                                                                                           \
        cufftResult fft_status = (call);                                                           \
        if (fft_status != CUFFT_##status) {                                                        \
            fprintf(stderr, "%s:%d: %s gives %d\n", __FILE__, __LINE__, #call, fft_status);        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__device__ float weight = 1;

/* By which a number is multiplied, after its place. */
__host__ __device__ double factor(size_t at)
{
    return 1 + at % 5;
}
__device__ float2 load_c(void *in, size_t at, void *info, void *)
{
    float2 x = ((float2 *)in)[at];
    float f = (float)factor(at) * weight * *(float *)info;
    return make_float2(f * x.x, -f * x.y);
}
__device__ double2 load_z(void *in, size_t at, void *, void *)
{
    double2 x = ((double2 *)in)[at];
    return make_double2(factor(at) * x.x, -factor(at) * x.y);
}
__device__ float load_r(void *in, size_t at, void *, void *shared)
{
    ((float *)shared)[threadIdx.x] = (float)factor(at);
    return ((unsigned char *)in)[at] * ((float *)shared)[threadIdx.x]; /* from bytes */
}
__device__ double load_d(void *in, size_t at, void *, void *)
{
    return factor(at) * ((double *)in)[at];
}
__device__ void store_c(void *out, size_t at, float2 x, void *info, void *)
{
    ((float2 *)out)[at] = make_float2(x.x + *(float *)info, x.y);
}
__device__ void store_r(void *out, size_t at, float x, void *, void *)
{
    ((float *)out)[at] = x * (float)factor(at);
}
__device__ void store_d(void *out, size_t at, double x, void *, void *)
{
    ((double *)out)[at] = x * factor(at);
}
__device__ void store_z(void *out, size_t at, double2 x, void *, void *)
{
    ((double2 *)out)[at] = make_double2(x.y, x.x);
}

__device__ cufftCallbackLoadC d_load_c = load_c;
__device__ cufftCallbackLoadZ d_load_z = load_z;
__device__ cufftCallbackLoadR d_load_r = load_r;
__device__ cufftCallbackLoadD d_load_d = load_d;
__device__ cufftCallbackStoreC d_store_c = store_c;
__device__ cufftCallbackStoreR d_store_r = store_r;
__device__ cufftCallbackStoreD d_store_d = store_d;
__device__ cufftCallbackStoreZ d_store_z = store_z;

template <class F>
static void set(cufftHandle plan, const F &symbol, cufftXtCallbackType type, void *info = nullptr)
{
    void *routine = nullptr;
    CHECK(cudaMemcpyFromSymbol(&routine, symbol, sizeof routine));
    FFT(SUCCESS, cufftXtSetCallback(plan, &routine, type, info ? &info : nullptr));
}

template <class T> static T *room(size_t count)
{
    T *p;
    CHECK(cudaMallocManaged(&p, count * sizeof(T)));
    memset(p, 0, count * sizeof(T));
    return p;
}

template <class T> static bool near(const T *got, const T *want, size_t count, double allowed)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs((double)(got[i] - want[i])) <= allowed))
            return printf("%zu: %g instead of %g\n", i, (double)got[i], (double)want[i]), false;
    }
    return true;
}

/* 12 x 5 elements with gaps between and behind them, two of them. */
static bool spaced()
{
    int n[] = {12, 5}, embed[] = {13, 7};
    const int count = 2 * 13 * 7 * 2;
    cufftHandle plain, changed;
    FFT(SUCCESS,
        cufftPlanMany(&plain, 2, n, embed, 2, 13 * 7 * 2, embed, 2, 13 * 7 * 2, CUFFT_C2C, 2));
    FFT(SUCCESS,
        cufftPlanMany(&changed, 2, n, embed, 2, 13 * 7 * 2, embed, 2, 13 * 7 * 2, CUFFT_C2C, 2));
    float2 *in = room<float2>(count), *to = room<float2>(count), *pre = room<float2>(count);
    float2 *want = room<float2>(count);
    float *info = room<float>(2), three = 3;
    unsigned seed = 5;
    info[0] = 2, info[1] = 100;
    for (int i = 0; i < count; i++) {
        float f = (float)factor(i) * three * info[0];
        in[i] = make_float2(next_float(&seed), next_float(&seed));
        pre[i] = make_float2(f * in[i].x, -f * in[i].y);
    }
    set(changed, d_load_c, CUFFT_CB_LD_COMPLEX, info);
    set(changed, d_store_c, CUFFT_CB_ST_COMPLEX, info + 1);
    CHECK(cudaMemcpyToSymbol(weight, &three, sizeof three)); /* the callback's own variable */
    FFT(SUCCESS, cufftExecC2C(plain, pre, want, CUFFT_INVERSE));
    FFT(SUCCESS, cufftExecC2C(changed, in, to, CUFFT_INVERSE));
    CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < 12 * 5; i++)
            want[b * 182 + (i / 5 * 7 + i % 5) * 2].x += info[1];
    bool ok = near(&to->x, &want->x, 2 * count, 1e-2);
    FFT(SUCCESS, cufftXtClearCallback(changed, CUFFT_CB_LD_COMPLEX));
    FFT(SUCCESS, cufftXtClearCallback(changed, CUFFT_CB_ST_COMPLEX));
    FFT(SUCCESS, cufftExecC2C(changed, pre, to, CUFFT_INVERSE));
    FFT(SUCCESS, cufftExecC2C(plain, pre, want, CUFFT_INVERSE));
    CHECK(cudaDeviceSynchronize());
    ok = ok && near(&to->x, &want->x, 2 * count, 0);
    FFT(SUCCESS, cufftDestroy(plain));
    FFT(SUCCESS, cufftDestroy(changed));
    return ok;
}

/* From bytes to half rows, and back in place. */
static bool real()
{
    const int n = 30, rows = 4, half = n / 2 + 1;
    cufftHandle forward, plain, back, plain_back;
    unsigned char *bytes = room<unsigned char>(n * rows);
    float *pre = room<float>(n * rows), *back_want = room<float>(2 * half * rows);
    float2 *to = room<float2>(half * rows), *want = room<float2>(half * rows);
    unsigned seed = 9;
    for (int i = 0; i < n * rows; i++) {
        bytes[i] = (unsigned char)next_random(&seed);
        pre[i] = (float)(bytes[i] * factor(i));
    }
    FFT(SUCCESS, cufftPlan1d(&forward, n, CUFFT_R2C, rows));
    FFT(SUCCESS, cufftPlan1d(&plain, n, CUFFT_R2C, rows));
    set(forward, d_load_r, CUFFT_CB_LD_REAL);
    FFT(SUCCESS, cufftXtSetCallbackSharedSize(forward, CUFFT_CB_LD_REAL, 1024));
    FFT(SUCCESS, cufftExecR2C(forward, (float *)bytes, to));
    FFT(SUCCESS, cufftExecR2C(plain, pre, want));
    CHECK(cudaDeviceSynchronize());
    bool ok = near(&to->x, &want->x, 2 * half * rows, 1e-1);
    FFT(SUCCESS, cufftPlan1d(&back, n, CUFFT_C2R, rows));
    FFT(SUCCESS, cufftPlan1d(&plain_back, n, CUFFT_C2R, rows));
    set(back, d_store_r, CUFFT_CB_ST_REAL);
    memcpy(back_want, to, half * rows * sizeof *to);
    FFT(SUCCESS, cufftExecC2R(back, to, (float *)to));
    FFT(SUCCESS, cufftExecC2R(plain_back, (float2 *)back_want, back_want));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < rows * n; i++) /* rows in place have room for half + 1 complex numbers */
        back_want[i / n * 2 * half + i % n] *= (float)factor(i / n * 2 * half + i % n);
    for (int r = 0; r < rows; r++)
        ok = ok && near((float *)to + r * 2 * half, back_want + r * 2 * half, n, 1e-1);
    return ok;
}

static bool doubles()
{
    const int n = 16;
    cufftHandle there, back, whole;
    double *in = room<double>(n), *got = room<double>(n);
    double2 *middle = room<double2>(n), *twice = room<double2>(n);
    for (int i = 0; i < n; i++)
        in[i] = i * i % 7;
    FFT(SUCCESS, cufftPlan1d(&there, n, CUFFT_D2Z, 1));
    FFT(SUCCESS, cufftPlan1d(&back, n, CUFFT_Z2D, 1));
    set(there, d_load_d, CUFFT_CB_LD_REAL_DOUBLE);
    set(back, d_store_d, CUFFT_CB_ST_REAL_DOUBLE);
    FFT(SUCCESS, cufftExecD2Z(there, in, middle));
    FFT(SUCCESS, cufftExecZ2D(back, middle, got));
    CHECK(cudaDeviceSynchronize());
    bool ok = true;
    for (int i = 0; i < n; i++)
        ok = ok && fabs(got[i] - n * factor(i) * factor(i) * in[i]) < 1e-9;
    /* A single 1 becomes a wave; conjugated at one end, exchanged at the other. */
    FFT(SUCCESS, cufftPlan1d(&whole, n, CUFFT_Z2Z, 1));
    set(whole, d_load_z, CUFFT_CB_LD_COMPLEX_DOUBLE);
    set(whole, d_store_z, CUFFT_CB_ST_COMPLEX_DOUBLE);
    memset(twice, 0, n * sizeof *twice);
    twice[1].y = 1;
    FFT(SUCCESS, cufftExecZ2Z(whole, twice, twice, CUFFT_FORWARD));
    CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < n; k++) {
        double angle = 2 * M_PI * k / n; /* -2i exp(-i angle) */
        ok = ok && fabs(twice[k].y + 2 * sin(angle)) < 1e-12 &&
             fabs(twice[k].x + 2 * cos(angle)) < 1e-12;
    }
    return ok;
}

static void refused()
{
    cufftHandle plan;
    void *routine = nullptr, *none = nullptr;
    CHECK(cudaMemcpyFromSymbol(&routine, d_load_c, sizeof routine));
    FFT(SUCCESS, cufftPlan1d(&plan, 8, CUFFT_C2C, 1));
    FFT(INVALID_TYPE, cufftXtSetCallback(plan, &routine, CUFFT_CB_LD_REAL, nullptr));
    FFT(INVALID_TYPE, cufftXtSetCallback(plan, &routine, CUFFT_CB_ST_COMPLEX_DOUBLE, nullptr));
    FFT(INVALID_TYPE, cufftXtClearCallback(plan, CUFFT_CB_UNDEFINED));
    FFT(INVALID_VALUE, cufftXtSetCallback(plan, &none, CUFFT_CB_LD_COMPLEX, nullptr));
    FFT(INVALID_VALUE, cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16385));
    FFT(INVALID_PLAN, cufftXtSetCallback(plan + 7, &routine, CUFFT_CB_LD_COMPLEX, nullptr));
    FFT(SUCCESS, cufftDestroy(plan));
}

int main()
{
    refused();
    return verdict("callbacks", spaced() && real() && doubles());
}
