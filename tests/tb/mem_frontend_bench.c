#include "tests/tb/mem_frontend_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/alloc.h"

enum {
    SETTLE = 10, /* steps after which a head whose trigger holds has been judged */
    /* Steps from a range command to its first write, and from row to row. */
    CLEAR_AFTER = 3,
    WRITE_AFTER = 4,
    STEPS_PER_ROW = 4,
    PATIENCE = 20000,
};

#define EXPECT(b, condition)                                                                       \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("cycle %llu: line %d: %s", (unsigned long long)(b)->cycle, __LINE__,          \
                     #condition);                                                                  \
    } while (0)

/* --- rings -------------------------------------------------------------------------------------
 */

static struct fe_entry *ring_at(struct fe_ring *r, uint32_t i)
{
    return &r->items[(r->head + i) % FE_BENCH_RING];
}

static void ring_push(struct fe_ring *r, struct fe_entry entry)
{
    assert_true(r->count < FE_BENCH_RING);
    *ring_at(r, r->count++) = entry;
}

static struct fe_entry ring_pop(struct fe_ring *r)
{
    assert_true(r->count > 0);
    struct fe_entry entry = *ring_at(r, 0);
    r->head = (r->head + 1) % FE_BENCH_RING;
    r->count--;
    return entry;
}

static struct fe_entry ring_remove(struct fe_ring *r, uint32_t i)
{
    assert_true(i < r->count);
    struct fe_entry entry = *ring_at(r, i);
    for (; i + 1 < r->count; i++)
        *ring_at(r, i) = *ring_at(r, i + 1);
    r->count--;
    return entry;
}

/* --- set-up ------------------------------------------------------------------------------------
 */

void fe_bench_reset(struct fe_bench *b)
{
    tile_reset(b->tile, &b->out);
    if (b->gated)
        tile_reset(b->gated, &b->gated_out);
    memset(b->waiting, 0, sizeof b->waiting);
    memset(b->replies, 0, sizeof b->replies);
    b->range_active = true;
    b->range_start = b->cycle - CLEAR_AFTER; /* the first row is written in the next step */
    b->range_first = 0;
    b->range_last = b->parameters.region_lines * FE_BENCH_WORDS - 1;
    b->last_op = FE_COMMAND_NONE; /* the start-up */
    b->range_resting = false;
    b->action.kind = FE_ACTION_NONE;
    b->control = b->first_register = b->last_register = 0;
    b->ready_from = b->cycle + b->parameters.region_lines;
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
    struct fe_bench *b = ALLOC(struct fe_bench);
    struct error err = {0};
    b->kind = kind;
    b->parameters = *parameters;
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
    return b;
}

