/* cuda_fp16.h, cooperative_groups.h, curand_kernel.h: what kernels over them compute. */
#include <math.h>
#include <stdio.h>

#include "tests/sw/scratch.h"
#include "tests/sw/warp_vm.h"

#define THREADS 32u

struct rig {
    struct vm vm;
    struct module *module;
};

static void start(struct rig *r, void **state, const char *level)
{
    struct scratch_path ptx = scratch_path(state, "headers.ptx");
    char command[1200];
    if (system("command -v clang++-14 >/dev/null 2>&1") != 0) {
        print_message("skipped: clang++-14 is not installed (package clang-14)\n");
        skip();
    }
    snprintf(command, sizeof command, "sw/cu2ptx.sh tests/sw/cuda/device_headers.cu '%s' %s",
             ptx.text, level);
    assert_int_equal(system(command), 0);
    r->vm = vm_create(16u << 20);
    r->module = vm_load(&r->vm, ptx.text);
}

static void stop(struct rig *r)
{
    module_free(r->module);
    free(r->vm.memory);
}

static void run_threads(struct rig *r, const char *name, const uint64_t *arguments, uint32_t n)
{
    struct vm_params p = {.kernel = module_kernel(r->module, name)};
    assert_non_null(p.kernel);
    if (p.kernel->defect)
        fail_msg("%s", p.kernel->defect);
    for (uint32_t i = 0; i < p.kernel->n_params; i++)
        vm_set(&p, i, arguments[i]);
    struct vm_launch l = {p.kernel, {1, 1, 1}, {n, 1, 1}, 0, p.bytes};
    vm_run(&r->vm, &l);
}

static void run(struct rig *r, const char *name, const uint64_t *arguments)
{
    run_threads(r, name, arguments, THREADS);
}

static void *at(struct rig *r, uint64_t address)
{
    return r->vm.memory + address;
}

/* --- halves: small values, which half precision has exactly
 * ----------------------------------------- */
static void check_halves(struct rig *r)
{
    static const uint16_t in[4] = {0x3C00, 0x4000, 0xBC00, 0x4200}; /* 1, 2, -1, 3 */
    static const float value[4] = {1, 2, -1, 3};
    static const uint16_t results[4][2] = {
        /* a * 1.5 + 2, less 1.5 where above 1.5; 1.5 * 0.5 + 1.5 */
        {0x4000, 0x4080},
        {0x4300, 0x4080},
        {0x3800, 0x4080},
        {0x4500, 0x4080}};
    uint64_t a[3] = {vm_alloc(&r->vm, 64, 64), vm_alloc(&r->vm, 256, 64),
                     vm_alloc(&r->vm, 128, 64)};
    uint16_t *x = at(r, a[0]), *out = at(r, a[1]);
    float *f = at(r, a[2]);
    for (uint32_t i = 0; i < THREADS; i++)
        x[i] = in[i % 4];
    run(r, "halves", a);
    for (uint32_t i = 0; i < THREADS; i++) {
        float c = value[i % 4] * 1.5f + 2;
        c = c > 1.5f ? c - 1.5f : c;
        assert_int_equal(out[4 * i], results[i % 4][0]);
        assert_int_equal(out[4 * i + 1], results[i % 4][1]);
        assert_int_equal(out[4 * i + 2], in[(i ^ 1) % 4]);
        assert_int_equal((int16_t)out[4 * i + 3], (int)value[i % 4]);
        assert_true(fabsf(f[i] - (sqrtf(fabsf(value[i % 4])) + c)) < 0.002f);
    }
}

