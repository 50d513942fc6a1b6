/* Loads, stores, atomics, address spaces and initialisers. */
#include "base/rng.h"
#include "tests/ptx/op.h"

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"

static const uint32_t one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};

/* %m in the instruction tests points at 2048 bytes; this test uses its upper part. */
static void test_types(void **state)
{
    (void)state;
    CHECK(0xFFFFFF80, "st.global.u32 [%m+1500], %a; ld.global.s8 %d, [%m+1500];", 32, 32,
          0x12345680, 0, 0);
    CHECK(0x80, "st.global.u32 [%m+1500], %a; ld.global.u8 %d, [%m+1500];", 32, 32, 0x12345680, 0,
          0);
    CHECK(0xFF80, "st.global.u32 [%m+1500], %b; ld.global.s8 %d, [%m+1500];", 16, 32, 0, 0x80, 0);
    CHECK(0xFFFF8000, "st.global.u16 [%m+1500], %a; ld.global.s16 %d, [%m+1500];", 32, 32,
          0x12348000, 0, 0);
    CHECK(0x8000, "st.global.b16 [%m+1500], %a; ld.global.b16 %d, [%m+1500];", 64, 32, 0x12348000,
          0, 0);
    CHECK(0xFFFFFFFF80000000, "st.global.u32 [%m+1500], %a; ld.global.s32 %d, [%m+1500];", 64, 32,
          0x80000000, 0, 0);
    CHECK(0x80000000, "st.global.u32 [%m+1500], %a; ld.global.u32 %d, [%m+1500];", 64, 32,
          0x80000000, 0, 0);
    CHECK(0xFFFFFFFFFFFFFF80, "st.global.u8 [%m+1500], %a; ld.global.s8 %d, [%m+1500];", 64, 32,
          0x80, 0, 0);
    CHECK(0x1122334455667788, "st.global.u64 [%m+1501], %a; ld.global.f64 %d, [%m+1501];", 64, 64,
          0x1122334455667788, 0, 0);
    CHECK(0x77, "st.global.u64 [%m+1500], %a; ld.global.u8 %d, [%m+1501];", 32, 64,
          0x1122334455667788, 0, 0);
    CHECK(0x55667788, "st.global.v2.u32 [%m+1500], {%a, %b}; ld.u32 %d, [%m+1504];", 32, 32, 1,
          0x55667788, 0);
    CHECK(12,
          "{ .reg .v2 .u32 v; st.global.v2.u32 [%m+1504], {%a, %b}; ld.global.v2.u32 v, [%m+1504];"
          "add.u32 v.x, v.x, v.y; st.global.v2.u32 [%m+1504], v; ld.u32 %d, [%m+1504]; }",
          32, 32, 7, 5, 0);
    CHECK(0x0201, "st.global.v4.u8 [%m+1500], {%a, %b, %a, %b}; ld.global.u16 %d, [%m+1502];", 32,
          32, 1, 2, 0);
    CHECK(0x44,
          "{ .reg .b16 w<4>; st.global.u32 [%m+1500], %a;"
          "ld.global.v4.u8 {w0, w1, w2, w3}, [%m+1500]; cvt.u32.u16 %d, w0; }",
          32, 32, 0x11223344, 0, 0);
    CHECK(0x5, "st.global.v2.f64 [%m+1504], {%a, %b}; ld.global.v2.u64 {_, %d}, [%m+1504];", 64, 64,
          3, 5, 0);
    /* All the caching, ordering and coherence forms do the same thing here. */
    CHECK(9, "st.volatile.global.u32 [%m+1500], %a; ld.volatile.global.u32 %d, [%m+1500];", 32, 32,
          9, 0, 0);
    CHECK(9, "st.release.gpu.global.u32 [%m+1500], %a; ld.acquire.sys.global.u32 %d, [%m+1500];",
          32, 32, 9, 0, 0);
    CHECK(9, "st.relaxed.cta.global.u32 [%m+1500], %a; ld.relaxed.gpu.u32 %d, [%m+1500];", 32, 32,
          9, 0, 0);
    CHECK(9, "st.global.wt.u32 [%m+1500], %a; ld.global.cv.u32 %d, [%m+1500];", 32, 32, 9, 0, 0);
    CHECK(9, "st.global.cg.u32 [%m+1500], %a; ld.global.nc.u32 %d, [%m+1500];", 32, 32, 9, 0, 0);
    CHECK(9, "st.global.u32 [%m+1500], %a; prefetch.global.L2 [%m]; ldu.global.u32 %d, [%m+1500];",
          32, 32, 9, 0, 0);
    CHECK(9, "st.global.u32 [%m+1500], 9; ld.global.u32 %d, [%m+1500];", 32, 32, 0, 0, 0);
}

