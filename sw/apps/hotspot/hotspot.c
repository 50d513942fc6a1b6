#include "sw/apps/hotspot/hotspot.h"

#include <math.h>
#include <stddef.h>

struct hotspot_chip hotspot_chip(uint32_t side)
{
    const double edge = 0.016, thickness = 0.0005, heat = 1.75e6, conduction = 100, factor = 0.5;
    const double max_power = 3.0e6, precision = 0.001;
    double cell = edge / side, capacity = factor * heat * thickness * cell * cell;
    double across = cell / (2 * conduction * thickness * cell);
    double outside = thickness / (conduction * cell * cell);
    double slope = max_power / (factor * thickness * heat);
    return (struct hotspot_chip){.step = (float)(precision / slope / capacity),
                                 .rx = (float)(1 / across),
                                 .ry = (float)(1 / across),
                                 .rz = (float)(1 / outside),
                                 .ambient = 80};
}

void hotspot_step(const struct hotspot_chip *c, uint32_t side, const float *power,
                  const float *from, float *to)
{
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            size_t i = (size_t)y * side + x;
            float here = from[i];
            float north = y ? from[i - side] : here, south = y + 1 < side ? from[i + side] : here;
            float west = x ? from[i - 1] : here, east = x + 1 < side ? from[i + 1] : here;
            float heat = fmaf(fmaf(-2.0f, here, south + north), c->ry, power[i]);
            heat = fmaf(fmaf(-2.0f, here, east + west), c->rx, heat);
            heat = fmaf(c->ambient - here, c->rz, heat);
            to[i] = fmaf(c->step, heat, here);
        }
    }
}
