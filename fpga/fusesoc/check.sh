#!/bin/sh
# The FuseSoC cores in a folder of their own, as somebody else would use them. Usage: check.sh BUILD TARGETS
# BLOCK...: TARGETS as lint,sim,ice40,ecp5; ecp5 needs the tools of `make fpga BOARD=ulx3s-85f` in BUILD/venv.
# Ends with one line that begins with "fusesoc:".
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 1
targets=$(echo "$2" | tr , ' ')
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$build/fusesoc-venv/bin:$work/bin:$PATH
export PATH PYTHONDONTWRITEBYTECODE=1
mkdir "$work/bin"
for tool in nextpnr-ecp5 ecppack; do
    [ ! -x "$build/venv/bin/yowasp-$tool" ] || ln -s "$build/venv/bin/yowasp-$tool" "$work/bin/$tool"
done
cd "$work" || exit 1

run() { # TARGET BLOCK
    log=$work/$2.$1.log
    fusesoc --cores-root "$root/rtl" --cores-root "$root/fpga/fusesoc" --cores-root "$root/tests/rtl" \
        run --target="$1" "evgpu:block:$2" >"$log" 2>&1 && { [ "$1" != sim ] || grep -qx 'passed' "$log"; }
}
passed=0
failed=0
for block; do
    for target in $targets; do
        if run "$target" "$block"; then
            passed=$((passed + 1))
            echo "ok $block $target"
        else
            failed=$((failed + 1))
            echo "FAIL $block $target"
            tail -n 15 "$log" | sed 's/^/    /'
        fi
    done
done
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] || { echo "fusesoc: FAIL, $failed of $((passed + failed)) runs"; exit 1; }
echo "fusesoc: PASS, $passed runs"
