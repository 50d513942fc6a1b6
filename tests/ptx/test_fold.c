/* Pointers to tiles with constants added to them: which become an offset of the tile, and which do
 * not, because the base may have another value by then. */
#include "sim/ptx/execute/lanes.h"
#include "tests/ptx/machine.h"

#define HEADER                                                                                     \
    ".version 7.0\n.target sm_80\n.address_size 64\n"                                              \
    ".entry k(.param .u64 in) { .shared .align 8 .b8 s[4096]; .reg .pred %p; .reg .b32 %x;"        \
    ".reg .b64 %i, %a, %b, %c, %g; .reg .f64 %t; ld.param.u64 %i, [in]; mov.u32 %x, %tid.x;"       \
    "setp.gt.u32 %p, %x, 3; mul.wide.u32 %a, %x, 8; "
#define LOAD "wmma.load.b.sync.aligned.col.m8n8k4.f64 {%t}, [%g], 4; "
#define END  "st.global.f64 [%i], %t; ret; }"

static void expect(const char *body, int64_t offset, uint8_t space)
{
    struct error err = {0};
    char text[2048];
    int n = snprintf(text, sizeof text, "%s%s%s", HEADER, body, END);
    struct module *m = module_parse("k.ptx", text, (size_t)n, &err);
    const struct kernel *k = m ? module_kernel(m, "k") : NULL;
    if (!k || k->defect)
        fail_msg("%s: %s", body, k ? k->defect : err.text);
    uint32_t i = 0;
    while (i < k->n_inst && k->code[i].exec != lanes_tile_address)
        i++;
    assert_true(i + 1 < k->n_inst);
    if (k->code[i].op.imm != offset || k->code[i + 1].space != space)
        fail_msg("%s: offset %lld, space %d", body, (long long)k->code[i].op.imm,
                 k->code[i + 1].space);
    module_free(m);
}

static void test_folded(void **state)
{
    (void)state;
    expect("add.s64 %g, %i, 64; " LOAD, 64, SPACE_GENERIC);
    expect("add.s64 %b, %i, 64; add.s64 %g, %b, -96; " LOAD, -32, SPACE_GENERIC);
    expect("add.s64 %b, %a, 64; cvta.shared.u64 %g, %b; " LOAD, 64, SPACE_SHARED);
    expect("cvta.shared.u64 %b, %a; add.s64 %g, %b, 8; " LOAD, 8, SPACE_SHARED);
    expect("cvta.shared.u64 %g, %a; " LOAD, 0, SPACE_SHARED);
    expect("add.s64 %g, %i, 2147483640; " LOAD, 2147483640, SPACE_GENERIC);
    /* In a loop, each time from a base that is new, too. */
    expect("L: add.s64 %b, %a, %i; add.s64 %g, %b, 64; " LOAD "@%p bra L; ", 64, SPACE_GENERIC);
    /* Before a loop, whatever the way to it. */
    expect("add.s64 %g, %i, 64; @%p bra M; mov.u32 %x, 1; M: L: " LOAD "@%p bra L; ", 64,
           SPACE_GENERIC);
}

static void test_left_alone(void **state)
{
    (void)state;
    expect(LOAD, 0, SPACE_GENERIC);
    expect("add.s64 %g, %i, %a; " LOAD, 0, SPACE_GENERIC);
    expect("add.s64 %g, %i, 2147483648; " LOAD, 0, SPACE_GENERIC);
    expect("add.s64 %g, %i, -2147483656; " LOAD, 0, SPACE_GENERIC);
    /* Written twice: the pointer, its base, under a guard. */
    expect("add.s64 %g, %i, 64; @%p bra M; add.s64 %g, %i, 32; M: " LOAD, 0, SPACE_GENERIC);
    expect("mov.u64 %b, %i; add.s64 %g, %b, 64; mov.u64 %b, %a; " LOAD, 0, SPACE_GENERIC);
    expect("@%p add.s64 %g, %i, 64; " LOAD, 0, SPACE_GENERIC);
    expect("bra S; T: mov.u64 %b, %a; " LOAD
           "bra E; S: add.s64 %b, %i, %a; add.s64 %g, %b, 64; bra T; E: ",
           0, SPACE_GENERIC);
    expect("L: " LOAD "add.s64 %g, %i, 64; @%p bra L; ", 0, SPACE_GENERIC);
    /* Written before, but not on every way; the base may be a later one. */
    expect("L: add.s64 %b, %a, %i; @%p bra M; add.s64 %g, %b, 64; M: " LOAD "bra L; ", 0,
           SPACE_GENERIC);
    expect("bra M; L: add.s64 %g, %b, 64; " LOAD "M: add.s64 %b, %i, %a; @%p bra L; ", 64,
           SPACE_GENERIC);
    expect("M: @%p bra L; add.s64 %b, %i, %a; L: add.s64 %g, %b, 64; " LOAD "bra M; ", 0,
           SPACE_GENERIC);
}

/* Lane 4 g + t has word t of column g, wherever the offset is kept. */
static void test_value(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m, HEADER "mov.u64 %b, s; add.s64 %a, %a, %b; cvt.rn.f64.u32 %t, %x;"
                             "st.shared.f64 [%a+64], %t; st.shared.f64 [%a+320], %t; bar.sync 0;"
                             "add.s64 %c, %b, 64; cvta.shared.u64 %g, %c; " LOAD
                             "mul.wide.u32 %a, %x, 8; add.s64 %i, %i, %a; " END);
    uint64_t out = machine_alloc(&m, 256, 8);
    machine_run(&m, "k", (const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){32, 1, 1}, 0, &out);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        double got;
        memcpy(&got, m.memory + out + 8 * i, sizeof got);
        assert_true(got == (double)i);
    }
    machine_stop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folded),
        cmocka_unit_test(test_left_alone),
        cmocka_unit_test(test_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
