/* The load `matrixMul` without a process: a product of two matrices on the GPU, through the driver,
 * again and again as long as services are at work; checked against the host reference. */
#ifndef EVGPU_GUEST_PRODUCT_H
#define EVGPU_GUEST_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/system/guest.h"
#include "sim/system/machine.h"

struct product_options {
    uint32_t rows;
    uint32_t products; /* at most, beside services; without services, exactly so many */
    uint64_t seed;     /* of the matrices */
    const char *ptx;   /* path of matmul.ptx */
    /* Cycles of the first and of each further product on the same machine without services; 0 when
     * not known. */
    uint64_t alone_first, alone_next;
};

/* False with `err`; the machine is then to be destroyed. */
bool product_create(struct machine *m, const char *name, const struct product_options *options,
                    struct error *err);

/* Cycles of the first and of the last product of a guest of this kind. */
void product_cycles(const struct guest *g, uint64_t *first, uint64_t *last);

#endif
