#!/bin/sh
# Gate-level simulation: Yosys makes a netlist of each tile's cells, Verilator compiles it with the
# vendor's cell models that come with Yosys, and the block testbenches, RTL in lockstep with the
# golden model, run on it in the RTL's place. Usage: gates.sh BUILD ARCHES TILES [TABLE.md]; BUILD
# holds finished test programs. One verdict line per tile and a last one; the rows of the table that
# were run are written again.
#
# Test programs are those of tests/tb that use the tile; where one uses other tiles too, those stay
# RTL. GATES_TESTS, an extended regular expression, leaves test programs out; GATES_BREAK=N
# inverts the Nth lookup table, to see the tests find it, of the netlist in the file GATES_NETLIST if that is given.
given=$1
arches=$2
tiles=$3
table=${4:-}
[ -z "${GATES_TESTS:-}${GATES_BREAK:-}" ] || table= # no row for less than everything
build=$(cd "$given" && pwd) || exit 1
models=$(dirname "$(command -v yosys)")/../share/yosys
rows=$build/gates/rows
failures=0
runs=0
mkdir -p "$build/gates"
: >"$rows"

. tests/variants.sh.inc

say() {
    echo "gates: $*"
}

# What the tool has no simulation model for stays out of the netlist (docs/measured/gates.md).
synthesis() {
    case $1 in
    ecp5) echo "synth_ecp5 -nobram -nodsp" ;;
    ice40) echo "synth_ice40" ;;
    esac
}

macros() {
    case $1 in
    ice40) echo "-DNO_ICE40_DEFAULT_ASSIGNMENTS" ;; # Verilator 5.006 cannot read them
    esac
}

