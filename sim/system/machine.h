/* One machine: GPU, its PCIe link, the driver, and guests (guest.h).
 *
 * One time base, the core cycle; every part says when it next has something to do, so that idle
 * parts cost nothing. */
#ifndef EVGPU_SYSTEM_MACHINE_H
#define EVGPU_SYSTEM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/gpu/gpu.h"
#include "sim/host/driver.h"
#include "sim/system/config.h"
#include "sim/system/run_loop.h"

/* Requester ids on PCIe: bus << 8 | device << 3; device n of the guests is on bus 2 + n. */
#define HOST_RID   0x0000u
#define GPU_RID    0x0100u
#define DEVICE_RID 0x0200u

struct machine;
struct guest;

struct machine_options {
    enum tile_backend backend;
    const char *serial_port;   /* of a board: board_line_open */
    uint32_t mode;             /* enum sched_mode */
    uint64_t shared_at;        /* first address of device memory that processes share; 0: none do */
    struct timeline *timeline; /* what happens is written there (base/timeline.h); or NULL */
    struct port_record *ports; /* tiles' steps are recorded there (tb/port_record.h); or NULL */
    bool silent;               /* a rehearsal, which gives no warnings */
    bool details;              /* series over time and histograms are kept (moments.h) */
    uint32_t checks;           /* CHECK_... of sim/simt/check/check.h */
    struct concurrency_choice concurrency;
    struct timing_choice timing; /* which kernels are timed */
    enum native_when native;     /* machine code for the others */
};

struct machine *machine_create(const struct machine_config *config,
                               const struct machine_options *options, struct error *err);

/* Destroys the guests first, the latest before the others. */
void machine_destroy(struct machine *m);

const struct machine_config *machine_config(const struct machine *m);
const struct machine_options *machine_options(const struct machine *m);
struct gpu *machine_gpu(struct machine *m);
struct driver *machine_driver(struct machine *m);
uint64_t machine_cycle(const struct machine *m);

/* Runs until every guest has finished, or until control says otherwise (run_loop.h). Loads are
 * started first; services when all loads are under way. */
enum run_end machine_run(struct machine *m, const struct run_control *control, struct error *err);

/* In order of attachment. */
uint32_t machine_guest_count(const struct machine *m);
struct guest *machine_guest_at(const struct machine *m, uint32_t index);

/* After a run: asks every guest for its verdict, or (`finished`) those that have finished. `text`
 * receives what was checked, joined by ";", or the first failure, or the first guest's difference.
 * True when all guests have been asked and all are right. */
bool machine_verdict(struct machine *m, bool finished, char *text, size_t room);

/* After it: whether all files that guests leave behind could be written; why not has been said. */
bool machine_files_written(const struct machine *m);

/* The first guest that has failed (guest_fail), and when; NULL: none, `cycle` stays as it is. */
const struct guest *machine_failed_guest(const struct machine *m, uint64_t *cycle);

/* The verdict of a guest: true with `text` when its results are right; false with NULL when it has
 * not been asked. */
bool machine_guest_verdict(const struct guest *g, const char **text);

/* After a run: what is still under way is written to the timeline, and nothing any more. */
void machine_end_timeline(struct machine *m);

/* After a run; NULL without machine_options.details. */
struct moments;
const struct moments *machine_moments(struct machine *m);

/* Called before every tick; for waveforms. */
void machine_on_tick(struct machine *m, void (*hook)(void *user, uint64_t cycle), void *user);

#endif
