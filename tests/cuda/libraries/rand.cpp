// cuRAND against numbers of NVIDIA's library (libcurand 10.3, host generators), closed forms and
// moments: every generator and distribution, offsets, orders, calls in pieces, mistakes.
#include "rand_parts.h"

// --- NVIDIA's numbers: seed 1234, results 0, 1, 4095, 4096, and of 32 bits 81920 and 262149
// ------------

struct known {
    curandRngType_t type;
    unsigned bits[6];
    float uniform[4];
    double uniform_double[4];
    double normal[4], normal_double[4];
};
static const known knowns[] = {
    {CURAND_RNG_PSEUDO_XORWOW,
     {0x253d5e15, 0xd1f7605a, 0xe5dcbada, 0x6f558604, 0xc5ab68df, 0x6f9c7d2b},
     {0x1.29eafp-3f, 0x1.a3eecp-1f, 0x1.cbb976p-1f, 0x1.bd5618p-2f},
     {0x1.bd561cb7abc2bp-2, 0x1.da53518d7605ap-1, 0x1.f9f6378fcbadap-1, 0x1.d216d58cdb5e5p-2},
     {0.7809736, -1.801578, 1.297439, 1.939027},
     {0.3587397985245, -1.239592503224, 0.2063535395451, 1.443850346096}},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     {0xc96891f0, 0x26f0d612, 0xa85b4ff8, 0x9dda211d, 0x9650c684, 0x11821f9c},
     {0x1.92d124p-1f, 0x1.3786bp-3f, 0x1.50b6ap-1f, 0x1.3bb442p-1f},
     {0x1.92d123e0dcbe5p-1, 0x1.3786b09654f63p-3, 0x1.50b69ff0e518ap-1, 0x1.3bb4423bbe2a2p-1},
     {-0.3606538, -0.5912813, 1.30086, 0.04522071},
     {-0.3606536461117, -0.5912814037417, 1.300859633233, 0.04522071383124}},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     {0x2090b348, 0xda7cf0ab, 0x3aad5500, 0x7a6635c0, 0xc0712926, 0x653d7a73},
     {0x1.04859ap-3f, 0x1.b4f9e2p-1f, 0x1.d56aa8p-3f, 0x1.e998d8p-2f},
     {0x1.b4f9e35f0b348p-1, 0x1.97948a5c1907p-1, 0x1.9e18af1fe18d8p-1, 0x1.b9a579298d702p-3},
     {-1.61649, 1.229155, 0.07420032, 1.186628},
     {-0.5395266959073, 0.160633346442, 0.1018781500792, -1.480603331631}},
};
static const size_t places[] = {0, 1, 4095, 4096, 81920, 262149};

static void known_bits(const known &k)
{
    const size_t n = 262150;
    generator g(k.type);
    device<unsigned> out(n);
    OK(curandGenerate(g, out.data, n));
    std::vector<unsigned> all = out.get();
    for (int i = 0; i < 6; i++)
        expect(all[places[i]] == k.bits[i], "known bits", k.type, (long)places[i]);

    // The same in pieces, from a host generator, and from an offset.
    generator pieces(k.type), host(k.type, true), late(k.type);
    const size_t cut[] = {0, 3, 4096, 5001, 9000};
    for (int i = 0; i < 4; i++)
        OK(curandGenerate(pieces, out.data + cut[i], cut[i + 1] - cut[i]));
    std::vector<unsigned> again = out.get(), there(9000);
    OK(curandGenerate(host, there.data(), there.size()));
    OK(curandSetGeneratorOffset(late, 4099));
    OK(curandGenerate(late, out.data, 4000));
    std::vector<unsigned> tail = out.get();
    for (size_t i = 0; i < 9000; i++)
        expect(again[i] == all[i] && there[i] == all[i], "pieces", k.type, (long)i);
    for (size_t i = 0; i < 4000; i++)
        expect(tail[i] == all[i + 4099], "offset", k.type, (long)i);
}

