/* Pictures by gnuplot: a script with its data in it, kept beside the picture so that it can be
 * changed and drawn again by hand. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"
#include "base/picture.h"
#include "sim/experiment/view.h"

/* Distinct also in grey and for most colour-blind readers. */
static const char *const colours[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                      "#56b4e9", "#cc79a7", "#999999", "#000000"};

void picture_file(const struct experiment *x, const struct picture *p, char *name, size_t room)
{
    snprintf(name, room, *p->name ? "%s-%s" : "%s", x->name, p->name);
}

/* Bars beside each other, or a row's on top of each other. */
static bool is_stacked(const struct picture *p)
{
    return !strcmp(p->kind, "stacked");
}

static bool has_bars(const struct picture *p)
{
    return is_stacked(p) || !strcmp(p->kind, "bars");
}

static bool has_values(const struct cells *g, uint32_t column)
{
    for (uint32_t r = 0; r < g->rows; r++) {
        if (isfinite(cells_value(g, r, column)))
            return true;
    }
    return false;
}

/* Names that `without` lists are not drawn, nor columns of which nothing is known. */
static bool drawn(const struct experiment *x, const struct cells *g, const struct picture *p,
                  uint32_t index)
{
    const char *column = cells_column_name(x, g, index);
    if (!has_values(g, index))
        return false;
    size_t n = strlen(column);
    for (const char *c = p->without; c && (c = strstr(c, column)); c += n) {
        bool starts = c == p->without || c[-1] == ' ', ends = c[n] == ' ' || c[n] == '\0';
        if (starts && ends)
            return false;
    }
    return true;
}

/* As text of gnuplot in double quotes, without its enhanced mode. */
static void quote(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_data(const struct experiment *x, const struct cells *g, const struct picture *p,
                       FILE *out)
{
    const struct names *names = &x->names;
    uint32_t rows = g->rows + (g->table->fold && has_bars(p) ? 1 : 0);
    fprintf(out, "$data << END\n");
    for (uint32_t r = 0; r < rows; r++) {
        quote(out, cells_row_name(x, g, r));
        fprintf(out, " %.9g",
                r < g->rows ? names->label_number(names->user, g->table->rows, r) : NAN);
        for (uint32_t c = 0; c < g->columns; c++)
            fprintf(out, " %.9g %.9g", cells_value(g, r, c), cells_paper(g, r, c));
        fputc('\n', out);
    }
    fprintf(out, "END\n");
}

static bool has_paper(const struct cells *g, uint32_t column)
{
    for (uint32_t r = 0; r <= g->rows; r++) {
        if (!isnan(cells_paper(g, r, column)))
            return true;
    }
    return false;
}

static uint32_t drawn_columns(const struct experiment *x, const struct cells *g,
                              const struct picture *p)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < g->columns; c++)
        n += drawn(x, g, p, c);
    return n;
}

/* The paper's values are marks of the same colour. */
static void write_plot(const struct experiment *x, const struct cells *g, const struct picture *p,
                       FILE *out)
{
    bool bars = has_bars(p);
    uint32_t shown = 0, all = drawn_columns(x, g, p);
    fprintf(out, all ? "plot "
                     : "set label 1 \"no result\" at screen 0.5, 0.5 center\n"
                       "plot [0:1] [0:1] -1 notitle");
    for (uint32_t c = 0; c < g->columns; c++) {
        const char *colour = colours[shown % 8];
        if (!drawn(x, g, p, c))
            continue;
        fprintf(out, "%s$data using ", shown ? ", \\\n  " : "");
        if (bars)
            fprintf(out, "%u:xtic(1) with histograms fs solid 0.85 lc rgb \"%s\" title ", 3 + 2 * c,
                    colour);
        else
            fprintf(out, "2:%u with linespoints lw 2 pt %u ps 0.9 lc rgb \"%s\" title ", 3 + 2 * c,
                    5 + 2 * (shown % 5), colour);
        quote(out, cells_column_name(x, g, c));
        if (p->paper && !is_stacked(p) && has_paper(g, c)) {
            double shift = ((double)shown - ((double)all - 1) / 2) / ((double)all + 1);
            if (bars)
                fprintf(out, ", \\\n  $data using ($0%+.4f):%u", shift, 4 + 2 * c);
            else
                fprintf(out, ", \\\n  $data using 2:%u", 4 + 2 * c);
            fprintf(out, " with points pt 2 ps 1.2 lw 2 lc rgb \"black\" %s",
                    shown == 0 ? "title \"the paper's\"" : "notitle");
        }
        shown++;
    }
    fputc('\n', out);
}

