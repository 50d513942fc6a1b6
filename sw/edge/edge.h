/* The EDGE API (EDGE III-E, Table I): registers event kernels with the GPU, so that a device
 * launches them by a doorbell write, without a CPU.
 *
 *   event = edge_register_event(driver, &request, &err);       once, by the CPU
 *   for each entry k: edge_set_completion(event, k, ...);      where the GPU writes "done"
 *                     edge_set_u64(event, k, 0, buffer[k]);    arguments that stay
 *   give the device: edge_doorbell(event), edge_entry_address(event, k), edge_argument_address(...)
 *   ... the device runs the loop of edge_device.h ...
 *   edge_abort_event(event, k, &ended, &err);                  an event that takes too long, by the
 * CPU edge_unregister_event(event, &err);
 *
 * Submission queue: `max_in_flight` entries in GPU memory, one after another. An entry is a header
 * of 16 bytes (completion pointer, 8 bytes; 8 bytes reserved), then the kernel's arguments at the
 * offsets of its parameter list; its size is a multiple of 16. All is zero after registration; a
 * completion pointer of 0 means that nobody is told, and one outside of the request's completion
 * queue is counted by the GPU (err_pointer of rtl/evgpu.def) and tells nobody. An event whose
 * device does not take the flag in time (event.flag_limit) is over, and its row writes no flags
 * until it is registered again.
 *
 * A CUDA program finds its driver and its device in edge_cuda.h. The library reaches the machine
 * only through struct edge_driver, and keeps no state of its own outside the handles. */
#ifndef EVGPU_SW_EDGE_H
#define EVGPU_SW_EDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "edge_promise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line that names what is wrong; the first error wins. */
struct edge_error {
    bool set;
    char text[512];
};

