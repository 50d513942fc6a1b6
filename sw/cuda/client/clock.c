/* EVGPU_CLOCK=simulated: the C library's clocks show the calling thread's simulated time. Until the
 * program's first call of the API, and without the variable, they are the real ones. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "sw/cuda/client/channel.h"

/* The C library's own, behind the ones below. */
static void *behind(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

#define REAL(type, name)                                                                           \
    static type real;                                                                              \
    if (!real) {                                                                                   \
        void *symbol_ = behind(name);                                                              \
        memcpy(&real, &symbol_, sizeof real);                                                      \
    }

typedef int (*timeofday_function)(struct timeval *, void *);
typedef int (*gettime_function)(clockid_t, struct timespec *);
typedef clock_t (*clock_function)(void);
typedef time_t (*time_function)(time_t *);

static bool simulated(void)
{
    static int answer = -1;
    if (answer < 0) {
        const char *text = getenv("EVGPU_CLOCK");
        answer = text && !strcmp(text, "simulated");
        if (text && *text && !answer && strcmp(text, "real") != 0)
            fprintf(stderr, "evgpu: EVGPU_CLOCK=%s: must be simulated or real; using real\n", text);
    }
    return answer == 1 && evc_connected();
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
    REAL(timeofday_function, "gettimeofday")
    if (!simulated())
        return real(tv, tz);
    uint64_t us = evc_clock() / 1000;
    *tv =
        (struct timeval){.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000)};
    return 0;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
    REAL(gettime_function, "clock_gettime")
    if (!simulated())
        return real(id, ts);
    uint64_t ns = evc_clock();
    *ts =
        (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    return 0;
}

clock_t clock(void)
{
    REAL(clock_function, "clock")
    if (!simulated())
        return real();
    return (clock_t)(evc_clock() / (1000000000 / (uint64_t)CLOCKS_PER_SEC));
}

time_t time(time_t *t)
{
    REAL(time_function, "time")
    if (!simulated())
        return real(t);
    time_t now = (time_t)(evc_clock() / 1000000000);
    if (t)
        *t = now;
    return now;
}
