#include "tb/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/output.h"
#include "tb/port_record.h"
#include "tb/probe.h"
#include "tb/random_shim.h"
#include "tb/serial.h"
#include "tb/trace_shim.h"

struct tile {
    const struct tile_kind *kind;
    char *instance;
    void *rtl, *model; /* NULL where the back end does without */
    void *model_out;   /* lockstep only */
    struct serial_tile *serial;
    struct port_record *record; /* NULL: steps are not recorded */
    uint32_t record_number;
    uint64_t cycle;                     /* steps since reset, lockstep only */
    const struct tile_port *reset_port; /* an output that differed after reset, lockstep only */
};

struct tile *tile_create(const struct tile_kind *kind, enum tile_backend backend,
                         const char *instance, struct error *err)
{
    if (backend != TILE_VERILATOR && backend != TILE_MODEL && backend != TILE_LOCKSTEP) {
        error_set(err, "tile %s %s: unknown back end %d", kind->name, instance, (int)backend);
        return NULL;
    }
    struct tile *tile = ALLOC(struct tile);
    tile->kind = kind;
    tile->instance = alloc_string(instance);
    if (backend != TILE_MODEL)
        tile->rtl = kind->rtl_create(instance);
    if (backend != TILE_VERILATOR)
        tile->model = kind->model_create();
    if (backend == TILE_LOCKSTEP)
        tile->model_out = alloc_array(1, kind->out_bytes);
    return tile;
}

struct tile *tile_create_serial(const struct tile_kind *kind, const struct tile_place *place,
                                const char *instance, struct error *err)
{
    struct serial_tile *serial =
        serial_tile_create(place->board, kind, place->ahead, instance, err);
    if (!serial)
        return NULL;
    struct tile *tile = ALLOC(struct tile);
    tile->kind = kind;
    tile->instance = alloc_string(instance);
    tile->serial = serial;
    return tile;
}

struct tile *tile_create_on(const struct tile_kind *kind, enum tile_backend backend,
                            const struct tile_place *place, const char *instance, struct error *err)
{
    struct tile *tile;
    if (backend == TILE_MIXED && !serial_link_has(place->board, kind))
        tile = tile_create(kind, TILE_VERILATOR, instance, err);
    else if (place->board)
        tile = tile_create_serial(kind, place, instance, err);
    else
        tile = tile_create(kind, backend, instance, err);
    if (tile && place->ports) {
        tile->record = place->ports;
        tile->record_number = port_record_add(place->ports, kind, instance);
    }
    return tile;
}

void tile_destroy(struct tile *tile)
{
    if (!tile)
        return;
    if (tile->rtl)
        tile->kind->rtl_destroy(tile->rtl);
    if (tile->model)
        tile->kind->model_destroy(tile->model);
    serial_tile_destroy(tile->serial);
    free(tile->model_out);
    free(tile->instance);
    free(tile);
}

void tile_randomise(uint32_t seed, bool registers)
{
    rtl_randomise(seed, registers);
}

bool tile_output_has_value(const struct tile_kind *kind, const struct tile_port *port,
                           const void *out)
{
    bool any = !port->when[0];
    for (size_t i = 0; i < 2 && port->when[i]; i++)
        any |= *((const uint8_t *)out + kind->out_ports[port->when[i] - 1].offset);
    return any;
}

/* The first output that has a value and differs, NULL: none. */
static const struct tile_port *difference(const struct tile_kind *kind, const void *a,
                                          const void *b)
{
    for (uint32_t i = 0; i < kind->n_out; i++) {
        const struct tile_port *port = &kind->out_ports[i];
        if (!memcmp((const char *)a + port->offset, (const char *)b + port->offset, port->bytes))
            continue;
        /* Those that say when have been found equal: they stand before this one. */
        if (tile_output_has_value(kind, port, a))
            return port;
    }
    return NULL;
}

enum { RESET_EDGES = 2 };

