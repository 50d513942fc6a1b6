# Files and standard output on a device without space: a message with file and cause, a status that is
# not 0, the verdict all the same, and nothing half written.
. tests/e2e/lib.sh.inc

cause="No space left on device"
small="--route-count 1000 --background 0 --packets 320 --service ipv4 --tiles model"

# full_output COMMAND...: what it prints has no place
full_output() {
    "$@" >/dev/full 2>"$work/stderr"
    status=$?
    [ "$status" -eq 1 ] || { echo "status $status"; return 1; }
    grep -q "^evgpu: standard output: cannot be written: $cause" "$work/stderr" || { cat "$work/stderr"; return 1; }
}

# full_file FILE COMMAND...: what it writes to FILE has no place
full_file() {
    file=$1
    shift
    "$@" >"$work/stdout" 2>"$work/stderr"
    status=$?
    [ "$status" -ne 0 ] || { echo "status 0"; return 1; }
    grep -qF "$file: cannot be written" "$work/stderr" "$work/stdout" &&
        grep -q "$cause" "$work/stderr" "$work/stdout" || { cat "$work/stderr"; return 1; }
}

verified_beside() { # verified_beside FILE OPTION...: the run's verdict is there all the same
    file=$1
    shift
    full_file "$file" "$evgpu" run $small "$@" && grep -q '^VERIFIED' "$work/stdout" && grep -q '^Packets ' "$work/stdout"
}

# --- standard output ------------------------------------------------------------------------------
"$evgpu" run $small --timeline "$work/timeline.json" >/dev/null
check "help" full_output "$evgpu" --help
check "help of run" full_output "$evgpu" run --help
check "services" full_output "$evgpu" run --service help
check "version" full_output "$evgpu" --version
check "keys" full_output "$evgpu" config
check "a machine" full_output "$evgpu" config edge.ini
check "run" full_output "$evgpu" run $small
check "routes" full_output "$evgpu" routes -n 10 "$work/routes"
check "pktgen" full_output "$evgpu" pktgen -n 10 "$work/packets.pcap"
check "mesh" full_output "$evgpu" mesh --ticks 10
check "applications of CPU cores" full_output "$evgpu" cputrace --list
check "a described trace" full_output "$evgpu" cputrace --describe mcf --count 1000
check "experiments" full_output "$evgpu" experiment --list
check "bench" full_output "$evgpu" bench --only "mesh"
check "a closed standard output" sh -c "! $evgpu config >&- 2>$work/closed && grep -q 'Bad file' $work/closed"

# --- devices --------------------------------------------------------------------------------------
check "routes to a device" full_file /dev/full "$evgpu" routes -n 10 /dev/full
check "pktgen to a device" full_file /dev/full "$evgpu" pktgen -n 10 /dev/full
check "sent frames to a device" verified_beside /dev/full --out /dev/full
check "statistics to a device" verified_beside /dev/full --json /dev/full
check "timeline to a device" verified_beside /dev/full --timeline /dev/full
check "a waveform is no device" fails_with 2 "/dev/full: must be an ordinary file" "$evgpu" run --trace /dev/full
check "devices are still there" test -c /dev/full
check "statistics to the standard output" sh -c "$evgpu run $small --json /dev/stdout | grep -q '\"guests\"'"

# --- a limit of the size of files: the same as a full disk, for who may not mount one --------------
limited() { # limited COMMAND...
    (ulimit -f 256 && "$@")
}
cause="File too large"
check "routes over the limit" limited full_file "$work/large" "$evgpu" routes "$work/large"
check "... and none of it is left" test ! -e "$work/large"
check "waveform over the limit" limited verified_beside "$work/large.fst" --tiles verilator --trace "$work/large.fst"
check "... and none of it is left" test ! -e "$work/large.fst"
cause="No space left on device"

# --- a file system of 64 KiB -----------------------------------------------------------------------
disk=$work/disk
mkdir "$disk"
if ! mount -t tmpfs -o size=64k none "$disk" 2>/dev/null; then
    skip "full_disk: no file system can be mounted here"
    finish
fi
trap 'umount "$disk"; rm -rf "$work"' EXIT

nothing_new() { # only what is named
    left=$(cd "$disk" && ls -A)
    [ "$left" = "$*" ] || { echo "left: $left"; return 1; }
}

echo kept >"$disk/old.json"
cp "$disk/old.json" "$disk/old.pcap"
head -c 61440 /dev/zero >"$disk/filler" 2>/dev/null
check "statistics" verified_beside "$disk/old.json" --json "$disk/old.json"
check "... keep the older file" grep -qx kept "$disk/old.json"
check "sent frames" verified_beside "$disk/old.pcap" --out "$disk/old.pcap"
check "... keep the older file" grep -qx kept "$disk/old.pcap"
check "timeline" verified_beside "$disk/t.json" --timeline "$disk/t.json"
check "waveform" verified_beside "$disk/w.fst" --tiles verilator --trace "$disk/w.fst"
check "routes" full_file "$disk/routes" "$evgpu" routes "$disk/routes"
check "pktgen" full_file "$disk/p.pcap" "$evgpu" pktgen "$disk/p.pcap"
check "trace" full_file "$disk/t.xz" "$evgpu" cputrace --application mcf --count 100000 "$disk/t.xz"
check "trace, gz" full_file "$disk/t.gz" "$evgpu" cputrace --application mcf --count 100000 "$disk/t.gz"
check "trace, plain" full_file "$disk/t" "$evgpu" cputrace --application mcf --count 100000 "$disk/t"
if command -v gnuplot >/dev/null; then
    check "picture" sh -c "! $evgpu timeline $work/timeline.json -o $disk/t.svg 2>$work/said && grep -q '$disk/t.svg: cannot be written' $work/said"
fi
check "nothing is left of all these" nothing_new "$(printf 'filler\nold.json\nold.pcap')"
check "an experiment whose logs have no place" sh -c \
    "! $evgpu experiment mesh --only 'one:0.02,uniform' --out $disk/x >$work/said 2>&1; grep -q '$cause' $work/said && ! grep -q 'printed nothing' $work/said"
finish
