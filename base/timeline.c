#include "base/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/output.h"

#define BLOCK 65536u /* bytes written at a time */
#define ENTRY 4096u  /* one event is never longer */

static const char tail[] = "\n]}\n";

struct timeline {
    char *path;
    FILE *file;
    uint64_t khz, arrows;
    bool seekable, failed, any;
    int error;
    size_t used;
    char block[BLOCK + ENTRY];
};

/* --- bytes ------------------------------------------------------------------------------------ */

static void put(struct timeline *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct timeline *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->block + t->used, sizeof t->block - t->used, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < sizeof t->block - t->used)
        t->used += (size_t)n;
}

static void write_out(struct timeline *t, const char *bytes, size_t count)
{
    if (t->failed || fwrite(bytes, 1, count, t->file) == count)
        return;
    t->failed = true;
    t->error = errno;
}

/* What is there, and the end of the file behind it, to be written over by what follows. */
static void flush(struct timeline *t)
{
    write_out(t, t->block, t->used);
    t->used = 0;
    if (!t->seekable)
        return;
    write_out(t, tail, sizeof tail - 1);
    if (!t->failed && (fflush(t->file) || fseek(t->file, -(long)(sizeof tail - 1), SEEK_CUR))) {
        t->failed = true;
        t->error = errno;
    }
}

/* An event begins. */
static void next(struct timeline *t)
{
    if (t->used >= BLOCK)
        flush(t);
    put(t, "%s", t->any ? ",\n" : "\n");
    t->any = true;
}

/* At most 200 bytes of the text, as a JSON string. */
static void put_text(struct timeline *t, const char *text)
{
    put(t, "\"");
    for (uint32_t i = 0; text[i] && i < 200; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            put(t, "\\%c", c);
        else if (c < 0x20 || c >= 0x7F)
            put(t, "\\u%04x", c);
        else
            put(t, "%c", c);
    }
    put(t, "\"");
}

/* Whole ones, as viewers keep them: of slices that follow each other, or nest, the ends agree. */
static uint64_t nanoseconds(const struct timeline *t, uint64_t cycle)
{
    return cycle / t->khz * 1000000 + cycle % t->khz * 1000000 / t->khz;
}

static void put_time(struct timeline *t, const char *key, uint64_t ns)
{
    put(t, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, ns / 1000, ns % 1000);
}

static void put_head(struct timeline *t, const char *phase, const struct timeline_slice *s)
{
    next(t);
    put(t, "{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, phase, s->process, s->track);
    put_time(t, "ts", nanoseconds(t, s->begin));
    put(t, ",\"cat\":\"%s\",\"name\":", s->category);
    put_text(t, s->name);
}

static void put_args(struct timeline *t, const struct timeline_slice *s)
{
    for (uint32_t i = 0; i < TIMELINE_ARGS && s->args[i].key; i++) {
        put(t, "%s\"%s\":", i ? "," : ",\"args\":{", s->args[i].key);
        if (s->args[i].text)
            put_text(t, s->args[i].text);
        else
            put(t, "%" PRIu64, s->args[i].number);
    }
    put(t, s->args[0].key ? "}}" : "}");
}

/* --- life ------------------------------------------------------------------------------------- */

struct timeline *timeline_create(const char *path, uint64_t clock_khz, const json_t *about,
                                 struct error *err)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        error_set(err, "--timeline %s: %s", path, strerror(errno));
        return NULL;
    }
    struct timeline *t = ALLOC(struct timeline);
    t->path = alloc_string(path);
    t->file = file;
    t->khz = clock_khz;
    t->seekable = ftell(file) >= 0 && fseek(file, 0, SEEK_CUR) == 0;
    char *text = json_dumps(about, JSON_COMPACT | JSON_ENSURE_ASCII);
    put(t, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock_khz\":\"%" PRIu64 "\",\"about\":",
        clock_khz);
    write_out(t, t->block, t->used); /* the text may be longer than a block */
    t->used = 0;
    write_out(t, text ? text : "null", text ? strlen(text) : 4);
    free(text);
    put(t, "},\"traceEvents\":[");
    return t;
}

bool timeline_close(struct timeline *t, struct error *err)
{
    if (!t)
        return true;
    put(t, "%s", tail);
    write_out(t, t->block, t->used);
    if (fclose(t->file) && !t->failed) {
        t->failed = true;
        t->error = errno;
    }
    bool whole = !t->failed;
    if (!whole && !output_in_place(t->path))
        unlink(t->path);
    if (!whole)
        error_set(err, "--timeline %s: cannot be written: %s", t->path, strerror(t->error));
    free(t->path);
    free(t);
    return whole;
}

/* --- names ------------------------------------------------------------------------------------ */

static void name(struct timeline *t, const char *what, uint32_t process, uint32_t track,
                 const char *text)
{
    next(t);
    put(t, "{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":\"%s_name\"", process,
        track, what);
    put(t, ",\"args\":{\"name\":");
    put_text(t, text);
    put(t, "}}");
    next(t);
    put(t,
        "{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
        ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
        process, track, what, *what == 'p' ? process : track);
}

void timeline_process(struct timeline *t, uint32_t process, const char *text)
{
    name(t, "process", process, 0, text);
}

void timeline_track(struct timeline *t, uint32_t process, uint32_t track, const char *text)
{
    name(t, "thread", process, track, text);
}

/* --- events ----------------------------------------------------------------------------------- */

void timeline_slice(struct timeline *t, const struct timeline_slice *slice)
{
    put_head(t, "X", slice);
    put_time(t, "dur", nanoseconds(t, slice->end) - nanoseconds(t, slice->begin));
    put_args(t, slice);
}

void timeline_instant(struct timeline *t, const struct timeline_slice *at)
{
    put_head(t, "i", at);
    put(t, ",\"s\":\"t\"");
    put_args(t, at);
}

void timeline_lane(struct timeline *t, struct timeline_lanes *lanes, struct timeline_slice *slice)
{
    uint32_t lane = 0;
    while (lane < lanes->used && lanes->end[lane] > slice->begin)
        lane++;
    slice->process = lanes->process;
    slice->track = lanes->first_track + lane;
    if (lane == lanes->used) {
        char text[64];
        ARRAY_RESERVE(lanes->end, lanes->used, lanes->capacity);
        lanes->used++;
        if (lane)
            snprintf(text, sizeof text, "%s %u", lanes->name, lane + 1);
        else
            snprintf(text, sizeof text, "%s", lanes->name);
        timeline_track(t, lanes->process, slice->track, text);
    }
    lanes->end[lane] = slice->end;
    timeline_slice(t, slice);
}

void timeline_lanes_free(struct timeline_lanes *lanes)
{
    free(lanes->end);
    lanes->end = NULL;
}

static void arrow_end(struct timeline *t, const char *category, const char *phase,
                      struct timeline_place at)
{
    struct timeline_slice s = {.process = at.process,
                               .track = at.track,
                               .begin = at.cycle,
                               .category = category,
                               .name = category};
    put_head(t, phase, &s);
    put(t, ",\"id\":%" PRIu64 "%s}", t->arrows, *phase == 'f' ? ",\"bp\":\"e\"" : "");
}

void timeline_arrow(struct timeline *t, const char *category, struct timeline_place from,
                    struct timeline_place to)
{
    t->arrows++;
    arrow_end(t, category, "s", from);
    arrow_end(t, category, "f", to);
}
