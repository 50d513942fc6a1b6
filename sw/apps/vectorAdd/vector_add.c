#include "sw/apps/vectorAdd/vector_add.h"

void vector_add_reference(const float *a, const float *b, float *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}
