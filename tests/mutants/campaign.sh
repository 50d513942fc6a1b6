#!/bin/sh
# Mutation campaign. Yosys breaks a cell of a tile's netlist (`mutate`) in COUNT ways, all of them in one
# netlist per tile, of which the environment variable EVGPU_MUTANT selects one when a test program starts;
# so all mutants cost one build. Each runs against the block testbenches of its tile, directed ones first,
# with the modules' assertions. What they do not kill is compared with the unbroken module, then inside each
# module that holds it: equal for ever means equivalent. What differs, or may, goes to the module's proofs.
#
# First come the mutants written by hand, all those of by_hand.txt (run.sh).
#
# A drawn mutant that Yosys cannot make or Verilator cannot read (the bit of a table's initial value depends
# on a signal then) is counted, and another is drawn in its place.
#
# Usage: campaign.sh BUILD COUNT SEED TABLE.md [TILE...]. BUILD holds a finished build, test programs
# included; the campaign's own is BUILD/mutants. SEED may be several, "91 92 93": the mutants of each, in one
# build, and a verdict line for each. TABLE.md gets a row per module and one per survivor; a reason for a survivor that no tool can give
# is a line of equivalent.txt beside this script. Ends with a verdict line: every mutant by hand must be
# killed, every survivor of the others explained, and 95 % of the rest killed.
#
# Environment: BY_HAND=0 leaves out the mutants written by hand. RESUME=1 goes on with the campaign of
# BUILD/mutants that was ended, of the same sources and arguments; a survivor is judged again.
# DRAW_ONLY=1 ends when all mutants are drawn and made.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
if [ -n "${MUTANT_BUILD:-}" ]; then # a worker: --one or --judge
    build=$MUTANT_BUILD
else
    [ $# -ge 4 ] || { echo "usage: campaign.sh BUILD COUNT SEED TABLE.md [TILE...]"; exit 2; }
    mkdir -p "$1/mutants"
    by_hand_wanted=${BY_HAND:-1}
    resume=${RESUME:-0}
    draw_only=${DRAW_ONLY:-0}
    finished=$(cd "$1" && pwd)
    given=$1
    build=$finished/mutants
    count=$2
    seed=$3
    table=$4
    shift 4
    [ $# -gt 0 ] || set -- gpu_frontend sm_event_unit mem_frontend concurrency_unit sm_concurrency_unit
    tiles=$*
fi
cd "$root" || exit 1
LIST=$here/by_hand.txt
. tests/variants.sh.inc
. "$here/list.sh.inc"
ALL=100000000

die() {
    echo "mutants: $*"
    exit 1
}

# Most mutants die in a short directed program. These and the random ones come after them, and after the first
# comparison, which costs less than they do.
LONG="test_gpu_frontend test_gpu_frontend_follow test_sm_event_unit_behind"

programs() { # TILE [short|long]: its test programs, the random one last
    family=$1
    long=
    random=
    [ "$1" != sm_concurrency_unit ] || family=concurrency_unit
    for source in tests/tb/test_"$family"*.c; do
        [ -z "$(variants_of "$source")" ] || continue
        name=$(basename "$source" .c)
        program=$build/tests/tb/$name
        case " $LONG $name" in
        *_random) random=$program ;;
        *" $name "*) long="$long $program" ;;
        *) [ "${2:-}" = long ] || echo "$program" ;;
        esac
    done
    [ "${2:-}" = short ] || printf '%s\n' $long "$random"
}

# The sources as a simulator reads them: assertions without what only proofs can choose freely.
sources() {
    for file in rtl/*/*.v rtl/*/properties/*.fv.vh; do
        mkdir -p "$build/src/${file%/*}"
        sed 's/\(`ifn\{0,1\}def\) YOSYS/\1 PROOF_TOOL/' "$file" >"$build/src/$file"
    done
}

# elaborate TILE: the netlist as it is mutated, with its assertions, but without those of modules that
# look into others, which Yosys cannot before it flattens.
elaborate() {
    echo "read_verilog -formal -D FORMAL -D EVG_FOLLOW_FIRST -I$build/gen -I$build/src/rtl/common $(echo "$build"/src/rtl/*/*.v); hierarchy -check -top $1;
        proc; opt_expr; opt_clean; wreduce; opt_clean; chformal -cover -remove
        $(grep -lE '[^.a-z_\\]u_[a-z]+\.f_' rtl/*/*.v rtl/*/properties/*.fv.vh | sed 's,.*/\([a-z_0-9]*\)\..*,delete *\1*/t:$assert,' | sort -u)"
}

