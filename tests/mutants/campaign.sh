#!/bin/sh
# Mutation campaign: COUNT mutants drawn from all places in rtl/ at which an operator can be exchanged,
# a constant inverted or an assignment left out; each is run against the random test of its tile, and
# survivors against the directed tests. Usage: campaign.sh BUILD COUNT SEED TABLE.md. Ends with a
# verdict line: at least 95 % must be killed.
build=$1
count=$2
seed=$3
table=$4
here=$(cd "$(dirname "$0")" && pwd)
MUTANTS=$(mktemp -d)
export MUTANTS
trap 'rm -rf "$MUTANTS"' EXIT

tests_of() { # FILE: the test programs that see it, the random one first
    case $1 in
    rtl/cm/mem_stall_monitor.v | rtl/fe/* | rtl/tiles/mem_frontend.v) tile=mem_frontend ;;
    rtl/cm/* | rtl/tiles/*concurrency_unit.v) tile=concurrency_unit ;;
    rtl/edge/doorbell_decoder.v | rtl/edge/event_* | rtl/tiles/gpu_frontend.v | rtl/common/s*) tile=gpu_frontend ;;
    *) tile=sm_event_unit ;;
    esac
    echo "tests/tb/test_${tile}_random"
    for test in "$build"/tests/tb/test_"$tile"*; do
        case $test in *_random | *.d | *.o) ;; *) echo "tests/tb/$(basename "$test")" ;; esac
    done
}

# Every candidate: file, line, sed expression.
candidates() {
    for file in rtl/common/*.v rtl/edge/*.v rtl/fe/*.v rtl/cm/*.v rtl/tiles/*.v; do
        awk -v file="$file" '
            function offer(old, new,   text, n, at) {
                text = code; n = 0
                while ((at = index(text, old)) > 0) {
                    n++
                    print file "\t" FNR "\t" FNR "s/" escape(old) "/" escape_new(new) "/" n
                    text = substr(text, at + length(old))
                }
            }
            function escape(s) { gsub(/[][*.^$\/]/, "\\\\&", s); return s }
            function escape_new(s) { gsub(/[&\/]/, "\\\\&", s); return s }
            /^`ifdef FORMAL/ { exit }
            /^ *module /, /^ *\);/ { next }
            /^ *generate/, /endgenerate/ { next }
            /localparam|parameter|`include|`default|initial|^ *wire .*;$/ && !/=/ { next }
            {
                code = $0
                sub(/\/\/.*/, "", code)
                if (code ~ /^ *$/ || code ~ /localparam|parameter/) next
                offer(" == ", " != "); offer(" != ", " == ")
                offer(" && ", " || "); offer(" || ", " && ")
                offer(" + ", " - "); offer(" - ", " + ")
                offer(" < ", " >= "); offer(" >= ", " < "); offer(" > ", " <= ")
                offer(" & ", " | "); offer(" | ", " & ")
                offer("1\047b0", "1\047b1"); offer("1\047b1", "1\047b0")
                offer("if (", "if (!("); if (code ~ /if \(!\(/) next
            }
            code ~ /_[qd] +<?= .*;$/ && code !~ /^ *(assign|wire|reg)/ {
                target = code; sub(/ *<?=.*/, "", target); sub(/.*[ )]/, "", target)
                print file "\t" FNR "\t" FNR "s/^\\(.*\\)" escape(target) " *<\\{0,1\\}= .*;/\\1" escape_new(target) " " (code ~ /<=/ ? "<=" : "=") " " escape_new(target) ";/"
            }' "$file"
    done | grep -v 'if (!(/'
}

candidates | awk -F '\t' -v seed="$seed" '
    BEGIN { x = seed }
    { x = (x * 1103515245 + 12345) % 2147483648; printf "%d\t%s\n", x, $0 }' |
    sort -n | head -n "$count" | cut -f 2- >"$MUTANTS/list"

n=0
while IFS="$(printf '\t')" read -r file line expression; do
    n=$((n + 1))
    name=$(printf '%03d_%s_%s' "$n" "$(basename "$file" .v)" "$line")
    test=$(tests_of "$file" | head -n 1)
    printf 'file: %s\nsed: %s\ntest: %s\n' "$file" "$expression" "$test" >"$MUTANTS/$name.mutant"
done <"$MUTANTS/list"

echo "campaign: $n mutants of $(candidates | wc -l) candidates"
sh "$here/run.sh" "$build" 2>&1 | tee "$MUTANTS/first" | grep -E '^(not )?ok'
for survivor in $(sed -n 's/^not ok mutant \([^:]*\): .* passes$/\1/p' "$MUTANTS/first"); do
    file=$(sed -n 's/^file: //p' "$MUTANTS/$survivor.mutant")
    for test in $(tests_of "$file" | tail -n +2); do
        sed -i "s,^test: .*,test: $test," "$MUTANTS/$survivor.mutant"
        if sh "$here/run.sh" "$build" "$survivor" >"$MUTANTS/again" 2>&1; then
            echo "killed by $test: $survivor"
            sed -i "s,^not ok mutant $survivor: .*,ok mutant $survivor," "$MUTANTS/first"
            break
        fi
    done
done

{
    echo "# Mutation campaign"
    echo
    echo "\`make mutants\`: $n mutants drawn with seed $seed. A mutant that does not build is not counted."
    echo
    echo "| module | mutants | killed | survivors |"
    echo "|---|---|---|---|"
    for module in $(sed -n 's/^\(not \)\{0,1\}ok mutant [0-9]*_\(.*\)_[0-9]*\(:.*\)\{0,1\}$/\2/p' "$MUTANTS/first" | sort -u); do
        killed=$(grep -cE "^ok mutant [0-9]+_${module}_[0-9]+$" "$MUTANTS/first")
        alive=$(grep -E "^not ok mutant [0-9]+_${module}_[0-9]+: .* passes$" "$MUTANTS/first" | sed 's/^not ok mutant \([^:]*\):.*/\1/')
        echo "| $module | $((killed + $(echo "$alive" | grep -c .))) | $killed | $(for a in $alive; do echo "line ${a##*_}: \`$(sed -n 's/^sed: [0-9]*//p' "$MUTANTS/$a.mutant")\`"; done | paste -sd ';') |"
    done
} >"$table"
killed=$(grep -c '^ok mutant' "$MUTANTS/first")
alive=$(grep -c '^not ok mutant .* passes$' "$MUTANTS/first")
verdict=$(awk -v k="$killed" -v a="$alive" 'BEGIN { p = k + a ? 100 * k / (k + a) : 0; printf "mutants: %d killed, %d survived, %.1f %%: %s", k, a, p, (p >= 95) ? "PASS" : "FAIL"; exit (p < 95) }')
status=$?
echo >>"$table"
echo "$verdict" | tee -a "$table"
exit $status
