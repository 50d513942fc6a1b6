/* Kernels and source lines by time; what differs between two runs. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/html.h"
#include "sim/cli/report/report.h"
#include "sim/cli/results/compare.h"

#define KERNELS     20u
#define LINES       20u
#define DIFFERENCES 30u

struct kernel_row {
    const char *guest, *name;
    const json_t *figures;
    const struct report_run *run;
};

struct kernel_rows {
    struct kernel_row *row;
    uint32_t n, capacity;
};

static double cycles_of(const json_t *kernel)
{
    double cycles = report_number(kernel, "cycles");
    return isfinite(cycles) ? cycles : 0;
}

static int by_cycles(const void *a, const void *b)
{
    const struct kernel_row *x = a, *y = b;
    double one = cycles_of(x->figures), other = cycles_of(y->figures);
    if (one != other)
        return one < other ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void add_kernels(struct kernel_rows *k, const struct report_run *run, const char *key)
{
    const char *guest, *name;
    json_t *of, *figures;
    json_object_foreach((json_t *)json_object_get(run->json, "guests"), guest, of)
    {
        json_object_foreach(json_object_get(of, key), name, figures)
        {
            ARRAY_RESERVE(k->row, k->n, k->capacity);
            k->row[k->n++] = (struct kernel_row){guest, name, figures, run};
        }
    }
}

static void put_kernel(struct report *r, const struct kernel_row *k)
{
    const json_t *f = k->figures;
    double calls = report_number(f, "launches");
    fprintf(r->page, "<tr><td>%s</td>", k->run->name);
    html_element(r->page, "td", k->guest);
    fprintf(r->page, "<td class=\"text\"><code>");
    html_text(r->page, k->name);
    fprintf(r->page, "</code></td>");
    report_cell(r, isfinite(calls) ? calls : report_number(f, "events"), 0);
    report_cell(r, cycles_of(f), 0);
    report_cell(r, cycles_of(f) / k->run->khz, 3);
    report_cell(r, report_number(f, "ipc"), 2);
    report_cell(r, 100 * report_number(f, "occupancy"), 1);
    report_cell(r, 100 * report_number(f, "l1_hit_rate"), 1);
    report_cell(r, 100 * report_number(f, "l2_hit_rate"), 1);
    report_cell(r, 100 * report_number(f, "dram_use"), 1);
    fprintf(r->page, "<td class=\"text\">");
    for (const char *c = report_text(f, "main_stall"); *c; c++)
        fputc(*c == '_' ? ' ' : *c, r->page);
    fprintf(r->page, "</td></tr>\n");
}

void report_kernels(struct report *r)
{
    struct kernel_rows k = {.n = 0};
    for (uint32_t i = 0; i < r->runs; i++) {
        add_kernels(&k, &r->run[i], "kernels");
        add_kernels(&k, &r->run[i], "event_kernels");
    }
    report_heading(r, "Kernels by time");
    if (k.n)
        qsort(k.row, k.n, sizeof *k.row, by_cycles);
    report_table_begin(r, "Of all launches together; rates of the cores that had its warps");
    fprintf(r->page,
            "<thead><tr><th>run</th><th>guest</th><th class=\"text\">kernel</th><th>launches"
            "</th><th>cycles</th><th>ms</th><th>IPC</th><th>occupancy [%%]</th><th>L1 hits [%%]"
            "</th><th>L2 hits [%%]</th><th>DRAM [%%]</th><th class=\"text\">waits most for"
            "</th></tr></thead>\n");
    for (uint32_t i = 0; i < k.n && i < KERNELS * r->runs; i++)
        put_kernel(r, &k.row[i]);
    report_table_end(r);
    free(k.row);
}

/* --- source lines ----------------------------------------------------------------------------- */

/* The text of "FILE:LINE..." where that can be read here and now. */
static bool put_source(FILE *page, const char *where)
{
    char path[300], *line = NULL;
    size_t room = 0, n = strcspn(where, ":");
    uint64_t number = where[n] == ':' ? strtoull(where + n + 1, NULL, 10) : 0;
    bool found = false;
    snprintf(path, sizeof path, "%.*s", (int)n, where);
    FILE *file = number ? fopen(path, "r") : NULL;
    while (file && number && getline(&line, &room, file) > 0 && --number)
        ;
    if (file && line && !number) {
        char *text = line;
        while (isspace((unsigned char)*text))
            text++;
        text[strcspn(text, "\r\n")] = '\0';
        found = *text != '\0';
        if (found)
            html_element(page, "code", text);
    }
    if (file)
        fclose(file);
    free(line);
    return found;
}

