/* The service `ipsec` in the other direction: packets become ESP packets. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/guest/service/ipsec.h"
#include "sim/ptx/program.h"
#include "sw/services/ipsec/seal_reference.h"

struct gateway {
    const struct ipsec_inputs *inputs;
    struct esp_sender *sender;
};

enum { SAS, KEYS, CIPHERS, NUMBERS, POLICIES };
enum { N_POLICIES };

static void destroy(void *state)
{
    struct gateway *g = state;
    esp_sender_destroy(g->sender);
    free(g);
}

static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    const struct ipsec_inputs *in = inputs;
    uint64_t places = sas_places(&in->sas);
    void *sas = packet_table(tables, "sas", places * sizeof(struct esp_sa), true, err);
    void *keys = packet_table(tables, "keys", places * ESP_KEY_WORDS * sizeof(uint32_t), true, err);
    void *ciphers = packet_table(tables, "ciphers",
                                 (ESP_DES_WORDS + ESP_AES_WORDS) * sizeof(uint32_t), true, err);
    packet_table(tables, "numbers", places * sizeof(uint32_t), true, err);
    void *policies =
        packet_table(tables, "policies", in->sas.count * sizeof(struct esp_policy), true, err);
    if (err->set)
        return NULL;
    sas_fill(&in->sas, true, sas, keys);
    cipher_tables(true, ciphers);
    tables->value[N_POLICIES] = sas_policies(&in->sas, sas, policies);
    struct gateway *g = ALLOC(struct gateway);
    *g = (struct gateway){in, esp_sender_create(&in->sas)};
    return g;
}

static uint32_t growth(const void *inputs, const struct capture *capture)
{
    (void)inputs;
    (void)capture;
    return SEAL_GROWTH;
}

static void expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    struct gateway *g = state;
    uint32_t result =
        seal_reference(g->sender, want->frame, &want->length, packet->sent, packet->sent_length);
    want->verdict = result & 0xFF;
    want->port = result >> ESP_PORT_SHIFT;
}

static bool settled(void *state, struct error *err)
{
    struct gateway *g = state;
    return seal_settled(g->sender, err);
}

static const uint8_t arguments[] = {
    PACKET_SLOTS,           PACKET_SLOT_BYTES,       PACKET_COUNT,
    PACKET_TABLE + SAS,     PACKET_TABLE + KEYS,     PACKET_TABLE + CIPHERS,
    PACKET_TABLE + NUMBERS, PACKET_TABLE + POLICIES, PACKET_VALUE + N_POLICIES,
    PACKET_RESULTS};

const struct packet_kind ipsec_seal_kind = {.name = "ipsec",
                                            .kernel = "esp_seal",
                                            .block_kernel = "esp_seal",
                                            .persistent = "esp_seal_persistent",
                                            .threads_per_packet = WARP_SIZE,
                                            .arguments = arguments,
                                            .n_arguments = sizeof arguments,
                                            .verdicts = SEAL_VERDICTS,
                                            .forward = 1u << SEAL_FORWARD,
                                            .verdict_name = seal_verdict_name,
                                            .sends_length = true,
                                            .create = create,
                                            .destroy = destroy,
                                            .growth = growth,
                                            .expect = expect,
                                            .settled = settled};
