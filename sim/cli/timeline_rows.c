#include "sim/cli/timeline_rows.h"

#include <float.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"

#define MOST_TIME 1e15 /* us */

struct interval {
    double begin, end;
};

struct reader {
    struct timeline_rows *rows;
    const struct timeline_view *view;
    json_t *events;
    json_int_t process; /* 0: all */
    struct interval *waits;
    uint32_t n_waits, cap_waits;
};

static const char *text_of(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text ? text : "";
}

static struct interval interval_of(const json_t *event)
{
    double begin = json_number_value(json_object_get(event, "ts"));
    return (struct interval){begin, begin + json_number_value(json_object_get(event, "dur"))};
}

static bool is(const json_t *event, const char *key, const char *text)
{
    return strcmp(text_of(event, key), text) == 0;
}

/* --- boxes ------------------------------------------------------------------------------------ */

static void add(struct reader *r, enum timeline_row row, struct interval i, const char *name)
{
    const struct timeline_view *v = r->view;
    if (i.end <= v->from || i.begin >= v->to || i.end <= i.begin)
        return;
    struct timeline_box box = {.begin = i.begin < v->from ? v->from : i.begin,
                               .end = i.end > v->to ? v->to : i.end,
                               .name = alloc_string(name)};
    ARRAY_RESERVE(r->rows->row[row].boxes, r->rows->row[row].count, r->rows->row[row].capacity);
    r->rows->row[row].boxes[r->rows->row[row].count++] = box;
}

/* The kernel's blocks run in it, except while all of the GPU's warps wait for words. */
static void add_execution(struct reader *r, struct interval run, const char *name)
{
    for (uint32_t i = 0; i < r->n_waits && run.begin < run.end; i++) {
        struct interval w = r->waits[i];
        if (w.end <= run.begin || w.begin >= run.end || w.end - w.begin < r->view->least)
            continue;
        add(r, ROW_EXEC, (struct interval){run.begin, w.begin}, name);
        add(r, ROW_SYNC,
            (struct interval){w.begin > run.begin ? w.begin : run.begin,
                              w.end < run.end ? w.end : run.end},
            "words");
        run.begin = w.end;
    }
    add(r, ROW_EXEC, run, name);
}

/* What is within a slice of a stream comes right after it in the file. */
static const json_t *inner(const struct reader *r, size_t index, const char *name)
{
    const json_t *outer = json_array_get(r->events, index);
    const json_t *next = json_array_get(r->events, index + 1);
    bool same = next && json_equal(json_object_get(outer, "pid"), json_object_get(next, "pid")) &&
                json_equal(json_object_get(outer, "tid"), json_object_get(next, "tid"));
    return same && is(next, "name", name) ? next : NULL;
}

static void take_stream(struct reader *r, size_t index, const json_t *event, bool kernel)
{
    struct interval all = interval_of(event);
    const json_t *part = inner(r, index, kernel ? "blocks run" : "data");
    struct interval run = part ? interval_of(part) : all;
    if (kernel || part)
        add(r, ROW_SYNC, (struct interval){all.begin, run.begin},
            kernel ? "start" : text_of(event, "name"));
    if (kernel)
        add_execution(r, run, text_of(event, "name"));
    else
        add(r, ROW_TRANSFER, run, text_of(event, "name"));
}

static void take(struct reader *r, size_t index)
{
    const json_t *event = json_array_get(r->events, index);
    const json_t *args = json_object_get(event, "args");
    json_int_t process = json_integer_value(json_object_get(event, "pid"));
    bool shared = process == 1; /* the GPU's own tracks: a driver that serves all programs */
    if (!is(event, "ph", "X") || (r->process && process != r->process && !shared))
        return;
    if (is(event, "cat", "call"))
        add(r, ROW_CALL, interval_of(event), text_of(event, "name"));
    else if (is(event, "cat", "driver") && is(args, "stage", "prepare"))
        add(r, ROW_DRIVER, interval_of(event), text_of(event, "name"));
    else if (is(event, "cat", "kernel") && !is(event, "name", "blocks run"))
        take_stream(r, index, event, true);
    else if (is(event, "cat", "copy") && !is(event, "name", "data"))
        take_stream(r, index, event, false);
    else if (is(event, "cat", "event") && is(event, "name", "run"))
        add_execution(r, interval_of(event), "event");
}

/* --- lanes ------------------------------------------------------------------------------------ */

static int by_begin(const void *a, const void *b)
{
    const struct timeline_box *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? 1 : x->end > y->end ? -1 : strcmp(x->name, y->name);
}

