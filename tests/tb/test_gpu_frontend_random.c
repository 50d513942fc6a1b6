/* Random traffic against the bench's reference: legal and illegal writes, registrations and
 * removals under load, patterns of readiness at every interface, answers that nobody asked for,
 * resets in mid-run, in lockstep, with several tiles that differ in what their registers hold
 * before the first reset. A second, gated copy of the RTL is clocked only while the tile is not
 * idle, which shows that an idle tile stands still. The seed is printed; EVGPU_SEED=N repeats a
 * run. */
#include "tests/tb/bench/frontend_bench.h"
#include "tests/unit.h"

enum { TILES = 4, CYCLES = 320000, PHASE = 2500, RESET_EVERY = 2, DEFAULT_SEED = 20240611 };

static uint64_t seed_of_run(void)
{
    const char *text = getenv("EVGPU_SEED");
    return text ? strtoull(text, NULL, 0) : DEFAULT_SEED;
}

/* How busy each part of the world is changes from phase to phase. */
struct pace {
    uint32_t write, command, bad_write, clear;
    uint32_t most; /* events in flight of a row that rings ... */
    bool flood;    /* ... but without end, of one row */
    struct pattern writes, commands;
    uint32_t reset_at; /* cycle of the phase, if it has that many */
};

static uint32_t random_chance(struct rng *rng)
{
    static const uint32_t levels[] = {0, 4, 32, 128, BENCH_OFTEN, BENCH_OFTEN, BENCH_OFTEN};
    return levels[rng_below(rng, sizeof levels / sizeof *levels)];
}

/* Never 0, so that what is in the machine moves. */
static uint32_t random_readiness(struct rng *rng)
{
    uint32_t chance = random_chance(rng);
    return chance ? chance : 2;
}

static void new_phase(struct bench *b, struct pace *pace)
{
    struct rng *rng = &b->rng;
    pace->write = random_chance(rng);
    pace->command = random_chance(rng);
    if (rng_chance(rng, 1, 2))
        pace->command /= 16;
    pace->bad_write = random_chance(rng) / 2;
    static const uint32_t most[] = {1, 1, 2, 4, 16};
    pace->most = most[rng_below(rng, sizeof most / sizeof *most)];
    pace->flood = rng_chance(rng, 1, 40);
    pace->clear = rng_chance(rng, 1, 2) ? 500 : 1000000;
    b->ack_chance = random_readiness(rng);
    b->big_chance = random_readiness(rng);
    b->big_levels = rng_chance(rng, 1, 6) ? rng_below(rng, 1 << BENCH_LEVELS) : UINT32_MAX;
    b->mr_chance = random_readiness(rng);
    b->rsp_chance = random_readiness(rng);
    b->pw_chance = random_readiness(rng);
    b->done_chance = random_readiness(rng);
    b->stat_chance = random_readiness(rng);
    b->ack_pattern = pattern_random(rng);
    b->big_pattern = pattern_random(rng);
    b->mr_pattern = pattern_random(rng);
    b->rsp_pattern = pattern_random(rng);
    b->pw_pattern = pattern_random(rng);
    b->done_pattern = pattern_random(rng);
    b->stat_pattern = pattern_random(rng);
    pace->writes = pattern_random(rng);
    pace->commands = pattern_random(rng);
    pace->reset_at = rng_below(rng, RESET_EVERY * PHASE);
    b->stray_chance = random_chance(rng);
    b->stray_read_chance = random_chance(rng);
    b->shuffle_chance = random_chance(rng);
    b->error_chance = random_chance(rng) / 4;
    b->late_chance = rng_chance(rng, 1, 2) ? 0 : random_chance(rng) / 2;
    b->late = 1 + rng_below(rng, 3000);
    b->stuck_rows = rng_chance(rng, 1, 3) ? (uint32_t)(rng_u64(rng) & rng_u64(rng)) : 0;
    b->in.cfg_flag_limit =
        rng_chance(rng, 1, 4) ? 0 : 1 + (uint32_t)(rng_u64(rng) >> 52) % (1u << rng_below(rng, 12));
    b->null_chance = random_chance(rng);
    b->bad_chance = random_chance(rng) / 2;
    b->run_cycles = 1 + rng_below(rng, 200);
    b->in.cfg_mode = (uint8_t)rng_below(rng, 4);
    b->in.cfg_keep_most = (uint8_t)(rng_u64(rng) >> (58 + rng_below(rng, 7)) % 64 & 63);
    b->in.cfg_keep_shift = (uint8_t)rng_below(rng, 8);
    b->in.cfg_keep_patience = (uint16_t)(rng_u64(rng) & 0xffff) >> rng_below(rng, 16);
    b->in.cfg_core_groups = (uint8_t)(1 + rng_below(rng, 8));
    b->in.cfg_core_mask = rng_chance(rng, 1, 2) ? UINT64_MAX : rng_u64(rng) | 1;
}

