/* evgpu pktgen: a packet capture for the demonstration and for tests. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sw/services/ipv4/route_source.h"
#include "sw/services/ipv4/pktgen.h"

enum { OPT_SEED = 256, OPT_RATE, OPT_SIZE, OPT_IMIX, OPT_CONSTANT, OPT_FRACTION };

static const struct argp_option options[] = {
    {"count", 'n', "N", 0, "frames (100000)", 0},
    {"rate", OPT_RATE, "PPS", 0, "mean packets per second (1000000)", 0},
    {"size", OPT_SIZE, "MIN[-MAX]", 0, "frame bytes with FCS, 64 to 1518 (64)", 0},
    {"imix", OPT_IMIX, NULL, 0, "64, 594 and 1518 bytes in the ratio 7:4:1", 0},
    {"constant", OPT_CONSTANT, NULL, 0, "constant gaps instead of random ones", 0},
    {"fraction", OPT_FRACTION, "KIND=PPM", 0,
     "parts per million of no-route, ttl-expired, bad-checksum, bad-length, bad-version, options, "
     "arp, ipv6 or vlan",
     0},
    {"routes", 'r', "FILE", 0, "destinations from these routes (generated ones)", 0},
    {"seed", OPT_SEED, "N", 0, "seed of packets and generated routes (1)", 0},
    {0},
};

struct request {
    struct pktgen_options packets;
    struct route_source routes;
    const char *path;
    struct error err;
};

static bool take_sizes(struct request *r, const char *text)
{
    unsigned low = 0, high = 0;
    int fields = sscanf(text, "%u-%u", &low, &high);
    if (fields < 1 || low < PKTGEN_MIN_FRAME || low > PKTGEN_MAX_FRAME ||
        (fields == 2 && (high < low || high > PKTGEN_MAX_FRAME)))
        return error_set(&r->err, "--size %s: must be MIN or MIN-MAX, %u to %u", text,
                         PKTGEN_MIN_FRAME, PKTGEN_MAX_FRAME);
    r->packets.sizes = fields == 2 ? PKTGEN_RANGE : PKTGEN_FIXED;
    r->packets.min_frame = low;
    r->packets.max_frame = fields == 2 ? high : low;
    return true;
}

static bool take_fraction(struct request *r, const char *text)
{
    const char *equals = strchr(text, '=');
    for (int k = 0; equals && k < PKTGEN_KINDS; k++) {
        const char *name = pktgen_kind_name((enum pktgen_kind)k);
        uint64_t ppm = 0;
        if (strlen(name) != (size_t)(equals - text) || strncmp(name, text, strlen(name)))
            continue;
        if (!parse_whole("--fraction", equals + 1, PKTGEN_MILLION, &ppm, &r->err))
            return false;
        r->packets.fraction[k] = (uint32_t)ppm;
        return true;
    }
    return error_set(&r->err, "--fraction %s: must be KIND=PPM", text);
}

static bool take_option(struct request *r, int key, const char *arg)
{
    uint64_t n = 0;
    switch (key) {
    case 'n':
        if (!parse_whole("--count", arg, 100000000, &n, &r->err))
            return false;
        r->packets.count = (uint32_t)n;
        return true;
    case OPT_RATE:
        return parse_whole("--rate", arg, 1000000000, &r->packets.rate_pps, &r->err);
    case OPT_SIZE:
        return take_sizes(r, arg);
    case OPT_IMIX:
        r->packets.sizes = PKTGEN_IMIX;
        return true;
    case OPT_CONSTANT:
        r->packets.gaps = PKTGEN_CONSTANT;
        return true;
    case OPT_FRACTION:
        return take_fraction(r, arg);
    case 'r':
        r->routes.path = arg;
        return true;
    default:
        if (!parse_whole("--seed", arg, UINT64_MAX, &r->packets.seed, &r->err))
            return false;
        r->routes.seed = r->packets.seed;
        return true;
    }
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    if (key == ARGP_KEY_ARG && state->arg_num == 0) {
        r->path = arg;
        return 0;
    }
    if (key == ARGP_KEY_END && !r->path)
        argp_error(state, "the name of the capture to write is needed");
    if (key != 'n' && key != 'r' && (key < OPT_SEED || key > OPT_FRACTION))
        return ARGP_ERR_UNKNOWN;
    return take_option(r, key, arg) ? 0 : EINVAL;
}

static void print_summary(const struct request *r, const struct pktgen_summary *s)
{
    printf("%s: %u frames, %llu bytes, %.3f ms\n", r->path, r->packets.count,
           (unsigned long long)s->bytes, (double)s->duration_ns / 1e6);
    printf("  %-14s %u\n", "ordinary", s->ordinary);
    for (int k = 0; k < PKTGEN_KINDS; k++) {
        if (s->kind[k])
            printf("  %-14s %u\n", pktgen_kind_name((enum pktgen_kind)k), s->kind[k]);
    }
}

int cmd_pktgen(int argc, char **argv)
{
    static const struct argp argp = {.options = options,
                                     .parser = on_option,
                                     .args_doc = "FILE.pcap",
                                     .doc = "Writes a capture of IPv4 packets to routable and "
                                            "other destinations."};
    struct request r = {.packets = pktgen_defaults(), .routes = ROUTE_SOURCE_DEFAULT};
    struct pktgen_summary summary;
    struct route_list routes = {0};
    int status = EXIT_BAD_INPUT;
    if (argp_parse(&argp, argc, argv, 0, NULL, &r) == 0 &&
        route_source_read(&r.routes, &routes, &r.err) &&
        pktgen_write(r.path, &r.packets, &routes, &summary, &r.err)) {
        print_summary(&r, &summary);
        status = EXIT_VERIFIED;
    }
    if (status)
        complain(status, &r.err);
    routes_free(&routes);
    return status;
}
