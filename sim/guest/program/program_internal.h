/* Shared by the files sim/guest/program*.c. */
#ifndef EVGPU_GUEST_PROGRAM_PROGRAM_INTERNAL_H
#define EVGPU_GUEST_PROGRAM_PROGRAM_INTERNAL_H

#include <sys/types.h>

#include "sim/guest/kernel_figures.h"
#include "sim/guest/profile.h"
#include "sim/guest/program/program.h"
#include "sim/system/guest_region.h"
#include "sw/cuda/include/cuda.h"
#include "sw/cuda/protocol.h"

#define MAX_OUTSTANDING                                                                            \
    1024u /* commands of a program that are not complete; further calls wait                       \
           */

/* CUDA's error of the runtime API, which the driver API has no name for. */
#define ERROR_INVALID_CONFIGURATION 9u
#define ERROR_INVALID_DIRECTION     21u

struct program;
struct host_thread;

enum host_state {
    HOST_RUNNING, /* outside the library */
    HOST_ASKING,  /* has sent a request, which is not begun yet */
    HOST_WAITING, /* in a call */
    HOST_GONE     /* its channel is closed */
};

struct host_thread {
    struct program *program;
    int fd;
    pid_t pid, tid;
    uint32_t number;
    enum host_state state;
    uint64_t clock; /* cycle: end of the last call, then the begin of this one */
    uint64_t begun; /* cycle in which the call was begun */
    struct wire_request request;
    uint8_t *payload; /* of the request, followed by a NUL; may be taken (set to NULL) */
    struct wire_reply reply;
    const void *answer; /* payload of the reply, valid until it is sent */
    char *text;         /* the same, freed after sending */
    uint32_t driver_thread;
    bool has_driver_thread;
    /* A call that goes on by itself at `wake`, or as soon as `ready` says so. */
    uint64_t wake;
    void (*resume)(struct host_thread *t, uint64_t cycle);
    bool (*ready)(const struct host_thread *t);
    uint64_t *marks; /* per stream: commands that must have been seen */
    uint32_t n_marks;
    struct command *function; /* host function that this thread runs */
};

struct stream {
    uint32_t id, driver_stream;
    int32_t priority;
    bool nonblocking, destroyed, used;
    uint64_t submitted, finished, seen; /* commands; finished: on the GPU's side */
};

struct event {
    uint64_t id;
    bool timed, recorded, destroyed;
    uint32_t stream; /* of the last record */
    uint64_t sequence;
    uint64_t cycle;   /* of the last record that was reached */
    uint32_t pending; /* records on their way */
};

/* stream `stream` has finished its first `sequence` commands. */
struct dependency {
    uint32_t stream;
    uint64_t sequence;
};

/* Beside enum wire_copy_flag: PCIe has no part in it; its requests move the data. */
#define WIRE_COPY_ON_DEVICE 0x100u
#define COPY_BY_REQUEST     0x200u

struct copy_plan {
    uint64_t dst, src, width, height, depth, dst_pitch, dst_slice, src_pitch, src_slice;
    uint32_t flags; /* enum wire_copy_flag */
    uint8_t trigger, action;
};

/* Data for pageable memory of the program, which a thread of it puts there. */
struct landing {
    uint64_t host, bytes;
    uint8_t *data;
    struct landing *next;
};

struct set_plan {
    uint64_t dst, pitch, slice, width, height, depth; /* width in bytes */
    uint32_t value, element;
};

enum command_kind {
    COMMAND_KERNEL,
    COMMAND_COPY,
    COMMAND_SET,
    COMMAND_MARK, /* set.dst, set.width, set.value: enum request_action */
    COMMAND_WAIT,
    COMMAND_RECORD,
    COMMAND_FUNCTION
};

/* Something in a stream, from the call to the moment in which the CPU has seen its end. */
struct command {
    struct program *program;
    enum command_kind kind;
    uint32_t stream;
    uint64_t sequence;
    struct host_thread *thread; /* whose call it is, until the call has returned; or NULL */
    uint32_t caller;            /* number of that thread */
    uint32_t driver_id;
    uint64_t end; /* of device-side work, or UINT64_MAX */
    bool started;
    struct copy_plan copy;
    enum profile_copy copy_kind;
    struct set_plan set;
    uint8_t *payload; /* copies: from the program's memory, or for it (lands) */
    bool lands;
    uint64_t parameters; /* kernels: their parameter buffer */
    struct event *event;
    uint64_t cookie;
    struct dependency *wants;
    uint32_t n_wants;
    struct command *next, *previous; /* all of the program */
};

