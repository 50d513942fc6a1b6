/* State shared by the parts of the driver: calls (driver.c: threads, enqueue, prepare) and
 * execution (driver_execute.c: streams, kernels; driver_copy.c: copies). */
#ifndef EVGPU_HOST_DRIVER_INTERNAL_H
#define EVGPU_HOST_DRIVER_INTERNAL_H

#include "sim/host/driver.h"
#include "sim/host/rate.h"

#define DRIVER_MAX_REQUESTS 4096u /* of copies, in memory or waiting for the link */

/* A singly linked list of commands through `link[list]`; 0 is no command. */
struct command_list {
    uint32_t first, last;
};

enum list_kind {
    LIST_CALLS,  /* of its thread, or of its unit */
    LIST_STREAM, /* of its stream, from enqueue to completion */
    LIST_WIRE,   /* waits for a copy engine or for room on the link */
    LIST_FEED,   /* copy to the device: has arrived further than it has made requests; bulk
                  * copies: in memory */
    LIST_KINDS
};

struct command {
    struct driver_call call;
    struct driver_times times;
    uint32_t link[LIST_KINDS];
    uint64_t moved;   /* copies: bytes handed to the link */
    uint64_t arrived; /* copies to the device: bytes that have come over the link */
    uint64_t asked;   /* copies: bytes for which requests have been made */
    uint64_t landed;  /* copies: bytes acknowledged or arrived at the host */
    bool prepared;    /* and, where there is one, its command write has arrived */
    bool on_wire;     /* command write sent, not yet arrived */
    bool running;
    bool feeding;   /* in its list */
    bool waited;    /* for the engine, to be prepared */
    bool reserved;  /* counted in `untriggered` before it is running */
    uint64_t until; /* bulk copies: memory takes until then */
    bool told;      /* completion write sent, not yet arrived */
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
    struct command_list calls; /* waiting */
    uint32_t current;          /* is being prepared, 0: none */
    uint64_t until;
};

struct stream {
    struct command_list commands;
    uint64_t enqueued, completed;
};

/* A request of a copy that is in memory, or to the host: that waits for the link. */
struct request_entry {
    uint32_t command, bytes, next;
    uint64_t offset; /* of its data in the copy */
};

/* Entries through `next`; 0 is none. */
struct entry_list {
    uint32_t first, last;
};

struct driver {
    struct driver_config config;
    uint64_t copy_enqueue, copy_prepare, copy_wait, bulk_memory, launch_enqueue, launch_prepare,
        op_enqueue, sync_call, sync_return;
    struct command *commands; /* [1..max_calls] */
    uint32_t *free_commands;
    uint32_t n_free;
    struct thread *threads; /* room for DRIVER_MAX_THREADS, as for units: they never move */
    struct unit *units;
    struct stream *streams;
    uint32_t n_threads, n_units, n_streams;
    struct command_list engine[2]; /* copies on an engine: in, out; one engine: all on the first */
    uint32_t untriggered[2];       /* of them: without a trigger */
    uint64_t engine_left[2];       /* cycle at which the last untriggered copy has left it */
    struct command_list feeds;     /* arrived data without room in memory */
    struct command_list settling;  /* bulk copies in memory, by `until` */
    struct request_entry requests[DRIVER_MAX_REQUESTS + 1];
    struct entry_list free_requests, answered; /* answered: data for the host */
    struct command_list sends;                 /* command writes waiting for room on the link */
    struct command_list completions;           /* completion writes waiting for room on the link */
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

/* Takes `id` out, which comes after `before` (0: is the first). */
static inline void list_remove(struct driver *d, struct command_list *list, enum list_kind kind,
                               uint32_t before, uint32_t id)
{
    uint32_t next = d->commands[id].link[kind];

    if (before)
        d->commands[before].link[kind] = next;
    else
        list->first = next;
    if (list->last == id)
        list->last = before;
}

static inline void driver_wake(struct driver *d, uint64_t cycle)
{
    if (cycle < d->next)
        d->next = cycle;
}

static inline bool is_copy(enum driver_kind kind)
{
    return kind <= DRIVER_BULK_OUT;
}

static inline bool is_inward(enum driver_kind kind)
{
    return kind == DRIVER_COPY_IN || kind == DRIVER_BULK_IN;
}

/* Index of the engine that works on copies of this kind. */
static inline uint32_t engine_of(const struct driver *d, enum driver_kind kind)
{
    return d->config.copy_engines == 2 && !is_inward(kind);
}

/* driver.c: the CPU sees the end of a command. */
void driver_seen(struct driver *d, uint64_t cycle, uint32_t id);

/* driver_execute.c: a command has passed prepare. */
void driver_prepared(struct driver *d, uint32_t id);

/* driver_execute.c: streams, copy engines and waiting writes; returns when to be called again. */
uint64_t driver_execute(struct driver *d, uint64_t cycle);

/* driver_execute.c: the end of a command on the GPU's side; the second lets a completion write tell
 * the CPU. */
void driver_finish(struct driver *d, uint64_t cycle, uint32_t id);
void driver_finish_on_gpu(struct driver *d, uint64_t cycle, uint32_t id);

/* driver_copy.c. A copy that has passed prepare; one whose turn has come. */
void copy_prepared(struct driver *d, uint32_t id);
void copy_start(struct driver *d, uint64_t cycle, uint32_t id);
/* First cycle in which memory is through with a bulk copy. */
uint64_t copy_next_event(const struct driver *d);
/* A write without data has arrived at the host. */
void copy_arrived_at_host(struct driver *d, uint64_t cycle, const struct pcie_write *write);
/* One cycle of the engines; returns what they wait for. */
enum copy_wait { COPY_WAITS_FOR_NOTHING, COPY_WAITS_FOR_LINK, COPY_WAITS_FOR_ROOM };
enum copy_wait copy_run(struct driver *d, uint64_t cycle);
/* Sends what has been read for the host; false: the link has no room for all of it. Completion
 * writes go first, so that the CPU sees the commands of a stream end in their order. */
bool copy_send_answers(struct driver *d, uint64_t cycle);

#endif
