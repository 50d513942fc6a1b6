/* Copies and memory sets, and data that have come for pageable memory of the program. Owner:
 * copy.c. */
#ifndef EVGPU_GUEST_PROGRAM_STREAM_COPY_H
#define EVGPU_GUEST_PROGRAM_STREAM_COPY_H

#include <stdbool.h>
#include <stdint.h>

struct program;
struct host_thread;
struct command;

/* Beside enum wire_copy_flag: PCIe has no part in it; its requests move the data. */
#define WIRE_COPY_ON_DEVICE 0x100u
#define COPY_BY_REQUEST     0x200u

struct copy_plan {
    uint64_t dst, src, width, height, depth, dst_pitch, dst_slice, src_pitch, src_slice;
    uint32_t flags; /* enum wire_copy_flag */
    uint8_t trigger, action;
};

struct set_plan {
    uint64_t dst, pitch, slice, width, height, depth; /* width in bytes */
    uint32_t value, element;
};

/* Data for pageable memory of the program, which a thread of it puts there. */
struct landing {
    uint64_t host, bytes;
    uint8_t *data;
    struct landing *next;
};

struct program_landings {
    struct landing *first; /* no thread was in a call when they came */
};

void copy_call(struct host_thread *t, uint64_t cycle);
void set_call(struct host_thread *t, uint64_t cycle);
void copy_move(struct command *c);
/* Bytes from the first to one past the last that it reads, or writes (`dst`). */
uint64_t copy_extent(const struct copy_plan *c, bool dst);
uint64_t set_extent(const struct set_plan *c);
/* The copy has ended: what it brought for pageable memory is put there before the program can see
 * the end, by a thread that is in a call; the second: by this one, before its call begins. */
void copy_land(struct command *c);
void copy_land_waiting(struct host_thread *t);
/* Core cycles in which the device moves so many bytes so many times at the rate of its memory. */
uint64_t copy_device_cycles(const struct program *p, uint64_t bytes, uint32_t times);
void copy_free(struct program *p);

#endif
