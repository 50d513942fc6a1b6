/* The process of a simulation ends by a signal whenever that comes, also between fork and exec. */
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/experiment/command.h"
#include "tests/unit.h"

static volatile sig_atomic_t heard;

static void hear(int number)
{
    heard = number;
}

static void a_signal_ends_it_at_once(void **state)
{
    (void)state;
    struct result_store k = {.simulator = {0}};
    char script[PATH_MAX], *words[] = {"run", NULL};
    snprintf(k.folder, sizeof k.folder, "/tmp/test_command.XXXXXX");
    assert_non_null(mkdtemp(k.folder));
    snprintf(script, sizeof script, "%.200s/sleeps", k.folder);
    snprintf(k.evgpu, sizeof k.evgpu, "%.200s", script);
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nsleep 1\n");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(script, 0700), 0);
    signal(SIGTERM, hear);
    for (int i = 0; i < 20; i++) {
        int status = 0;
        pid_t child = command_start(&k, words, "key");
        assert_true(child > 0);
        assert_int_equal(kill(-child, SIGTERM), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    }
    assert_int_equal(heard, 0);
    raise(SIGTERM); /* it is heard as before */
    assert_int_equal(heard, SIGTERM);
    char log[PATH_MAX];
    result_store_own_path(&k, "key", "log", log);
    unlink(log);
    unlink(script);
    rmdir(k.folder);
}

/* The last word of the command is the file for its statistics. */
static void make_simulator(struct result_store *k)
{
    char script[PATH_MAX];
    snprintf(script, sizeof script, "%.200s/writes", k->folder);
    snprintf(k->evgpu, sizeof k->evgpu, "%.200s", script);
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\necho figure value $2\n"
                  "for last; do :; done\necho '{\"cycles\": '$2'}' >\"$last\"\n");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(script, 0700), 0);
}

static void assert_kept(const struct result_store *k, const char *text)
{
    char path[PATH_MAX], kept[400] = "";
    result_store_path(k, "key", "json", path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    kept[fread(kept, 1, sizeof kept - 1, file)] = '\0';
    fclose(file);
    if (!strstr(kept, text))
        fail_msg("%s is not in %s", text, kept);
}

/* Two experiments with the same simulation: neither takes or removes what the other's wrote. */
static void two_processes_run_the_same(void **state)
{
    (void)state;
    struct result_store one = {.process = 1}, two;
    struct error err = {0};
    char log[PATH_MAX], path[PATH_MAX];
    int status[2];
    snprintf(one.folder, sizeof one.folder, "/tmp/test_command.XXXXXX");
    assert_non_null(mkdtemp(one.folder));
    make_simulator(&one);
    two = one;
    two.process = 2;
    pid_t first = command_start(&one, (char *[]){"run", "11", NULL}, "key");
    assert_int_equal(waitpid(first, &status[0], 0), first);
    pid_t second = command_start(&two, (char *[]){"run", "22", NULL}, "key");
    assert_int_equal(waitpid(second, &status[1], 0), second);
    assert_true(command_end(&one, "key", "row", status[0], 1, &err));
    assert_kept(&one, "\"cycles\": 11");
    assert_kept(&one, "\"value\": 11");
    assert_true(command_end(&two, "key", "row", status[1], 1, &err));
    assert_kept(&two, "\"cycles\": 22");
    assert_kept(&two, "\"value\": 22");
    result_store_path(&one, "key", "log", log);
    result_store_path(&one, "key", "json", path);
    assert_int_equal(unlink(log), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(one.evgpu), 0);
    assert_int_equal(rmdir(one.folder), 0); /* and nothing else is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_signal_ends_it_at_once),
                                       cmocka_unit_test(two_processes_run_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
