/* Shared by the files of sim/gpu only. */
#ifndef EVGPU_GPU_GPU_INTERNAL_H
#define EVGPU_GPU_GPU_INTERNAL_H

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads/team.h"
#include "evgpu_defs.h"
#include "gpu_frontend.h"
#include "sim/gpu/device_heap.h"
#include "sim/gpu/device_launch.h"
#include "sim/gpu/device_output.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_config.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/gpu/launch_log.h"
#include "sim/gpu/queue/packet_processor.h"
#include "sim/gpu/region_port.h"
#include "sim/mem/image/image.h"
#include "sim/mem/memsys.h"
#include "sim/mem/region/fe.h"
#include "sim/ptx/module.h"
#include "sim/simt/check/check.h"
#include "sim/simt/core.h"
#include "sim/simt/core_env.h"
#include "sm_event_unit.h"
#include "tb/tile.h"

#define REGION_COMMANDS  16          /* of the region's schedulers under way */
#define HOST_TAG_REGION  0x40000000u /* the other bits: its slot */
#define HOST_TAG_POLLED  0x20000000u /* the same: a write of a polled word */
#define POLLED_WRITES    64          /* of them on the way to L2 */
#define HOST_QUEUE       256         /* line requests of the host port waiting for the network */
#define HOST_READS       64          /* host reads in flight */
#define TAG_RING         65536       /* events in flight that are timed: as many as tags */
#define PROCESSOR_COOKIE ((uint64_t)1 << 63) /* of a kernel of the packet processor */
/* Of the kernels of events; the priority of their row is added. */
#define EVENT_PRIORITY (INT32_MAX - (1 << EVG_PRIORITY_BITS))
#define EVENT_LEVELS   (1u << EVG_PRIORITY_BITS)
#define NO_LEVEL       EVENT_LEVELS /* of a kernel that is no event's */

struct running_grid {
    struct grid grid; /* first: the core knows no more than it */
    bool logged;      /* with number `record` in config.timing.log */
    uint32_t record;
    uint64_t cookie;
    uint64_t ready_cycle; /* first block not before: dispatch latency */
    bool used, from_event;
    uint32_t family; /* once it has launched others: 1 + its number in device_launch.c */
    uint32_t level;  /* priority of its row, or NO_LEVEL */
    uint8_t event_row;
    uint16_t event_tag;
    uint64_t event_entry;
};

struct pending_kernel {
    struct launch launch;
    uint64_t queued; /* cycle */
    bool from_event;
    bool one_warp; /* an event that would fit a warp: no dispatch latency */
    uint8_t event_row;
    uint16_t event_tag;
    uint64_t event_entry;
};

/* Kernel management and dispatch (EDGE II-A): pending kernels by priority, then arrival. */
struct kernel_manager {
    struct pending_kernel *pending; /* arrival order */
    uint32_t n_pending;
    struct running_grid *running; /* kernels.running slots */
    uint32_t *order;              /* slots in use, highest priority first */
    uint32_t n_running;
    uint32_t next_id;
    bool held;     /* gpu_hold */
    bool dirty;    /* a block might be launchable */
    bool ending;   /* an owner has ended, or a grid was aborted */
    uint64_t wake; /* next cycle at which a dispatch latency has passed */
    uint32_t first_core;
    uint32_t event_starts; /* kernels of events, for the turns of the oldest */
};

struct done_event {
    uint64_t param;
    uint16_t tag;
    uint8_t row;
    bool aborted;
};

#define POINTER_READS (1u << EVG_COMPLETION_TAG_BITS)

/* The front end's reads of completion pointers, by their tags. */
struct pointer_reads {
    struct {
        uint64_t address, value;
        bool failed; /* there is no such memory */
    } read[POINTER_READS];
    uint8_t answered[POINTER_READS]; /* ring of tags, as memory has answered */
    uint32_t head, count;
};

struct host_read {
    uint32_t lines_left, user_tag;
    bool used;
    bool pointer;     /* the front end's read of a completion pointer, with user_tag */
    uint64_t packets; /* the packet processor's read: its address, or 0 */
};

