/* The synchronised region of device memory as the host and devices see it over PCIe: line requests
 * with trigger and action, and what its full/empty schedulers' registers do (full/empty paper,
 * sections 4.4 and 4.5). A device's own write to it fills the words that it touches. Memory outside
 * the region is none of this. Everything is answered later, through gpu_callbacks. */
#ifndef EVGPU_GPU_REGION_PORT_H
#define EVGPU_GPU_REGION_PORT_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct fe_report;
struct gpu;
struct mem_request;

#define REGION_REQUESTS 192u /* line requests of the port in flight at most */

struct gpu_region {
    uint64_t base, bytes; /* device addresses, in no allocation of the image but its own */
};

/* False: the machine has none (fe.region_kib = 0). */
bool gpu_region(const struct gpu *gpu, struct gpu_region *region);

/* Starts the schedulers' tiles, for a waveform or a board, and nothing else: what depends on a
 * region in use goes on as without one. */
bool gpu_region_start(struct gpu *gpu, struct error *err);

/* Starts the schedulers: every word is full then. Before the first use of the region, and as often
 * as one likes; costs no simulated time. False with `err`: no region, or its tiles do not fit. */
bool gpu_region_open(struct gpu *gpu, struct error *err);

/* A part of one line: of the region, or of other memory, which knows no trigger and no action and
 * whose data are moved at once. */
struct region_request {
    uint64_t address;
    uint32_t bytes; /* within one line; whole words if it has a trigger or an action */
    bool write;
    uint8_t trigger, action; /* enum request_trigger, enum request_action */
    /* Written: copied now; read: filled by the time of the answer; NULL: none are moved. */
    uint8_t *data;
    uint32_t tag;
};

enum region_status {
    REGION_OK,
    REGION_RELEASED, /* performed though its trigger did not hold (gpu_region_release) */
    REGION_FAILED    /* not performed */
};

/* Answered by gpu_callbacks.region_done, once. False: the port is full, try again when something
 * has been answered. Requests with a trigger and without have places of their own, so that those
 * that wait hold no others up. */
bool gpu_region_request(struct gpu *gpu, const struct region_request *request);

/* Marks the words of a range full or empty, whatever their data: address and bytes are multiples of
 * 4 and lie in the region. Answered by region_marked with `tag` and the schedulers' fe_code. False:
 * too many commands are under way. */
bool gpu_region_mark(struct gpu *gpu, bool full, uint64_t address, uint64_t bytes, uint32_t tag);

/* Lets every request that waits now go, whatever its trigger says. Answered as gpu_region_mark. */
bool gpu_region_release(struct gpu *gpu, uint32_t tag);

/* How long the head of a triggered queue may wait before the run ends with a message; 0: for ever.
 * In nanoseconds; takes effect at once, for every partition. Answered as gpu_region_mark. */
bool gpu_region_set_timeout(struct gpu *gpu, uint64_t nanoseconds, uint32_t tag);

/* One register (enum fe_reg) of one partition's scheduler. Answered by region_register. */
bool gpu_region_register(struct gpu *gpu, uint32_t partition, uint32_t reg, bool write,
                         uint32_t data, uint32_t tag);

/* There are warps on the cores, and all of them wait for words of the region (or for atomics).
 * Takes as long as there are warps. */
bool gpu_waits_for_words(const struct gpu *gpu);

/* The request whose wait has ended the run, after gpu_tick has failed; false: it was not that. */
bool gpu_region_timed_out(const struct gpu *gpu, struct fe_report *report);

#endif
