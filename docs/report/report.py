"""The report: a page per paper, one for the mechanisms together, and a start page, from the documents,
docs/measured, the experiments' files and the results of experiments that are kept in the build folder.

Usage: report.py BUILD FOLDER            writes the pages
       report.py --readme BUILD FOLDER   writes the pictures of the README
"""
import configparser
import glob
import html
import json
import os
import re
import subprocess
import sys

import charts
import tables

HERE = os.path.dirname(os.path.abspath(__file__))

# A page: file, title, documents in order, folder of experiments.
PAGES = [
    ("edge", "EDGE: events that start kernels", ["docs/papers/edge.md"], "edge"),
    ("full-empty", "Full/empty bits: kernels before their data", ["docs/papers/full-empty.md"], "fe"),
    ("cm", "CM-BAL: CPU and GPU on one chip", ["docs/papers/cm.md"], "cm"),
    ("together", "The mechanisms together", ["docs/papers/together.md", "docs/report/together.md"], "together"),
]
MEASURED = ["docs/measured/cm.md", "docs/measured/edge.md", "docs/measured/full-empty.md", "docs/measured/together.md"]

# Five numbers of the start page: what is said, page, heading or marker of the table, row, column.
NUMBERS = [
    ("cycles from a doorbell to the event's first instruction, with PCIe; a launch by the CPU takes {other}",
     "docs/measured/results.md", "Launch latency", ("EDGE, doorbell to first instruction", "here"),
     ("CPU, launch call to start on the GPU", "here"), "edge"),
    ("cycles until an event owns a warp of a busy GPU, mean; it waits {other} for a block's end",
     "docs/measured/results.md", "Scheduling", ("preempt", "until the event owns a warp: mean"),
     ("drain", "until the event owns a warp: mean"), "edge"),
    ("of the runtime of seven applications, mean, when kernels start before their data (paper: -26 %)",
     "docs/papers/full-empty.md", "Comparison with the paper", ("mean", "overlap"), None, "full-empty"),
    ("for the CPU cores, when CM-BAL1 limits the warps of the GPU beside them (paper: {other})",
     "docs/papers/cm.md", "Results", ("CM-BAL1", "CPU, ours"), ("CM-BAL1", "CPU, paper"), "cm"),
    ("for the GPU itself, at the same time (paper: {other})",
     "docs/papers/cm.md", "Results", ("CM-BAL1", "GPU, ours"), ("CM-BAL1", "GPU, paper"), "cm"),
]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def escaped(text):
    return html.escape(text, quote=True)


# --- experiments -----------------------------------------------------------------------------------

class Experiment:
    """What its file says, and its results where there are any."""

    def __init__(self, path, build, measured):
        self.name = os.path.basename(path)[:-len(".ini")]
        text = read(path)
        sections = dict(re.findall(r"^\[([^\]\n]+)\]\n(.*?)(?=^\[|\Z)", text, re.M | re.S))
        head = self.entries(sections.get("experiment", ""))
        self.title, self.source = head.get("title", self.name), head.get("source", "")
        self.group = "members" in head
        self.paper, self.why = self.entries(sections.get("paper", "")), self.entries(sections.get("why", ""))
        self.machine = sorted(set(re.findall(r"^config\s*=\s*([\w.-]+\.ini)", text, re.M)))
        self.seeds = ", ".join(re.findall(r"^seed\s*=\s*(.+)$", text, re.M)) or "1"
        folder = os.path.join(build, "experiments", self.name)
        self.kept = self.printed = None
        self.pictures = []
        about = os.path.join(folder, self.name + ".json")
        if os.path.exists(about) and self.complete(json.loads(read(about))):
            self.kept = json.loads(read(about)).get("about", {})
            body = read(os.path.join(folder, self.name + ".txt")).split("\n", 2)[-1]
            self.printed = tables.Printed(self.title, self.name, body)
            self.pictures = sorted(glob.glob(os.path.join(folder, self.name + "*.svg")))
        elif self.name in measured:
            self.printed = measured[self.name]

    @staticmethod
    def entries(section):
        found, key = {}, None
        for line in section.split("\n"):
            line = re.sub(r"\s+;.*$|^;.*$", "", line)
            if line[:1].isspace() and key and line.strip():
                found[key] += " " + line.strip()
            elif "=" in line:
                key, _, value = line.partition("=")
                key = key.strip()
                found[key] = value.strip()
        return found

    @staticmethod
    def complete(result):
        """No row of it is missing."""
        rows = result.get("rows", {})
        rows = rows.values() if isinstance(rows, dict) else rows
        done = all(row.get("state") in ("run", "kept") for row in rows if isinstance(row, dict))
        values = [v for t in result.get("tables", {}).values() for r in t["rows"].values() for v in r.values()]
        return done and bool(values) and all(v is not None for v in values)