/* A line request of the host to the synchronised region. */
struct region_slot {
    uint8_t data[LINE_BYTES]; /* to write */
    uint8_t *to;              /* of a read; NULL: nobody waits for the data */
    uint64_t address;
    uint32_t bytes, tag, next;
    bool triggered, moves, answered; /* answered: somebody waits for the answer */
};

/* Slots waiting for the network, in order. */
struct region_list {
    uint32_t first, last, places; /* places: in use between request and answer */
};

struct region_command {
    struct gpu *gpu;
    uint32_t tag, parts, code, value;
    bool used, is_register;
    bool frees_head; /* the machine's own, for the head of `report`; nobody is answered */
    bool fills;      /* region_port_fill: the same, for no report */
    struct fe_report report;
};

struct region_port {
    uint64_t base, bytes;
    bool open, in_use; /* in_use: its lists have been used, with a region or without */
    struct region_command command[REGION_COMMANDS];
    uint32_t answers; /* commands that are done and not answered */
    bool freeing;     /* a command with frees_head or of region_port_fill is under way */
    struct region_slot slot[REGION_REQUESTS];
    struct mem_request request[REGION_REQUESTS];
    uint32_t free_slot;
    struct region_list list[2]; /* without and with a trigger */
};

struct host_port {
    struct mem_request queue[HOST_QUEUE];
    uint32_t head, count;
    struct mem_request pointer[POINTER_READS]; /* reads of completion pointers, in order */
    uint32_t pointer_head, pointers;
    struct host_read reads[HOST_READS];
    uint32_t outstanding; /* requests without a reply */
    uint32_t turn;        /* who may send first: its queue, or a list of the region */
    uint32_t port;        /* in the memory system */
};

/* A kernel's store on its way to the link. */
struct queued_store {
    struct bus_store store;
    uint64_t due;
};

struct polled_write {
    uint64_t address;
    uint32_t bytes;
    uint8_t data[POLLED_BYTES];
};

/* Kernels and devices on the bus (bus_port.c). */
struct bus_port {
    struct bus_map map;
    struct queued_store queue[BUS_STORES];
    uint32_t head, count;
    uint32_t granted; /* of the places left, in this cycle: bus_port_room_for_all */
    uint64_t latency; /* core cycles, core to link */
    struct polled_write word[POLLED_WRITES];
    uint16_t free_word[POLLED_WRITES];
    uint32_t n_free_words;
    bool words_made;
};

/* What a kernel has done apart, in all its launches. */
struct apart_kernel {
    uint64_t code;         /* its address */
    uint64_t instructions; /* of warps */
    uint64_t in_turn;      /* of these, accesses that had their turn after the cores had met */
};

#define APART_KERNELS 32u /* that are remembered */

/* The grid whose blocks run apart (apart.c). */
struct apart {
    struct running_grid *run; /* NULL: none */
    uint32_t grid;            /* its id, which tells it from a later one in its slot */
    bool refused;             /* it needs an order after all */
    bool asked;               /* in the last slice a core has asked for memory */
    uint64_t blocks;          /* that a core is given for a slice, if as many are left */
    struct apart_spans spans;
    struct apart_kernel kernel[APART_KERNELS], *of; /* the grid's, or NULL */
    uint32_t n_kernels;                             /* ever */
    struct apart_share *share;                      /* config.cores */
    enum untimed_end *end;                          /* the same: of the last slice */
    atomic_uint *begun; /* the same: the last slice that a thread has begun */
    uint32_t slice;     /* its number */
};

/* Grids that are not timed (untimed.c). */
struct untimed {
    uint32_t running;      /* of them in dispatch slots */
    uint64_t wake;         /* cycle of the next slice */
    uint64_t pause;        /* between the last two, at least 1 */
    uint32_t passed;       /* the first core to which warm_passed (untimed.c) brings code next */
    uint64_t launches;     /* grids that have started, timed or not, but for those of events */
    uint64_t timed;        /* of these */
    uint32_t named;        /* names of timing_choice that kernels have had */
    uint64_t timed_anyway; /* of these: not chosen, but needed (untimed_may) */
    uint32_t native;       /* kernels for which machine code was made */
    struct apart apart;
};

