/* GPUDirect Async (EDGE II-B, Figure 3c): kernels that the CPU has prepared and launched through
 * the driver before their data came.
 *
 * For every entry of the event's queue three calls stand in a stream: a wait for the entry's word
 * in device memory, the kernel, and a write of the done flag into the NIC's completion queue. The
 * NIC writes the word behind the data; the GPU's front end sees it and starts the kernel; its end
 * lets the front end write the flag. When the CPU sees the end, at its next poll, it makes the
 * three calls for the entry again: that is off the event's way, but its time limits the rate.
 *
 * The word counts up, so that a NIC that is faster than the CPU loses nothing: round r of an entry
 * waits for r. Entry e belongs to thread e % threads and to stream e % streams; streams are a
 * multiple of threads, so that the calls of an entry stand together.
 *
 * Time is in core cycles. Call armed_tick in every cycle for which armed_next_event(a) <= cycle,
 * after the driver has been ticked in that cycle. */
#ifndef EVGPU_HOST_ARMED_LAUNCHER_H
#define EVGPU_HOST_ARMED_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/host/driver.h"

#define ARMED_MOST_ENTRIES 1024u
#define ARMED_CALLS        3u /* of the driver, for one event */

struct armed_launcher;

struct armed_config {
    uint32_t core_khz;
    uint32_t threads; /* 1..64; the driver's threads first_thread.. */
    uint32_t first_thread;
    uint32_t streams; /* a multiple of threads; the driver's streams first_stream.. */
    uint32_t first_stream;
    uint32_t poll_ns;                   /* one round of polling */
    uint32_t entries;                   /* of the event's queue, 1..ARMED_MOST_ENTRIES */
    const struct driver_kernel *kernel; /* [entries], copied */
    uint64_t words;                     /* device address of entry 0's word, 4 bytes each */
    uint64_t completion_base;           /* bus address of entry 0's completion flag */
    uint32_t done_value;                /* what is written there */
    struct driver *driver;
    /* The GPU's front end: a wait, false when it takes no more; a write to the bus. */
    bool (*wait)(void *user, uint64_t address, uint32_t value,
                 void (*done)(void *user, uint64_t cycle, uint64_t written), void *done_user);
    void (*send)(void *user, uint64_t address, uint32_t value);
    /* The word has come for round `round` (from 1) of an entry: when its write arrived, 0 if before
     * the wait. May be NULL. */
    void (*triggered)(void *user, uint32_t entry, uint32_t round, uint64_t written);
    /* Once, when every entry has been prepared. */
    void (*ready)(void *user, uint64_t cycle);
    void *user;
};

struct armed_stats {
    uint64_t calls;       /* of the driver */
    uint64_t prepared;    /* kernels */
    uint64_t triggered;   /* of them */
    uint64_t busy_cycles; /* of all threads: calls, once every entry had been prepared */
    uint32_t least;       /* prepared and not triggered, once all had been */
};

struct armed_launcher *armed_create(const struct armed_config *config, struct error *err);
void armed_destroy(struct armed_launcher *a);

/* The CPU begins to prepare. */
void armed_start(struct armed_launcher *a, uint64_t cycle);

void armed_tick(struct armed_launcher *a, uint64_t cycle);
uint64_t armed_next_event(const struct armed_launcher *a);
void armed_get_stats(const struct armed_launcher *a, struct armed_stats *stats);

#endif