# Only what works for the outputs may break: the cells that feed nothing but assertions are taken out.
read_tiles() {
    sources
    for tile in $tiles; do
        yosys -q -p "$(elaborate "$tile"); write_rtlil $build/$tile.il; chformal -remove;
            delete -output w:f_*; opt_clean; write_json $build/$tile.json;
            mutate -list $ALL -o $build/$tile.list" 2>"$build/log" || die "$(cat "$build/log")"
    done
}

choose() {
    awk -v count="$count" -v seed="$seed" -v refused="$build/refused" -f "$here/choose.awk" \
        $(for tile in $tiles; do echo "$build/$tile.json $build/$tile.list"; done) >"$build/chosen"
    [ "$(wc -l <"$build/chosen")" -lt 4096 ] || die "more mutants than the 12 bits of mutsel number"
}

# netlist TILE FILE: one Verilog file with the mutants of FILE, lines of `chosen`. The tile's ports stay what they
# are: mutsel becomes a register that takes the number from the environment at the start.
netlist() {
    {
        echo "read_rtlil $build/$1.il"
        awk -F '\t' '{ print $5 " -ctrl mutsel 12 " $1 }' "$2"
        # Bits of one vector that mutants drive apart would be cycles to Verilator, which are slow.
        echo "splitnets -driver; opt_clean; write_verilog -noattr $build/$1.raw"
    } >"$build/$1.ys"
    yosys -q -s "$build/$1.ys" >"$build/log" 2>&1 || return 1
    awk -v tile="$1" '
        /^module / { top = $0 ~ "^module " tile "\\(" }
        top { sub(/, mutsel\);/, ");"); sub(/, mutsel$/, "") } # the last port, of a line perhaps
        top && /^  input .*mutsel;/ { next }
        top && /^  wire .*mutsel;/ {
            print "  reg [11:0] mutsel;"
            print "  initial mutsel = $c32(\"(getenv(\\\"EVGPU_MUTANT\\\") ? atoi(getenv(\\\"EVGPU_MUTANT\\\")) : 0)\");"
            next
        }
        # At the clock edge all is settled; before, Verilator may pass by with half of a change.
        /^  always @\* if \(.*\) ass(ert|ume)\(/ { sub(/@\*/, "@(posedge " tile ".clk_i)") }
        { print }' "$build/$1.raw" >"$build/$1.new"
    verilator --lint-only -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT --assert --top-module "$1" \
        "$build/$1.new" >"$build/log" 2>&1
}

# sift TILE FILE: which mutants of FILE cannot be made? By halves; their places go to `refused`.
sift() {
    netlist "$1" "$2" && return
    if [ "$(wc -l <"$2")" -le 1 ]; then
        awk -F '\t' '{ split($5, part, " -(mode|module|cell|port|portbit|ctrlbit|wire|wirebit|src) ")
            print $2, part[3], part[4], part[5] }' "$2" >>"$build/refused"
        return
    fi
    split -l $((($(wc -l <"$2") + 1) / 2)) "$2" "$2."
    sift "$1" "$2.aa"
    sift "$1" "$2.ab"
}

# Draws and makes mutants until all those drawn can be made.
draw() {
    : >"$build/refused"
    mkdir -p "$build/rtl"
    choose
    for tile in $tiles; do
        while :; do
            awk -F '\t' -v tile="$tile" '$2 == tile' "$build/chosen" >"$build/$tile.part"
            netlist "$tile" "$build/$tile.part" && break
            before=$(wc -l <"$build/refused")
            rm -rf "$build/sift"
            mkdir "$build/sift"
            cp "$build/$tile.part" "$build/sift/"
            sift "$tile" "$build/sift/$tile.part"
            after=$(wc -l <"$build/refused")
            [ "$after" -gt "$before" ] || die "$tile: each mutant can be made, all together cannot: $(cat "$build/log")"
            choose
        done
    done
    # The numbers are those of the last draw. Unchanged, a netlist is not built again.
    for tile in $tiles; do
        awk -F '\t' -v tile="$tile" '$2 == tile' "$build/chosen" >"$build/$tile.part"
        netlist "$tile" "$build/$tile.part" || die "$(cat "$build/log")"
        cmp -s "$build/$tile.new" "$build/rtl/$tile.v" || cp "$build/$tile.new" "$build/rtl/$tile.v"
    done
}

