#!/bin/sh
# Line and toggle coverage of rtl/ per module, from the block testbenches, the system tests and the
# end-to-end modes. Usage: coverage.sh BUILD TABLE.md [TEST...], with BUILD made by COV=1; with TESTs,
# names of block testbenches, only of those and of the modules that they use. One verdict line.
#
# Exclusions, each with its reason, are lines of tests/coverage.exclude: "KIND MODULE PATTERN  # reason",
# where KIND is line or toggle, MODULE and PATTERN are extended regular expressions, PATTERN on the
# point's name: the signal of a toggle, the text of a line without its blanks.
build=$1
table=$2
shift 2
EVGPU_COVERAGE=$(mktemp -d)
export EVGPU_COVERAGE
trap 'rm -rf "$EVGPU_COVERAGE"' EXIT

run() { # TITLE COMMAND...
    echo "coverage: $1"
    shift
    "$@" >/dev/null 2>&1 || { echo "coverage: FAIL: $* fails"; exit 1; }
}

EVGPU_BUILD=$build
export EVGPU_BUILD
if [ $# -gt 0 ]; then
    for test; do
        run "$test" "$build/tests/tb/$test"
    done
else
    for test in "$build"/tests/tb/test_* "$build"/tests/system/test_*; do
        case $test in *.d | *.o) continue ;; esac
        run "$(basename "$test")" "$test"
    done
    run "end-to-end modes" sh tests/e2e/machine/modes.sh
fi

verilator_coverage --write "$EVGPU_COVERAGE/all.dat" "$EVGPU_COVERAGE"/[0-9]*.dat >/dev/null || exit 1

# A point is  C '<1>key<2>value<1>key<2>value...' count  ; its counts add up over the instances.
awk -v exclude=tests/coverage.exclude -v table="$table" -v sep="$(printf '\001')" -v eq="$(printf '\002')" '
    function field(key,   i, kv) {
        for (i = 1; i <= n; i++) {
            split(part[i], kv, eq)
            if (kv[1] == key) return kv[2]
        }
        return ""
    }
    function excluded(kind, module, name,   i) {
        for (i = 1; i <= rules; i++)
            if (kind == rkind[i] && module ~ ("^(" rmodule[i] ")$") && name ~ ("^(" rpattern[i] ")$")) return 1
        return 0
    }
    function text(file, number,   n) {
        if (!(file in known)) {
            known[file] = 1
            while ((getline source[file, ++n] < file) > 0)
                gsub(/[ \t]/, "", source[file, n])
            close(file)
        }
        return source[file, number]
    }
    BEGIN {
        while ((getline line < exclude) > 0) {
            if (line !~ /^(line|toggle) /) continue
            split(line, w, " ")
            rules++
            rkind[rules] = w[1]; rmodule[rules] = w[2]; rpattern[rules] = w[3]
        }
    }
    /^C / {
        count = $NF
        body = $0
        sub(/^C ./, "", body); sub(/. [0-9]+$/, "", body)
        n = split(body, part, sep)
        file = field("f")
        if (file !~ /rtl\//) next
        module = file; sub(/.*\//, "", module); sub(/\.v$/, "", module)
        kind = field("page") ~ /^v_toggle/ ? "toggle" : "line"
        name = kind == "toggle" ? field("o") : text(file, field("l"))
        if (excluded(kind, module, name)) next
        point = kind SUBSEP module SUBSEP field("l") SUBSEP field("n") SUBSEP field("o")
        if (!(point in seen)) { seen[point] = 1; total[kind, module]++; modules[module] = 1; label[point] = name }
        if (count > 0 && !(point in hit)) { hit[point] = 1; covered[kind, module]++ }
    }
    function percent(a, b) { return b ? 100 * a / b : 100 }
    function enough(line, lines, toggle, toggles) {
        return percent(line, lines) >= 98 && percent(toggle, toggles) >= 90
    }
    END {
        print "# Coverage of rtl/" > table
        print "\n`make coverage` writes this table: points reached by the block testbenches, the system tests" > table
        print "and the end-to-end modes. Exclusions with their reasons: tests/coverage.exclude." > table
        print "A module should have 98 % of its lines and 90 % of its toggles. The AXI wrapper (`axi_frontend`, `axi_master`," > table
        print "`axil_slave`, `register_bank`) and the example (`event_system`, `event_driver`, `event_memory`, `simt_core`) miss" > table
        print "that here: their other tests, cocotb (`make axi-check`) and tests/rtl, do not count.\n" > table
        print "| module | lines | % | toggles | % |\n|---|---|---|---|---|" > table
        m = 0
        for (module in modules) name_of[++m] = module
        for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++)
            if (name_of[j] < name_of[i]) { t = name_of[i]; name_of[i] = name_of[j]; name_of[j] = t }
        for (i = 1; i <= m; i++) {
            q = name_of[i]
            for (k = 1; k <= 2; k++) {
                kind = k == 1 ? "line" : "toggle"
                all[k] += total[kind, q]; got[k] += covered[kind, q]
            }
            printf "| %s | %d of %d | %.1f | %d of %d | %.1f |\n", q, covered["line", q], total["line", q],
                percent(covered["line", q], total["line", q]), covered["toggle", q], total["toggle", q],
                percent(covered["toggle", q], total["toggle", q]) > table
            if (!enough(covered["line", q], total["line", q], covered["toggle", q], total["toggle", q]))
                under++
        }
        printf "| all | %d of %d | %.1f | %d of %d | %.1f |\n", got[1], all[1], percent(got[1], all[1]),
            got[2], all[2], percent(got[2], all[2]) > table
        for (point in seen) if (!(point in hit)) {
            split(point, w, SUBSEP)
            print "missed: " w[1] " " w[2] " line " w[3] " " label[point]
        }
        ok = m > 0 && !under && enough(got[1], all[1], got[2], all[2])
        printf "coverage: %.1f %% of lines, %.1f %% of toggles, %d of %d modules under 98 or 90 %%: %s\n",
            percent(got[1], all[1]), percent(got[2], all[2]), under, m, ok ? "PASS" : "FAIL"
        exit !ok
    }' "$EVGPU_COVERAGE/all.dat" | tee "$build/coverage.txt" | tail -n 1
sh docs/measured/origin.sh "$table"
tail -n 1 "$build/coverage.txt" | grep -q PASS
