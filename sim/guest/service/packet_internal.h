/* State shared by the parts of a packet service: its life (packet_service.c), what it has in device
 * memory (packet_memory.c), its second kernel (packet_pipeline.c), the checks of packets
 * (packet_check.c), its figures (packet_report.c).
 */
#ifndef EVGPU_GUEST_SERVICE_PACKET_INTERNAL_H
#define EVGPU_GUEST_SERVICE_PACKET_INTERNAL_H

#include "base/histogram.h"
#include "base/timeline.h"
#include "sim/gpu/queue/packet_processor.h"
#include "sim/guest/service/event_driver.h"
#include "sim/guest/service/packet_persistent.h"
#include "sim/guest/service/packet_pipeline.h"
#include "sim/guest/service/packet_service.h"
#include "sim/host/armed_launcher.h"
#include "sim/host/cpu_launcher.h"
#include "sim/host/user_queue.h"
#include "sim/ptx/module.h"

/* Parts of the way from the NIC's doorbell write to the first instruction, in core cycles. */
enum launch_part {
    PART_PCIE,     /* doorbell on the link */
    PART_DECODER,  /* doorbell decoder */
    PART_TABLE,    /* event kernel table, waiting for it included */
    PART_DISPATCH, /* choice of a core, waiting for one included */
    PART_PREEMPT,  /* in the core: until the event owns a warp */
    PART_FETCH,    /* until its first instruction issues */
    LAUNCH_PARTS
};

/* Parts of a forwarded packet's latency, wire to wire; the last batch is left out where the end of
 * the capture has left it incomplete. */
enum packet_part {
    PART_QUEUE,      /* waits for its batch to fill, and for a free entry */
    PART_LAUNCH,     /* from the NIC's work for the launch to the first instruction */
    PART_RUN,        /* to the last one */
    PART_COMPLETION, /* to the NIC's done flag */
    PART_SEND,       /* results and frames read, and the wire */
    PACKET_PARTS
};

/* A batch on the GPU; cycles, 0: not reached. */
struct batch_times {
    uint64_t arrived; /* what makes it start at the GPU: doorbell, command or word; 0: not known */
    uint64_t placed;  /* has its warps and registers */
    uint64_t start;   /* first instruction */
    uint64_t end;     /* last instruction; of kernels: their last block ends */
    struct {          /* of a pipeline's second kernel, whose end is `end` */
        uint64_t handed; /* end of the first one */
        uint64_t placed, start;
    } then;
};

struct packet_figures {
    uint64_t events, by_path[EVENT_PATHS], packets_checked;
    uint64_t aborted;        /* events that the driver has ended */
    uint64_t aborts_refused; /* that it wanted to: they had not begun, or were over */
    struct histogram part[LAUNCH_PARTS];
    struct histogram launch;          /* all parts together */
    struct histogram scheduling;      /* PART_DISPATCH and PART_PREEMPT: table row to own warp */
    struct histogram preemption;      /* PART_PREEMPT of events that took a victim */
    struct histogram runtime;         /* first to last instruction of an event */
    struct histogram turnaround;      /* doorbell at the GPU to the last instruction */
    struct histogram notice;          /* last instruction to the NIC's done flag */
    struct histogram cpu_launch;      /* LAUNCH_CPU: call to the GPU's front end */
    struct histogram cpu_start;       /* LAUNCH_CPU: call to the kernel's start on a core */
    struct histogram end_to_end;      /* forwarded packets, on the wire to on the wire */
    struct histogram within_rate;     /* the same of those that the promise is about */
    struct histogram event;           /* the NIC's signal to its done flag */
    struct nic_stats nic;             /* its histogram pointer is not kept */
    uint64_t forwarded[NIC_VERDICTS]; /* by verdict */
    uint64_t parts[PACKET_PARTS];     /* cycles, summed over packets_in_parts */
    uint64_t packets_in_parts;
    struct histogram doorbell; /* what starts an event at the GPU to its first instruction */
    uint64_t held_cycles;      /* for which events had their warps and registers, summed */
    uint64_t then_held_cycles; /* the same of second kernels */
    uint64_t busy_cycles;      /* with an event under way */
    uint64_t pcie_bytes;       /* with headers */
    uint64_t cpu_busy_cycles, cycles;
    struct persistent_figures persistent; /* LAUNCH_PERSISTENT */
    struct pipeline_figures pipeline;     /* of two kernels */
};

/* A kernel, and where its arguments come from: enum packet_argument. */
struct packet_call {
    const struct kernel *kernel;
    const uint8_t *arguments;
};

