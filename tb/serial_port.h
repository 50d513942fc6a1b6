/* A serial port, raw, 8 data bits, no parity, one stop bit. */
#ifndef EVGPU_TB_SERIAL_PORT_H
#define EVGPU_TB_SERIAL_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Opens and locks; -1 with an error. `baud` is one of termios's rates, 9600..3000000. */
int serial_port_open(const char *path, uint32_t baud, struct error *err);

void serial_port_close(int port);

/* Writes all bytes. */
bool serial_port_write(int port, const uint8_t *data, size_t bytes, struct error *err);

/* Waits at most timeout_ms for the first byte; *got is 0 after a time-out. */
bool serial_port_read(int port, uint8_t *data, size_t room, int timeout_ms, size_t *got,
                      struct error *err);

#endif
