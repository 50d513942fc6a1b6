/* The whole machine: GPU, PCIe, driver, NIC, and for --launch=cpu the polling CPU.
 *
 * One time base, the core cycle; every part says when it next has something to do, so that idle
 * parts cost nothing. */
#ifndef EVGPU_SYSTEM_MACHINE_H
#define EVGPU_SYSTEM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/dev/nic.h"
#include "sim/gpu/gpu.h"
#include "sim/host/cpu_launcher.h"
#include "sim/host/driver.h"
#include "sim/system/config.h"
#include "sim/system/run_loop.h"

/* Requester ids on PCIe: bus << 8 | device << 3. */
#define HOST_RID 0x0000u
#define GPU_RID  0x0100u
#define NIC_RID  0x0200u

/* Where the NIC's completion queue and the CPU's signal words lie in their own address spaces. */
#define NIC_COMPLETION_BASE 0x1000u
#define HOST_SIGNAL_BASE    0x2000u

struct machine;

struct machine_options {
    enum tile_backend backend;
    const char *serial_port; /* of a board: PATH or PATH@BAUD */
    uint32_t mode;           /* enum sched_mode */
    bool cpu_launch;         /* the baseline: a CPU launches each kernel */
    void (*event_done)(void *user, const struct event_times *times); /* may be NULL */
    void *user;
};

struct machine *machine_create(const struct machine_config *config,
                               const struct machine_options *options, struct error *err);
void machine_destroy(struct machine *m);

struct gpu *machine_gpu(struct machine *m);
struct nic *machine_nic(struct machine *m);
struct launcher *machine_launcher(struct machine *m);
struct driver *machine_driver(struct machine *m);

/* Fills the wiring of a NIC configuration: links, endpoints, clock, completion queue, and where its
 * launch signal goes (`doorbell`: byte offset in the doorbell region; unused with cpu_launch). */
void machine_wire_nic(struct machine *m, struct nic_config *config, uint32_t doorbell);

/* The capture stays the caller's. One NIC per machine. */
bool machine_add_nic(struct machine *m, const struct nic_config *config,
                     const struct nic_capture *capture, struct error *err);

/* With cpu_launch, before machine_add_nic: the kernels of the `entries` queue entries. */
bool machine_add_launcher(struct machine *m, const struct driver_kernel *kernels, uint32_t entries,
                          struct error *err);

/* The background kernel, through the driver. `done` becomes true and *grid is filled at its end. */
struct background {
    const struct kernel *kernel;
    uint32_t grid[3], block[3];
    uint64_t parameters;
    struct grid result;
    bool done;
};
bool machine_launch(struct machine *m, struct background *background, struct error *err);

/* Sends a front end command and runs until it is answered; false when it is not. */
bool machine_command(struct machine *m, const struct frontend_command *command, uint32_t *code,
                     uint32_t *row, struct error *err);

/* For run_loop, which then runs until done(user). */
void machine_target(struct machine *m, bool (*done)(const void *user), const void *user,
                    struct run_target *target);

bool machine_tick(struct machine *m, struct error *err);
uint64_t machine_cycle(const struct machine *m);

/* Called before every tick; for waveforms. */
void machine_on_tick(struct machine *m, void (*hook)(void *user, uint64_t cycle), void *user);

#endif
