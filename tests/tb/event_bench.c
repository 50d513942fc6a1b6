#include "tests/tb/event_bench.h"
#include "tests/unit.h"

enum { DEFAULT_REGS = 10 };

bool event_bench_create(struct event_bench *b, enum tile_backend backend)
{
    static uint32_t tiles; /* registers before the first reset: others in each test */
    *b = (struct event_bench){0};
    struct error err = {0};
    tile_randomise(++tiles, true);
    b->tile = tile_create(&sm_event_unit_kind, backend, "bench", &err);
    if (!b->tile)
        return false;
    for (uint32_t w = 0; w < EVG_MAX_WARPS; w++)
        b->warps[w] = (struct bench_warp){.ok = true, .regs = DEFAULT_REGS, .stamp = (uint16_t)w};
    b->in.core_now = EVG_MAX_WARPS;
    b->in.core_free_slot = EVG_MAX_WARPS - 1;
    b->in.cfg_policy = VICTIM_POLICY_OLDEST;
    b->in.cfg_opts =
        EVG_OPT_PRIORITY | EVG_OPT_FLUSH_IBUF | EVG_OPT_SKIP_BARRIER | EVG_OPT_DROP_LOADS;
    b->in.cfg_preempt = 1;
    b->in.cfg_warp_groups = 1;
    b->in.done_ready = 1;
    event_bench_reset(b);
    return true;
}

void event_bench_destroy(struct event_bench *b)
{
    tile_destroy(b->tile);
}

void event_bench_reset(struct event_bench *b)
{
    tile_reset(b->tile, &b->out);
}

void event_bench_offer(struct event_bench *b, uint16_t tag, uint8_t regs)
{
    b->in.ev_valid = 1;
    b->in.ev_tag = tag;
    b->in.ev_regs = regs;
    b->in.ev_kernel = 0x1000000000000001ULL * tag;
    b->in.ev_param = 0x2000000000000001ULL * tag;
    b->in.ev_mask = ~(uint32_t)tag;
    b->in.ev_dims = tag * 5U;
    b->in.ev_row = tag % EVG_EKT_ROWS;
}

void event_bench_exit(struct event_bench *b, uint8_t warp)
{
    b->in.exit_valid = 1;
    b->in.exit_warp = warp;
}

static void put_bits(uint32_t *words, uint32_t lsb, uint32_t width, uint32_t value)
{
    for (uint32_t bit = 0; bit < width; bit++)
        if (value >> bit & 1)
            words[(lsb + bit) / 32] |= 1U << (lsb + bit) % 32;
}

static void answer_candidates(struct event_bench *b)
{
    struct sm_event_unit_in *in = &b->in;
    in->cand_valid = b->out.cand_req && !b->silent;
    in->cand_group = b->out.cand_req_group ^ b->misnumber;
    in->cand_ok = in->cand_loads = in->cand_younger = in->cand_barrier = in->cand_atomic = 0;
    in->cand_regs = 0;
    in->cand_ibuf = 0;
    memset(in->cand_stamp, 0, sizeof in->cand_stamp);
    memset(in->cand_pipe, 0, sizeof in->cand_pipe);
    for (uint32_t lane = 0; b->out.cand_req && lane < EVG_SCAN_LANES; lane++) {
        const struct bench_warp *w = &b->warps[in->cand_group * EVG_SCAN_LANES + lane];
        in->cand_ok = (uint8_t)(in->cand_ok | w->ok << lane);
        in->cand_regs |= (uint64_t)w->regs << 7 * lane;
        put_bits(in->cand_stamp, 16 * lane, 16, w->stamp);
        put_bits(in->cand_pipe, 9 * lane, 9, w->pipe);
        in->cand_ibuf = (uint16_t)(in->cand_ibuf | w->ibuf << 2 * lane);
        in->cand_loads = (uint8_t)(in->cand_loads | w->loads << lane);
        in->cand_younger = (uint8_t)(in->cand_younger | w->younger << lane);
        in->cand_barrier = (uint8_t)(in->cand_barrier | w->barrier << lane);
        in->cand_atomic = (uint8_t)(in->cand_atomic | w->atomic << lane);
    }
}

static void answer_victim(struct event_bench *b)
{
    const struct bench_warp *w = &b->warps[b->out.vic_warp];
    b->in.vic_alive = !w->exited;
    b->in.vic_ibuf = w->ibuf;
    b->in.vic_fetch = w->fetch;
    b->in.vic_pipe = w->pipe > 0;
    b->in.vic_loads = w->loads;
    b->in.vic_younger = w->younger;
    b->in.vic_barrier = w->barrier;
    b->in.vic_atomic = w->atomic;
}

