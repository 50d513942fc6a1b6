/* The service `gateway`: the receiving side of ipsec, then ipv4, as a pipeline of two kernels. */
#include "sw/services/common/service.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/common/route_settings.h"
#include "sw/services/gateway/gateway.h"
#include "sw/services/gateway/gatewaygen.h"
#include "sw/services/ipsec/esp_reference.h"
#include "sw/services/ipsec/esp_tables.h"
#include "sw/services/ipsec/sa_settings.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv4/router.h"

#define ETHERTYPE_IPV4 0x0800
#define RATE           1000000u /* packets per second */

_Static_assert((int)ESP_FORWARD == (int)FWD_FORWARD,
               "both kernels' verdict on a packet that is sent");

struct gateway_inputs {
    struct sa_list sas;
    uint32_t icv_bytes;
    struct route_list routes;
    struct gatewaygen *generator;
};

struct gateway {
    struct esp_receiver *receiver;
    struct router *router;
};

enum { LEVEL1 = ESP_OPEN_TABLES, LEVEL2, HOPS };

static void destroy(void *state)
{
    struct gateway *g = state;
    esp_receiver_destroy(g->receiver);
    router_destroy(g->router);
    free(g);
}

static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    const struct gateway_inputs *in = inputs;
    if (!esp_open_tables(&in->sas, in->icv_bytes, tables, err))
        return NULL;
    struct router *router = router_create(&in->routes, tables, err);
    if (!router)
        return NULL;
    struct gateway *g = ALLOC(struct gateway);
    g->router = router;
    g->receiver = esp_receiver_create(&in->sas, in->icv_bytes);
    return g;
}

static uint32_t growth(const void *inputs)
{
    (void)inputs;
    return ESP_OPEN_GROWTH;
}

/* What the packet is when ipsec's reference has been there goes to ipv4's. */
static void expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    struct gateway *g = state;
    uint32_t opened =
        esp_reference(g->receiver, want->frame, &want->length, packet->verdict == ESP_REPLAY);
    packet_want_result(want, opened);
    if (want->verdict != ESP_FORWARD)
        return;
    packet_want_result(want, router_reference(g->router, want->frame, want->length));
    if (want->verdict != FWD_FORWARD)
        want->verdict = GATEWAY_VERDICT(want->verdict);
}

static bool settled(void *state, struct error *err)
{
    const struct gateway *g = state;
    return esp_settled(g->receiver, err);
}

static const char *verdict_name(uint32_t verdict)
{
    static const char *const inner[FWD_VERDICTS] = {[FWD_NO_ROUTE] = "no route",
                                                    [FWD_TTL_EXPIRED] = "TTL expired",
                                                    [FWD_BAD_CHECKSUM] = "bad inner checksum",
                                                    [FWD_TOO_SHORT] = "too short inside",
                                                    [FWD_BAD_HEADER] = "bad inner header"};
    if (verdict == FWD_FORWARD)
        return "forwarded";
    return verdict >= ESP_VERDICTS && verdict < GATEWAY_VERDICTS
               ? inner[verdict - GATEWAY_VERDICT(0)]
               : esp_verdict_name(verdict);
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
                                         PACKET_RECORDS,
                                         PACKET_QUEUE,
                                         PACKET_ENTRY};

static const uint8_t route_arguments[] = {
    PACKET_SLOTS,          PACKET_SLOT_BYTES,     PACKET_COUNT_PLACE,  PACKET_RECORDS,
    PACKET_TABLE + LEVEL1, PACKET_TABLE + LEVEL2, PACKET_TABLE + HOPS, PACKET_RESULTS};

static const struct packet_stage routes = {.file = "gateway_route",
                                           .kernel = "gateway_route",
                                           .arguments = route_arguments,
                                           .n_arguments = sizeof route_arguments,
                                           .record_bytes = GATEWAY_RECORD_BYTES};

static const struct packet_kind opens = {.file = "gateway_open",
                                         .kernel = "gateway_open",
                                         .block_kernel = "gateway_open",
                                         .threads_per_packet = PACKET_WARP,
                                         .arguments = open_arguments,
                                         .n_arguments = sizeof open_arguments,
                                         .then = &routes,
                                         .verdicts = GATEWAY_VERDICTS,
                                         .forward = 1u << FWD_FORWARD,
                                         .verdict_name = verdict_name,
                                         .sends_length = true,
                                         .create = create,
                                         .destroy = destroy,
                                         .growth = growth,
                                         .expect = expect,
                                         .settled = settled};

/* --- settings -----------------------------------------------------------------------------------
 */

enum { SAS_FILE, TUNNELS, CIPHER, PAYLOAD, ICV, ROUTES, ROUTE_COUNT };

static const struct setting_row settings[] = {[SAS_FILE] = SAS_ROW,
                                              [TUNNELS] = TUNNELS_ROW,
                                              [CIPHER] = CIPHER_ROW,
                                              [PAYLOAD] = PAYLOAD_ROW,
                                              [ICV] = ICV_ROW,
                                              [ROUTES] = ROUTES_ROW,
                                              [ROUTE_COUNT] = ROUTE_COUNT_ROW(ROUTES_MAX_IPV4),
                                              {.key = NULL}};

static void release(void *inputs)
{
    struct gateway_inputs *in = inputs;
    gatewaygen_destroy(in->generator);
    routes_free(&in->routes);
    sas_free(&in->sas);
    free(in);
}

static void *prepare(const struct service_input *input, struct error *err)
{
    const struct setting_value *v = input->values;
    uint32_t payload = (uint32_t)v[PAYLOAD].number;
    struct gateway_inputs *in = ALLOC(struct gateway_inputs);
    struct route_source source =
        route_source_of(ADDRESS_IPV4, input->seed, &v[ROUTES], &v[ROUTE_COUNT]);
    in->icv_bytes = (uint32_t)v[ICV].number;
    if (!sas_make(&v[SAS_FILE], &v[TUNNELS], &v[CIPHER], input->seed, &in->sas, err) ||
        !sas_check_payload(&in->sas, payload, err) || !routes_make(&source, &in->routes, err)) {
        release(in);
        return NULL;
    }
    in->generator = gatewaygen_create(&in->sas, &in->routes, payload, in->icv_bytes);
    return in;
}

static const struct traffic_source *traffic(const void *inputs, struct traffic_options *usual)
{
    const struct gateway_inputs *in = inputs;
    *usual = gatewaygen_defaults();
    return gatewaygen_source(in->generator);
}

const struct event_service gateway_service = {
    .name = "gateway",
    .summary = "one kernel opens ESP packets, a second one forwards what was inside",
    .settings = settings,
    .kinds = {&opens},
    .filter = {"IPv4", ETHERTYPE_IPV4, false},
    .rate = RATE,
    .prepare = prepare,
    .release = release,
    .traffic = traffic};
