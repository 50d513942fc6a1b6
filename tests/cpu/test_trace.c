#include <unistd.h>

#include <lzma.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/rng.h"
#include "sim/cpu/trace/trace.h"
#include "tests/unit.h"

enum { RECORDS = 10007 };

static char folder[] = "/tmp/test_trace.XXXXXX";
static char path_text[128];

static const char *path(const char *name)
{
    snprintf(path_text, sizeof path_text, "%s/%s", folder, name);
    return path_text;
}

static int make_folder_of_test(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* Records in the file's own layout, byte by byte. */
static uint8_t *records(size_t n, struct cpu_instruction *same)
{
    uint8_t *bytes = alloc_array(n, 64);
    struct rng rng;
    rng_seed(&rng, 5);
    for (size_t i = 0; i < n; i++) {
        uint8_t *b = bytes + 64 * i;
        struct cpu_instruction x = {.ip = 0x400000 + 4 * i};
        x.branch = rng_chance(&rng, 1, 5);
        x.taken = x.branch && rng_chance(&rng, 1, 2);
        x.target[0] = (uint8_t)rng_below(&rng, 255);
        x.source[3] = (uint8_t)rng_below(&rng, 255);
        x.store[1] = rng_chance(&rng, 1, 3) ? rng_u64(&rng) : 0;
        x.load[2] = rng_chance(&rng, 1, 3) ? rng_u64(&rng) : 0;
        for (int k = 0; k < 8; k++) {
            b[k] = (uint8_t)(x.ip >> 8 * k);
            b[24 + k] = (uint8_t)(x.store[1] >> 8 * k);
            b[48 + k] = (uint8_t)(x.load[2] >> 8 * k);
        }
        b[8] = x.branch;
        b[9] = x.taken;
        b[10] = x.target[0];
        b[15] = x.source[3];
        if (same)
            same[i] = x;
    }
    return bytes;
}

static void write_gz(const char *name, const void *bytes, size_t n)
{
    gzFile f = gzopen(path(name), "wb1");
    assert_non_null(f);
    assert_int_equal(gzwrite(f, bytes, (unsigned)n), n);
    gzclose(f);
}

static void write_xz(const char *name, const void *bytes, size_t n)
{
    size_t room = n + n / 2 + 1024, used = 0;
    uint8_t *out = alloc_array(room, 1);
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, bytes, n, out, &used, room),
                     LZMA_OK);
    assert_true(write_file(path(name), out, used, NULL));
    free(out);
}

static void write_plain(const char *name, const void *bytes, size_t n)
{
    assert_true(write_file(path(name), bytes, n, NULL));
}

static struct cpu_trace *open_good(const char *spec)
{
    struct error err = {0};
    struct cpu_trace *t = cpu_trace_open(spec, 0, 1, &err);
    if (!t)
        fail_msg("%s", err.text);
    return t;
}

/* Twice through the file in batches of another size than it. */
static void same_twice(const char *spec, const struct cpu_instruction *want)
{
    struct cpu_trace *t = open_good(spec);
    struct cpu_instruction got[97];
    size_t at = 0;
    while (at < 2 * RECORDS) {
        assert_int_equal(cpu_trace_read(t, got, 97), 97);
        for (size_t i = 0; i < 97; i++)
            assert_memory_equal(&got[i], &want[(at + i) % RECORDS], sizeof *want);
        at += 97;
    }
    assert_int_equal(cpu_trace_rounds(t), (at - 1) / RECORDS);
    assert_null(cpu_trace_error(t));
    cpu_trace_close(t);
}

static void champsim_records_in_three_packings(void **state)
{
    (void)state;
    struct cpu_instruction *want = ALLOC_ARRAY(struct cpu_instruction, RECORDS);
    uint8_t *bytes = records(RECORDS, want);
    write_plain("raw", bytes, (size_t)RECORDS * 64);
    same_twice(path("raw"), want);
    write_gz("gz", bytes, (size_t)RECORDS * 64);
    same_twice(path("gz"), want);
    write_xz("xz", bytes, (size_t)RECORDS * 64);
    same_twice(path("xz"), want);
    char spec[160];
    snprintf(spec, sizeof spec, "champsim:%s", path("xz"));
    same_twice(spec, want);
    free(bytes);
    free(want);
}

/* Parts compressed one by one and put together, as parallel compressors do. */
static void joined_compressed_files(void **state)
{
    (void)state;
    struct cpu_instruction *want = ALLOC_ARRAY(struct cpu_instruction, RECORDS);
    uint8_t *bytes = records(RECORDS, want);
    size_t half = (size_t)RECORDS * 64 / 2 + 13;
    const char *names[] = {"gz", "xz"};
    for (int k = 0; k < 2; k++) {
        void (*pack)(const char *, const void *, size_t) = k ? write_xz : write_gz;
        pack("a", bytes, half);
        pack("b", bytes + half, (size_t)RECORDS * 64 - half);
        char command[400];
        snprintf(command, sizeof command, "cat %s/a %s/b >%s/joined.%s", folder, folder, folder,
                 names[k]);
        assert_int_equal(system(command), 0);
        same_twice(path(k ? "joined.xz" : "joined.gz"), want);
    }
    free(bytes);
    free(want);
}