/* Always false. For drivers: sets the text unless one is set; `err` may be NULL. */
bool edge_fail(struct edge_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Signed, unsigned and untyped bits of one size are the same parameter. */
#define EDGE_PRIORITIES 4u

enum edge_type {
    EDGE_I8,
    EDGE_I16,
    EDGE_I32,
    EDGE_I64,
    EDGE_F16,
    EDGE_F32,
    EDGE_F64,
    EDGE_BYTES, /* an aggregate, by its size */
    EDGE_ANY    /* of a kernel's parameter whose kind nobody knows: matches what has its size */
};

struct edge_parameter {
    const char *name;
    enum edge_type type;
    uint32_t offset, bytes;
};

/* A loaded kernel as registration sees it. */
struct edge_kernel {
    const char *name;
    const char *defect;    /* why it cannot run, or NULL */
    uint64_t code;         /* device address */
    uint32_t registers;    /* per thread */
    uint32_t shared_bytes; /* static, per block */
    uint32_t local_bytes;  /* per thread */
    uint32_t max_threads;  /* of a block, 0: no limit of its own */
    uint32_t parameter_bytes, n_parameters;
    const struct edge_parameter *parameters;
};

/* The machine's limits, against which registration checks values. */
struct edge_limits {
    uint32_t block_threads; /* per block */
    uint32_t shared_bytes;  /* per block */
    uint32_t registers;     /* per SIMT core: 32-bit registers, all threads of a block together */
    uint32_t local_bytes;   /* per thread of an event kernel */
};

/* For the GPU's front end; fields and codes as in rtl/evgpu.def (cmd_..., enum frontend_cmd). */
struct edge_command {
    uint8_t op, row, priority;
    uint16_t requester, shared;
    uint64_t kernel, base, size, last;
    uint64_t flag_first, flag_last;
    uint32_t dims[6];
    struct edge_promise promise; /* for the driver, which refuses what cannot be kept */
};

/* The machine as the library sees it. Every function gets `user`. */
struct edge_driver {
    void *user;
    struct edge_limits limits;
    /* Device memory: an address, or 0 when it is full. `align` is a power of two. */
    uint64_t (*alloc)(void *user, uint64_t bytes, uint64_t align);
    void (*release)(void *user, uint64_t address);
    /* Writes device memory; false with `err` set. */
    bool (*write)(void *user, uint64_t address, const void *data, uint64_t bytes,
                  struct edge_error *err);
    /* Sends a command to the front end and waits for its answer: `code` is an enum frontend_code,
     * `row` the row of a registration. False with `err` set when no answer came. */
    bool (*command)(void *user, const struct edge_command *command, uint32_t *code, uint32_t *row,
                    struct edge_error *err);
};

/* The arguments of edgeRegisterEvent. */
struct edge_request {
    const struct edge_kernel *kernel;
    const enum edge_type *types; /* of the parameters, in order */
    uint32_t n_types;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;  /* dynamic shared memory per block, beyond the kernel's static one */
    uint32_t max_in_flight; /* entries of the submission queue, at most EVG_ROW_EVENTS */
    /* Of its events among those of other kernels (EDGE IV), 0 .. EDGE_PRIORITIES - 1, the highest
     * number first: who launches next, and who gets a warp next on a core. Lower ones are not
     * starved: every EVG_FAIR_EVERY-th launch is any row's, by turns. */
    uint32_t priority;
    struct edge_promise promise; /* edge_promise.h; p99_ns 0: none */
    uint16_t requester;          /* PCIe requester id that may ring the doorbell */
    /* Bus address of the device's completion queue: flag k of EDGE_FLAG_BYTES is for entry k. The
     * GPU writes to these max_in_flight flags and nowhere else, whatever an entry's completion
     * pointer says. 0: there is none, nothing is written. A multiple of EDGE_FLAG_BYTES. */
    uint64_t completion;
};

/* The parameter list <<<pType0, ...>>> of Table I: `EDGE_TYPES(EDGE_I64, EDGE_I32)` gives the two
 * fields types and n_types of an initialiser. */
#define EDGE_TYPES(...)                                                                            \
    .types = (const enum edge_type[]){__VA_ARGS__},                                                \
    .n_types = sizeof((const enum edge_type[]){__VA_ARGS__}) / sizeof(enum edge_type)

struct edge_event; /* one registered event kernel */

/* NULL with a reason in `err`: a driver or kernel that is NULL, a kernel that cannot run, a
 * parameter list that is not the kernel's, impossible dimensions, no memory, event kernel table
 * full, a promise that cannot be kept or that would break another's, or a driver error. Then
 * nothing has changed: what was allocated is free again. `driver` and the request's kernel must
 * outlive the handle.
 *
 * The shared memory given to the front end is the kernel's static and dynamic one together: an
 * event that uses any is not run as a borrowed warp (EDGE IV-F). */
struct edge_event *edge_register_event(const struct edge_driver *driver,
                                       const struct edge_request *request, struct edge_error *err);

/* This call and those that set something return false with `err` set where `event` is NULL.
 *
 * Closes the doorbell, waits for the events in flight, frees the queue and the handle. False with
 * `err` set when the GPU refuses or does not answer: the handle then stays as it is. */
bool edge_unregister_event(struct edge_event *event, struct edge_error *err);

/* Ends the event of an entry that hangs. `ended`: it ran and is being ended: its warps are gone as
 * soon as what they have in flight is done, the warp that it had borrowed goes on, and the device
 * is told EDGE_ABORTED in place of EDGE_DONE; what the event has written so far stays. Not `ended`:
 * it has not begun, in which case it may be asked for again later, or it is over. False with `err`
 * set when there is no such entry, or the GPU refuses or does not answer. */
bool edge_abort_event(struct edge_event *event, uint32_t entry, bool *ended,
                      struct edge_error *err);

/* Frees the handle without a word to the GPU, for when the machine itself has failed or is gone. */
void edge_abandon_event(struct edge_event *event);

/* Offset of the doorbell in the GPU's doorbell region; a 4-byte write there launches the next
 * entry. */
uint32_t edge_doorbell(const struct edge_event *event);
uint32_t edge_row(const struct edge_event *event);

/* The submission queue. */
uint32_t edge_entries(const struct edge_event *event);
uint64_t edge_entry_bytes(const struct edge_event *event);
uint64_t edge_entry_address(const struct edge_event *event, uint32_t entry);

/* Device address of argument `index` of an entry, for a device that sets it per event; 0: there is
 * no such argument or entry. */
uint64_t edge_argument_address(const struct edge_event *event, uint32_t entry, uint32_t index);

/* The bus address to which the GPU writes "done" when the event of this entry is done: a flag of
 * the request's completion queue. The GPU checks the entry's contents when it uses them. */
bool edge_set_completion(struct edge_event *event, uint32_t entry, uint64_t pointer,
                         struct edge_error *err);

/* Sets argument `index` of `entry` from `bytes` bytes at `value`. False with `err` set: no such
 * entry or argument, or its type or size is another. */
bool edge_set_argument(struct edge_event *event, uint32_t entry, uint32_t index,
                       enum edge_type type, const void *value, uint32_t bytes,
                       struct edge_error *err);
bool edge_set_u32(struct edge_event *event, uint32_t entry, uint32_t index, uint32_t value,
                  struct edge_error *err);
bool edge_set_u64(struct edge_event *event, uint32_t entry, uint32_t index, uint64_t value,
                  struct edge_error *err);
bool edge_set_f32(struct edge_event *event, uint32_t entry, uint32_t index, float value,
                  struct edge_error *err);

#ifdef __cplusplus
}
#endif

#endif
