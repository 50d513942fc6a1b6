/* One source, two compilers: each kernel of a file is compiled by two NVRTC libraries, and both
 * PTX modules run on the same numbers. Their results are equal, or within the units in the last
 * place that the source grants.
 *
 *     conformance KERNELS.cu ONE.so OTHER.so ARCHITECTURE [NUMBERS]
 *
 * The source names its kernels by KERNEL(name) and WITHIN(name, bits, ulp). The last line is a
 * verdict. */
#include <dlfcn.h>
#include <stdbool.h>

#include "sw/cuda/include/nvrtc.h"
#include "tests/cuda/api/api.h"

#define BLOCK 64u

struct compiler {
    void *library;
    char *ptx;
    CUmodule module;
};

/* A call of the library, by its type in nvrtc.h. */
#define CALL(compiler, name) (*(__typeof__(&name))find(compiler, #name))

static void *find(const struct compiler *compiler, const char *name)
{
    void *call = dlsym(compiler->library, name);
    MUST(call);
    return call;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    MUST(file && fseek(file, 0, SEEK_END) == 0);
    size_t size = (size_t)ftell(file);
    char *text = calloc(1, size + 1);
    rewind(file);
    MUST(text && fread(text, 1, size, file) == size);
    fclose(file);
    return text;
}

static void compile(struct compiler *compiler, const char *path, const char *source,
                    const char *architecture)
{
    char arch[64];
    const char *options[] = {arch, "--fmad=false", "--std=c++14"};
    nvrtcProgram program;
    size_t bytes = 0;
    int major = 0, minor = 0;
    snprintf(arch, sizeof arch, "--gpu-architecture=%s", architecture);
    compiler->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!compiler->library) {
        printf("%s\n", dlerror());
        exit(1);
    }
    MUST(CALL(compiler, nvrtcVersion)(&major, &minor) == 0);
    MUST(CALL(compiler, nvrtcCreateProgram)(&program, source, "kernels.cu", 0, NULL, NULL) == 0);
    if (CALL(compiler, nvrtcCompileProgram)(program, 3, options) != 0) {
        MUST(CALL(compiler, nvrtcGetProgramLogSize)(program, &bytes) == 0);
        char *log = calloc(1, bytes + 1);
        MUST(log && CALL(compiler, nvrtcGetProgramLog)(program, log) == 0);
        printf("%s: %s\n", path, log);
        exit(1);
    }
    MUST(CALL(compiler, nvrtcGetPTXSize)(program, &bytes) == 0);
    compiler->ptx = calloc(1, bytes + 1);
    MUST(compiler->ptx && CALL(compiler, nvrtcGetPTX)(program, compiler->ptx) == 0);
    OK(cuModuleLoadData(&compiler->module, compiler->ptx));
    printf("%s: NVRTC %d.%d, PTX %.3s\n", path, major, minor,
           strstr(compiler->ptx, ".version ") + 9);
}

/* --- the numbers ------------------------------------------------------------------------------ */

/* Random bits, and every sixteenth one that is a border of something. */
static uint64_t *numbers(uint32_t n)
{
    static const uint64_t borders[] = {
        0,           1,           0x8000000000000000u, 0x7fffffffffffffffu, 0xffffffffffffffffu,
        0x80000000u, 0x7fffffffu, 0x7f8000007f800000u, 0x7ff0000000000000u, 0x3f8000003f800000u};
    uint64_t *in = malloc(2 * sizeof *in * n), state = 27;
    MUST(in);
    for (uint32_t i = 0; i < 2 * n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        in[i] = state ^ state >> 29;
        if (i % 16 == 5)
            in[i] = borders[i / 16 % (sizeof borders / sizeof borders[0])];
    }
    return in;
}

