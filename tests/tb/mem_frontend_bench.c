#include "tests/tb/mem_frontend_bench.h"

#include "base/alloc.h"
#include "tests/tb/mem_frontend_reference.h"
#include "tests/unit.h"

enum { PATIENCE = 20000 };

/* --- set-up ------------------------------------------------------------------------------------
 */

int fe_bench_setup(void **state)
{
    *state = fe_bench_create(TILE_LOCKSTEP, 1);
    return 0;
}

int fe_bench_teardown(void **state)
{
    fe_bench_destroy(*state);
    return 0;
}

void fe_bench_reset(struct fe_bench *b)
{
    fe_bench_reset_edges(b, 1 + rng_below(&b->rng, 3));
}

void fe_bench_reset_edges(struct fe_bench *b, uint32_t edges)
{
    b->resets++;
    b->in.reg_valid &= b->in.reg_write; /* reg_data, which a write shows again, has no reset */
    tile_reset_among(b->tile, &b->in, edges, &b->out);
    if (b->gated)
        tile_reset_among(b->gated, &b->in, edges, &b->gated_out);
    fe_reference_reset(b);
}

struct fe_bench *fe_bench_create(enum tile_backend backend, uint64_t seed)
{
    const struct mem_frontend_parameters defaults = mem_frontend_defaults();
    return fe_bench_create_variant(&mem_frontend_kind, &defaults, backend, seed);
}

struct fe_bench *fe_bench_create_variant(const struct tile_kind *kind,
                                         const struct mem_frontend_parameters *parameters,
                                         enum tile_backend backend, uint64_t seed)
{
    static uint32_t tiles; /* registers before the first reset: others in each test */
    struct fe_bench *b = ALLOC(struct fe_bench);
    struct error err = {0};
    tile_randomise((uint32_t)seed + ++tiles, true);
    b->kind = kind;
    b->parameters = *parameters;
    for (b->region_size = 1; b->region_size < parameters->region_lines;)
        b->region_size *= 2;
    b->bits = ALLOC_ARRAY(uint32_t, parameters->region_lines);
    b->owner = ALLOC_ARRAY(uint32_t, parameters->part_lines);
    for (uint32_t i = 0; i < parameters->part_lines; i++)
        b->owner[i] = i;
    b->tile = tile_create(kind, backend, "partition", &err);
    assert_non_null(b->tile);
    b->trace = bench_trace_begin(b->tile);
    rng_seed(&b->rng, seed);
    b->dram_chance = b->answer_chance = b->rsp_chance = FE_BENCH_OFTEN;
    b->cycle = 1;
    fe_bench_reset(b);
    fe_steps(b, b->parameters.region_lines + 1);
    fe_read_register(b, FE_REG_CONTROL); /* reg_data has no value before */
    fe_steps(b, 2);
    return b;
}

void fe_bench_add_gated(struct fe_bench *b)
{
    struct error err = {0};
    b->gated = tile_create(b->kind, TILE_VERILATOR, "gated", &err);
    assert_non_null(b->gated);
    fe_bench_reset(b);
    fe_steps(b, b->parameters.region_lines + 1);
    fe_read_register(b, FE_REG_CONTROL); /* reg_data has no value before */
    fe_steps(b, 2);
}

void fe_bench_destroy(struct fe_bench *b)
{
    bench_trace_end(b->trace);
    tile_destroy(b->tile);
    tile_destroy(b->gated);
    free(b->bits);
    free(b->owner);
    free(b);
}

/* --- one step ----------------------------------------------------------------------------------
 */

/* Any request that memory has taken; the one at dram_... in the cycle in which it takes it, at the
 * earliest. */
static struct fe_entry *choose_answer(struct fe_bench *b)
{
    struct fe_entry *e = b->answer_now;
    b->answer_now = NULL;
    if (e || b->answers_held || !pattern_next(&b->answer_pattern, &b->rng, b->answer_chance))
        return e;
    struct fe_ring *r = &b->replies[rng_below(&b->rng, FE_BENCH_QUEUES)];
    if (!r->count)
        return NULL;
    e = fe_ring_at(r, rng_below(&b->rng, r->count));
    bool shown = b->out.dram_valid && b->out.dram_tag == e->tag;
    return e->answered || (shown && !b->in.dram_ready) ? NULL : e;
}

static void drive_world(struct fe_bench *b)
{
    struct mem_frontend_in *in = &b->in;
    in->dram_ready = pattern_next(&b->dram_pattern, &b->rng, b->dram_chance);
    in->rsp_ready = pattern_next(&b->rsp_pattern, &b->rng, b->rsp_chance);
    struct fe_entry *e = choose_answer(b);
    in->answer_valid = e != NULL;
    if (e) {
        in->answer_tag = e->tag;
        e->answered = true;
    }
}

