/* A run is one machine and any number of guests on it: CUDA programs, event services, a kernel
 * alone, CPU cores. The run loop (run.h) knows them by this interface only, the command by their
 * constructors (sim/guest).
 *
 * A guest lives in three steps. Its constructor calls machine_add_guest and then takes what it
 * needs: device memory, modules, endpoints, doorbells; the clock does not move meanwhile, except
 * inside machine_command. When the run begins, `start` is called: for loads first, for services
 * when every load is under way, so that events meet a busy GPU. From then on the machine asks for
 * `next_event` and ticks the guest, until all guests have finished. Beside CPU cores a run is
 * measured, in the order that measure.h states.
 *
 * Simulated time stands still inside a tick. A guest that serves a process outside therefore
 * answers its calls in `tick` and does not return before every thread of the process waits in a
 * call again (or the process has ended); nothing in a run then depends on the real machine. Such a
 * wait must look at machine_stopped. */
#ifndef EVGPU_SYSTEM_GUEST_H
#define EVGPU_SYSTEM_GUEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/gpu/gpu.h"
#include "sim/host/driver.h"
#include "sim/host/pcie.h"
#include "sim/host/rate.h"
#include "sim/simt/core_env.h"
#include "sw/edge/edge_port.h"
#include "sw/edge/edge_promise.h"

struct machine; /* sim/system/machine.h */
struct guest;   /* the machine's record of one guest; what the guest took is in it */

enum guest_role {
    GUEST_LOAD,    /* works on its own account: a program, a kernel */
    GUEST_SERVICE, /* is driven from outside: starts when all loads are under way */
    GUEST_CPU      /* CPU cores: warm up while the first kernels of the loads are held */
};

/* A program's event kernel for a service's device. */
struct device_binding {
    struct guest *guest;                 /* the program, filled in by guest_bind */
    uint32_t row;                        /* of the event kernel table */
    uint32_t entries;                    /* of the submission queue */
    const struct edge_port_entry *entry; /* [entries], valid during the call */
    /* The device has nothing more to do; may be NULL. */
    void (*finished)(void *user, uint64_t cycle);
    void *user;
};

/* The error of a guest that has failed. */
struct guest_fault {
    enum fault_kind kind;            /* FAULT_NONE: nothing that a kernel has done */
    const struct core_fault *what;   /* NULL: no kernel is at fault, or it is another guest's */
    const struct event_times *event; /* of the event at fault; NULL: none, or another guest's */
    const char *text;                /* one line */
};

/* Every function gets `self`. Those marked "may be NULL" need not exist. */
struct guest_ops {
    const char *kind; /* "program", "service", ...: heads its figures */
    enum guest_role role;

    /* At the beginning of the run (see above); again, when one run of the machine follows another.
     */
    bool (*start)(void *self, uint64_t cycle, struct error *err);

    /* Called for every cycle >= next_event, after the links and the driver, before the GPU. False
     * with `err`: the whole run fails. */
    bool (*tick)(void *self, uint64_t cycle, struct error *err);

    /* The first cycle in which `tick` has something to do; CYCLE_NEVER when only a callback
     * (completion, delivery, end of a grid) can change that. Not called before `start`. */
    uint64_t (*next_event)(const void *self);

    /* Loads: the GPU is at work for it. May be NULL: at once. One that has finished, or has bound
     * an event kernel, counts as under way. */
    bool (*under_way)(const void *self);

    /* Nothing is left to do; stays so. The run ends when it holds for all. */
    bool (*finished)(const void *self);

    /* Measured runs (measure.h). Each may be NULL. */
    /* Loads: a kernel of it has been launched and is held. NULL: not waited for. */
    bool (*held)(const void *self);
    /* CPU cores: the slowest one has done its warm-up. NULL: at once. */
    bool (*warm)(const void *self);
    /* Once: what is done from `cycle` on is measured. */
    void (*measure)(void *self, uint64_t cycle);
    /* Its measurement is complete; stays so. It goes on all the same until this holds for
     * every guest. NULL: when it has finished. */
    bool (*measured)(const void *self);
    /* All has been measured, and the run ends at `cycle`: it gives up what it is doing. */
    void (*end)(void *self, uint64_t cycle);

    /* After a run that ended in order: true when its results are right. `text` then names what was
     * checked, as in "VERIFIED: <text> and <text>", otherwise the first difference. */
    bool (*verdict)(void *self, char *text, size_t room);

