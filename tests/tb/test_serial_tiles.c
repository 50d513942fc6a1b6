/* The tiles that `evgpu run` does not use, behind a serial line: memory front end and concurrency
 * units of evgpu-board-memory, stepped at random beside verilated ones, with bytes damaged and lost
 * too, one step at a time and in batches. Every output of every step must be the same. Requests
 * that no evgpu sends get the answers that docs/design/fpga.md promises. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "concurrency_unit.h"
#include "evgpu_defs.h"
#include "mem_frontend.h"
#include "sm_concurrency_unit.h"
#include "tb/serial.h"
#include "tb/serial_port.h"
#include "tb/serial_frame.h"
#include "tb/tile.h"
#include "tests/unit.h"

enum {
    START_UP = EVG_FE_REGION_LINES + 1, /* steps until the memory front end takes requests */
    STEPS = 600,
    INTERVAL = 40, /* of concurrency management */
    LINES = 2,     /* that requests are for */
    TRY_US = 10000,
    HANG_TRIES = 120000 /* 20 minutes: only a board that never starts takes them */
};

static char board_path[4096];

/* --- the board -------------------------------------------------------------------------------- */

struct board {
    char directory[32], link[64], report[64];
    pid_t pid;
};

static void board_start(struct board *b, const char *damage, const char *loss, const char *seed)
{
    strcpy(b->directory, "/tmp/serial-tiles-XXXXXX");
    assert_non_null(mkdtemp(b->directory));
    snprintf(b->link, sizeof b->link, "%s/board", b->directory);
    snprintf(b->report, sizeof b->report, "%s/report", b->directory);
    b->pid = fork();
    assert_true(b->pid >= 0);
    if (b->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* a failed test does not come to board_stop */
        if (freopen(b->report, "w", stdout))
            execl(board_path, board_path, b->link, damage, loss, seed, (char *)NULL);
        perror(board_path);
        _exit(127);
    }
    for (int tries = 0; access(b->link, F_OK); tries++) {
        if (tries == HANG_TRIES)
            fail_msg("%s does not start", board_path);
        usleep(TRY_US);
    }
}

