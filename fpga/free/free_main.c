/* evgpu-free: runs a board that runs by itself (free_run, docs/design/fpga.md), verilated, as its C
 * model, as both in lockstep, or on hardware behind a serial line, and shows the latencies that it
 * measured. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "evgpu_defs.h"
#include "fpga/free/free_model.h"
#include "free_run.h"
#include "tb/serial.h"

enum {
    PROGRESS = 1 << 22, /* cycles between two lines of progress */
    SHADES = 50,
    IDLE_NS = 200 * 1000 * 1000 /* between two looks at a board */
};

struct options {
    struct free_run_in in;
    enum tile_backend tiles;
    const char *port, *histogram;
    bool quiet;
};

struct latencies {
    uint64_t launch[FREE_CLASSES][FREE_BINS], take[FREE_CLASSES][FREE_BINS];
};

static void usage(FILE *out)
{
    fputs(
        "usage: evgpu-free [--events N] [--seed N] [--rate N] [--burst N] [--most N] [--policy "
        "NAME]\n"
        "                  [--no-spare] [--plain] [--tiles verilator|model|lockstep|serial:PATH]\n"
        "                  [--histogram FILE] [--quiet]\n"
        "  --events N     doorbells, 1 to 4294967295 (10000)\n"
        "  --seed N       of everything that is by chance, 0 to 4294967295 (1)\n"
        "  --rate N       bursts begin with a chance of N / 65536 in each cycle (800)\n"
        "  --burst N      doorbells of a burst, 1 to 16 (1)\n"
        "  --most N       events in flight at most, 1 to 255 (128)\n"
        "  --policy NAME  oldest, newest or cheapest (cheapest)\n"
        "  --no-spare     no event gets registers of its own on a victim\n"
        "  --plain        none of the four optimisations of a flush\n"
        "  --histogram    writes the bins as a table: latency, class, first value, events\n",
        out);
}

/* --- options
 * -------------------------------------------------------------------------------------- */

static bool number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value,
                   struct error *err)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < low || n > high)
        return error_set(err, "--%s %s: must be a number in %u..%u", name, text, low, high);
    *value = (uint32_t)n;
    return true;
}

static bool choose_tiles(struct options *o, const char *text, struct error *err)
{
    static const struct {
        const char *name;
        enum tile_backend tiles;
    } choices[] = {
        {"verilator", TILE_VERILATOR}, {"model", TILE_MODEL}, {"lockstep", TILE_LOCKSTEP}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (!strcmp(text, choices[i].name)) {
            o->tiles = choices[i].tiles;
            return true;
        }
    if (strncmp(text, "serial:", 7) != 0)
        return error_set(err, "--tiles %s: must be verilator, model, lockstep or serial:PATH",
                         text);
    o->tiles = TILE_SERIAL;
    o->port = text + 7;
    return true;
}

static bool choose_policy(struct options *o, const char *text, struct error *err)
{
    static const char *const names[] = {[VICTIM_POLICY_OLDEST] = "oldest",
                                        [VICTIM_POLICY_NEWEST] = "newest",
                                        [VICTIM_POLICY_CHEAPEST] = "cheapest"};
    for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(text, names[i])) {
            o->in.policy = i;
            return true;
        }
    return error_set(err, "--policy %s: must be oldest, newest or cheapest", text);
}

enum option_index {
    EVENTS,
    SEED,
    RATE,
    BURST,
    MOST,
    POLICY,
    TILES,
    HISTOGRAM,
    NO_SPARE,
    PLAIN,
    QUIET,
    HELP
};

static const struct option_limits {
    uint32_t low, high;
} limits[] = {[EVENTS] = {1, UINT32_MAX},
              [SEED] = {0, UINT32_MAX},
              [RATE] = {1, UINT16_MAX},
              [BURST] = {1, 16},
              [MOST] = {1, UINT8_MAX}};

static const struct option names[] = {{"events", required_argument, NULL, EVENTS},
                                      {"seed", required_argument, NULL, SEED},
                                      {"rate", required_argument, NULL, RATE},
                                      {"burst", required_argument, NULL, BURST},
                                      {"most", required_argument, NULL, MOST},
                                      {"policy", required_argument, NULL, POLICY},
                                      {"tiles", required_argument, NULL, TILES},
                                      {"histogram", required_argument, NULL, HISTOGRAM},
                                      {"no-spare", no_argument, NULL, NO_SPARE},
                                      {"plain", no_argument, NULL, PLAIN},
                                      {"quiet", no_argument, NULL, QUIET},
                                      {"help", no_argument, NULL, HELP},
                                      {NULL, 0, NULL, 0}};

