# Tiles behind a serial line: a run with the verilated board gives the same statistics file as with
# verilated tiles, with bytes damaged and lost on the line too; what is not a board gives an error.
. tests/e2e/lib.sh.inc

board_pid=
stop_board() {
    [ -z "$board_pid" ] || { kill "$board_pid" && wait "$board_pid"; } 2>/dev/null
    board_pid=
}
trap 'stop_board; rm -rf "$work"' EXIT

start_board() { # start_board [DAMAGE LOSS SEED]
    "$build/evgpu-board" "$work/board" "$@" >"$work/board.out" &
    board_pid=$!
    tries=100
    while [ ! -e "$work/board" ] && [ "$tries" -gt 0 ]; do
        sleep 0.1
        tries=$((tries - 1))
    done
    [ -e "$work/board" ]
}

"$evgpu" routes --count 100 "$work/routes" >/dev/null
"$evgpu" pktgen --routes "$work/routes" --count 64 --rate 9000000 "$work/small.pcap" >/dev/null
run() { # run NAME CORES OPTION...
    name=$1
    cores=$2
    shift 2
    "$evgpu" run --capture "$work/small.pcap" --routes "$work/routes" --background 32 --no-alone \
        --set "gpu.cores=$cores" --set event.reserved_cores=2 --set nic.batch=8 --json "$work/$name.json" "$@"
}
same() { # same NAME: its statistics are those of verilated tiles
    cmp "$work/verilator.json" "$work/$1.json"
}
damaged_and_lost() {
    stop_board
    cat "$work/board.out"
    awk '$6 == 0 || $8 == 0 { bad = 1 } END { exit bad || NR != 2 }' "$work/board.out"
}

check "verilator" run verilator 4 --tiles verilator
check "the board starts" start_board
check "serial" run serial 4 --tiles "serial:$work/board"
check "... the statistics are those of verilator" same serial
check "serial again, on the board as it was left" run again 4 --tiles "serial:$work/board@115200"
check "... the statistics are those of verilator" same again
check "more cores than the board has" \
    fails_with 2 "the board has no more tile sm_event_unit, for sm4" run more 5 --tiles "serial:$work/board"
check "a baud rate that is none" \
    fails_with 2 "12345 baud is not a rate of serial ports" run rate 4 --tiles "serial:$work/board@12345"
check "waveforms are refused" \
    fails_with 2 "these tiles have no waveforms" run trace 4 --tiles "serial:$work/board" --trace "$work/t.fst"
stop_board

for seed in 1 2; do
    check "a line with damage and loss, seed $seed" start_board 2000 1000 "$seed"
    check "... serial" run "noise$seed" 4 --tiles "serial:$work/board"
    check "... the statistics are those of verilator" same "noise$seed"
    check "... bytes were damaged and lost in both directions" damaged_and_lost
done

check "no such port" fails_with 2 "No such file" run none 4 --tiles serial:/nonexistent
check "a port that is none" fails_with 2 "not a serial port" run file 4 --tiles "serial:$work/routes"
check "serial without a port" fails_with 2 "needs a port" run empty 4 --tiles serial:
finish
