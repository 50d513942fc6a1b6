# What the harness says in a waveform: cycle and trigger, ways of events by tag, rows of the event
# kernel table, victims with their instruction; nothing of the proofs; and no run differs for it.
. tests/e2e/lib.sh.inc

if ! command -v fst2vcd >/dev/null; then
    skip "fst2vcd is not installed (Debian package gtkwave)"
    exit 0
fi
run() { # run NAME OPTION...
    name=$1
    shift
    "$evgpu" run --route-count 1000 --background 256 --packets 128 --no-alone --no-profile \
        --json "$work/$name.json" "$@"
}
wave() { # wave FILE CHECK ARGUMENT...
    file=$1
    shift
    [ -s "$file.vcd" ] || fst2vcd -f "$file" -o "$file.vcd" || return 1
    python3 tests/e2e/rtl/waves.py "$@" <"$file.vcd"
}
no_helpers() {
    fst2vcd -f "$1" | awk '$1 == "$var" { print $5 } $1 == "$enddefinitions" { exit }' \
        >"$work/names"
    [ "$(wc -l <"$work/names")" -gt 1000 ] && ! grep '^[fF]_' "$work/names"
}

check "run" run plain
check "run with a trace" run traced --trace "$work/w.fst" \
    --trace-trigger doorbell:1 --trace-window 14000 --trace-before 0
check "... the same to the bit" same_figures "$work/plain.json" "$work/traced.json"
check "nothing of the proofs" no_helpers "$work/w.fst"
check "cycle and trigger" wave "$work/w.fst" trigger_first 2
check "ways of events, station by station as in the tiles" wave "$work/w.fst" tracks
check "rows of the table" wave "$work/w.fst" row
check "victims with their instructions" wave "$work/w.fst" victims "$build"/sw/*/*/*.ptx

check "from the first preemption on, one event by its tag" run event --trace "$work/e.fst" \
    --trace-event 1 --trace-trigger preemption --trace-window 18000 --trace-before 100
check "... which is led to from its doorbell" wave "$work/e.fst" doorbell_first 1 100
check "... alone on the first track" wave "$work/e.fst" follow 1
check "a tag that no event has" fails_with 1 "--trace-event 2047: there has been no event of this tag" run none \
    --packets 32 --route-count 500 --background 0 --trace "$work/none.fst" --trace-event 2047
check "a tag has 16 bits" fails_with 2 "--trace-event" run none --trace "$work/e.fst" \
    --trace-event 65536

check "a failing run" sh -c "! $evgpu run --route-count 1000 --background 256 --packets 64 \
    --no-alone --max-cycles 60000 --trace $work/error.fst --trace-trigger error"
check "... has its trigger at the end" wave "$work/error.fst" trigger_last 4
check "words that are filled" "$evgpu" run --config gtx580.ini --service ipv4,fill,packets=64 \
    --route-count 1000 --no-profile --trace "$work/fe.fst" --trace-trigger doorbell:1 --trace-window 3000
check "... and their bits" wave "$work/fe.fst" bits ffffffff
placed() {
    SHOW=cat sh tb/wave/show.sh "$work/w.fst" "$build/gen/events.gtkw" >"$work/view" &&
        trigger=$(sed -n 's/^\*[-0-9.]* \([0-9]*\) -1.*/\1/p' "$work/view") && [ "$trigger" -gt 0 ] &&
        grep -q "^#$trigger\$" "$work/w.fst.vcd"
}
check "the viewer's marker is at the trigger" placed
from_doorbell() { # Doorbell and trigger are on screen, half of which the time between them takes.
    "$evgpu" wave --print "$work/e.fst" >"$work/view" && start=$(sed -n 's/^\[timestart\] //p' "$work/view") &&
        trigger=$(sed -n 's/^\*[-0-9.]* \([0-9]*\) -1.*/\1/p' "$work/view") &&
        doorbell=$(wave "$work/e.fst" doorbell_of_trigger) &&
        [ "$start" -lt "$doorbell" ] && [ "$doorbell" -lt "$trigger" ] &&
        [ $((2 * (doorbell - start))) -lt $((trigger - start)) ] || { echo "$start $doorbell $trigger"; return 1; }
}
check "... and the doorbell that led there is on screen" from_doorbell
names_beside() { # The view finds the names of states wherever it is opened from.
    sed -n 's,^^1 ,,p' "$work/view" | sort -u | while read -r filter; do
        case $filter in /*) [ -s "$filter" ] ;; *) false ;; esac || { echo "$filter"; exit 1; }
    done
}
check "... with the names of states" names_beside
check "a view that is none" fails_with 1 "no view $build/gen/none.gtkw" \
    sh tb/wave/show.sh "$work/w.fst" "$build/gen/none.gtkw"
echo text >"$work/text.fst"
check "a waveform that is none" fails_with 1 "show.sh: $work/text.fst is no waveform; \`evgpu run --trace" \
    "$evgpu" wave --print "$work/text.fst"
finish
