/* Execution without time: random kernels leave the memory and execute the instructions that they do
 * with time, interpreted and, some of them (EVGPU_NATIVE_KERNELS: so many), by machine code; warps
 * and blocks that wait for each other get on; barriers, faults, clocks, turns. */
#include <stdlib.h>
#include <unistd.h>

#include "kernelgen.h"
#include "rig.h"
#include "sim/ptx/native/native.h"

#define RANDOM_KERNELS 60
#define NATIVE_KERNELS 4u /* of these, as long as EVGPU_NATIVE_KERNELS names no other number */
#define MUCH           100000000u /* warp instructions: enough for code */
#define HANG_MS        600000u    /* nobody waits so long for a compiler */
#define BUDGET         3000u      /* warp instructions at a time, so that turns end anywhere */

/* Runs a grid without time. `turns`: how often the core was asked; `taken`: of the budgets. False:
 * a fault. */
static bool run_taking(struct rig *rig, struct grid *grid, uint32_t *turns, uint64_t *taken)
{
    grid->untimed = true;
    *taken = 0;
    for (*turns = 0; grid->blocks_done < grid->total_blocks; ++*turns) {
        uint64_t budget = BUDGET;
        enum untimed_end end = core_run_untimed(rig->core, &budget);
        assert_true(budget <= BUDGET);
        *taken += BUDGET - budget;
        if (end <= UNTIMED_POLLS && grid->next_block < grid->total_blocks &&
            core_accepts(rig->core, grid))
            core_launch_block(rig->core, grid, grid->next_block++);
        if (!rig_tick(rig))
            return false;
        if (*turns == RIG_LIMIT / 10)
            fail_msg("%s hangs", grid->kernel->name);
    }
    return true;
}

static bool run_untimed(struct rig *rig, struct grid *grid, uint32_t *turns)
{
    uint64_t taken;
    return run_taking(rig, grid, turns, &taken);
}

static void assert_same(const struct grid *grid, const struct grid *other)
{
    assert_int_equal(grid->warp_instructions, other->warp_instructions);
    assert_int_equal(grid->thread_instructions, other->thread_instructions);
}

/* A kernel `bg` as kernelgen.h makes them, and what it is launched with. */
struct sample {
    const char *text;
    uint32_t threads, blocks;
    uint64_t rounds, words; /* seed of its table */
};

/* With time, without, and in the third way by machine code. */
static void compare_ways(const struct sample *s, int ways)
{
    struct rig rig[3];
    struct grid grid[3];
    uint64_t out[3], own[3];
    size_t n = (size_t)s->threads * s->blocks;
    struct core_config config = rig_config();
    for (int i = 0; i < ways; i++) {
        struct rng rng;
        uint32_t turns;
        rng_seed(&rng, s->words);
        rig_open(&rig[i], &config, s->text);
        out[i] = rig_alloc(&rig[i], n * GEN_RESULT);
        own[i] = rig_alloc(&rig[i], n * 4);
        uint64_t table = rig_alloc(&rig[i], GEN_TABLE);
        for (uint32_t k = 0; k < GEN_TABLE / 4; k++)
            rig_words(&rig[i], table)[k] = (uint32_t)rng_u64(&rng);
        grid[i] = rig_grid(&rig[i], "bg", s->blocks, s->threads, 4,
                           (uint64_t[]){out[i], table, own[i], s->rounds});
        assert_true(i < 2 || native_count(grid[i].kernel, 0, NATIVE_FIRST));
        assert_true(i ? run_untimed(&rig[i], &grid[i], &turns) : rig_finish(&rig[i], &grid[i]));
        assert_memory_equal(rig_words(&rig[0], out[0]), rig_words(&rig[i], out[i]), n * GEN_RESULT);
        assert_memory_equal(rig_words(&rig[0], own[0]), rig_words(&rig[i], own[i]), n * 4);
        assert_same(&grid[0], &grid[i]);
    }
    assert_int_equal(rig_stats(&rig[1]).untimed_warp_instructions, grid[1].warp_instructions);
    assert_int_equal(rig_stats(&rig[1]).warp_instructions, 0);
    assert_int_equal(rig_stats(&rig[1]).cycles_active, 0);
    for (int i = 0; i < ways; i++)
        rig_close(&rig[i]);
}