def experiments(family, build, measured):
    files = sorted(glob.glob("experiments/%s/*.ini" % family),
                   key=lambda f: [int(w) if w.isdigit() else w for w in re.split(r"(\d+)", f)])
    return [x for x in (Experiment(f, build, measured) for f in files) if not x.group]


# --- parts of a page -------------------------------------------------------------------------------

def html_table(table, caption="", marks=None):
    """`marks`: the paper's values by (row, column)."""
    marks = marks or {}
    out = ['<div class="wide"><table>']
    if caption:
        out.append("<caption>%s</caption>" % escaped(caption))
    out.append("<thead><tr>%s</tr></thead>" % "".join('<th class="text">%s</th>' % escaped(h) for h in table.header))
    for row in table.rows:
        cells = []
        for column, cell in zip(table.header[1:], row[1:]):
            paper = marks.get("%s/%s" % (row[0], column)) if "(" not in cell else None
            cells.append("<td>%s%s</td>" % (escaped(cell), " <i>(%s)</i>" % escaped(paper) if paper else ""))
        out.append('<tr><th class="text">%s</th>%s</tr>' % (escaped(row[0]), "".join(cells)))
    return "\n".join(out + ["</table></div>"])


def summary(x):
    """Ours beside the paper's, with the reason where they differ."""
    ours = {row[0]: row for row in (x.printed.summary if x.printed else [])}
    names = list(ours) + [n for n in list(x.paper) + list(x.why) if n not in ours and "/" not in n]
    if not names:
        return ""
    rows = []
    for name in dict.fromkeys(names):
        row = ours.get(name, [name, "-", "", ""])
        paper, why = x.paper.get(name, row[2]), x.why.get(name, row[3])
        if paper and not why:
            why = "the discussion above"
        rows.append('<tr><th class="text">%s</th><td>%s</td><td>%s</td><td class="text">%s</td></tr>' % (
            escaped(name.replace("_", " ")), escaped(row[1]), escaped(paper), escaped(why)))
    return ('<div class="wide"><table><caption>Summary</caption><thead><tr><th></th><th>ours</th><th>the paper\'s</th>'
            '<th class="text">why they differ</th></tr></thead>\n%s</table></div>' % "\n".join(rows))


def figure(svg, caption, prefix):
    """A picture of an experiment may be wide: it keeps a size in which it can be read, and scrolls."""
    width = float(re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+)', svg)[1])
    look = ' style="min-width:%.0fpx;max-width:none"' % (0.85 * width) if width > charts.WIDTH else ""
    return '<div class="wide"><figure%s><figcaption>%s</figcaption>\n%s\n</figure></div>' % (
        look, escaped(caption), charts.inline(svg, prefix))


def drawable(table):
    """Columns with numbers, of a table small enough to be read as bars."""
    columns = [c for c in table.header[1:] if c and sum(v is not None for v in table.numbers(c)) * 2 > len(table.rows)]
    return columns if columns and len(table.rows) <= 16 and len(columns) <= 8 and len(set(table.header)) == len(table.header) else []


