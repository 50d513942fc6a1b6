#include "tests/tb/bench/frontend_reference.h"

#include "base/alloc.h"
#include "tests/unit.h"

enum {
    PATIENCE = 20000, /* cycles after which waiting for one step of the world is a failure */
};

/* --- set-up ----------------------------------------------------------------------------------- */

struct bench *bench_create(enum tile_backend backend, uint64_t seed)
{
    struct bench *b = ALLOC(struct bench);
    struct error err = {0};
    tile_randomise((uint32_t)seed, true);
    b->tile = tile_create(&gpu_frontend_kind, backend, "frontend", &err);
    assert_non_null(b->tile);
    tile_reset(b->tile, &b->out);
    rng_seed(&b->rng, seed);
    struct bench_fifo *fifos[] = {&b->running, &b->reads, &b->unanswered, &b->flags};
    for (size_t i = 0; i < sizeof fifos / sizeof *fifos; i++)
        bench_fifo_create(fifos[i], BENCH_RING);
    for (size_t i = 0; i < EVG_EKT_ROWS; i++)
        bench_fifo_create(&b->waiting[i], BENCH_ROW_RING);
    b->ack_chance = b->big_chance = b->mr_chance = b->rsp_chance = BENCH_OFTEN;
    b->pw_chance = b->done_chance = b->stat_chance = BENCH_OFTEN;
    b->run_cycles = 1;
    b->big_levels = (1 << BENCH_LEVELS) - 1;
    b->in.cfg_core_groups = 2;
    b->in.cfg_core_mask = 0xffff;
    b->in.cfg_mode = SCHED_MODE_PREEMPT;
    b->in.cfg_keep_most = 2;
    b->in.cfg_keep_shift = 2;
    b->in.cfg_keep_patience = 50;
    return b;
}

static void forget_events(struct bench *b)
{
    struct bench_fifo *fifos[] = {&b->running, &b->reads, &b->unanswered, &b->flags};
    for (size_t i = 0; i < sizeof fifos / sizeof *fifos; i++)
        fifos[i]->count = 0;
    for (size_t i = 0; i < EVG_EKT_ROWS; i++) {
        b->waiting[i].count = 0;
        b->forgotten += b->rows[i].in_flight;
        b->rows[i] = (struct bench_row){0};
        b->next_number[i] = 0;
    }
    b->unlaunched += b->n_waiting - b->warp_shown;
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
        b->unlaunched -= b->bigs_shown[row];
    b->n_waiting = 0;
    b->warp_shown = false;
    memset(b->bigs_shown, 0, sizeof b->bigs_shown);
}

void bench_reset(struct bench *b)
{
    uint32_t edges = 1 + rng_below(&b->rng, 3);
    tile_reset_among(b->tile, &b->in, edges, &b->out);
    if (b->gated)
        tile_reset_among(b->gated, &b->in, edges, &b->gated_out);
    forget_events(b);
    memset(b->errors, 0, sizeof b->errors);
    b->taken = b->silent = b->waited = 0;
    b->over = b->sweep = false;
    b->verdict = (struct bench_verdict){0};
    b->command_busy = false;
    b->in.cmd_valid = 0;
    b->resets++;
}

void bench_destroy(struct bench *b)
{
    tile_destroy(b->tile);
    tile_destroy(b->gated);
    struct bench_fifo *fifos[] = {&b->running, &b->reads, &b->unanswered, &b->flags};
    for (size_t i = 0; i < sizeof fifos / sizeof *fifos; i++)
        free(fifos[i]->items);
    for (size_t i = 0; i < EVG_EKT_ROWS; i++)
        free(b->waiting[i].items);
    free(b);
}

enum tile_backend bench_backends[3] = {TILE_VERILATOR, TILE_MODEL, TILE_LOCKSTEP};

int bench_setup(void **state)
{
    const enum tile_backend *backend = *state;
    *state = bench_create(*backend, 1);
    return 0;
}

int bench_teardown(void **state)
{
    bench_destroy(*state);
    return 0;
}

struct gpu_frontend_in bench_registration(uint32_t threads, uint64_t entries)
{
    struct gpu_frontend_in c = {.cmd_valid = 1,
                                .cmd_op = FRONTEND_CMD_REGISTER,
                                .cmd_rid = 0x0100,
                                .cmd_kernel = (uint64_t)5 << 56 | 0x4000,
                                .cmd_base = 0x10000,
                                .cmd_size = 64,
                                .cmd_flag_first = 0x800000,
                                .cmd_flag_last = 0x800ffc,
                                .cmd_dims = {1, 1, 1, threads, 1, 1}};
    c.cmd_last = c.cmd_base + (entries - 1) * c.cmd_size;
    return c;
}

