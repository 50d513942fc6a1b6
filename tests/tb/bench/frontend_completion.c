/* What the bench of gpu_frontend expects of completions, edge by edge
 * (rtl/edge/event_completion.v). */
#include "tests/tb/bench/frontend_reference.h"
#include "tests/unit.h"

enum { READS_OF_PLACE = (1 << EVG_COMPLETION_TAG_BITS) / EVG_COMPLETION_READS, POINTER_ERRORS = 5 };

static struct bench_event *find_tag(const struct bench_fifo *f, uint16_t tag)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (bench_item(f, i)->tag == tag)
            return bench_item(f, i);
    return NULL;
}

static void event_over(struct bench *b, uint8_t row)
{
    assert_true(b->rows[row].in_flight > 0);
    b->rows[row].in_flight--;
    b->completions++;
}

static bool pointer_is_good(const struct bench *b, const struct bench_event *event)
{
    const struct bench_row *row = &b->rows[event->row];
    return !(event->param & 3) && event->param >= row->flag_first && event->param <= row->flag_last;
}

/* The completion in front leaves without a flag that somebody waits for. */
static void expect_lost(struct bench *b, enum flag_lost why, uint64_t address)
{
    struct bench_event event = bench_pop(&b->flags);
    assert_int_equal(b->out.pw_bad, 1);
    assert_int_equal(b->out.pw_why, why);
    assert_int_equal(b->out.pw_tag, event.tag);
    assert_true(b->out.pw_addr == address);
    assert_int_equal(b->out.pw_valid, 0);
    event_over(b, event.row);
    b->flags_refused += why == FLAG_LOST_POINTER;
    b->lost[why]++;
    b->lost_of_row[event.row]++;
    b->errors[POINTER_ERRORS + why]++;
    struct bench_event *read = find_tag(&b->unanswered, event.tag);
    if (why != FLAG_LOST_TIMEOUT)
        return;
    if (read)
        read->given_up = true;
    b->silent |= 1u << event.row;
    b->sweep = true;
}

static void expect_written(struct bench *b, const struct gpu_frontend_out *before)
{
    struct bench_event event = bench_pop(&b->flags);
    event_over(b, event.row);
    b->flags_written++;
    b->last_flag_address = before->pw_addr;
    assert_int_equal(b->out.pw_valid, 0);
    assert_int_equal(b->out.pw_bad, 0);
}

/* A completion in front of which something is known leaves at once. */
static void expect_leaving(struct bench *b)
{
    const struct bench_event *event = bench_front(&b->flags);
    if (event->state == BENCH_ASKED) {
        expect_lost(b, FLAG_LOST_TIMEOUT, 0);
    } else if (event->state == BENCH_ERROR) {
        expect_lost(b, FLAG_LOST_ANSWER, 0);
    } else if (event->state == BENCH_SILENT) {
        expect_lost(b, FLAG_LOST_SILENT, 0);
    } else if (!event->param) {
        event_over(b, bench_pop(&b->flags).row);
        assert_int_equal(b->out.pw_valid || b->out.pw_bad, 0);
    } else if (!pointer_is_good(b, event)) {
        expect_lost(b, FLAG_LOST_POINTER, event->param);
    } else {
        assert_int_equal(b->out.pw_valid, 1);
        assert_int_equal(b->out.pw_bad, 0);
    }
}

/* What comes of the flag at the port, or of the completion in front. */
static void check_front(struct bench *b, const struct gpu_frontend_out *before)
{
    bool over = b->over, sweep = b->sweep;
    uint32_t waited = b->waited + 1;
    b->over = b->sweep = false;
    b->waited = 0;
    if (before->pw_valid && b->in.pw_ready) {
        expect_written(b, before);
    } else if (before->pw_valid && over) {
        expect_lost(b, FLAG_LOST_TIMEOUT, before->pw_addr);
    } else if (!before->pw_valid && b->flags.count && !sweep &&
               (over || bench_front(&b->flags)->state != BENCH_ASKED)) {
        expect_leaving(b);
    } else {
        assert_int_equal(b->out.pw_valid, before->pw_valid);
        assert_int_equal(b->out.pw_bad, 0);
        b->waited = b->flags.count ? waited : 0;
        b->over = b->flags.count && b->in.cfg_flag_limit && waited >= b->in.cfg_flag_limit;
    }
    for (uint32_t i = 0; sweep && i < b->flags.count; i++) {
        struct bench_event *event = bench_item(&b->flags, i), *read;
        if (!(b->silent >> event->row & 1))
            continue;
        event->state = BENCH_SILENT;
        if ((read = find_tag(&b->unanswered, event->tag)))
            read->given_up = true;
    }
}

