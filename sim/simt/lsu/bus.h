/* Stores of kernels to the memory of devices on the PCIe bus: where such memory appears to kernels,
 * and the stores between issue and the core's port. Owner: bus.c.
 *
 * A device's memory is seen from BUS_WINDOW (sim/ptx/program.h) on. Kernels can store there, which
 * a link carries as posted writes in the order of the stores; loads and atomics are an error. A
 * store is acknowledged when the link has taken it, so that a fence waits for that; a fence before
 * it has waited until what was stored in device memory lies in L2, where the device will find it.
 */
#ifndef EVGPU_SIMT_LSU_BUS_H
#define EVGPU_SIMT_LSU_BUS_H

#include "sim/simt/lsu/access.h"

/* Data of one store instruction. */
struct bus_slot {
    uint64_t address[WARP_SIZE];
    uint8_t data[WARP_SIZE][BUS_STORE_BYTES];
};

struct bus {
    struct slots *slots;
    struct bus_slot *slot; /* one for each place in the load-store queue */
    uint16_t *free;
    uint32_t n_free;
    uint32_t stored[BUS_STORES], n_stored, n_taken; /* accounts: acknowledged since the last tick */
};

static inline bool bus_address(uint64_t address)
{
    return address >= BUS_WINDOW && address < SHARED_WINDOW;
}

/* Stores have been acknowledged since the last tick. */
static inline bool bus_answered(const struct bus *b)
{
    return b->n_stored != 0;
}

void bus_create(struct bus *b, struct slots *slots);
void bus_destroy(struct bus *b);
/* Lanes p->global are lanes of a device: p->bus from now on. False: the kernel may not do that. */
bool bus_resolve(struct slots *slots, uint32_t w, const struct inst *inst,
                 struct lane_addresses *p);
/* The record becomes a store of lanes p->bus, whose data is captured. */
void bus_capture(struct bus *b, struct access *a, struct lane_addresses *p);
/* The access' next lane goes to the GPU's port; false when that has no room. */
bool bus_send(struct bus *b, const struct access *a, uint32_t account);
void bus_release(struct bus *b, const struct access *a); /* the access leaves the queue */
/* Accounts of stores that have been acknowledged since the last tick, one after the other; false:
 * none is left. */
bool bus_take_answer(struct bus *b, uint32_t *account);
/* A store has been acknowledged: core_bus_stored. */
void bus_stored(struct bus *b, uint32_t account);

#endif
