#include "sim/gpu/wave/wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/wave/wave_bits.h"
#include "sim/ptx/source_map.h"
#include "tb/probe.h"

/* A track stays for so long on FLAGGED, to be seen; and on EXITED, when there is no flag to write.
 */
enum { FLAGGED_CYCLES = 16, EXITED_CYCLES = 20000 };

struct track {
    bool used;
    uint16_t tag;
    uint32_t station; /* enum wave_station */
    uint32_t entry, warp;
    uint64_t until; /* FLAGGED and EXITED */
};

/* What it reads of the tiles; all may be NULL. */
struct core_view {
    const uint8_t *payload; /* EVG_PEWT_ENTRIES of WAVE_ENTRY_WORDS */
    const uint8_t *state[EVG_PEWT_ENTRIES], *warp[EVG_PEWT_ENTRIES];
    void *probe;
};

struct gpu_wave {
    struct gpu *gpu;
    const uint8_t *rows; /* EVG_EKT_ROWS of WAVE_ROW_WORDS */
    const uint8_t *table_state, *dispatch_state;
    const uint8_t *table_tag, *dispatch_tag; /* the lowest 16 bits */
    struct core_view core[GPU_MAX_CORES];
    struct wave_bits **bits; /* of each partition */
    uint32_t n_bits;
    bool follows, met; /* met: such an event has been accepted */
    uint16_t followed;
    struct track track[EVG_WAVE_TRACKS];
    void *probe;
    struct wave_run run; /* large */
};

static const uint8_t *look(const struct tile *tile, const char *scope, const char *name,
                           uint32_t bytes)
{
    uint32_t found;
    const void *at = tile_variable(tile, scope, name, &found);
    return found == bytes ? at : NULL;
}

static void *add_probe(struct tile_trace *trace, enum probe_kind kind, const char *name, uint32_t n)
{
    char instance[32];
    snprintf(instance, sizeof instance, kind == PROBE_RUN ? "%s" : "%s%u", name, n);
    void *probe = probe_create(kind, instance);
    tile_trace_add_probe(trace, probe);
    return probe;
}

static void view_core(struct core_view *v, const struct tile *tile)
{
    v->payload = look(tile, "sm_event_unit.u_table", "payload", 4 * WAVE_ENTRY_WORDS);
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        char scope[48];
        snprintf(scope, sizeof scope, "sm_event_unit.u_table.g_entry[%u]", e);
        v->state[e] = look(tile, scope, "state_q", 1);
        v->warp[e] = look(tile, scope, "warp_q", 1);
    }
}

struct gpu_wave *gpu_wave_create(struct gpu *gpu, struct tile_trace *trace)
{
    struct gpu_wave *w = ALLOC(struct gpu_wave);
    const struct tile *front = gpu->frontend;
    w->gpu = gpu;
    w->rows = look(front, "gpu_frontend.u_table.u_table", "memory", 4 * WAVE_ROW_WORDS / 2);
    w->table_state = look(front, "gpu_frontend.u_table", "state_q", 1);
    w->table_tag = look(front, "gpu_frontend.u_table", "launch_tag_q", 2);
    w->dispatch_state = look(front, "gpu_frontend.u_dispatch", "state_q", 1);
    w->dispatch_tag = look(front, "gpu_frontend.u_dispatch", "event_q", 4 * WAVE_ENTRY_WORDS);
    w->probe = add_probe(trace, PROBE_RUN, "run", 0);
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        view_core(&w->core[i], gpu->sm[i].tile);
        w->core[i].probe = add_probe(trace, PROBE_CORE, "core", i);
    }
    w->n_bits = gpu->region.bytes ? gpu->config.mem.partitions : 0;
    w->bits = ALLOC_ARRAY(struct wave_bits *, w->n_bits + 1);
    for (uint32_t i = 0; i < w->n_bits; i++)
        w->bits[i] = wave_bits_create(memsys_fe(gpu->memsys, i),
                                      add_probe(trace, PROBE_PARTITION, "bits", i));
    return w;
}

void gpu_wave_destroy(struct gpu_wave *w)
{
    if (!w)
        return;
    for (uint32_t i = 0; i < w->n_bits; i++)
        wave_bits_destroy(w->bits[i]);
    free(w->bits);
    free(w);
}

void gpu_wave_follow(struct gpu_wave *w, uint16_t tag)
{
    w->follows = true;
    w->followed = tag;
}

bool gpu_wave_met(const struct gpu_wave *w)
{
    return w->met;
}

/* --- the ways of events ----------------------------------------------------------------------- */

