# The commands of the README and of the pages that it opens with, word for word, in order. `make test`
# itself is left out, since it runs this test. `make run` must print what the pages show, but for its speed.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "the README's commands build without sanitizers"
    exit 0
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
GTKWAVE=true # the waveform viewer needs a screen
BENCH_FLAGS='--only 128' # one short job
export GTKWAVE BENCH_FLAGS
pages="README.md docs/guide/first-steps.md docs/design/rtl.md"

shown() { # PAGE: the output of `make run` that it shows
    sed -n '/^<!-- run -->$/,/^<!-- end -->$/p' "$1" | grep -vE '^(<!--|```)'
}

# Each ```sh block becomes one script; $pages is a list.
awk -v dir="$work" '
    /^```sh$/ { n++; inside = 1; next }
    /^```/ { inside = 0 }
    inside { print > (sprintf("%s/block%02d.sh", dir, n)) }' $pages

for block in "$work"/block*.sh; do
    grep -vx 'make test' "$block" >"$work/script"
    [ -s "$work/script" ] || continue
    if grep -q live_network "$work/script"; then
        sh sw/services/live_network.sh up router >/dev/null 2>"$work/refusal"
        if [ $? = 3 ]; then
            skip "$(tail -n 1 "$work/refusal")"
            continue
        fi
    fi
    if grep -qx 'make run' "$work/script"; then
        check "make run" sh -e "$work/script"
        sed -n '/^Machine /,/^VERIFIED/p' "$work/out" >"$work/all"
        grep -v '^Speed ' "$work/all" >"$work/got"
        shown docs/guide/first-steps.md | grep -v '^Speed ' >"$work/shown"
        check "... prints the output in docs/guide/first-steps.md" diff "$work/shown" "$work/got"
        awk -f docs/measured/excerpt.awk "$work/all" >"$work/got"
        shown README.md >"$work/shown"
        check "... and the lines of it in README.md" diff "$work/shown" "$work/got"
        check "... and leaves build/run.json" grep -q '"verified"' build/run.json
    else
        check "$(head -n 1 "$work/script")" sh -e "$work/script"
    fi
done
finish