struct gpu_frontend_in bench_unregistration(uint32_t row)
{
    return (struct gpu_frontend_in){
        .cmd_valid = 1, .cmd_op = FRONTEND_CMD_UNREGISTER, .cmd_row = (uint8_t)row};
}

struct gpu_frontend_in bench_abort(uint32_t row, uint64_t entry)
{
    return (struct gpu_frontend_in){
        .cmd_valid = 1, .cmd_op = FRONTEND_CMD_ABORT, .cmd_row = (uint8_t)row, .cmd_base = entry};
}

/* --- the world: inputs ------------------------------------------------------------------------ */

static bool happens(struct bench *b, uint32_t chance)
{
    return chance >= BENCH_OFTEN || rng_chance(&b->rng, chance, BENCH_OFTEN);
}

/* The key of the contract, as one number per core. */
static uint16_t reference_key(const struct bench *b, uint32_t core)
{
    uint32_t no_context = !b->is_free[core];
    uint32_t rest = b->occupancy[core] * 16u + b->victims[core] * 2u + b->busy[core], class = 0;
    if (b->in.cfg_mode == SCHED_MODE_PREEMPT)
        return (uint16_t)((no_context ? b->fits[core] ? 1u : 2u : 0u) * 128u +
                          b->victims[core] * 16u + b->occupancy[core] * 2u + b->busy[core]);
    if (b->in.cfg_mode != SCHED_MODE_DYNAMIC)
        return (uint16_t)(no_context * 128u + rest);
    if (no_context)
        class = b->fits[core] ? 2 : 3;
    else
        class = b->kept[core] ? 0 : 1;
    return (uint16_t)(class * 256u + rest);
}

/* The best state there is, of a group that nobody asks for, or when nobody asks: to be ignored. */
static void answer_another(struct bench *b)
{
    struct gpu_frontend_in *in = &b->in;
    if (!b->stray_chance || !happens(b, b->stray_chance))
        return;
    in->stat_valid = 1;
    in->stat_group = b->out.stat_req_group;
    if (b->out.stat_req)
        in->stat_group = (uint8_t)((in->stat_group + 1 + rng_below(&b->rng, EVG_SCAN_LANES - 1)) %
                                   EVG_SCAN_LANES);
    in->stat_occupancy = in->stat_victims = 0;
    in->stat_busy = 0;
    in->stat_free = in->stat_fits = in->stat_kept = UINT8_MAX;
    in->stat_levels = UINT32_MAX;
    b->strays++;
}

static void answer_scan(struct bench *b)
{
    struct gpu_frontend_in *in = &b->in;
    in->stat_valid = 0;
    if (!b->out.stat_req || !pattern_next(&b->stat_pattern, &b->rng, b->stat_chance)) {
        answer_another(b);
        return;
    }
    if (!b->out.stat_req_group)
        memset(b->scan_ok, 0, sizeof b->scan_ok);
    in->stat_valid = 1;
    in->stat_group = b->out.stat_req_group;
    in->stat_occupancy = in->stat_victims = 0;
    in->stat_busy = in->stat_free = in->stat_fits = in->stat_kept = 0;
    in->stat_levels = 0;
    uint8_t may_wait = 0;
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
        may_wait |= (uint8_t)((b->waiting[row].count > 0) << b->rows[row].priority);
    for (uint32_t lane = 0; lane < EVG_SCAN_LANES; lane++) {
        uint32_t core = in->stat_group * (uint32_t)EVG_SCAN_LANES + lane;
        in->stat_occupancy |= (uint32_t)b->occupancy[core] << 3 * lane;
        in->stat_victims |= (uint32_t)b->victims[core] << 3 * lane;
        in->stat_busy |= (uint8_t)(b->busy[core] << lane);
        in->stat_free |= (uint8_t)(b->is_free[core] << lane);
        in->stat_fits |= (uint8_t)(b->fits[core] << lane);
        in->stat_kept |= (uint8_t)(b->kept[core] << lane);
        in->stat_levels |= (uint32_t)b->held[core] << BENCH_LEVELS * lane;
        b->scan_ok[core] = in->cfg_core_mask >> core & 1;
        b->scan_left[core] = (int8_t)(EVG_PEWT_ENTRIES - b->occupancy[core]);
        b->scan_held[core] = b->held[core];
        b->scan_rows[core] = b->out.levels;
        b->scan_wait[core] = may_wait;
        b->scan_key[core] = reference_key(b, core);
    }
}

