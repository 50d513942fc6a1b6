# docs/papers/fidelity.md: a sample of its values is simulated again, and must be the page's to the digit.
. tests/e2e/lib.sh.inc

for experiment in fe-fig10 fe-fig2 choices-llano; do
    check "fidelity: $experiment" limited "$evgpu" experiment --out "$work/build/experiments" "$experiment"
done
compared() { # compared TEXT: the comparison says it
    python3 docs/measured/fidelity.py --check "$work/build" >"$work/compared"
    cat "$work/compared"
    grep -q -- "$1" "$work/compared"
}
check "fidelity: the page has these values" compared '^21 values compared, 0 differ'
sed -i 's/"discrete_gb_per_s": 6/"discrete_gb_per_s": 5/' "$work/build/experiments/fe-fig2/fe-fig2.json"
check "fidelity: a value that has changed is found" compared '^Figure 2: copies, discrete and integrated: discrete gb'
check "fidelity: no figure, table or choice is without a row" python3 tests/e2e/project/fidelity.py
finish
