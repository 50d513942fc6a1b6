#include "sim/guest/service/packet_settings.h"

#include <string.h>

#include "base/number.h"
#include "sim/gpu/queue/packet_processor.h"
#include "sim/ptx/program.h"
#include "sw/edge/edge.h"

#define MAX_IN_FLIGHT 1024 /* entries of a submission queue, as nic.in_flight */
#define LIVE_PACKETS  65536
#define BLOCKS_BATCH  256 /* packets of an event of thread blocks */

_Static_assert(PACKET_WARP == WARP_SIZE, "threads of a warp");

/* Choices in the order of what they stand for. */
static const char *const arrivals[] = {
    [ARRIVALS_EVEN] = "even", [ARRIVALS_POISSON] = "poisson", NULL};
static const char *const rings[] = {"host", "gpu", NULL};
static const char *const checks[] = {"reference", "processed", NULL};
static const char *const answers[] = {"yes", "no", NULL};
static const char *const doorbells[] = {[NIC_SIGNAL_BEHIND] = "behind",
                                        [NIC_SIGNAL_DECIDED] = "decided",
                                        [NIC_SIGNAL_FIRST] = "first",
                                        NULL};
static const char *const hands[] = {[HAND_BATCH] = "batch", [HAND_WORDS] = "words", NULL};
static const char *const returns[] = {
    [NIC_RETURN_ENTRY] = "entry", [NIC_RETURN_WORDS] = "words", NULL};
static const char *const launch_names[LAUNCH_WAYS + 1] = {
    [LAUNCH_EDGE] = "edge", [LAUNCH_CPU] = "cpu", [LAUNCH_PERSISTENT] = "persistent",
    [LAUNCH_GDA] = "gda",   [LAUNCH_HSA] = "hsa", [LAUNCH_XTQ] = "xtq"};

