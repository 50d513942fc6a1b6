/* Control flow: blocks, immediate post-dominators, reconvergence, trap and the like. */
#include "base/rng.h"
#include "sim/ptx/lower/cfg.h"
#include "tests/ptx/machine.h"

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"
#define PROLOGUE                                                                                   \
    HEADER ".entry k(.param .u64 out) { .reg .b32 %t, %x, %i, %n; .reg .b64 %a, %b;"               \
           ".reg .pred %p<8>; ld.param.u64 %a, [out]; mov.u32 %t, %tid.x; mul.wide.u32 %b, %t, 4;" \
           "add.u64 %a, %a, %b; mov.u32 %x, 0;\n"
#define EPILOGUE "st.global.u32 [%a], %x; ret; }"

static const uint32_t one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};

static void run(const char *text, uint32_t out[32])
{
    struct machine m;
    machine_start(&m, text);
    uint64_t at = machine_alloc(&m, 128, 4);
    memset(m.memory + at, 0xFF, 128);
    machine_run(&m, "k", one, warp, 0, &at);
    memcpy(out, m.memory + at, 128);
    machine_stop(&m);
}

/* Reconvergence point of the n-th branch, as a distance in instructions. */
static uint32_t reconv_of(const char *text, uint32_t nth, uint32_t *at)
{
    struct machine m;
    machine_start(&m, text);
    const struct kernel *k = module_kernel(m.module, "k");
    uint32_t reconv = NO_RECONV, i = 0;
    for (; i < k->n_inst; i++)
        if (k->code[i].class == INST_BRANCH && nth-- == 0) {
            reconv = k->code[i].reconv;
            break;
        }
    *at = i;
    machine_stop(&m);
    return reconv;
}

static void test_if_else(void **state)
{
    (void)state;
    static const char text[] =
        PROLOGUE "setp.lt.u32 %p1, %t, 10; @%p1 bra A; add.u32 %x, %x, 1;"
                 "bra.uni B; A: add.u32 %x, %x, 2; B: add.u32 %x, %x, 16;" EPILOGUE;
    uint32_t out[32], at, reconv = reconv_of(text, 0, &at);
    assert_int_equal(reconv, at + 4);
    reconv = reconv_of(text, 1, &at);
    assert_int_equal(reconv, at + 2);
    run(text, out);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], i < 10 ? 18 : 17);
}

static void test_nested_loops(void **state)
{
    (void)state;
    uint32_t out[32];
    /* for i < t: for n < i: { if (n == 5) break; if (n & 1) continue; x += n + i; } */
    run(PROLOGUE "mov.u32 %i, 0; OUTER: setp.ge.u32 %p1, %i, %t; @%p1 bra DONE; mov.u32 %n, 0;"
                 "INNER: setp.ge.u32 %p2, %n, %i; @%p2 bra NEXT; setp.eq.u32 %p3, %n, 5;"
                 "@%p3 bra NEXT; { .reg .b32 %y; and.b32 %y, %n, 1; setp.ne.u32 %p4, %y, 0; }"
                 "@%p4 bra CONT; add.u32 %x, %x, %n; add.u32 %x, %x, %i; CONT: add.u32 %n, %n, 1;"
                 "bra INNER; NEXT: add.u32 %i, %i, 1; bra.uni OUTER; DONE: " EPILOGUE,
        out);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t x = 0;
        for (uint32_t i = 0; i < t; i++)
            for (uint32_t n = 0; n < i && n != 5; n++)
                if (!(n & 1))
                    x += n + i;
        assert_int_equal(out[t], x);
    }
}

/* Two ways into a loop body, and a jump out of it into the other arm of an if. */
static void test_unstructured(void **state)
{
    (void)state;
    uint32_t out[32];
    run(PROLOGUE "mov.u32 %n, 0; setp.lt.u32 %p1, %t, 7; @%p1 bra MIDDLE; TOP: add.u32 %x, %x, 1;"
                 "MIDDLE: add.u32 %x, %x, 100; add.u32 %n, %n, 1; setp.gt.u32 %p2, %n, %t;"
                 "@%p2 bra END; setp.eq.u32 %p3, %n, 20; @%p3 bra OUT; bra TOP;"
                 "OUT: add.u32 %x, %x, 100000; END: " EPILOGUE,
        out);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t x = 0, n = 0;
        if (t >= 7)
            x++;
        for (;;) {
            x += 100;
            if (++n > t)
                break;
            if (n == 20) {
                x += 100000;
                break;
            }
            x++;
        }
        assert_int_equal(out[t], x);
    }
}

static void test_early_exit(void **state)
{
    (void)state;
    uint32_t out[32], at;
    static const char text[] =
        PROLOGUE "setp.lt.u32 %p1, %t, 4; @%p1 ret; setp.gt.u32 %p2, %t, 20; @%p2 bra GONE;"
                 "mov.u32 %x, 5; bra END; GONE: st.global.u32 [%a], 9; exit; END: " EPILOGUE;
    run(text, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t < 4 ? UINT32_MAX : t > 20 ? 9 : 5);
    assert_int_equal(reconv_of(text, 0, &at), NO_RECONV); /* one side exits */
}

