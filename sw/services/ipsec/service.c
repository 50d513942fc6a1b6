/* The service `ipsec`: a gateway's receiving or sending side, ESP in tunnel mode. */
#include "sw/services/common/service.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/ipsec/esp_reference.h"
#include "sw/services/ipsec/espgen.h"
#include "sw/services/ipsec/seal_reference.h"
#include "sw/services/ipsec/sealgen.h"

#define ETHERTYPE_IPV4 0x0800
#define MOST_ICV       32u
#define RATE           1000000u /* packets per second; each is an event */

_Static_assert(ESP_SLOT_ALIGN == PACKET_SLOT_ALIGN && ESP_FRAME_OFFSET == PACKET_FRAME_OFFSET &&
                   ESP_PORT_SHIFT == PACKET_PORT_SHIFT,
               "the kernels' layout of slots and results");

struct ipsec_inputs {
    struct sa_list sas;
    uint32_t icv_bytes; /* at the end of a packet, not looked at */
    bool sends;
    struct espgen *generator; /* of what is received */
    struct sealgen *sealed;   /* of what is to be sent */
};

struct gateway {
    struct esp_receiver *receiver; /* or NULL */
    struct esp_sender *sender;     /* or NULL */
};

/* Tables of both directions, then those of one. */
enum { SAS, KEYS, CIPHERS, WINDOWS, NUMBERS = WINDOWS, POLICIES };
enum { MASK, ICV_BYTES, N_POLICIES = 0 };

static void destroy(void *state)
{
    struct gateway *g = state;
    if (g->receiver)
        esp_receiver_destroy(g->receiver);
    if (g->sender)
        esp_sender_destroy(g->sender);
    free(g);
}

static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    const struct ipsec_inputs *in = inputs;
    const struct sa_list *list = &in->sas;
    uint64_t places = sas_places(list);
    void *sas = packet_table(tables, "sas", places * sizeof(struct esp_sa), PACKET_READ, err);
    void *keys =
        packet_table(tables, "keys", places * ESP_KEY_WORDS * sizeof(uint32_t), PACKET_READ, err);
    void *ciphers = packet_table(
        tables, "ciphers", (ESP_DES_WORDS + ESP_AES_WORDS) * sizeof(uint32_t), PACKET_READ, err);
    void *policies = NULL;
    if (in->sends) {
        packet_table(tables, "numbers", places * sizeof(uint32_t), PACKET_WRITTEN, err);
        policies = packet_table(tables, "policies", list->count * sizeof(struct esp_policy),
                                PACKET_READ, err);
    } else {
        packet_table(tables, "windows", places * ESP_WINDOW * sizeof(uint32_t), PACKET_WRITTEN,
                     err);
    }
    if (err->set)
        return NULL;
    sas_fill(list, in->sends, sas, keys);
    cipher_tables(in->sends, ciphers);
    struct gateway *g = ALLOC(struct gateway);
    if (in->sends) {
        tables->value[N_POLICIES] = sas_policies(list, sas, policies);
        g->sender = esp_sender_create(list);
    } else {
        tables->value[MASK] = places - 1;
        tables->value[ICV_BYTES] = in->icv_bytes;
        g->receiver = esp_receiver_create(list, in->icv_bytes);
    }
    return g;
}

/* A short inner packet has to be made a frame of the least length. */
static uint32_t open_growth(const void *inputs)
{
    (void)inputs;
    return ESP_LEAST_FRAME - ESP_ETHERNET_BYTES - ESP_IPV4_BYTES;
}

static uint32_t seal_growth(const void *inputs)
{
    (void)inputs;
    return SEAL_GROWTH;
}

static void open_expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    struct gateway *g = state;
    packet_want_result(want, esp_reference(g->receiver, want->frame, &want->length,
                                           packet->verdict == ESP_REPLAY));
}

static void seal_expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    struct gateway *g = state;
    packet_want_result(want, seal_reference(g->sender, want->frame, &want->length, packet->sent,
                                            packet->sent_length));
}

