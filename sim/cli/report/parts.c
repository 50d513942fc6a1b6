/* What the sections of a page have in common. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/html.h"
#include "sim/cli/report/report.h"

const json_t *report_at(const json_t *json, const char *path)
{
    char key[128];
    while (json && *path) {
        size_t n = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        json = json_object_get(json, key);
        path += n + (path[n] == '.');
    }
    return json;
}

double report_number(const json_t *json, const char *path)
{
    const json_t *value = report_at(json, path);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *report_text(const json_t *json, const char *path)
{
    const char *text = json_string_value(report_at(json, path));
    return text ? text : "";
}

double *report_times(const struct report_run *r, uint32_t *moments)
{
    const json_t *cycle = json_object_get(r->series, "cycle");
    *moments = (uint32_t)json_array_size(cycle);
    if (!*moments)
        return NULL;
    double *times = ALLOC_ARRAY(double, *moments + 1);
    for (uint32_t i = 0; i < *moments; i++)
        times[i + 1] = json_number_value(json_array_get(cycle, i)) / r->khz;
    return times;
}

const json_t *report_guest(const struct report_run *r, const char *guest)
{
    return json_object_get(json_object_get(r->json, "guests"), guest);
}

const char **report_guests(const struct report *r, const char *key, uint32_t *n)
{
    const char **names = NULL;
    uint32_t capacity = 0;
    *n = 0;
    for (uint32_t i = 0; i < r->runs; i++) {
        const char *name;
        json_t *guest;
        json_object_foreach((json_t *)json_object_get(r->run[i].json, "guests"), name, guest)
        {
            uint32_t k = 0;
            while (k < *n && strcmp(names[k], name) != 0)
                k++;
            if (k < *n || !json_object_size(json_object_get(guest, key)))
                continue;
            ARRAY_RESERVE(names, *n, capacity);
            names[(*n)++] = name;
        }
    }
    return names;
}

/* --- page ------------------------------------------------------------------------------------- */

void report_heading(struct report *r, const char *text)
{
    html_element(r->page, "h2", text);
    fputc('\n', r->page);
}

void report_note(struct report *r, const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(r->page, "<p class=\"note\">");
    html_text(r->page, text);
    fprintf(r->page, "</p>\n");
}

void report_table_begin(struct report *r, const char *caption)
{
    fprintf(r->page, "<div class=\"wide\"><table><caption>");
    html_text(r->page, caption);
    fprintf(r->page, "</caption>\n");
}

void report_table_end(struct report *r)
{
    fprintf(r->page, "</table></div>\n");
}

void report_cell(struct report *r, double value, uint32_t decimals)
{
    if (!isfinite(value))
        fprintf(r->page, "<td>-</td>");
    else if (value >= 100 || !decimals)
        fprintf(r->page, "<td>%.0f</td>", value);
    else
        fprintf(r->page, "<td>%.*f</td>", (int)decimals, value);
}

void report_change(struct report *r, double a, double b)
{
    if (isfinite(a) && isfinite(b) && a != 0)
        fprintf(r->page, "<td>%+.1f %%</td>", 100 * (b - a) / a);
    else
        fprintf(r->page, "<td>-</td>");
}
