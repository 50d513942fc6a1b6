/* Lanes that walk rows of a matrix, one core, over limits of its warps: L1 keeps a line until its
 * last word only if it holds the lines of all warps that may issue. */
#include <stdio.h>

#include "tests/microbench/forms.h"
#include "tests/microbench/micro.h"

#define COLUMNS 32u
#define BASE    (1u << 20) /* alignment: rows lie in the sets as form_rows has them */

static double hits(const struct machine_config *config, uint32_t pitch, uint32_t limit)
{
    struct machine_config one = *config;
    one.cores = 1;
    one.core.warp_limit = limit;
    one.events.reserved_cores = 1;
    struct bench b;
    bench_open(&b, &one, NULL);
    uint32_t warps = config->core.warps / 8 * 8;
    uint64_t matrix = bench_alloc(&b, 32ull * warps * pitch, BASE);
    uint64_t out = bench_alloc(&b, 256, 256);
    struct arg args[] = {ADDR(matrix), WORD(pitch), WORD(COLUMNS), ADDR(out), {0}};
    struct run r = bench_run(&b, "rows", 8, warps * 4, args);
    bench_close(&b);
    return (double)r.l1_hits / (double)(r.l1_hits + r.l1_misses);
}

/* Where L1 does not hold all lines, how much is left depends on which warp comes when. At least
 * what is left when all take turns. At most what is left to as many as the load-store queue holds:
 * the oldest warps go first, but no fewer than these are at L1 at once; one alone keeps what came
 * last where a way is taken on fill. A warp that begins while others are in the middle costs
 * something even where there is just room. */
static void allow(struct micro_row *row, const struct machine_config *config, uint32_t pitch,
                  uint32_t warps)
{
    const double order = 0.15;
    micro_within(row, 0.005);
    if (warps == 1)
        return;
    uint32_t queue = config->core.ldst_queue;
    double at_once = form_rows(config, pitch, warps < queue ? warps : queue);
    double alone = form_rows(config, pitch, 1);
    if (config->core.l1_allocate == ALLOCATE_ON_FILL && alone > at_once)
        at_once = alone;
    row->low = row->form > order ? row->form - order : 0;
    row->high = form_row_hits(config) + 0.005;
    if (at_once + order < row->high)
        row->high = at_once + order;
}

void micro_rows(const struct machine_config *config, const struct micro_sink *sink)
{
    static const uint32_t pitches[] = {4096, 4224}, limits[] = {1, 2, 4, 8, 16, 48};
    for (uint32_t p = 0; p < 2; p++) {
        for (uint32_t l = 0; l < sizeof limits / sizeof *limits; l++) {
            struct micro_row row = {.group = "rows", .unit = "L1 hits"};
            if (limits[l] > config->core.warps)
                break;
            snprintf(row.name, sizeof row.name, "rows of %u bytes, %u warps", pitches[p],
                     limits[l]);
            row.form = form_rows(config, pitches[p], limits[l]);
            allow(&row, config, pitches[p], limits[l]);
            row.measured = hits(config, pitches[p], limits[l]);
            micro_give(sink, &row);
        }
    }
}