static void offer_completion(struct bench *b)
{
    struct gpu_frontend_in *in = &b->in;
    in->done_valid = 0;
    if (!b->running.count || !pattern_next(&b->done_pattern, &b->rng, b->done_chance))
        return;
    const struct bench_event *event = bench_front(&b->running);
    if (event->due > b->cycle)
        return;
    in->done_valid = 1;
    in->done_row = event->row;
    in->done_tag = event->tag;
    in->done_param = event->param;
    in->done_aborted = event->aborted;
}

/* What the entry of the read holds. */
static uint64_t completion_pointer(struct bench *b, const struct bench_event *read)
{
    const struct bench_row *row = &b->rows[read->row];
    uint64_t flags = (row->flag_last - row->flag_first) / 4;
    if (b->pointer_given)
        return b->pointer;
    if (happens(b, b->null_chance))
        return 0;
    if (!happens(b, b->bad_chance))
        return row->flag_first + 4 * (rng_u64(&b->rng) % (flags + 1));
    switch (rng_below(&b->rng, 4)) {
    case 0:
        return rng_u64(&b->rng);
    case 1:
        return row->flag_first + rng_below(&b->rng, 9) - 4;
    case 2:
        return row->flag_last + rng_below(&b->rng, 9) - 4;
    default:
        return row->flag_first ^ (uint64_t)1 << rng_below(&b->rng, 64);
    }
}

/* The oldest read that may be answered, or any; NULL: none is out, or all are late. */
static const struct bench_event *read_to_answer(struct bench *b)
{
    uint32_t n = b->unanswered.count;
    uint32_t first =
        n && b->shuffle_chance && happens(b, b->shuffle_chance) ? rng_below(&b->rng, n) : 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct bench_event *read = bench_item(&b->unanswered, (first + i) % n);
        if (read->due <= b->cycle)
            return read;
    }
    return NULL;
}

static bool is_out(const struct bench *b, uint32_t tag)
{
    for (uint32_t i = 0; i < b->unanswered.count; i++)
        if (bench_item(&b->unanswered, i)->read_tag == tag)
            return true;
    return false;
}

static void answer_read(struct bench *b)
{
    struct gpu_frontend_in *in = &b->in;
    in->mr_rsp_valid = 0;
    in->mr_rsp_data = rng_u64(&b->rng);
    in->mr_rsp_error = 0;
    const struct bench_event *read = read_to_answer(b);
    if (read && pattern_next(&b->rsp_pattern, &b->rng, b->rsp_chance)) {
        in->mr_rsp_valid = 1;
        in->mr_rsp_tag = read->read_tag;
        in->mr_rsp_error = b->error_chance && happens(b, b->error_chance);
        in->mr_rsp_data = completion_pointer(b, read);
        return;
    }
    in->mr_rsp_tag = (uint8_t)(in->mr_rsp_data >> 40 & ((1u << EVG_COMPLETION_TAG_BITS) - 1));
    in->mr_rsp_valid = !is_out(b, in->mr_rsp_tag) && happens(b, b->stray_read_chance); /* ignored */
}

static void drive_world(struct bench *b)
{
    struct gpu_frontend_in *in = &b->in;
    answer_scan(b);
    offer_completion(b);
    in->ev_ack = pattern_next(&b->ack_pattern, &b->rng, b->ack_chance);
    in->big_ready = pattern_next(&b->big_pattern, &b->rng, b->big_chance) &&
                    b->big_levels >> b->out.big_priority & 1;
    in->mr_ready = pattern_next(&b->mr_pattern, &b->rng, b->mr_chance);
    in->pw_ready = pattern_next(&b->pw_pattern, &b->rng, b->pw_chance) &&
                   !(b->out.pw_valid && b->stuck_rows >> bench_front(&b->flags)->row & 1);
    answer_read(b);
}

/* --- a step ----------------------------------------------------------------------------------- */

