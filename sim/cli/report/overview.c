/* What ran, on which machine, and whether it was right; the foot of the page. */
#include <math.h>
#include <string.h>

#include "base/html.h"
#include "base/version.h"
#include "sim/cli/report/report.h"

static void put_command(FILE *page, const json_t *words)
{
    size_t i;
    const json_t *word;
    json_array_foreach(words, i, word)
    {
        const char *text = json_is_string(word) ? json_string_value(word) : "";
        bool quoted = strpbrk(text, " '\"$*(){};&|<>\\`!?[]#~") != NULL || !*text;
        fprintf(page, "%s%s", i ? " " : "", quoted ? "'" : "");
        html_text(page, text);
        fprintf(page, "%s", quoted ? "'" : "");
    }
}

static void put_commands(struct report *r)
{
    fprintf(r->page, "<pre>");
    for (uint32_t i = 0; i < r->runs; i++) {
        fprintf(r->page, "%s: ", r->run[i].name);
        put_command(r->page, report_at(r->run[i].json, "about.command"));
        fputc('\n', r->page);
    }
    fprintf(r->page, "</pre>\n");
}

/* --- rows of the table ------------------------------------------------------------------------ */

static double milliseconds(const struct report_run *r)
{
    return report_number(r->json, "cycles") / r->khz;
}

static double instructions(const struct report_run *r)
{
    return report_number(r->json, "gpu.cores.warp_instructions");
}

static double per_cycle(const struct report_run *r)
{
    return instructions(r) / report_number(r->json, "cycles");
}

static double l1_hits(const struct report_run *r)
{
    double hits = report_number(r->json, "gpu.cores.l1_hits");
    return 100 * hits / (hits + report_number(r->json, "gpu.cores.l1_misses"));
}

static double events(const struct report_run *r)
{
    return report_number(r->json, "gpu.events");
}

static double cores(const struct report_run *r)
{
    return report_number(r->json, "about.config.values.gpu.cores");
}

static double mhz(const struct report_run *r)
{
    return r->khz / 1000;
}

static double seed(const struct report_run *r)
{
    return report_number(r->json, "about.seed");
}

static void put_figures(struct report *r)
{
    static const struct {
        const char *name;
        double (*of)(const struct report_run *r);
        uint32_t decimals;
        bool compared;
    } rows[] = {{"SIMT cores", cores, 0, false},
                {"their clock [MHz]", mhz, 0, false},
                {"seed", seed, 0, false},
                {"simulated time [ms]", milliseconds, 3, true},
                {"warp instructions", instructions, 0, true},
                {"warp instructions per cycle, all cores", per_cycle, 3, true},
                {"L1 hits [%]", l1_hits, 1, true},
                {"events", events, 0, true}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        fprintf(r->page, "<tr>");
        html_element(r->page, "th", rows[k].name);
        for (uint32_t i = 0; i < r->runs; i++)
            report_cell(r, rows[k].of(&r->run[i]), rows[k].decimals);
        if (r->runs == 2 && rows[k].compared)
            report_change(r, rows[k].of(&r->run[0]), rows[k].of(&r->run[1]));
        else if (r->runs == 2)
            fprintf(r->page, "<td></td>");
        fprintf(r->page, "</tr>\n");
    }
}

static void put_names(struct report *r)
{
    static const struct {
        const char *name, *path;
    } rows[] = {{"machine", "config"},
                {"scheduling of events", "sched"},
                {"choice of victims", "policy"},
                {"concurrency", "concurrency.policy"},
                {"evgpu", "about.evgpu.commit"}};
    fprintf(r->page, "<thead><tr><th></th>");
    for (uint32_t i = 0; i < r->runs; i++) {
        fprintf(r->page, "<th>%s: ", r->run[i].name);
        html_text(r->page, r->run[i].file.name);
        fprintf(r->page, "</th>");
    }
    fprintf(r->page, "%s</tr></thead>\n", r->runs == 2 ? "<th>B against A</th>" : "");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        fprintf(r->page, "<tr>");
        html_element(r->page, "th", rows[k].name);
        for (uint32_t i = 0; i < r->runs; i++) {
            char text[48];
            snprintf(text, sizeof text, "%.12s", report_text(r->run[i].json, rows[k].path));
            html_element(r->page, "td", text);
        }
        fprintf(r->page, "%s</tr>\n", r->runs == 2 ? "<td></td>" : "");
    }
}

static void put_verdicts(struct report *r)
{
    report_table_begin(r, "Verdicts");
    fprintf(r->page, "<thead><tr><th>run</th><th>guest</th><th>kind</th><th class=\"text\">verdict"
                     "</th></tr></thead>\n");
    for (uint32_t i = 0; i < r->runs; i++) {
        const char *name;
        json_t *guest;
        json_object_foreach((json_t *)json_object_get(r->run[i].json, "guests"), name, guest)
        {
            bool right = json_is_true(json_object_get(guest, "verified"));
            fprintf(r->page, "<tr><td>%s</td>", r->run[i].name);
            html_element(r->page, "td", name);
            html_element(r->page, "td", report_text(guest, "kind"));
            fprintf(r->page, "<td class=\"text\"><b class=\"%s\">%s</b> ", right ? "good" : "bad",
                    right ? "verified" : "not verified");
            html_text(r->page, report_text(guest, "verdict"));
            fprintf(r->page, "</td></tr>\n");
        }
    }
    report_table_end(r);
}

void report_overview(struct report *r)
{
    html_element(r->page, "h1", r->runs == 1 ? "A run of evgpu" : "Runs of evgpu");
    put_commands(r);
    for (uint32_t i = 0; i < r->runs; i++) {
        const char *end = report_text(r->run[i].json, "end");
        bool right = strcmp(end, "verified") == 0;
        fprintf(r->page, "<p>%s: <b class=\"%s\">", r->run[i].name, right ? "good" : "bad");
        html_text(r->page, end);
        fprintf(r->page, "</b></p>\n");
    }
    report_table_begin(r, "Runs");
    put_names(r);
    put_figures(r);
    report_table_end(r);
    put_verdicts(r);
}

void report_foot(struct report *r)
{
    char text[VERSION_TEXT];
    fprintf(r->page, "<footer>");
    for (uint32_t i = 0; i < r->runs; i++) {
        const json_t *j = r->run[i].json;
        fprintf(r->page, "<p>%s: evgpu %s, commit %.12s%s; %s; machine ", r->run[i].name,
                report_text(j, "about.evgpu.release"), report_text(j, "about.evgpu.commit"),
                json_is_true(report_at(j, "about.evgpu.dirty")) ? " with changes" : "",
                report_text(j, "about.date"));
        html_text(r->page, report_text(j, "about.config.file"));
        const json_t *override;
        size_t k;
        json_array_foreach(report_at(j, "about.config.overrides"), k, override)
        {
            fprintf(r->page, ", ");
            html_text(r->page, json_is_string(override) ? json_string_value(override) : "");
        }
        fprintf(r->page, "; seed %.0f</p>\n", report_number(j, "about.seed"));
    }
    fprintf(r->page, "<p>Page by evgpu %s.</p></footer>\n", version_text(text));
}
