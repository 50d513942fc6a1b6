# The synchronised region under programs: every tile back end gives the same statistics, a board with
# bytes damaged and lost among them; a deadlock is one message, an exit status and a waveform; a
# machine without the region, and with one that nobody uses, runs the same.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null || ! command -v g++ >/dev/null; then
    skip "region: clang++-14 and g++ are needed"
    finish
fi
board_pid=
stop_board() {
    [ -z "$board_pid" ] || { kill "$board_pid" && wait "$board_pid"; } 2>/dev/null
    board_pid=
}
trap 'stop_board; rm -rf "$work"' EXIT
start_board() { # one memory front end, with 5 of 10000 bytes damaged and as many lost
    "$build/evgpu-board-memory" "$work/board" 5 5 1 >"$work/board.out" &
    board_pid=$!
    until_true test -e "$work/board"
}

home=$("$evgpu" cuda-home)
for name in pipeline deadlock; do
    check "$name is built" "$home/bin/nvcc" -lineinfo -o "$work/$name" "tests/cuda/region/$name.cu"
done
run() { # run NAME PROGRAM OPTION...
    name=$1
    program=$2
    shift 2
    "$evgpu" run --config gtx480.ini --set l2.partitions=2 --program "$work/$program" \
        --json "$work/$name.json" "$@"
}
same() { same_figures "$work/verilator.json" "$work/$1.json"; }

check "early launch and early copies, verilator" run verilator pipeline --set fe.region_kib=64
for tiles in model lockstep; do
    check "... $tiles" run "$tiles" pipeline --set fe.region_kib=64 --tiles "$tiles"
    check "... $tiles: the same statistics" same "$tiles"
done
check "the board starts" start_board
check "... a board beside verilated tiles" run serial pipeline --set fe.region_kib=64 \
    --tiles "serial+verilator:$work/board"
check "... the same statistics" same serial
check "a region that is too large for the board" fails_with 2 "but its tile has bits for 256" \
    run large pipeline --set fe.region_kib=512 --tiles "serial+verilator:$work/board"
stop_board

deadlock() {
    run deadlock deadlock --set fe.region_kib=64 --trace "$work/deadlock.fst" \
        --trace-trigger fe-timeout "$@"
}
message="tests/cuda/region/deadlock.cu:7): core"
check "a deadlock ends with status 1 and a line that names the source" \
    fails_with 1 "$message" deadlock
check "... the warp, the word, its age" grep -qE \
    'kernel _Z5chainPi, PTX line [0-9]+ .*: core [0-9]+, block \([0-9]+,0,0\), thread \(0,0,0\), load: waits for word 0x[0-9a-f]+ to be full for 100000\.0 us; ' "$work/stderr"
check "... and who could fill it" grep -q \
    'candidates to fill it: [0-9]* requests behind it in its queue, one of kernel _Z5chainPi, 904 non-resident blocks of kernel _Z5chainPi$' "$work/stderr"
check "... and the program's call fails" grep -q 'the launch timed out' "$work/stdout"
if command -v fst2vcd >/dev/null; then
    check "... its waveform shows the time-out" sh -c \
        "fst2vcd $work/deadlock.fst | grep -q partition0 && fst2vcd $work/deadlock.fst | grep -q irq_o"
fi
check "a time-out of its own" fails_with 1 "to be full for 20.0 us" deadlock --set fe.timeout_us=20
check "... all that waited is let go" grep -qE '^Simulated +[1-9][0-9]{4} cycles' "$work/stdout"
# Everything but the region's own statistics.
unused() { # unused KIB
    "$evgpu" run --config gtx480.ini --set "fe.region_kib=$1" --tiles model --no-profile \
        --program "$build/apps/matrixMul 64" --json "$work/unused.json" >/dev/null 2>&1 &&
        figures "$work/unused.json" | jq 'del(.gpu.memory.region)' >"$work/unused$1"
}
same_unused() {
    unused 0 && unused 8192 && grep -q '"region"' "$work/unused.json" &&
        cmp "$work/unused0" "$work/unused8192"
}
check "a program that does not use the region takes the same cycles with and without it" same_unused
# A NIC whose packets fill words: entries are emptied before they are used again.
service() { # service NAME TILES SETTINGS [OPTION...]
    service_json=$work/$1.json service_tiles=$2 settings=$3
    shift 3
    limited "$evgpu" run --config gtx580.ini --tiles "$service_tiles" --route-count 1000 \
        --service "ipv4,fill,$settings" --json "$service_json" "$@"
}
check "packets fill words, events wait for them" service fill model packets=900 --set nic.in_flight=2
check "... all through the schedulers" sh -c \
    "sed -n '/\"triggered_gpu\"/{s/[^0-9]//g;p;q}' $work/fill.json | awk '{ exit !(\$1 > 900) }'"
check "... on Verilog in lockstep" service lockstep lockstep packets=900 --set nic.in_flight=2
check "... with the same statistics" same_figures "$work/fill.json" "$work/lockstep.json"
check "... launched by the CPU" service cpu model packets=300,launch=cpu
check "... in blocks, beside another service and a product" service blocks model packets=1200,blocks \
    --service ipv4,fill,packets=300 --background 48
check "... where there is no such memory" fails_with 2 "no memory with full/empty bits" \
    "$evgpu" run --config edge.ini --service ipv4,fill
check "... not with a program's buffers" fails_with 2 "the program provides the buffers" \
    "$evgpu" run --config gtx580.ini --service ipv4,fill,kernel=program

check "a machine without a region says so" sh -c \
    "! $evgpu run --config gtx480.ini --program $work/pipeline | grep -q PASS"
finish
