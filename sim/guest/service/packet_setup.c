#include "sim/guest/service/packet_setup.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/data_file.h"
#include "sim/guest/service/packet_settings.h"

#define DEFAULT_PACKETS 12000u
#define MOST_SPAN_NS    100000000000000000u /* 3 years, within the cycles that a run counts */

struct packet_setup {
    const struct event_service *service;
    const struct packet_kind *kind;
    struct setting_value common[PACKET_SETTINGS];
    struct setting_value *own; /* of the service's settings */
    void *inputs;              /* the service's */
    struct packet_options options;
    struct capture capture;
    uint64_t seed;
    char ptx[PATH_MAX], ptx_then[PATH_MAX];
};

void packet_settings_print(FILE *to)
{
    settings_print(packet_setting_rows, to);
}

static bool take_settings(struct packet_setup *u, const struct packet_setup_input *input,
                          struct error *err)
{
    const struct settings tables[] = {{u->service->settings, u->own},
                                      {packet_setting_rows, u->common}};
    settings_default(&tables[0]);
    settings_default(&tables[1]);
    for (uint32_t i = 0; i < input->n_settings; i++) {
        if (!settings_take(tables, 2, &input->settings[i], err))
            return false;
    }
    if (!settings_apply(tables, 2, err))
        return false;
    u->seed = u->common[PS_SEED].given ? u->common[PS_SEED].number : input->seed;
    u->kind = u->service->kinds[0];
    if (u->service->kinds[1])
        u->kind = u->service->kinds[u->own[u->service->kind_setting].number];
    return true;
}

static bool find_own(const struct packet_setup *u, const char *file, char path[PATH_MAX],
                     struct error *err)
{
    char kernel[128];
    snprintf(kernel, sizeof kernel, "sw/services/%s/%s.ptx", u->service->name, file);
    return find_kernel(kernel, path, PATH_MAX, err);
}

/* The service's own kernels, unless a setting has named others: of two, another first one. */
static bool find_kernels(struct packet_setup *u, struct error *err)
{
    struct packet_options *o = &u->options;
    if (u->kind->then) {
        if (!find_own(u, u->kind->then->file, u->ptx_then, err))
            return false;
        o->ptx_then = u->ptx_then;
    }
    if (o->ptx)
        return true;
    const char *file = o->launch == LAUNCH_PERSISTENT   ? u->kind->persistent
                       : o->returns == NIC_RETURN_WORDS ? u->kind->returning->kernel
                                                        : u->kind->file;
    if (!find_own(u, file, u->ptx, err))
        return false;
    o->ptx = u->ptx;
    return true;
}

/* --- packets ------------------------------------------------------------------------------------
 */

/* Whole batches at exponential gaps of the mean that the pace says; the packets of one follow each
 * other on the wire. */
static void randomise(struct packet_setup *u)
{
    struct rng rng;
    uint64_t remainder = 0, at = 0;
    rng_seed(&rng, u->seed);
    for (uint32_t i = 0; i < u->capture.count; i++) {
        if (i % u->options.batch == 0)
            at += traffic_random_gap(&rng, u->options.batch, u->options.rate, &remainder);
        u->capture.packets[i].timestamp_ns = at;
    }
    u->options.pace = NIC_PACE_TIMESTAMPS;
}

/* A generated capture goes through a file like any other. */
static bool generate_capture(struct packet_setup *u, struct error *err)
{
    char path[] = "/tmp/evgpu-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        return error_set(err, "%s: cannot be set up", path);
    close(file);
    const struct setting_value *packets = &u->common[PS_PACKETS], *rate = &u->common[PS_RATE];
    struct traffic_options traffic;
    const struct traffic_source *source = u->service->traffic(u->inputs, &traffic);
    traffic.seed = u->seed;
    traffic.rate_pps = rate->given ? rate->number : u->service->rate;
    traffic.count = packets->number ? (uint32_t)packets->number : DEFAULT_PACKETS;
    bool ok = traffic_write(path, &traffic, source, NULL, err) &&
              capture_read(path, &u->service->filter, 0, &u->capture, err);
    unlink(path);
    return ok;
}

/* The wire can follow the time stamps. Where a clock was set during a capture, they are decades
 * apart. */
static bool check_stamps(const struct packet_setup *u, const char *path, struct error *err)
{
    const struct captured_packet *packets = u->capture.packets;
    bool from_start = u->options.pace == NIC_PACE_START;
    uint64_t first = from_start ? 0 : packets[0].timestamp_ns;
    if (!from_start && u->options.pace != NIC_PACE_TIMESTAMPS)
        return true;
    for (uint32_t i = 0; i < u->capture.count; i++) {
        uint64_t at = packets[i].timestamp_ns;
        if (at > first && at - first > MOST_SPAN_NS)
            return error_set(err,
                             "%s: the time stamp of packet %u is %llu s after the %s; the wire "
                             "runs for %llu s at most; set pace=pps:N",
                             path, i + 1, (unsigned long long)((at - first) / 1000000000u),
                             from_start ? "wire's start" : "first one",
                             (unsigned long long)(MOST_SPAN_NS / 1000000000u));
    }
    return true;
}

