/* Golden model of event_completion and completion_window. */
#include "tb/model/gpu_frontend_blocks.h"

static bool is_good(uint64_t pointer, const struct flag_window *w)
{
    return pointer % EVG_FLAG_BYTES == 0 && pointer >= w->first && pointer <= w->last;
}

/* The oldest answered completion leaves when the write port is free. */
static void leave(struct model_completion *c, struct gpu_frontend_out *out)
{
    uint32_t slot = c->left++ % EVG_COMPLETION_READS;
    uint64_t pointer = c->ring[slot].pointer;
    if (pointer) {
        out->pw_addr = pointer;
        out->pw_tag = c->ring[slot].tag;
        out->pw_data = c->ring[slot].aborted ? EVG_COMPLETION_ABORTED : EVG_COMPLETION_DONE;
    }
    if (pointer && is_good(pointer, &c->ring[slot].window)) {
        out->pw_valid = 1;
        c->writing_row = c->ring[slot].row;
        return;
    }
    c->completed = true;
    c->completed_row = c->ring[slot].row;
    out->pw_bad = pointer != 0;
    if (out->pw_bad)
        model_count_error(&out->err_pointer);
}

void model_completion_step(struct model_completion *c, const struct gpu_frontend_in *in,
                           const struct wires *w, struct gpu_frontend_out *out)
{
    bool take = in->done_valid && out->done_ready;
    bool leaves = c->answered != c->left && !out->pw_valid;
    uint32_t reads_out = c->taken - c->answered - out->mr_valid;
    if (in->mr_rsp_valid && reads_out)
        c->ring[c->answered++ % EVG_COMPLETION_READS].pointer = in->mr_rsp_data;
    c->completed = false;
    out->pw_bad = 0;
    if (in->err_clear)
        out->err_pointer = 0;
    if (out->pw_valid && in->pw_ready) {
        out->pw_valid = 0;
        c->completed = true;
        c->completed_row = c->writing_row;
    }
    if (leaves)
        leave(c, out);
    if (out->mr_valid && in->mr_ready)
        out->mr_valid = 0;
    if (take) {
        uint32_t slot = c->taken++ % EVG_COMPLETION_READS;
        c->ring[slot].row = in->done_row;
        c->ring[slot].tag = in->done_tag;
        c->ring[slot].aborted = in->done_aborted;
        c->ring[slot].window = c->windows[in->done_row];
        out->mr_valid = 1;
        out->mr_addr = in->done_param;
    }
    if (w->open)
        c->windows[w->open_row] = (struct flag_window){w->open_flag_first, w->open_flag_last};
    out->done_ready = !out->mr_valid && c->taken - c->left < EVG_COMPLETION_READS;
}

bool model_completion_quiet(const struct model_completion *c, const struct gpu_frontend_out *out)
{
    return c->taken == c->left && !out->pw_valid && !c->completed && out->done_ready;
}
