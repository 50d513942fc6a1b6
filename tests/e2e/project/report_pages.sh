# make report: the pages hold every experiment and what the documents say, can be read, and need nothing else;
# the README's pictures are those of the tables.
. tests/e2e/lib.sh.inc
. tests/e2e/project/browser.sh.inc

python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import markdown' 2>/dev/null || python=$p
done
[ -n "$python" ] || { skip "make report: python3-markdown is not installed"; finish; }

pages=$work/pages
report() { limited "$python" -B docs/report/report.py "$@"; }
check "the pages" report "$build" "$pages"
check "... can be read, need nothing else, and link to what is there" "$python" -B tests/e2e/project/pages.py "$pages"/*.html
every() { # every FAMILY PAGE: each experiment with its command, and each of the paper's values with a reason
    files=
    for file in experiments/"$1"/*.ini; do
        name=$(basename "$file" .ini)
        grep -q '^members' "$file" && continue
        grep -q "id=\"$name\"" "$pages/$2.html" || { echo "no $name"; return 1; }
        grep -q "evgpu experiment $name<" "$pages/$2.html" || { echo "no command of $name"; return 1; }
        files="$files $file"
    done
    "$python" - "$pages/$2.html" $files <<'END'
import html, re, sys
page, *files = sys.argv[1:]
page = open(page, encoding="utf-8").read()
assert files
for file in files:
    text = open(file, encoding="utf-8").read()
    part = page[page.index('id="%s"' % re.sub(r".*/|\.ini$", "", file)):]
    part = part[:part.find("<h3") if "<h3" in part else None]
    section = re.search(r"^\[paper\]\n(.*?)(?=^\[|\Z)", text, re.M | re.S)
    for name, value in re.findall(r"^([\w]+) *= *([-\d.]+)", section[1] if section else "", re.M):
        row = re.search(r'>%s</th><td>[^<]*</td><td>([^<]*)</td><td class="text">(.+?)</td>' % name.replace("_", " "), part)
        assert row and float(row[1]) == float(value), (file, name, value, row and row[0])
    for section in re.findall(r"^\[paper[^\n]*\]\n(.*?)(?=^\[|\Z)", text, re.M | re.S):
        # ROW/COLUMN is a cell of a table.
        for row, column, value in re.findall(r"^([^\n/=]+)/([^\n=]+?) *= *([-\d.]+)", section, re.M):
            cells = re.findall(r'<th class="text">%s</th>(.*)</tr>' % re.escape(html.escape(row)), part)
            shown = re.findall(r"\(([-\d.]+)\)", " ".join(cells))
            assert any(float(v) == float(value) for v in shown), (file, row, column, value, shown)
END
}
check "every experiment of EDGE, with the paper's values" every edge edge
check "every experiment of full/empty bits" every fe full-empty
check "every experiment of CM-BAL" every cm cm
tables() { # as many tables of the measured page are on the page, and their pictures
    want=$(grep -c '^### ' docs/measured/cm.md)
    [ "$want" -ge 10 ] && [ "$(grep -c '<svg' "$pages/cm.html")" -ge "$want" ]
}
check "... and pictures of their tables" tables
check "the mechanisms together were verified" sh -c "[ \$(grep -c 'all verified' '$pages/together.html') -eq 4 ]"
numbers() { # cell PAGE ROW COLUMN: of the first table that has the row
    cell() { awk -F' *[|] *' -v row="$2" -v n="$3" 'index($2, row) == 1 { print $n; exit }' "$1"; }
    for number in "$(cell docs/measured/results.md 'EDGE, doorbell to first instruction' 4)" \
        "$(cell docs/measured/results.md preempt 3)" "$(cell docs/papers/full-empty.md mean 6)" \
        "$(cell docs/papers/cm.md CM-BAL1 8)" "$(cell docs/papers/cm.md CM-BAL1 4)"; do
        [ -n "$number" ] && grep -qF ">$number</strong>" "$pages/index.html" || { echo "no $number"; return 1; }
    done
    [ "$(grep -c '</strong>' "$pages/index.html")" -eq 5 ] && grep -q doorbell_decoder "$pages/index.html"
}
check "the start page has a picture and five numbers of the documents" numbers

drawn() { # FILE: what a picture was drawn from
    sed -n '/^<!--$/,/^-->$/p' "$1"
}
same_pictures() {
    report --readme "$build" "$work/pictures" >/dev/null || return 1
    for picture in "$work"/pictures/*.svg; do
        name=$(basename "$picture")
        drawn "$picture" >"$work/new"
        drawn "docs/pictures/$name" >"$work/old"
        [ -s "$work/new" ] && diff "$work/old" "$work/new" || { echo "$name: make report"; return 1; }
        grep -q "](docs/pictures/$name)" README.md || { echo "README.md does not show $name"; return 1; }
    done
    [ "$(grep -c '](docs/pictures/' README.md)" -eq 3 ]
}
check "the README shows three pictures, which are those of the tables" same_pictures

has_browser "make report" || finish
for page in index cm; do
    check "$page in Chromium, on a desktop" fits "$pages/$page.html" 1200
    check "... on a phone" fits "$pages/$page.html" 500
done
finish
