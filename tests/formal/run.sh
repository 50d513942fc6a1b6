#!/bin/sh
# Proofs of the assertions that stand in the modules of rtl/. Usage: run.sh BUILD [-q] [-t FILE.md]
# [NAME...]: all tasks, or those of the task files NAME.task in the folders beside this script, two at a time; -q: the
# steps marked `quick` only; -t: the table in FILE.md is written again. One line per step, then a
# verdict. BUILD holds gen/evgpu_defs.vh.
#
# A task file has these lines:
#   top: the module; its input assumptions are assumed, those of its submodules are proved
#   proves: the table's text; several lines are joined
#   set: PARAMETER VALUE, smaller than in the machine
#   define: a macro of the module's FORMAL section
#   memory: options of Yosys's memory command; -nordff keeps read ports without registers, which an
#     induction over what a memory holds needs
#   clocks: free, if the module has several: each is an input like any other
#   reach: how far the proof reaches, where the steps do not tell it (scripts)
#   step: ENGINE ARGUMENT [quick], one of
#     bmc N      no assertion fails in the first N cycles (ABC bmc3)
#     swept N    the same after merging equivalent registers
#     induct K   no assertion fails, ever: K-induction (yosys-smtbmc with z3)
#     inductive K  the same (Yosys's SAT solver), for more state and less arithmetic
#     pdr S      no assertion fails, ever: property directed reachability (ABC pdr), S seconds
#     cover N    every cover statement is reached within N cycles (ABC bmc3)
#     reach N    the same (yosys-smtbmc with z3)
#     script F   an existing proof, tests/e2e/rtl/F or F beside this script, all of whose checks must be ok
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd) || exit 1
gen=$build/gen
shift
quick=0
table=
only= # one task: the workers of a run of several
while :; do
    case ${1:-} in
    -q) quick=1 ;;
    -t)
        table=$2
        shift
        ;;
    -1) only=1 ;;
    *) break ;;
    esac
    shift
done
. "$root/tests/sources.sh.inc"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$root" || exit 1

field() { # FIELD: its values, one per line
    sed -n "s/^$1: *//p" "$here"/*/"$task".task
}

# The top module, elaborated and flattened once for all steps of the task: $work/design.il; and how many cover
# statements it has: $work/covers. FORMAL_MUTATE: Yosys commands that break it first (tests/mutants/campaign.sh).
elaborated() {
    [ ! -e "$work/design.il" ] || return 0
    macros="-D FORMAL_TOP_$top $(field define | sed 's/^/-D /' | tr '\n' ' ')"
    parameters=$(field set | sed 's/^\([^ ]*\) \(.*\)/-chparam \1 \2/' | tr '\n' ' ')
    yosys -q -p "read_verilog -formal -defer $macros -I$gen -Irtl/common $(sources_of "$top"); hierarchy -check -top $top $parameters;
        proc; ${FORMAL_MUTATE:-} flatten; opt -full; memory $(field memory) -nomap; opt; $(free_clocks) setundef -undriven -anyseq;
        tee -q -o $work/covers select -count t:\$cover; write_rtlil $work/design.il"
}

free_clocks() {
    [ "$(field clocks)" != free ] || echo "clk2fflogic;"
}

aiger() { # OUT COMMANDS...
    elaborated && yosys -q -p "read_rtlil $work/design.il; $2; delete -output; opt_clean -purge; memory_map; opt -full -purge;
        simplemap; techmap; opt_expr; opt_dff -simple-dffe; opt_clean -purge; setundef -undriven -anyseq; dffunmap; simplemap;
        aigmap; opt_clean -purge; write_aiger -zinit -B -I $1"
}

smt2() { # COMMANDS
    elaborated && yosys -q -p "read_rtlil $work/design.il; $1; memory_map; opt -full; dffunmap; write_smt2 -wires $work/m.smt2"
}

abc() { # COMMANDS
    yosys-abc -c "$1" >"$work/log" 2>&1
}

# Unrolled, because z3 does not come back from the uninterpreted states of wide counters.
z3() { # ARGUMENTS
    timeout 3600 yosys-smtbmc -s z3 --unroll --noprogress "$@" "$work/m.smt2" >>"$work/log" 2>&1
}

step_script() {
    script=tests/e2e/rtl/$1
    [ -e "$script" ] || script=tests/formal/$1
    EVGPU_BUILD=$build sh "$script" "$build" >"$work/log" 2>&1 && grep -q '^ok ' "$work/log"
}

# Every output of the model is a bad state; a model without outputs would prove nothing.
bounded() { # ABC_COMMANDS CYCLES
    aiger "$work/m.aig" "chformal -cover -remove" &&
        abc "read_aiger $work/m.aig; fold; strash; $1; print_stats; bmc3 -F $2" &&
        ! grep -q 'asserted in frame' "$work/log" &&
        grep -q 'No output asserted in' "$work/log"
}

step_bmc() {
    bounded orpos "$1"
}

step_swept() {
    bounded scorr "$1"
}

step_pdr() {
    aiger "$work/m.aig" "chformal -cover -remove" &&
        abc "read_aiger $work/m.aig; fold; strash; scorr; print_stats; pdr -T $1" &&
        grep -qE 'Property proved|All properties|is UNSAT|Networks are equivalent' "$work/log" &&
        ! grep -qE 'asserted in frame|UNDECIDED|undecided' "$work/log"
}

step_induct() {
    smt2 "chformal -cover -remove" && z3 -t "$1" && z3 -i -t "$1" &&
        [ "$(grep -c 'Status: PASSED' "$work/log")" -eq 2 ]
}

step_inductive() {
    elaborated && yosys -q -l "$work/log" -p "read_rtlil $work/design.il; chformal -cover -remove; memory_map; opt -full;
        async2sync; dffunmap; opt_clean; select -assert-min 1 t:\$assert;
        sat -verify -prove-asserts -set-assumes -tempinduct -seq 1 -maxsteps $1" >/dev/null
}

step_reach() {
    smt2 "chformal -assert -remove" && z3 -c -t "$1"
    status=$?
    covers "$(count_covers)" "$(grep -c 'Reached cover statement' "$work/log")"
    return $status
}

count_covers() {
    sed -n 's/ objects.*//p' "$work/covers"
}

