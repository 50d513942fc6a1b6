/* A warp's loads and stores in a window of memory leave the registers and bytes that the addresses
 * one by one leave; what is outside or misaligned is refused and changes nothing. */
#include "base/rng.h"
#include "sim/ptx/execute/lanes.h"
#include "sim/ptx/parse/ast.h"
#include "tests/ptx/machine.h"

#define WINDOW 4096u
#define ROWS   24u
#define TRIES  20000

struct lanes {
    uint32_t reg[ROWS][WARP_SIZE];
    uint8_t memory[WINDOW];
};

struct access {
    struct inst inst;
    uint32_t mask;
    uint64_t low;
    struct lanes before;
};

enum pattern { SAME, UNIT, STRIDE, RANDOM, TILE, HALVES, TWO_ROWS, PATTERNS };

static void set_address(struct access *a, uint32_t lane, uint64_t address)
{
    a->before.reg[0][lane] = (uint32_t)address;
    if (!(a->inst.op.mods & OP_BASE32))
        a->before.reg[1][lane] = (uint32_t)(address >> 32);
}

static void choose_addresses(struct access *a, struct rng *rng)
{
    uint32_t size = (uint32_t)a->inst.width * a->inst.vec, pattern = rng_below(rng, PATTERNS);
    uint64_t first = a->low + rng_below(rng, WINDOW / size) * size;
    uint64_t second = a->low + rng_below(rng, WINDOW / size) * size;
    if (rng_chance(rng, 1, 4)) /* rows through the middle, where upper words may change */
        first = a->low + WINDOW / 2 - (uint64_t)rng_below(rng, 16) * size;
    uint64_t pitch = (uint64_t)rng_below(rng, 8) * size; /* of the rows of a tile */
    bool wrong = rng_chance(rng, 1, 6);
    bool carries = !rng_chance(rng, 1, 6); /* else the lower words wrap around by themselves */
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint64_t start = pattern < HALVES || i < 16 ? first : second, address = start;
        if (pattern == UNIT)
            address += (uint64_t)i * size;
        else if (pattern == STRIDE)
            address += (uint64_t)i * size * 2;
        else if (pattern == TILE)
            address += i / 4 * pitch + i % 4 * size;
        else if (pattern == TWO_ROWS)
            address += i % 16 * size;
        else if (pattern == RANDOM)
            address = a->low + rng_below(rng, WINDOW / size) * size;
        if (!carries)
            address = (start & ~(uint64_t)UINT32_MAX) | (uint32_t)address;
        if (wrong && rng_chance(rng, 1, 16))
            address +=
                (uint64_t[]){1, 1ull << 32, rng_u64(rng) >> rng_below(rng, 60)}[rng_below(rng, 3)];
        set_address(a, i, address - (uint64_t)a->inst.op.imm);
    }
}

static void choose(struct access *a, struct rng *rng)
{
    static const struct {
        uint8_t type, width, registers; /* registers: bytes */
    } kinds[] = {{PTX_U32, 4, 4}, {PTX_F32, 4, 4}, {PTX_U64, 8, 8}, {PTX_S8, 1, 4},
                 {PTX_U8, 1, 4},  {PTX_S16, 2, 4}, {PTX_S32, 4, 8}, {PTX_U16, 2, 2}};
    uint32_t kind = rng_below(rng, sizeof kinds / sizeof *kinds);
    *a = (struct access){.mask =
                             rng_chance(rng, 1, 2) ? FULL_MASK : (uint32_t)rng_u64(rng) | 1u << 7};
    a->inst.class = rng_chance(rng, 1, 2) ? INST_LOAD : INST_STORE;
    a->inst.width = kinds[kind].width;
    a->inst.vec = (uint8_t)(1u << rng_below(rng, kinds[kind].width == 8 ? 2 : 3));
    a->inst.op.type = kinds[kind].type;
    a->inst.op.type2 = kinds[kind].registers;
    a->inst.op.mods = (kinds[kind].registers == 8 ? OP_DST64 : 0);
    bool small = rng_chance(rng, 1, 3);
    a->low = small ? 0 : 0x7000000000u - (rng_chance(rng, 1, 2) ? WINDOW / 2 : 0);
    a->low += rng_chance(rng, 1, 8) ? 4 : 0; /* less aligned than its words */
    a->inst.op.mods |= small && rng_chance(rng, 1, 2) ? OP_BASE32 : 0;
    a->inst.op.imm = rng_chance(rng, 1, 2) ? 0 : (int64_t)rng_below(rng, 64) * 16 - 512;
    for (uint32_t e = 0; e < 4; e++) {
        a->inst.op.dst[e] = (uint16_t)(4 + 2 * e);
        a->inst.op.src[e] = 4 + 2 * e;
    }
    for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            a->before.reg[r][i] = (uint32_t)rng_u64(rng);
    for (uint32_t i = 0; i < WINDOW; i++)
        a->before.memory[i] = (uint8_t)rng_u64(rng);
    choose_addresses(a, rng);
}

