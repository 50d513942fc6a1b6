/* tex: point and linear filtering, the address modes, formats, layers, references. */
#include <math.h>

#include "base/rng.h"
#include "sim/ptx/execute/texture.h"
#include "tests/ptx/machine.h"

#define WIDTH  5
#define HEIGHT 4

/* One fetch per thread: coordinates x, y, z from memory, four components out. */
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.global .texref ref;\n"
    ".entry f2(.param .u64 t, .param .u64 in, .param .u64 out) { .reg .b64 %t, %i, %o, %n;"
    " .reg .b32 %r; .reg .f32 %x<3>; .reg .f32 %f<4>;\n"
    "ld.param.u64 %t, [t]; ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %r, %tid.x;\n"
    "mul.wide.u32 %n, %r, 16; add.u64 %i, %i, %n; add.u64 %o, %o, %n;\n"
    "ld.global.v2.f32 {%x0, %x1}, [%i];\n"
    "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%x0, %x1}];\n"
    "st.global.v4.f32 [%o], {%f0, %f1, %f2, %f3}; ret; }\n"
    ".entry g2(.param .u64 t, .param .u64 in, .param .u64 out) { .reg .b64 %t, %i, %o, %n;"
    " .reg .b32 %r; .reg .f32 %x<3>; .reg .f32 %f<4>;\n"
    "ld.param.u64 %t, [t]; ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %r, %tid.x;\n"
    "mul.wide.u32 %n, %r, 16; add.u64 %i, %i, %n; add.u64 %o, %o, %n;\n"
    "ld.global.v2.f32 {%x0, %x1}, [%i];\n"
    "tld4.g.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%x0, %x1}];\n"
    "st.global.v4.f32 [%o], {%f0, %f1, %f2, %f3}; ret; }\n"
    ".entry i1(.param .u64 t, .param .u64 in, .param .u64 out) { .reg .b64 %t, %i, %o, %n;"
    " .reg .b32 %r; .reg .b32 %x<3>; .reg .b32 %f<4>;\n"
    "ld.param.u64 %t, [t]; ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %r, %tid.x;\n"
    "mul.wide.u32 %n, %r, 16; add.u64 %i, %i, %n; add.u64 %o, %o, %n;\n"
    "ld.global.b32 %x0, [%i];\n"
    "tex.1d.v4.s32.s32 {%f0, %f1, %f2, %f3}, [%t, {%x0}];\n"
    "st.global.v4.b32 [%o], {%f0, %f1, %f2, %f3}; ret; }\n"
    ".entry f3(.param .u64 t, .param .u64 in, .param .u64 out) { .reg .b64 %t, %i, %o, %n;"
    " .reg .b32 %r; .reg .f32 %x<4>; .reg .f32 %f<4>;\n"
    "ld.param.u64 %t, [t]; ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %r, %tid.x;\n"
    "mul.wide.u32 %n, %r, 16; add.u64 %i, %i, %n; add.u64 %o, %o, %n;\n"
    "ld.global.v4.f32 {%x0, %x1, %x2, %x3}, [%i];\n"
    "tex.3d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%x0, %x1, %x2, %x2}];\n"
    "st.global.v4.f32 [%o], {%f0, %f1, %f2, %f3}; ret; }\n"
    ".entry l2(.param .u64 t, .param .u64 in, .param .u64 out) { .reg .b64 %t, %i, %o, %n;"
    " .reg .b32 %r, %l; .reg .f32 %x<4>; .reg .f32 %f<4>;\n"
    "ld.param.u64 %t, [t]; ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %r, %tid.x;\n"
    "mul.wide.u32 %n, %r, 16; add.u64 %i, %i, %n; add.u64 %o, %o, %n;\n"
    "ld.global.v2.f32 {%x0, %x1}, [%i]; ld.global.b32 %l, [%i+8];\n"
    "tex.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%l, %x0, %x1, %x1}];\n"
    "st.global.v4.f32 [%o], {%f0, %f1, %f2, %f3}; ret; }\n"
    ".entry by_reference(.param .u64 t, .param .u64 in, .param .u64 out) { .reg .b64 %o, %h;"
    " .reg .f32 %x; .reg .f32 %f<8>;\n"
    "ld.param.u64 %o, [out]; mov.u64 %h, ref; mov.f32 %x, 0f3FC00000;\n"
    "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%h, {%x}];\n"
    "tex.level.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [ref, {%x}], %x;\n"
    "st.global.v2.f32 [%o], {%f0, %f4}; ret; }\n";

