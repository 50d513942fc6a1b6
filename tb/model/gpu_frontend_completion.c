/* Golden model of event_completion. */
#include "tb/model/gpu_frontend_blocks.h"

/* The oldest answered completion leaves when the write port is free. */
static void leave(struct model_completion *c, struct gpu_frontend_out *out)
{
    uint32_t slot = c->left++ % EVG_COMPLETION_READS;
    if (c->ring[slot].pointer) {
        out->pw_valid = 1;
        out->pw_addr = c->ring[slot].pointer;
        out->pw_tag = c->ring[slot].tag;
        c->writing_row = c->ring[slot].row;
    } else {
        c->completed = true;
        c->completed_row = c->ring[slot].row;
    }
}

void model_completion_step(struct model_completion *c, const struct gpu_frontend_in *in,
                           struct gpu_frontend_out *out)
{
    bool take = in->done_valid && out->done_ready;
    bool leaves = c->answered != c->left && !out->pw_valid;
    uint32_t reads_out = c->taken - c->answered - out->mr_valid;
    if (in->mr_rsp_valid && reads_out)
        c->ring[c->answered++ % EVG_COMPLETION_READS].pointer = in->mr_rsp_data;
    c->completed = false;
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
        out->mr_valid = 1;
        out->mr_addr = in->done_param;
    }
    out->done_ready = !out->mr_valid && c->taken - c->left < EVG_COMPLETION_READS;
}

bool model_completion_quiet(const struct model_completion *c, const struct gpu_frontend_out *out)
{
    return c->taken == c->left && !out->pw_valid && !c->completed && out->done_ready;
}
