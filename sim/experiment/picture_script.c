#include "sim/experiment/picture_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/picture.h"

#define WIDTH     900u /* pixels, with the legend at the right */
#define LEGEND    190u
#define HEIGHT    520u
#define WIDEST    1700u
#define BAR       16u  /* pixels of a bar, with what is between two */
#define CHARACTER 9u   /* of a row's label */
#define SAME      0.01 /* part of the axis below which two values are one point */
#define PANELS    3u   /* in a row */
#define NAMED     10   /* powers of two that an axis has room to name */

/* Distinct also in grey and for most colour-blind readers. */
static const char *const colours[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                      "#56b4e9", "#cc79a7", "#999999", "#000000"};

/* What is drawn, and how. */
struct drawing {
    const struct experiment *x;
    const struct cells *g;
    const struct picture *p;
    uint32_t *columns, n; /* that have a value, and are not left out */
    uint32_t rows;        /* with the fold's */
    bool bars, stacked, lying, panels;
    uint32_t width, height;
    double low, high; /* of all values */
};

/* --- what is drawn
 * -------------------------------------------------------------------------------- */

static bool has_values(const struct cells *g, uint32_t column)
{
    for (uint32_t r = 0; r < g->rows; r++) {
        if (isfinite(cells_value(g, r, column)))
            return true;
    }
    return false;
}

static bool has_paper(const struct cells *g, uint32_t column)
{
    for (uint32_t r = 0; r <= g->rows; r++) {
        if (!isnan(cells_paper(g, r, column)))
            return true;
    }
    return false;
}

static bool left_out(const struct picture *p, const char *column)
{
    size_t n = strlen(column);
    for (const char *c = p->without; c && (c = strstr(c, column)); c += n) {
        bool starts = c == p->without || c[-1] == ' ', ends = c[n] == ' ' || c[n] == '\0';
        if (starts && ends)
            return true;
    }
    return false;
}

static void widen(struct drawing *d, double value)
{
    if (!isfinite(value) || (d->p->log_y && value <= 0))
        return;
    d->low = fmin(d->low, value);
    d->high = fmax(d->high, value);
}

static void find_range(struct drawing *d)
{
    d->low = INFINITY;
    d->high = -INFINITY;
    for (uint32_t r = 0; r < d->rows; r++) {
        double sum = 0;
        for (uint32_t i = 0; i < d->n; i++) {
            double value = cells_value(d->g, r, d->columns[i]),
                   spread = cells_spread(d->g, r, d->columns[i]);
            sum += isfinite(value) ? value : 0;
            widen(d, d->stacked ? sum : value);
            widen(d, (d->stacked ? sum : value) + spread);
            if (d->p->paper)
                widen(d, cells_paper(d->g, r, d->columns[i]));
        }
    }
    if (d->low > d->high)
        d->low = d->high = 1;
}

/* Points of two lines are on each other in at least half of the rows that have both. */
static bool hide_each_other(const struct drawing *d, uint32_t a, uint32_t b)
{
    uint32_t both = 0, same = 0;
    bool log_y = d->p->log_y;
    double span = log_y ? log(d->high / d->low) : d->high - fmin(d->low, 0);
    for (uint32_t r = 0; r < d->g->rows; r++) {
        double u = cells_value(d->g, r, a), v = cells_value(d->g, r, b);
        if (!isfinite(u) || !isfinite(v))
            continue;
        both++;
        same += fabs(log_y ? log(u / v) : u - v) <= SAME * span;
    }
    return both && 2 * same >= both;
}

static bool some_hide(const struct drawing *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (hide_each_other(d, d->columns[i], d->columns[k]))
                return true;
        }
    }
    return false;
}

static uint32_t longest_label(const struct drawing *d)
{
    uint32_t most = 0;
    for (uint32_t r = 0; r < d->rows; r++) {
        uint32_t n = (uint32_t)strlen(cells_row_name(d->x, d->g, r));
        most = n > most ? n : most;
    }
    return most;
}

/* Four panels are a square. */
static uint32_t panels_across(const struct drawing *d)
{
    return d->n == 4 ? 2 : d->n < PANELS ? d->n : PANELS;
}

