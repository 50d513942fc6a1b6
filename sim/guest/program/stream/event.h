/* Events of a program: marks in streams, with their times. Owner: event.c. */
#ifndef EVGPU_GUEST_PROGRAM_STREAM_EVENT_H
#define EVGPU_GUEST_PROGRAM_STREAM_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct program;
struct host_thread;
struct stream;

struct event {
    uint64_t id;
    bool timed, shared, recorded, destroyed; /* shared: with other processes */
    uint32_t holders;                        /* processes that will destroy it */
    uint32_t stream;                         /* of the last record */
    uint64_t sequence;
    uint64_t cycle;   /* of the last record that was reached */
    uint32_t pending; /* records on their way */
};

struct program_events {
    struct event **list; /* by id - 1 */
    uint32_t count, capacity;
};

void event_call(struct host_thread *t, uint64_t cycle);
/* cudaStreamWaitEvent. */
void event_wait(struct host_thread *t, uint64_t cycle, const struct stream *s);
/* A record has been reached; later: its command is over. */
void event_reach(struct event *e, uint64_t cycle);
void event_record_over(struct event *e);
void events_clear(struct program *p); /* no command has any */
void events_free(struct program *p);

#endif