covers() { # WANTED REACHED
    detail=" ($2 of $1)"
    [ "${1:-0}" -gt 0 ] && [ "$2" -eq "$1" ]
}

# One after the other, since bmc3 does not survive all at once in every design.
step_cover() {
    aiger "$work/m.aig" "chformal -assert -remove; techmap -map $here/cover.v" || return 1
    wanted=$(count_covers)
    cover=0
    searches=
    while [ "$cover" -lt "${wanted:-0}" ]; do
        searches="$searches read_aiger $work/m.aig; fold; strash; cone -s -O $cover; scorr; bmc3 -F $1;"
        cover=$((cover + 1))
    done
    abc "$searches"
    covers "$wanted" "$(grep -c 'asserted in frame' "$work/log")"
}

run_step() { # ENGINE ARGUMENT
    : >"$work/log"
    start=$(date +%s)
    verdict=PASS
    detail=
    "step_$1" "$2" 2>>"$work/log" || verdict=FAIL
    printf '%s %-28s %-9s %-4s %4d s%s\n' "$verdict" "$task" "$1" "$2" $(($(date +%s) - start)) "$detail"
    if [ $verdict = FAIL ]; then
        tail -n 8 "$work/log" | sed 's/^/    /'
    fi
}

run_task() { # NAME
    task=$1
    top=$(field top)
    if [ -z "$top" ]; then
        echo "FAIL $task: no such task, or it names no top"
        return
    fi
    field step >"$work/steps"
    while read -r engine argument mark <&3; do
        if [ $quick = 0 ] || [ "$mark" = quick ]; then
            run_step "$engine" "$argument"
        fi
    done 3<"$work/steps"
}

# Those that took longest when the table was made come first, so that two workers end together.
longest_first() { # NAME...
    for task; do
        echo "$(sed -n "s/^| \`$task\` |.* | \([0-9]*\) |\$/\1/p" docs/measured/formal.md) $task"
    done | sed 's/^ /999 /' | sort -rn | cut -d ' ' -f 2
}

row() { # NAME: of the table, from the steps' lines in $work/lines
    task=$1
    reach=$(field reach)
    if [ -z "$reach" ]; then
        case "$(field step)" in
        *pdr* | *induct*) reach="for ever" ;;
        *) reach="$(field step | sed -n 's/^\(bmc\|swept\) \([0-9]*\).*/\2 cycles/p' | sort -rn | head -n 1)" ;;
        esac
    fi
    awk -v task="$task" -v proves="$(field proves | tr '\n' ' ' | sed 's/ *$//')" -v reach="$reach" '
        $2 == task { s += $5; if ($1 == "FAIL") failed = 1
            if ($3 == "cover" || $3 == "reach") covers = $7 " of " $9
            if (engines !~ $3) engines = engines (engines == "" ? "" : ", ") $3 }
        END { gsub(/[()]/, "", covers)
            printf "| `%s` | %s | %s | %s | %s | %d |\n", task, proves, failed ? "**FAIL**" : reach,
                engines, covers != "" ? covers : engines ~ /script/ ? "in its script" : "-", s }' "$work/lines"
}

write_table() { # FILE.md NAME...
    file=$1
    shift
    {
        echo "| task | property | reach | engines | covers reached | s |"
        echo "|---|---|---|---|---|---|"
        for task; do row "$task"; done
    } >"$work/table"
    sh docs/measured/put.sh "$file" formal "$work/table"
}

[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*/*.task | sed 's,.*/,,; s/\.task$//' | sort)
if [ -n "$only" ]; then
    run_task "$1"
    exit
fi
begin=$(date +%s)
options=-1
[ $quick = 0 ] || options="-1 -q"
longest_first "$@" | xargs -P 2 -I '{}' sh "$here/run.sh" "$build" $options '{}' | tee "$work/lines"
[ -z "$table" ] || write_table "$table" "$@"
steps=$(grep -cE '^(PASS|FAIL) ' "$work/lines")
failures=$(grep -c '^FAIL ' "$work/lines")
elapsed=$(($(date +%s) - begin))
if [ "$failures" -eq 0 ] && [ "$steps" -gt 0 ]; then
    echo "formal: PASS, $# tasks, $steps steps in $elapsed s"
else
    echo "formal: FAIL, $failures of $steps steps, in $elapsed s"
    exit 1
fi
