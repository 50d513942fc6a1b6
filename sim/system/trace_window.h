/* Which cycles of a run go into the waveform file: a window of cycles, or a window that a trigger
 * opens. The file is closed in order at the end of the run, however it ends;
 * one without a cycle is not left. */
#ifndef EVGPU_SYSTEM_TRACE_WINDOW_H
#define EVGPU_SYSTEM_TRACE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "evgpu_defs.h"
#include "sim/gpu/gpu.h"

/* The trigger that opens the window, enum wave_trigger:
 *   CYCLE       from cycle `number` on
 *   PREEMPTION  first event that takes a victim's warp
 *   DOORBELL    doorbell write `number`, from 1
 *   FE_TIMEOUT  first wait for full/empty bits that comes near its time-out
 *   ERROR       first rejected doorbell; a failing run's last cycles are a window of its own */

bool trace_trigger_fires(const struct gpu *gpu, enum wave_trigger trigger, uint64_t number,
                         uint64_t cycle);

struct trace_window;

/* `length`: cycles to record after the trigger, 0: to the end. Waveforms show the verilated tiles,
 * so the GPU must run with back end verilator or lockstep. */
struct trace_window *trace_window_create(const char *path, enum wave_trigger trigger,
                                         uint64_t number, uint64_t length);
void trace_window_destroy(struct trace_window *w);

/* Before trace_window_attach. The first track of the waveform is for events of this tag. */
void trace_window_follow(struct trace_window *w, uint16_t tag);

/* The waveform's trigger is at this cycle, for this reason, and not where the window begins. */
void trace_window_mark(struct trace_window *w, enum wave_trigger trigger, uint64_t cycle);

/* Attaches to a GPU before its first cycle and opens the file. */
bool trace_window_attach(struct trace_window *w, struct gpu *gpu, struct error *err);

/* Once per cycle, before it. */
void trace_window_cycle(struct trace_window *w, uint64_t cycle);

/* Closes the file; safe to call twice. */
void trace_window_close(struct trace_window *w);

/* After it: false with an error when there is no file, because it could not be written or because
 * the trigger never fired, or when no event of the tag to follow has come. */
bool trace_window_kept(const struct trace_window *w, struct error *err);

uint64_t trace_window_recorded(const struct trace_window *w); /* cycles in the file */

#endif