const struct setting_row packet_setting_rows[] = {
    [PS_CAPTURE] = {.key = "capture",
                    .type = SETTING_TEXT,
                    .unit = "FILE",
                    .help = "replay this Ethernet capture",
                    .usual_text = "a generated one"},
    [PS_PORT] = {.key = "port",
                 .type = SETTING_TEXT,
                 .unit = "tap:NAME",
                 .help = "the wire ends at this TAP device of the host, and is live",
                 .usual_text = "none: packets of a capture",
                 .replaced_by = "capture"},
    [PS_RECORD] = {.key = "record",
                   .type = SETTING_TEXT,
                   .unit = "FILE.pcap",
                   .help = "of a live wire: capture of what comes in, to be replayed",
                   .usual_text = "none"},
    [PS_DILATION] = {.key = "dilation",
                     .type = SETTING_NUMBER,
                     .unit = "N",
                     .help = "of a live wire: so much real time for the same simulated time",
                     .least = 1,
                     .most = 1000000,
                     .usual = 1000},
    [PS_SECONDS] = {.key = "seconds",
                    .type = SETTING_NUMBER,
                    .unit = "N",
                    .help = "of a live wire: of real time, after which it closes",
                    .least = 1,
                    .most = 1000000,
                    .usual_text = "never"},
    [PS_OPEN] = {.key = "open_ns",
                 .type = SETTING_NUMBER,
                 .unit = "NS",
                 .help = "the wire stays open for so long at least, as the recorded one did",
                 .least = 1,
                 .most = 1000000000000000,
                 .usual_text = "until the last packet"},
    [PS_FRAME] = {.key = "frame",
                  .type = SETTING_NUMBER,
                  .unit = "BYTES",
                  .help = "slots have room for this frame; of a live wire, 1514",
                  .least = 60,
                  .most = CAPTURE_MAX_FRAME,
                  .usual_text = "the capture's longest"},
    [PS_PACKETS] = {.key = "packets",
                    .type = SETTING_NUMBER,
                    .unit = "N",
                    .help = "packets to generate, or at most of the capture or live wire",
                    .least = 1,
                    .most = 100000000,
                    .usual_text = "12000, all of the capture, or 65536 of a live wire"},
    [PS_RATE] = {.key = "rate",
                 .type = SETTING_NUMBER,
                 .unit = "PPS",
                 .help = "mean packets per second of the generated capture",
                 .least = 1,
                 .most = 1000000000,
                 .usual_text = "that of the service",
                 .replaced_by = "capture"},
    [PS_PACE] = {.key = "pace",
                 .type = SETTING_TEXT,
                 .unit = "PACE",
                 .help = "time (stamps of the capture), start (the same, counted from the wire's "
                         "start, as in recordings of a live wire), pps:N or gbps:N",
                 .usual_text = "time"},
    [PS_ARRIVALS] = {.key = "arrivals",
                     .type = SETTING_CHOICE,
                     .unit = "HOW",
                     .help = "with pace=pps:N; poisson brings whole batches at random times",
                     .choices = arrivals},
    [PS_DROP] = {.key = "drop",
                 .type = SETTING_FLAG,
                 .help = "drop packets at a full NIC buffer instead of pausing the wire"},
    [PS_LAUNCH] = {.key = "launch",
                   .type = SETTING_CHOICE,
                   .unit = "WAY",
                   .help =
                       "an event (edge), a polling CPU by the driver (cpu), a kernel that polls "
                       "(persistent), kernels that a CPU has prepared (gda: GPUDirect Async), a "
                       "polling CPU by a user-level queue (hsa), the NIC by such a queue (xtq)",
                   .choices = launch_names},
    [PS_RING] = {.key = "ring",
                 .type = SETTING_CHOICE,
                 .unit = "WHERE",
                 .help = "of hsa's queue, in whose memory it is",
                 .choices = rings},
    [PS_RING_PACKETS] = {.key = "ring_packets",
                         .type = SETTING_NUMBER,
                         .unit = "N",
                         .help = "of hsa's or xtq's queue, a power of two",
                         .least = 1,
                         .most = PP_MAX_PACKETS,
                         .power_of_two = true,
                         .usual_text = "nic.in_flight"},
    [PS_PERSISTENT_WARPS] = {.key = "persistent_warps",
                             .type = SETTING_NUMBER,
                             .unit = "N",
                             .help = "of the persistent kernel",
                             .least = 1,
                             .most = 65536,
                             .usual_text = "one for each queue entry, at most half the GPU"},
    [PS_KERNEL] = {.key = "kernel",
                   .type = SETTING_TEXT,
                   .unit = "WHOSE",
                   .help = "own; program: one that a program binds to it; or FILE.ptx with another "
                           "kernel of the same name and parameters",
                   .usual_text = "own"},
    [PS_CHECK] = {.key = "check",
                  .type = SETTING_CHOICE,
                  .unit = "WHAT",
                  .help = "verdict, port and frame of every packet, or only that it has a verdict, "
                          "for a program's kernel that does something else",
                  .choices = checks},
    [PS_EXECUTE] = {.key = "execute",
                    .type = SETTING_CHOICE,
                    .unit = "ANSWER",
                    .help =
                        "no: an event ends as soon as it has its warp or blocks, and nothing is "
                        "forwarded",
                    .choices = answers},
    [PS_BLOCKS] = {.key = "blocks",
                   .type = SETTING_FLAG,
                   .help = "events of 256 packets in thread blocks, not of one warp"},
    [PS_HAND] = {.key = "hand",
                 .type = SETTING_CHOICE,
                 .unit = "HOW",
                 .help = "of a service of two kernels: the first hands on a whole batch, and the "
                         "second starts behind it, or both start at once, and the second waits for "
                         "words with full/empty bits",
                 .choices = hands},
    [PS_FILL] = {.key = "fill",
                 .type = SETTING_FLAG,
                 .help = "packets in memory with full/empty bits: an event waits for each word, so "
                         "that its doorbell may come before them"},
    [PS_DOORBELL] = {.key = "doorbell",
                     .type = SETTING_CHOICE,
                     .unit = "WHEN",
                     .help =
                         "with fill: behind the packets, when the batch is decided and its last "
                         "packets are on their way, or with the first packet",
                     .choices = doorbells},
    [PS_RETURN] = {.key = "return",
                   .type = SETTING_CHOICE,
                   .unit = "WHAT",
                   .help = "with fill: what the NIC waits for before it reads the answers, the "
                           "event's completion entry or each of their words",
                   .choices = returns},
    [PS_BATCH] = {.key = "batch",
                  .type = SETTING_NUMBER,
                  .unit = "N",
                  .help = "packets per event",
                  .least = 1,
                  .most = NIC_MAX_BATCH,
                  .usual_text = "nic.batch, 256 with blocks"},
    [PS_REGISTERS] = {.key = "registers",
                      .type = SETTING_NUMBER,
                      .unit = "N",
                      .help = "per thread at most",
                      .least = MIN_REGS,
                      .most = MAX_REGS,
                      .usual_text = "as the compiler gives them"},
    [PS_IN_FLIGHT] = {.key = "in_flight",
                      .type = SETTING_NUMBER,
                      .unit = "N",
                      .help = "events under way at a time, further packets wait in the NIC",
                      .least = 1,
                      .most = MAX_IN_FLIGHT,
                      .usual_text = "nic.in_flight"},
    [PS_TIMEOUT] = {.key = "timeout_us",
                    .type = SETTING_NUMBER,
                    .unit = "US",
                    .help = "the driver aborts an event that takes longer; 0: never",
                    .most = 1000000},
    [PS_PRIORITY] = {.key = "priority",
                     .type = SETTING_NUMBER,
                     .unit = "N",
                     .help = "of its events, the highest first",
                     .most = EDGE_PRIORITIES - 1,
                     .usual_text = "0; with p99 the highest"},
    [PS_P99] = {.key = "p99",
                .type = SETTING_NUMBER,
                .unit = "US",
                .help = "promise: 99 of 100 packets are out within so many microseconds; refused "
                        "when it cannot be kept, and the run fails when it was not",
                .least = 1,
                .most = 1000000,
                .usual_text = "none"},
    [PS_PROMISE_RATE] = {.key = "promise_rate",
                         .type = SETTING_NUMBER,
                         .unit = "PPS",
                         .help = "packets per second that it is for; further ones are held, or "
                                 "dropped (drop)",
                         .least = 1,
                         .most = 1000000000,
                         .usual_text = "none"},
    [PS_PROMISE_BURST] = {.key = "promise_burst",
                          .type = SETTING_NUMBER,
                          .unit = "N",
                          .help = "of them at once",
                          .least = 1,
                          .most = 65536,
                          .usual_text = "batch"},
    [PS_OUT] = {.key = "out",
                .type = SETTING_TEXT,
                .unit = "FILE.pcap",
                .help = "capture of what the NIC sends",
                .usual_text = "none"},
    [PS_SEED] = {.key = "seed",
                 .type = SETTING_NUMBER,
                 .unit = "N",
                 .help = "of everything generated",
                 .most = UINT64_MAX,
                 .usual_text = "that of the run"},
    [PACKET_SETTINGS] = {.key = NULL}};

