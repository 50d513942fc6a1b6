/* The tile interface itself: back ends, the lockstep comparison and waveforms. The lockstep cases
 * use a made-up tile whose two sides can be told to differ. */
#include <unistd.h>

#include "evgpu_defs.h"
#include "gpu_frontend.h"
#include "tb/tile.h"
#include "tests/unit.h"

/* --- a made-up tile: counts steps; wide shows the count in its top word ----------------------- */

struct toy_in {
    uint8_t
        differ; /* 3 bits: 1 = the model shows another count, 2 = another top word, 4 = padding */
    uint8_t enable; /* 1 bit */
};

struct toy_out {
    uint8_t count;
    uint8_t pad_[3];
    uint32_t wide[3]; /* 70 bits */
};

struct toy {
    uint8_t count;
    bool is_model;
};

static void *toy_create(bool is_model)
{
    struct toy *toy = calloc(1, sizeof *toy);
    toy->is_model = is_model;
    return toy;
}

static void *toy_rtl_create(const char *instance)
{
    assert_string_equal(instance, "toy7");
    return toy_create(false);
}

static void *toy_model_create(void)
{
    return toy_create(true);
}

static void toy_reset(void *self, void *out)
{
    struct toy *toy = self;
    toy->count = 0;
    memset(out, 0, sizeof(struct toy_out));
}

/* Shows how long it was, if the inputs were not idle. */
static void toy_rtl_reset(void *self, const void *in_, uint32_t edges, void *out_)
{
    const struct toy_in *in = in_;
    struct toy_out *out = out_;
    toy_reset(self, out);
    out->count = in->enable ? (uint8_t)edges : 0;
}

static void toy_step(void *self, const void *in_, void *out_)
{
    struct toy *toy = self;
    const struct toy_in *in = in_;
    struct toy_out *out = out_;
    toy->count = (uint8_t)(toy->count + in->enable);
    out->count = toy->count;
    out->wide[2] = 0x15;
    if (!toy->is_model)
        return;
    out->count ^= in->differ & 1 ? 0x40 : 0;
    out->wide[2] ^= in->differ & 2 ? 0x20 : 0;
    out->pad_[1] = in->differ & 4 ? 9 : 0;
}

static const struct tile_port toy_in_ports[] = {
    {"differ", 3, offsetof(struct toy_in, differ), 1, NULL, {0}},
    {"enable", 1, offsetof(struct toy_in, enable), 1, NULL, {0}}};
static const struct tile_port toy_out_ports[] = {
    {"count", 8, offsetof(struct toy_out, count), 1, NULL, {0}},
    {"wide", 70, offsetof(struct toy_out, wide), 12, NULL, {0}}};
static const struct tile_kind toy_kind = {.name = "toy",
                                          .in_bytes = sizeof(struct toy_in),
                                          .out_bytes = sizeof(struct toy_out),
                                          .in_ports = toy_in_ports,
                                          .out_ports = toy_out_ports,
                                          .n_in = 2,
                                          .n_out = 2,
                                          .rtl_create = toy_rtl_create,
                                          .rtl_step = toy_step,
                                          .rtl_reset = toy_rtl_reset,
                                          .rtl_destroy = free,
                                          .model_create = toy_model_create,
                                          .model_step = toy_step,
                                          .model_reset = toy_reset,
                                          .model_destroy = free};

