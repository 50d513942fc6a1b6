/* The EDGE API (EDGE III-E, Table I): registers event kernels with the GPU, so that a device
 * launches them by a doorbell write, without a CPU.
 *
 *   event = edge_register_event(driver, &request, &err);       once, by the CPU
 *   for each entry k: edge_set_completion(event, k, ...);      where the GPU writes "done"
 *                     edge_set_u64(event, k, 0, buffer[k]);    arguments that stay
 *   give the device: edge_doorbell(event), edge_entry_address(event, k), edge_argument_address(...)
 *   ... the device runs the loop of edge_device.h ...
 *   edge_unregister_event(event, &err);
 *
 * Submission queue: `max_in_flight` entries in GPU memory, one after another. An entry is a header
 * of PARAM_HEADER_BYTES (completion pointer, 8 bytes; 8 bytes reserved), then the kernel's
 * arguments at the offsets of its PTX parameter list; its size is a multiple of EVG_ENTRY_ALIGN.
 * All is zero after registration; a completion pointer of 0 means that nobody is told.
 *
 * The library reaches the machine only through struct edge_driver, and keeps no state of its own
 * outside the handles. */
#ifndef EVGPU_SW_EDGE_H
#define EVGPU_SW_EDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "evgpu_defs.h"
#include "sim/base/error.h"
#include "sim/gpu/gpu.h"
#include "sim/isa/module.h"

/* What the machine offers; values that registration checks against. */
struct edge_limits {
    uint32_t block_threads; /* per block, at most EVG_BLOCK_THREADS */
    uint32_t shared_bytes;  /* per block */
    uint32_t registers;     /* per SIMT core: 32-bit registers, all threads of a block together */
    uint32_t local_bytes;   /* per thread of an event kernel */
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
                  struct error *err);
    /* A loaded kernel, with its code in device memory; NULL when there is none of that name. */
    const struct kernel *(*kernel)(void *user, const char *name);
    /* Sends a command to the front end and waits for its answer: `code` is an enum frontend_code,
     * `row` the row of a registration. False with `err` set when no answer came. */
    bool (*command)(void *user, const struct frontend_command *command, uint32_t *code,
                    uint32_t *row, struct error *err);
};

/* The arguments of edgeRegisterEvent. */
struct edge_request {
    const enum ptx_type *types; /* of the parameters, in order; PTX_B8 for an aggregate */
    uint32_t n_types;
    const char *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;  /* dynamic shared memory per block, beyond the kernel's static one */
    uint32_t max_in_flight; /* entries of the submission queue */
    uint16_t requester;     /* PCIe requester id that may ring the doorbell */
};

/* The parameter list <<<pType0, ...>>> of Table I: `EDGE_TYPES(PTX_U64, PTX_U32)` gives the two
 * fields types and n_types of an initialiser. */
#define EDGE_TYPES(...)                                                                            \
    .types = (const enum ptx_type[]){__VA_ARGS__},                                                 \
    .n_types = sizeof((const enum ptx_type[]){__VA_ARGS__}) / sizeof(enum ptx_type)

struct edge_event; /* one registered event kernel */

/* NULL with a reason in `err`: a name that is not a kernel, a parameter list that is not the
 * kernel's, impossible dimensions, no memory, event kernel table full, or a driver error. Then
 * nothing has changed: what was allocated is free again. `driver` must outlive the handle.
 *
 * The shared memory given to the front end is the kernel's static and dynamic one together: an
 * event that uses any is not run as a borrowed warp (EDGE IV-F). */
struct edge_event *edge_register_event(const struct edge_driver *driver,
                                       const struct edge_request *request, struct error *err);

/* Closes the doorbell, waits for the events in flight, frees the queue and the handle. False with
 * `err` set when the GPU refuses or does not answer: the handle then stays as it is. */
bool edge_unregister_event(struct edge_event *event, struct error *err);

/* Frees the handle without a word to the GPU, for when the machine itself has failed or is gone. */
void edge_abandon_event(struct edge_event *event);

/* Offset of the doorbell in the GPU's doorbell region; a write of EVG_DOORBELL_BYTES there launches
 * the next entry. */
uint32_t edge_doorbell(const struct edge_event *event);
uint32_t edge_row(const struct edge_event *event);

/* The submission queue. */
uint32_t edge_entries(const struct edge_event *event);
uint64_t edge_entry_bytes(const struct edge_event *event);
uint64_t edge_entry_address(const struct edge_event *event, uint32_t entry);

/* Device address of argument `index` of an entry, for a device that sets it per event. */
uint64_t edge_argument_address(const struct edge_event *event, uint32_t entry, uint32_t index);

/* The address to which the GPU writes EVG_COMPLETION_DONE when the event of this entry is done. */
bool edge_set_completion(struct edge_event *event, uint32_t entry, uint64_t pointer,
                         struct error *err);

/* Sets argument `index` of `entry` from `bytes` bytes at `value`. False with `err` set: no such
 * entry or argument, or its type or size is another (signed and unsigned of a size are the same).
 */
bool edge_set_argument(struct edge_event *event, uint32_t entry, uint32_t index, enum ptx_type type,
                       const void *value, uint32_t bytes, struct error *err);
bool edge_set_u32(struct edge_event *event, uint32_t entry, uint32_t index, uint32_t value,
                  struct error *err);
bool edge_set_u64(struct edge_event *event, uint32_t entry, uint32_t index, uint64_t value,
                  struct error *err);
bool edge_set_f32(struct edge_event *event, uint32_t entry, uint32_t index, float value,
                  struct error *err);

#endif