void tile_reset(struct tile *tile, void *out)
{
    if (tile->serial) {
        serial_tile_reset(tile->serial, out);
        if (tile->record)
            port_record_reset(tile->record, tile->record_number, out);
        return;
    }
    void *idle = alloc_array(1, tile->kind->in_bytes);
    tile_reset_among(tile, idle, RESET_EDGES, out);
    free(idle);
}

void tile_reset_among(struct tile *tile, const void *in, uint32_t edges, void *out)
{
    tile->cycle = 0;
    if (tile->rtl)
        tile->kind->rtl_reset(tile->rtl, in, edges, out);
    if (tile->model)
        tile->kind->model_reset(tile->model, tile->model_out ? tile->model_out : out);
    tile->reset_port = tile->model_out ? difference(tile->kind, out, tile->model_out) : NULL;
    if (tile->record)
        port_record_reset(tile->record, tile->record_number, out);
}

/* Hexadecimal, most significant digit first: fields are little endian, as is word 0 of an array. */
static void format_value(const struct tile_port *port, const void *base, char *text, size_t size)
{
    const uint8_t *byte = (const uint8_t *)base + port->offset;
    uint32_t digits = (port->width + 3) / 4;
    size_t n = (size_t)snprintf(text, size, "0x");
    while (digits-- && n + 1 < size)
        text[n++] = "0123456789abcdef"[byte[digits / 2] >> (digits % 2 ? 4 : 0) & 15];
    text[n] = '\0';
}

bool tile_same_outputs(const struct tile_kind *kind, const void *a, const void *b)
{
    return !memcmp(a, b, kind->out_bytes) || !difference(kind, a, b);
}

static bool report_difference(const struct tile *tile, const void *rtl_out, struct error *err)
{
    const struct tile_kind *kind = tile->kind;
    const struct tile_port *port = difference(kind, rtl_out, tile->model_out);
    if (port) {
        char rtl[160], model[160];
        format_value(port, rtl_out, rtl, sizeof rtl);
        format_value(port, tile->model_out, model, sizeof model);
        return error_set(err, "lockstep: cycle %llu, tile %s %s, port %s: verilator %s, model %s",
                         (unsigned long long)tile->cycle, kind->name, tile->instance, port->name,
                         rtl, model);
    }
    return true; /* only padding and what has no value differ */
}

/* Bits above a port's width are not part of the RTL's input, but the C model would see them. */
static bool check_inputs(const struct tile *tile, const void *in, struct error *err)
{
    for (uint32_t i = 0; i < tile->kind->n_in; i++) {
        const struct tile_port *port = &tile->kind->in_ports[i];
        const uint8_t *byte = (const uint8_t *)in + port->offset;
        for (uint32_t bit = port->width; bit < 8 * port->bytes; bit = (bit | 7) + 1)
            if (byte[bit / 8] >> bit % 8)
                return error_set(err,
                                 "lockstep: cycle %llu, tile %s %s, input %s has bits above "
                                 "its width of %u",
                                 (unsigned long long)tile->cycle, tile->kind->name, tile->instance,
                                 port->name, port->width);
    }
    return true;
}

static bool step_lockstep(struct tile *tile, const void *in, void *out, struct error *err)
{
    const struct tile_kind *kind = tile->kind;
    if (tile->reset_port)
        return error_set(err, "lockstep: after reset, tile %s %s, port %s differs", kind->name,
                         tile->instance, tile->reset_port->name);
    if (!check_inputs(tile, in, err))
        return false;
    kind->rtl_step(tile->rtl, in, out);
    kind->model_step(tile->model, in, tile->model_out);
    tile->cycle++;
    return !memcmp(out, tile->model_out, kind->out_bytes) || report_difference(tile, out, err);
}

static bool step(struct tile *tile, const void *in, void *out, struct error *err)
{
    if (tile->serial)
        return serial_tile_step(tile->serial, in, out, err);
    if (!tile->model)
        tile->kind->rtl_step(tile->rtl, in, out);
    else if (!tile->rtl)
        tile->kind->model_step(tile->model, in, out);
    else
        return step_lockstep(tile, in, out, err);
    return true;
}

