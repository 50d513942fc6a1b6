/* Streams and the marks in them that calls wait for. Owner: stream.c. */
#ifndef EVGPU_GUEST_PROGRAM_STREAM_STREAM_H
#define EVGPU_GUEST_PROGRAM_STREAM_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct program;
struct host_thread;

struct stream {
    uint32_t id, driver_stream;
    int32_t priority;
    bool nonblocking, destroyed, used;
    uint64_t submitted, finished, seen; /* commands; finished: on the GPU's side */
};

struct program_streams {
    struct stream *list; /* by id; 0 is the legacy default stream */
    uint32_t count, capacity;
};

/* Stream `stream` has finished its first `sequence` commands. */
struct dependency {
    uint32_t stream;
    uint64_t sequence;
};

bool stream_init(struct program *p, struct error *err);
/* Gives all streams back; nothing is under way in them. */
void stream_release_all(struct program *p);
void stream_free(struct program *p);

void stream_call(struct host_thread *t, uint64_t cycle);
/* The stream of a handle; NULL: there is none. */
const struct stream *stream_find(const struct program *p, uint64_t handle);

/* The life of a command in stream `id`: stream_submit returns its sequence number. */
uint64_t stream_submit(struct program *p, uint32_t id);
void stream_finish(struct program *p, uint32_t id); /* on the GPU's side */
void stream_see(struct program *p, uint32_t id);    /* the CPU has seen the end */
bool stream_has_finished(const struct program *p, uint32_t id, uint64_t sequence);
bool stream_has_seen(const struct program *p, uint32_t id, uint64_t sequence);
uint32_t stream_driver(const struct program *p, uint32_t id);
/* Gives the driver's stream back if it has been destroyed and its last command has been seen. */
void stream_give_back(struct program *p, uint32_t id);

/* The `n` dependencies of the next command of the stream by the rules of the legacy default stream,
 * an array that the caller takes. */
struct dependency *stream_legacy_wants(const struct program *p, uint32_t id, uint32_t *n);

/* The condition of a waiting call: everything submitted so far, or one command. */
void stream_mark_all(struct host_thread *t);
void stream_mark(struct host_thread *t, uint32_t id, uint64_t sequence);
bool stream_marks_seen(const struct host_thread *t);
/* The time of the call, then the wait for the marks, then the time of the return. */
void stream_synchronise(struct host_thread *t, uint64_t cycle);

#endif
