#include "sim/guest/ipv4_setup.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/alloc.h"
#include "sim/base/parse.h"
#include "sim/guest/ipv4.h"
#include "sim/system/data_file.h"
#include "sw/services/ipv4/pktgen.h"
#include "sw/services/ipv4/route_source.h"

#define DEFAULT_PACKETS 12000
#define DEFAULT_RATE    8000000 /* packets per second, half of 10 Gbit/s of the smallest frames */
#define MAX_BATCH       1024    /* of a NIC */
#define BLOCKS_BATCH    256     /* packets of an event of thread blocks */

struct setup {
    struct ipv4_options options;
    struct capture capture;
    struct route_list routes;
    struct route_source source;
    struct pktgen_options packets;
    const char *capture_path;
    uint32_t limit; /* packets of a capture, 0: all */
    char ptx[PATH_MAX];
};

static bool take_pace(struct setup *u, const char *text, struct error *err)
{
    if (text && !strcmp(text, "time")) {
        u->options.pace = NIC_PACE_TIMESTAMPS;
        return true;
    }
    bool packets = text && !strncmp(text, "pps:", 4), bits = text && !strncmp(text, "gbps:", 5);
    if (!packets && !bits)
        return error_set(err, "pace %s: must be time, pps:N or gbps:N", text ? text : "");
    u->options.pace = packets ? NIC_PACE_PACKETS : NIC_PACE_BITS;
    if (!parse_whole("pace", strchr(text, ':') + 1, packets ? 1000000000 : 1000, &u->options.rate,
                     err))
        return false;
    if (!u->options.rate)
        return error_set(err, "pace %s: a rate of 0", text);
    if (bits)
        u->options.rate *= 1000000000;
    return true;
}

static bool take_file(const struct setting *s, const char **path, struct error *err)
{
    *path = s->value;
    return s->value && *s->value ? true : error_set(err, "%s: needs a file name", s->key);
}

static bool take_launch(struct setup *u, const char *who, struct error *err)
{
    u->options.cpu_launch = who && !strcmp(who, "cpu");
    return (who && (!strcmp(who, "cpu") || !strcmp(who, "edge"))) ||
           error_set(err, "launch %s: must be edge or cpu", who ? who : "");
}

static bool take_kernel(struct setup *u, const char *whose, struct error *err)
{
    u->options.foreign = whose && !strcmp(whose, "program");
    return (whose && (!strcmp(whose, "program") || !strcmp(whose, "own"))) ||
           error_set(err, "kernel %s: must be own or program", whose ? whose : "");
}

static bool take_check(struct setup *u, const char *what, struct error *err)
{
    u->options.only_processed = what && !strcmp(what, "processed");
    return (what && (!strcmp(what, "processed") || !strcmp(what, "reference"))) ||
           error_set(err, "check %s: must be reference or processed", what ? what : "");
}

static bool take_flag(const struct setting *s, bool *flag, struct error *err)
{
    *flag = true;
    return !s->value || error_set(err, "%s: takes no value", s->key);
}

static bool take_count(const struct setting *s, uint64_t max, uint32_t *value, struct error *err)
{
    uint64_t n = 0;
    if (!setting_number(s, max, &n, err))
        return false;
    *value = (uint32_t)n;
    return true;
}

static bool take(struct setup *u, const struct setting *s, struct error *err)
{
    const char *key = s->key;
    if (!strcmp(key, "capture"))
        return take_file(s, &u->capture_path, err);
    if (!strcmp(key, "packets"))
        return take_count(s, 100000000, &u->limit, err);
    if (!strcmp(key, "rate"))
        return setting_number(s, 1000000000, &u->packets.rate_pps, err);
    if (!strcmp(key, "pace"))
        return take_pace(u, s->value, err);
    if (!strcmp(key, "routes"))
        return take_file(s, &u->source.path, err);
    if (!strcmp(key, "route-count"))
        return take_count(s, ROUTES_GENERATE_MAX, &u->source.count, err);
    if (!strcmp(key, "drop"))
        return take_flag(s, &u->options.drop, err);
    if (!strcmp(key, "launch"))
        return take_launch(u, s->value, err);
    if (!strcmp(key, "kernel"))
        return take_kernel(u, s->value, err);
    if (!strcmp(key, "check"))
        return take_check(u, s->value, err);
    if (!strcmp(key, "blocks"))
        return take_flag(s, &u->options.thread_blocks, err);
    if (!strcmp(key, "fill"))
        return take_flag(s, &u->options.fill, err);
    if (!strcmp(key, "batch"))
        return take_count(s, MAX_BATCH, &u->options.batch, err);
    if (!strcmp(key, "out"))
        return take_file(s, &u->options.forwarded_path, err);
    if (!strcmp(key, "seed")) {
        bool ok = setting_number(s, UINT64_MAX, &u->packets.seed, err);
        u->source.seed = u->packets.seed;
        return ok;
    }
    return error_set(err,
                     "no setting %s, but capture, packets, rate, pace, routes, route-count, drop, "
                     "launch, kernel, check, blocks, fill, batch, out and seed",
                     key);
}

