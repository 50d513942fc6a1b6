/* What the forwarding job puts into device memory: routing table, next hops, packet buffers and
 * parameters of every queue entry, matrices of the background kernel. */
#ifndef EVGPU_SYSTEM_FORWARDING_MEMORY_H
#define EVGPU_SYSTEM_FORWARDING_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/dev/nic.h"
#include "sim/host/driver.h"
#include "sim/system/forwarding.h"
#include "sim/system/machine.h"
#include "sw/edge/edge.h"
#include "sw/services/ipv4/ipv4_forward.h"

#define FORWARD_PORTS 16u /* output ports the next hops are spread over */

struct forwarding_memory {
    struct machine *machine;
    const struct forwarding_options *options;
    struct module *forward, *matmul;
    const struct kernel *kernel; /* of the events */
    uint32_t grid, block;        /* of one event, x */
    uint32_t slot_bytes, entries;
    uint64_t level1, level2, hops, totals;
    struct fwd_hop *host_hops;
    struct nic_entry *entry; /* [entries] */
    struct edge_driver edge_driver;
    struct edge_event *event;      /* EDGE only */
    struct driver_kernel *kernels; /* [entries], cpu_launch only */
    float *a, *b;                  /* background matrices on the host */
    uint64_t c;                    /* device address of the product */
    struct background background;
};

bool forwarding_memory_create(struct forwarding_memory *f, struct machine *machine,
                              const struct forwarding_options *options, struct error *err);
/* `alive`: the machine still answers, so the event is unregistered in order. */
void forwarding_memory_free(struct forwarding_memory *f, bool alive);

/* Only the background kernel's matrices. */
bool forwarding_background_create(struct forwarding_memory *f, struct machine *machine,
                                  const struct forwarding_options *options, struct error *err);

/* Compares the product with the host reference. */
bool forwarding_check_matrix(const struct forwarding_memory *f, struct error *err);

#endif
