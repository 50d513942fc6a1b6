#include "tb/board_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "tb/ethernet.h"
#include "tb/serial.h"
#include "tb/serial_port.h"

enum { ETHERNET_MS = 1 }; /* of any message at 100 Mbit/s */

struct board_line {
    char *name;
    char rate[32];
    struct ethernet *ethernet; /* NULL: a serial port */
    int port;
    uint32_t baud;
    struct frame_decoder decoder;
    uint8_t received[FRAME_MAX_WIRE]; /* bytes not yet decoded: taken..count-1 */
    size_t taken, count;
};

int64_t board_line_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool parse_port(struct board_line *line, const char *text, struct error *err)
{
    const char *at = strrchr(text, '@');
    line->name = alloc_string_n(text, at ? (size_t)(at - text) : strlen(text));
    line->baud = SERIAL_BAUD;
    if (!at)
        return true;
    char *end;
    errno = 0;
    unsigned long baud = strtoul(at + 1, &end, 10);
    if (at[1] < '0' || at[1] > '9' || *end || errno || baud > UINT32_MAX)
        return error_set(err, "%s: '%s' is not a baud rate", line->name, at + 1);
    line->baud = (uint32_t)baud;
    return true;
}

static bool open_serial(struct board_line *line, const char *port, struct error *err)
{
    if (!parse_port(line, port, err))
        return false;
    snprintf(line->rate, sizeof line->rate, " at %u baud", line->baud);
    line->port = serial_port_open(line->name, line->baud, err);
    return line->port >= 0;
}

struct board_line *board_line_open(const char *port, struct error *err)
{
    static const char ethernet[] = "eth:";
    struct board_line *line = ALLOC(struct board_line);
    line->port = -1;
    if (strncmp(port, ethernet, strlen(ethernet)) != 0) {
        if (open_serial(line, port, err))
            return line;
    } else {
        line->name = alloc_string(port);
        line->ethernet = ethernet_open(port + strlen(ethernet), err);
        if (line->ethernet)
            return line;
    }
    board_line_close(line);
    return NULL;
}

void board_line_close(struct board_line *line)
{
    if (!line)
        return;
    if (line->port >= 0)
        serial_port_close(line->port);
    ethernet_close(line->ethernet);
    free(line->name);
    free(line);
}

const char *board_line_name(const struct board_line *line)
{
    return line->name;
}

const char *board_line_rate(const struct board_line *line)
{
    return line->rate;
}

int64_t board_line_ms(const struct board_line *line, size_t count)
{
    return line->ethernet ? ETHERNET_MS
                          : (int64_t)(2 * count + FRAME_MAX_WIRE) * 10000 / line->baud;
}

bool board_line_send(struct board_line *line, const uint8_t *message, size_t count,
                     struct error *err)
{
    uint8_t wire[FRAME_MAX_WIRE];
    bool ok = line->ethernet
                  ? ethernet_send(line->ethernet, message, count, err)
                  : serial_port_write(line->port, wire, frame_encode(message, count, wire), err);
    if (!ok)
        error_prefix(err, "%s", line->name);
    return ok;
}

static bool receive_serial(struct board_line *line, int64_t deadline, struct board_message *m,
                           struct error *err)
{
    m->bytes = line->decoder.message;
    for (;;) {
        while (line->taken < line->count) {
            m->event = frame_decode(&line->decoder, line->received[line->taken++]);
            m->count = line->decoder.count;
            if (m->event != FRAME_NOTHING)
                return true;
        }
        int64_t left = deadline - board_line_now_ms();
        if (left <= 0)
            return true;
        line->taken = 0;
        if (!serial_port_read(line->port, line->received, sizeof line->received, (int)left,
                              &line->count, err))
            return false;
    }
}

bool board_line_receive(struct board_line *line, int64_t deadline_ms, struct board_message *message,
                        struct error *err)
{
    bool ok;
    *message = (struct board_message){.event = FRAME_NOTHING};
    if (line->ethernet) {
        int64_t left = deadline_ms - board_line_now_ms();
        ok = ethernet_receive(line->ethernet, left > 0 ? (int)left : 0, &message->bytes,
                              &message->count, err);
        message->event = message->bytes ? FRAME_GOOD : FRAME_NOTHING;
    } else {
        ok = receive_serial(line, deadline_ms, message, err);
    }
    if (!ok)
        error_prefix(err, "%s", line->name);
    return ok;
}
