/* ESP: the kernel against the host reference with OpenSSL's ciphers, the replay rules, the file of
 * associations. */
#include "tests/sw/packet_vm.h"

#include <stdio.h>
#include <unistd.h>

#include "sw/services/common/bytes.h"
#include "sw/services/ipsec/esp_reference.h"
#include "sw/services/ipsec/espgen.h"
#include "sw/services/ipsec/seal_reference.h"
#include "sw/services/ipsec/sealgen.h"

#define SLOT    1600u
#define TUNNELS 40u

struct gateway {
    struct packet_vm p;
    struct sa_list sas;
    struct esp_receiver *receiver;
    struct espgen *generator;
    uint32_t icv_bytes;
};

static void start(struct gateway *g, uint32_t payload, uint32_t icv_bytes)
{
    if (g->receiver)
        esp_receiver_destroy(g->receiver);
    espgen_destroy(g->generator);
    g->icv_bytes = icv_bytes;
    g->receiver = esp_receiver_create(&g->sas, icv_bytes);
    g->generator = espgen_create(&g->sas, payload, icv_bytes);
    uint32_t *windows = ALLOC_ARRAY(uint32_t, sas_places(&g->sas) * ESP_WINDOW);
    g->p.arguments[6] =
        packet_vm_table(&g->p, windows, (uint64_t)sas_places(&g->sas) * ESP_WINDOW * 4);
    g->p.arguments[8] = icv_bytes;
    free(windows);
}

static int create_gateway(void **state)
{
    struct gateway *g = ALLOC(struct gateway);
    struct packet_vm *p = &g->p;
    rng_seed(&p->rng, 50);
    sas_generate(9, TUNNELS, ESP_3DES_CBC, &g->sas);
    for (uint32_t i = 1; i < TUNNELS; i += 2)
        g->sas.sa[i].cipher = ESP_AES128_CBC;
    p->threads_per_packet = 32;
    p->result_words = 2;
    p->count_arg = 2;
    p->results_arg = 9;
    packet_vm_create(p, 64u << 20, "sw/services/ipsec/esp.ptx", "esp_open", SLOT);
    uint32_t places = sas_places(&g->sas);
    struct esp_sa *sas = ALLOC_ARRAY(struct esp_sa, places);
    uint32_t *keys = ALLOC_ARRAY(uint32_t, places * ESP_KEY_WORDS);
    uint32_t ciphers[ESP_DES_WORDS + ESP_AES_WORDS];
    sas_fill(&g->sas, false, sas, keys);
    cipher_tables(false, ciphers);
    p->arguments[3] = packet_vm_table(p, sas, places * sizeof *sas);
    p->arguments[4] = packet_vm_table(p, keys, places * ESP_KEY_WORDS * 4);
    p->arguments[5] = packet_vm_table(p, ciphers, sizeof ciphers);
    p->arguments[7] = places - 1;
    free(sas);
    free(keys);
    *state = g;
    return 0;
}

static int destroy_gateway(void **state)
{
    struct gateway *g = *state;
    packet_vm_destroy(&g->p);
    esp_receiver_destroy(g->receiver);
    espgen_destroy(g->generator);
    sas_free(&g->sas);
    free(g);
    return 0;
}

/* A packet of any kind; now and then with bits flipped, or cut short. */
static uint32_t make_packet(void *user, uint8_t *frame)
{
    struct gateway *g = user;
    struct rng *rng = &g->p.rng;
    uint32_t kind = rng_below(rng, 2 * ESPGEN_KINDS);
    uint32_t length =
        espgen_frame(g->generator, frame, kind < ESPGEN_KINDS ? kind : ESPGEN_KINDS, rng);
    if (rng_chance(rng, 1, 10))
        frame[12 + rng_below(rng, length - 12)] ^= (uint8_t)(1u << rng_below(rng, 8));
    if (rng_chance(rng, 1, 20))
        length = rng_below(rng, 61);
    return length;
}