const char *packet_launch_name(enum packet_launch launch)
{
    return launch_names[launch];
}

/* --- values with a form of their own ------------------------------------------------------------
 */

static bool take_pace(const char *text, struct packet_options *o, struct error *err)
{
    if (!text || !strcmp(text, "time")) {
        o->pace = NIC_PACE_TIMESTAMPS;
        return true;
    }
    if (!strcmp(text, "start")) {
        o->pace = NIC_PACE_START;
        return true;
    }
    bool packets = !strncmp(text, "pps:", 4), bits = !strncmp(text, "gbps:", 5);
    if (!packets && !bits)
        return error_set(err, "pace %s: must be time, start, pps:N or gbps:N", text);
    o->pace = packets ? NIC_PACE_PACKETS : NIC_PACE_BITS;
    if (!parse_whole("pace", strchr(text, ':') + 1, packets ? 1000000000 : 1000, &o->rate, err))
        return false;
    if (!o->rate)
        return error_set(err, "pace %s: the rate must be at least 1", text);
    if (bits)
        o->rate *= 1000000000;
    return true;
}

static bool take_kernel(const char *whose, struct packet_options *o, struct error *err)
{
    size_t length = whose ? strlen(whose) : 0;
    bool file = length > 4 && !strcmp(whose + length - 4, ".ptx");
    o->foreign = whose && !strcmp(whose, "program");
    o->ptx = file ? whose : NULL;
    return !whose || file || o->foreign || !strcmp(whose, "own") ||
           error_set(err, "kernel %s: must be own, program or a .ptx file", whose);
}

static bool take_port(const char *text, struct packet_options *o, struct error *err)
{
    if (!text)
        return true;
    if (strncmp(text, "tap:", 4) || !text[4])
        return error_set(err, "port %s: must be tap:NAME, the name of a TAP device", text);
    o->live.device = text + 4;
    o->pace = NIC_PACE_START;
    return true;
}