static void set_number(struct options *o, enum option_index which, uint32_t value)
{
    switch (which) {
    case EVENTS:
        o->in.goal = value;
        break;
    case SEED:
        o->in.seed = value;
        break;
    case RATE:
        o->in.rate = (uint16_t)value;
        break;
    case BURST:
        o->in.burst = (uint8_t)(value - 1);
        break;
    default:
        o->in.most = (uint8_t)value;
    }
}

static bool set_option(struct options *o, enum option_index which, struct error *err)
{
    uint32_t value = 0;
    switch (which) {
    case POLICY:
        return choose_policy(o, optarg, err);
    case TILES:
        return choose_tiles(o, optarg, err);
    case HISTOGRAM:
        o->histogram = optarg;
        return true;
    case NO_SPARE:
        o->in.spare = 0;
        return true;
    case PLAIN:
        o->in.opts = 0;
        return true;
    case QUIET:
        o->quiet = true;
        return true;
    default:
        if (!number(names[which].name, optarg, limits[which].low, limits[which].high, &value, err))
            return false;
        set_number(o, which, value);
        return true;
    }
}

/* --- the run
 * -------------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void progress(const struct options *o, const struct free_run_out *out, double since)
{
    if (!o->quiet)
        fprintf(stderr, "evgpu-free: %u of %u events, %llu cycles, %.0f s\n", out->completed,
                o->in.goal, (unsigned long long)out->cycles, seconds() - since);
}

/* To the end of the run, or to the first thing that is wrong. */
static bool run(const struct options *o, struct tile *tile, struct free_run_out *out,
                struct error *err)
{
    struct free_run_in in = o->in;
    double since = seconds();
    in.run = 1;
    for (uint64_t step = 1; out->phase != 3; step++) {
        if (!tile_step(tile, &in, out, err))
            return false;
        if (o->tiles == TILE_SERIAL) {
            nanosleep(&(struct timespec){.tv_nsec = IDLE_NS}, NULL);
            progress(o, out, since);
        } else if (step % PROGRESS == 0) {
            progress(o, out, since);
        }
        if (out->wrong)
            return true;
    }
    return true;
}

/* A bin is shown two cycles after it is asked for; on a board, more cycles pass in each step. */
static bool read_bins(const struct options *o, struct tile *tile, struct latencies *bins,
                      struct error *err)
{
    struct free_run_in in = o->in;
    struct free_run_out out;
    in.run = 1;
    for (uint32_t class = 0; class < FREE_CLASSES; class ++)
        for (uint32_t bin = 0; bin < FREE_BINS; bin++) {
            in.at = (uint16_t)(class * FREE_BINS + bin);
            for (int i = 0; i < 3; i++)
                if (!tile_step(tile, &in, &out, err))
                    return false;
            bins->launch[class][bin] = out.bin;
            bins->take[class][bin] = out.take_bin;
        }
    return true;
}

/* --- what was measured
 * ---------------------------------------------------------------------------- */

static uint64_t total_of(const uint64_t bins[FREE_BINS])
{
    uint64_t total = 0;
    for (uint32_t b = 0; b < FREE_BINS; b++)
        total += bins[b];
    return total;
}

/* The first value of the bin in which so much of all lies. */
static uint32_t quantile(const uint64_t bins[FREE_BINS], double part)
{
    uint64_t total = total_of(bins), seen = 0;
    for (uint32_t b = 0; b < FREE_BINS; b++) {
        seen += bins[b];
        if (seen && (double)seen >= part * (double)total)
            return free_bin_first(b);
    }
    return 0;
}

static void line(const char *name, const uint64_t bins[FREE_BINS], uint64_t sum)
{
    uint64_t total = total_of(bins);
    if (total)
        printf("  %-28s %10llu %8.1f %6u %6u %6u %6u\n", name, (unsigned long long)total,
               (double)sum / (double)total, quantile(bins, 0), quantile(bins, 0.5),
               quantile(bins, 0.99), quantile(bins, 1));
}

static void bars(const uint64_t bins[FREE_CLASSES][FREE_BINS])
{
    uint64_t all[FREE_BINS] = {0}, most = 1;
    for (uint32_t b = 0; b < FREE_BINS; b++) {
        for (uint32_t class = 0; class < FREE_CLASSES; class ++)
            all[b] += bins[class][b];
        most = all[b] > most ? all[b] : most;
    }
    for (uint32_t b = 0; b < FREE_BINS; b++)
        if (all[b])
            printf("  %6u %10llu %.*s\n", free_bin_first(b), (unsigned long long)all[b],
                   (int)(1 + (SHADES - 1) * all[b] / most),
                   "##################################################");
}

