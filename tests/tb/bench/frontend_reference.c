#include "tests/tb/bench/frontend_reference.h"

#include "base/alloc.h"
#include "tests/tb/bench/frontend_bench_commands.h"
#include "tests/unit.h"

enum {
    COMPLETING = 16,  /* completions that event_completion holds, and a few */
    LEVELS_LATE = 40, /* steps: a command, or a completion on its way */
};

/* --- queues of expected events ---------------------------------------------------------------- */

void bench_push(struct bench_fifo *f, struct bench_event event)
{
    assert_true(f->count < f->size);
    f->items[(f->head + f->count++) % f->size] = event;
}

struct bench_event bench_pop(struct bench_fifo *f)
{
    assert_true(f->count > 0);
    struct bench_event event = f->items[f->head];
    f->head = (f->head + 1) % f->size;
    f->count--;
    return event;
}

struct bench_event *bench_item(const struct bench_fifo *f, uint32_t i)
{
    assert_true(i < f->count);
    return &f->items[(f->head + i) % f->size];
}

const struct bench_event *bench_front(const struct bench_fifo *f)
{
    assert_true(f->count > 0);
    return &f->items[f->head];
}

void bench_fifo_create(struct bench_fifo *f, uint32_t size)
{
    *f = (struct bench_fifo){.items = ALLOC_ARRAY(struct bench_event, size), .size = size};
}

/* --- the reference: what the tile must do with these inputs ----------------------------------- */

static bool is_warp_event(const struct bench_row *row)
{
    uint64_t blocks = (uint64_t)row->dims[0] * row->dims[1] * row->dims[2];
    uint64_t threads = (uint64_t)row->dims[3] * row->dims[4] * row->dims[5];
    return blocks == 1 && row->dims[0] == 1 && row->dims[1] == 1 && threads <= 32 && !row->shared;
}

static void accept(struct bench *b, uint8_t r)
{
    struct bench_row *row = &b->rows[r];
    uint16_t number = b->next_number[r]++ & EVG_ROW_EVENTS;
    struct bench_event event = {.row = r,
                                .tag = (uint16_t)(r << EVG_ROW_EVENT_BITS | number),
                                .param = row->base + row->next * row->size};
    row->next = (row->next + 1) % row->entries;
    row->in_flight++;
    b->accepted++;
    b->n_waiting++;
    bench_push(&b->waiting[r], event);
    assert_int_equal(b->out.acc_row, r);
    assert_int_equal(b->out.acc_tag, event.tag);
}

/* What must become of the write taken in this step, in the next one. */
static struct bench_verdict judge(const struct bench *b)
{
    const struct gpu_frontend_in *in = &b->in;
    uint32_t page = in->wr_addr >> 12;
    struct bench_verdict verdict = {.taken = true, .page = page, .error = -1};
    if (page >= 32 || !b->rows[page].open)
        verdict.error = 0;
    else if (b->rows[page].rid != in->wr_rid)
        verdict.error = 1;
    else if (in->wr_addr & 0xfff)
        verdict.error = 2;
    else if (in->wr_size != 4)
        verdict.error = 3;
    return verdict;
}

static void check_verdict(struct bench *b)
{
    const struct bench_verdict *verdict = &b->verdict;
    if (!verdict->taken || verdict->error >= 0) {
        if (verdict->taken)
            b->errors[verdict->error]++;
        assert_int_equal(b->out.acc_valid, 0);
        return;
    }
    uint32_t in_flight = b->rows[verdict->page].in_flight;
    if (b->out.acc_valid) {
        assert_true(in_flight < EVG_ROW_EVENTS);
        accept(b, (uint8_t)verdict->page);
    } else { /* its share is used up, with those whose completion is on its way to the decoder */
        assert_true(in_flight + COMPLETING >= EVG_ROW_EVENTS);
        b->errors[4]++;
    }
}

static void check_errors(const struct bench *b)
{
    assert_int_equal(b->out.err_unregistered, b->errors[0]);
    assert_int_equal(b->out.err_foreign, b->errors[1]);
    assert_int_equal(b->out.err_misaligned, b->errors[2]);
    assert_int_equal(b->out.err_size, b->errors[3]);
    assert_int_equal(b->out.err_overrun, b->errors[4]);
}

/* An entry is left for the event beside those that are kept for other priorities, if these wait. */
static bool has_room(const struct bench *b, int core, uint8_t waiting)
{
    int owed = 0, lent = 0, own = b->out.ev_priority;
    bool holds = b->scan_held[core] >> own & 1;
    for (int level = 0; level < BENCH_LEVELS; level++) {
        if (level == own || b->scan_held[core] >> level & 1)
            continue;
        if (waiting >> level & 1)
            owed += holds || level > own;
        else if (b->scan_rows[core] >> level & 1)
            lent = holds;
    }
    return b->scan_left[core] > owed + lent;
}

/* Which events wait in the dispatch no port shows: some of those that have come. None with room
 * beside all of them is better than the one that was chosen, which has room if none of them waits.
 */
static void check_core(const struct bench *b, int chosen)
{
    assert_true(b->scan_ok[chosen] && has_room(b, chosen, 0));
    for (int core = 0; core < EVG_MAX_CORES; core++)
        if (core != chosen && b->scan_ok[core] && has_room(b, core, b->scan_wait[core]))
            assert_true(core < chosen ? b->scan_key[core] > b->scan_key[chosen]
                                      : b->scan_key[core] >= b->scan_key[chosen]);
}