static bool settled(void *state, struct error *err)
{
    struct gateway *g = state;
    return g->sender ? seal_settled(g->sender, err) : esp_settled(g->receiver, err);
}

static const uint8_t open_arguments[] = {
    PACKET_SLOTS,           PACKET_SLOT_BYTES,   PACKET_COUNT,
    PACKET_TABLE + SAS,     PACKET_TABLE + KEYS, PACKET_TABLE + CIPHERS,
    PACKET_TABLE + WINDOWS, PACKET_VALUE + MASK, PACKET_VALUE + ICV_BYTES,
    PACKET_RESULTS};

static const struct packet_kind opens = {.file = "esp",
                                         .kernel = "esp_open",
                                         .block_kernel = "esp_open",
                                         .persistent = "esp_open_persistent",
                                         .threads_per_packet = PACKET_WARP,
                                         .arguments = open_arguments,
                                         .n_arguments = sizeof open_arguments,
                                         .verdicts = ESP_VERDICTS,
                                         .forward = 1u << ESP_FORWARD,
                                         .verdict_name = esp_verdict_name,
                                         .sends_length = true,
                                         .create = create,
                                         .destroy = destroy,
                                         .growth = open_growth,
                                         .expect = open_expect,
                                         .settled = settled};

static const uint8_t seal_arguments[] = {
    PACKET_SLOTS,           PACKET_SLOT_BYTES,       PACKET_COUNT,
    PACKET_TABLE + SAS,     PACKET_TABLE + KEYS,     PACKET_TABLE + CIPHERS,
    PACKET_TABLE + NUMBERS, PACKET_TABLE + POLICIES, PACKET_VALUE + N_POLICIES,
    PACKET_RESULTS};

static const struct packet_kind seals = {.file = "esp_seal",
                                         .kernel = "esp_seal",
                                         .block_kernel = "esp_seal",
                                         .persistent = "esp_seal_persistent",
                                         .threads_per_packet = PACKET_WARP,
                                         .arguments = seal_arguments,
                                         .n_arguments = sizeof seal_arguments,
                                         .verdicts = SEAL_VERDICTS,
                                         .forward = 1u << SEAL_FORWARD,
                                         .verdict_name = seal_verdict_name,
                                         .sends_length = true,
                                         .create = create,
                                         .destroy = destroy,
                                         .growth = seal_growth,
                                         .expect = seal_expect,
                                         .settled = settled};

/* --- settings -----------------------------------------------------------------------------------
 */

enum { DIRECTION, SAS_FILE, TUNNELS, CIPHER, PAYLOAD, ICV };

static const char *const directions[] = {"in", "out", NULL}; /* as in the service's kinds */
static const char *const cipher_choices[] = {
    [ESP_3DES_CBC] = "3des", [ESP_AES128_CBC] = "aes128", [ESP_CIPHERS] = NULL};

static const struct setting_row settings[] = {
    [DIRECTION] = {.key = "direction",
                   .type = SETTING_CHOICE,
                   .unit = "WHICH",
                   .help = "in opens ESP packets, out makes them",
                   .choices = directions},
    [SAS_FILE] = {.key = "sas",
                  .type = SETTING_TEXT,
                  .unit = "FILE",
                  .help = "`SPI cipher key [source destination [network/length]]` lines",
                  .usual_text = "generated ones"},
    [TUNNELS] = {.key = "tunnels",
                 .type = SETTING_NUMBER,
                 .unit = "N",
                 .help = "security associations to generate",
                 .least = 1,
                 .most = SA_MOST,
                 .usual = 64,
                 .replaced_by = "sas"},
    [CIPHER] = {.key = "cipher",
                .type = SETTING_CHOICE,
                .unit = "WHICH",
                .help = "of generated associations, in CBC mode",
                .choices = cipher_choices,
                .replaced_by = "sas"},
    [PAYLOAD] = {.key = "payload",
                 .type = SETTING_NUMBER,
                 .unit = "BYTES",
                 .help = "encrypted bytes of generated packets, whole blocks of the cipher",
                 .least = ESPGEN_LEAST,
                 .most = ESPGEN_MOST,
                 .multiple = 8,
                 .usual = 256}, /* one block of 3DES for each lane */
    [ICV] = {.key = "icv",
             .type = SETTING_NUMBER,
             .unit = "BYTES",
             .help = "integrity check value at the end of packets, not checked",
             .most = MOST_ICV,
             .multiple = 4},
    {.key = NULL}};

