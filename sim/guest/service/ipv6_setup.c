#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/service/ipv6.h"
#include "sim/guest/service/packet_setup.h"
#include "sw/services/ipv6/ipv6_forward.h"
#include "sw/services/ipv6/pktgen6.h"

struct setup {
    struct packet_setup packets;
    struct ipv6_inputs inputs;
    const char *routes_path; /* NULL: generated */
    uint32_t route_count;
    struct pktgen6 *generator;
};

#define DEFAULT_ROUTES 100000u
#define NEXT_HOPS      256u
#define LEAST_MTU      1280u /* RFC 8200, 5 */

static const struct capture_filter frames = {"IPv6", FWD6_ETHERTYPE, true};

static void release(void *prepared)
{
    struct setup *u = prepared;
    packet_setup_free(&u->packets);
    pktgen6_destroy(u->generator);
    routes_free(&u->inputs.routes);
    free(u);
}

static bool take_mtu(struct setup *u, const struct setting *s, struct error *err)
{
    if (!take_count(s, CAPTURE_MAX_FRAME, &u->inputs.mtu, err))
        return false;
    return !u->inputs.mtu || u->inputs.mtu >= LEAST_MTU ||
           error_set(err, "mtu=%u: must be 0, or %u at least", u->inputs.mtu, LEAST_MTU);
}

static bool read_routes(struct setup *u, struct error *err)
{
    struct route_source source = {.family = ADDRESS_IPV6,
                                  .path = u->routes_path,
                                  .seed = u->packets.traffic.seed,
                                  .count = u->route_count,
                                  .hops = NEXT_HOPS};
    return routes_make(&source, &u->inputs.routes, err);
}

static bool take(struct setup *u, const struct setting *s, struct error *err)
{
    if (!strcmp(s->key, "routes"))
        return take_file(s, &u->routes_path, err);
    if (!strcmp(s->key, "route-count"))
        return take_count(s, routes_generate_max(ADDRESS_IPV6), &u->route_count, err);
    if (!strcmp(s->key, "mtu"))
        return take_mtu(u, s, err);
    enum setting_taken taken = packet_setup_take(&u->packets, s, err);
    if (taken == SETTING_UNKNOWN)
        return packet_setup_unknown(s, "routes, route-count, mtu, ", err);
    return taken == SETTING_TAKEN;
}

static void *prepare(const struct service_input *input, struct error *err)
{
    struct setup *u = ALLOC(struct setup);
    struct traffic_options traffic = pktgen6_defaults();
    packet_setup_init(&u->packets, &traffic, &frames, input->seed);
    u->route_count = DEFAULT_ROUTES;
    bool ok = true;
    for (uint32_t i = 0; i < input->n_settings && ok; i++)
        ok = take(u, &input->settings[i], err);
    ok = ok &&
         packet_setup_check(&u->packets, &ipv6_kind, "ipv6", "ipv6_forward.ptx", input->config,
                            err) &&
         read_routes(u, err);
    if (ok)
        u->generator = pktgen6_create(&u->inputs.routes);
    if (ok && !input->traffic_only)
        ok = packet_setup_capture(&u->packets, pktgen6_source(u->generator), err);
    if (ok)
        return u;
    release(u);
    return NULL;
}

static bool attach(const void *prepared, struct machine *m, const char *name, struct error *err)
{
    const struct setup *u = prepared;
    return packet_create(m, name, &ipv6_kind, &u->inputs, &u->packets.options, err);
}

static const char *output(const void *prepared, uint32_t index)
{
    const struct setup *u = prepared;
    return index ? NULL : u->packets.options.sent_path;
}

static const struct traffic_source *traffic(const void *prepared, struct traffic_options *options)
{
    const struct setup *u = prepared;
    *options = pktgen6_defaults();
    options->seed = u->packets.traffic.seed;
    return pktgen6_source(u->generator);
}

static struct packet_setup *packets(void *prepared)
{
    struct setup *u = prepared;
    return &u->packets;
}

const struct service_kind ipv6_service = {
    .name = "ipv6",
    .meaning = "a NIC replays a packet capture, an event kernel forwards IPv6 packets",
    .keys = "routes=FILE       `prefix/length [hop]` lines (generated ones)\n"
            "route-count=N     routes to generate (100000)\n"
            "mtu=BYTES         of a packet that is forwarded, 0: any (0)\n" PACKET_SETUP_KEYS,
    .prepare = prepare,
    .attach = attach,
    .release = release,
    .output = output,
    .traffic = traffic,
    .packets = packets};
