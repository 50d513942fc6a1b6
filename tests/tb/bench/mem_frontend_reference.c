#include "tests/tb/bench/mem_frontend_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETTLE = 10, /* steps after which a head whose trigger holds has been judged */
    /* Steps from a range command to its first write, and from row to row. */
    CLEAR_AFTER = 3,
    WRITE_AFTER = 4,
    STEPS_PER_ROW = 4,
};

/* --- rings -------------------------------------------------------------------------------------
 */

struct fe_entry *fe_ring_at(struct fe_ring *r, uint32_t i)
{
    return &r->items[(r->head + i) % FE_BENCH_RING];
}

static void ring_push(struct fe_ring *r, struct fe_entry entry)
{
    assert_true(r->count < FE_BENCH_RING);
    *fe_ring_at(r, r->count++) = entry;
}

static struct fe_entry ring_pop(struct fe_ring *r)
{
    assert_true(r->count > 0);
    struct fe_entry entry = *fe_ring_at(r, 0);
    r->head = (r->head + 1) % FE_BENCH_RING;
    r->count--;
    return entry;
}

static struct fe_entry ring_remove(struct fe_ring *r, uint32_t i)
{
    assert_true(i < r->count);
    struct fe_entry entry = *fe_ring_at(r, i);
    for (; i + 1 < r->count; i++)
        *fe_ring_at(r, i) = *fe_ring_at(r, i + 1);
    r->count--;
    return entry;
}

/* --- full/empty bits ----------------------------------------------------------------
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
        if (fe_ring_at(r, older)->line == fe_ring_at(r, i)->line)
            return false;
    return true;
}

/* Heads of the row are judged again. */
static void note_touch(struct fe_bench *b, uint32_t row)
{
    for (uint32_t q = 0; q < FE_BENCH_QUEUES; q++)
        for (uint32_t i = 0; i < n_heads(b, q); i++) {
            struct fe_entry *head = fe_ring_at(&b->waiting[q], i);
            if (fe_row(b, head->line) == row && head->since)
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
    uint32_t full = whole_grains(b, b->bits[fe_row(b, e->line)]) & e->mask;
    return e->trigger == FE_TRIGGER_FULL ? full == e->mask : full == 0;
}

/* --- intake, departures, replies ----------------------------------------------------
 */

static uint32_t declared_queue(const struct mem_frontend_in *in)
{
    if (in->req_trigger == FE_TRIGGER_NONE)
        return FE_QUEUE_NON;
    return in->req_source == FE_SOURCE_CPU ? FE_QUEUE_CPU : FE_QUEUE_GPU;
}

/* `base`: of the region, as it was before this step */
static void note_request(struct fe_bench *b, uint32_t base)
{
    const struct mem_frontend_in *in = &b->in;
    bool in_region = in->req_line >= base && in->req_line - base < b->parameters.region_lines;
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
    b->settled = true;
}

/* Errors leave unseen, before the request behind them. */
static void pass_errors(struct fe_bench *b)
{
    struct fe_ring *r = &b->waiting[FE_QUEUE_NON];
    while (r->count && fe_ring_at(r, 0)->error) {
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
        EXPECT(b, fe_ring_at(r, i)->error || fe_ring_at(r, i)->tag != tag ||
                      fe_ring_at(r, i)->answered);
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
            struct fe_entry *head = fe_ring_at(&b->waiting[q], i);
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
    while (i + 1 < n_heads(b, q) && fe_ring_at(r, i)->id != b->out.dram_id)
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
        b->action = (struct fe_bench_action){e.action, fe_row(b, e.line), e.mask};
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

/* --- commands -----------------------------------------------------------------------
 */

/* What has been taken before the step of the RELEASE is in its queue when that takes effect. */
static void mark_released(struct fe_bench *b)
{
    for (uint32_t q = FE_QUEUE_CPU; q <= FE_QUEUE_GPU; q++)
        for (uint32_t i = 0; i < b->waiting[q].count; i++)
            fe_ring_at(&b->waiting[q], i)->released = true;
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
    if (in->reg_addr == FE_REG_REGION_BASE && !b->settled &&
        !(in->reg_data & (b->region_size - 1))) {
        b->base = in->reg_data;
        b->settled = true;
    }
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

void fe_reference_reset(struct fe_bench *b)
{
    for (uint32_t q = 0; q < FE_BENCH_QUEUES; q++)
        b->dropped += b->waiting[q].count + b->replies[q].count;
    b->base = FE_BENCH_FIRST;
    b->settled = false;
    b->answer_now = NULL;
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

static void update_heads(struct fe_bench *b)
{
    for (uint32_t q = 0; q < FE_BENCH_QUEUES; q++) {
        struct fe_ring *r = &b->waiting[q];
        uint32_t places = b->replies[q].count + (q == FE_QUEUE_NON ? EVG_FE_QUEUE_DEPTH : 0);
        bool room = !b->range_active && places < EVG_FE_REPLY_DEPTH;
        for (uint32_t i = 0; i < n_heads(b, q); i++) {
            struct fe_entry *head = fe_ring_at(r, i);
            if (!room || !trigger_holds(b, head) || !is_first_of_line(r, i))
                head->since = head->passed = 0;
            else if (!head->since)
                head->since = b->cycle;
        }
        b->blocked += r->count && !trigger_holds(b, fe_ring_at(r, 0));
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

bool fe_reference_step(struct fe_bench *b, const struct mem_frontend_out *before)
{
    const struct mem_frontend_in *in = &b->in;
    bool taken = in->req_valid && before->req_ready >> declared_queue(in) & 1;
    bool dram_moved = !before->dram_valid || in->dram_ready;
    bool rsp_moved = !before->rsp_valid || in->rsp_ready;
    bool was_active = b->range_active;

    int64_t row = range_row(b);
    const struct fe_bench_action action = b->action;
    b->action.kind = FE_ACTION_NONE;
    if (b->out.dram_valid && dram_moved)
        note_departure(b, row >= 0 || action.kind != FE_ACTION_NONE);
    else if (before->dram_valid && !dram_moved)
        EXPECT(b, b->out.dram_valid && b->out.dram_tag == before->dram_tag &&
                      b->out.dram_line == before->dram_line && b->out.dram_id == before->dram_id);
    apply_action(b, &action, row >= 0);
    apply_range(b, row);
    if (b->out.rsp_valid && rsp_moved)
        note_reply(b);
    else if (before->rsp_valid && !rsp_moved)
        EXPECT(b, b->out.rsp_valid && b->out.rsp_id == before->rsp_id &&
                      b->out.rsp_status == before->rsp_status);
    const uint32_t base = b->base;
    if (in->reg_valid && in->reg_write)
        note_write(b, was_active);
    EXPECT(b, b->out.reg_ack == in->reg_valid);
    if (taken)
        note_request(b, base);
    b->reports += b->out.irq && !before->irq;
    update_heads(b);
    check_ready(b);
    return taken;
}
