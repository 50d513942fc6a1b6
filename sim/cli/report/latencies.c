/* How long events and packets took, by part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/html.h"
#include "base/picture.h"
#include "sim/cli/report/report.h"

static const struct {
    const char *key, *name;
} latencies[] = {{"packet", "packet, wire to wire"},
                 {"event", "event, the NIC's signal to its done flag"},
                 {"launch", "launch, all parts"},
                 {"pcie", "launch: PCIe"},
                 {"decoder", "launch: doorbell decoder"},
                 {"kernel_table", "launch: event kernel table"},
                 {"dispatch", "launch: dispatch"},
                 {"preemption", "launch: preemption"},
                 {"first_instruction", "launch: first instruction"},
                 {"cpu_launch", "CPU launch, call to front end"},
                 {"event_runtime", "event, first to last instruction"},
                 {"completion", "completion, last instruction to the NIC"}};
#define LATENCIES (sizeof latencies / sizeof *latencies)

static const json_t *latency(const struct report_run *r, const char *guest, const char *where,
                             const char *key)
{
    return json_object_get(json_object_get(report_guest(r, guest), where), key);
}

static bool any_samples(const struct report *r, const char *guest, const char *key)
{
    for (uint32_t i = 0; i < r->runs; i++) {
        if (report_number(latency(&r->run[i], guest, "latency_cycles", key), "count") > 0)
            return true;
    }
    return false;
}

static void put_row(struct report *r, const char *guest, size_t which)
{
    static const char *const of[] = {"count", "mean", "p50", "p99", "max"};
    for (uint32_t i = 0; i < r->runs; i++) {
        const json_t *figures = latency(&r->run[i], guest, "latency_cycles", latencies[which].key);
        fprintf(r->page, "<tr>");
        if (!i)
            fprintf(r->page, "<th class=\"text\" rowspan=\"%u\">%s</th>", r->runs,
                    latencies[which].name);
        fprintf(r->page, "<td>%s</td>", r->run[i].name);
        for (size_t k = 0; k < sizeof of / sizeof *of; k++)
            report_cell(r, report_number(figures, of[k]), 1);
        report_cell(r, report_number(figures, "mean") * 1000 / r->run[i].khz, 3);
        if (r->runs == 2 && i == 1)
            report_change(
                r,
                report_number(latency(&r->run[0], guest, "latency_cycles", latencies[which].key),
                              "mean"),
                report_number(figures, "mean"));
        else if (r->runs == 2)
            fprintf(r->page, "<td></td>");
        fprintf(r->page, "</tr>\n");
    }
}

static void put_table(struct report *r, const char *guest)
{
    report_table_begin(r, "Core cycles");
    fprintf(r->page,
            "<thead><tr><th></th><th>run</th><th>count</th><th>mean</th><th>p50</th><th>p99</th>"
            "<th>max</th><th>mean [us]</th>%s</tr></thead>\n",
            r->runs == 2 ? "<th>mean, B against A</th>" : "");
    for (size_t k = 0; k < LATENCIES; k++) {
        if (any_samples(r, guest, latencies[k].key))
            put_row(r, guest, k);
    }
    report_table_end(r);
}

/* --- histograms ------------------------------------------------------------------------------- */

/* Bins as bars from their begin to the next one's, in percent of all samples: runs of different
 * lengths are compared. */
static bool put_bins(FILE *script, uint32_t run, const json_t *bins)
{
    const json_t *from = json_object_get(bins, "from"), *count = json_object_get(bins, "count");
    double all = 0;
    size_t n = json_array_size(from);
    for (size_t i = 0; i < n; i++)
        all += json_number_value(json_array_get(count, i));
    if (!n || all <= 0)
        return false;
    fprintf(script, "$h%u << END\n", run);
    for (size_t i = 0; i < n; i++) {
        double begin = json_number_value(json_array_get(from, i));
        double end =
            i + 1 < n ? json_number_value(json_array_get(from, i + 1)) : report_number(bins, "to");
        fprintf(script, "%.9g %.9g %.9g\n", begin, end,
                100 * json_number_value(json_array_get(count, i)) / all);
    }
    fprintf(script, "END\n");
    return true;
}

/* Steps of the axis: there is room for four numbers. */
static double step_of(double range)
{
    double power = pow(10, floor(log10(range / 4)));
    double of = range / 4 / power;
    return power * (of > 5 ? 10 : of > 2 ? 5 : of > 1 ? 2 : 1);
}

