/* evgpu pktgen: a packet capture for the demonstration and for tests. */
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cli/cli.h"
#include "sim/cli/named_files.h"
#include "sim/cli/run/run_plan.h"
#include "sim/guest/service/service.h"

enum { OPT_SEED = 256, OPT_RATE, OPT_SIZE, OPT_IMIX, OPT_CONSTANT, OPT_FRACTION, OPT_SERVICE };

static const struct argp_option options[] = {
    {"count", 'n', "N", 0, "number of frames (100000)", 0},
    {"service", OPT_SERVICE, "NAME[,KEY=VALUE...]", 0,
     "generate traffic for this service with these settings (ipv4)", 0},
    {"rate", OPT_RATE, "PPS", 0, "mean rate in packets per second (1000000)", 0},
    {"size", OPT_SIZE, "MIN[-MAX]", 0,
     "frame size in bytes with FCS, 64 to 1518; of ipv4, ipv6 and echo (the service's)", 0},
    {"imix", OPT_IMIX, NULL, 0,
     "mix frames of 64, 594 and 1518 bytes 7:4:1; of ipv4, ipv6 and echo", 0},
    {"constant", OPT_CONSTANT, NULL, 0, "use constant gaps between frames instead of random ones",
     0},
    {"fraction", OPT_FRACTION, "KIND=PPM", 0,
     "share of a kind of packet in parts per million; may be repeated. Kinds of ipv4: no-route, "
     "ttl-expired, bad-checksum, bad-length, bad-version, options, arp, ipv6 and vlan",
     0},
    {"routes", 'r', "FILE", 0,
     "draw destinations from this routing table (default: a generated one)", 0},
    {"seed", OPT_SEED, "N", 0, "seed of all generated input (1)", 0},
    {0},
};

#define MAX_CHANGES 64

struct request {
    struct run_plan plan;               /* of which only the service is used */
    struct setting common[MAX_CHANGES]; /* for the service */
    uint32_t n_common;
    /* Options after those of the service; `option` is the key of argp. */
    struct {
        int option;
        const char *text;
    } change[MAX_CHANGES];
    uint32_t n_changes;
    struct traffic_options packets;
    const struct traffic_source *source;
    const char *path;
    struct error err;
};

static bool take_sizes(struct request *r, const char *text)
{
    unsigned low = 0, high = 0;
    int fields = 0, used = 0;
    if (isdigit((unsigned char)*text))
        fields = sscanf(text, "%4u%n-%4u%n", &low, &used, &high, &used);
    if (fields < 1 || text[used] || low < TRAFFIC_MIN_FRAME || low > TRAFFIC_MAX_FRAME ||
        (fields == 2 && (high < low || high > TRAFFIC_MAX_FRAME)))
        return error_set(&r->err, "--size %s: must be MIN or MIN-MAX, %u to %u", text,
                         TRAFFIC_MIN_FRAME, TRAFFIC_MAX_FRAME);
    r->packets.sizes = fields == 2 ? TRAFFIC_RANGE : TRAFFIC_FIXED;
    r->packets.min_frame = low;
    r->packets.max_frame = fields == 2 ? high : low;
    return true;
}

static bool take_fraction(struct request *r, const char *text)
{
    const char *equals = strchr(text, '=');
    for (uint32_t k = 0; equals && k < r->source->n_kinds; k++) {
        const char *name = r->source->kinds[k];
        uint64_t ppm = 0;
        if (strlen(name) != (size_t)(equals - text) || strncmp(name, text, strlen(name)))
            continue;
        if (!parse_whole("--fraction", equals + 1, TRAFFIC_MILLION, &ppm, &r->err))
            return false;
        r->packets.fraction[k] = (uint32_t)ppm;
        return true;
    }
    char names[300] = "";
    for (uint32_t k = 0; k < r->source->n_kinds; k++) {
        size_t at = strlen(names);
        snprintf(names + at, sizeof names - at, "%s%s", k ? ", " : "", r->source->kinds[k]);
    }
    return error_set(&r->err, "--fraction %s: must be KIND=PPM, of %s", text, names);
}

/* An option that changes the service's usual traffic. */
static bool apply(struct request *r, int option, const char *text)
{
    uint64_t n = 0;
    switch (option) {
    case 'n':
        if (!parse_count("--count", text, 100000000, &n, &r->err))
            return false;
        r->packets.count = (uint32_t)n;
        return true;
    case OPT_RATE:
        return parse_count("--rate", text, 1000000000, &r->packets.rate_pps, &r->err);
    case OPT_SIZE:
        return take_sizes(r, text);
    case OPT_IMIX:
        r->packets.sizes = TRAFFIC_IMIX;
        return true;
    case OPT_CONSTANT:
        r->packets.gaps = TRAFFIC_CONSTANT;
        return true;
    default:
        return take_fraction(r, text);
    }
}

