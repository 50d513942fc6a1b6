/* The GPU: front end, kernel management, SIMT cores with their event units, memory system.
 *
 * Driven one core cycle at a time. The world outside (PCIe, driver) reaches it through the calls
 * below and is reached through gpu_callbacks. The front end and the event units are tiles
 * (tb/tile.h); everything else is C. EDGE sections II-A, III and IV; docs/design/architecture.md.
 */
#ifndef EVGPU_GPU_GPU_H
#define EVGPU_GPU_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct checker;
struct concurrency_stats;
struct core_fault;
struct core_mark;
struct error;
struct gpu;
struct gpu_config; /* gpu_config.h */
struct gpu_stats;  /* gpu_stats.h */
struct grid;
struct grid_counters;
struct image;
struct kernel;
struct mem_request;
struct memsys;
struct module;
struct output_reader;
struct pp_queue;
struct tile_trace;

/* Local memory an event warp may use: its kernels cannot be registered with more. */
#define EVENT_LOCAL_BYTES 4096u /* per thread */

/* Local memory per thread for calls whose depth is not known: as gpu.stack_bytes or the host says.
 */
#define GPU_MAX_STACK_BYTES (512u << 10)

#define GPU_MAX_CORES 64u

/* How an event came to its registers and warp. */
enum event_path { EVENT_FREE, EVENT_SPARE, EVENT_SAVED, EVENT_BLOCKS, EVENT_PATHS };

/* Core cycles at which one event passed each point; those after an unreached point are 0. */
struct event_times {
    uint16_t tag;
    uint8_t row, core, path; /* path: enum event_path */
    bool aborted; /* the driver has ended it; without a warp so far, pushed is exited, started 0 */
    uint64_t index;    /* among the accepted doorbells of the row, since its registration */
    uint64_t arrived;  /* doorbell write at the front end */
    uint64_t accepted; /* decoded and queued */
    uint64_t launched; /* out of the event kernel table */
    uint64_t taken;    /* in a core's pending event warp table, or the pending kernel queue */
    uint64_t pushed;   /* owns a warp: the preemption is over */
    uint64_t started;  /* first instruction issued */
    uint64_t exited;   /* last instruction issued, seen by the front end */
    uint64_t flagged;  /* completion flag handed to PCIe */
};

struct launch {
    const struct kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    uint64_t param; /* device address of argument 0 */
    int32_t priority;
    /* Its blocks wait for each other: refused when they do not all fit at once, and started when no
     * other such grid runs, so that two never wait for room that the other has. */
    bool cooperative;
    uint64_t cookie; /* comes back in grid_done */
};

/* A kernel's fault, or what keeps one from ever running here. */
struct gpu_fault {
    uint32_t owner;                  /* of the kernel */
    const struct core_fault *what;   /* kind FAULT_NONE: no access or instruction is to blame */
    const struct event_times *event; /* of the event that it is; NULL: none */
    const char *text;                /* one line, with cycle and core */
};

