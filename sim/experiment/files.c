#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "sim/experiment/command.h"
#include "sim/experiment/view.h"

static json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_of_table(const struct experiment *x, uint32_t index)
{
    struct cells *g = cells_create(x, index);
    const struct table *t = g->table;
    json_t *rows = json_object(), *paper = json_object(), *spread = json_object();
    for (uint32_t r = 0; r < g->rows + (t->fold ? 1 : 0); r++) {
        json_t *row = json_object();
        for (uint32_t c = 0; c < g->columns; c++) {
            json_object_set_new(row, cells_column_name(x, g, c), json_number(cells_value(g, r, c)));
            char cell[160];
            snprintf(cell, sizeof cell, "%s/%s", cells_row_name(x, g, r),
                     cells_column_name(x, g, c));
            if (!isnan(cells_paper(g, r, c)))
                json_object_set_new(paper, cell, json_number(cells_paper(g, r, c)));
            if (!isnan(cells_spread(g, r, c)))
                json_object_set_new(spread, cell, json_number(cells_spread(g, r, c)));
        }
        json_object_set_new(rows, cells_row_name(x, g, r), row);
    }
    cells_destroy(g);
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "title", t->title ? t->title : x->title, "unit",
                     t->unit ? t->unit : "", "rows", rows, "spread", spread, "paper", paper);
}

/* A number; a list where its source names variables of its own. */
static json_t *json_of_figure(const struct experiment *x, uint32_t figure, uint32_t row)
{
    const struct figure *f = &x->figures[figure];
    const double *values =
        &x->values[f->first + (size_t)(row - x->simulations[f->simulation].first_row) * f->per_row];
    if (!f->n_extra)
        return json_number(values[0]);
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->per_row; i++)
        json_array_append_new(list, json_number(values[i]));
    return list;
}

static json_t *json_of_words(const struct experiment *x, uint32_t row)
{
    char *words[MAX_WORDS];
    json_t *list = json_array();
    row_words(x, row, words, NULL);
    for (uint32_t i = 0; words[i]; i++)
        json_array_append_new(list, json_string(words[i]));
    free_words(words);
    return list;
}

static json_t *json_of_row(const struct experiment *x, const struct row_result *result,
                           uint32_t row)
{
    static const char *const states[] = {"left out", "kept", "run", "failed", "stopped"};
    struct binding at;
    const struct simulation *s = experiment_row(x, row, &at);
    json_t *figures = json_object();
    for (uint32_t f = 0; f < x->n_figures; f++) {
        if (x->figures[f].simulation == (uint32_t)(s - x->simulations))
            json_object_set_new(figures, x->figures[f].name, json_of_figure(x, f, row));
    }
    /* Equal runs give equal files: kept or run is the same. */
    enum row_state state = result->state == ROW_KEPT ? ROW_RUN : result->state;
    return json_pack("{s:s, s:s, s:o, s:o}", "state", states[state], "message", result->message,
                     "command", json_of_words(x, row), "figures", figures);
}

static json_t *summary_numbers(const struct experiment *x,
                               double (*number)(const struct samples *of))
{
    json_t *summary = json_object();
    for (uint32_t i = 0; i < x->n_summary; i++) {
        struct samples of = experiment_summary(x, i);
        json_object_set_new(summary, x->summary[i].name, json_number(number(&of)));
    }
    return summary;
}

json_t *view_summary(const struct experiment *x)
{
    return summary_numbers(x, samples_mean);
}

static json_t *json_of_experiment(const struct experiment *x, const struct row_result *results)
{
    json_t *tables = json_object(), *rows = json_object();
    char name[256];
    for (uint32_t t = 0; t < x->n_tables; t++)
        json_object_set_new(tables, *x->tables[t].name ? x->tables[t].name : "table",
                            json_of_table(x, t));
    for (uint32_t r = 0; r < x->rows; r++) {
        experiment_row_name(x, r, name, sizeof name);
        json_object_set_new(rows, name, json_of_row(x, &results[r], r));
    }
    json_t *j = json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", x->name, "title", x->title,
                          "summary", view_summary(x), "tables", tables, "rows", rows);
    if (x->over >= 0)
        json_object_set_new(j, "summary_interval", summary_numbers(x, samples_spread));
    return j;
}

static void csv_table(const struct experiment *x, uint32_t index, FILE *out)
{
    struct cells *g = cells_create(x, index);
    fprintf(out, "%s", x->variables[g->table->rows].name);
    for (uint32_t c = 0; c < g->columns; c++)
        fprintf(out, g->table->over < 0 ? ",%s" : ",%s,+-", cells_column_name(x, g, c));
    fputc('\n', out);
    for (uint32_t r = 0; r < g->rows + (g->table->fold ? 1 : 0); r++) {
        fprintf(out, "%s", cells_row_name(x, g, r));
        for (uint32_t c = 0; c < g->columns; c++) {
            double v = cells_value(g, r, c);
            fprintf(out, isnan(v) ? "," : ",%.9g", v);
            v = cells_spread(g, r, c);
            if (g->table->over >= 0)
                fprintf(out, isnan(v) ? "," : ",%.9g", v);
        }
        fputc('\n', out);
    }
    cells_destroy(g);
}

static bool write_csv(const struct experiment *x, const char *folder, struct error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.csv", folder, x->name);
    struct output *out = output_open(path, err);
    for (uint32_t t = 0; out && t < x->n_tables; t++) {
        if (t > 0)
            fputc('\n', output_stream(out));
        csv_table(x, t, output_stream(out));
    }
    return out && output_finish(out, err);
}

static bool write_text(const struct experiment *x, const struct row_result *results,
                       const char *folder, struct error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.txt", folder, x->name);
    struct output *out = output_open(path, err);
    if (out)
        view_text(x, results, output_stream(out));
    return out && output_finish(out, err);
}

/* Behind what the file is of. */
static json_t *with_about(const json_t *about, json_t *figures)
{
    json_t *all = json_pack("{s:O}", "about", about);
    json_object_update(all, figures);
    json_decref(figures);
    return all;
}

bool view_files(const struct experiment *x, const struct row_result *results, const json_t *about,
                const char *folder, struct error *err)
{
    char path[PATH_MAX];
    if (!make_folder(folder, err) || !write_csv(x, folder, err) ||
        !write_text(x, results, folder, err))
        return false;
    json_t *all = with_about(about, json_of_experiment(x, results));
    json_t *of = json_copy((json_t *)about); /* shallow; the files are of different kinds */
    json_object_set_new(of, "kind", json_string("summary"));
    json_t *summary = with_about(of, view_summary(x));
    json_decref(of);
    snprintf(path, sizeof path, "%s/%s.json", folder, x->name);
    bool ok = write_json(path, all, err);
    snprintf(path, sizeof path, "%s/summary.json", folder);
    ok = ok && write_json(path, summary, err);
    json_decref(all);
    json_decref(summary);
    return ok && view_pictures(x, folder, err) && view_html_report(x, results, about, folder, err);
}
