/* The measurements behind the promise of a packet service (sw/edge/edge_promise.h): its latency
 * under full contention, measured before the run, on a machine of the same configuration.
 *
 * Beside the service at its declared rate, with the priority that it will have: a kernel that fills
 * all cores and keeps memory, caches and barriers at work (stress.h), and the same service once
 * more, of the lowest priority, whose wire never pauses. Two patterns of traffic that the declared
 * rate allows are tried: packets in bursts, and evenly spaced, which never fill a batch. What
 * counts is the slowest packet of all, and a margin of PROMISE_MARGIN_PERCENT. */
#ifndef EVGPU_GUEST_SERVICE_PROMISE_H
#define EVGPU_GUEST_SERVICE_PROMISE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/guest/service/packet_setup.h"

#define PROMISE_MARGIN_PERCENT 10u

struct promise_request {
    struct packet_setup *setup; /* gets the result, with its options */
    const struct machine_config *config;
    uint32_t mode;                     /* enum sched_mode */
    const volatile sig_atomic_t *stop; /* may be NULL */
};

/* Where a promise is wanted, registers of every core are kept for the events of all services, so
 * that an event can borrow a warp of any kernel (event.registers, event.register_reserve): whether
 * one is, and then the machine. False with `err`. */
bool promise_wanted(struct packet_setup *setup);
bool promise_reserve(struct packet_setup *setup, struct machine_config *config, struct error *err);

/* Nothing, when the service has no promise to make. False with `err`. */
bool promise_measure(const struct promise_request *request, struct error *err);

/* A line for people, if there is a promise. */
void promise_print(const struct promise_request *request, const char *name, FILE *to);

#endif
