#include "sim/guest/service/live_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/host/rate.h"
#include "sim/system/guest.h"
#include "sim/system/machine.h"
#include "sw/services/common/capture_write.h"

#define TUN_DEVICE   "/dev/net/tun"
#define NS_PER_MS    1000000u
#define NS_PER_S     1000000000u
#define LOOK_NS      NS_PER_MS        /* of real time, from one look at the device to the next */
#define LEAST_STEP   100u             /* ns of simulated time between two looks */
#define LONGEST_NAP  (50 * NS_PER_MS) /* a signal is heard behind it */
#define LOOK_PACKETS 4096u            /* at most that come in by one look: time goes on */

struct live_wire {
    struct live_settings settings;
    const struct capture_filter *filter;
    struct capture *capture;
    int device;
    struct nic *nic;
    const struct machine *machine;
    uint32_t core_khz;
    bool open;
    uint64_t start, next;   /* cycles: of the NIC's wire, and of the next look */
    uint64_t step_ns;       /* simulated, between looks */
    uint64_t began;         /* real time of the start, ns */
    uint64_t latest;        /* real ns that the simulation was late by, at most */
    uint64_t other;         /* frames that are not the service's */
    uint64_t sent, refused; /* frames for the device, and those that it did not take */
    uint64_t closed_ns;     /* simulated, from the start; 0: the last packet closed it */
};

/* --- the device ---------------------------------------------------------------------------------
 */

static bool no_device(const char *name, struct error *err)
{
    int cause = errno;
    if (cause == EPERM || cause == EACCES)
        return error_set(
            err,
            "port=tap:%s: this user may not open TAP devices (%s); run as root, or let "
            "`ip tuntap add dev %s mode tap user NAME` make the device",
            name, strerror(cause), name);
    if (cause == ENOENT || cause == ENODEV)
        return error_set(err, "port=tap:%s: %s: this system has no TAP devices", name, TUN_DEVICE);
    return error_set(err, "port=tap:%s: %s%s", name, strerror(cause),
                     cause == EBUSY ? "; another program has opened it" : "");
}

static bool open_device(struct live_wire *w, struct error *err)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    const char *name = w->settings.device;
    if (strlen(name) >= sizeof request.ifr_name)
        return error_set(err, "port=tap:%s: a device's name has at most %zu characters", name,
                         sizeof request.ifr_name - 1);
    memcpy(request.ifr_name, name, strlen(name));
    w->device = open(TUN_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    return (w->device >= 0 && ioctl(w->device, TUNSETIFF, &request) == 0) || no_device(name, err);
}

struct live_wire *live_wire_open(const struct live_settings *settings,
                                 const struct capture_filter *filter, struct capture *capture,
                                 struct error *err)
{
    struct live_wire *w = ALLOC(struct live_wire);
    *w = (struct live_wire){.settings = *settings,
                            .filter = filter,
                            .capture = capture,
                            .device = -1,
                            .open = true,
                            .next = CYCLE_NEVER};
    w->step_ns = LOOK_NS / settings->dilation;
    w->step_ns = w->step_ns < LEAST_STEP ? LEAST_STEP : w->step_ns;
    if (!open_device(w, err)) {
        live_wire_close(w);
        return NULL;
    }
    *capture =
        (struct capture){.longest = LIVE_FRAME,
                         .packets = ALLOC_ARRAY(struct captured_packet, settings->packets),
                         .bytes = ALLOC_ARRAY(uint8_t, (size_t)settings->packets * LIVE_FRAME)};
    return w;
}

void live_wire_close(struct live_wire *w)
{
    if (w && w->device >= 0)
        close(w->device);
    free(w);
}

void live_wire_attach(struct live_wire *w, struct nic *nic, const struct machine *machine)
{
    w->nic = nic;
    w->machine = machine;
    w->core_khz = machine_config(machine)->core_khz;
}

/* --- time ---------------------------------------------------------------------------------------
 */

static uint64_t real_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* The least whole time that is not before the cycle. */
static uint64_t simulated_ns(const struct live_wire *w, uint64_t cycle)
{
    uint64_t ns = rate_cycles_to_ns(cycle - w->start, w->core_khz);
    while (w->start + rate_ns_to_cycles(ns, w->core_khz) < cycle)
        ns++;
    return ns;
}

/* The real machine's clock is where the cycle asks it to be, or the run is to end. */
static void wait_for(struct live_wire *w, uint64_t ns)
{
    uint64_t due = w->began + ns * w->settings.dilation;
    for (uint64_t now = real_ns(); !machine_stopped(w->machine); now = real_ns()) {
        if (now >= due) {
            w->latest = now - due > w->latest ? now - due : w->latest;
            return;
        }
        uint64_t nap = due - now < LONGEST_NAP ? due - now : LONGEST_NAP;
        struct timespec left = {.tv_nsec = (long)nap};
        nanosleep(&left, NULL);
    }
}

