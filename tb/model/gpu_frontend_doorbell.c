/* Golden model of doorbell_decoder. */
#include "tb/model/gpu_frontend_blocks.h"

#define QUEUE_SLOTS (EVG_DOORBELL_QUEUE + 1)

static void count_error(uint32_t *counter)
{
    if (*counter != UINT32_MAX)
        ++*counter;
}

/* By the state of the row in the cycle in which the write is taken. */
static enum doorbell_verdict judge(const struct model_doorbell *d, const struct gpu_frontend_in *in,
                                   const struct wires *w)
{
    uint32_t page = in->wr_addr / EVG_DOORBELL_PAGE;
    if (page >= EVG_EKT_ROWS || !d->open[page] || (w->close && w->close_row == page))
        return DOORBELL_UNREGISTERED;
    if (in->wr_rid != d->rid[page])
        return DOORBELL_FOREIGN;
    if (in->wr_addr % EVG_DOORBELL_PAGE)
        return DOORBELL_MISALIGNED;
    if (in->wr_size != EVG_DOORBELL_BYTES)
        return DOORBELL_BAD_SIZE;
    return DOORBELL_ACCEPTED;
}

static void accept(struct model_doorbell *d, struct gpu_frontend_out *out)
{
    out->acc_row = d->row;
    out->acc_tag = d->next_tag++;
    d->queue[(d->head + d->count++) % QUEUE_SLOTS] =
        (struct launch_request){.row = out->acc_row, .tag = out->acc_tag};
}

void model_doorbell_step(struct model_doorbell *d, const struct gpu_frontend_in *in,
                         const struct wires *w, struct gpu_frontend_out *out)
{
    if (w->launch) {
        d->head = (d->head + 1) % QUEUE_SLOTS;
        d->count--;
    }
    if (in->err_clear)
        out->err_unregistered = out->err_misaligned = out->err_size = out->err_foreign = 0;
    out->acc_valid = d->verdict == DOORBELL_ACCEPTED;
    switch (d->verdict) {
    case DOORBELL_NONE:
        break;
    case DOORBELL_ACCEPTED:
        accept(d, out);
        break;
    case DOORBELL_UNREGISTERED:
        count_error(&out->err_unregistered);
        break;
    case DOORBELL_FOREIGN:
        count_error(&out->err_foreign);
        break;
    case DOORBELL_MISALIGNED:
        count_error(&out->err_misaligned);
        break;
    case DOORBELL_BAD_SIZE:
        count_error(&out->err_size);
        break;
    }
    d->verdict = DOORBELL_NONE;
    if (in->wr_valid && out->wr_ready) {
        d->verdict = judge(d, in, w);
        d->row = (uint8_t)(in->wr_addr / EVG_DOORBELL_PAGE % EVG_EKT_ROWS);
    }
    if (w->open) {
        d->open[w->open_row] = true;
        d->rid[w->open_row] = w->open_rid;
    }
    if (w->close)
        d->open[w->close_row] = false;
    out->wr_ready = w->room && d->count < EVG_DOORBELL_QUEUE;
}

bool model_doorbell_quiet(const struct model_doorbell *d, const struct wires *w,
                          const struct gpu_frontend_out *out)
{
    return !d->count && d->verdict == DOORBELL_NONE && !out->acc_valid && out->wr_ready == w->room;
}
