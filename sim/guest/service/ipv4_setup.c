#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/service/ipv4.h"
#include "sim/guest/service/packet_setup.h"
#include "sw/services/ipv4/ipv4_forward.h"
#include "sw/services/ipv4/pktgen.h"
#include "sw/services/common/routes.h"

struct setup {
    struct packet_setup packets;
    struct route_list routes;
    struct route_source source;
    struct pktgen *generator;
};

static const struct capture_filter frames = {"IPv4", FWD_ETHERTYPE_IPV4, true};

static void release(void *prepared)
{
    struct setup *u = prepared;
    packet_setup_free(&u->packets);
    pktgen_destroy(u->generator);
    routes_free(&u->routes);
    free(u);
}

static bool take(struct setup *u, const struct setting *s, struct error *err)
{
    if (!strcmp(s->key, "routes"))
        return take_file(s, &u->source.path, err);
    if (!strcmp(s->key, "route-count"))
        return take_count(s, routes_generate_max(ADDRESS_IPV4), &u->source.count, err);
    enum setting_taken taken = packet_setup_take(&u->packets, s, err);
    u->source.seed = u->packets.traffic.seed;
    if (taken == SETTING_UNKNOWN)
        return packet_setup_unknown(s, "routes, route-count, ", err);
    return taken == SETTING_TAKEN;
}

static void *prepare(const struct service_input *input, struct error *err)
{
    struct setup *u = ALLOC(struct setup);
    struct traffic_options traffic = pktgen_defaults();
    packet_setup_init(&u->packets, &traffic, &frames, input->seed);
    u->source = (struct route_source){
        .seed = input->seed, .count = ROUTES_DEFAULT_COUNT, .hops = ROUTES_DEFAULT_HOPS};
    bool ok = true;
    for (uint32_t i = 0; i < input->n_settings && ok; i++)
        ok = take(u, &input->settings[i], err);
    ok = ok &&
         packet_setup_check(&u->packets, &ipv4_kind, "ipv4", "ipv4_forward.ptx", input->config,
                            err) &&
         routes_make(&u->source, &u->routes, err);
    if (ok)
        u->generator = pktgen_create(&u->routes);
    if (ok && !input->traffic_only)
        ok = packet_setup_capture(&u->packets, pktgen_source(u->generator), err);
    if (ok)
        return u;
    release(u);
    return NULL;
}

static bool attach(const void *prepared, struct machine *m, const char *name, struct error *err)
{
    const struct setup *u = prepared;
    return packet_create(m, name, &ipv4_kind, &u->routes, &u->packets.options, err);
}

static const char *output(const void *prepared, uint32_t index)
{
    const struct setup *u = prepared;
    return index ? NULL : u->packets.options.sent_path;
}

static const struct traffic_source *traffic(const void *prepared, struct traffic_options *options)
{
    const struct setup *u = prepared;
    *options = pktgen_defaults();
    options->seed = u->packets.traffic.seed;
    return pktgen_source(u->generator);
}

static struct packet_setup *packets(void *prepared)
{
    struct setup *u = prepared;
    return &u->packets;
}

const struct service_kind ipv4_service = {
    .name = "ipv4",
    .meaning = "a NIC replays a packet capture, an event kernel forwards IPv4 packets",
    .keys = "routes=FILE       `prefix/length [hop]` lines (generated ones)\n"
            "route-count=N     routes to generate (100000)\n" PACKET_SETUP_KEYS,
    .prepare = prepare,
    .attach = attach,
    .release = release,
    .output = output,
    .traffic = traffic,
    .packets = packets};