struct gpu_callbacks {
    /* Completion flag of an event of this row to an external device; false: the link is busy, tried
     * again next cycle. */
    bool (*flag_write)(void *user, uint32_t row, uint64_t address, uint32_t data);
    /* False, or NULL: gpu_tick fails with the fault. True: the owner has been ended, by
     * gpu_end_owner or before, and everything else goes on. */
    bool (*fault)(void *user, const struct gpu_fault *fault);
    void (*command_done)(void *user, uint32_t code, uint32_t row);
    /* The last event of a row whose unregistration was answered OK is over: it is free. */
    void (*row_freed)(void *user, uint32_t row);
    void (*grid_done)(void *user, uint64_t cookie, const struct grid *grid);
    /* An event's last instruction: for each event, before event_done, which is called for those
     * with a flag when it has been written. May be NULL. */
    void (*event_exited)(void *user, const struct event_times *times);
    void (*event_done)(void *user, const struct event_times *times);
    /* The event is over, and its flag was not written; why: enum flag_lost. The pointer is 0 where
     * it is not known. May be NULL. */
    void (*flag_lost)(void *user, const struct event_times *times, uint32_t why, uint64_t pointer);
    void (*read_done)(void *user, uint32_t tag); /* a gpu_host_read: the data may be taken now */
    /* To other devices, of the packet processor, and a kernel's store (write); each may be NULL.
     * Reads are answered by gpu_bus_data; false: the link is busy, tried again next cycle. */
    bool (*bus_write)(void *user, uint64_t address, const uint8_t *data, uint32_t bytes);
    bool (*bus_read)(void *user, uint64_t address, uint32_t bytes, uint32_t tag);
    bool (*bus_valid)(void *user, uint32_t owner, uint64_t address, uint32_t bytes, bool read);
    /* Of the synchronised region (region_port.h); each may be NULL. `status`: enum region_status;
     * `code`: enum fe_code. */
    void (*region_done)(void *user, uint32_t tag, uint32_t status);
    void (*region_marked)(void *user, uint32_t tag, uint32_t code);
    void (*region_register)(void *user, uint32_t tag, uint32_t value);
    /* A request to the region has just been performed, before what it does to the words' bits. */
    void (*region_performed)(void *user, const struct mem_request *request);
    /* Of the owner whose copy has made a request of gpu_region_request; 0: nobody's. */
    uint32_t (*region_owner)(void *user, uint32_t tag);
    /* Copies that wait for their turn and would fill, or empty, this word: false, or true with a
     * few words about them for a message. */
    bool (*region_pending)(void *user, uint64_t address, bool fill, char *text, size_t room);
    void (*mark)(void *user, const struct core_mark *mark);  /* pmevent of a kernel; may be NULL */
    void (*child_over)(void *user, const struct grid *grid); /* launched by a kernel; may be NULL */
    void *user;
};

struct gpu *gpu_create(const struct gpu_config *config, const struct gpu_callbacks *callbacks,
                       struct error *err);
void gpu_destroy(struct gpu *gpu);

struct image *gpu_image(struct gpu *gpu);

/* Cores whose room launched grids have: all but those that are reserved for events. */
uint32_t gpu_background_cores(const struct gpu *gpu);

/* For requesters beside the GPU (cpu_cores): their requests and replies, before gpu_tick. */
struct memsys *gpu_memory(struct gpu *gpu);

/* Text that kernels have printed (printf: the output stream; assert: the error stream) since the
 * last call, in order. The buffer keeps the newest `bytes` of it (DEVICE_OUTPUT_BYTES). Each owner
 * of kernels has a buffer, a heap and a stack size of its own. */
void gpu_take_output(struct gpu *gpu, uint32_t owner, const struct output_reader *reader);
void gpu_set_output_bytes(struct gpu *gpu, uint32_t owner, uint64_t bytes);

/* Limits of an owner's kernels to come: heap of malloc (DEVICE_HEAP_BYTES; only until it is first
 * used), and stack of calls that may go deeper than is known at load (CALL_STACK_BYTES, per
 * thread). False with `err`: too late or too large, or kernels of the owner are there that use it.
 */
bool gpu_set_heap_bytes(struct gpu *gpu, uint32_t owner, uint64_t bytes, struct error *err);
bool gpu_set_stack_bytes(struct gpu *gpu, uint32_t owner, uint64_t bytes, struct error *err);

/* Frees what kernels of this owner, of which none is left, have allocated by malloc, and the heap
 * with it. */
void gpu_free_heap(struct gpu *gpu, uint32_t owner);

/* The findings of config.checks; NULL without. */
const struct checker *gpu_checker(const struct gpu *gpu);

