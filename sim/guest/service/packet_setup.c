#include "sim/guest/service/packet_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data_file.h"
#include "base/number.h"
#include "sim/ptx/program.h"

#define DEFAULT_PACKETS 12000
#define DEFAULT_RATE    8000000 /* packets per second, half of 10 Gbit/s of the smallest frames */
#define MAX_IN_FLIGHT   1024    /* entries of a submission queue, as nic.in_flight */
#define BLOCKS_BATCH    256     /* packets of an event of thread blocks */

void packet_setup_init(struct packet_setup *u, const struct traffic_options *traffic,
                       const struct capture_filter *filter, uint64_t seed)
{
    *u = (struct packet_setup){.traffic = *traffic, .filter = filter};
    u->traffic.rate_pps = DEFAULT_RATE;
    u->traffic.seed = seed;
}

void packet_setup_free(struct packet_setup *u)
{
    capture_free(&u->capture);
}

static bool take_pace(struct packet_setup *u, const char *text, struct error *err)
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

static bool take_arrivals(struct packet_setup *u, const char *how, struct error *err)
{
    u->random = how && !strcmp(how, "poisson");
    return (how && (!strcmp(how, "poisson") || !strcmp(how, "even"))) ||
           error_set(err, "arrivals %s: must be even or poisson", how ? how : "");
}

bool take_file(const struct setting *s, const char **path, struct error *err)
{
    *path = s->value;
    return s->value && *s->value ? true : error_set(err, "%s: needs a file name", s->key);
}

static bool take_launch(struct packet_setup *u, const char *who, struct error *err)
{
    for (uint32_t i = 0; i < LAUNCH_WAYS && who; i++) {
        u->options.launch = (enum packet_launch)i;
        if (!strcmp(who, packet_launch_name(u->options.launch)))
            return true;
    }
    return error_set(err, "launch %s: must be edge, cpu, persistent, gda, hsa or xtq",
                     who ? who : "");
}

static bool take_ring(struct packet_setup *u, const char *where, struct error *err)
{
    u->options.ring_on_gpu = where && !strcmp(where, "gpu");
    u->ring_given = true;
    return (where && (!strcmp(where, "gpu") || !strcmp(where, "host"))) ||
           error_set(err, "ring %s: must be host or gpu", where ? where : "");
}

static bool take_ring_packets(struct packet_setup *u, const struct setting *s, struct error *err)
{
    uint32_t *n = &u->options.ring_packets;
    if (!take_count(s, PP_MAX_PACKETS, n, err))
        return false;
    return (*n && !(*n & (*n - 1))) ||
           error_set(err, "ring_packets=%u: must be a power of two up to %u", *n, PP_MAX_PACKETS);
}

static bool take_kernel(struct packet_setup *u, const char *whose, struct error *err)
{
    size_t length = whose ? strlen(whose) : 0;
    bool file = length > 4 && !strcmp(whose + length - 4, ".ptx");
    u->options.foreign = whose && !strcmp(whose, "program");
    u->options.ptx = file ? whose : NULL;
    return file || (whose && (!strcmp(whose, "program") || !strcmp(whose, "own"))) ||
           error_set(err, "kernel %s: must be own, program or a .ptx file", whose ? whose : "");
}

static bool take_execute(struct packet_setup *u, const char *how, struct error *err)
{
    u->options.skip = how && !strcmp(how, "no");
    return (how && (!strcmp(how, "no") || !strcmp(how, "yes"))) ||
           error_set(err, "execute %s: must be yes or no", how ? how : "");
}

static bool take_check(struct packet_setup *u, const char *what, struct error *err)
{
    u->options.only_processed = what && !strcmp(what, "processed");
    return (what && (!strcmp(what, "processed") || !strcmp(what, "reference"))) ||
           error_set(err, "check %s: must be reference or processed", what ? what : "");
}

bool take_flag(const struct setting *s, bool *flag, struct error *err)
{
    *flag = true;
    return !s->value || error_set(err, "%s: takes no value", s->key);
}

bool take_count(const struct setting *s, uint64_t max, uint32_t *value, struct error *err)
{
    uint64_t n = 0;
    if (!setting_number(s, max, &n, err))
        return false;
    *value = (uint32_t)n;
    return true;
}

