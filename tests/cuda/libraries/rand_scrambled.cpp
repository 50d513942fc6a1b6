// Scrambled Sobol sequences by what makes them Sobol's, and Poisson numbers of Sobol's points
// against numbers of NVIDIA's library (libcurand 10.3, host generators).
#include <algorithm>

#include "rand_parts.h"

namespace
{

const size_t n = 1024, dimensions = 161;

void points()
{
    generator g(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32), wide(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64),
        uniform(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
    device<unsigned> out(n * dimensions);
    device<unsigned long long> out_wide(n * dimensions);
    device<double> d(n * dimensions);
    for (curandGenerator_t each : {g.handle, wide.handle, uniform.handle})
        OK(curandSetQuasiRandomGeneratorDimensions(each, dimensions));
    OK(curandGenerate(g, out.data, n * dimensions));
    OK(curandGenerateLongLong(wide, out_wide.data, n * dimensions));
    OK(curandGenerateUniformDouble(uniform, d.data, n * dimensions));
    std::vector<unsigned> all = out.get();
    std::vector<unsigned long long> all_wide = out_wide.get();
    std::vector<double> u = d.get();
    curandDirectionVectors32_t *vectors, *plain;
    curandDirectionVectors64_t *vectors_wide;
    unsigned *shifts;
    unsigned long long *shifts_wide;
    OK(curandGetDirectionVectors32(&plain, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    OK(curandGetDirectionVectors32(&vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
    OK(curandGetDirectionVectors64(&vectors_wide, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
    OK(curandGetScrambleConstants32(&shifts));
    OK(curandGetScrambleConstants64(&shifts_wide));
    for (size_t e = 0; e < n * dimensions; e++) {
        size_t i = e % n, k = e / n;
        unsigned x = shifts[k];
        unsigned long long w = shifts_wide[k];
        for (int bit = 0; bit < 10; bit++) {
            x ^= (i ^ i >> 1) >> bit & 1 ? vectors[k][bit] : 0;
            w ^= (i ^ i >> 1) >> bit & 1 ? vectors_wide[k][bit] : 0;
        }
        expect(all[e] == x && all_wide[e] == w, "a scrambled point", i, k);
        expect(all_wide[e] >> 32 == all[e], "64 bits", i, k);
        expect(near(u[e], (all[e] + 0.5) * 0x1p-32, 1e-12), "a uniform number", i, k);
    }
    // 1024 points have one in each of 1024 intervals, and the leading bit of a vector is the plain
    // one's.
    for (size_t k = 0; k < dimensions; k++) {
        std::vector<int> hits(1024);
        for (size_t i = 0; i < n; i++)
            hits[all[k * n + i] >> 22]++;
        expect(std::count(hits.begin(), hits.end(), 1) == 1024, "an interval each", k);
        bool same = true, first = true;
        for (int i = 0; i < 32; i++) {
            same &= vectors[k][i] == plain[k][i];
            first &= __builtin_clz(vectors[k][i]) == __builtin_clz(plain[k][i]);
        }
        expect(!same && first, "scrambled vectors", k);
        expect(k == 0 || shifts[k] != shifts[k - 1], "shifts", k);
    }
}

void numbers(curandRngType_t type, double mean, const std::vector<unsigned> &want)
{
    generator g(type);
    device<unsigned> out(want.size());
    OK(curandGeneratePoisson(g, out.data, want.size(), mean));
    std::vector<unsigned> got = out.get();
    for (size_t i = 0; i < want.size(); i++) // the first point is the tail of the distribution
        expect(i == 0 && mean == 1000 ? got[i] > 700 && got[i] < 820 : got[i] == want[i],
               "Poisson of Sobol's points", i, got[i]);
}

} // namespace

void rand_scrambled()
{
    points();
    for (curandRngType_t type : {CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64}) {
        numbers(type, 10, {0, 10, 12, 8, 9, 14, 11, 6, 7, 11, 15, 9, 8, 13, 10, 5, 6, 11, 13, 9});
        numbers(type, 1000, {809, 1000, 1021, 979, 990, 1036, 1010, 964, 972, 1015, 1049, 995});
    }
    numbers(CURAND_RNG_QUASI_SOBOL32, 10000,
            {9366, 10000, 10067, 9933, 9968, 10115, 10032, 9885, 9911, 10049, 10153, 9984});
    poisson(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, 12);
    poisson(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, 12);
}
