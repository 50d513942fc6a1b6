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

#include <stdbool.h>
#include <stdint.h>

#include "sim/ptx/program.h"

#define BUS_WINDOWS     16u
#define BUS_STORE_BYTES 16u /* of one lane, at most */
#define BUS_STORES      64u /* of all cores, between a core's port and the link */

/* A window: bus addresses, and whose kernels may store there. */
struct bus_window {
    uint64_t base, bytes;
    uint32_t owner; /* of the image's owners */
};

struct bus_map {
    struct bus_window window[BUS_WINDOWS];
    uint32_t count;
};

/* One lane's store on its way. */
struct bus_store {
    uint64_t address; /* on the bus */
    uint8_t data[BUS_STORE_BYTES];
    uint32_t bytes;
    uint32_t core;
    uint32_t account; /* for core_bus_stored */
};

struct core;
struct access;
struct inst;
struct places;

/* Data of one store instruction. */
struct bus_slot {
    uint64_t address[WARP_SIZE];
    uint8_t data[WARP_SIZE][BUS_STORE_BYTES];
};

struct bus {
    struct bus_slot *slot; /* one for each place in the load-store queue */
    uint16_t *free;
    uint32_t n_free;
    uint32_t stored[BUS_STORES], n_stored; /* accounts: acknowledged since the last tick */
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

void bus_create(struct core *c);
void bus_destroy(struct core *c);
/* Lanes p->global are lanes of a device: p->bus from now on. False: the kernel may not do that. */
bool bus_resolve(struct core *c, uint32_t w, const struct inst *inst, struct places *p);
/* A store of lanes p->bus: captured, and queued. */
void bus_issue(struct core *c, uint32_t w, const struct inst *inst, struct places *p);
/* The access' next lane goes to the GPU's port; false when that has no room. */
bool bus_send(struct core *c, const struct access *a, uint32_t account);
void bus_release(struct core *c, const struct access *a); /* the access leaves the queue */
void bus_take_answers(struct core *c);

#endif
