"""The page docs/papers/fidelity.md: every figure and table of the papers beside ours, and every value of a machine
that was chosen. Its rows come from docs/measured/fidelity.ini, the experiments' files and the results that are
kept in the build folder. A row whose experiment has not been run since stays as it is, with the commit of its value.

Usage: fidelity.py BUILD             writes the page
       fidelity.py --check BUILD     compares the page with the results in the build folder, digit by digit; says how
                                     many values it compared, and fails if one differs or if there are fewer than ten
"""
import decimal
import glob
import json
import math
import os
import re
import sys

PAGE = "docs/papers/fidelity.md"
LIST = "docs/measured/fidelity.ini"
LEAST_CHECKED = 10
CLOSE = 0.1  # of the paper's value
POINTS = 3  # or so many percentage points


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def sections(path):
    """{section: {key: text}} of an experiment's file or of the list, in order; included files are not read."""
    found, entries, key = {}, {}, None
    for line in read(path).split("\n"):
        line = re.sub(r"(^|\s+);.*$", "", line)
        if head := re.match(r"\[([^\]]+)\]$", line):
            entries, key = found.setdefault(head[1], {}), None
        elif line[:1].isspace() and key and line.strip():
            entries[key] += " " + line.strip()
        elif "=" in line:
            key, _, text = line.partition("=")
            key = key.strip()
            entries[key] = text.strip()
    return found


class Results:
    """What an experiment has found: with `over = seed`, from the seeds that have been run."""

    def __init__(self, build, name):
        self.json = None
        path = os.path.join(build, "experiments", name, name + ".json")
        if os.path.exists(path):
            kept = json.loads(read(path))
            states = [row["state"] for row in kept["rows"].values()]
            if "failed" not in states:
                self.json, self.runs = kept, sum(state in ("run", "kept") for state in states)

    def part(self):
        """Behind a value that is of some of the simulations only."""
        rows = len(self.json["rows"])
        return "" if self.runs == rows else " (%d of %d runs)" % (self.runs, rows)

    def commit(self):
        evgpu = self.json["about"]["evgpu"]
        return evgpu["commit"][:8] + ("+" if evgpu["dirty"] else "")

    def value(self, quantity):
        """Value and half of its interval, or None; of the summary, or ROW/COLUMN of a table."""
        if not self.json:
            return None, None
        value = self.json["summary"].get(quantity)
        spread = self.json.get("summary_interval", {}).get(quantity)
        row, _, column = quantity.partition("/")
        for table in self.json["tables"].values() if column else []:
            value = table["rows"].get(row, {}).get(column, value)
        return value, spread


def number(value, digits=4):
    """Rounded to so many digits, and never with an exponent."""
    return format(decimal.Decimal("%.*g" % (digits, value)), "f")


def ours_text(value, spread):
    return number(value) + (" ± " + number(spread, 2) if spread else "")


def verdict(key, paper, value, listed):
    if not paper:
        return "no number in the paper"
    wanted = float(paper)
    near = abs(value - wanted) <= CLOSE * abs(wanted) or ("percent" in key and abs(value - wanted) <= POINTS)
    if near:
        return "within 3 points" if "percent" in key and abs(value - wanted) > CLOSE * abs(wanted) else "within 10 %"
    better = (key in listed["more"] and value > wanted) or (key in listed["less"] and value < wanted)
    return "better" if better else "differs"


def quantities(file, named):
    """Those named; or those with a value in the paper; or, without any, the whole summary."""
    return named.split() or list(of_all_tables(file, "paper")) or list(file.get("summary", {}))


def of_all_tables(file, kind):
    """Entries of the sections "[KIND]" and "[KIND TABLE]"."""
    return {key: text for section, entries in file.items() if section.split()[0] == kind
            for key, text in entries.items()}


def figure_rows(item, source, build, listed):
    """Rows of one figure, "EXPERIMENT" or "EXPERIMENT: QUANTITY..."; those not known now have no value."""
    experiment, _, named = source.partition(":")
    path = glob.glob("experiments/*/%s.ini" % experiment)
    if not path:
        sys.exit("fidelity.py: %s: %s: there is no experiment %s" % (LIST, item, experiment))
    file = sections(path[0])
    paper, why = of_all_tables(file, "paper"), of_all_tables(file, "why")
    results = Results(build, experiment)
    command = "`evgpu experiment %s`" % experiment
    if not quantities(file, named):
        yield [item, "-", "-", "-", "-", "a picture without numbers; the command draws ours", command, "-"]
    for quantity in quantities(file, named):
        key = "%s:%s" % (experiment, quantity)
        value, spread = results.value(quantity)
        known = value is not None and not math.isnan(value)
        said = listed["paper"].get(key, paper.get(quantity, ""))
        reason = listed["why"].get(key, why.get(quantity, ""))
        text = ours_text(value, spread) + results.part() if known else ""
        judged = verdict(key, said, value, listed) if known else ""
        if judged == "differs" and not reason:
            sys.exit("fidelity.py: %s: %s differs from the paper's: say why, in [why]" % (path[0], quantity))
        yield [item, quantity.replace("_", " "), said or "-", text, judged, reason or "-", command,
               results.commit() if known else ""]


HEADER = ["figure or table", "quantity", "paper", "ours", "verdict", "why", "command", "commit"]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def old_rows(page):
    """Rows of the page by figure, quantity and command."""
    rows = [cells(line) for line in page.split("\n") if line.startswith("| ")]
    return {(row[0], row[1], row[6]): row for row in rows if len(row) == len(HEADER)}


