/* Golden model of doorbell_decoder and launch_order. */
#include "tb/model/gpu_frontend_blocks.h"

void model_doorbell_reset(struct model_doorbell *d)
{
    *d = (struct model_doorbell){.last_fair = EVG_EKT_ROWS - 1};
    for (uint32_t level = 0; level < PRIORITY_LEVELS; level++)
        d->last[level] = EVG_EKT_ROWS - 1;
}

static uint16_t tag_of(uint8_t row, uint64_t number)
{
    return (uint16_t)((uint32_t)row << EVG_ROW_EVENT_BITS | (number & EVG_ROW_EVENTS));
}

struct launch_request model_doorbell_request(const struct model_doorbell *d)
{
    return (struct launch_request){.row = d->pick,
                                   .tag = tag_of(d->pick, d->rows[d->pick].launched)};
}

bool model_doorbell_empty(const struct model_doorbell *d, uint8_t row)
{
    return d->rows[row].accepted == d->rows[row].completed;
}

void model_count_error(uint32_t *counter)
{
    if (*counter != UINT32_MAX)
        ++*counter;
}

/* By the state of the row in the cycle in which the write is taken. */
static enum doorbell_verdict judge(const struct model_doorbell *d, const struct gpu_frontend_in *in,
                                   const struct wires *w)
{
    uint32_t page = in->wr_addr / EVG_DOORBELL_PAGE;
    if (page >= EVG_EKT_ROWS || !d->rows[page].open || (w->close && w->close_row == page))
        return DOORBELL_UNREGISTERED;
    if (in->wr_rid != d->rows[page].rid)
        return DOORBELL_FOREIGN;
    if (in->wr_addr % EVG_DOORBELL_PAGE)
        return DOORBELL_MISALIGNED;
    if (in->wr_size != EVG_DOORBELL_BYTES)
        return DOORBELL_BAD_SIZE;
    return DOORBELL_GOOD;
}

/* Has its class and priority a place in the dispatch? */
static bool may_launch(const struct model_doorbell *d, const struct doorbell_row *row)
{
    return row->warp ? d->warps[row->priority] < 2 : !d->bigs[row->priority];
}

/* The next row after `last` that waits and may launch, of one priority or (-1) of any. */
static bool next_row(const struct model_doorbell *d, uint8_t last, int priority, uint8_t *row)
{
    for (uint32_t i = 1; i <= EVG_EKT_ROWS; i++) {
        uint8_t r = (uint8_t)((last + i) % EVG_EKT_ROWS);
        const struct doorbell_row *candidate = &d->rows[r];
        if (candidate->launched == candidate->accepted || !may_launch(d, candidate) ||
            (priority >= 0 && candidate->priority != priority))
            continue;
        *row = r;
        return true;
    }
    return false;
}

static bool is_turn_of_all(const struct model_doorbell *d)
{
    return d->launches % EVG_FAIR_EVERY == EVG_FAIR_EVERY - 1;
}

static bool choose(const struct model_doorbell *d, uint8_t *row)
{
    if (is_turn_of_all(d))
        return next_row(d, d->last_fair, -1, row);
    for (int level = PRIORITY_LEVELS - 1; level >= 0; level--) {
        if (next_row(d, d->last[level], level, row))
            return true;
    }
    return false;
}

static void launched(struct model_doorbell *d)
{
    struct doorbell_row *row = &d->rows[d->pick];
    if (is_turn_of_all(d))
        d->last_fair = d->pick;
    else
        d->last[row->priority] = d->pick;
    d->launches++;
    row->launched++;
    if (row->warp)
        d->warps[row->priority]++;
    else
        d->bigs[row->priority]++;
}

/* Priorities that have rows, open or with events. */
static uint8_t levels_in_use(const struct model_doorbell *d)
{
    uint8_t levels = 0;
    for (uint8_t r = 0; r < EVG_EKT_ROWS; r++) {
        if (d->rows[r].open || !model_doorbell_empty(d, r))
            levels |= (uint8_t)(1u << d->rows[r].priority);
    }
    return levels;
}

/* True if the write taken last cycle is accepted now. */
static bool accept(struct model_doorbell *d, struct gpu_frontend_out *out)
{
    struct doorbell_row *row = &d->rows[d->row];
    if (row->accepted - row->completed == EVG_ROW_EVENTS) {
        model_count_error(&out->err_overrun);
        return false;
    }
    out->acc_row = d->row;
    out->acc_tag = tag_of(d->row, row->accepted++);
    return true;
}

static bool end_judgement(struct model_doorbell *d, struct gpu_frontend_out *out)
{
    switch (d->verdict) {
    case DOORBELL_NONE:
        break;
    case DOORBELL_GOOD:
        return accept(d, out);
    case DOORBELL_UNREGISTERED:
        model_count_error(&out->err_unregistered);
        break;
    case DOORBELL_FOREIGN:
        model_count_error(&out->err_foreign);
        break;
    case DOORBELL_MISALIGNED:
        model_count_error(&out->err_misaligned);
        break;
    case DOORBELL_BAD_SIZE:
        model_count_error(&out->err_size);
        break;
    }
    return false;
}

static void open_and_close(struct model_doorbell *d, const struct wires *w)
{
    if (w->open) {
        struct doorbell_row *row = &d->rows[w->open_row];
        row->open = true;
        row->rid = w->open_rid;
        row->priority = w->open_priority;
        row->warp = w->open_warp;
    }
    if (w->close)
        d->rows[w->close_row].open = false;
}

void model_doorbell_step(struct model_doorbell *d, const struct gpu_frontend_in *in,
                         const struct wires *w, struct gpu_frontend_out *out)
{
    if (in->err_clear) {
        out->err_unregistered = out->err_misaligned = out->err_size = out->err_foreign = 0;
        out->err_overrun = 0;
    }
    uint8_t chosen = d->row;
    bool waits = choose(d, &chosen);
    bool at_once = may_launch(d, &d->rows[d->row]);
    uint8_t levels = levels_in_use(d);
    bool completed = w->completed && !model_doorbell_empty(d, w->completed_row);
    out->acc_valid = end_judgement(d, out);
    if (completed)
        d->rows[w->completed_row].completed++;
    if (w->launch)
        launched(d);
    if (w->placed)
        d->warps[w->placed_level]--;
    if (w->queued)
        d->bigs[w->queued_level]--;
    /* The Verilog shows nothing for four cycles after a launch, in which the table takes none. */
    d->picked = !w->launch && (waits || (out->acc_valid && at_once));
    d->pick = chosen;
    d->verdict = DOORBELL_NONE;
    if (in->wr_valid) {
        d->verdict = judge(d, in, w);
        d->row = (uint8_t)(in->wr_addr / EVG_DOORBELL_PAGE % EVG_EKT_ROWS);
    }
    open_and_close(d, w);
    out->levels = levels;
}

bool model_doorbell_quiet(const struct model_doorbell *d, const struct gpu_frontend_out *out)
{
    for (uint32_t r = 0; r < EVG_EKT_ROWS; r++) {
        if (d->rows[r].launched != d->rows[r].accepted)
            return false;
    }
    return out->levels == levels_in_use(d) && !d->picked && d->verdict == DOORBELL_NONE &&
           !out->acc_valid;
}
