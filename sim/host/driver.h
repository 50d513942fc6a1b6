/* The GPU driver and the GPU's host interface: calls pass through three stages (F/E paper 6.1) -
 * enqueue (time of the calling CPU thread), prepare (the driver, one command at a time per unit)
 * and execute - and run in order within a stream, concurrently between streams.
 *
 * Execute: a copy to the device goes over PCIe in posted writes, is cut into requests of a line
 * where it arrives, and ends when the memory system has acknowledged each of them (F/E paper 6.2);
 * a copy to the host and a kernel are a command write over PCIe, and start when that has arrived
 * and the earlier commands of their stream are complete. A copy to the host makes requests of a
 * line, whose data are written over PCIe as they come; it ends when the last have arrived. All
 * other ends are written back over PCIe, and only then seen by the CPU. A command may be held
 * between stages.
 *
 * There are one or two copy engines: one per direction, or one that works on one copy at a time. A
 * copy has at most DRIVER_COPY_WINDOW bytes between the first request and the last acknowledgement.
 * One with a trigger steps aside while it waits for words, so that it holds no other copy, and has
 * at most DRIVER_WAIT_WINDOW bytes, so that a few of them find room in memory.
 *
 * Each CPU thread executes its calls in order: an asynchronous call occupies it for the enqueue
 * time, a blocking one until the CPU sees its end, a synchronisation until the stream is empty.
 *
 * Time is in core cycles. Call driver_tick in every cycle for which driver_next_event(d) <= cycle,
 * after the link has been ticked in that cycle. */
#ifndef EVGPU_HOST_DRIVER_H
#define EVGPU_HOST_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/host/pcie.h"

struct driver;
struct driver_call;
struct driver_times;
struct grid; /* sim/simt/core.h */

#define DRIVER_COMMAND_BYTES 64u    /* size of a command write */
#define DRIVER_LINE_BYTES    128u   /* a request to memory lies in one line */
#define DRIVER_COPY_WINDOW   32768u /* bytes */
#define DRIVER_WAIT_WINDOW   4096u  /* same, of a copy with a trigger */
#define DRIVER_MAX_THREADS   1024u
#define DRIVER_MAX_STREAMS   1024u

struct driver_kernel {
    uint64_t code;       /* what is launched; the system's own meaning */
    uint64_t parameters; /* device address of the parameter buffer */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    int32_t priority;
    bool cooperative; /* all its blocks are on the GPU at the same time */
    /* The caller's own: for whoever takes the kernel on the GPU's side. */
    void (*ended)(void *user, const struct grid *grid);
    void *user;
};

/* One request of a copy to the GPU's memory, within a line. */
struct driver_request {
    uint64_t address;
    void *data; /* from or to there when it is performed; NULL: no data are moved */
    uint32_t tag, bytes;
    bool write;
    uint8_t trigger, action; /* of full/empty bits, numbers as in sim/mem/request.h */
};

enum driver_taken {
    DRIVER_TAKEN, /* answered by driver_request_done, later */
    DRIVER_FULL,  /* no room, asked again next cycle */
    DRIVER_HELD   /* no room before a request with a trigger is done */
};

struct driver_config {
    uint32_t core_khz;
    /* Those there are from the start, up to 64 each; thread t uses unit t % prepare_units, which
     * is 0 only without threads. */
    uint32_t threads, streams, prepare_units;
    bool one_unit;         /* threads that are added share the first unit */
    uint32_t copy_engines; /* 1 or 2 */
    /* The driver prepares a copy only when no other is on the engine, except one with a trigger. */
    bool copy_alone;
    /* It prepares a call only when the earlier ones of its stream are complete, or copies that have
     * been handed over to the link. */
    bool in_turn;
    uint32_t copy_enqueue_ns, copy_prepare_ns;
    uint32_t copy_wait_ns; /* prepare of a blocking copy */
    /* Time that memory adds to a DRIVER_BULK_... copy; then one to the host has a command write,
     * too, and both take as long as the copies that make requests. 0: neither. */
    uint32_t bulk_memory_ns;
    uint32_t launch_enqueue_ns, launch_prepare_ns;
    uint32_t op_enqueue_ns;
    uint32_t sync_call_ns, sync_return_ns; /* the call, and its return once the stream is empty */
    uint32_t max_calls;                    /* not yet complete, 1..65535 */
    struct pcie *link;
    uint8_t host, gpu; /* endpoints on link */
    /* GPU side: takes a kernel; false: no room, offered again next cycle. A kernel that was taken
     * ends with driver_kernel_done(d, cycle, id). */
    bool (*launch)(void *user, uint64_t cycle, uint32_t id, const struct driver_kernel *kernel);
    /* GPU side: a request of a copy. It is not answered from within. */
    enum driver_taken (*request)(void *user, uint64_t cycle, const struct driver_request *request);
    /* Every call when it is complete, before its `done`; may be NULL. */
    void (*watch)(void *user, uint32_t id, const struct driver_call *call,
                  const struct driver_times *times);
    void *user;
};

/* Cycles at which a call passed its stages. */
struct driver_times {
    uint64_t called;    /* the thread starts the call */
    uint64_t enqueued;  /* end of enqueue; an asynchronous call returns here */
    uint64_t preparing; /* begin of prepare */
    uint64_t prepared;  /* end of prepare */
    uint64_t started;   /* first in its stream and handed to the copy engine or the GPU */
    uint64_t moving;    /* copies through the driver: the first data have come; or 0 */
    uint64_t finished;  /* on the GPU's side */
    uint64_t seen;      /* the CPU can see it */
};