/* Lane by lane. False: not all lanes are inside and aligned. */
static bool expected(const struct access *a, struct lanes *l)
{
    struct lane_ctx ctx = {.reg = l->reg};
    uint64_t address[WARP_SIZE];
    uint8_t *at[WARP_SIZE];
    uint32_t size = (uint32_t)a->inst.width * a->inst.vec;
    isa_address(&a->inst, &ctx, a->mask, address);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        if (!(a->mask >> i & 1))
            continue;
        if (address[i] < a->low || address[i] - a->low > WINDOW - size || address[i] % size)
            return false;
        at[i] = l->memory + (address[i] - a->low);
    }
    if (a->inst.class == INST_LOAD)
        isa_load(&a->inst, &ctx, a->mask, (const uint8_t *const *)at);
    else
        isa_store(&a->inst, &ctx, a->mask, at);
    return true;
}

/* Others may be left to the general way. */
static bool is_known(const struct access *a)
{
    uint32_t size = (uint32_t)a->inst.width * a->inst.vec;
    return a->low % size == 0 && !(a->low && a->inst.op.mods & OP_BASE32);
}

static void test_random(void **state)
{
    (void)state;
    struct rng rng;
    uint32_t refused = 0;
    rng_seed(&rng, 1);
    for (uint32_t n = 0; n < TRIES; n++) {
        static struct access a;
        static struct lanes want, got;
        choose(&a, &rng);
        want = got = a.before;
        bool inside = expected(&a, &want);
        struct lane_ctx ctx = {.reg = got.reg};
        const struct memory_window window = {got.memory, a.low, WINDOW};
        bool done = a.inst.class == INST_LOAD ? isa_load_window(&a.inst, &ctx, a.mask, &window)
                                              : isa_store_window(&a.inst, &ctx, a.mask, &window);
        refused += !done;
        assert_true(done ? inside : !inside || !is_known(&a));
        if (memcmp(&got, done ? &want : &a.before, sizeof got) != 0)
            fail_msg("try %u: width %u, vec %u, type %u, mask %x", n, a.inst.width, a.inst.vec,
                     a.inst.op.type, a.mask);
    }
    assert_true(refused > TRIES / 50 && refused < TRIES * 9 / 10);
}

static struct inst load_of_words(uint32_t base, uint16_t dst)
{
    return (struct inst){.class = INST_LOAD,
                         .width = 4,
                         .vec = 1,
                         .op = {.base = base, .type = PTX_U32, .type2 = 4, .dst = {dst}}};
}

/* An address without a register, as parameters have. */
static void test_fixed(void **state)
{
    (void)state;
    static struct lanes l;
    struct lane_ctx ctx = {.reg = l.reg};
    struct inst inst = load_of_words(NO_ROW, 3);
    const struct memory_window window = {l.memory, 0, 16};
    inst.op.imm = 12;
    memcpy(l.memory + 12, &(uint32_t){77}, 4);
    assert_true(isa_load_window(&inst, &ctx, 0xFFFF, &window));
    assert_int_equal(l.reg[3][15], 77);
    assert_int_equal(l.reg[3][16], 0);
    inst.op.imm = 16;
    assert_false(isa_load_window(&inst, &ctx, 1, &window));
    inst.op.imm = -4;
    assert_false(isa_load_window(&inst, &ctx, 1, &window));
    inst.op.imm = 2;
    assert_false(isa_load_window(&inst, &ctx, 1, &window));
}