static void random_kernel(uint64_t seed, int ways)
{
    static char text[1 << 17];
    struct gen gen = {.text = text, .size = sizeof text};
    struct sample sample = {.text = text};
    rng_seed(&gen.rng, seed);
    emit(&gen, "%s", RIG_PTX);
    gen_kernel(&gen);
    sample.threads = 1 + rng_below(&gen.rng, 200);
    sample.blocks = 1 + rng_below(&gen.rng, 4);
    sample.rounds = 1 + rng_below(&gen.rng, 6);
    sample.words = rng_u64(&gen.rng);
    compare_ways(&sample, ways);
}

static void test_random(void **state)
{
    (void)state;
    const char *wanted = getenv("EVGPU_NATIVE_KERNELS");
    uint64_t native = wanted ? strtoull(wanted, NULL, 10) : NATIVE_KERNELS;
    uint64_t kernels = native > RANDOM_KERNELS ? native : RANDOM_KERNELS;
    for (uint64_t seed = 1; seed <= kernels; seed++)
        random_kernel(seed, seed <= native ? 3 : 2);
}

/* What all lanes do together: products of tiles, shuffles, votes; and generic addresses of shared
 * memory in rows, at one place, in tiles, across, and of some lanes only. */
static void test_tiles(void **state)
{
    (void)state;
    static const char text[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry bg(.param .u64 out, .param .u64 table, .param .u64 own, .param .u64 n)\n"
        "{ .reg .pred %p, %q; .reg .b32 %x, %i, %n, %v, %h, %u, %a<8>, %b<8>; .reg .f32 %c<8>;"
        ".reg .b64 %o, %t, %w, %g, %s, %z, %y; .shared .align 16 .b8 s[2048];"
        "ld.param.u64 %o, [out]; ld.param.u64 %t, [table]; ld.param.u64 %w, [own];"
        "ld.param.u32 %n, [n]; mov.u32 %x, %tid.x; mov.u64 %s, s; cvta.shared.u64 %g, %s;"
        "mul.wide.u32 %z, %x, 4; add.s64 %t, %t, %z; add.s64 %y, %g, %z; mov.u32 %h, 0;"
        "mov.u32 %i, 0; FILL: ld.global.u32 %v, [%t]; st.u32 [%y], %v; add.s64 %t, %t, 384;"
        "add.s64 %y, %y, 384; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 5; @%p bra FILL;"
        "mov.f32 %c0, 0f00000000; mov.f32 %c1, %c0; mov.f32 %c2, %c0; mov.f32 %c3, %c0;"
        "mov.f32 %c4, %c0; mov.f32 %c5, %c0; mov.f32 %c6, %c0; mov.f32 %c7, %c0;"
        "mad.wide.u32 %z, %x, 28, %g; and.b64 %z, %z, -4; bar.sync 0; LOOP:"
        "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, [%g], 16;"
        "add.s64 %y, %g, 512;"
        "wmma.load.b.sync.aligned.col.m16n16k16.f16 {%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7}, [%y], 24;"
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7},"
        "{%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, {%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7},"
        "{%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}; ld.u32 %v, [%g+48]; xor.b32 %h, %h, %v;"
        "mul.wide.u32 %y, %x, 20; rem.u64 %y, %y, 1900; add.s64 %y, %y, %g; and.b64 %y, %y, -4;"
        "ld.u32 %v, [%y]; xor.b32 %h, %h, %v; shfl.sync.bfly.b32 %u|%q, %h, 5, 31, -1;"
        "add.u32 %h, %h, %u; setp.gt.s32 %p, %h, 0; vote.sync.ballot.b32 %u, %p, -1;"
        "add.u32 %h, %h, %u; @!%p bra PAST; ld.u32 %v, [%y+128]; xor.b32 %h, %h, %v;"
        "activemask.b32 %u; mad.lo.u32 %h, %h, 3, %u; PAST: bar.warp.sync -1; bar.sync 0;"
        "mul.wide.u32 %y, %x, 4; add.s64 %y, %y, %g; st.u32 [%y], %h; st.u32 [%y+1024], %h;"
        "bar.sync 0; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra LOOP;"
        "mov.u32 %i, %ctaid.x; mad.lo.u32 %i, %i, 96, %x; mad.wide.u32 %o, %i, 40, %o;"
        "st.global.f32 [%o], %c0; st.global.f32 [%o+4], %c1; st.global.f32 [%o+8], %c2;"
        "st.global.f32 [%o+12], %c3; st.global.f32 [%o+16], %c4; st.global.f32 [%o+20], %c5;"
        "st.global.f32 [%o+24], %c6; st.global.f32 [%o+28], %c7; st.global.u32 [%o+32], %h;"
        "mad.wide.u32 %w, %i, 4, %w; st.global.u32 [%w], %h; ret; }\n";
    compare_ways(&(struct sample){text, 96, 3, 150, 7}, 3);
}

