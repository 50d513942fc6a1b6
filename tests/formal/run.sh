#!/bin/sh
# Proofs of the assertions that stand in the modules of rtl/. Usage: run.sh BUILD [-q] [NAME...]:
# all tasks, or those of the task files NAME.task beside this script; -q: the steps marked `quick`
# only. One line per step, then a verdict. BUILD holds gen/evgpu_defs.vh.
#
# A task file has these lines:
#   top: the module; its input assumptions are assumed, those of its submodules are proved
#   set: PARAMETER VALUE, smaller than in the machine
#   define: a macro of the module's FORMAL section
#   step: ENGINE ARGUMENT [quick], one of
#     bmc N      no assertion fails in the first N cycles (ABC bmc3)
#     induct K   no assertion fails, ever: K-induction (yosys-smtbmc with z3)
#     pdr S      no assertion fails, ever: property directed reachability (ABC pdr), S seconds
#     cover N    every cover statement is reached within N cycles (ABC bmc3)
#     swept N    bmc after merging equivalent registers
#     reach N    the same (yosys-smtbmc with z3)
#     script F   an existing proof, tests/e2e/F or F beside this script, all of whose checks must be ok
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd) || exit 1
gen=$build/gen
shift
quick=0
if [ "${1:-}" = -q ]; then
    quick=1
    shift
fi
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.task | sed 's,^\./,,; s/\.task$//')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$root" || exit 1
failures=0
steps=0
begin=$(date +%s)

field() { # FIELD: its values, one per line
    sed -n "s/^$1: *//p" "$here/$task.task"
}

sources() {
    echo rtl/*/*.v tests/formal/min_select_top.v
}

# design FILES: Yosys commands that read, elaborate and flatten the top module.
design() {
    macros="-D FORMAL_TOP_$top $(field define | sed 's/^/-D /' | tr '\n' ' ')"
    parameters=$(field set | sed 's/^\([^ ]*\) \(.*\)/-chparam \1 \2/' | tr '\n' ' ')
    echo "read_verilog -formal -defer $macros -I$gen $1; hierarchy -check -top $top $parameters;
        proc; flatten; opt -full; memory -nomap; opt; setundef -undriven -anyseq"
}

aiger() { # OUT COMMANDS...
    yosys -q -p "$(design "$(sources)"); $2; memory_map; opt -full; techmap; opt;
        setundef -undriven -anyseq; dffunmap; simplemap; delete -output; aigmap; opt_clean; write_aiger -zinit -B -I -map $work/map $1"
}

abc() { # COMMANDS
    yosys-abc -c "$1" >"$work/log" 2>&1
}

step_script() {
    script=tests/e2e/$1
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
    yosys -q -p "$(design "$(sources)"); chformal -cover -remove; memory_map; opt -full; dffunmap;
        write_smt2 -wires $work/m.smt2" &&
        timeout 60 yosys-smtbmc -s z3 -t "$1" --noprogress "$work/m.smt2" >"$work/log" 2>&1 &&
        timeout 60 yosys-smtbmc -s z3 -i -t "$1" --noprogress "$work/m.smt2" >"$work/log" 2>&1 &&
        grep -q 'Status: PASSED' "$work/log"
}

step_reach() {
    yosys -q -p "$(design "$(sources)"); memory_map; opt -full; dffunmap; write_smt2 -wires $work/m.smt2" &&
        timeout 60 yosys-smtbmc -s z3 -c -t "$1" --noprogress "$work/m.smt2" >"$work/log" 2>&1 &&
        grep -q 'Status: PASSED' "$work/log"
}

step_cover() {
    aiger "$work/m.aig" "chformal -assert -remove; techmap -map $here/cover.v" || return 1
    wanted=$(yosys -q -p "$(design "$(sources)"); tee -o $work/n select -count t:\$cover" && sed -n 's/ objects.*//p' "$work/n")
    abc "read_aiger $work/m.aig; fold; strash; bmc3 -a -F $1"
    reached=$(grep -c 'asserted in frame' "$work/log")
    echo "covers: $reached of $wanted reached" >>"$work/log"
    [ "$wanted" -gt 0 ] && [ "$reached" -eq "$wanted" ]
}

run_step() { # ENGINE ARGUMENT
    : >"$work/log"
    start=$(date +%s)
    if "step_$1" "$2" 2>>"$work/log"; then
        verdict=PASS
    else
        verdict=FAIL
        failures=$((failures + 1))
    fi
    steps=$((steps + 1))
    printf '%s %-28s %-7s %-4s %4d s\n' "$verdict" "$task" "$1" "$2" $(($(date +%s) - start))
    if [ $verdict = FAIL ]; then
        tail -n 8 "$work/log" | sed 's/^/    /'
    fi
}

for task; do
    top=$(field top)
    field step >"$work/steps"
    while read -r engine argument mark <&3; do
        if [ $quick = 0 ] || [ "$mark" = quick ]; then
            run_step "$engine" "$argument"
        fi
    done 3<"$work/steps"
done

elapsed=$(($(date +%s) - begin))
if [ $failures -eq 0 ] && [ $steps -gt 0 ]; then
    echo "formal: PASS, $steps steps in $elapsed s"
else
    echo "formal: FAIL, $failures of $steps steps, in $elapsed s"
    exit 1
fi
