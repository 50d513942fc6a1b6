/* State shared by the parts of the machine: wiring and time (machine.c), what guests take of it
 * (guest.c), the GPU's side of PCIe and of the driver (machine_gpu.c). */
#ifndef EVGPU_SYSTEM_MACHINE_INTERNAL_H
#define EVGPU_SYSTEM_MACHINE_INTERNAL_H

#include "evgpu_defs.h"
#include "sim/gpu/queue/packet_processor.h"
#include "sim/system/guest.h"
#include "sim/system/guest_region.h"
#include "sim/system/machine.h"

#define READ_SLOTS   4096 /* device reads between PCIe and the GPU's host port */
#define LAUNCH_SLOTS 2048 /* kernels between the driver and their end; more than can be pending */
#define MAX_READ     512u /* bytes of a read on PCIe */
#define WINDOW_SHIFT 24   /* the GPU sees endpoint n's memory from n << WINDOW_SHIFT on */

struct device_read {
    uint64_t address;
    uint64_t number; /* in order of arrival */
    uint32_t bytes, handle;
    uint8_t from;       /* endpoint */
    bool used, waiting; /* waiting: the host port had no room yet */
    uint16_t asked;     /* of words (machine_take.c): bytes that have been asked for */
    uint16_t under_way; /* ... line requests that have not been answered */
    uint32_t next;      /* ... that waits for a place */
};

/* Reads that take words (PCIE_BAR_TAKEN) and wait for a place among the requests with a trigger, in
 * order of arrival. */
struct device_takes {
    uint32_t first, last, count;
    uint8_t *data; /* [READ_SLOTS][MAX_READ], from the first such read on */
};

/* A kernel on the GPU that came through the driver. */
struct launched {
    void (*ended)(void *user, const struct grid *grid);
    void *user;
    uint32_t id; /* the driver's; 0: launched at the GPU itself */
    bool used;
};

struct allocation {
    uint64_t address, bytes;
};

struct guest_region_slot {
    struct region_job job;
    bool used;
};

struct region_block {
    uint64_t address, bytes;
    const struct guest *guest; /* whose */
};

/* The synchronised region (guest_region.c). */
struct guest_region_state {
    struct region_block *blocks; /* by address */
    uint32_t n_blocks, cap_blocks;
    uint64_t allocated;
    uint64_t touched;               /* one past the highest address that was ever allocated */
    struct guest_region_slot *jobs; /* by tag */
    uint32_t n_jobs, cap_jobs;
    uint32_t *waiting; /* tags that the GPU has not taken */
    uint32_t n_waiting, cap_waiting;
    const struct guest *timeout_of; /* who has set the time-out; NULL: it is the machine's */
};

struct guest {
    struct machine *machine;
    const struct guest_ops *ops;
    void *self;
    char *name;
    struct allocation *allocations; /* by address */
    uint32_t n_allocations, cap_allocations;
    uint64_t allocated;
    uint32_t owner;              /* of the image's owners */
    bool started, judged, right; /* judged: after a run that ended in order */
    char verdict[1600];
    struct error failure; /* guest_fail */
    bool bound;           /* an event kernel of it is with a service's device */
    bool ended;           /* guest_end_work */
    struct guest *served; /* the program whose kernel is bound to its device, or NULL */
    struct guest_event_kernel *event_kernels;
    uint32_t n_event_kernels, cap_event_kernels;
    struct guest_timeline *timeline; /* machine_timeline.c's, or NULL */
};

/* A row of the event kernel table, and its events since they were last collected. */
struct row_use {
    struct guest *home; /* who has registered it, NULL: nobody */
    const struct kernel *kernel;
    uint64_t calls, cycles;
};

struct waiting_command {
    struct frontend_command command;
    struct guest *guest;
    void (*answered)(void *user, uint32_t code, uint32_t row);
    void *user;
};

struct machine {
    struct machine_config config;
    struct machine_options options;
    struct gpu *gpu;
    struct pcie *gpu_link;
    struct driver *driver;
    uint8_t gpu_end, host_end; /* endpoints on gpu_link */
    uint32_t n_devices;
    struct guest *device_guest[UINT8_MAX + 1]; /* by endpoint on gpu_link */

    struct guest **guests;
    uint32_t n_guests, cap_guests;
    struct module **modules; /* everything that was loaded */
    uint32_t n_modules, cap_modules;
    uint32_t *free_streams;
    uint32_t n_free_streams, cap_free_streams;

    struct waiting_command *commands; /* for the front end, the first one is with it */
    uint32_t n_commands, cap_commands;
    bool command_sent;
    struct waiting_command leaving[EVG_EKT_ROWS]; /* unregistrations of the rows that drain */
    struct guest *row_owner[EVG_EKT_ROWS];
    struct row_use row_use[EVG_EKT_ROWS];
    struct edge_book *book;                         /* of promises about events */
    uint32_t row_ticket[EVG_EKT_ROWS];              /* entries of the book */
    uint16_t row_requester[EVG_EKT_ROWS];           /* whose doorbells it takes */
    struct guest *thread_guest[DRIVER_MAX_THREADS]; /* by thread of the driver */