static bool read_capture(struct packet_setup *u, struct error *err)
{
    const char *path = u->common[PS_CAPTURE].text;
    const struct capture_filter *filter = &u->service->filter;
    char reason[32];
    if (!capture_read(path, filter, (uint32_t)u->common[PS_PACKETS].number, &u->capture, err) ||
        !check_stamps(u, path, err))
        return false;
    printf("%s: %u %s packets of %llu frames", path, u->capture.count, filter->protocol,
           (unsigned long long)u->capture.frames);
    for (int i = 0; i < CAPTURE_SKIPS; i++) {
        if (u->capture.skipped[i])
            printf(", %llu %s", (unsigned long long)u->capture.skipped[i],
                   capture_skip_name(filter, (enum capture_skip)i, reason));
    }
    printf("\n");
    return true;
}

/* Slots of a size that is asked for have room for every frame. */
static bool check_longest(const struct packet_setup *u, struct error *err)
{
    const struct setting_value *frame = &u->common[PS_FRAME];
    return !frame->given || frame->number >= u->capture.longest ||
           error_set(err, "frame=%s: the longest frame has %u bytes; set that or more", frame->text,
                     u->capture.longest);
}

static bool take_capture(struct packet_setup *u, struct error *err)
{
    u->options.capture = &u->capture;
    if (u->options.live.device) {
        u->options.wire = live_wire_open(&u->options.live, &u->service->filter, &u->capture, err);
        return u->options.wire;
    }
    if (!(u->common[PS_CAPTURE].text ? read_capture(u, err) : generate_capture(u, err)) ||
        !check_longest(u, err))
        return false;
    if (u->common[PS_ARRIVALS].number == ARRIVALS_POISSON)
        randomise(u);
    return true;
}

/* --- life ---------------------------------------------------------------------------------------
 */

static bool prepare(struct packet_setup *u, const struct packet_setup_input *input,
                    struct error *err)
{
    if (!take_settings(u, input, err) ||
        !packet_settings_options(u->common, u->service->name, u->kind, input->config, &u->options,
                                 err) ||
        !find_kernels(u, err))
        return false;
    struct service_input own = {
        .values = u->own, .seed = u->seed, .captured = u->common[PS_CAPTURE].text};
    u->inputs = u->service->prepare(&own, err);
    return u->inputs && (input->traffic_only || take_capture(u, err));
}

struct packet_setup *packet_setup_create(const struct event_service *service,
                                         const struct packet_setup_input *input, struct error *err)
{
    struct packet_setup *u = ALLOC(struct packet_setup);
    u->service = service;
    u->own = ALLOC_ARRAY(struct setting_value, settings_count(service->settings));
    if (prepare(u, input, err))
        return u;
    packet_setup_free(u);
    return NULL;
}

void packet_setup_free(struct packet_setup *u)
{
    if (!u)
        return;
    if (u->inputs)
        u->service->release(u->inputs);
    live_wire_close(u->options.wire);
    capture_free(&u->capture);
    free(u->own);
    free(u);
}

bool packet_setup_attach(const struct packet_setup *u, struct machine *m, const char *name,
                         struct error *err)
{
    return packet_create(m, name, u->kind, u->inputs, &u->options, err);
}

struct packet_options *packet_setup_options(struct packet_setup *u)
{
    return &u->options;
}

/* By the unit: FILE is read, FILE.pcap written. Counts `place` down to 0. */
static bool find_file(const struct setting_row *rows, const struct setting_value *values,
                      uint32_t *place, struct packet_file *file)
{
    for (uint32_t i = 0; rows[i].key; i++) {
        if (rows[i].type != SETTING_TEXT || strncmp(rows[i].unit, "FILE", 4) != 0 ||
            !values[i].text)
            continue;
        *file = (struct packet_file){rows[i].key, values[i].text, rows[i].unit[4] == '.'};
        if (!(*place)--)
            return true;
    }
    return false;
}

bool packet_setup_file(const struct packet_setup *u, uint32_t place, struct packet_file *file)
{
    if (find_file(u->service->settings, u->own, &place, file) ||
        find_file(packet_setting_rows, u->common, &place, file))
        return true;
    *file = (struct packet_file){"kernel", u->options.ptx, false};
    return !place && u->options.ptx;
}

/* Of the common settings, those of the generator; the others are of a run. */
static bool only_generates(const struct packet_setup *u, struct error *err)
{
    for (uint32_t i = 0; packet_setting_rows[i].key; i++) {
        if (u->common[i].given && i != PS_PACKETS && i != PS_RATE && i != PS_SEED)
            return error_set(err, "%s: does nothing to generated frames; leave it out",
                             packet_setting_rows[i].key);
    }
    return true;
}

const struct traffic_source *packet_setup_traffic(const struct packet_setup *u,
                                                  struct traffic_options *usual, struct error *err)
{
    const struct setting_value *packets = &u->common[PS_PACKETS], *rate = &u->common[PS_RATE];
    if (!only_generates(u, err))
        return NULL;
    const struct traffic_source *source = u->service->traffic(u->inputs, usual);
    usual->seed = u->seed;
    if (packets->given)
        usual->count = (uint32_t)packets->number;
    if (rate->given)
        usual->rate_pps = rate->number;
    return source;
}