/* A generated capture goes through a file like any other. */
static bool generate_capture(struct setup *u, struct error *err)
{
    char path[] = "/tmp/evgpu-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        return error_set(err, "%s: cannot be made", path);
    close(file);
    u->packets.count = u->limit ? u->limit : DEFAULT_PACKETS;
    bool ok = pktgen_write(path, &u->packets, &u->routes, NULL, err) &&
              capture_read(path, 0, &u->capture, err);
    unlink(path);
    return ok;
}

static bool read_capture(struct setup *u, struct error *err)
{
    if (!u->capture_path)
        return generate_capture(u, err);
    if (!capture_read(u->capture_path, u->limit, &u->capture, err))
        return false;
    printf("%s: %u IPv4 packets of %llu frames", u->capture_path, u->capture.count,
           (unsigned long long)u->capture.frames);
    for (int i = 0; i < CAPTURE_SKIPS; i++) {
        if (u->capture.skipped[i])
            printf(", %llu %s", (unsigned long long)u->capture.skipped[i],
                   capture_skip_name((enum capture_skip)i));
    }
    printf("\n");
    return true;
}

static void release(void *prepared)
{
    struct setup *u = prepared;
    capture_free(&u->capture);
    routes_free(&u->routes);
    free(u);
}

static bool check(struct setup *u, const struct machine_config *config, struct error *err)
{
    struct ipv4_options *o = &u->options;
    if (o->foreign && o->cpu_launch)
        return error_set(err, "kernel=program is launched by events, not by launch=cpu");
    if (o->foreign && o->fill)
        return error_set(err, "fill: with kernel=program the buffers are the program's");
    if (!o->batch)
        o->batch = o->thread_blocks ? BLOCKS_BATCH : config->nic_batch;
    if (o->batch > WARP_SIZE && !o->thread_blocks)
        return error_set(err,
                         "batch=%u: an event of one warp takes at most %d packets; blocks "
                         "lets it have more",
                         o->batch, WARP_SIZE);
    return true;
}

static void *prepare(const struct service_input *input, struct error *err)
{
    struct setup *u = ALLOC(struct setup);
    u->source = ROUTE_SOURCE_DEFAULT;
    u->packets = pktgen_defaults();
    u->packets.rate_pps = DEFAULT_RATE;
    u->packets.seed = u->source.seed = input->seed;
    bool ok = true;
    for (uint32_t i = 0; i < input->n_settings && ok; i++)
        ok = take(u, &input->settings[i], err);
    ok = ok && check(u, input->config, err);
    if (ok && !find_data("ipv4_forward.ptx", "sw/services/ipv4", u->ptx, sizeof u->ptx))
        ok = error_set(err, "sw/services/ipv4/ipv4_forward.ptx is not found; run evgpu in its "
                            "source directory");
    if (!ok || !route_source_read(&u->source, &u->routes, err) || !read_capture(u, err)) {
        release(u);
        return NULL;
    }
    u->options.ptx = u->ptx;
    u->options.capture = &u->capture;
    u->options.routes = &u->routes;
    return u;
}

static bool attach(const void *prepared, struct machine *m, const char *name, struct error *err)
{
    const struct setup *u = prepared;
    return ipv4_create(m, name, &u->options, err);
}

static const char *output(const void *prepared, uint32_t index)
{
    const struct setup *u = prepared;
    return index ? NULL : u->options.forwarded_path;
}

const struct service_kind ipv4_service = {
    .name = "ipv4",
    .meaning = "a NIC replays a packet capture, an event kernel forwards IPv4 packets",
    .keys =
        "capture=FILE      replay this Ethernet capture (a generated one)\n"
        "packets=N         packets to generate, or at most of the capture (12000)\n"
        "rate=PPS          mean packets per second of the generated capture (8000000)\n"
        "pace=PACE         time (stamps of the capture), pps:N or gbps:N (time)\n"
        "routes=FILE       `prefix/length [hop]` lines (generated ones)\n"
        "route-count=N     routes to generate (100000)\n"
        "drop              drop packets at a full NIC buffer instead of pausing the wire\n"
        "launch=WHO        edge or cpu (edge)\n"
        "kernel=WHOSE      own, or program: one that a program binds to it (own)\n"
        "check=WHAT        reference: verdict, port and frame of every packet; processed: that it\n"
        "                  has a verdict, for a program's kernel that does something else "
        "(reference)\n"
        "blocks            events of 256 packets in thread blocks, not of one warp\n"
        "fill              packets in memory with full/empty bits: an event waits for each word, "
        "so that\n                  its doorbell may come before them\n"
        "batch=N           packets per event (nic.batch, 256 with blocks)\n"
        "out=FILE.pcap     what the NIC sends, as a capture\n"
        "seed=N            seed of packets and routes (that of the run)\n",
    .prepare = prepare,
    .attach = attach,
    .release = release,
    .output = output};
