/* The page with an experiment's tables, pictures and summary. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/html.h"
#include "base/output.h"
#include "base/version.h"
#include "sim/experiment/view.h"

static void cell(FILE *out, double value, double spread, double paper, uint32_t decimals)
{
    char text[64];
    number_text(value, decimals, text, sizeof text);
    fprintf(out, "<td>%s", text);
    number_text(spread, decimals, text, sizeof text);
    if (!isnan(spread))
        fprintf(out, " &plusmn; %s", text);
    if (!isnan(paper))
        fprintf(out, " <i>(%g)</i>", paper);
    fprintf(out, "</td>");
}

static void write_table(const struct experiment *x, uint32_t index, FILE *out)
{
    struct cells *g = cells_create(x, index);
    const struct table *t = g->table;
    fprintf(out, "<div class=\"wide\"><table><caption>");
    html_text(out, t->title ? t->title : x->title);
    if (t->unit) {
        fprintf(out, ", ");
        html_text(out, t->unit);
    }
    fprintf(out, "</caption>\n<tr>");
    html_element(out, "th", x->variables[t->rows].name);
    for (uint32_t c = 0; c < g->columns; c++)
        html_element(out, "th", cells_column_name(x, g, c));
    fprintf(out, "</tr>\n");
    for (uint32_t r = 0; r < g->rows + (t->fold ? 1 : 0); r++) {
        fprintf(out, "<tr>");
        html_element(out, "th", cells_row_name(x, g, r));
        for (uint32_t c = 0; c < g->columns; c++)
            cell(out, cells_value(g, r, c), cells_spread(g, r, c), cells_paper(g, r, c),
                 t->decimals);
        fprintf(out, "</tr>\n");
    }
    fprintf(out, "</table></div>\n");
    cells_destroy(g);
}

static void write_summary(const struct experiment *x, FILE *out)
{
    if (!x->n_summary)
        return;
    fprintf(
        out,
        "<div class=\"wide\"><table><caption>Summary</caption>\n<tr><th></th><th>ours</th><th>the "
        "paper's</th><th>why they differ</th></tr>\n");
    for (uint32_t i = 0; i < x->n_summary; i++) {
        const struct paper_value *p = experiment_paper(x, UINT32_MAX, x->summary[i].name);
        fprintf(out, "<tr>");
        html_element(out, "th", x->summary[i].name);
        struct samples of = experiment_summary(x, i);
        cell(out, samples_mean(&of), samples_spread(&of), NAN, 2);
        cell(out, p ? p->value : NAN, NAN, NAN, 2);
        fprintf(out, "<td class=\"text\">");
        for (uint32_t r = 0; r < x->n_reasons; r++) {
            if (!strcmp(x->reasons[r].key, x->summary[i].name))
                html_text(out, x->reasons[r].text);
        }
        fprintf(out, "</td></tr>\n");
    }
    fprintf(out, "</table></div>\n");
}

static void write_failures(const struct experiment *x, const struct row_result *results, FILE *out)
{
    char name[256];
    for (uint32_t r = 0; r < x->rows; r++) {
        if (results[r].state != ROW_FAILED)
            continue;
        experiment_row_name(x, r, name, sizeof name);
        fprintf(out, "<p>Failed: ");
        html_text(out, name);
        fprintf(out, ": ");
        html_text(out, results[r].message);
        fprintf(out, "</p>\n");
    }
}

/* What the page is of, as far as a reader wants to see it; NAME.json has the rest. */
static void write_origin(const json_t *about, FILE *out)
{
    char text[VERSION_TEXT];
    const char *date = json_string_value(json_object_get(about, "date"));
    fprintf(out, "<p><i>evgpu ");
    html_text(out, version_text(text));
    fprintf(out, ", %s</i></p>\n", date ? date : "");
}

static void write_page(const struct experiment *x, const struct row_result *results,
                       const json_t *about, FILE *out)
{
    char name[160];
    html_begin(out, x->title);
    html_element(out, "h1", x->title);
    if (x->source)
        html_element(out, "p", x->source);
    for (uint32_t i = 0; i < x->n_pictures; i++) {
        picture_file(x, &x->pictures[i], name, sizeof name);
        fprintf(out, "<p><img src=\"%s.svg\" alt=\"%s\"></p>\n", name, name);
    }
    write_summary(x, out);
    for (uint32_t t = 0; t < x->n_tables; t++)
        write_table(x, t, out);
    write_failures(x, results, out);
    write_origin(about, out);
    html_end(out);
}

bool view_html_report(const struct experiment *x, const struct row_result *results,
                      const json_t *about, const char *folder, struct error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/index.html", folder);
    struct output *out = output_open(path, err);
    if (out)
        write_page(x, results, about, output_stream(out));
    return out && output_finish(out, err);
}
