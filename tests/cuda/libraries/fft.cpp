// cuFFT against the definition in double precision: sizes of small and large factors, one to three
// dimensions, every type, in place and not, batches, layouts, streams, work areas.
#include <cuda_runtime.h>
#include <cufftXt.h>

#include <cmath>
#include <complex>
#include <vector>

#include "checks.h"

#define OK(call)         expect((call) == CUFFT_SUCCESS, #call)
#define IS(status, call) expect((call) == CUFFT_##status, #call)

static unsigned seed = 5;
static double next()
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
}

typedef std::complex<double> number;
typedef std::vector<number> numbers;

// One dimension of packed data: lines of n elements, `step` apart.
static void transform_lines(numbers &x, size_t n, size_t step, int sign)
{
    numbers roots(n), line(n);
    for (size_t k = 0; k < n; k++)
        roots[k] = std::polar(1.0, sign * 2 * M_PI * k / n);
    for (size_t first = 0; first < x.size(); first += n * step)
        for (size_t inner = 0; inner < step; inner++) {
            for (size_t k = 0; k < n; k++) {
                number sum = 0;
                for (size_t j = 0, turn = 0; j < n; j++, turn = (turn + k) % n)
                    sum += x[first + inner + j * step] * roots[turn];
                line[k] = sum;
            }
            for (size_t k = 0; k < n; k++)
                x[first + inner + k * step] = line[k];
        }
}

static numbers definition(numbers x, const std::vector<int> &n, int sign)
{
    size_t step = 1;
    for (size_t d = n.size(); d-- > 0; step *= n[d])
        transform_lines(x, n[d], step, sign);
    return x;
}