/* --- values together ----------------------------------------------------------------------------
 */

static bool check_batch(struct packet_options *o, const struct packet_kind *kind,
                        const struct machine_config *config, struct error *err)
{
    uint32_t most = kind->then ? WARP_SIZE : WARP_SIZE / kind->threads_per_packet;
    if (!o->batch && o->thread_blocks)
        o->batch = BLOCKS_BATCH;
    if (!o->batch)
        o->batch =
            config->nic_batch < most || kind->threads_per_packet == 1 ? config->nic_batch : most;
    if (o->batch > most && kind->then)
        return error_set(err, "batch=%u: a pipeline's second kernel is one warp; at most %u",
                         o->batch, most);
    if (o->batch > most && !o->thread_blocks)
        return error_set(err, "batch=%u: a one-warp event takes at most %u packets%s", o->batch,
                         most, kind->block_kernel ? "; set blocks for more" : "");
    return true;
}

/* A promise has the highest priority if none is given, and a whole batch may come at once. */
static bool check_promise(const struct setting_value *v, struct packet_options *o,
                          struct error *err)
{
    struct packet_promise *p = &o->promise;
    if (v[PS_PRIORITY].given && o->launch != LAUNCH_EDGE)
        return error_set(err, "priority: applies to events, not to launch=%s",
                         packet_launch_name(o->launch));
    if (p->p99_ns && !p->rate)
        return error_set(err, "p99: needs promise_rate=PPS, the declared packets per second");
    if (p->burst && !p->rate)
        return error_set(err, "promise_burst: needs promise_rate=PPS");
    if (p->p99_ns && (o->launch != LAUNCH_EDGE || o->foreign || o->thread_blocks))
        return error_set(err, "p99: can be promised only for one-warp events of the service's own "
                              "kernel (launch=edge)");
    if (p->p99_ns && o->skip)
        return error_set(err,
                         "p99: execute=no forwards no packet, so there is no latency to promise");
    if (p->rate && !p->burst)
        p->burst = o->batch;
    if (p->p99_ns && !v[PS_PRIORITY].given)
        o->priority = EDGE_PRIORITIES - 1;
    return true;
}

static bool check_persistent(const struct packet_options *o, const char *service,
                             const struct packet_kind *kind, struct error *err)
{
    if (o->launch != LAUNCH_PERSISTENT)
        return !o->persistent_warps ||
               error_set(err, "persistent_warps: needs launch=persistent, not launch=%s",
                         packet_launch_name(o->launch));
    if (!kind->persistent)
        return error_set(err, "launch=persistent: %s has no persistent kernel", service);
    if (o->skip)
        return error_set(
            err, "execute=no: needs a launch per event, which launch=persistent does not have");
    if (o->thread_blocks)
        return error_set(err, "blocks: a batch of the persistent kernel goes to one warp; use "
                              "launch=edge or launch=cpu");
    return !o->fill || error_set(err, "fill: the persistent kernel polls for complete packets; use "
                                      "launch=edge or launch=cpu");
}

static bool check_launch(const struct setting_value *v, const struct packet_options *o,
                         const struct machine_config *config, struct error *err)
{
    if (o->foreign && o->launch != LAUNCH_EDGE)
        return error_set(err, "kernel=program: needs launch=edge, not launch=%s",
                         packet_launch_name(o->launch));
    if (v[PS_TIMEOUT].given && (o->launch != LAUNCH_EDGE || o->foreign))
        return error_set(err,
                         "timeout_us: applies to events of the service's own kernel, not to %s",
                         o->foreign ? "kernel=program, whose program aborts its own events"
                                    : packet_launch_name(o->launch));
    if (o->doorbell != NIC_SIGNAL_BEHIND &&
        (!o->fill || o->launch != LAUNCH_EDGE || o->promise.rate))
        return error_set(err,
                         "doorbell: before its packets it needs fill and launch=edge, and takes "
                         "no promise_rate");
    if (v[PS_RING].given && o->launch != LAUNCH_HSA)
        return error_set(err, "ring: needs launch=hsa");
    if (o->ring_packets && o->launch != LAUNCH_HSA && o->launch != LAUNCH_XTQ)
        return error_set(err, "ring_packets: needs launch=hsa or launch=xtq");
    return o->launch != LAUNCH_GDA || config->streams >= config->cpu_threads ||
           error_set(err, "launch=gda: cpu.streams = %u must not be less than cpu.threads = %u",
                     config->streams, config->cpu_threads);
}