static void choose_shape(struct drawing *d)
{
    uint32_t in_row = d->stacked || !d->n ? 1 : d->n, label = CHARACTER * (longest_label(d) + 1);
    d->width = WIDTH;
    d->height = HEIGHT;
    if (d->bars) {
        uint32_t row = BAR * (in_row + 1);
        uint32_t wide = LEGEND + 80 + d->rows * (row > label ? row : label);
        d->lying = wide > WIDEST;
        if (d->lying)
            d->height = 120 + d->rows * BAR * (in_row + 1) * 3 / 4;
        else if (wide > WIDTH)
            d->width = wide;
    } else if (d->panels) {
        uint32_t across = panels_across(d), lines = (d->n + across - 1) / across;
        d->width = WIDTH + LEGEND;
        d->height = 60 + 260 * lines;
    }
}

static struct drawing plan(const struct experiment *x, const struct cells *g,
                           const struct picture *p)
{
    struct drawing d = {.x = x, .g = g, .p = p, .stacked = !strcmp(p->kind, "stacked")};
    d.bars = d.stacked || !strcmp(p->kind, "bars");
    d.rows = g->rows + (g->table->fold && d.bars ? 1 : 0);
    d.columns = ALLOC_ARRAY(uint32_t, g->columns + 1);
    for (uint32_t c = 0; c < g->columns; c++) {
        if (has_values(g, c) && !left_out(p, cells_column_name(x, g, c)))
            d.columns[d.n++] = c;
    }
    find_range(&d);
    d.panels = !d.bars && some_hide(&d);
    choose_shape(&d);
    return d;
}

/* --- the script
 * ----------------------------------------------------------------------------------- */

/* Columns of $data: a row's label, its number, its place; then of each column drawn where its bar
 * begins and ends, and the paper's value. */
static uint32_t begin_of(uint32_t i)
{
    return 4 + 4 * i;
}

static uint32_t end_of(uint32_t i)
{
    return 5 + 4 * i;
}

static uint32_t spread_of(uint32_t i)
{
    return 6 + 4 * i;
}

static uint32_t paper_of(uint32_t i)
{
    return 7 + 4 * i;
}

static void write_row(const struct drawing *d, uint32_t r, FILE *out)
{
    const struct names *names = &d->x->names;
    double base = d->p->log_y ? d->low / 2 : 0;
    picture_quote(out, cells_row_name(d->x, d->g, r));
    fprintf(out, " %.9g %u",
            r < d->g->rows ? names->label_number(names->user, d->g->table->rows, r) : NAN, r);
    for (uint32_t i = 0; i < d->n; i++) {
        double value = cells_value(d->g, r, d->columns[i]);
        fprintf(out, " %.9g %.9g %.9g %.9g", base, d->stacked ? base + value : value,
                cells_spread(d->g, r, d->columns[i]), cells_paper(d->g, r, d->columns[i]));
        if (d->stacked && isfinite(value))
            base += value;
    }
    fputc('\n', out);
}

static void write_data(const struct drawing *d, FILE *out)
{
    fprintf(out, "$data << END\n");
    for (uint32_t r = 0; r < d->rows; r++)
        write_row(d, r, out);
    fprintf(out, "END\n");
}

static const char *colour_of(uint32_t i)
{
    return colours[i % (sizeof colours / sizeof *colours)];
}

static void put_name(const struct drawing *d, uint32_t i, FILE *out)
{
    picture_quote(out, cells_column_name(d->x, d->g, d->columns[i]));
}

/* Where a column's bar is beside the others of its row, a row being 1; and half of what it covers.
 */
static double place_of(const struct drawing *d, uint32_t i)
{
    return d->stacked ? 0 : ((double)i - ((double)d->n - 1) / 2) / ((double)d->n + 1);
}

static double half_bar(const struct drawing *d)
{
    return d->stacked ? 0.38 : 0.45 / ((double)d->n + 1);
}

static void plot_bars(const struct drawing *d, FILE *out)
{
    double half = half_bar(d);
    for (uint32_t i = 0; i < d->n; i++) {
        double at = place_of(d, i);
        fprintf(out, "%s$data using ", i ? ", \\\n  " : "plot ");
        if (d->lying)
            fprintf(out, "%u:($3%+.4f):%u:%u:($3%+.4f):($3%+.4f)", end_of(i), at, begin_of(i),
                    end_of(i), at - half, at + half);
        else
            fprintf(out, "($3%+.4f):%u:($3%+.4f):($3%+.4f):%u:%u", at, end_of(i), at - half,
                    at + half, begin_of(i), end_of(i));
        fprintf(out, " with boxxyerror fs solid 0.85 noborder lc rgb \"%s\" title ", colour_of(i));
        put_name(d, i, out);
    }
}

