"""Every figure and table of the three papers is an item of docs/measured/fidelity.ini, and has a row on the page."""
import re

PAPERS = {
    "EDGE": (["Figure %s" % n for n in [1, 2, 3, "4a", "4b", *range(5, 14)]], ["Table I", "Table II", "Table III"]),
    "Full/empty bits": (["Figure %d" % n for n in range(1, 13)], ["Table %d" % n for n in range(1, 4)]),
    "CM-BAL": (["Figure %d" % n for n in range(1, 21)], ["Table I", "Table II", "Table III", "Table IV"]),
}
page = open("docs/papers/fidelity.md", encoding="utf-8").read()
parts = dict(re.findall(r"^### ([^\n]*)\n(.*?)(?=^##|\Z)", page, re.M | re.S))
for paper, (figures, tables) in PAPERS.items():
    items = {line.split("|")[1].split(":")[0].strip() for line in parts[paper].split("\n") if line.startswith("| ")}
    missing = [name for name in figures + tables if name not in items]
    assert not missing, (paper, missing)