static void put_line(struct report *r, const struct report_run *run, const json_t *line)
{
    const char *where = report_text(line, "where");
    char text[160];
    fprintf(r->page, "<tr><td>%s</td>", run->name);
    report_cell(r, 100 * report_number(line, "share"), 1);
    fprintf(r->page, "<td class=\"text\"><code>");
    html_text(r->page, report_text(line, "kernel"));
    fprintf(r->page, "</code></td>");
    fprintf(r->page, "<td class=\"text\">");
    html_text(r->page, where);
    fprintf(r->page, "<br>");
    if (!put_source(r->page, where))
        html_element(r->page, "code", report_text(line, "ptx"));
    fprintf(r->page, "</td><td class=\"text\">");
    snprintf(text, sizeof text, "%.60s %.0f %%", report_text(line, "main_stall"),
             100 * report_number(line, "main_share"));
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    html_text(r->page, text);
    fprintf(r->page, "</td></tr>\n");
}

void report_lines(struct report *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->runs; i++)
        any = any || json_array_size(report_at(r->run[i].json, "details.source_lines"));
    report_heading(r, "Source lines by time");
    if (!any) {
        report_note(r, "Not recorded: run with evgpu run --details --json FILE.json.");
        return;
    }
    report_note(r, "Share of all warps' cycles in which the line's instructions were next, from "
                   "samples. Lines of PTX are those of kernels without line information.");
    report_table_begin(r, "Lines");
    fprintf(r->page,
            "<thead><tr><th>run</th><th>share [%%]</th><th class=\"text\">kernel</th><th "
            "class=\"text\">line</th><th class=\"text\">waits most for</th></tr></thead>\n");
    for (uint32_t i = 0; i < r->runs; i++) {
        size_t k;
        const json_t *line;
        json_array_foreach(report_at(r->run[i].json, "details.source_lines"), k, line)
        {
            if (k < LINES)
                put_line(r, &r->run[i], line);
        }
    }
    report_table_end(r);
}

/* --- differences ------------------------------------------------------------------------------ */

static void put_difference(struct report *r, const struct difference *d)
{
    char text[64];
    const struct result_leaf *one = d->a ? d->a : d->b;
    fprintf(r->page, "<tr><td class=\"text\">");
    html_text(r->page, one->path);
    fprintf(r->page, "</td>");
    for (int i = 0; i < 2; i++) {
        const struct result_leaf *leaf = i ? d->b : d->a;
        snprintf(text, sizeof text, "-");
        if (leaf)
            leaf_text(leaf->value, text, sizeof text);
        html_element(r->page, "td", text);
    }
    if (isfinite(d->relative))
        fprintf(r->page, "<td>%+.1f %%</td>", 100 * d->relative);
    else
        fprintf(r->page, "<td>-</td>");
    html_element(r->page, "td", leaf_unit(one));
    fprintf(r->page, "</tr>\n");
}

static void put_differences(struct report *r, const char *caption, const struct result_file *a,
                            const struct result_file *b, const struct leaf_filter *filter)
{
    struct comparison c;
    compare(&c, a, b, filter, 0);
    report_table_begin(r, caption);
    fprintf(r->page, "<thead><tr><th class=\"text\">field</th><th>A</th><th>B</th><th>change</th>"
                     "<th>unit</th></tr></thead>\n");
    for (uint32_t i = 0; i < c.count && i < DIFFERENCES; i++)
        put_difference(r, &c.differences[i]);
    report_table_end(r);
    report_note(r, "%u of %u common fields differ%s.", c.count, c.compared,
                c.count > DIFFERENCES ? "; evgpu compare prints all of them" : "");
    comparison_free(&c);
}

void report_differences(struct report *r)
{
    static const struct leaf_filter origins = {
        .ignore = {"about.command", "about.date", "about.host"}, .ignored = 3};
    static const struct leaf_filter figures = {.ignore = {"details", "*.latency_histograms.*",
                                                          "gpu.per_core", "concurrency.series",
                                                          "concurrency.watched"},
                                               .ignored = 5};
    struct result_file of[2];
    if (r->runs != 2)
        return;
    report_heading(r, "What differs");
    result_file_part(&of[0], r->run[0].file.about, "about", &r->fields);
    result_file_part(&of[1], r->run[1].file.about, "about", &r->fields);
    put_differences(r, "Version, seed and machine", &of[0], &of[1], &origins);
    result_file_free(&of[0]);
    result_file_free(&of[1]);
    put_differences(r, "Figures, most changed first", &r->run[0].file, &r->run[1].file, &figures);
}
