#include "sw/apps/vectorAdd/vector_add.h"

void vector_add_reference(const float *a, const float *b, float *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

double vector_add_cpu_us(uint32_t n)
{
    const double mhz = 3300, loop = 6, moved = 16.0 / 32, vectors = 3;
    const double walk = 28, line = 30, page_elements = 1024;
    double cycles = loop + moved + vectors * (walk + 2 * line) / page_elements;
    return n * cycles / mhz;
}