/* Whether the key is one of these; `ok` says whether its value is right. */
static bool take_nic(struct packet_setup *u, const struct setting *s, bool *ok, struct error *err)
{
    const char *key = s->key;
    if (!strcmp(key, "capture"))
        *ok = take_file(s, &u->capture_path, err);
    else if (!strcmp(key, "packets"))
        *ok = take_count(s, 100000000, &u->limit, err);
    else if (!strcmp(key, "rate"))
        *ok = setting_number(s, 1000000000, &u->traffic.rate_pps, err);
    else if (!strcmp(key, "pace"))
        *ok = take_pace(u, s->value, err);
    else if (!strcmp(key, "arrivals"))
        *ok = take_arrivals(u, s->value, err);
    else if (!strcmp(key, "drop"))
        *ok = take_flag(s, &u->options.drop, err);
    else if (!strcmp(key, "out"))
        *ok = take_file(s, &u->options.sent_path, err);
    else if (!strcmp(key, "seed"))
        *ok = setting_number(s, UINT64_MAX, &u->traffic.seed, err);
    else
        return false;
    return true;
}

static bool take_p99(struct packet_setup *u, const struct setting *s, struct error *err)
{
    uint64_t us = 0;
    if (!setting_number(s, 1000000, &us, err))
        return false;
    u->options.promise.p99_ns = us * 1000;
    return us || error_set(err, "p99=0: microseconds, 1 or more");
}

/* Whether the key is one of these, as in take_nic. */
static bool take_promise(struct packet_setup *u, const struct setting *s, bool *ok,
                         struct error *err)
{
    struct packet_promise *p = &u->options.promise;
    if (!strcmp(s->key, "priority"))
        *ok = u->priority_given = take_count(s, EDGE_PRIORITIES - 1, &u->options.priority, err);
    else if (!strcmp(s->key, "p99"))
        *ok = take_p99(u, s, err);
    else if (!strcmp(s->key, "promise_rate"))
        *ok = take_count(s, 1000000000, &p->rate, err) &&
              (p->rate || error_set(err, "promise_rate=0: packets per second, 1 or more"));
    else if (!strcmp(s->key, "promise_burst"))
        *ok = take_count(s, 65536, &p->burst, err) &&
              (p->burst || error_set(err, "promise_burst=0: packets, 1 or more"));
    else
        return false;
    return true;
}

static bool take_registers(struct packet_setup *u, const struct setting *s, struct error *err)
{
    if (!take_count(s, MAX_REGS, &u->options.registers, err))
        return false;
    return u->options.registers >= MIN_REGS || error_set(err, "registers=%u: must be %d to %d",
                                                         u->options.registers, MIN_REGS, MAX_REGS);
}

static bool take_in_flight(struct packet_setup *u, const struct setting *s, struct error *err)
{
    if (!take_count(s, MAX_IN_FLIGHT, &u->options.in_flight, err))
        return false;
    return u->options.in_flight || error_set(err, "in_flight=0: must be 1 to %u", MAX_IN_FLIGHT);
}

static bool take_timeout(struct packet_setup *u, const struct setting *s, struct error *err)
{
    u->timeout_given = true;
    return take_count(s, 1000000, &u->options.timeout_us, err);
}

static bool take_event(struct packet_setup *u, const struct setting *s, bool *ok, struct error *err)
{
    const char *key = s->key;
    if (!strcmp(key, "launch"))
        *ok = take_launch(u, s->value, err);
    else if (!strcmp(key, "ring"))
        *ok = take_ring(u, s->value, err);
    else if (!strcmp(key, "ring_packets"))
        *ok = take_ring_packets(u, s, err);
    else if (!strcmp(key, "kernel"))
        *ok = take_kernel(u, s->value, err);
    else if (!strcmp(key, "check"))
        *ok = take_check(u, s->value, err);
    else if (!strcmp(key, "execute"))
        *ok = take_execute(u, s->value, err);
    else if (!strcmp(key, "blocks"))
        *ok = take_flag(s, &u->options.thread_blocks, err);
    else if (!strcmp(key, "fill"))
        *ok = take_flag(s, &u->options.fill, err);
    else if (!strcmp(key, "batch"))
        *ok = take_count(s, NIC_MAX_BATCH, &u->options.batch, err);
    else if (!strcmp(key, "registers"))
        *ok = take_registers(u, s, err);
    else if (!strcmp(key, "persistent_warps"))
        *ok = take_count(s, 65536, &u->options.persistent_warps, err) &&
              (u->options.persistent_warps || error_set(err, "persistent_warps=0: at least one"));
    else if (!strcmp(key, "timeout_us"))
        *ok = take_timeout(u, s, err);
    else if (!strcmp(key, "in_flight"))
        *ok = take_in_flight(u, s, err);
    else
        return false;
    return true;
}