static void check_groups(struct rig *r)
{
    uint64_t a[2] = {vm_alloc(&r->vm, 128, 64), vm_alloc(&r->vm, 1024, 64)};
    int32_t *in = at(r, a[0]), *out = at(r, a[1]);
    int odd = 0, first_odd = -1, rank = 0;
    for (int i = 0; i < (int)THREADS; i++) {
        in[i] = i * i * 7 % 23;
        odd += in[i] & 1;
        if (first_odd < 0 && in[i] & 1)
            first_odd = in[i];
    }
    run(r, "groups", a);
    for (int i = 0; i < (int)THREADS; i++) {
        int base = i & ~7, sum = 0, most = in[base], upto = 0, ballot = 0;
        for (int k = base; k < base + 8; k++) {
            sum += in[k];
            most = in[k] > most ? in[k] : most;
            upto += k <= i ? in[k] : 0;
            ballot |= (in[k] & 1) << (k - base);
        }
        const int *o = out + 8 * i;
        assert_int_equal(o[0], sum);
        assert_int_equal(o[1], most);
        assert_int_equal(o[2], upto);
        assert_int_equal(o[3], in[(i & 7) + 2 < 8 ? i + 2 : i]);
        assert_int_equal(o[4], ballot);
        if (in[i] & 1) {
            assert_int_equal(o[5], odd * 100 + rank++);
            assert_int_equal(o[6], first_odd);
        } else {
            assert_int_equal(o[5], -1);
        }
        assert_int_equal(o[7], i / 8 * 10 + i % 8);
    }
}

#define WIDE 1024

static void check_wide_groups(struct rig *r)
{
    uint64_t a[2] = {vm_alloc(&r->vm, 4 * WIDE, 64), vm_alloc(&r->vm, 24 * WIDE, 64)};
    int32_t *in = at(r, a[0]), *out = at(r, a[1]);
    for (int i = 0; i < WIDE; i++)
        in[i] = i * i * 7 % 523 + (i < 640);
    run_threads(r, "wide_groups", a, WIDE);
    for (int i = 0; i < WIDE; i++) {
        int base = i & ~63, sum = 0, most = in[base], any = 0, all = 1, of_warp = 0;
        for (int k = base; k < base + 64; k++) {
            sum += in[k];
            most = in[k] > most ? in[k] : most;
            any |= in[k] == 5;
            all &= in[k] > 0;
            of_warp += k / 32 == i / 32 ? in[k] : 0;
        }
        const int *o = out + 6 * i;
        assert_int_equal(o[0], sum);
        assert_int_equal(o[1], most);
        assert_int_equal(o[2], in[base + 63]);
        assert_int_equal(o[3], any * 10 + all);
        assert_int_equal(o[4], of_warp);
        assert_int_equal(o[5], i / 64 * 1000 + WIDE / 64 * 100 + i % 64);
    }
}

static void check_wide_tiles(struct rig *r)
{
    uint64_t a[2] = {vm_alloc(&r->vm, 4 * WIDE, 64), vm_alloc(&r->vm, 48 * WIDE, 64)};
    int32_t *in = at(r, a[0]), *out = at(r, a[1]);
    for (int i = 0; i < WIDE; i++)
        in[i] = i * i * 7 % 523 - 40;
    run_threads(r, "wide_tiles", a, WIDE);
    for (int i = 0; i < WIDE; i++) {
        int least = in[i], most = in[i], of_warp = 0, of_tile = 0, of_own = 0, upto = 0,
            own_upto = 0, last = 0;
        for (int k = i & ~255; k <= (i | 255); k++) {
            of_own += in[k];
            own_upto += k < i ? in[k] : 0;
            if (k / 32 == i / 32)
                of_warp += in[k];
            if (k / 64 == i / 64 && k <= i)
                last = k % 64 == 0 || in[k] % 3 ? in[k] : last;
            if (k / 128 != i / 128)
                continue;
            of_tile += in[k];
            upto += k < i ? in[k] : 0;
            least = in[k] < least ? in[k] : least;
            most = in[k] > most ? in[k] : most;
        }
        const int *o = out + 12 * i;
        assert_int_equal(o[0], of_tile);
        assert_int_equal(o[1], least);
        assert_int_equal(o[2], most);
        assert_int_equal(o[3], of_tile);
        assert_int_equal(o[4], upto + in[i]);
        assert_int_equal(o[5], upto);
        assert_int_equal(o[6], last);
        assert_int_equal(o[7], of_warp);
        assert_int_equal(o[8], of_own);
        assert_int_equal(o[9], (i & ~255) + 200);
        assert_int_equal(o[10], i / 128 * 1000 + WIDE / 128 * 100 + i / 64);
        assert_int_equal(o[11], own_upto);
    }
}