static void change_core(struct bench *b)
{
    uint32_t core = rng_below(&b->rng, EVG_MAX_CORES);
    b->occupancy[core] = (uint8_t)rng_below(&b->rng, EVG_PEWT_ENTRIES + 1);
    b->victims[core] = (uint8_t)rng_below(&b->rng, EVG_PEWT_ENTRIES + 1);
    b->held[core] = (uint8_t)rng_below(&b->rng, 1 << BENCH_LEVELS);
    b->busy[core] = rng_chance(&b->rng, 1, 2);
    b->is_free[core] = rng_chance(&b->rng, 1, 2);
    b->fits[core] = rng_chance(&b->rng, 1, 2);
    b->kept[core] = rng_chance(&b->rng, 1, 2);
}

static void random_write(struct bench *b, const struct pace *pace, bool bad)
{
    struct rng *rng = &b->rng;
    struct gpu_frontend_in *in = &b->in;
    uint32_t row = pace->flood ? 0 : rng_below(rng, EVG_EKT_ROWS);
    in->wr_valid = pace->flood || b->rows[row].in_flight < pace->most;
    in->wr_addr = row * EVG_DOORBELL_PAGE;
    in->wr_size = EVG_DOORBELL_BYTES;
    in->wr_rid = b->rows[row].rid;
    if (!bad)
        return;
    if (rng_chance(rng, 1, 3))
        in->wr_addr += rng_below(rng, EVG_DOORBELL_PAGE);
    if (rng_chance(rng, 1, 3))
        in->wr_size = (uint8_t)rng_below(rng, 16);
    if (rng_chance(rng, 1, 3))
        in->wr_rid ^= (uint16_t)(1u << rng_below(rng, 16));
    if (rng_chance(rng, 1, 6))
        in->wr_addr = (uint32_t)rng_u64(rng);
}

static void random_dims(struct rng *rng, uint32_t *dims)
{
    for (int i = 0; i < 6; i++)
        dims[i] = 1 + (rng_chance(rng, 1, 8) ? rng_below(rng, 40) : 0);
    for (int i = 0; i < 3; i++) /* the grid has no limit */
        if (rng_chance(rng, 1, 8))
            dims[i] = (uint32_t)rng_u64(rng);
    /* One draw per statement: the order of evaluation must not decide the traffic. */
    uint32_t block_dim = 3 + rng_below(rng, 3);
    if (rng_chance(rng, 3, 4))
        dims[block_dim] = 1 + rng_below(rng, rng_chance(rng, 1, 8) ? EVG_BLOCK_THREADS : 34);
    uint32_t bad_dim = rng_below(rng, 6);
    if (rng_chance(rng, 1, 30))
        dims[bad_dim] = rng_chance(rng, 1, 2) ? 0 : (uint32_t)rng_u64(rng);
}

