/* mem_frontend with a full/empty bit for 32 and for 128 bytes: what is filled in parts, and what is
 * forgotten. RTL and golden model in lockstep, and the bench's reference over every step. */
#include "mem_frontend_grain128.h"
#include "mem_frontend_grain32.h"
#include "tests/tb/mem_frontend_traffic.h"
#include "tests/unit.h"

enum {
    ALL = 0xffffffff,
    LIMIT = 10000,
    SOON = 12, /* steps in which a request that can leave has left */
    ROW = 5,
    LINE = FE_BENCH_FIRST + ROW,
    WORDS = FE_BENCH_WORDS,
    CYCLES = 600000,
};

static int setup32(void **state)
{
    const struct mem_frontend_parameters p = mem_frontend_grain32_parameters();
    *state = fe_bench_create_variant(&mem_frontend_grain32_kind, &p, TILE_LOCKSTEP, 1);
    return 0;
}

static int setup128(void **state)
{
    const struct mem_frontend_parameters p = mem_frontend_grain128_parameters();
    *state = fe_bench_create_variant(&mem_frontend_grain128_kind, &p, TILE_LOCKSTEP, 1);
    return 0;
}

static void act(struct fe_bench *b, uint32_t line, uint32_t mask, uint8_t action)
{
    fe_send(b, line, mask, FE_TRIGGER_NONE, action, FE_SOURCE_CPU);
    fe_steps(b, SOON);
}

static void range(struct fe_bench *b, uint8_t command, uint32_t first, uint32_t last)
{
    assert_int_equal(fe_command(b, command, first, last), FE_CODE_OK);
    fe_steps(b, SOON * (1 + (last - first) / WORDS));
}

/* A reader of one word waits. */
static void blocked_reader(struct fe_bench *b, uint32_t line, uint32_t mask)
{
    fe_send(b, line, mask, FE_TRIGGER_FULL, FE_ACTION_NONE, FE_SOURCE_GPU);
    fe_steps(b, SOON);
    assert_int_equal(b->waiting[FE_QUEUE_GPU].count, 1);
}

static void expect_read(struct fe_bench *b)
{
    fe_steps(b, SOON);
    assert_int_equal(b->waiting[FE_QUEUE_GPU].count, 0);
}

static uint32_t grain_mask(const struct fe_bench *b, uint32_t grain)
{
    uint32_t words = b->parameters.grain_bytes / EVG_FE_WORD_BYTES;
    return (ALL >> (WORDS - words)) << (grain * words);
}

static void test_registers(void **state)
{
    struct fe_bench *b = *state;
    assert_int_equal(fe_read_register(b, FE_REG_GRAIN_BYTES), b->parameters.grain_bytes);
    assert_int_equal(fe_read_register(b, FE_REG_REGION_LINES), b->parameters.region_lines);
    assert_int_equal(fe_read_register(b, FE_REG_LOST), 0);
}

/* A reader of one word waits for the last word of its grain, in whatever order and parts they come.
 */
static void test_filled_in_parts(void **state)
{
    struct fe_bench *b = *state;
    uint32_t grain = grain_mask(b, 0);
    act(b, LINE, ALL, FE_ACTION_EMPTY);
    blocked_reader(b, LINE, 1);
    act(b, LINE, grain & 0x0f0f0f0f, FE_ACTION_FILL);
    act(b, LINE, grain & 0x0f0f0f0f, FE_ACTION_FILL); /* again, which counts once */
    act(b, LINE, grain & 0x70707070, FE_ACTION_FILL);
    assert_int_equal(b->waiting[FE_QUEUE_GPU].count, 1);
    act(b, LINE, grain & 0x80808080, FE_ACTION_FILL);
    expect_read(b);
    assert_int_equal(b->forgotten, 0);
}

