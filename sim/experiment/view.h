/* The views of an experiment: tables (text, CSV, JSON), pictures (gnuplot: SVG, PNG), the summary
 * and a page with all of them. A cell that is not known is "-". */
#ifndef EVGPU_EXPERIMENT_VIEW_H
#define EVGPU_EXPERIMENT_VIEW_H

#include <jansson.h>
#include <stdio.h>

#include "sim/experiment/experiment.h"
#include "sim/experiment/run.h"
#include "sim/experiment/samples.h"

/* A table's numbers: columns with names, rows with labels, and behind them the fold's row. */
struct cells {
    const struct table *table;
    uint32_t rows, columns; /* rows without the fold's */
    uint32_t fewest, most;  /* samples of table->over behind a cell that is known */
    double *values;         /* (rows + 1) x columns */
    double *spread;         /* half of the 95 % interval of a mean over table->over; NAN: none */
    double *paper;          /* the same shape, NAN where the paper states none */
};
struct cells *cells_create(const struct experiment *x, uint32_t table);
void cells_destroy(struct cells *g);
const char *cells_row_name(const struct experiment *x, const struct cells *g, uint32_t row);
const char *cells_column_name(const struct experiment *x, const struct cells *g, uint32_t column);
double cells_value(const struct cells *g, uint32_t row, uint32_t column);
double cells_spread(const struct cells *g, uint32_t row, uint32_t column);
double cells_paper(const struct cells *g, uint32_t row, uint32_t column);

/* A number with so many decimals, "-" for NAN. */
void number_text(double value, uint32_t decimals, char *text, size_t room);

/* Every table, then the summary beside the paper's values, then the rows that failed. */
void view_text(const struct experiment *x, const struct row_result *results, FILE *out);

/* FOLDER/NAME.csv (one block a table), NAME.json, summary.json; with gnuplot NAME.svg and NAME.png
 * (NAME-PICTURE for several), index.html. `about` is for the JSON files. */
bool view_files(const struct experiment *x, const struct row_result *results, const json_t *about,
                const char *folder, struct error *err);

/* The parts of view_files. */
bool view_pictures(const struct experiment *x, const char *folder, struct error *err);
bool view_html_report(const struct experiment *x, const struct row_result *results,
                      const json_t *about, const char *folder, struct error *err);
void picture_file(const struct experiment *x, const struct picture *p, char *name, size_t room);

/* A value of the summary, for each label of experiment.over. */
struct samples experiment_summary(const struct experiment *x, uint32_t index);
/* The summary's names and numbers, null for those not known. */
json_t *view_summary(const struct experiment *x);

#endif