/* The same text with another limit of registers, for blocks that would not fit otherwise. */
struct module_variant {
    uint32_t max_regs;
    struct module *module;
};

struct program_module {
    struct module *module;
    char *name, *text;
    bool loaded;
    struct module_variant *variants;
    uint32_t n_variants, cap_variants;
};

struct program_function {
    const struct kernel *kernel;
    uint32_t module; /* index */
    uint32_t max_dynamic;
    bool used;
};

struct area {
    uint64_t address, bytes;
    uint32_t kind, flags;
};

/* A task of the operating system that is not in a call. */
struct task {
    pid_t pid, tid;
    uint64_t switches;
    uint64_t since_ms; /* it is as it is */
    bool asleep, steady, patient,
        seen; /* patient: has slept long, or spins; need not be waited for */
};

/* What is measured of the program (program_measure.c). */
struct program_measure {
    bool on;
    uint64_t quota; /* instructions of threads, 0: none */
    bool begun;     /* the GPU is open to it */
    bool done;      /* `work` is what was measured */
    bool completed; /* by the end of the process, not by the quota */
    bool given_up;  /* the run has ended before the process */
    uint64_t next_look;
    struct gpu_owner_work work;
    uint64_t end;         /* cycle in which it was done */
    uint32_t completions; /* processes that have ended */
};

/* Processes one after the other beside services (program_repeat.c). */
struct program_repeat {
    bool on, over;
    uint32_t least;     /* completions at least */
    uint32_t completed; /* processes that have ended with status 0 */
    uint64_t launches;  /* of the program when the present process was started */
    uint64_t next_look;
    uint64_t begin, end; /* cycles: services were at work between them */
    struct gpu_owner_work before, after;
};

struct program {
    struct guest *guest;
    struct machine *machine;
    char *name, *command, *library, *applications;
    char title[64]; /* of the process, or `name` */
    bool attached;
    int control;
    pid_t child;
    int status;
    bool exited, reaped, complained;
    char death[160];                      /* how it died, when not in order */
    struct error fault;                   /* something that a callback found: the run fails */
    uint32_t ports_bound, ports_finished; /* devices that have an event kernel of the program */
    uint32_t failure;                     /* CUDA's error that every call gets, 0: none */
    uint64_t failed_at_ms;                /* real time of that */
    uint32_t unblocking;                  /* marks under way that let waits for words go on */
    bool unblock_full;                    /* the last of them filled */

    struct host_thread **threads; /* by number; gone ones stay */
    uint32_t n_threads, cap_threads;
    uint32_t *free_driver_threads;
    uint32_t n_free_driver_threads, cap_free_driver_threads;
    struct task *tasks;
    uint32_t n_tasks, cap_tasks;
    bool unsettled;     /* a thread has returned to the program since process_settle */
    uint64_t next_look; /* cycle at which the process is looked at though nothing is expected */

    struct stream *streams; /* by id; 0 is the legacy default stream */
    uint32_t n_streams, cap_streams;
    struct event **events; /* by id - 1 */
    uint32_t n_events, cap_events;
    struct command *commands;
    struct landing *landings; /* no thread was in a call when they came */
    uint64_t outstanding, completed;
    uint64_t passes;      /* ticks while a thread waits for a moment in time */
    uint64_t engine_free; /* the device's own copy engine */

    struct program_module *modules; /* by id - 1 */
    uint32_t n_modules, cap_modules;
    struct program_function *functions;
    uint32_t n_functions, cap_functions;
    struct area *areas; /* by address */
    uint32_t n_areas, cap_areas;
    uint64_t device_bytes, pinned_bytes, peak_bytes;
    uint64_t allocations;  /* calls that got memory, so far */
    uint64_t *free_params; /* parameter buffers */
    uint32_t n_free_params, cap_free_params;
    uint64_t limits[8];