/* What the slot and the result are to be; the frame of a packet that was opened and then refused is
 * nobody's. */
static void expect(struct gateway *g, uint32_t i, uint32_t verdicts[ESP_VERDICTS])
{
    struct packet_vm *p = &g->p;
    uint8_t *slot = p->slots + (size_t)i * SLOT;
    const uint8_t *got = p->vm.memory + p->slots_at + (size_t)i * SLOT;
    uint32_t came = slot[0] | (uint32_t)slot[1] << 8, length = came, said;
    memcpy(&said, p->vm.memory + p->results_at + 8 * i, 4);
    uint32_t result = esp_reference(g->receiver, slot + 2, &length, (said & 0xFF) == ESP_REPLAY);
    uint32_t verdict = result & 0xFF, room = came < ESP_LEAST_FRAME ? ESP_LEAST_FRAME : came;
    verdicts[verdict]++;
    p->result[2 * i] = result;
    p->result[2 * i + 1] = verdict == ESP_FORWARD ? length : 0;
    if (verdict == ESP_FORWARD)
        memcpy(slot + 2 + length, got + 2 + length, room - length);
    else if (verdict == ESP_BAD_PADDING || verdict == ESP_BAD_INNER || verdict == ESP_REPLAY)
        memcpy(slot + 2, got + 2, room);
}

static void kernel_equals_reference(void **state)
{
    static const struct {
        uint32_t payload, icv_bytes;
    } SHAPES[] = {{256, 0}, {48, 0}, {64, 12}, {272, 16}, {1424, 0}, {528, 12}};
    struct gateway *g = *state;
    struct packet_vm *p = &g->p;
    uint32_t verdicts[ESP_VERDICTS] = {0};
    struct error err = {0};
    for (size_t shape = 0; shape < sizeof SHAPES / sizeof *SHAPES; shape++) {
        start(g, SHAPES[shape].payload, SHAPES[shape].icv_bytes);
        for (uint32_t run = 0; run < 12; run++) {
            uint32_t count = run ? 20 + rng_below(&p->rng, 13) : 0;
            packet_vm_fill(p, make_packet, g);
            packet_vm_run(p, count ? count : 1);
            for (uint32_t i = 0; i < (count ? count : 1); i++)
                expect(g, i, verdicts);
            packet_vm_compare(p);
        }
        if (!esp_settled(g->receiver, &err))
            fail_msg("%s", err.text);
    }
    assert_int_equal(verdicts[ESP_NONE], 0);
    for (uint32_t v = ESP_FORWARD; v < ESP_VERDICTS; v++)
        if (verdicts[v] < 20)
            fail_msg("'%s' was seen %u times only", esp_verdict_name(v), verdicts[v]);
}

/* A good frame of the first association and its length. */
static uint32_t good_frame(struct gateway *g, uint8_t *frame)
{
    uint32_t length;
    do
        length = espgen_frame(g->generator, frame, ESPGEN_KINDS, &g->p.rng);
    while (read_be32(frame + 34) != g->sas.sa[0].spi);
    return length;
}

static void replays_are_held_to_the_rules(void **state)
{
    struct gateway *g = *state;
    uint8_t frame[TRAFFIC_ROOM], copy[TRAFFIC_ROOM];
    for (int lie = 0; lie < 3; lie++) {
        struct error err = {0};
        start(g, 64, 0);
        uint32_t length = good_frame(g, frame), again = length;
        memcpy(copy, frame, length);
        assert_int_equal(esp_reference(g->receiver, copy, &again, lie == 2) & 0xFF,
                         lie == 2 ? ESP_REPLAY : ESP_FORWARD);
        if (lie < 2)
            assert_int_equal(esp_reference(g->receiver, frame, &length, lie == 0) & 0xFF,
                             lie == 0 ? ESP_REPLAY : ESP_FORWARD);
        assert_int_equal(esp_settled(g->receiver, &err), lie == 0);
        if (lie)
            assert_non_null(strstr(err.text, lie == 1 ? "accepted twice" : "is not a replay"));
    }
}

