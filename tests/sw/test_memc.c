/* memcached's GET: the kernel against the host reference, the reference against replies as a server
 * writes them, the items. */
#include "tests/sw/packet_vm.h"

#include <stdio.h>
#include <unistd.h>

#include "sw/services/common/bytes.h"
#include "sw/services/memc/memc.h"
#include "sw/services/memc/memcgen.h"

#define SLOT    2048u
#define ENTRIES 1024u

struct server {
    struct packet_vm p;
    struct memc_items items;
    struct memc_layout layout;
    struct memc_server server;
    struct memcgen *generator;
};

static int create_server(void **state)
{
    struct server *s = ALLOC(struct server);
    struct packet_vm *p = &s->p;
    struct error err = {0};
    rng_seed(&p->rng, 11);
    /* Nearly full, so that keys lie in other buckets than their own; of lengths that end anywhere.
     */
    assert_true(memc_items_generate(5, 1000, 21, 37, &s->items, &err));
    for (uint32_t i = 0; i < s->items.count; i++) { /* numbers of every length */
        s->items.pair[i].cas = rng_u64(&p->rng) >> rng_below(&p->rng, 64);
        s->items.pair[i].flags = (uint32_t)rng_u64(&p->rng) >> rng_below(&p->rng, 32);
    }
    assert_true(memc_layout(&s->items, ENTRIES, &s->layout, &err));
    s->server = (struct memc_server){&s->items, 11211, false};
    s->generator = memcgen_create(&s->items, 21, 11211, false);
    p->threads_per_packet = 1;
    p->result_words = 2;
    p->count_arg = 2;
    p->results_arg = 10;
    packet_vm_create(p, 16u << 20, "sw/services/memc/memc_get.ptx", "memc_get", SLOT);
    uint32_t *tags = ALLOC_ARRAY(uint32_t, ENTRIES);
    uint8_t *table = alloc_array(ENTRIES, s->layout.item_bytes);
    memc_fill(&s->items, &s->layout, tags, table);
    p->arguments[3] = packet_vm_table(p, tags, ENTRIES * 4);
    p->arguments[4] = packet_vm_table(p, table, (uint64_t)ENTRIES * s->layout.item_bytes);
    p->arguments[5] = ENTRIES / MEMC_WAYS - 1;
    p->arguments[6] = s->layout.item_bytes;
    p->arguments[7] = s->layout.key_room;
    p->arguments[8] = 11211;
    free(tags);
    free(table);
    *state = s;
    return 0;
}

static int destroy_server(void **state)
{
    struct server *s = *state;
    packet_vm_destroy(&s->p);
    memcgen_destroy(s->generator);
    memc_items_free(&s->items);
    free(s);
    return 0;
}

/* A packet of any kind; now and then with bits flipped, or cut short. */
static uint32_t make_packet(void *user, uint8_t *frame)
{
    struct server *s = user;
    struct rng *rng = &s->p.rng;
    uint32_t kind = rng_below(rng, MEMCGEN_KINDS + 4);
    uint32_t length =
        memcgen_frame(s->generator, frame, kind < MEMCGEN_KINDS ? kind : MEMCGEN_KINDS, rng);
    if (rng_chance(rng, 1, 10))
        frame[12 + rng_below(rng, length - 12)] ^= (uint8_t)(1u << rng_below(rng, 8));
    if (rng_chance(rng, 1, 10)) { /* of the request, without a checksum that would tell */
        write_be16(frame + MEMC_UDP + 6, 0);
        frame[MEMC_REQUEST + rng_below(rng, length - MEMC_REQUEST)] = (uint8_t)rng_u64(rng);
    }
    if (rng_chance(rng, 1, 20))
        length = rng_below(rng, 61);
    return length;
}

/* The slot as it is to be: replies end in zeros up to a whole word. */
static void expect(struct server *s, uint32_t i, uint32_t verdicts[MEMC_VERDICTS])
{
    uint8_t *slot = s->p.slots + (size_t)i * SLOT;
    uint32_t length = slot[0] | (uint32_t)slot[1] << 8;
    enum memc_verdict verdict = memc_reference(slot + 2, &length, &s->server);
    bool answered = verdict == MEMC_HIT || verdict == MEMC_MISS;
    for (uint32_t at = length + 2; answered && at & 3; at++)
        slot[at] = 0;
    s->p.result[2 * i] = verdict;
    s->p.result[2 * i + 1] = answered ? length : 0;
    verdicts[verdict]++;
}

