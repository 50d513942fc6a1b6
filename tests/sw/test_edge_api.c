/* The EDGE API over a fake machine that can be made to fail at each step. */
#include "evgpu_defs.h"
#include "sw/edge/edge.h"
#include "tests/unit.h"

#define MEMORY_BYTES 8192u
#define MEMORY_BASE  0x10000u
#define ROWS         2u

struct machine {
    uint8_t memory[MEMORY_BYTES];
    uint64_t allocated_at, allocated_bytes; /* one block at a time is enough; 0: none */
    uint32_t allocations, writes;
    uint32_t fail_write; /* number of the write that fails, 0: none */
    bool fail_alloc, fail_command;
    uint32_t forced_code;
    bool row_used[ROWS];
    struct edge_command last;
    struct edge_kernel kernel;
    struct edge_parameter params[4];
    struct edge_driver driver;
};

static uint64_t fake_alloc(void *user, uint64_t bytes, uint64_t align)
{
    struct machine *m = user;
    if (m->fail_alloc || bytes > MEMORY_BYTES || m->allocated_at)
        return 0;
    assert_int_equal(align, EVG_ENTRY_ALIGN);
    m->allocations++;
    m->allocated_bytes = bytes;
    memset(m->memory, 0xAA, sizeof m->memory);
    return m->allocated_at = MEMORY_BASE;
}

static void fake_release(void *user, uint64_t address)
{
    struct machine *m = user;
    assert_int_not_equal(address, 0);
    assert_int_equal(address, m->allocated_at);
    m->allocated_at = 0;
}

static bool fake_write(void *user, uint64_t address, const void *data, uint64_t bytes,
                       struct edge_error *err)
{
    struct machine *m = user;
    assert_true(m->allocated_at && address >= m->allocated_at &&
                address + bytes <= m->allocated_at + m->allocated_bytes);
    if (++m->writes == m->fail_write)
        return edge_fail(err, "the bus is down");
    memcpy(m->memory + (address - MEMORY_BASE), data, bytes);
    return true;
}

static bool fake_command(void *user, const struct edge_command *command, uint32_t *code,
                         uint32_t *row, struct edge_error *err)
{
    struct machine *m = user;
    m->last = *command;
    if (m->fail_command)
        return edge_fail(err, "the front end does not answer");
    *code = FRONTEND_CODE_OK;
    *row = 0;
    if (m->forced_code) {
        *code = m->forced_code;
    } else if (command->op == FRONTEND_CMD_REGISTER) {
        while (*row < ROWS && m->row_used[*row])
            ++*row;
        if (*row == ROWS)
            *code = FRONTEND_CODE_FULL;
        else
            m->row_used[*row] = true;
    } else if (command->row < ROWS && m->row_used[command->row]) {
        if (command->op == FRONTEND_CMD_UNREGISTER)
            m->row_used[command->row] = false;
    } else {
        *code = FRONTEND_CODE_NOT_REGISTERED;
    }
    return true;
}

/* k(pointer, u32, f32, 12-byte aggregate): 28 bytes of parameters.
 */
