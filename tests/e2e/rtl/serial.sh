# Tiles behind a serial line: a run with the verilated board gives the same statistics file as with
# verilated tiles, with bytes damaged and lost on the line too; what is not a board gives an error.
. tests/e2e/lib.sh.inc

# The board is a process, which the operating system may leave waiting.
export EVGPU_BOARD_PATIENCE="$hang_limit"

board_pid=
stop_board() {
    [ -z "$board_pid" ] || { kill "$board_pid" && wait "$board_pid"; } 2>/dev/null
    board_pid=
}
trap 'stop_board; rm -rf "$work"' EXIT

start_board() { # start_board PROGRAM [DAMAGE LOSS SEED]
    program=$1
    shift
    "$build/$program" "$work/board" "$@" >"$work/board.out" &
    board_pid=$!
    until_true test -e "$work/board"
}

"$evgpu" routes --count 100 "$work/routes" >/dev/null
"$evgpu" pktgen --routes "$work/routes" --count 32 --rate 9000000 "$work/small.pcap" >/dev/null
run() { # run NAME CORES OPTION...
    name=$1
    cores=$2
    shift 2
    "$evgpu" run --capture "$work/small.pcap" --routes "$work/routes" --background "${background:-32}" --no-alone \
        --set "gpu.cores=$cores" --set nic.batch=8 --json "$work/$name.json" "$@"
}
same() { # same NAME: its statistics are those of verilated tiles
    same_figures "$work/verilator.json" "$work/$1.json"
}
damaged_and_lost() {
    stop_board
    cat "$work/board.out"
    awk '$6 == 0 || $8 == 0 { bad = 1 } END { exit bad || NR != 2 }' "$work/board.out"
}

# A slow run obeys a signal at its next cycle, not at its next look at progress, which is 4096 cycles and a
# thousand bytes to the board away. It stands still while the signal is sent.
bytes_to_board() {
    sed -n 's/^rchar: //p' "/proc/$board_pid/io"
}
stops_at_once() {
    start=$(bytes_to_board)
    run stopped 4 --tiles "serial:$work/board" >"$work/stopped" 2>&1 &
    job=$!
    until_true eval '[ "$(bytes_to_board)" -gt $((start + 600)) ] || gone $job'
    child=$(cat "/proc/$job/task/$job/children") # its only one is evgpu
    kill -STOP $child
    until_true grep -q '^State:.T' "/proc/${child% }/status"
    before=$(bytes_to_board)
    kill -INT $child
    kill -CONT $child
    await "$job"
    [ $? -eq 1 ] && cat "$work/stopped" && grep -q "stopped at cycle" "$work/stopped" || return 1
    after=$(bytes_to_board)
    echo "$((before - start)) bytes before the signal, $((after - before)) after it"
    [ $((after - before)) -lt 600 ]
}

check "verilator" run verilator 4 --tiles verilator
check "the board starts" start_board evgpu-board
check "serial" run serial 4 "--tiles=serial:$work/board"
check "... the statistics are those of verilator" same serial
check "serial again, on the board as it was left" run again 4 --tiles "serial:$work/board@115200"
check "... the statistics are those of verilator" same again
# More than 40 attempts of 100 ms
waited_for() {
    start=$(bytes_to_board)
    run late 4 --tiles "serial:$work/board" >"$work/said" 2>&1 &
    job=$!
    until_true eval '[ "$(bytes_to_board)" -gt $((start + 600)) ] || gone $job'
    kill -STOP "$board_pid"
    sleep 5
    kill -CONT "$board_pid"
    await "$job" || { cat "$work/said"; return 1; }
}
check "a board that stands still for five seconds" waited_for
check "... the statistics are those of verilator" same late
check "more cores than the board has" \
    fails_with 2 "the board has no free tile sm_event_unit for sm4" run more 5 --tiles "serial:$work/board"
check "... the fifth is verilated" run mixed 5 --tiles "serial+verilator:$work/board"
check "verilator, five cores" run verilator5 5 --tiles verilator
check "... the statistics are those of verilator" same_figures "$work/verilator5.json" "$work/mixed.json"
check "a baud rate that is none" \
    fails_with 2 "serial ports have no rate of 12345 baud" run rate 4 --tiles "serial:$work/board@12345"
check "waveforms are refused" \
    fails_with 2 "these tiles have no waveforms" run trace 4 --tiles "serial:$work/board" --trace "$work/t.fst"
stop_board

for seed in 1 2; do
    check "a line with damage and loss, seed $seed" start_board evgpu-board 2000 1000 "$seed"
    [ "$seed" -ne 1 ] || check "... serial, stopped by a signal" stops_at_once
    check "... serial" run "noise$seed" 4 --tiles "serial:$work/board"
    check "... the statistics are those of verilator" same "noise$seed"
    check "... bytes were damaged and lost in both directions" damaged_and_lost
done

