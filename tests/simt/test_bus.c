/* Stores of kernels to the memory of devices on PCIe, and pmevent. */
#include "rig.h"

#define WINDOW_BASE  0x3000000u
#define WINDOW_BYTES 0x1000u
#define WINDOW       (BUS_WINDOW + WINDOW_BASE)

static void open_bus(struct rig *rig, const char *ptx)
{
    struct core_config config = rig_config();
    rig_open(rig, &config, ptx);
    rig->bus.map.window[rig->bus.map.count++] =
        (struct bus_window){.base = WINDOW_BASE, .bytes = WINDOW_BYTES};
}

/* Every other lane stores a word, then all two words, by a generic address. */
static const char stores[] = RIG_PTX RIG_KERNEL(
    "go", "and.b32 %r5, %r1, 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 st.global.u32 [%rd2], %r4;\n"
          "add.s64 %rd4, %rd2, %rd3;\nst.volatile.v2.u32 [%rd4+1024], {%r4, %r0};\nret;");

static void test_stores(void **state)
{
    (void)state;
    for (uint32_t skip = 0; skip < 2; skip++) {
        struct rig rig;
        open_bus(&rig, stores);
        rig.skip = skip;
        rig.bus.from = 2000; /* refused until then: nothing is lost */
        rig_run(&rig, "go", 1, 32, 2, (uint64_t[]){WINDOW, 77});
        assert_int_equal(rig.bus.count, 16 + 32);
        for (uint32_t i = 0; i < 16; i++) {
            const struct bus_store *s = &rig.bus.store[i];
            assert_int_equal(s->address, WINDOW_BASE + 8 * i);
            assert_int_equal(s->bytes, 4);
            assert_memory_equal(s->data, (&(uint32_t){2 * i}), 4);
        }
        for (uint32_t i = 0; i < 32; i++) {
            const struct bus_store *s = &rig.bus.store[16 + i];
            assert_int_equal(s->address, WINDOW_BASE + 1024 + 8 * i);
            assert_int_equal(s->bytes, 8);
            assert_memory_equal(s->data, ((uint32_t[]){i, 77}), 8);
        }
        assert_true(rig.bus.taken[0] >= 2000);
        for (uint32_t i = 1; i < 48; i++)
            assert_true(rig.bus.taken[i] > rig.bus.taken[i - 1]); /* the core's port: one a cycle */
        assert_int_equal(rig.bus.acknowledged, 48);               /* the warp did not end before */
        rig_close(&rig);
    }
}

/* A fence waits until the link has the store: the word behind it is stored later. */
static const char fenced[] = RIG_PTX RIG_KERNEL(
    "go", "st.global.u32 [%rd2], 1;\nmembar.sys;\nst.global.u32 [%rd2+4], 2;\nret;");

static void test_fence(void **state)
{
    (void)state;
    struct rig rig;
    open_bus(&rig, fenced);
    rig_run(&rig, "go", 1, 1, 2, (uint64_t[]){WINDOW, 0});
    assert_int_equal(rig.bus.count, 2);
    assert_true(rig.bus.taken[1] >= rig.bus.taken[0] + RIG_BUS_WAIT);
    rig_close(&rig);
}

static void refused(const char *body, uint64_t address, const char *text)
{
    char ptx[2048];
    struct rig rig;
    snprintf(ptx, sizeof ptx, "%s%s", RIG_PTX,
             ".visible .entry go(.param .u64 out, .param .u32 n)\n{\n.reg .pred %p<2>;\n"
             ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 4 .b8 own[64];\n"
             "ld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n");
    snprintf(ptx + strlen(ptx), sizeof ptx - strlen(ptx), "%s\nret;\n}\n", body);
    open_bus(&rig, ptx);
    struct grid grid = rig_grid(&rig, "go", 1, 2, 2, (uint64_t[]){address, 0});
    assert_false(rig_finish(&rig, &grid));
    if (!strstr(rig.err.text, text))
        fail_msg("'%s' instead of '%s'", rig.err.text, text);
    assert_int_equal(rig.bus.count, 0);
    rig_close(&rig);
}

static void test_refused(void **state)
{
    (void)state;
    refused("ld.global.u32 %r2, [%rd2];", WINDOW, "which accepts only stores from kernels");
    refused("atom.global.add.u32 %r2, [%rd2], 1;", WINDOW,
            "which accepts only stores from kernels");
    refused("st.global.u32 [%rd2+2], %r1;", WINDOW, "is misaligned");
    refused("st.global.u32 [%rd2], %r1;", WINDOW + WINDOW_BYTES, "where no device has memory");
    refused("st.global.v2.u32 [%rd2], {%r1, %r1};", WINDOW + WINDOW_BYTES - 4,
            "where no device has memory");
    /* Lane 1 to shared memory. */
    refused("mov.u32 %r3, own;\ncvt.u64.u32 %rd3, %r3;\ncvta.shared.u64 %rd3, %rd3;\n"
            "setp.eq.u32 %p1, %r1, 1;\nselp.b64 %rd4, %rd3, %rd2, %p1;\nst.u32 [%rd4], %r1;",
            WINDOW, "in the same instruction as lanes that access the memory of a PCIe device");
}

/* Only the owner's kernels may store there. */
static void test_foreign(void **state)
{
    (void)state;
    struct rig rig;
    open_bus(&rig, fenced);
    rig.bus.map.window[0].owner = 3;
    struct grid grid = rig_grid(&rig, "go", 1, 1, 2, (uint64_t[]){WINDOW, 0});
    assert_false(rig_finish(&rig, &grid));
    assert_non_null(strstr(rig.err.text, "in another program's memory"));
    rig_close(&rig);
}

static const char marked[] = RIG_PTX RIG_KERNEL(
    "go", "setp.ne.u32 %p1, %r2, 1;\n@%p1 bra past;\npmevent 5;\npast:\npmevent 0;\nret;");

static void test_marks(void **state)
{
    (void)state;
    struct rig rig;
    open_bus(&rig, marked);
    rig_run(&rig, "go", 2, 64, 2, (uint64_t[]){0, 0});
    assert_int_equal(rig.marks, 6);
    uint32_t seen[2][2][2] = {{{0}}}; /* event, block, warp */
    for (uint32_t i = 0; i < rig.marks; i++) {
        const struct core_mark *m = &rig.mark[i];
        assert_true(m->events == 1 || m->events == 1u << 5);
        assert_true(m->block < 2 && m->warp < 2 && m->warp_instructions > 1);
        seen[m->events != 1][m->block][m->warp]++;
    }
    for (uint32_t w = 0; w < 2; w++) {
        assert_int_equal(seen[0][0][w], 1);
        assert_int_equal(seen[0][1][w], 1);
        assert_int_equal(seen[1][0][w], 0);
        assert_int_equal(seen[1][1][w], 1);
    }
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stores), cmocka_unit_test(test_fence), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_foreign), cmocka_unit_test(test_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
