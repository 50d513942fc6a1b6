"""Pictures of tables, drawn by gnuplot as the pictures of experiments are (sim/experiment/picture_script.c)."""
import os
import re
import subprocess
import tempfile

COLOURS = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#999999", "#000000"]
WIDTH, CHARACTER, BAR = 720, 8, 13


def quoted(text):
    return '"%s"' % re.sub(r"[`*]", "", text).replace("\\", "\\\\").replace('"', '\\"')


def value(x):
    return "NaN" if x is None else "%.9g" % x


def script(table, columns, paper=None, label="", log=False, name="chart.svg"):
    """Bars of the columns beside each other, row by row; `paper`: a column whose values are crosses."""
    data = {c: table.numbers(c) for c in columns}
    marks = table.numbers(paper) if paper else [None] * len(table.rows)
    keep = [i for i in range(len(table.rows)) if any(data[c][i] is not None for c in columns)]
    rows, n = len(keep), len(columns)
    lying = WIDTH < 150 + sum(max(BAR * (n + 1), CHARACTER * len(table.rows[i][0]) + 10) for i in keep)
    height = 130 + rows * BAR * (n + 1) if lying else 360
    lines = ["reset",
             'set terminal svg dynamic size %d,%d font "Helvetica,15" background "white" noenhanced' % (WIDTH, height),
             "set output %s" % quoted(name), "$d << END"]
    for y, i in enumerate(keep):
        lines.append(" ".join([str(y)] + [value(data[c][i]) for c in columns] + [value(marks[i])]))
    axis, rows_axis = ("x", "y") if lying else ("y", "x")
    values = [v for c in columns for v in data[c] if v is not None] + [v for v in marks if v is not None]
    low, high = min(values + [0]), max(values + [0])
    lines += ["END", 'set border 3', 'set tics font ",13" nomirror out scale 0.5', 'set key font ",13" outside bottom center horizontal Left reverse',
              'set grid %stics lc rgb "#dddddd"' % axis, "set %slabel %s font \",13\"" % (axis, quoted(label)),
              "set %stics (%s)" % (rows_axis, ", ".join("%s %d" % (quoted(table.rows[i][0]), y) for y, i in enumerate(keep))),
              "set %srange [%s]" % (rows_axis, "%d - 0.5:-0.5" % rows if lying else "-0.5:%d - 0.5" % rows)]
    if log:
        base = min(v for v in values if v > 0) / 2
        lines += ["set logscale %s 10" % axis, "set %srange [%.6g:%.6g]" % (axis, base, high * 2)]
    else:
        base = 0
        lines.append("set %srange [%.6g:%.6g]" % (axis, low * 1.05, high * 1.05 if high > 0 else 1))
    plots, half = [], 0.45 / (n + 1)
    for k, c in enumerate(columns):
        at = (k - (n - 1) / 2) / (n + 1)
        box = ("%d:($1%+.4f):(%g):%d:($1%+.4f):($1%+.4f)" % (k + 2, at, base, k + 2, at - half, at + half) if lying else
               "($1%+.4f):%d:($1%+.4f):($1%+.4f):(%g):%d" % (at, k + 2, at - half, at + half, base, k + 2))
        plots.append('$d using %s with boxxyerror fs solid 0.85 noborder lc rgb "%s" title %s' % (box, COLOURS[k % 8], quoted(c)))
    if paper:
        where = "%d:1" % (n + 2) if lying else "1:%d" % (n + 2)
        plots.append('$d using %s with points pt 2 ps 1.2 lw 2 lc rgb "black" title "the paper\'s"' % where)
    return "\n".join(lines) + "\nplot " + ", \\\n  ".join(plots) + "\n"


def draw(scripts):
    """{name: script} to {name: SVG}, by one gnuplot."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "all.gnuplot"), "w") as file:
            file.write("\n".join(scripts.values()))
        if scripts and subprocess.run(["gnuplot", "all.gnuplot"], cwd=folder, stdout=subprocess.DEVNULL).returncode:
            raise SystemExit("gnuplot cannot draw the pictures; is the Debian package gnuplot-nox installed?")
        return {name: open(os.path.join(folder, name + ".svg")).read() for name in scripts}


def inline(svg, prefix):
    """For a page that holds several: names of their own, without prologue and gnuplot's remarks."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<title>[^<]*</title>|<desc>[^<]*</desc>", "", svg)
    if "<style>" in svg:  # its rules are for itself
        svg = svg.replace("<svg", '<svg id="whole"', 1)
        svg = re.sub(r"<style>(.*?)</style>", lambda m: "<style>%s</style>" % re.sub(
            r"(^|\})\s*([^{}]+?)\s*\{", r"\1\n#%s-whole \2 {" % prefix, m[1], flags=re.S), svg, flags=re.S)
    return re.sub(r"""(id="|id='|href='#|href="#|url\(#)""", lambda m: m[1] + prefix + "-", svg)
