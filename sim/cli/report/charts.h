/* The charts of a page: scripts of gnuplot, drawn all at once at the end and then put into the page
 * where they belong. */
#ifndef EVGPU_CLI_REPORT_CHARTS_H
#define EVGPU_CLI_REPORT_CHARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct charts;

enum chart_size {
    CHART_TINY,  /* without text, of a list of many */
    CHART_SMALL, /* fits a phone */
    CHART_WIDE,  /* scrolls on a phone, fits paper */
    CHART_STRIP, /* the same, low */
    CHART_TIMELINE,
    CHART_SIZES
};
uint32_t charts_width(enum chart_size size);

struct charts *charts_create(struct error *err);
void charts_destroy(struct charts *c); /* `c` may be NULL */

/* Puts a figure into the page, and returns the script that is to draw it, to be written before the
 * next one begins. */
FILE *charts_begin(struct charts *c, FILE *page, enum chart_size size, const char *caption);

/* Distinct also in grey and for most colour-blind readers. */
const char *charts_colour(uint32_t i);

/* Copies the page with its charts. */
bool charts_finish(struct charts *c, FILE *page, FILE *out, struct error *err);

#endif