/* The service's data in device memory. */
struct packet_memory {
    struct module *module; /* the machine's */
    const struct kernel *kernel;
    uint32_t grid, block; /* of one event, x */
    uint32_t slot_bytes, result_bytes, growth, entries;
    uint64_t input_bytes; /* of an entry */
    uint64_t fill_bytes;  /* the same, with what else is marked empty or full with it */
    struct packet_tables tables;
    struct nic_entry *entry; /* [entries] */
    struct event_driver driver;
    struct edge_event *event;      /* EDGE only, not foreign */
    uint32_t doorbell;             /* byte offset in the doorbell region, EDGE only */
    struct driver_kernel *kernels; /* [entries], of launches that are no events; of a pipeline as
                                    * many second ones behind them */
    uint64_t parameters;           /* of entry 0, user-level queues only */
    uint64_t parameter_stride;
};

/* An abort that the driver has asked for: of the event of this batch of the NIC, so many times, the
 * last time in this cycle. */
struct packet_asked {
    uint32_t batch, times;
    uint64_t cycle;
};

/* The driver's watch over its events (packet_watch.c). */
struct packet_watch {
    uint64_t timeout; /* cycles from signal to flag; 0: none */
    uint64_t next;    /* nothing is over its time before; CYCLE_NEVER: none is under way */
    uint32_t seen;    /* batches that there were then */
    struct packet_asked *asked; /* [entries] */
};

/* An entry's words are marked empty (guest_region.h); `entry` is the user of the job. */
struct emptying {
    struct packet_service *service;
    uint32_t entry;
};

/* User of a kernel that is launched for an entry. */
struct entry_launch {
    struct packet_service *service;
    uint32_t entry;
    uint32_t kernel; /* 1: a pipeline's second one */
    uint64_t launches;
};

struct packet_service {
    const struct packet_kind *kind;
    const struct packet_return *returning; /* of the kind, in use; NULL: it is not */
    uint8_t arguments[PACKET_ARGUMENTS];   /* enum packet_argument of the events' kernel */
    uint32_t n_arguments;
    const void *inputs; /* of the kind */
    void *state;        /* of the kind, NULL before it is created */
    struct packet_options options;
    struct machine *machine;
    struct guest *guest;
    struct guest_port port;
    uint64_t completion_base; /* bus address of the completion queue */
    struct nic *nic;
    bool started;
    struct emptying *emptying;                          /* [entries], with fill */
    uint32_t not_emptied;                               /* entries, before the NIC starts */
    void (*bound_finished)(void *user, uint64_t cycle); /* of a foreign kernel's program */
    void *bound_user;
    struct packet_memory memory;
    /* LAUNCH_CPU, LAUNCH_HSA: */
    struct launcher *launcher;
    struct pcie *host_link;                   /* NIC to host memory */
    uint8_t host_end_of_nic, nic_end_of_host; /* endpoints on host_link */

    /* LAUNCH_HSA, LAUNCH_XTQ: */
    struct user_queue *queue;     /* the CPU's, or NULL */
    struct guest_port queue_port; /* of its memory */
    uint64_t ring;                /* device address, 0: in host memory */
    uint32_t ring_packets;
    uint64_t queue_doorbell; /* offset */
    uint8_t *packets;        /* [entries][AQL_PACKET_BYTES] */
    /* LAUNCH_GDA: */
    struct armed_launcher *armed;
    uint64_t words; /* [entries] that the NIC writes, device address */

    struct entry_launch *entry_launch; /* of launches that are no events, as memory.kernels */

    struct persistent *persistent;    /* LAUNCH_PERSISTENT */
    struct packet_pipeline *pipeline; /* NULL: the service has one kernel */

    struct batch_times *batches; /* by the NIC's number, but LAUNCH_EDGE */
    uint64_t n_batches, cap_batches;
    struct event_times *times; /* by order of acceptance */
    uint64_t n_times, cap_times;
    struct packet_figures figures;
    struct packet_watch watch;
    bool collected;
    bool failed;                 /* its kernel, or that of the program which has brought it */
    char failure[160];           /* which event and packet; "": not known */
    struct timeline_lanes lanes; /* of batches on the timeline */
    uint32_t drawn;              /* batches that are there */
};

/* The NIC's memory. */
#define PACKET_ATTENTION_OFFSET  0x800u  /* a persistent kernel is there */
#define PACKET_COMPLETION_OFFSET 0x1000u /* completion queue */
#define PACKET_NIC_BYTES         0x100000u

#define PACKET_SIGNAL_BASE 0x2000u /* of the signal words in host memory */
#define PACKET_PRIORITY    1       /* of kernels that are launched, over others */

/* Bytes of the longest frame that a slot takes from the wire. */
static inline uint32_t packet_longest(const struct packet_service *s)
{
    uint32_t capture = s->options.capture->longest;
    return s->options.longest > capture ? s->options.longest : capture;
}