static uint32_t tag_at(const uint8_t *two)
{
    return two[0] | (uint32_t)two[1] << 8;
}

/* In the event kernel table a tag is new in the cycle after its launch. */
static bool in_row(const struct gpu_wave *w, uint16_t tag)
{
    return w->table_state && w->table_tag && *w->table_state == EKT_STATE_READ_QUEUE &&
           tag_at(w->table_tag) == tag;
}

static bool in_dispatch(const struct gpu_wave *w, uint16_t tag)
{
    return w->dispatch_state && w->dispatch_tag && *w->dispatch_state != DISPATCH_STATE_IDLE &&
           tag_at(w->dispatch_tag) == tag;
}

/* What the front end hands out: to a core, or as blocks to kernel management. */
static bool is_offered(const struct gpu_frontend_out *out, uint16_t tag)
{
    return (out->ev_valid && out->ev_tag == tag) || (out->big_valid && out->big_tag == tag);
}

static uint32_t entry_state(const struct core_view *v, uint32_t e)
{
    return v->state[e] ? *v->state[e] : PEWT_STATE_FREE;
}

/* The entry of a core's table that the event has; false: none. */
static bool find_entry(const struct core_view *v, struct track *t)
{
    for (uint32_t e = 0; v->payload && e < EVG_PEWT_ENTRIES; e++) {
        if (entry_state(v, e) == PEWT_STATE_FREE ||
            tag_at(v->payload + 4 * WAVE_ENTRY_WORDS * e) != t->tag)
            continue;
        t->entry = e;
        t->warp = v->warp[e] ? *v->warp[e] : 0;
        return true;
    }
    return false;
}

static uint32_t station_of(const struct gpu_wave *w, const struct event_times *times,
                           struct track *t)
{
    const struct core_view *v = &w->core[times->core];
    bool on_core = times->taken && times->path != EVENT_BLOCKS;
    bool entered = on_core && find_entry(v, t);
    if (times->flagged)
        return WAVE_STATION_FLAGGED;
    if (times->exited)
        return WAVE_STATION_EXITED;
    if (times->taken && !on_core)
        return WAVE_STATION_BLOCKS;
    if (times->started)
        return WAVE_STATION_RUNNING;
    if (times->pushed)
        return WAVE_STATION_WARP;
    if (on_core)
        return entered && entry_state(v, t->entry) == PEWT_STATE_PREEMPTING ? WAVE_STATION_TAKING
                                                                            : WAVE_STATION_ENTRY;
    if (times->launched || is_offered(&w->gpu->fout, t->tag))
        return WAVE_STATION_OFFERED;
    return in_dispatch(w, t->tag) ? WAVE_STATION_DISPATCH
           : in_row(w, t->tag)    ? WAVE_STATION_ROW
                                  : WAVE_STATION_ACCEPTED;
}

static void advance(const struct gpu_wave *w, struct track *t)
{
    const struct event_times *times = &w->gpu->times[t->tag % TAG_RING];
    uint32_t station = station_of(w, times, t);
    if (station > t->station) {
        t->station = station;
        t->until =
            w->gpu->cycle + (station == WAVE_STATION_FLAGGED ? FLAGGED_CYCLES : EXITED_CYCLES);
    }
    if (times->tag != t->tag || (t->station >= WAVE_STATION_EXITED && w->gpu->cycle >= t->until))
        *t = (struct track){.used = false};
}

static bool may_take(const struct gpu_wave *w, uint32_t i, uint16_t tag)
{
    return !w->track[i].used && (i || !w->follows || tag == w->followed);
}

static void enter(struct gpu_wave *w, uint16_t tag)
{
    uint32_t i = 0;
    w->met = w->met || (w->follows && tag == w->followed);
    while (i < EVG_WAVE_TRACKS && !may_take(w, i, tag))
        i++;
    if (i < EVG_WAVE_TRACKS)
        w->track[i] = (struct track){.used = true, .tag = tag};
}

void gpu_wave_tick(struct gpu_wave *w)
{
    const struct gpu *gpu = w->gpu;
    uint16_t tag = gpu->fout.acc_tag;
    if (gpu->fout.acc_valid && gpu->times[tag % TAG_RING].accepted + 1 == gpu->cycle)
        enter(w, tag);
    for (uint32_t i = 0; i < EVG_WAVE_TRACKS; i++)
        if (w->track[i].used)
            advance(w, &w->track[i]);
}

/* --- what is shown -----------------------------------------------------------------------------
 */

