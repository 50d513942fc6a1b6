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
    result_store_path(&k, "key", "log", log);
    unlink(log);
    unlink(script);
    rmdir(k.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_signal_ends_it_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
