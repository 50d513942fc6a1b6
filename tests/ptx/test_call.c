/* Calls of device functions: parameter passing in all forms, and what is refused. */
#include "tests/ptx/machine.h"

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"
/* %x: the lane; its result goes out. */
#define BODY(text)                                                                                 \
    ".entry k(.param .u64 out) { .reg .b32 %x, %r, %s; .reg .b64 %a, %b, %w; .reg .pred %p;"       \
    ".reg .b16 %h; ld.param.u64 %a, [out]; mov.u32 %x, %tid.x; mul.wide.u32 %b, %x, 8;"            \
    "add.u64 %a, %a, %b; mov.u32 %r, 0; " text " st.global.u32 [%a], %r; ret; }"

static void expect(const char *text, uint32_t (*reference)(uint32_t lane))
{
    struct machine m;
    machine_start(&m, text);
    uint64_t out = machine_alloc(&m, 256, 8);
    machine_run(&m, "k", (const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){32, 1, 1}, 0, &out);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t got;
        memcpy(&got, m.memory + out + 8 * i, 4);
        assert_int_equal(got, reference(i));
    }
    machine_stop(&m);
}

static uint32_t plus_5(uint32_t x)
{
    return x + 5;
}

static uint32_t doubled_plus_5(uint32_t x)
{
    return 2 * (x + 5);
}

static void test_param_scalars(void **state)
{
    (void)state;
    expect(HEADER
           ".func (.param .b32 r) f(.param .b32 a, .param .b32 b) { .reg .b32 %x, %y;"
           "ld.param.u32 %x, [a]; ld.param.u32 %y, [b]; add.u32 %x, %x, %y;"
           "st.param.b32 [r+0], %x; ret; }\n" BODY(
               "{ .param .b32 p0; .param .b32 p1; .param .b32 q; st.param.b32 [p0+0], %x;"
               "st.param.b32 [p1+0], 5; call.uni (q), f, (p0, p1); ld.param.b32 %r, [q+0]; }"),
           plus_5);
}

/* Parameters p0 and p1 of one declaration, as registers have it. */
static void test_param_range(void **state)
{
    (void)state;
    expect(HEADER
           ".func (.param .b32 r) f(.param .b32 a, .param .b32 b) { .reg .b32 %x, %y;"
           "ld.param.u32 %x, [a]; ld.param.u32 %y, [b]; add.u32 %x, %x, %x; add.u32 %x, %x, %y;"
           "st.param.b32 [r], %x; ret; }\n" BODY(
               "{ .param .b32 p<2>, q; add.u32 %s, %x, 3; st.param.b32 [p0], %s;"
               "st.param.b32 [p1], 4; call (q), f, (p0, p1); ld.param.b32 %r, [q]; }"),
           doubled_plus_5);
}

static void test_register_parameters(void **state)
{
    (void)state;
    expect(HEADER ".func (.reg .b32 r) f(.reg .b32 a, .reg .b64 b) { .reg .b32 %y;"
                  "cvt.u32.u64 %y, b; add.u32 r, a, %y; ret; }\n" BODY("call (%r), f, (%x, 5);"),
           plus_5);
    /* Registers and constants for .param parameters. */
    expect(HEADER ".func (.param .b32 r) f(.param .b32 a, .param .u64 b) { .reg .b32 %x, %y;"
                  "ld.param.u32 %x, [a]; ld.param.u32 %y, [b]; add.u32 %x, %x, %y;"
                  "st.param.b32 [r], %x; ret; }\n" BODY("call (%r), f, (%x, 5);"),
           plus_5);
}

/* A function without parameters or result, in device memory; one that is declared before. */
static void test_no_parameters(void **state)
{
    (void)state;
    expect(HEADER
           ".func g();\n.global .u32 v;\n.func f() { call g; ret; }\n"
           ".func g() { .reg .b32 %y; ld.global.u32 %y, [v]; add.u32 %y, %y, 5;"
           "st.global.u32 [v], %y; ret; }\n" BODY(
               "st.global.u32 [v], 0; call.uni f, (); ld.global.u32 %r, [v]; add.u32 %r, %r, %x;"),
           plus_5);
}

/* Early returns, a second call of the same function, and a call under a guard. */
static uint32_t early(uint32_t x)
{
    uint32_t a = x < 9 ? 1 : x < 20 ? x * 2 : 7;
    return a + 100 * (a < 9 ? 1 : a < 20 ? a * 2 : 7) + (x == 3 ? 0 : 5);
}

