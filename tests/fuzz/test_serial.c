/* The serial line to a board: frames, and a link to a board that answers what the input says. A
 * process behind a pseudo-terminal is the board; each answer is a chunk: its kind, its length, its
 * bytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "evgpu_defs.h"
#include "sm_event_unit_kind.h"
#include "tb/serial.h"
#include "tb/serial_frame.h"
#include "tests/fuzz/fuzz.h"

#define MOST_ANSWERS 64u

static void frames(const uint8_t *data, size_t size)
{
    static const uint8_t noise[] = {0x12, 0x7E, 0x7E, 0x7D};
    uint8_t wire[FRAME_MAX_WIRE];
    struct frame_decoder decoder = {0}, all = {0};
    size_t n = size < FRAME_MAX_MESSAGE - 2 ? size : FRAME_MAX_MESSAGE - 2, good = 0;
    size_t bytes = frame_encode(data, n, wire);
    fuzz_expect(bytes <= sizeof wire, "a frame fits");
    for (size_t i = 0; i < bytes; i++)
        if (frame_decode(&decoder, wire[i]) == FRAME_GOOD)
            good += decoder.count == n && !memcmp(decoder.message, data, n);
    fuzz_expect(good == (n > 0), "a frame is read as it was written");
    for (size_t i = 0; i < size + sizeof noise; i++) {
        enum frame_event e = frame_decode(&all, i < size ? data[i] : noise[i - size]);
        fuzz_expect(e != FRAME_GOOD || all.count <= FRAME_MAX_MESSAGE, "a message fits");
    }
}

/* --- the board -------------------------------------------------------------------------------- */

/* The number of the next request; false: the line is closed. */
static bool wait_request(int port, uint8_t *number)
{
    struct frame_decoder decoder = {0};
    uint8_t byte;
    while (read(port, &byte, 1) == 1) {
        if (frame_decode(&decoder, byte) == FRAME_GOOD && decoder.count) {
            *number = decoder.message[0];
            return true;
        }
    }
    return false;
}

static void answer(int port, uint8_t number, uint8_t kind, const uint8_t *data, size_t size)
{
    static const uint8_t damaged[] = {0x7E, 1, 2, 3, 0x7E};
    uint8_t message[FRAME_MAX_MESSAGE] = {number, LINK_STATUS_OK}, wire[FRAME_MAX_WIRE];
    if (kind & 1) { /* bytes, and an end to what they may have begun */
        if (write(port, data, size) < 0 || write(port, damaged, sizeof damaged) < 0)
            _exit(0);
        return;
    }
    memcpy(message + (kind & 2 ? 1 : 2), data, size);
    size_t n = frame_encode(message, size + (kind & 2 ? 1 : 2), wire);
    if (write(port, wire, n) < 0)
        _exit(0);
}

static void board(int port, const uint8_t *data, size_t size)
{
    uint8_t number;
    for (uint32_t i = 0; i < MOST_ANSWERS && size >= 2 && wait_request(port, &number); i++) {
        size_t n = data[1] < size - 2 ? data[1] : size - 2;
        answer(port, number, data[0], data + 2, n);
        data += 2 + n;
        size -= 2 + n;
    }
    if (wait_request(port, &number)) /* the last word is an end of the line */
        close(port);
    _exit(0);
}

/* --- the host --------------------------------------------------------------------------------- */

static void use(struct serial_link *link, bool ahead)
{
    static const uint8_t in[1024];
    static uint8_t out[4096];
    const struct tile_kind *kind = &sm_event_unit_kind;
    struct error err = {0}, failed = {0};
    fuzz_expect(kind->in_bytes <= sizeof in && kind->out_bytes <= sizeof out, "room for ports");
    if (!serial_link_has(link, kind))
        return;
    struct serial_tile *tile = serial_tile_create(link, kind, ahead, "tile", &err);
    fuzz_check(tile != NULL, &err);
    serial_tile_reset(tile, out);
    for (uint32_t i = 0; i < 8 && !failed.set; i++)
        serial_tile_step(tile, in, out, &failed);
    if (!failed.set)
        serial_link_settle(link, &failed);
    serial_tile_destroy(tile);
}

static void one(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct termios mode;
    frames(data, size);
    int port = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    fuzz_expect(port >= 0 && !grantpt(port) && !unlockpt(port), "a pseudo-terminal");
    char path[64];
    fuzz_expect(ptsname_r(port, path, sizeof path) == 0, "its name");
    int keep = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC); /* so that the board can read at once */
    fuzz_expect(keep >= 0 && tcgetattr(keep, &mode) == 0, "its other end");
    cfmakeraw(&mode);
    tcsetattr(keep, TCSANOW, &mode);
    pid_t child = fork();
    fuzz_expect(child >= 0, "a process");
    if (child == 0) {
        close(keep);
        board(port, data, size);
    }
    close(port);
    struct serial_link *link = serial_link_open(path, &err);
    fuzz_check(link != NULL, &err);
    if (link)
        use(link, size % 2);
    serial_link_close(link);
    close(keep);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void seeds(void)
{
    /* A board of one tile: its signature, the reset, steps with changed outputs. */
    uint8_t input[64] = {0, 6, EVG_LINK_PROTOCOL, 1};
    for (uint32_t i = 0; i < 4; i++)
        input[4 + i] = (uint8_t)(sm_event_unit_kind.signature >> (8 * i));
    static const uint8_t steps[] = {0,    0, 0, 4, 0, 1,   3, 255, 1, 3,
                                    0x7E, 0, 0, 0, 2, 255, 0, 2,   1, 1};
    memcpy(input + 8, steps, sizeof steps);
    fuzz_seed(input, 8 + sizeof steps);
}

const struct fuzz_target fuzz_target = {
    .name = "serial", .one = one, .seeds = seeds, .mutants = 300};
