#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/experiment/samples.h"
#include "sim/experiment/view.h"

const char *cells_row_name(const struct experiment *x, const struct cells *g, uint32_t row)
{
    return row == g->rows ? g->table->fold : x->variables[g->table->rows].labels[row].name;
}

const char *cells_column_name(const struct experiment *x, const struct cells *g, uint32_t column)
{
    const struct table *t = g->table;
    return t->columns_variable < 0 ? t->columns[column].name
                                   : x->variables[t->columns_variable].labels[column].name;
}

double cells_value(const struct cells *g, uint32_t row, uint32_t column)
{
    return g->values[(size_t)row * g->columns + column];
}

double cells_spread(const struct cells *g, uint32_t row, uint32_t column)
{
    return g->spread[(size_t)row * g->columns + column];
}

double cells_paper(const struct cells *g, uint32_t row, uint32_t column)
{
    return g->paper[(size_t)row * g->columns + column];
}

static double cell(const struct cells *g, uint32_t row, uint32_t column, int32_t sample)
{
    const struct table *t = g->table;
    struct binding at;
    for (uint32_t v = 0; v < MAX_VARIABLES; v++)
        at.label[v] = UNBOUND;
    at.label[t->rows] = (int32_t)row;
    if (t->columns_variable >= 0)
        at.label[t->columns_variable] = (int32_t)column;
    if (t->over >= 0)
        at.label[t->over] = sample;
    return expression_value(t->columns[t->columns_variable < 0 ? column : 0].expression, &at);
}

static void fill_fold(struct cells *g)
{
    double *column = ALLOC_ARRAY(double, g->rows);
    for (uint32_t c = 0; c < g->columns; c++) {
        double *fold = &g->values[(size_t)g->rows * g->columns + c];
        for (uint32_t r = 0; r < g->rows; r++)
            column[r] = cells_value(g, r, c);
        *fold = NAN;
        if (g->table->fold)
            fold_named(g->table->fold, column, g->rows, fold);
    }
    free(column);
}

/* A fold is one of the samples' folds, so that its interval is that of the fold. */
static void fill_values(struct cells *g, uint32_t samples)
{
    size_t n = (size_t)(g->rows + 1) * g->columns;
    struct samples *of = alloc_array(n, sizeof *of);
    for (uint32_t s = 0; s < samples; s++) {
        for (uint32_t r = 0; r < g->rows; r++) {
            for (uint32_t c = 0; c < g->columns; c++)
                g->values[(size_t)r * g->columns + c] = cell(g, r, c, (int32_t)s);
        }
        fill_fold(g);
        for (size_t i = 0; i < n; i++)
            samples_add(&of[i], g->values[i]);
    }
    g->fewest = samples;
    for (size_t i = 0; i < n; i++) {
        g->values[i] = samples_mean(&of[i]);
        g->spread[i] = samples_spread(&of[i]);
        g->fewest = of[i].known && of[i].known < g->fewest ? of[i].known : g->fewest;
        g->most = of[i].known > g->most ? of[i].known : g->most;
    }
    free(of);
}

struct cells *cells_create(const struct experiment *x, uint32_t table)
{
    struct cells *g = ALLOC(struct cells);
    g->table = &x->tables[table];
    g->rows = x->variables[g->table->rows].count;
    g->columns = g->table->columns_variable < 0 ? g->table->n_columns
                                                : x->variables[g->table->columns_variable].count;
    size_t cells = (size_t)(g->rows + 1) * g->columns;
    g->values = ALLOC_ARRAY(double, cells);
    g->spread = ALLOC_ARRAY(double, cells);
    g->paper = ALLOC_ARRAY(double, cells);
    for (uint32_t r = 0; r <= g->rows; r++) {
        for (uint32_t c = 0; c < g->columns; c++) {
            char name[160];
            const char *row = cells_row_name(x, g, r);
            snprintf(name, sizeof name, "%s/%s", row ? row : "", cells_column_name(x, g, c));
            const struct paper_value *p = experiment_paper(x, table, name);
            g->paper[(size_t)r * g->columns + c] = p ? p->value : NAN;
        }
    }
    fill_values(g, g->table->over < 0 ? 1 : x->variables[g->table->over].count);
    return g;
}

void cells_destroy(struct cells *g)
{
    if (g) {
        free(g->values);
        free(g->spread);
        free(g->paper);
    }
    free(g);
}

void number_text(double value, uint32_t decimals, char *text, size_t room)
{
    if (isnan(value))
        snprintf(text, room, "-");
    else
        snprintf(text, room, "%.*f", (int)decimals, value);
}

/* "Mean of 2 to 3 of 5 (seed).", where not all samples are known. */
static void print_known(const struct experiment *x, int32_t over, uint32_t fewest, uint32_t most,
                        FILE *out)
{
    if (over < 0 || fewest == x->variables[over].count)
        return;
    fprintf(out, "Mean of %u", fewest);
    if (most != fewest)
        fprintf(out, " to %u", most);
    fprintf(out, " of %u (%s).\n", x->variables[over].count, x->variables[over].name);
}

