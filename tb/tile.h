/* The tile interface: how C reaches the RTL (docs/design/architecture.md).
 *
 * A tile is stepped once per cycle of its clock: `in` is written from last cycle's state, the clock
 * edge happens, `out` is read. The back ends give bit-identical outputs. A tile whose last output
 * had `idle` set and whose inputs are idle need not be stepped. */
#ifndef EVGPU_TB_TILE_H
#define EVGPU_TB_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* TILE_MIXED: on a board those that it holds, the others verilated. */
enum tile_backend { TILE_VERILATOR, TILE_MODEL, TILE_LOCKSTEP, TILE_SERIAL, TILE_MIXED };

struct tile_port {
    const char *name;
    uint32_t width;
    uint32_t offset, bytes; /* of the field in the struct */
    const uint8_t *small;   /* inputs: the bits that a reduced tile has, lowest first; NULL: all */
    uint32_t when[2]; /* outputs: 1 + those while one of which is 1 it has a value; 0, 0: always */
};

/* One per tile, generated: <tile>_kind in build/gen/<tile>.h. */
struct tile_kind {
    const char *name;
    uint32_t in_bytes, out_bytes;
    const struct tile_port *in_ports, *out_ports;
    uint32_t n_in, n_out;
    uint32_t signature;       /* of the ports, to recognise a board made from the same definition */
    uint32_t small_signature; /* of the reduced tile */
    /* Verilator back end (generated shim) */
    void *(*rtl_create)(const char *instance);
    void (*rtl_step)(void *rtl, const void *in, void *out);
    void (*rtl_reset)(void *rtl, const void *in, uint32_t edges, void *out);
    void (*rtl_destroy)(void *rtl);
    /* attaches to a trace not yet open; false: verilated without waveforms */
    bool (*rtl_trace)(void *rtl, void *trace_file);
    void (*rtl_clock_low)(void *rtl); /* second half of a cycle, for waveforms */
    /* golden C model */
    void *(*model_create)(void);
    void (*model_step)(void *model, const void *in, void *out);
    void (*model_reset)(void *model, void *out);
    void (*model_destroy)(void *model);
};

struct tile;

/* `instance` names the copy in messages and waveforms, e.g. "sm3". */
struct tile *tile_create(const struct tile_kind *kind, enum tile_backend backend,
                         const char *instance, struct error *err);

/* Where the tiles of a machine are, beside their back end. */
struct serial_link; /* tb/serial.h */
struct port_record; /* tb/port_record.h */
struct tile_place {
    struct serial_link *board; /* NULL: there is none */
    /* A step does not wait for the board: its outputs are the golden model's. The board's are
     * compared with them when its edges, many in one request, have been given; serial_link_settle
     * waits for the last of them. */
    bool ahead;
    struct port_record *ports; /* steps are recorded there; NULL: they are not */
};

/* The same on the board of `place`, which has one. */
struct tile *tile_create_serial(const struct tile_kind *kind, const struct tile_place *place,
                                const char *instance, struct error *err);

void tile_destroy(struct tile *tile);

/* Resets; `out` receives the outputs after reset. */
void tile_reset(struct tile *tile, void *out);

/* The same of a tile that is on no board, for tests: a reset of `edges` clock edges, 1 or more, at
 * which the inputs are not idle but `in`. */
void tile_reset_among(struct tile *tile, const void *in, uint32_t edges, void *out);

/* One clock cycle. False in lockstep: `err` then names cycle, tile, port and both values, or a port
 * that differed after the reset; or when a board no longer answers. */
bool tile_step(struct tile *tile, const void *in, void *out, struct error *err);

/* An output has a value always, or while an output of its `when` is 1. */
bool tile_output_has_value(const struct tile_kind *kind, const struct tile_port *port,
                           const void *out);

/* Do the outputs agree, as far as they have a value? */
bool tile_same_outputs(const struct tile_kind *kind, const void *a, const void *b);

/* For the tiles that are created from now on: what RTL leaves open comes from `seed`, which is not
 * 0: what the assertions follow; with `registers` also what registers hold before the first reset,
 * unless coverage is counted. */
void tile_randomise(uint32_t seed, bool registers);

/* Waveforms of the verilated tiles in one FST file. Create it, add the tiles, open; then
 * tile_trace_dump once per cycle while it is wanted, with rising cycles; the file's time is that of
 * a clock of `khz`, 1 or more: cycle n begins at n / khz ms, rounded down to a picosecond. The file
 * is there after close and not before; a trace that is destroyed open leaves none. The trace must
 * be destroyed before its tiles. */
#define TILE_TRACE_GHZ 1000000u /* khz: cycle n at n ns */
struct tile_trace;
struct tile_trace *tile_trace_create(uint32_t khz);
bool tile_trace_add(struct tile_trace *trace, struct tile *tile, struct error *err);
/* The harness's own signals (tb/probe.h), from probe_create; the trace destroys it. */
void tile_trace_add_probe(struct tile_trace *trace, void *probe);
bool tile_trace_open(struct tile_trace *trace, const char *path, struct error *err);
void tile_trace_dump(struct tile_trace *trace, uint64_t cycle);
/* False with an error that names file and cause when not all of it could be written; then there is
 * no file. Closing twice does nothing. */
bool tile_trace_close(struct tile_trace *trace, struct error *err);
void tile_trace_destroy(struct tile_trace *trace);

/* For waveforms: a variable within a verilated tile, of those in tb/wave/harness.vlt. `scope`:
 * the instance, from the top module on; `bytes`: of the variable, or of an element of a memory.
 * NULL: the tile has none, being a netlist or another variant. */
const void *tile_variable(const struct tile *tile, const char *scope, const char *name,
                          uint32_t *bytes);

#endif