/* A tile's row whose lower words wrap around, with upper words that do not follow. */
static void test_row_that_wraps(void **state)
{
    (void)state;
    static struct lanes l;
    struct lane_ctx ctx = {.reg = l.reg};
    struct inst inst = load_of_words(0, 4);
    const uint64_t low = 0x7000000000u - WINDOW / 2;
    const struct memory_window window = {l.memory, low, WINDOW};
    for (uint32_t i = 0; i < WINDOW; i++)
        l.memory[i] = (uint8_t)(i * 37 >> 4);
    for (uint32_t carries = 0; carries < 2; carries++) {
        for (uint32_t i = 0; i < WARP_SIZE; i++) {
            const uint64_t at = low + WINDOW / 2 - 8 + i % 4 * 4;
            l.reg[0][i] = (uint32_t)at;
            l.reg[1][i] = carries ? (uint32_t)(at >> 32) : (uint32_t)(low >> 32);
        }
        assert_int_equal(isa_load_window(&inst, &ctx, FULL_MASK, &window), carries);
    }
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint32_t word;
        memcpy(&word, l.memory + WINDOW / 2 - 8 + i % 4 * 4, sizeof word);
        assert_int_equal(l.reg[4][i], word);
    }
}

/* Stores in a pattern leave what stores to each lane's address leave. */
static void test_store_pattern(void **state)
{
    (void)state;
    static struct lanes by_pattern, by_lane;
    static const uint8_t widths[] = {1, 2, 4, 8};
    struct rng rng;
    rng_seed(&rng, 7);
    for (int n = 0; n < 1000; n++) {
        struct inst inst = {.class = INST_STORE, .width = widths[rng_below(&rng, 4)]};
        uint8_t *at[WARP_SIZE];
        inst.vec = (uint8_t)(1u << rng_below(&rng, inst.width == 8 ? 2 : 3));
        uint32_t size = (uint32_t)inst.width * inst.vec;
        struct lane_pattern p = {.step = size * rng_below(&rng, 5),
                                 .half = size * rng_below(&rng, 99)};
        inst.op.type = PTX_B32;
        for (uint32_t e = 0; e < 4; e++)
            inst.op.src[e] = 2 * e;
        for (uint32_t r = 0; r < ROWS; r++)
            for (uint32_t i = 0; i < WARP_SIZE; i++)
                by_lane.reg[r][i] = (uint32_t)rng_u64(&rng);
        by_pattern = by_lane;
        struct lane_ctx one = {.reg = by_lane.reg}, all = {.reg = by_pattern.reg};
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            at[i] = by_lane.memory + pattern_address(&p, i);
        isa_store(&inst, &one, FULL_MASK, at);
        isa_store_pattern(&inst, &all, by_pattern.memory, &p);
        assert_memory_equal(by_pattern.memory, by_lane.memory, WINDOW);
    }
}

/* Loads in a pattern fill the rows that loads of each lane's address fill. */
static void test_load_pattern(void **state)
{
    (void)state;
    static struct lanes by_pattern, by_lane;
    static const uint8_t widths[] = {1, 2, 4, 8};
    struct rng rng;
    rng_seed(&rng, 8);
    for (int n = 0; n < 1000; n++) {
        struct inst inst = {.class = INST_LOAD, .width = widths[rng_below(&rng, 4)]};
        const uint8_t *at[WARP_SIZE];
        inst.vec = (uint8_t)(1u << rng_below(&rng, inst.width == 8 ? 2 : 3));
        const uint32_t size = (uint32_t)inst.width * inst.vec;
        const struct lane_pattern p = {.step = size * rng_below(&rng, 5),
                                       .half = size * rng_below(&rng, 99)};
        inst.op.type = inst.width == 8 ? PTX_B64 : PTX_B32;
        inst.op.type2 = inst.width == 8 ? 8 : 4;
        inst.op.mods = inst.width == 8 ? OP_DST64 : 0;
        for (uint32_t e = 0; e < 4; e++)
            inst.op.dst[e] = (uint16_t)(2 * e);
        for (uint32_t i = 0; i < WINDOW; i++)
            by_lane.memory[i] = (uint8_t)rng_u64(&rng);
        by_pattern = by_lane;
        struct lane_ctx one = {.reg = by_lane.reg}, all = {.reg = by_pattern.reg};
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            at[i] = by_lane.memory + pattern_address(&p, i);
        isa_load(&inst, &one, FULL_MASK, at);
        isa_load_pattern(&inst, &all, by_pattern.memory, &p);
        assert_memory_equal(by_pattern.reg, by_lane.reg, sizeof by_lane.reg);
    }
}

