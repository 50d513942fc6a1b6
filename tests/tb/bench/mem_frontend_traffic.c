#include "tests/tb/bench/mem_frontend_traffic.h"

#include <stdlib.h>

enum { PHASE = 2500, DEFAULT_SEED = 20120609 };

uint64_t fe_traffic_seed(void)
{
    const char *text = getenv("EVGPU_SEED");
    return text ? strtoull(text, NULL, 0) : DEFAULT_SEED;
}

/* What the traffic is like changes from phase to phase. */
struct pace {
    uint32_t request, triggered, action, command, register_read;
    uint32_t lines;    /* the fewer, the more often requests meet */
    uint32_t one_word; /* chance of a mask of one word */
    bool misuse;       /* outside the region, meaningless codes */
    struct pattern requests;
    bool flows; /* most triggers wait for what most actions do */
};

static uint32_t random_chance(struct rng *rng)
{
    static const uint32_t levels[] = {2, 16, 64, 128, FE_BENCH_OFTEN, FE_BENCH_OFTEN};
    return levels[rng_below(rng, sizeof levels / sizeof *levels)];
}

static void new_phase(struct fe_bench *b, struct pace *pace)
{
    struct rng *rng = &b->rng;
    pace->request = random_chance(rng);
    pace->triggered = rng_below(rng, FE_BENCH_OFTEN);
    pace->action = rng_below(rng, FE_BENCH_OFTEN);
    pace->command = rng_chance(rng, 1, 2) ? 1 : rng_below(rng, 12);
    pace->register_read = rng_below(rng, 32);
    pace->lines = rng_chance(rng, 1, 2) ? 1 + rng_below(rng, 4) : 1 + rng_below(rng, 60);
    pace->one_word = rng_below(rng, FE_BENCH_OFTEN);
    pace->misuse = rng_chance(rng, 1, 3);
    pace->flows = rng_chance(rng, 2, 3);
    b->dram_chance = random_chance(rng);
    b->answer_chance = random_chance(rng);
    b->rsp_chance = random_chance(rng);
    pace->requests = pattern_random(rng);
    b->dram_pattern = pattern_random(rng);
    b->answer_pattern = pattern_random(rng);
    b->rsp_pattern = pattern_random(rng);
}

/* A reset in mid-run, whatever is inside, and another place for the region. The larger it is, the
 * longer is the start-up, and the fewer resets there are. */
static void maybe_reset(struct fe_bench *b)
{
    struct rng *rng = &b->rng;
    if (!rng_chance(rng, EVG_FE_REGION_LINES, 4 * b->parameters.region_lines))
        return;
    /* One of two with an access just before it, one of two of those with a command in it. */
    if (rng_chance(rng, 1, 2)) {
        fe_read_register(b, FE_REG_STATUS);
        b->in.reg_valid = b->in.reg_write = (uint8_t)rng_below(rng, 2);
        b->in.reg_addr = FE_REG_COMMAND;
        b->in.reg_data = 1 + rng_below(rng, 5);
    }
    fe_bench_reset(b);
    b->in.req_valid = 0;
    if (rng_chance(rng, 3, 4))
        fe_set_base(b, (uint32_t)rng_u64(rng) & ~(b->region_size - 1));
    b->in.reg_valid = 0;
}

static uint32_t random_mask(struct rng *rng, const struct pace *pace)
{
    if (rng_chance(rng, pace->one_word, FE_BENCH_OFTEN))
        return 1u << rng_below(rng, FE_BENCH_WORDS);
    return rng_chance(rng, 1, 2) ? UINT32_MAX : (uint32_t)rng_u64(rng) & (uint32_t)rng_u64(rng);
}

/* Rows that share places among those whose part-full grains are remembered, and rows that do not.
 */
static uint32_t random_row(struct fe_bench *b, const struct pace *pace)
{
    uint32_t row = rng_below(&b->rng, pace->lines);
    if (b->parameters.grain_bytes == EVG_FE_WORD_BYTES)
        return row * 31;
    return (row / 3 * 31 + row % 3 * b->parameters.part_lines) % b->parameters.region_lines;
}

static uint32_t random_line(struct fe_bench *b, const struct pace *pace)
{
    struct rng *rng = &b->rng;
    const uint32_t end = b->base + b->parameters.region_lines;
    /* Around both ends of the region. */
    if (pace->misuse && rng_chance(rng, 1, 8))
        return rng_chance(rng, 1, 6)   ? (uint32_t)rng_u64(rng)
               : rng_chance(rng, 1, 2) ? b->base - 2 + rng_below(rng, 4)
                                       : end - 2 + rng_below(rng, 4);
    return b->base + random_row(b, pace);
}

static void random_request(struct fe_bench *b, const struct pace *pace)
{
    struct rng *rng = &b->rng;
    uint8_t trigger = FE_TRIGGER_NONE, action = FE_ACTION_NONE;
    if (rng_chance(rng, pace->triggered, FE_BENCH_OFTEN))
        trigger = rng_chance(rng, pace->flows ? 39 : 20, 40) ? FE_TRIGGER_FULL : FE_TRIGGER_EMPTY;
    if (rng_chance(rng, pace->action, FE_BENCH_OFTEN))
        action = rng_chance(rng, pace->flows ? 9 : 5, 10) ? FE_ACTION_FILL : FE_ACTION_EMPTY;
    if (pace->misuse && rng_chance(rng, 1, 30))
        trigger = (uint8_t)rng_below(rng, 4);
    if (pace->misuse && rng_chance(rng, 1, 30))
        action = (uint8_t)rng_below(rng, 4);
    fe_offer(b, random_line(b, pace), random_mask(rng, pace), trigger, action,
             (uint8_t)rng_below(rng, 2));
    b->in.req_write = (uint8_t)rng_below(rng, 2);
}