def merged(row, old):
    """The row, or, without a value of now, the one that stands there with its value."""
    before = old.get((row[0], row[1], row[6]))
    if not row[3] and before:
        row = row[:3] + before[3:5] + row[5:7] + [before[7]]
    return row if row[3] else row[:3] + ["not run", "-"] + row[5:7] + ["-"]


def table(header, rows):
    lines = ["| %s |" % " | ".join(header), "|%s" % ("---|" * len(header))]
    return "\n".join(lines + ["| %s |" % " | ".join(cell.replace("|", "/") for cell in row) for row in rows])


def papers(listed, build, old):
    parts = []
    for paper in ("EDGE", "Full/empty bits", "CM-BAL"):
        rows = []
        for item, source in listed[paper].items():
            if source.startswith("- "):
                rows.append([item, "-", "-", "-", "-", source[2:], "-", "-"])
                continue
            rows += [merged(row, old) for row in figure_rows(item, source, build, listed)]
        parts.append("### %s\n\n%s" % (paper, table(HEADER, rows)))
    return "\n\n".join(parts)


def effects(build):
    """{"MACHINE KEY": its other value and what that changes}, of the experiments of the family "choices" that have
    run: a row for each choice, "MACHINE KEY = KEY=VALUE" or "... | more words"."""
    said = {}
    for path in sorted(glob.glob("experiments/choices/choices-*.ini")):
        results = Results(build, os.path.basename(path)[:-len(".ini")])
        rows = {} if not results.json else next(iter(results.json["tables"].values()))["rows"]
        for choice, text in sections(path)["vary choice"].items():
            changes = {name: value for name, value in rows.get(choice, {}).items() if value is not None}
            if choice == "as chosen" or not changes:
                continue
            other = text.split("|")[0].partition("=")[2].strip()
            shown = ["%s %+.1f %%" % (name, value) for name, value in changes.items() if abs(value) >= 0.05]
            said[choice] = "%s: %s" % (other, ", ".join(shown) or "no change")
    return said


CHOSEN = ["machine", "key", "value", "unit and reason", "another value"]


def old_effects(page):
    rows = [cells(line) for line in page.split("\n") if line.startswith("| ")]
    return {"%s %s" % (row[0], row[1].strip("`")): row[4] for row in rows if len(row) == len(CHOSEN)}


def chosen(listed, build, page):
    """Every value of a machine that its file calls a choice, [C], and what another changes; where that has not been
    run since, as the page has it."""
    known = {**old_effects(page), **listed["without"], **effects(build)}
    rows = []
    for path in sorted(glob.glob("config/*.ini")):
        section, machine = "", os.path.basename(path)
        for line in read(path).split("\n"):
            if head := re.match(r"\[(\w+)\]", line):
                section = head[1]
            entry = re.match(r"(\w+)\s*=\s*(.*?)\s*;\s*(.*)$", line)
            if not entry or "[C]" not in entry[3]:
                continue
            key = "%s.%s" % (section, entry[1])
            unit_and_reason = re.sub(r"\s*\[C\][:;]?\s*", " ", entry[3]).strip(" ,;")
            effect = known.get("%s %s" % (machine, key), "not run")
            rows.append([machine, "`%s`" % key, entry[2], unit_and_reason or "-", effect])
    return table(CHOSEN, rows)


def put(page, marker, text):
    pattern = re.compile(r"(<!-- %s -->\n).*?(<!-- end -->)" % marker, re.S)
    if not pattern.search(page):
        sys.exit("%s: no line <!-- %s -->" % (PAGE, marker))
    return pattern.sub(lambda m: m[1] + text + "\n" + m[2], page)


def counts(listed, build, old):
    """How many values are judged how."""
    said = {}
    for line in papers(listed, build, old).split("\n"):
        row = cells(line)
        if len(row) == len(HEADER) and row[4] not in ("verdict", "-", "---") and row[4]:
            said[row[4]] = said.get(row[4], 0) + 1
    order = ["better", "within 10 %", "within 3 points", "differs", "no number in the paper"]
    return table(["verdict", "values"], [[name, str(said.get(name, 0))] for name in order])


def check(listed, build, page):
    old, compared, wrong = old_rows(page), 0, 0
    for paper in ("EDGE", "Full/empty bits", "CM-BAL"):
        for item, source in listed[paper].items():
            if source.startswith("- "):
                continue
            for row in figure_rows(item, source, build, listed):
                if row[3] in ("", "-"):
                    continue
                compared += 1
                before = old.get((row[0], row[1], row[6]), [""] * len(HEADER))
                if before[:5] != row[:5]:
                    wrong += 1
                    print("%s: %s: the page has %s, the simulation %s" % (item, row[1], before[3] or "nothing", row[3]))
    before = old_effects(page)
    for choice, text in effects(build).items():
        compared += 1
        if before.get(choice) != text:
            wrong += 1
            print("%s: the page has '%s', the simulation '%s'" % (choice, before.get(choice, "nothing"), text))
    print("%d values compared, %d differ" % (compared, wrong))
    return compared >= LEAST_CHECKED and not wrong


def main():
    build, listed, page = sys.argv[-1], sections(LIST), read(PAGE)
    for name in ("paper", "why", "more", "less", "without"):
        listed.setdefault(name, {})
    if sys.argv[1] == "--check":
        sys.exit(0 if check(listed, build, page) else 1)
    old = old_rows(page)
    page = put(page, "counts", counts(listed, build, old))
    page = put(page, "figures", papers(listed, build, old))
    page = put(page, "chosen", chosen(listed, build, page))
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