    /* Behind `verdict`, or in its place after a run that has ended before the guest has finished:
     * writes the files that it leaves behind, as far as it has come. False with `err`, which
     * changes no verdict. May be NULL. */
    bool (*write_files)(void *self, struct error *err);

    /* The part of its work that is done, 0 to 1, where its end is known; else negative. NULL: it is
     * not. */
    double (*share)(const void *self);

    /* Grows as long as the guest gets on, for the watchdog. May be NULL. */
    uint64_t (*work)(const void *self);

    /* Warp instructions of its kernels that only wait, as for a device: those do not count as work.
     * May be NULL. */
    uint64_t (*polls)(const void *self);

    /* Lines that say what it waits for, when the run hangs. */
    void (*describe)(const void *self, void (*line)(void *user, const char *text), void *user);

    /* Its figures: lines for a person, and a section of the statistics file. Simulated quantities
     * only, so that equal runs give equal files. Also after a run that was cut short. */
    void (*print)(const void *self, FILE *to);
    json_t *(*json)(const void *self);

    /* One of its events has had its last instruction: the `index`-th (from 0) accepted doorbell of
     * a row that it registered. Then, of a row with completion flags, it is complete. Each may be
     * NULL. */
    void (*event_exited)(void *self, uint64_t index, const struct event_times *times);
    void (*event_done)(void *self, uint64_t index, const struct event_times *times);

    /* A grid that one of its kernels has launched is over. May be NULL. */
    void (*child_over)(void *self, const struct grid *grid);

    /* A warp of one of its kernels has executed pmevent. May be NULL. */
    void (*mark)(void *self, uint64_t cycle, const struct core_mark *mark);

    /* Services whose device takes a program's event kernel; both or neither. `bind` is called once,
     * at any time; the device's work begins with `start`, or at once when that has been. */
    void (*port)(const void *self, struct edge_port_info *info);
    bool (*bind)(void *self, const struct device_binding *binding, struct error *err);

    /* The guest has failed (guest_fail): nothing of it runs on the GPU any more, and time goes on
     * for the others. Called once, from within the GPU's cycle or a tick of the guest. NULL: a
     * fault of its kernels ends the run. */
    void (*faulted)(void *self, uint64_t cycle, const struct guest_fault *fault);

    /* The run has ended before its time, for the reason in `err`, and nothing will happen on the
     * GPU any more: a guest that serves a process says so to it. May be NULL. */
    void (*failed)(void *self, const struct error *err);

    /* Frees `self`; what it took from the machine goes back by itself. */
    void (*destroy)(void *self);
};

/* The name is copied; guests of one kind are told apart by it. `self` belongs to the machine from
 * now on: machine_destroy calls ops->destroy, the latest guest first. */
struct guest *machine_add_guest(struct machine *m, const struct guest_ops *ops, const char *name,
                                void *self);

/* The guest has failed, for whatever reason; the first time counts. Its kernels and events end in
 * order (gpu_end_owner), its rows of the event kernel table are closed: what is under way completes
 * with EDGE_FAILED, then the row is unregistered, and later doorbells count as unregistered. So
 * does a service that has bound a row of it. The others go on; the run's verdict is the first
 * failure. */
void guest_fail(struct guest *g, const struct guest_fault *fault);
const struct error *guest_failure(const struct guest *g); /* `set`: it has failed */

/* Ends all that the guest has on the GPU as guest_fail does, but without a failure of it; `why` is
 * that of a service which loses its event kernel. Once everything has ended, it may begin anew. */
void guest_end_work(struct guest *g, const char *why);
void guest_begin_work(struct guest *g);

struct machine *guest_machine(struct guest *g);
const char *guest_name(const struct guest *g);
const struct guest_ops *guest_ops(const struct guest *g);
void *guest_self(const struct guest *g);

/* Event kernels that the guest has registered, by name: complete events, cycles in which they had
 * their warps or blocks, summed, and what was counted for them. */
struct guest_event_kernel {
    const char *name;
    uint64_t calls, cycles;
    struct grid_counters counts;
};
uint32_t guest_event_kernels(struct guest *g, const struct guest_event_kernel **list);

/* --- timeline -------------------------------------------------------------------------------- */

struct timeline; /* base/timeline.h */

/* First tracks of each kind; the driver's stages and streams are the machine's to write, under the
 * numbers of driver_call.note. */