static void put_axes(const struct report *r, const char *guest, const char *key, FILE *script)
{
    double low = INFINITY, high = 0;
    for (uint32_t i = 0; i < r->runs; i++) {
        const json_t *bins = latency(&r->run[i], guest, "latency_histograms", key);
        const json_t *from = json_object_get(bins, "from");
        if (!json_array_size(from))
            continue;
        low = fmin(low, json_number_value(json_array_get(from, 0)));
        high = fmax(high, report_number(bins, "to"));
    }
    fprintf(script,
            "set xlabel \"core cycles\"\nset ylabel \"%% of the samples\"\nset yrange [0:*]\nset "
            "xrange [%.9g:%.9g]\nset xtics %.9g\nset style fill transparent solid 0.5 noborder\n%s",
            low, high, step_of(high - low), r->runs == 1 ? "unset key\n" : "");
}

static void draw_histogram(struct report *r, const char *guest, size_t which)
{
    char caption[160];
    const char *key = latencies[which].key, *separator = "plot ";
    snprintf(caption, sizeof caption, "%.60s: %s", guest, latencies[which].name);
    FILE *script = charts_begin(r->charts, r->page, CHART_SMALL, caption);
    put_axes(r, guest, key, script);
    for (uint32_t i = 0; i < r->runs; i++) {
        if (!put_bins(script, i, latency(&r->run[i], guest, "latency_histograms", key)))
            fprintf(script, "$h%u << END\n0 0 NaN\nEND\n", i);
    }
    for (uint32_t i = 0; i < r->runs; i++, separator = ", \\\n  ")
        fprintf(script,
                "%s$h%u using (($1+$2)/2):3:1:2:(0):3 with boxxyerror lc rgb \"%s\" title \"%s\"",
                separator, i, charts_colour(i), r->run[i].name);
    fputc('\n', script);
}

static bool has_histogram(const struct report *r, const char *guest, const char *key)
{
    for (uint32_t i = 0; i < r->runs; i++) {
        const json_t *bins = latency(&r->run[i], guest, "latency_histograms", key);
        if (json_array_size(json_object_get(bins, "count")) > 1)
            return true; /* a single bin is no picture: the table says it */
    }
    return false;
}

static void draw_histograms(struct report *r, const char *guest)
{
    bool any = false;
    for (size_t k = 0; k < LATENCIES; k++) {
        if (!has_histogram(r, guest, latencies[k].key))
            continue;
        fprintf(r->page, "%s", any ? "" : "<div class=\"grid\">\n");
        any = true;
        draw_histogram(r, guest, k);
    }
    if (any)
        fprintf(r->page, "</div>\n");
    else
        report_note(r, "No histograms: evgpu run --details records them.");
}

/* --- where a packet's time goes --------------------------------------------------------------- */

static void draw_parts(struct report *r, const char *guest)
{
    static const char *const parts[] = {"queuing", "launch", "run", "completion", "send"};
    const size_t n = sizeof parts / sizeof *parts;
    char caption[160];
    snprintf(caption, sizeof caption, "%.60s: where the time of a forwarded packet goes, means",
             guest);
    fprintf(r->page, "<div class=\"wide\">");
    FILE *script = charts_begin(r->charts, r->page, CHART_WIDE, caption);
    fprintf(script,
            "set xlabel \"core cycles\"\nset xrange [0:*]\nset yrange [%u:-1]\n"
            "unset grid\nset grid xtics lc rgb \"#e0e0e0\"\nset ytics (",
            r->runs);
    for (uint32_t i = 0; i < r->runs; i++)
        fprintf(script, "%s\"%s\" %u", i ? ", " : "", r->run[i].name, i);
    fprintf(script, ")\n$d << END\n");
    for (uint32_t i = 0; i < r->runs; i++) {
        double at = 0;
        fprintf(script, "%u", i);
        for (size_t k = 0; k < n; k++) {
            const json_t *of = json_object_get(report_guest(&r->run[i], guest), "packet_parts");
            double part = report_number(of, parts[k]);
            fprintf(script, " %.9g", at);
            at += isfinite(part) ? part : 0;
        }
        fprintf(script, " %.9g\n", at);
    }
    fprintf(script, "END\n");
    for (size_t k = 0; k < n; k++)
        fprintf(script,
                "%s$d using %zu:1:%zu:%zu:($1-0.35):($1+0.35) with boxxyerror fs solid noborder lc "
                "rgb \"%s\" title \"%s\"",
                k ? ", \\\n  " : "plot ", k + 2, k + 2, k + 3, charts_colour((uint32_t)k),
                parts[k]);
    fprintf(script, "\n");
    fprintf(r->page, "</div>\n");
}

void report_latencies(struct report *r)
{
    uint32_t n;
    const char **guests = report_guests(r, "latency_cycles", &n);
    for (uint32_t g = 0; g < n; g++) {
        char title[160];
        snprintf(title, sizeof title, "Latency of %.100s", guests[g]);
        report_heading(r, title);
        put_table(r, guests[g]);
        draw_parts(r, guests[g]);
        draw_histograms(r, guests[g]);
    }
    free(guests);
}
