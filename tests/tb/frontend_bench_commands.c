#include "tests/tb/frontend_bench_commands.h"
#include "tests/unit.h"

enum {
    CHECKED = 21, /* cycles after a registration was taken whose rows decide */
    FREED = 64,   /* ... after a row's last event within which it is free */
};

static uint8_t expected_code(const struct bench *b, uint8_t *row)
{
    const struct gpu_frontend_in *c = &b->command;
    *row = 0;
    if (c->cmd_op == FRONTEND_CMD_UNREGISTER) {
        *row = c->cmd_row;
        return b->rows[c->cmd_row].used && !b->rows[c->cmd_row].draining
                   ? FRONTEND_CODE_OK
                   : FRONTEND_CODE_NOT_REGISTERED;
    }
    if (c->cmd_op == FRONTEND_CMD_ABORT) { /* decided two edges before the answer */
        *row = c->cmd_row;
        if (!(b->used_history[1] >> *row & 1))
            return FRONTEND_CODE_NOT_REGISTERED;
        return b->hit ? FRONTEND_CODE_OK : FRONTEND_CODE_NOT_RUNNING;
    }
    if (c->cmd_op != FRONTEND_CMD_REGISTER)
        return FRONTEND_CODE_BAD_ARGUMENT;
    bool good = (c->cmd_kernel & 0xffffffffffffff) && !(c->cmd_kernel >> 63) && c->cmd_size &&
                !(c->cmd_size & 15) && !(c->cmd_base & 15) && c->cmd_last >= c->cmd_base;
    good = good && !(c->cmd_flag_first & 3) && !(c->cmd_flag_last & 3) &&
           c->cmd_flag_last >= c->cmd_flag_first;
    unsigned __int128 threads = 1;
    for (int i = 0; i < 6; i++) {
        good = good && c->cmd_dims[i];
        if (i >= 3)
            threads *= c->cmd_dims[i];
    }
    if (!good || threads > 1024)
        return FRONTEND_CODE_BAD_ARGUMENT;
    if (b->free_row == EVG_EKT_ROWS)
        return FRONTEND_CODE_FULL;
    *row = (uint8_t)b->free_row;
    return FRONTEND_CODE_OK;
}

void bench_check_answer(struct bench *b)
{
    if (!b->out.rsp_valid)
        return;
    assert_true(b->command_busy);
    uint8_t row;
    uint8_t code = expected_code(b, &row);
    assert_int_equal(b->out.rsp_code, code);
    assert_int_equal(b->out.rsp_row, row);
    b->command_busy = false;
    b->answers++;
    if (code != FRONTEND_CODE_OK || b->command.cmd_op == FRONTEND_CMD_ABORT)
        return;
    struct bench_row *r = &b->rows[row];
    if (b->command.cmd_op == FRONTEND_CMD_UNREGISTER) {
        r->draining = true;
        return;
    }
    *r = (struct bench_row){.used = true,
                            .open = true,
                            .rid = b->command.cmd_rid,
                            .kernel = b->command.cmd_kernel,
                            .base = b->command.cmd_base,
                            .size = b->command.cmd_size,
                            .flag_first = b->command.cmd_flag_first,
                            .flag_last = b->command.cmd_flag_last,
                            .shared = b->command.cmd_shared,
                            .priority = b->command.cmd_priority};
    r->entries = (b->command.cmd_last - r->base) / r->size + 1;
    memcpy(r->dims, b->command.cmd_dims, sizeof r->dims);
}

/* Told once, a cycle after it was taken; answered there. */
void bench_check_abort(struct bench *b, const struct gpu_frontend_out *before, bool taken)
{
    uint32_t used = 0;
    if (before->ab_valid)
        b->hit = b->in.ab_hit;
    assert_int_equal(b->out.ab_valid, taken && b->in.cmd_op == FRONTEND_CMD_ABORT);
    if (b->out.ab_valid) {
        assert_int_equal(b->out.ab_row, b->in.cmd_row);
        assert_true(b->out.ab_param == b->in.cmd_base);
    }
    for (uint32_t r = 0; r < EVG_EKT_ROWS; r++)
        used |= (uint32_t)b->rows[r].used << r;
    b->used_history[1] = b->used_history[0];
    b->used_history[0] = used;
}

/* A row is free when its last event is over, soon, and not before it was given up. */
void bench_check_freed(struct bench *b)
{
    if (b->out.freed_valid) {
        struct bench_row *row = &b->rows[b->out.freed_row];
        assert_true(row->draining);
        assert_int_equal(row->in_flight, 0);
        *row = (struct bench_row){0};
        b->freed++;
    }
    for (uint32_t r = 0; r < EVG_EKT_ROWS; r++) {
        struct bench_row *row = &b->rows[r];
        /* A completion without a flag leaves behind the flags in front of it. */
        bool over = row->draining && !row->in_flight && !b->flags.count;
        row->empty_for = over ? row->empty_for + 1 : 0;
        assert_true(row->empty_for < FREED);
    }
}

/* Which row a registration gets is settled when its arguments have been checked. */
void bench_note_free_row(struct bench *b)
{
    if (b->cycle != b->command_cycle + CHECKED)
        return;
    b->free_row = 0;
    while (b->free_row < EVG_EKT_ROWS && b->rows[b->free_row].used)
        b->free_row++;
}

void bench_note_command(struct bench *b)
{
    assert_false(b->command_busy);
    b->command_busy = true;
    b->command = b->in;
    b->command_cycle = b->cycle;
    if (b->in.cmd_op == FRONTEND_CMD_UNREGISTER)
        b->rows[b->command.cmd_row].open = false;
}
