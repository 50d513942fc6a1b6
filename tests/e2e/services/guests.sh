# Several guests on one machine: each with its own section, figures and verdict, and the same twice.
. tests/e2e/lib.sh.inc

run() { # run NAME OPTION...
    name=$1
    shift
    "$evgpu" run --route-count 1000 --tiles model --json "$work/$name.json" "$@"
}
has() { # has NAME TEXT: in the statistics
    grep -qF -- "$2" "$work/$1.json"
}
three="--service ipv4,packets=600 --service ipv4,packets=300,launch=cpu,rate=2000000 --service ipv4,packets=500,blocks,seed=5"

check "three services and a product" run three $three --background 64
cp "$work/out" "$work/table"
check "... end verified" grep -q '^VERIFIED: .* packets equal .*; .* packets equal .*; .* packets equal .*; matrixMul ended with status 0' "$work/table"
check "... each with a verdict" sh -c "test \$(grep -c '^Verdict  *verified' $work/table) -eq 4"
for guest in ipv4 ipv4-2 ipv4-3 matrixMul; do
    check "... and a section $guest" has three "\"$guest\": {"
done
check "a second run" run again $three --background 64
check "... gives the same statistics" same_figures "$work/three.json" "$work/again.json"
check "lockstep tiles" run lockstep $three --background 64 --tiles lockstep
check "... give the same statistics" same_figures "$work/three.json" "$work/lockstep.json"
check "a service by itself has no product" run one --service ipv4,packets=100
check "... in its statistics" sh -c "! grep -q matrixMul $work/one.json"
check "options are settings of every service" run options --service ipv4 --service ipv4,packets=50 --packets 100
check "... unless it has its own" sh -c "grep -q '\"packets_in\": [4-5][0-9],' $work/options.json &&
    grep -Eq '\"packets_in\": (9[0-9]|100),' $work/options.json"
check "each writes its own capture" run outs --service "ipv4,packets=60,out=$work/a.pcap" \
    --service "ipv4,packets=70,seed=2,out=$work/b.pcap"
check "... which can be replayed" "$evgpu" run --capture "$work/b.pcap" --background 0 --tiles model
check "events of five packets, and of a thousand" run batches --service ipv4,packets=200,batch=5 \
    --service ipv4,packets=2000,blocks,batch=1000 --set nic.in_flight=8
check "services are listed" sh -c "$evgpu run --service help | grep -q '^ipv4: '"
check "a kernel that no program can bring is refused" fails_with 2 "ipv4: kernel=program: needs --program" \
    "$evgpu" run --service ipv4,packets=10,kernel=program
check "a kernel that no program brings ends the run with a message" sh -c \
    "! $evgpu run --service ipv4,packets=10,kernel=program --program true >$work/message && \
    grep -q '^NOT VERIFIED: hang: .*ipv4: NIC waits for a program to bind an event kernel' $work/message"
check "too many services" sh -c "! $evgpu run \$(yes -- '--service ipv4,packets=1' | head -13 | tr '\n' ' ') 2>$work/message &&
    grep -q 'more than 12 services' $work/message"

# Programs in processes of their own.
apps=$build/apps
two="--service ipv4,packets=400 --background 64"
check "two programs beside a service and the background" run programs $two \
    --program "$apps/matrixMul --quiet 96 3" --program "$apps/vectorAdd 20000"
cp "$work/out" "$work/table"
for guest in ipv4 matrixMul vectorAdd matrixMul-2; do
    check "... and a section $guest" has programs "\"$guest\": {"
done
check "... each with a verdict" sh -c "test \$(grep -c '^Verdict  *verified' $work/table) -eq 4"
check "a second run" run programs2 $two --program "$apps/matrixMul --quiet 96 3" --program "$apps/vectorAdd 20000"
check "... gives the same statistics" same_figures "$work/programs.json" "$work/programs2.json"
check "verilated tiles" run programs3 $two --program "$apps/matrixMul --quiet 96 3" \
    --program "$apps/vectorAdd 20000" --tiles lockstep
check "... give the same statistics" same_figures "$work/programs.json" "$work/programs3.json"
check "programs alone first" run alone --service ipv4,packets=2000 --program "$apps/matrixMul --beside --quiet 64 50" --alone
check "... to compare with" has alone '"alone_first_cycles"'

check "a program's own event kernel" run own --service ipv4,kernel=program,packets=900 --program "$apps/eventForward"
check "... serves the packets" has own '"verdict": "8'
check "... on two services" run both --service ipv4,kernel=program,packets=300 \
    --service ipv4,kernel=program,packets=300,seed=2 --program "$apps/eventForward ipv4 4" \
    --program "$apps/eventForward ipv4-2" --background 64
check "... is refused where the service has one" fails_with 3 "runs its own kernel; start it with kernel=program" \
    "$evgpu" run --route-count 1000 --tiles model --service ipv4,packets=100 --program "$apps/eventForward"
check "... and where there is no such service" fails_with 3 "no service ipv6 takes an event kernel; there is ipv4" \
    "$evgpu" run --route-count 1000 --tiles model --service ipv4,packets=100 --program "$apps/eventForward ipv6"
check "... and without services" fails_with 3 "there are none" "$evgpu" run --tiles model --program "$apps/eventForward"

# The same from CUDA C++, with the toolkit.
if command -v clang++-14 >/dev/null && [ -x "$build/cuda/bin/nvcc" ]; then
    check "nvcc of a program with an event kernel" "$build/cuda/bin/nvcc" tests/guest/event_count.cu -o "$work/event_count" -lcuda
    "$evgpu" pktgen --count 500 --fraction no-route=0 --fraction arp=0 "$work/five.pcap" >/dev/null
    check "... which adds up 500 packets of 60 bytes" sh -c "$evgpu run --tiles model --route-count 1000 \
        --service ipv4,kernel=program,check=processed,capture=$work/five.pcap --program $work/event_count | grep -x '30000 bytes'"
    # A completion pointer that is misaligned, in front of the queue, behind it, in another NIC's: the
    # program's device is told of three events of four, and nobody else of anything.
    for wrong in 2 -8 12 16777216; do
        wrong_pointer() {
            "$evgpu" run --tiles lockstep --json "$work/pointer.json" \
                --service "ipv4,route-count=1000,kernel=program,check=processed,capture=$work/five.pcap" --service memc,packets=96 \
                --program "$work/event_count $wrong" >"$work/pointer.out" 2>&1
            [ $? -ne 0 ] && grep -q 'completion pointer 0x[0-9a-f]* of an event of row [0-9]* lies outside its completion queue' \
                "$work/pointer.out" && [ "$(grep -c '^Verdict  *verified' "$work/pointer.out")" -eq 1 ] &&
                has pointer '"completion_pointers_rejected": 1,'
        }
        check "... with a completion pointer wrong by $wrong bytes: counted, not written, memc is right" wrong_pointer
    done
else
    skip "nvcc of a program with an event kernel: clang++-14 and the toolkit are needed"
fi
finish