/* A pointer chase whose loads overwrite their own address registers. */
static void test_address_in_destination(void **state)
{
    (void)state;
    CHECK(0xABCD,
          "{ .reg .b64 n; add.u64 n, %m, 1600; st.global.u64 [%m+1500], n; st.global.u32 [n+8], %a;"
          "mov.u64 n, %m; ld.global.u64 n, [n+1500]; ld.global.u64 n, [n+8]; cvt.u32.u64 %d, n; }",
          32, 32, 0xABCD, 0, 0);
}

static void test_flags(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m,
                  HEADER ".entry k(.param .u64 p) { .reg .b64 %a; .reg .b32 %r; .reg .f32 %f;"
                         "ld.param.u64 %a, [p]; ld.volatile.global.u32 %r, [%a];"
                         "ld.global.cg.u32 %r, [%a]; ld.global.u64 %a, [%a];"
                         "st.global.u32 [%a], %r; red.global.add.u32 [%a], %r;"
                         "atom.shared.add.u32 %r, [%a], %r; ld.const.v4.f32 {%f, %f, %f, %f}, [%a];"
                         "st.global.v2.b32 [%a], {%r, %f}; ret; }");
    const struct inst *code = module_kernel(m.module, "k")->code;
    assert_int_equal(code[0].space, SPACE_PARAM);
    assert_int_equal(code[0].width, 8);
    assert_true(code[1].flags & INST_VOLATILE);
    assert_true(code[2].flags & INST_CACHE_GLOBAL && !(code[2].flags & INST_VOLATILE));
    assert_true(code[3].flags & INST_ADDR_IN_DST);
    assert_int_equal(code[4].class, INST_STORE);
    assert_false(code[5].flags & INST_HAS_DST);
    assert_true(code[6].flags & INST_HAS_DST);
    assert_int_equal(code[6].space, SPACE_SHARED);
    assert_int_equal(code[7].space, SPACE_CONST);
    assert_int_equal(code[7].vec, 4);
    assert_int_equal(code[7].width, 4);
    for (int i = 0; i < 9; i++)
        assert_int_equal(code[i].unit, UNIT_LDST);
    machine_stop(&m);
}

/* --- atomics -------------------------------------------------------------------------------------
 */

struct atomic_case {
    const char *op, *type;
    uint32_t bits;
    uint64_t old, b, c, now;
};

static const struct atomic_case atomics[] = {
    {"add", "u32", 32, 0xFFFFFFFF, 2, 0, 1},
    {"add", "s32", 32, 5, (uint32_t)-7, 0, (uint32_t)-2},
    {"add", "u64", 64, UINT64_MAX, 2, 0, 1},
    {"add", "f32", 32, 0x3F800000, 0x40000000, 0, 0x40400000},
    {"add", "f64", 64, 0x3FF0000000000000, 0x4000000000000000, 0, 0x4008000000000000},
    {"inc", "u32", 32, 5, 6, 0, 6},
    {"inc", "u32", 32, 6, 6, 0, 0},
    {"inc", "u32", 32, 9, 6, 0, 0},
    {"dec", "u32", 32, 5, 6, 0, 4},
    {"dec", "u32", 32, 0, 6, 0, 6},
    {"dec", "u32", 32, 9, 6, 0, 6},
    {"min", "s32", 32, 1, (uint32_t)-1, 0, (uint32_t)-1},
    {"min", "u32", 32, 1, (uint32_t)-1, 0, 1},
    {"max", "s32", 32, 1, (uint32_t)-1, 0, 1},
    {"max", "u32", 32, 1, (uint32_t)-1, 0, (uint32_t)-1},
    {"min", "s64", 64, 1, UINT64_MAX, 0, UINT64_MAX},
    {"max", "u64", 64, 1, UINT64_MAX, 0, UINT64_MAX},
    {"and", "b32", 32, 0xFF00FF00, 0xF0F0F0F0, 0, 0xF000F000},
    {"or", "b64", 64, 0xFF00, 0x00F0ull << 40, 0, 0x00F0ull << 40 | 0xFF00},
    {"xor", "b32", 32, 0xFF, 0x0F, 0, 0xF0},
    {"exch", "b32", 32, 5, 9, 0, 9},
    {"exch", "b64", 64, 5, 1ull << 50, 0, 1ull << 50},
    {"cas", "b32", 32, 5, 5, 7, 7},
    {"cas", "b32", 32, 5, 6, 7, 5},
    {"cas", "b64", 64, 1ull << 40, 1ull << 40, 3, 3},
    {"cas", "b64", 64, 1ull << 40 | 1, 1ull << 40, 3, 1ull << 40 | 1},
};

