/* The order of register accesses at a partition's front end, by its own port, without a tile. */
#include "sim/mem/region/fe_internal.h"
#include "tests/unit.h"

/* One access: what goes to the tile, which answers at once. */
static struct fe_step access_of(struct fe *f, uint64_t now)
{
    f->in.reg_valid = 0;
    fe_control_inputs(f, now);
    assert_true(f->in.reg_valid);
    f->out.reg_ack = 1;
    fe_control_outputs(f, now);
    return (struct fe_step){
        .write = f->in.reg_write, .reg = (uint8_t)f->in.reg_addr, .data = f->in.reg_data};
}

static void count_call(void *user, uint32_t code, uint32_t value)
{
    (void)code, (void)value;
    ++*(uint32_t *)user;
}

/* A report of a head that has left is freed before a job that waits: the tile would go on to hold
 * it, and the next read would take it for one of whatever has its place by then. */
static void test_report_is_freed_first(void **state)
{
    (void)state;
    struct fe *f = calloc(1, sizeof *f);
    assert_non_null(f);
    uint32_t done = 0;
    const struct fe_job job = {
        .kind = FE_JOB_WRITE, .reg = FE_REG_FIRST, .data = 7, .done = count_call, .user = &done};
    f->control.frees_report = true;
    assert_true(fe_submit(f, &job));
    struct fe_step first = access_of(f, 1);
    assert_true(first.write && first.reg == FE_REG_STATUS);
    assert_int_equal(first.data, EVG_FE_STATUS_REPORT);
    assert_int_equal(done, 0);
    struct fe_step second = access_of(f, 2);
    assert_true(second.write && second.reg == FE_REG_FIRST);
    assert_int_equal(second.data, 7);
    assert_int_equal(done, 1);
    assert_int_equal(fe_control_quiet(f, 3), UINT64_MAX);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_is_freed_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
