/* An experiment file (experiments/FAMILY/NAME.ini): simulations, how their figures become tables,
 * pictures and a summary, and the paper's values. The format is described in
 * docs/guide/experiments.md. Nothing here knows a paper.
 *
 * A variable is a list of labels, each with a text. A simulation runs once for every combination of
 * the labels of its variables: a row. Rows of all simulations are numbered through. */
#ifndef EVGPU_EXPERIMENT_EXPERIMENT_H
#define EVGPU_EXPERIMENT_EXPERIMENT_H

#include <stddef.h>

#include "sim/experiment/expression.h"

struct label {
    char *name, *text;
    bool of_range; /* A..B */
};

struct variable {
    char *name;
    struct label *labels;
    uint32_t count, capacity;
};

struct argument {
    char *key, *text; /* --key text, filled (experiment_fill) */
};

/* A text for every combination of the labels of some variables. */
struct map {
    char *name, *over_text;
    uint32_t over[MAX_VARIABLES], n_over;
    struct argument *texts; /* by the labels joined by commas */
    uint32_t n_texts, capacity;
};

/* Texts that differ between scales of an experiment. */
struct scale {
    char *name;
    struct argument *texts;
    uint32_t n_texts, capacity;
};

struct simulation {
    char *name; /* "" for the only one */
    char *over_text, *command;
    uint32_t over[MAX_VARIABLES], n_over;
    struct argument *options;
    uint32_t n_options, capacity;
    uint32_t first_row, rows;
};

/* One number of every row of a simulation; several where its source names variables that the
 * simulation does not depend on: one for each combination of their labels. */
struct figure {
    char *name, *unit;
    char *source; /* a JSON path of the statistics with the names joined by dots; {...} is filled */
    bool
        printed; /* `source` is instead the NAME of a line `figure NAME VALUE UNIT` in the output */
    bool optional;    /* where the path leads to nothing, the value is `otherwise`; else an error */
    double otherwise; /* NAN: nothing */
    uint32_t simulation;
    uint32_t extra[MAX_VARIABLES], n_extra; /* the variables of its source */
    uint32_t per_row;                       /* combinations of their labels */
    size_t first;                           /* in values */
};

/* A named expression: a definition, a column, a summary value. */
struct formula {
    char *name, *text, *unit;
    struct expression *expression;
};

struct table {
    char *name, *title, *unit, *rows_text, *columns_text, *over_text, *fold;
    uint32_t rows; /* variable */
    int32_t over;  /* variable whose labels a cell is the mean of; -1: of none */
    int32_t columns_variable;
    struct formula *columns; /* a formula each, or one for all labels of columns_variable */
    uint32_t n_columns, capacity;
    uint32_t decimals;
};

struct picture {
    char *name, *title, *table_name, *kind, *x_label, *y_label, *without;
    uint32_t table;
    uint32_t log_x, log_y; /* base of a logarithmic axis, 0: linear */
    bool paper;            /* the paper's values are drawn too */
};

/* A value that the paper's text or figure states: of ROW/COLUMN of a table, or of a summary name
 * (table UINT32_MAX). */
struct paper_value {
    char *table_name, *cell;
    uint32_t table;
    double value;
};

struct experiment {
    char *name, *path, *title, *source;
    char *over_text;
    int32_t over;        /* of its tables that say nothing else, and of its summary: struct table */
    char *members;       /* names of experiments; then this one has nothing of its own */
    char *default_scale; /* of its scales; NULL: the first */
    struct variable variables[MAX_VARIABLES];
    uint32_t n_variables;
    struct map *maps;
    uint32_t n_maps, maps_capacity;
    struct scale *scales;
    uint32_t n_scales, scales_capacity, scale;
    struct simulation *simulations;
    uint32_t n_simulations, simulations_capacity;
    struct figure *figures;
    uint32_t n_figures, figures_capacity;
    struct formula *definitions;
    uint32_t n_definitions, definitions_capacity;
    struct table *tables;
    uint32_t n_tables, tables_capacity;
    struct picture *pictures;
    uint32_t n_pictures, pictures_capacity;
    struct formula *summary;
    uint32_t n_summary, summary_capacity;
    struct paper_value *paper;
    uint32_t n_paper, paper_capacity;
    struct argument *reasons; /* key: summary name or table, text: why ours differs */
    uint32_t n_reasons, reasons_capacity;
    uint32_t rows;
    double *values; /* experiment_value; NAN until known */
    struct names names;
};

/* `scale`: which of its scales, NULL: the one that the file names, or else the first. NULL with
 * `err`, which names the file and the section. */
struct experiment *experiment_load(const char *path, const char *name, const char *scale,
                                   struct error *err);
void experiment_destroy(struct experiment *x);

/* The row's simulation, and the labels of its variables in *at. */
const struct simulation *experiment_row(const struct experiment *x, uint32_t row,
                                        struct binding *at);

/* Labels joined by commas, after the simulation's name and a colon where it has one. */
void experiment_row_name(const struct experiment *x, uint32_t row, char *text, size_t room);

/* A figure's value for a row of its simulation and the labels of its other variables. */
double *experiment_value(const struct experiment *x, const struct figure *f, uint32_t row,
                         const struct binding *at);

/* `text` with every {NAME} replaced: NAME is a variable, and its label's text is taken; a map; a
 * text of the scale; or "scale", its name. {NAME:2} is the second part of a text that has parts
 * with | between. The chosen text is filled in turn. False with `err` when there is no such name or
 * part. free() *result. */
bool experiment_fill(const struct experiment *x, const char *text, const struct binding *at,
                     char **result, struct error *err);

/* NULL when the paper states none. */
const struct paper_value *experiment_paper(const struct experiment *x, uint32_t table,
                                           const char *cell);

#endif