struct rig {
    struct machine m;
    uint64_t object, in, out, texels;
};

static void start(struct rig *r)
{
    machine_start(&r->m, text);
    r->object = machine_alloc(&r->m, TEXTURE_BYTES, TEXTURE_ALIGN);
    r->in = machine_alloc(&r->m, 32 * 16, 256);
    r->out = machine_alloc(&r->m, 32 * 16, 256);
    r->texels = machine_alloc(&r->m, 4096, 256);
}

static void bind(struct rig *r, uint64_t where, struct texture_descriptor d)
{
    d.base = r->texels;
    memcpy(r->m.memory + where, &d, sizeof d);
}

static void run(struct rig *r, const char *name, uint32_t threads)
{
    uint64_t params[3] = {r->object, r->in, r->out};
    machine_run(&r->m, name, (uint32_t[]){1, 1, 1}, (uint32_t[]){threads, 1, 1}, 0, params);
}

static float at(const struct rig *r, uint32_t thread, uint32_t component)
{
    float f;
    memcpy(&f, r->m.memory + r->out + 16 * thread + 4 * component, 4);
    return f;
}

static void put(struct rig *r, uint32_t thread, float x, float y, float z)
{
    float v[4] = {x, y, z, 0};
    memcpy(r->m.memory + r->in + 16 * thread, v, sizeof v);
}

static struct texture_descriptor image(uint8_t flags, uint8_t mode)
{
    return (struct texture_descriptor){.width = WIDTH,
                                       .height = HEIGHT,
                                       .depth = 1,
                                       .layers = 1,
                                       .pitch = WIDTH * 4,
                                       .slice = WIDTH * HEIGHT * 4,
                                       .channels = 1,
                                       .bits = 32,
                                       .kind = TEXTURE_FLOAT,
                                       .flags = flags,
                                       .address = {mode, mode, mode}};
}

static float texel(int x, int y)
{
    return (float)(10 * y + x * x);
}

static int index_of(int i, int n, uint8_t mode, bool *inside)
{
    *inside = true;
    if (i >= 0 && i < n)
        return i;
    switch (mode) {
    case TEXTURE_WRAP:
        return ((i % n) + n) % n;
    case TEXTURE_MIRROR:
        i = ((i % (2 * n)) + 2 * n) % (2 * n);
        return i < n ? i : 2 * n - 1 - i;
    case TEXTURE_BORDER:
        *inside = false;
        return 0;
    default:
        return i < 0 ? 0 : n - 1;
    }
}

static float fetch(int x, int y, uint8_t mode)
{
    bool a, b;
    int i = index_of(x, WIDTH, mode, &a), j = index_of(y, HEIGHT, mode, &b);
    return a && b ? texel(i, j) : 0;
}

/* CUDA C++ Programming Guide, "Linear Filtering". */
static double reference(double x, double y, uint8_t flags, uint8_t mode)
{
    if (flags & TEXTURE_NORMALIZED) {
        x *= WIDTH;
        y *= HEIGHT;
    }
    if (!(flags & TEXTURE_LINEAR))
        return fetch((int)floor(x), (int)floor(y), mode);
    double i = floor(x - 0.5), j = floor(y - 0.5);
    double a = rint((x - 0.5 - i) * 256) / 256, b = rint((y - 0.5 - j) * 256) / 256;
    int u = (int)i, v = (int)j;
    return (1 - a) * (1 - b) * fetch(u, v, mode) + a * (1 - b) * fetch(u + 1, v, mode) +
           (1 - a) * b * fetch(u, v + 1, mode) + a * b * fetch(u + 1, v + 1, mode);
}

