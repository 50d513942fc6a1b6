"""Every figure and table of the three papers is an item of docs/measured/fidelity.ini, and has a row on the page; so
has every choice of a machine."""
import glob
import os
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

# Every choice of a machine's file says on the page what another value changes; no experiment changes anything else.
choices = set()
for path in glob.glob("config/*.ini"):
    section = ""
    for line in open(path, encoding="utf-8"):
        if head := re.match(r"\[(\w+)\]", line):
            section = head[1]
        elif (entry := re.match(r"(\w+)\s*=[^;]*;(.*)", line)) and "[C]" in entry[2]:
            choices.add("%s %s.%s" % (os.path.basename(path), section, entry[1]))
shown = {"%s %s" % (machine, key): effect
         for machine, key, effect in re.findall(r"^\| (\S+\.ini) \| `([^`]+)` \|.*\| ([^|]*) \|$", page, re.M)}
assert set(shown) == choices, "make fidelity FIDELITY=choices: %s" % (set(shown) ^ choices)
unknown = [choice for choice, effect in shown.items() if effect == "not run"]
assert not unknown, "without another value in experiments/choices: %s" % unknown
changed = {label for path in glob.glob("experiments/choices/choices-*.ini")
           for label in re.findall(r"^(\S+\.ini \S+) = ", open(path, encoding="utf-8").read(), re.M)}
assert changed <= choices, "no choices of a machine: %s" % (changed - choices)
