/* evgpu-board-ethernet: a board with Ethernet without the board. Runs the verilated board_ethernet,
 * with frames of a network interface or of a Unix datagram socket for those of its PHY, until
 * SIGTERM or SIGINT ends it.
 *
 *     evgpu-board-ethernet NAME [DAMAGE LOSS SEED]
 *
 * NAME is a network interface, for which the process needs CAP_NET_RAW, or with a slash a path,
 * which becomes a socket: evgpu run --tiles serial:eth:NAME. Another socket of that path is
 * replaced, nothing else is. DAMAGE and LOSS are frames per million, each way, in which a bit
 * changes or which vanish; which ones follows from SEED. At the end it prints how many frames
 * passed, were damaged and lost. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "fpga/board_shim.h"
#include "tb/ethernet.h"

enum {
    PREAMBLE = 8, /* with the start delimiter */
    CHECK = 4,
    MOST = PREAMBLE + ETHERNET_MOST + CHECK,
    QUIET = 64, /* cycles without work after which the board stands still */
    MILLION = 1000000
};

struct fault {
    uint64_t state;
    uint32_t damage, loss; /* per million */
    uint64_t passed, damaged, lost;
};

struct wire {
    int socket;
    bool is_unix;
    struct sockaddr_un host; /* of the last frame */
    socklen_t host_bytes;
    struct fault faults[2]; /* to the board, from it */
};

static uint32_t draw(struct fault *f)
{
    f->state = f->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(f->state >> 33);
}

/* What the wire does to a frame; false: it is lost. */
static bool pass(struct fault *f, uint8_t *frame, size_t bytes)
{
    uint32_t number = draw(f) % MILLION;
    f->passed++;
    if (number < f->loss) {
        f->lost++;
        return false;
    }
    if (number < f->loss + f->damage) {
        uint32_t bit = draw(f) % (uint32_t)(8 * bytes);
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
        f->damaged++;
    }
    return true;
}

static uint32_t check_of(const uint8_t *frame, size_t bytes)
{
    return (uint32_t)crc32(crc32(0, NULL, 0), frame, (uInt)bytes);
}

/* A frame from the board, behind its preamble. A MAC hands no damaged one on. */
static bool give_host(struct wire *w, uint8_t *frame, size_t bytes)
{
    if (bytes < ETHERNET_LEAST + CHECK || !pass(&w->faults[1], frame, bytes))
        return true;
    uint32_t check = 0;
    for (int i = 0; i < CHECK; i++)
        check |= (uint32_t)frame[bytes - CHECK + (size_t)i] << (8 * i);
    if (check != check_of(frame, bytes - CHECK))
        return true;
    ssize_t n = w->is_unix ? sendto(w->socket, frame, bytes - CHECK, MSG_DONTWAIT,
                                    (const struct sockaddr *)&w->host, w->host_bytes)
                           : send(w->socket, frame, bytes - CHECK, MSG_DONTWAIT);
    /* A host that has gone, or has no room, does not hold the board up. */
    return n >= 0 || errno == ECONNREFUSED || errno == ENOENT || errno == EAGAIN ||
           errno == ENOBUFS || errno == ENOTCONN;
}

/* Runs the board while it is given `bytes` and until it stands still; what it sends goes to the
 * host. */
static bool serve(void *board, struct wire *w, const uint8_t *sent, size_t bytes)
{
    uint8_t got[MOST] = {0};
    size_t pairs = 0; /* of bits */
    bool ok = true;
    size_t ends = 4 * bytes;
    for (size_t cycle = 0, quiet = 0; quiet < QUIET && ok; cycle++) {
        struct rmii in = {.valid = cycle < ends};
        if (in.valid)
            in.bits = sent[cycle / 4] >> (2 * (cycle % 4)) & 3u;
        struct rmii out = board_step_rmii(board, in);
        if (out.valid && pairs < 4 * (size_t)MOST) {
            got[pairs / 4] |= (uint8_t)(out.bits << (2 * (pairs % 4)));
            pairs++;
        }
        if (!out.valid && pairs) {
            ok = pairs < 4 * PREAMBLE || give_host(w, got + PREAMBLE, pairs / 4 - PREAMBLE);
            memset(got, 0, sizeof got);
            pairs = 0;
        }
        quiet = in.valid || out.valid || board_busy(board) ? 0 : quiet + 1;
    }
    return ok;
}

