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
check "... end verified" grep -q '^VERIFIED: .* packets and .* packets and .* packets and the matrix' "$work/table"
check "... each with a verdict" sh -c "test \$(grep -c '^Verdict  *verified' $work/table) -eq 4"
for guest in ipv4 ipv4-2 ipv4-3 matrixMul; do
    check "... and a section $guest" has three "\"$guest\": {"
done
check "a second run" run again $three --background 64
check "... gives the same statistics" cmp "$work/three.json" "$work/again.json"
check "lockstep tiles" run lockstep $three --background 64 --tiles lockstep
check "... give the same statistics" cmp "$work/three.json" "$work/lockstep.json"
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
check "a kernel that no program brings ends the run with a message" sh -c \
    "! $evgpu run --service ipv4,packets=10,kernel=program >$work/message && \
    grep -q '^NOT VERIFIED: hang: .*ipv4: NIC waits for a program to bind an event kernel' $work/message"
check "too many services" sh -c "! $evgpu run \$(yes -- '--service ipv4,packets=1' | head -13 | tr '\n' ' ') 2>$work/message &&
    grep -q 'more than 12 services' $work/message"
finish
