"""Tables of the documents: those of Markdown, and those that evgpu experiment prints."""
import re


class Table:
    """Cells are texts; the first column names the rows."""

    def __init__(self, title, header, rows, at="", end=0):
        self.title, self.header, self.rows, self.at = title, header, rows, at
        self.end = end  # in its page: number of the line behind it

    def column(self, name):
        return self.header.index(name)

    def cell(self, row, column):
        return next(r for r in self.rows if r[0] == row)[self.column(column)]

    def numbers(self, column):
        """Of a column by row; None where a cell is no number."""
        at = self.column(column)
        return [number(r[at]) if at < len(r) else None for r in self.rows]


def number(text):
    """'1,014', '-20 %', 'about 2000', '0.95 (0.8)', the paper's in parentheses, and '9.1 +- 0.2'
    (or ±) are numbers; '1.00, 1.00' and '-' are none."""
    text = re.sub(r" ((\+-|±).*|\(.*\))$", "", text.strip().strip("*")).replace("about ", "").replace(" %", "")
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    return float(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?", text) else None


def split_row(line):
    return [c.strip() for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def markdown_tables(text):
    """All tables of a page in order, each under its heading and with the sentence before it."""
    found, heading, before = [], "", ""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if line.startswith("#"):
            heading = line.lstrip("# ").strip()
        if line.startswith("|") and i + 1 < len(lines) and re.match(r"\|[-| :]+\|$", lines[i + 1]):
            rows = []
            for row in lines[i + 2:]:
                if not row.startswith("|"):
                    break
                rows.append(split_row(row))
            found.append(Table(before, split_row(line), rows, heading, i + 2 + len(rows)))
        elif line.strip() and not line.startswith("|"):
            before = line.strip()
    return found


def table_of(text, heading, index):
    """The index-th table, from 1, below a heading that begins so."""
    below = [t for t in markdown_tables(text) if t.at.startswith(heading)]
    if len(below) < index:
        raise SystemExit("no table %d below '%s'" % (index, heading))
    return below[index - 1]


def text_table(lines):
    """Columns are right-aligned, but for the first, and two spaces or more apart."""
    cut = [re.split(r"\s{2,}", l.strip()) for l in lines]
    header = cut[0]
    rows = [[c for c in row] + [""] * (len(header) - len(row)) for row in cut[1:]]
    return header, rows


class Printed:
    """What evgpu experiment prints of one experiment: tables and a summary with reasons."""

    def __init__(self, title, name, text):
        self.title, self.name, self.tables, self.summary = title, name, [], []
        for block in re.split(r"\n\s*\n", text.strip()):
            lines = [l for l in block.split("\n") if not l.startswith("In parentheses")]
            if lines[0].startswith("Summary"):
                self.read_summary(lines[1:])
            elif len(lines) > 2 and not lines[0].startswith(" "):
                header, rows = text_table(lines[1:])
                self.tables.append(Table(lines[0], header, rows))

    def read_summary(self, lines):
        for line in lines:
            if line.startswith(" "):
                if self.summary:
                    self.summary[-1][3] += (" " if self.summary[-1][3] else "") + line.strip()
                continue
            words = re.split(r"\s{2,}", line.strip())
            self.summary.append([words[0], words[1] if len(words) > 1 else "",
                                 words[2] if len(words) > 2 else "", ""])


def printed_results(text):
    """The sections '### TITLE (`NAME`)' with a fenced block of a page of docs/measured."""
    pattern = r"^### ([^\n]*) \(`([\w-]+)`\)\n+```\n(.*?)^```$"
    return {m[2]: Printed(m[1], m[2], m[3]) for m in re.finditer(pattern, text, re.M | re.S)}