/* Of the generated packets, whose associations may have different ciphers. */
static bool check_payload(const struct ipsec_inputs *in, uint32_t payload, struct error *err)
{
    uint32_t block = 8;
    for (uint32_t i = 0; i < in->sas.count; i++) {
        if (in->sas.sa[i].cipher == ESP_AES128_CBC)
            block = 16;
    }
    return payload % block == 0 ||
           error_set(err, "payload=%u: must be a multiple of %u", payload, block);
}

/* Who sends needs a network for each of some associations, and addresses for the packets outside.
 */
static bool check_sender(const struct ipsec_inputs *in, bool captured, struct error *err)
{
    uint32_t protect = 0;
    if (in->icv_bytes)
        return error_set(err, "icv: the service sends packets without one");
    for (uint32_t i = 0; i < in->sas.count; i++) {
        const struct sa *sa = &in->sas.sa[i];
        if (sa->protects && (!sa->source || !sa->local))
            return error_set(err, "association %u protects a network but has no outer addresses",
                             sa->spi);
        if (sa->protects && !sa->mask && !captured)
            return error_set(err, "association %u protects all addresses; set capture", sa->spi);
        protect += sa->protects;
    }
    return protect || error_set(err, "direction=out: no association protects a network");
}

static bool make_sas(struct ipsec_inputs *in, const struct service_input *input, struct error *err)
{
    const struct setting_value *v = input->values;
    if (v[SAS_FILE].text)
        return sas_read(v[SAS_FILE].text, &in->sas, err);
    sas_generate(input->seed, (uint32_t)v[TUNNELS].number, (enum esp_cipher)v[CIPHER].number,
                 &in->sas);
    return true;
}

static void release(void *inputs)
{
    struct ipsec_inputs *in = inputs;
    espgen_destroy(in->generator);
    sealgen_destroy(in->sealed);
    sas_free(&in->sas);
    free(in);
}

static void *prepare(const struct service_input *input, struct error *err)
{
    const struct setting_value *v = input->values;
    uint32_t payload = (uint32_t)v[PAYLOAD].number;
    struct ipsec_inputs *in = ALLOC(struct ipsec_inputs);
    in->sends = v[DIRECTION].number;
    in->icv_bytes = (uint32_t)v[ICV].number;
    if (!make_sas(in, input, err) || !check_payload(in, payload, err) ||
        (in->sends && !check_sender(in, input->captured, err))) {
        release(in);
        return NULL;
    }
    if (in->sends)
        in->sealed = sealgen_create(&in->sas, payload);
    else
        in->generator = espgen_create(&in->sas, payload, in->icv_bytes);
    return in;
}

static const struct traffic_source *traffic(const void *inputs, struct traffic_options *usual)
{
    const struct ipsec_inputs *in = inputs;
    *usual = in->sends ? sealgen_defaults() : espgen_defaults();
    return in->sends ? sealgen_source(in->sealed) : espgen_source(in->generator);
}

const struct event_service ipsec_service = {
    .name = "ipsec",
    .summary = "an event kernel opens or makes ESP packets of tunnel mode, one warp for each",
    .settings = settings,
    .kinds = {&opens, &seals},
    .kind_setting = DIRECTION,
    .filter = {"IPv4", ETHERTYPE_IPV4, false},
    .rate = RATE,
    .prepare = prepare,
    .release = release,
    .traffic = traffic};