    uint8_t (*bus_data)[PP_READ_BYTES]; /* of the packet processor's reads, by tag; or NULL */
    struct device_read reads[READ_SLOTS];
    uint32_t reads_waiting;
    uint64_t reads_delivered;
    struct device_takes takes;
    uint8_t read_turn; /* the device whose read went to the host port last */
    struct launched launched[LAUNCH_SLOTS];
    uint32_t launch_cursor;
    struct guest_region_state region;
    struct {
        struct guest *guest; /* NULL: none */
        char text[240];
    } stray;                    /* an access of a device that reaches nothing: guest_devices.c */
    struct error fault;         /* something that a callback found */
    const struct guest *failed; /* the first one; at this cycle */
    uint64_t failed_at;
    bool files_missing; /* a guest's files could not be written */
    const volatile sig_atomic_t *stop;
    void (*hook)(void *user, uint64_t cycle);
    void *hook_user;
    struct moments *moments;           /* NULL: no details are kept */
    struct machine_timeline *timeline; /* machine_timeline.c's, or NULL */
};

/* machine.c */
bool machine_tick(struct machine *m, struct error *err);
uint64_t machine_next_event(const struct machine *m);
struct pcie_config machine_link_settings(const struct machine_config *config);

/* machine_take.c: a device's read of words, and what becomes of its requests. */
#define TAKE_TAG 0x80000000u /* of its requests to the region; the other bits: its slot */
void machine_take(struct machine *m, uint32_t slot);
void machine_took(struct machine *m, uint32_t tag);
void machine_retry_takes(struct machine *m); /* a place may be free */

/* machine_gpu.c */
struct gpu_callbacks machine_gpu_callbacks(struct machine *m);
void machine_gpu_endpoint(struct machine *m, struct pcie_endpoint *endpoint);
void machine_retry_reads(struct machine *m);
struct launched *machine_launch_slot(struct machine *m, uint32_t *index); /* NULL: none free */
enum driver_taken machine_copy_request(void *user, uint64_t cycle,
                                       const struct driver_request *request);
bool machine_driver_launch(void *user, uint64_t cycle, uint32_t id,
                           const struct driver_kernel *kernel);

/* machine_queue.c: the GPU's packet processor and the bus. */
bool machine_bus_read(void *user, uint64_t address, uint32_t bytes, uint32_t tag);
bool machine_bus_write(void *user, uint64_t address, const uint8_t *data, uint32_t bytes);
bool machine_bus_valid(void *user, uint32_t owner, uint64_t address, uint32_t bytes, bool read);
void machine_bus_completion(void *user, uint64_t cycle, const struct pcie_completion *completion);
void machine_queue_doorbell(struct machine *m, const struct pcie_write *write);

/* guest_devices.c: false: the access is not to be made, and whoever is at fault will be told. */
bool machine_device_reaches(struct machine *m, uint8_t device, uint64_t address, uint32_t bytes);
void machine_device_faults(struct machine *m);

/* guest_region.c */
uint64_t guest_region_take_block(struct guest *g, uint64_t bytes, bool *used, struct error *err);
bool guest_region_give_block(struct machine *m, uint64_t address); /* false: no block of it */
void guest_region_marked(struct machine *m, uint32_t tag, uint32_t code);
void guest_region_free(struct machine *m);

/* event_counts.c */
void machine_row_registered(struct machine *m, uint32_t row, struct guest *g,
                            const struct kernel *kernel);
void machine_row_over(struct machine *m, uint32_t row);
void machine_count_event(struct machine *m, const struct event_times *times);

/* machine_timeline.c; only with a timeline */
void timeline_call(void *user, uint32_t id, const struct driver_call *call,
                   const struct driver_times *times);
void timeline_grid(struct machine *m, uint32_t id, const struct grid *grid);
void timeline_event(struct machine *m, struct guest *g, const struct event_times *times);
void timeline_tick(struct machine *m, uint64_t cycle);
void timeline_destroy_machine(struct machine *m);
void timeline_destroy_guest(struct guest *g);

/* guest_failure.c */
bool machine_kernel_fault(struct machine *m, const struct gpu_fault *fault);
/* A fault of an event of this row; its kernel's guest fails. */
void machine_event_fault(struct machine *m, uint32_t row, const char *text);

/* guest.c */
void machine_answer(struct machine *m, uint32_t code, uint32_t row);
void machine_row_freed(struct machine *m, uint32_t row);
void machine_send_command(struct machine *m);
void guest_destroy(struct guest *g);

#endif