template <class T> struct device {
    T *data = nullptr;
    size_t count;
    explicit device(size_t n) : count(n)
    {
        std::vector<T> zeroes(n);
        cudaMalloc(&data, n * sizeof(T));
        put(zeroes);
    }
    ~device()
    {
        cudaFree(data);
    }
    void put(const std::vector<T> &from)
    {
        cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> get() const
    {
        std::vector<T> got(count);
        cudaMemcpy(got.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
        return got;
    }
};

// The calls of one precision.
template <class T> struct fft;
template <> struct fft<float> {
    typedef cufftComplex complex;
    static constexpr double tolerance = 4e-6;
    static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
    static constexpr auto whole = cufftExecC2C;
    static constexpr auto from_real = cufftExecR2C;
    static constexpr auto to_real = cufftExecC2R;
};
template <> struct fft<double> {
    typedef cufftDoubleComplex complex;
    static constexpr double tolerance = 1e-14;
    static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
    static constexpr auto whole = cufftExecZ2Z;
    static constexpr auto from_real = cufftExecD2Z;
    static constexpr auto to_real = cufftExecZ2D;
};

// Errors grow with the root of the logarithm of the size; results with the root of the size.
template <class T> static double allowed(size_t n)
{
    return fft<T>::tolerance * std::sqrt((double)n) * std::log2(n + 2.0);
}

template <class T> static std::vector<typename fft<T>::complex> narrow(const numbers &x)
{
    std::vector<typename fft<T>::complex> made(x.size());
    for (size_t i = 0; i < x.size(); i++)
        made[i] = {(T)x[i].real(), (T)x[i].imag()};
    return made;
}

static size_t product(const std::vector<int> &n)
{
    size_t made = 1;
    for (int each : n)
        made *= each;
    return made;
}

static numbers random_numbers(size_t count, bool real)
{
    numbers made(count);
    for (number &x : made)
        x = number((float)next(), real ? 0 : (float)next());
    return made;
}

template <class T> static cufftHandle plan(const std::vector<int> &n, cufftType type, int batch)
{
    cufftHandle made = 0;
    std::vector<int> sizes = n;
    if (n.size() == 1)
        OK(cufftPlan1d(&made, n[0], type, batch));
    else if (n.size() == 2 && batch == 1)
        OK(cufftPlan2d(&made, n[0], n[1], type));
    else if (batch == 1)
        OK(cufftPlan3d(&made, n[0], n[1], n[2], type));
    else
        OK(cufftPlanMany(&made, (int)n.size(), sizes.data(), nullptr, 1, 0, nullptr, 1, 0, type,
                         batch));
    return made;
}

template <class T> static void complex_to_complex(const std::vector<int> &n, int batch)
{
    size_t each = product(n);
    numbers in = random_numbers(each * batch, false);
    cufftHandle handle = plan<T>(n, fft<T>::c2c, batch);
    for (int way = 0; way < 4; way++) {
        int sign = way & 1 ? CUFFT_INVERSE : CUFFT_FORWARD;
        device<typename fft<T>::complex> from(in.size()), to(in.size());
        from.put(narrow<T>(in));
        bool in_place = way & 2;
        OK(fft<T>::whole(handle, from.data, in_place ? from.data : to.data, sign));
        auto got = (in_place ? from : to).get();
        for (int b = 0; b < batch; b++) {
            numbers want =
                definition(numbers(in.begin() + b * each, in.begin() + (b + 1) * each), n, sign);
            for (size_t i = 0; i < each; i++)
                expect(std::abs(number(got[b * each + i].x, got[b * each + i].y) - want[i]) <
                           allowed<T>(each),
                       in_place ? "complex, in place" : "complex", n.back(), (long)i);
        }
    }
    OK(cufftDestroy(handle));
}

// From real and back; in place, rows of the real side have room for the complex side's.
template <class T> static void real(const std::vector<int> &n, int batch)
{
    size_t columns = n.back(), half = columns / 2 + 1, each = product(n),
           rows = each / columns * batch;
    numbers in = random_numbers(each * batch, true), want;
    cufftHandle forth = plan<T>(n, fft<T>::r2c, batch), back = plan<T>(n, fft<T>::c2r, batch);
    for (int b = 0; b < batch; b++) {
        numbers part =
            definition(numbers(in.begin() + b * each, in.begin() + (b + 1) * each), n, -1);
        want.insert(want.end(), part.begin(), part.end());
    }
    for (bool in_place : {false, true}) {
        size_t pitch = in_place ? 2 * half : columns;
        device<T> from(rows * 2 * half);
        device<typename fft<T>::complex> to(rows * half);
        std::vector<T> padded(rows * 2 * half);
        for (size_t i = 0; i < rows * columns; i++)
            padded[i / columns * pitch + i % columns] = (T)in[i].real();
        from.put(padded);
        auto complexes = in_place ? (typename fft<T>::complex *)from.data : to.data;
        OK(fft<T>::from_real(forth, from.data, complexes));
        std::vector<typename fft<T>::complex> got(rows * half);
        cudaMemcpy(got.data(), complexes, got.size() * sizeof got[0], cudaMemcpyDeviceToHost);
        for (size_t r = 0; r < rows; r++)
            for (size_t k = 0; k < half; k++)
                expect(std::abs(number(got[r * half + k].x, got[r * half + k].y) -
                                want[r * columns + k]) < allowed<T>(each),
                       in_place ? "from real, in place" : "from real", n.back(), (long)k);
        OK(fft<T>::to_real(back, complexes, from.data));
        std::vector<T> there = from.get();
        for (size_t i = 0; i < rows * columns; i++)
            expect(std::fabs(there[i / columns * pitch + i % columns] / (double)each -
                             in[i].real()) < allowed<T>(each) / std::sqrt((double)each) * 2,
                   in_place ? "to real, in place" : "to real", n.back(), (long)i);
    }
    OK(cufftDestroy(forth));
    OK(cufftDestroy(back));
}

// Columns of a matrix as a batch, into the rows of a wider one.
static void layouts()
{
    int n[] = {30}, in_embed[] = {30}, out_embed[] = {40};
    const int columns = 4;
    cufftHandle handle;
    numbers in = random_numbers(30 * columns, false);
    device<cufftComplex> from(in.size()), to(40 * columns);
    from.put(narrow<float>(in));
    OK(cufftPlanMany(&handle, 1, n, in_embed, columns, 1, out_embed, 1, 40, CUFFT_C2C, columns));
    OK(cufftExecC2C(handle, from.data, to.data, CUFFT_FORWARD));
    auto got = to.get();
    for (int c = 0; c < columns; c++) {
        numbers column(30);
        for (int i = 0; i < 30; i++)
            column[i] = in[i * columns + c];
        column = definition(column, {30}, -1);
        for (int i = 0; i < 40; i++)
            expect(std::abs(number(got[c * 40 + i].x, got[c * 40 + i].y) -
                            (i < 30 ? column[i] : 0)) < allowed<float>(30),
                   "columns into rows", c, i);
    }
    OK(cufftDestroy(handle));

    // A part of an image, real, with gaps between elements.
    int sizes[] = {6, 10}, image[] = {8, 16}, result[] = {7, 9};
    numbers part = random_numbers(60, true);
    std::vector<float> pixels(2 * 8 * 16, 99.0f);
    for (int i = 0; i < 60; i++)
        pixels[2 * (i / 10 * 16 + i % 10)] = (float)part[i].real();
    device<float> picture(pixels.size());
    device<cufftComplex> spectrum(7 * 9);
    picture.put(pixels);
    OK(cufftPlanMany(&handle, 2, sizes, image, 2, 256, result, 1, 63, CUFFT_R2C, 1));
    OK(cufftExecR2C(handle, picture.data, spectrum.data));
    got = spectrum.get();
    part = definition(part, {6, 10}, -1);
    for (int r = 0; r < 7; r++)
        for (int k = 0; k < 9; k++)
            expect(std::abs(number(got[r * 9 + k].x, got[r * 9 + k].y) -
                            (r < 6 && k < 6 ? part[r * 10 + k] : 0)) < allowed<float>(60),
                   "a part of an image", r, k);
    OK(cufftDestroy(handle));
}

static void modes()
{
    cufftHandle handle, other;
    size_t size = 0, estimate = 0;
    int version = 0, n[] = {64};
    void *area;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    OK(cufftCreate(&handle));
    OK(cufftSetAutoAllocation(handle, 0));
    OK(cufftMakePlan1d(handle, 100, CUFFT_C2C, 2, &size));
    OK(cufftEstimate1d(100, CUFFT_C2C, 2, &estimate));
    expect(size && size == estimate, "the size of the area");
    device<cufftComplex> data(200);
    numbers in = random_numbers(200, false);
    data.put(narrow<float>(in));
    IS(NO_WORKSPACE, cufftExecC2C(handle, data.data, data.data, CUFFT_FORWARD));
    cudaMalloc(&area, size);
    OK(cufftSetWorkArea(handle, area));
    OK(cufftSetStream(handle, stream));
    OK(cufftExecC2C(handle, data.data, data.data, CUFFT_FORWARD));
    OK(cufftExecC2C(handle, data.data, data.data, CUFFT_INVERSE));
    cudaStreamSynchronize(stream);
    auto got = data.get();
    for (int i = 0; i < 200; i++) // not normalised
        expect(std::abs(number(got[i].x, got[i].y) / 100.0 - in[i]) < 1e-5, "there and back", i);
    OK(cufftDestroy(handle));
    cudaFree(area);
    IS(INVALID_PLAN, cufftDestroy(handle));

    // The same by the extensions' calls.
    long long wide = 100, large = 1LL << 40;
    OK(cufftCreate(&handle));
    IS(NOT_SUPPORTED, cufftXtMakePlanMany(handle, 1, &wide, nullptr, 1, 0, CUDA_C_16F, nullptr, 1,
                                          0, CUDA_C_16F, 2, &size, CUDA_C_16F));
    IS(INVALID_SIZE, cufftXtMakePlanMany(handle, 1, &large, nullptr, 1, 0, CUDA_C_32F, nullptr, 1,
                                         0, CUDA_C_32F, 2, &size, CUDA_C_32F));
    OK(cufftXtMakePlanMany(handle, 1, &wide, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0, CUDA_C_32F,
                           2, &size, CUDA_C_32F));
    data.put(narrow<float>(in));
    OK(cufftXtExec(handle, data.data, data.data, CUFFT_FORWARD));
    OK(cufftXtExec(handle, data.data, data.data, CUFFT_INVERSE));
    got = data.get();
    for (int i = 0; i < 200; i++)
        expect(std::abs(number(got[i].x, got[i].y) / 100.0 - in[i]) < 1e-5,
               "there and back, extended", i);
    OK(cufftDestroy(handle));
    IS(INVALID_PLAN, cufftExecC2C(handle, data.data, data.data, CUFFT_FORWARD));
    IS(INVALID_SIZE, cufftPlan1d(&other, 0, CUFFT_C2C, 1));
    IS(INVALID_SIZE, cufftPlan1d(&other, 8, CUFFT_C2C, 0));
    IS(INVALID_SIZE, cufftPlan3d(&other, 2048, 2048, 2048, CUFFT_C2C));
    IS(INVALID_SIZE, cufftPlan1d(&other, 2147483647, CUFFT_C2C, 1)); // a prime number
    IS(INVALID_VALUE, cufftPlan1d(&other, 8, (cufftType)1, 1));
    IS(INVALID_VALUE, cufftPlanMany(&other, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
    OK(cufftPlan1d(&other, 64, CUFFT_C2C, 1));
    IS(INVALID_VALUE, cufftExecC2C(other, data.data, data.data, 0));
    IS(INVALID_VALUE, cufftExecC2C(other, nullptr, data.data, CUFFT_FORWARD));
    IS(INVALID_PLAN, cufftExecR2C(other, (float *)data.data, data.data));
    OK(cufftDestroy(other));
    OK(cufftGetVersion(&version));
    expect(version == CUFFT_VERSION, "the version");
    cudaStreamDestroy(stream);
}

// What a plan would need, by each of the calls, before it is made; the estimates are exact.
static void sizes()
{
    cufftHandle handle;
    size_t size = 0, need = 0;
    int n[] = {6, 1009}, embed[] = {8, 2018};
    long long wide[] = {6, 1009}, wide_embed[] = {8, 2018}, large = 1LL << 40;
    OK(cufftCreate(&handle));
    OK(cufftEstimate1d(1009, CUFFT_C2C, 3, &need));
    OK(cufftGetSize1d(handle, 1009, CUFFT_C2C, 3, &size));
    expect(size && size == need, "the size of a line");
    OK(cufftEstimate2d(6, 1009, CUFFT_Z2Z, &need));
    OK(cufftGetSize2d(handle, 6, 1009, CUFFT_Z2Z, &size));
    expect(size && size == need, "the size of a plane");
    OK(cufftEstimate3d(2, 6, 1009, CUFFT_D2Z, &need));
    OK(cufftGetSize3d(handle, 2, 6, 1009, CUFFT_D2Z, &size));
    expect(size && size == need, "the size of a cube");
    OK(cufftEstimateMany(2, n, embed, 2, 20000, embed, 1, 20000, CUFFT_C2R, 2, &need));
    OK(cufftGetSizeMany(handle, 2, n, embed, 2, 20000, embed, 1, 20000, CUFFT_C2R, 2, &size));
    expect(size && size == need, "the size of several");
    size = 0;
    OK(cufftGetSizeMany64(handle, 2, wide, wide_embed, 2, 20000, wide_embed, 1, 20000, CUFFT_C2R, 2,
                          &size));
    expect(size == need, "the size of several, of 64 bits");
    size = 0;
    OK(cufftXtGetSizeMany(handle, 2, wide, wide_embed, 2, 20000, CUDA_C_32F, wide_embed, 1, 20000,
                          CUDA_R_32F, 2, &size, CUDA_C_32F));
    expect(size == need, "the size of several, by types");
    IS(NOT_SUPPORTED, cufftXtGetSizeMany(handle, 2, wide, nullptr, 1, 0, CUDA_C_16F, nullptr, 1, 0,
                                         CUDA_C_16F, 2, &size, CUDA_C_16F));
    IS(INVALID_SIZE,
       cufftGetSizeMany64(handle, 1, &large, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &size));
    IS(INVALID_VALUE, cufftGetSize1d(handle, 8, CUFFT_C2C, 1, nullptr));
    IS(INVALID_PLAN, cufftGetSize1d(handle + 1, 8, CUFFT_C2C, 1, &size));
    OK(cufftMakePlanMany64(handle, 2, wide, wide_embed, 2, 20000, wide_embed, 1, 20000, CUFFT_C2R,
                           2, &size));
    expect(size == need, "the size of the plan");
    OK(cufftDestroy(handle));
}

// As many plans as there can be, one more, and one in the place of another.
static void many_plans()
{
    std::vector<cufftHandle> all;
    cufftHandle handle;
    cufftResult status;
    while (!(status = cufftCreate(&handle)))
        all.push_back(handle);
    expect(status == CUFFT_ALLOC_FAILED && all.size() >= 1000, "as many plans as there can be");
    OK(cufftDestroy(all[7]));
    OK(cufftCreate(&all[7]));
    for (cufftHandle each : all)
        OK(cufftDestroy(each));
    IS(INVALID_PLAN, cufftDestroy(all.back()));
}

// cuComplex.h against the C++ library's complex numbers.
static void complex_header()
{
    cuDoubleComplex a = make_cuDoubleComplex(3, -4), b = make_cuDoubleComplex(-1.5, 0.25),
                    c = cuCdiv(a, b);
    number x(3, -4), y(-1.5, 0.25);
    expect(std::abs(number(c.x, c.y) - x / y) < 1e-15 * 5, "cuCdiv");
    c = cuCfma(a, b, cuConj(a));
    expect(number(c.x, c.y) == x * y + std::conj(x), "cuCfma, cuConj");
    c = cuCsub(cuCadd(a, b), a);
    expect(cuCreal(c) == -1.5 && cuCimag(c) == 0.25, "cuCadd, cuCsub");
    expect(cuCabs(a) == 5 && cuCabsf(make_cuComplex(3e30f, 4e30f)) < 5.1e30f, "cuCabs");
    c = cuCdiv(make_cuDoubleComplex(1e300, 1e300), make_cuDoubleComplex(1e300, 1e300));
    expect(std::fabs(c.x - 1) < 1e-15 && std::fabs(c.y) < 1e-15, "a quotient without overflow");
    cuComplex narrow = cuComplexDoubleToFloat(cuCmul(a, b));
    expect(narrow.x == -3.5f && narrow.y == 6.75f, "cuCmul, cuComplexDoubleToFloat");
}

template <class T> static void precision()
{
    for (int n = 1; n <= 36; n++)
        complex_to_complex<T>({n}, n % 3 + 1);
    // 1001 = 7 * 11 * 13, 1369 = 37 * 37; 67, 134, 1009: primes that are too large
    for (int n : {67, 125, 128, 134, 210, 243, 343, 1001, 1009, 1024, 1369})
        complex_to_complex<T>({n}, 2);
    for (int n : {1, 2, 3, 15, 16, 134, 300})
        real<T>({n}, 3);
    complex_to_complex<T>({8, 9}, 1);
    complex_to_complex<T>({5, 71}, 2);
    complex_to_complex<T>({71, 4, 6}, 1);
    complex_to_complex<T>({3, 1, 8}, 2);
    real<T>({10, 12}, 1);
    real<T>({69, 7}, 2);
    real<T>({4, 6, 5}, 1);
    real<T>({6, 4, 67}, 1);
}

int main(int argc, char **)
{
    precision<float>();
    if (argc > 1)
        return verdict();
    precision<double>();
    layouts();
    complex_header();
    modes();
    sizes();
    many_plans();
    expect(cudaGetLastError() == cudaSuccess, "no error of the runtime");
    return verdict();
}