/* packet_launch.c; launches that are neither events nor a persistent kernel. */
bool packet_launch_create(struct packet_service *s, struct error *err);
void packet_launch_destroy(struct packet_service *s);
void packet_launch_start(struct packet_service *s, uint64_t cycle); /* LAUNCH_GDA */
void packet_launch_tick(struct packet_service *s, uint64_t cycle);
uint64_t packet_launch_next_event(const struct packet_service *s);
struct nic_signal packet_signal(const struct packet_service *s);

/* packet_memory.c */
bool packet_memory_create(struct packet_service *s, struct error *err);
void packet_port(const void *self, struct edge_port_info *info);
/* A program's kernel that is bound to the device may access the tables that are lent. */
void packet_lend_tables(struct packet_service *s, const struct guest *borrower);
void packet_memory_destroy(struct packet_service *s);
/* The value of an enum packet_argument for a queue entry. */
uint64_t packet_argument(const struct packet_service *s, uint32_t entry, uint8_t argument);
/* It is the same for all entries. */
bool packet_constant(uint8_t argument);
/* Sets all arguments of an entry, and its completion pointer (0: nobody is told). */
bool packet_set_event(const struct packet_service *s, struct edge_event *event,
                      const struct packet_call *call, uint32_t entry, uint64_t completion,
                      struct edge_error *err);
/* The row of the call's kernel; `request` comes with all but kernel and types. NULL with `err`. */
struct edge_event *packet_register(struct packet_service *s, struct event_driver *driver,
                                   const struct kernel *kernel, struct edge_request *request,
                                   struct edge_error *err);
/* Writes the arguments of an entry into a parameter buffer. */
void packet_write_parameters(const struct packet_service *s, const struct packet_call *call,
                             uint32_t entry, uint64_t buffer);
/* Loads a module; its kernel of this name, whose arguments are at most so many. NULL with `err`. */
const struct kernel *packet_load(struct packet_service *s, const char *ptx, const char *name,
                                 uint32_t most_arguments, struct module **module,
                                 struct error *err);
/* Device memory that has words with full/empty bits, REGION_ALIGN; 0 with `err`. `setting` is what
 * asks for it. */
uint64_t packet_region_alloc(struct packet_service *s, uint64_t bytes, const char *setting,
                             struct error *err);

/* packet_fill.c: where an entry has words with full/empty bits, all of them are emptied, then the
 * NIC starts; and again each time that an entry comes back. */
bool packet_fills(const struct packet_service *s);
void packet_fill_start(struct packet_service *s);
void packet_fill_empty(void *self, uint32_t entry);
/* Loads of the service's events that wait for packets go on. */
void packet_fill_give_up(struct packet_service *s);

/* packet_timeline.c: batches that have come free since the last call; only with a timeline */
void packet_timeline(struct packet_service *s);

/* packet_check.c: every packet that was sent or dropped against the reference; the frames that were
 * sent, as a capture. */
bool packet_check(struct packet_service *s, struct error *err);
bool packet_write_sent(struct packet_service *s, struct error *err);

/* packet_failure.c: guest_ops.faulted; then the verdict. */
void packet_faulted(void *self, uint64_t cycle, const struct guest_fault *fault);
void packet_failed_verdict(struct packet_service *s, char *text, size_t room);

/* packet_figures.c */
void packet_batch_begins(struct packet_service *s, uint64_t batch, uint64_t cycle);
void packet_batch_ends(struct packet_service *s, uint64_t batch, uint64_t cycle);
void packet_event_done(void *self, uint64_t index, const struct event_times *times);
void packet_event_exited(void *self, uint64_t index, const struct event_times *times);
struct batch_times *packet_batch(struct packet_service *s, uint64_t batch);

/* packet_watch.c; tick: after the NIC's. */
void packet_watch_create(struct packet_service *s);
void packet_watch_destroy(struct packet_service *s);
void packet_watch_tick(struct packet_service *s, uint64_t cycle);
uint64_t packet_watch_next(const struct packet_service *s);

/* packet_cost.c: what the way to launch costs, beside time. */
void packet_print_cost(const struct packet_service *s, FILE *to);
json_t *packet_json_cost(const struct packet_service *s);

/* packet_promise.c: whether the promise has held, with words for the verdict; lines and figures. */
bool packet_promise_held(struct packet_service *s, struct error *err);
void packet_print_promise(const struct packet_service *s, FILE *to);
json_t *packet_json_promise(const struct packet_service *s);

/* packet_report.c */
void packet_print(const void *self, FILE *to);
json_t *packet_json(const void *self);
void packet_free_figures(struct packet_figures *figures);

/* packet_figures.c: the figures so far. */
const struct packet_figures *packet_figures(struct packet_service *s);

#endif
