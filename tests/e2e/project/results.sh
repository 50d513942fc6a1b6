# The commands and the Python of docs/guide/results.md, word for word, in order; what pandas shows is what
# the files have.
. tests/e2e/lib.sh.inc

page=docs/guide/results.md
awk -v dir="$work" '
    /^```(sh|python)$/ { n++; name = sprintf("%s/%02d.%s", dir, n, substr($0, 4)); inside = 1; next }
    /^```/ { inside = 0 }
    inside { print > name }' "$page"
place() { # place FILE: files go to the script's folder, not to build/
    sed -E "s,build/evgpu,$evgpu,g; s,build/([a-z]+\.(json|csv|html)),$work/\1,g" "$1" >"$work/script"
}
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import pandas' 2>/dev/null || python=$p
done
for block in "$work"/[0-9]*.sh; do
    place "$block"
    check "$page: $(head -n 1 "$block" | cut -c 1-60)" sh -e "$work/script"
done

if [ -z "$python" ]; then
    skip "results with pandas: python3-pandas is not installed"
    finish
fi
for block in "$work"/[0-9]*.python; do
    place "$block"
    check "$page: $(basename "$block"), with pandas" "$python" "$work/script"
    cp "$work/out" "$block.out"
done
latency=.guests.ipv4.latency_cycles
sums() { # of the parts of a launch, by policy
    for name in oldest cheapest; do
        want=$(jq "$latency | .dispatch.mean + .preemption.mean + .first_instruction.mean | . * 10 | round / 10" "$work/$name.json")
        awk -v name="$name.json" -v want="$want" 'index($1, name) { found = ($NF - want) ^ 2 < 0.02 } END { exit !found }' \
            "$(echo "$work"/[0-9]*.python.out | cut -d' ' -f1)" || { echo "$name: not $want"; cat "$work"/*.python.out; return 1; }
    done
}
check "... the CSV's sums are those of the files" sums
percentiles() {
    for name in oldest cheapest; do
        want=$(jq -r "$latency.packet | \"\(.p50) \(.p99) \(.max)\"" "$work/$name.json")
        awk -v name="$name" -v want="$want" '$1 == name { found = $2 " " $3 " " $4 == want } END { exit !found }' \
            "$(echo "$work"/[0-9]*.python.out | cut -d' ' -f2)" || { echo "$name: not $want"; cat "$work"/*.python.out; return 1; }
    done
}
check "... and so are the JSON's percentiles" percentiles
finish
