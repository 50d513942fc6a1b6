"""Checks what the documents say about the tree. Prints one line per mistake; the exit status is their
number, 99 at most. Usage: docs.py links|paths|functions|cells [PAGE...], all committed pages by default

links      every relative link leads to a file, and its #anchor to a heading there
paths      every `path` below a folder of the tree exists; capital letters stand for any name
functions  every `file:function` names a function that the file defines
cells      every table cell has under 25 words, but in tables that a command writes
"""
import glob
import os
import re
import subprocess
import sys

FOLDERS = ("base", "config", "constraints", "docs", "experiments", "fpga", "mk", "rtl", "sim", "sw", "tb", "tests")
MOST = 24


def pages():
    files = subprocess.check_output(["git", "ls-files", "*.md"], text=True).split()
    return [f for f in files if os.path.exists(f)]


def text_lines(page):
    """(number, line) outside of fenced code."""
    fenced = False
    with open(page) as file:
        for number, line in enumerate(file, 1):
            if line.startswith("```"):
                fenced = not fenced
            elif not fenced:
                yield number, line.rstrip("\n")


def anchors(page):
    found = set()
    for _, line in text_lines(page):
        if line.startswith("#"):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            found.add(title.replace(" ", "-"))
    return found


def links(page):
    for number, line in text_lines(page):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if "://" in target:
                continue
            path, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(path):
                yield number, target + ": no such file"
            elif anchor and anchor not in anchors(path):
                yield number, target + ": no such heading"


def exists(path):
    # NAME stands for any name, and so does a word of capitals inside one.
    pattern = re.sub(r"[A-Z]{3,}", "*", path).rstrip("/")
    # sim/a.{c,h} is two paths.
    brace = re.match(r"(.*)\{([^}]*)\}(.*)$", pattern)
    if brace:
        return all(exists(brace[1] + part + brace[3]) for part in brace[2].split(","))
    return os.path.exists(path) or bool(glob.glob(pattern))


def paths(page):
    word = re.compile(r"`((?:%s)/[\w./*{},-]*)(?::\w+)?`" % "|".join(FOLDERS))
    for number, line in text_lines(page):
        for path in word.findall(line):
            if not exists(path):
                yield number, path + ": no such path"


def defines(path, function):
    with open(path) as file:
        text = file.read()
    if path.endswith(".v"):
        return re.search(r"\b(module|task|function)\b[^;(]*\b%s\b" % function, text) is not None
    # A name that opens a parameter list whose end is followed by a body.
    return re.search(r"^[\w][^;{}()#]*\b%s\([^;{}]*\)\s*\{" % function, text, re.M) is not None


def functions(page):
    for number, line in text_lines(page):
        for path, function in re.findall(r"`((?:%s)/[\w./-]*):(\w+)`" % "|".join(FOLDERS), line):
            if not os.path.exists(path):
                yield number, path + ": no such file"
            elif not defines(path, function):
                yield number, "%s defines no %s" % (path, function)


def cells(page):
    written = False
    for number, line in text_lines(page):
        if re.match(r"<!-- \w+ -->$", line):
            written = line != "<!-- end -->"
        if written or not line.startswith("|"):
            continue
        for cell in re.split(r"(?<!\\)\|", line)[1:-1]:
            count = len([w for w in cell.split() if re.search(r"\w", w)])
            if count > MOST:
                yield number, "%d words in a cell: %s" % (count, " ".join(cell.split()[:6]))


def main():
    check = {"links": links, "paths": paths, "functions": functions, "cells": cells}[sys.argv[1]]
    mistakes = 0
    for page in sys.argv[2:] or pages():
        for number, text in check(page):
            print("%s:%d: %s" % (page, number, text))
            mistakes += 1
    return min(mistakes, 99)


sys.exit(main())
