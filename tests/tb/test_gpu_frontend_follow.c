/* What the assertions of a verilated tile follow (rtl/common/properties/follow.fv.vh) is another row with
 * another seed, and the same with the same. Here nothing else judges: outputs are not looked at
 * beyond what drives the tile; a row that works differently is found by the assertions, if they
 * follow it (mutants follow_*). */
#include "evgpu_defs.h"
#include "gpu_frontend.h"
#include "tb/tile.h"
#include "tests/unit.h"

enum {
    SEEDS = 400, /* so many that every row is followed by each of the blocks */
    ROWS = 8,    /* that are used */
    CHECKED = 40 /* cycles: a command is answered */
};

struct run {
    struct tile *tile;
    struct gpu_frontend_in in;
    struct gpu_frontend_out out;
};

static void steps(struct run *r, uint32_t cycles)
{
    struct error err = {0};
    while (cycles--) {
        if (!tile_step(r->tile, &r->in, &r->out, &err))
            fail_msg("%s", err.text);
        r->in.cmd_valid = r->in.wr_valid = 0;
    }
}

static void register_row(struct run *r)
{
    r->in.cmd_valid = 1;
    r->in.cmd_op = FRONTEND_CMD_REGISTER;
    steps(r, CHECKED);
}

static void unregister_row(struct run *r, uint8_t row)
{
    r->in.cmd_valid = 1;
    r->in.cmd_op = FRONTEND_CMD_UNREGISTER;
    r->in.cmd_row = row;
    steps(r, CHECKED);
}

static void ring(struct run *r, uint32_t row)
{
    r->in.wr_valid = 1;
    r->in.wr_addr = row * EVG_DOORBELL_PAGE;
    steps(r, 4);
}

/* All rows are registered, written to, and removed; two of them again. */
static void use_rows(struct run *r)
{
    r->in = (struct gpu_frontend_in){.cmd_kernel = (uint64_t)5 << 56 | 0x4000,
                                     .cmd_base = 0x10000,
                                     .cmd_size = 64,
                                     .cmd_last = 0x10000,
                                     .cmd_flag_last = 0x1000,
                                     .cmd_dims = {1, 1, 1, 64, 1, 1},
                                     .wr_size = EVG_DOORBELL_BYTES,
                                     .cfg_core_groups = 1,
                                     .big_ready = 1};
    tile_reset(r->tile, &r->out);
    for (uint32_t row = 0; row < ROWS; row++)
        register_row(r);
    for (uint32_t row = 0; row < ROWS; row++)
        ring(r, row);
    for (uint8_t row = 0; row < ROWS; row++)
        unregister_row(r, row);
    register_row(r);
    register_row(r);
}

static void test_every_row_is_followed(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        struct error err = {0};
        struct run r;
        tile_randomise(seed, false);
        r.tile = tile_create(&gpu_frontend_kind, TILE_VERILATOR, "followed", &err);
        assert_non_null(r.tile);
        use_rows(&r);
        tile_destroy(r.tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_row_is_followed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