static uint32_t random_word(struct fe_bench *b, const struct pace *pace)
{
    struct rng *rng = &b->rng;
    return random_row(b, pace) * FE_BENCH_WORDS + rng_below(rng, 2 * FE_BENCH_WORDS);
}

static void random_setting(struct fe_bench *b, const struct pace *pace)
{
    struct rng *rng = &b->rng;
    uint32_t first;
    switch (rng_below(rng, 6)) {
    case 0:
        b->in.reg_addr = FE_REG_CONTROL;
        b->in.reg_data = rng_chance(rng, 1, 8) ? rng_below(rng, 4) : 3;
        break;
    case 1:
        b->in.reg_addr = (uint8_t)(FE_REG_TIMEOUT_NON + rng_below(rng, 3));
        b->in.reg_data = rng_chance(rng, 1, 2) ? 0 : 1 + rng_below(rng, 60);
        break;
    case 2:
        b->in.reg_addr = FE_REG_FIRST;
        first = random_word(b, pace);
        b->in.reg_data = rng_chance(rng, 1, 12) ? (uint32_t)rng_u64(rng) : first;
        break;
    case 3: /* mostly short ranges */
        b->in.reg_addr = FE_REG_LAST;
        b->in.reg_data = b->first_register + rng_below(rng, 5 * FE_BENCH_WORDS);
        if (rng_chance(rng, 1, 12))
            b->in.reg_data = (uint32_t)rng_u64(rng) >> rng_below(rng, 32);
        /* Of a large region, ranges in its first rows: all of it takes too long. */
        if (b->in.reg_data < b->parameters.region_lines * FE_BENCH_WORDS)
            b->in.reg_data %= EVG_FE_REGION_LINES * FE_BENCH_WORDS;
        break;
    case 4:
        b->in.reg_addr = (uint8_t)rng_below(rng, 20);
        b->in.reg_data =
            b->in.reg_addr == FE_REG_COMMAND ? FE_COMMAND_RELEASE : rng_below(rng, 1u << 8);
        break;
    default:
        b->in.reg_addr = FE_REG_STATUS;
        b->in.reg_data = EVG_FE_STATUS_REPORT;
        break;
    }
}

static void random_access(struct fe_bench *b, const struct pace *pace)
{
    struct rng *rng = &b->rng;
    struct mem_frontend_in *in = &b->in;
    in->reg_valid = 0;
    if (rng_chance(rng, pace->command, FE_BENCH_OFTEN)) {
        in->reg_valid = in->reg_write = 1;
        in->reg_addr = FE_REG_COMMAND;
        in->reg_data = rng_below(rng, 6);
        if (rng_chance(rng, 3, 4))
            random_setting(b, pace);
    } else if (rng_chance(rng, pace->register_read, FE_BENCH_OFTEN)) {
        in->reg_valid = 1;
        in->reg_write = 0;
        in->reg_addr = (uint8_t)rng_below(rng, 20);
    }
}

static void random_cycle(struct fe_bench *b, struct pace *pace)
{
    struct rng *rng = &b->rng;
    /* A request that is not taken may give way to another, as one of another queue would. */
    if (b->in.req_valid && rng_chance(rng, 1, 4))
        b->in.req_valid = 0;
    if (!b->in.req_valid && pattern_next(&pace->requests, rng, pace->request))
        random_request(b, pace);
    random_access(b, pace);
    b->in.mc_valid = (uint8_t)rng_below(rng, 2);
    b->in.mc_ready = (uint8_t)rng_below(rng, 2) | !b->in.req_valid;
    b->in.net_valid = (uint8_t)rng_below(rng, 2);
    b->in.net_ready = (uint8_t)rng_chance(rng, 7, 8);
    b->in.stall_read = (uint8_t)rng_chance(rng, 1, 700);
    if (fe_step(b))
        b->in.req_valid = 0;
}

/* Lets everything go: fills all, and releases what waits for empty. */
static void finish(struct fe_bench *b)
{
    b->in.req_valid = b->in.reg_valid = b->in.stall_read = 0;
    b->in.mc_valid = b->in.net_valid = 0;
    b->dram_chance = b->answer_chance = b->rsp_chance = FE_BENCH_OFTEN;
    b->dram_pattern = b->answer_pattern = b->rsp_pattern = (struct pattern){0};
    for (uint8_t reg = FE_REG_TIMEOUT_NON; reg <= FE_REG_TIMEOUT_GPU; reg++)
        fe_write_register(b, reg, 0);
    fe_write_register(b, FE_REG_CONTROL, EVG_FE_CONTROL_OVERRIDE);
    fe_write_register(b, FE_REG_COMMAND, FE_COMMAND_RELEASE);
    fe_drain(b, 2000 + 4 * b->parameters.region_lines); /* a range over all rows */
}

void fe_traffic(struct fe_bench *b, uint32_t cycles)
{
    struct pace pace = {0};
    uint32_t reset_at = 0;
    for (uint32_t cycle = 0; cycle < cycles; cycle++) {
        if (cycle % PHASE == 0) {
            if (rng_chance(&b->rng, 1, 3))
                finish(b);
            new_phase(b, &pace);
            reset_at = rng_below(&b->rng, PHASE);
        }
        if (cycle % PHASE == reset_at)
            maybe_reset(b);
        random_cycle(b, &pace);
    }
    finish(b);
}
