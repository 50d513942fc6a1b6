/* sm_event_unit under a random core: RTL against the golden model at every edge and every port,
 * both against the rules of fake_core.h, with resets in mid-run; and an idle tile that is not
 * clocked stays equal to one that is. Every few epochs the tiles are new ones that differ in what
 * their registers hold before the first reset. EVGPU_SEED repeats a run; EVGPU_TILES=verilator or
 * model leaves the other out, so that the rules judge alone. */
#include "base/rng.h"
#include "evgpu_defs.h"
#include "tests/tb/fake_core.h"
#include "tests/unit.h"

enum { EPOCHS = 80, EPOCH_CYCLES = 14000, DRAIN_CYCLES = 100000, TILE_EPOCHS = 10 };

struct bench {
    struct tile *clocked; /* RTL and model in lockstep */
    struct tile *skipped; /* RTL, stepped only when it is not idle or an input asks for it */
    struct sm_event_unit_in in;
    struct sm_event_unit_out out, skipped_out;
    struct fake_core *core;
    uint64_t cycles, skips;
};

static void cycle(struct bench *b, bool offer)
{
    struct error err = {0};
    if (!fake_core_step(b->core, &b->out, offer, &b->in, &err))
        fail_msg("%s", err.text);
    if (!tile_step(b->clocked, &b->in, &b->out, &err))
        fail_msg("%s", err.text);
    if (!b->skipped_out.idle || b->in.ev_valid || b->in.exit_valid || b->in.bar_done)
        tile_step(b->skipped, &b->in, &b->skipped_out, &err);
    else
        b->skips++;
    if (memcmp(&b->out, &b->skipped_out, sizeof b->out))
        fail_msg("cycle %llu: the idle tile that was not clocked differs",
                 (unsigned long long)b->cycles);
    b->cycles++;
}

static struct fake_core_config random_config(struct rng *rng, uint32_t epoch)
{
    static const uint8_t one_by_one[] = {0, EVG_OPT_PRIORITY, EVG_OPT_FLUSH_IBUF,
                                         EVG_OPT_SKIP_BARRIER, EVG_OPT_DROP_LOADS};
    bool single = epoch % 3 == 0;
    struct fake_core_config c = {
        .policy = (uint8_t)(epoch % 3),
        .opts = single ? one_by_one[epoch / 3 % sizeof one_by_one] : (uint8_t)rng_below(rng, 16),
        .preempt = epoch % 8 != 7,
        .spare = epoch % 4 >= 2,
        .limit = (uint16_t)(epoch % 5 < 2 ? 0 : 1 + rng_below(rng, epoch % 5 == 2 ? 20 : 200)),
        .groups = (uint8_t)(1 + rng_below(rng, 8)),
        .warp_regs = (uint8_t)(1 + rng_below(rng, 30)),
        .event_rate = (uint8_t)(epoch % 4 == 1 ? 250 : 1 + rng_below(rng, 60)),
        .launch_rate = (uint8_t)(1 + rng_below(rng, epoch % 5 == 4 ? 200 : 10)),
        .miss_rate = (uint8_t)(1 + rng_below(rng, 8)),
    };
    /* Enough for most contexts, so that sometimes registers are short and sometimes contexts. */
    uint32_t full = c.groups * 8U * c.warp_regs;
    uint32_t registers = full / 4 + rng_below(rng, full / 2 + 1) + c.warp_regs;
    c.registers = (uint16_t)(registers > 1023 ? 1023 : registers);
    c.event_regs = (uint8_t)(1 + rng_below(rng, c.spare ? c.registers / 4 + 1 : c.warp_regs));
    if (c.event_regs > 2 * c.warp_regs)
        c.event_regs = (uint8_t)(2 * c.warp_regs);
    return c;
}

/* Among the inputs as they are, whatever is inside. */
static void reset(struct bench *b, struct rng *rng)
{
    uint32_t edges = 1 + rng_below(rng, 3);
    tile_reset_among(b->clocked, &b->in, edges, &b->out);
    tile_reset_among(b->skipped, &b->in, edges, &b->skipped_out);
    fake_core_reset(b->core);
}

static void run_epoch(struct bench *b, struct rng *rng, uint32_t epoch)
{
    struct fake_core_config config = random_config(rng, epoch);
    fake_core_configure(b->core, &config);
    uint32_t reset_at = rng_below(rng, EPOCH_CYCLES / 2);
    for (uint32_t i = 0; i < EPOCH_CYCLES; i++) {
        cycle(b, true);
        if (i != reset_at)
            continue;
        reset(b, rng);
        reset_at += 1 + rng_below(rng, EPOCH_CYCLES / 2);
    }
    for (uint32_t i = 0; fake_core_pending(b->core) || !b->out.idle; i++) {
        if (i == DRAIN_CYCLES)
            fail_msg("epoch %u does not come to rest: take state %u, back state %u", epoch,
                     b->out.take_state, b->out.back_state);
        cycle(b, false);
    }
}

static enum tile_backend backend_from(const char *name)
{
    if (name && !strcmp(name, "verilator"))
        return TILE_VERILATOR;
    return name && !strcmp(name, "model") ? TILE_MODEL : TILE_LOCKSTEP;
}

/* Only while the core has no events. */
static void new_tiles(struct bench *b, struct rng *rng)
{
    struct error err = {0};
    tile_destroy(b->clocked);
    tile_destroy(b->skipped);
    tile_randomise((uint32_t)rng_u64(rng), true);
    b->clocked =
        tile_create(&sm_event_unit_kind, backend_from(getenv("EVGPU_TILES")), "clocked", &err);
    b->skipped = tile_create(&sm_event_unit_kind, TILE_VERILATOR, "skipped", &err);
    tile_reset(b->clocked, &b->out);
    tile_reset(b->skipped, &b->skipped_out);
}

static void test_random_core(void **state)
{
    (void)state;
    const char *text = getenv("EVGPU_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : 20180101;
    printf("seed %llu\n", (unsigned long long)seed);
    struct rng rng;
    rng_seed(&rng, seed);
    struct bench b = {.core = fake_core_create(rng_u64(&rng))};
    for (uint32_t epoch = 0; epoch < EPOCHS; epoch++) {
        if (epoch % TILE_EPOCHS == 0)
            new_tiles(&b, &rng);
        run_epoch(&b, &rng, epoch);
    }

    printf("%llu cycles, %llu of them not clocked when idle\n", (unsigned long long)b.cycles,
           (unsigned long long)b.skips);
    assert_true(b.cycles >= 1000000);
    assert_true(b.skips > 0);
    for (int i = 0; i < FAKE_COUNTS; i++) {
        uint64_t count = fake_core_count(b.core, (enum fake_core_count)i);
        printf("%10llu %s\n", (unsigned long long)count,
               fake_core_count_name((enum fake_core_count)i));
        if (!count)
            fail_msg("never happened: %s", fake_core_count_name((enum fake_core_count)i));
    }
    tile_destroy(b.clocked);
    tile_destroy(b.skipped);
    fake_core_destroy(b.core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_core)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