    struct program_measure measure;
    struct program_repeat repeat;
    struct kernel_figures_table kernels, alone; /* alone: of the same program without services */

    char *output; /* printed by kernels, not yet handed over */
    size_t output_bytes, output_room;

    struct {
        uint64_t calls, launches, copies, bytes_in, bytes_out, bytes_device, sets;
        uint64_t kernel_cycles, last_cycle;
    } figures;
    struct profile_copies by_kind[COPY_KINDS];
};

/* --- program_process.c: the process and its channels
 * ---------------------------------------------- */

bool process_start(struct program *p, struct error *err);
/* Waits, in real time, until time may pass (program.h); false with `err`: the run fails. */
bool process_settle(struct program *p, struct error *err);
/* Takes what the process has sent, waiting up to `ms` of real time for it. */
void process_look(struct program *p, int ms);
void process_end(struct program *p);
uint64_t process_now_ms(void); /* real time */
/* The same without a word from the process. */
void process_kill(struct program *p);
void process_close(struct program *p, struct host_thread *t);

/* --- program_measure.c
 * ------------------------------------------------------------------------------------------- */

void measure_look(struct program *p, uint64_t cycle);
uint64_t measure_next(const struct program *p); /* the next look */
/* A measured process has ended and nothing of it is under way: the next one starts, if any. */
bool measure_completed(struct program *p, uint64_t cycle, struct error *err);
bool measure_held(const void *self);
void measure_begin(void *self, uint64_t cycle);
bool measure_done(const void *self);
void measure_end(void *self, uint64_t cycle);
void measure_print(const struct program *p, FILE *to);

/* --- program_repeat.c
 * -------------------------------------------------------------------------------------------- */

void repeat_init(struct program *p, const struct program_options *options);
void repeat_begin(struct program *p, uint64_t cycle); /* services start */
/* The next process starts when one has ended in order, or it is over. */
bool repeat_tick(struct program *p, uint64_t cycle, struct error *err);
void repeat_print(const struct program *p, FILE *to);
json_t *repeat_json(const struct program *p);

/* --- program.c: what belongs to the process, and not to the guest. */
void program_release_process(struct program *p);
bool program_fresh(struct program *p, struct error *err);

/* --- program_channel.c: bytes
 * ------------------------------------------------------------------------ */

/* False: the other end is gone. */
bool channel_read(int fd, void *data, uint64_t bytes);
bool channel_write(int fd, const void *data, uint64_t bytes);
bool channel_write_fd(int fd, const void *data, uint64_t bytes, int pass);
int channel_accept(int control, bool *closed);
bool channel_request(struct host_thread *t);

/* --- program_call.c: calls begin and end
 * --------------------------------------------------------------- */

