/* The rows as boxes, drawn by gnuplot, which makes SVG, PNG and PDF of one script. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"
#include "base/picture.h"
#include "sim/cli/timeline_rows.h"

#define WIDTH     1200u /* points */
#define NAMES     220u  /* of these, for the rows' names */
#define CHARACTER 7.5   /* points, about, of a name in a box */
#define MAX_BOXES 20000u

static const struct {
    const char *name, *colour, *text; /* text: that is read on the colour */
} looks[TIMELINE_ROWS] = {[ROW_CALL] = {"CPU: API call", "#0072b2", "white"},
                          [ROW_DRIVER] = {"CPU: driver", "#e69f00", "black"},
                          [ROW_TRANSFER] = {"CPU-GPU transfer", "#009e73", "black"},
                          [ROW_SYNC] = {"GPU: sync", "#bbbbbb", "black"},
                          [ROW_EXEC] = {"GPU: exec", "#d55e00", "black"}};

static void write_box(FILE *out, const struct timeline_box *b, uint32_t row, uint32_t lanes,
                      double points_per_us)
{
    double base = (double)(TIMELINE_ROWS - 1 - row), height = 0.84 / lanes;
    double low = base + 0.08 + height * (double)(lanes - 1 - b->lane);
    fprintf(out,
            "set object rect from %.4f,%.4f to %.4f,%.4f fc rgb \"%s\" fs solid border lc rgb "
            "\"%s\" lw 0.5\n",
            b->begin, low, b->end, low + height * 0.92, looks[row].colour,
            row == ROW_SYNC ? "#777777" : "white");
    size_t most = (size_t)((b->end - b->begin) * points_per_us / CHARACTER);
    if (lanes > 3 || strlen(b->name) > most) /* a part of a name says nothing */
        return;
    fprintf(out, "set label ");
    picture_quote(out, b->name);
    fprintf(out, " at %.4f,%.4f center front font \",12\" textcolor rgb \"%s\"\n",
            (b->begin + b->end) / 2, low + height * 0.46, looks[row].text);
}

/* Between two calls the host computes; where that has room for its name, it is there. */
static void write_gaps(FILE *out, const struct timeline_rows *rows, double points_per_us)
{
    static const char name[] = "host computes";
    const struct timeline_box *calls = rows->row[ROW_CALL].boxes;
    double end = rows->row[ROW_CALL].count ? calls[0].end : 0;
    for (uint32_t i = 1; i < rows->row[ROW_CALL].count; i++) {
        const struct timeline_box *b = &calls[i];
        if ((b->begin - end) * points_per_us > CHARACTER * sizeof name)
            fprintf(out,
                    "set label \"%s\" at %.4f,%.4f center front font \",12\" textcolor rgb "
                    "\"#595959\"\n",
                    name, (b->begin + end) / 2, TIMELINE_ROWS - 1 - ROW_CALL + 0.5);
        end = b->end > end ? b->end : end;
    }
}

void timeline_script(const struct timeline_rows *rows, const char *title,
                     const struct timeline_view *view, uint32_t width, FILE *out)
{
    if (*title) {
        char part[201];
        snprintf(part, sizeof part, "%s", title);
        fprintf(out, "set title ");
        picture_quote(out, part);
    }
    fprintf(out,
            "\nset xrange [%.4f:%.4f]\nset yrange [0:%d]\nset xlabel \"simulated time [us]\"\n"
            "set border 3\nset tics nomirror out\nset grid xtics lc rgb \"#e0e0e0\"\nset ytics (",
            view->from, view->to, TIMELINE_ROWS);
    for (uint32_t n = 0; n < TIMELINE_ROWS; n++)
        fprintf(out, "%s\"%s\" %.1f", n ? ", " : "", looks[n].name,
                (double)(TIMELINE_ROWS - 1 - n) + 0.5);
    fprintf(out, ")\n");
    double scale = (double)(width - NAMES) / (view->to - view->from);
    for (uint32_t n = 0; n < TIMELINE_ROWS; n++) {
        for (uint32_t i = 0; i < rows->row[n].count; i++)
            write_box(out, &rows->row[n].boxes[i], n, rows->row[n].lanes, scale);
    }
    write_gaps(out, rows, scale);
    fprintf(out, "plot -1 notitle\n");
}

static bool run_gnuplot(FILE *script)
{
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(script), STDIN_FILENO);
        execlp("gnuplot", "gnuplot", "-", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static bool draw_file(const struct timeline_rows *rows, const char *title,
                      const struct timeline_view *view, const char *path, struct error *err)
{
    FILE *script = tmpfile();
    if (!script)
        return error_set(err, "no temporary file: %s", strerror(errno));
    picture_begin(script, path, WIDTH, TIMELINE_HEIGHT);
    timeline_script(rows, title, view, WIDTH, script);
    bool written = fflush(script) == 0 && !ferror(script);
    if (!written)
        error_set(err, "temporary file: cannot be written: %s", strerror(errno));
    rewind(script);
    bool drawn = written && run_gnuplot(script);
    fclose(script);
    return drawn;
}

bool timeline_draw(const struct timeline_rows *rows, const char *title,
                   const struct timeline_view *view, const char *path, struct error *err)
{
    uint32_t boxes = 0;
    for (uint32_t n = 0; n < TIMELINE_ROWS; n++)
        boxes += rows->row[n].count;
    if (!boxes)
        return error_set(
            err, "nothing happens between %.15g and %.15g us; --from and --to choose the time",
            view->from, view->to);
    if (boxes > MAX_BOXES)
        return error_set(err, "%u boxes, at most %u can be drawn: choose --from and --to", boxes,
                         MAX_BOXES);
    struct output *out = output_reserve(path, err);
    if (!out)
        return false;
    const char *written = output_written_path(out);
    bool drawn = draw_file(rows, title, view, written, err) && picture_whole(written, path, err) &&
                 picture_set_density(written, err);
    if (drawn)
        return output_finish(out, err);
    error_set(err, "%s: gnuplot failed, or is not installed", path);
    output_abandon(out);
    return false;
}