static void launched(struct bench *b, uint8_t row)
{
    struct bench_event event = bench_pop(&b->waiting[row]);
    b->n_waiting--;
    event.due = b->run_cycles ? b->cycle + rng_below(&b->rng, b->run_cycles) : UINT64_MAX;
    event.aborted = (event.tag ^ event.param >> 4) % 5 == 0;
    bench_push(&b->running, event);
}

static void check_warp_launch(struct bench *b, const struct gpu_frontend_out *before)
{
    const struct gpu_frontend_out *out = &b->out;
    if (b->in.ev_ack && b->warp_shown) {
        launched(b, before->ev_row);
        b->warp_shown = false;
        assert_int_equal(out->ev_valid, 0);
    }
    assert_int_equal(out->ev_valid, out->ev_valid || b->warp_shown); /* held until acknowledged */
    if (!out->ev_valid)
        return;
    const struct bench_event *event = bench_front(&b->waiting[out->ev_row]);
    const struct bench_row *row = &b->rows[event->row];
    uint64_t threads = (uint64_t)row->dims[3] * row->dims[4] * row->dims[5];
    assert_int_equal(out->ev_tag, event->tag);
    assert_int_equal(out->ev_row, event->row);
    assert_true(out->ev_param == event->param);
    assert_true(out->ev_kernel == (row->kernel & 0xffffffffffffff));
    assert_true(is_warp_event(row));
    assert_int_equal(out->ev_priority, row->priority);
    assert_int_equal(out->ev_regs, row->kernel >> 56);
    assert_int_equal(out->stat_req_regs, row->kernel >> 56);
    assert_int_equal(out->ev_mask, 0xffffffff >> (32 - threads));
    assert_int_equal(out->ev_dims, row->dims[3] | row->dims[4] << 6 | row->dims[5] << 12);
    if (!b->warp_shown) {
        check_core(b, out->ev_core);
        b->warp_launches++;
        b->last_warp_row = out->ev_row;
        b->warp_valid_cycle = b->cycle;
        b->last_warp_param = out->ev_param;
    }
    b->warp_shown = true;
}

static void check_big_launch(struct bench *b, const struct gpu_frontend_out *before)
{
    const struct gpu_frontend_out *out = &b->out;
    bool gone = before->big_valid && b->in.big_ready;
    if (gone) {
        launched(b, before->big_row);
        b->bigs_shown[before->big_row] = false;
        b->big_taken_cycle = b->cycle;
        b->big_taken_row = before->big_row;
        b->bigs_taken++;
    }
    assert_true(out->big_valid || !before->big_valid || gone); /* shown until taken, ... */
    if (!out->big_valid)
        return;
    if (before->big_valid && !gone && out->big_row != before->big_row) /* ... in turn */
        assert_true(out->big_priority != before->big_priority);
    const struct bench_event *event = bench_front(&b->waiting[out->big_row]);
    const struct bench_row *row = &b->rows[event->row];
    assert_int_equal(out->big_tag, event->tag);
    assert_int_equal(out->big_row, event->row);
    assert_true(out->big_param == event->param);
    assert_true(out->big_kernel == (row->kernel & 0xffffffffffffff));
    assert_false(is_warp_event(row));
    assert_int_equal(out->big_priority, row->priority);
    assert_int_equal(out->big_regs, row->kernel >> 56);
    assert_memory_equal(out->big_dims, row->dims, sizeof row->dims);
    assert_int_equal(out->big_shared, row->shared);
    if (!b->bigs_shown[out->big_row]) {
        b->big_launches++;
        b->big_valid_cycle = b->cycle;
        b->last_big_param = out->big_param;
    }
    b->bigs_shown[out->big_row] = true;
}

/* Told are the priorities of rows that are open or have events, when they have been for a while. */
static void check_levels(struct bench *b)
{
    uint8_t least = 0, most = 0;
    for (uint32_t r = 0; r < EVG_EKT_ROWS; r++) {
        const struct bench_row *row = &b->rows[r];
        if (row->open || row->in_flight)
            least |= (uint8_t)(1u << row->priority);
        if (row->used || row->in_flight)
            most |= (uint8_t)(1u << row->priority);
    }
    b->levels_same = least == b->least && most == b->most ? b->levels_same + 1 : 0;
    b->least = least;
    b->most = most;
    if (b->levels_same < LEVELS_LATE)
        return;
    assert_int_equal(b->out.levels & least, least);
    assert_int_equal(b->out.levels & ~most, 0);
}

void frontend_reference_step(struct bench *b, const struct gpu_frontend_out *before)
{
    bool command_taken = b->in.cmd_valid && before->cmd_ready;
    if (b->in.err_clear)
        memset(b->errors, 0, sizeof b->errors);
    check_verdict(b);
    check_errors(b);
    b->verdict = b->in.wr_valid ? judge(b) : (struct bench_verdict){0};
    if (command_taken)
        bench_note_command(b);
    check_warp_launch(b, before);
    check_big_launch(b, before);
    check_levels(b);
    bench_check_completion(b, before);
    bench_check_abort(b, before, command_taken);
    bench_check_answer(b);
    bench_check_freed(b);
    bench_note_free_row(b);
}