static void test_filter_and_address(void **state)
{
    (void)state;
    struct rig r;
    start(&r);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float v = texel(x, y);
            memcpy(r.m.memory + r.texels + 4 * (y * WIDTH + x), &v, 4);
        }
    for (uint8_t flags = 0; flags < 4; flags++)
        for (uint8_t mode = 0; mode < 4; mode++) {
            bool normalized = flags & TEXTURE_NORMALIZED;
            uint8_t real = normalized || mode == TEXTURE_BORDER ? mode : TEXTURE_CLAMP;
            bind(&r, r.object, image(flags, mode));
            for (uint32_t i = 0; i < 32; i++) {
                float x = (float)i * 0.4375f - 3.0f, y = (float)(i * 7 % 32) * 0.34375f - 2.5f;
                put(&r, i, normalized ? x / 8 : x, normalized ? y / 8 : y, 0);
            }
            run(&r, "f2", 32);
            for (uint32_t i = 0; i < 32; i++) {
                float v[2];
                memcpy(v, r.m.memory + r.in + 16 * i, sizeof v);
                double want = reference((double)v[0], (double)v[1], flags, real);
                if (fabs((double)at(&r, i, 0) - want) > 1e-4)
                    fail_msg("flags %u, mode %u, (%g, %g): %g, expected %g", flags, mode,
                             (double)v[0], (double)v[1], (double)at(&r, i, 0), want);
            }
        }
    machine_stop(&r.m);
}

/* tld4: one channel of the texels that a filter would weigh, counter-clockwise from the lower left,
 * with y downwards; where there is no such channel, 0. */
static void test_gather(void **state)
{
    (void)state;
    static const int corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    struct rig r;
    start(&r);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float v[2] = {-1, texel(x, y)};
            memcpy(r.m.memory + r.texels + 8 * (y * WIDTH + x), v, sizeof v);
        }
    for (uint8_t flags = 0; flags < 2; flags++)
        for (uint8_t mode = TEXTURE_CLAMP; mode <= TEXTURE_BORDER; mode += 2) {
            struct texture_descriptor d = image(flags, mode);
            d.channels = 2;
            d.pitch = 8 * WIDTH;
            bind(&r, r.object, d);
            for (uint32_t i = 0; i < 32; i++)
                put(&r, i, (float)i * 0.25f - 1.0f, (float)(i * 5 % 32) * 0.25f - 2.0f, 0);
            run(&r, "g2", 32);
            for (uint32_t i = 0; i < 32; i++)
                for (uint32_t k = 0; k < 4; k++) {
                    int x = (int)floorf((float)i * 0.25f - 1.5f) + corner[k][0];
                    int y = (int)floorf((float)(i * 5 % 32) * 0.25f - 2.5f) + corner[k][1];
                    assert_true(at(&r, i, k) == fetch(x, y, mode));
                }
        }
    bind(&r, r.object, image(TEXTURE_LINEAR, TEXTURE_CLAMP));
    run(&r, "g2", 1);
    assert_true(at(&r, 0, 0) == 0 && at(&r, 0, 3) == 0);
    machine_stop(&r.m);
}

static void test_formats(void **state)
{
    (void)state;
    struct rig r;
    start(&r);
    struct texture_descriptor d = image(TEXTURE_NORMALIZED_FLOAT, TEXTURE_CLAMP);
    static const uint8_t bytes[] = {0, 255, 128, 64};
    memcpy(r.m.memory + r.texels, bytes, sizeof bytes);
    d.kind = TEXTURE_UNSIGNED;
    d.bits = 8;
    d.channels = 4;
    bind(&r, r.object, d);
    put(&r, 0, 0.5f, 0.5f, 0);
    run(&r, "f2", 1);
    for (uint32_t c = 0; c < 4; c++)
        assert_true(at(&r, 0, c) == (float)(bytes[c] / 255.0));
    d.kind = TEXTURE_SIGNED;
    bind(&r, r.object, d);
    run(&r, "f2", 1);
    assert_true(at(&r, 0, 1) == (float)(-1 / 127.0) && at(&r, 0, 2) == -1.0f);
    d.kind = TEXTURE_FLOAT;
    d.bits = 16;
    d.channels = 2;
    d.flags = 0;
    static const uint16_t halves[] = {0x3C00, 0xC000};
    memcpy(r.m.memory + r.texels, halves, sizeof halves);
    bind(&r, r.object, d);
    run(&r, "f2", 1);
    assert_true(at(&r, 0, 0) == 1.0f && at(&r, 0, 1) == -2.0f);
    machine_stop(&r.m);
}