static void known_distributions(const known &k)
{
    const size_t n = 4098;
    device<float> f(n);
    device<double> d(n);
    generator uniform(k.type), uniform_double(k.type), normal(k.type), normal_double(k.type);
    OK(curandGenerateUniform(uniform, f.data, n));
    std::vector<float> u = f.get();
    OK(curandGenerateUniformDouble(uniform_double, d.data, n));
    std::vector<double> ud = d.get();
    OK(curandGenerateNormal(normal, f.data, n, 3, 2));
    std::vector<float> g = f.get();
    OK(curandGenerateNormalDouble(normal_double, d.data, n, 3, 2));
    std::vector<double> gd = d.get();
    generator log_normal(k.type), log_normal_double(k.type);
    OK(curandGenerateLogNormal(log_normal, f.data, n, 3, 2));
    std::vector<float> l = f.get();
    OK(curandGenerateLogNormalDouble(log_normal_double, d.data, n, 3, 2));
    std::vector<double> ld = d.get();
    for (int i = 0; i < 4; i++) {
        size_t at = places[i];
        expect(u[at] == k.uniform[i], "known uniform", k.type, (long)at);
        expect(ud[at] == k.uniform_double[i], "known uniform double", k.type, (long)at);
        expect(near(g[at], 3 + 2 * k.normal[i], 5e-6), "known normal", k.type, (long)at);
        expect(near(gd[at], 3 + 2 * k.normal_double[i], 1e-11), "known normal double", k.type,
               (long)at);
    }
    for (size_t i = 0; i < n; i++) {
        expect(near(std::log(l[i]), g[i], 2e-5), "log normal", k.type, (long)i);
        expect(near(std::log(ld[i]), gd[i], 1e-11), "log normal double", k.type, (long)i);
    }
}

// --- Sobol
// ---------------------------------------------------------------------------------------------

