/* Steps in batches: what a board is asked and owes, read back by a second reader; and a link to a
 * board of C, which answers from a golden model, truly or not. */
#include "tb/serial_batch.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/rng.h"
#include "evgpu_defs.h"
#include "sm_concurrency_unit.h"
#include "tb/serial.h"
#include "tb/tile.h"
#include "tests/unit.h"

enum { TILES = 3, BYTES = 40, MOST = 4096, CHANGES = 8 };

/* --- one step and what is read back -------------------------------------------------------------
 */

struct step {
    uint8_t tile;
    size_t n_in, n_out;
    uint8_t in[2 * CHANGES], out[2 * CHANGES];
};

static size_t draw_pairs(struct rng *rng, uint8_t *pairs)
{
    size_t n = rng_chance(rng, 1, 3) ? 1 + rng_below(rng, CHANGES - 1) : 0;
    for (size_t i = 0; i < n; i++) {
        pairs[2 * i] = (uint8_t)(i * BYTES / CHANGES);
        pairs[2 * i + 1] = (uint8_t)rng_below(rng, 256);
    }
    return n;
}

static void draw_step(struct rng *rng, struct step *s, bool calm)
{
    memset(s, 0, sizeof *s);
    s->tile = calm && !rng_chance(rng, 1, 500) ? 1 : (uint8_t)rng_below(rng, TILES);
    s->n_in = calm && !rng_chance(rng, 1, 500) ? 0 : draw_pairs(rng, s->in);
    s->n_out = calm && !rng_chance(rng, 1, 300) ? 0 : draw_pairs(rng, s->out);
}

static bool add(struct serial_batch *batch, const struct step *s, uint64_t step)
{
    return serial_batch_add(batch, s->tile, step, (struct byte_pairs){s->in, s->n_in},
                            (struct byte_pairs){s->out, s->n_out});
}

/* The steps of a request with its reply; their number. */
static uint32_t read_back(const struct serial_batch *b, struct step *steps)
{
    uint32_t n = 0;
    for (size_t at = 2; at < b->count;) {
        const uint8_t *record = b->message + at;
        for (uint32_t edge = 0; edge < record[1]; edge++, n++) {
            memset(&steps[n], 0, sizeof *steps);
            steps[n].tile = record[0];
            steps[n].n_in = edge ? 0 : record[2];
            memcpy(steps[n].in, record + 3, 2 * steps[n].n_in);
        }
        assert_true(record[1]);
        at += 3 + 2 * (size_t)record[2];
        assert_true(at <= b->count);
    }
    uint32_t edge = 0;
    for (size_t at = 2; at < b->reply_count; at += 2) {
        if (b->reply[at] == 255) {
            edge += b->reply[at + 1];
            assert_true(edge <= n);
            continue;
        }
        struct step *s = &steps[edge - 1];
        memcpy(s->out + 2 * s->n_out++, b->reply + at, 2);
    }
    return n;
}

static void check_batches(bool calm, uint64_t seed)
{
    static struct step due[MOST], got[MOST];
    struct serial_batch batch;
    struct rng rng;
    rng_seed(&rng, seed);
    uint32_t batches = 0, longest = 0;
    for (uint32_t first = 0, n = 0; n < MOST; batches++, first = n) {
        size_t room = rng_below(&rng, 2 * FRAME_MAX_MESSAGE);
        serial_batch_begin(&batch, room);
        do
            draw_step(&rng, &due[n], calm);
        while (add(&batch, &due[n], n) && ++n < MOST);
        assert_int_equal(read_back(&batch, got), n - first);
        assert_memory_equal(got, due + first, (n - first) * sizeof *got);
        assert_true(n > first && batch.count <= 509 && batch.reply_count <= 505);
        if (n - first > 1)
            assert_true(batch.count <= room || batch.edges == 1);
        longest = n - first > longest ? n - first : longest;
    }
    printf("%u batches, the longest of %u steps\n", batches, longest);
    assert_true(batches > 2 && longest <= BATCH_EDGES && (!calm || longest > 600));
}

static void test_batches(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        check_batches(seed % 2, seed);
}