/* `@p bra` back to itself and an endless loop on a path that is not taken. */
static void test_endless_path(void **state)
{
    (void)state;
    uint32_t out[32];
    run(PROLOGUE "setp.gt.u32 %p1, %t, 99; @%p1 bra TRAP; L: add.u32 %x, %x, 1;"
                 "setp.lt.u32 %p2, %x, %t; @%p2 bra L; bra END; TRAP: bra TRAP2; TRAP2: bra TRAP;"
                 "END: " EPILOGUE,
        out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t ? t : 1);
}

static void test_branch_table(void **state)
{
    (void)state;
    uint32_t out[32];
    run(PROLOGUE "{ .reg .b32 %y; rem.u32 %y, %t, 3; ts: .branchtargets A, B, C;"
                 "brx.idx %y, ts; } A: mov.u32 %x, 10; bra END; B: mov.u32 %x, 20; bra END;"
                 "C: mov.u32 %x, 30; END: " EPILOGUE,
        out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 10 + 10 * (t % 3));
}

static void test_trap(void **state)
{
    (void)state;
    static const char *const texts[] = {"trap;", "brkpt;"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        struct machine m;
        snprintf(text, sizeof text, "%s setp.eq.u32 %%p1, %%t, 3; @%%p1 %s %s", PROLOGUE, texts[i],
                 EPILOGUE);
        machine_start(&m, text);
        uint64_t at = machine_alloc(&m, 128, 4);
        machine_run(&m, "k", one, warp, 0, &at);
        assert_true(m.trapped);
        machine_stop(&m);
    }
}

static void test_body_without_ret(void **state)
{
    (void)state;
    uint32_t out[32];
    run(PROLOGUE "setp.lt.u32 %p1, %t, 5; @%p1 bra END; st.global.u32 [%a], 3; END: }", out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t < 5 ? UINT32_MAX : 3);
}

/* --- post-dominators of random graphs, against the definition ------------------------------------
 */

/* b is post-dominated by d if every path from b to the exit goes through d: without d, the exit
 * cannot be reached. Blocks that cannot reach it at all are left out. */
static bool reaches_exit(const struct cfg *cfg, uint32_t from, uint32_t without)
{
    uint8_t *seen = ALLOC_ARRAY(uint8_t, cfg->n_blocks + 1);
    uint32_t *stack = ALLOC_ARRAY(uint32_t, 2 * cfg->n_blocks + 2), depth = 0;
    bool found = false;
    if (from != without)
        stack[depth++] = from;
    while (depth && !found) {
        uint32_t b = stack[--depth];
        found = b == cfg->n_blocks;
        if (found || seen[b])
            continue;
        seen[b] = 1;
        for (int s = 0; s < 2; s++)
            if (cfg->blocks[b].succ[s] != NONE && cfg->blocks[b].succ[s] != without)
                stack[depth++] = cfg->blocks[b].succ[s];
    }
    free(seen);
    free(stack);
    return found;
}

static void random_graph(struct rng *rng)
{
    struct ir ir = {0};
    uint32_t n = 2 + rng_below(rng, 14);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t label = ir_label(&ir);
        ir.labels[label] = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct vinst *v = ir_emit(&ir, i);
        uint32_t kind = rng_below(rng, 8);
        if (kind < 5) {
            v->inst.class = INST_BRANCH;
            v->label = rng_below(rng, n);
            v->guard = kind < 4 ? 0 : NONE;
        } else if (kind == 5 || i + 1 == n) {
            v->inst.class = INST_EXIT;
            v->guard = i + 1 < n && rng_chance(rng, 1, 2) ? 0 : NONE;
        }
    }
    struct vinst *last = &ir.code[n - 1];
    last->guard = NONE;
    struct cfg cfg;
    cfg_build(&cfg, &ir);
    bool all = true;
    for (uint32_t b = 0; b < cfg.n_blocks; b++)
        all = all && reaches_exit(&cfg, b, NONE);
    for (uint32_t b = 0; b < cfg.n_blocks && all; b++) {
        uint32_t p = cfg.blocks[b].ipdom;
        assert_int_not_equal(p, b);
        if (p < cfg.n_blocks)
            assert_false(reaches_exit(&cfg, b, p));
        /* Immediate: any other post-dominator of b post-dominates p as well. */
        for (uint32_t d = 0; d < cfg.n_blocks; d++)
            if (d != b && d != p && !reaches_exit(&cfg, b, d))
                assert_true(p < cfg.n_blocks && !reaches_exit(&cfg, p, d));
    }
    cfg_free(&cfg);
    ir_free(&ir);
}

static void test_random_graphs(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 2024);
    for (int i = 0; i < 4000; i++)
        random_graph(&rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if_else),       cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_unstructured),  cmocka_unit_test(test_early_exit),
        cmocka_unit_test(test_endless_path),  cmocka_unit_test(test_branch_table),
        cmocka_unit_test(test_trap),          cmocka_unit_test(test_body_without_ret),
        cmocka_unit_test(test_random_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