/* A single thread, so that the operation happens once. */
static void run_atomic(const struct atomic_case *c, const char *space, bool red)
{
    char text[600];
    bool cas = !strcmp(c->op, "cas");
    if (red && (cas || !strcmp(c->op, "exch")))
        return;
    snprintf(text, sizeof text,
             "{ .shared .align 8 .b8 s[8]; .reg .b64 x; %s st%s.u%u [x], %%a;"
             " %s%s.%s.%s %s[x], %%b%s; ld%s.u%u %%t, [x]; st.global.u%u [%%m+1600], %%t; }",
             !strcmp(space, ".shared") ? "mov.u64 x, s;" : "add.u64 x, %m, 1800;", space, c->bits,
             red ? "red" : "atom", space, c->op, c->type, red ? "" : "%d, ", cas ? ", %c" : "",
             space, c->bits, c->bits);
    struct op op = {.text = text, .width = {c->bits, c->bits, c->bits, c->bits}, .threads = 1};
    op.src[0][0] = c->old;
    op.src[1][0] = c->b;
    op.src[2][0] = c->c;
    /* Once for the old value, and again, with another ending, for the new one. */
    op_run(&op);
    if (!red && op.out[0] != c->old)
        fail_msg("atom%s.%s.%s returns %llx", space, c->op, c->type, (unsigned long long)op.out[0]);
    char again[700];
    snprintf(again, sizeof again, "%s mov.b%u %%d, %%t;", text, c->bits);
    op.text = again;
    op_run(&op);
    if (op.out[0] != c->now)
        fail_msg("%s%s.%s.%s gives %llx, expected %llx", red ? "red" : "atom", space, c->op,
                 c->type, (unsigned long long)op.out[0], (unsigned long long)c->now);
}

static void test_atomics(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++) {
        run_atomic(&atomics[i], ".global", false);
        run_atomic(&atomics[i], ".shared", false);
        run_atomic(&atomics[i], "", false);
        run_atomic(&atomics[i], ".global", true);
        run_atomic(&atomics[i], ".shared", true);
    }
}

/* Lanes in order: each sees what the lanes below left. */
static void test_atomic_order(void **state)
{
    (void)state;
    struct op op = {.text = "st.global.u32 [%m+1800], 100;"
                            "atom.relaxed.gpu.global.add.u32 %d, [%m+1800], %a;",
                    .width = {32, 32, 32, 32}};
    for (uint32_t i = 0; i < LANES; i++)
        op.src[0][i] = i + 1;
    op_run(&op);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(op.out[i], 100 + i * (i + 1) / 2);
}

/* The operands are those at issue, whatever happens to the registers before the access. */
static void test_atomic_capture(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m, HEADER ".entry k() { .reg .b32 %a, %b, %d; .reg .b64 %p; mov.u64 %p, 0;"
                             "atom.global.cas.b32 %d, [%p], %a, %b; ret; }");
    const struct kernel *k = module_kernel(m.module, "k");
    uint32_t reg[8][WARP_SIZE] = {{0}}, pred[MAX_PREDS] = {0}, memory = 5;
    const struct inst *atom = &k->code[1];
    assert_int_equal(atom->class, INST_ATOMIC);
    struct lane_ctx ctx = {.reg = reg, .pred = pred};
    ctx.konst = (const uint32_t(*)[WARP_SIZE])k->konst;
    for (uint32_t r = 0; r < 8; r++)
        reg[r][3] = 5;
    struct atomic_operands operands;
    uint8_t *at[WARP_SIZE] = {NULL};
    at[3] = (uint8_t *)&memory;
    isa_atomic_capture(atom, &ctx, 8, &operands);
    memset(reg, 0xEE, sizeof reg);
    isa_atomic_perform(atom, &ctx, 8, &operands, at);
    assert_int_equal(memory, 5); /* compared equal, replaced by 5 */
    uint32_t changed = 0;
    for (uint32_t r = 0; r < 8; r++)
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            changed += reg[r][i] != 0xEEEEEEEE;
    assert_int_equal(changed, 1);
    machine_stop(&m);
}