/* The gated copy sees a clock only when it is not idle or an input that counts is not. */
static void step_gated(struct bench *b)
{
    if (!b->gated)
        return;
    const struct gpu_frontend_in *in = &b->in;
    if (b->gated_out.idle && !in->wr_valid && !in->cmd_valid && !in->done_valid &&
        !in->mr_rsp_valid && !in->err_clear) {
        assert_true(tile_same_outputs(&gpu_frontend_kind, &b->out, &b->gated_out));
        return;
    }
    struct error err = {0};
    assert_true(tile_step(b->gated, in, &b->gated_out, &err));
    b->gated_steps++;
    assert_true(tile_same_outputs(&gpu_frontend_kind, &b->out, &b->gated_out));
}

bool bench_step(struct bench *b)
{
    drive_world(b);
    b->in.ab_hit =
        (uint8_t)(b->cycle * 0x9e3779b97f4a7c15u >> 63); /* whether it is asked for or not */
    const struct gpu_frontend_out before = b->out;
    struct error err = {0};
    if (!tile_step(b->tile, &b->in, &b->out, &err))
        fail_msg("%s", err.text);
    b->cycle++;
    bool command_taken = b->in.cmd_valid && before.cmd_ready;
    frontend_reference_step(b, &before);
    step_gated(b);
    return command_taken;
}

/* --- conveniences ----------------------------------------------------------------------------- */

void bench_steps(struct bench *b, uint32_t cycles)
{
    while (cycles--)
        bench_step(b);
}

void bench_write(struct bench *b, uint32_t addr, uint32_t size, uint16_t rid)
{
    b->in.wr_valid = 1;
    b->in.wr_addr = addr;
    b->in.wr_size = (uint8_t)size;
    b->in.wr_rid = rid;
    bench_step(b);
    b->in.wr_valid = 0;
}

void bench_ring(struct bench *b, uint32_t row)
{
    bench_write(b, row * EVG_DOORBELL_PAGE, EVG_DOORBELL_BYTES, b->rows[row].rid);
}

void bench_start_command(struct bench *b, const struct gpu_frontend_in *command)
{
    struct gpu_frontend_in *in = &b->in;
    in->cmd_valid = 1;
    in->cmd_op = command->cmd_op;
    in->cmd_row = command->cmd_row;
    in->cmd_rid = command->cmd_rid;
    in->cmd_kernel = command->cmd_kernel;
    in->cmd_base = command->cmd_base;
    in->cmd_size = command->cmd_size;
    in->cmd_last = command->cmd_last;
    in->cmd_flag_first = command->cmd_flag_first;
    in->cmd_flag_last = command->cmd_flag_last;
    in->cmd_shared = command->cmd_shared;
    in->cmd_priority = command->cmd_priority;
    memcpy(in->cmd_dims, command->cmd_dims, sizeof in->cmd_dims);
    for (uint32_t i = 0; !bench_step(b); i++)
        assert_true(i < PATIENCE);
    in->cmd_valid = 0;
}

void bench_command(struct bench *b, const struct gpu_frontend_in *command)
{
    uint64_t answers = b->answers;
    bench_start_command(b, command);
    for (uint32_t i = 0; b->answers == answers; i++) {
        assert_true(i < PATIENCE);
        bench_step(b);
    }
}

void bench_complete_all(struct bench *b)
{
    for (uint32_t i = 0; i < b->running.count; i++)
        b->running.items[(b->running.head + i) % BENCH_RING].due = 0;
}

void bench_unregister(struct bench *b, uint32_t row)
{
    struct gpu_frontend_in leave = bench_unregistration(row);
    uint64_t freed = b->freed;
    bench_command(b, &leave);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_OK);
    for (uint32_t i = 0; b->freed == freed; i++) {
        assert_true(i < PATIENCE);
        bench_step(b);
    }
}

void bench_drain(struct bench *b, uint32_t limit)
{
    while (b->n_waiting || b->running.count || b->reads.count || b->unanswered.count ||
           b->flags.count || b->command_busy || !b->out.idle) {
        assert_true(limit-- > 0);
        bench_step(b);
    }
    for (int row = 0; row < EVG_EKT_ROWS; row++)
        assert_int_equal(b->rows[row].in_flight, 0);
}

void bench_register(struct bench *b, const struct gpu_frontend_in *command, uint32_t row)
{
    bench_command(b, command);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_OK);
    assert_int_equal(b->out.rsp_row, row);
}

void bench_register_simple(struct bench *b, uint32_t threads, uint64_t entries, uint32_t row)
{
    struct gpu_frontend_in c = bench_registration(threads, entries);
    bench_register(b, &c, row);
}