static void test_early_return(void **state)
{
    (void)state;
    expect(HEADER ".func (.reg .b32 r) f(.reg .b32 a) { .reg .pred %q; mov.u32 r, 1;"
                  "setp.lt.u32 %q, a, 9; @%q ret; setp.lt.u32 %q, a, 20; @%q bra MID; mov.u32 r, 7;"
                  "ret; MID: mul.lo.u32 r, a, 2; ret; }\n"
                  ".func (.reg .b32 r) g(.reg .b32 a) { add.u32 r, a, 5; ret; }\n" BODY(
                      "call (%r), f, (%x); call (%s), f, (%r); mad.lo.u32 %r, %s, 100, %r;"
                      "setp.eq.u32 %p, %x, 3; @!%p call (%r), g, (%r);"),
           early);
}

/* An aggregate accessed in the same pieces stays in registers ... */
static const char aggregate[] =
    HEADER ".func (.param .align 8 .b8 r[16]) f(.param .align 8 .b8 a[16]) { .reg .b32 %x, %y;"
           ".reg .b64 %w; ld.param.u32 %x, [a]; ld.param.u8 %y, [a+4]; ld.param.u64 %w, [a+8];"
           "add.u32 %x, %x, %y; st.param.b32 [r+0], %x; st.param.b64 [r+8], %w; ret; }\n" BODY(
               "{ .param .align 8 .b8 p[16]; .param .align 8 .b8 q[16]; st.param.b32 [p+0], %x;"
               "st.param.b8 [p+4], 5; cvt.u64.u32 %w, %x; st.param.b64 [p+8], %w; call (q), f, (p);"
               "ld.param.b32 %r, [q+0]; ld.param.b64 %w, [q+8]; cvt.u32.u64 %s, %w; add.u32 %r, "
               "%r, %s; }");

static uint32_t twice_plus_5(uint32_t x)
{
    return 2 * x + 5;
}

static void test_aggregate_in_registers(void **state)
{
    (void)state;
    struct machine m;
    expect(aggregate, twice_plus_5);
    machine_start(&m, aggregate);
    assert_int_equal(module_kernel(m.module, "k")->local_bytes, 0);
    machine_stop(&m);
}

/* ... and goes to local memory when the pieces overlap or its address is taken. */
static const char overlapping[] =
    HEADER ".func (.param .b32 r) f(.param .align 8 .b8 a[16]) { .reg .b32 %x; .reg .b64 %w, %v;"
           "ld.param.u64 %w, [a]; cvt.u32.u64 %x, %w; shr.u64 %w, %w, 32; cvt.u32.u64 %x, %w;"
           "st.param.b32 [r], %x; ret; }\n" BODY(
               "{ .param .align 8 .b8 p[16]; .param .b32 q; st.param.v2.b32 [p+0], {%r, %x};"
               "call (q), f, (p); ld.param.b32 %r, [q]; add.u32 %r, %r, 5; }");

static const char addressed[] =
    HEADER ".func (.param .b32 r) f(.param .align 8 .b8 a[16], .param .b32 n) { .reg .b32 %x, %n;"
           ".reg .b64 %w, %v; mov.b64 %w, a; ld.param.u32 %n, [n]; mul.wide.u32 %v, %n, 4;"
           "add.u64 %w, %w, %v; ld.param.u32 %x, [%w]; st.param.b32 [r], %x; ret; }\n" BODY(
               "{ .param .align 8 .b8 p[16]; .param .b32 n; .param .b32 q;"
               "st.param.v4.b32 [p], {%r, %r, %x, %r}; st.param.b32 [n], 2; call (q), f, (p, n);"
               "ld.param.b32 %r, [q]; add.u32 %r, %r, 5; }");

static void test_aggregate_in_memory(void **state)
{
    (void)state;
    struct machine m;
    expect(overlapping, plus_5);
    expect(addressed, plus_5);
    machine_start(&m, addressed);
    assert_true(module_kernel(m.module, "k")->local_bytes >= 16);
    machine_stop(&m);
}

/* Sign and zero extension on both sides of a parameter. */
static uint32_t extended(uint32_t x)
{
    return (uint32_t)(int32_t)(int8_t)(x * 9) + (x * 9 & 0xFF);
}

static void test_narrow_parameters(void **state)
{
    (void)state;
    expect(HEADER ".func (.param .b32 r) f(.param .b8 a) { .reg .b32 %x, %y; ld.param.s8 %x, [a];"
                  "ld.param.u8 %y, [a]; add.u32 %x, %x, %y; st.param.b32 [r], %x; ret; }\n" BODY(
                      "{ .param .b8 p; .param .b32 q; mul.lo.u32 %s, %x, 9; st.param.b8 [p], %s;"
                      "call (q), f, (p); ld.param.b32 %r, [q]; }"),
           extended);
}

