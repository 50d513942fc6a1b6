/* base/output.h: whole files or none. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "tests/unit.h"

static char folder[] = "/tmp/evgpu-output-XXXXXX";
static char target[80], other[80];

static int make_folder_of_test(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(target, sizeof target, "%s/target", folder);
    snprintf(other, sizeof other, "%s/link", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(target);
    unlink(other);
    return rmdir(folder); /* fails when anything else is left */
}

static void assert_content(const char *path, const char *text)
{
    size_t bytes = 0;
    char *data = (char *)read_file(path, &bytes, NULL);
    assert_non_null(data);
    assert_int_equal(bytes, strlen(text));
    assert_memory_equal(data, text, bytes);
    free(data);
}

static void write_target(const char *text)
{
    struct error err = {0};
    assert_true(write_file(target, text, strlen(text), &err));
}

/* Two writers of one name, at the same time: neither sees the other's bytes. */
static void test_two_writers(void **state)
{
    (void)state;
    struct error err = {0};
    struct output *one = output_open(target, &err), *two = output_open(target, &err);
    assert_non_null(one);
    assert_non_null(two);
    fputs("first", output_stream(one));
    fputs("second, longer", output_stream(two));
    assert_true(output_finish(two, &err));
    assert_content(target, "second, longer");
    assert_true(output_finish(one, &err));
    assert_content(target, "first");
}

static void test_abandoned_keeps_the_old(void **state)
{
    (void)state;
    struct error err = {0};
    write_target("old");
    struct output *out = output_open(target, &err);
    fputs("half of the ne", output_stream(out));
    assert_content(target, "old");
    output_abandon(out);
    output_abandon(NULL);
    assert_content(target, "old");
}

static void test_full_device(void **state)
{
    (void)state;
    struct error err = {0};
    assert_false(write_file("/dev/full", "x", 1, &err));
    assert_string_equal(err.text, "/dev/full: cannot be written: No space left on device");
    /* The stream's buffer has failed before it is closed, and nothing is left in it. */
    struct output *out = output_open("/dev/full", &err);
    fputs("x", output_stream(out));
    assert_int_equal(fflush(output_stream(out)), EOF);
    err = (struct error){0};
    assert_false(output_finish(out, &err));
    assert_string_equal(err.text, "/dev/full: cannot be written: No space left on device");
    assert_int_equal(access("/dev/full", F_OK), 0);
    err = (struct error){0};
    assert_null(output_reserve("/dev/full", &err));
    assert_string_equal(err.text, "/dev/full: must be an ordinary file");
}

/* Memory file systems are mounted below /dev: a file there is as any other. */
static void test_memory_folder(void **state)
{
    (void)state;
    static const char memory[] = "/dev/shm";
    char path[64];
    struct error err = {0};
    if (access(memory, W_OK))
        skip();
    snprintf(path, sizeof path, "%s/evgpu-test-%ld", memory, (long)getpid());
    bool written = write_file(path, "new", 3, &err);
    if (!written)
        fail_msg("%s", err.text);
    assert_content(path, "new");
    unlink(path);
}

/* A link stays one, and permissions stay. */
static void test_link_and_mode(void **state)
{
    (void)state;
    struct stat status;
    write_target("old");
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(symlink("target", other), 0);
    struct error err = {0};
    assert_true(write_file(other, "new", 3, &err));
    assert_content(target, "new");
    assert_int_equal(lstat(other, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(target, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

/* A link to what is not there yet stays one, too. */
static void test_dangling_link(void **state)
{
    (void)state;
    struct stat status;
    struct error err = {0};
    char second[100];
    snprintf(second, sizeof second, "%s/second", folder);
    unlink(target);
    unlink(other);
    assert_int_equal(symlink(second, other), 0);
    assert_int_equal(symlink("target", second), 0);
    assert_true(check_output("--json", other, &err));
    assert_true(write_file(other, "new", 3, &err));
    assert_content(target, "new");
    assert_int_equal(lstat(other, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    unlink(second);
    assert_int_equal(symlink("nowhere/target", second), 0);
    assert_false(check_output("--json", other, &err));
    assert_non_null(strstr(err.text, "link: No such file or directory"));
    unlink(second);
    assert_int_equal(symlink("second", second), 0); /* to itself */
    err = (struct error){0};
    assert_false(write_file(other, "new", 3, &err));
    assert_non_null(strstr(err.text, "link: cannot be written"));
    unlink(second);
}

static void test_reserved(void **state)
{
    (void)state;
    struct error err = {0};
    write_target("old");
    struct output *out = output_reserve(target, &err);
    assert_non_null(out);
    FILE *others = fopen(output_written_path(out), "w");
    fputs("by another", others);
    fclose(others);
    assert_content(target, "old");
    assert_true(output_finish(out, &err));
    assert_content(target, "by another");
}

static void test_errors(void **state)
{
    (void)state;
    struct error err = {0};
    assert_null(output_open("/nonexistent/file", &err));
    assert_string_equal(err.text,
                        "/nonexistent/file: cannot be written: No such file or directory");
    err = (struct error){0};
    assert_null(read_file("", NULL, &err));
    assert_string_equal(err.text, "the name of a file to read is empty");
    err = (struct error){0};
    json_t *json = json_pack("{s:s}", "key", "value");
    assert_true(write_json(target, json, &err));
    json_decref(json);
    assert_content(target, "{\n  \"key\": \"value\"\n}");
}

/* A name may have NAME_MAX bytes; what is written beside the file has a longer one. */
static void test_long_names(void **state)
{
    (void)state;
    char path[400];
    struct error err = {0};
    int n = snprintf(path, sizeof path, "%s/", folder);
    memset(path + n, 'n', 256);
    strcpy(path + n + 255 - 5, ".json");
    assert_true(check_output("--json", path, &err));
    assert_true(write_file(path, "whole", 5, &err));
    assert_content(path, "whole");
    struct output *out = output_open(path, &err);
    assert_non_null(out);
    assert_string_equal(strrchr(output_written_path(out), '.'), ".json");
    output_abandon(out);
    unlink(path);
    memset(path + n, 'n', 256);
    path[n + 256] = '\0';
    assert_false(check_output("--json", path, &err));
    assert_non_null(strstr(err.text, "--json /tmp/evgpu-output-"));
    assert_non_null(strstr(err.text, "n: File name too long"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_writers),   cmocka_unit_test(test_abandoned_keeps_the_old),
        cmocka_unit_test(test_full_device),   cmocka_unit_test(test_memory_folder),
        cmocka_unit_test(test_link_and_mode), cmocka_unit_test(test_dangling_link),
        cmocka_unit_test(test_reserved),      cmocka_unit_test(test_errors),
        cmocka_unit_test(test_long_names),
    };
    return cmocka_run_group_tests(tests, make_folder_of_test, remove_folder);
}
