# Waveform files are readable after a normal end, after a trigger's window, and after SIGINT.
. tests/e2e/lib.sh.inc

if ! command -v fst2vcd >/dev/null; then
    skip "fst2vcd is not installed (Debian package gtkwave)"
    exit 0
fi
small="--route-count 1000 --background 64 --packets 320 --no-alone"

readable() { # readable FILE SIGNAL: the file holds this signal, in many cycles
    fst2vcd -f "$1" -o "$work/vcd" && grep -q "$2" "$work/vcd" &&
        [ "$(grep -c '^#[0-9]' "$work/vcd")" -gt 100 ]
}

check "run with a trace" "$evgpu" run $small --trace "$work/all.fst"
check "readable after a normal end" readable "$work/all.fst" take_state
check "... with every core" sh -c "grep -q sm0 $work/vcd && grep -q sm15 $work/vcd"
check "window at the first preemption" "$evgpu" run $small --background 256 \
    --trace "$work/window.fst" --trace-trigger preemption --trace-window 500
check "readable after a trigger" readable "$work/window.fst" take_state
check "... and shorter than the whole run" sh -c \
    "test \$(wc -c <$work/window.fst) -lt \$(wc -c <$work/all.fst)"
check "third doorbell" "$evgpu" run $small --trace "$work/doorbell.fst" \
    --trace-trigger doorbell:3 --trace-window 200
check "readable at a doorbell" readable "$work/doorbell.fst" wr_valid

check "a failing run ends with status 1" sh -c "! $evgpu run --route-count 1000 --background 256 \
    --packets 64 --no-alone --max-cycles 60000 --trace $work/error.fst --trace-trigger error"
check "readable after an error, with the cycles before it" readable "$work/error.fst" take_state
"$evgpu" run --route-count 1000 --background 512 --packets 200000 --no-alone \
    --trace "$work/stopped.fst" --json "$work/stopped.json" >"$work/stopped.out" 2>&1 &
child=$!
interrupt 3 "$child"
await "$child"
check "SIGINT ends with status 1" test $? -eq 1
check "... and says so" grep -q "NOT VERIFIED: stopped" "$work/stopped.out"
check "readable after SIGINT" readable "$work/stopped.fst" take_state
check "statistics written after SIGINT" grep -q '"stopped"' "$work/stopped.json"

"$evgpu" run --route-count 1000 --background 512 --packets 200000 --no-alone \
    --json "$work/hung-up.json" >"$work/hung-up.out" 2>&1 &
child=$!
interrupt 1 "$child" HUP
await "$child"
check "SIGHUP ends with status 1" test $? -eq 1
check "... and leaves the statistics" grep -q '"stopped"' "$work/hung-up.json"

# --- a trigger that never fires
never() { # never STATUS TRIGGER: no file, one line, the verdict
    "$evgpu" run $small --background 0 --service ipv4 --trace "$work/never.fst" --trace-trigger "$2" \
        >"$work/never.out" 2>"$work/never.err"
    [ $? -eq "$1" ] && [ ! -e "$work/never.fst" ] && grep -q '^VERIFIED' "$work/never.out" &&
        grep -qx "evgpu: --trace $work/never.fst: the trigger never fired, so there is no waveform" "$work/never.err"
}
check "a trigger that never fires" never 1 doorbell:999999
check "a run without an error has none to show" never 0 error
finish
