/* What the warps of the cores waited for, over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cli/report/report.h"

/* The states of "warp_states" in as many groups as a stack can show. */
#define GROUP_KEYS 4u
static const struct group {
    const char *name, *colour;
    const char *keys[GROUP_KEYS];
} groups[] = {
    {"issuing", "#009e73", {"issued"}},
    {"issue slot or unit taken", "#56b4e9", {"not_selected", "execution_unit"}},
    {"dependence", "#cc79a7", {"dependence"}},
    {"memory", "#d55e00", {"memory", "load_store_unit"}},
    {"shared memory", "#e69f00", {"shared_memory", "bank_conflicts"}},
    {"barrier, fence, sleep", "#0072b2", {"barrier", "fence", "sleep"}},
    {"instructions, constants", "#999999", {"instruction_fetch", "constants"}},
    {"warp limit", "#f0e442", {"warp_limit"}},
    {"event, ending", "#333333", {"event", "ending"}},
};
#define GROUPS (sizeof groups / sizeof *groups)

/* Mean warps of a core in a group at each moment, added to `sum`. */
static void add_group(const json_t *core, const struct group *g, double *sum, uint32_t moments)
{
    const json_t *warps = json_object_get(core, "warps");
    for (uint32_t k = 0; k < GROUP_KEYS && g->keys[k]; k++) {
        const json_t *list = json_object_get(warps, g->keys[k]);
        for (uint32_t i = 0; i < moments; i++)
            sum[i] += json_number_value(json_array_get(list, i));
    }
}

/* Stacks as lines of gnuplot data: time, then the upper edge of each group, at both ends of each
 * moment, so that they are steps. */
static void put_stacks(FILE *script, const json_t *cores, uint32_t first, uint32_t n,
                       const double *times, uint32_t moments)
{
    double *sum = ALLOC_ARRAY(double, (size_t)moments *GROUPS);
    for (uint32_t c = first; c < first + n; c++) {
        for (size_t g = 0; g < GROUPS; g++)
            add_group(json_array_get(cores, c), &groups[g], sum + g * moments, moments);
    }
    fprintf(script, "$d << END\n");
    for (uint32_t i = 0; i < moments; i++) {
        char text[GROUPS * 16 + 1];
        int length = 0;
        double edge = 0;
        for (size_t g = 0; g < GROUPS; g++) {
            edge += sum[g * moments + i] / n;
            length += snprintf(text + length, sizeof text - (size_t)length, " %.4g", edge);
        }
        fprintf(script, "%.6g 0%s\n%.6g 0%s\n", times[i], text, times[i + 1], text);
    }
    fprintf(script, "END\n");
    free(sum);
}

/* From the top down, each over the ones below it. */
static void plot_stacks(FILE *script, bool named)
{
    for (size_t g = 0; g < GROUPS; g++)
        fprintf(script,
                "%s$d using 1:%zu:%zu with filledcurves fs solid noborder lc rgb \"%s\" %s%s%s",
                g ? ", \\\n  " : "plot ", g + 2, g + 3, groups[g].colour,
                named ? "title \"" : "notitle", named ? groups[g].name : "", named ? "\"" : "");
    fputc('\n', script);
}

static void put_axes(FILE *script, const double *times, uint32_t moments, double contexts)
{
    fprintf(script, "set xrange [0:%.6g]\nset yrange [0:%.6g]\n", times[moments], contexts);
}

/* The most warps that any core has at a moment, for all charts of the page. */
static double most_warps(const struct report *r)
{
    double most = 1;
    for (uint32_t i = 0; i < r->runs; i++) {
        const json_t *cores = json_object_get(r->run[i].series, "cores");
        size_t moments = json_array_size(json_object_get(r->run[i].series, "cycle"));
        for (size_t c = 0; c < json_array_size(cores); c++) {
            double *sum = ALLOC_ARRAY(double, moments + 1);
            for (size_t g = 0; g < GROUPS; g++)
                add_group(json_array_get(cores, c), &groups[g], sum, (uint32_t)moments);
            for (size_t k = 0; k < moments; k++)
                most = fmax(most, sum[k]);
            free(sum);
        }
    }
    return most;
}