/* Second kernels that wait for words (packet_pipeline.h). */
static bool check_waiting(struct packet_options *o, const struct machine_config *config,
                          struct error *err)
{
    uint32_t most = pipeline_waiting(config);
    if (o->launch == LAUNCH_EDGE && o->batch == 1)
        return error_set(err, "batch=1: with hand=words the first kernel must be able to start on "
                              "any core, which an event of one warp cannot; at least 2");
    if (o->launch == LAUNCH_EDGE && !o->in_flight)
        o->in_flight = config->nic_in_flight < most ? config->nic_in_flight : most;
    if (most && (o->launch == LAUNCH_EDGE ? o->in_flight <= most : config->cpu_threads <= most))
        return true;
    return error_set(err,
                     "hand=words: at most %u second kernels may wait at a time, fewer than there "
                     "are cores (gpu.cores) and places for kernels (gpu.kernels_running, "
                     "gpu.kernels_pending), so that first ones find room; set %s",
                     most, o->launch == LAUNCH_EDGE ? "in_flight" : "cpu.threads");
}

/* What a pipeline cannot be beside. */
static bool check_pipeline(const struct setting_value *v, const struct packet_options *o,
                           const char *service, const struct packet_kind *kind, struct error *err)
{
    static const uint8_t alone[] = {PS_BLOCKS, PS_EXECUTE, PS_TIMEOUT, PS_P99, PS_PROMISE_RATE};
    if (!kind->then)
        return !v[PS_HAND].given || error_set(err, "hand: %s has one kernel", service);
    if (o->launch != LAUNCH_EDGE && o->launch != LAUNCH_CPU)
        return error_set(err,
                         "launch=%s: the second kernel of %s is started by a doorbell (edge) or by "
                         "the CPU (cpu)",
                         packet_launch_name(o->launch), service);
    if (o->fill)
        return error_set(err,
                         "fill: %s would wait for itself: the first kernel's loads of packets "
                         "behind the second one's of what the first has still to write",
                         service);
    if (o->foreign)
        return error_set(err, "kernel=program: %s has two kernels", service);
    for (uint32_t i = 0; i < sizeof alone; i++) {
        if (v[alone[i]].given)
            return error_set(err, "%s: is for services of one kernel, not for %s",
                             packet_setting_rows[alone[i]].key, service);
    }
    return true;
}

/* Settings of a live wire only, and settings that it has no use for. */
static bool check_live(const struct setting_value *v, const struct packet_options *o,
                       struct error *err)
{
    static const uint8_t live[] = {PS_RECORD, PS_DILATION, PS_SECONDS};
    static const uint8_t replayed[] = {PS_RATE, PS_PACE, PS_ARRIVALS, PS_P99, PS_OPEN, PS_FRAME};
    const struct setting_row *row = packet_setting_rows;
    for (uint32_t i = 0; !o->live.device && i < sizeof live; i++) {
        if (v[live[i]].given)
            return error_set(err, "%s: needs a live wire, port=tap:NAME", row[live[i]].key);
    }
    for (uint32_t i = 0; o->live.device && i < sizeof replayed; i++) {
        if (v[replayed[i]].given)
            return error_set(err,
                             "%s: a live wire's packets come when they come; leave out %s or "
                             "port",
                             row[replayed[i]].key, row[replayed[i]].key);
    }
    return true;
}

