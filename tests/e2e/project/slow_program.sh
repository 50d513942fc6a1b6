# docs/guide/slow-program.md: its commands, word for word, and the output that it shows.
. tests/e2e/lib.sh.inc
. tests/tutorial.sh.inc

if [ "$build" != build ]; then
    skip "the tutorial's commands use build/"
    finish
fi
command -v jq >/dev/null || { skip "the tutorial: jq is not installed"; finish; }
unset MAKEFLAGS MAKELEVEL MFLAGS
tutorial docs/guide/slow-program.md
check "the page shows both runs" grep -q 'B against A' build/slow/both.html

# The check of what a page shows can fail.
printf 'one\ntwo\nthree\n' >"$work/printed"
printf 'one\n...\nthree\n' >"$work/right"
printf 'three\none\n' >"$work/order"
printf 'tw\n' >"$work/part"
check "lines in their order" shows "$work/right" "$work/printed"
not_shown() { ! shows "$@"; }
check "... a wrong order is noticed" not_shown "$work/order" "$work/printed"
check "... and part of a line" not_shown "$work/part" "$work/printed"
finish