static void kernel_equals_reference(void **state)
{
    struct server *s = *state;
    struct packet_vm *p = &s->p;
    uint32_t verdicts[MEMC_VERDICTS] = {0};
    for (uint32_t run = 0; run < 500; run++) {
        uint32_t count = run < 33 ? run : 1 + rng_below(&p->rng, 32);
        p->arguments[9] = s->server.skip_checksums = run % 5 == 4;
        packet_vm_fill(p, make_packet, s);
        for (uint32_t i = 0; i < count; i++)
            expect(s, i, verdicts);
        packet_vm_run(p, count);
        packet_vm_compare(p);
    }
    s->server.skip_checksums = false;
    assert_int_equal(verdicts[MEMC_NONE], 0);
    for (uint32_t v = MEMC_HIT; v < MEMC_VERDICTS; v++)
        if (verdicts[v] < 50)
            fail_msg("'%s' was seen %u times only", memc_verdict_name(v), verdicts[v]);
}

/* A request around its headers; the length of the frame. */
static uint32_t wrap(uint8_t *frame, const void *request, uint32_t bytes)
{
    static const uint8_t HEAD[MEMC_REQUEST] = {
        2,    'm',  0,    0,    0, 1,  2,  'c', 0,    0,    0, 1, 8, 0,   0x45, 0, 0,
        0,    0x12, 0x34, 0x40, 0, 64, 17, 0,   0,    127,  0, 0, 1, 127, 0,    0, 1,
        0xC0, 1,    0x2B, 0xCB, 0, 0,  0,  0,   0xAB, 0xCD, 0, 0, 0, 1,   0,    0};
    memcpy(frame, HEAD, sizeof HEAD);
    memcpy(frame + MEMC_REQUEST, request, bytes);
    write_be16(frame + MEMC_IP + 2, 36 + bytes);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 20; i += 2)
        sum += read_be16(frame + MEMC_IP + i);
    sum = (sum & 0xFFFF) + (sum >> 16);
    write_be16(frame + MEMC_IP + 10, ~((sum & 0xFFFF) + (sum >> 16)));
    write_be16(frame + MEMC_UDP + 4, 16 + bytes);
    return MEMC_REQUEST + bytes;
}

struct dialogue {
    enum memc_verdict verdict;
    uint32_t bytes, reply_bytes;
    const char *request, *reply;
};

#define SAYS(verdict, request, reply)                                                              \
    {                                                                                              \
        verdict, sizeof(request) - 1, sizeof(reply) - 1, request, reply                            \
    }

/* What libmemcached 1.1.4 and memcached 1.6.18 say to each other, recorded: ASCII has a blank
 * behind the key; binary GETK alone; several keys are GETKQ and NOOP. */