void fe_bench_add_gated(struct fe_bench *b)
{
    struct error err = {0};
    b->gated = tile_create(b->kind, TILE_VERILATOR, "gated", &err);
    assert_non_null(b->gated);
    fe_bench_reset(b);
    fe_steps(b, b->parameters.region_lines + 1);
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

/* --- reference: full/empty bits ----------------------------------------------------------------
 */

/* The words of grains that are full as a whole. */
static uint32_t whole_grains(const struct fe_bench *b, uint32_t bits)
{
    uint32_t grain = (uint32_t)((1ull << b->parameters.grain_bytes / EVG_FE_WORD_BYTES) - 1),
             whole = 0;
    for (uint32_t word = 0; word < FE_BENCH_WORDS;
         word += b->parameters.grain_bytes / EVG_FE_WORD_BYTES)
        if ((bits >> word & grain) == grain)
            whole |= grain << word;
    return whole;
}

/* Words of part-full grains are forgotten when another row needs their place. */
static void write_bits(struct fe_bench *b, uint32_t row, uint32_t bits)
{
    uint32_t *owner = &b->owner[row % b->parameters.part_lines];
    b->bits[row] = bits;
    if (bits == whole_grains(b, bits) || *owner == row)
        return;
    b->forgotten += b->bits[*owner] != whole_grains(b, b->bits[*owner]);
    b->bits[*owner] = whole_grains(b, b->bits[*owner]);
    *owner = row;
}

/* The row that the range command writes in this step, -1: none. */
static int64_t range_row(const struct fe_bench *b)
{
    if (!b->range_active)
        return -1;
    uint64_t since = b->cycle - b->range_start;
    uint32_t first = b->range_first / FE_BENCH_WORDS;
    if (b->last_op == FE_COMMAND_CLEAR || b->last_op == FE_COMMAND_NONE)
        return since >= CLEAR_AFTER ? (int64_t)(first + since - CLEAR_AFTER) : -1;
    return since >= WRITE_AFTER && (since - WRITE_AFTER) % STEPS_PER_ROW == 0
               ? (int64_t)(first + (since - WRITE_AFTER) / STEPS_PER_ROW)
               : -1;
}

static uint32_t n_heads(const struct fe_bench *b, uint32_t queue)
{
    uint32_t most = queue == FE_QUEUE_GPU ? b->parameters.look_ahead : 1;
    return b->waiting[queue].count < most ? b->waiting[queue].count : most;
}

/* No request for its line is before it. */
static bool is_first_of_line(struct fe_ring *r, uint32_t i)
{
    for (uint32_t older = 0; older < i; older++)
        if (ring_at(r, older)->line == ring_at(r, i)->line)
            return false;
    return true;
}

/* Heads of the row are judged again. */
static void note_touch(struct fe_bench *b, uint32_t row)
{
    for (uint32_t q = 0; q < FE_BENCH_QUEUES; q++)
        for (uint32_t i = 0; i < n_heads(b, q); i++) {
            struct fe_entry *head = ring_at(&b->waiting[q], i);
            if (head->line == FE_BENCH_FIRST + row && head->since)
                head->since = b->cycle;
        }
}

static void apply_range(struct fe_bench *b, int64_t row)
{
    if (row < 0) {
        b->range_active = b->range_active && !b->range_resting;
        b->range_resting = false;
        return;
    }
    uint32_t mask = 0;
    bool whole = b->last_op == FE_COMMAND_CLEAR || b->last_op == FE_COMMAND_NONE;
    for (uint32_t i = 0; i < FE_BENCH_WORDS; i++) {
        uint32_t word = (uint32_t)row * FE_BENCH_WORDS + i;
        if (whole || (word >= b->range_first && word <= b->range_last))
            mask |= 1u << i;
    }
    if (b->last_op == FE_COMMAND_CLEAR || b->last_op == FE_COMMAND_EMPTY)
        write_bits(b, (uint32_t)row, b->bits[row] & ~mask);
    else
        write_bits(b, (uint32_t)row, b->bits[row] | mask);
    note_touch(b, (uint32_t)row);
    bool at_end = (uint32_t)row == b->range_last / FE_BENCH_WORDS;
    b->range_active = !(at_end && whole);
    b->range_resting = at_end && !whole;
}

static bool trigger_holds(const struct fe_bench *b, const struct fe_entry *e)
{
    if (!e->has_bits || e->trigger == FE_TRIGGER_NONE)
        return true;
    uint32_t full = whole_grains(b, b->bits[e->line - FE_BENCH_FIRST]) & e->mask;
    return e->trigger == FE_TRIGGER_FULL ? full == e->mask : full == 0;
}

/* --- reference: intake, departures, replies ----------------------------------------------------
 */

static uint32_t declared_queue(const struct mem_frontend_in *in)
{
    if (in->req_trigger == FE_TRIGGER_NONE)
        return FE_QUEUE_NON;
    return in->req_source == FE_SOURCE_CPU ? FE_QUEUE_CPU : FE_QUEUE_GPU;
}

static void note_request(struct fe_bench *b)
{
    const struct mem_frontend_in *in = &b->in;
    bool in_region = in->req_line >= FE_BENCH_FIRST &&
                     in->req_line - FE_BENCH_FIRST < b->parameters.region_lines;
    struct fe_entry e = {.line = in->req_line,
                         .mask = in->req_mask,
                         .trigger = in->req_trigger,
                         .action = in->req_action,
                         .source = in->req_source,
                         .write = in->req_write,
                         .id = in->req_id};
    e.error = in->req_trigger == 3 || in->req_action == 3 || (in->req_trigger && !in_region);
    e.has_bits = in_region && !e.error;
    ring_push(&b->waiting[e.error ? FE_QUEUE_NON : declared_queue(in)], e);
    b->taken++;
}

/* Errors leave unseen, before the request behind them. */
static void pass_errors(struct fe_bench *b)
{
    struct fe_ring *r = &b->waiting[FE_QUEUE_NON];
    while (r->count && ring_at(r, 0)->error) {
        struct fe_entry e = ring_pop(r);
        e.status = FE_STATUS_ERROR;
        e.answered = true;
        ring_push(&b->replies[FE_QUEUE_NON], e);
    }
}

static void check_tag_free(struct fe_bench *b, uint8_t tag)
{
    struct fe_ring *r = &b->replies[tag / EVG_FE_REPLY_DEPTH];
    for (uint32_t i = 0; i < r->count; i++)
        EXPECT(b, ring_at(r, i)->error || ring_at(r, i)->tag != tag || ring_at(r, i)->answered);
}

/* Several heads are looked at one after the other. */
static uint64_t settle(const struct fe_bench *b, uint32_t queue)
{
    return SETTLE + (queue == FE_QUEUE_GPU ? 6 * (b->parameters.look_ahead - 1) : 0);
}

/* Heads that have been able to leave all the time are passed a bounded number of times. */
static void count_passed(struct fe_bench *b, uint32_t left_queue)
{
    const uint32_t heads = b->parameters.look_ahead; /* each has a turn of its own */
    const uint32_t bound[FE_BENCH_QUEUES] = {2, EVG_FE_TURN_LIMIT + 3,
                                             (EVG_FE_TURN_LIMIT + 3) * heads + heads - 1};
    for (uint32_t q = 0; q < FE_BENCH_QUEUES; q++) {
        if (q == left_queue && n_heads(b, q) < 2)
            continue;
        for (uint32_t i = 0; i < n_heads(b, q); i++) {
            struct fe_entry *head = ring_at(&b->waiting[q], i);
            if (head->error || !head->since || b->cycle - head->since < settle(b, q))
                continue;
            head->passed++;
            if (head->passed > b->longest_passed[q])
                b->longest_passed[q] = head->passed;
            EXPECT(b, head->passed <= bound[q]);
        }
    }
}

/* Takes what has left from its queue: the head, or of several the one that it says it is. */
static struct fe_entry take_departed(struct fe_bench *b, uint32_t q)
{
    struct fe_ring *r = &b->waiting[q];
    uint32_t i = 0;
    while (i + 1 < n_heads(b, q) && ring_at(r, i)->id != b->out.dram_id)
        i++;
    EXPECT(b, is_first_of_line(r, i));
    b->overtakings += i > 0;
    return ring_remove(r, i);
}

/* The action of the request that left in the step before. */
static void apply_action(struct fe_bench *b, const struct fe_bench_action *action,
                         bool range_writes)
{
    if (action->kind == FE_ACTION_NONE)
        return;
    EXPECT(b, !range_writes);
    uint32_t bits = b->bits[action->row];
    bits = action->kind == FE_ACTION_FILL ? bits | action->mask : bits & ~action->mask;
    write_bits(b, action->row, bits);
    note_touch(b, action->row);
}

static void note_departure(struct fe_bench *b, bool writes)
{
    const struct mem_frontend_out *o = &b->out;
    uint32_t q = o->dram_tag / EVG_FE_REPLY_DEPTH;
    EXPECT(b, q < FE_BENCH_QUEUES);
    if (q == FE_QUEUE_NON)
        pass_errors(b);
    EXPECT(b, b->waiting[q].count > 0);
    struct fe_entry e = take_departed(b, q);
    count_passed(b, q);
    EXPECT(b, !e.error);
    EXPECT(b, o->dram_line == e.line && o->dram_mask == e.mask && o->dram_id == e.id);
    EXPECT(b, o->dram_source == e.source && o->dram_write == e.write);
    check_tag_free(b, o->dram_tag);
    bool holds = trigger_holds(b, &e);
    EXPECT(b, holds || e.released);
    e.status = holds ? FE_STATUS_OK : FE_STATUS_RELEASED;
    e.tag = o->dram_tag;
    /* Its bits are not written between its departure and its action. */
    if (e.has_bits && e.trigger != FE_TRIGGER_NONE)
        EXPECT(b, !writes);
    if (e.has_bits && e.action != FE_ACTION_NONE)
        b->action = (struct fe_bench_action){e.action, e.line - FE_BENCH_FIRST, e.mask};
    ring_push(&b->replies[q], e);
    b->left++;
    b->left_queue[q]++;
    b->released += !holds;
    b->last_leave = b->cycle;
    b->last_leave_id = e.id;
}

static void note_reply(struct fe_bench *b)
{
    const struct mem_frontend_out *o = &b->out;
    EXPECT(b, o->rsp_queue < FE_BENCH_QUEUES);
    /* An error is known to have left at the latest when its reply is there. */
    if (o->rsp_queue == FE_QUEUE_NON && !b->replies[FE_QUEUE_NON].count)
        pass_errors(b);
    EXPECT(b, b->replies[o->rsp_queue].count > 0);
    struct fe_entry e = ring_pop(&b->replies[o->rsp_queue]);
    EXPECT(b, e.answered);
    EXPECT(b, o->rsp_id == e.id && o->rsp_source == e.source && o->rsp_status == e.status);
    b->replied++;
    b->errors += e.error;
    b->last_reply_id = e.id;
    b->last_reply_status = e.status;
    b->last_reply_cycle = b->cycle;
}

/* --- reference: commands -----------------------------------------------------------------------
 */

/* What has been taken before the step of the RELEASE is in its queue when that takes effect. */
static void mark_released(struct fe_bench *b)
{
    for (uint32_t q = FE_QUEUE_CPU; q <= FE_QUEUE_GPU; q++)
        for (uint32_t i = 0; i < b->waiting[q].count; i++)
            ring_at(&b->waiting[q], i)->released = true;
}

/* A register write in this step, after its departure; `was_active`: a range before it. */
static void note_write(struct fe_bench *b, bool was_active)
{
    const uint32_t words = b->parameters.region_lines * FE_BENCH_WORDS;
    const struct mem_frontend_in *in = &b->in;
    if (in->reg_addr == FE_REG_CONTROL)
        b->control = in->reg_data;
    if (in->reg_addr == FE_REG_FIRST)
        b->first_register = in->reg_data;
    if (in->reg_addr == FE_REG_LAST)
        b->last_register = in->reg_data;
    if (in->reg_addr != FE_REG_COMMAND)
        return;
    uint32_t op = in->reg_data;
    if (op == FE_COMMAND_RELEASE && b->control & EVG_FE_CONTROL_OVERRIDE)
        mark_released(b);
    bool allowed = op == FE_COMMAND_CLEAR ? b->control & EVG_FE_CONTROL_CLEAR
                                          : b->control & EVG_FE_CONTROL_OVERRIDE;
    if (op < FE_COMMAND_FILL || op > FE_COMMAND_CLEAR || !allowed || was_active ||
        b->first_register > b->last_register || b->last_register >= words)
        return;
    b->range_first = b->first_register;
    b->range_last = b->last_register;
    b->last_op = (uint8_t)op;
    b->range_active = true;
    b->range_start = b->cycle;
    b->ranges++;
}

/* --- one step ----------------------------------------------------------------------------------
 */

/* Any request that memory has taken; the one at dram_... has only been shown to it. */
static struct fe_entry *choose_answer(struct fe_bench *b)
{
    struct fe_entry *e = b->answer_now;
    b->answer_now = NULL;
    if (e || b->answers_held || !rng_chance(&b->rng, b->answer_chance, FE_BENCH_OFTEN))
        return e;
    struct fe_ring *r = &b->replies[rng_below(&b->rng, FE_BENCH_QUEUES)];
    if (!r->count)
        return NULL;
    e = ring_at(r, rng_below(&b->rng, r->count));
    return e->answered || (b->out.dram_valid && b->out.dram_tag == e->tag) ? NULL : e;
}

static void drive_world(struct fe_bench *b)
{
    struct mem_frontend_in *in = &b->in;
    in->dram_ready = rng_chance(&b->rng, b->dram_chance, FE_BENCH_OFTEN);
    in->rsp_ready = rng_chance(&b->rng, b->rsp_chance, FE_BENCH_OFTEN);
    struct fe_entry *e = choose_answer(b);
    in->answer_valid = e != NULL;
    if (e) {
        in->answer_tag = e->tag;
        e->answered = true;
    }
}

static void update_heads(struct fe_bench *b)
{
    for (uint32_t q = 0; q < FE_BENCH_QUEUES; q++) {
        struct fe_ring *r = &b->waiting[q];
        uint32_t places = b->replies[q].count + (q == FE_QUEUE_NON ? EVG_FE_QUEUE_DEPTH : 0);
        bool room = !b->range_active && places < EVG_FE_REPLY_DEPTH;
        for (uint32_t i = 0; i < n_heads(b, q); i++) {
            struct fe_entry *head = ring_at(r, i);
            if (!room || !trigger_holds(b, head) || !is_first_of_line(r, i))
                head->since = head->passed = 0;
            else if (!head->since)
                head->since = b->cycle;
        }
        b->blocked += r->count && !trigger_holds(b, ring_at(r, 0));
    }
}

static void check_ready(struct fe_bench *b)
{
    uint8_t ready = b->out.req_ready;
    if (b->cycle < b->ready_from) {
        EXPECT(b, !ready);
        return;
    }
    for (uint32_t q = 0; q < FE_BENCH_QUEUES; q++)
        if (!(ready >> q & 1))
            EXPECT(b, b->waiting[q].count >= EVG_FE_QUEUE_DEPTH ||
                          b->waiting[FE_QUEUE_NON].count >= EVG_FE_QUEUE_DEPTH);
        else if (q != FE_QUEUE_NON)
            EXPECT(b, b->waiting[q].count < EVG_FE_QUEUE_DEPTH);
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
    if (memcmp(&b->gated_out, &b->out, sizeof b->out))
        fail_msg("cycle %llu: the idle tile that was not clocked differs",
                 (unsigned long long)b->cycle);
}

bool fe_step(struct fe_bench *b)
{
    drive_world(b);
    const struct mem_frontend_in *in = &b->in;
    bool taken = in->req_valid && b->out.req_ready >> declared_queue(in) & 1;
    bool dram_moved = !b->out.dram_valid || in->dram_ready;
    bool rsp_moved = !b->out.rsp_valid || in->rsp_ready;
    bool had_irq = b->out.irq, was_active = b->range_active;
    struct mem_frontend_out before = b->out;
    struct error err = {0};
    if (!tile_step(b->tile, in, &b->out, &err))
        fail_msg("%s", err.text);
    bench_trace_step(b->trace);

    int64_t row = range_row(b);
    const struct fe_bench_action action = b->action;
    b->action.kind = FE_ACTION_NONE;
    if (b->out.dram_valid && dram_moved)
        note_departure(b, row >= 0 || action.kind != FE_ACTION_NONE);
    else if (before.dram_valid && !dram_moved)
        EXPECT(b, b->out.dram_valid && b->out.dram_tag == before.dram_tag &&
                      b->out.dram_line == before.dram_line && b->out.dram_id == before.dram_id);
    apply_action(b, &action, row >= 0);
    apply_range(b, row);
    if (b->out.rsp_valid && rsp_moved)
        note_reply(b);
    else if (before.rsp_valid && !rsp_moved)
        EXPECT(b, b->out.rsp_valid && b->out.rsp_id == before.rsp_id &&
                      b->out.rsp_status == before.rsp_status);
    if (in->reg_valid && in->reg_write)
        note_write(b, was_active);
    EXPECT(b, b->out.reg_ack == in->reg_valid);
    if (taken)
        note_request(b);
    b->reports += b->out.irq && !had_irq;
    update_heads(b);
    check_ready(b);
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
    b->answer_now = ring_at(&b->replies[queue], i);
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
