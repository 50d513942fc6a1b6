/* A persistent kernel that works on a packet service's batches (EDGE Figure 3b, II-B): launched
 * once through the driver when the service starts, stopped when the NIC has sent the last packet.
 * The queue between NIC and kernel: sw/services/common/persistent.h.
 *
 * The NIC's words are writes of polled words (PCIE_BAR_POLLED): they change when L2 performs them,
 * in order with the loads that poll them. The kernel's answer is a store of its own to the NIC's
 * memory (sim/simt/lsu/bus.h), as GPUrdma's kernels ring their network card's doorbells. The stop
 * words are a copy of the driver's to the ready words. */
#ifndef EVGPU_GUEST_SERVICE_PACKET_PERSISTENT_H
#define EVGPU_GUEST_SERVICE_PACKET_PERSISTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/guest/service/packet_service.h"
#include "sim/simt/core.h"

struct packet_service;
struct persistent;

struct persistent_figures {
    uint32_t warps,
        registers; /* held while the service runs, all of the GPU; registers of 32 bits */
    uint32_t blocks;
    uint64_t instructions;            /* of warps, so far */
    uint64_t work_instructions;       /* of them, in batches */
    uint64_t l2_requests, dram_bytes; /* of the kernel, when it has ended */
    uint64_t cpu_busy_cycles;         /* of the CPU: calls of the driver */
};

/* Warps when nobody says how many: one for each entry, but at most half of the GPU. */
uint32_t persistent_default(const struct packet_service *s, uint32_t entries);

/* Queue, parameters, a CPU thread and streams; false with `err`. For a loaded kernel. */
struct persistent *persistent_create(struct packet_service *s, struct error *err);
void persistent_destroy(struct persistent *p);

bool persistent_start(struct persistent *p, struct error *err);
void persistent_mark(struct persistent *p, uint64_t cycle, const struct core_mark *mark);
/* The NIC has nothing more to do; once. */
bool persistent_stop(struct persistent *p, struct error *err);
bool persistent_ended(const struct persistent *p);

uint64_t persistent_ready_address(const struct persistent *p); /* of entry 0's ready word */

/* Instructions that the kernel has spent on waiting: what is no work. Of those of batches that have
 * begun and not ended, some for as long as a batch may take. */
uint64_t persistent_polls(const struct persistent *p);
void persistent_get_figures(const struct persistent *p, struct persistent_figures *figures);

#endif
