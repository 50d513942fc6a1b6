/* The commands in streams, each from the call to the moment in which the CPU has seen its end, and
 * the device's own copy engine. Owner: command.c.
 *
 * A stream is a stream of the driver, in order. A command that has to wait for other streams - the
 * legacy default stream for all blocking ones and they for it, cudaStreamWaitEvent - is a command
 * of its own in front, which costs nothing and ends when those have come far enough on the GPU's
 * side. */
#ifndef EVGPU_GUEST_PROGRAM_STREAM_COMMAND_H
#define EVGPU_GUEST_PROGRAM_STREAM_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/guest/profile.h"
#include "sim/guest/program/stream/copy.h"

struct program;
struct host_thread;
struct driver_call;
struct dependency;
struct event;

enum command_kind {
    COMMAND_KERNEL,
    COMMAND_COPY,
    COMMAND_SET,
    COMMAND_MARK, /* set.dst, set.width, set.value: enum request_action */
    COMMAND_WAIT,
    COMMAND_RECORD,
    COMMAND_FUNCTION,
    COMMAND_VALUES /* payload: struct wire_value for each */
};

struct command {
    struct program *program;
    enum command_kind kind;
    uint32_t stream;
    uint64_t sequence;
    struct host_thread *thread; /* whose call it is, until the call has returned; or NULL */
    uint32_t caller;            /* number of that thread */
    uint32_t driver_id;
    uint64_t end; /* of device-side work, or UINT64_MAX */
    bool started;
    struct copy_plan copy;
    enum profile_copy copy_kind;
    struct set_plan set;
    uint8_t *payload; /* copies: from the program's memory, or for it (lands) */
    bool lands;
    uint64_t parameters;     /* kernels: their parameter buffer */
    uint32_t parameter_room; /* its bytes */
    struct event *event;
    uint64_t cookie;
    uint32_t value, n_values; /* the one that is next */
    struct dependency *wants;
    uint32_t n_wants;
    struct command *next, *previous; /* all of the program */
};

struct program_commands {
    struct command *first; /* the newest */
    uint64_t outstanding, completed;
    uint64_t engine_free; /* cycle; of the device's own copy engine */
    uint32_t on_engine;   /* commands that it carries out or has before it */
};

/* A new command of this thread's call in the stream; submit it by command_submit. */
struct command *command_create(struct host_thread *t, enum command_kind kind, uint32_t stream);
/* Hands it to the driver, after what it has to wait for. The call is completed; `thread`, unless
 * NULL, returns when the driver says so. */
void command_submit(struct command *c, struct driver_call *call);
/* Later commands in `stream` wait for the `n` wants, an array that the command takes. */
void command_wait(struct host_thread *t, uint32_t stream, struct dependency *wants, uint32_t n);
void command_work_done(struct command *c, uint64_t cycle);

void commands_tick(struct program *p, uint64_t cycle); /* the copy engine */
uint64_t commands_next_event(const struct program *p);
/* The copy engine stops; the data of its copies are where they belong. */
void commands_abandon(struct program *p, uint64_t cycle);
struct command *commands_first(const struct program *p);
/* Whether the program may have one more. */
bool commands_have_room(const struct program *p);
/* Whether one that is outstanding copies, sets or marks any of these bytes of device memory. */
bool commands_use(const struct program *p, uint64_t address, uint64_t bytes);
uint64_t commands_outstanding(const struct program *p);
uint64_t commands_completed(const struct program *p);
/* The thread waits for none any more. */
void commands_forget_thread(struct program *p, const struct host_thread *t);
void commands_free(struct program *p);

#endif