static void test_buffer(void **state)
{
    (void)state;
    struct rig r;
    start(&r);
    struct texture_descriptor d = image(TEXTURE_BUFFER, TEXTURE_CLAMP);
    d.width = 8;
    d.height = 1;
    d.kind = TEXTURE_SIGNED;
    d.bits = 16;
    bind(&r, r.object, d);
    for (int i = 0; i < 12; i++) {
        int16_t v = (int16_t)(-5 * i - 1);
        memcpy(r.m.memory + r.texels + 2 * i, &v, 2);
        int32_t at_texel = i - 2;
        memcpy(r.m.memory + r.in + 16 * i, &at_texel, 4);
    }
    run(&r, "i1", 12);
    for (int i = 0; i < 12; i++) {
        int32_t v, k = i - 2;
        memcpy(&v, r.m.memory + r.out + 16 * i, 4);
        assert_int_equal(v, k >= 0 && k < 8 ? -5 * k - 1 : 0);
    }
    machine_stop(&r.m);
}

static void test_volumes_and_layers(void **state)
{
    (void)state;
    struct rig r;
    start(&r);
    struct texture_descriptor d = image(TEXTURE_LINEAR, TEXTURE_CLAMP);
    d.width = d.height = d.depth = 2;
    d.pitch = 8;
    d.slice = 16;
    for (int i = 0; i < 8; i++) {
        float v = (float)i;
        memcpy(r.m.memory + r.texels + 4 * i, &v, 4);
    }
    bind(&r, r.object, d);
    put(&r, 0, 1, 1, 1); /* the middle: the mean */
    put(&r, 1, 1.5f, 0.5f, 0.5f);
    put(&r, 2, 0.5f, 0.5f, 1.5f);
    run(&r, "f3", 3);
    assert_true(at(&r, 0, 0) == 3.5f && at(&r, 1, 0) == 1.0f && at(&r, 2, 0) == 4.0f);
    d.depth = 1;
    d.layers = 2;
    bind(&r, r.object, d);
    static const uint32_t layers[] = {0, 1, 7};
    for (uint32_t i = 0; i < 3; i++) {
        put(&r, i, 1.5f, 1.5f, 0);
        memcpy(r.m.memory + r.in + 16 * i + 8, &layers[i], 4);
    }
    run(&r, "l2", 3);
    assert_true(at(&r, 0, 0) == 3.0f && at(&r, 1, 0) == 7.0f && at(&r, 2, 0) == 7.0f);
    machine_stop(&r.m);
}

/* A .texref is a variable that holds the descriptor. */
static void test_reference(void **state)
{
    (void)state;
    struct rig r;
    start(&r);
    const struct module_variable *v = module_variable_at(r.m.module, 0);
    assert_string_equal(v->name, "ref");
    assert_int_equal(v->size, TEXTURE_BYTES);
    assert_int_equal(v->address % TEXTURE_ALIGN, 0);
    struct texture_descriptor d = image(0, TEXTURE_CLAMP);
    float three = 3;
    memcpy(r.m.memory + r.texels + 4, &three, 4);
    bind(&r, v->address, d);
    run(&r, "by_reference", 1);
    assert_true(at(&r, 0, 0) == 3.0f && at(&r, 0, 1) == 3.0f);
    machine_stop(&r.m);
}