/* --- XORWOW: the jump by 2^67 as a matrix, squared
 * ------------------------------------------------- */
static void step(uint32_t v[5])
{
    uint32_t t = v[0] ^ v[0] >> 2;
    memmove(v, v + 1, 4 * sizeof *v);
    v[4] = (v[3] ^ v[3] << 4) ^ (t ^ t << 1);
}

static void apply(uint32_t (*m)[5], uint32_t v[5])
{
    uint32_t sum[5] = {0};
    for (uint32_t i = 0; i < 160; i++)
        if (v[i / 32] >> (i % 32) & 1)
            for (int k = 0; k < 5; k++)
                sum[k] ^= m[i][k];
    memcpy(v, sum, sizeof sum);
}

static void subsequence_matrix(uint32_t (*m)[5])
{
    for (uint32_t i = 0; i < 160; i++) {
        memset(m[i], 0, sizeof m[i]);
        m[i][i / 32] = 1u << (i % 32);
        step(m[i]);
    }
    for (int k = 0; k < 67; k++) {
        uint32_t square[160][5];
        memcpy(square, m, sizeof square);
        for (uint32_t i = 0; i < 160; i++)
            apply(m, square[i]);
        memcpy(m, square, sizeof square);
    }
}

struct xorwow {
    uint32_t v[5], d;
};

static uint32_t next(struct xorwow *s)
{
    step(s->v);
    s->d += 362437;
    return s->v[4] + s->d;
}

