/* Files through base/compressed_output.h and back through base/compressed_input.h. */
#include <unistd.h>

#include "base/alloc.h"
#include "base/compressed_input.h"
#include "base/compressed_output.h"
#include "base/file.h"
#include "tests/unit.h"

enum { BYTES = 300000 };

static const char *const names[] = {"plain", "file.gz", "file.xz"};
static char folder[] = "/tmp/evgpu-compressed-XXXXXX";

static const char *path(const char *name)
{
    static char text[80];
    snprintf(text, sizeof text, "%s/%s", folder, name);
    return text;
}

static int make_folder_of_test(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        unlink(path(names[i]));
    return rmdir(folder);
}

static uint8_t *content(void)
{
    uint8_t *bytes = alloc_array(BYTES, 1);
    for (uint32_t i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i * i >> 7 ^ i >> 3);
    return bytes;
}

static void write_parts(const char *name, const uint8_t *bytes)
{
    struct error err = {0};
    unlink(path(name));
    struct compressed_output *out = compressed_output_open(path(name), &err);
    assert_non_null(out);
    assert_true(compressed_output_write(out, bytes, 1000, &err));
    assert_true(compressed_output_write(out, bytes + 1000, BYTES - 1000, &err));
    assert_int_equal(access(path(name), F_OK), -1); /* named when it is finished */
    assert_true(compressed_output_finish(out, &err));
}

/* All bytes that come; the error as the last call left it. */
static size_t read_all(struct compressed_input *in, uint8_t *to, struct error *err)
{
    size_t n = 0, got;
    do {
        got = compressed_input_read(in, to + n, 7777, err);
        n += got;
    } while (got && !err->set);
    return n;
}

static void reads_back(void **state)
{
    (void)state;
    uint8_t *bytes = content(), *got = alloc_array(2 * BYTES + 7777, 1);
    for (size_t k = 0; k < 3; k++) {
        struct error err = {0};
        size_t packed;
        write_parts(names[k], bytes);
        uint8_t *file = read_file(path(names[k]), &packed, &err);
        assert_non_null(file);
        assert_true(k ? packed < BYTES : packed == BYTES);
        struct compressed_input *in = compressed_input_open(path(names[k]), &err);
        assert_non_null(in);
        assert_int_equal(compressed_input_packed(in), k > 0);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(read_all(in, got, &err), BYTES);
            assert_false(err.set);
            assert_memory_equal(got, bytes, BYTES);
            assert_true(compressed_input_rewind(in, &err));
        }
        compressed_input_close(in);
        file = alloc_resize(file, 2 * packed, 1);
        memcpy(file + packed, file, packed);
        assert_true(write_file(path(names[k]), file, 2 * packed, NULL));
        in = compressed_input_open(path(names[k]), &err);
        assert_int_equal(read_all(in, got, &err), 2 * BYTES);
        assert_memory_equal(got + BYTES, bytes, BYTES);
        compressed_input_close(in);
        free(file);
    }
    free(bytes);
    free(got);
}

static void fails_with(const char *name, const uint8_t *file, size_t n, const char *said)
{
    uint8_t *got = alloc_array(BYTES + 7777, 1);
    struct error err = {0};
    assert_true(write_file(path(name), file, n, NULL));
    struct compressed_input *in = compressed_input_open(path(name), &err);
    assert_non_null(in);
    assert_true(read_all(in, got, &err) <= BYTES);
    assert_non_null(strstr(err.text, said));
    compressed_input_close(in);
    free(got);
}

static void truncated_and_damaged(void **state)
{
    (void)state;
    uint8_t *bytes = content();
    for (size_t k = 1; k < 3; k++) {
        size_t packed;
        write_parts(names[k], bytes);
        uint8_t *file = read_file(path(names[k]), &packed, NULL);
        fails_with(names[k], file, 4, "truncated");
        fails_with(names[k], file, packed / 2, "truncated");
        fails_with(names[k], file, packed - 1, "truncated");
        /* The checksum: of gzip before the last word, of xz in the block before the index. */
        file[k == 1 ? packed - 6 : packed - 40] ^= 0x10;
        fails_with(names[k], file, packed, "damaged");
        free(file);
    }
    free(bytes);
}

static void refuses(void **state)
{
    (void)state;
    struct error err = {0};
    assert_null(compressed_input_open(path("missing"), &err));
    assert_non_null(strstr(err.text, "missing: No such file"));
    err.set = false;
    assert_null(compressed_input_open(folder, &err));
    assert_non_null(strstr(err.text, "directory"));
    err.set = false;
    assert_true(write_file(path("plain"), "\x28\xB5\x2F\xFD....", 8, &err));
    assert_null(compressed_input_open(path("plain"), &err));
    assert_non_null(strstr(err.text, "plain: the file is compressed with zstd"));
    err.set = false;
    assert_null(compressed_output_open(path("none/file.xz"), &err));
    assert_non_null(strstr(err.text, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back),
        cmocka_unit_test(truncated_and_damaged),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, make_folder_of_test, remove_folder);
}