enum driver_kind {
    DRIVER_COPY_IN,
    DRIVER_COPY_OUT,
    /* Copies whose data the caller moves in `started`: they occupy the copy engine and the link
     * like the others, but not the memory system, and cost the simulator little. */
    DRIVER_BULK_IN,
    DRIVER_BULK_OUT,
    DRIVER_LAUNCH,
    DRIVER_WORK, /* the caller's own: `started`, later driver_work_done */
    /* A memory operation of a stream, what the GPU's front end does itself: as DRIVER_WORK, with a
     * command write of its own. Without `done` no completion is written. */
    DRIVER_OP,
    DRIVER_SYNC
};

/* For whoever watches: numbers as the caller counts, and what it is when the kind does not say. */
struct driver_note {
    uint32_t thread, stream;
    const char *label; /* or NULL */
};

struct driver_call {
    enum driver_kind kind;
    uint32_t thread, stream;
    bool blocking;   /* the thread waits until the CPU sees the end */
    uint64_t device; /* copies: device address */
    void *host;      /* DRIVER_COPY_...: valid until done, or NULL: `started` moves the data */
    uint64_t bytes;  /* copies: > 0 */
    uint8_t trigger, action;     /* DRIVER_COPY_...: of each request */
    struct driver_kernel kernel; /* DRIVER_LAUNCH */
    bool immediate;              /* takes no time to enqueue and prepare */
    struct driver_note note;
    /* On the GPU's side, when its turn in the stream has come and when it ends; each may be NULL,
     * but DRIVER_WORK and DRIVER_OP have `started`. No calls may be made from them;
     * driver_work_done may. */
    void (*started)(void *user, uint64_t cycle, uint32_t id);
    void (*finished)(void *user, uint64_t cycle);
    /* Called when the thread is free again, and when the CPU can see the end; each may be NULL. New
     * calls may be made from both. */
    void (*returned)(void *user, uint64_t cycle);
    void (*done)(void *user, uint64_t cycle, const struct driver_times *times);
    void *user;
};

struct driver_stats {
    uint64_t launches, copies_in, copies_out, syncs, bytes_in, bytes_out;
};

struct driver *driver_create(const struct driver_config *config, struct error *err);
void driver_destroy(struct driver *d);

/* The host's endpoint: its callbacks; side, rid and name are the caller's. The driver is created
 * after its endpoint, so the endpoint takes a pointer to where the driver will be put. */
void driver_endpoint(struct pcie_endpoint *endpoint, struct driver **driver);

/* One more CPU thread, with a prepare unit of its own, and one more stream; at any time. False with
 * `err` when there are DRIVER_MAX_THREADS, DRIVER_MAX_STREAMS already. */
bool driver_add_thread(struct driver *d, uint32_t *thread, struct error *err);
bool driver_add_stream(struct driver *d, uint32_t *stream, struct error *err);

/* The thread makes a call as soon as it has returned from the ones before. The call is copied.
 * A call on an idle thread starts at `cycle`. False: max_calls are outstanding, or the call is
 * malformed (thread, stream, zero bytes). */
bool driver_call(struct driver *d, uint64_t cycle, const struct driver_call *call);

/* Calls that it can take now. */
uint32_t driver_room(const struct driver *d);

/* GPU side: a write to PCIE_BAR_COMMAND has arrived. False: it is not a command of this driver. */
bool driver_command(struct driver *d, uint64_t cycle, const struct pcie_write *write);

/* GPU side: a write without data to PCIE_BAR_MEMORY has arrived from the host. */
void driver_arrived(struct driver *d, uint64_t cycle, const struct pcie_write *write);

/* GPU side: the request of a copy with this tag has been performed. */
void driver_request_done(struct driver *d, uint64_t cycle, uint32_t tag);
/* One that is not the driver's, after which a request that was DRIVER_HELD may find room. */
void driver_other_done(struct driver *d, uint64_t cycle);

/* The thread whose copy has made the request with this tag. */
uint32_t driver_request_thread(const struct driver *d, uint32_t tag);

/* GPU side: the kernel with this id is complete, its writes performed. */
void driver_kernel_done(struct driver *d, uint64_t cycle, uint32_t id);

/* The end of a DRIVER_WORK or DRIVER_OP with this id. */
void driver_work_done(struct driver *d, uint64_t cycle, uint32_t id);

/* Copies that will do this action to the word at this device address, and have not asked memory for
 * it yet: they have not started, or their earlier requests wait. */
uint32_t driver_pending_copies(const struct driver *d, uint64_t address, uint8_t action);

/* The copies of the thread that are not complete move what is on its way, and one byte more: they
 * pass all their stages, and soon. */
void driver_cut_copies(struct driver *d, uint32_t thread);

void driver_tick(struct driver *d, uint64_t cycle);
uint64_t driver_next_event(const struct driver *d);

/* Every command that is in its stream and not complete; of its times, those not reached are 0. */
void driver_outstanding(const struct driver *d,
                        void (*each)(void *user, uint32_t id, const struct driver_call *call,
                                     const struct driver_times *times),
                        void *user);

/* No call is outstanding. */
bool driver_idle(const struct driver *d);

void driver_get_stats(const struct driver *d, struct driver_stats *stats);

#endif
