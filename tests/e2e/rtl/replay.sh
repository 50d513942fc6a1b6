# Recorded ports: every step of a run's tiles in a file, given to a board whose tiles run at the full clock and
# compare their outputs; a planted difference is found with its step, cycle and port.
. tests/e2e/lib.sh.inc

board_pid=
stop_board() {
    [ -z "$board_pid" ] || { kill "$board_pid" && wait "$board_pid"; } 2>/dev/null
    board_pid=
}
trap 'stop_board; rm -rf "$work"' EXIT

record() { # record NAME OPTION...
    name=$1
    shift
    "$evgpu" run --packets 64 --background 32 --no-alone --set gpu.cores=4 --set nic.batch=8 \
        --json "$work/$name.json" --record-ports "$work/$name.gz" "$@"
}
replay() {
    limited "$build/evgpu-replay" "$@"
}
says() { # says STATUS TEXT COMMAND...
    want=$1
    text=$2
    shift 2
    "$@" >"$work/said" 2>&1
    got=$?
    cat "$work/said"
    [ "$got" -eq "$want" ] && grep -qE -- "$text" "$work/said"
}

# A board serves until it is ended: one that takes such a word for its name would not come back.
board_says() { # board_says STATUS PROGRAM WORD
    got=0
    (cd "$work" && limited "$OLDPWD/$build/$2" "$3" >"$work/board.said" 2>&1) || got=$?
    cat "$work/board.said"
    [ "$got" -eq "$1" ] && grep -q '^usage: evgpu-board' "$work/board.said" && [ ! -L "$work/$3" ]
}
for board in evgpu-board-replay evgpu-board-ethernet; do
    check "$board explains itself" board_says 0 $board --help
    check "... and takes no option for a name" board_says 2 $board --frobnicate
    check "... nor a folder that is not there" fails_with "$([ $board = evgpu-board-replay ] && echo 1 || echo 2)" \
        "$work/nowhere/board: No such file or directory" limited "$build/$board" "$work/nowhere/board"
done
check "a run with recorded ports" record verilator
"$evgpu" run --packets 64 --background 32 --no-alone --set gpu.cores=4 --set nic.batch=8 --json "$work/plain.json" \
    >/dev/null 2>&1
check "... is the run without" same_figures "$work/verilator.json" "$work/plain.json"
check "the golden models' ports" record model --tiles model
zcat "$work/verilator.gz" >"$work/verilator.ports"
zcat "$work/model.gz" >"$work/model.ports"
check "... are the same" cmp "$work/verilator.ports" "$work/model.ports"
check "threads have no order of steps" \
    fails_with 2 "needs --threads 1" record threads --threads 2

"$build/evgpu-board-replay" "$work/board" >"$work/board.out" &
board_pid=$!
until_true test -e "$work/board"
check "the board's tiles have the recorded outputs" \
    says 0 'VERIFIED: 5 tiles equal in [0-9]+ steps, 0 with a difference, 0 not on the board' \
    replay "$work/verilator.gz" "$work/board"
check "a run with concurrency management" record cm --concurrency cm-bal1
check "... whose tiles the board has, too" \
    says 0 'VERIFIED: [0-9]+ tiles equal in [0-9]+ steps, 0 with a difference, 0 not on the board' \
    replay "$work/cm.gz" "$work/board"
check "a planted difference is found where it is" \
    says 1 'step 12, cycle [0-9]+, tile sm_event_unit sm1, port ev_ready: recorded 0x[01], board 0x[01]$' \
    replay "$work/verilator.gz" "$work/board" --only sm1 --plant 12
check "... at the first step, too" \
    says 1 'step 1, cycle [0-9]+, tile gpu_frontend gpu_frontend, port cmd_ready: recorded 0x[01], board 0x[01]$' \
    replay "$work/verilator.gz" "$work/board" --only gpu_frontend --plant 1
head -c 2000 "$work/verilator.ports" >"$work/short"
check "a file that ends too early" fails_with 1 "a damaged one" replay "$work/short" "$work/board"
stop_board
finish
