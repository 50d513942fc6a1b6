/* Writes what happened when, in the trace-event format that Perfetto and Chrome's about:tracing
 * open: slices on tracks of processes, instants, and arrows between slices.
 *
 * The file is written as it comes, in bounded memory. Where it can be sought in, it is complete
 * JSON after every block that was written, so that it can be opened whatever ends the run. Times
 * are in cycles of the clock given; the file has microseconds with three decimals. Same calls, same
 * bytes. */
#ifndef EVGPU_BASE_TIMELINE_H
#define EVGPU_BASE_TIMELINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct timeline;

struct timeline_arg {
    const char *key;
    const char *text; /* or NULL, then: */
    uint64_t number;
};

#define TIMELINE_ARGS 6

/* Slices of one track must not overlap except that one lies within another. */
struct timeline_slice {
    uint32_t process, track;
    uint64_t begin, end; /* begin <= end */
    const char *category, *name;
    struct timeline_arg args[TIMELINE_ARGS]; /* up to the first without a key */
};

/* Tracks for slices that may overlap: each goes to the first track that is free. They share best
 * when slices come in the order of their ends. The caller sets the first three. */
struct timeline_lanes {
    uint32_t process, first_track;
    const char *name; /* the second track is "NAME 2" */
    uint64_t *end;
    uint32_t used, capacity;
};

/* `about`: what the recording is of, for its first line. NULL with `err` naming the path. */
struct timeline *timeline_create(const char *path, uint64_t clock_khz, const json_t *about,
                                 struct error *err);

/* False with `err` when not everything could be written. `t` may be NULL. */
bool timeline_close(struct timeline *t, struct error *err);

/* Names, in the order in which viewers show them. */
void timeline_process(struct timeline *t, uint32_t process, const char *name);
void timeline_track(struct timeline *t, uint32_t process, uint32_t track, const char *name);

void timeline_slice(struct timeline *t, const struct timeline_slice *slice);
void timeline_instant(struct timeline *t, const struct timeline_slice *at); /* at `begin` */

/* Puts a slice into one of the lanes; process and track are set, for slices within it. */
void timeline_lane(struct timeline *t, struct timeline_lanes *lanes, struct timeline_slice *slice);
void timeline_lanes_free(struct timeline_lanes *lanes);

/* An arrow, from the slice that covers its first place to the one that covers the second. */
struct timeline_place {
    uint32_t process, track;
    uint64_t cycle;
};
void timeline_arrow(struct timeline *t, const char *category, struct timeline_place from,
                    struct timeline_place to);

#endif