/* Labels of the rows, where nothing else is drawn. */
static void put_row_labels(const struct drawing *d, FILE *out)
{
    fprintf(out, "set %ctics noenhanced (", d->lying ? 'y' : 'x');
    for (uint32_t r = 0; r < d->rows; r++) {
        fprintf(out, "%s", r ? ", " : "");
        picture_quote(out, cells_row_name(d->x, d->g, r));
        fprintf(out, " %u", r);
    }
    fprintf(out, ")\nset %crange [%s]\n", d->lying ? 'y' : 'x',
            d->lying ? "rows - 0.5:-0.5" : "-0.5:rows - 0.5");
}

/* The paper's values are crosses. */
static void plot_paper(const struct drawing *d, uint32_t i, bool named, FILE *out)
{
    fprintf(out, ", \\\n  $data using ");
    if (!d->bars)
        fprintf(out, "2:%u", paper_of(i));
    else if (d->lying)
        fprintf(out, "%u:($3%+.4f)", paper_of(i), place_of(d, i));
    else
        fprintf(out, "($3%+.4f):%u", place_of(d, i), paper_of(i));
    fprintf(out, " with points pt 2 ps 1.2 lw 2 lc rgb \"black\" %s",
            named ? "title \"the paper's\"" : "notitle");
}

/* Intervals are whiskers: gnuplot's own error bars leave a hole for a point. */
static void plot_spread(const struct drawing *d, uint32_t i, FILE *out)
{
    uint32_t value = end_of(i), half = spread_of(i);
    fprintf(out, ", \\\n  $data using ");
    if (d->lying)
        fprintf(out, "($%u-$%u):($3%+.4f):(2*$%u):(0)", value, half, place_of(d, i), half);
    else if (d->bars)
        fprintf(out, "($3%+.4f):($%u-$%u):(0):(2*$%u)", place_of(d, i), value, half, half);
    else
        fprintf(out, "2:($%u-$%u):(0):(2*$%u)", value, half, half);
    fprintf(out, " with vectors heads size screen 0.004,90 lw 1.5 lc rgb \"%s\" notitle",
            d->bars ? "black" : colour_of(i));
}

static void plot_spreads(const struct drawing *d, FILE *out)
{
    for (uint32_t i = 0; i < d->n && d->g->table->over >= 0; i++)
        plot_spread(d, i, out);
}

static bool shows_paper(const struct drawing *d, uint32_t i)
{
    return d->p->paper && !d->stacked && has_paper(d->g, d->columns[i]);
}

static void plot_papers(const struct drawing *d, FILE *out)
{
    bool named = false;
    for (uint32_t i = 0; i < d->n; i++) {
        if (shows_paper(d, i))
            plot_paper(d, i, !named, out);
        named = named || shows_paper(d, i);
    }
}

static void put_line(const struct drawing *d, uint32_t i, FILE *out)
{
    fprintf(out, "$data using 2:%u with linespoints lw 2 pt %u ps 0.9 lc rgb \"%s\" title ",
            end_of(i), 5 + 2 * (i % 5), colour_of(i));
    put_name(d, i, out);
}

static void plot_lines(const struct drawing *d, FILE *out)
{
    for (uint32_t i = 0; i < d->n; i++) {
        fprintf(out, "%s", i ? ", \\\n  " : "plot ");
        put_line(d, i, out);
    }
}

/* A panel for each line, with the others in grey behind it. */
static void plot_panels(const struct drawing *d, FILE *out)
{
    uint32_t across = panels_across(d);
    fprintf(out,
            "set multiplot layout %u,%u title title_text . \"\\n\" . y_text noenhanced\nset key "
            "off\nunset ylabel\n",
            (d->n + across - 1) / across, across);
    for (uint32_t i = 0; i < d->n; i++) {
        fprintf(out, "set title ");
        put_name(d, i, out);
        fprintf(out, " noenhanced\nplot ");
        for (uint32_t k = 0; k < d->n; k++) {
            if (k != i)
                fprintf(out, "$data using 2:%u with lines lw 1 lc rgb \"#cccccc\" notitle, \\\n  ",
                        end_of(k));
        }
        put_line(d, i, out);
        if (d->g->table->over >= 0)
            plot_spread(d, i, out);
        if (shows_paper(d, i))
            plot_paper(d, i, false, out);
        fputc('\n', out);
    }
    fprintf(out, "unset multiplot\n");
}

