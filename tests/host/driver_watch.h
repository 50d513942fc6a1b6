/* Calls of a driver before the fake GPU, and what was seen of them. */
#ifndef EVGPU_TESTS_HOST_DRIVER_WATCH_H
#define EVGPU_TESTS_HOST_DRIVER_WATCH_H

#include "tests/host/fake_gpu.h"

struct watch {
    struct driver_times times;
    uint64_t returned;
    uint32_t order; /* of `done` among all */
    uint32_t *counter;
};

static inline void on_done(void *user, uint64_t cycle, const struct driver_times *times)
{
    struct watch *w = user;

    assert_true(times->seen == cycle);
    w->times = *times;
    if (w->counter)
        w->order = (*w->counter)++;
}

static inline void on_returned(void *user, uint64_t cycle)
{
    ((struct watch *)user)->returned = cycle;
}

static inline struct driver_call call_of(enum driver_kind kind, uint32_t stream,
                                         struct watch *watch)
{
    return (struct driver_call){
        .kind = kind, .stream = stream, .returned = on_returned, .done = on_done, .user = watch};
}

static inline void call(struct fake_gpu *g, const struct driver_call *c)
{
    assert_true(driver_call(g->driver, g->cycle, c));
}

static inline void copy(struct fake_gpu *g, enum driver_kind kind, uint32_t stream, uint64_t device,
                        void *host, uint64_t bytes, struct watch *w)
{
    struct driver_call c = call_of(kind, stream, w);

    c.device = device;
    c.host = host;
    c.bytes = bytes;
    call(g, &c);
}

static inline void launch(struct fake_gpu *g, uint32_t stream, uint64_t cycles, struct watch *w)
{
    struct driver_call c = call_of(DRIVER_LAUNCH, stream, w);

    c.kernel.user = (void *)(uintptr_t)cycles;
    call(g, &c);
}

#endif