/* --- copies to shared memory ---------------------------------------------------------------------
 */

struct copying {
    struct inst inst;
    uint64_t low; /* of the window that is read */
    uint32_t reg[6][WARP_SIZE];
    uint8_t from[WINDOW], to[WINDOW];
};

/* Of lanes that read and write at any place, seldom outside or misaligned. */
static void choose_copy(struct copying *c, struct rng *rng)
{
    static const uint8_t sizes[] = {4, 8, 16};
    const uint32_t size = sizes[rng_below(rng, 3)], target = rng_below(rng, 64) * 16;
    const bool wide = rng_chance(rng, 1, 2);
    *c = (struct copying){.low = 0x7000000000u - (rng_chance(rng, 1, 2) ? WINDOW / 2 : 0)};
    c->inst = (struct inst){.class = INST_COPY, .width = (uint8_t)size, .vec = 1};
    c->inst.target = target - (rng_chance(rng, 1, 2) ? 1024 : 0);
    c->inst.op.base = 0;
    c->inst.op.imm = (int64_t)rng_below(rng, 64) * 16 - 512;
    c->inst.op.mods = wide ? OP_SRC64 : 0;
    c->inst.op.src[0] = 2;
    c->inst.op.src[1] = rng_chance(rng, 1, 3) ? 4 : NO_ROW;
    c->inst.op.psrc = NO_PRED;
    const bool wrong = rng_chance(rng, 1, 4);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        const bool bad = wrong && rng_chance(rng, 1, 16);
        uint64_t at = c->low + (uint64_t)rng_below(rng, WINDOW / size) * size +
                      (bad ? rng_below(rng, 2 * WINDOW) : 0) - (uint64_t)c->inst.op.imm;
        uint64_t to = (uint64_t)rng_below(rng, WINDOW / size) * size +
                      (wrong && rng_chance(rng, 1, 16) ? rng_below(rng, 2 * WINDOW) : 0) -
                      (uint64_t)(int64_t)(int32_t)c->inst.target;
        c->reg[0][i] = (uint32_t)at;
        c->reg[1][i] = (uint32_t)(at >> 32);
        c->reg[2][i] = (uint32_t)to;
        c->reg[3][i] = (uint32_t)(to >> 32);
        c->reg[4][i] = size + (wrong ? rng_below(rng, 40) : 2) - 2;
    }
    for (uint32_t i = 0; i < WINDOW; i++) {
        c->from[i] = (uint8_t)rng_u64(rng);
        c->to[i] = (uint8_t)rng_u64(rng);
    }
}

/* Lane by lane. False: not all are whole, inside and aligned. */
static bool expected_copy(struct copying *c)
{
    struct lane_ctx ctx = {.reg = c->reg};
    struct copy_lanes lanes;
    uint64_t address[WARP_SIZE];
    const uint32_t size = c->inst.width;
    isa_copy(&c->inst, &ctx, FULL_MASK, &lanes);
    isa_address(&c->inst, &ctx, FULL_MASK, address);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        const uint64_t offset = address[i] - c->low;
        if (lanes.bytes[i] != size || offset > WINDOW - size || address[i] % size ||
            lanes.to[i] > WINDOW - size || lanes.to[i] % size)
            return false;
        memcpy(c->to + lanes.to[i], c->from + offset, size);
    }
    return true;
}

static void test_copies(void **state)
{
    (void)state;
    struct rng rng;
    uint32_t done = 0;
    rng_seed(&rng, 9);
    for (int n = 0; n < 5000; n++) {
        static struct copying got, want;
        choose_copy(&got, &rng);
        want = got;
        struct lane_ctx ctx = {.reg = got.reg};
        const struct memory_window from = {got.from, got.low, WINDOW}, to = {got.to, 0, WINDOW};
        if (!isa_copy_window(&got.inst, &ctx, &from, &to)) {
            assert_memory_equal(got.to, want.to, WINDOW);
            assert_false(expected_copy(&want));
            continue;
        }
        done++;
        assert_true(expected_copy(&want));
        assert_memory_equal(got.to, want.to, WINDOW);
    }
    assert_true(done > 3000);
}

