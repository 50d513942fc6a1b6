#include "sim/guest/service/ipsec.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/ptx/program.h"
#include "sw/services/ipsec/esp_reference.h"

_Static_assert(ESP_SLOT_ALIGN == PACKET_SLOT_ALIGN && ESP_FRAME_OFFSET == PACKET_FRAME_OFFSET &&
                   ESP_PORT_SHIFT == PACKET_PORT_SHIFT,
               "the kernel's layout of slots and results");

struct gateway {
    const struct ipsec_inputs *inputs;
    struct esp_receiver *receiver;
};

enum { SAS, KEYS, CIPHERS, WINDOWS };
enum { MASK, ICV_BYTES };

static void destroy(void *state)
{
    struct gateway *g = state;
    esp_receiver_destroy(g->receiver);
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
    packet_table(tables, "windows", places * ESP_WINDOW * sizeof(uint32_t), true, err);
    if (err->set)
        return NULL;
    sas_fill(&in->sas, false, sas, keys);
    cipher_tables(false, ciphers);
    tables->value[MASK] = places - 1;
    tables->value[ICV_BYTES] = in->icv_bytes;
    struct gateway *g = ALLOC(struct gateway);
    *g = (struct gateway){in, esp_receiver_create(&in->sas, in->icv_bytes)};
    return g;
}

/* A short inner packet has to be made a frame of the least length. */
static uint32_t growth(const void *inputs, const struct capture *capture)
{
    (void)inputs;
    (void)capture;
    return ESP_LEAST_FRAME - ESP_ETHERNET_BYTES - ESP_IPV4_BYTES;
}

static void expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    struct gateway *g = state;
    uint32_t result =
        esp_reference(g->receiver, want->frame, &want->length, packet->verdict == ESP_REPLAY);
    want->verdict = result & 0xFF;
    want->port = result >> ESP_PORT_SHIFT;
}

static bool settled(void *state, struct error *err)
{
    struct gateway *g = state;
    return esp_settled(g->receiver, err);
}

static const uint8_t arguments[] = {
    PACKET_SLOTS,           PACKET_SLOT_BYTES,   PACKET_COUNT,
    PACKET_TABLE + SAS,     PACKET_TABLE + KEYS, PACKET_TABLE + CIPHERS,
    PACKET_TABLE + WINDOWS, PACKET_VALUE + MASK, PACKET_VALUE + ICV_BYTES,
    PACKET_RESULTS};

const struct packet_kind ipsec_kind = {.name = "ipsec",
                                       .kernel = "esp_open",
                                       .block_kernel = "esp_open",
                                       .persistent = "esp_open_persistent",
                                       .threads_per_packet = WARP_SIZE,
                                       .arguments = arguments,
                                       .n_arguments = sizeof arguments,
                                       .verdicts = ESP_VERDICTS,
                                       .forward = 1u << ESP_FORWARD,
                                       .verdict_name = esp_verdict_name,
                                       .sends_length = true,
                                       .create = create,
                                       .destroy = destroy,
                                       .growth = growth,
                                       .expect = expect,
                                       .settled = settled};
