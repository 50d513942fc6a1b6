/* Frames of the serial link: what goes in comes out; whatever a line does to a byte is noticed. */
#include "tb/serial_frame.h"
#include "tests/unit.h"

enum { LONGEST = FRAME_MAX_MESSAGE - 2 };

/* The last event of the bytes; good frames must carry the message. */
static enum frame_event feed(struct frame_decoder *d, const uint8_t *wire, size_t bytes,
                             const uint8_t *message, size_t count)
{
    enum frame_event last = FRAME_NOTHING;
    for (size_t i = 0; i < bytes; i++) {
        enum frame_event event = frame_decode(d, wire[i]);
        if (event == FRAME_NOTHING)
            continue;
        last = event;
        if (event == FRAME_GOOD) {
            assert_int_equal(d->count, count);
            assert_memory_equal(d->message, message, count);
        }
    }
    return last;
}

static void fill(uint8_t *message, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        message[i] = seed >> 30 ? (uint8_t)(seed >> 20) : (uint8_t)(0x7d + (seed >> 29 & 1));
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    struct frame_decoder d = {0};
    uint8_t message[LONGEST], wire[FRAME_MAX_WIRE];
    for (uint32_t count = 1; count <= LONGEST; count++) {
        fill(message, count, count);
        size_t bytes = frame_encode(message, count, wire);
        assert_true(bytes <= FRAME_MAX_WIRE);
        assert_null(memchr(wire + 1, 0x7e, bytes - 2));
        assert_int_equal(feed(&d, wire, bytes, message, count), FRAME_GOOD);
    }
}

/* The check value of CRC-16/CCITT-FALSE, as every description of it gives it. */
static void test_crc(void **state)
{
    (void)state;
    uint8_t wire[FRAME_MAX_WIRE];
    size_t bytes = frame_encode((const uint8_t *)"123456789", 9, wire);
    assert_int_equal(bytes, 13);
    assert_int_equal(wire[10], 0x29);
    assert_int_equal(wire[11], 0xb1);
}

static void test_damaged_bit(void **state)
{
    (void)state;
    uint8_t message[20], wire[FRAME_MAX_WIRE];
    fill(message, sizeof message, 7);
    size_t bytes = frame_encode(message, sizeof message, wire);
    for (size_t bit = 8; bit < 8 * (bytes - 1); bit++) {
        struct frame_decoder d = {0};
        wire[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_not_equal(feed(&d, wire, bytes, message, 0), FRAME_GOOD);
        wire[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(feed(&d, wire, bytes, message, sizeof message), FRAME_GOOD);
    }
}

static void test_lost_byte(void **state)
{
    (void)state;
    uint8_t message[20], wire[FRAME_MAX_WIRE], rest[FRAME_MAX_WIRE];
    fill(message, sizeof message, 9);
    size_t bytes = frame_encode(message, sizeof message, wire);
    for (size_t lost = 1; lost + 1 < bytes; lost++) {
        struct frame_decoder d = {0};
        memcpy(rest, wire, lost);
        memcpy(rest + lost, wire + lost + 1, bytes - lost - 1);
        assert_int_equal(feed(&d, rest, bytes - 1, message, 0), FRAME_BAD);
        assert_int_equal(feed(&d, wire, bytes, message, sizeof message), FRAME_GOOD);
    }
}

static void test_too_long(void **state)
{
    (void)state;
    struct frame_decoder d = {0};
    for (int i = 0; i < 2 * FRAME_MAX_MESSAGE; i++)
        assert_int_equal(frame_decode(&d, 0), FRAME_NOTHING);
    assert_int_equal(frame_decode(&d, 0x7e), FRAME_BAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_crc),
        cmocka_unit_test(test_damaged_bit), cmocka_unit_test(test_lost_byte),
        cmocka_unit_test(test_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
