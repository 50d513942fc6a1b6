# Tiles behind Ethernet: a run with the verilated board gives the statistics of the golden models, by a Unix
# datagram socket everywhere, with frames damaged and lost too, and by raw sockets at the ends of a wire
# (veth) in a network namespace where the system allows them.
. tests/e2e/lib.sh.inc

export EVGPU_BOARD_PATIENCE="$hang_limit" # the board is a process, which may have to wait

board_pid=
stop_board() {
    [ -z "$board_pid" ] || { kill "$board_pid" && wait "$board_pid"; } 2>/dev/null
    board_pid=
}
trap 'stop_board; rm -rf "$work"' EXIT

start_board() { # start_board [DAMAGE LOSS SEED]
    "$build/evgpu-board-ethernet" "$work/board" "$@" >"$work/board.out" &
    board_pid=$!
    until_true test -S "$work/board"
}

"$evgpu" routes --count 100 "$work/routes" >/dev/null
"$evgpu" pktgen --routes "$work/routes" --count 64 --rate 9000000 "$work/small.pcap" >/dev/null
run() { # run NAME OPTION...
    name=$1
    shift
    "$evgpu" run --capture "$work/small.pcap" --routes "$work/routes" --background 32 --no-alone --set gpu.cores=4 \
        --set nic.batch=8 --json "$work/$name.json" "$@"
}
same() { # same NAME: its statistics are those of the golden models
    same_figures "$work/model.json" "$work/$1.json"
}
damaged_and_lost() {
    stop_board
    cat "$work/board.out"
    awk '{ spoilt += $6 + $8 } END { exit !spoilt || NR != 2 }' "$work/board.out"
}

check "golden models" run model --tiles model
check "the board starts" start_board
check "Ethernet frames by a Unix socket" run unix "--tiles=serial:eth:$work/board"
check "... the statistics are those of the models" same unix
check "again, on the board as it was left" run again "--tiles=serial:eth:$work/board"
check "... the statistics are those of the models" same again
stop_board
check "the board has taken its socket away" test ! -e "$work/board"

check "a wire with damage and loss" start_board 150000 100000 1
check "... the run" run noise "--tiles=serial:eth:$work/board"
check "... the statistics are those of the models" same noise
check "... frames were damaged or lost" damaged_and_lost

echo text >"$work/file"
check "a path that is a file is refused" fails_with 2 "File exists" "$build/evgpu-board-ethernet" "$work/file"
check "... and kept" grep -qx text "$work/file"
check "no board" fails_with 2 "eth:$work/none: No such file" run none --tiles "serial:eth:$work/none"
check "no interface's name" fails_with 2 "eth:: not the name of a network interface" run empty --tiles serial:eth:

# Both ends of the wire are in the namespace; the board is a process of it.
cat >"$work/wire.sh" <<'END'
ip link add evgpu0 type veth peer name evgpu1 || exit 3
ip link set evgpu0 up && ip link set evgpu1 up || exit 3
"$build/evgpu-board-ethernet" evgpu1 >"$work/wire.out" &
board=$!
"$evgpu" run --capture "$work/small.pcap" --routes "$work/routes" --background 32 --no-alone --set gpu.cores=4 \
    --set nic.batch=8 --json "$work/raw.json" --tiles serial:eth:evgpu0
status=$?
kill "$board"
wait "$board"
exit $status
END
export build work evgpu
allowed() {
    unshare -n ip link add evgpu0 type veth peer name evgpu1
}
if ! allowed >"$work/allowed" 2>&1; then
    skip "raw sockets in a network namespace: $(tail -n 1 "$work/allowed")"
else
    check "Ethernet frames by raw sockets, in a namespace" unshare -n sh "$work/wire.sh"
    check "... the statistics are those of the models" same raw
    check "no such interface" fails_with 2 "eth:evgpu9: No such device" run no --tiles serial:eth:evgpu9
fi
finish