/* The compiler takes its time; meanwhile `never` must not get what it would have been given. */
static void wait_for_code(const struct kernel *kernel, const struct kernel *never)
{
    bool come = native_count(kernel, MUCH, NATIVE_LATER);
    for (uint32_t ms = 0; !come; ms++) {
        assert_true(ms < HANG_MS);
        usleep(1000);
        assert_false(native_count(never, MUCH, NATIVE_NEVER));
        come = native_count(kernel, 0, NATIVE_LATER);
    }
    assert_non_null(native_code_of(kernel));
}

/* Code comes beside the run to a kernel that has executed much, and to no other one. */
static void test_code_comes_later(void **state)
{
    (void)state;
    static const char *const names[] = {"never", "clock", "later", "last"};
    const struct kernel *kernel[4];
    struct rig rig;
    struct core_config config = rig_config();
    rig_open(
        &rig, &config,
        RIG_PTX RIG_KERNEL("never", "ret;") RIG_KERNEL("later", "ret;") RIG_KERNEL("last", "ret;")
            RIG_KERNEL("clock", "mov.u64 %rd4, %clock64;\nst.global.u64 [%rd1], %rd4;\nret;"));
    for (int i = 0; i < 4; i++)
        kernel[i] = rig_grid(&rig, names[i], 1, 1, 2, (uint64_t[]){0, 0}).kernel;
    assert_false(native_count(kernel[0], MUCH, NATIVE_NEVER));
    assert_false(native_count(kernel[1], MUCH, NATIVE_FIRST));
    assert_false(native_count(kernel[2], 1000, NATIVE_LATER));
    wait_for_code(kernel[2], kernel[0]);
    assert_false(native_count(kernel[2], MUCH, NATIVE_LATER));
    wait_for_code(kernel[3], kernel[0]);
    assert_null(native_code_of(kernel[0]));
    assert_null(native_code_of(kernel[1]));
    rig_close(&rig);
}

/* Eight words of each thread's local memory, written at places that differ by lane, are read at one
 * place in words, pairs, fours and halves; what is written at one place is read at places that
 * differ. */