static void test_lockstep_names_the_difference(void **state)
{
    (void)state;
    static const struct {
        struct toy_in in;
        const char *text; /* NULL: no error */
    } cases[] = {
        {{.enable = 1}, NULL},
        {{.differ = 4}, NULL},
        {{.differ = 1}, "lockstep: cycle 6, tile toy toy7, port count: verilator 0x05, model 0x45"},
        {{.differ = 3}, "lockstep: cycle 6, tile toy toy7, port count: verilator 0x05, model 0x45"},
        {{.differ = 2},
         "lockstep: cycle 6, tile toy toy7, port wide: verilator 0x150000000000000000, "
         "model 0x350000000000000000"},
        {{.differ = 8},
         "lockstep: cycle 5, tile toy toy7, input differ has bits above its width of 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = {0};
        struct tile *tile = tile_create(&toy_kind, TILE_LOCKSTEP, "toy7", &err);
        struct toy_out out = {0};
        tile_reset(tile, &out);
        for (int cycle = 0; cycle < 5; cycle++)
            assert_true(tile_step(tile, &(struct toy_in){.enable = 1}, &out, &err));
        assert_int_equal(tile_step(tile, &cases[i].in, &out, &err), !cases[i].text);
        if (cases[i].text)
            assert_string_equal(err.text, cases[i].text);
        tile_destroy(tile);
    }
}

/* An output that has a value at times only is compared while it has one. */
static void test_outputs_without_a_value(void **state)
{
    (void)state;
    struct tile_port ports[] = {toy_out_ports[0], toy_out_ports[1]};
    struct tile_kind kind = toy_kind;
    kind.out_ports = ports;
    for (uint32_t when = 0; when < 2; when++)
        for (uint8_t valid = 0; valid < 2; valid++) {
            struct toy_out a = {.count = valid, .wide[0] = 1}, b = {.count = valid, .wide[0] = 2};
            ports[1].when[0] = when;
            assert_int_equal(tile_same_outputs(&kind, &a, &b), when && !valid);
            b.wide[0] = 1;
            assert_true(tile_same_outputs(&kind, &a, &b));
            b.count ^= 1;
            assert_false(tile_same_outputs(&kind, &a, &b));
        }
}

/* ... or one of two. */
static void test_outputs_with_a_value_in_two_cases(void **state)
{
    (void)state;
    struct pair {
        uint8_t first, second, value;
    };
    static const struct tile_port ports[] = {
        {"first", 1, offsetof(struct pair, first), 1, NULL, {0}},
        {"second", 1, offsetof(struct pair, second), 1, NULL, {0}},
        {"value", 8, offsetof(struct pair, value), 1, NULL, {1, 2}}};
    const struct tile_kind kind = {
        .out_bytes = sizeof(struct pair), .out_ports = ports, .n_out = 3};
    for (uint8_t valid = 0; valid < 4; valid++) {
        const struct pair a = {valid & 1, valid >> 1, 5}, b = {valid & 1, valid >> 1, 6};
        assert_int_equal(tile_same_outputs(&kind, &a, &b), !valid);
    }
}

static void test_reset_among_inputs(void **state)
{
    (void)state;
    struct error err = {0};
    struct tile *tile = tile_create(&toy_kind, TILE_VERILATOR, "toy7", &err);
    struct toy_out out = {.count = 7};
    tile_reset(tile, &out);
    assert_int_equal(out.count, 0);
    tile_reset_among(tile, &(struct toy_in){.enable = 1}, 3, &out);
    assert_int_equal(out.count, 3);
    tile_destroy(tile);
    /* In lockstep the outputs after a reset are compared, too: the model shows 0. */
    tile = tile_create(&toy_kind, TILE_LOCKSTEP, "toy7", &err);
    tile_reset_among(tile, &(struct toy_in){.enable = 1}, 3, &out);
    assert_false(tile_step(tile, &(struct toy_in){0}, &out, &err));
    assert_string_equal(err.text, "lockstep: after reset, tile toy toy7, port count differs");
    tile_reset(tile, &out);
    assert_true(tile_step(tile, &(struct toy_in){0}, &out, &err));
    tile_destroy(tile);
}

static void test_back_ends_choose_their_side(void **state)
{
    (void)state;
    struct error err = {0};
    for (int backend = TILE_VERILATOR; backend <= TILE_MODEL; backend++) {
        struct tile *tile = tile_create(&toy_kind, (enum tile_backend)backend, "toy7", &err);
        struct toy_out out = {0};
        tile_reset(tile, &out);
        assert_true(tile_step(tile, &(struct toy_in){.differ = 1}, &out, &err));
        assert_int_equal(out.count, backend == TILE_MODEL ? 0x40 : 0);
        tile_destroy(tile);
    }
    assert_null(tile_create(&toy_kind, (enum tile_backend)7, "toy7", &err));
    assert_non_null(strstr(err.text, "unknown back end 7"));
}

/* --- waveforms -------------------------------------------------------------------------------- */

enum { TRACED = 17 };

struct traced {
    struct tile *tiles[TRACED];
    struct gpu_frontend_out out[TRACED];
    struct tile_trace *trace;
    char path[64];
};

static void traced_create(struct traced *t, const char *name)
{
    struct error err = {0};
    snprintf(t->path, sizeof t->path, P_tmpdir "/evgpu-test-%ld-%s.fst", (long)getpid(), name);
    t->trace = tile_trace_create(TILE_TRACE_GHZ);
    for (int i = 0; i < TRACED; i++) {
        char instance[16];
        snprintf(instance, sizeof instance, "copy%d", i);
        t->tiles[i] = tile_create(&gpu_frontend_kind, TILE_VERILATOR, instance, &err);
        tile_reset(t->tiles[i], &t->out[i]);
        assert_true(tile_trace_add(t->trace, t->tiles[i], &err));
    }
}

/* Copy i gets a write at cycle 100 + i; every write is to a doorbell that nobody registered. */
static void traced_run(struct traced *t, uint64_t from, uint64_t to)
{
    struct error err = {0};
    for (uint64_t cycle = from; cycle < to; cycle++) {
        for (int i = 0; i < TRACED; i++) {
            struct gpu_frontend_in in = {.wr_valid = cycle == 100 + (uint64_t)i, .wr_size = 4};
            assert_true(tile_step(t->tiles[i], &in, &t->out[i], &err));
        }
        tile_trace_dump(t->trace, cycle);
    }
}

static void traced_destroy(struct traced *t)
{
    tile_trace_destroy(t->trace);
    for (int i = 0; i < TRACED; i++)
        tile_destroy(t->tiles[i]);
    unlink(t->path);
}

struct vcd {
    int copies;      /* scopes named copyN */
    int clock_edges; /* value changes of copy3's clock */
    long error_time; /* at which copy3's count of unregistered writes changed to 1 */
    long last_time;
};

/* The error counter of copy 3 in the waveform, as a viewer would find it. */
static struct vcd read_vcd(const char *path)
{
    char command[160], line[256], counter[16] = "?", clock[16] = "?";
    snprintf(command, sizeof command, "fst2vcd %s 2>/dev/null", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    struct vcd vcd = {.error_time = -1, .last_time = -1};
    int copy = -1;
    long now = 0;
    while (fgets(line, sizeof line, pipe)) {
        char name[64], id[16];
        int number;
        if (sscanf(line, "$scope module copy%d", &number) == 1) {
            copy = number;
            vcd.copies++;
        } else if (sscanf(line, "$var %*s %*d %15s %63s", id, name) == 2 && copy == 3) {
            if (!strcmp(name, "err_unregistered_o"))
                strcpy(counter, id);
            if (!strcmp(name, "clk_i"))
                strcpy(clock, id);
        } else if (line[0] == '#') {
            now = atol(line + 1);
            vcd.last_time = now;
        } else if (line[0] == 'b' && sscanf(line, "b%63s %15s", name, id) == 2) {
            if (!strcmp(id, counter) && name[strlen(name) - 1] == '1')
                vcd.error_time = now;
        } else if ((line[0] == '0' || line[0] == '1') && sscanf(line + 1, "%15s", id) == 1) {
            vcd.clock_edges += !strcmp(id, clock);
        }
    }
    pclose(pipe);
    return vcd;
}

static void test_waveform_of_many_tiles(void **state)
{
    (void)state;
    struct traced t = {0};
    struct error err = {0};
    traced_create(&t, "close");
    assert_true(tile_trace_open(t.trace, t.path, &err));
    traced_run(&t, 50, 150);
    assert_true(tile_trace_close(t.trace, &err));
    struct vcd vcd = read_vcd(t.path);
    assert_int_equal(vcd.copies, TRACED);
    assert_int_equal(vcd.error_time, 104000); /* 1000 units per cycle */
    assert_int_equal(vcd.last_time, 149500);
    assert_in_range(vcd.clock_edges, 199, 201);
    assert_true(tile_trace_close(t.trace, &err)); /* a second time does nothing */
    traced_destroy(&t);
}

/* Tracing changes nothing: the same outputs with and without. */
static void test_waveform_leaves_the_tile_alone(void **state)
{
    (void)state;
    struct traced t = {0};
    struct error err = {0};
    traced_create(&t, "same");
    struct tile *plain = tile_create(&gpu_frontend_kind, TILE_VERILATOR, "plain", &err);
    struct gpu_frontend_out out = {0};
    tile_reset(plain, &out);
    assert_true(tile_trace_open(t.trace, t.path, &err));
    for (uint64_t cycle = 0; cycle < 200; cycle++) {
        struct gpu_frontend_in in = {.wr_valid = cycle % 3 == 0,
                                     .wr_addr = (uint32_t)cycle * 64,
                                     .wr_size = 4,
                                     .cmd_valid = 1,
                                     .cmd_op = FRONTEND_CMD_REGISTER,
                                     .cmd_kernel = 1,
                                     .cmd_size = 16,
                                     .cmd_dims = {1, 1, 1, 1, 1, 1}};
        assert_true(tile_step(t.tiles[0], &in, &t.out[0], &err));
        assert_true(tile_step(plain, &in, &out, &err));
        assert_memory_equal(&out, &t.out[0], sizeof out);
        tile_trace_dump(t.trace, cycle);
    }
    tile_destroy(plain);
    traced_destroy(&t);
}

static bool without_waveforms(void *rtl, void *trace_file)
{
    (void)rtl;
    (void)trace_file;
    return false;
}

static void test_waveform_errors(void **state)
{
    (void)state;
    struct error err = {0};
    struct gpu_frontend_out out = {0};
    struct tile_trace *trace = tile_trace_create(TILE_TRACE_GHZ);
    assert_false(tile_trace_open(trace, "never-written.fst", &err));
    assert_non_null(strstr(err.text, "no tile writes the waveform file"));
    struct tile *model = tile_create(&gpu_frontend_kind, TILE_MODEL, "m", &err);
    err = (struct error){0};
    assert_false(tile_trace_add(trace, model, &err));
    assert_non_null(strstr(err.text, "the C model has no waveforms"));
    struct tile_kind bare_kind = gpu_frontend_kind;
    bare_kind.rtl_trace = without_waveforms;
    struct tile *bare = tile_create(&bare_kind, TILE_VERILATOR, "b", &err);
    err = (struct error){0};
    assert_false(tile_trace_add(trace, bare, &err));
    assert_string_equal(err.text, "tile gpu_frontend b: verilated without waveforms");
    struct tile *rtl = tile_create(&gpu_frontend_kind, TILE_LOCKSTEP, "r", &err);
    tile_reset(rtl, &out);
    err = (struct error){0};
    assert_true(tile_trace_add(trace, rtl, &err));
    assert_false(tile_trace_open(trace, "/nonexistent/w.fst", &err));
    assert_string_equal(err.text,
                        "/nonexistent/w.fst: cannot be written: No such file or directory");
    assert_true(tile_trace_close(trace, &err)); /* never opened */
    tile_trace_destroy(trace);
    tile_trace_destroy(NULL);
    tile_destroy(model);
    tile_destroy(bare);
    tile_destroy(rtl);
    tile_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lockstep_names_the_difference),
        cmocka_unit_test(test_outputs_without_a_value),
        cmocka_unit_test(test_outputs_with_a_value_in_two_cases),
        cmocka_unit_test(test_reset_among_inputs),
        cmocka_unit_test(test_back_ends_choose_their_side),
        cmocka_unit_test(test_waveform_of_many_tiles),
        cmocka_unit_test(test_waveform_leaves_the_tile_alone),
        cmocka_unit_test(test_waveform_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