static const struct dialogue DIALOGUES[] = {
    SAYS(MEMC_HIT, "get sixteen-byte-key \r\n", "VALUE sixteen-byte-key 0 2\r\nxy\r\nEND\r\n"),
    SAYS(MEMC_HIT, "gets k2\r\n", "VALUE k2 77 5 2\r\nhello\r\nEND\r\n"),
    SAYS(MEMC_MISS, "get absent\r\n", "END\r\n"),
    SAYS(MEMC_HIT, "get k2\n", "VALUE k2 77 5\r\nhello\r\nEND\r\n"),
    SAYS(MEMC_SEVERAL, "get k2 sixteen-byte-key \r\n", ""),
    SAYS(MEMC_SEVERAL, "get k2\r\nget k2\r\n", ""),
    SAYS(MEMC_UNKNOWN, "set k2 0 0 1\r\nx\r\n", ""),
    SAYS(MEMC_UNKNOWN, "GET k2\r\n", ""),
    SAYS(MEMC_BAD_REQUEST, "get k2", ""),
    SAYS(MEMC_BAD_KEY, "get  \r\n", ""),
    SAYS(MEMC_HIT, "\x80\x0C\0\x02\0\0\0\0\0\0\0\x02\0\0\0\x05\0\0\0\0\0\0\0\0k2",
         "\x81\x0C\0\x02\x04\0\0\0\0\0\0\x0B\0\0\0\x05\0\0\0\0\0\0\0\x02\0\0\0\x4Dk2hello"),
    SAYS(MEMC_HIT, "\x80\0\0\x02\0\0\0\0\0\0\0\x02\0\0\0\x06\0\0\0\0\0\0\0\0k2",
         "\x81\0\0\0\x04\0\0\0\0\0\0\x09\0\0\0\x06\0\0\0\0\0\0\0\x02\0\0\0\x4Dhello"),
    SAYS(MEMC_MISS, "\x80\0\0\x02\0\0\0\0\0\0\0\x02\0\0\0\x07\0\0\0\0\0\0\0\0no",
         "\x81\0\0\0\0\0\0\x01\0\0\0\x09\0\0\0\x07\0\0\0\0\0\0\0\0Not found"),
    SAYS(MEMC_MISS, "\x80\x0C\0\x02\0\0\0\0\0\0\0\x02\0\0\0\x08\0\0\0\0\0\0\0\0no",
         "\x81\x0C\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x08\0\0\0\0\0\0\0\0no"),
    SAYS(MEMC_QUIET_MISS, "\x80\x09\0\x02\0\0\0\0\0\0\0\x02\0\0\0\x08\0\0\0\0\0\0\0\0no", ""),
    SAYS(MEMC_SEVERAL,
         "\x80\x0D\0\x02\0\0\0\0\0\0\0\x02\0\0\0\x08\0\0\0\0\0\0\0\0k2"
         "\x80\x0A\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
         ""),
    SAYS(MEMC_UNKNOWN, "\x80\x0A\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "")};

static void items_file(struct memc_items *items, const char *text, struct error *err)
{
    char path[] = "/tmp/evgpu-test-XXXXXX";
    FILE *out = fdopen(mkstemp(path), "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    memc_items_read(path, items, err);
    remove(path);
}

static void replies_are_those_of_a_server(void **state)
{
    struct memc_items items;
    struct error err = {0};
    (void)state;
    items_file(&items, "# key value flags\nsixteen-byte-key xy\nk2 hello 77\n", &err);
    assert_int_equal(items.count, 2);
    struct memc_server server = {&items, 11211, false};
    for (size_t i = 0; i < sizeof DIALOGUES / sizeof *DIALOGUES; i++) {
        const struct dialogue *d = &DIALOGUES[i];
        uint8_t frame[SLOT] = {0};
        uint32_t length = wrap(frame, d->request, d->bytes);
        enum memc_verdict verdict = memc_reference(frame, &length, &server);
        if (verdict != d->verdict)
            fail_msg("dialogue %zu: '%s'", i, memc_verdict_name(verdict));
        if (!d->reply_bytes)
            continue;
        uint32_t want = MEMC_REQUEST + d->reply_bytes;
        assert_int_equal(length, want < MEMC_LEAST_FRAME ? MEMC_LEAST_FRAME : want);
        assert_int_equal(read_be16(frame + MEMC_UDP + 4), 16 + d->reply_bytes);
        assert_int_equal(read_be16(frame + MEMC_HEADER), 0xABCD);
        assert_memory_equal(frame + MEMC_REQUEST, d->reply, d->reply_bytes);
    }
    memc_items_free(&items);
}

static void items_are_checked(void **state)
{
    struct memc_items items;
    struct memc_layout layout;
    struct error err = {0};
    (void)state;
    items_file(&items, "alone\n", &err);
    assert_non_null(strstr(err.text, ":1: 'alone': a line must have a key, a value"));
    err = (struct error){0};
    items_file(&items, "a b c\n", &err);
    assert_non_null(strstr(err.text, "flags"));
    err = (struct error){0};
    items_file(&items, "same first\nother x\nsame second\n", &err);
    assert_int_equal(items.count, 2);
    assert_memory_equal(memc_items_find(&items, (const uint8_t *)"same", 4)->value, "second", 6);
    assert_null(memc_items_find(&items, (const uint8_t *)"sam", 3));
    assert_false(memc_layout(&items, 12, &layout, &err));
    assert_non_null(strstr(err.text, "power of two"));
    memc_items_free(&items);
    err = (struct error){0};
    assert_false(memc_items_generate(1, 40, 1, 2, &items, &err));
    assert_non_null(strstr(err.text, "distinct keys of 1 bytes"));
    assert_int_equal(memc_hash((const uint8_t *)"hello", 5), 0x248BFA47); /* published value */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernel_equals_reference),
                                       cmocka_unit_test(replies_are_those_of_a_server),
                                       cmocka_unit_test(items_are_checked)};
    return cmocka_run_group_tests(tests, create_server, destroy_server);
}
