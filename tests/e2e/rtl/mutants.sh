# Tests of the tests: every mutant of the sample must turn its test red. The sample has one at least per
# tile, and per other test that any mutant names; `make mutants` runs all.
. tests/e2e/lib.sh.inc
LIST=tests/mutants/by_hand.txt
. tests/mutants/list.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "mutants: run without the sanitizers"
    exit 0
fi
sample=$(grep -v '^#' tests/mutants/sample.txt)

well_formed() {
    awk '
        function wrong(what) { print FILENAME ":" FNR ": " what; bad = 1 }
        /^#/ || /^$/ { next }
        /^[ \t]/ { if (!records) wrong("script without a mutant"); scripts[records]++; next }
        { records++; if (NF != 3) wrong("expected NAME FILE TEST"); if (seen[$1]++) wrong("second " $1) }
        END {
            for (i = 1; i <= records; i++) if (!scripts[i]) wrong("a mutant without a script")
            exit bad || !records
        }' "$LIST"
}
applies() { # every script still changes its file
    wrong=0
    mkdir "$work/scripts"
    awk -v dir="$work/scripts" '
        /^[^# \t]/ { if (script) close(script); script = dir "/" $1; print $1, $2; next }
        script && sub(/^[ \t]+/, "") { print >script }' "$LIST" >"$work/files"
    while read -r name file; do
        [ -f "$file" ] || { echo "$name: no file $file"; wrong=1; continue; }
        sed -f "$work/scripts/$name" "$file" >"$work/broken" || wrong=1
        ! cmp -s "$file" "$work/broken" || { echo "$name changes nothing in $file"; wrong=1; }
    done <"$work/files"
    return "$wrong"
}
explained() { # every reason of equivalent.txt is of a line that its file has
    grep -v '^#' tests/mutants/equivalent.txt | while IFS= read -r line; do
        file=$(echo "$line" | cut -d ' ' -f 2)
        text=$(echo "$line" | sed 's/^[^|]* | //; s/ | [^|]*$//; s/ ([0-9]*)$//')
        [ "$text" = "(no line known)" ] && ls rtl/*/"$file" >/dev/null && continue
        grep -qF -- "$text" rtl/*/"$file" || echo "equivalent.txt: $file has no line: $text"
    done >"$work/unknown"
    cat "$work/unknown"
    [ ! -s "$work/unknown" ]
}
unmade() { # what cannot be made is left out of the draw
    printf '    "m": {\n      "cells": {\n        "c": {\n          "type": "$and"\n' >"$work/t.json"
    for port in A B Y; do
        echo "mutate -mode inv -module m -cell c -port $port -portbit 0 -src m.v:1.1-1.2"
    done >"$work/t.list"
    echo "t m c B" >"$work/refused"
    awk -v count=3 -v seed=1 -f tests/mutants/choose.awk "$work/t.json" "$work/t.list" | cut -f 4 | sort >"$work/all"
    awk -v count=3 -v seed=1 -v refused="$work/refused" -f tests/mutants/choose.awk "$work/t.json" "$work/t.list" |
        cut -f 4 | sort >"$work/rest"
    grep -q ' and.B\[0\] inv$' "$work/all" && ! grep -q '\.B\[' "$work/rest" && [ "$(wc -l <"$work/rest")" -eq 2 ]
}
that_fail() { # NAME...: the tests; those of a tile's testbenches are one
    for name; do mutant "$name" test; done |
        sed -E 's,(tests/(formal|rtl))/.*,\1,; s,(tb/test_(concurrency|gpu_frontend|mem_frontend|sm_event_unit)).*,\1,' | sort -u
}
complete() {
    that_fail $sample >"$work/sampled"
    that_fail $(mutant_names) | diff "$work/sampled" -
}

check "the list is well formed" well_formed
check "every mutant changes its file" applies
check "every explained survivor is of a line of its file" explained
check "a place without a mutant is left out" unmade
check "the sample has every tile and test" complete
MUTANTS_TESTED=1 sh tests/mutants/run.sh "$build" $sample || failures=$((failures + 1))
finish