/* --- spaces --------------------------------------------------------------------------------------
 */

static void test_generic_addresses(void **state)
{
    (void)state;
    CHECK(77,
          "{ .shared .b32 s; .reg .b64 x, y; mov.u64 x, s; cvta.shared.u64 y, x;"
          "st.u32 [y], 77; ld.shared.u32 %d, [s]; }",
          32, 32, 0, 0, 0);
    CHECK(78,
          "{ .local .align 8 .b8 l[64]; .reg .b64 x, y; mov.u64 x, l; cvta.local.u64 y, x;"
          "st.local.u32 [x+12], 78; ld.u32 %d, [y+12]; }",
          32, 32, 0, 0, 0);
    CHECK(79,
          "{ .local .align 8 .b8 l[64]; .reg .b64 x, y, z; mov.u64 x, l; cvta.local.u64 y, x;"
          "cvta.to.local.u64 z, y; st.u32 [y], 79; ld.local.u32 %d, [z]; }",
          32, 32, 0, 0, 0);
    CHECK(0x7,
          "{ .shared .b32 s; .local .b32 l; .reg .b64 x; .reg .pred r; mov.u32 %d, 0;"
          "mov.u64 x, s; cvta.shared.u64 x, x; isspacep.shared r, x; @r or.b32 %d, %d, 1;"
          "mov.u64 x, l; cvta.local.u64 x, x; isspacep.local r, x; @r or.b32 %d, %d, 2;"
          "isspacep.global r, %m; @r or.b32 %d, %d, 4;"
          "isspacep.shared r, x; @r or.b32 %d, %d, 8; isspacep.local r, %m;"
          "@r or.b32 %d, %d, 16; }",
          32, 32, 0, 0, 0);
    /* Each lane its own local memory. */
    struct op op = {.text = "{ .local .b32 l[4]; st.local.u32 [l+8], %a; ld.local.u32 %d, [l+8]; }",
                    .width = {32, 32, 32, 32}};
    for (uint32_t i = 0; i < LANES; i++)
        op.src[0][i] = 1000 + i;
    op_run(&op);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(op.out[i], 1000 + i);
    /* 32-bit address registers. */
    CHECK(5,
          "{ .shared .b32 s[4]; .reg .b32 x; mov.u32 x, s; st.shared.u32 [x+4], 5;"
          "ld.shared.u32 %d, [s+4]; }",
          32, 32, 0, 0, 0);
    CHECK(6, /* below zero and back */
          "{ .shared .b32 s[4]; .reg .b32 x; st.shared.u32 [s], 6; mov.u32 x, s; add.u32 x, x, -8;"
          "ld.shared.u32 %d, [x+8]; }",
          32, 32, 0, 0, 0);
}

/* %m+1504 has 16 bytes of one source; the copy goes into ones. */
#define COPIED(expected, copy, at)                                                                 \
    CHECK(expected,                                                                                \
          "{ .shared .align 16 .b8 s[64]; .reg .b64 x; .reg .b32 y; .reg .pred r;"                 \
          "st.global.v2.u64 [%m+1504], {%a, %b}; mov.u64 x, s; mov.u32 y, s;"                      \
          "st.shared.v2.u64 [s+16], {-1, -1}; setp.eq.u64 r, %a, %a;" copy                         \
          "cp.async.commit_group; cp.async.wait_group 0; ld.shared.u64 %d, [s+" at "]; }",         \
          64, 64, 0x8877665544332211, 0x1122334455667788, 0)

