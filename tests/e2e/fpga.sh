# Every module of fpga/ as its own top: lint-clean in Verilator, elaborated by Icarus; wrong
# parameters stop the elaboration.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "fpga: does not depend on the sanitizers"
    exit 0
fi
gen=$build/gen
dirs="-y fpga -y rtl/common -y rtl/edge -y rtl/fe -y rtl/cm -y rtl/tiles -y $gen -I$gen"

verilator_lint() { # FILE MODULE
    verilator -Wall --lint-only --top-module "$2" $dirs "$1"
}
icarus() { # FILE MODULE
    iverilog -g2005 $dirs -s "$2" -o /dev/null "$1" 2>&1 | tee "$work/icarus"
    ! [ -s "$work/icarus" ]
}
rejects() { # MODULE PARAMETER VALUE
    ! verilator --lint-only --top-module "$1" $dirs "-G$2=$3" "fpga/$1.v"
}

for file in fpga/*.v; do
    module=$(basename "$file" .v)
    check "verilator $module" verilator_lint "$file" "$module"
    check "icarus $module" icarus "$file" "$module"
done
check "uart_rx refuses 3 clocks per bit" rejects uart_rx ClocksPerBit 3
check "uart_tx refuses 3 clocks per bit" rejects uart_tx ClocksPerBit 3
check "link_engine refuses 256 tiles" rejects link_engine Tiles 256
finish
