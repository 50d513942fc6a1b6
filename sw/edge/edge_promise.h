/* Promises about the latency of events, and their admission: 99 of 100 events of a kernel that come
 * at no more than a declared rate are done within a time, whatever else runs. One book per machine;
 * the driver asks it before it registers an event kernel (edge.h), so that a promise either holds
 * together with all given before or is refused with what could be promised instead.
 *
 * What the book knows of a kernel is measured, not guessed: `worst_ns`, its 99th percentile at the
 * declared rate while everything around it works as hard as it can (memory, PCIe, all warps, a
 * neighbour of lower priority that floods), and `event_ns`, how long an event then holds its warp.
 * From there on it reckons:
 *
 *   order     no event kernel without a promise has the priority of a promise or a higher one
 *   own time  worst_ns + the front end's time for the events of other promises of the same or a
 *             higher priority that can come in between (burst + rate x p99) <= p99
 *   earlier   the same for every promise given before, with the new one
 *   places    the sum of rate x event_ns + burst over all promises fits into EDGE_PLACES_PERCENT of
 *             the places that the cores' event tables have
 *
 * Limits: worst_ns is a measurement, with one flooding neighbour; what is worse for the kernel than
 * that (another neighbour's kernel that makes better use of the memory's weaknesses, say) is not in
 * it. Whoever gave the promise checks afterwards whether it held. */
#ifndef EVGPU_SW_EDGE_PROMISE_H
#define EVGPU_SW_EDGE_PROMISE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EDGE_PLACES_PERCENT 75u

struct edge_error; /* edge.h */

struct edge_promise {
    uint64_t p99_ns; /* 0: nothing is promised */
    uint32_t rate;   /* events per second at most, which the device sees to */
    uint32_t burst;  /* of them at once */
    /* Measured under full contention: 99th percentile of what is promised; a warp's time. */
    uint64_t worst_ns, event_ns;
};

struct edge_book; /* of one machine */

/* `places`: events that the cores hold at a time; `serial_ns`: the front end's time for one. */
struct edge_book *edge_book_create(uint32_t places, uint32_t serial_ns);
void edge_book_destroy(struct edge_book *book);

/* Before a registration; `priority` as in struct edge_request. False with `err`: it would break a
 * promise, or its own cannot be kept. Nothing has changed then. Otherwise `*entry` is its number.
 */
bool edge_book_admit(struct edge_book *book, const char *name, uint32_t priority,
                     const struct edge_promise *promise, uint32_t *entry, struct edge_error *err);

/* The registration has failed, or the event kernel is gone. */
void edge_book_withdraw(struct edge_book *book, uint32_t entry);

#ifdef __cplusplus
}
#endif

#endif
