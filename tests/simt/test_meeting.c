/* Cores that share memory: the order in which they have a cycle shows nowhere, and what a core
 * stores is seen by the others, and by its own loads, from the next cycle on. */
#include "base/rng.h"
#include "tests/simt/rig.h"

#define CORES  4u
#define BLOCKS 12u
#define WORDS  64u

/* Threads read and write the same few words without any order, and write what they have read. */
static const char racy[] = RIG_PTX RIG_KERNEL(
    "racy", "mov.u32 %r5, 40;\nmov.u32 %r6, %r4;\n"
            "LOOP:\n"
            "mad.lo.s32 %r6, %r6, 1664525, 1013904223;\n"
            "shr.u32 %r7, %r6, 26;\nmul.wide.u32 %rd4, %r7, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
            "ld.global.u32 %r8, [%rd5];\nadd.s32 %r6, %r6, %r8;\n"
            "shr.u32 %r7, %r6, 26;\nmul.wide.u32 %rd4, %r7, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
            "st.global.u32 [%rd5], %r6;\n"
            "sub.s32 %r5, %r5, 1;\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra LOOP;\nret;");

struct several {
    struct rig rig; /* memory and module; its core is the first one */
    struct core *core[CORES];
    struct grid grid;
    uint64_t out, cycle;
};

static void perform(struct several *s, const struct mem_request *request)
{
    core_perform(s->core[request->source], request);
}

static enum perform_result on_perform(void *user, const struct mem_request *request,
                                      uint32_t *words)
{
    perform(user, request);
    *words = 0;
    return PERFORM_DONE;
}

static void open_several(struct several *s)
{
    struct core_config config = rig_config();
    memset(s, 0, sizeof *s);
    rig_open(&s->rig, &config, racy);
    core_destroy(s->rig.core);
    memsys_destroy(s->rig.memsys);
    struct memsys_config mem = rig_memsys_config(&s->rig, on_perform);
    mem.ports = CORES;
    mem.user = s;
    s->rig.memsys = memsys_create(&mem, &s->rig.err);
    assert_non_null(s->rig.memsys);
    for (uint32_t i = 0; i < CORES; i++) {
        struct core_env env = {.image = &s->rig.image,
                               .memsys = s->rig.memsys,
                               .port = i,
                               .n_cores = CORES,
                               .core_khz = 700000,
                               .user = s};
        s->core[i] = core_create(&config, &env, &s->rig.err);
        assert_non_null(s->core[i]);
    }
    s->rig.core = s->core[0];
    s->out = rig_alloc(&s->rig, WORDS * 4);
    s->grid = rig_grid(&s->rig, "racy", BLOCKS, 64, 2, (uint64_t[]){s->out, 0});
}

static void close_several(struct several *s)
{
    for (uint32_t i = 1; i < CORES; i++)
        core_destroy(s->core[i]);
    rig_close(&s->rig);
}

static void meet(struct several *s, const uint32_t steps[CORES])
{
    for (uint32_t i = 0; i < CORES; i++)
        if (steps[i] & CORE_PORT)
            core_meet_port(s->core[i]);
    for (uint32_t i = 0; i < CORES; i++)
        if (steps[i] & CORE_STORES)
            core_meet_stores(s->core[i]);
    for (uint32_t i = 0; i < CORES; i++)
        if (steps[i] & CORE_MAIL)
            core_meet_mail(s->core[i]);
}

/* One cycle of all cores, in an order by chance (or of their numbers), and its stores. */
static bool cycle(struct several *s, struct rng *chance)
{
    uint32_t order[CORES], steps[CORES];
    bool stored = false;
    for (uint32_t i = 0; i < CORES; i++) {
        uint32_t at = chance ? (uint32_t)rng_below(chance, i + 1) : i;
        order[i] = order[at];
        order[at] = i;
    }
    for (uint32_t i = 0; i < CORES; i++) {
        uint32_t c = order[i];
        uint8_t before[WORDS * 4];
        memcpy(before, s->rig.image.base + s->out, sizeof before);
        steps[c] = core_run(s->core[c], s->cycle);
        /* Nothing that a core does reaches memory before the meeting. */
        assert_memory_equal(before, s->rig.image.base + s->out, sizeof before);
        assert_null(core_fault_text(s->core[c]));
        stored |= steps[c] & CORE_STORES;
    }
    meet(s, steps);
    memsys_tick(s->rig.memsys);
    s->cycle++;
    return stored;
}

struct outcome {
    uint8_t memory[WORDS * 4];
    uint64_t cycles, stores;
    struct core_stats stats[CORES];
};

static void run(struct rng *chance, struct outcome *o)
{
    struct several s;
    memset(o, 0, sizeof *o);
    open_several(&s);
    while (s.grid.blocks_done < s.grid.total_blocks) {
        for (uint32_t i = 0; i < CORES; i++)
            if (s.grid.next_block < s.grid.total_blocks && core_accepts(s.core[i], &s.grid))
                core_launch_block(s.core[i], &s.grid, s.grid.next_block++);
        o->stores += cycle(&s, chance);
        assert_true(s.cycle < RIG_LIMIT);
    }
    o->cycles = s.cycle;
    memcpy(o->memory, s.rig.image.base + s.out, sizeof o->memory);
    for (uint32_t i = 0; i < CORES; i++)
        core_stats(s.core[i], &o->stats[i]);
    close_several(&s);
}

static void the_order_of_cores_does_not_show(void **state)
{
    struct outcome first, other;
    struct rng chance;
    (void)state;
    run(NULL, &first);
    assert_true(first.stores > 100);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rng_seed(&chance, seed);
        run(&chance, &other);
        assert_memory_equal(&first, &other, sizeof first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_cores_does_not_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
