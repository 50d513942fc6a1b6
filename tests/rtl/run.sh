# Runs a self-checking bench of this folder in Icarus: run.sh BUILD FILE [-PBENCH.PARAMETER=VALUE] [+PLUSARG...]. BUILD
# holds gen/evgpu_defs.vh.
build=$1
file=$2
shift 2
parameter=
case ${1:-} in -P*)
    parameter=$1
    shift
    ;;
esac
module=$(basename "$file" .v)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
iverilog -g2005 -y rtl/common -y rtl/edge -y rtl/fe -y rtl/cm -y rtl/tiles -y rtl/axi -y rtl/example -y fpga/free -I"$build/gen" -s "$module" \
    $parameter -o "$out/bench" "$file" && vvp -n "$out/bench" "$@" | tee "$out/log" && grep -qx passed "$out/log"