/* Another value, a change too many and one too few are found where they are. */
static void test_differences(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 3);
    uint32_t kinds[3] = {0};
    for (int round = 0; round < 2000; round++) {
        struct serial_batch due, other;
        struct serial_difference d;
        struct step s;
        uint64_t steps[TILES] = {0};
        uint32_t n = 1 + rng_below(&rng, 60), at = rng_below(&rng, n), kind = rng_below(&rng, 3);
        serial_batch_begin(&due, FRAME_MAX_MESSAGE);
        serial_batch_begin(&other, FRAME_MAX_MESSAGE);
        struct serial_difference planted = {.board = -2};
        for (uint32_t i = 0; i < n; i++) {
            draw_step(&rng, &s, round % 2);
            uint64_t step = ++steps[s.tile];
            if (!add(&due, &s, step))
                break;
            if (i == at && (kind == 2 ? s.n_out < CHANGES : s.n_out)) {
                size_t last = 2 * (s.n_out - (kind != 2));
                int value = s.out[last + 1];
                if (kind == 2) {
                    s.out[2 * s.n_out++] = BYTES;
                    value = -1;
                }
                s.out[last + 1] ^= 0x10;
                planted = (struct serial_difference){.tile = s.tile, .step = step, .due = value};
                planted.byte = s.out[last];
                planted.board = s.out[last + 1];
                if (kind == 1) {
                    s.n_out--;
                    planted.board = -1;
                }
                kinds[kind]++;
            }
            if (!add(&other, &s, step)) { /* no room for what was planted */
                planted.board = -3;
                break;
            }
        }
        if (planted.board == -3)
            continue;
        bool differs = serial_batch_differs(&due, other.reply, other.reply_count, &d);
        assert_int_equal(differs, planted.board != -2);
        if (!differs)
            continue;
        assert_int_equal(d.step, planted.step);
        assert_int_equal(d.tile, planted.tile);
        assert_int_equal(d.byte, planted.byte);
        assert_int_equal(d.board, planted.board);
        assert_int_equal(d.due, planted.due);
    }
    printf("%u values, %u missing, %u too many\n", kinds[0], kinds[1], kinds[2]);
    assert_true(kinds[0] > 50 && kinds[1] > 50 && kinds[2] > 50);
}

/* --- a board of C
 * --------------------------------------------------------------------------------- */

struct fake {
    int port;
    uint8_t version;
    uint32_t wrong_edge; /* since the reset; 0: none */
    /* The tile: its golden model, inputs and outputs as on the line */
    void *model;
    struct sm_concurrency_unit_in in;
    uint8_t known[256];
    uint32_t edges;
};

static size_t pack(const struct tile_kind *kind, const void *out, uint8_t *line)
{
    size_t n = 0;
    for (uint32_t i = 0; i < kind->n_out; i++) {
        const struct tile_port *port = &kind->out_ports[i];
        bool valued = tile_output_has_value(kind, port, out);
        for (uint32_t b = 0; b < (port->width + 7) / 8; b++)
            line[n++] = valued ? ((const uint8_t *)out)[port->offset + b] : 0;
    }
    return n;
}

static void write_input(struct fake *f, uint8_t byte, uint8_t value)
{
    const struct tile_kind *kind = &sm_concurrency_unit_kind;
    uint32_t at = byte;
    for (uint32_t i = 0; i < kind->n_in; i++) {
        const struct tile_port *port = &kind->in_ports[i];
        uint32_t bytes = (port->width + 7) / 8;
        if (at < bytes) {
            ((uint8_t *)&f->in)[port->offset + at] = value;
            return;
        }
        at -= bytes;
    }
}

/* What has changed, into the reply; all bytes after a reset. */
static size_t put_outputs(struct fake *f, const void *out, uint8_t *reply, bool all)
{
    uint8_t line[256];
    size_t n = pack(&sm_concurrency_unit_kind, out, line), put = 0;
    if (f->wrong_edge && f->edges == f->wrong_edge)
        line[0] ^= 0x40;
    for (size_t i = 0; i < n; i++) {
        if (!all && line[i] == f->known[i])
            continue;
        reply[put++] = (uint8_t)i;
        reply[put++] = f->known[i] = line[i];
    }
    return put;
}

static size_t obey_step(struct fake *f, const uint8_t *message, size_t count, uint8_t *reply)
{
    struct sm_concurrency_unit_out out;
    size_t n = 2;
    uint8_t since = 0;
    for (size_t at = 2; at < count;) {
        uint8_t edges = message[at + 1], pairs = message[at + 2];
        for (at += 3; pairs; pairs--, at += 2)
            write_input(f, message[at], message[at + 1]);
        for (; edges; edges--) {
            uint8_t changes[256];
            sm_concurrency_unit_kind.model_step(f->model, &f->in, &out);
            f->edges++;
            since++;
            size_t put = put_outputs(f, &out, changes, false);
            if (put || since == 255) {
                reply[n++] = 255;
                reply[n++] = since;
                since = 0;
            }
            memcpy(reply + n, changes, put);
            n += put;
        }
    }
    return n;
}

static size_t obey(struct fake *f, const uint8_t *message, size_t count, uint8_t *reply)
{
    reply[0] = message[0];
    reply[1] = LINK_STATUS_OK;
    if (message[1] == LINK_OP_INFO) {
        reply[2] = f->version;
        reply[3] = 1;
        for (uint32_t i = 0; i < 4; i++)
            reply[4 + i] = (uint8_t)(sm_concurrency_unit_kind.signature >> (8 * i));
        return 8;
    }
    if (message[1] == LINK_OP_STEP)
        return obey_step(f, message, count, reply);
    struct sm_concurrency_unit_out out;
    memset(&f->in, 0, sizeof f->in);
    f->edges = 0;
    sm_concurrency_unit_kind.model_reset(f->model, &out);
    return 2 + put_outputs(f, &out, reply + 2, true);
}

