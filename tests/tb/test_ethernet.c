/* Ethernet frames of the link to a board: what goes in comes out, what is none of ours does not;
 * and what the verilated board makes of frames that no evgpu sends. */
#include "tb/ethernet.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evgpu_defs.h"
#include "tests/unit.h"

enum { LONGEST = 509, WAIT_MS = 600000, TRIES = 60000, TRY_US = 10000 };

static char board_path[4096];
static const uint8_t host[MAC_BYTES] = {2, 0, 0, 0, 0, 9};

static void test_round_trip(void **state)
{
    (void)state;
    uint8_t board[MAC_BYTES], frame[ETHERNET_MOST], message[LONGEST];
    ethernet_board_mac(board);
    for (size_t i = 0; i < LONGEST; i++)
        message[i] = (uint8_t)(i * 7 + 1);
    for (size_t count = 1; count <= LONGEST; count++) {
        size_t got, bytes = ethernet_encode(host, board, message, count, frame);
        assert_true(bytes >= 60 && bytes <= ETHERNET_MOST);
        const uint8_t *out = ethernet_decode(frame, bytes, board, &got);
        assert_non_null(out);
        assert_int_equal(got, count);
        assert_memory_equal(out, message, count);
        assert_null(ethernet_decode(frame, bytes, host, &got)); /* of another sender */
        if (bytes == ETHERNET_HEAD + count)                     /* cut short */
            assert_null(ethernet_decode(frame, bytes - 1, board, &got));
        frame[12] ^= 1; /* of another type */
        assert_null(ethernet_decode(frame, bytes, board, &got));
    }
}

/* --- the board
 * ------------------------------------------------------------------------------------ */

struct board {
    char directory[32], path[64];
    pid_t pid;
    int socket;
};

static void start(struct board *b)
{
    strcpy(b->directory, "/tmp/ethernet-XXXXXX");
    assert_non_null(mkdtemp(b->directory));
    snprintf(b->path, sizeof b->path, "%s/board", b->directory);
    b->pid = fork();
    assert_true(b->pid >= 0);
    if (b->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        execl(board_path, board_path, b->path, (char *)NULL);
        perror(board_path);
        _exit(127);
    }
    struct sockaddr_un at = {.sun_family = AF_UNIX}, own = {.sun_family = AF_UNIX};
    strcpy(at.sun_path, b->path);
    b->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(b->socket, (const struct sockaddr *)&own, sizeof own.sun_family), 0);
    for (int i = 0; connect(b->socket, (const struct sockaddr *)&at, sizeof at); i++) {
        assert_true(i < TRIES);
        usleep(TRY_US);
    }
}

static void stop(struct board *b)
{
    int status;
    close(b->socket);
    kill(b->pid, SIGTERM);
    assert_int_equal(waitpid(b->pid, &status, 0), b->pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(rmdir(b->directory), 0);
}

static size_t request(uint8_t number, uint8_t frame[ETHERNET_MOST])
{
    uint8_t board[MAC_BYTES];
    const uint8_t info[] = {number, LINK_OP_INFO, 0};
    ethernet_board_mac(board);
    return ethernet_encode(board, host, info, sizeof info, frame);
}

/* The frames come in order, so what is answered next is the first that the board took. */
static void expect_answer(struct board *b, uint8_t number)
{
    uint8_t frame[ETHERNET_MOST], board[MAC_BYTES];
    struct pollfd wait = {.fd = b->socket, .events = POLLIN};
    size_t count;
    ethernet_board_mac(board);
    assert_int_equal(poll(&wait, 1, WAIT_MS), 1);
    ssize_t n = recv(b->socket, frame, sizeof frame, 0);
    assert_true(n >= 60);
    assert_memory_equal(frame, host, MAC_BYTES);
    const uint8_t *reply = ethernet_decode(frame, (size_t)n, board, &count);
    assert_non_null(reply);
    assert_int_equal(count, 8);
    assert_int_equal(reply[0], number);
    assert_int_equal(reply[1], LINK_STATUS_OK);
    assert_int_equal(reply[2], EVG_LINK_PROTOCOL);
    for (size_t i = ETHERNET_HEAD + count; i < (size_t)n; i++)
        assert_int_equal(frame[i], 0);
}

static void give(struct board *b, const uint8_t *frame, size_t bytes)
{
    assert_int_equal(send(b->socket, frame, bytes, 0), (ssize_t)bytes);
}

static void test_foreign_frames(void **state)
{
    (void)state;
    struct board b;
    uint8_t frame[ETHERNET_MOST + 8], number = 1;
    start(&b);
    for (size_t place = 0; place < 6; place++) { /* another receiver */
        size_t bytes = request(number++, frame);
        frame[place] ^= 0x20;
        give(&b, frame, bytes);
    }
    for (size_t place = 12; place < 14; place++) { /* another type */
        size_t bytes = request(number++, frame);
        frame[place] ^= 1;
        give(&b, frame, bytes);
    }
    static const uint16_t lengths[] = {0, 1, 2, 45, 510, 511, 512, 0x103, 0xffff};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths;
         i++) { /* none, or more than there is */
        size_t bytes = request(number++, frame);
        frame[14] = (uint8_t)(lengths[i] >> 8);
        frame[15] = (uint8_t)lengths[i];
        give(&b, frame, bytes);
    }
    size_t bytes = request(number, frame);
    give(&b, frame, bytes);
    expect_answer(&b, number);
    for (size_t longer = bytes; longer <= ETHERNET_MOST; longer += 150) { /* padded further */
        memset(frame + 20, 0xa5, sizeof frame - 20);
        request(++number, frame);
        give(&b, frame, longer);
        expect_answer(&b, number);
    }
    stop(&b);
}

/* The board lies three directories above: BUILD/tests/tb/PROGRAM. */
int main(int argc, char **argv)
{
    (void)argc;
    snprintf(board_path, sizeof board_path, "%.*s/../../evgpu-board-ethernet",
             (int)(strrchr(argv[0], '/') ? strrchr(argv[0], '/') - argv[0] : 0), argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_foreign_frames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
