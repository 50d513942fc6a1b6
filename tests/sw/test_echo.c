/* Echo: the kernel against the host reference. */
#include "tests/sw/packet_vm.h"

#include "sw/services/common/bytes.h"
#include "sw/services/echo/echo_reference.h"
#include "sw/services/echo/echogen.h"

#define PORT 7u

struct server {
    struct packet_vm p;
    struct echogen *generator;
};

static int create_server(void **state)
{
    struct server *s = ALLOC(struct server);
    struct packet_vm *p = &s->p;
    rng_seed(&p->rng, 862);
    s->generator = echogen_create(PORT);
    p->result_words = p->threads_per_packet = 1;
    p->count_arg = 2;
    p->results_arg = 4;
    packet_vm_create(p, 1u << 20, "sw/services/echo/echo.ptx", "echo", 1536);
    *state = s;
    return 0;
}

static int destroy_server(void **state)
{
    struct server *s = *state;
    packet_vm_destroy(&s->p);
    echogen_destroy(s->generator);
    free(s);
    return 0;
}

/* An answer by hand: 10.1.2.3 port 50000 asks 192.0.2.1. */
static void answers_a_datagram(void **state)
{
    (void)state;
    static const uint8_t asked[] = {2,   0, 0,  0, 0,   1,  2, 0, 0,  0,    0,    9,  8,   0,  0x45,
                                    0,   0, 30, 0, 0,   0,  0, 9, 17, 0xE3, 0xCA, 10, 1,   2,  3,
                                    192, 0, 2,  1, 195, 80, 0, 7, 0,  10,   0,    0,  'h', 'i'};
    static const uint8_t answer[] = {
        2, 0,  0,    0,    0,   9, 2, 0, 0,  0, 0, 1, 8, 0, 0x45, 0,  0, 30, 0, 0, 0,   0,
        9, 17, 0xE3, 0xCA, 192, 0, 2, 1, 10, 1, 2, 3, 0, 7, 195,  80, 0, 10, 0, 0, 'h', 'i'};
    uint8_t frame[sizeof asked];
    memcpy(frame, asked, sizeof asked);
    assert_int_equal(echo_reference(frame, sizeof frame, PORT), ECHO_ANSWERED);
    assert_memory_equal(frame, answer, sizeof answer);
    assert_int_equal(echo_reference(frame, sizeof frame, PORT), ECHO_OTHER); /* to port 50000 */
    assert_int_equal(echo_reference(frame, sizeof frame, 0), ECHO_ANSWERED);
    assert_memory_equal(frame, asked, sizeof asked);
    assert_int_equal(echo_reference(frame, sizeof frame - 1, PORT), ECHO_TOO_SHORT);
}

/* A frame of any kind; now and then with bits flipped in its headers, or cut short. */
static uint32_t make_packet(void *user, uint8_t *frame)
{
    struct server *s = user;
    struct rng *rng = &s->p.rng;
    uint32_t kind = rng_chance(rng, 2, 3) ? ECHOGEN_KINDS : rng_below(rng, ECHOGEN_KINDS);
    uint32_t length = 60 + (rng_chance(rng, 1, 3) ? rng_below(rng, 1455) : 0);
    length = echogen_frame(s->generator, frame, length, kind, rng);
    if (rng_chance(rng, 1, 10))
        frame[12 + rng_below(rng, 30)] ^= (uint8_t)(1u << rng_below(rng, 8));
    if (rng_chance(rng, 1, 10)) /* a length of UDP that does not agree */
        write_be16(frame + 38, rng_below(rng, 64));
    if (rng_chance(rng, 1, 20))
        length = rng_below(rng, 61);
    return length;
}

static void kernel_equals_reference(void **state)
{
    struct server *s = *state;
    struct packet_vm *p = &s->p;
    uint32_t verdicts[ECHO_VERDICTS] = {0};
    for (uint32_t run = 0; run < 700; run++) {
        uint32_t count = run < 33 ? run : 1 + rng_below(&p->rng, 32);
        uint32_t port = run & 1 ? PORT : 0;
        p->arguments[3] = port;
        packet_vm_fill(p, make_packet, s);
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *slot = p->slots + (size_t)i * p->slot_bytes;
            p->result[i] = echo_reference(slot + 2, read_be16((uint8_t[]){slot[1], slot[0]}), port);
            verdicts[p->result[i]]++;
        }
        packet_vm_run(p, count);
        packet_vm_compare(p);
    }
    assert_int_equal(verdicts[ECHO_NONE], 0);
    for (uint32_t v = ECHO_ANSWERED; v < ECHO_VERDICTS; v++)
        assert_true(verdicts[v] > 100); /* each verdict was put to the test */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_a_datagram),
                                       cmocka_unit_test(kernel_equals_reference)};
    return cmocka_run_group_tests(tests, create_server, destroy_server);
}
