/* The packet processor: user-level queues of AQL packets (HSA; EDGE II-B), in hardware.
 *
 * A queue is a ring of 64-byte packets in device memory or, over PCIe, in the memory of the host. A
 * producer writes packets at its write index, then writes the index of the last one, 8 bytes, to
 * the queue's doorbell. The processor
 *   fetches what has been announced and not yet been fetched: one read under way per queue, of up
 *     to PP_PREFETCH packets that lie next to each other;
 *   decodes: one packet at a time, `decode` cycles, the queues in turn;
 *   waits, when the packet's barrier bit is set, until all earlier ones of its queue are complete;
 *   reads the kernel object, 64 bytes of device memory, as HSA's kernel descriptor;
 *   hands the kernel to kernel management, as soon as that has room, and writes its read index;
 *   writes 0 to the completion signal when the kernel has ended. A signal belongs to one packet at
 *     a time and is 1 before, so that this is HSA's decrement.
 *
 * Kernels of a queue overlap, in order of their start. A barrier-AND packet is complete when its
 * signals read 0; they are read again `poll` cycles after each answer.
 *
 * Acquire and release fences cost nothing: memory is coherent (docs/papers/open-questions.md), and
 * a kernel ends when its writes have been performed. Their scopes are checked.
 *
 * A packet that cannot be launched is counted by its cause, its completion signal gets PP_REFUSED,
 * and the queue goes on; HSA would stop the queue. A doorbell that is none is counted and
 * forgotten.
 *
 * Waits for words of device memory (pp_wait), for kernels that were prepared before their data
 * came: the words are read in turn, up to `poll_reads` at a time, each again `poll` cycles after
 * its answer at the earliest, until it is `value` or later; seldom when none has been written for
 * long (packet_waits.c).
 *
 * Time is in core cycles. Call pp_tick in every cycle for which pp_next_event(p) <= cycle. */
#ifndef EVGPU_GPU_QUEUE_PACKET_PROCESSOR_H
#define EVGPU_GPU_QUEUE_PACKET_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/gpu/queue/aql.h"

struct packet_processor;
struct grid; /* sim/simt/core.h */

#define PP_QUEUES      64u
#define PP_WAITS       1024u
#define PP_PREFETCH    4u
#define PP_READ_BYTES  (PP_PREFETCH * AQL_PACKET_BYTES)
#define PP_MAX_PACKETS 65536u         /* of a ring */
#define PP_REFUSED     (uint64_t)(-1) /* signal of a packet that was not launched */

/* Why a packet is not launched. */
enum pp_defect {
    PP_BAD_TYPE,    /* invalid, or a type that is not known here */
    PP_BAD_FENCE,   /* a reserved scope */
    PP_BAD_SIZE,    /* no dimensions, one that is 0, or a grid that is not of whole groups */
    PP_BAD_KERNEL,  /* the kernel object is no kernel, or one that cannot run */
    PP_BAD_ADDRESS, /* arguments or signal outside memory, or misaligned */
    PP_TOO_LARGE,   /* more threads, registers, local or group memory than there are */
    PP_DEFECTS
};
const char *pp_defect_name(enum pp_defect defect); /* "type", ... */

/* PP_OUTSIDE: its arguments are not all in memory. */
enum pp_launched { PP_LAUNCHED, PP_NO_ROOM, PP_IMPOSSIBLE, PP_OUTSIDE };

struct pp_queue;

struct pp_env {
    uint32_t decode;     /* cycles of a packet */
    uint32_t poll;       /* cycles from an answer to the next read of the same word */
    uint32_t poll_reads; /* reads of waiting words under way, > 0 */
    /* Up to PP_READ_BYTES; answered by pp_data. False: tried again in the next cycle. */
    bool (*read)(void *user, uint64_t address, uint32_t bytes, uint32_t tag);
    /* A posted write; false: same. */
    bool (*write)(void *user, uint64_t address, const uint8_t *data, uint32_t bytes);
    /* Whether all these bytes are the owner's, of device memory or on the bus, and can be written,
     * or `read`. */
    bool (*valid)(void *user, uint32_t owner, uint64_t address, uint32_t bytes, bool read);
    bool (*is_kernel)(void *user, uint32_t owner, uint64_t object);
    /* Ends with pp_kernel_done(p, cycle, cookie). */
    enum pp_launched (*launch)(void *user, const struct pp_queue *queue,
                               const struct aql_dispatch *packet, uint64_t cookie);
    void *user;
};

struct pp_queue {
    uint64_t ring;       /* address of packet 0, 64-byte aligned */
    uint32_t packets;    /* power of two, up to PP_MAX_PACKETS */
    uint64_t read_index; /* where the processor writes how many packets it has taken; 0: nowhere */
    uint32_t owner;      /* of its memory, and of all that its packets name; 0: anybody */
    uint16_t requester;  /* whose writes its doorbell takes */
    int32_t priority;    /* of its kernels */
    /* A kernel of it has ended; `index`: of its packet, `rung`: arrival of the doorbell that
     * announced it. May be NULL. */
    void (*ended)(void *user, uint64_t index, uint64_t rung, const struct grid *grid);
    void *user;
};

struct pp_stats {
    uint64_t doorbells, bad_doorbells; /* bad: page, size, requester, or an index that cannot be */
    uint64_t packets, kernels, defects[PP_DEFECTS];
    uint64_t fetches;      /* reads of packets */
    uint64_t waits, polls; /* pp_wait; reads for them */
    uint64_t decoding;     /* cycles in which the decoder worked */
};

struct packet_processor *pp_create(const struct pp_env *env);
void pp_destroy(struct packet_processor *p);

/* False: PP_QUEUES are there, or the ring is no power of two, misaligned or outside memory. */
bool pp_add_queue(struct packet_processor *p, const struct pp_queue *queue, uint32_t *number);

/* A write of `bytes` at `offset` of the doorbell pages; page i is queue i's. */
void pp_doorbell(struct packet_processor *p, uint64_t cycle, uint64_t offset, uint32_t bytes,
                 uint16_t requester, uint64_t value);

/* `done` is called once the 4-byte word is `value` or up to 2^31 - 1 later; `written`: when a write
 * to it arrived (pp_written), or 0. False: PP_WAITS are waiting. */
bool pp_wait(struct packet_processor *p, uint64_t cycle, uint64_t address, uint32_t value,
             void (*done)(void *user, uint64_t cycle, uint64_t written), void *user);

/* Device memory has been written from outside. */
void pp_written(struct packet_processor *p, uint64_t cycle, uint64_t address, uint32_t bytes);

/* A word, 4 bytes, to an address of the bus, behind the processor's earlier writes. */
void pp_send(struct packet_processor *p, uint64_t cycle, uint64_t address, uint32_t value);

void pp_data(struct packet_processor *p, uint64_t cycle, uint32_t tag, const uint8_t *data);
void pp_kernel_done(struct packet_processor *p, uint64_t cycle, uint64_t cookie,
                    const struct grid *grid);

void pp_tick(struct packet_processor *p, uint64_t cycle);
uint64_t pp_next_event(const struct packet_processor *p);

/* Waits and packets that are announced and not complete. */
bool pp_busy(const struct packet_processor *p);
uint64_t pp_read_index(const struct packet_processor *p, uint32_t queue);

void pp_get_stats(const struct packet_processor *p, struct pp_stats *stats);

#endif