chosen() { # NUMBER FIELD
    awk -F '\t' -v n="$1" -v field="$2" '$1 == n { print $field }' "$build/chosen"
}

# The module of a mutant as the netlist names it, and without its parameters.
full_name() { # NUMBER
    chosen "$1" 5 | sed 's/.* -module \\\{0,1\}\([^ ]*\) .*/\1/'
}
plain_name() { # NAME
    printf '%s\n' "$1" | sed 's/^\$paramod[^\\]*\\//; s/\\.*//'
}

# within SECONDS COMMAND...: each process that it starts may use so much processor time. A limit of real time
# would make the verdict depend on what else the computer does.
within() {
    (
        ulimit -c 0
        ulimit -t "$1"
        shift
        "$@"
    )
}

# part TILE TOP: sets the name of a file that has no more of TILE's netlist than TOP and what is in it, without
# assertions
part() {
    part=$build/tops/$1.$(printf '%s' "$2" | tr -c 'A-Za-z0-9_' _).il
    mkdir -p "$build/tops"
    [ -s "$part" ] || { yosys -q -p "read_rtlil $build/$1.il; hierarchy -top $2; chformal -remove;
        delete -output w:f_*; opt_clean; write_rtlil $work/part.il" && mv "$work/part.il" "$part"; }
}

# equal TOP NUMBER SECONDS [outside]: is the mutant the same as the unbroken TOP in every state that can be reached
# from 0? With `outside` block RAMs stay out of it, and their ports become TOP's: quickly proved, and enough,
# because a RAM whose inputs are the same answers the same; but its data must then be the same without a write, too.
equal() {
    chosen "$2" 5 >"$work/mutate.ys"
    part "$(chosen "$2" 2)" "$1" >/dev/null 2>&1 || return 1
    outside=
    [ "${4:-}" = "" ] || [ "$(chosen "$2" 3)" = single_port_ram ] || outside="setattr -mod -set keep_hierarchy 1 *single_port_ram;"
    plain="$outside flatten; ${outside:+expose -evert t:*single_port_ram;} opt_clean; rename -top"
    within $((2 * $3)) yosys -q -p "
        read_rtlil $part; hierarchy -top $1; $plain plain; hierarchy -top plain; write_rtlil $work/plain.il; design -reset
        read_rtlil $part; script $work/mutate.ys; hierarchy -top $1; $plain broken; hierarchy -top broken; write_rtlil $work/broken.il
        design -reset; read_rtlil $work/plain.il; read_rtlil $work/broken.il
        miter -equiv -flatten plain broken both; hierarchy -top both; opt -full; memory_map; opt -full; techmap; opt
        setundef -undriven -init -zero; dffunmap; simplemap; aigmap; opt_clean; write_aiger -zinit $work/both.aig" >/dev/null 2>&1 || return 1
    within "$3" yosys-abc -c "read_aiger $work/both.aig; strash; scorr; print_stats; pdr" >"$work/log" 2>&1
    grep -qE 'Property proved|is UNSAT|Networks are equivalent' "$work/log"
}

# holders TILE MODULE: MODULE and the modules of TILE's netlist that hold it, up to the tile, which is next to one
# that is in several.
holders() {
    awk -v tile="$1" -v module="$2" '
        { name = $2; sub(/^\\/, "", name) }
        /^module / { inside = name }
        /^  cell / && in_it[name] != inside { in_it[name] = inside; times[name]++ }
        END {
            for (; module != tile; module = times[module] == 1 ? in_it[module] : tile)
                print module
            print tile
        }' "$build/$1.il"
}

# The tasks of tests/formal whose top is MODULE.
own_tasks() { # MODULE
    grep -lx "top: $1" tests/formal/*/*.task | xargs -r grep -L '^step: script' | sed 's,.*/,,; s/\.task$//'
}

# Those that prove something of MODULE: its own, then those of what it is part of.
tasks_of() { # MODULE
    users=$1
    while :; do
        names=$(echo "$users" | tr ' ' '\n' | sed 's/.*/^ *& (#\\(|[a-z])/' | paste -s -d '|')
        more=$(grep -lE "$names" rtl/*/*.v tests/formal/*.v | sed 's,.*/,,; s/\.v$//' | sort -u)
        more=$( (echo "$users" | tr ' ' '\n'; echo "$more") | awk 'NF && !seen[$0]++' | paste -s -d ' ')
        [ "$more" = "$users" ] && break
        users=$more
    done
    for top in $users; do
        own_tasks "$top"
    done
}

# Is the mutant refuted by one of these proofs? A proof that only does not end is no answer.
refuted() { # MODULE KEY TASK...: writes what refutes it to $work/by
    cat >"$work/find.sh" <<EOF
awk -v find="$1 $2" -f $here/choose.awk $work/f.json $work/f.list >$work/f.ys
if [ -s $work/f.ys ]; then touch $work/found; else echo no_such_mutant_here >$work/f.ys; fi
EOF
    FORMAL_MUTATE="opt_expr; opt_clean; wreduce; opt_clean; write_json $work/f.json
        mutate -list $ALL -o $work/f.list; exec -- sh $work/find.sh; script $work/f.ys;"
    export FORMAL_MUTATE
    shift 2
    for task; do
        rm -f "$work/found"
        within 300 sh tests/formal/run.sh "$build" -1 "$task" >"$work/log" 2>&1
        [ -e "$work/found" ] || continue
        awk '/^(PASS|FAIL|formal:)/ {
                if (by == "")
                    by = found
                engine = $1 == "FAIL" ? $3 : ""
                found = engine ~ /^(bmc|swept|cover)$/ ? engine : ""
            }
            engine != "" && /asserted in frame|Assert failed in|Unreached cover/ { found = engine }
            /Segmentation fault|Aborted|Killed/ { engine = found = "" } # a crash is no answer either
            END { if (by != "") print by }' "$work/log" >"$work/engine"
        if [ -s "$work/engine" ]; then
            echo "$task ($(cat "$work/engine"))" >"$work/by"
            return 0
        fi
    done
    return 1
}

# killed NUMBER PROGRAM...: who kills it? A program ends at its first failed check, when it dies, or when it has
# used far more CPU time than it should: a mutant that hangs is killed.
killed() {
    number=$1
    shift
    for test; do
        kind=directed
        limit=20
        case $test in *_random)
            kind=random
            limit=120
            ;;
        esac
        how=$( (
            ulimit -c 0
            ulimit -t $limit
            EVGPU_MUTANT=$number stdbuf -oL -eL "$test" 2>&1
            echo "status $?"
        ) 2>/dev/null | awk '
            /Assertion failed/ { how = "assertion"; exit }
            /^\[  FAILED  \]/ { how = "check"; exit }
            /^status 0$/ { how = "passes" }
            /^status (137|152)$/ { how = "hang" }
            END { print how == "" ? "crash" : how }')
        case $how in
        passes) continue ;;
        check) how=$kind ;;
        esac
        verdict="$how $(basename "$test")"
        return 0
    done
    return 1
}