static void sobol()
{
    const size_t n = 1000, dimensions = 161;
    const size_t place[] = {0, 1, 2, 80, 160};
    const unsigned bits[] = {0x28400000, 0xe8c00000, 0x14c00000, 0x4bc00000, 0xabc00000};
    const double normals[] = {-1.005922, 1.335721, -1.398012, -0.5362339, 0.4423954};
    generator g(CURAND_RNG_QUASI_DEFAULT), wide(CURAND_RNG_QUASI_SOBOL64),
        uniform(CURAND_RNG_QUASI_SOBOL64), normal(CURAND_RNG_QUASI_SOBOL32);
    device<unsigned> out(n * dimensions);
    device<unsigned long long> out_wide(n * dimensions);
    device<float> f(n * dimensions);
    for (curandGenerator_t each : {g.handle, wide.handle, uniform.handle, normal.handle})
        OK(curandSetQuasiRandomGeneratorDimensions(each, dimensions));
    OK(curandGenerate(g, out.data, n * dimensions));
    OK(curandGenerateLongLong(wide, out_wide.data, n * dimensions));
    OK(curandGenerateUniform(uniform, f.data, n * dimensions));
    std::vector<unsigned> all = out.get();
    std::vector<unsigned long long> all_wide = out_wide.get();
    std::vector<float> u = f.get();
    OK(curandGenerateNormal(normal, f.data, n * dimensions, 0, 1));
    std::vector<float> z = f.get();
    for (int i = 0; i < 5; i++) {
        size_t at = place[i] * n + n - 1;
        expect(all[at] == bits[i], "known point", (long)place[i]);
        expect(near(z[at], normals[i], 2e-6), "known normal point", (long)place[i]);
    }
    // 512 points have one in each of 512 intervals, in every dimension.
    for (size_t d = 0; d < dimensions; d++) {
        std::vector<int> hits(512);
        for (size_t i = 0; i < 512; i++)
            hits[all[d * n + i] >> 23]++;
        for (int h : hits)
            expect(h == 1, "interval", (long)d);
    }
    for (size_t i = 0; i < n * dimensions; i++) {
        expect(all_wide[i] >> 32 == all[i], "64 bits", (long)i);
        expect(u[i] == (float)(all[i] * 2.3283064e-10f + 2.3283064e-10f / 2.0f), "uniform points",
               (long)i);
    }
    // The next points are behind those.
    OK(curandGenerate(g, out.data, dimensions));
    std::vector<unsigned> next = out.get();
    generator late(CURAND_RNG_QUASI_SOBOL32);
    OK(curandSetQuasiRandomGeneratorDimensions(late, dimensions));
    OK(curandSetGeneratorOffset(late, n));
    OK(curandGenerate(late, out.data, dimensions));
    std::vector<unsigned> same = out.get();
    curandDirectionVectors32_t *vectors;
    OK(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    for (size_t d = 0; d < dimensions; d++) {
        expect(next[d] == same[d], "offset", (long)d);
        // Point 1000 differs from point 999 in the vector of the lowest zero of 999.
        expect(next[d] == (all[d * n + n - 1] ^ vectors[d][3]), "Gray code", (long)d);
    }
    unsigned hash = 0;
    unsigned long long hash_wide = 0;
    curandDirectionVectors64_t *vectors_wide;
    OK(curandGetDirectionVectors64(&vectors_wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    for (size_t d = 0; d < dimensions; d++) {
        for (int i = 0; i < 32; i++)
            hash = hash * 1664525u + vectors[d][i];
        for (int i = 0; i < 64; i++)
            hash_wide = hash_wide * 6364136223846793005ull + vectors_wide[d][i];
    }
    expect(hash == 0x5321d079 && hash_wide == 0xc32a55d01a2044f1ull, "vectors of NVIDIA's");
}

static void mistakes()
{
    curandGenerator_t none = nullptr, made;
    int value = 0;
    device<unsigned> out(64);
    device<float> f(64);
    IS(TYPE_ERROR, curandCreateGenerator(&made, (curandRngType_t)143));
    IS(NOT_INITIALIZED, curandGenerate(none, out.data, 4));
    IS(NOT_INITIALIZED, curandSetStream((curandGenerator_t)&value, nullptr));
    IS(NOT_INITIALIZED, curandDestroyGenerator(none));
    generator pseudo(CURAND_RNG_PSEUDO_DEFAULT), quasi(CURAND_RNG_QUASI_DEFAULT),
        wide(CURAND_RNG_QUASI_SOBOL64);
    IS(LENGTH_NOT_MULTIPLE, curandGenerateNormal(pseudo, f.data, 3, 0, 1));
    IS(TYPE_ERROR, curandGenerateLongLong(pseudo, (unsigned long long *)out.data, 4));
    IS(TYPE_ERROR, curandSetQuasiRandomGeneratorDimensions(pseudo, 2));
    IS(OUT_OF_RANGE, curandSetGeneratorOrdering(pseudo, CURAND_ORDERING_QUASI_DEFAULT));
    IS(OUT_OF_RANGE, curandSetGeneratorOrdering(pseudo, CURAND_ORDERING_PSEUDO_SEEDED));
    IS(OUT_OF_RANGE, curandSetGeneratorOrdering(quasi, CURAND_ORDERING_PSEUDO_DEFAULT));
    IS(SUCCESS, curandSetGeneratorOrdering(quasi, CURAND_ORDERING_QUASI_DEFAULT));
    IS(OUT_OF_RANGE, curandGeneratePoisson(pseudo, out.data, 4, 0));
    IS(OUT_OF_RANGE, curandGenerate(pseudo, nullptr, 4));
    IS(SUCCESS, curandGenerate(pseudo, nullptr, 0));
    IS(TYPE_ERROR, curandSetPseudoRandomGeneratorSeed(quasi, 5));
    IS(TYPE_ERROR, curandGenerate(wide, out.data, 4));
    IS(OUT_OF_RANGE, curandSetQuasiRandomGeneratorDimensions(quasi, 0));
    IS(OUT_OF_RANGE, curandSetQuasiRandomGeneratorDimensions(quasi, 162));
    IS(SUCCESS, curandSetQuasiRandomGeneratorDimensions(quasi, 5));
    IS(LENGTH_NOT_MULTIPLE, curandGenerate(quasi, out.data, 12));
    IS(SUCCESS, curandGetVersion(&value));
    expect(value == CURAND_VERSION, "version");
}

// MRG32k3a has 4096 subsequences in the old order, and 81920 otherwise.
static void orders()
{
    const size_t n = 4097;
    generator old(CURAND_RNG_PSEUDO_MRG32K3A);
    device<unsigned> out(n);
    OK(curandSetGeneratorOrdering(old, CURAND_ORDERING_PSEUDO_LEGACY));
    OK(curandGenerate(old, out.data, n));
    std::vector<unsigned> all = out.get();
    expect(all[0] == knowns[1].bits[0] && all[4095] == knowns[1].bits[2], "old order, first row");
    expect(all[4096] == knowns[1].bits[4], "old order, second row");
}

int main(int argc, char **)
{
    for (const known &k : knowns) {
        known_bits(k);
        known_distributions(k);
    }
    if (argc > 1)
        return verdict();
    poisson(CURAND_RNG_PSEUDO_XORWOW, 0.5);
    poisson(CURAND_RNG_PSEUDO_PHILOX4_32_10, 20);
    poisson(CURAND_RNG_PSEUDO_PHILOX4_32_10, 1000);
    orders();
    sobol();
    rand_twisters();
    rand_scrambled();
    mistakes();
    return verdict();
}