static void associations_are_checked(void **state)
{
    static const struct {
        const char *line, *message;
    } CASES[] = {{"300 3des", "a line must have SPI, cipher, key"},
                 {"255 aes128 00112233445566778899aabbccddeeff", "not an SPI; the lowest is 256"},
                 {"300 des 00112233", "'des' is not 3des or aes128"},
                 {"-18446744073709551000 aes128 00112233445566778899aabbccddeeff", "not an SPI"},
                 {"300 aes128 00112233445566778899aabbccdd-1+f", "has 32 hexadecimal digits"},
                 {"300 aes128 00112233", "has 32 hexadecimal digits"},
                 {"300 aes128 00112233445566778899aabbccddeeff00", "has 32 hexadecimal digits"},
                 {"300 aes128 00112233445566778899aabbccddeeff 1.2.3 4.5.6.7", "IPv4 address"},
                 {"# nothing", "no security association"}};
    (void)state;
    for (size_t i = 0; i <= sizeof CASES / sizeof *CASES; i++) {
        bool good = i == sizeof CASES / sizeof *CASES;
        char path[] = "/tmp/evgpu-test-XXXXXX";
        FILE *out = fdopen(mkstemp(path), "w");
        assert_non_null(out);
        fprintf(out, "%s\n",
                good ? "0x12345678 aes128 0x00112233445566778899aabbccddeeff 10.0.0.1 10.0.0.2"
                     : CASES[i].line);
        fclose(out);
        struct sa_list list;
        struct error err = {0};
        assert_int_equal(sas_read(path, &list, &err), good);
        remove(path);
        if (!good && !strstr(err.text, CASES[i].message))
            fail_msg("\"%s\" lacks \"%s\"", err.text, CASES[i].message);
        if (!good)
            continue;
        assert_int_equal(list.sa[0].spi, 0x12345678);
        assert_int_equal(list.sa[0].source, 0x0A000001);
        assert_int_equal(list.sa[0].key[15], 0xFF);
        sas_free(&list);
    }
}

/* --- sending --- */

struct sender {
    struct packet_vm p;
    struct sa_list sas;
    struct esp_sender *sender;
    struct sealgen *generator;
};

static int create_sender(void **state)
{
    struct sender *g = ALLOC(struct sender);
    struct packet_vm *p = &g->p;
    struct esp_policy policies[TUNNELS];
    rng_seed(&p->rng, 51);
    sas_generate(8, TUNNELS, ESP_3DES_CBC, &g->sas);
    for (uint32_t i = 1; i < TUNNELS; i += 2)
        g->sas.sa[i].cipher = ESP_AES128_CBC;
    g->sas.sa[7].protects = false;
    g->sas.sa[35].network = 0x0A000000; /* a wider one, behind those inside it */
    g->sas.sa[35].mask = 0xFF000000;
    p->threads_per_packet = 32;
    p->result_words = 2;
    p->count_arg = 2;
    p->results_arg = 9;
    packet_vm_create(p, 16u << 20, "sw/services/ipsec/esp_seal.ptx", "esp_seal", SLOT);
    uint32_t places = sas_places(&g->sas);
    struct esp_sa *sas = ALLOC_ARRAY(struct esp_sa, places);
    uint32_t *keys = ALLOC_ARRAY(uint32_t, places * ESP_KEY_WORDS);
    uint32_t ciphers[ESP_DES_WORDS + ESP_AES_WORDS];
    sas_fill(&g->sas, true, sas, keys);
    cipher_tables(true, ciphers);
    p->arguments[8] = sas_policies(&g->sas, sas, policies);
    assert_int_equal(p->arguments[8], TUNNELS - 1);
    p->arguments[3] = packet_vm_table(p, sas, places * sizeof *sas);
    p->arguments[4] = packet_vm_table(p, keys, places * ESP_KEY_WORDS * 4);
    p->arguments[5] = packet_vm_table(p, ciphers, sizeof ciphers);
    memset(keys, 0, places * 4);
    p->arguments[6] = packet_vm_table(p, keys, places * 4);
    p->arguments[7] = packet_vm_table(p, policies, sizeof policies);
    g->sender = esp_sender_create(&g->sas);
    free(sas);
    free(keys);
    *state = g;
    return 0;
}

