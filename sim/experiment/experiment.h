/* An experiment file (experiments/NAME.ini): simulations, how their figures become tables, pictures
 * and a summary, and the paper's values. The format is described in docs/experiments.md. Nothing
 * here knows a paper.
 *
 * A variable is a list of labels, each with a text. A simulation runs once for every combination of
 * the labels of its variables: a row. Rows of all simulations are numbered through. */
#ifndef EVGPU_EXPERIMENT_EXPERIMENT_H
#define EVGPU_EXPERIMENT_EXPERIMENT_H

#include <stddef.h>

#include "sim/experiment/expression.h"

struct label {
    char *name, *text;
};

struct variable {
    char *name;
    struct label *labels;
    uint32_t count, capacity;
};

struct argument {
    char *key, *text; /* --key text, with {VARIABLE} replaced by the label's text */
};

struct simulation {
    char *name; /* "" for the only one */
    char *over_text, *command;
    uint32_t over[MAX_VARIABLES], n_over;
    struct argument *options;
    uint32_t n_options, capacity;
    uint32_t first_row, rows;
};

/* One number of every row of a simulation. */
struct figure {
    char *name, *unit;
    char *source; /* a JSON path of the statistics with the names joined by dots */
    bool
        printed; /* `source` is instead the NAME of a line `figure NAME VALUE UNIT` in the output */
    uint32_t simulation;
};

/* A named expression: a definition, a column, a summary value. */
struct formula {
    char *name, *text, *unit;
    struct expression *expression;
};

struct table {
    char *name, *title, *unit, *rows_text, *columns_text, *fold;
    uint32_t rows; /* variable */
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
    char *members; /* names of experiments; then this one has nothing of its own */
    struct variable variables[MAX_VARIABLES];
    uint32_t n_variables;
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
    double *values; /* figure f of row r at f * rows + r; NAN until known */
    struct names names;
};

/* NULL with `err`, which names the file and the section. */
struct experiment *experiment_load(const char *path, const char *name, struct error *err);
void experiment_destroy(struct experiment *x);

/* The row's simulation, and the labels of its variables in *at. */
const struct simulation *experiment_row(const struct experiment *x, uint32_t row,
                                        struct binding *at);

/* Labels joined by commas, after the simulation's name and a colon where it has one. */
void experiment_row_name(const struct experiment *x, uint32_t row, char *text, size_t room);

/* `text` with {VARIABLE} replaced; false with `err` for an unknown variable. free() *result. */
bool experiment_fill(const struct experiment *x, const char *text, const struct binding *at,
                     char **result, struct error *err);

/* NULL when the paper states none. */
const struct paper_value *experiment_paper(const struct experiment *x, uint32_t table,
                                           const char *cell);

#endif