#define LOCAL                                                                                      \
    ".local .align 16 .b8 m[64];\nmov.u64 %rd4, m;\nmul.lo.u32 %r5, %r4, 8;\n"                     \
    "and.b32 %r7, %r1, 1;\nmov.u32 %r8, 0;\n$next:\nadd.u32 %r10, %r8, %r7;\n"                     \
    "and.b32 %r11, %r10, 7;\nadd.u32 %r9, %r5, %r11;\nmul.wide.u32 %rd8, %r11, 4;\n"               \
    "add.s64 %rd9, %rd4, %rd8;\nst.local.u32 [%rd9], %r9;\nadd.u32 %r8, %r8, 1;\n"                 \
    "setp.lt.u32 %p1, %r8, 8;\n@%p1 bra $next;\nld.local.u32 %r12, [m+4];\n"                       \
    "ld.local.v2.u32 {%r13, %r14}, [m+8];\n"                                                       \
    "ld.local.v4.u32 {%r15, %r16, %r17, %r18}, [m+16];\nld.local.u64 %rd10, [m+24];\n"             \
    "st.local.u32 [m+32], %r12;\nst.local.v2.u32 [m+40], {%r13, %r14};\n"                          \
    "st.local.v4.u32 [m+48], {%r15, %r16, %r17, %r18};\nst.local.u64 [m+56], %rd10;\n"             \
    "st.local.u8 [m+36], %r1;\nld.local.u8 %r20, [m+36];\nst.local.u32 [m+36], %r20;\n"            \
    "mul.wide.u32 %rd11, %r5, 4;\nadd.s64 %rd11, %rd1, %rd11;\nmov.u32 %r8, 0;\n"                  \
    "$copy:\nadd.u32 %r10, %r8, %r7;\nand.b32 %r11, %r10, 7;\n"                                    \
    "mul.wide.u32 %rd8, %r11, 4;\nadd.s64 %rd9, %rd4, %rd8;\n"                                     \
    "ld.local.u32 %r19, [%rd9+32];\nadd.s64 %rd12, %rd11, %rd8;\n"                                 \
    "st.global.u32 [%rd12], %r19;\nadd.u32 %r8, %r8, 1;\nsetp.lt.u32 %p1, %r8, 8;\n"               \
    "@%p1 bra $copy;\n"

static void test_local_memory(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    uint32_t turns, threads = 80; /* the last warp is half a one */
    rig_open(&rig, &config, RIG_PTX RIG_KERNEL("local", LOCAL "ret;"));
    uint64_t out = rig_alloc(&rig, 2ull * threads * 8 * 4);
    struct grid grid = rig_grid(&rig, "local", 2, threads, 2, (uint64_t[]){out, 0});
    assert_true(run_untimed(&rig, &grid, &turns));
    for (uint32_t t = 0; t < 2 * threads; t++) {
        const uint32_t n = 8 * t, *got = rig_words(&rig, out) + n;
        const uint32_t want[8] = {n + 1, t % threads, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7};
        for (int i = 0; i < 8; i++)
            if (got[i] != want[i])
                fail_msg("thread %u, word %d: %u instead of %u", t, i, got[i], want[i]);
    }
    rig_close(&rig);
}

/* A count under a spin lock, by all threads of 20 blocks, of which 8 are there at a time. */
#define LOCK                                                                                       \
    "$spin:\natom.global.cas.b32 %r5, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra $spin;\n"  \
    "ld.volatile.global.u32 %r6, [%rd1+4];\nadd.u32 %r6, %r6, 1;\n"                                \
    "st.volatile.global.u32 [%rd1+4], %r6;\nmembar.gl;\natom.global.exch.b32 %r7, [%rd1], 0;\n"

static void test_lock(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    uint32_t turns;
    rig_open(&rig, &config, RIG_PTX RIG_KERNEL("lock", LOCK "ret;"));
    uint64_t out = rig_alloc(&rig, 8);
    struct grid grid = rig_grid(&rig, "lock", 20, 48, 2, (uint64_t[]){out, 0});
    assert_true(run_untimed(&rig, &grid, &turns));
    assert_int_equal(rig_words(&rig, out)[0], 0);
    assert_int_equal(rig_words(&rig, out)[1], 20 * 48);
    rig_close(&rig);
}

/* The first block takes the lock again and again, until the second one has had it. It looks at
 * memory twice in a round, once with the lock held, and once in the beginning: were its turns over
 * after an even number of looks, the lock would be held at the end of each. */
#define TAKE(again)                                                                                \
    again ":\natom.global.cas.b32 %r5, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra " again   \
          ";\n"
#define LOOK_TWICE(loop)                                                                           \
    "mov.u32 %r8, 0;\n" loop ":\nld.volatile.global.u32 %r6, [%rd1+4];\nadd.u32 %r8, %r8, 1;\n"    \
    "setp.lt.u32 %p2, %r8, 2;\n@%p2 bra " loop ";\n"