/* Bytes that the line damaged or lost, each way. */
static void board_stop(struct board *b, unsigned long long spoilt[2])
{
    int status;
    kill(b->pid, SIGTERM);
    assert_int_equal(waitpid(b->pid, &status, 0), b->pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    FILE *report = fopen(b->report, "r");
    assert_non_null(report);
    for (int i = 0; i < 2; i++) {
        unsigned long long passed, damaged, lost;
        assert_int_equal(fscanf(report, "%*s the board: %llu bytes, %llu damaged, %llu lost ",
                                &passed, &damaged, &lost),
                         3);
        printf("%s the board: %llu bytes, %llu damaged, %llu lost\n", i ? "from" : "to", passed,
               damaged, lost);
        spoilt[i] = damaged + lost;
    }
    fclose(report);
    unlink(b->report);
    assert_int_equal(rmdir(b->directory), 0);
}

/* --- a tile on the board and its verilated twin ----------------------------------------------- */

struct twins {
    const struct tile_kind *kind;
    struct tile *serial, *verilated;
    void *in, *out; /* of the caller; `out` is what both have */
    void *serial_out;
    uint64_t steps;
};

static void compare(const struct twins *t)
{
    for (uint32_t i = 0; i < t->kind->n_out; i++) {
        const struct tile_port *port = &t->kind->out_ports[i];
        if (tile_output_has_value(t->kind, port, t->out) &&
            memcmp((char *)t->out + port->offset, (char *)t->serial_out + port->offset,
                   port->bytes))
            fail_msg("%s: port %s differs after %llu steps", t->kind->name, port->name,
                     (unsigned long long)t->steps);
    }
}

static void twins_reset(struct twins *t)
{
    memset(t->in, 0, t->kind->in_bytes);
    tile_reset(t->serial, t->serial_out);
    tile_reset(t->verilated, t->out);
    compare(t);
}

static void twins_create(struct twins *t, const struct tile_kind *kind,
                         const struct tile_place *place, void *in, void *out)
{
    struct error err = {0};
    *t = (struct twins){.kind = kind, .in = in, .out = out};
    t->serial_out = test_calloc(1, kind->out_bytes);
    t->serial = tile_create_serial(kind, place, "serial", &err);
    if (!t->serial)
        fail_msg("%s", err.text);
    t->verilated = tile_create(kind, TILE_VERILATOR, "verilated", &err);
    assert_non_null(t->verilated);
    twins_reset(t);
}

static void twins_destroy(struct twins *t)
{
    tile_destroy(t->serial);
    tile_destroy(t->verilated);
    test_free(t->serial_out);
}

static void twins_step(struct twins *t)
{
    struct error err = {0};
    if (!tile_step(t->serial, t->in, t->serial_out, &err) ||
        !tile_step(t->verilated, t->in, t->out, &err))
        fail_msg("%s", err.text);
    t->steps++;
    compare(t);
}

/* --- memory front end ---------------------------------------------------------------------------
 */

struct memory {
    struct rng rng;
    struct twins twins;
    struct mem_frontend_in in;
    struct mem_frontend_out out;
    struct {
        uint32_t line;
        uint8_t tag;
    } pending[128]; /* in the memory channel; tags have 7 bits */
    uint32_t n_pending, left, replies;
};

/* Memory answers the requests for one line in their order. */
static uint8_t take_tag(struct memory *m)
{
    uint32_t i = rng_below(&m->rng, m->n_pending), first = 0;
    while (m->pending[first].line != m->pending[i].line)
        first++;
    uint8_t tag = m->pending[first].tag;
    m->n_pending--;
    memmove(&m->pending[first], &m->pending[first + 1],
            (m->n_pending - first) * sizeof *m->pending);
    return tag;
}

static void memory_request(struct memory *m)
{
    struct rng *rng = &m->rng;
    m->in.req_valid = rng_chance(rng, 1, 2);
    m->in.req_line = EVG_FE_REGION_BASE + rng_below(rng, LINES);
    m->in.req_mask = 1 + rng_below(rng, 3);
    m->in.req_trigger = (uint8_t)(rng_chance(rng, 1, 2) ? rng_below(rng, 3) : FE_TRIGGER_NONE);
    m->in.req_action = (uint8_t)rng_below(rng, 3);
    m->in.req_source = (uint8_t)rng_below(rng, 2);
    m->in.req_write = (uint8_t)rng_below(rng, 2);
    m->in.req_id++;
}

static void memory_inputs(struct memory *m)
{
    struct rng *rng = &m->rng;
    struct mem_frontend_in *in = &m->in;
    memory_request(m); /* one that was not taken is withdrawn */
    in->dram_ready = (uint8_t)rng_below(rng, 2);
    in->rsp_ready = (uint8_t)rng_below(rng, 2);
    in->answer_valid = m->n_pending && rng_chance(rng, 1, 2);
    if (in->answer_valid)
        in->answer_tag = take_tag(m);
    if (m->out.dram_valid && in->dram_ready) {
        assert_true(m->n_pending < sizeof m->pending / sizeof *m->pending);
        m->pending[m->n_pending].line = m->out.dram_line;
        m->pending[m->n_pending++].tag = m->out.dram_tag;
        m->left++;
    }
    m->replies += m->out.rsp_valid && in->rsp_ready;
    in->reg_valid = rng_chance(rng, 1, 8);
    in->reg_write = (uint8_t)rng_below(rng, 2);
    in->reg_addr = (uint8_t)rng_below(rng, 16);
    in->reg_data = rng_below(rng, 16);
    in->mc_valid = (uint8_t)rng_below(rng, 2);
    in->mc_ready = (uint8_t)rng_below(rng, 2);
    in->net_valid = (uint8_t)rng_below(rng, 2);
    in->net_ready = (uint8_t)rng_below(rng, 2);
    in->stall_read = rng_chance(rng, 1, 20);
}

static void run_memory(const struct tile_place *place, uint64_t seed)
{
    struct memory m = {.left = 0};
    rng_seed(&m.rng, seed);
    twins_create(&m.twins, &mem_frontend_kind, place, &m.in, &m.out);
    for (int i = 0; i < START_UP; i++)
        twins_step(&m.twins);
    for (int i = 0; i < STEPS; i++) {
        memory_inputs(&m);
        twins_step(&m.twins);
    }
    printf("%u requests left, %u replies\n", m.left, m.replies);
    assert_true(m.left >= 50 && m.replies >= 50);
    twins_destroy(&m.twins);
}

/* --- concurrency units, wired as in a machine ----------------------------------------------------
 */

struct concurrency {
    struct rng rng;
    struct twins unit, core;
    struct concurrency_unit_in unit_in;
    struct concurrency_unit_out unit_out;
    struct sm_concurrency_unit_in core_in;
    struct sm_concurrency_unit_out core_out;
    uint32_t ticks, limits;
};

static void concurrency_step(struct concurrency *c)
{
    struct rng *rng = &c->rng;
    struct sm_concurrency_unit_in *in = &c->core_in;
    const struct concurrency_unit_out *out = &c->unit_out;
    uint8_t limit = c->core_out.limit;
    in->cm_tick = out->cm_tick;
    in->cm_decision = out->cm_decision;
    in->cm_set = out->cm_set;
    in->cm_mode = out->cm_mode;
    in->cm_k = out->cm_k;
    in->cm_patience = out->cm_patience;
    in->cm_pivot = out->cm_pivot;
    in->core_active = rng_chance(rng, 3, 4);
    in->sched_ready = (uint8_t)rng_below(rng, 4);
    in->sched_full = (uint8_t)rng_below(rng, 4);
    in->kernel_begin = rng_chance(rng, 1, 64);
    in->kernel_end = rng_chance(rng, 1, 64);
    in->reg_valid = rng_chance(rng, 1, 4);
    in->reg_write = (uint8_t)rng_below(rng, 2);
    in->reg_addr = (uint8_t)rng_below(rng, 16);
    in->reg_data = (uint16_t)(rng_u64(rng) >> rng_below(rng, 16));
    c->unit_in.mon_valid = out->mon_read && rng_chance(rng, 1, 2);
    c->unit_in.mon_mc = (uint16_t)rng_below(rng, INTERVAL);
    c->unit_in.mon_net = (uint16_t)rng_below(rng, INTERVAL);
    twins_step(&c->unit);
    twins_step(&c->core);
    c->unit_in.reg_valid = 0;
    c->ticks += c->unit_out.cm_tick;
    c->limits += c->core_out.limit != limit;
}

static void concurrency_write(struct concurrency *c, enum cm_reg reg, uint16_t value)
{
    c->unit_in.reg_valid = c->unit_in.reg_write = 1;
    c->unit_in.reg_addr = (uint8_t)reg;
    c->unit_in.reg_data = value;
    concurrency_step(c);
    assert_true(c->unit_out.reg_done && !c->unit_out.reg_error);
}

static void run_concurrency(const struct tile_place *place, uint64_t seed)
{
    static const enum cm_mode modes[] = {CM_MODE_BAL, CM_MODE_CPU};
    struct concurrency c = {.ticks = 0};
    rng_seed(&c.rng, seed);
    twins_create(&c.unit, &concurrency_unit_kind, place, &c.unit_in, &c.unit_out);
    twins_create(&c.core, &sm_concurrency_unit_kind, place, &c.core_in, &c.core_out);
    for (int i = 0; i < 2; i++) {
        concurrency_write(&c, CM_REG_PARTITIONS, 2);
        concurrency_write(&c, CM_REG_INTERVAL, INTERVAL);
        concurrency_write(&c, CM_REG_T_HIGH, INTERVAL);
        concurrency_write(&c, CM_REG_T_LOW, INTERVAL / 2);
        concurrency_write(&c, CM_REG_MODE, modes[i]);
        for (int step = 0; step < STEPS / 2; step++) {
            if (rng_chance(&c.rng, 1, 8)) {
                c.unit_in.reg_valid = 1;
                c.unit_in.reg_write = 0;
                c.unit_in.reg_addr = (uint8_t)rng_below(&c.rng, 16);
            }
            concurrency_step(&c);
        }
        twins_reset(&c.unit);
        twins_reset(&c.core);
    }
    printf("%u decisions, %u changes of the limit\n", c.ticks, c.limits);
    assert_true(c.ticks >= 4 && c.limits >= 2);
    twins_destroy(&c.unit);
    twins_destroy(&c.core);
}

/* --- tests --------------------------------------------------------------------------------------
 */

static void run_all(bool ahead, const char *damage, const char *loss, const char *seed,
                    unsigned long long spoilt[2])
{
    struct board board;
    struct error err = {0};
    board_start(&board, damage, loss, seed);
    struct tile_place place = {.board = serial_link_open(board.link, &err), .ahead = ahead};
    if (!place.board)
        fail_msg("%s", err.text);
    run_memory(&place, 1);
    run_concurrency(&place, 2);
    if (!serial_link_settle(place.board, &err))
        fail_msg("%s", err.text);
    serial_link_close(place.board);
    board_stop(&board, spoilt);
}

static void test_clean_line(void **state)
{
    (void)state;
    unsigned long long spoilt[2];
    run_all(false, "0", "0", "0", spoilt);
    assert_true(!spoilt[0] && !spoilt[1]);
}

static void test_batches(void **state)
{
    (void)state;
    unsigned long long spoilt[2];
    run_all(true, "0", "0", "0", spoilt);
    assert_true(!spoilt[0] && !spoilt[1]);
}

static void test_damage_and_loss(void **state)
{
    (void)state;
    unsigned long long spoilt[2];
    run_all(true, "1000", "500", "1", spoilt);
    assert_true(spoilt[0] && spoilt[1]);
}

/* --- requests byte by byte
 * ------------------------------------------------------------------------ */

enum { MEMORY = 0, UNIT = 1, CORE = 2 }; /* tiles of evgpu-board-memory */

struct raw {
    int port;
    uint8_t number;
    struct frame_decoder reply;
};

/* The reply's bytes behind its number; the request's number is the next one. */
static void ask(struct raw *r, const uint8_t *bytes, size_t n)
{
    uint8_t message[FRAME_MAX_MESSAGE] = {++r->number}, wire[FRAME_MAX_WIRE], byte;
    memcpy(message + 1, bytes, n);
    size_t count = frame_encode(message, n + 1, wire), got = 0;
    struct error err = {0};
    assert_true(serial_port_write(r->port, wire, count, &err));
    do {
        for (got = 0; !got;)
            assert_true(serial_port_read(r->port, &byte, 1, 1000, &got, &err));
    } while (frame_decode(&r->reply, byte) != FRAME_GOOD);
    assert_int_equal(r->reply.message[0], r->number);
}

#define ASK(r, ...) ask(r, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
#define EXPECT(r, ...)                                                                             \
    do {                                                                                           \
        static const uint8_t due[] = {__VA_ARGS__};                                                \
        assert_int_equal((r)->reply.count, 1 + sizeof due);                                        \
        assert_memory_equal((r)->reply.message + 1, due, sizeof due);                              \
    } while (0)

/* Where the bytes of an input begin on the line. */
static uint8_t place_of(const struct tile_kind *kind, const char *name)
{
    uint32_t at = 0;
    for (uint32_t i = 0; strcmp(kind->in_ports[i].name, name); i++)
        at += (kind->in_ports[i].width + 7) / 8;
    return (uint8_t)at;
}

/* More changes than a reply holds: concurrency management decides by itself, again and again. */
static void decide_too_often(struct raw *r)
{
    static const uint8_t settings[][2] = {{CM_REG_PARTITIONS, 1},
                                          {CM_REG_INTERVAL, INTERVAL},
                                          {CM_REG_T_HIGH, INTERVAL},
                                          {CM_REG_T_LOW, INTERVAL / 2},
                                          {CM_REG_MODE, CM_MODE_BAL}};
    const struct tile_kind *kind = &concurrency_unit_kind;
    uint8_t valid = place_of(kind, "reg_valid"), write = place_of(kind, "reg_write"),
            addr = place_of(kind, "reg_addr"), data = place_of(kind, "reg_data"),
            answer = place_of(kind, "mon_valid");
    ASK(r, LINK_OP_RESET, UNIT);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        ASK(r, LINK_OP_STEP, UNIT, 1, 4, valid, 1, write, 1, addr, settings[i][0], data,
            settings[i][1]);
        assert_int_equal(r->reply.message[1], LINK_STATUS_OK);
    }
    ASK(r, LINK_OP_STEP, UNIT, 255, 2, valid, 0, answer, 1, UNIT, 255, 0);
    assert_int_equal(r->reply.message[1], LINK_STATUS_OK);
    printf("%zu bytes of changes\n", r->reply.count - 2);
    assert_true(r->reply.count > 60);
    uint8_t many[1 + 3 * 30] = {LINK_OP_STEP};
    for (size_t n = 1; n < sizeof many; n += 3)
        memcpy(many + n, (const uint8_t[]){UNIT, 255, 0}, 3);
    ask(r, many, sizeof many);
    EXPECT(r, LINK_STATUS_REFUSED);
}

