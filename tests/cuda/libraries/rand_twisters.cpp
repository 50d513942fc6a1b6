// Mersenne Twisters: MTGP32 against numbers of NVIDIA's library (libcurand 10.3, host generators),
// MT19937 against C++'s.
#include <random>

#include "rand_parts.h"

namespace
{

// Seed 1234: in the first and second round of the first, second and last sequence.
void mtgp_words()
{
    const size_t n = 100000;
    const size_t places[] = {0, 1, 256, 48896, 49152, 49408, 98304, 98559};
    const unsigned words[] = {0x95130d0d, 0x76af12e1, 0xb3ec7da8, 0x6e4f9d66,
                              0x303a95c2, 0x6aebba72, 0x283286c0, 0x992afcdc};
    generator g(CURAND_RNG_PSEUDO_MTGP32);
    device<unsigned> out(n);
    OK(curandGenerate(g, out.data, n));
    std::vector<unsigned> all = out.get();
    for (int i = 0; i < 8; i++)
        expect(all[places[i]] == words[i], "MTGP32", (double)places[i], all[places[i]]);

    generator pieces(CURAND_RNG_PSEUDO_MTGP32), old(CURAND_RNG_PSEUDO_MTGP32),
        wide(CURAND_RNG_PSEUDO_MTGP32);
    const size_t cut[] = {0, 3, 49152, 49160, 98304, n};
    for (int i = 0; i < 5; i++)
        OK(curandGenerate(pieces, out.data + cut[i], cut[i + 1] - cut[i]));
    expect(out.get() == all, "MTGP32 in pieces");
    OK(curandSetGeneratorOrdering(old, CURAND_ORDERING_PSEUDO_LEGACY)); // 64 sequences
    OK(curandGenerate(old, out.data, 16640));
    std::vector<unsigned> legacy = out.get();
    for (size_t i = 0; i < 256; i++)
        expect(legacy[i] == all[i] && legacy[16384 + i] == all[49152 + i], "MTGP32, legacy", i);
    OK(curandSetPseudoRandomGeneratorSeed(wide, 0xabcd00001234ull));
    OK(curandGenerate(wide, out.data, 1));
    expect(out.get()[0] == 0x820ea1f7, "MTGP32, a seed of 64 bits");
}

void mtgp_distributions()
{
    const size_t n = 101; // odd, as each number takes one word
    const double normals[] = {0.20783715, -0.09134578, 0.29401913, 2.6848192};
    generator words(CURAND_RNG_PSEUDO_MTGP32), uniform(CURAND_RNG_PSEUDO_MTGP32),
        uniform_double(CURAND_RNG_PSEUDO_MTGP32), normal(CURAND_RNG_PSEUDO_MTGP32),
        normal_double(CURAND_RNG_PSEUDO_MTGP32), log_normal(CURAND_RNG_PSEUDO_MTGP32),
        log_normal_double(CURAND_RNG_PSEUDO_MTGP32);
    device<unsigned> out(n);
    device<float> f(n);
    device<double> d(n);
    OK(curandGenerate(words, out.data, n));
    std::vector<unsigned> x = out.get();
    OK(curandGenerateUniform(uniform, f.data, n));
    std::vector<float> u = f.get();
    OK(curandGenerateUniformDouble(uniform_double, d.data, n));
    std::vector<double> ud = d.get();
    OK(curandGenerateNormal(normal, f.data, n, 3, 2));
    std::vector<float> z = f.get();
    OK(curandGenerateNormalDouble(normal_double, d.data, n, 3, 2));
    std::vector<double> zd = d.get();
    OK(curandGenerateLogNormal(log_normal, f.data, n, 3, 2));
    std::vector<float> l = f.get();
    OK(curandGenerateLogNormalDouble(log_normal_double, d.data, n, 3, 2));
    std::vector<double> ld = d.get();
    expect(u[0] == 0x1.2a261ap-1f && ud[0] == 0x1.2a261a1cp-1, "MTGP32, known uniform", u[0],
           ud[0]);
    for (size_t i = 0; i < n; i++) {
        expect(ud[i] == (x[i] + 1.0) * 0x1p-32, "MTGP32, uniform", i);
        expect(i >= 4 || near(z[i], 3 + 2 * normals[i], 2e-6), "MTGP32, known normal", i, z[i]);
        expect(near(zd[i], z[i], 1e-6), "MTGP32, normal", i, zd[i]);
        expect(near(std::log(l[i]), z[i], 2e-5), "MTGP32, log normal", i);
        expect(near(std::log(ld[i]), zd[i], 1e-11), "MTGP32, log normal double", i);
    }
}

void mt19937_words()
{
    const size_t n = 3000;
    const size_t cut[] = {0, 5, 224, 700, n};
    generator g(CURAND_RNG_PSEUDO_MT19937), host(CURAND_RNG_PSEUDO_MT19937, true);
    device<unsigned> out(n);
    std::vector<unsigned> there(n);
    std::mt19937 want(1234);
    for (int i = 0; i < 4; i++)
        OK(curandGenerate(g, out.data + cut[i], cut[i + 1] - cut[i]));
    OK(curandGenerateSeeds(host));
    OK(curandGenerate(host, there.data(), n));
    std::vector<unsigned> all = out.get();
    expect(all == there, "MT19937 on the host");
    for (size_t i = 0; i < n; i++)
        expect(all[i] == want(), "MT19937", i);
    OK(curandSetPseudoRandomGeneratorSeed(g, 99));
    OK(curandGenerate(g, out.data, 1));
    expect(out.get()[0] == std::mt19937(99)(), "MT19937, another seed");
}

} // namespace

void rand_twisters()
{
    mtgp_words();
    mtgp_distributions();
    mt19937_words();
    poisson(CURAND_RNG_PSEUDO_MTGP32, 7);
    poisson(CURAND_RNG_PSEUDO_MTGP32, 5000);
    poisson(CURAND_RNG_PSEUDO_MT19937, 300);
    generator g(CURAND_RNG_PSEUDO_MTGP32);
    IS(TYPE_ERROR, curandSetGeneratorOffset(g, 1)); // as NVIDIA's
    IS(OUT_OF_RANGE, curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DYNAMIC));
}