/* As characters of a Verilog vector: the last in the lowest byte. */
static void put_text(uint32_t *words, uint32_t n, const char *text)
{
    size_t length = strlen(text), room = 4 * (size_t)n;
    length = length < room ? length : room;
    memset(words, 0, room);
    for (size_t i = 0; i < length; i++) {
        char c = text[length - 1 - i];
        words[i / 4] |= (uint32_t)(uint8_t)(c < ' ' ? ' ' : c) << (8 * (i % 4));
    }
}

static void show_track(const struct gpu_wave *w, const struct track *t, struct wave_track *out)
{
    static const char *const names[] = {
        [WAVE_STATION_NONE] = "NONE",       [WAVE_STATION_ACCEPTED] = "ACCEPTED",
        [WAVE_STATION_ROW] = "ROW",         [WAVE_STATION_DISPATCH] = "DISPATCH",
        [WAVE_STATION_OFFERED] = "OFFERED", [WAVE_STATION_ENTRY] = "ENTRY",
        [WAVE_STATION_TAKING] = "TAKING",   [WAVE_STATION_WARP] = "WARP",
        [WAVE_STATION_RUNNING] = "RUNNING", [WAVE_STATION_BLOCKS] = "BLOCKS",
        [WAVE_STATION_EXITED] = "EXITED",   [WAVE_STATION_FLAGGED] = "FLAGGED",
    };
    const struct event_times *times = &w->gpu->times[t->tag % TAG_RING];
    char text[64] = "";
    memset(out, 0, sizeof *out);
    if (t->used) {
        *out = (struct wave_track){.tag = t->tag,
                                   .row = times->row,
                                   .station = t->station,
                                   .core = times->core,
                                   .entry = t->entry,
                                   .warp = t->warp};
        int n = snprintf(text, sizeof text, "%04x %s", t->tag, names[t->station]);
        if (t->station >= WAVE_STATION_ENTRY && t->station <= WAVE_STATION_RUNNING)
            n += snprintf(text + n, sizeof text - (size_t)n, " sm%u e%u", times->core, t->entry);
        if (t->station == WAVE_STATION_WARP || t->station == WAVE_STATION_RUNNING)
            snprintf(text + n, sizeof text - (size_t)n, " w%u", t->warp);
    }
    put_text(out->text, WAVE_TRACK_TEXT, text);
}

static void show_run(struct gpu_wave *w, uint64_t cycle, bool trigger, uint32_t kind)
{
    struct wave_run *run = &w->run;
    run->cycle[0] = (uint32_t)cycle;
    run->cycle[1] = (uint32_t)(cycle >> 32);
    run->trigger = trigger;
    run->trigger_kind = kind;
    for (uint32_t i = 0; i < EVG_WAVE_TRACKS; i++)
        show_track(w, &w->track[i], &run->track[i]);
    if (w->rows)
        memcpy(run->row, w->rows, sizeof run->row);
    probe_write(w->probe, run);
}

static void show_victim(const struct sm_unit *sm, struct wave_core *out)
{
    struct core_place place;
    char text[4 * WAVE_INST_TEXT + 1];
    if (!sm->out.vic_valid || !core_place_of(sm->core, sm->out.vic_warp, &place) || place.event)
        return; /* the last: its place is the event's already */
    out->victim = 1;
    out->victim_warp = sm->out.vic_warp;
    out->victim_pc[0] = (uint32_t)place.address;
    out->victim_pc[1] = (uint32_t)(place.address >> 32);
    out->victim_line = place.ptx_line;
    put_text(out->victim_kernel, WAVE_KERNEL_TEXT, place.kernel->name);
    source_map_line(place.kernel->source, place.ptx_line, text, sizeof text);
    put_text(out->victim_text, WAVE_INST_TEXT, text);
}

static void show_core(const struct gpu_wave *w, uint32_t core)
{
    const struct core_view *v = &w->core[core];
    struct wave_core out = {0};
    show_victim(&w->gpu->sm[core], &out);
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        struct wave_entry *entry = &out.entry[e];
        entry->state = entry_state(v, e);
        entry->used = entry->state != PEWT_STATE_FREE;
        entry->warp = v->warp[e] ? *v->warp[e] : 0;
        if (v->payload && entry->used)
            memcpy(entry->payload, v->payload + e * sizeof entry->payload, sizeof entry->payload);
    }
    probe_write(v->probe, &out);
}

void gpu_wave_show(struct gpu_wave *w, uint64_t cycle, bool trigger, uint32_t kind)
{
    show_run(w, cycle, trigger, kind);
    for (uint32_t i = 0; i < w->gpu->config.cores; i++)
        show_core(w, i);
    for (uint32_t i = 0; i < w->n_bits; i++)
        wave_bits_show(w->bits[i]);
}
