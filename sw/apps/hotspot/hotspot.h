/* Host side of sw/apps/hotspot/hotspot.cu. */
#ifndef EVGPU_SW_HOTSPOT_H
#define EVGPU_SW_HOTSPOT_H

#include <stdint.h>

#define HOTSPOT_BLOCK 16u

struct hotspot_chip {
    float step, rx, ry, rz; /* step / capacity; 1 / resistance to the sides, up and down, outside */
    float ambient;
};

/* Constants of a chip of 16 mm x 16 mm x 0.5 mm with this grid (Rodinia hotspot). */
struct hotspot_chip hotspot_chip(uint32_t side);

/* One step of the whole grid, bit for bit as the kernel computes it. */
void hotspot_step(const struct hotspot_chip *chip, uint32_t side, const float *power,
                  const float *from, float *to);

#endif
