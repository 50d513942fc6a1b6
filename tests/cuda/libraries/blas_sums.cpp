// cuBLAS's sums: of millions of numbers, and norms at the ends of the range, where squares overflow
// or vanish.
#include "blas_numbers.h"
#include "blas_parts.h"

namespace
{

void within(double got, double want, double error, const char *what)
{
    expect(std::fabs(got - want) <= error * std::fabs(want), what, got, want);
}

// Numbers of one sign, whose sum one after the other would round each time in the same direction.
void many(session &s)
{
    const int n = 12 << 20;
    const double error = 1e-6; // about 16 roundings
    numbers<float> x((size_t)n);
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        x.host[i] = 0.1f;
        sum += x.host[i];
        squares += (double)x.host[i] * x.host[i];
    }
    x.send();
    scalars<float> got(s, {7, 7, 7});
    OK(cublasSnrm2(s.handle, n, x.device, 1, got.at(0)));
    OK(cublasSasum(s.handle, n, x.device, 1, got.at(1)));
    OK(cublasSdot(s.handle, n, x.device, 1, x.device, 1, got.at(2)));
    within(got.got()[0].real(), std::sqrt(squares), error, "nrm2 of many");
    within(got.got()[1].real(), sum, error, "asum of many");
    within(got.got()[2].real(), squares, error, "dot of many");
}

template <class T> struct norm;
template <> struct norm<float> {
    static constexpr auto of = cublasSnrm2;
};
template <> struct norm<double> {
    static constexpr auto of = cublasDnrm2;
};

// 3 and 4 times powers of two that are far apart or at an end of the range.
template <class T> void ends(session &s)
{
    typedef std::numeric_limits<T> limits;
    const double most = std::ldexp(1, limits::max_exponent - 4), least = limits::denorm_min(),
                 inf = limits::infinity();
    const double small = std::sqrt(std::ldexp(1, limits::min_exponent));
    const std::vector<double> cases[] = {{3 * most, 4 * most},
                                         {3 * least, 4 * least},
                                         {3 * small, 4 * small},
                                         {3 / small, 4 / small},
                                         {3 * most, 4, 4 * most, 4 * least},
                                         {3, 4 * small * small, 4},
                                         {3 * small, least, 4 * small},
                                         {inf, 1, most},
                                         {0, 0}};
    for (auto &given : cases) {
        std::vector<wide> values(1000); // zeros
        double scale = 0, sum = 0;
        for (double x : given)
            scale = std::fmax(scale, x);
        for (size_t i = 0; i < given.size(); i++) {
            values[i * 300] = given[i];
            sum += scale > 0 ? given[i] / scale * (given[i] / scale) : 0;
        }
        numbers<T> x(values);
        scalars<T> got(s, {7});
        OK(norm<T>::of(s.handle, 1000, x.device, 1, got.at()));
        if (scale == inf)
            expect(got.got()[0].real() == inf, "nrm2 of an infinity");
        else
            within(got.got()[0].real(), scale * std::sqrt(sum), 4 * limits::epsilon(),
                   "nrm2 of ends");
    }
    numbers<T> x({most, nan_number(), least});
    scalars<T> got(s, {7});
    OK(norm<T>::of(s.handle, 3, x.device, 1, got.at()));
    expect(std::isnan(got.got()[0].real()), "nrm2 of what is no number");
}

} // namespace

void blas_sums(cublasHandle_t handle)
{
    session s(handle);
    for (int mode = 0; mode < 2; mode++, s.turn()) {
        ends<float>(s);
        ends<double>(s);
    }
    many(s);
}
