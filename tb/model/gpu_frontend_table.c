/* Golden model of event_kernel_table. */
#include "tb/model/gpu_frontend_blocks.h"

#include <string.h>

enum {
    LAUNCH_CYCLES = 5,
    LAUNCH_OFFERS = 2,  /* cycles until the kernel is offered to the dispatch */
    CHECK_CYCLES = 22,  /* two products of 11 bits, one bit per cycle */
    COMMAND_CYCLES = 2, /* from its start: decide, answer */
    COMMAND_DECIDES = 1,
    MAX_REGS = 127, /* in units of REG_UNIT */
};

static bool table_is_free(const struct model_table *t)
{
    return !t->launch_left && !t->command_left;
}

bool model_table_takes_launch(const struct model_table *t)
{
    return table_is_free(t) && !t->offered && (!t->command_held || t->after_command);
}

static bool arguments_are_good(const struct gpu_frontend_in *c)
{
    if (!(c->cmd_kernel << 8) || c->cmd_kernel >> 56 > MAX_REGS)
        return false;
    if (!c->cmd_size || c->cmd_size % EVG_ENTRY_ALIGN || c->cmd_base % EVG_ENTRY_ALIGN ||
        c->cmd_base > c->cmd_last)
        return false;
    if (c->cmd_flag_first % EVG_FLAG_BYTES || c->cmd_flag_last % EVG_FLAG_BYTES ||
        c->cmd_flag_first > c->cmd_flag_last)
        return false;
    uint64_t threads = 1;
    for (int i = 0; i < 6; i++) {
        if (!c->cmd_dims[i])
            return false;
        if (i < 3)
            continue;
        if (c->cmd_dims[i] > EVG_BLOCK_THREADS)
            return false;
        threads *= c->cmd_dims[i];
    }
    return threads <= EVG_BLOCK_THREADS;
}

static void register_kernel(struct model_table *t, struct gpu_frontend_out *out)
{
    const struct gpu_frontend_in *c = &t->command;
    out->rsp_row = 0;
    if (!arguments_are_good(c)) {
        out->rsp_code = FRONTEND_CODE_BAD_ARGUMENT;
        return;
    }
    if (t->full) {
        out->rsp_code = FRONTEND_CODE_FULL;
        return;
    }
    uint8_t row = t->free_row;
    struct model_row *r = &t->rows[row];
    r->kernel = c->cmd_kernel;
    r->base = r->head = c->cmd_base;
    r->size = c->cmd_size;
    r->last = c->cmd_last;
    memcpy(r->dims, c->cmd_dims, sizeof r->dims);
    r->shared = c->cmd_shared;
    r->priority = c->cmd_priority;
    r->used = true;
    t->open = true;
    t->open_row = row;
    out->rsp_row = row;
    out->rsp_code = FRONTEND_CODE_OK;
}

/* True if a row drains from now on; the command is answered then. */
static bool decide(struct model_table *t, struct gpu_frontend_out *out)
{
    t->command_held = false;
    if (t->command.cmd_op == FRONTEND_CMD_REGISTER) {
        register_kernel(t, out);
        return false;
    }
    if (t->command.cmd_op == FRONTEND_CMD_ABORT) {
        out->rsp_row = t->command.cmd_row;
        out->rsp_code = !t->rows[out->rsp_row].used ? FRONTEND_CODE_NOT_REGISTERED
                        : t->hit                    ? FRONTEND_CODE_OK
                                                    : FRONTEND_CODE_NOT_RUNNING;
        return false;
    }
    if (t->command.cmd_op != FRONTEND_CMD_UNREGISTER) {
        out->rsp_code = FRONTEND_CODE_BAD_ARGUMENT;
        out->rsp_row = 0;
        return false;
    }
    out->rsp_row = t->command.cmd_row;
    uint32_t row = (uint32_t)1 << t->command.cmd_row;
    bool leaves = t->rows[t->command.cmd_row].used && !(t->draining & row);
    out->rsp_code = leaves ? FRONTEND_CODE_OK : FRONTEND_CODE_NOT_REGISTERED;
    if (leaves)
        t->draining |= row;
    return leaves;
}

static void launch(struct model_table *t, const struct launch_request *request)
{
    struct model_row *row = &t->rows[request->row];
    t->launched = (struct kernel_launch){.code = row->kernel,
                                         .param = row->head,
                                         .shared = row->shared,
                                         .priority = row->priority,
                                         .from = *request};
    memcpy(t->launched.dims, row->dims, sizeof row->dims);
    uint64_t next = row->head + row->size;
    row->head = next < row->head || next > row->last ? row->base : next;
    t->after_command = false;
    t->launch_left = LAUNCH_CYCLES - 1;
}

static void work(struct model_table *t, const struct wires *w, const struct launch_request *request,
                 struct gpu_frontend_out *out)
{
    if (w->launch) {
        launch(t, request);
    } else if (t->launch_left) {
        t->launch_left--;
        if (t->launch_left == LAUNCH_CYCLES - LAUNCH_OFFERS)
            t->offered = true;
    } else if (t->command_left) {
        t->command_left--;
        if (t->command_left == COMMAND_CYCLES - COMMAND_DECIDES && decide(t, out)) {
            t->command_left = 0;
            out->rsp_valid = 1;
        } else if (!t->command_left) {
            out->rsp_valid = 1;
        }
    } else if (t->command_held) {
        t->command_left = COMMAND_CYCLES;
        t->after_command = true;
    }
}

static void check_command(struct model_table *t)
{
    if (!t->check_left || --t->check_left)
        return;
    t->command_held = true;
    t->free_row = 0;
    while (t->free_row < EVG_EKT_ROWS && t->rows[t->free_row].used)
        t->free_row++;
    t->full = t->free_row == EVG_EKT_ROWS;
}

/* One row per cycle, the lowest first. */
static void free_row(struct model_table *t, const struct wires *w, struct gpu_frontend_out *out)
{
    out->freed_valid = w->over_rows != 0;
    if (!w->over_rows)
        return;
    out->freed_row = (uint8_t)__builtin_ctz(w->over_rows);
    t->rows[out->freed_row].used = false;
    t->draining &= ~((uint32_t)1 << out->freed_row);
}

void model_table_step(struct model_table *t, const struct gpu_frontend_in *in,
                      const struct wires *w, const struct launch_request *request,
                      struct gpu_frontend_out *out)
{
    bool take = in->cmd_valid && out->cmd_ready;
    t->open = false;
    t->close = take && in->cmd_op == FRONTEND_CMD_UNREGISTER;
    out->rsp_valid = 0;
    if (out->ab_valid)
        t->hit = in->ab_hit;
    out->ab_valid = take && in->cmd_op == FRONTEND_CMD_ABORT;
    if (w->kernel)
        t->offered = false;
    work(t, w, request, out);
    check_command(t);
    free_row(t, w, out);
    if (out->rsp_valid)
        out->cmd_ready = 1;
    if (take) {
        t->command = *in;
        out->ab_row = in->cmd_row;
        out->ab_param = in->cmd_base;
        if (in->cmd_op == FRONTEND_CMD_REGISTER)
            t->check_left = CHECK_CYCLES;
        else
            t->command_held = true;
        out->cmd_ready = 0;
    }
}

bool model_table_quiet(const struct model_table *t, const struct wires *w,
                       const struct gpu_frontend_out *out)
{
    return table_is_free(t) && !t->check_left && !t->command_held && !t->offered &&
           !out->rsp_valid && !out->ab_valid && !t->open && !t->close && !w->over_rows &&
           !out->freed_valid;
}
