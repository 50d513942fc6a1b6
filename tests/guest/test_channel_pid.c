/* A program's channel: the process that it is for is the one that made it, whatever it says. */
#include <sys/socket.h>
#include <unistd.h>

#include "sim/guest/program/internal.h"
#include "sim/system/machine_internal.h"
#include "tests/unit.h"

#define SOMEBODY 1u /* a process that must get no signal of ours */

static void test_hello_of_another(void **state)
{
    struct machine_options options = {.backend = TILE_MODEL, .shared_at = WIRE_BASE};
    struct machine_config config;
    struct error err = {0};
    int control[2], ends[2];
    (void)state;
    assert_true(config_load(&config, "config/gtx480.ini", &err));
    config.memory_mib = 64;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, control), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    struct machine *m = machine_create(&config, &options, &err);
    struct program_options program = {.control = control[0]};
    assert_non_null(m);
    assert_true(program_create(m, "client", &program, &err));
    struct program *p = machine_guest_at(m, 0)->self;

    struct wire_request hello = {
        .magic = WIRE_MAGIC, .version = WIRE_VERSION, .op = WIRE_HELLO, .a = {SOMEBODY, SOMEBODY}};
    assert_int_equal(write(ends[1], &hello, sizeof hello), sizeof hello);
    thread_add(p, ends[0]);
    thread_receive(threads_at(p, 0));
    assert_int_equal(threads_at(p, 0)->pid, getpid());
    close(ends[1]);
    close(control[1]);
    machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hello_of_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
