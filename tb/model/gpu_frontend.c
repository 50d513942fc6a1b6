/* Golden model of tile gpu_frontend: the parts together. */
#include <stdlib.h>

#include "base/alloc.h"
#include "tb/model/gpu_frontend_blocks.h"

struct frontend {
    struct model_doorbell doorbell;
    struct model_table table;
    struct model_dispatch dispatch;
    struct model_completion completion;
    struct model_reserve reserve;
    struct gpu_frontend_out out;
};

void *gpu_frontend_model_create(void)
{
    return ALLOC(struct frontend);
}

void gpu_frontend_model_destroy(void *model)
{
    free(model);
}

/* Reset is for control: data outputs keep what they showed, as in the RTL. */
void gpu_frontend_model_reset(void *model, void *out)
{
    struct frontend *f = model;
    model_doorbell_reset(&f->doorbell);
    f->table = (struct model_table){0};
    model_dispatch_reset(&f->dispatch, &f->out);
    f->completion = (struct model_completion){0};
    f->reserve = (struct model_reserve){0};
    struct gpu_frontend_out *o = &f->out;
    o->cmd_ready = o->done_ready = o->idle = 1;
    o->rsp_valid = o->acc_valid = o->ev_valid = o->big_valid = o->mr_valid = o->pw_valid = 0;
    o->freed_valid = o->ab_valid = 0;
    o->err_unregistered = o->err_misaligned = o->err_size = o->err_foreign = 0;
    o->err_overrun = o->err_pointer = o->err_answer = o->err_timeout = o->err_silent = 0;
    o->pw_bad = 0;
    o->stat_req = o->stat_req_group = o->keep_cores = o->levels = 0;
    o->pw_data = EVG_COMPLETION_DONE;
    *(struct gpu_frontend_out *)out = *o;
}

static bool all_quiet(const struct frontend *f, const struct gpu_frontend_in *in,
                      const struct wires *w)
{
    return !in->wr_valid && !in->cmd_valid && !in->done_valid && !in->mr_rsp_valid &&
           !in->err_clear && model_doorbell_quiet(&f->doorbell, &f->out) &&
           model_table_quiet(&f->table, w, &f->out) && model_dispatch_quiet(&f->dispatch) &&
           model_completion_quiet(&f->completion, &f->out) &&
           model_reserve_quiet(&f->reserve, w, &f->out);
}

/* Rows whose last event has completed since they were given up. */
static uint32_t over_rows(const struct frontend *f)
{
    uint32_t over = 0;
    for (uint32_t left = f->table.draining; left; left &= left - 1) {
        uint8_t row = (uint8_t)__builtin_ctz(left);
        over |= (uint32_t)model_doorbell_empty(&f->doorbell, row) << row;
    }
    return over;
}

void gpu_frontend_model_step(void *model, const void *in_, void *out)
{
    struct frontend *f = model;
    const struct gpu_frontend_in *in = in_;
    const struct model_table *t = &f->table;
    const struct wires w = {
        .launch = f->doorbell.picked && model_table_takes_launch(t),
        .kernel = t->offered && model_dispatch_takes(&f->dispatch, &t->launched),
        .completed = f->completion.completed,
        .completed_row = f->completion.completed_row,
        .open = t->open,
        .open_row = t->open_row,
        .open_rid = t->command.cmd_rid,
        .open_priority = t->command.cmd_priority,
        .open_warp = model_is_warp_event(t->command.cmd_dims, t->command.cmd_shared),
        .placed = f->out.ev_valid && in->ev_ack,
        .placed_level = f->out.ev_priority,
        .queued = f->out.big_valid && in->big_ready,
        .queued_level = f->out.big_priority,
        .open_flag_first = t->command.cmd_flag_first,
        .open_flag_last = t->command.cmd_flag_last,
        .close = t->close,
        .close_row = t->command.cmd_row,
        .over_rows = over_rows(f),
    };
    const struct launch_request request = model_doorbell_request(&f->doorbell);
    const bool quiet = all_quiet(f, in, &w);
    model_reserve_step(&f->reserve, in, &w, &f->out);
    model_dispatch_step(&f->dispatch, in, &w, &t->launched, &f->out);
    model_table_step(&f->table, in, &w, &request, &f->out);
    model_doorbell_step(&f->doorbell, in, &w, &f->out);
    model_completion_step(&f->completion, in, &w, &f->out);
    f->out.idle = quiet;
    *(struct gpu_frontend_out *)out = f->out;
}
