# The README's commands, word for word, in order. `make test` itself is left out: it is what runs
# here. The output of `make run` must be the one that the README shows, but for its speed.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "the README's commands build without sanitizers"
    exit 0
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
GTKWAVE=true # the waveform viewer needs a screen
BENCH_FLAGS='--only 128' # one short job
export GTKWAVE BENCH_FLAGS

# Each ```sh block becomes one script.
awk -v dir="$work" '
    /^```sh$/ { n++; inside = 1; next }
    /^```/ { inside = 0 }
    inside { print > (dir "/block" n ".sh") }' README.md

sed -n '/^<!-- example: /,/^<!-- end/p' README.md | grep -vE '^(<!--|```)' >"$work/example"
check "the README's instantiation is the one that is linted" diff docs/design/doorbell_example.v "$work/example"

for block in "$work"/block*.sh; do
    grep -vx 'make test' "$block" >"$work/script"
    [ -s "$work/script" ] || continue
    if grep -qx 'make run' "$work/script"; then
        check "make run" sh -e "$work/script"
        sed -n '/^Machine /,/^VERIFIED/p' "$work/out" | grep -v '^Speed ' >"$work/got"
        sed -n '/^Machine /,/^VERIFIED/p' README.md | grep -v '^Speed ' >"$work/shown"
        check "... prints what the README shows" diff "$work/shown" "$work/got"
        check "... and leaves build/run.json" grep -q '"verified"' build/run.json
    else
        check "$(head -n 1 "$work/script")" sh -e "$work/script"
    fi
done
finish