/* A few flags, anywhere; all of memory; none; or no window. */
static void random_window(struct rng *rng, struct gpu_frontend_in *in)
{
    in->cmd_flag_first = rng_u64(rng) >> rng_below(rng, 61) & ~(uint64_t)3;
    in->cmd_flag_last = in->cmd_flag_first + 4 * (uint64_t)rng_below(rng, 4);
    uint32_t kind = rng_below(rng, 30);
    if (kind == 0)
        in->cmd_flag_last = UINT64_MAX - 3;
    else if (kind == 1)
        in->cmd_flag_first = in->cmd_flag_last = 0;
    else if (kind == 2)
        in->cmd_flag_first += rng_below(rng, 4);
    else if (kind == 3)
        in->cmd_flag_last += rng_below(rng, 4);
    else if (kind == 4)
        in->cmd_flag_last = in->cmd_flag_first - 4;
}

static void random_command(struct bench *b)
{
    struct rng *rng = &b->rng;
    struct gpu_frontend_in *in = &b->in;
    in->cmd_valid = 1;
    in->cmd_op = (uint8_t)(rng_chance(rng, 1, 20)  ? rng_below(rng, 4)
                           : rng_chance(rng, 3, 5) ? FRONTEND_CMD_REGISTER
                                                   : FRONTEND_CMD_UNREGISTER);
    in->cmd_row = (uint8_t)rng_below(rng, EVG_EKT_ROWS);
    in->cmd_rid = (uint16_t)rng_u64(rng);
    in->cmd_kernel = rng_u64(rng);
    if (!rng_chance(rng, 1, 20))
        in->cmd_kernel >>= 1;
    in->cmd_base = rng_u64(rng) << 4;
    in->cmd_size = 16 * (uint64_t)(1 + rng_below(rng, 20));
    uint64_t span = in->cmd_size * rng_below(rng, 6);
    if (rng_chance(rng, 1, 2))
        span += rng_below(rng, 16);
    in->cmd_last = in->cmd_base + span;
    if (rng_chance(rng, 1, 6)) { /* entries of any size */
        in->cmd_size = rng_u64(rng) >> rng_below(rng, 60) & ~(uint64_t)15;
        in->cmd_last = in->cmd_base + rng_u64(rng) / 2;
    } else if (rng_chance(rng, 1, 10)) { /* up to the end of the address space */
        in->cmd_last = UINT64_MAX - rng_below(rng, 16);
        in->cmd_base = (in->cmd_last - span) & ~(uint64_t)15;
    }
    if (rng_chance(rng, 1, 30))
        in->cmd_base += rng_below(rng, 16);
    if (rng_chance(rng, 1, 30))
        in->cmd_size = rng_below(rng, 40);
    if (rng_chance(rng, 1, 30))
        in->cmd_last = in->cmd_base - rng_below(rng, 100);
    random_window(rng, in);
    random_dims(rng, in->cmd_dims);
    in->cmd_shared = (uint16_t)(rng_chance(rng, 1, 6) ? rng_u64(rng) : 0);
    in->cmd_priority = (uint8_t)rng_below(rng, 1 << EVG_PRIORITY_BITS);
}

static void random_cycle(struct bench *b, struct pace *pace)
{
    struct rng *rng = &b->rng;
    b->in.wr_valid = 0;
    if (pattern_next(&pace->writes, rng, pace->write))
        random_write(b, pace, rng_chance(rng, pace->bad_write, BENCH_OFTEN));
    if (!b->in.cmd_valid && pattern_next(&pace->commands, rng, pace->command))
        random_command(b);
    b->in.err_clear = rng_chance(rng, 1, pace->clear);
    if (rng_chance(rng, 1, 4))
        change_core(b);
    if (bench_step(b))
        b->in.cmd_valid = 0;
}

static void finish(struct bench *b)
{
    b->in.wr_valid = b->in.cmd_valid = b->in.err_clear = 0;
    b->in.cfg_core_mask = UINT64_MAX;
    b->big_levels = (1 << BENCH_LEVELS) - 1;
    memset(b->occupancy, 0, sizeof b->occupancy);
    b->ack_chance = b->big_chance = b->mr_chance = b->rsp_chance = BENCH_OFTEN;
    b->pw_chance = b->done_chance = b->stat_chance = BENCH_OFTEN;
    b->ack_pattern = b->big_pattern = b->mr_pattern = b->rsp_pattern = (struct pattern){0};
    b->pw_pattern = b->done_pattern = b->stat_pattern = (struct pattern){0};
    b->stray_read_chance = b->stuck_rows = b->late_chance = 0;
    for (uint32_t i = 0; i < b->unanswered.count; i++)
        b->unanswered.items[(b->unanswered.head + i) % BENCH_RING].due = 0;
    bench_drain(b, 1000000);
}

