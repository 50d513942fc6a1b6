/* Heat maps: DRAM channels and links of the network over time, and the links of a mesh where they
 * are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cli/report/report.h"

#define MOST_LINKS 20u /* of a heat map: the busiest */

/* Light to dark, so that paper shows it as well. */
static void put_palette(FILE *script, double most)
{
    fprintf(script,
            "set palette defined (0 \"#f7fbff\", 0.25 \"#c6dbef\", 0.5 \"#6baed6\", 0.75 "
            "\"#2171b5\", 1 \"#08306b\")\nset cbrange [0:%.3g]\nunset grid\nset cbtics font "
            "\",13\"\n",
            most > 0 ? most : 1);
}

/* --- over time -------------------------------------------------------------------------------- */

struct heat {
    const json_t *const *row; /* lists of shares, one value for each moment */
    const char *const *name;
    uint32_t rows;
    double most;
};

static void draw_heat(struct report *r, const struct report_run *run, const char *caption,
                      const char *label, const struct heat *h)
{
    uint32_t moments;
    double *times = report_times(run, &moments);
    fprintf(r->page, "<div class=\"wide\">");
    FILE *script =
        charts_begin(r->charts, r->page, h->rows > 4 ? CHART_WIDE : CHART_STRIP, caption);
    fprintf(script, "$d << END\n");
    for (uint32_t y = 0; y < h->rows; y++) {
        for (uint32_t i = 0; i < moments; i++) {
            const json_t *value = json_array_get(h->row[y], i);
            if (json_is_number(value))
                fprintf(script, "%.6g %.6g %u %.4g\n", times[i], times[i + 1], y,
                        json_number_value(value));
        }
    }
    fprintf(script, "END\n");
    put_palette(script, h->most);
    fprintf(script,
            "set xlabel \"simulated time [ms]\"\nset ylabel \"%s\"\nset xrange [0:%.6g]\nset "
            "yrange [%u - 0.5:-0.5]\nset ytics (",
            label, times[moments], h->rows);
    for (uint32_t y = 0; y < h->rows; y++)
        fprintf(script, "%s\"%s\" %u", y ? ", " : "", h->name[y], y);
    fprintf(script,
            ")\nplot $d using (($1+$2)/2):3:1:2:($3-0.5):($3+0.5):4 with boxxyerror fs solid "
            "noborder lc palette notitle\n");
    fprintf(r->page, "</div>\n");
    free(times);
}

static double greatest(const json_t *list)
{
    double most = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        most = fmax(most, json_number_value(json_array_get(list, i)));
    return most;
}

static void draw_channels(struct report *r, const struct report_run *run, const char *key,
                          const char *caption, double most)
{
    const json_t *dram = json_object_get(run->series, "dram");
    uint32_t n = (uint32_t)json_array_size(dram);
    const json_t **row = ALLOC_ARRAY(const json_t *, n + 1);
    char(*number)[12] = alloc_array(n + 1, sizeof *number), text[160];
    const char **name = ALLOC_ARRAY(const char *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        row[i] = json_object_get(json_array_get(dram, i), key);
        snprintf(number[i], sizeof number[i], "%u", i);
        name[i] = number[i];
    }
    snprintf(text, sizeof text, "%s: %s", run->name, caption);
    const struct heat h = {.row = row, .name = name, .rows = n, .most = most};
    draw_heat(r, run, text, "partition", &h);
    free(row);
    free(number);
    free(name);
}

/* --- links ------------------------------------------------------------------------------------ */

#define MESH_PORTS 5u /* local, east, west, south, north: sim/mem/net/mesh.h */

struct link {
    const json_t *series;
    double mean;
    uint32_t number;
    char name[32];
};

static const char *const port_names[MESH_PORTS] = {"out", "east", "west", "south", "north"};

static bool is_mesh(const struct report_run *run)
{
    return strcmp(report_text(run->json, "about.config.values.network.kind"), "mesh") == 0;
}

/* Links count flits in core cycles; the network's clock has its own. */
static double clocks(const struct report_run *run)
{
    double khz = report_number(run->json, "about.config.values.network.clock_khz");
    return khz > 0 ? run->khz / khz : 1;
}

