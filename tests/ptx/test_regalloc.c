/* Liveness and register allocation: random programs are walked along random paths with a token per
 * written value, once by virtual and once by physical register; every read must find its token. */
#include "base/rng.h"
#include "sim/ptx/lower/regalloc.h"
#include "tests/ptx/machine.h"

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"

/* --- random programs -----------------------------------------------------------------------------
 */

static uint32_t pick(struct rng *rng, const struct ir *ir, enum vreg_class class)
{
    for (;;) {
        uint32_t r = rng_below(rng, (uint32_t)ir->n_vregs);
        if (ir->vregs[r] == class)
            return r;
    }
}

static void random_program(struct ir *ir, struct rng *rng)
{
    uint32_t n = 4 + rng_below(rng, 60), regs = 6 + rng_below(rng, 30);
    *ir = (struct ir){0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t label = ir_label(ir);
        ir->labels[label] = i;
    }
    for (uint32_t i = 0; i < 3; i++)
        (void)ir_vreg(ir, (enum vreg_class)i);
    for (uint32_t i = 0; i < regs; i++)
        (void)ir_vreg(ir, (enum vreg_class)rng_below(rng, 3));
    for (uint32_t i = 0; i < n; i++) {
        struct vinst *v = ir_emit(ir, i + 1);
        if (rng_chance(rng, 1, 4))
            v->guard = pick(rng, ir, VREG_PRED);
        if (i + 1 == n) {
            v->inst.class = INST_EXIT;
            v->guard = NONE;
        } else if (rng_chance(rng, 1, 5)) {
            v->inst.class = INST_BRANCH;
            v->label = rng_below(rng, n);
            if (v->guard == NONE && rng_chance(rng, 3, 4))
                v->guard = pick(rng, ir, VREG_PRED);
        } else {
            enum vreg_class class = rng_chance(rng, 1, 2) ? VREG_32 : VREG_64;
            for (uint32_t s = rng_below(rng, 4); s-- > 0;)
                v->src[s] = pick(rng, ir, rng_chance(rng, 1, 2) ? VREG_32 : VREG_64);
            if (rng_chance(rng, 1, 3))
                v->base = pick(rng, ir, VREG_64);
            if (rng_chance(rng, 1, 4))
                v->psrc = pick(rng, ir, VREG_PRED);
            if (rng_chance(rng, 1, 4))
                v->pdst[rng_below(rng, 2)] = pick(rng, ir, VREG_PRED);
            for (uint32_t d = rng_below(rng, 3); d-- > 0;)
                v->dst[d] = pick(rng, ir, class);
        }
    }
}

struct tokens {
    uint64_t *of_vreg; /* 0: not written on this path */
    uint64_t reg[MAX_REGS], pred[MAX_PREDS];
    uint64_t next;
};

static uint64_t *place_of(struct tokens *t, const struct ir *ir, const struct allocation *alloc,
                          uint32_t vreg, bool high)
{
    uint32_t at = alloc->reg[vreg];
    if (ir->vregs[vreg] == VREG_PRED) {
        assert_true(at < alloc->preds);
        return &t->pred[at];
    }
    assert_true(at + high < alloc->regs);
    return &t->reg[at + high];
}

static void check_use(struct tokens *t, const struct ir *ir, const struct allocation *alloc,
                      uint32_t vreg)
{
    uint64_t want = t->of_vreg[vreg];
    if (!want)
        return;
    assert_int_equal(*place_of(t, ir, alloc, vreg, false), want);
    if (ir->vregs[vreg] == VREG_64)
        assert_int_equal(*place_of(t, ir, alloc, vreg, true), ~want);
}

static void walk(const struct ir *ir, const struct allocation *alloc, struct rng *rng)
{
    struct tokens *t = ALLOC(struct tokens);
    uint32_t pc = 0, list[LIVENESS_OPERANDS];
    t->of_vreg = ALLOC_ARRAY(uint64_t, ir->n_vregs);
    for (uint32_t steps = 0; steps < 400; steps++) {
        const struct vinst *v = &ir->code[pc];
        bool executes = v->guard == NONE || rng_chance(rng, 1, 2);
        for (unsigned k = liveness_uses(v, list); k-- > 0;)
            check_use(t, ir, alloc, list[k]);
        pc++;
        if (!executes)
            continue;
        if (v->inst.class == INST_EXIT)
            break;
        if (v->inst.class == INST_BRANCH)
            pc = ir->labels[v->label];
        for (unsigned k = liveness_defs(v, list); k-- > 0;) {
            uint64_t token = ++t->next;
            t->of_vreg[list[k]] = token;
            *place_of(t, ir, alloc, list[k], false) = token;
            if (ir->vregs[list[k]] == VREG_64)
                *place_of(t, ir, alloc, list[k], true) = ~token;
        }
    }
    free(t->of_vreg);
    free(t);
}