class Pictures:
    """Scripts are collected, drawn at once, and put where their marks are."""

    def __init__(self):
        self.scripts, self.captions = {}, {}

    def add(self, caption, table, columns, **look):
        name = "p%d" % len(self.scripts)
        self.scripts[name] = charts.script(table, columns, name=name + ".svg", **look)
        self.captions[name] = caption
        return "<!--picture %s-->" % name

    def place(self, page):
        drawn = charts.draw(self.scripts)
        return re.sub(r"<!--picture (p\d+)-->", lambda m: figure(drawn[m[1]], self.captions[m[1]], m[1]), page)


def experiment_part(x, pictures):
    out = ['<h3 id="%s">%s</h3>' % (x.name, escaped(x.title))]
    if x.source:
        out.append('<p class="note">%s</p>' % escaped(x.source))
    for i, path in enumerate(x.pictures):
        out.append(figure(read(path), os.path.basename(path)[:-len(".svg")], "%s-%d" % (x.name, i)))
    for table in x.printed.tables if x.printed else []:
        columns = [] if x.pictures else drawable(table)
        if columns:
            out.append(pictures.add(table.title, table, columns))
        out.append(html_table(table, table.title, x.paper))
    out.append(summary(x))
    if not x.printed:
        out.append('<p class="note">The discussion above has its figures. The command makes all of its tables and '
                   'pictures; then <code>make report</code> shows them here.</p>')
    elif x.kept:
        out.append('<p class="note">evgpu %s, %s</p>' % (escaped(str(x.kept.get("evgpu", {}).get("commit", ""))[:12]),
                                                         escaped(x.kept.get("date", ""))))
    out.append("<pre>build/evgpu experiment %s</pre>" % x.name)
    return "\n".join(out)


def chosen():
    ini = configparser.ConfigParser(delimiters=("=",), interpolation=None, comment_prefixes=(";",))
    ini.read(os.path.join(HERE, "pictures.ini"))
    return ini


def chosen_script(entry, name):
    table = tables.table_of(read(entry["page"]), entry["heading"], int(entry["table"]))
    columns = [c.strip() for c in entry["columns"].split("; ")]
    return charts.script(table, columns, paper=entry.get("paper"), label=entry["y"], log=entry.get("log") == "yes",
                         name=name + ".svg")


def with_pictures(text, page, pictures):
    """The Markdown of a page with a mark behind each table that pictures.ini names."""
    lines, marks = text.split("\n"), {}
    for name, entry in chosen().items():
        if entry.get("page") != page:
            continue
        table = tables.table_of(text, entry["heading"], int(entry["table"]))
        columns = [c.strip() for c in entry["columns"].split("; ")]
        marks.setdefault(table.end, []).append(pictures.add(
            "%s (%s)" % (table.at, name), table, columns, paper=entry.get("paper"), label=entry["y"],
            log=entry.get("log") == "yes"))
    out = []
    for number, line in enumerate(lines):
        for mark in marks.get(number, []):
            out += ["", mark, ""]
        out.append(line)
    return "\n".join(out)


def markdown(text):
    """HTML of a document: without its title; links to other documents lead to pages here, or are plain text."""
    import markdown as library
    text = re.sub(r"\A# .*\n", "", text)
    body = library.markdown(text, extensions=["tables", "fenced_code", "toc"])
    known = {os.path.basename(d): name + ".html" for name, _, documents, _ in PAGES for d in documents}

    def link(m):
        path, _, anchor = m[1].partition("#")
        if "://" in m[1] or not path:
            return m[0]
        page = known.get(os.path.basename(path))
        return '<a href="%s">%s</a>' % (page, m[2]) if page else m[2]

    body = re.sub(r'<a href="([^"]*)">(.*?)</a>', link, body, flags=re.S)
    body = re.sub(r"<table>(.*?)</table>", r'<div class="wide"><table>\1</table></div>', body, flags=re.S)
    body = re.sub(r"<(td|th) style=[^>]*>", r"<\1>", body)

    def cell(m):
        words = len(re.sub(r"<[^>]*>", "", m[1]).split())
        return '<td class="text">%s</td>' % m[1] if words > 5 or "<code>" in m[1] else m[0]

    return re.sub(r"<td>(.*?)</td>", cell, body)


