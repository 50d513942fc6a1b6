#!/bin/sh
# The table of docs/fpga.md: area of each block, and its clock over three seeds. A block's area is that
# of the block alone; its clock is measured inside harness.awk's top. Usage: ledger.sh BUILD. BLOCKS,
# ARCHS and BOARDS in the environment choose what is measured again; rows measured before are kept in
# BUILD/fpga/ledger.
build=$1
. fpga/lib.sh.inc
rows=$out/ledger
mkdir -p "$rows"
: "${ARCHS:=ice40 ecp5}" "${BLOCKS:=}" "${BOARDS:=}"
if [ -z "$BLOCKS" ]; then # every module with a clock, every board
    : "${BOARDS:=ice40-hx8k ulx3s-85f arty-a7-100t}"
    for file in rtl/*/*.v; do
        ! grep -q 'input  *wire  *clk_i' "$file" || BLOCKS="$BLOCKS $(basename "$file" .v)"
    done
fi

measure() { # BLOCK ARCH MHZ
    yosys -q -p "read_verilog -defer -I$gen $(echo rtl/*/*.v); hierarchy -top $1
        tee -o $out/$1.ports portlist $1" >/dev/null &&
        awk -v module="$1" -f fpga/harness.awk "$out/$1.ports" >"$out/$1.harness.v" &&
        synthesise "$2" "$1" "$1" rtl/*/*.v || return 1
    figures=$(area "$2" "$1")
    synthesise "$2" harness "$1.harness" rtl/*/*.v "$out/$1.harness.v" || return 1
    clocks=
    for seed in 1 2 3; do
        if place "$2" "$1.harness" "$seed" "$3"; then
            clocks="$clocks $(fmax "$1.harness" "$2" "$seed")"
        else
            clocks="$clocks -"
        fi
    done
    echo "$1 $2 $3 $figures$clocks" >"$rows/$1.$2"
    cat "$rows/$1.$2"
}

case " $ARCHS " in *" ecp5 "*) ecp5_tools || exit 1 ;; esac
failures=0
for block in $BLOCKS; do
    for arch in $ARCHS; do
        case $arch in ice40) mhz=50 ;; *) mhz=100 ;; esac
        measure "$block" "$arch" "$mhz" || { say "$block $arch: FAILED"; failures=$((failures + 1)); }
    done
done

for board in $BOARDS; do
    SEEDS="1 2 3" sh fpga/build.sh "$board" "$build" || failures=$((failures + 1))
done

cat "$rows"/* | awk '
    BEGIN {
        print "| block or board | device | LUTs | flip-flops | block RAMs | MHz, by seed | aim, MHz |"
        print "|---|---|---|---|---|---|---|"
        device["ice40"] = "iCE40 HX8K"
        device["ecp5"] = "ECP5 85F"
        device["xc7"] = "Artix-7"
    }
    {
        least = $7
        clocks = $7
        for (i = 8; i <= NF; i++) {
            clocks = clocks ", " $i
            if ($i + 0 < least + 0)
                least = $i
        }
        verdict = least + 0 >= $3 ? $3 " reached" : $3 " missed"
        if ($2 == "xc7")
            verdict = "not placed"
        else if (least == "-")
            verdict = "does not fit"
        printf "| %s | %s | %d | %d | %d | %s | %s |\n", $1, device[$2], $4, $5, $6, clocks, verdict
    }' >"$out/ledger.table"
awk -v table="$out/ledger.table" '
    $0 == "<!-- ledger -->" { print; while ((getline line < table) > 0) print line; skip = 1 }
    $0 == "<!-- end -->" { skip = 0 }
    !skip { print }' docs/fpga.md >"$out/fpga.md" && cp "$out/fpga.md" docs/fpga.md
say "ledger: $(grep -c ' reached' "$out/ledger.table") rows reach their aim, $(grep -c ' missed' "$out/ledger.table") miss it, $(grep -c 'does not fit' "$out/ledger.table") do not fit, $failures failed: docs/fpga.md"
[ "$failures" -eq 0 ]