# A reduced front end alone, the rest verilated: the same until something is beyond it.
check "the small board starts" start_board evgpu-board-small
check "a tile that it does not hold" \
    fails_with 2 "the board has no free tile sm_event_unit for sm0" run none 4 --tiles "serial:$work/board"
check "device memory that programs share has addresses of more than 32 bits" \
    fails_with 2 "lacks bits of cmd_kernel" run wide 4 --tiles "serial+verilator:$work/board"
background=0
check "verilator, without a program" run alone 4 --tiles verilator
check "serial, reduced front end" run reduced 4 --tiles "serial+verilator:$work/board"
check "... the statistics are those of verilator" same_figures "$work/alone.json" "$work/reduced.json"
check "more cores than it serves" \
    fails_with 2 "the board's gpu_frontend is reduced and lacks bits of cfg_core_groups" \
    run beyond 9 --tiles "serial+verilator:$work/board"
check "a priority that it does not have" \
    fails_with 2 "the board's gpu_frontend is reduced and lacks bits of cmd_priority" \
    run first 4 --tiles "serial+verilator:$work/board" --service ipv4,priority=1
rows="--service ipv4 --service ipv4 --service ipv4 --service ipv4"
check "verilator, as many rows as it has" run rows 4 --tiles verilator $rows
check "serial, as many rows as it has" run reduced-rows 4 --tiles "serial+verilator:$work/board" $rows
check "... the statistics are those of verilator" same_figures "$work/rows.json" "$work/reduced-rows.json"
check "one row more" fails_with 2 "the event kernel table is full" \
    run full 4 --tiles "serial+verilator:$work/board" $rows --service ipv4
background=32
stop_board

# Concurrency management, and the stall monitor of a memory front end, of one core and one partition.
limited() { # limited NAME OPTION...
    name=$1
    shift
    "$evgpu" run --config cm-bal-4sm.ini --no-profile --set gpu.cores=1 --set event.reserved_cores=0 \
        --set l2.partitions=1 --set network.kind=crossbar --set concurrency.interval=300 \
        --program "$build/apps/vectorAdd --elements=256" --concurrency cm-bal1 --json "$work/$name.json" "$@"
}
check "concurrency tiles, verilator" limited limits --tiles verilator
check "the board with the memory side's tiles starts" start_board evgpu-board-memory
check "concurrency tiles on the board" limited board-limits --tiles "serial+verilator:$work/board"
check "... the statistics are those of verilator" same_figures "$work/limits.json" "$work/board-limits.json"
stop_board

check "a board that loses every byte" start_board evgpu-board 0 1000000 1
EVGPU_BOARD_PATIENCE=0
check "... does not answer" fails_with 2 "no answer at 1000000 baud" run silent 4 --tiles "serial:$work/board"
EVGPU_BOARD_PATIENCE=$hang_limit
stop_board

# A board's end: whenever the signal comes, and the link stays if it is no longer the board's own.
ends_by_signal() {
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        start_board evgpu-board-small || return 1
        [ $((i % 2)) -eq 0 ] || { kill -STOP "$board_pid" && sleep 0.05 && kill -CONT "$board_pid"; }
        kill "$board_pid"
        if ! until_true gone "$board_pid"; then
            kill -KILL "$board_pid"
            echo "try $i: still there"
            return 1
        fi
        [ ! -L "$work/board" ] || { echo "try $i: the link is still there"; return 1; }
    done
}
keeps_the_other_link() {
    start_board evgpu-board-small || return 1
    first=$board_pid
    name=$(readlink "$work/board")
    "$build/evgpu-board-small" "$work/board" >/dev/null &
    board_pid=$!
    until_true eval '[ "$(readlink "$work/board")" != "$name" ]'
    name=$(readlink "$work/board")
    kill "$first" && wait "$first"
    [ "$(readlink "$work/board")" = "$name" ] && stop_board && [ ! -L "$work/board" ]
}
check "a signal ends the board, whenever it comes" ends_by_signal
check "a board leaves the link of another one" keeps_the_other_link
echo text >"$work/file"
check "a link that is a file is refused" \
    fails_with 2 "exists and is no symbolic link" "$build/evgpu-board-small" "$work/file"
check "... and kept" grep -qx text "$work/file"

check "a board that damages most bytes" start_board evgpu-board 400000 0 1
check "... is there, but the line is too bad" \
    fails_with 2 "the line is too noisy at 1000000 baud" run bad 4 --tiles "serial:$work/board"
cat "$work/stderr"
stop_board

check "no such port" fails_with 2 "No such file" run none 4 --tiles serial:/nonexistent
check "a port that is none" fails_with 2 "not a serial port" run file 4 --tiles "serial:$work/routes"
check "no such back end" fails_with 2 \
    "must be verilator, model, lockstep, serial:PORT[@BAUD], serial:eth:INTERFACE or serial+verilator:PORT" \
    run none 4 --tiles board
check "serial without a port" fails_with 2 "needs a port" run empty 4 --tiles serial:
finish