#define FREE "membar.gl;\natom.global.exch.b32 %r7, [%rd1], 0;\n"

static void test_lock_in_turns(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    uint32_t turns;
    rig_open(&rig, &config,
             RIG_PTX RIG_KERNEL(
                 "turns",
                 "mov.u32 %r4, %ctaid.x;\nsetp.ne.u32 %p3, %r4, 0;\n"
                 "@%p3 bra $second;\n" LOOK_TWICE("$first") TAKE("$again") LOOK_TWICE("$held") FREE
                 "setp.eq.u32 %p2, %r6, 0;\n@%p2 bra $again;\nret;\n"
                 "$second:\n" TAKE("$want") "st.volatile.global.u32 [%rd1+4], %r4;\n" FREE "ret;"));
    uint64_t out = rig_alloc(&rig, 8);
    struct grid grid = rig_grid(&rig, "turns", 2, 1, 2, (uint64_t[]){out, 0});
    assert_true(run_untimed(&rig, &grid, &turns));
    assert_int_equal(rig_words(&rig, out)[0], 0);
    assert_int_equal(rig_words(&rig, out)[1], 1);
    rig_close(&rig);
}

/* As above, but each round ends with the lock held: were its turns over where it branches back, the
 * second block would never have it. */
static void test_lock_held_between_rounds(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    uint32_t turns;
    rig_open(
        &rig, &config,
        RIG_PTX RIG_KERNEL(
            "rounds",
            "mov.u32 %r4, %ctaid.x;\nsetp.ne.u32 %p3, %r4, 0;\n@%p3 bra $second;\n" TAKE(
                "$first") "$held:\nld.volatile.global.u32 %r6, [%rd1+4];\n"
                          "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra $done;\n" FREE TAKE(
                              "$again") "bra $held;\n$done:\n" FREE "ret;\n"
                                        "$second:\n" TAKE(
                                            "$want") "st.volatile.global.u32 [%rd1+4], %r4;\n" FREE
                                                     "ret;"));
    uint64_t out = rig_alloc(&rig, 8);
    struct grid grid = rig_grid(&rig, "rounds", 2, 1, 2, (uint64_t[]){out, 0});
    assert_true(run_untimed(&rig, &grid, &turns));
    assert_int_equal(rig_words(&rig, out)[0], 0);
    assert_int_equal(rig_words(&rig, out)[1], 1);
    rig_close(&rig);
}

/* Every block counts, and waits until all have: they get on if as many are there as fit. */
#define MEET                                                                                       \
    "atom.global.add.u32 %r5, [%rd1], 1;\n$wait:\nld.volatile.global.u32 %r6, [%rd1];\n"           \
    "setp.lt.u32 %p1, %r6, %r0;\n@%p1 bra $wait;\n"

static void test_blocks_meet(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    uint32_t turns;
    rig_open(&rig, &config, RIG_PTX RIG_KERNEL("meet", MEET "ret;"));
    uint64_t out = rig_alloc(&rig, 4);
    struct grid grid = rig_grid(&rig, "meet", 8, 64, 2, (uint64_t[]){out, 8 * 64});
    assert_true(run_untimed(&rig, &grid, &turns));
    assert_int_equal(rig_words(&rig, out)[0], 8 * 64);
    rig_close(&rig);
}

/* Warps exchange words at barriers of the block, of which two are guarded and one has its number in
 * a register; in some rounds also by bar.red, at a barrier of two of three warps, and at one of the
 * third alone, where the others wait for it. The third leaves after 100 rounds. */
