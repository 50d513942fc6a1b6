/* Packets of the Architected Queuing Language: 64 bytes, little endian, as the HSA Platform System
 * Architecture Specification lays them out (1.2, 2.9). Header only, no allocation: for the packet
 * processor, for CPUs and for devices that write packets. */
#ifndef EVGPU_GPU_QUEUE_AQL_H
#define EVGPU_GPU_QUEUE_AQL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define AQL_PACKET_BYTES   64u
#define AQL_INDEX_BYTES    8u /* of a doorbell write, and of a read index */
#define AQL_SIGNAL_BYTES   8u
#define AQL_DOORBELL_PAGE  4096u /* one page of PCIE_BAR_QUEUE for each queue */
#define AQL_BARRIER_DEPEND 5u    /* signals of a barrier packet */

/* An address is one of device memory, or with this bit one of the bus: of another device, or of the
 * host's memory. */
#define AQL_BUS ((uint64_t)1 << 63)

/* Offsets in a packet. */
enum aql_offset {
    AQL_HEADER = 0,   /* 2: type 7..0, barrier 8, acquire 10..9, release 12..11 */
    AQL_SETUP = 2,    /* 2: number of dimensions 1..0 */
    AQL_GROUP = 4,    /* 3 x 2: work-items of a work-group */
    AQL_DEPEND = 8,   /* barrier packets: 5 x 8, signals */
    AQL_GRID = 12,    /* 3 x 4: work-items of the grid */
    AQL_PRIVATE = 24, /* 4: bytes per work-item */
    AQL_SHARED = 28,  /* 4: bytes of group memory per work-group, all of it */
    AQL_KERNEL = 32,  /* 8: kernel object */
    AQL_KERNARG = 40, /* 8: address of the arguments */
    AQL_SIGNAL = 56   /* 8: completion signal, 0: none */
};

enum aql_type {
    AQL_VENDOR = 0,
    AQL_INVALID = 1,
    AQL_DISPATCH = 2,
    AQL_BARRIER_AND = 3,
    AQL_AGENT = 4,
    AQL_BARRIER_OR = 5
};

enum aql_scope { AQL_SCOPE_NONE, AQL_SCOPE_AGENT, AQL_SCOPE_SYSTEM };

struct aql_dispatch {
    bool barrier;             /* only when all packets before it are complete */
    uint8_t acquire, release; /* enum aql_scope */
    uint16_t dimensions;      /* 1..3 */
    uint16_t group[3];
    uint32_t grid[3]; /* work-items */
    uint32_t private_bytes, shared_bytes;
    uint64_t kernel, kernarg, signal;
};

static inline uint64_t aql_get(const uint8_t *from, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static inline void aql_put(uint8_t *to, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline uint8_t aql_type(const uint8_t *packet)
{
    return packet[AQL_HEADER];
}

static inline bool aql_barrier(const uint8_t *packet)
{
    return packet[AQL_HEADER + 1] & 1;
}

static inline uint8_t aql_acquire(const uint8_t *packet)
{
    return packet[AQL_HEADER + 1] >> 1 & 3;
}

static inline uint8_t aql_release(const uint8_t *packet)
{
    return packet[AQL_HEADER + 1] >> 3 & 3;
}

static inline void aql_write_dispatch(uint8_t *packet, const struct aql_dispatch *d)
{
    memset(packet, 0, AQL_PACKET_BYTES);
    packet[AQL_HEADER] = AQL_DISPATCH;
    packet[AQL_HEADER + 1] =
        (uint8_t)((d->barrier ? 1u : 0u) | (uint32_t)d->acquire << 1 | (uint32_t)d->release << 3);
    aql_put(packet + AQL_SETUP, d->dimensions, 2);
    for (uint32_t i = 0; i < 3; i++) {
        aql_put(packet + AQL_GROUP + 2 * i, d->group[i], 2);
        aql_put(packet + AQL_GRID + 4 * i, d->grid[i], 4);
    }
    aql_put(packet + AQL_PRIVATE, d->private_bytes, 4);
    aql_put(packet + AQL_SHARED, d->shared_bytes, 4);
    aql_put(packet + AQL_KERNEL, d->kernel, 8);
    aql_put(packet + AQL_KERNARG, d->kernarg, 8);
    aql_put(packet + AQL_SIGNAL, d->signal, 8);
}

static inline struct aql_dispatch aql_read_dispatch(const uint8_t *packet)
{
    struct aql_dispatch d = {.barrier = aql_barrier(packet),
                             .acquire = aql_acquire(packet),
                             .release = aql_release(packet),
                             .dimensions = (uint16_t)(packet[AQL_SETUP] & 3),
                             .private_bytes = (uint32_t)aql_get(packet + AQL_PRIVATE, 4),
                             .shared_bytes = (uint32_t)aql_get(packet + AQL_SHARED, 4),
                             .kernel = aql_get(packet + AQL_KERNEL, 8),
                             .kernarg = aql_get(packet + AQL_KERNARG, 8),
                             .signal = aql_get(packet + AQL_SIGNAL, 8)};
    for (uint32_t i = 0; i < 3; i++) {
        d.group[i] = (uint16_t)aql_get(packet + AQL_GROUP + 2 * i, 2);
        d.grid[i] = (uint32_t)aql_get(packet + AQL_GRID + 4 * i, 4);
    }
    return d;
}

#endif