static void test_copies(void **state)
{
    (void)state;
    COPIED(0xFFFFFFFF44332211, "cp.async.ca.shared.global [s+16], [%m+1504], 4;", "16");
    COPIED(0x8877665544332211, "cp.async.ca.shared.global [x+16], [%m+1504], 8;", "16");
    COPIED(0x1122334455667788, "cp.async.ca.shared::cta.global [y+16], [%m+1504], 16;", "24");
    COPIED(0x1122334455667788, "cp.async.cg.shared.global.L2::128B [y+16], [%m+1504], 16;", "24");
    COPIED(0x0000000000332211, "cp.async.ca.shared.global [y+16], [%m+1504], 8, 3;", "16");
    COPIED(0x0000000000007788, "cp.async.cg.shared.global [y+16], [%m+1504], 16, 10;", "24");
    COPIED(0, "cp.async.cg.shared.global [y+16], [%m+1504], 16, 0;", "16");
    COPIED(0x8877665544332211, "cp.async.cg.shared.global [y+16], [%m+1504], 16, 99;", "16");
    COPIED(0, "cp.async.ca.shared.global [y+16], [0], 8, r;", "16");
    COPIED(0x8877665544332211, "cp.async.ca.shared.global [y+16], [%m+1504], 8, !r;", "16");
    COPIED(UINT64_MAX, "@!r cp.async.ca.shared.global [y+16], [%m+1504], 8;", "16");
    COPIED(0x0000000000002211,
           "cp.async.ca.shared.global.L2::cache_hint [y+16], [%m+1504], 4, 2, x; st.shared.u32 "
           "[s+20], 0;",
           "16");
    COPIED(0x1122334455667788,
           "add.u64 x, %m, 2000; sub.u32 y, y, 8; "
           "cp.async.ca.shared.global.L2::64B.L2::cache_hint [y+24], [x+-488], 8, %m; ",
           "16");
    COPIED(0xFFFFFFFF44332211, "cp.async.ca.shared.global [s+16], [%m+1504], 4; cp.async.wait_all;",
           "16");
}

static void test_shared_layout(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m,
                  HEADER ".shared .b8 unused[1000];\n.shared .align 4 .b8 a[5];\n"
                         ".extern .shared .align 1 .b8 dyn[];\n"
                         ".entry k(.param .u64 out) { .shared .align 8 .f64 b[2]; .reg .b64 %o, %x;"
                         ".reg .b32 %r; ld.param.u64 %o, [out];"
                         "mov.u64 %x, a; st.global.u64 [%o], %x; mov.u64 %x, b;"
                         "st.global.u64 [%o+8], %x; mov.u64 %x, dyn+4; st.global.u64 [%o+16], %x;"
                         "mov.u32 %r, %dynamic_smem_size; st.global.u32 [%o+24], %r;"
                         "mov.u32 %r, %total_smem_size; st.global.u32 [%o+28], %r; ret; }");
    uint64_t out = machine_alloc(&m, 64, 8), got[4];
    machine_run(&m, "k", one, warp, 100, &out);
    memcpy(got, m.memory + out, sizeof got);
    assert_int_equal(module_kernel(m.module, "k")->shared_bytes, 32);
    assert_int_equal(got[0], 0);
    assert_int_equal(got[1], 8);
    assert_int_equal(got[2], 36);
    assert_int_equal(got[3], 100 | 132ull << 32);
    machine_stop(&m);
}