#define EXCHANGE                                                                                   \
    ".shared .align 4 .b8 s[512];\nmov.u32 %r6, s;\nshl.b32 %r5, %r1, 2;\n"                        \
    "add.u32 %r7, %r6, %r5;\nadd.u32 %r8, %r1, 37;\nrem.u32 %r8, %r8, %r3;\n"                      \
    "shl.b32 %r8, %r8, 2;\nadd.u32 %r9, %r6, %r8;\nxor.b32 %r8, %r1, 32;\n"                        \
    "shl.b32 %r8, %r8, 2;\nadd.u32 %r16, %r6, %r8;\nmov.u32 %r10, %r4;\nmov.u32 %r11, 0;\n"        \
    "setp.ge.u32 %p1, %r1, 64;\nsetp.lt.u32 %p7, %r1, 32;\n"                                       \
    "$round:\nst.shared.u32 [%r7], %r10;\n"                                                        \
    "and.b32 %r13, %r11, 7;\nsetp.eq.and.u32 %p2, %r13, 3, %p1;\n@%p2 bar.sync 5, 32;\n"           \
    "@%p7 bar.sync 0;\n@!%p7 bar.sync 0;\nld.shared.u32 %r12, [%r9];\nmov.u32 %r18, 0;\n"          \
    "$inner:\nand.b32 %r17, %r18, 1;\nbar.sync %r17;\nadd.u32 %r18, %r18, 1;\n"                    \
    "setp.lt.u32 %p4, %r18, 3;\n@%p4 bra $inner;\nmad.lo.u32 %r10, %r12, 3, %r11;\n"               \
    "bar.sync 0;\nsetp.ne.u32 %p3, %r13, 5;\n@%p3 bra $plain;\nand.b32 %r14, %r10, 1;\n"           \
    "setp.eq.u32 %p4, %r14, 0;\nbar.red.popc.u32 %r15, 0, %p4;\nadd.u32 %r10, %r10, %r15;\n"       \
    "$plain:\nsetp.ne.u32 %p3, %r13, 6;\n@%p3 bra $whole;\n@%p1 bra $whole;\n"                     \
    "st.shared.u32 [%r7], %r10;\nbar.sync 3, 64;\nld.shared.u32 %r12, [%r16];\n"                   \
    "bar.sync 3, 64;\nadd.u32 %r10, %r10, %r12;\n$whole:\n"                                        \
    "setp.gt.and.u32 %p5, %r11, 100, %p1;\n@%p5 bra $left;\nadd.u32 %r11, %r11, 1;\n"              \
    "setp.lt.u32 %p6, %r11, %r0;\n@%p6 bra $round;\n$left:\nst.global.u32 [%rd2], %r10;\nret;"

static void test_barriers(void **state)
{
    (void)state;
    struct rig rig[3]; /* with time, interpreted, machine code */
    uint64_t out[3], words = 4 * 72, taken = 0;
    uint32_t turns;
    struct core_config config = rig_config();
    for (int i = 0; i < 3; i++) {
        rig_open(&rig[i], &config, RIG_PTX RIG_KERNEL("exchange", EXCHANGE));
        out[i] = rig_alloc(&rig[i], words * 4);
        struct grid grid = rig_grid(&rig[i], "exchange", 4, 72, 2, (uint64_t[]){out[i], 150});
        assert_true(i < 2 || native_count(grid.kernel, 0, NATIVE_FIRST));
        assert_true(i ? run_taking(&rig[i], &grid, &turns, &taken) : rig_finish(&rig[i], &grid));
        assert_true(!i || taken == grid.warp_instructions);
        assert_memory_equal(rig_words(&rig[0], out[0]), rig_words(&rig[i], out[i]), words * 4);
        assert_int_equal(rig_stats(&rig[0]).barriers, rig_stats(&rig[i]).barriers);
    }
    for (int i = 0; i < 3; i++)
        rig_close(&rig[i]);
}

/* Two warps at two barriers of the whole block wait for each other. */
static void test_barriers_apart(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    uint64_t budget = BUDGET;
    rig_open(&rig, &config,
             RIG_PTX RIG_KERNEL("apart", "shr.u32 %r5, %r1, 5;\nbar.sync %r5;\nret;"));
    struct grid grid = rig_grid(&rig, "apart", 1, 64, 2, (uint64_t[]){rig_alloc(&rig, 4), 0});
    grid.untimed = true;
    core_launch_block(rig.core, &grid, grid.next_block++);
    for (int i = 0; i < 3; i++)
        assert_int_equal(core_run_untimed(rig.core, &budget), UNTIMED_NONE);
    assert_int_equal(rig_stats(&rig).barriers, 0);
    rig_close(&rig);
}