bool tile_step(struct tile *tile, const void *in, void *out, struct error *err)
{
    if (!tile->record)
        return step(tile, in, out, err);
    if (!step(tile, in, out, err))
        return false;
    port_record_step(tile->record, tile->record_number, in, out);
    return true;
}

/* --- waveforms ---------------------------------------------------------------------------------
 */

struct tile_trace {
    void *fst;
    char *path;
    struct output *output; /* NULL: not open */
    struct tile **tiles;
    size_t n_tiles, cap_tiles;
    void **probes;
    size_t n_probes, cap_probes;
    uint32_t khz; /* of the clock whose cycles are counted */
};

struct tile_trace *tile_trace_create(uint32_t khz)
{
    struct tile_trace *trace = ALLOC(struct tile_trace);
    trace->khz = khz;
    trace->fst = fst_create();
    return trace;
}

bool tile_trace_add(struct tile_trace *trace, struct tile *tile, struct error *err)
{
    if (!tile->rtl)
        return error_set(err,
                         "tile %s %s: the C model has no waveforms; use the verilator or "
                         "lockstep tiles",
                         tile->kind->name, tile->instance);
    if (fst_is_open(trace->fst))
        return error_set(err, "tile %s %s: added to a waveform file that is already open",
                         tile->kind->name, tile->instance);
    if (!tile->kind->rtl_trace(tile->rtl, trace->fst))
        return error_set(err, "tile %s %s: verilated without waveforms", tile->kind->name,
                         tile->instance);
    ARRAY_RESERVE(trace->tiles, trace->n_tiles, trace->cap_tiles);
    trace->tiles[trace->n_tiles++] = tile;
    return true;
}

void tile_trace_add_probe(struct tile_trace *trace, void *probe)
{
    probe_trace(probe, trace->fst);
    ARRAY_RESERVE(trace->probes, trace->n_probes, trace->cap_probes);
    trace->probes[trace->n_probes++] = probe;
}

bool tile_trace_open(struct tile_trace *trace, const char *path, struct error *err)
{
    if (!trace->n_tiles)
        return error_set(err, "%s: no tile writes the waveform file", path);
    trace->output = output_reserve(path, err);
    if (!trace->output)
        return false;
    trace->path = alloc_string(path);
    return fst_open(trace->fst, output_written_path(trace->output)) ||
           error_set(err, "%s: cannot be written", path);
}

#define PS_HALF 500000000u /* half a cycle of 1 kHz, in picoseconds */

/* The begin of half cycle `n`, rounded down. */
static uint64_t half_cycle_ps(const struct tile_trace *trace, uint64_t n)
{
    return n / trace->khz * PS_HALF + n % trace->khz * PS_HALF / trace->khz;
}

void tile_trace_dump(struct tile_trace *trace, uint64_t cycle)
{
    fst_dump(trace->fst, half_cycle_ps(trace, 2 * cycle));
    for (size_t i = 0; i < trace->n_tiles; i++)
        trace->tiles[i]->kind->rtl_clock_low(trace->tiles[i]->rtl);
    fst_dump(trace->fst, half_cycle_ps(trace, 2 * cycle + 1));
}

bool tile_trace_close(struct tile_trace *trace, struct error *err)
{
    struct output *output = trace->output;
    int cause = fst_close(trace->fst);
    trace->output = NULL;
    if (!output || !cause)
        return !output || output_finish(output, err);
    output_abandon(output);
    return error_set(err, "%s: cannot be written: %s", trace->path, strerror(cause));
}

void tile_trace_destroy(struct tile_trace *trace)
{
    if (!trace)
        return;
    if (trace->output)
        fst_close(trace->fst);
    output_abandon(trace->output);
    fst_destroy(trace->fst);
    free(trace->path);
    for (size_t i = 0; i < trace->n_probes; i++)
        probe_destroy(trace->probes[i]);
    free(trace->probes);
    free(trace->tiles);
    free(trace);
}

const void *tile_variable(const struct tile *tile, const char *scope, const char *name,
                          uint32_t *bytes)
{
    char full[160];
    snprintf(full, sizeof full, "%s.%s", tile->instance, scope);
    return tile->rtl ? rtl_variable(full, name, bytes) : NULL;
}
