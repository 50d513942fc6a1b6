/* Shared by fe.c (requests) and fe_control.c (registers, time-outs). */
#ifndef EVGPU_MEM_REGION_FE_INTERNAL_H
#define EVGPU_MEM_REGION_FE_INTERNAL_H

#include "mem_frontend.h"
#include "sim/mem/region/fe.h"

#define FE_NONE UINT32_MAX

/* A request from the bank to its reply; its number is the request's id in the tile. */
struct fe_slot {
    struct mem_request request;
    uint64_t since;
    uint32_t next; /* in its list, or free */
    uint8_t bank, queue;
    bool used, left; /* left: memory has it */
};

struct fe_list {
    uint32_t first, last; /* slots, FE_NONE: empty */
    uint32_t places;      /* in use, of settings.places */
};

/* A request in memory, by the tile's tag. */
struct fe_transfer {
    uint32_t reads; /* accesses to come back */
};

struct fe_step {      /* one register access */
    bool write, poll; /* poll: repeated until the range command is over */
    uint8_t reg;
    uint32_t data;
};

struct fe_control {
    struct fe_job jobs[FE_JOBS]; /* ring; the first one is being done */
    uint32_t head, count;
    struct fe_step steps[4];
    uint32_t n_steps, step; /* of the job, or of the watch */
    uint32_t value[4];
    bool active, watching, waiting; /* watching: the steps are the watch's; waiting for an answer */
    uint64_t since[FE_QUEUES];      /* cycle in which the head was first seen */
    bool has_head[FE_QUEUES], armed[FE_QUEUES];
    uint64_t timeout[FE_QUEUES]; /* L2 cycles, 0: off */
    bool reported;
    bool frees_report; /* the tile holds one that is over */
    uint64_t watches;
    struct fe_report report;
};

/* The stall monitor's inputs at the next edge, and what it had counted when it was read. */
struct fe_monitor {
    bool memory, network, read, answered;
    uint16_t mc, net;
};

struct fe {
    struct fe_config config;
    struct tile *tile;
    struct mem_frontend_in in;
    struct mem_frontend_out out;
    uint32_t first_line; /* channel address of the region / LINE_BYTES */
    uint32_t tile_base;  /* line number of its first line in the tile */
    uint32_t *full;      /* words of each line of the region: a copy, for messages */
    struct fe_slot *slots;
    uint32_t n_slots, free_slot;
    struct fe_list list[FE_QUEUES];
    uint32_t turn; /* list that is offered first */
    struct fe_transfer transfer[1u << 7];
    uint8_t answers[1u << 7]; /* tags, ring */
    uint32_t answer_head, answer_count;
    struct fe_control control;
    struct fe_monitor monitor;
    struct fe_stats stats;
    struct traffic traffic[TRAFFIC_OWNERS];
};

static inline struct fe_slot *fe_slot(struct fe *f, uint32_t id)
{
    return &f->slots[id];
}

/* Words first..last are now full, or empty. */
void fe_note_range(struct fe *f, bool full, uint32_t first, uint32_t last);

/* fe_control.c: the register port of the coming edge; what came back after it. */
void fe_control_inputs(struct fe *f, uint64_t now);
void fe_control_outputs(struct fe *f, uint64_t now);
uint64_t fe_control_quiet(const struct fe *f, uint64_t now);

#endif