/* --- tiles ---------------------------------------------------------------------------------------
 */

/* Rows of matrices in memory: the address of each lane, then its load. */
static void choose_tile(struct access *a, struct inst pair[2], struct rng *rng)
{
    static const uint8_t bits[] = {3, 4, 5, 6};
    const uint32_t b = rng_below(rng, 4), size = b == 3 ? 8 : 4;
    const bool narrow = rng_chance(rng, 1, 4), parted = rng_chance(rng, 1, 8);
    *a = (struct access){.low = narrow ? 0 : 0x7000000000u - WINDOW / 2};
    pair[0] = (struct inst){.exec = lanes_tile_address, .guard = NO_GUARD};
    pair[0].op.src[0] = 0;
    pair[0].op.src[1] = 2;
    pair[0].op.dst[0] = 3;
    pair[0].op.imm = (int64_t)rng_below(rng, 8) * 16 - 64;
    pair[0].op.type = (uint8_t)(bits[b] + TILE_WORD * (b == 3 ? 0 : 2 - b));
    pair[0].op.mods = narrow ? OP_BASE32 : 0;
    pair[0].op.sub = (uint8_t)(rng_below(rng, 4) + (rng_chance(rng, 1, 10) ? TILE_ELEMENT : 0));
    pair[0].op.round = (uint8_t)rng_below(rng, 2);
    pair[0].op.type2 = (uint8_t)rng_below(rng, 2);
    pair[1] = (struct inst){.class = INST_LOAD, .guard = NO_GUARD, .vec = 1};
    pair[1].width = (uint8_t)size;
    pair[1].op.base = 3;
    pair[1].op.dst[0] = 6;
    pair[1].op.type = size == 8 ? PTX_B64 : PTX_B32;
    pair[1].op.type2 = (uint8_t)size;
    pair[1].op.mods = size == 8 ? OP_DST64 : 0;
    for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            a->before.reg[r][i] = (uint32_t)rng_u64(rng);
    for (uint32_t i = 0; i < WINDOW; i++)
        a->before.memory[i] = (uint8_t)rng_u64(rng);
    const uint64_t at = a->low + rng_below(rng, WINDOW / 16) * 16 - (uint64_t)pair[0].op.imm +
                        (rng_chance(rng, 1, 10) ? 2 : 0);
    const uint32_t stride = rng_chance(rng, 1, 20) ? UINT32_MAX : rng_below(rng, 8) * 8;
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        const uint64_t other = parted && i == 20 ? 16 : 0;
        a->before.reg[0][i] = (uint32_t)(at + other);
        a->before.reg[1][i] = narrow ? a->before.reg[1][i] : (uint32_t)((at + other) >> 32);
        a->before.reg[2][i] = stride;
    }
}

static void test_tiles(void **state)
{
    (void)state;
    struct rng rng;
    uint32_t done = 0;
    rng_seed(&rng, 10);
    for (uint32_t n = 0; n < TRIES; n++) {
        static struct access a;
        static struct lanes want, got;
        struct inst pair[2];
        choose_tile(&a, pair, &rng);
        want = got = a.before;
        struct lane_ctx one = {.reg = want.reg}, all = {.reg = got.reg};
        lanes_tile_address(&pair[0], &one, FULL_MASK);
        const uint64_t first = want.reg[3][0] | (uint64_t)want.reg[4][0] << 32;
        if (pair[0].op.sub == 0 || pair[0].op.sub == (TILE_B | TILE_COLUMNS))
            assert_true(isa_tile_first(&pair[0], &all) == first);
        a.inst = pair[1];
        a.mask = FULL_MASK;
        const struct memory_window window = {got.memory, a.low, WINDOW};
        if (!isa_load_tile(pair, &all, &window)) {
            assert_memory_equal(&got, &a.before, sizeof got);
            continue;
        }
        done++;
        assert_true(expected(&a, &want));
        assert_memory_equal(got.reg[6], want.reg[6], (ROWS - 6) * sizeof want.reg[6]);
    }
    assert_true(done > TRIES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),       cmocka_unit_test(test_row_that_wraps),
        cmocka_unit_test(test_fixed),        cmocka_unit_test(test_store_pattern),
        cmocka_unit_test(test_load_pattern), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_tiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
