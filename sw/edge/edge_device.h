/* The device side of EDGE: what a NIC or another external device runs to launch event kernels and
 * to consume their results (EDGE III-B, Figure 8).
 *
 * Submission queue (in GPU memory) and completion queue (in the device's memory) are circular and
 * have the same number of entries; entry k of one belongs to entry k of the other. The GPU takes
 * submission entries strictly in order, so doorbells must be rung in the order in which
 * edge_device_try_launch() handed the entries out. Completions may be written in any order; they
 * are consumed in order. An entry goes
 *
 *   free --try_launch--> busy --GPU writes done--> done --complete, release--> free
 *
 * Between try_launch and the doorbell the device writes its data; between complete and release it
 * reads the results. When the queue is full, try_launch refuses and the device keeps its data:
 * nothing is lost. Header only, no allocation: a device's firmware can take it as it is. */
#ifndef EVGPU_SW_EDGE_DEVICE_H
#define EVGPU_SW_EDGE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "evgpu_defs.h" /* EVG_COMPLETION_DONE, what the GPU writes */

#define EDGE_FLAG_BYTES ((uint32_t)EVG_FLAG_BYTES) /* one completion queue entry */

/* EDGE_FAILED is written in place of EDGE_DONE when the event's kernel has failed: its results mean
 * nothing, and so will those of every later event of the row, which is being closed. EDGE_ABORTED:
 * the driver has ended this event (edge_abort_event); its results mean nothing, those of others do.
 */
enum edge_flag {
    EDGE_FREE = 0,
    EDGE_BUSY = 1,
    EDGE_DONE = EVG_COMPLETION_DONE,
    EDGE_FAILED = 3,
    EDGE_ABORTED = EVG_COMPLETION_ABORTED
};

struct edge_device {
    uint32_t *flags;    /* the completion queue: `entries` flags, memory of the caller */
    uint32_t entries;   /* maximum number of events in flight, > 0 */
    uint32_t head;      /* next entry to launch */
    uint32_t tail;      /* next entry to complete */
    uint32_t in_flight; /* launched and not yet completed */
};

/* `flags`: `entries` words in the device's memory, which must outlive `dev`. All become free. */
static inline void edge_device_init(struct edge_device *dev, uint32_t *flags, uint32_t entries)
{
    *dev = (struct edge_device){.flags = flags, .entries = entries};
    for (uint32_t i = 0; i < entries; i++)
        flags[i] = EDGE_FREE;
}

/* Takes the entry at the head: it is busy from now on, and the device fills its buffers, then rings
 * the doorbell. False when the queue is full. */
static inline bool edge_device_try_launch(struct edge_device *dev, uint32_t *entry)
{
    if (dev->flags[dev->head] != EDGE_FREE)
        return false;
    *entry = dev->head;
    dev->flags[dev->head] = EDGE_BUSY;
    dev->head = dev->head + 1 == dev->entries ? 0 : dev->head + 1;
    dev->in_flight++;
    return true;
}

/* Takes the oldest launched entry if its event is done. Its buffers stay the device's to read until
 * edge_device_release(). False when it is still running or nothing is in flight. Done or aborted:
 * edge_device_aborted() tells. */
static inline bool edge_device_complete(struct edge_device *dev, uint32_t *entry)
{
    if (!dev->in_flight ||
        (dev->flags[dev->tail] != EDGE_DONE && dev->flags[dev->tail] != EDGE_ABORTED))
        return false;
    *entry = dev->tail;
    dev->tail = dev->tail + 1 == dev->entries ? 0 : dev->tail + 1;
    dev->in_flight--;
    return true;
}

/* The driver has ended the event of an entry that has been completed and not released. */
static inline bool edge_device_aborted(const struct edge_device *dev, uint32_t entry)
{
    return dev->flags[entry] == EDGE_ABORTED;
}

/* Gives a completed entry back; any order. */
static inline void edge_device_release(struct edge_device *dev, uint32_t entry)
{
    dev->flags[entry] = EDGE_FREE;
}

/* A write of the GPU, `offset` bytes into the completion queue. False, with nothing changed, when
 * it is not a completion of a busy entry: outside the queue, misaligned, another value, or an entry
 * that nobody launched. The caller reports it: it means that a completion pointer is wrong. */
static inline bool edge_device_write(struct edge_device *dev, uint64_t offset, uint32_t value)
{
    uint64_t entry = offset / EDGE_FLAG_BYTES;
    if (offset % EDGE_FLAG_BYTES || entry >= dev->entries ||
        (value != EDGE_DONE && value != EDGE_ABORTED) || dev->flags[entry] != EDGE_BUSY)
        return false;
    dev->flags[entry] = value;
    return true;
}

#endif