enum setting_taken packet_setup_take(struct packet_setup *u, const struct setting *s,
                                     struct error *err)
{
    bool ok = true;
    if (!take_nic(u, s, &ok, err) && !take_event(u, s, &ok, err) && !take_promise(u, s, &ok, err))
        return SETTING_UNKNOWN;
    return ok ? SETTING_TAKEN : SETTING_REFUSED;
}

bool packet_setup_unknown(const struct setting *s, const char *own, struct error *err)
{
    return error_set(err,
                     "no setting %s, but capture, packets, rate, pace, arrivals, %sdrop, launch, "
                     "ring, ring_packets, kernel, check, execute, blocks, fill, batch, in_flight, "
                     "registers, persistent_warps, timeout_us, priority, p99, promise_rate, "
                     "promise_burst, out and seed",
                     s->key, own);
}

/* Whole batches at exponential gaps of the mean that the pace says; the packets of one follow each
 * other on the wire. */
static void randomise(struct packet_setup *u)
{
    struct rng rng;
    uint64_t remainder = 0, at = 0;
    rng_seed(&rng, u->traffic.seed);
    for (uint32_t i = 0; i < u->capture.count; i++) {
        if (i % u->options.batch == 0)
            at += traffic_random_gap(&rng, u->options.batch, u->options.rate, &remainder);
        u->capture.packets[i].timestamp_ns = at;
    }
    u->options.pace = NIC_PACE_TIMESTAMPS;
}

/* A generated capture goes through a file like any other. */
static bool generate_capture(struct packet_setup *u, const struct traffic_source *source,
                             struct error *err)
{
    char path[] = "/tmp/evgpu-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        return error_set(err, "%s: cannot be made", path);
    close(file);
    u->traffic.count = u->limit ? u->limit : DEFAULT_PACKETS;
    bool ok = traffic_write(path, &u->traffic, source, NULL, err) &&
              capture_read(path, u->filter, 0, &u->capture, err);
    unlink(path);
    return ok;
}

static bool take_capture(struct packet_setup *u, const struct traffic_source *source,
                         struct error *err)
{
    char reason[32];
    if (!u->capture_path)
        return generate_capture(u, source, err);
    if (!capture_read(u->capture_path, u->filter, u->limit, &u->capture, err))
        return false;
    printf("%s: %u %s packets of %llu frames", u->capture_path, u->capture.count,
           u->filter->protocol, (unsigned long long)u->capture.frames);
    for (int i = 0; i < CAPTURE_SKIPS; i++) {
        if (u->capture.skipped[i])
            printf(", %llu %s", (unsigned long long)u->capture.skipped[i],
                   capture_skip_name(u->filter, (enum capture_skip)i, reason));
    }
    printf("\n");
    return true;
}

bool packet_setup_capture(struct packet_setup *u, const struct traffic_source *source,
                          struct error *err)
{
    if (!take_capture(u, source, err))
        return false;
    if (u->random)
        randomise(u);
    return true;
}

static bool check_batch(struct packet_options *o, const struct packet_kind *kind,
                        const struct machine_config *config, struct error *err)
{
    uint32_t most = WARP_SIZE / kind->threads_per_packet;
    if (!o->batch && o->thread_blocks)
        o->batch = BLOCKS_BATCH;
    if (!o->batch)
        o->batch =
            config->nic_batch < most || kind->threads_per_packet == 1 ? config->nic_batch : most;
    if (o->batch > most && !o->thread_blocks)
        return error_set(err, "batch=%u: an event of one warp takes at most %u packets%s", o->batch,
                         most, kind->block_kernel ? "; blocks lets it have more" : "");
    return true;
}

