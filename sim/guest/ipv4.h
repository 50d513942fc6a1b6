/* The service `ipv4`: a NIC replays a packet capture, every batch rings a doorbell, the forwarding
 * kernel (sw/services/ipv4) is launched as an event, or by a polling CPU; every packet is checked
 * against the host reference. EDGE sections III to VI.
 *
 * With a foreign kernel, the program finds the routing table as the resources "level1", "level2"
 * and "hops" (sw/services/ipv4/ipv4_forward.h), and its results are result words of the same
 * header. */
#ifndef EVGPU_GUEST_IPV4_H
#define EVGPU_GUEST_IPV4_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/dev/nic.h"
#include "sim/system/guest.h"
#include "sim/system/machine.h"
#include "sw/services/ipv4/capture.h"
#include "sw/services/ipv4/routes.h"

struct ipv4_options {
    bool cpu_launch;    /* the baseline of EDGE VI-A */
    bool foreign;       /* the event kernel comes from a program (guest_bind), not from here */
    bool thread_blocks; /* events of several blocks instead of one warp */
    bool
        only_processed; /* a packet is right when it has any verdict, whatever the reference says */
    bool fill;          /* packets lie in memory with full/empty bits, and fill its words */
    uint32_t batch;     /* packets per event; at most 32 for one warp */
    enum nic_pace pace;
    uint64_t rate;   /* by pace */
    bool drop;       /* NIC drops when its buffer is full, instead of holding the wire */
    const char *ptx; /* path of ipv4_forward.ptx */
    const struct capture
        *capture; /* these stay the caller's, and unchanged, until the guest ends */
    const struct route_list *routes;
    const char *forwarded_path; /* capture of what the NIC sent, or NULL */
};

/* False with `err`; the guest may then be half made, and the machine is to be destroyed. */
bool ipv4_create(struct machine *m, const char *name, const struct ipv4_options *options,
                 struct error *err);

#endif
