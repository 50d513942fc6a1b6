/* Exact integer time: nanoseconds to cycles, and a server that handles so many units per second.
 *
 * A rate server keeps the moment at which it becomes free as a whole cycle and an exact fraction,
 * so that n units back to back take exactly n * hz / per_second cycles however they are cut into
 * pieces. */
#ifndef EVGPU_HOST_RATE_H
#define EVGPU_HOST_RATE_H

#include <stdint.h>

#define CYCLE_NEVER UINT64_MAX

/* Nearest whole cycle; khz up to 10^7, ns up to 10^18. */
static inline uint64_t rate_ns_to_cycles(uint64_t ns, uint32_t khz)
{
    uint64_t ms = ns / 1000000;
    uint64_t rest = ns % 1000000;

    return ms * khz + (rest * khz + 500000) / 1000000;
}

/* Whole nanoseconds; the same ranges. */
static inline uint64_t rate_cycles_to_ns(uint64_t cycles, uint32_t khz)
{
    return cycles / khz * 1000000 + cycles % khz * 1000000 / khz;
}

struct rate {
    uint64_t hz;         /* cycles per second */
    uint64_t per_second; /* units per second, > 0 */
    uint64_t cycle;      /* free from cycle + fraction / per_second on */
    uint64_t fraction;
};

static inline struct rate rate_make(uint32_t khz, uint64_t per_second)
{
    return (struct rate){.hz = (uint64_t)khz * 1000, .per_second = per_second};
}

/* Occupies the server with `units` from `now` on, or from when it becomes free; units * hz must fit
 * in 63 bits. Returns the first cycle at which they are through. */
static inline uint64_t rate_take(struct rate *r, uint64_t now, uint64_t units)
{
    if (r->cycle < now) {
        r->cycle = now;
        r->fraction = 0;
    }
    r->fraction += units * r->hz;
    r->cycle += r->fraction / r->per_second;
    r->fraction %= r->per_second;
    return r->cycle + (r->fraction != 0);
}

/* The server can start something within this cycle. */
static inline int rate_free(const struct rate *r, uint64_t now)
{
    return r->cycle <= now;
}

#endif