/* "0.74 +- 0.02 (0.7)": with half of the interval, and the paper's value in parentheses. */
static void cell_text(const struct cells *g, uint32_t row, uint32_t column, char *text, size_t room)
{
    char ours[64], half[64], paper[64] = "";
    double stated = cells_paper(g, row, column), spread = cells_spread(g, row, column);
    number_text(cells_value(g, row, column), g->table->decimals, ours, sizeof ours);
    number_text(spread, g->table->decimals, half, sizeof half);
    if (!isnan(stated))
        snprintf(paper, sizeof paper, " (%g)", stated);
    snprintf(text, room, "%s%s%s%s", ours, isnan(spread) ? "" : " +- ", isnan(spread) ? "" : half,
             paper);
}

static void print_line(FILE *out, const char *text, uint32_t width, bool left)
{
    fprintf(out, left ? "%-*s" : "%*s", (int)width, text);
}

static bool print_table(const struct experiment *x, uint32_t index, FILE *out)
{
    struct cells *g = cells_create(x, index);
    const struct table *t = g->table;
    uint32_t rows = g->rows + (t->fold ? 1 : 0), first = 0;
    bool paper = false;
    char text[160];
    fprintf(out, "\n%s%s%s%s\n", t->title ? t->title : x->title, t->unit ? " (" : "",
            t->unit ? t->unit : "", t->unit ? ")" : "");
    for (uint32_t r = 0; r < rows; r++)
        first = (uint32_t)fmax(first, (double)strlen(cells_row_name(x, g, r)));
    first = (uint32_t)fmax(first, (double)strlen(x->variables[t->rows].name));
    uint32_t *widths = ALLOC_ARRAY(uint32_t, g->columns);
    print_line(out, x->variables[t->rows].name, first, true);
    for (uint32_t c = 0; c < g->columns; c++) {
        widths[c] = (uint32_t)strlen(cells_column_name(x, g, c));
        for (uint32_t r = 0; r < rows; r++) {
            cell_text(g, r, c, text, sizeof text);
            widths[c] = (uint32_t)fmax(widths[c], (double)strlen(text));
            paper = paper || !isnan(cells_paper(g, r, c));
        }
        print_line(out, cells_column_name(x, g, c), widths[c] + 2, false);
    }
    fputc('\n', out);
    for (uint32_t r = 0; r < rows; r++) {
        print_line(out, cells_row_name(x, g, r), first, true);
        for (uint32_t c = 0; c < g->columns; c++) {
            cell_text(g, r, c, text, sizeof text);
            print_line(out, text, widths[c] + 2, false);
        }
        fputc('\n', out);
    }
    print_known(x, t->over, g->fewest, g->most, out);
    free(widths);
    cells_destroy(g);
    return paper;
}

static const char *reason(const struct experiment *x, const char *key)
{
    for (uint32_t i = 0; i < x->n_reasons; i++) {
        if (!strcmp(x->reasons[i].key, key))
            return x->reasons[i].text;
    }
    return NULL;
}

struct samples experiment_summary(const struct experiment *x, uint32_t index)
{
    struct samples of = {.known = 0};
    struct binding at;
    for (uint32_t v = 0; v < MAX_VARIABLES; v++)
        at.label[v] = UNBOUND;
    for (uint32_t i = 0; i < (x->over < 0 ? 1 : x->variables[x->over].count); i++) {
        if (x->over >= 0)
            at.label[x->over] = (int32_t)i;
        samples_add(&of, expression_value(x->summary[index].expression, &at));
    }
    return of;
}

static void print_summary(const struct experiment *x, FILE *out)
{
    size_t width = 4;
    uint32_t fewest = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < x->n_summary; i++)
        width = strlen(x->summary[i].name) > width ? strlen(x->summary[i].name) : width;
    if (x->n_summary)
        fprintf(out, "\n%-*s  %16s  %12s\n", (int)width, "Summary", "ours", "the paper's");
    for (uint32_t i = 0; i < x->n_summary; i++) {
        char ours[128], half[64];
        const struct paper_value *p = experiment_paper(x, UINT32_MAX, x->summary[i].name);
        const char *why = reason(x, x->summary[i].name);
        struct samples of = experiment_summary(x, i);
        double spread = samples_spread(&of);
        number_text(samples_mean(&of), 2, ours, sizeof half);
        number_text(spread, 2, half, sizeof half);
        if (!isnan(spread))
            strcat(strcat(ours, " +- "), half);
        fprintf(out, "%-*s  %16s", (int)width, x->summary[i].name, ours);
        if (p)
            fprintf(out, "  %12g", p->value);
        fprintf(out, "%s%s\n", why ? "\n    " : "", why ? why : "");
        fewest = of.known < fewest ? of.known : fewest;
        most = of.known > most ? of.known : most;
    }
    if (x->n_summary)
        print_known(x, x->over, fewest, most, out);
}

void view_text(const struct experiment *x, const struct row_result *results, FILE *out)
{
    bool paper = false;
    char name[256];
    fprintf(out, "%s: %s\n", x->name, x->title);
    for (uint32_t t = 0; t < x->n_tables; t++)
        paper |= print_table(x, t, out);
    if (paper)
        fprintf(out, "In parentheses: the paper's value.\n");
    print_summary(x, out);
    for (uint32_t r = 0; r < x->rows; r++) {
        if (results[r].state != ROW_FAILED)
            continue;
        experiment_row_name(x, r, name, sizeof name);
        fprintf(out, "FAILED %s: %s\n", name, results[r].message);
    }
}