/* One word emptied is its whole grain emptied, and only that word has to be filled again. */
static void test_emptied_in_parts(void **state)
{
    struct fe_bench *b = *state;
    act(b, LINE, 1u << 2, FE_ACTION_EMPTY);
    blocked_reader(b, LINE, 1);
    act(b, LINE, 1u << 2, FE_ACTION_FILL);
    expect_read(b);
}

/* Grains beside it are not touched. */
static void test_other_grains_stay(void **state)
{
    struct fe_bench *b = *state;
    act(b, LINE, grain_mask(b, 1), FE_ACTION_EMPTY);
    fe_send(b, LINE, ~grain_mask(b, 1), FE_TRIGGER_FULL, FE_ACTION_NONE, FE_SOURCE_CPU);
    blocked_reader(b, LINE, grain_mask(b, 1) | 1);
    assert_int_equal(b->waiting[FE_QUEUE_CPU].count, 0);
    act(b, LINE, grain_mask(b, 1), FE_ACTION_FILL);
    expect_read(b);
}

/* EMPTY holds as long as the grain is not full. */
static void test_wait_for_empty(void **state)
{
    struct fe_bench *b = *state;
    fe_send(b, LINE, 1, FE_TRIGGER_EMPTY, FE_ACTION_FILL, FE_SOURCE_CPU);
    fe_steps(b, SOON);
    assert_int_equal(b->waiting[FE_QUEUE_CPU].count, 1);
    act(b, LINE, 1u << 7, FE_ACTION_EMPTY);
    assert_int_equal(b->waiting[FE_QUEUE_CPU].count, 0);
    blocked_reader(b, LINE, 1);
    act(b, LINE, 1u << 7, FE_ACTION_FILL);
    expect_read(b);
}

/* An array that ends within a grain: what is behind its end stays full. */
static void test_range_within_a_grain(void **state)
{
    struct fe_bench *b = *state;
    range(b, FE_COMMAND_EMPTY, ROW * WORDS, (ROW + 1) * WORDS + 2);
    blocked_reader(b, LINE + 1, 1);
    act(b, LINE + 1, 7, FE_ACTION_FILL);
    expect_read(b);
    blocked_reader(b, LINE, ALL);
    range(b, FE_COMMAND_FILL, ROW * WORDS, ROW * WORDS + 3);
    assert_int_equal(b->waiting[FE_QUEUE_GPU].count, 1);
    range(b, FE_COMMAND_FILL, ROW * WORDS + 4, (ROW + 1) * WORDS - 1);
    expect_read(b);
}

/* Two rows of one place: the words of the first are forgotten, must be filled again, and are
 * counted when the row is looked at. */
static void test_forgotten(void **state)
{
    struct fe_bench *b = *state;
    uint32_t other = LINE + b->parameters.part_lines, last = grain_mask(b, 0) & ~1u;
    act(b, LINE, grain_mask(b, 0), FE_ACTION_EMPTY);
    act(b, LINE, 1, FE_ACTION_FILL);
    assert_int_equal(fe_read_register(b, FE_REG_LOST), 0);
    act(b, other, 1, FE_ACTION_EMPTY); /* takes the place */
    assert_int_equal(b->forgotten, 1);
    act(b, LINE, last, FE_ACTION_FILL);
    assert_int_equal(fe_read_register(b, FE_REG_LOST), 1);
    blocked_reader(b, LINE, 2);
    act(b, LINE, 1, FE_ACTION_FILL);
    expect_read(b);
    /* The row itself has taken its place back from the other one in between. */
    assert_int_equal(b->forgotten, 2);
    blocked_reader(b, other, 2);
    assert_int_equal(fe_read_register(b, FE_REG_LOST), 2);
    act(b, other, grain_mask(b, 0), FE_ACTION_FILL);
    expect_read(b);
    fe_write_register(b, FE_REG_LOST, 0);
    assert_int_equal(fe_read_register(b, FE_REG_LOST), 0);
}

/* A head that waits while its row's place is taken knows of it: its own action finds the words
 * gone. */
