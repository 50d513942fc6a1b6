# Runs a self-checking bench of this folder in Icarus: run.sh BUILD FILE. BUILD holds gen/evgpu_defs.vh.
module=$(basename "$2" .v)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
iverilog -g2005 -y rtl/common -y rtl/edge -y rtl/fe -y rtl/cm -y rtl/tiles -y rtl/axi -y rtl/example -y fpga/free -I"$1/gen" -s "$module" \
    -o "$out/bench" "$2" && vvp -n "$out/bench" | tee "$out/log" && grep -qx passed "$out/log"
