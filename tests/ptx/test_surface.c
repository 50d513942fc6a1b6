/* Formatted stores to surfaces: each format's bytes, and what lies outside. */
#include "sim/ptx/execute/texture.h"
#include "tests/ptx/machine.h"

#define WIDTH   4
#define THREADS 7 /* thread t stores at x = t - 2 of row 1 */
#define ROW     64

/* The components of each thread from memory; some threads only in the guarded one. */
#define KERNEL(name, body)                                                                         \
    ".entry " name "(.param .u64 s, .param .u64 in) { .reg .b64 %s, %i, %n; .reg .b32 %r, %x, %y;" \
    " .reg .b32 %f<4>; .reg .pred %p;\n"                                                           \
    "ld.param.u64 %s, [s]; ld.param.u64 %i, [in]; mov.u32 %r, %tid.x; add.s32 %x, %r, -2;\n"       \
    "mov.u32 %y, 1; mul.wide.u32 %n, %r, 16; add.u64 %i, %i, %n; setp.ne.u32 %p, %r, 3;\n"         \
    "ld.global.v4.b32 {%f0, %f1, %f2, %f3}, [%i];\n" body " ret; }\n"
static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n" KERNEL(
    "zero4", "sust.p.2d.v4.b32.zero [%s, {%x, %y}], {%f0, %f1, %f2, %f3};")
    KERNEL("clamp2", "sust.p.2d.v2.b32.clamp [%s, {%x, %y}], {%f0, %f1};")
        KERNEL("guarded", "@%p sust.p.2d.b32.zero [%s, {%x, %y}], {%f0};")
            KERNEL("layer", "sust.p.a1d.v4.b32.zero [%s, {%y, %x}], {%f0, %f1, %f2, %f3};");

struct rig {
    struct machine m;
    uint64_t object, in, texels;
};

static void start(struct rig *r, uint8_t channels, uint8_t bits, uint8_t kind)
{
    machine_start(&r->m, text);
    r->object = machine_alloc(&r->m, TEXTURE_BYTES, TEXTURE_ALIGN);
    r->in = machine_alloc(&r->m, THREADS * 16, 256);
    r->texels = machine_alloc(&r->m, 2 * ROW, 256);
    struct texture_descriptor d = {.base = r->texels,
                                   .width = WIDTH,
                                   .height = 2,
                                   .depth = 1,
                                   .layers = 2,
                                   .pitch = ROW,
                                   .slice = ROW,
                                   .channels = channels,
                                   .bits = bits,
                                   .kind = kind};
    memcpy(r->m.memory + r->object, &d, sizeof d);
    memset(r->m.memory + r->texels, 0xEE, 2 * ROW);
}

static void store(struct rig *r, const char *name, const uint32_t in[THREADS][4])
{
    uint64_t params[2] = {r->object, r->in};
    memcpy(r->m.memory + r->in, in, THREADS * 16);
    machine_run(&r->m, name, (uint32_t[]){1, 1, 1}, (uint32_t[]){THREADS, 1, 1}, 0, params);
}

/* The elements of row 1, whose bytes are `want`, and nothing beside them. */
static void expect(struct rig *r, const void *want, size_t bytes)
{
    const uint8_t *rows = r->m.memory + r->texels;
    assert_memory_equal(rows + ROW, want, bytes);
    for (size_t i = 0; i < 2 * ROW; i++)
        if (i < ROW || i >= ROW + bytes)
            assert_int_equal(rows[i], 0xEE);
    machine_stop(&r->m);
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Components of thread t, in order: of the four that lie inside, 2 to 5. */
static void test_integers(void **state)
{
    (void)state;
    struct rig r;
    uint32_t in[THREADS][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    static const int32_t given[WIDTH][4] = {
        {1, -1, 300, 127}, {-128, -129, 128, 0}, {255, 256, 65535, 65536}, {-70000, 70000, 7, -7}};
    static const uint8_t u8[] = {1,   255, 255, 127, 255, 255, 128, 0,
                                 255, 255, 255, 255, 255, 255, 7,   255};
    static const int8_t s8[] = {1,   -1,  127, 127, -128, -128, 127, 0,
                                127, 127, 127, 127, -128, 127,  7,   -7};
    static const int16_t s16[] = {1, -1, -128, -129, 255, 256, -32768, 32767};
    static const uint16_t u16[] = {1, 65535, 255, 65535}; /* -128 and -70000 as unsigned numbers */
    memcpy(in + 2, given, sizeof given);
    start(&r, 4, 8, TEXTURE_UNSIGNED);
    store(&r, "zero4", in);
    expect(&r, u8, sizeof u8);
    start(&r, 4, 8, TEXTURE_SIGNED);
    store(&r, "zero4", in);
    expect(&r, s8, sizeof s8);
    start(&r, 2, 16, TEXTURE_SIGNED); /* the third and the fourth are dropped */
    store(&r, "zero4", in);
    expect(&r, s16, sizeof s16);
    start(&r, 1, 16, TEXTURE_UNSIGNED);
    store(&r, "zero4", in);
    expect(&r, u16, sizeof u16);
    start(&r, 4, 32, TEXTURE_SIGNED);
    store(&r, "zero4", in);
    expect(&r, given, sizeof given);
    start(&r, 1, 8, TEXTURE_SIGNED);
    store(&r, "zero4", in);
    expect(&r, (const int8_t[]){1, -128, 127, -128}, 4);
}

static void test_floats(void **state)
{
    (void)state;
    struct rig r;
    uint32_t in[THREADS][4] = {{0}};
    static const float given[WIDTH] = {1.5f, -2.0f, 70000.0f, 0x1.006p-1f}; /* the last: amid two */
    static const uint16_t want[] = {0x3E00, 0, 0xC000, 0, 0x7C00, 0, 0x3802, 0};
    for (int i = 0; i < WIDTH; i++)
        in[2 + i][0] = bits_of(given[i]);
    start(&r, 2, 16, TEXTURE_FLOAT);
    store(&r, "zero4", in);
    expect(&r, want, sizeof want);
    start(&r, 1, 32, TEXTURE_FLOAT);
    store(&r, "layer", in);
    expect(&r, (const uint32_t[]){in[2][0], in[3][0], in[4][0], in[5][0]}, 16);
}

/* Clamped: those outside fall on the first and the last element; the last thread of all wins. What
 * the instruction does not have is 0. */
static void test_clamped(void **state)
{
    (void)state;
    struct rig r;
    uint32_t in[THREADS][4];
    for (uint32_t i = 0; i < THREADS; i++)
        for (uint32_t c = 0; c < 4; c++)
            in[i][c] = 10 * i + c;
    start(&r, 4, 16, TEXTURE_UNSIGNED);
    store(&r, "clamp2", (const uint32_t(*)[4])in);
    static const uint16_t want[] = {20, 21, 0, 0, 30, 31, 0, 0, 40, 41, 0, 0, 60, 61, 0, 0};
    expect(&r, want, sizeof want);
    start(&r, 1, 32, TEXTURE_UNSIGNED);
    store(&r, "guarded", (const uint32_t(*)[4])in);
    expect(&r, (const uint32_t[]){20, 0xEEEEEEEE, 40, 50}, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_clamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