/* Locals of nested calls do not overlap; those of calls one after the other share their place. */
static void test_local_frames(void **state)
{
    (void)state;
    static const char text[] =
        HEADER ".func (.reg .b32 r) leaf(.reg .b32 a) { .local .b32 l[8]; st.local.u32 [l+4], a;"
               "ld.local.u32 r, [l+4]; add.u32 r, r, 5; ret; }\n"
               ".func (.reg .b32 r) mid(.reg .b32 a) { .local .b32 l[4]; .reg .b32 %t;"
               "st.local.u32 [l], a; call (%t), leaf, (a); ld.local.u32 r, [l]; add.u32 r, r, %t;"
               "call (%t), leaf, (0); add.u32 r, r, %t; ret; }\n" BODY(
                   ".local .b32 l[2]; st.local.u32 [l+4], %x; call (%r), mid, (%x); ld.local.u32 "
                   "%s, [l+4];"
                   "sub.u32 %s, %s, %x; add.u32 %r, %r, %s;");
    struct machine m;
    expect(text, doubled_plus_5);
    machine_start(&m, text);
    assert_int_equal(module_kernel(m.module, "k")->local_bytes, 8 + 16 + 32);
    machine_stop(&m);
}

/* Kernels that launch kernels know them by their functions' numbers, as a value and in a variable.
 */
static void test_kernel_addresses(void **state)
{
    (void)state;
    struct machine m;
    uint64_t got[2];
    machine_start(
        &m, HEADER
        ".func f() { ret; }\n.visible .entry e(.param .u32 p);\n"
        ".global .u64 v = e;\n" BODY(
            "call f; mov.u64 %b, e; st.global.u64 [%a+8], %b;"
            "ld.global.u64 %w, [v]; st.global.u64 [%a+16], %w;") "\n.visible .entry e(.param .u32 "
                                                                 "p) { ret; }\n");
    uint64_t out = machine_alloc(&m, 512, 8);
    machine_run(&m, "k", (const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){1, 1, 1}, 0, &out);
    memcpy(got, m.memory + out + 8, sizeof got);
    const struct kernel *k = module_kernel(m.module, "k"), *e = module_kernel(m.module, "e");
    assert_int_equal(got[0], got[1]);
    assert_int_equal(k->n_entries, 3);
    for (uint32_t i = 0; i < k->n_entries; i++)
        assert_int_equal(k->entries[i] == e, got[0] == FUNCTION_ADDRESS(i));
    assert_ptr_equal(k->entries[0], NULL); /* no kernel */
    assert_true(got[0] > FUNCTION_WINDOW);
    machine_stop(&m);
}

/* --- refusals ------------------------------------------------------------------------------------
 */

static void refuse(const char *text, const char *line, const char *reason)
{
    struct error err = {0};
    struct module *m = module_parse("bad.ptx", text, strlen(text), &err);
    if (m)
        (void)module_launchable(m, "k", &err);
    module_free(m);
    const char *message = strstr(err.text, "bad.ptx:");
    if (!message || !strstr(message, reason) || strncmp(message, line, strlen(line)) != 0)
        fail_msg("message: %s", err.text);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse(HEADER ".extern .func f();\n" BODY("\n\ncall f;"), "bad.ptx:7:", "not define");
    refuse(HEADER BODY("p: .callprototype ()_(); call %r, (), p;"), "bad.ptx:4:", "64");
    refuse(HEADER ".func f(.param .b32 a) { ret; }\n" BODY(
               "{ .param .b32 p; p: .callprototype ()_(.param .b32 _); call %a, (p), p;"
               "call %a, (p), p; }"),
           "bad.ptx:5:", "twice");
    refuse(HEADER ".func f(.reg .b32 a) { ret; }\n" BODY("call f, (%x, %x);"),
           "bad.ptx:5:", "1 parameters");
    refuse(HEADER ".func f(.param .b8 a[8]) { ret; }\n" BODY("{ .param .b32 p; call f, (p); }"),
           "bad.ptx:5:", "smaller");
    refuse(HEADER ".func f(.reg .b32 a) { ret; }\n" BODY("call f, (%a);"), "bad.ptx:5:", "64");
    refuse(HEADER ".func f(.reg .b32 a) { ret; }\n" BODY("mov.u32 %r, f;"), "bad.ptx:5:", "64-bit");
    refuse(HEADER ".entry e() { ret; }\n" BODY("call e;"), "bad.ptx:5:", "kernel");
    refuse(HEADER ".func f(.param .b32 a) { .reg .b64 %w; ld.param.u64 %w, [a]; ret; }\n" BODY(
               "call f, (%x);"),
           "bad.ptx:4:", "outside");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_param_scalars),
        cmocka_unit_test(test_param_range),
        cmocka_unit_test(test_register_parameters),
        cmocka_unit_test(test_no_parameters),
        cmocka_unit_test(test_early_return),
        cmocka_unit_test(test_aggregate_in_registers),
        cmocka_unit_test(test_aggregate_in_memory),
        cmocka_unit_test(test_narrow_parameters),
        cmocka_unit_test(test_local_frames),
        cmocka_unit_test(test_kernel_addresses),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