/* A frame as the PHY gives it: the sender's MAC has put its check sequence behind it. */
static bool take_frame(void *board, struct wire *w)
{
    static const uint8_t preamble[PREAMBLE] = {0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5};
    uint8_t sent[MOST + 1];
    w->host_bytes = sizeof w->host;
    ssize_t n = w->is_unix ? recvfrom(w->socket, sent + PREAMBLE, ETHERNET_MOST + 1, 0,
                                      (struct sockaddr *)&w->host, &w->host_bytes)
                           : recv(w->socket, sent + PREAMBLE, ETHERNET_MOST + 1, 0);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    if (n > ETHERNET_MOST || n < ETHERNET_LEAST)
        return true;
    memcpy(sent, preamble, PREAMBLE);
    uint32_t check = check_of(sent + PREAMBLE, (size_t)n);
    for (int i = 0; i < CHECK; i++)
        sent[PREAMBLE + n + i] = (uint8_t)(check >> (8 * i));
    return !pass(&w->faults[0], sent + PREAMBLE, (size_t)n + CHECK) ||
           serve(board, w, sent, PREAMBLE + (size_t)n + CHECK);
}

static int unix_socket(const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct stat file;
    if (strlen(path) >= sizeof at.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!lstat(path, &file) && !S_ISSOCK(file.st_mode)) {
        errno = EEXIST;
        return -1;
    }
    strcpy(at.sun_path, path);
    unlink(path);
    int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return s >= 0 && !bind(s, (const struct sockaddr *)&at, sizeof at) ? s : -1;
}

static bool open_wire(struct wire *w, const char *name)
{
    struct error err = {0};
    uint8_t mac[MAC_BYTES]; /* the interface's, not the board's */
    w->is_unix = strchr(name, '/') != NULL;
    w->socket = w->is_unix ? unix_socket(name) : ethernet_raw_socket(name, mac, &err);
    if (w->socket >= 0)
        return true;
    if (err.set)
        fprintf(stderr, "evgpu-board-ethernet: %s\n", err.text);
    else
        fprintf(stderr, "evgpu-board-ethernet: %s: %s\n", name, strerror(errno));
    return false;
}

/* As fpga/board_sim.c: readable once a signal has come to end the program. */
static int open_end_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    return sigprocmask(SIG_BLOCK, &signals, NULL) ? -1 : signalfd(-1, &signals, SFD_CLOEXEC);
}

static bool run(struct wire *w, int end_signals)
{
    void *board = board_create();
    bool ok = true;
    while (ok) {
        struct pollfd wait[] = {{.fd = w->socket, .events = POLLIN},
                                {.fd = end_signals, .events = POLLIN}};
        if (poll(wait, 2, -1) < 0) {
            ok = errno == EINTR;
            continue;
        }
        if (wait[1].revents)
            break;
        ok = take_frame(board, w);
    }
    board_destroy(board);
    return ok;
}

static bool parse(const char *text, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *value <= most;
}

static int usage(FILE *to)
{
    fprintf(to,
            "usage: evgpu-board-ethernet NAME [DAMAGE LOSS SEED]\n"
            "NAME is a network interface, or with a slash the path of a socket, which is made.\n"
            "DAMAGE and LOSS are frames per million, each way, up to 1000000.\n");
    return to == stdout ? 0 : 2;
}

int main(int argc, char **argv)
{
    uint64_t damage = 0, loss = 0, seed = 0;
    if (argc == 2 && !strcmp(argv[1], "--help"))
        return usage(stdout);
    if ((argc != 2 && argc != 5) || argv[1][0] == '-' ||
        (argc == 5 && (!parse(argv[2], MILLION, &damage) || !parse(argv[3], MILLION, &loss) ||
                       !parse(argv[4], UINT64_MAX, &seed))))
        return usage(stderr);
    int end_signals = open_end_signals();
    struct wire wire = {.socket = -1};
    if (end_signals < 0 || !open_wire(&wire, argv[1]))
        return 2;
    for (int i = 0; i < 2; i++)
        wire.faults[i] = (struct fault){
            .state = 2 * seed + (uint64_t)i, .damage = (uint32_t)damage, .loss = (uint32_t)loss};
    bool ok = run(&wire, end_signals);
    if (!ok)
        fprintf(stderr, "evgpu-board-ethernet: %s: %s\n", argv[1], strerror(errno));
    for (int i = 0; i < 2; i++)
        printf("%s the board: %llu frames, %llu damaged, %llu lost\n", i ? "from" : "to",
               (unsigned long long)wire.faults[i].passed,
               (unsigned long long)wire.faults[i].damaged, (unsigned long long)wire.faults[i].lost);
    if (wire.is_unix)
        unlink(argv[1]);
    return ok ? 0 : 1;
}
