/* State shared by the parts of the packet processor: queues (packet_processor.c), what a packet
 * must be (packet_defects.c), words that are waited for (packet_waits.c). */
#ifndef EVGPU_GPU_QUEUE_PACKET_PROCESSOR_INTERNAL_H
#define EVGPU_GPU_QUEUE_PACKET_PROCESSOR_INTERNAL_H

#include "sim/gpu/queue/packet_processor.h"

#define PP_READS 256u
#define PP_NEVER UINT64_MAX

enum read_kind { READ_FREE, READ_PACKETS, READ_KERNEL, READ_DEPEND, READ_WORD };

struct pp_read {
    uint8_t kind;    /* enum read_kind */
    uint32_t who;    /* queue, or wait */
    uint32_t detail; /* packets, or number of the signal */
};

/* The state of the packet at the head of a queue's buffer. */
enum packet_state {
    PACKET_NONE,   /* there is none, or the decoder has not taken it */
    PACKET_DECODE, /* until `until` */
    PACKET_ORDER,  /* waits for the packets before it */
    PACKET_KERNEL, /* its kernel object is to be read */
    PACKET_ANSWER, /* a read is under way */
    PACKET_LAUNCH, /* to be handed to kernel management */
    PACKET_DEPEND, /* a barrier: its next signal is to be read, from `until` on */
};

struct queue {
    struct pp_queue with;
    uint64_t read, announced, fetched; /* packets: taken, by the doorbell, in the buffer */
    bool fetching;
    uint8_t buffer[PP_PREFETCH][AQL_PACKET_BYTES]; /* packet i at i % PP_PREFETCH */
    enum packet_state state;
    uint64_t until;
    uint32_t depend; /* the barrier's signal that is looked at */
    uint64_t running;
    uint64_t rung; /* arrival of the last doorbell */
};

/* A kernel on the GPU. */
struct flight {
    uint64_t signal, index, rung;
    uint32_t queue, next; /* next: of the free ones */
};

struct waiting {
    uint64_t address, written, due;
    uint32_t value;
    bool used, reading;
    void (*done)(void *user, uint64_t cycle, uint64_t written);
    void *user;
};

/* Waits for the link. */
struct posted {
    uint64_t address, value;
    uint32_t bytes;
};

struct packet_processor {
    struct pp_env env;
    struct queue *queues; /* room for PP_QUEUES */
    uint32_t n_queues, turn;
    uint64_t decoder_free;
    struct pp_read reads[PP_READS];
    uint32_t free_reads[PP_READS], n_free_reads;
    struct flight *flights;
    uint32_t n_flights, cap_flights, free_flight; /* free_flight: + 1, 0 is none */
    struct posted *posted;                        /* in order */
    uint32_t n_posted, cap_posted;
    struct waiting *waits;                         /* room for PP_WAITS */
    uint32_t n_waits, top_waits, polls, wait_turn; /* top_waits: one past the last one used */
    uint64_t stirred_at; /* the last cycle in which a wait began or a word of one was written */
    uint64_t next;
    struct pp_stats stats;
};

static inline void pp_wake(struct packet_processor *p, uint64_t cycle)
{
    if (cycle < p->next)
        p->next = cycle;
}

/* packet_processor.c: false: no read is free, or memory has no room. */
bool pp_start_read(struct packet_processor *p, uint64_t address, uint32_t bytes,
                   const struct pp_read *read);
void pp_post(struct packet_processor *p, uint64_t cycle, uint64_t address, uint64_t value,
             uint32_t bytes);

/* packet_defects.c: PP_DEFECTS: there is none. */
enum pp_defect pp_find_defect(const struct packet_processor *p, uint32_t owner,
                              const uint8_t *packet);

/* packet_waits.c */
void pp_waits_tick(struct packet_processor *p, uint64_t cycle);
void pp_waits_data(struct packet_processor *p, uint64_t cycle, uint32_t wait, const uint8_t *data);

#endif
