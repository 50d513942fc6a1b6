# A kernel may access memory of its own guest only: a program that reaches for a service's memory, or for
# another program's, is stopped alone, and with gpu.protection = no it gets through.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "protection: clang++-14 is needed"
    finish
fi
intruder=$work/intruder
ipv4="--service ipv4,packets=600,route-count=1000"

run() { # run STATUS OPTION...: the table in table, its verdicts in verdicts
    want=$1
    shift
    limited "$evgpu" run --tiles model --json "$work/run.json" "$@" >"$work/table" 2>"$work/errors"
    got=$?
    sed -n 's/^Verdict  *//p' "$work/table" >"$work/verdicts"
    [ "$got" -eq "$want" ] && return
    echo "status $got instead of $want"
    cat "$work/verdicts" "$work/errors"
    return 1
}
verdict() { # verdict LINE PATTERN: of the guests in their order
    sed -n "$1p" "$work/verdicts" | grep -q "$2" || { echo "no '$2' in line $1 of:"; cat "$work/verdicts"; return 1; }
}
# stopped VERB OWNER NAME: the last guest, which is called NAME, by the message of the fault
stopped() {
    verdict '$' "^NOT verified: cycle [0-9]*, core [0-9]*: kernel .*reach.*, PTX line [0-9]* (.*intruder.cu:[0-9]*): $1 of 4 bytes at address 0x[0-9a-f]* is in the memory of $2, which program $3 may not access: [0-9]* bytes\{0,1\} inside [0-9]* bytes at 0x[0-9a-f]* (.*$2)\( (evgpu run --on-bad-read report reads 0 instead)\)\{0,1\}; block (3,0,0), thread ([0-9]*,0,0)\$"
}

check "protection: the program is compiled" "$build/cuda/bin/nvcc" -I. -lineinfo -o "$intruder" \
    tests/cuda/isolation/intruder.cu -lcuda

# A service's memory: tables, whose addresses it tells; packets and results, which lie behind them.
while read -r kind verb at; do
    check "protection: $kind to a table of a service" run 3 $ipv4 --program "$intruder $kind ipv4:$at"
    check "... is refused with both names" stopped "$verb" "service ipv4" intruder
    check "... and the service is verified" verdict 1 "^verified: 5.. packets"
done <<'LIST'
store store level1+4096
load load level2
atomic atomic hops+16
poll load hops
lane store level1+67108860
flood store hops+32
LIST
check "protection: a format that lies in a service's memory" run 3 $ipv4 --program "$intruder print ipv4:level1"
check "... is not printed" verdict '$' "printf: the format or an argument is not in the program's memory"
check "protection: without it the table is read" run 4 $ipv4 --program "$intruder load ipv4:level1" --set gpu.protection=no
check "protection: without it the table is overwritten" run 4 $ipv4 --program "$intruder flood ipv4:hops+32" --set gpu.protection=no
check "... and packets go wrong" verdict 1 "^NOT verified: packet [0-9]*"
both_back_ends() {
    run 3 $ipv4 --program "$intruder flood ipv4:hops+32" && cp "$work/run.json" "$work/model.json" &&
        limited "$evgpu" run --tiles verilator --json "$work/run.json" $ipv4 --program "$intruder flood ipv4:hops+32" >"$work/table"
    [ $? -eq 3 ] && same_figures "$work/run.json" "$work/model.json"
}
check "protection: the same statistics by the verilated tiles" both_back_ends

# Upwards from the small tables, until a store meets the memory. Packets, results and queue have 4096
# bytes at least.
scan() { # scan WHAT
    at=0
    until [ $at -gt 196608 ]; do
        at=$((at + 4096))
        run 3 --service ipv4,packets=600,route-count=1000,batch=4,in_flight=64 \
            --program "$intruder store ipv4:hops+$at" && verdict 1 "^verified" || return 1
        grep -q "is in the memory of service ipv4.*($1, service ipv4)" "$work/verdicts" && return
    done
    echo "no store met $1"
    return 1
}
check "protection: a store to packets that wait" scan "packets of a queue entry"
check "protection: a store to the submission queue" scan "submission queue"