static void test_requests(void **state)
{
    (void)state;
    struct board board;
    struct error err = {0};
    unsigned long long spoilt[2];
    board_start(&board, "0", "0", "0");
    struct raw r = {.port = serial_port_open(board.link, SERIAL_BAUD, &err)};
    assert_true(r.port >= 0);
    ASK(&r, LINK_OP_RESET, CORE);
    assert_int_equal(r.reply.message[1], LINK_STATUS_OK);
    /* Nothing changes in 255 edges of one record, and in 44 and 1 of three more. */
    ASK(&r, LINK_OP_STEP, CORE, 255, 0, CORE, 44, 0, CORE, 0, 0, CORE, 1, 0);
    EXPECT(&r, LINK_STATUS_OK, EVG_LINK_MARK, 255);
    /* The same number again: the same reply, and no edges. */
    r.number--;
    ASK(&r, LINK_OP_STEP, CORE, 255, 0);
    EXPECT(&r, LINK_STATUS_OK, EVG_LINK_MARK, 255);
    /* No whole record: tile missing, half a pair, half a head, another tile's, nothing */
    ASK(&r, LINK_OP_STEP, 3, 1, 0);
    EXPECT(&r, LINK_STATUS_REFUSED);
    ASK(&r, LINK_OP_STEP, CORE, 1, 1, 7);
    EXPECT(&r, LINK_STATUS_REFUSED);
    ASK(&r, LINK_OP_STEP, CORE, 1);
    EXPECT(&r, LINK_STATUS_REFUSED);
    ASK(&r, LINK_OP_STEP, UNIT, 0, 0, 255, 1, 0);
    EXPECT(&r, LINK_STATUS_REFUSED);
    ASK(&r, LINK_OP_INFO, 3);
    EXPECT(&r, LINK_STATUS_REFUSED);
    ASK(&r, 7, CORE);
    EXPECT(&r, LINK_STATUS_REFUSED);
    decide_too_often(&r);
    ASK(&r, LINK_OP_STEP, CORE, 1, 0);
    EXPECT(&r, LINK_STATUS_OK);
    serial_port_close(r.port);
    board_stop(&board, spoilt);
}

/* The board lies three directories above: BUILD/tests/tb/PROGRAM. */
int main(int argc, char **argv)
{
    (void)argc;
    snprintf(board_path, sizeof board_path, "%.*s/../../evgpu-board-memory",
             (int)(strrchr(argv[0], '/') ? strrchr(argv[0], '/') - argv[0] : 0), argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_line), cmocka_unit_test(test_batches),
        cmocka_unit_test(test_damage_and_loss), cmocka_unit_test(test_requests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
