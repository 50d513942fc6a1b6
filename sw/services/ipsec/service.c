/* The service `ipsec`: a gateway's receiving or sending side, ESP in tunnel mode. */
#include "sw/services/common/service.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/ipsec/esp_reference.h"
#include "sw/services/ipsec/esp_tables.h"
#include "sw/services/ipsec/espgen.h"
#include "sw/services/ipsec/sa_settings.h"
#include "sw/services/ipsec/seal_reference.h"
#include "sw/services/ipsec/sealgen.h"

#define ETHERTYPE_IPV4 0x0800
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

/* Tables of the sending side, behind those of both. */
enum { NUMBERS = ESP_TABLES, POLICIES };
enum { N_POLICIES };

static void destroy(void *state)
{
    struct gateway *g = state;
    if (g->receiver)
        esp_receiver_destroy(g->receiver);
    if (g->sender)
        esp_sender_destroy(g->sender);
    free(g);
}

static bool seal_tables(struct gateway *g, const struct sa_list *list, struct packet_tables *tables,
                        struct error *err)
{
    struct esp_sa *sas = esp_tables(list, true, tables, err);
    packet_table(tables, "numbers", sas_places(list) * sizeof(uint32_t), PACKET_WRITTEN, err);
    void *policies =
        packet_table(tables, "policies", list->count * sizeof(struct esp_policy), PACKET_READ, err);
    if (err->set)
        return false;
    tables->value[N_POLICIES] = sas_policies(list, sas, policies);
    g->sender = esp_sender_create(list);
    return true;
}

static bool open_tables(struct gateway *g, const struct ipsec_inputs *in,
                        struct packet_tables *tables, struct error *err)
{
    if (!esp_open_tables(&in->sas, in->icv_bytes, tables, err))
        return false;
    g->receiver = esp_receiver_create(&in->sas, in->icv_bytes);
    return true;
}

static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    const struct ipsec_inputs *in = inputs;
    struct gateway *g = ALLOC(struct gateway);
    if (in->sends ? seal_tables(g, &in->sas, tables, err) : open_tables(g, in, tables, err))
        return g;
    free(g);
    return NULL;
}

static uint32_t open_growth(const void *inputs)
{
    (void)inputs;
    return ESP_OPEN_GROWTH;
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

static const uint8_t open_arguments[] = {PACKET_SLOTS,
                                         PACKET_SLOT_BYTES,
                                         PACKET_COUNT,
                                         PACKET_TABLE + ESP_TABLE_SAS,
                                         PACKET_TABLE + ESP_TABLE_KEYS,
                                         PACKET_TABLE + ESP_TABLE_CIPHERS,
                                         PACKET_TABLE + ESP_TABLE_WINDOWS,
                                         PACKET_VALUE + ESP_VALUE_MASK,
                                         PACKET_VALUE + ESP_VALUE_ICV_BYTES,
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

static const uint8_t seal_arguments[] = {PACKET_SLOTS,
                                         PACKET_SLOT_BYTES,
                                         PACKET_COUNT,
                                         PACKET_TABLE + ESP_TABLE_SAS,
                                         PACKET_TABLE + ESP_TABLE_KEYS,
                                         PACKET_TABLE + ESP_TABLE_CIPHERS,
                                         PACKET_TABLE + NUMBERS,
                                         PACKET_TABLE + POLICIES,
                                         PACKET_VALUE + N_POLICIES,
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
static const struct setting_row settings[] = {
    [DIRECTION] = {.key = "direction",
                   .type = SETTING_CHOICE,
                   .unit = "WHICH",
                   .help = "in opens ESP packets, out makes them",
                   .choices = directions},
    [SAS_FILE] = SAS_ROW,
    [TUNNELS] = TUNNELS_ROW,
    [CIPHER] = CIPHER_ROW,
    [PAYLOAD] = PAYLOAD_ROW,
    [ICV] = ICV_ROW,
    {.key = NULL}};

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
    if (!sas_make(&v[SAS_FILE], &v[TUNNELS], &v[CIPHER], input->seed, &in->sas, err) ||
        !sas_check_payload(&in->sas, payload, err) ||
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
