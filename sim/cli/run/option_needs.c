#include "sim/cli/run/option_needs.h"

#include <stdio.h>
#include <string.h>

#define FIRST_KEY 256
#define GPU_WORK  (HAVE_SERVICE | HAVE_PROGRAM | HAVE_BACKGROUND)

/* Any of `first`, and any of `second` unless it is 0. */
static const struct need {
    const char *option;
    uint32_t first, second;
    const char *text;
} needs[] = {
    {"capture", HAVE_SERVICE, 0, "--service"},
    {"packets", HAVE_SERVICE, 0, "--service"},
    {"rate", HAVE_SERVICE, 0, "--service"},
    {"pace", HAVE_SERVICE, 0, "--service"},
    {"routes", HAVE_SERVICE, 0, "--service"},
    {"route-count", HAVE_SERVICE, 0, "--service"},
    {"drop", HAVE_SERVICE, 0, "--service"},
    {"launch", HAVE_SERVICE, 0, "--service"},
    {"blocks", HAVE_SERVICE, 0, "--service"},
    {"out", HAVE_SERVICE, 0, "--service"},
    {"products", HAVE_BACKGROUND, HAVE_SERVICE, "--background beside a --service"},
    {"repeat", HAVE_PROGRAM, 0, "--program"},
    {"alone", HAVE_PROGRAM | HAVE_BACKGROUND, HAVE_SERVICE, "a program and a --service"},
    {"concurrency", GPU_WORK, 0, "--program, --background or --service: it limits their warps"},
    {"timing", HAVE_PROGRAM | HAVE_BACKGROUND, 0,
     "--program or --background, whose kernels it chooses"},
    {"sample", HAVE_PROGRAM | HAVE_BACKGROUND, 0,
     "--program or --background, of whose launches it times some"},
    {"check", GPU_WORK, 0, "--program, --background or --service: it watches their kernels"},
    {"scale", HAVE_CPUS | HAVE_PROGRAM | HAVE_BACKGROUND, 0, "--cpus or --program to measure"},
    {"cpu-warmup", HAVE_CPUS, 0, "--cpus"},
    {"cpu-quota", HAVE_CPUS, 0, "--cpus"},
    {"gpu-quota", HAVE_PROGRAM | HAVE_BACKGROUND, 0, "--program to measure"},
    {"trace-trigger", HAVE_TRACE, 0, "--trace"},
    {"trace-event", HAVE_TRACE, 0, "--trace"},
    {"trace-window", HAVE_TRACE, 0, "--trace"},
    {"trace-before", HAVE_TRACE, 0, "--trace"},
    {"trace-before", HAVE_TRIGGER, 0, "--trace-trigger preemption, doorbell:N or fe-timeout"},
};

/* A script may vary the way to launch and leave these as they are. */
static const struct need uses[] = {
    {"sched", HAVE_EVENTS | HAVE_RESERVED, 0, "no doorbell launches anything"},
    {"policy", HAVE_EVENTS, 0, "no doorbell launches anything"},
    {"flush", HAVE_EVENTS, 0, "no doorbell launches anything"},
};

void options_give(struct options_given *o, int key)
{
    uint32_t bit = (uint32_t)(key - FIRST_KEY);
    if (key >= FIRST_KEY && bit < 64 * sizeof o->given / sizeof *o->given)
        o->given[bit / 64] |= (uint64_t)1 << bit % 64;
}

bool option_was_given(const struct options_given *o, const char *name)
{
    for (const struct argp_option *a = o->table; a->name || a->doc; a++) {
        if (!a->name || strcmp(a->name, name) != 0 || a->key < FIRST_KEY)
            continue;
        uint32_t bit = (uint32_t)(a->key - FIRST_KEY);
        return o->given[bit / 64] >> bit % 64 & 1;
    }
    return false;
}

static bool met(const struct need *n, uint32_t have)
{
    return (have & n->first) && (!n->second || (have & n->second));
}

bool options_needed(const struct options_given *o, uint32_t have, struct error *err)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (option_was_given(o, needs[i].option) && !met(&needs[i], have))
            return error_set(err, "--%s needs %s", needs[i].option, needs[i].text);
    }
    return true;
}

void options_idle(const struct options_given *o, uint32_t have)
{
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (option_was_given(o, uses[i].option) && !met(&uses[i], have))
            fprintf(stderr, "evgpu: --%s changes nothing here: %s\n", uses[i].option, uses[i].text);
    }
}