static void test_initialisers(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m, HEADER
                  ".global .align 8 .u64 value = 0x1122334455667788;\n"
                  ".const .align 4 .b8 bytes[6] = {1, 2, 255, -1};\n"
                  ".global .f32 floats[] = {1.5, 0f40000000, -2};\n"
                  ".global .f64 doubles[2] = {0d3FF8000000000000, 1e3};\n"
                  ".global .s16 grid[2][3] = {{1, 2, 3}, {-4}};\n"
                  ".global .align 8 .u64 pointers[4] = {value, generic(bytes)+2, 0, floats+4};\n"
                  ".visible .global .u32 zero;\n"
                  ".entry k(.param .u64 out) { .reg .b64 %o, %p; .reg .b32 %r; .reg .f32 %f;"
                  "ld.param.u64 %o, [out]; ld.global.u64 %p, [pointers]; ld.global.u64 %p, [%p];"
                  "st.global.u64 [%o], %p; ld.global.u64 %p, [pointers+8]; ld.u8 %r, [%p];"
                  "st.global.u32 [%o+8], %r; ld.global.u64 %p, [pointers+24]; ld.f32 %f, [%p];"
                  "st.global.f32 [%o+12], %f; ld.const.u8 %r, [bytes+3]; st.global.u32 [%o+16], %r;"
                  "mov.u64 %p, grid; ld.global.s16 %r, [%p+6]; st.global.u32 [%o+20], %r; ret; }");
    uint64_t out = machine_alloc(&m, 64, 8);
    machine_run(&m, "k", one, one, 0, &out);
    uint32_t got[6];
    memcpy(got, m.memory + out, sizeof got);
    assert_int_equal(got[0], 0x55667788);
    assert_int_equal(got[1], 0x11223344);
    assert_int_equal(got[2], 255);
    assert_int_equal(got[3], 0x40000000);
    assert_int_equal(got[4], 255);
    assert_int_equal((int32_t)got[5], -4);
    assert_int_equal(module_variable_count(m.module), 7);
    const struct module_variable *floats = module_variable_at(m.module, 2);
    assert_string_equal(floats->name, "floats");
    assert_int_equal(floats->size, 12);
    assert_int_equal(floats->address % 4, 0);
    assert_int_equal(module_variable_at(m.module, 1)->space, SPACE_CONST);
    assert_null(module_variable_at(m.module, 6)->init);
    machine_stop(&m);
}

static void test_parameters(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m, HEADER
                  ".entry k(.param .u8 a, .param .s16 b, .param .f64 c, .param .u32 d,"
                  ".param .align 8 .b8 e[12], .param .u64 .ptr .global .align 4 out) {"
                  ".reg .b64 %o, %x; .reg .b32 %r; ld.param.u64 %o, [out];"
                  "ld.param.u8 %r, [a]; st.global.u32 [%o], %r;"
                  "ld.param.s16 %r, [b]; st.global.u32 [%o+4], %r;"
                  "ld.param.f64 %x, [c]; st.global.u64 [%o+8], %x;"
                  "ld.param.u32 %r, [d]; st.global.u32 [%o+16], %r;"
                  "mov.b64 %x, e; ld.param.u32 %r, [%x+4]; st.global.u32 [%o+20], %r; ret; }");
    const struct kernel *k = module_kernel(m.module, "k");
    static const uint32_t offsets[] = {0, 2, 8, 16, 24, 40}, sizes[] = {1, 2, 8, 4, 12, 8};
    assert_int_equal(k->n_params, 6);
    assert_int_equal(k->param_bytes, 48);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(k->params[i].offset, offsets[i]);
        assert_int_equal(k->params[i].size, sizes[i]);
    }
    assert_int_equal(k->params[4].type, PTX_B8);
    assert_int_equal(k->params[2].type, PTX_F64);
    assert_string_equal(k->params[5].name, "out");
    uint8_t params[48] = {0};
    uint64_t out = machine_alloc(&m, 64, 8), c = 0x123456789ABCDEF;
    params[0] = 200;
    memcpy(params + 2, &(int16_t){-3}, 2);
    memcpy(params + 8, &c, 8);
    memcpy(params + 16, &(uint32_t){77}, 4);
    memcpy(params + 28, &(uint32_t){88}, 4);
    memcpy(params + 40, &out, 8);
    machine_run(&m, "k", one, one, 0, params);
    uint32_t got[6];
    memcpy(got, m.memory + out, sizeof got);
    assert_int_equal(got[0], 200);
    assert_int_equal((int32_t)got[1], -3);
    assert_memory_equal(&got[2], &c, 8);
    assert_int_equal(got[4], 77);
    assert_int_equal(got[5], 88);
    machine_stop(&m);
}

/* Several lanes store to one address: the highest lane wins. */
static void test_store_conflict(void **state)
{
    (void)state;
    CHECK(31, "st.global.u32 [%m+1800], %lane; ld.global.u32 %d, [%m+1800];", 32, 32, 0, 0, 0);
}

static uint64_t no_memory(void *user, uint64_t bytes, uint64_t align)
{
    (void)user;
    (void)align;
    return bytes > 1000 ? 0 : 4096;
}