static void step_gated(struct fe_bench *b)
{
    const struct mem_frontend_in *in = &b->in;
    struct error err = {0};
    bool stall = (in->mc_valid && !in->mc_ready) || (in->net_valid && !in->net_ready);
    if (!b->gated_out.idle || in->req_valid || in->answer_valid || in->reg_valid ||
        in->stall_read || stall) {
        tile_step(b->gated, in, &b->gated_out, &err);
        b->gated_steps++;
    }
    if (!tile_same_outputs(b->kind, &b->gated_out, &b->out))
        fail_msg("cycle %llu: the idle tile that was not clocked differs",
                 (unsigned long long)b->cycle);
}

bool fe_step(struct fe_bench *b)
{
    drive_world(b);
    const struct mem_frontend_out before = b->out;
    struct error err = {0};
    if (!tile_step(b->tile, &b->in, &b->out, &err))
        fail_msg("%s", err.text);
    bench_trace_step(b->trace);
    bool taken = fe_reference_step(b, &before);
    if (b->gated)
        step_gated(b);
    b->cycle++;
    return taken;
}

void fe_steps(struct fe_bench *b, uint32_t cycles)
{
    while (cycles--)
        fe_step(b);
}

/* --- for tests ---------------------------------------------------------------------------------
 */

uint16_t fe_offer(struct fe_bench *b, uint32_t line, uint32_t mask, uint8_t trigger, uint8_t action,
                  uint8_t source)
{
    struct mem_frontend_in *in = &b->in;
    in->req_valid = 1;
    in->req_line = line;
    in->req_mask = mask;
    in->req_trigger = trigger;
    in->req_action = action;
    in->req_source = source;
    in->req_write = action == FE_ACTION_FILL;
    return ++in->req_id;
}

uint16_t fe_send(struct fe_bench *b, uint32_t line, uint32_t mask, uint8_t trigger, uint8_t action,
                 uint8_t source)
{
    uint16_t id = fe_offer(b, line, mask, trigger, action, source);
    for (uint32_t i = 0; !fe_step(b); i++)
        EXPECT(b, i < PATIENCE);
    b->in.req_valid = 0;
    return id;
}

uint16_t fe_read_full(struct fe_bench *b, uint32_t line, uint8_t source)
{
    return fe_send(b, line, UINT32_MAX, FE_TRIGGER_FULL, FE_ACTION_NONE, source);
}

uint16_t fe_gpu_read(struct fe_bench *b, uint32_t line)
{
    return fe_read_full(b, line, FE_SOURCE_GPU);
}

uint16_t fe_plain(struct fe_bench *b, uint32_t line)
{
    return fe_send(b, line, UINT32_MAX, FE_TRIGGER_NONE, FE_ACTION_NONE, FE_SOURCE_GPU);
}

void fe_await_leave(struct fe_bench *b, uint16_t id)
{
    for (uint32_t i = 0; b->last_leave_id != id; i++) {
        EXPECT(b, i < PATIENCE);
        fe_step(b);
    }
}

void fe_write_register(struct fe_bench *b, uint8_t address, uint32_t value)
{
    b->in.reg_valid = b->in.reg_write = 1;
    b->in.reg_addr = address;
    b->in.reg_data = value;
    fe_step(b);
    b->in.reg_valid = b->in.reg_write = 0;
}

uint32_t fe_read_register(struct fe_bench *b, uint8_t address)
{
    b->in.reg_valid = 1;
    b->in.reg_write = 0;
    b->in.reg_addr = address;
    fe_step(b);
    b->in.reg_valid = 0;
    return b->out.reg_data;
}

void fe_set_base(struct fe_bench *b, uint32_t line)
{
    fe_write_register(b, FE_REG_REGION_BASE, line);
}

uint8_t fe_command(struct fe_bench *b, uint8_t command, uint32_t first, uint32_t last)
{
    fe_write_register(b, FE_REG_CONTROL, EVG_FE_CONTROL_OVERRIDE | EVG_FE_CONTROL_CLEAR);
    fe_write_register(b, FE_REG_FIRST, first);
    fe_write_register(b, FE_REG_LAST, last);
    fe_write_register(b, FE_REG_COMMAND, command);
    return (uint8_t)(fe_read_register(b, FE_REG_STATUS) >> EVG_FE_STATUS_CODE);
}

void fe_answer(struct fe_bench *b, uint32_t queue, uint32_t i)
{
    EXPECT(b, i < b->replies[queue].count);
    b->answer_now = fe_ring_at(&b->replies[queue], i);
    EXPECT(b, !b->answer_now->answered);
    fe_step(b);
}

static bool is_drained(const struct fe_bench *b)
{
    for (uint32_t q = 0; q < FE_BENCH_QUEUES; q++)
        if (b->waiting[q].count || b->replies[q].count)
            return false;
    return !b->range_active && b->out.idle;
}

void fe_drain(struct fe_bench *b, uint32_t limit)
{
    for (uint32_t i = 0; !is_drained(b); i++) {
        EXPECT(b, i < limit);
        fe_step(b);
    }
}

uint8_t fe_head_state(const struct fe_bench *b, uint32_t queue)
{
    return (uint8_t)(b->out.head_state >> (3 * queue) & 7);
}