static bool write_histogram(const char *path, const struct latencies *bins, struct error *err)
{
    static const char *const classes[] = {"free", "spare", "saved"};
    FILE *file = fopen(path, "w");
    if (!file)
        return error_set(err, "%s: %s", path, strerror(errno));
    for (int take = 0; take < 2; take++)
        for (uint32_t class = 0; class < FREE_CLASSES; class ++)
            for (uint32_t b = 0; b < FREE_BINS; b++) {
                uint64_t n = take ? bins->take[class][b] : bins->launch[class][b];
                if (n)
                    fprintf(file, "%s %s %u %llu\n", take ? "take" : "launch", classes[class],
                            free_bin_first(b), (unsigned long long)n);
            }
    return fclose(file) ? error_set(err, "%s: write error", path) : true;
}

static void report(const struct free_run_out *out, const struct latencies *bins)
{
    printf("Latency [cycles]                   events     mean    min    p50    p99    max\n");
    line("doorbell to push, free", bins->launch[0], out->sum_free);
    line("doorbell to push, spare", bins->launch[1], out->sum_spare);
    line("doorbell to push, saved", bins->launch[2], out->sum_saved);
    line("hold to push, spare", bins->take[1], out->take_spare);
    line("hold to push, saved", bins->take[2], out->take_saved);
    printf(
        "Longest: %u from doorbell to push, %u from hold to push; quantiles are the first values "
        "of their bins\n",
        out->launch_most, out->take_most);
    printf("Doorbell to push, all classes: first value, events\n");
    bars(bins->launch);
}

static bool verdict(const struct options *o, const struct free_run_out *out,
                    const struct latencies *bins)
{
    uint64_t counted = 0;
    for (uint32_t class = 0; class < FREE_CLASSES; class ++)
        counted += total_of(bins->launch[class]);
    bool ok = !out->wrong && out->phase == 3 && out->rung == o->in.goal &&
              out->accepted == out->rung && out->pushed == out->rung &&
              out->completed == out->rung && counted == out->rung;
    printf("evgpu-free: %s: %u doorbells, %u accepted, %u pushed, %u complete, %llu counted, "
           "%u wrong, in %llu cycles (held in %llu)\n",
           ok ? "VERIFIED, none lost" : "FAILED", out->rung, out->accepted, out->pushed,
           out->completed, (unsigned long long)counted, out->wrong, (unsigned long long)out->cycles,
           (unsigned long long)out->held);
    return ok;
}

static int run_on(const struct options *o, struct serial_link *link, struct error *err)
{
    static struct latencies bins;
    struct free_run_out out;
    const struct tile_place place = {.board = link};
    struct tile *tile = tile_create_on(&free_run_kind, o->tiles, &place, "free_run", err);
    if (!tile)
        return 1;
    tile_reset(tile, &out);
    bool ok = run(o, tile, &out, err) && read_bins(o, tile, &bins, err) &&
              (!o->histogram || write_histogram(o->histogram, &bins, err));
    tile_destroy(tile);
    if (!ok)
        return 1;
    report(&out, &bins);
    return verdict(o, &out, &bins) ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct options o = {.in = {.seed = 1,
                               .rate = 800,
                               .most = 128,
                               .goal = 10000,
                               .policy = VICTIM_POLICY_CHEAPEST,
                               .opts = EVG_OPT_PRIORITY | EVG_OPT_FLUSH_IBUF |
                                       EVG_OPT_SKIP_BARRIER | EVG_OPT_DROP_LOADS,
                               .spare = 1}};
    struct error err = {0};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (c == HELP) {
            usage(stdout);
            return 0;
        }
        if (c == '?') {
            usage(stderr);
            return 2;
        }
        if (!set_option(&o, (enum option_index)c, &err)) {
            fprintf(stderr, "evgpu-free: %s\n", err.text);
            return 2;
        }
    }
    if (optind != argc) {
        usage(stderr);
        return 2;
    }
    struct serial_link *link = o.port ? serial_link_open(o.port, &err) : NULL;
    int status = o.port && !link ? 1 : run_on(&o, link, &err);
    serial_link_close(link);
    if (err.set)
        fprintf(stderr, "evgpu-free: %s\n", err.text);
    return status;
}