enum guest_tracks {
    TRACK_HOST = 1,      /* threads */
    TRACK_DRIVER = 2000, /* for each thread */
    TRACK_STREAM = 4000,
    TRACK_EVENTS = 6000,
    TRACK_DEVICE = 7000
};

/* NULL: there is none, and the rest must not be called. */
struct timeline *guest_timeline(struct guest *g);

/* The guest's process there, which is called like the guest unless a title is given first. */
void guest_timeline_title(struct guest *g, const char *title);
uint32_t guest_process(struct guest *g);

/* Track first + number, called "NAME NUMBER". */
uint32_t guest_track(struct guest *g, uint32_t first, uint32_t number, const char *name);

/* --- time ------------------------------------------------------------------------------------ */

/* The run is to end (a signal): a guest that waits for a process gives up. */
bool machine_stopped(const struct machine *m);

/* For loads that repeat themselves beside services: a service has not finished; there is one. */
bool machine_services_at_work(const struct machine *m);
bool machine_has_services(const struct machine *m);

/* For loads that repeat themselves beside CPU cores: of some guest, something is still to be
 * measured. */
bool machine_measuring(const struct machine *m);

/* The GPU's PCIe link so far: towards the GPU, and from it. */
void machine_link_stats(const struct machine *m, struct pcie_direction_stats *in,
                        struct pcie_direction_stats *out);

/* --- device memory --------------------------------------------------------------------------- */

/* An address, zero filled; 0 with `err` when memory is full. Belongs to the guest until it is
 * released, or until the machine ends. `align` is a power of two. */
uint64_t guest_alloc(struct guest *g, uint64_t bytes, uint64_t align, struct error *err);

/* Describes the allocation that begins there; its owner is filled in. Without it, it is memory
 * whose contents mean something from the beginning. */
void guest_describe(struct guest *g, uint64_t address, const struct image_note *note);

/* Kernels of `borrower` may also read the guest's allocation that begins there, or read and write
 * it. */
void guest_lend(struct guest *g, uint64_t address, const struct guest *borrower, bool for_writes);

/* [address, address + bytes) lies within one allocation of the guest. */
bool guest_holds(const struct guest *g, uint64_t address, uint64_t bytes);

/* False with `err` when the guest has no allocation that begins there. */
bool guest_release(struct guest *g, uint64_t address, struct error *err);

/* What the guest's kernels have for themselves: text that they print, a heap, a stack
 * (sim/gpu/gpu.h). guest_free_heap: none of the kernels is left. */
void guest_take_output(struct guest *g, const struct output_reader *reader);
void guest_set_output(struct guest *g, uint64_t bytes);
bool guest_set_heap(struct guest *g, uint64_t bytes, struct error *err);
bool guest_set_stack(struct guest *g, uint64_t bytes, struct error *err);
void guest_free_heap(struct guest *g);

/* The guest's allocation that holds `address`; false when none does. */
bool guest_allocation(const struct guest *g, uint64_t address, uint64_t *base, uint64_t *bytes);

uint64_t guest_allocated(const struct guest *g); /* bytes */

/* Where the host sees [address, address + bytes) of device memory; NULL when it is not all inside.
 * Costs no simulated time: for what is there before the run begins and for checks after it. */
void *machine_memory(struct machine *m, uint64_t address, uint64_t bytes);

/* --- kernels --------------------------------------------------------------------------------- */

/* Places a module in device memory; at any time. The machine owns it afterwards, also on failure.
 * Names are the guest's own: two guests may load the same file. */
bool guest_load(struct guest *g, struct module *module, struct error *err);

/* The guest's kernel whose code begins at the device address; NULL: it has none there. */
const struct kernel *guest_kernel(const struct guest *g, uint64_t code);

/* Same as guest_load for another version of a loaded module (module_place_like). */
bool guest_load_like(struct guest *g, struct module *module, const struct module *like,
                     struct error *err);

/* A CPU thread of the driver and a stream, for driver_call; at any time. False with `err` when the
 * driver has no more. */
bool guest_thread(struct guest *g, uint32_t *thread, struct error *err);
bool guest_stream(struct guest *g, uint32_t *stream, struct error *err);

/* The stream is idle and may be given out again. */
void guest_stream_end(struct guest *g, uint32_t stream);

