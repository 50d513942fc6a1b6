/* The baseline: polling CPU threads launch each event's kernel and pass its completion on to the
 * device (EDGE II-B, Figures 3a and 8b; costs from VI-A).
 *
 * The NIC's signal is a word in host memory, one per queue entry. A thread polls its signals and
 * the completions of its kernels; work that has come in is noticed at its next poll. A launch
 * occupies the thread for the driver's asynchronous call; then the kernel goes through the driver's
 * stages, the PCIe command write, the GPU, and the completion write. A completion that was noticed
 * costs the thread `notify_ns`, then the done flag goes to the NIC's completion queue. Entry e
 * belongs to thread e % threads; launches of a thread rotate over its streams. The second kernels
 * of entries have streams of their own, so that none of them is ever in front of a first one.
 *
 * With a user-level queue (user_queue.h) there is no driver: a launch occupies the thread for
 * `packet_ns`, in which it writes the entry's packet and rings, and as long as the queue is full.
 * The end of a kernel is its completion signal in the host's memory.
 *
 * Time is in core cycles. Call launcher_tick in every cycle for which
 * launcher_next_event(l) <= cycle, after links and driver have been ticked in that cycle. */
#ifndef EVGPU_HOST_CPU_LAUNCHER_H
#define EVGPU_HOST_CPU_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/histogram.h"
#include "sim/host/driver.h"
#include "sim/host/pcie.h"
#include "sim/host/user_queue.h"

struct launcher;

struct launcher_config {
    uint32_t core_khz;
    uint32_t threads; /* 1..64; the driver's threads first_thread.. */
    uint32_t first_thread;
    uint32_t streams; /* >= threads; the driver's streams first_stream.. */
    uint32_t first_stream;
    uint32_t poll_ns;   /* one round of polling */
    uint32_t notify_ns; /* CPU time to tell the NIC about one completion */
    uint32_t entries;   /* of the event's queue */
    /* Kernels of an entry, 1 or 2 with the driver: one after the other, each launched when the end
     * of the one before has been noticed, or `together`, one call behind the other. */
    uint32_t kernels;
    bool together;
    uint32_t then_streams;              /* >= threads, of second kernels; behind the others */
    const struct driver_kernel *kernel; /* [kernels][entries], copied; for the driver */
    struct driver *driver;
    struct user_queue *queue; /* instead of the driver; or NULL */
    const uint8_t *packet;    /* [entries][AQL_PACKET_BYTES], copied; for the queue */
    uint32_t packet_ns;
    struct pcie *nic_link;    /* between NIC and host memory */
    uint8_t host, nic;        /* endpoints on nic_link */
    uint64_t signal_base;     /* host address of entry 0's signal word */
    uint64_t completion_base; /* NIC address of entry 0's completion flag */
    uint32_t done_value;      /* what is written there */
};

struct launcher_stats {
    uint64_t launches, completions;
    uint64_t bad_signals;           /* writes that were not a signal of a free entry */
    uint64_t busy_cycles;           /* of all threads: calls and notifications */
    const struct histogram *notice; /* signal in host memory to noticed, cycles */
    const struct histogram *launch; /* start of the call to start on the GPU; with the driver */
    const struct histogram *total;  /* start of the call to the completion noticed */
};

struct launcher *launcher_create(const struct launcher_config *config, struct error *err);
void launcher_destroy(struct launcher *l);

/* The host's endpoint on nic_link. Like driver_endpoint. */
void launcher_endpoint(struct pcie_endpoint *endpoint, struct launcher **launcher);

/* A completion signal of the queue has been written: that of the entry. */
void launcher_signalled(struct launcher *l, uint64_t cycle, uint32_t entry);

void launcher_tick(struct launcher *l, uint64_t cycle);
uint64_t launcher_next_event(const struct launcher *l);

/* Nothing signalled, launched or to be passed on. */
bool launcher_idle(const struct launcher *l);

/* Cycle at which the call for the entry's latest kernel of this number (0, 1) began. */
uint64_t launcher_called(const struct launcher *l, uint32_t entry, uint32_t kernel);

void launcher_get_stats(const struct launcher *l, struct launcher_stats *stats);

#endif