static void draw_run(struct report *r, const struct report_run *run, double contexts)
{
    uint32_t moments;
    double *times = report_times(run, &moments);
    const json_t *cores = json_object_get(run->series, "cores");
    uint32_t n = (uint32_t)json_array_size(cores);
    char caption[200];
    snprintf(caption, sizeof caption, "%s: mean of the %u cores: warps by state over time",
             run->name, n);
    fprintf(r->page, "<div class=\"wide\">");
    FILE *script = charts_begin(r->charts, r->page, CHART_WIDE, caption);
    put_stacks(script, cores, 0, n, times, moments);
    put_axes(script, times, moments, contexts);
    fprintf(script, "set xlabel \"simulated time [ms]\"\nset ylabel \"warps\"\n");
    plot_stacks(script, true);
    fprintf(r->page, "</div>\n<div class=\"tiles\">\n");
    for (uint32_t c = 0; c < n; c++) {
        snprintf(caption, sizeof caption, "%s: core %u", run->name, c);
        script = charts_begin(r->charts, r->page, CHART_TINY, caption);
        put_stacks(script, cores, c, 1, times, moments);
        put_axes(script, times, moments, contexts);
        plot_stacks(script, false);
    }
    fprintf(r->page, "</div>\n");
    free(times);
}

void report_stalls(struct report *r)
{
    double contexts = most_warps(r);
    bool any = false;
    report_heading(r, "Stalls of each core over time");
    for (uint32_t i = 0; i < r->runs; i++) {
        if (!r->run[i].series)
            continue;
        if (!any)
            report_note(r, "Warps of a core by what they do or wait for, from samples. The small "
                           "charts have the axes and the colours of the large one.");
        any = true;
        draw_run(r, &r->run[i], contexts);
    }
    if (!any)
        report_note(r, "Not recorded: run with evgpu run --details --json FILE.json.");
}

/* --- concurrency management ------------------------------------------------------------------- */

static void draw_series(struct report *r, const char *caption, const char *label, const char *key,
                        double divide)
{
    fprintf(r->page, "<div class=\"wide\">");
    FILE *script = charts_begin(r->charts, r->page, CHART_WIDE, caption);
    const char *separator = "plot ";
    double most = 0;
    for (uint32_t i = 0; i < r->runs; i++) {
        const json_t *series = report_at(r->run[i].json, "concurrency.series");
        const json_t *cycle = json_object_get(series, "cycle"), *of = json_object_get(series, key);
        size_t n = json_array_size(of), each = n / 500 + 1;
        fprintf(script, "$l%u << END\n", i);
        for (size_t k = 0; k < n; k += each) {
            double sum = 0;
            size_t count = 0;
            for (; count < each && k + count < n; count++)
                sum += json_number_value(json_array_get(of, k + count));
            sum /= (double)count * divide;
            most = fmax(most, sum);
            fprintf(script, "%.6g %.6g\n",
                    json_number_value(json_array_get(cycle, k)) / r->run[i].khz, sum);
        }
        fprintf(script, "%sEND\n", n ? "" : "0 NaN\n");
    }
    fprintf(script, "set xlabel \"simulated time [ms]\"\nset ylabel \"%s\"\nset yrange [0:%.6g]\n",
            label, most > 0 ? 1.05 * most : 1);
    for (uint32_t i = 0; i < r->runs; i++, separator = ", \\\n  ")
        fprintf(script, "%s$l%u using 1:2 with steps lw 2 lc rgb \"%s\" title \"%s\"", separator, i,
                charts_colour(i), r->run[i].name);
    fprintf(script, "\n");
    fprintf(r->page, "</div>\n");
}

void report_concurrency(struct report *r)
{
    double interval = NAN;
    report_heading(r, "Warp limit and stalls over time");
    for (uint32_t i = 0; i < r->runs; i++) {
        double of = report_number(r->run[i].json, "concurrency.interval_cycles");
        report_note(r, "%s: policy %s, mean limit %.2f warps", r->run[i].name,
                    report_text(r->run[i].json, "concurrency.policy"),
                    report_number(r->run[i].json, "concurrency.mean_limit"));
        interval = isfinite(of) ? of : interval;
    }
    if (!isfinite(interval)) {
        report_note(r, "Without concurrency management, all warps may issue.");
        return;
    }
    draw_series(r, "Limit of the warps that may issue, mean of the cores", "warps", "mean_limit",
                1);
    draw_series(r, "Stalls at the memory controllers in each interval", "cycles", "stall_mc", 1);
    draw_series(r, "Stalls of the reply network in each interval", "cycles", "stall_net", 1);
    draw_series(r, "Stalls of the SIMT cores' schedulers, all cores, per cycle", "stalls per cycle",
                "stall_gpu", interval);
}
