/* evgpu-board: a board without the board. Runs the verilated board_link with its serial line on a
 * pseudo-terminal, until a signal ends it.
 *
 *     evgpu-board LINK [DAMAGE LOSS SEED]
 *
 * LINK becomes a symbolic link to the terminal: evgpu run --tiles serial:LINK. DAMAGE and LOSS are
 * bytes per million, each way, that change a bit or vanish; which ones follows from SEED. At the
 * end it prints how many bytes passed, were damaged and lost. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "fpga/board_shim.h"

enum {
    BIT = BOARD_CLOCKS_PER_BIT,
    QUIET = 64, /* cycles without work after which the board stands still */
    ROOM = 4096
};

struct fault {
    uint64_t state;
    uint32_t damage, loss; /* per million */
    uint64_t passed, damaged, lost;
};

struct receiver { /* of what the board sends */
    int wait;     /* cycles to the next sample; below 0: idle */
    int bits;
    unsigned data;
};

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
    (void)number;
    ended = 1;
}

static uint32_t draw(struct fault *f)
{
    f->state = f->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(f->state >> 33);
}

/* What the line does to a byte; false: it is lost. */
static bool pass(struct fault *f, uint8_t *byte)
{
    uint32_t number = draw(f) % 1000000;
    f->passed++;
    if (number < f->loss) {
        f->lost++;
        return false;
    }
    if (number < f->loss + f->damage) {
        f->damaged++;
        *byte ^= (uint8_t)(1u << draw(f) % 8);
    }
    return true;
}

/* Samples the board's line once per cycle; true with a whole byte. */
static bool sample(struct receiver *r, bool line, uint8_t *byte)
{
    if (r->wait < 0) {
        if (!line) {
            r->wait = BIT + BIT / 2 - 1; /* the middle of the first data bit */
            r->bits = 0;
        }
        return false;
    }
    if (r->wait-- > 0)
        return false;
    if (r->bits == 8) { /* stop bit */
        r->wait = -1;
        *byte = (uint8_t)r->data;
        return line;
    }
    r->data = r->data >> 1 | (unsigned)line << 7;
    r->bits++;
    r->wait = BIT - 1;
    return false;
}

/* Sends the bytes to the board and whatever it answers to the terminal, until it is quiet. */
static bool serve(void *board, int terminal, const uint8_t *data, size_t bytes,
                  struct fault *faults)
{
    struct receiver receiver = {.wait = -1};
    uint8_t answer[ROOM];
    size_t answered = 0, next = 0;
    uint32_t frame = 1; /* bits to be sent, lowest first, above them a 1 */
    int left = 0, hold = 0;
    for (int quiet = 0; quiet < QUIET; quiet++) {
        if (left == 0 && next < bytes) {
            uint8_t byte = data[next++];
            if (pass(&faults[0], &byte)) {
                frame = 0x200u | (uint32_t)byte << 1;
                left = 10;
                hold = BIT;
            }
        }
        bool line = left == 0 || (frame & 1);
        if (left && --hold == 0) {
            frame >>= 1;
            left--;
            hold = BIT;
        }
        uint8_t byte;
        if (sample(&receiver, board_step(board, line), &byte) && pass(&faults[1], &byte) &&
            answered < ROOM)
            answer[answered++] = byte;
        if (left || next < bytes || receiver.wait >= 0 || board_busy(board))
            quiet = 0;
    }
    return !answered || write(terminal, answer, answered) == (ssize_t)answered;
}

/* The master's end; *keep is the other end, open so that the terminal outlives its users. */
static int open_terminal(const char *link, int *keep)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name =
        terminal < 0 || grantpt(terminal) || unlockpt(terminal) ? NULL : ptsname(terminal);
    *keep = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    struct termios mode;
    if (*keep < 0 || tcgetattr(*keep, &mode))
        return -1;
    cfmakeraw(&mode);
    if (tcsetattr(*keep, TCSANOW, &mode))
        return -1;
    unlink(link);
    return symlink(name, link) ? -1 : terminal;
}

static int run(int terminal, struct fault *faults)
{
    void *board = board_create();
    bool ok = true;
    while (ok && !ended) {
        uint8_t data[ROOM];
        struct pollfd wait = {.fd = terminal, .events = POLLIN};
        if (poll(&wait, 1, -1) <= 0)
            continue;
        ssize_t n = read(terminal, data, sizeof data);
        ok = n > 0 && serve(board, terminal, data, (size_t)n, faults);
    }
    board_destroy(board);
    return ok ? 0 : 1;
}

static bool parse(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

int main(int argc, char **argv)
{
    uint64_t damage = 0, loss = 0, seed = 0;
    if ((argc != 2 && argc != 5) ||
        (argc == 5 &&
         (!parse(argv[2], &damage) || !parse(argv[3], &loss) || !parse(argv[4], &seed))) ||
        damage > 1000000 || loss > 1000000) {
        fprintf(stderr, "usage: evgpu-board LINK [DAMAGE LOSS SEED]\n");
        return 2;
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    int keep;
    int terminal = open_terminal(argv[1], &keep);
    if (terminal < 0) {
        fprintf(stderr, "evgpu-board: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    struct fault faults[2];
    for (int i = 0; i < 2; i++)
        faults[i] = (struct fault){
            .state = 2 * seed + (uint64_t)i, .damage = (uint32_t)damage, .loss = (uint32_t)loss};
    int status = run(terminal, faults);
    for (int i = 0; i < 2; i++)
        printf("%s the board: %llu bytes, %llu damaged, %llu lost\n", i ? "from" : "to",
               (unsigned long long)faults[i].passed, (unsigned long long)faults[i].damaged,
               (unsigned long long)faults[i].lost);
    unlink(argv[1]);
    return status;
}
