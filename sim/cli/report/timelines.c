/* The timeline of each run that has one, as far as a picture can show it. */
#include <float.h>
#include <stdlib.h>

#include "sim/cli/report/report.h"
#include "sim/cli/timeline_rows.h"

#define MOST_BOXES 3000u /* of a picture */

static uint32_t boxes(const struct timeline_rows *rows)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < TIMELINE_ROWS; i++)
        n += rows->row[i].count;
    return n;
}

/* Reads less and less of the beginning, until a picture can hold it. False: `err`, or no boxes. */
static bool read_some(const char *path, struct timeline_rows *rows, struct timeline_view *view,
                      bool *cut, struct error *err)
{
    *view = (struct timeline_view){.to = DBL_MAX, .least = 0.5};
    for (*cut = false;; *cut = true) {
        double first, last;
        bool read = timeline_rows_read(rows, path, view, err);
        if (!read || !timeline_rows_span(rows, &first, &last))
            return false;
        view->from = first;
        view->to = last;
        if (boxes(rows) <= MOST_BOXES)
            return true;
        view->to = first + (last - first) / 2;
        timeline_rows_free(rows);
    }
}

static bool draw(struct report *r, const struct report_run *run, struct error *err)
{
    struct timeline_rows rows;
    struct timeline_view view;
    char caption[300];
    bool cut;
    if (!read_some(run->timeline, &rows, &view, &cut, err)) {
        timeline_rows_free(&rows);
        if (!err->set)
            report_note(r, "%s: the timeline has no calls, copies, kernels or events.", run->name);
        return !err->set;
    }
    snprintf(caption, sizeof caption, "%s: CPU, driver, transfers and GPU over time%s (%.120s)",
             run->name, cut ? ", its beginning; evgpu timeline draws other parts" : "",
             run->timeline);
    fprintf(r->page, "<div class=\"wide\">");
    FILE *script = charts_begin(r->charts, r->page, CHART_TIMELINE, caption);
    timeline_script(&rows, "", &view, charts_width(CHART_TIMELINE), script);
    fprintf(r->page, "</div>\n");
    timeline_rows_free(&rows);
    return true;
}

bool report_timelines(struct report *r, struct error *err)
{
    uint32_t n = 0;
    report_heading(r, "Timeline");
    for (uint32_t i = 0; i < r->runs; i++) {
        n += r->run[i].timeline != NULL;
        if (r->run[i].timeline && !draw(r, &r->run[i], err))
            return false;
    }
    if (!n)
        report_note(r, "No timeline: record one with evgpu run --timeline FILE.json, and give the "
                       "file to evgpu report beside the run's.");
    return true;
}
