/* wave_bits: the full/empty bits of one memory partition in a waveform. A region has up to 65,536
 * lines and a trace room for EVG_WAVE_BIT_ROWS, so it shows those that requests have been to since
 * it began, in the order in which they first came; when all places are taken, the one taken first
 * is used again.
 */
#ifndef EVGPU_GPU_WAVE_WAVE_BITS_H
#define EVGPU_GPU_WAVE_WAVE_BITS_H

#include <stdbool.h>

struct fe;
struct wave_bits;

/* `f`: started; `probe`: of PROBE_PARTITION, which the caller keeps. Without the memory of the
 * bits, in a netlist in the tile's place, only the lines' addresses are shown. */
struct wave_bits *wave_bits_create(const struct fe *f, void *probe);
void wave_bits_destroy(struct wave_bits *b);

/* The bits as they are now, once a cycle. */
void wave_bits_show(struct wave_bits *b);

#endif
