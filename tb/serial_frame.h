/* Frames of the serial link to a board: FLAG, the message with its CRC, FLAG, with FLAG and ESCAPE
 * inside a frame escaped (docs/design/fpga.md, "The link"). */
#ifndef EVGPU_TB_SERIAL_FRAME_H
#define EVGPU_TB_SERIAL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_MAX_MESSAGE = 511, /* bytes, CRC included */
    FRAME_MAX_WIRE = 2 * FRAME_MAX_MESSAGE + 2
};

/* Encodes `count` bytes, at most FRAME_MAX_MESSAGE - 2; returns the bytes for the line. */
size_t frame_encode(const uint8_t *message, size_t count, uint8_t wire[FRAME_MAX_WIRE]);

struct frame_decoder {
    uint8_t message[FRAME_MAX_MESSAGE];
    size_t count;
    uint16_t crc;
    bool in_frame, escaped, overrun;
};

/* FRAME_GOOD: `message` holds `count` bytes, until the next call. FRAME_BAD: damaged. */
enum frame_event { FRAME_NOTHING, FRAME_GOOD, FRAME_BAD };

enum frame_event frame_decode(struct frame_decoder *decoder, uint8_t byte);

#endif