static int set_up(void **state)
{
    struct machine *m = calloc(1, sizeof *m);
    if (!m)
        return -1;
    m->params[0] = (struct edge_parameter){"p0", EDGE_I64, 0, 8};
    m->params[1] = (struct edge_parameter){"p1", EDGE_I32, 8, 4};
    m->params[2] = (struct edge_parameter){"p2", EDGE_F32, 12, 4};
    m->params[3] = (struct edge_parameter){"p3", EDGE_BYTES, 16, 12};
    m->kernel = (struct edge_kernel){.name = "k",
                                     .code = 0x4000,
                                     .registers = 20,
                                     .shared_bytes = 100,
                                     .local_bytes = 64,
                                     .parameters = m->params,
                                     .n_parameters = 4,
                                     .parameter_bytes = 28};
    m->driver = (struct edge_driver){.user = m,
                                     .limits = {.block_threads = 512,
                                                .shared_bytes = 48 * 1024,
                                                .registers = 8192,
                                                .local_bytes = 64},
                                     .alloc = fake_alloc,
                                     .release = fake_release,
                                     .write = fake_write,
                                     .command = fake_command};
    *state = m;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static const enum edge_type TYPES[4] = {EDGE_I64, EDGE_I32, EDGE_F32, EDGE_BYTES};

static struct edge_request good_request(const struct machine *m)
{
    return (struct edge_request){.types = TYPES,
                                 .n_types = 4,
                                 .kernel = &m->kernel,
                                 .grid = {3, 1, 1},
                                 .block = {64, 2, 1},
                                 .shared_bytes = 28,
                                 .max_in_flight = 5,
                                 .requester = 0x1234,
                                 .completion = 0xab000};
}

static void registers_what_was_asked(void **state)
{
    struct machine *m = *state;
    struct edge_error err = {0};
    struct edge_request q = good_request(m);
    struct edge_event *e = edge_register_event(&m->driver, &q, &err);
    assert_non_null(e);
    assert_int_equal(m->last.op, FRONTEND_CMD_REGISTER);
    assert_int_equal(m->last.requester, 0x1234);
    assert_int_equal(m->last.kernel, 0x4000 | UINT64_C(5) << 56);
    assert_int_equal(m->last.base, MEMORY_BASE);
    assert_int_equal(m->last.size, 48); /* 16 + 28, in whole 16s */
    assert_int_equal(m->last.last, MEMORY_BASE + 4 * 48);
    const uint32_t dims[6] = {3, 1, 1, 64, 2, 1};
    assert_memory_equal(m->last.dims, dims, sizeof dims);
    assert_int_equal(m->last.shared, 128);
    assert_int_equal(m->last.flag_first, 0xab000);
    assert_int_equal(m->last.flag_last, 0xab000 + 4 * 4);
    assert_int_equal(m->allocated_bytes, 5 * 48);
    for (uint32_t i = 0; i < 5 * 48; i++)
        assert_int_equal(m->memory[i], 0);

    assert_int_equal(edge_row(e), 0);
    assert_int_equal(edge_doorbell(e), 0);
    assert_int_equal(edge_entries(e), 5);
    assert_int_equal(edge_entry_bytes(e), 48);
    assert_int_equal(edge_entry_address(e, 3), MEMORY_BASE + 3 * 48);
    assert_int_equal(edge_argument_address(e, 2, 3), MEMORY_BASE + 2 * 48 + 16 + 16);
    assert_true(edge_unregister_event(e, &err));
    assert_int_equal(m->allocated_at, 0);
    assert_false(m->row_used[0]);
}

static void doorbell_is_the_page_of_the_row(void **state)
{
    struct machine *m = *state;
    struct edge_error err = {0};
    struct edge_request q = good_request(m);
    m->row_used[0] = true;
    struct edge_event *e = edge_register_event(&m->driver, &q, &err);
    assert_non_null(e);
    assert_int_equal(edge_doorbell(e), EVG_DOORBELL_PAGE);
    assert_true(edge_unregister_event(e, &err));
    assert_int_equal(m->last.row, 1);
    assert_true(m->row_used[0]);
}

/* Nothing allocated, no row taken, a reason that contains `message`. */
static void refused(struct machine *m, const struct edge_request *q, const char *message)
{
    struct edge_error err = {0};
    assert_null(edge_register_event(&m->driver, q, &err));
    if (!strstr(err.text, message))
        fail_msg("\"%s\" lacks \"%s\"", err.text, message);
    assert_int_equal(m->allocated_at, 0);
}

static void invalid_inputs_touch_nothing(void **state)
{
    struct machine *m = *state;
    struct edge_request q = good_request(m);
    m->kernel.defect = "it uses something";
    refused(m, &q, "event kernel k cannot run: it uses something");
    m->kernel.defect = NULL;
    q = good_request(m), q.n_types = 3;
    refused(m, &q, "has 4 parameters; the list has 3 types");
    for (uint32_t i = 0; i < 4; i++) {
        static const enum edge_type WRONG[4] = {EDGE_I32, EDGE_F32, EDGE_I32, EDGE_I32};
        enum edge_type types[4];
        memcpy(types, TYPES, sizeof types);
        types[i] = WRONG[i];
        q = good_request(m), q.types = types;
        refused(m, &q, "is not that of parameter p");
    }
    for (uint32_t i = 0; i < 3; i++) {
        q = good_request(m), q.grid[i] = 0;
        refused(m, &q, "grid dimension");
        q = good_request(m), q.block[i] = 0;
        refused(m, &q, "block dimension");
    }
    q = good_request(m), q.block[0] = 257;
    refused(m, &q, "a block of 514 threads; at most 512");
    q = good_request(m), q.block[0] = UINT32_MAX, q.block[1] = UINT32_MAX;
    refused(m, &q, "block dimension x is 4294967295");
    m->kernel.max_threads = 127;
    q = good_request(m);
    refused(m, &q, "a block of 128 threads; at most 127");
    m->kernel.max_threads = 0;
    q = good_request(m), q.block[0] = 210; /* 420 threads: 14 warps x 32 x 20 registers */
    refused(m, &q, "needs 8960 registers (20 per thread); a core has 8192");
    q = good_request(m), q.shared_bytes = 48 * 1024 - 99;
    refused(m, &q, "49153 bytes of shared memory per block; at most 49152");
    q = good_request(m), q.shared_bytes = UINT32_MAX;
    refused(m, &q, "shared memory");
    q = good_request(m), q.max_in_flight = 0;
    refused(m, &q, "events in flight must be 1 or more");
    q = good_request(m), q.max_in_flight = EVG_ROW_EVENTS + 1;
    refused(m, &q, "2048 events in flight; at most 2047");
    q = good_request(m), q.types = NULL;
    refused(m, &q, "no list of the 4 types");
    q = good_request(m), q.kernel = NULL;
    refused(m, &q, "registration of an event kernel without one");
    q = good_request(m), q.types = (const enum edge_type[]){EDGE_I64, (enum edge_type)0x40000000};
    refused(m, &q, "type 1 of the list is 1073741824, which is none");
    q = good_request(m), q.completion += 2;
    refused(m, &q, "completion queue at 0xab002; flags lie at multiples of 4");
    q = good_request(m), q.completion = UINT64_MAX - 15;
    refused(m, &q, "of 5 flags passes the end of the bus");
    m->kernel.local_bytes = 65;
    q = good_request(m);
    refused(m, &q, "65 bytes of local memory per thread; an event may use 64");
    assert_int_equal(m->allocations, 0);
    assert_int_equal(m->last.op, FRONTEND_CMD_NONE);
}

/* The front end's field has 16 bits, whatever the core has. */
static void shared_memory_fits_the_command(void **state)
{
    struct machine *m = *state;
    struct edge_request q = good_request(m);
    m->driver.limits.shared_bytes = 1 << 20;
    q.shared_bytes = 65536 - 100;
    refused(m, &q, "65536 bytes of shared memory per block; at most 65535");
}

static void every_failing_step_is_reverted(void **state)
{
    struct machine *m = *state;
    struct edge_request q = good_request(m);
    m->fail_alloc = true;
    refused(m, &q, "no device memory for a submission queue of 5 entries of 48 bytes");
    m->fail_alloc = false;
    q.max_in_flight = UINT32_MAX;
    refused(m, &q, "4294967295 events in flight; at most 2047");
    q = good_request(m);
    for (uint32_t k = 1; k <= 5; k++) {
        m->writes = 0;
        m->fail_write = k;
        refused(m, &q, "the bus is down");
        assert_int_equal(m->last.op, FRONTEND_CMD_NONE);
    }
    m->fail_write = 0;
    m->fail_command = true;
    refused(m, &q, "the front end does not answer");
    m->fail_command = false;
    m->forced_code = FRONTEND_CODE_BAD_ARGUMENT;
    refused(m, &q, "refused the registration (code 2)");
    m->forced_code = 0;
    m->row_used[0] = m->row_used[1] = true;
    refused(m, &q, "the event kernel table is full; unregister another event first");
    assert_int_equal(m->allocations, 5 + 3);

    /* After all that, the same request succeeds. */
    struct edge_error err = {0};
    m->row_used[1] = false;
    struct edge_event *e = edge_register_event(&m->driver, &q, &err);
    assert_non_null(e);
    assert_true(edge_unregister_event(e, &err));
}

/* What a failed registration gives to all other calls, with no crash but the first reason. */
static void without_an_event(void **state)
{
    struct machine *m = *state;
    struct edge_error err = {0};
    struct edge_request q = good_request(m);
    bool ended;
    assert_null(edge_register_event(NULL, &q, &err));
    assert_string_equal(err.text, "registration of an event kernel without a driver");
    assert_false(edge_set_completion(NULL, 0, 0, &err));
    assert_string_equal(err.text, "registration of an event kernel without a driver");
    err.set = false;
    assert_false(edge_set_u32(NULL, 0, 0, 1, &err));
    assert_string_equal(err.text, "no event kernel is registered");
    assert_false(edge_abort_event(NULL, 0, &ended, NULL) || edge_unregister_event(NULL, NULL));
    struct edge_event *e = edge_register_event(&m->driver, &q, NULL);
    assert_non_null(e);
    assert_int_equal(edge_argument_address(e, 5, 0), 0);
    assert_int_equal(edge_argument_address(e, 0, 4), 0);
    err.set = false;
    assert_false(edge_set_argument(e, 0, 0, EDGE_I64, NULL, 8, &err));
    assert_string_equal(err.text, "event kernel k: argument 0 has no value");
    assert_true(edge_unregister_event(e, NULL));
}

/* An abort names its row and its entry; what the GPU says goes to the caller. */
static void an_abort_names_its_entry(void **state)
{
    struct machine *m = *state;
    struct edge_error err = {0};
    struct edge_request q = good_request(m);
    struct edge_event *e = edge_register_event(&m->driver, &q, &err);
    bool ended = false;
    assert_non_null(e);
    assert_true(edge_abort_event(e, 3, &ended, &err) && ended);
    assert_int_equal(m->last.op, FRONTEND_CMD_ABORT);
    assert_int_equal(m->last.row, edge_row(e));
    assert_true(m->last.base == edge_entry_address(e, 3));
    m->forced_code = FRONTEND_CODE_NOT_RUNNING;
    assert_true(edge_abort_event(e, 3, &ended, &err) && !ended);
    m->forced_code = FRONTEND_CODE_NOT_REGISTERED;
    assert_false(edge_abort_event(e, 3, &ended, &err));
    assert_non_null(strstr(err.text, "refused to abort an event of row 0 (code 3)"));
    m->forced_code = 0;
    err.set = false;
    assert_false(edge_abort_event(e, 5, &ended, &err));
    assert_non_null(strstr(err.text, "entry 5; the submission queue has 5 entries"));
    err.set = false;
    m->fail_command = true;
    assert_false(edge_abort_event(e, 0, &ended, &err));
    assert_non_null(strstr(err.text, "the front end does not answer"));
    m->fail_command = false;
    assert_true(edge_unregister_event(e, NULL));
}

static void failed_unregistration_keeps_the_event(void **state)
{
    struct machine *m = *state;
    struct edge_error err = {0};
    struct edge_request q = good_request(m);
    struct edge_event *e = edge_register_event(&m->driver, &q, &err);
    assert_non_null(e);
    m->fail_command = true;
    assert_false(edge_unregister_event(e, &err));
    assert_non_null(strstr(err.text, "does not answer"));
    m->fail_command = false;
    m->row_used[0] = false; /* somebody else has closed it */
    err = (struct edge_error){0};
    assert_false(edge_unregister_event(e, &err));
    assert_non_null(strstr(err.text, "refused to unregister row 0 (code 3)"));
    assert_int_equal(m->allocated_at, MEMORY_BASE);
    m->row_used[0] = true;
    assert_true(edge_unregister_event(e, &err));
}

static void arguments_are_checked_and_placed(void **state)
{
    struct machine *m = *state;
    struct edge_error err = {0};
    struct edge_request q = good_request(m);
    struct edge_event *e = edge_register_event(&m->driver, &q, &err);
    assert_non_null(e);
    uint8_t expected[5 * 48] = {0};
    const uint8_t aggregate[12] = "hello world";
    assert_true(edge_set_completion(e, 1, 0x1122334455667788, &err));
    assert_true(edge_set_u64(e, 1, 0, 0xAABBCCDDEEFF0011, &err));
    assert_true(edge_set_u32(e, 4, 1, 0x01020304, &err));
    assert_true(edge_set_f32(e, 1, 2, 1.5f, &err));
    assert_true(edge_set_argument(e, 4, 3, EDGE_BYTES, aggregate, sizeof aggregate, &err));
    memcpy(expected + 48, &(uint64_t){0x1122334455667788}, 8);
    memcpy(expected + 48 + 16, &(uint64_t){0xAABBCCDDEEFF0011}, 8);
    memcpy(expected + 4 * 48 + 16 + 8, &(uint32_t){0x01020304}, 4);
    memcpy(expected + 48 + 16 + 12, &(float){1.5f}, 4);
    memcpy(expected + 4 * 48 + 16 + 16, aggregate, sizeof aggregate);
    assert_memory_equal(m->memory, expected, sizeof expected);

#define WRONG(call, message)                                                                       \
    do {                                                                                           \
        err = (struct edge_error){0};                                                              \
        assert_false(call);                                                                        \
        assert_non_null(strstr(err.text, message));                                                \
    } while (0)
    WRONG(edge_set_u32(e, 0, 0, 1, &err), "argument 0 is 4 bytes; parameter p0 is 8 bytes");
    WRONG(edge_set_u32(e, 0, 2, 1, &err), "parameter p2 is 4 bytes, float");
    WRONG(edge_set_f32(e, 0, 1, 1, &err), "argument 1 is 4 bytes, float; parameter p1 is 4 bytes");
    WRONG(edge_set_u64(e, 0, 4, 1, &err), "argument 4; it has 4 parameters");
    WRONG(edge_set_u64(e, 5, 0, 1, &err), "entry 5; the submission queue has 5 entries");
    WRONG(edge_set_completion(e, 5, 1, &err), "entry 5");
    WRONG(edge_set_argument(e, 0, 3, EDGE_BYTES, aggregate, 11, &err), "argument 3 is 11 bytes");
    m->fail_write = m->writes + 1;
    WRONG(edge_set_u64(e, 0, 0, 1, &err), "the bus is down");
#undef WRONG
    m->fail_write = 0;
    assert_memory_equal(m->memory, expected, sizeof expected);
    err = (struct edge_error){0};
    assert_true(edge_unregister_event(e, &err));
}

static void type_list_macro(void **state)
{
    struct machine *m = *state;
    struct edge_error err = {0};
    struct edge_request q = {EDGE_TYPES(EDGE_I64, EDGE_I32, EDGE_F32, EDGE_BYTES),
                             .kernel = &m->kernel, .grid = {1, 1, 1}, .block = {32, 1, 1},
                             .max_in_flight = 1};
    assert_int_equal(q.n_types, 4);
    struct edge_event *e = edge_register_event(&m->driver, &q, &err);
    assert_non_null(e);
    assert_int_equal(m->last.last, m->last.base);
    assert_true(edge_unregister_event(e, &err));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(registers_what_was_asked),
        TEST(doorbell_is_the_page_of_the_row),
        TEST(invalid_inputs_touch_nothing),
        TEST(shared_memory_fits_the_command),
        TEST(every_failing_step_is_reverted),
        TEST(failed_unregistration_keeps_the_event),
        TEST(arguments_are_checked_and_placed),
        TEST(type_list_macro),
        TEST(without_an_event),
        TEST(an_abort_names_its_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