/* Lengths are compared from 0 on. */
static bool any_negative(const struct cells *g)
{
    for (uint32_t r = 0; r <= g->rows; r++) {
        for (uint32_t c = 0; c < g->columns; c++) {
            if (cells_value(g, r, c) < 0 || cells_paper(g, r, c) < 0)
                return true;
        }
    }
    return false;
}

static void write_axis(FILE *out, char axis, const char *label, uint32_t base)
{
    fprintf(out, "set %clabel ", axis);
    quote(out, label);
    fputc('\n', out);
    if (base)
        fprintf(out, "set logscale %c %u\n", axis, base);
}

static void write_script(const struct experiment *x, const struct cells *g, const struct picture *p,
                         const char *name, FILE *out)
{
    bool bars = has_bars(p);
    uint32_t wide = bars ? 420 + 26 * g->rows * (is_stacked(p) ? 2 : drawn_columns(x, g, p)) : 800;
    wide = wide < 800 ? 800 : wide > 2400 ? 2400 : wide;
    write_data(x, g, p, out);
    fprintf(out, "set title ");
    quote(out, p->title ? p->title : g->table->title ? g->table->title : x->title);
    fprintf(out, " noenhanced\nset key outside bottom center horizontal noenhanced\n"
                 "set grid ytics lc rgb \"#dddddd\"\nset border 3\nset tics nomirror\n");
    write_axis(out, 'x', p->x_label, p->log_x);
    write_axis(out, 'y', p->y_label, p->log_y);
    if (bars)
        fprintf(out,
                "set style data histograms\nset style histogram %s\n"
                "set boxwidth 0.9\nset xtics rotate by -35 noenhanced\n",
                is_stacked(p) ? "rowstacked" : "clustered gap 1");
    if (!p->log_y)
        fprintf(out, "set yrange [%s:*]\n", any_negative(g) ? "*" : "0");
    static const struct {
        const char *terminal, *suffix, *size_font;
    } terminals[] = {{"svg dynamic", "svg", "font \"Helvetica,16\""},
                     {"pngcairo", "png", "font \"Sans,14\""}};
    for (uint32_t i = 0; i < 2; i++) {
        fprintf(out, "set terminal %s size %u,520 background \"white\" %s noenhanced\nset output ",
                terminals[i].terminal, wide, terminals[i].size_font);
        fprintf(out, "\"%s.%s\"\n", name, terminals[i].suffix);
        write_plot(x, g, p, out);
    }
}

/* In its folder, so that the script names no path. */
static bool draw(const char *folder, const char *script)
{
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* What gnuplot has drawn of a script, or none of it. */
static bool whole(const char *folder, const char *name, struct error *err)
{
    static const char *const suffixes[] = {"svg", "png"};
    bool ok = true;
    for (uint32_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffixes[i]);
        if (picture_whole(path, path, err))
            continue;
        unlink(path);
        ok = false;
    }
    return ok;
}

bool view_pictures(const struct experiment *x, const char *folder, struct error *err)
{
    for (uint32_t i = 0; i < x->n_pictures; i++) {
        char name[160], script[200], path[PATH_MAX];
        const struct picture *p = &x->pictures[i];
        picture_file(x, p, name, sizeof name);
        snprintf(script, sizeof script, "%s.gnuplot", name);
        snprintf(path, sizeof path, "%s/%s", folder, script);
        struct output *out = output_open(path, err);
        if (!out)
            return false;
        struct cells *g = cells_create(x, p->table);
        write_script(x, g, p, name, output_stream(out));
        cells_destroy(g);
        if (!output_finish(out, err))
            return false;
        if (!draw(folder, script))
            return error_set(
                err, "%s: gnuplot cannot draw it; is the Debian package gnuplot-nox installed?",
                path);
        if (!whole(folder, name, err))
            return false;
    }
    return true;
}
