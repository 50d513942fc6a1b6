/* What counts as a kept result: a file with statistics. A damaged one is removed, since those who
 * wait for results of other machines take a file that is there for one. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/experiment/result.h"
#include "tests/unit.h"

static void a_damaged_result_is_removed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool kept;
    } files[] = {{"{\"statistics\": {\"cycles\": 1}}", true},
                 {"{\"statistics\": {\"cyc", false},
                 {"{\"statistics\": 1}", false},
                 {"[1, 2]", false},
                 {"", false}};
    struct result_store k = {.simulator = {0}};
    char path[PATH_MAX];
    snprintf(k.folder, sizeof k.folder, "/tmp/test_result.XXXXXX");
    assert_non_null(mkdtemp(k.folder));
    result_store_path(&k, "key", "json", path);
    assert_false(result_is_kept(&k, "key"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(files[i].text, file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(result_is_kept(&k, "key"), files[i].kept);
        assert_int_equal(access(path, F_OK) == 0, files[i].kept);
    }
    rmdir(k.folder);
}

static void a_pipe_is_not_opened(void **state)
{
    (void)state;
    struct result_store k = {.simulator = {0}};
    struct error err = {0};
    char path[PATH_MAX];
    snprintf(k.folder, sizeof k.folder, "/tmp/test_result.XXXXXX");
    assert_non_null(mkdtemp(k.folder));
    assert_true(result_place(&k, "key", path, &err));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(result_is_kept(&k, "key"));
    assert_false(result_keep(&k, "key", "row", 1, &err));
    assert_non_null(strstr(err.text, "no regular file; remove it"));
    assert_int_equal(unlink(path), 0);
    rmdir(k.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_damaged_result_is_removed),
                                       cmocka_unit_test(a_pipe_is_not_opened)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