static void plot(const struct drawing *d, FILE *out)
{
    if (!d->n) {
        fprintf(out, "set label 1 \"no result\" at screen 0.5, 0.5 center\n"
                     "plot [0:1] [0:1] -1 notitle\n");
        return;
    }
    if (d->panels) {
        plot_panels(d, out);
        return;
    }
    if (d->bars)
        plot_bars(d, out);
    else
        plot_lines(d, out);
    plot_spreads(d, out);
    plot_papers(d, out);
    fputc('\n', out);
}

static double octaves_of_rows(const struct drawing *d)
{
    const struct names *names = &d->x->names;
    double low = INFINITY, high = 0;
    for (uint32_t r = 0; r < d->g->rows; r++) {
        double x = names->label_number(names->user, d->g->table->rows, r);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    return log2(high / low);
}

/* Powers of two are read as 512, 64 Ki, 1 Mi: gnuplot's own prefixes have a small k. Every one of
 * them, every other, fifth or tenth has a name, as far as there is room. */
static void write_powers(FILE *out, char axis, double octaves, uint32_t room)
{
    static const uint32_t steps[] = {1, 2, 5, 10};
    uint32_t i = 0;
    while (i < sizeof steps / sizeof *steps - 1 && octaves > (double)(steps[i] * room))
        i++;
    fprintf(out,
            "set %ctics ()\ndo for [i=0:6] { do for [j=0:9] { set %ctics add "
            "(sprintf(\"%%d%%s\", 2**j, i ? \" \".substr(\"KMGTPE\", i, i).\"i\" : \"\") "
            "2.0**(10*i+j) (j %% %u > 0)) } }\n",
            axis, axis, steps[i]);
}

static void write_axis(const struct drawing *d, FILE *out, char axis, const char *label,
                       uint32_t base, double octaves)
{
    fprintf(out, "set %clabel ", axis);
    picture_quote(out, label);
    fprintf(out, " noenhanced\n");
    if (base)
        fprintf(out, "set logscale %c %u\n", axis, base);
    uint32_t across = d->panels && axis == 'x' ? panels_across(d) : 1;
    if (base == 2)
        write_powers(out, axis, octaves, (NAMED + across - 1) / across);
}

/* Lengths are compared from 0 on. A single value would leave a logarithmic axis without a length.
 */
static void write_range(const struct drawing *d, FILE *out)
{
    char axis = d->lying ? 'x' : 'y';
    if (!d->n)
        return;
    if (d->p->log_y)
        fprintf(out, "set %crange [%.9g:%.9g]\n", axis, d->low / 2, d->high * 2);
    else if (d->low >= 0)
        fprintf(out, "set %crange [0:%.9g]\n", axis, d->high > 0 ? d->high * 1.05 : 1);
    else if (d->panels)
        fprintf(out, "set %crange [%.9g:%.9g]\n", axis, d->low * 1.05, d->high * 1.05);
}

static void write_look(const struct drawing *d, FILE *out)
{
    const struct picture *p = d->p;
    const char *title = p->title ? p->title : d->g->table->title ? d->g->table->title : d->x->title;
    fprintf(out, "rows = %u\ntitle_text = ", d->rows);
    picture_quote(out, title);
    fprintf(out, "\ny_text = ");
    picture_quote(out, p->y_label);
    if (!d->panels)
        fprintf(out, "\nset title title_text noenhanced");
    fprintf(out,
            "\nset key outside right top vertical Left reverse noenhanced\n"
            "set grid %ctics lc rgb \"#dddddd\"\nset border 3\nset tics nomirror\n",
            d->lying ? 'x' : 'y');
    write_axis(d, out, d->lying ? 'y' : 'x', p->x_label, d->n ? p->log_x : 0, octaves_of_rows(d));
    write_axis(d, out, d->lying ? 'x' : 'y', p->y_label, d->n ? p->log_y : 0,
               log2(d->high / d->low));
    if (d->bars)
        put_row_labels(d, out);
    else
        fprintf(out, "set offsets graph 0.02, graph 0.02\n");
    write_range(d, out);
}

void picture_script(const struct experiment *x, const struct cells *g, const struct picture *p,
                    const char *name, FILE *out)
{
    static const char *const suffixes[] = {"svg", "png", "pdf"};
    struct drawing d = plan(x, g, p);
    write_data(&d, out);
    write_look(&d, out);
    for (uint32_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char file[256];
        snprintf(file, sizeof file, "%s.%s", name, suffixes[i]);
        picture_begin(out, file, d.width, d.height);
        plot(&d, out);
    }
    free(d.columns);
}
