/* evgpu-board: a board without the board. Runs the verilated board_link with its serial line on a
 * pseudo-terminal, until SIGTERM or SIGINT ends it.
 *
 *     evgpu-board LINK [DAMAGE LOSS SEED]
 *
 * LINK becomes a symbolic link to the terminal: evgpu run --tiles serial:LINK. Another symbolic
 * link of that name is replaced, nothing else is. DAMAGE and LOSS are bytes per million, each way,
 * that change a bit or vanish; which ones follows from SEED. At the end it prints how many bytes
 * passed, were damaged and lost. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "fpga/board_shim.h"

enum {
    BIT = BOARD_CLOCKS_PER_BIT,
    QUIET = 64,   /* cycles without work after which the board stands still */
    SLICE = 4096, /* cycles between two looks at the terminal */
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

struct line {
    uint8_t data[ROOM]; /* from the terminal, not yet on the line: next..bytes-1 */
    size_t next, bytes;
    uint32_t frame; /* bits to be sent, lowest first, above them a 1 */
    int left, hold;
    struct receiver receiver;
    int quiet; /* cycles without work */
};

static bool send_bit(struct line *l, struct fault *faults)
{
    if (l->left == 0 && l->next < l->bytes) {
        uint8_t byte = l->data[l->next++];
        if (pass(faults, &byte)) {
            l->frame = 0x200u | (uint32_t)byte << 1;
            l->left = 10;
            l->hold = BIT;
        }
    }
    bool bit = l->left == 0 || (l->frame & 1);
    if (l->left && --l->hold == 0) {
        l->frame >>= 1;
        l->left--;
        l->hold = BIT;
    }
    return bit;
}

/* Runs the board until it stands still, at most for SLICE cycles, or while there is something to
 * send; what it answers goes to the terminal. */
static bool serve(void *board, int terminal, struct line *l, struct fault *faults)
{
    uint8_t answer[ROOM];
    size_t answered = 0;
    for (int cycle = 0; l->quiet < QUIET && (cycle < SLICE || l->next < l->bytes); cycle++) {
        uint8_t byte;
        bool bit = send_bit(l, &faults[0]);
        if (sample(&l->receiver, board_step(board, bit), &byte) && pass(&faults[1], &byte) &&
            answered < ROOM)
            answer[answered++] = byte;
        bool works = l->left || l->next < l->bytes || l->receiver.wait >= 0 || board_busy(board);
        l->quiet = works ? 0 : l->quiet + 1;
    }
    /* A serial line does not wait for its reader: what there is no room for is gone. */
    return !answered || write(terminal, answer, answered) >= 0 || errno == EAGAIN;
}

struct terminal {
    int master;
    int keep; /* the other end, open so that the terminal outlives its users */
    char name[64];
};

static bool open_terminal(struct terminal *t)
{
    t->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (t->master < 0 || grantpt(t->master) || unlockpt(t->master) ||
        ptsname_r(t->master, t->name, sizeof t->name))
        return false;
    t->keep = open(t->name, O_RDWR | O_NOCTTY);
    struct termios mode;
    if (t->keep < 0 || tcgetattr(t->keep, &mode))
        return false;
    cfmakeraw(&mode);
    return !tcsetattr(t->keep, TCSANOW, &mode);
}

static bool is_other_file(const char *link)
{
    struct stat file;
    return !lstat(link, &file) && !S_ISLNK(file.st_mode);
}

static bool make_link(const char *link, const char *name)
{
    return (!unlink(link) || errno == ENOENT) && !symlink(name, link);
}

/* Another board may have taken the link over. */
static void remove_link(const char *link, const char *name)
{
    char text[sizeof((struct terminal *)0)->name];
    ssize_t n = readlink(link, text, sizeof text);
    if (n == (ssize_t)strlen(name) && !memcmp(text, name, (size_t)n))
        unlink(link);
}

/* A descriptor that is readable once a signal has come to end the program. Blocked and waited for
 * like this, none comes between a test and the wait after it, nor in another thread. */
static int open_end_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    return sigprocmask(SIG_BLOCK, &signals, NULL) ? -1 : signalfd(-1, &signals, SFD_CLOEXEC);
}

static bool run(int terminal, int end_signals, struct fault *faults)
{
    void *board = board_create();
    struct line line = {.receiver = {.wait = -1}, .quiet = QUIET};
    bool ok = true;
    while (ok) {
        struct pollfd wait[] = {{.fd = terminal, .events = POLLIN},
                                {.fd = end_signals, .events = POLLIN}};
        if (poll(wait, 2, line.quiet < QUIET ? 0 : -1) < 0) {
            ok = errno == EINTR;
            continue;
        }
        if (wait[1].revents)
            break;
        if (wait[0].revents) {
            ssize_t n = read(terminal, line.data, sizeof line.data);
            ok = n > 0 || (n < 0 && errno == EAGAIN);
            line.next = 0;
            line.bytes = n > 0 ? (size_t)n : 0;
            line.quiet = 0;
        }
        ok = ok && serve(board, terminal, &line, faults);
    }
    board_destroy(board);
    return ok;
}

static bool parse(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static int usage(FILE *to)
{
    fprintf(to, "usage: evgpu-board LINK [DAMAGE LOSS SEED]\n"
                "LINK becomes a symbolic link to the board's serial line; one whose name begins "
                "with '-' is ./LINK.\n"
                "DAMAGE and LOSS are bytes per million, each way, up to 1000000.\n");
    return to == stdout ? 0 : 2;
}

int main(int argc, char **argv)
{
    uint64_t damage = 0, loss = 0, seed = 0;
    if (argc == 2 && !strcmp(argv[1], "--help"))
        return usage(stdout);
    if ((argc != 2 && argc != 5) || argv[1][0] == '-' ||
        (argc == 5 &&
         (!parse(argv[2], &damage) || !parse(argv[3], &loss) || !parse(argv[4], &seed))) ||
        damage > 1000000 || loss > 1000000)
        return usage(stderr);
    const char *link = argv[1];
    if (is_other_file(link)) {
        fprintf(stderr, "evgpu-board: %s: exists and is no symbolic link\n", link);
        return 2;
    }
    /* Before the first thread, which inherits the mask. */
    int end_signals = open_end_signals();
    struct terminal terminal;
    if (end_signals < 0 || !open_terminal(&terminal) || !make_link(link, terminal.name)) {
        fprintf(stderr, "evgpu-board: %s: %s\n", link, strerror(errno));
        return 1;
    }
    struct fault faults[2];
    for (int i = 0; i < 2; i++)
        faults[i] = (struct fault){
            .state = 2 * seed + (uint64_t)i, .damage = (uint32_t)damage, .loss = (uint32_t)loss};
    bool ok = run(terminal.master, end_signals, faults);
    for (int i = 0; i < 2; i++)
        printf("%s the board: %llu bytes, %llu damaged, %llu lost\n", i ? "from" : "to",
               (unsigned long long)faults[i].passed, (unsigned long long)faults[i].damaged,
               (unsigned long long)faults[i].lost);
    remove_link(link, terminal.name);
    return ok ? 0 : 1;
}
