/* A timeline file as the five rows of the full/empty paper's Figures 3 and 6. */
#ifndef EVGPU_CLI_TIMELINE_ROWS_H
#define EVGPU_CLI_TIMELINE_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum timeline_row {
    ROW_CALL,     /* calls of host threads */
    ROW_DRIVER,   /* the driver prepares a command */
    ROW_TRANSFER, /* data between CPU and GPU */
    ROW_SYNC,     /* a command or a kernel's warps wait: for their turn, for words */
    ROW_EXEC,     /* a kernel's blocks run and do not wait for words */
    TIMELINE_ROWS
};

struct timeline_box {
    double begin, end; /* microseconds */
    uint32_t lane;     /* of the row: boxes of one lane do not overlap */
    char *name;
};

struct timeline_rows {
    struct {
        struct timeline_box *boxes;
        uint32_t count, capacity, lanes;
    } row[TIMELINE_ROWS];
};

struct timeline_view {
    const char *process; /* of this one only; NULL: of all */
    double from, to;     /* microseconds; what lies outside is left out, what crosses is cut */
    double least;        /* waits of the GPU that are shorter are not shown */
};

/* False with `err` naming the file: not there, no timeline, no such process. */
bool timeline_rows_read(struct timeline_rows *rows, const char *path,
                        const struct timeline_view *view, struct error *err);
void timeline_rows_free(struct timeline_rows *rows);

/* When the first box begins and the last one ends, in microseconds; false: there is none. */
bool timeline_rows_span(const struct timeline_rows *rows, double *first, double *last);

/* The part of gnuplot's script behind picture_begin, for a picture of this width (more than 220
 * points) and TIMELINE_HEIGHT. An empty title is none. */
#define TIMELINE_HEIGHT (62u * TIMELINE_ROWS + 130u)
void timeline_script(const struct timeline_rows *rows, const char *title,
                     const struct timeline_view *view, uint32_t width, FILE *out);

/* As .svg or .png, by gnuplot. */
bool timeline_draw(const struct timeline_rows *rows, const char *title,
                   const struct timeline_view *view, const char *path, struct error *err);

#endif
