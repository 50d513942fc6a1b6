#include "sim/cli/report/charts.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/html.h"
#include "base/picture.h"
#include "sim/cli/timeline_rows.h"

#define SCRIPT "charts.gnuplot"
#define MARK   "<!--chart "

static const struct {
    uint32_t width, height;
} sizes[CHART_SIZES] = {[CHART_TINY] = {180, 100},
                        [CHART_SMALL] = {350, 260},
                        [CHART_WIDE] = {720, 340},
                        [CHART_STRIP] = {720, 150},
                        [CHART_TIMELINE] = {720, TIMELINE_HEIGHT}};

struct charts {
    char folder[sizeof "/tmp/evgpu-report-XXXXXX"];
    FILE *script;
    uint32_t n;
};

uint32_t charts_width(enum chart_size size)
{
    return sizes[size].width;
}

const char *charts_colour(uint32_t i)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#595959", "#000000"};
    return colours[i % (sizeof colours / sizeof *colours)];
}

static void path_of(const struct charts *c, const char *name, char *path)
{
    snprintf(path, PATH_MAX, "%s/%s", c->folder, name);
}

struct charts *charts_create(struct error *err)
{
    struct charts *c = ALLOC(struct charts);
    char path[PATH_MAX];
    snprintf(c->folder, sizeof c->folder, "/tmp/evgpu-report-XXXXXX");
    if (!mkdtemp(c->folder)) {
        error_set(err, "%s: cannot be made: %s", c->folder, strerror(errno));
        free(c);
        return NULL;
    }
    path_of(c, SCRIPT, path);
    c->script = fopen(path, "w");
    if (c->script)
        return c;
    error_set(err, "%s: cannot be written: %s", path, strerror(errno));
    charts_destroy(c);
    return NULL;
}

static void chart_name(uint32_t n, char name[32])
{
    snprintf(name, 32, "%u.svg", n);
}

void charts_destroy(struct charts *c)
{
    char path[PATH_MAX], name[32];
    if (!c)
        return;
    if (c->script)
        fclose(c->script);
    for (uint32_t i = 0; i < c->n; i++) {
        chart_name(i, name);
        path_of(c, name, path);
        unlink(path);
    }
    path_of(c, SCRIPT, path);
    unlink(path);
    rmdir(c->folder);
    free(c);
}

FILE *charts_begin(struct charts *c, FILE *page, enum chart_size size, const char *caption)
{
    char name[32];
    chart_name(c->n, name);
    fprintf(page, "<figure><figcaption>");
    html_text(page, caption);
    fprintf(page, "</figcaption>\n" MARK "%u-->\n</figure>\n", c->n++);
    fprintf(c->script, "reset\n");
    picture_begin(c->script, name, sizes[size].width, sizes[size].height);
    if (size == CHART_TINY)
        fprintf(c->script, "unset key\nunset tics\nset border 3\nset margins 1,1,1,1\n");
    else
        fprintf(
            c->script,
            "set tics font \",13\" nomirror out scale 0.5\nset xtics offset 0,0.4\nset border 3\n"
            "set key font \",13\" outside bottom center horizontal Left reverse\n"
            "set xlabel font \",13\" offset 0,0.9\nset ylabel font \",13\"\n"
            "set title font \",14\"\nset grid ytics lc rgb \"#e0e0e0\"\n");
    return c->script;
}

/* --- the page --------------------------------------------------------------------------------- */

/* `line` with the names in it made the chart's own: a page has each once. */
static void put_named(FILE *out, const char *line, uint32_t chart)
{
    static const char *const before[] = {"id=\"", "id='", "href='#", "url(#"};
    for (const char *at = line; *at;) {
        size_t n = 0;
        for (size_t i = 0; i < sizeof before / sizeof *before && !n; i++)
            n = strncmp(at, before[i], strlen(before[i])) == 0 ? strlen(before[i]) : 0;
        if (n)
            fprintf(out, "%.*sc%u-", (int)n, at, chart);
        else
            fputc(*at, out);
        at += n ? n : 1;
    }
}

/* From <svg to its end, without gnuplot's name, and its numbers of curves as pop-up texts. */
static bool put_svg(const struct charts *c, uint32_t chart, FILE *out, struct error *err)
{
    char path[PATH_MAX], name[32], *line = NULL;
    size_t room = 0;
    bool inside = false;
    chart_name(chart, name);
    path_of(c, name, path);
    if (!picture_whole(path, name, err))
        return false;
    FILE *svg = fopen(path, "r");
    while (svg && getline(&line, &room, svg) > 0) {
        char *title = strstr(line, "<title>"), *end = strstr(line, "</title>");
        if (title && end)
            memmove(title, end + strlen("</title>"), strlen(end + strlen("</title>")) + 1);
        inside = inside || !strncmp(line, "<svg", 4);
        if (inside && strncmp(line, "<desc>", 6) != 0)
            put_named(out, line, chart);
    }
    free(line);
    if (svg)
        fclose(svg);
    return true;
}

bool charts_finish(struct charts *c, FILE *page, FILE *out, struct error *err)
{
    bool ok = fclose(c->script) == 0;
    char *line = NULL;
    size_t room = 0;
    c->script = NULL;
    if (!ok || !picture_draw(c->folder, SCRIPT))
        return error_set(err,
                         "%s/%s: gnuplot cannot draw it; is the Debian package gnuplot-nox "
                         "installed, and space left?",
                         c->folder, SCRIPT);
    rewind(page);
    while (ok && getline(&line, &room, page) > 0) {
        if (strncmp(line, MARK, strlen(MARK)) == 0)
            ok = put_svg(c, (uint32_t)strtoul(line + strlen(MARK), NULL, 10), out, err);
        else
            fputs(line, out);
    }
    free(line);
    return ok;
}