static void test_random_programs(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 77);
    for (int i = 0; i < 1500; i++) {
        struct ir ir;
        struct cfg cfg;
        struct allocation alloc;
        random_program(&ir, &rng);
        cfg_build(&cfg, &ir);
        struct interval *intervals = liveness_intervals(&ir, &cfg);
        assert_true(regalloc(&alloc, &ir, intervals, NULL, MAX_REGS));
        for (int path = 0; path < 8; path++)
            walk(&ir, &alloc, &rng);
        regalloc_free(&alloc);
        free(intervals);
        cfg_free(&cfg);
        ir_free(&ir);
    }
}

/* --- spilling ------------------------------------------------------------------------------------
 */

static char *append(char *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *append(char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    at += vsprintf(at, format, args);
    va_end(args);
    return at;
}

/* `n` values of 32 and of 64 bits and `preds` predicates alive at once, changed in a loop, some
 * under guards; a lane's result depends on all of them. At most `limit` registers. */
static void many_values(uint32_t n, uint32_t preds, uint32_t limit)
{
    char *text = alloc_array(1 << 20, 1), *at = text;
    at = append(at,
                "%s.entry k(.param .u64 out) .maxnreg %u { .reg .b32 %%r<%u>, %%t, %%i, %%s, %%y;",
                HEADER, limit, n);
    at = append(at, ".reg .b64 %%w<%u>, %%a, %%b, %%z; .reg .pred %%p<%u>, %%q;", n, preds);
    at = append(at, "ld.param.u64 %%a, [out]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%b, %%t, 8;"
                    "add.u64 %%a, %%a, %%b; mov.u32 %%i, 0;\n");
    for (uint32_t i = 0; i < n; i++)
        at = append(at, "mad.lo.u32 %%r%u, %%t, %u, %u; mul.wide.u32 %%w%u, %%r%u, %u;\n", i, i + 3,
                    i, i, i, i * 77777 + 1);
    for (uint32_t i = 0; i < preds; i++)
        at = append(at, "setp.gt.u32 %%p%u, %%t, %u;\n", i, i % 32);
    at = append(at, "LOOP:\n");
    for (uint32_t i = 0; i < n; i++)
        at =
            append(at, "@%%p%u add.u32 %%r%u, %%r%u, %%r%u; @!%%p%u add.u64 %%w%u, %%w%u, %%w%u;\n",
                   i % preds, i, i, (i + 1) % n, i % preds, i, i, (i + 5) % n);
    at = append(at,
                "add.u32 %%i, %%i, 1; setp.lt.u32 %%q, %%i, 3; @%%q bra LOOP; mov.u64 %%z, 0;\n");
    for (uint32_t i = 0; i < n; i++)
        at = append(at, "mad.wide.u32 %%z, %%r%u, 3, %%z; xor.b64 %%z, %%z, %%w%u;\n", i, i);
    for (uint32_t i = 0; i < preds; i++)
        at =
            append(at, "selp.u32 %%y, %u, 0, %%p%u; cvt.u64.u32 %%b, %%y; add.u64 %%z, %%z, %%b;\n",
                   i + 1, i);
    at = append(at, "st.global.u64 [%%a], %%z; ret; }");
    struct machine m;
    machine_start(&m, text);
    const struct kernel *k = module_kernel(m.module, "k");
    assert_true(k->regs <= limit && k->preds <= MAX_PREDS);
    assert_true(3 * n + 16 < limit || k->local_bytes > 0);
    for (uint32_t i = 0; i < k->n_inst; i++) /* one that spills takes the time of any other */
        assert_true((k->code[i].unit == UNIT_LDST) == (k->code[i].timing == TIMING_MEM));
    uint64_t out = machine_alloc(&m, 256, 8);
    machine_run(&m, "k", (const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){32, 1, 1}, 0, &out);
    uint32_t *r = ALLOC_ARRAY(uint32_t, n);
    uint64_t *w = ALLOC_ARRAY(uint64_t, n);
    for (uint32_t t = 0; t < 32; t++) {
        uint64_t z = 0, got;
        for (uint32_t i = 0; i < n; i++) {
            r[i] = t * (i + 3) + i;
            w[i] = (uint64_t)r[i] * (i * 77777 + 1);
        }
        for (int loop = 0; loop < 3; loop++)
            for (uint32_t i = 0; i < n; i++) {
                if (t > i % preds % 32)
                    r[i] += r[(i + 1) % n];
                else
                    w[i] += w[(i + 5) % n];
            }
        for (uint32_t i = 0; i < n; i++)
            z = (z + (uint64_t)r[i] * 3) ^ w[i];
        for (uint32_t i = 0; i < preds; i++)
            z += t > i % 32 ? i + 1 : 0;
        memcpy(&got, m.memory + out + 8 * t, 8);
        assert_int_equal(got, z);
    }
    free(r);
    free(w);
    free(text);
    machine_stop(&m);
}

static void test_spilling(void **state)
{
    (void)state;
    many_values(10, 5, MAX_REGS);
    many_values(75, 5, MAX_REGS);   /* fits */
    many_values(90, 5, MAX_REGS);   /* spills registers */
    many_values(400, 20, MAX_REGS); /* most of them */
    many_values(20, 70, MAX_REGS);  /* spills predicates */
    many_values(120, 200, MAX_REGS);
    for (uint32_t limit = MIN_REGS; limit <= 64; limit += 4)
        many_values(40, 70, limit);
}

/* The limit given with a file, its rounding, and .maxnreg when that is less. */
static void test_limits(void **state)
{
    (void)state;
    char path[] = P_tmpdir "/test_regalloc_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    for (int k = 0; k < 2; k++) {
        fprintf(file, "%s.entry k%d(.param .u64 out) %s { .reg .b32 %%r<100>; .reg .b64 %%a;",
                k ? "" : HEADER, k, k ? ".maxnreg 21" : "");
        for (int i = 0; i < 100; i++)
            fprintf(file, "mov.u32 %%r%d, %d;\n", i, i);
        fprintf(file, "ld.param.u64 %%a, [out];");
        for (int i = 0; i < 100; i++)
            fprintf(file, "st.global.u32 [%%a], %%r%d;\n", i);
        fprintf(file, "ret; }\n");
    }
    fclose(file);
    const uint32_t given[] = {MAX_REGS, 50, MIN_REGS}, first[] = {104, 48, MIN_REGS},
                   second[] = {20, 20, MIN_REGS};
    for (int i = 0; i < 3; i++) {
        struct error err;
        struct module *m = module_load_within(path, given[i], &err);
        assert_non_null(m);
        assert_int_equal(module_kernel(m, "k0")->regs, first[i]);
        assert_int_equal(module_kernel(m, "k1")->regs, second[i]);
        module_free(m);
    }
    remove(path);
}