/* Texels are found for all lanes at once, nearest and filtered ones: for every kind of texture and
 * coordinate what a lane by itself finds. Lane 31 fetches nothing. */
static struct texture_descriptor any_image(struct rng *rng)
{
    struct texture_descriptor d = {.width = 1 + rng_below(rng, 7),
                                   .height = 1 + rng_below(rng, 7),
                                   .depth = 1,
                                   .layers = 1,
                                   .pitch = 128};
    d.channels = (uint8_t)(1u << rng_below(rng, 3));
    d.bits = (uint8_t)(8u << rng_below(rng, 3));
    d.kind = (uint8_t)rng_below(rng, d.bits == 8 ? 2 : 3);
    d.flags = (uint8_t)(rng_chance(rng, 1, 2) ? 0 : TEXTURE_LINEAR);
    d.flags |= rng_chance(rng, 1, 2) ? TEXTURE_NORMALIZED : 0;
    d.flags |= rng_chance(rng, 1, 2) && d.bits < 32 ? TEXTURE_NORMALIZED_FLOAT : 0;
    d.address[0] = (uint8_t)rng_below(rng, 4);
    d.address[1] = (uint8_t)rng_below(rng, 4);
    return d;
}

static float any_coordinate(struct rng *rng)
{
    static const float edges[] = {0,     -0.0f,  1,        7,         0.99999994f, -1e-30f,
                                  1e30f, -1e30f, INFINITY, -INFINITY, NAN};
    uint32_t way = rng_below(rng, 4);
    float x = (float)rng_below(rng, 1u << 20) / (float)(1u << 20);
    return way == 0   ? edges[rng_below(rng, sizeof edges / sizeof *edges)]
           : way == 1 ? 20 * x - 8
           : way == 2 ? 3 * x - 1
                      : (float)rng_below(rng, 9);
}

static void test_all_lanes_and_one(void **state)
{
    (void)state;
    struct rig r;
    struct rng rng;
    struct lane_ctx ctx = {0};
    start(&r);
    rng_seed(&rng, 27);
    for (uint32_t i = 0; i < 4096; i++)
        r.m.memory[r.texels + i] = (uint8_t)rng_below(&rng, 256);
    for (int n = 0; n < 3000; n++) {
        struct texture_fetch f[31] = {0};
        bind(&r, r.object, any_image(&rng));
        for (uint32_t i = 0; i < 31; i++) {
            f[i] = (struct texture_fetch){.shape = TEXTURE_2D,
                                          .point = {any_coordinate(&rng), any_coordinate(&rng)}};
            put(&r, i, f[i].point[0], f[i].point[1], 0);
        }
        run(&r, "f2", 31);
        for (uint32_t i = 0; i < 31; i++) {
            struct texture_memory memory = {
                .base = r.m.memory, .bounds = {0, MEMORY_BYTES}, .ctx = &ctx};
            uint32_t want[4];
            texture_fetch(&memory, r.object, &f[i], TEXTURE_FLOAT, want);
            assert_memory_equal(r.m.memory + r.out + 16 * i, want, sizeof want);
        }
    }
    machine_stop(&r.m);
}

/* The words that a fetch costs are read where textures lie: memory and its caches see them there.
 */
static void test_words_are_global(void **state)
{
    struct rig r;
    unsigned words = 0;
    (void)state;
    start(&r);
    const struct kernel *k = module_kernel(r.m.module, "f2");
    for (uint32_t i = 0; i < k->n_inst; i++) {
        const struct inst *inst = &k->code[i];
        if (inst->class != INST_LOAD || inst->space == SPACE_PARAM)
            continue;
        assert_int_equal(inst->space, SPACE_GLOBAL);
        words++;
    }
    assert_in_range(words, 3, 6); /* the coordinates, the object, and texels */
    machine_stop(&r.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filter_and_address),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_buffer),
        cmocka_unit_test(test_volumes_and_layers),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_all_lanes_and_one),
        cmocka_unit_test(test_words_are_global),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
