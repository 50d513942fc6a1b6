/* The client's end of the protocol (sw/cuda/protocol.h): one channel per host thread, opened at the
 * thread's first call; the first call of the process finds or starts the simulator. */
#ifndef EVGPU_CUDA_CLIENT_CHANNEL_H
#define EVGPU_CUDA_CLIENT_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/cuda/include/cuda.h"
#include "sw/cuda/protocol.h"

/* One call: op and arguments go out, the reply's status and values come back. */
struct evc_call {
    uint16_t op;
    uint64_t a[WIRE_ARGS];
    const void *head, *payload; /* payload = head, then the rest; each may be NULL */
    size_t head_bytes, payload_bytes;
    void *answer; /* the reply's payload, as much of it as fits, or NULL */
    size_t answer_room;
    char *message; /* receives what the simulator says of a failure; NULL: stderr does */
    size_t message_room;
    size_t answer_bytes;      /* as many have come */
    void (*move)(void *user); /* for WIRE_MOVE */
    void *user;
    uint64_t v[WIRE_VALUES];
};

/* Makes the call and returns its status, an error number of CUDA's: CUDA_ERROR_DEVICE_UNAVAILABLE
 * when the simulator has ended or cannot be started (the reason is on stderr, once). */
CUresult evc_call(struct evc_call *call);

/* The machine; NULL when there is no simulator. Connects if need be. */
const struct wire_device *evc_device(void);

/* Where this process may write at a device address; the range is known to be inside. */
uint8_t *evc_window(uint64_t address);

/* Whether the address lies in the simulator's address space (device, pinned or managed memory). */
bool evc_is_device_space(uint64_t address);

/* Of memory by handle: this process's window has memory of the file from `offset` on there, or
 * none.
 */
bool evc_is_far(uint64_t address);
bool evc_open_window(uint64_t address, uint64_t bytes, uint64_t offset);
void evc_close_window(uint64_t address, uint64_t bytes);
/* far.c: the same, remembered. Far addresses that this process has not mapped are in no window of
 * it, though another process of the program may have memory there. */
bool evc_map_far(uint64_t address, uint64_t bytes, uint64_t offset);
void evc_unmap_far(uint64_t address, uint64_t bytes);
bool evc_far_is_mapped(uint64_t address, uint64_t bytes);

/* Tells simulators apart: the same in all processes that talk to this one. */
uint64_t evc_simulator(void);

/* Lets the host reach [address, address + bytes) at its device address, or no longer. */
bool evc_expose(uint64_t address, uint64_t bytes, bool readable);

/* other_stack.c: the function's result, with a copy of `what`, of 256 bytes at most; false if there
 * is no room for a stack. */
bool evc_on_other_stack(bool (*run)(const void *what), const void *what, size_t bytes);

/* host_access.c: the access (PROT_READ, ...) that all these pages have; PROT_NONE: some are not
 * there, or they differ. */
int evc_host_access(const void *host, uint64_t bytes);
/* All these pages are of the file with this inode, and can be read; of none with inode 0. */
bool evc_host_shows(const void *host, uint64_t bytes, uint64_t inode);

/* Replaces the host pages [host, host + bytes) by the device memory at `address`; their contents
 * are kept. evc_unmap_host gives them back. Whole pages, which the stack may lie in. */
bool evc_map_host(void *host, uint64_t address, uint64_t bytes, int access);
bool evc_unmap_host(void *host, uint64_t bytes, int access);
/* Pages of their own with the same contents, NULL if there is no room or if those at `host` are not
 * the device's any more: the program has given them back, and there may be others by now. Then they
 * either take the place of those, or go. */
void *evc_copy_pages(const void *host, uint64_t bytes, int access);
bool evc_place_pages(void *copy, void *host, uint64_t bytes);
void evc_drop_pages(void *copy, uint64_t bytes); /* NULL: nothing */

/* All pages of the range are this process's, as far as the kernel knows without touching them; the
 * second says so in a line where they are not. */
bool evc_is_mapped(uint64_t address, uint64_t bytes);
bool evc_host_memory(const char *what, uint64_t address, uint64_t bytes);

/* Simulated time of host code, charged with the thread's next call; the thread's clock. */
void evc_host_time(uint64_t nanoseconds);
uint64_t evc_clock(void);

/* True once the process has talked to a simulator (then evc_clock means something). */
bool evc_connected(void);

#endif
