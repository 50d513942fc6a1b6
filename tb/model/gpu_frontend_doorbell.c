/* Golden model of doorbell_decoder. */
#include "tb/model/gpu_frontend_blocks.h"

static void count_error(uint32_t *counter)
{
    if (*counter != UINT32_MAX)
        ++*counter;
}

/* The counter of the first cause for which the write is refused, NULL if it is accepted. */
static uint32_t *refusal(const struct model_doorbell *d, const struct gpu_frontend_in *in,
                         struct gpu_frontend_out *out)
{
    uint32_t page = in->wr_addr / EVG_DOORBELL_PAGE;
    if (page >= EVG_EKT_ROWS || !d->open[page])
        return &out->err_unregistered;
    if (in->wr_rid != d->rid[page])
        return &out->err_foreign;
    if (in->wr_addr % EVG_DOORBELL_PAGE)
        return &out->err_misaligned;
    if (in->wr_size != EVG_DOORBELL_BYTES)
        return &out->err_size;
    return NULL;
}

void model_doorbell_step(struct model_doorbell *d, const struct gpu_frontend_in *in,
                         const struct wires *w, struct gpu_frontend_out *out)
{
    if (w->launch) {
        d->head = (d->head + 1) % EVG_DOORBELL_QUEUE;
        d->count--;
    }
    if (in->err_clear)
        out->err_unregistered = out->err_misaligned = out->err_size = out->err_foreign = 0;
    bool taken = in->wr_valid && out->wr_ready;
    uint32_t *error = taken ? refusal(d, in, out) : NULL;
    out->acc_valid = taken && !error;
    if (error)
        count_error(error);
    if (out->acc_valid) {
        out->acc_row = (uint8_t)(in->wr_addr / EVG_DOORBELL_PAGE);
        out->acc_tag = d->next_tag++;
        d->queue[(d->head + d->count++) % EVG_DOORBELL_QUEUE] =
            (struct launch_request){.row = out->acc_row, .tag = out->acc_tag};
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
    return !d->count && !out->acc_valid && out->wr_ready == w->room;
}
