/* State shared by the two halves of the driver: calls (driver.c: threads, enqueue, prepare) and
 * execution (driver_execute.c: streams, copies, kernels). */
#ifndef EVGPU_HOST_DRIVER_INTERNAL_H
#define EVGPU_HOST_DRIVER_INTERNAL_H

#include "sim/host/driver.h"
#include "sim/host/rate.h"

#define DRIVER_MAX_READS 256u /* the most tags a link can have */

/* A singly linked list of commands through `link[list]`; 0 is no command. */
struct command_list {
    uint32_t first, last;
};

enum list_kind {
    LIST_CALLS,  /* of its thread, or of its unit */
    LIST_STREAM, /* of its stream, from enqueue to completion */
    LIST_WIRE,   /* waits for a copy engine or for room on the link */
    LIST_KINDS
};

struct command {
    struct driver_call call;
    struct driver_times times;
    uint32_t link[LIST_KINDS];
    uint64_t moved;  /* copies: bytes handed to the link */
    uint64_t landed; /* copies: bytes acknowledged or arrived */
    bool prepared;   /* and, for a kernel, its command write has arrived */
    bool on_wire;    /* kernel: command write sent, not yet arrived */
    bool running;
    bool told; /* completion write sent, not yet arrived */
};

enum thread_state {
    THREAD_IDLE,
    THREAD_CALL,    /* until `until` */
    THREAD_BLOCKED, /* until the CPU sees the end of `blocked_on` */
    THREAD_SYNC,    /* until `sync_count` commands of the stream are complete */
    THREAD_RETURN   /* from a synchronisation, until `until` */
};

struct thread {
    enum thread_state state;
    struct command_list calls; /* to be made; the first one is being made, except when blocked */
    uint64_t until;
    uint64_t sync_count;
    uint32_t blocked_on;
    uint32_t unit;
};

struct unit {
    struct command_list calls; /* the first one is being prepared */
    uint64_t until;
};

struct stream {
    struct command_list commands;
    uint64_t enqueued, completed;
};

struct read_entry {
    uint32_t command;
    uint64_t offset; /* of the read's data in the copy */
};

struct driver {
    struct driver_config config;
    uint64_t copy_enqueue, copy_prepare, launch_enqueue, launch_prepare, sync_call, sync_return;
    struct command *commands; /* [1..max_calls] */
    uint32_t *free_commands;
    uint32_t n_free;
    struct thread *threads; /* room for DRIVER_MAX_THREADS, as for units: they never move */
    struct unit *units;
    struct stream *streams;
    uint32_t n_threads, n_units, n_streams;
    struct command_list copy_in, copy_out; /* waiting for, or in, the copy engines */
    struct command_list launches;          /* command writes waiting for room on the link */
    struct command_list completions;       /* completion writes waiting for room on the link */
    struct read_entry reads[DRIVER_MAX_READS];
    uint32_t free_reads[DRIVER_MAX_READS];
    uint32_t n_free_reads;
    uint64_t next;
    struct driver_stats stats;
};

static inline void list_push(struct driver *d, struct command_list *list, enum list_kind kind,
                             uint32_t id)
{
    d->commands[id].link[kind] = 0;
    if (list->last)
        d->commands[list->last].link[kind] = id;
    else
        list->first = id;
    list->last = id;
}

static inline uint32_t list_pop(struct driver *d, struct command_list *list, enum list_kind kind)
{
    uint32_t id = list->first;

    list->first = d->commands[id].link[kind];
    if (!list->first)
        list->last = 0;
    return id;
}

static inline void driver_wake(struct driver *d, uint64_t cycle)
{
    if (cycle < d->next)
        d->next = cycle;
}

/* driver.c: the CPU sees the end of a command. */
void driver_seen(struct driver *d, uint64_t cycle, uint32_t id);

/* driver_execute.c: a command has passed prepare. */
void driver_prepared(struct driver *d, uint32_t id);

/* driver_execute.c: streams, copy engines and waiting writes; returns when to be called again. */
uint64_t driver_execute(struct driver *d, uint64_t cycle);

#endif