/* --- quality -------------------------------------------------------------------------------------
 */

static void test_short_lives_share(void **state)
{
    (void)state;
    char *text = alloc_array(1 << 18, 1), *at = text;
    at = append(at,
                "%s.entry k(.param .u64 out) { .reg .b32 %%r<2000>; .reg .b64 %%a;"
                "ld.param.u64 %%a, [out]; mov.u32 %%r0, %%tid.x;\n",
                HEADER);
    for (int i = 1; i < 2000; i++)
        at = append(at, "add.u32 %%r%d, %%r%d, %d;\n", i, i - 1, i);
    at = append(at, "st.global.u32 [%%a], %%r1999; ret; }");
    struct machine m;
    machine_start(&m, text);
    assert_int_equal(module_kernel(m.module, "k")->regs, 4); /* an address pair and one value */
    machine_stop(&m);
    free(text);
}

/* Moves between registers that can share disappear. */
static void test_coalescing(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m,
                  HEADER ".entry k(.param .u64 out) { .reg .b32 %x, %y; .reg .b64 %a, %b;"
                         "ld.param.u64 %a, [out]; cvta.to.global.u64 %b, %a; mov.u32 %x, %tid.x;"
                         "mov.u32 %y, %x; st.global.u32 [%b], %y; ret; }");
    assert_int_equal(module_kernel(m.module, "k")->n_inst, 4);
    machine_stop(&m);
}

/* The sets that the scoreboard uses: all registers read or written, pairs as two. */
static void test_register_sets(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m, HEADER
                  ".entry k(.param .u64 out) { .reg .b32 %x, %y; .reg .b64 %a; .reg .pred %p;"
                  "ld.param.u64 %a, [out]; mov.u32 %x, %tid.x; setp.lt.u32 %p, %x, 5;"
                  "@%p add.u32 %y, %x, 1; st.global.u32 [%a], %y; st.global.u32 [%a], %x;"
                  "ret; }");
    const struct inst *code = module_kernel(m.module, "k")->code;
    assert_int_equal(__builtin_popcountll(code[0].def_set[0]), 2);
    assert_int_equal(__builtin_popcountll(code[2].def_set[4]), 1);
    assert_int_equal(code[2].def_set[0], 0);
    assert_int_equal(code[2].use_set[0], code[1].def_set[0]);
    assert_int_equal(code[3].use_set[4], code[2].def_set[4]);
    assert_int_equal(code[3].use_set[0], code[3].def_set[0] | code[1].def_set[0]);
    assert_int_equal(code[4].def_set[0], 0);
    assert_int_equal(code[4].use_set[0], code[0].def_set[0] | code[3].def_set[0]);
    machine_stop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs), cmocka_unit_test(test_spilling),
        cmocka_unit_test(test_limits),          cmocka_unit_test(test_short_lives_share),
        cmocka_unit_test(test_coalescing),      cmocka_unit_test(test_register_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