# Another program's memory.
victim() { # victim MEMORY OPTION...: the addresses of its memory: device, heap, region
    memory=$1
    shift
    run 0 "$@" --program "$intruder victim $memory 4000" --program "$intruder none 0 20000" || return 1
    read -r _ device _ heap _ region <<ADDRESSES
$(grep '^device 0x' "$work/table")
ADDRESSES
    [ -n "$region" ]
}
attack() { # attack STATUS KIND ADDRESS OPTION...: of the intruder; the victim stays right
    status=$1 kind=$2 at=$3
    shift 3
    run "$status" "$@" --program "$intruder victim $memory 4000" --program "$intruder $kind $at 20000" &&
        verdict 1 "^verified: intruder ended with status 0"
}
victim x
check "protection: a program that others leave alone" victim x
for at in $device $heap; do
    while read -r kind verb; do
        check "protection: $kind to memory of another program" attack 3 "$kind" "$at"
        check "... with both names" stopped "$verb" "program intruder" intruder-2
    done <<'LIST'
store store
load load
atomic atomic
poll load
lane store
LIST
    check "protection: a text of another program" attack 3 print "$at"
    check "... is not printed" sh -c "! grep '^it reads' $work/table"
    check "protection: free of another program's memory by a kernel" attack 3 release "$at"
    for kind in texture set copy_in copy_out copy_over drop; do
        check "protection: $kind of another program's memory" attack 5 "$kind" "$at"
    done
done
check "protection: without it a program changes another" run 4 --set gpu.protection=no \
    --program "$intruder victim x 4000" --program "$intruder store $heap 20000"
check "... which notices" verdict 1 "^NOT verified: the program ended with status 4"

# What is given back is somebody else's, and nothing that is on its way reaches it: the heap of kernels
# when a context dies, and memory that one thread frees while another has a memset in a stream.
check "protection: the heap of a program that has ended is the next one's" run 0 --repeat=4 --copies=1 $ipv4 --program "$intruder hoard x"
binder=$work/binder
check "protection: a program with two threads is compiled" "$build/cuda/bin/nvcc" -o "$work/late" \
    tests/cuda/isolation/late.cu -lpthread
check "protection: a program with an event kernel is compiled" "$build/cuda/bin/nvcc" -I. -I"$build/gen" -o "$binder" \
    tests/cuda/isolation/binder.cu -lcuda
check "protection: a memset that is behind the free of its memory" run 0 --program "$work/late" --program "$binder watch"

# The hardware that works for a program: event kernels, and the device of a service.
own="--service ipv4,packets=300,route-count=1000,kernel=program,check=processed"
check "protection: rows of kernels and queues of others" run 0 $ipv4 --program "$binder rows"
check "... leave the service right" verdict 1 "^verified"
check "protection: a device's buffers in another service's memory" run 0 $own --service ipv4,packets=300,route-count=1000 \
    --program "$binder buffer"
check "protection: a device whose buffers are freed" run 1 $own --service memc,packets=160 --program "$binder freed" \
    --program "$binder watch"
check "... stops with its program" verdict 3 "^NOT verified: the device of ipv4 accesses [0-9]* bytes at 0x[0-9a-f]*, which lie in no allocation of binder; "
check "... and leaves the other service right" verdict 2 "^verified"
check "... and the other program" verdict 4 "^verified"

# Memory with full/empty bits, where accesses are performed when its tiles hand them over.
victim region --config gtx580.ini
check "protection: a program with full/empty bits" victim region --config gtx580.ini
while read -r kind verb; do
    check "protection: $kind to full/empty words of another program" attack 3 "$kind" "$region" --config gtx580.ini
    check "... with both names" stopped "$verb" "program intruder" intruder-2
done <<'LIST'
store store
load load
atomic atomic
poll load
LIST
for kind in mark set copy_in copy_out; do
    check "protection: $kind of another program's full/empty words" attack 5 "$kind" "$region" --config gtx580.ini
done
finish
