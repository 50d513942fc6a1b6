#!/bin/sh
# Area and delay of every block and tile in an open standard-cell library of 0.18 um, the table of
# docs/measured/fpga.md: Yosys and ABC with osu018 of Debian's qflow-tech-osu018, memories of RamWords words
# and more left out as RAM macros. Usage: asic.sh BUILD [BLOCK...]; without blocks all of rtl/, with the table.
build=$1
shift
RamWords=32
library=${OSU018:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

if [ ! -e "$library" ]; then
    echo "asic: $library is missing: install qflow-tech-osu018, or set OSU018" >&2
    exit 1
fi

# Stands for a RAM macro, with the ports of Yosys's memory cell.
cat >"$work/ram_macro.v" <<'RAM'
(* blackbox *)
module ram_macro #(
    parameter ABITS    = 1,
    parameter WIDTH    = 1,
    parameter RD_PORTS = 1,
    parameter WR_PORTS = 1
) (
    input  wire [RD_PORTS-1:0]       RD_CLK,
    input  wire [RD_PORTS-1:0]       RD_EN,
    input  wire [RD_PORTS-1:0]       RD_ARST,
    input  wire [RD_PORTS-1:0]       RD_SRST,
    input  wire [RD_PORTS*ABITS-1:0] RD_ADDR,
    output wire [RD_PORTS*WIDTH-1:0] RD_DATA,
    input  wire [WR_PORTS-1:0]       WR_CLK,
    input  wire [WR_PORTS*WIDTH-1:0] WR_EN,
    input  wire [WR_PORTS*ABITS-1:0] WR_ADDR,
    input  wire [WR_PORTS*WIDTH-1:0] WR_DATA
);
endmodule
RAM

# Each output drives 20 fF, about two gates; each input is driven as by one of the library's inverters.
printf 'set_driving_cell INVX4\nset_load 0.02 [all_outputs]\n' >"$work/constraints"

# The parameters of a memory cell that ram_macro does not have
unset_parameters() {
    for parameter in MEMID SIZE OFFSET INIT RD_WIDE_CONTINUATION RD_CLK_ENABLE RD_CLK_POLARITY RD_TRANSPARENCY_MASK \
        RD_COLLISION_X_MASK RD_CE_OVER_SRST RD_INIT_VALUE RD_ARST_VALUE RD_SRST_VALUE WR_WIDE_CONTINUATION \
        WR_CLK_ENABLE WR_CLK_POLARITY WR_PRIORITY_MASK; do
        printf ' -unset %s' $parameter
    done
}

row() { # BLOCK
    yosys -q -l "$work/log" -p "read_verilog -lib $work/ram_macro.v
        read_verilog -defer -I$build/gen $(echo rtl/*/*.v); hierarchy -top $1; proc; flatten; opt; memory -nomap
        chtype -set ram_macro t:\$mem_v2 r:SIZE>=$RamWords %i; tee -q -o $work/memories dump t:ram_macro
        setparam$(unset_parameters) t:ram_macro
        synth -run coarse: -top $1; dfflibmap -liberty $library
        abc -liberty $library -constr $work/constraints; opt_clean
        tee -q -o $work/stat stat -liberty $library" >/dev/null 2>&1 || return 1
    bits=$(awk '$2 == "\\SIZE" { size = $3 } $2 == "\\WIDTH" { width = $3 }
        $1 == "end" { bits += size * width; size = 0 } END { print bits + 0 }' "$work/memories")
    delay=$(sed -n 's/.*Delay = *\([0-9.]*\) ps.*/\1/p' "$work/log" | tail -n 1)
    awk -v block="$1" -v bits="$bits" -v delay="${delay:-0}" '
        /Chip area for/ { area = $NF }
        $1 ~ /^(DFF|LATCH)/ { ff += $2 }
        END { printf "| `%s` | %.4f | %d | %s | %d |\n", block, area / 1e6, ff, (delay > 0 ? sprintf("%.2f", delay / 1000) : "-"), bits
              exit !area }' "$work/stat"
}

blocks=${*:-$(for file in rtl/tiles/*.v rtl/common/*.v rtl/edge/*.v rtl/fe/*.v rtl/cm/*.v; do basename "$file" .v; done)}
{
    echo "| block or tile | area [mm²] | flip-flops | logic delay [ns] | bits of RAM macros, left out |"
    echo "|---|---|---|---|---|"
} >"$work/table"
failed=0
for block in $blocks; do
    row "$block" >"$work/row" || { echo "asic: $block: FAILED" && tail -n 3 "$work/log" && failed=$((failed + 1)) && continue; }
    cat "$work/row"
    cat "$work/row" >>"$work/table"
done
if [ $failed -eq 0 ] && [ $# -eq 0 ]; then
    sh docs/measured/put.sh docs/measured/fpga.md asic "$work/table"
fi
echo "asic: $(($(wc -l <"$work/table") - 2)) blocks and tiles measured, $failed failed"
[ $failed -eq 0 ]
