#!/bin/sh
# axi_frontend under cocotbext-axi in Icarus, and its SystemRDL under systemrdl-compiler. Usage: run.sh BUILD
# [EVENTS [SEED...]]: doorbells (60), one run for each seed (1). BUILD/axi-venv has what requirements.txt
# lists (make axi-check). Ends with one line that begins with "axi:".
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd) || exit 1
python=$build/axi-venv/bin/python
events=${2:-60}
shift
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 1
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 1

fail() {
    echo "axi: FAIL: $*"
    exit 1
}

"$python" "$here/register_map.py" "$build/gen/axi_regs.rdl" "$build/gen/axi_regs.h" >"$work/fields" 2>"$work/error" ||
    { cat "$work/error"; fail "the SystemRDL"; }
for seed; do
    timeout 1800 "$python" "$here/simulate.py" "$build" "$work" "$seed" "$events" >"$work/log" 2>&1 ||
        { tail -n 30 "$work/log"; fail "seed $seed"; }
done
echo "axi: PASS, $(wc -l <"$work/fields") fields, 3 tests with each of $# seeds, $events doorbells in each"
