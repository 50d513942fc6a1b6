/* A NIC's wire that ends at a TAP device of the host, where real programs are the other side.
 *
 * Time: one microsecond of simulated time takes `dilation` microseconds of real time. The wire
 * looks at the device once in a millisecond of real time, and waits there when the simulation is
 * early; when the simulation is late, it goes on without waiting, and how late it was is reported.
 * What lies at the device then comes in the cycle of this look. Nothing else of a run depends on
 * the real machine: the frames with their simulated times are the capture that a later run replays
 * (pace=start), with the same statistics bit for bit.
 *
 * The wire closes after a number of packets or after a time, or when somebody deletes the device;
 * then the run ends as one with a capture does.
 *
 * Frames of other protocols than the service's are counted and go nowhere: no ARP, so that the
 * other side needs fixed neighbours (sw/services/live_network.sh). */
#ifndef EVGPU_GUEST_SERVICE_LIVE_WIRE_H
#define EVGPU_GUEST_SERVICE_LIVE_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/host/nic.h"
#include "sw/services/common/capture.h"

#define LIVE_FRAME 1514u /* bytes of the longest frame, without FCS: an MTU of 1500 */

struct machine; /* sim/system/machine.h */
struct live_wire;

struct live_settings {
    const char *device;    /* name of the TAP device */
    uint32_t packets;      /* after so many it closes */
    uint32_t dilation;     /* real time over simulated time, 1 or more */
    uint64_t seconds;      /* of real time after which it closes; 0: never */
    const char *recording; /* capture of what came in, or NULL */
};

/* Opens the device and makes room in `capture`, which is the wire's to fill until it is closed.
 * NULL with `err`: no such device, or this user may not open it. `settings` are copied, their texts
 * are not. */
struct live_wire *live_wire_open(const struct live_settings *settings,
                                 const struct capture_filter *filter, struct capture *capture,
                                 struct error *err);
void live_wire_close(struct live_wire *w);

/* The NIC of this machine is at the other end, from its start on. */
void live_wire_attach(struct live_wire *w, struct nic *nic, const struct machine *machine);

/* To be called in this cycle, before the NIC's tick; CYCLE_NEVER: when the NIC has started, or
 * never again. */
uint64_t live_wire_next(const struct live_wire *w);
void live_wire_tick(struct live_wire *w, uint64_t cycle);

/* Packets may still come. */
bool live_wire_is_open(const struct live_wire *w);

/* The NIC sends a frame. */
void live_wire_send(struct live_wire *w, const uint8_t *frame, uint32_t length);

/* Writes the recording. */
bool live_wire_record(const struct live_wire *w, struct error *err);

/* What went over it, in real time too, and the settings of a run that replays the recording. */
void live_wire_print(const struct live_wire *w, FILE *to);

#endif