/* CUDA's error for what has ended the machine, or the program's work on it. */
uint32_t host_failure(enum fault_kind kind);
void host_begin(struct host_thread *t, uint64_t cycle);
/* The call returns `ns` from now with this status, the values and answer being set. */
void host_return(struct host_thread *t, uint32_t status, uint64_t cycle, uint32_t ns);
/* Same, with a message that the client prints. */
void host_fail(struct host_thread *t, uint32_t status, uint64_t cycle, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void host_reply(struct host_thread *t, uint64_t cycle);
/* Waits until `ready`, then returns with `status` after the return time of a synchronisation. */
void host_wait(struct host_thread *t, uint64_t cycle, bool (*ready)(const struct host_thread *t),
               void (*then)(struct host_thread *t, uint64_t cycle));
void host_check_waits(struct program *p, uint64_t cycle);
uint64_t host_cycles(const struct program *p, uint64_t ns);

/* --- program_memory.c ---------------------------------------------------------------------------
 */

void memory_alloc(struct host_thread *t, uint64_t cycle);
void memory_free(struct host_thread *t, uint64_t cycle);
void memory_pointer(struct host_thread *t, uint64_t cycle);
void memory_info(struct host_thread *t, uint64_t cycle);
const struct area *memory_find(const struct program *p, uint64_t address);
/* [address, address + bytes) lies in one area. */
bool memory_inside(const struct program *p, uint64_t address, uint64_t bytes);
void memory_add(struct program *p, uint64_t address, uint64_t bytes, uint32_t kind, uint32_t flags);
/* Gives an area back that is known to begin there. */
void memory_drop(struct program *p, uint64_t address);
void memory_release_all(struct program *p);

/* --- program_stream.c ---------------------------------------------------------------------------
 */

bool stream_init(struct program *p, struct error *err);
/* Gives the driver's stream back if it has been destroyed and its last command has been seen. */
void stream_give_back(struct program *p, struct stream *s);
/* Gives all streams back; nothing is under way in them. */
void stream_release_all(struct program *p);
struct stream *stream_find(struct program *p, uint64_t id);
bool stream_marks_seen(const struct host_thread *t);
void stream_mark_all(struct host_thread *t);
void stream_mark(struct host_thread *t, uint32_t stream, uint64_t sequence);
void stream_call(struct host_thread *t, uint64_t cycle);
void event_call(struct host_thread *t, uint64_t cycle);
void function_start(struct command *c, uint64_t cycle);
/* Nobody waits in a call any more for what is in the streams, and no host function runs. */
void stream_forget_callers(struct program *p, uint64_t cycle);
void function_next(struct host_thread *t, uint64_t cycle);

/* --- program_command.c ------------------------------------------------------------------------ */

/* A new command of this thread's call in the stream; submit it by command_submit. */
struct command *command_create(struct host_thread *t, enum command_kind kind, uint32_t stream);
/* Hands it to the driver, after what it has to wait for. The call is completed; `thread`, unless
 * NULL, returns when the driver says so. */
void command_submit(struct command *c, struct driver_call *call);
/* What follows in `stream` waits for the `n` wants, an array that the command takes. */
void command_wait(struct host_thread *t, uint32_t stream, struct dependency *wants, uint32_t n);
void command_work_done(struct command *c, uint64_t cycle);
void command_engine_tick(struct program *p, uint64_t cycle);
uint64_t command_engine_next(const struct program *p);

/* --- program_copy.c -----------------------------------------------------------------------------
 */

void copy_call(struct host_thread *t, uint64_t cycle);
void set_call(struct host_thread *t, uint64_t cycle);
void copy_move(struct command *c);
/* The copy has ended: what it brought for pageable memory is put there before the program can see
 * the end, by a thread that is in a call; the second: by this one, before its call begins. */
void copy_land(struct command *c);
void copy_land_waiting(struct host_thread *t);
void set_perform(struct command *c);
/* Core cycles in which the device moves so many bytes at the rate of its memory. */
uint64_t copy_device_cycles(const struct program *p, uint64_t bytes);

/* --- program_full_empty.c -----------------------------------------------------------------------
 */

/* Memory with full/empty bits: WIRE_ALLOC of it, and everything but copies. */
void region_alloc(struct host_thread *t, uint64_t cycle);
void region_call(struct host_thread *t, uint64_t cycle);
void bits_mark(struct command *c);
/* The program has failed: whatever of it waits for words goes on, as often as it does. */
void region_unblock(struct program *p);
/* Whether [address, address + bytes) lies in one allocation with full/empty bits and is whole
 * words; false: the call has been answered. */
bool region_check(struct host_thread *t, uint64_t cycle, const char *what, uint64_t address,
                  uint64_t bytes);

/* --- program_edge.c -----------------------------------------------------------------------------
 */

void edge_call(struct host_thread *t, uint64_t cycle);

/* --- program_output.c ---------------------------------------------------------------------------
 */

void output_collect(struct program *p);

/* --- program_timeline.c: a call returns at `cycle`
 * ------------------------------------------------- */

void program_timeline_call(struct host_thread *t, uint64_t cycle);

/* --- program_texture.c --------------------------------------------------------------------------
 */

void texture_call(struct host_thread *t, uint64_t cycle);

/* --- program_module.c ---------------------------------------------------------------------------
 */

void module_call(struct host_thread *t, uint64_t cycle);
/* A variable of a loaded module; NULL when there is none. */
const struct module_variable *module_variable_find(struct program *p, uint64_t module,
                                                   const char *name);
void launch_call(struct host_thread *t, uint64_t cycle);
struct program_function *function_find(struct program *p, uint64_t id);
void module_release_all(struct program *p);

#endif