static int by_mean(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    if (x->mean != y->mean)
        return x->mean < y->mean ? 1 : -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static struct link *links_of(const struct report_run *run, const char *key, uint32_t *n)
{
    const json_t *list = json_object_get(run->series, key);
    *n = (uint32_t)json_array_size(list);
    struct link *links = ALLOC_ARRAY(struct link, *n + 1);
    uint32_t moments;
    double *times = report_times(run, &moments);
    for (uint32_t i = 0; i < *n; i++) {
        struct link *l = &links[i];
        l->series = json_object_get(json_array_get(list, i), "flits");
        l->number = i;
        for (uint32_t k = 0; k < moments; k++)
            l->mean += json_number_value(json_array_get(l->series, k)) * (times[k + 1] - times[k]) /
                       times[moments];
        if (is_mesh(run))
            snprintf(l->name, sizeof l->name, "%u %s", i / MESH_PORTS, port_names[i % MESH_PORTS]);
        else
            snprintf(l->name, sizeof l->name, "%u", i);
    }
    free(times);
    return links;
}

static void draw_links(struct report *r, const struct report_run *run, const char *key,
                       const char *what)
{
    uint32_t n;
    char caption[200];
    struct link *links = links_of(run, key, &n);
    const json_t *row[MOST_LINKS];
    const char *name[MOST_LINKS];
    struct heat h = {.row = row, .name = name};
    if (n > MOST_LINKS)
        qsort(links, n, sizeof *links, by_mean);
    const char *plural = n == 1 ? "" : "s";
    for (uint32_t i = 0; i < n && i < MOST_LINKS; i++) {
        row[i] = links[i].series;
        name[i] = links[i].name;
        h.most = fmax(h.most, greatest(row[i]));
        h.rows++;
    }
    snprintf(caption, sizeof caption, "%s: %s, flits per core cycle of %s%u link%s%s", run->name,
             what, n > MOST_LINKS ? "the busiest " : "", h.rows, plural,
             is_mesh(run) ? " (router and direction)" : " (output)");
    draw_heat(r, run, caption, is_mesh(run) ? "link" : "output", &h);
    free(links);
}

/* Routers where they are; each link lies beside its line, on the side of its direction. */
static void draw_mesh(struct report *r, const struct report_run *run, const char *key,
                      const char *what)
{
    static const int dx[MESH_PORTS] = {0, 1, -1, 0, 0}, dy[MESH_PORTS] = {0, 0, 0, 1, -1};
    uint32_t n;
    char caption[200];
    struct link *links = links_of(run, key, &n);
    double most = 0, columns = report_number(run->series, "mesh_width");
    uint32_t width = columns >= 1 ? (uint32_t)columns : 1;
    /* A network in two parts (network.parts) has each link twice; the first part is drawn. */
    bool parts = strcmp(report_text(run->json, "about.config.values.network.parts"), "shared") != 0;
    uint32_t nodes = n / MESH_PORTS / (parts ? 2 : 1);
    snprintf(caption, sizeof caption, "%s: %s, share of the ticks in which each link is busy",
             run->name, what);
    FILE *script = charts_begin(r->charts, r->page, CHART_SMALL, caption);
    fprintf(script, "$d << END\n");
    for (uint32_t i = 0; i < nodes * MESH_PORTS; i++) {
        uint32_t port = i % MESH_PORTS, x = i / MESH_PORTS % width, y = i / MESH_PORTS / width;
        double use = links[i].mean * clocks(run);
        if (!port)
            continue;
        most = fmax(most, use);
        fprintf(script, "%.3f %.3f %.3f %.3f %.4g\n", x + 0.14 * dx[port] + 0.09 * dy[port],
                y + 0.14 * dy[port] - 0.09 * dx[port], 0.72 * dx[port], 0.72 * dy[port], use);
    }
    fprintf(script, "END\n$n << END\n");
    for (uint32_t i = 0; i < nodes; i++)
        fprintf(script, "%u %u %.4g\n", i % width, i / width,
                links[i * MESH_PORTS].mean * clocks(run));
    fprintf(script, "END\n");
    put_palette(script, most);
    fprintf(script,
            "set xrange [-0.6:%u - 0.4]\nset yrange [%u - 0.4:-0.6]\nset xtics 1\nset ytics 1\n"
            "set size ratio -1\nplot $n using 1:2 with points pt 5 ps 0.9 lc rgb \"#595959\" "
            "notitle, \\\n  $d using 1:2:3:4:5 with vectors head size screen 0.012,25 filled lw 3 "
            "lc palette notitle\n",
            width, (nodes + width - 1) / width);
    free(links);
}

void report_memory(struct report *r)
{
    bool any = false;
    report_heading(r, "DRAM and network");
    for (uint32_t i = 0; i < r->runs; i++) {
        const struct report_run *run = &r->run[i];
        if (!run->series)
            continue;
        any = true;
        draw_channels(r, run, "bus_use", "share of the DRAM cycles in which the data bus is busy",
                      1);
        draw_channels(r, run, "row_hit_rate", "share of the DRAM requests that hit an open row", 1);
        if (is_mesh(run)) {
            fprintf(r->page, "<div class=\"grid\">\n");
            draw_mesh(r, run, "request_links", "request network");
            draw_mesh(r, run, "reply_links", "reply network");
            fprintf(r->page, "</div>\n");
        }
        draw_links(r, run, "request_links", "request network");
        draw_links(r, run, "reply_links", "reply network");
    }
    if (!any)
        report_note(r, "Not recorded: run with evgpu run --details --json FILE.json.");
}