static void check_flag(const struct bench *b)
{
    if (b->out.pw_valid) {
        const struct bench_event *event = bench_front(&b->flags);
        assert_true(event->state == BENCH_POINTER && pointer_is_good(b, event));
        assert_true(b->out.pw_addr == event->param);
        assert_int_equal(b->out.pw_tag, event->tag);
        assert_int_equal(b->out.pw_data, event->aborted ? 4 : 2);
    }
    assert_int_equal(b->out.err_pointer, b->errors[POINTER_ERRORS + FLAG_LOST_POINTER]);
    assert_int_equal(b->out.err_answer, b->errors[POINTER_ERRORS + FLAG_LOST_ANSWER]);
    assert_int_equal(b->out.err_timeout, b->errors[POINTER_ERRORS + FLAG_LOST_TIMEOUT]);
    assert_int_equal(b->out.err_silent, b->errors[POINTER_ERRORS + FLAG_LOST_SILENT]);
}

/* An answer is for the completion whose read it was, if that still waits. */
static void note_answer(struct bench *b)
{
    struct bench_fifo *f = &b->unanswered;
    uint32_t i = 0;
    while (i < f->count && bench_item(f, i)->read_tag != b->in.mr_rsp_tag)
        i++;
    if (!b->in.mr_rsp_valid || i == f->count)
        return;
    struct bench_event read = *bench_item(f, i);
    for (; i + 1 < f->count; i++)
        *bench_item(f, i) = *bench_item(f, i + 1);
    f->count--;
    struct bench_event *event = read.given_up ? NULL : find_tag(&b->flags, read.tag);
    if (event && event->state == BENCH_ASKED) {
        event->state = b->in.mr_rsp_error ? BENCH_ERROR : BENCH_POINTER;
        event->param = b->in.mr_rsp_data;
    }
    b->late_answers += !event || event->state == BENCH_SILENT;
}

/* The read at the port is of the completion taken last. */
static void check_read(struct bench *b, const struct gpu_frontend_out *before, bool given_up)
{
    if (before->mr_valid && b->in.mr_ready) {
        struct bench_event read = bench_pop(&b->reads);
        bool late = b->late_chance && rng_chance(&b->rng, b->late_chance, BENCH_OFTEN);
        read.due = late ? b->cycle + b->late : 0;
        read.given_up = given_up || !find_tag(&b->flags, read.tag) ||
                        find_tag(&b->flags, read.tag)->state != BENCH_ASKED;
        bench_push(&b->unanswered, read);
    } else if (before->mr_valid && given_up) {
        bench_pop(&b->reads);
    }
}

static uint32_t reads_of_place(const struct bench *b, uint32_t place)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->unanswered.count; i++)
        n += bench_item(&b->unanswered, i)->read_tag / READS_OF_PLACE == place;
    return n;
}

static void note_completion(struct bench *b, bool is_silent, uint32_t reads_out)
{
    struct bench_event event = bench_pop(&b->running);
    event.state = is_silent ? BENCH_SILENT : BENCH_ASKED;
    if (!is_silent && reads_out == READS_OF_PLACE) {
        event.state = BENCH_ERROR;
        b->without_read++;
    }
    if (event.state == BENCH_ASKED) {
        event.read_tag = b->out.mr_tag;
        assert_true(b->out.mr_valid && event.read_tag < 1 << EVG_COMPLETION_TAG_BITS);
        for (uint32_t i = 0; i < b->unanswered.count; i++)
            assert_true(bench_item(&b->unanswered, i)->read_tag != event.read_tag);
        bench_push(&b->reads, event);
    }
    bench_push(&b->flags, event);
    b->taken++;
}

/* What is known before a step decides in it. */
void bench_check_completion(struct bench *b, const struct gpu_frontend_out *before)
{
    bool takes = b->in.done_valid && before->done_ready;
    bool is_silent = takes && b->silent >> b->in.done_row & 1;
    uint32_t reads_out = reads_of_place(b, b->taken % EVG_COMPLETION_READS);
    const struct bench_event *asked =
        b->reads.count ? find_tag(&b->flags, bench_front(&b->reads)->tag) : NULL;
    bool given_up = b->reads.count && (!asked || asked->state != BENCH_ASKED);
    check_front(b, before);
    check_flag(b);
    note_answer(b);
    check_read(b, before, given_up);
    if (takes)
        note_completion(b, is_silent, reads_out);
    for (uint32_t r = 0; b->silent && r < EVG_EKT_ROWS; r++)
        if (!b->rows[r].used)
            b->silent &= ~(1u << r);
    assert_int_equal(b->out.mr_valid, b->reads.count > 0);
    if (b->out.mr_valid)
        assert_true(b->out.mr_addr == bench_front(&b->reads)->param);
}