/* Runs the kernel and returns what it has written, to be freed. */
static uint64_t *run(const struct compiler *compiler, const char *name, CUdeviceptr in, int n)
{
    CUfunction kernel;
    CUdeviceptr out;
    size_t bytes = 4 * sizeof(uint64_t) * (size_t)n;
    uint64_t *got = malloc(bytes);
    void *args[] = {&in, &out, &n};
    OK(cuModuleGetFunction(&kernel, compiler->module, name));
    OK(cuMemAlloc(&out, bytes));
    OK(cuMemsetD8(out, 0xee, bytes));
    OK(cuLaunchKernel(kernel, (unsigned int)n / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, args, NULL));
    OK(cuCtxSynchronize());
    MUST(got);
    OK(cuMemcpyDtoH(got, out, bytes));
    OK(cuMemFree(out));
    return got;
}

/* --- comparison ------------------------------------------------------------------------------- */

/* Numbers in the order of their bits, so that neighbours differ by 1. */
static int64_t ordered(uint64_t bits, int width)
{
    uint64_t sign = 1ull << (width - 1), magnitude = bits & (sign - 1);
    return bits & sign ? -(int64_t)magnitude : (int64_t)magnitude;
}

static uint64_t distance(uint64_t one, uint64_t other, int width)
{
    int64_t a = ordered(one, width), b = ordered(other, width);
    return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* The most units in the last place between two results; width 0: they are not numbers. */
static uint64_t furthest(const uint64_t *one, const uint64_t *other, uint32_t count, int width,
                         uint32_t *at)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t d = width ? distance(one[i], other[i], width) : (uint64_t)(one[i] != other[i]);
        if (d > most) {
            most = d;
            *at = i;
        }
    }
    return most;
}

/* 1: the results differ by more than is granted. */
static int compare(const struct compiler *both, const char *name, int width, uint64_t granted,
                   CUdeviceptr in, int n)
{
    uint32_t at = 0;
    uint64_t *one = run(&both[0], name, in, n), *other = run(&both[1], name, in, n);
    uint64_t most = furthest(one, other, 4 * (uint32_t)n, width, &at);
    bool wrong = most > granted;
    if (wrong)
        printf("%-26s differs: thread %u, result %u: 0x%016llx and 0x%016llx\n", name, at / 4,
               at % 4, (unsigned long long)one[at], (unsigned long long)other[at]);
    else if (width)
        printf("%-26s within %llu ulp of %llu\n", name, (unsigned long long)most,
               (unsigned long long)granted);
    else
        printf("%-26s equal\n", name);
    free(one);
    free(other);
    return wrong;
}

int main(int argc, char **argv)
{
    struct compiler both[2];
    CUcontext context;
    CUdeviceptr in;
    if (argc < 5) {
        fprintf(stderr, "usage: conformance KERNELS.cu ONE.so OTHER.so ARCHITECTURE [NUMBERS]\n");
        return 2;
    }
    uint32_t n = (argc > 5 ? (uint32_t)atoi(argv[5]) : 256u) / BLOCK * BLOCK;
    MUST(n);
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    char *source = read_text(argv[1]);
    for (int c = 0; c < 2; c++)
        compile(&both[c], argv[2 + c], source, argv[4]);
    uint64_t *values = numbers(n);
    OK(cuMemAlloc(&in, 2 * sizeof *values * n));
    OK(cuMemcpyHtoD(in, values, 2 * sizeof *values * n));
    int kernels = 0, wrong = 0;
    for (const char *line = source; line; line = strchr(line, '\n')) {
        char name[64];
        int width = 0, granted = 0;
        line += *line == '\n';
        if (sscanf(line, "KERNEL(%63[a-z_0-9])", name) != 1 &&
            sscanf(line, "WITHIN(%63[a-z_0-9], %d, %d)", name, &width, &granted) != 3)
            continue;
        kernels++;
        wrong += compare(both, name, width, (uint64_t)granted, in, (int)n);
    }
    free(values);
    free(source);
    free(both[0].ptx);
    free(both[1].ptx);
    MUST(kernels);
    printf("%s: %d kernels, %d differ, %s\n", wrong ? "FAIL" : "PASS", kernels, wrong, argv[4]);
    return wrong != 0;
}