/* Opening or reading fails with one line that has the file's name and `text`, and keeps failing. */
static void fails(const char *spec, const char *text)
{
    struct error err = {0};
    struct cpu_instruction out[64];
    struct cpu_trace *t = cpu_trace_open(spec, 0, 1, &err);
    const char *said = err.text;
    if (t) {
        for (int i = 0; i < 1000 && !cpu_trace_error(t); i++)
            cpu_trace_read(t, out, 64);
        assert_non_null(cpu_trace_error(t));
        assert_int_equal(cpu_trace_read(t, out, 64), 0);
        said = cpu_trace_error(t);
    }
    const char *file = strchr(spec, ':') ? strchr(spec, ':') + 1 : spec;
    if (!strstr(said, text) || !strstr(said, file) || strchr(said, '\n'))
        fail_msg("'%s' instead of '%s'", said, text);
    cpu_trace_close(t);
}

static void damaged_champsim_files(void **state)
{
    (void)state;
    size_t n = (size_t)RECORDS * 64;
    uint8_t *bytes = records(RECORDS, NULL);
    fails(path("missing"), "No such file");
    fails(folder, "directory");
    write_plain("empty", "", 0);
    fails(path("empty"), "empty");
    write_gz("empty.gz", "", 0);
    fails(path("empty.gz"), "empty");
    write_xz("empty.xz", "", 0);
    fails(path("empty.xz"), "empty");
    write_plain("short", bytes, 64 * 20 + 17);
    fails(path("short"), "record 20: the trace ends after 17 of its 64 bytes");
    bytes[64 * 777 + 8] = 7;
    write_plain("flag", bytes, n);
    fails(path("flag"), "record 777: branch is 7");
    write_xz("flag.xz", bytes, n);
    fails(path("flag.xz"), "record 777: branch is 7");
    write_plain("bz2", "BZh91AY&SY", 10);
    fails(path("bz2"), "bzip2");
    write_plain("zst", "\x28\xB5\x2F\xFD....", 8);
    fails(path("zst"), "zstd");
    free(bytes);
}

static void damaged_packings(void **state)
{
    (void)state;
    uint8_t *bytes = records(RECORDS, NULL);
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "cut.xz" : "cut.gz";
        size_t packed;
        (k ? write_xz : write_gz)(name, bytes, (size_t)RECORDS * 64);
        uint8_t *file = read_file(path(name), &packed, NULL);
        assert_non_null(file);
        write_plain(name, file, packed / 2);
        fails(path(name), "truncated");
        write_plain(name, file, packed - 1);
        fails(path(name), "truncated");
        write_plain(name, file, 4);
        fails(path(name), "truncated");
        file[k ? packed / 2 : packed - 6] ^= 0x5A; /* the check sum of gzip lies at the end */
        write_plain(name, file, packed);
        fails(path(name), "damaged");
        free(file);
    }
    free(bytes);
}

static void ramulator_lines(void **state)
{
    (void)state;
    const char *text = "3 0x1000\n0 20734016 0x2040\r\n\n  1\t0x0 \n0 64 0";
    write_plain("ram", text, strlen(text));
    write_gz("ram.gz", text, strlen(text));
    static const uint64_t want[][2] = {{0},         {0}, {0}, {0x1000}, {20734016},
                                       {0, 0x2040}, {0}, {1}, {64},     {0, 1}};
    enum { N = sizeof want / sizeof want[0] };
    for (int k = 0; k < 2; k++) {
        struct cpu_trace *t = open_good(path(k ? "ram.gz" : "ram"));
        struct cpu_instruction x;
        for (size_t i = 0; i < 3 * N; i++) {
            assert_int_equal(cpu_trace_read(t, &x, 1), 1);
            struct cpu_instruction same = {.load = {want[i % N][0]}, .store = {want[i % N][1]}};
            assert_memory_equal(&x, &same, sizeof x);
        }
        assert_int_equal(cpu_trace_rounds(t), 2);
        cpu_trace_close(t);
    }
}

static void bad_ramulator_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"1 2\n3\n", "line 2: '3'"},
        {"1 2\n3 4 5 6\n", "line 2: '3 4 5 6'"},
        {"1 2\n3 0xfg\n", "line 2"},
        {"1 2\n3 -4\n", "line 2"},
        {"1 2\n\n3 18446744073709551616\n", "line 3"},
        {"0x1000 R\n", "line 1: '0x1000 R'"},
        {"hello, this is a text without any number in it\n", "is text but not a Ramulator trace"},
        {"\n \n\n", "contains no instruction"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_plain("bad", cases[i].text, strlen(cases[i].text));
        fails(path("bad"), cases[i].said);
    }
    static const char hidden[] = "1 2\n3 4\0 x\n5 6\n";
    write_plain("hidden", hidden, sizeof hidden - 1);
    char spec[160];
    snprintf(spec, sizeof spec, "ramulator:%s", path("hidden"));
    fails(spec, "line 2");
    uint8_t *bytes = records(10, NULL);
    write_plain("raw", bytes, 640);
    snprintf(spec, sizeof spec, "ramulator:%s", path("raw"));
    fails(spec, "line 1");
    char *line = alloc_array(1001, 1);
    memset(line, '1', 1000);
    write_plain("long", line, 1000);
    fails(path("long"), "line 1");
    free(line);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(champsim_records_in_three_packings),
        cmocka_unit_test(joined_compressed_files),
        cmocka_unit_test(damaged_champsim_files),
        cmocka_unit_test(damaged_packings),
        cmocka_unit_test(ramulator_lines),
        cmocka_unit_test(bad_ramulator_lines),
    };
    return cmocka_run_group_tests(tests, make_folder_of_test, remove_folder);
}