# one NUMBER TILE: what becomes of it, in BUILD/result/NUMBER
one() {
    verdict=alive
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    full=$(full_name "$1")
    if ! killed "$1" $(programs "$2" short); then
        if [ "$1" != 0 ] && equal "$full" "$1" 10 outside; then
            verdict="equivalent $(plain_name "$full")"
        else
            killed "$1" $(programs "$2" long)
        fi
    fi
    echo "$verdict" >"$build/result/$1"
}

# judge NUMBER: what of a mutant that the testbenches let live. The cheapest answers come first: the proofs of
# its module, which end in seconds; the comparison within it; the proofs of its users; the modules that hold it.
judge() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    tile=$(chosen "$1" 2)
    module=$(chosen "$1" 3)
    key=$(chosen "$1" 4)
    own=$(full_name "$1")
    own_tasks=$(own_tasks "$module")
    others=$(tasks_of "$module" | grep -vxF "${own_tasks:-none}")
    if refuted "$module" "$key" $own_tasks; then
        verdict="proof $(cat "$work/by")"
    elif same "$own" "$1"; then
        verdict="equivalent $(plain_name "$own")"
    elif refuted "$module" "$key" $others; then
        verdict="proof $(cat "$work/by")"
    else
        verdict=alive
        for top in $(holders "$tile" "$own"); do
            if [ "$top" != "$own" ] && same "$top" "$1"; then
                verdict="equivalent $(plain_name "$top")"
                break
            fi
        done
    fi
    echo "$verdict" >"$build/result/$1"
    printf '%s\t%s\t%s\n' "$tile" "$key" "$verdict"
}
same() { # TOP NUMBER
    equal "$1" "$2" 60 outside || equal "$1" "$2" 60
}