static void test_forgotten_at_the_head(void **state)
{
    struct fe_bench *b = *state;
    uint32_t other = LINE + b->parameters.part_lines;
    act(b, LINE, grain_mask(b, 0), FE_ACTION_EMPTY);
    act(b, LINE, 1, FE_ACTION_FILL);
    act(b, LINE + 1, ALL, FE_ACTION_EMPTY);
    /* Waits at the head for memory to take it, with its row copied. */
    b->dram_chance = 0;
    fe_send(b, LINE + 1, 1, FE_TRIGGER_NONE, FE_ACTION_NONE, FE_SOURCE_CPU);
    fe_send(b, LINE, grain_mask(b, 0) & ~1u, FE_TRIGGER_EMPTY, FE_ACTION_FILL, FE_SOURCE_CPU);
    fe_steps(b, SOON);
    range(b, FE_COMMAND_EMPTY, (ROW + b->parameters.part_lines) * WORDS,
          (ROW + b->parameters.part_lines) * WORDS);
    assert_int_equal(b->forgotten, 1);
    b->dram_chance = FE_BENCH_OFTEN;
    fe_steps(b, SOON);
    blocked_reader(b, LINE, 2);
    act(b, LINE, 1, FE_ACTION_FILL);
    expect_read(b);
    act(b, other, 1, FE_ACTION_FILL);
}

/* A row of which words are lost is read around a reset: not counted after it. */
static void test_lost_at_reset(void **state)
{
    struct fe_bench *b = *state;
    for (uint32_t after = 0; after < SOON; after++) {
        act(b, LINE, grain_mask(b, 0), FE_ACTION_EMPTY);
        act(b, LINE, 1, FE_ACTION_FILL);
        act(b, LINE + b->parameters.part_lines, 1, FE_ACTION_EMPTY); /* takes the place */
        fe_send(b, LINE, 1, FE_TRIGGER_FULL, FE_ACTION_NONE, FE_SOURCE_GPU);
        fe_steps(b, after);
        fe_bench_reset_edges(b, 1);
        fe_steps(b, b->parameters.region_lines + 1);
        assert_int_equal(fe_read_register(b, FE_REG_LOST), 0);
    }
}

static void test_random(void **state)
{
    struct fe_bench *b = *state;
    uint64_t seed = fe_traffic_seed();
    printf("seed %llu, a bit per %u bytes\n", (unsigned long long)seed, b->parameters.grain_bytes);
    rng_seed(&b->rng, seed);
    fe_bench_add_gated(b);
    fe_traffic(b, CYCLES);
    printf("%llu requests, %llu rows forgotten, %llu released\n", (unsigned long long)b->taken,
           (unsigned long long)b->forgotten, (unsigned long long)b->released);
    assert_true(b->taken == b->replied + b->dropped);
    assert_true(b->forgotten > 500 && b->left_queue[FE_QUEUE_GPU] > 1000 && b->released > 200);
}

#define TEST32(f)  cmocka_unit_test_setup_teardown(f, setup32, fe_bench_teardown)
#define TEST128(f) cmocka_unit_test_setup_teardown(f, setup128, fe_bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST32(test_registers),
        TEST32(test_filled_in_parts),
        TEST32(test_emptied_in_parts),
        TEST32(test_other_grains_stay),
        TEST32(test_wait_for_empty),
        TEST32(test_range_within_a_grain),
        TEST32(test_forgotten),
        TEST32(test_forgotten_at_the_head),
        TEST32(test_lost_at_reset),
        TEST32(test_random),
        TEST128(test_registers),
        TEST128(test_filled_in_parts),
        TEST128(test_emptied_in_parts),
        TEST128(test_wait_for_empty),
        TEST128(test_range_within_a_grain),
        TEST128(test_forgotten),
        TEST128(test_forgotten_at_the_head),
        TEST128(test_lost_at_reset),
        TEST128(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