struct sm_unit {
    struct core *core;
    struct tile *tile;
    struct sm_event_unit_in in;
    struct sm_event_unit_out out;
};

/* What an owner's kernels ask for beside running (device_runtime.c). */
struct device_runtime {
    struct device_heap heap;
    struct device_output output;
    uint32_t stack_bytes;
};

/* Of one owner of kernels (owner_work.c). */
struct owner_record {
    struct device_runtime runtime;
    struct gpu_owner_work ended; /* of grids that have ended */
    uint32_t running;            /* grids that have begun and not ended; since: all that time */
    uint64_t since;
    bool over; /* gpu_end_owner */
};

struct crew; /* a thread and its cores */

/* A cycle of the cores (core_turns.c). */
struct core_turns {
    struct team *team;
    uint32_t threads;
    struct crew *crew;  /* threads */
    struct core **core; /* config.cores */
    uint32_t ahead;     /* cycles in which a core may run before the others meet it, at least 1 */
    bool boxes;         /* cores talk to the memory system through their boxes */
    uint64_t turned;    /* core_env.turned */
    uint64_t waiting;   /* cores that wait for room in the request network (memsys_wait) */
    uint64_t before;    /* cores that have run the coming cycle, or later ones, too */
    uint64_t next[GPU_MAX_CORES]; /* the cycle of each one's next action */
    uint64_t last[GPU_MAX_CORES]; /* the last cycle that each has run */
    uint64_t port[GPU_MAX_CORES]; /* the next cycle with something in its box, if any is */
    struct {
        uint64_t ports, stores, mail, faults;
    } left; /* cores with that left for the meeting of a cycle to come */
};

struct gpu {
    struct gpu_config config;
    struct gpu_callbacks calls;
    struct image image;
    struct memsys *memsys;
    _Alignas(CACHE_LINE) uint64_t cycle; /* in another line than what cores look at */
    struct sm_unit *sm;                  /* config.cores */
    uint64_t *core_wake; /* the core is to be ticked in this cycle; UINT64_MAX: nobody says so */
    struct core_turns turns;
    uint64_t active_units; /* bit per core: its event unit must be looked at this cycle */

    struct tile *frontend;
    struct tile_place place; /* of all tiles */
    struct gpu_frontend_in fin;
    struct gpu_frontend_out fout;
    bool write_held, command_held; /* a write or command is on the inputs, not yet taken */
    uint64_t *arrivals;            /* ring of doorbell arrival cycles, in order */
    uint32_t arrival_head, arrival_count;
    uint64_t rejected; /* sum of the decoder's counters, as last seen */
    struct pointer_reads pointers;
    uint64_t accepted[EVG_EKT_ROWS]; /* doorbells of each row since its registration */
    struct grid_counters event_counts[EVG_EKT_ROWS]; /* of events that were grids */
    struct event_times *times;                       /* TAG_RING, by tag */
    struct done_event *done;                         /* completed event grids, for the front end */
    uint32_t done_head, done_count, done_capacity;
    uint32_t done_turn; /* round robin over the cores' completions */
    uint64_t background_cores, event_cores;

    struct core_fault fault;
    struct checker *check;

    struct event_rooms *rooms;          /* NULL: off */
    struct concurrency *concurrency;    /* NULL: off */
    uint64_t concurrency_slept;         /* cycles that have not passed for it */
    uint64_t busy_at;                   /* with it: the last cycle with work on the GPU */
    struct packet_processor *processor; /* NULL: not used so far */
    struct device_launches *launches;   /* NULL: no kernel has launched another so far */
    struct kernel_manager kmu;
    struct untimed untimed;
    struct host_port host;
    struct bus_port bus;
    struct region_port region;

    struct kernel **kernels; /* loaded */
    uint32_t n_kernels, cap_kernels;

    struct owner_record *owners; /* by number */
    uint32_t n_owners, cap_owners;

    bool watched;      /* somebody looks at the moments of the cores */
    uint32_t aborting; /* events that have been aborted and have not completed */
    uint64_t aborted;  /* that have */
    uint64_t doorbells, events, preemptions, by_path[EVENT_PATHS], tile_steps;
};

