#include "sw/services/common/traffic.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/output.h"
#include "sw/services/common/capture_write.h"

#define SECOND_NS       UINT64_C(1000000000)
#define SNAPSHOT_LENGTH 65535

static bool check_options(const struct traffic_options *o, const struct traffic_source *source,
                          struct error *err)
{
    uint64_t fractions = 0;
    for (uint32_t k = 0; k < source->n_kinds; k++)
        fractions += o->fraction[k];
    if (o->count == 0)
        return error_set(err, "packet generator: the count must be at least 1");
    if (o->rate_pps == 0 || o->rate_pps > SECOND_NS)
        return error_set(err,
                         "packet generator: the rate is %" PRIu64 "; it must be 1..%" PRIu64
                         " packets per second",
                         o->rate_pps, SECOND_NS);
    if (o->sizes != TRAFFIC_IMIX &&
        (o->min_frame < TRAFFIC_MIN_FRAME || o->min_frame > TRAFFIC_MAX_FRAME))
        return error_set(err, "packet generator: the frame size is %u; it must be %u..%u bytes",
                         o->min_frame, TRAFFIC_MIN_FRAME, TRAFFIC_MAX_FRAME);
    if (o->sizes == TRAFFIC_RANGE &&
        (o->max_frame < o->min_frame || o->max_frame > TRAFFIC_MAX_FRAME))
        return error_set(err,
                         "packet generator: the largest frame size is %u; it must be %u..%u bytes",
                         o->max_frame, o->min_frame, TRAFFIC_MAX_FRAME);
    if (fractions > TRAFFIC_MILLION)
        return error_set(
            err,
            "packet generator: the fractions, with the usual ones of kinds not given, add "
            "up to %" PRIu64 " parts per million; they must not exceed %u",
            fractions, TRAFFIC_MILLION);
    return true;
}

/* -log2(x / 2^32) in 1/2^32, for x > 0, by repeated squaring: integers only, so that the gaps are
 * the same on every machine. */
static uint64_t minus_log2(uint32_t x)
{
    uint32_t zeros = (uint32_t)__builtin_clz(x);
    uint64_t mantissa = (uint64_t)x << zeros; /* in [2^31, 2^32): 1.31 fixed point */
    uint64_t log = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        mantissa = mantissa * mantissa >> 31;
        log <<= 1;
        if (mantissa >> 32) {
            mantissa >>= 1;
            log |= 1;
        }
    }
    return ((uint64_t)(zeros + 1) << 32) - log;
}

uint64_t traffic_random_gap(struct rng *rng, uint64_t units, uint64_t rate, uint64_t *remainder)
{
    const uint64_t LN_2 = 0xB17217F8; /* in 1/2^32 */
    uint32_t x = (uint32_t)(rng_u64(rng) >> 32);
    unsigned __int128 exponential = (unsigned __int128)minus_log2(x ? x : 1) * LN_2 >> 32;
    unsigned __int128 gap = exponential * units * SECOND_NS / rate + *remainder;
    *remainder = (uint32_t)gap;
    return (uint64_t)(gap >> 32);
}

/* Nanoseconds to the next frame. */
static uint64_t next_gap(struct traffic_file *g)
{
    uint64_t rate = g->options->rate_pps;
    if (g->options->gaps == TRAFFIC_CONSTANT) {
        uint64_t numerator = SECOND_NS + g->gap_remainder;
        g->gap_remainder = numerator % rate;
        return numerator / rate;
    }
    return traffic_random_gap(&g->rng, 1, rate, &g->gap_remainder);
}

uint32_t traffic_frame_length(struct traffic_file *g)
{
    static const uint32_t IMIX[12] = {64, 64, 64, 64, 64, 64, 64, 594, 594, 594, 594, 1518};
    const struct traffic_options *o = g->options;
    uint32_t size = o->min_frame;
    if (o->sizes == TRAFFIC_IMIX)
        size = IMIX[rng_below(&g->rng, 12)];
    else if (o->sizes == TRAFFIC_RANGE)
        size += rng_below(&g->rng, o->max_frame - o->min_frame + 1);
    return size - TRAFFIC_FCS_BYTES;
}

static uint32_t draw_kind(struct traffic_file *g)
{
    uint32_t x = rng_below(&g->rng, TRAFFIC_MILLION), kind = 0;
    while (kind < g->source->n_kinds && x >= g->options->fraction[kind])
        x -= g->options->fraction[kind++];
    return kind;
}

void traffic_random(uint8_t *at, uint32_t bytes, struct rng *rng)
{
    while (bytes) {
        uint64_t word = rng_u64(rng);
        uint32_t n = bytes < sizeof word ? bytes : (uint32_t)sizeof word;
        memcpy(at, &word, n);
        at += n;
        bytes -= n;
    }
}

static bool write_frames(struct traffic_file *g, FILE *to, struct error *err)
{
    uint8_t frame[TRAFFIC_ROOM];
    capture_write_header(to, SNAPSHOT_LENGTH);
    for (uint32_t i = 0; i < g->options->count; i++) {
        uint32_t kind = draw_kind(g);
        uint32_t length = g->source->frame(g->source->user, g, kind, frame, err);
        if (!length)
            return false;
        if (i)
            g->time_ns += next_gap(g);
        struct capture_frame written = {
            .timestamp_ns = g->options->start_ns + g->time_ns, .bytes = frame, .length = length};
        capture_write_frame(to, &written);
        if (kind == g->source->n_kinds)
            g->summary.ordinary++;
        else
            g->summary.kind[kind]++;
        g->summary.bytes += length;
    }
    g->summary.duration_ns = g->time_ns;
    return true;
}

bool traffic_write(const char *path, const struct traffic_options *options,
                   const struct traffic_source *source, struct traffic_summary *summary,
                   struct error *err)
{
    if (!check_options(options, source, err))
        return false;
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    struct traffic_file g = {.path = path, .options = options, .source = source};
    rng_seed(&g.rng, options->seed);
    bool ok = write_frames(&g, output_stream(out), err);
    if (ok)
        ok = output_finish(out, err);
    else
        output_abandon(out);
    if (ok && summary)
        *summary = g.summary;
    return ok;
}