static bool take_service(struct request *r, char *text)
{
    if (service_help(text, stdout))
        exit(EXIT_VERIFIED);
    if (r->plan.n_services)
        return error_set(&r->err, "--service: a capture is for one service");
    return plan_service(&r->plan, text, &r->err);
}

static bool take_option(struct request *r, int key, char *arg)
{
    if (key == OPT_SERVICE)
        return take_service(r, arg);
    if (r->n_common == MAX_CHANGES || r->n_changes == MAX_CHANGES)
        return error_set(&r->err, "more than %d options", MAX_CHANGES);
    if (key == 'r')
        r->common[r->n_common++] = (struct setting){"routes", arg};
    else if (key == OPT_SEED)
        r->common[r->n_common++] = (struct setting){"seed", arg};
    else {
        r->change[r->n_changes].option = key;
        r->change[r->n_changes++].text = arg;
    }
    return true;
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
    if (key != 'n' && key != 'r' && (key < OPT_SEED || key > OPT_SERVICE))
        return ARGP_ERR_UNKNOWN;
    return take_option(r, key, arg) ? 0 : EINVAL;
}

/* The service that the frames are for, and the options of the command. */
static bool prepare(struct request *r)
{
    char ipv4[] = "ipv4";
    if (!r->plan.n_services && !plan_service(&r->plan, ipv4, &r->err))
        return false;
    r->plan.traffic_only = true;
    r->plan.seed = 1;
    if (!plan_prepare(&r->plan, r->common, r->n_common, &r->err))
        return false;
    const struct planned_service *s = &r->plan.services[0];
    r->source = packet_setup_traffic(s->setup, &r->packets, &r->err);
    if (!r->source) {
        error_prefix(&r->err, "%s", s->name);
        return false;
    }
    bool size = false, mix = false;
    for (uint32_t i = 0; i < r->n_changes; i++) {
        size = size || r->change[i].option == OPT_SIZE;
        mix = mix || r->change[i].option == OPT_IMIX;
    }
    if (size && mix)
        return error_set(&r->err, "--size and --imix: one of them");
    if ((size || mix) && !r->source->sized)
        return error_set(&r->err, "%s: the frames of %s have sizes of their own; leave it out",
                         size ? "--size" : "--imix", s->name);
    for (uint32_t i = 0; i < r->n_changes; i++) {
        if (!apply(r, r->change[i].option, r->change[i].text))
            return false;
    }
    return true;
}

/* What the service reads may be what the frames were made from. */
static bool check_path(struct request *r)
{
    struct named_file files[1 + PACKET_FILES] = {{"FILE.pcap", r->path, true, NULL}};
    size_t n = 1;
    struct packet_file file;
    while (n <= PACKET_FILES &&
           packet_setup_file(r->plan.services[0].setup, (uint32_t)n - 1, &file))
        files[n++] = (struct named_file){file.key, file.path, false, r->plan.services[0].name};
    return files_distinct(files, n, &r->err);
}

static void print_summary(const struct request *r, const struct traffic_summary *s)
{
    printf("%s: %u frames, %llu bytes, %.3f ms\n", r->path, r->packets.count,
           (unsigned long long)s->bytes, (double)s->duration_ns / 1e6);
    printf("  %-14s %u\n", "ordinary", s->ordinary);
    for (uint32_t k = 0; k < r->source->n_kinds; k++) {
        if (s->kind[k])
            printf("  %-14s %u\n", r->source->kinds[k], s->kind[k]);
    }
}

const struct argp pktgen_argp = {.options = options,
                                 .parser = on_option,
                                 .args_doc = "FILE.pcap",
                                 .doc = "Writes a capture of packets for a service: good ones "
                                        "and others."};

int cmd_pktgen(int argc, char **argv)
{
    struct request *r = ALLOC(struct request);
    struct traffic_summary summary;
    int status = EXIT_BAD_INPUT;
    if (argp_parse(&pktgen_argp, argc, argv, 0, NULL, r) == 0 && prepare(r) && check_path(r) &&
        traffic_write(r->path, &r->packets, r->source, &summary, &r->err)) {
        print_summary(r, &summary);
        status = EXIT_VERIFIED;
    }
    if (status)
        complain(status, &r->err);
    plan_release(&r->plan);
    free(r);
    return status;
}