/* core_turns.c */
void core_turns_create(struct gpu *gpu);
void core_turns_destroy(struct gpu *gpu);
/* The cores of a thread: from *first on, before *end. */
void core_turns_cores(const struct gpu *gpu, uint32_t thread, uint32_t *first, uint32_t *end);
bool core_turns(struct gpu *gpu, struct error *err);
uint64_t core_turns_next(const struct gpu *gpu); /* the first cycle in which a core does anything */

/* kernel_manager.c */
void kmu_create(struct gpu *gpu);
void kmu_destroy(struct gpu *gpu);
bool kmu_enqueue(struct gpu *gpu, const struct pending_kernel *kernel);
bool kmu_has_room(const struct gpu *gpu, uint32_t level);
bool kmu_tick(struct gpu *gpu, struct error *err);
void kmu_block_done(struct gpu *gpu, struct grid *grid);
void kmu_end_owner(struct gpu *gpu);
/* False: no kernel of this event is there. `begun`: as in core_abort_event. */
bool kmu_abort_event(struct gpu *gpu, uint8_t row, uint64_t entry, bool *begun);
uint64_t kmu_next_event(const struct gpu *gpu);
/* False with `err`: the grid can never run here. */
bool kmu_fits(const struct gpu *gpu, const struct launch *launch, struct error *err);
/* Whoever launched the grid hears of its end. */
void kmu_report_end(struct gpu *gpu, const struct running_grid *run);

/* May the core take a block of the grid now? Then it does; the grid has started with its first one.
 */
bool kmu_gives_block(const struct gpu *gpu, const struct running_grid *run, uint32_t core);
void kmu_give_block(struct gpu *gpu, struct running_grid *run, uint32_t core);
/* The same for up to `most` blocks that the core is to start by itself, one after the other; how
 * many, of which the first one is *first. */
uint64_t kmu_reserve_blocks(struct gpu *gpu, struct running_grid *run, uint32_t core, uint64_t most,
                            uint64_t *first);

/* untimed.c. Events, devices that kernels store to and full/empty bits need time: with any of them,
 * every kernel is timed. */
bool untimed_may(const struct gpu *gpu);
void untimed_tick(struct gpu *gpu);
bool untimed_warms(const struct gpu *gpu); /* there are timed kernels to warm caches for */
void untimed_wake(struct gpu *gpu);        /* something may go on again */
uint64_t untimed_next(const struct gpu *gpu);

/* apart.c */
#define UNTIMED_SLICE 8192u /* warp instructions of a core in a cycle */
void apart_create(struct gpu *gpu);
void apart_destroy(struct gpu *gpu);
/* Do the untimed blocks that there are run apart now? */
bool apart_runs(struct gpu *gpu);
/* A slice of them; the most that a core has done. */
enum untimed_end apart_slice(struct gpu *gpu);
/* Starts a block that the core was to start in such a slice, if there is one and room for it. */
bool apart_feed(struct gpu *gpu, uint32_t core);
/* Nobody starts those blocks of the grid any more; how many there were. */
uint64_t apart_drop(struct gpu *gpu, const struct grid *grid);

/* owner_counters.c: numbers of owners; what was counted for one is added to `sum` and begins anew.
 */
uint16_t owner_counters_of_grid(uint32_t slot);
uint16_t owner_counters_of_row(uint32_t row);
void owner_counters_take(struct gpu *gpu, uint16_t owner, struct grid_counters *sum);

/* owner_work.c: the first block of a grid goes to a core; its last one is done and counted. */
void owner_work_destroy(struct gpu *gpu);
/* Until the next one of a higher number is asked for. */
struct owner_record *owner_record(struct gpu *gpu, uint32_t owner);
void owner_work_started(struct gpu *gpu, const struct grid *grid);
void owner_work_ended(struct gpu *gpu, const struct grid *grid);

/* kernel_fault.c: faults of a core's kernels; false: gpu_tick fails with `err`. The reason that
 * keeps a kernel from ever running, in `err`: the same. */
bool kernel_fault_of_core(struct gpu *gpu, uint32_t core, struct error *err);
bool kernel_fault_refused(struct gpu *gpu, const struct pending_kernel *kernel, struct error *err);
bool kernel_fault_waiter(struct gpu *gpu, uint32_t owner, struct error *err);