/* A loop until the clock has advanced by 20,000; a wait for a word that the host writes, which ends
 * turns early; a kernel that never ends still gives back the core after each budget. */
static void test_turns(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    uint32_t turns;
    rig_open(&rig, &config,
             RIG_PTX RIG_KERNEL("clock",
                                "mov.u64 %rd4, %clock64;\n$wait:\nmov.u64 %rd5, %clock64;\n"
                                "sub.u64 %rd6, %rd5, %rd4;\nsetp.lt.u64 %p1, %rd6, 20000;\n"
                                "@%p1 bra $wait;\nst.global.u32 [%rd2], %rd6;\nret;")
                 RIG_KERNEL("word", "$wait:\nld.volatile.global.u32 %r5, [%rd1];\n"
                                    "setp.eq.u32 %p1, %r5, 0;\n@%p1 bra $wait;\nret;")
                     RIG_KERNEL("ever", "$wait:\nadd.u32 %r5, %r5, 1;\nbra $wait;"));
    uint64_t out = rig_alloc(&rig, 256), budget = BUDGET;
    struct grid grid = rig_grid(&rig, "clock", 1, 64, 2, (uint64_t[]){out, 0});
    assert_true(run_untimed(&rig, &grid, &turns));
    assert_true(rig_words(&rig, out)[0] >= 20000 && rig_words(&rig, out)[63] < 40000);

    struct grid word = rig_grid(&rig, "word", 1, 32, 2, (uint64_t[]){out + 128, 0});
    word.untimed = true;
    rig_words(&rig, out)[32] = 0;
    core_launch_block(rig.core, &word, word.next_block++);
    assert_int_equal(core_run_untimed(rig.core, &budget), UNTIMED_POLLS);
    assert_true(budget > BUDGET / 2);
    rig_words(&rig, out)[32] = 1;
    assert_int_equal(core_run_untimed(rig.core, &budget), UNTIMED_BLOCK);
    assert_int_equal(core_run_untimed(rig.core, &budget), UNTIMED_NONE);

    struct grid ever = rig_grid(&rig, "ever", 1, 32, 2, (uint64_t[]){out, 0});
    ever.untimed = true;
    core_launch_block(rig.core, &ever, ever.next_block++);
    for (int i = 0; i < 3; i++) {
        budget = BUDGET;
        assert_int_equal(core_run_untimed(rig.core, &budget), UNTIMED_BUDGET);
        assert_int_equal(budget, 0);
    }
    core_end_grid(rig.core, &ever);
    budget = BUDGET;
    assert_int_equal(core_run_untimed(rig.core, &budget), UNTIMED_NONE);
    rig_ticks(&rig, 3);
    assert_true(core_empty(rig.core));
    rig_close(&rig);
}

/* Loops until `reads` has advanced by `wants`, and stores how far it has. */
#define WAITS(reads, wants, also)                                                                  \
    RIG_PTX RIG_KERNEL("waits",                                                                    \
                       "mov.u64 %rd4, " reads ";\n$wait:\n" also "mov.u64 %rd5, " reads ";\n"      \
                       "sub.u64 %rd6, %rd5, %rd4;\nsetp.lt.u64 %p1, %rd6, " #wants ";\n"           \
                       "@%p1 bra $wait;\nst.global.u64 [%rd1], %rd6;\nret;")

/* A product of 16 x 16 halves is eight instructions, executed as a run. */
#define PRODUCT                                                                                    \
    RIG_PTX RIG_KERNEL("waits",                                                                    \
                       "mov.u64 %rd4, %clock64;\nwmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " \
                       "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, {%r4,%r4,%r4,%r4,%r4,%r4,%r4,%r4}, "    \
                       "{%r4,%r4,%r4,%r4,%r4,%r4,%r4,%r4}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};\n"   \
                       "mov.u64 %rd5, %clock64;\nsub.u64 %rd6, %rd5, %rd4;\n"                      \
                       "st.global.u64 [%rd1], %rd6;\nret;")