def page(title, style, body, foot):
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>%s</title>\n%s</head><body>\n'
            "%s\n<footer>%s</footer></body></html>\n" % (escaped(title), style, body, foot))


def foot(version, xs=()):
    machines = sorted({m for x in xs for m in x.machine})
    parts = ["evgpu %s" % version]
    if machines:
        parts.append("machines: " + ", ".join(machines))
    if xs:
        parts.append("seeds: " + "; ".join(sorted({x.seeds for x in xs})))
    return "<p>%s. <a href=\"index.html\">Start</a></p>" % escaped(". ".join(parts))


# --- the mechanisms together -------------------------------------------------------------------------

RUN = ["run", "--config", "cm-bal.ini", "--set", "fe.region_kib=1024", "--program", "bfs --nodes=16384", "--cpus", "H1",
       "--cpu-warmup", "5000", "--cpu-quota", "20000", "--no-profile", "--tiles", "model", "--details"]
RUNS = [("EDGE, no controller", "edge-off", "ipv4,fill", "off"),
        ("EDGE, CM-BAL1", "edge-cm", "ipv4,fill", "cm-bal1"),
        ("CPU, no controller", "cpu-off", "ipv4,launch=cpu", "off"),
        ("CPU, CM-BAL1", "cpu-cm", "ipv4,launch=cpu", "cm-bal1")]