/* device_runtime.c */
void device_runtime_init(struct device_runtime *runtime);
void device_runtime_free(struct device_runtime *runtime);
void device_runtime_connect(struct core_env *env);
/* Memory of a launch, which is over. */
void device_runtime_release(struct gpu *gpu, uint32_t owner, uint64_t address);
void device_runtime_set_stack(struct gpu *gpu, struct kernel *kernel);

/* event_path.c */
bool events_create(struct gpu *gpu, struct error *err);
void events_destroy(struct gpu *gpu);
bool events_tick(struct gpu *gpu, struct error *err);
uint16_t events_owner(struct gpu *gpu, uint16_t tag);
void events_started(struct gpu *gpu, uint32_t core, uint16_t tag);
void events_grid_done(struct gpu *gpu, const struct running_grid *grid);
bool events_busy(const struct gpu *gpu);
bool events_keep(const struct gpu *gpu, uint32_t core); /* this core, for events */

/* event_abort.c: input of the front end; then, while aborted events are under way and there is a
 * region: a word that one of them waits for is marked full. */
void events_answer_abort(struct gpu *gpu);
void events_free_aborted(struct gpu *gpu);

/* region_port.c */
void region_port_tick(struct gpu *gpu);
uint64_t region_port_timeout(uint64_t nanoseconds, uint32_t l2_khz);
bool region_port_create(struct gpu *gpu, struct error *err);
struct fe_settings region_port_settings(const struct gpu *gpu);
/* Frees the reported head, whose owner has been ended: marks the owner's allocation around `word`
 * as the waiter wants it. The report stands until that is done; without room for the command, it is
 * tried again. */
void region_port_free_head(struct gpu *gpu, const struct fe_report *report, uint64_t word,
                           uint32_t owner);
/* Marks words full, unless one of these two is under way: to be asked again while it is needed. */
void region_port_fill(struct gpu *gpu, uint64_t address, uint64_t bytes);
void region_port_connect(const struct gpu *gpu, struct core_env *env);

/* region_report.c. False: `err` names the request that has waited for too long. True: its owner has
 * been ended for it. */
bool region_report(struct gpu *gpu, const struct fe_report *report, struct error *err);

/* region_requests.c */
void region_requests_create(struct gpu *gpu);
void region_requests_perform(struct gpu *gpu, const struct mem_request *request);
void region_requests_reply(struct gpu *gpu, const struct mem_request *reply);
const struct mem_request *region_requests_next(const struct gpu *gpu, uint32_t list);
void region_requests_sent(struct gpu *gpu, uint32_t list);
bool region_requests_has(const struct gpu *gpu, uint64_t address, uint64_t bytes);
bool region_requests_write_lines(struct gpu *gpu, uint64_t address, const uint8_t *data,
                                 uint32_t bytes);

/* host_port.c */
void host_port_cover(struct mem_request *request, uint32_t from, uint32_t to);
void host_port_tick(struct gpu *gpu);
/* A request of a part of one line; false: the queue is full. */
bool host_port_send(struct gpu *gpu, enum request_kind kind, uint64_t address, uint32_t bytes,
                    uint32_t tag);
bool host_port_read_pointer(struct gpu *gpu, uint64_t address, uint32_t tag);
bool host_port_read_for_processor(struct gpu *gpu, uint64_t address, uint32_t bytes, uint32_t tag);
bool host_port_busy(const struct gpu *gpu);
bool host_port_wants(const struct gpu *gpu); /* something waits for the network */

/* bus_port.c */
void bus_port_create(struct gpu *gpu);
void bus_port_connect(struct gpu *gpu, struct core_env *env);
void bus_port_tick(struct gpu *gpu);
uint64_t bus_port_next(const struct gpu *gpu); /* UINT64_MAX: nothing is on the way */
/* Every core may store in this cycle. If not, they are to be run in the order of their numbers. */
bool bus_port_room_for_all(const struct gpu *gpu);
void bus_port_perform(struct gpu *gpu, const struct mem_request *request);
void bus_port_reply(struct gpu *gpu, const struct mem_request *reply);

#endif
