/* The signals of a waveform beside the tiles (tb/wave/wave_*.v): cycle and trigger; the ways of
 * events, by their tags; the rows of the event kernel table and the entries of the pending event
 * warp tables; each core's victim with its instruction; the bits of the synchronised region. Looks
 * only, and exists only while a waveform is wanted. */
#ifndef EVGPU_GPU_WAVE_WAVE_H
#define EVGPU_GPU_WAVE_WAVE_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct gpu_wave;
struct tile_trace;

/* After gpu_trace, before the file is opened; lives at most as long as both. */
struct gpu_wave *gpu_wave_create(struct gpu *gpu, struct tile_trace *trace);
void gpu_wave_destroy(struct gpu_wave *w);

/* The first track is for events of this tag. Otherwise an event takes any that is free when it is
 * accepted, and keeps it until its completion flag is on its way. */
void gpu_wave_follow(struct gpu_wave *w, uint16_t tag);
bool gpu_wave_met(const struct gpu_wave *w); /* there has been one */

/* Once per cycle, before it, whether it is recorded or not. */
void gpu_wave_tick(struct gpu_wave *w);

/* The contents of a dump. `kind`: enum wave_trigger. */
void gpu_wave_show(struct gpu_wave *w, uint64_t cycle, bool trigger, uint32_t kind);

#endif