case ${1:-} in
--one)
    one "$2" "$3"
    exit 0
    ;;
--judge)
    judge "$2"
    exit 0
    ;;
esac

if [ "$resume" = 0 ]; then
    rm -rf "$build"
    mkdir "$build"
fi
by_hand=0
if [ "$by_hand_wanted" = 1 ] && [ ! -e "$build/by_hand.done" ]; then
    echo "mutants: running those written by hand"
    by_hand=$(mutant_names | wc -l)
    sh "$here/run.sh" "$given" | tee "$build/by_hand" | awk -v all="$by_hand" '
        !/^ok / { print }
        /^ok / && ++killed % 20 == 0 { printf "mutants: %d of %d killed\n", killed, all }
        { fflush() }'
    touch "$build/by_hand.done"
fi
touch "$build/by_hand"
[ ! -e "$build/by_hand.done" ] || by_hand=$(mutant_names | wc -l)
echo "mutants: drawing $count with seed $seed"
if [ ! -e "$build/chosen.done" ]; then
    (cd "$finished" && cp -a defgen gen obj verilated ./lib*.a "$build/") || die "no finished build"
    # What make knows about dependencies goes by the path of the build directory.
    find "$build" -name '*.d' -exec sed -i "s,$finished/,$build/,g; s,\(^\| \)$given/,\1$build/,g" {} +
    make -s DEPS=0 SAN=0 BUILD="$build" "$build/gen/.stamp" || die "no constants"
    read_tiles
    draw
    echo "$count $seed $tiles" >"$build/chosen.done"
fi
[ "$(cat "$build/chosen.done")" = "$count $seed $tiles" ] || die "RESUME=1: $build holds the campaign $(cat "$build/chosen.done")"
total=$(wc -l <"$build/chosen")
refused=$(wc -l <"$build/refused")
echo "mutants: $total drawn, and $refused that cannot be made"
[ "$draw_only" = 0 ] || exit 0
echo "mutants: building $total mutants in $(echo "$tiles" | wc -w) netlists"
make_with_variants "" -j2 OPT=-O2 BUILD="$build" TILE_RTL="$build/rtl" \
    TILE_VFLAGS="-Wno-fatal -Wno-lint -Wno-UNOPTFLAT" $(for tile in $tiles; do programs "$tile"; done | sort -u) \
    >"$build/log" 2>&1 || die "no build: $(tail -n 5 "$build/log")"
mkdir -p "$build/result"
for tile in $tiles; do
    (one 0 "$tile")
    [ "$(cat "$build/result/0")" = alive ] || die "$tile fails without a mutant: $(cat "$build/result/0")"
done
MUTANT_BUILD=$build
export MUTANT_BUILD
results() {
    while IFS="$(printf '\t')" read -r number rest; do
        printf '%s\t%s\t%s\n' "$number" "$rest" "$(cat "$build/result/$number")"
    done <"$build/chosen"
}
cut -f 1,2 "$build/chosen" | while read -r number tile; do
    [ -s "$build/result/$number" ] || echo "$number $tile"
done >"$build/waiting"
echo "mutants: running $(wc -l <"$build/waiting") mutants"
xargs -r -P 2 -L 1 sh "$here/campaign.sh" --one <"$build/waiting"
echo "mutants: $(grep -lx alive "$build"/result/[1-9]* | wc -l) of $total pass the testbenches"
results >"$build/results"
awk -v unexplained=1 -f "$here/report.awk" "$here/equivalent.txt" "$build/results" |
    xargs -r -P 2 -I '{}' sh "$here/campaign.sh" --judge '{}'
results >"$build/results"
: >"$build/seeds"
awk -f "$here/report.awk" -v count="$count" -v seed="$seed" -v by_hand="$by_hand" -v refused="$refused" \
    -v seeds_file="$build/seeds" -v by_hand_killed="$(grep -c '^ok mutant ' "$build/by_hand")" "$here/equivalent.txt" "$build/results" >"$table"
sh docs/measured/origin.sh "$table"
tail -n 1 "$table" >"$build/verdict"
cat "$build/seeds" "$build/verdict"
grep -q PASS "$build/verdict"
