/* Golden model of event_completion and completion_window. */
#include "tb/model/gpu_frontend_blocks.h"

static bool is_good(uint64_t pointer, const struct flag_window *w)
{
    return pointer % EVG_FLAG_BYTES == 0 && pointer >= w->first && pointer <= w->last;
}

/* What is known of the pointer of a completion. */
static enum flag_state flag_of(uint64_t pointer, const struct flag_window *w)
{
    if (!pointer)
        return FLAG_NOBODY;
    return is_good(pointer, w) ? FLAG_GOOD : FLAG_POINTER;
}

static void count_lost(enum flag_state why, struct gpu_frontend_out *out)
{
    uint32_t *counters[] = {[FLAG_POINTER] = &out->err_pointer,
                            [FLAG_ANSWER] = &out->err_answer,
                            [FLAG_TIMEOUT] = &out->err_timeout,
                            [FLAG_SILENT] = &out->err_silent};
    static const uint8_t codes[] = {[FLAG_POINTER] = FLAG_LOST_POINTER,
                                    [FLAG_ANSWER] = FLAG_LOST_ANSWER,
                                    [FLAG_TIMEOUT] = FLAG_LOST_TIMEOUT,
                                    [FLAG_SILENT] = FLAG_LOST_SILENT};
    out->pw_bad = 1;
    out->pw_why = codes[why];
    model_count_error(counters[why]);
}

static void count_down(struct model_completion *c, uint8_t row)
{
    c->completed = true;
    c->completed_row = row;
}

/* The row has held the others for as long as it may. */
static void fall_silent(struct model_completion *c, uint8_t row)
{
    c->silent |= (uint32_t)1 << row;
    c->sweep = true;
    c->sweep_row = row;
}

/* The oldest completion leaves when the write port is free. */
static void leave(struct model_completion *c, struct gpu_frontend_out *out)
{
    struct model_completing *d = &c->ring[c->left++ % EVG_COMPLETION_READS];
    if (d->flag == FLAG_ASKED) {
        d->flag = FLAG_TIMEOUT;
        fall_silent(c, d->row);
    }
    if (d->flag != FLAG_NOBODY) {
        out->pw_addr = d->flag == FLAG_GOOD || d->flag == FLAG_POINTER ? d->pointer : 0;
        out->pw_tag = d->tag;
        out->pw_data = d->aborted ? EVG_COMPLETION_ABORTED : EVG_COMPLETION_DONE;
    }
    if (d->flag == FLAG_GOOD) {
        out->pw_valid = 1;
        c->writing_row = d->row;
        return;
    }
    count_down(c, d->row);
    if (d->flag != FLAG_NOBODY)
        count_lost(d->flag, out);
}

/* The flag at the port, or the completion in front, if anything becomes of it in this cycle; else
 * it waits for an edge more. */
static void serve_front(struct model_completion *c, const struct gpu_frontend_in *in, bool sweeping,
                        struct gpu_frontend_out *out)
{
    bool any = c->taken != c->left, over = c->over;
    enum flag_state front = c->ring[c->left % EVG_COMPLETION_READS].flag;
    uint32_t waited = c->waited + 1;
    c->waited = 0;
    c->over = false;
    if (out->pw_valid && (in->pw_ready || over)) {
        out->pw_valid = 0;
        count_down(c, c->writing_row);
        if (!in->pw_ready) {
            count_lost(FLAG_TIMEOUT, out);
            fall_silent(c, c->writing_row);
        }
    } else if (!out->pw_valid && any && !sweeping && (front != FLAG_ASKED || over)) {
        leave(c, out);
    } else if (out->pw_valid || any) {
        c->waited = waited;
        c->over = in->cfg_flag_limit && waited >= in->cfg_flag_limit;
    }
}

/* An answer to a read that is out: for the completion that still waits for it, or late. */
static void take_answer(struct model_completion *c, const struct gpu_frontend_in *in,
                        const struct gpu_frontend_out *out)
{
    uint32_t bit = (uint32_t)1 << in->mr_rsp_tag;
    if (!in->mr_rsp_valid || !(c->out & bit) || (out->mr_valid && out->mr_tag == in->mr_rsp_tag))
        return;
    c->out &= ~bit;
    struct model_completing *d = &c->ring[in->mr_rsp_tag / GENERATIONS];
    if (d->flag != FLAG_ASKED || d->read_tag != in->mr_rsp_tag)
        return;
    d->pointer = in->mr_rsp_data;
    d->flag = in->mr_rsp_error ? FLAG_ANSWER : flag_of(d->pointer, &d->window);
}

static void sweep(struct model_completion *c)
{
    for (uint32_t i = c->left; i != c->taken; i++) {
        struct model_completing *d = &c->ring[i % EVG_COMPLETION_READS];
        if (d->row == c->sweep_row)
            d->flag = FLAG_SILENT;
    }
}

static void take(struct model_completion *c, const struct gpu_frontend_in *in,
                 struct gpu_frontend_out *out, bool is_silent, uint32_t reads_out)
{
    uint32_t place = c->taken++ % EVG_COMPLETION_READS;
    struct model_completing *d = &c->ring[place];
    *d = (struct model_completing){.row = in->done_row,
                                   .tag = in->done_tag,
                                   .aborted = in->done_aborted,
                                   .window = c->windows[in->done_row],
                                   .flag = is_silent ? FLAG_SILENT : FLAG_ANSWER};
    for (uint32_t tag = place * GENERATIONS; !is_silent && tag < (place + 1) * GENERATIONS; tag++) {
        if (reads_out >> tag & 1)
            continue;
        d->flag = FLAG_ASKED;
        d->read_tag = (uint8_t)tag;
        c->out |= (uint32_t)1 << tag;
        out->mr_valid = 1;
        out->mr_addr = in->done_param;
        out->mr_tag = (uint8_t)tag;
        return;
    }
}

/* A read whose completion has been given up is not sent any more. */
static void serve_read(struct model_completion *c, const struct gpu_frontend_in *in,
                       struct gpu_frontend_out *out, bool given_up)
{
    if (!out->mr_valid || (!in->mr_ready && !given_up))
        return;
    out->mr_valid = 0;
    if (!in->mr_ready)
        c->out &= ~((uint32_t)1 << out->mr_tag);
}

void model_completion_step(struct model_completion *c, const struct gpu_frontend_in *in,
                           const struct wires *w, struct gpu_frontend_out *out)
{
    bool takes = in->done_valid && out->done_ready;
    bool is_silent = c->silent >> in->done_row & 1;
    bool given_up = c->ring[(c->taken - 1) % EVG_COMPLETION_READS].flag != FLAG_ASKED;
    uint32_t reads_out = c->out;
    c->completed = false;
    out->pw_bad = 0;
    if (in->err_clear)
        out->err_pointer = out->err_answer = out->err_timeout = out->err_silent = 0;
    if (w->open)
        c->silent &= ~((uint32_t)1 << w->open_row);
    bool sweeping = c->sweep;
    c->sweep = false;
    serve_front(c, in, sweeping, out);
    take_answer(c, in, out);
    if (sweeping)
        sweep(c);
    serve_read(c, in, out, given_up);
    if (takes)
        take(c, in, out, is_silent, reads_out);
    if (w->open)
        c->windows[w->open_row] = (struct flag_window){w->open_flag_first, w->open_flag_last};
    out->done_ready = !takes && !out->mr_valid && c->taken - c->left < EVG_COMPLETION_READS;
}

bool model_completion_quiet(const struct model_completion *c, const struct gpu_frontend_out *out)
{
    return c->taken == c->left && !out->pw_valid && !c->completed && out->done_ready;
}
