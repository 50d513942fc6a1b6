#include "tb/serial_frame.h"

enum { FLAG = 0x7e, ESCAPE = 0x7d, ESCAPED = 0x20, CRC_BYTES = 2 };

/* CRC-16/CCITT, most significant bit first, from 0xffff; 0 over a message with its CRC. */
static uint16_t crc_next(uint16_t crc, uint8_t byte)
{
    uint32_t value = crc ^ (uint32_t)byte << 8;
    for (int bit = 0; bit < 8; bit++)
        value = (value << 1) ^ (value & 0x8000 ? 0x1021 : 0);
    return (uint16_t)value;
}

static size_t put(uint8_t *wire, size_t at, uint8_t byte)
{
    if (byte == FLAG || byte == ESCAPE) {
        wire[at++] = ESCAPE;
        byte ^= ESCAPED;
    }
    wire[at++] = byte;
    return at;
}

size_t frame_encode(const uint8_t *message, size_t count, uint8_t wire[FRAME_MAX_WIRE])
{
    uint16_t crc = 0xffff;
    size_t at = 0;
    wire[at++] = FLAG;
    for (size_t i = 0; i < count; i++) {
        crc = crc_next(crc, message[i]);
        at = put(wire, at, message[i]);
    }
    at = put(wire, at, (uint8_t)(crc >> 8));
    at = put(wire, at, (uint8_t)crc);
    wire[at++] = FLAG;
    return at;
}

static enum frame_event close_frame(struct frame_decoder *d)
{
    bool empty = !d->in_frame || (d->count == 0 && !d->escaped);
    bool good = d->count > CRC_BYTES && d->crc == 0 && !d->escaped && !d->overrun;
    if (good)
        d->count -= CRC_BYTES;
    d->in_frame = false;
    return empty ? FRAME_NOTHING : good ? FRAME_GOOD : FRAME_BAD;
}

enum frame_event frame_decode(struct frame_decoder *d, uint8_t byte)
{
    if (byte == FLAG) {
        enum frame_event event = close_frame(d);
        if (event == FRAME_NOTHING)
            d->count = 0;
        return event;
    }
    if (!d->in_frame) {
        d->in_frame = true;
        d->count = 0;
        d->crc = 0xffff;
        d->escaped = d->overrun = false;
    }
    if (byte == ESCAPE && !d->escaped) {
        d->escaped = true;
        return FRAME_NOTHING;
    }
    if (d->escaped)
        byte ^= ESCAPED;
    d->escaped = false;
    d->crc = crc_next(d->crc, byte);
    if (d->count < FRAME_MAX_MESSAGE)
        d->message[d->count++] = byte;
    else
        d->overrun = true;
    return FRAME_NOTHING;
}