static void test_device_full(void **state)
{
    (void)state;
    struct error err = {0};
    static const char text[] = HEADER ".global .b8 big[2000];\n.entry k() { ret; }";
    struct module *m = module_parse("full.ptx", text, sizeof text - 1, &err);
    assert_non_null(m);
    assert_false(module_place(m, no_memory, NULL, &err));
    assert_non_null(strstr(err.text, "big"));
    module_free(m);
}

/* A pattern, where one is found, gives every lane's address and the same loaded registers as the
 * list of addresses; it is found for the rows of 16 lanes that it is made for. */
static void check_pattern(struct rng *rng, const struct inst *inst, bool must)
{
    static uint32_t rows[3][MAX_REGS][WARP_SIZE];
    static uint8_t memory[1 << 16];
    const uint32_t steps[] = {0, 1, 2, 4, 8, 16, 132};
    struct lane_ctx ctx = {.reg = rows[0]};
    uint32_t step = steps[rng_below(rng, 7)], half = rng_below(rng, 3) ? rng_below(rng, 2000) : 0;
    uint32_t start = rng_below(rng, 5) ? rng_below(rng, 3000) : UINT32_MAX - rng_below(rng, 5000);
    bool odd = !must && rng_chance(rng, 1, 2);
    for (uint32_t r = 0; r < MAX_REGS; r++)
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            rows[0][r][i] = i / 16 * half + i % 16 * step + (must ? 64 : start);
    uint32_t high = must ? 0 : rng_below(rng, 3);
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        rows[0][inst->op.base + 1][i] = high;
    if (odd)
        rows[0][inst->op.base + rng_below(rng, 2)][rng_below(rng, WARP_SIZE)] ^= 4;
    struct lane_pattern p;
    uint64_t address[WARP_SIZE];
    isa_address(inst, &ctx, FULL_MASK, address);
    bool found = isa_address_pattern(inst, &ctx, &p);
    assert_true(found || !must);
    for (uint32_t i = 0; found && i < WARP_SIZE; i++)
        assert_int_equal(pattern_address(&p, i), address[i]);
    if (!must)
        return;
    const uint8_t *at[WARP_SIZE];
    for (uint32_t i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)rng_u64(rng);
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        at[i] = memory + address[i];
    memcpy(rows[1], rows[0], sizeof rows[1]);
    isa_load(inst, &ctx, FULL_MASK, at);
    ctx.reg = rows[1];
    isa_load_pattern(inst, &ctx, memory + p.first, &p);
    assert_memory_equal(rows[0], rows[1], sizeof rows[0]);
}

static void test_patterns(void **state)
{
    (void)state;
    struct machine m;
    machine_start(
        &m,
        HEADER ".entry k(.param .u64 p) { .reg .b64 %a, %w, %x; .reg .b32 %r<4>; .reg .b16 %h;"
               "ld.global.u32 %r0, [%a+8]; ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%a+16];"
               "ld.shared.u32 %r0, [%r1+4]; ld.global.u64 %w, [%a]; ld.global.u8 %h, [%a+3];"
               "ld.global.v2.u64 {%w, %x}, [%a]; ld.global.s32 %w, [%a]; ld.global.s16 %r0, [%a];"
               "st.global.v4.u32 [%a], {%r0, %r1, %r2, %r3}; st.global.u64 [%w], %x;"
               "st.global.u16 [%x], %h; ret; }");
    const struct kernel *kernel = module_kernel(m.module, "k");
    struct rng rng;
    rng_seed(&rng, 3);
    uint32_t loads = 0;
    for (uint32_t k = 0; k < kernel->n_inst; k++) {
        if (kernel->code[k].class != INST_LOAD || kernel->code[k].space == SPACE_PARAM)
            continue;
        loads++;
        for (uint32_t n = 0; n < 2000; n++)
            check_pattern(&rng, &kernel->code[k], n % 4 == 0);
    }
    assert_int_equal(loads, 8);
    machine_stop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_address_in_destination),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_atomic_order),
        cmocka_unit_test(test_atomic_capture),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_generic_addresses),
        cmocka_unit_test(test_shared_layout),
        cmocka_unit_test(test_initialisers),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_store_conflict),
        cmocka_unit_test(test_device_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