/* Ends an owner in order, for good or until gpu_begin_owner. Its warps issue nothing any more and
 * exit when what they have in flight is done; a victim of them that an event has borrowed exits
 * when it is given back, an event of them gives its victim back intact. Blocks that have not
 * started do not, grids end with `grid_done` when their last warp is gone, pending and later
 * launches at once. Events under way complete, and so does every later doorbell's of a row of
 * theirs, without executing anything; the rows stay until they are unregistered. */
void gpu_end_owner(struct gpu *gpu, uint32_t owner);
/* Nothing of the owner is left; what comes from now on runs. */
void gpu_begin_owner(struct gpu *gpu, uint32_t owner);
bool gpu_owner_ended(const struct gpu *gpu, uint32_t owner);

/* Kernels of the owner are on the GPU or wait for it, events of one warp not counted. */
bool gpu_owner_at_work(const struct gpu *gpu, uint32_t owner);

/* After gpu_tick has failed: what the kernel did; FAULT_MACHINE: not a kernel's doing. */
const struct core_fault *gpu_fault(const struct gpu *gpu);

/* Memory of a device on the bus that the kernels of an owner may store to (sim/simt/lsu/bus.h);
 * stores come out of gpu_callbacks.bus_write. */
struct bus_window;
bool gpu_map_bus(struct gpu *gpu, const struct bus_window *window, struct error *err);

/* Places the module's code and variables in device memory; the module must outlive the GPU. */
bool gpu_load(struct gpu *gpu, struct module *module, struct error *err);

/* Another version of a module that has been loaded, from the same text: has its variables. */
bool gpu_load_like(struct gpu *gpu, struct module *module, const struct module *like,
                   struct error *err);

/* The kernel whose instruction 0 is at this device address; NULL if none. */
const struct kernel *gpu_kernel_at(const struct gpu *gpu, uint64_t address);

/* Queues a kernel; false with `err` when it can never run here or the queue is full. */
bool gpu_launch(struct gpu *gpu, const struct launch *launch, struct error *err);
bool gpu_can_launch(const struct gpu *gpu);

/* While held, kernels wait in the queue; those that run go on. */
void gpu_hold(struct gpu *gpu, bool held);

/* A write to the doorbell region: byte offset, size, requester id. False: another one came in this
 * cycle; the writer keeps it and tries again. */
bool gpu_doorbell(struct gpu *gpu, uint32_t offset, uint32_t bytes, uint16_t requester,
                  uint32_t data);

/* Registration of an event kernel and its end, and the end of one of its events; answered through
 * command_done. One at a time, but a row that drains does not hold others' commands: it is answered
 * at once, and freed later. */
struct frontend_command {
    uint8_t op; /* enum frontend_cmd */
    uint8_t row;
    uint16_t requester;
    uint64_t kernel, base, size, last; /* see rtl/evgpu.def, cmd_... */
    uint32_t dims[6];
    uint16_t shared;
    uint64_t flag_first, flag_last; /* its completion flags: bus addresses of the first and last */
    uint32_t ticket;                /* of a registration: the machine's, comes back with its row */
    uint8_t priority;               /* 0 .. 2^EVG_PRIORITY_BITS - 1, the highest number first */
};
bool gpu_command(struct gpu *gpu, const struct frontend_command *command);

/* DMA of at most 4096 bytes by a device or the host. The write is visible to kernels at once and
 * then takes its time in the memory system; false when the port's queue is full. */
bool gpu_host_write(struct gpu *gpu, uint64_t address, const uint8_t *data, uint32_t bytes);
/* The same for a word that kernels poll, at most POLLED_BYTES within a line: it changes when L2
 * performs the write, in simulated order with their volatile loads. */
#define POLLED_BYTES 16u
bool gpu_polled_write(struct gpu *gpu, uint64_t address, const uint8_t *data, uint32_t bytes);
bool gpu_host_read(struct gpu *gpu, uint64_t address, uint32_t bytes, uint32_t tag);

