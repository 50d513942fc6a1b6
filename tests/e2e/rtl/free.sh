# A board that runs by itself (fpga/free): its verilated top, the same behind a serial line, and the golden
# model give the same latencies, event by event; and what must not happen is told.
. tests/e2e/lib.sh.inc

board_pid=
stop_board() {
    [ -z "$board_pid" ] || { kill "$board_pid" && wait "$board_pid"; } 2>/dev/null
    board_pid=
}
trap 'stop_board; rm -rf "$work"' EXIT
free=$build/evgpu-free

run() { # run NAME TILES OPTION...
    name=$1
    tiles=$2
    shift 2
    "$free" --quiet --tiles "$tiles" --histogram "$work/$name.bins" "$@" >"$work/$name" 2>&1
}
same() { # same A B
    cmp "$work/$1" "$work/$2" && cmp "$work/$1.bins" "$work/$2.bins"
}
differ() {
    ! cmp -s "$work/$1" "$work/$2"
}
# Every line of the table has events, and those of the bins are all.
all_classes() {
    awk '/^  .*to push, / && $5 { n++ } END { exit n != 5 }' "$work/$1" &&
        awk '$1 == "launch" { n += $4 } END { exit n != '"$2"' }' "$work/$1.bins"
}

board_there() { # or over, as when it is not built
    test -e "$work/board" || ! kill -0 "$board_pid" 2>/dev/null
}

check "800 events, RTL and model in lockstep" run lockstep lockstep --events 800 --seed 3 --burst 4
check "... which count what the model alone counts" run model model --events 800 --seed 3 --burst 4
check "... all of it" same lockstep model
check "every class of latencies is there" all_classes model 800
check "another seed" run other model --events 800 --seed 4 --burst 4
check "... is another run" differ model other
check "no optimisation, the oldest warp, saved registers" \
    run plain lockstep --events 400 --rate 3000 --plain --policy oldest --no-spare
"$build/evgpu-board-free" "$work/board" >"$work/board.out" &
board_pid=$!
until_true board_there
check "the same on a board behind a serial line" run on_board "serial:$work/board" --events 800 --seed 3 --burst 4
check "... is the same run" same on_board model
check "... and a second one, in one session of the board" run second "serial:$work/board" --events 200 --seed 9
run second_model model --events 200 --seed 9
check "... too" same second second_model
stop_board
check "a rate beyond the port" fails_with 2 "must be a number in 1..65535" "$free" --rate 65536
check "a back end that does not exist" fails_with 2 "must be verilator, model, lockstep" "$free" --tiles fast
finish