static void check_xorwow(struct rig *r)
{
    uint32_t m[160][5];
    uint64_t a[3] = {vm_alloc(&r->vm, 1024, 64), vm_alloc(&r->vm, 256, 64),
                     vm_alloc(&r->vm, 512, 64)};
    run(r, "xorwow", a);
    const uint32_t *out = at(r, a[0]);
    const float *f = at(r, a[1]);
    const double *d = at(r, a[2]);
    subsequence_matrix(m);
    uint32_t low = 1099087573u * (1234 ^ 0xAAD26B49u), high = 2591861531u * 0xF7DCEFDDu;
    struct xorwow start_state = {
        {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
        6615241u + high + low};
    for (uint32_t i = 0; i < THREADS; i++) {
        struct xorwow s = start_state;
        uint32_t w[11];
        for (int k = 0; k < 11; k++)
            w[k] = next(&s);
        assert_memory_equal(out + 8 * i, w, 8 * sizeof *w);
        assert_true(f[2 * i] == fmaf((float)w[8], 2.3283064e-10f, 1.1641532e-10f) ||
                    f[2 * i] == (float)w[8] * 2.3283064e-10f + 1.1641532e-10f);
        double u = w[9] * 2.3283064365386963e-10, v = w[10] * 1.4629180792671596e-9;
        assert_true(fabs((double)f[2 * i + 1] - sqrt(-2 * log(u)) * sin(v)) < 1e-4);
        assert_true(d[2 * i] == w[5]);
        assert_true(d[2 * i + 1] > 0 && d[2 * i + 1] < 1);
        apply(m, start_state.v);
    }
}

/* Thread 0 against the values that the authors of Philox and MRG32k3a publish. */
static void check_counters(struct rig *r)
{
    static const uint32_t known[4] = {0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8};
    uint64_t a[2] = {vm_alloc(&r->vm, 1024, 64), vm_alloc(&r->vm, 512, 64)};
    run(r, "philox", a);
    const uint32_t *out = at(r, a[0]);
    assert_memory_equal(out, known, sizeof known);
    for (uint32_t i = 1; i < THREADS; i++)
        assert_memory_not_equal(out, out + 8 * i, 32);
    run(r, "mrg", &a[1]);
    const double *u = at(r, a[1]);
    assert_true(fabs(u[0] - 0.1270111220) < 1e-9 && fabs(u[1] - 0.3185275653) < 1e-9);
    for (uint32_t i = 0; i < 2 * THREADS; i++)
        assert_true(u[i] > 0 && u[i] <= 1);
}

/* Dimension 2 in the order of the Gray code: its first points, and all 96 in different intervals.
 */
static void check_sobol(struct rig *r)
{
    static const uint32_t known[8] = {0,          0x80000000, 0x40000000, 0xC0000000,
                                      0x20000000, 0xA0000000, 0x60000000, 0xE0000000};
    uint64_t a[3] = {vm_alloc(&r->vm, 512, 64), vm_alloc(&r->vm, 1024, 64),
                     vm_alloc(&r->vm, 1024, 64)};
    run(r, "sobol", a);
    const uint32_t *out = at(r, a[0]);
    const uint64_t *wide = at(r, a[1]);
    const double *d = at(r, a[2]);
    bool hit[128] = {false}, first[8] = {false};
    for (uint32_t i = 0; i < 3 * THREADS; i++) {
        assert_int_equal(wide[i] >> 32, out[i]);
        assert_false(hit[out[i] >> 25]);
        hit[out[i] >> 25] = true;
        for (uint32_t k = 0; i < 8 && k < 8; k++)
            first[k] = first[k] || out[i] == known[k];
    }
    for (uint32_t k = 0; k < 8; k++)
        assert_true(first[k]);
    for (uint32_t i = 0; i + 2 < THREADS; i++) {
        /* After three draws from 3 i comes what thread i + 1 began with. */
        double u = (out[3 * i + 3] + 0.5) / 4294967296.0,
               next = (out[3 * i + 4] + 0.5) / 4294967296.0;
        assert_true(fabs(d[4 * i] - u) < 1e-7 && fabs(d[4 * i + 1] - u) < 1e-9);
        assert_true(fabs(erfc(-d[4 * i + 2] / sqrt(2)) / 2 - next) < 1e-6);
        assert_true(fabs(erfc(-d[4 * i + 3] / sqrt(2)) / 2 - next) < 1e-9);
    }
}

static void check_scrambled_sobol(struct rig *r)
{
    uint64_t a[2] = {vm_alloc(&r->vm, 256, 64), vm_alloc(&r->vm, 512, 64)};
    run(r, "scrambled_sobol", a);
    const uint32_t *out = at(r, a[0]);
    const uint64_t *wide = at(r, a[1]);
    for (uint32_t n = 0; n < 2 * THREADS; n++) {
        uint32_t x = 0x12345678, v = 1u << 31;
        for (uint32_t gray = n ^ n >> 1; gray; gray >>= 1, v ^= v >> 1)
            x ^= gray & 1 ? v : 0;
        assert_int_equal(out[n], x);
        assert_int_equal(wide[n] >> 32, x);
    }
}

static void at_two_levels(void **state)
{
    static const char *const levels[] = {"-O1", "-O3 --cuda-gpu-arch=sm_70"};
    for (int i = 0; i < 2; i++) {
        struct rig r;
        start(&r, state, levels[i]);
        check_halves(&r);
        check_groups(&r);
        check_wide_groups(&r);
        check_wide_tiles(&r);
        check_xorwow(&r);
        check_counters(&r);
        check_sobol(&r);
        check_scrambled_sobol(&r);
        const struct kernel *overloads = module_kernel(r.module, "overloads");
        if (overloads->defect)
            fail_msg("%s", overloads->defect);
        stop(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_two_levels)};
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