/* An early return: who never stores a word never ends the NIC's wait for it. */
static bool check_return(const struct packet_options *o, const char *service,
                         const struct packet_kind *kind, const struct machine_config *config,
                         struct error *err)
{
    if (o->returns != NIC_RETURN_WORDS)
        return true;
    if (!o->fill || o->launch != LAUNCH_EDGE || o->foreign)
        return error_set(err, "return=words: needs fill, launch=edge and the service's own kernel");
    if (!kind->returning)
        return error_set(err, "return=words: %s has no kernel that stores its answers apart",
                         service);
    if (o->thread_blocks)
        return error_set(err, "return=words: applies to events of one warp; leave out blocks");
    if (o->skip || o->timeout_us)
        return error_set(err,
                         "return=words: an event that %s stores no answers, for which the NIC "
                         "would wait; leave out %s",
                         o->skip ? "is not executed" : "is aborted",
                         o->skip ? "execute=no" : "timeout_us");
    if (o->promise.rate)
        return error_set(err, "return=words: takes no promise_rate");
    return config->fe.grain_bytes == sizeof(uint32_t) ||
           error_set(err,
                     "return=words: fe.grain_bytes = %u; words that share a bit would wait for "
                     "others that nobody stores; set fe.grain_bytes = 4",
                     config->fe.grain_bytes);
}

static bool check_foreign(const struct packet_options *o, struct error *err)
{
    if (!o->foreign)
        return true;
    if (o->fill)
        return error_set(err, "fill: with kernel=program the program provides the buffers");
    if (o->registers)
        return error_set(err, "registers: with kernel=program the program provides the kernel");
    return !o->skip ||
           error_set(err, "execute=no: with kernel=program the program provides the kernel");
}

static void take_values(const struct setting_value *v, struct packet_options *o)
{
    *o = (struct packet_options){
        .launch = (enum packet_launch)v[PS_LAUNCH].number,
        .thread_blocks = v[PS_BLOCKS].number,
        .only_processed = v[PS_CHECK].number,
        .skip = v[PS_EXECUTE].number,
        .fill = v[PS_FILL].number,
        .hand = (enum packet_hand)v[PS_HAND].number,
        .doorbell = (enum nic_signal_time)v[PS_DOORBELL].number,
        .returns = (enum nic_return)v[PS_RETURN].number,
        .batch = (uint32_t)v[PS_BATCH].number,
        .ring_on_gpu = v[PS_RING].number,
        .ring_packets = (uint32_t)v[PS_RING_PACKETS].number,
        .persistent_warps = (uint32_t)v[PS_PERSISTENT_WARPS].number,
        .registers = (uint32_t)v[PS_REGISTERS].number,
        .in_flight = (uint32_t)v[PS_IN_FLIGHT].number,
        .timeout_us = (uint32_t)v[PS_TIMEOUT].number,
        .drop = v[PS_DROP].number,
        .open_ns = v[PS_OPEN].number,
        .longest = (uint32_t)v[PS_FRAME].number,
        .live = {.packets = v[PS_PACKETS].given ? (uint32_t)v[PS_PACKETS].number : LIVE_PACKETS,
                 .dilation = (uint32_t)v[PS_DILATION].number,
                 .seconds = v[PS_SECONDS].number,
                 .recording = v[PS_RECORD].text},
        .priority = (uint32_t)v[PS_PRIORITY].number,
        .promise = {.p99_ns = v[PS_P99].number * 1000,
                    .rate = (uint32_t)v[PS_PROMISE_RATE].number,
                    .burst = (uint32_t)v[PS_PROMISE_BURST].number},
        .sent_path = v[PS_OUT].text};
}

bool packet_settings_options(const struct setting_value *values, const char *service,
                             const struct packet_kind *kind, const struct machine_config *config,
                             struct packet_options *options, struct error *err)
{
    take_values(values, options);
    if (!take_pace(values[PS_PACE].text, options, err) ||
        !take_kernel(values[PS_KERNEL].text, options, err) ||
        !take_port(values[PS_PORT].text, options, err) || !check_live(values, options, err) ||
        !check_launch(values, options, config, err) || !check_foreign(options, err) ||
        !check_pipeline(values, options, service, kind, err))
        return false;
    if (values[PS_ARRIVALS].number == ARRIVALS_POISSON && options->pace != NIC_PACE_PACKETS)
        return error_set(err, "arrivals=poisson: needs pace=pps:N");
    if (!check_persistent(options, service, kind, err) ||
        !check_return(options, service, kind, config, err))
        return false;
    if (options->thread_blocks && !kind->block_kernel)
        return error_set(err, "blocks: %s has no kernel of thread blocks", service);
    if (!check_batch(options, kind, config, err) || !check_promise(values, options, err) ||
        (options->hand == HAND_WORDS && !check_waiting(options, config, err)))
        return false;
    if (!options->in_flight)
        options->in_flight = config->nic_in_flight;
    return true;
}