/* User-level queues (packet_processor.h). */
bool gpu_queue_create(struct gpu *gpu, const struct pp_queue *queue, uint32_t *number,
                      struct error *err);

/* A write to their doorbell pages. */
void gpu_queue_doorbell(struct gpu *gpu, uint64_t offset, uint32_t bytes, uint16_t requester,
                        uint64_t value);

/* The front end waits for a word (pp_wait); false: no word of device memory, or too many waits. */
bool gpu_wait_word(struct gpu *gpu, uint64_t address, uint32_t value,
                   void (*done)(void *user, uint64_t cycle, uint64_t written), void *user);

/* The front end writes a word to an address of the bus, after those before it. */
void gpu_send_word(struct gpu *gpu, uint64_t address, uint32_t value);

void gpu_bus_data(struct gpu *gpu, uint32_t tag, const uint8_t *data);

/* One core cycle. False with `err` when a program fails or the tiles differ in lockstep. */
bool gpu_tick(struct gpu *gpu, struct error *err);
/* After the last cycle: waits for tiles on a board. False with `err` when they differ from their
 * golden models. */
bool gpu_settle(struct gpu *gpu, struct error *err);
uint64_t gpu_cycle(const struct gpu *gpu);

/* First cycle at which anything can happen without a call from outside; UINT64_MAX: never. */
uint64_t gpu_next_event(const struct gpu *gpu);

/* Moves the clock to `cycle`, at most gpu_next_event(). */
void gpu_skip_to(struct gpu *gpu, uint64_t cycle);

/* Nothing running, pending or in flight. */
bool gpu_idle(const struct gpu *gpu);
/* Blocks without time are at work. */
bool gpu_runs_untimed(const struct gpu *gpu);

void gpu_stats(const struct gpu *gpu, struct gpu_stats *stats);

/* The record of concurrency management; false: its policy is off. */
bool gpu_concurrency(struct gpu *gpu, struct concurrency_stats *stats);

/* Adds what the events of a row have done since the last call to `sum`. */
void gpu_take_event_counts(struct gpu *gpu, uint32_t row, struct grid_counters *sum);

/* The work of the kernels of an owner (of the image) up to now. */
struct gpu_owner_work {
    uint64_t warp_instructions, thread_instructions;
    uint64_t cycles;              /* in which at least one of its kernels was on the GPU */
    uint64_t blocks, blocks_done; /* of the kernels that are on the GPU now */
};
void gpu_owner_work(struct gpu *gpu, uint32_t owner, struct gpu_owner_work *work);

uint32_t gpu_core_khz(const struct gpu *gpu);

/* The values that a waveform trigger examines. */
struct gpu_watch {
    uint64_t preemptions; /* victims chosen so far */
    uint64_t doorbells;   /* writes taken so far */
    uint64_t rejected;    /* of them, by the decoder */
    uint64_t fe_watches;  /* waits for full/empty bits that came near their time-out */
};
struct gpu_watch gpu_watch(const struct gpu *gpu);
/* The arrival of the oldest doorbell, not before `from`, whose event has no warp yet; the present
 * cycle when there is none. Looks at every tag. */
uint64_t gpu_waiting_since(const struct gpu *gpu, uint64_t from);

/* Adds every tile to a waveform file; call before the first tick. */
bool gpu_trace(struct gpu *gpu, struct tile_trace *trace, struct error *err);

/* Lines that say where the first warps are and what they wait for; then how many more there are. */
void gpu_describe_warps(const struct gpu *gpu, void (*line)(void *user, const char *text),
                        void *user);

/* Lines that say what the tiles and ports wait for. */
/* The kernel that blocks come from first, and the part of its blocks that has ended; `*id` tells
 * one launch from another. NULL: none runs. */
const char *gpu_running_kernel(const struct gpu *gpu, double *share, uint32_t *id);
void gpu_describe(const struct gpu *gpu, void (*line)(void *user, const char *text), void *user);

#endif