def run_together(build, folder):
    """Makes the runs, and a page about the first two; their table and commands."""
    evgpu, rows, commands = os.path.join(build, "evgpu"), [], []
    files = [os.path.join(folder, name + ".json") for _, name, _, _ in RUNS]
    os.makedirs(folder, exist_ok=True)
    for (title, _, service, policy), file in zip(RUNS, files):
        words = RUN + ["--service", service + ",packets=2000,route-count=1000", "--concurrency", policy, "--json", file]
        done = subprocess.run([evgpu] + words, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit("%s: %s" % (title, (done.stdout + done.stderr).strip().split("\n")[-1]))
        run = json.loads(read(file))
        packet, launch = (run["guests"]["ipv4"]["latency_cycles"][k] for k in ("packet", "launch"))
        us = 1000 / run["about"]["config"]["values"]["gpu"]["core_clock_khz"]
        verified = all(g["verified"] for g in run["guests"].values())
        rows.append([title, "%.2f" % (launch["mean"] * us), "%.1f" % (packet["p50"] * us), "%.1f" % (packet["p99"] * us),
                     "%.1f" % run["programs"][0]["ipc"], "%.2f" % run["guests"]["cpus"]["ipc_sum"],
                     "%.1f" % run["concurrency"]["mean_limit"], "all verified" if verified else "NOT verified"])
        commands.append("build/evgpu " + " ".join("'%s'" % w if " " in w else w for w in words))
    subprocess.check_call([evgpu, "report", files[0], files[1], "-o", os.path.join(folder, "together-runs.html")])
    header = ["launches, controller", "launch, mean [us]", "packet, p50 [us]", "packet, p99 [us]",
              "GPU: thread instructions per cycle", "CPU cores: sum of IPC", "warp limit, mean", "checks"]
    return tables.Table("", header, rows), commands


def together_part(build, folder, pictures):
    table, commands = run_together(build, folder)
    return "\n".join([html_table(table, "All guests of each run"),
                      pictures.add("A packet from wire to wire", table, ["packet, p50 [us]", "packet, p99 [us]"], label="us"),
                      pictures.add("The GPU's program", table, table.header[4:5], label="thread instructions per cycle"),
                      '<p><a href="together-runs.html">The two runs with EDGE side by side</a></p>',
                      "<pre>%s</pre>" % escaped("\n".join(commands))])


# --- pages -----------------------------------------------------------------------------------------

def paper_page(entry, build, folder, style, version, measured):
    name, title, documents, family = entry
    pictures, xs = Pictures(), experiments(family, build, measured)
    documents = [d for d in documents if os.path.exists(d)]
    if not documents and not xs:
        return None
    out = ["<h1>%s</h1>" % escaped(title)]
    if xs:
        rows = "".join('<tr><th class="text"><a href="#%s">%s</a></th><td class="text">%s</td><td class="text">%s</td></tr>' % (
            x.name, x.name, escaped(x.title), "results kept here" if x.kept else "results of the documents" if x.printed
            else "discussed below") for x in xs)
        out.append('<div class="wide"><table><caption>Experiments</caption>%s</table></div>' % rows)
    for d in documents:
        body = markdown(with_pictures(read(d), d, pictures))
        if "<!-- runs -->" in body:
            body = body.replace("<!-- runs -->", together_part(build, folder, pictures))
        out.append(body)
    if xs:
        out.append("<h2>Each experiment</h2>")
    out += [experiment_part(x, pictures) for x in xs]
    return page(title, style, pictures.place("\n".join(out)), foot(version, xs))


def start_numbers():
    """(number, what it says, page) of the five."""
    found = []
    for text, path, heading, (row, column), other, target in NUMBERS:
        def cell(at):
            table = tables.table_of(read(path), heading, 1)
            line = next(r for r in table.rows if r[0].startswith(at[0]))
            return line[table.column(at[1])]
        found.append((cell((row, column)), text.format(other=cell(other) if other else ""), target))
    return found


def start_page(style, version, written):
    out = ["<h1>evgpu</h1>",
           "<p>evgpu simulates a GPU on which devices start kernels without a CPU: a network card writes a doorbell, "
           "and a kernel registered beforehand runs within tens of cycles, on a warp borrowed from the program that "
           "occupies the GPU. The simulator runs cycle by cycle, its event hardware is synthesizable Verilog, and every result is checked "
           "against a host reference.</p>",
           figure(read("docs/machine.svg"), "The machine: NIC, host and PCIe outside; GPU, CPU cores, network and "
                  "memory partitions on the chip", "machine").replace("918px", "1080px"), '<div class="grid">']
    for number, text, target in start_numbers():
        link = '<a href="%s.html">more</a>' % target if target in written else ""
        out.append("<div><p><strong style=\"font-size:32px\">%s</strong><br>%s %s</p></div>" % (escaped(number), escaped(text), link))
    out.append("</div><h2>Pages</h2><ul>")
    for name, title, _, _ in PAGES:
        if name in written:
            out.append('<li><a href="%s.html">%s</a></li>' % (name, escaped(title)))
    out.append("</ul><p>A page about runs of your own: <code>evgpu report RUN.json -o page.html</code>.</p>")
    return page("evgpu", style, "\n".join(out), "<p>evgpu %s. Pages by <code>make report</code>.</p>" % escaped(version))


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def readme_pictures(folder):
    wanted = {name: entry for name, entry in chosen().items() if entry.get("readme") == "yes"}
    scripts = {name: chosen_script(entry, name) for name, entry in wanted.items()}
    for name, svg in charts.draw(scripts).items():
        # What it was drawn from comes first, so that a test can tell when the tables have changed.
        data = "\n".join(line for line in scripts[name].split("\n") if re.match(r"[\d-]", line))
        svg = re.sub(r"(<svg[^>]*>)", r"\1\n<!--\n%s\n-->" % data, svg, count=1, flags=re.S)
        print(write(folder, name + ".svg", svg))


def main():
    if sys.argv[1] == "--readme":
        readme_pictures(sys.argv[3])
        return
    build, folder = sys.argv[1:3]
    evgpu = os.path.join(build, "evgpu")
    style = subprocess.check_output([evgpu, "report", "--style"], text=True)
    version = subprocess.check_output([evgpu, "--version"], text=True).split("\n")[0].replace("evgpu ", "")
    measured = {}
    for path in filter(os.path.exists, MEASURED):
        measured.update(tables.printed_results(read(path)))
    written = []
    for entry in PAGES:
        text = paper_page(entry, build, folder, style, version, measured)
        if text:
            written.append(entry[0])
            print(write(folder, entry[0] + ".html", text))
    print(write(folder, "index.html", start_page(style, version, written)))


main()