struct guest_launch {
    const struct kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    uint64_t parameters; /* device address of argument 0 */
    int32_t priority;    /* higher first */
    bool cooperative;    /* all its blocks are on the GPU at the same time */
    uint32_t thread, stream;
    bool blocking; /* as in driver_call */
    /* On the GPU's side, in the cycle in which the last block ends; `grid` has the figures, and is
     * valid during the call. Then, on the CPU's side, as in driver_call. Each may be NULL. */
    void (*ended)(void *user, const struct grid *grid);
    void (*returned)(void *user, uint64_t cycle);
    void (*done)(void *user, uint64_t cycle, const struct driver_times *times);
    void *user;
};

/* Through the driver's stages. False with `err`: it can never run here (registers, shared memory,
 * dimensions), or too many calls are outstanding. */
bool guest_launch(struct guest *g, const struct guest_launch *launch, struct error *err);

/* At the GPU itself, in this cycle, without driver and link: a kernel by itself. Of `launch`,
 * thread, stream, blocking, returned and done do not count. */
bool guest_launch_now(struct guest *g, const struct guest_launch *launch, struct error *err);

/* Any call of the driver, on a thread and stream of the guest. */
bool guest_call(struct guest *g, const struct driver_call *call, struct error *err);

/* Copies of the guest's threads move no more than is on its way, and so end soon. */
void guest_cut_copies(struct guest *g);

/* Kernels of the guest are on the GPU or wait for it; one-warp events are not counted. */
bool guest_at_work(const struct guest *g);

/* The work of the guest's kernels on the GPU so far. */
void guest_work(const struct guest *g, struct gpu_owner_work *work);

/* --- devices and events ----------------------------------------------------------------------- */

/* A device of the guest on the GPU's PCIe link. */
struct guest_port {
    struct pcie *link;
    uint8_t self, gpu; /* endpoints on the link */
    uint16_t rid;      /* requester id, for registrations */
    uint64_t bus_base; /* where the GPU sees the device's memory: completion pointers are
                        * bus_base + offset, and arrive with that address */
};

/* Before the run begins. Of `endpoint`, the callbacks and their user count. */
bool guest_attach_device(struct guest *g, const struct pcie_endpoint *endpoint,
                         struct guest_port *port, struct error *err);

/* The guest's kernels may store to `bytes` of its device's memory, from `offset` on (a bus address
 * less port->bus_base); where they see its first byte. 0 with `err`: there are too many. */
uint64_t guest_map_device(struct guest *g, const struct guest_port *port, uint32_t offset,
                          uint32_t bytes, struct error *err);

/* The guest's kernels may ring the doorbell at this offset of the doorbell region, as requester
 * GPU_RID; where they see its word. 0 with `err`: there are too many windows. */
uint64_t guest_map_doorbell(struct guest *g, uint32_t doorbell, struct error *err);

/* A link of the guest's own with the settings of the configuration, for two endpoints that have
 * nothing to do with the GPU. The guest ticks and destroys it. */
struct pcie *guest_link(struct guest *g, struct error *err);

/* The device of the guest of that name, for an event kernel of `g`. False with `err`: there is none
 * (the names of those that there are), it takes no kernels, or it has one. With the binding, the
 * row's events are the service's (ops->event_done). The row must take the device's doorbells. */
bool guest_port_info(struct guest *g, const char *name, struct edge_port_info *info,
                     struct error *err);
bool guest_bind(struct guest *g, const char *name, const struct device_binding *binding,
                struct error *err);

/* The machine's promises about events (sw/edge/edge_promise.h): asked before an event kernel is
 * registered for the guest. False with `err`: refused. Otherwise it goes with `command`. */
bool guest_admit(struct guest *g, uint32_t priority, const struct edge_promise *promise,
                 struct frontend_command *command, struct error *err);

/* The guest has registered this row of the event kernel table; any row. */
bool guest_has_row(const struct guest *g, uint32_t row);
bool guest_has_rows(const struct guest *g);

/* A command for the GPU's front end; `answered` is called when it has been carried out, with an
 * enum frontend_code and the row. Commands of all guests wait for each other, but an unregistration
 * that waits for its row's events holds none. A row that is registered so belongs to the guest: its
 * events come to ops->event_done. */
void guest_command(struct guest *g, const struct frontend_command *command,
                   void (*answered)(void *user, uint32_t code, uint32_t row), void *user);

/* The same while no run is going on: the machine runs until the answer is there. */
bool machine_command(struct guest *g, const struct frontend_command *command, uint32_t *code,
                     uint32_t *row, struct error *err);

#endif
