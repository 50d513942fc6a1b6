# Runs a self-checking bench of this folder in Icarus: run.sh BUILD FILE [+PLUSARG...]. BUILD holds gen/evgpu_defs.vh.
build=$1
file=$2
shift 2
module=$(basename "$file" .v)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
iverilog -g2005 -y rtl/common -y rtl/edge -y rtl/fe -y rtl/cm -y rtl/tiles -y rtl/axi -y rtl/example -y fpga/free -I"$build/gen" -s "$module" \
    -o "$out/bench" "$file" && vvp -n "$out/bench" "$@" | tee "$out/log" && grep -qx passed "$out/log"