static void answer_commands(struct event_bench *b)
{
    if (!b->keep_push)
        b->in.push_ok = b->out.cmd_push;
    if (b->in.push_ok && b->out.push_fresh) /* the context is taken now */
        b->in.core_free_warp = 0;
    if (!b->keep_save)
        b->in.save_done = b->out.cmd_save;
    if (!b->keep_restore)
        b->in.restore_done = b->out.cmd_restore;
}

static void put_log(struct event_bench *b, bool happens, char letter)
{
    if (happens && b->n_log + 1 < sizeof b->log)
        b->log[b->n_log++] = letter;
}

static void log_commands(struct event_bench *b, const struct sm_event_unit_out *old)
{
    const struct sm_event_unit_out *out = &b->out;
    put_log(b, old->done_valid && b->in.done_ready, 'C');
    put_log(b, out->cmd_resume, 'U');
    put_log(b, out->vic_valid && !old->vic_valid, 'H');
    put_log(b, out->cmd_flush, 'F');
    put_log(b, out->cmd_drop, 'D');
    put_log(b, out->cmd_save, 'S');
    put_log(b, out->cmd_push, 'P');
    put_log(b, out->cmd_pop, 'O');
    put_log(b, out->cmd_restore, 'R');
    put_log(b, out->cmd_release, out->release_barrier ? 'B' : 'L');
}

/* What a core does at once. */
static void obey(struct event_bench *b)
{
    const struct sm_event_unit_out *out = &b->out;
    struct bench_warp *victim = &b->warps[out->vic_warp];
    if (out->cmd_flush || out->cmd_drop)
        victim->ibuf = 0;
    if (out->cmd_drop)
        victim->loads = false;
    if (out->cmd_push && !b->lie)
        b->warps[out->push_warp].ok = false;
    if (out->cmd_release)
        b->warps[out->release_warp].ok = true;
}

void event_bench_edge(struct event_bench *b)
{
    struct sm_event_unit_in *in = &b->in;
    struct sm_event_unit_out old = b->out;
    answer_candidates(b);
    in->cand_now = b->now;
    in->cand_drop = b->drop;
    answer_victim(b);
    answer_commands(b);
    for (uint32_t w = 0; w < EVG_MAX_WARPS; w++)
        if (in->bar_done >> w & 1)
            b->warps[w].barrier = false;
    in->vic_barrier = b->warps[old.vic_warp].barrier;
    struct error err = {0};
    if (!tile_step(b->tile, in, &b->out, &err))
        fail_msg("edge %llu: %s", (unsigned long long)b->edges, err.text);
    b->edges++;
    log_commands(b, &old);
    obey(b);
    in->ev_valid = in->exit_valid = 0;
    in->push_ok = in->push_fail = in->save_done = in->restore_done = 0;
    in->bar_done = 0;
}

void event_bench_edges(struct event_bench *b, int n)
{
    while (n-- > 0)
        event_bench_edge(b);
}

void event_bench_never(const struct event_bench *b, const char *condition, int line)
{
    fail_msg("line %d: never: %s (log %s, take state %u)", line, condition, b->log,
             b->out.take_state);
}

uint8_t event_bench_run_event(struct event_bench *b, uint16_t tag)
{
    event_bench_offer(b, tag, EVENT_BENCH_REGS);
    event_bench_edge(b);
    EVENT_BENCH_UNTIL(b, b->out.cmd_push && b->out.push_tag == tag);
    uint8_t warp = b->out.push_warp;
    event_bench_edge(b);
    return warp;
}

void event_bench_end_event(struct event_bench *b, uint8_t warp)
{
    event_bench_exit(b, warp);
    event_bench_edge(b);
    EVENT_BENCH_UNTIL(b, b->out.idle);
}

void event_bench_expect_log(const struct event_bench *b, const char *log)
{
    assert_string_equal(b->log, log);
}

void event_bench_clear_log(struct event_bench *b)
{
    memset(b->log, 0, sizeof b->log);
    b->n_log = 0;
}

int event_bench_setup(void **state)
{
    static struct event_bench bench;
    *state = &bench;
    return event_bench_create(&bench, TILE_LOCKSTEP) ? 0 : -1;
}

int event_bench_setup_model(void **state)
{
    static struct event_bench bench;
    *state = &bench;
    return event_bench_create(&bench, TILE_MODEL) ? 0 : -1;
}

int event_bench_teardown(void **state)
{
    event_bench_destroy(*state);
    return 0;
}