static int destroy_sender(void **state)
{
    struct sender *g = *state;
    packet_vm_destroy(&g->p);
    esp_sender_destroy(g->sender);
    sealgen_destroy(g->generator);
    sas_free(&g->sas);
    free(g);
    return 0;
}

static uint32_t make_plain(void *user, uint8_t *frame)
{
    struct sender *g = user;
    struct rng *rng = &g->p.rng;
    uint32_t kind = rng_below(rng, 2 * SEALGEN_KINDS);
    uint32_t length =
        sealgen_frame(g->generator, frame, kind < SEALGEN_KINDS ? kind : SEALGEN_KINDS, rng);
    if (rng_chance(rng, 1, 10))
        frame[12 + rng_below(rng, 22)] ^= (uint8_t)(1u << rng_below(rng, 8));
    return rng_chance(rng, 1, 20) ? rng_below(rng, 61) : length;
}

static void sealed_equals_reference(void **state)
{
    struct sender *g = *state;
    struct packet_vm *p = &g->p;
    uint32_t verdicts[SEAL_VERDICTS] = {0};
    struct error err = {0};
    for (uint32_t run = 0; run < 20; run++) {
        sealgen_destroy(g->generator);
        g->generator = sealgen_create(&g->sas, 48 + 16 * rng_below(&p->rng, 12));
        packet_vm_fill(p, make_plain, g);
        uint32_t count = 20 + rng_below(&p->rng, 12);
        packet_vm_run(p, count);
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *slot = p->slots + (size_t)i * SLOT;
            const uint8_t *got = p->vm.memory + p->slots_at + (size_t)i * SLOT;
            uint32_t length = slot[0] | (uint32_t)slot[1] << 8;
            uint32_t result = seal_reference(g->sender, slot + 2, &length, got + 2, SLOT);
            bool sealed = (result & 0xFF) == SEAL_FORWARD;
            p->result[2 * i] = result;
            p->result[2 * i + 1] = sealed ? length : 0;
            verdicts[result & 0xFF]++;
        }
        packet_vm_compare(p);
    }
    if (!seal_settled(g->sender, &err))
        fail_msg("%s", err.text);
    for (uint32_t v = SEAL_FORWARD; v < SEAL_TOO_BIG; v++)
        if (verdicts[v] < 10)
            fail_msg("'%s' was seen %u times only", seal_verdict_name(v), verdicts[v]);
}

static void numbers_end(void **state)
{
    struct sender *g = *state;
    struct packet_vm *p = &g->p;
    uint32_t last = ESP_LAST_NUMBER, kinds[2] = {0};
    for (uint32_t place = 0; place < sas_places(&g->sas); place++)
        memcpy(p->vm.memory + p->arguments[6] + 4 * place, &last, 4);
    packet_vm_fill(p, make_plain, g);
    packet_vm_run(p, 32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t result;
        memcpy(&result, p->vm.memory + p->results_at + 8 * i, 4);
        kinds[0] += result == SEAL_FORWARD;
        kinds[1] += result == SEAL_EXHAUSTED;
    }
    assert_int_equal(kinds[0], 0);
    assert_true(kinds[1] > 10);
}

int main(void)
{
    const struct CMUnitTest sending[] = {cmocka_unit_test(sealed_equals_reference),
                                         cmocka_unit_test(numbers_end)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernel_equals_reference),
                                       cmocka_unit_test(replays_are_held_to_the_rules),
                                       cmocka_unit_test(associations_are_checked)};
    int failed = cmocka_run_group_tests(tests, create_gateway, destroy_gateway);
    return failed + cmocka_run_group_tests(sending, create_sender, destroy_sender);
}