/* --- frames -------------------------------------------------------------------------------------
 */

static void close_now(struct live_wire *w, uint64_t ns, bool by_time)
{
    w->open = false;
    w->closed_ns = by_time ? ns : 0;
    nic_close_wire(w->nic, ns);
}

/* The frame is in place behind the capture's last one. */
static void take(struct live_wire *w, uint32_t length, uint64_t ns)
{
    struct capture *c = w->capture;
    c->frames++;
    if (!capture_wants(w->filter, c->bytes + c->size, length)) {
        w->other++;
        return;
    }
    c->packets[c->count] =
        (struct captured_packet){.timestamp_ns = ns, .offset = (uint32_t)c->size, .length = length};
    if (!nic_arrives(w->nic)) { /* the service has failed */
        w->open = false;
        return;
    }
    c->count++;
    c->size += length;
    if (c->count == w->settings.packets)
        close_now(w, ns, false);
}

static void look(struct live_wire *w, uint64_t ns)
{
    uint8_t longer[CAPTURE_MAX_FRAME];
    for (uint32_t i = 0; w->open && i < LOOK_PACKETS; i++) {
        ssize_t length = read(w->device, longer, sizeof longer);
        if (length < 0 && (errno == EBADFD || errno == EIO)) /* somebody has deleted it */
            close_now(w, ns, true);
        if (length <= 0)
            return;
        if (length > (ssize_t)LIVE_FRAME) {
            w->capture->frames++;
            w->other++;
            continue;
        }
        memcpy(w->capture->bytes + w->capture->size, longer, (size_t)length);
        take(w, (uint32_t)length, ns);
    }
}

uint64_t live_wire_next(const struct live_wire *w)
{
    return w->open ? w->next : CYCLE_NEVER;
}

bool live_wire_is_open(const struct live_wire *w)
{
    return w->open;
}

void live_wire_tick(struct live_wire *w, uint64_t cycle)
{
    uint64_t limit = w->settings.seconds * NS_PER_S / w->settings.dilation;
    if (w->next == CYCLE_NEVER) {
        w->start = nic_wire_start(w->nic);
        if (w->start == CYCLE_NEVER)
            return;
        w->began = real_ns();
        w->next = cycle;
    }
    if (!w->open || w->next > cycle)
        return;
    uint64_t ns = simulated_ns(w, cycle);
    wait_for(w, ns);
    look(w, ns);
    w->next = cycle + 1 + rate_ns_to_cycles(w->step_ns, w->core_khz);
    if (w->open && limit && ns >= limit)
        close_now(w, ns, true);
}

void live_wire_send(struct live_wire *w, const uint8_t *frame, uint32_t length)
{
    w->sent++;
    if (write(w->device, frame, length) != (ssize_t)length)
        w->refused++;
}

/* --- afterwards ---------------------------------------------------------------------------------
 */

bool live_wire_record(const struct live_wire *w, struct error *err)
{
    const struct capture *c = w->capture;
    if (!w->settings.recording)
        return true;
    struct capture_frame *frames = ALLOC_ARRAY(struct capture_frame, c->count);
    for (uint32_t i = 0; i < c->count; i++)
        frames[i] = (struct capture_frame){.timestamp_ns = c->packets[i].timestamp_ns,
                                           .bytes = c->bytes + c->packets[i].offset,
                                           .length = c->packets[i].length};
    bool written = capture_write(w->settings.recording, frames, c->count, err);
    free(frames);
    return written;
}

void live_wire_print(const struct live_wire *w, FILE *to)
{
    const struct live_settings *s = &w->settings;
    fprintf(to,
            "Live wire             tap:%s: %u packets and %" PRIu64 " other frames in, %" PRIu64
            " out, %" PRIu64 " of them not taken\n",
            s->device, w->capture->count, w->other, w->sent, w->refused);
    fprintf(to,
            "                      1 us simulated in %u us of real time, %.1f ms late at most\n",
            s->dilation, (double)w->latest / NS_PER_MS);
    if (!s->recording || !w->capture->count)
        return;
    fprintf(to, "                      replay: capture=%s,pace=start,frame=%u", s->recording,
            LIVE_FRAME);
    if (w->closed_ns)
        fprintf(to, ",open_ns=%" PRIu64, w->closed_ns);
    fprintf(to, "\n");
}
