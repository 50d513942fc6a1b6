/* Signals of the harness in a waveform: modules of tb/wave that only give names to bits, verilated.
 * The structs are the bits of their data_i, from the lowest on. */
#ifndef EVGPU_TB_PROBE_H
#define EVGPU_TB_PROBE_H

#include <stdint.h>

#include "evgpu_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WAVE_ROW_WORDS = 18,  /* of a row of the event kernel table: twice 9 for 264 bits */
    WAVE_ENTRY_WORDS = 7, /* of an entry's payload in the pending event warp table */
    WAVE_TRACK_TEXT = 6,  /* words of four characters */
    WAVE_KERNEL_TEXT = 8,
    WAVE_INST_TEXT = 16
};

struct wave_track {
    uint32_t tag, row, station; /* enum wave_station */
    uint32_t core, entry, warp;
    uint32_t text[WAVE_TRACK_TEXT];
};

struct wave_run {
    uint32_t cycle[2], trigger, trigger_kind; /* enum wave_trigger */
    struct wave_track track[EVG_WAVE_TRACKS];
    uint32_t row[EVG_EKT_ROWS][WAVE_ROW_WORDS];
};

struct wave_entry {
    uint32_t state, warp, used;
    uint32_t payload[WAVE_ENTRY_WORDS];
};

struct wave_core {
    uint32_t victim, victim_warp, victim_pc[2], victim_line;
    uint32_t victim_kernel[WAVE_KERNEL_TEXT], victim_text[WAVE_INST_TEXT];
    struct wave_entry entry[EVG_PEWT_ENTRIES];
};

struct wave_line {
    uint32_t used, address[2], bits;
};

struct wave_partition {
    struct wave_line line[EVG_WAVE_BIT_ROWS];
};

enum probe_kind { PROBE_RUN, PROBE_CORE, PROBE_PARTITION };

/* `instance` names it in the waveform. */
void *probe_create(enum probe_kind kind, const char *instance);
void probe_trace(void *probe, void *trace_file); /* attaches to a trace not yet open */
void probe_write(void *probe, const void *data); /* the struct of its kind */
void probe_destroy(void *probe);

#ifdef __cplusplus
}
#endif

#endif
