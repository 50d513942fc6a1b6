/* A NIC from the inside: one struct per subject, in the header of the file that owns it. A file
 * reads and writes the struct of its own subject only and asks the others by their functions
 * (tests/e2e/project/subjects.sh checks it). A packet goes through them from top to bottom. */
#ifndef EVGPU_HOST_NIC_INTERNAL_H
#define EVGPU_HOST_NIC_INTERNAL_H

#include "sim/gpu/queue/aql.h"
#include "sim/host/nic.h"
#include "sim/host/nic/agenda.h"
#include "sim/host/nic/answers.h"
#include "sim/host/nic/entries.h"
#include "sim/host/nic/fill.h"
#include "sim/host/nic/meter.h"
#include "sim/host/nic/packets.h"
#include "sim/host/nic/reads.h"
#include "sim/host/nic/send.h"
#include "sim/host/nic/wire.h"

#define NIC_MAX_SLOT    131072u /* bytes; a frame of 65,535 and the fields before it */
#define WORD_BYTES      4u      /* with a full/empty bit */
#define NIC_WRITE_BYTES 4096u   /* the most that one pcie_write takes */

struct nic {
    struct nic_config config;   /* nic.c's, read by all */
    struct nic_capture capture; /* the same */
    struct agenda agenda;
    struct packets packets;
    struct meter meter;
    struct wire wire;
    struct fill fill;
    struct entries entries;
    struct reads reads;
    struct send send;
    struct answers answers;
};

static inline void nic_wake(struct nic *n, uint64_t cycle)
{
    agenda_wake(&n->agenda, cycle);
}

/* To be tried again when the link has moved something. */
static inline void nic_wait_for_link(struct nic *n, const struct pcie *link, uint64_t cycle)
{
    uint64_t event = pcie_next_event(link);

    nic_wake(n, event > cycle ? event : cycle + 1);
}

/* That there will ever be. */
static inline uint32_t nic_most_packets(const struct nic *n)
{
    return n->capture.packet_room ? n->capture.packet_room : n->capture.count;
}

static inline uint64_t nic_wire_bits(const struct nic *n, uint32_t length)
{
    return ((uint64_t)length + n->config.wire_overhead) * 8;
}

#endif
