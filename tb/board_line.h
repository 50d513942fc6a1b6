/* What carries the messages between host and board (docs/design/fpga.md, "The link"): a serial
 * port, or Ethernet frames. A message may be lost or, on a serial port, damaged. */
#ifndef EVGPU_TB_BOARD_LINE_H
#define EVGPU_TB_BOARD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tb/serial_frame.h"

struct board_line;

/* `port` is PATH or PATH@BAUD of a serial port, or eth:NAME: a network interface, for which the
 * process needs CAP_NET_RAW, or with a slash in its name the Unix datagram socket of a simulated
 * board. NULL with an error that names the port. */
struct board_line *board_line_open(const char *port, struct error *err);
void board_line_close(struct board_line *line);

/* The port without its rate. */
const char *board_line_name(const struct board_line *line);
/* ", with its rate" for messages, or nothing. */
const char *board_line_rate(const struct board_line *line);
/* Milliseconds that a message of so many bytes and the longest answer take on the line. */
int64_t board_line_ms(const struct board_line *line, size_t count);

/* At most FRAME_MAX_MESSAGE - 2 bytes. */
bool board_line_send(struct board_line *line, const uint8_t *message, size_t count,
                     struct error *err);

/* The next message or FRAME_BAD, a damaged one; FRAME_NOTHING: none came before the deadline. The
 * message lasts until the next call. */
struct board_message {
    enum frame_event event;
    const uint8_t *bytes;
    size_t count;
};
bool board_line_receive(struct board_line *line, int64_t deadline_ms, struct board_message *message,
                        struct error *err);

/* The clock of deadlines. */
int64_t board_line_now_ms(void);

#endif