/* Each box in the first lane that is free when it begins. */
static void assign_lanes(struct timeline_rows *rows)
{
    for (uint32_t n = 0; n < TIMELINE_ROWS; n++) {
        struct timeline_box *boxes = rows->row[n].boxes;
        uint32_t count = rows->row[n].count;
        double *ends = ALLOC_ARRAY(double, count ? count : 1);
        rows->row[n].lanes = 1;
        if (count)
            qsort(boxes, count, sizeof *boxes, by_begin);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t lane = 0;
            while (ends[lane] > boxes[i].begin + 1e-9)
                lane++;
            ends[lane] = boxes[i].end;
            boxes[i].lane = lane;
            rows->row[n].lanes = lane + 1 > rows->row[n].lanes ? lane + 1 : rows->row[n].lanes;
        }
        free(ends);
    }
}

/* --- the file --------------------------------------------------------------------------------- */

static bool find_process(struct reader *r, const char *path, struct error *err)
{
    size_t i;
    json_t *event;
    char names[300] = "";
    size_t used = 0;
    if (!r->view->process)
        return true;
    json_array_foreach(r->events, i, event)
    {
        if (!is(event, "name", "process_name"))
            continue;
        const char *name = text_of(json_object_get(event, "args"), "name");
        if (!strcmp(name, r->view->process)) {
            r->process = json_integer_value(json_object_get(event, "pid"));
            return true;
        }
        if (used + strlen(name) + 3 < sizeof names)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
    }
    return error_set(err, "%s: no process %s; %s%s", path, r->view->process,
                     used ? "there are " : "the recording has none", names);
}

/* Other times are no times of a run, and gnuplot has no place for them. */
static bool check_times(const struct reader *r, const char *path, struct error *err)
{
    size_t i;
    json_t *event;
    json_array_foreach(r->events, i, event)
    {
        double begin = json_number_value(json_object_get(event, "ts"));
        double length = json_number_value(json_object_get(event, "dur"));
        if (!(begin >= 0 && begin < MOST_TIME && length >= 0 && length < MOST_TIME))
            return error_set(err, "%s: traceEvents[%zu]: ts %g and dur %g must be 0 to %g us", path,
                             i, begin, length, MOST_TIME);
    }
    return true;
}

static void take_all(struct reader *r)
{
    size_t i;
    json_t *event;
    json_array_foreach(r->events, i, event)
    {
        if (!is(event, "cat", "region"))
            continue;
        ARRAY_RESERVE(r->waits, r->n_waits, r->cap_waits);
        r->waits[r->n_waits++] = interval_of(event);
    }
    for (i = 0; i < json_array_size(r->events); i++)
        take(r, i);
    free(r->waits);
}

bool timeline_rows_read(struct timeline_rows *rows, const char *path,
                        const struct timeline_view *view, struct error *err)
{
    json_error_t problem;
    size_t bytes = 0;
    struct reader r = {.rows = rows, .view = view};
    memset(rows, 0, sizeof *rows);
    char *text = (char *)read_file(path, &bytes, err);
    if (!text)
        return false;
    json_t *file = json_loadb(text, bytes, 0, &problem);
    free(text);
    if (!file)
        return error_set(err, "%s:%d: %s", path, problem.line, problem.text);
    r.events = json_object_get(file, "traceEvents");
    bool ok = json_is_array(r.events)
                  ? check_times(&r, path, err) && find_process(&r, path, err)
                  : error_set(err, "%s: no traceEvents; `evgpu run --timeline` writes them", path);
    if (ok) {
        take_all(&r);
        assign_lanes(rows);
    }
    json_decref(file);
    return ok;
}

bool timeline_rows_span(const struct timeline_rows *rows, double *first, double *last)
{
    *first = DBL_MAX;
    *last = 0;
    for (uint32_t n = 0; n < TIMELINE_ROWS; n++) {
        for (uint32_t i = 0; i < rows->row[n].count; i++) {
            const struct timeline_box *b = &rows->row[n].boxes[i];
            *first = b->begin < *first ? b->begin : *first;
            *last = b->end > *last ? b->end : *last;
        }
    }
    return *first < *last;
}

void timeline_rows_free(struct timeline_rows *rows)
{
    for (uint32_t n = 0; n < TIMELINE_ROWS; n++) {
        for (uint32_t i = 0; i < rows->row[n].count; i++)
            free(rows->row[n].boxes[i].name);
        free(rows->row[n].boxes);
    }
}