/* What has happened, in all tiles. */
struct totals {
    uint64_t cycles, idle, accepted, warp_launches, big_launches, answers, written, refused,
        without_flag, resets, forgotten, lost[4], late, without_read;
};

static void count(struct totals *t, const struct bench *b)
{
    assert_true(b->accepted == b->warp_launches + b->big_launches + b->unlaunched);
    assert_true(b->completions + b->forgotten == b->accepted);
    t->accepted += b->accepted;
    t->warp_launches += b->warp_launches;
    t->big_launches += b->big_launches;
    t->answers += b->answers;
    t->written += b->flags_written;
    t->refused += b->flags_refused;
    for (int why = 0; why < 4; why++)
        t->lost[why] += b->lost[why];
    t->late += b->late_answers;
    t->without_read += b->without_read;
    t->without_flag += b->completions - b->flags_written - b->lost[FLAG_LOST_POINTER] -
                       b->lost[FLAG_LOST_ANSWER] - b->lost[FLAG_LOST_TIMEOUT] -
                       b->lost[FLAG_LOST_SILENT];
    t->cycles += b->cycle;
    t->idle += b->cycle - b->gated_steps;
    t->resets += b->resets;
    t->forgotten += b->forgotten;
}

static void run_tile(struct totals *totals, uint64_t seed)
{
    struct bench *b = bench_create(TILE_LOCKSTEP, seed);
    struct error err = {0};
    b->gated = tile_create(&gpu_frontend_kind, TILE_VERILATOR, "gated", &err);
    tile_reset(b->gated, &b->gated_out);
    struct pace pace = {0};
    for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
        if (cycle % PHASE == 0)
            new_phase(b, &pace);
        random_cycle(b, &pace);
        if (cycle % PHASE == pace.reset_at)
            bench_reset(b);
    }
    finish(b);
    count(totals, b);
    bench_destroy(b);
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = seed_of_run();
    printf("seed %llu\n", (unsigned long long)seed);
    struct totals t = {0};
    for (uint32_t tile = 0; tile < TILES; tile++)
        run_tile(&t, seed + tile);
    printf("%llu cycles, %llu of them idle; %llu accepted, %llu to cores, %llu larger, %llu flags, "
           "%llu answers, %llu resets, which ended %llu events\n",
           (unsigned long long)t.cycles, (unsigned long long)t.idle, (unsigned long long)t.accepted,
           (unsigned long long)t.warp_launches, (unsigned long long)t.big_launches,
           (unsigned long long)t.written, (unsigned long long)t.answers,
           (unsigned long long)t.resets, (unsigned long long)t.forgotten);
    printf("lost: %llu by errors, %llu in time-outs, %llu of silent rows; %llu late answers, %llu "
           "without a "
           "tag\n",
           (unsigned long long)t.lost[FLAG_LOST_ANSWER],
           (unsigned long long)t.lost[FLAG_LOST_TIMEOUT],
           (unsigned long long)t.lost[FLAG_LOST_SILENT], (unsigned long long)t.late,
           (unsigned long long)t.without_read);
    /* The traffic reached everything. */
    assert_true(t.warp_launches > 2000 && t.big_launches > 2000 && t.answers > 2000);
    assert_true(t.written > 2000 && t.refused > 1000 && t.without_flag > 1000);
    assert_true(t.lost[FLAG_LOST_ANSWER] > 200 && t.lost[FLAG_LOST_TIMEOUT] > 200);
    assert_true(t.lost[FLAG_LOST_SILENT] > 200 && t.late > 200);
    assert_true(t.idle > 10000 && t.resets > 100 && t.forgotten > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