/* How far, and in how many warp instructions. */
static uint64_t wait_for(const char *ptx, uint64_t *executed)
{
    struct rig rig;
    struct core_config config = rig_config();
    uint32_t turns;
    uint64_t waited;
    rig_open(&rig, &config, ptx);
    uint64_t out = rig_alloc(&rig, 256);
    struct grid grid = rig_grid(&rig, "waits", 1, 32, 2, (uint64_t[]){out, 0});
    assert_true(run_untimed(&rig, &grid, &turns));
    *executed = grid.warp_instructions;
    memcpy(&waited, rig_words(&rig, out), sizeof waited);
    rig_close(&rig);
    return waited;
}

/* Many clocks take few instructions, and are not a quarter too many; a loop that also looks at
 * memory may end by what it finds there, and sees every clock. */
static void test_clock_waits(void **state)
{
    (void)state;
    const struct {
        uint64_t wants;
        const char *ptx;
    } waits[] = {{100000, WAITS("%clock64", 100000, "")},
                 {130000, WAITS("%clock64", 130000, "")},
                 {160000, WAITS("%clock64", 160000, "")},
                 {1000000000, WAITS("%clock64", 1000000000, "")},
                 {1000000000, WAITS("%globaltimer", 1000000000, "")}};
    uint64_t executed;
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        uint64_t waited = wait_for(waits[i].ptx, &executed);
        assert_in_range(waited, waits[i].wants, waits[i].wants * 5 / 4 + 100);
        assert_in_range(executed, 100, 1000);
    }
    uint64_t waited =
        wait_for(WAITS("%clock64", 20000, "ld.volatile.global.u32 %r5, [%rd1];\n"), &executed);
    assert_in_range(waited, 20000, 20000 + BUDGET);
    assert_in_range(executed, waited - BUDGET, waited + BUDGET);
    assert_int_equal(wait_for(PRODUCT, &executed), 9);
}

/* The same words as with time. */
static void fails(const char *body, const char *text)
{
    char ptx[2000], message[2][sizeof((struct error *)0)->text];
    struct core_config config = rig_config();
    snprintf(ptx, sizeof ptx,
             RIG_PTX ".visible .entry bad(.param .u64 out, .param .u32 n)\n{\n.reg .pred %%p<8>;\n"
                     ".reg .b32 %%r<40>;\n.reg .b64 %%rd<20>;\nld.param.u64 %%rd1, [out];\n"
                     "mov.u32 %%r1, %%tid.x;\n%s\nret;\n}\n",
             body);
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        uint32_t turns;
        rig_open(&rig, &config, ptx);
        uint64_t out = rig_alloc(&rig, 64);
        struct grid grid = rig_grid(&rig, "bad", 1, 64, 2, (uint64_t[]){out, 0});
        assert_false(i ? run_untimed(&rig, &grid, &turns) : rig_finish(&rig, &grid));
        snprintf(message[i], sizeof message[i], "%s", rig.err.text);
        rig_close(&rig);
    }
    assert_string_equal(message[0], message[1]);
    if (!strstr(message[1], text))
        fail_msg("%s", message[1]);
}

static void test_faults(void **state)
{
    (void)state;
    fails("st.global.u32 [%rd1+64], %r1;", "after the nearest allocation");
    fails("ld.global.u32 %r2, [%rd1+2];", "is misaligned");
    fails("st.shared.u32 [%r1], %r1;", "is outside the block's shared memory");
    fails("setp.eq.u32 %p1, %r1, 5;\n@%p1 trap;", "trap");
    fails("bar.sync 17;", "the barrier number must be below 16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_code_comes_later),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_lock_in_turns),
        cmocka_unit_test(test_lock_held_between_rounds),
        cmocka_unit_test(test_blocks_meet),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_barriers_apart),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_clock_waits),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