/* A promise has the highest priority if none is given, and a whole batch may come at once. */
static bool check_promise(struct packet_setup *u, struct error *err)
{
    struct packet_promise *p = &u->options.promise;
    enum packet_launch launch = u->options.launch;
    if (u->priority_given && launch != LAUNCH_EDGE)
        return error_set(err, "priority: is of events, not of launch=%s",
                         packet_launch_name(launch));
    if (p->p99_ns && !p->rate)
        return error_set(err, "p99: needs promise_rate=PPS, the packets per second that it is for");
    if (p->burst && !p->rate)
        return error_set(err, "promise_burst: needs promise_rate=PPS");
    if (p->p99_ns && (launch != LAUNCH_EDGE || u->options.foreign || u->options.thread_blocks))
        return error_set(err, "p99: is promised for one-warp events of the service's own kernel "
                              "(launch=edge)");
    if (p->p99_ns && u->options.skip)
        return error_set(err, "p99: execute=no leaves no packet to promise anything for");
    if (p->rate && !p->burst)
        p->burst = u->options.batch;
    if (p->p99_ns && !u->priority_given)
        u->options.priority = EDGE_PRIORITIES - 1;
    return true;
}

static bool check_persistent(const struct packet_options *o, const struct packet_kind *kind,
                             struct error *err)
{
    if (o->launch != LAUNCH_PERSISTENT)
        return !o->persistent_warps ||
               error_set(err, "persistent_warps goes with launch=persistent, not with launch=%s",
                         packet_launch_name(o->launch));
    if (!kind->persistent)
        return error_set(err, "launch=persistent: %s has no persistent kernel", kind->name);
    if (o->skip)
        return error_set(err, "execute=no: a persistent kernel is not launched for each event");
    if (o->thread_blocks)
        return error_set(err, "blocks: a warp of the persistent kernel takes a batch; launch=edge "
                              "and launch=cpu have kernels of thread blocks");
    return !o->fill || error_set(err, "fill: the persistent kernel looks for packets that are all "
                                      "there; launch=edge and launch=cpu have fill");
}

static bool check_launch(const struct packet_setup *u, const struct machine_config *config,
                         struct error *err)
{
    enum packet_launch launch = u->options.launch;
    if (u->options.foreign && launch != LAUNCH_EDGE)
        return error_set(err, "kernel=program is launched by events, not by launch=%s",
                         packet_launch_name(launch));
    if (u->timeout_given && (launch != LAUNCH_EDGE || u->options.foreign))
        return error_set(err, "timeout_us: is of events of the service's own kernel, not of %s",
                         u->options.foreign ? "kernel=program, whose program aborts its events"
                                            : packet_launch_name(launch));
    if (u->ring_given && launch != LAUNCH_HSA)
        return error_set(err, "ring: only with launch=hsa");
    if (u->options.ring_packets && launch != LAUNCH_HSA && launch != LAUNCH_XTQ)
        return error_set(err, "ring_packets: only with launch=hsa or launch=xtq");
    return launch != LAUNCH_GDA || config->streams >= config->cpu_threads ||
           error_set(err, "launch=gda: cpu.streams = %u are fewer than cpu.threads = %u",
                     config->streams, config->cpu_threads);
}

bool packet_setup_check(struct packet_setup *u, const struct packet_kind *kind, const char *folder,
                        const char *kernels, const struct machine_config *config, struct error *err)
{
    struct packet_options *o = &u->options;
    char kernel[128];
    if (!check_launch(u, config, err))
        return false;
    if (o->foreign && o->fill)
        return error_set(err, "fill: with kernel=program the buffers are the program's");
    if (o->foreign && o->registers)
        return error_set(err, "registers: with kernel=program the kernel is the program's");
    if (o->foreign && o->skip)
        return error_set(err, "execute=no: with kernel=program the kernel is the program's");
    if (u->random && o->pace != NIC_PACE_PACKETS)
        return error_set(err, "arrivals=poisson: needs pace=pps:N");
    if (!check_persistent(o, kind, err))
        return false;
    if (o->thread_blocks && !kind->block_kernel)
        return error_set(err, "blocks: %s has no kernel of thread blocks", kind->name);
    if (!check_batch(o, kind, config, err) || !check_promise(u, err))
        return false;
    if (!o->in_flight)
        o->in_flight = config->nic_in_flight;
    o->capture = &u->capture;
    if (o->ptx)
        return true;
    if (o->launch == LAUNCH_PERSISTENT)
        snprintf(kernel, sizeof kernel, "sw/services/%s/%s.ptx", folder, kind->persistent);
    else
        snprintf(kernel, sizeof kernel, "sw/services/%s/%s", folder, kernels);
    if (!find_kernel(kernel, u->ptx, sizeof u->ptx, err))
        return false;
    o->ptx = u->ptx;
    return true;
}