static void serve(struct fake *f)
{
    struct frame_decoder decoder = {0};
    uint8_t byte, reply[FRAME_MAX_MESSAGE], wire[FRAME_MAX_WIRE];
    f->model = sm_concurrency_unit_kind.model_create();
    while (read(f->port, &byte, 1) == 1) {
        if (frame_decode(&decoder, byte) != FRAME_GOOD)
            continue;
        size_t n = frame_encode(reply, obey(f, decoder.message, decoder.count, reply), wire);
        if (write(f->port, wire, n) != (ssize_t)n)
            break;
    }
    _exit(0);
}

struct line {
    int port, keep;
    char path[64];
    pid_t child;
};

static void start(struct line *l, struct fake f)
{
    struct termios mode;
    l->port = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(l->port >= 0 && !grantpt(l->port) && !unlockpt(l->port));
    assert_int_equal(ptsname_r(l->port, l->path, sizeof l->path), 0);
    l->keep = open(l->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(l->keep >= 0 && tcgetattr(l->keep, &mode) == 0);
    cfmakeraw(&mode);
    tcsetattr(l->keep, TCSANOW, &mode);
    l->child = fork();
    assert_true(l->child >= 0);
    if (l->child == 0) {
        close(l->keep);
        f.port = l->port;
        serve(&f);
    }
    close(l->port);
}

static void stop(struct line *l)
{
    close(l->keep);
    waitpid(l->child, NULL, 0);
}

/* A run of `steps` with inputs that stand still for a while; false with an error. */
static bool run(const struct line *l, uint32_t steps, bool ahead, struct error *err)
{
    struct serial_link *link = serial_link_open(l->path, err);
    if (!link)
        return false;
    struct tile_place place = {.board = link, .ahead = ahead};
    struct tile *tile = tile_create_serial(&sm_concurrency_unit_kind, &place, "sm7", err);
    struct tile *model = tile_create(&sm_concurrency_unit_kind, TILE_MODEL, "model", err);
    struct sm_concurrency_unit_in in = {0};
    struct sm_concurrency_unit_out out, due;
    struct rng rng;
    rng_seed(&rng, 5);
    tile_reset(tile, &out);
    tile_reset(model, &due);
    bool ok = true;
    for (uint32_t i = 0; ok && i < steps; i++) {
        if (rng_chance(&rng, 1, 40)) {
            in.core_active = (uint8_t)rng_below(&rng, 2);
            in.sched_ready = (uint8_t)rng_below(&rng, 4);
            in.sched_full = (uint8_t)rng_below(&rng, 4);
            in.reg_valid = rng_chance(&rng, 1, 2);
            in.reg_addr = (uint8_t)rng_below(&rng, 16);
        }
        ok = tile_step(tile, &in, &out, err);
        assert_true(tile_step(model, &in, &due, NULL));
        assert_true(!ok || tile_same_outputs(&sm_concurrency_unit_kind, &out, &due));
    }
    ok = ok && serial_link_settle(link, err);
    tile_destroy(tile);
    tile_destroy(model);
    serial_link_close(link);
    return ok;
}

static void test_link(void **state)
{
    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        struct line l;
        struct error err = {0};
        start(&l, (struct fake){.version = EVG_LINK_PROTOCOL});
        if (!run(&l, 3000, ahead, &err))
            fail_msg("%s", err.text);
        stop(&l);
    }
}

/* A board whose output is wrong at one edge, the last one too. */
static void test_wrong_board(void **state)
{
    (void)state;
    static const uint32_t edges[] = {1, 700, 1500};
    for (int i = 0; i < 3; i++) {
        struct line l;
        struct error err = {0};
        char step[64];
        start(&l, (struct fake){.version = EVG_LINK_PROTOCOL, .wrong_edge = edges[i]});
        assert_false(run(&l, 1500, true, &err));
        stop(&l);
        snprintf(step, sizeof step, "step %u, tile sm_concurrency_unit sm7, port %s: ", edges[i],
                 sm_concurrency_unit_kind.out_ports[0].name);
        if (!strstr(err.text, step))
            fail_msg("'%s' does not have '%s'", err.text, step);
    }
}

static void test_old_board(void **state)
{
    (void)state;
    struct line l;
    struct error err = {0};
    start(&l, (struct fake){.version = 1});
    assert_false(run(&l, 1, true, &err));
    stop(&l);
    assert_non_null(strstr(err.text, "the board uses version 1 of the link, this evgpu version 2"));
}

int main(void)
{
    setenv("EVGPU_BOARD_PATIENCE", "600", 0); /* the board is a process */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches), cmocka_unit_test(test_differences),
        cmocka_unit_test(test_link), cmocka_unit_test(test_wrong_board),
        cmocka_unit_test(test_old_board)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