# with_benches FILE...: these and what they include of tests/tb, directly or not.
with_benches() {
    benches=$(sed -n 's,^#include "\(tests/tb/.*\)\.h"$,\1.h\n\1.c,p' "$@")
    more=$(for file in "$@" $benches; do [ -e "$file" ] && echo "$file"; done | sort -u)
    if [ $(echo "$more" | wc -l) -gt $# ]; then with_benches $more; else echo "$more"; fi
}

# programs TILE: the test programs that simulate it, themselves or through a bench that they include.
# test_tile looks at waveforms of what is inside, which a netlist has lost; test_serial_tiles is about
# the line, and its board has tiles of its own.
programs() {
    for source in tests/tb/test_*.c; do
        [ "$source" != tests/tb/test_tile.c ] && [ "$source" != tests/tb/test_serial_tiles.c ] &&
            grep -q "&$1_kind" $(with_benches "$source") && [ -z "$(variants_of "$source")" ] &&
            basename "$source" .c
    done | grep -E "${GATES_TESTS:-.}"
}

# netlist: $dir/netlist/$tile.v and the number of its cells.
netlist() {
    # Single nets, because Verilator takes a carry chain in a vector for a loop; short names, because
    # it would print long ones again and again.
    if [ -n "${GATES_NETLIST:-}" ]; then
        cp "$GATES_NETLIST" "$dir/netlist/$tile.v" || return 1
    else
        yosys -q -l "$dir/yosys.log" -p "read_verilog -defer -I$build/gen $(echo rtl/*/*.v)
            $(synthesis "$arch") -top $tile; tee -o $dir/stat stat; check -assert
            splitnets; rename -hide; opt_clean; write_verilog -noattr $dir/netlist/$tile.v" \
            >"$dir/log" 2>&1 || return 1
    fi
    [ -z "${GATES_BREAK:-}" ] && return 0
    cp "$dir/netlist/$tile.v" "$dir/whole.v"
    awk -v n="$GATES_BREAK" '
        /\.(LUT_)?INIT\(16.h/ && ++k == n {
            match($0, /h[0-9a-f]+/)
            inverted = ""
            for (i = RSTART + 1; i < RSTART + RLENGTH; i++)
                inverted = inverted substr("fedcba9876543210", index("0123456789abcdef", substr($0, i, 1)), 1)
            $0 = substr($0, 1, RSTART) inverted substr($0, RSTART + RLENGTH)
        }
        { print }' "$dir/whole.v" >"$dir/netlist/$tile.v"
    ! cmp -s "$dir/whole.v" "$dir/netlist/$tile.v"
}

# A build directory that differs from $build in this tile only.
prepare() {
    rm -rf "$dir"
    mkdir -p "$dir/netlist" "$dir/verilated"
    # Objects are copied: one that is compiled again must not become $build's, with other options.
    cp -a "$build/obj" "$dir/"
    for part in "$build"/defgen "$build"/gen "$build"/lib*.a; do
        ln -s "$part" "$dir/"
    done
    for part in "$build"/verilated/*; do
        case $(basename "$part") in
        "$tile" | "lib$tile.a") ;;
        *) ln -s "$part" "$dir/verilated/" ;;
        esac
    done
    printf '%s\n' '`verilator_config' 'tracing_off -file "*"' >"$dir/quiet.vlt"
}

# The netlist is no text of ours: of lint only what would leave a cell's input open.
compile() { # PROGRAM...
    make_with_variants "" -j"$(nproc)" COV=0 BUILD="$dir" OPT=-O1 TILE_RTL="$dir/netlist" \
        TILE_VFLAGS="-Wno-lint -Wno-style -Wno-TIMESCALEMOD -Wno-UNOPTFLAT -Wno-INITIALDLY -Werror-PINMISSING \
            $(macros "$arch") $dir/quiet.vlt -I$models/$arch -v $models/$arch/cells_sim.v" \
        $(printf "$dir/tests/tb/%s " "$@") >"$dir/log" 2>&1
}

one() { # the tile $tile in the architecture $arch
    dir=$build/gates/$arch/$tile
    begin=$(date +%s)
    prepare
    netlist || { say "$arch $tile: no netlist, see $dir/log: FAIL"; return 1; }
    set -- $(programs "$tile")
    [ $# -gt 0 ] || { say "$arch $tile: no test program: FAIL"; return 1; }
    compile "$@" || { say "$arch $tile: does not compile, see $dir/log: FAIL"; return 1; }
    : >"$dir/log"
    for name; do
        timeout 1800 "$dir/tests/tb/$name" >>"$dir/log" 2>&1 ||
            { say "$arch $tile: $name, see $dir/log: FAIL"; return 1; }
    done
    cells=$(awk '/Number of cells:/ { print $4 }' "$dir/stat")
    tests=$(grep -c '^\[       OK' "$dir/log")
    cycles=$(sed -n 's/\(^\|.* \)\([0-9][0-9]*\) cycles.*/\2/p' "$dir/log" | sort -n | tail -n 1)
    seconds=$(($(date +%s) - begin))
    say "$arch $tile: $cells cells, $# programs, $tests tests, ${cycles:-no} random cycles: PASS"
    echo "| \`$tile\` | $arch | $cells | $# | $tests | $cycles | $seconds |" >>"$rows"
}

for arch in $arches; do
    [ -n "$(synthesis "$arch")" ] || { say "GATE_ARCH=$arch: must be ecp5 or ice40"; exit 2; }
    [ -e "$models/$arch/cells_sim.v" ] || { say "no cell models in $models/$arch: FAIL"; exit 1; }
done
for tile in $tiles; do
    [ -e "rtl/tiles/$tile.v" ] || { say "GATE_TILES=$tile: no such tile"; exit 2; }
    for arch in $arches; do
        one || failures=$((failures + 1))
        runs=$((runs + 1))
    done
done

# Rows of this run in place of the table's, or after them.
if [ -n "$table" ]; then
    awk -v rows="$rows" '
        function key(line,   f) { split(line, f, "|"); return f[2] f[3] }
        BEGIN { while ((getline line < rows) > 0) { new[key(line)] = line; order[++n] = key(line) } }
        $0 == "<!-- end -->" { for (i = 1; i <= n; i++) if (order[i] in new) print new[order[i]] }
        /^\| `/ && key($0) in new { print new[key($0)]; delete new[key($0)]; next }
        { print }' "$table" >"$build/gates/table.md" && cp "$build/gates/table.md" "$table"
    sh docs/measured/origin.sh "$table"
fi
[ "$failures" -eq 0 ] && [ "$runs" -gt 0 ] || { say "FAIL, $failures of $runs netlists"; exit 1; }
say "PASS, $runs netlists"
