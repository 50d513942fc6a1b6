# Deadlocks that only the mechanisms together make (docs/papers/together.md): words with full/empty bits
# beside events and beside warp limits. Each is impossible, or ends with a message that names who waits for
# whom, and other guests go on.
. tests/e2e/lib.sh.inc

if ! command -v clang++-14 >/dev/null; then
    skip "deadlocks: clang++-14 is needed"
    finish
fi
home=$("$evgpu" cuda-home)
for name in event_deadlock behind_limit; do
    check "deadlocks: $name is built" "$home/bin/nvcc" -lineinfo -o "$work/$name" "tests/cuda/region/$name.cu" -lcuda
done
region="--set fe.region_kib=64 --set fe.timeout_us=300"

# An event that waits; memc is beside it.
event() { # event HOW STATUS [OPTION...]
    how=$1
    want=$2
    shift 2
    limited "$evgpu" run $region --service ipv4,route-count=1000,kernel=program,check=processed,packets=32 \
        --service memc,packets=64 --program "$work/event_deadlock $how" "$@" >"$work/table" 2>"$work/errors"
    got=$?
    [ "$got" -eq "$want" ] || { echo "status $got instead of $want"; tail -n 3 "$work/table" "$work/errors"; return 1; }
}
says() {
    grep -qE "full/empty time-out: kernel .*reader.*event_deadlock.cu:21\): core [0-9]+, an event, .*to be full for 300.0 us; candidates to fill it: $1" \
        "$work/errors" || { cat "$work/errors"; return 1; }
}
for tiles in model lockstep; do
    check "deadlocks: an event's words are written, $tiles" event works 0 --tiles "$tiles"
    check "deadlocks: an event waits for its victim, $tiles" event victim 1 --tiles "$tiles"
    check "... which the message names" says "1 warp under events, one of kernel _Z6writerPii"
    check "... and another service is verified" grep -q '^Verdict  *verified: 64 packets' "$work/table"
done
check "deadlocks: an event stands before its writer" event queue 1 --tiles model
check "... whom the message names" says "1 request behind it in its queue, one of kernel _Z6writerPii"
check "... and another service is verified" grep -q '^Verdict  *verified: 64 packets' "$work/table"

# Warps within a limit that wait for those beyond it.
limit() { # limit NAME OPTION...
    name=$1
    shift
    limited "$evgpu" run --config cm-bal.ini $region --program "$work/behind_limit" --json "$work/$name.json" "$@"
}
check "deadlocks: a fixed limit of 1" limit fixed --concurrency fixed:1 --tiles model
check "... in lockstep" limit lockstep --concurrency fixed:1 --tiles lockstep
check "... the same statistics" same_figures "$work/fixed.json" "$work/lockstep.json"
check "... on two threads" limit threads --concurrency fixed:1 --tiles model --threads 2
check "... the same statistics" same_figures "$work/fixed.json" "$work/threads.json"
check "deadlocks: a limit of the configuration" limit config --set core.warp_limit=2 --tiles model
finish
