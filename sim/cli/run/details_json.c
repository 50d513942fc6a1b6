#include "sim/cli/run/details_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_record.h"
#include "sim/guest/profile.h"
#include "sim/ptx/program.h"
#include "sim/ptx/source_map.h"
#include "sim/system/machine.h"
#include "sim/system/moments.h"

#define LINES 40u /* of the source, those where warps were longest */

/* --- series ----------------------------------------------------------------------------------- */

/* One count from moment to moment, over `by` counts: another one, or cycles where it is this. */
#define CYCLES UINT32_MAX
static json_t *rates(const struct moments *s, uint32_t count, uint32_t by)
{
    json_t *list = json_array();
    for (uint32_t i = 1; i < moments_count(s); i++) {
        const uint64_t *now = moments_counts(s, i), *last = moments_counts(s, i - 1);
        uint64_t base =
            by == CYCLES ? moments_cycle(s, i) - moments_cycle(s, i - 1) : now[by] - last[by];
        double rate = base ? (double)(now[count] - last[count]) / (double)base : 0;
        json_array_append_new(list, json_real(rate));
    }
    return list;
}

/* Mean warps of a core in a state. A moment has a few samples, sometimes one more and sometimes one
 * less: they say how its warps share out over the states, not how many there are. */
static json_t *state_json(const struct moments *s, uint32_t at, uint32_t state)
{
    json_t *list = json_array();
    for (uint32_t i = 1; i < moments_count(s); i++) {
        const uint64_t *now = moments_counts(s, i) + at, *last = moments_counts(s, i - 1) + at;
        uint64_t all = 0;
        for (uint32_t k = RECORD_STATES; k < RECORD_STATES + WARP_STATES; k++)
            all += now[k] - last[k];
        double warps = (double)(now[RECORD_WARPS] - last[RECORD_WARPS]) /
                       (double)(moments_cycle(s, i) - moments_cycle(s, i - 1));
        double of = (double)(now[state] - last[state]);
        json_array_append_new(list, json_real(all ? warps * of / (double)all : 0));
    }
    return list;
}

static json_t *core_json(const struct moments *s, uint32_t at)
{
    json_t *warps = json_object();
    for (uint32_t state = 0; state < WARP_STATES; state++)
        json_object_set_new(warps, profile_state_key((enum warp_state)state),
                            state_json(s, at, RECORD_STATES + state));
    return json_pack("{s:o, s:o}", "warps", warps, "ipc",
                     rates(s, at + RECORD_INSTRUCTIONS, CYCLES));
}

static json_t *channel_json(const struct moments *s, uint32_t at)
{
    json_t *hits = json_array();
    for (uint32_t i = 1; i < moments_count(s); i++) {
        const uint64_t *now = moments_counts(s, i) + at, *last = moments_counts(s, i - 1) + at;
        uint64_t hit = now[RECORD_ROW_HITS] - last[RECORD_ROW_HITS];
        uint64_t all = hit + now[RECORD_ROW_MISSES] - last[RECORD_ROW_MISSES];
        json_array_append_new(hits, all ? json_real((double)hit / (double)all) : json_null());
    }
    return json_pack("{s:o, s:o}", "bus_use", rates(s, at + RECORD_DRAM_BUSY, at), "row_hit_rate",
                     hits);
}

static json_t *links_json(const struct moments *s, uint32_t at, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:o}", "flits", rates(s, at + i, CYCLES)));
    return list;
}

static json_t *series_json(struct machine *m)
{
    const struct moments *s = machine_moments(m);
    struct gpu_record_shape shape = gpu_record_shape(machine_gpu(m));
    json_t *cycle = json_array(), *cores = json_array(), *channels = json_array();
    uint32_t at = 0;
    for (uint32_t i = 1; i < moments_count(s); i++)
        json_array_append_new(cycle, json_integer((json_int_t)moments_cycle(s, i)));
    for (uint32_t i = 0; i < shape.cores; i++, at += RECORD_CORE)
        json_array_append_new(cores, core_json(s, at));
    for (uint32_t i = 0; i < shape.channels; i++, at += RECORD_CHANNEL)
        json_array_append_new(channels, channel_json(s, at));
    json_t *requests = links_json(s, at, shape.requests);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i}", "cycle", cycle, "cores", cores, "dram",
                     channels, "request_links", requests, "reply_links",
                     links_json(s, at + shape.requests, shape.replies), "mesh_width",
                     (int)machine_config(m)->mem.placement.width);
}

/* --- source lines ----------------------------------------------------------------------------- */

struct source_line {
    char kernel[80], where[300], text[120];
    uint64_t cycles, state[WARP_STATES];
};

struct source_lines {
    struct source_line *line;
    uint32_t n, capacity;
    uint64_t all;
};

/* Instructions of a line come one after the other, mostly. */
static struct source_line *line_of(struct source_lines *l, const struct source_line *key)
{
    for (uint32_t i = l->n; i--;) {
        if (!strcmp(l->line[i].where, key->where) && !strcmp(l->line[i].kernel, key->kernel))
            return &l->line[i];
    }
    ARRAY_RESERVE(l->line, l->n, l->capacity);
    l->line[l->n] = *key;
    return &l->line[l->n++];
}

static void see_place(void *user, const struct gpu_record_place *place)
{
    struct source_lines *l = user;
    struct source_line key = {.cycles = 0};
    uint32_t ptx_line = place->kernel->code[place->instruction].line;
    profile_short_name(place->kernel->name, key.kernel, sizeof key.kernel);
    if (!source_map_describe(place->kernel->source, ptx_line, key.where, sizeof key.where))
        snprintf(key.where, sizeof key.where, "PTX line %u", ptx_line);
    source_map_line(place->kernel->source, ptx_line, key.text, sizeof key.text);
    struct source_line *line = line_of(l, &key);
    for (uint32_t s = 0; s < WARP_STATES; s++) {
        line->state[s] += place->state[s];
        line->cycles += place->state[s];
        l->all += place->state[s];
    }
}

static int by_cycles(const void *a, const void *b)
{
    const struct source_line *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    int kernel = strcmp(x->kernel, y->kernel);
    return kernel ? kernel : strcmp(x->where, y->where);
}

static json_t *line_json(const struct source_line *line, uint64_t all)
{
    uint32_t main = WARP_NOT_SELECTED;
    for (uint32_t s = WARP_NOT_SELECTED; s < WARP_STATES; s++)
        main = line->state[s] > line->state[main] ? s : main;
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:s, s:f}", "kernel", line->kernel, "where",
                     line->where, "ptx", line->text, "share", (double)line->cycles / (double)all,
                     "issued", (double)line->state[WARP_ISSUED] / (double)line->cycles,
                     "main_stall", profile_state_key((enum warp_state)main), "main_share",
                     (double)line->state[main] / (double)line->cycles);
}

static json_t *lines_json(struct machine *m)
{
    struct source_lines l = {.n = 0};
    json_t *list = json_array();
    gpu_record_places(machine_gpu(m), see_place, &l);
    if (l.n)
        qsort(l.line, l.n, sizeof *l.line, by_cycles);
    for (uint32_t i = 0; i < l.n && i < LINES; i++)
        json_array_append_new(list, line_json(&l.line[i], l.all));
    free(l.line);
    return list;
}

json_t *details_json(struct machine *m)
{
    return json_pack("{s:o, s:o}", "series", series_json(m), "source_lines", lines_json(m));
}
