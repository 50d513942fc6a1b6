# Programs that are repeated beside a service (evgpu run --repeat): EDGE's nine backgrounds in small sizes, with
# every repetition checked; a wrong one, whichever it is, turns the run red. BACKGROUNDS=full: the sizes of
# experiments/edge/edge-apps.inc on the whole machine, with a line for each.
. tests/e2e/lib.sh.inc

top=$PWD
case $build in /*) ;; *) build=$top/$build ;; esac
evgpu=$build/evgpu
service=ipv4,route-count=1000,batch=1,pace=pps:400000,arrivals=poisson
machine="--tiles model --no-profile --set gpu.cores=2 --set event.reserved_cores=1"

repeats() { # repeats SERVICE-SETTINGS OPTION... -- COMMAND
    settings=$1
    shift
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    limited "$evgpu" run $options --service "$service,$settings" --program "$*" --repeat \
        --json "$work/json" >"$work/said" 2>"$work/complained" || { cat "$work/complained" "$work/said"; return 1; }
    grep '^VERIFIED: ' "$work/said" &&
        grep -q "^VERIFIED: .*; $1 completed [1-9][0-9]* times with status 0; $1-2 completed [1-9]" "$work/said"
}

if [ "${BACKGROUNDS:-}" = full ]; then
    sed -n 's/^\([A-Z0-9]*\) = /\1 /p' experiments/edge/edge-apps.inc >"$work/list"
    while read -r name command; do
        check "$name" repeats packets=100,execute=no --no-profile -- $command
        sed -n 's/^VERIFIED: /    /p' "$work/said"
    done <"$work/list"
    finish
fi

while read -r command; do
    check "$command" repeats packets=40 $machine -- $command
done <<'END'
convColor --images=32 --image-side=9
convSparse --images=32 --image-side=4 --colours=4 --filters=16
matrixMul --rows=64 --quiet
backprop --nodes=512
bfs --nodes=2048
kmeans --points=1024 --features=4 --clusters=3 --rounds=2
lud --rows=64
srad --rows=64 --columns=64 --iterations=1
streamcluster --points=512 --chunk=512 --dimensions=4 --least=1 --most=2
END

# Repeated more than once, the same every time and on RTL as on its model; more processes at a time.
product="matrixMul --rows=32 --quiet"
several() { grep -q '"completed": [3-9]' "$work/json"; }
check "many repetitions" repeats packets=60 $machine -- $product
check "... are several" several
cp "$work/json" "$work/first"
check "... the same in lockstep" repeats packets=60 $machine --tiles lockstep -- $product
check "... to the bit" same_figures "$work/json" "$work/first"
check "three at a time" repeats packets=60 $machine --copies=3 -- $product
check "... are three guests" grep -q '"matrixMul-3": {' "$work/json"
check "without services, as often as said" sh -c "$evgpu run $machine --program '$product' --repeat=4 |
    grep -q '^VERIFIED: matrixMul completed 2 times with status 0; matrixMul-2 completed 2 times'"

# Events without execution: as many as packets, none of them with a result.
check "events that are not executed" repeats packets=50,execute=no $machine -- $product
check "... all came" grep -q '^VERIFIED: [45][0-9] events arrived and none was executed; ' "$work/said"
check "... and the figures count them" grep -q '"scheduling": {' "$work/json"

# Contexts of a block that goes on are not free: events wait longer for one.
wait_for() { # wait_for warp|block: mean cycles until an event has its context
    repeats packets=50,execute=no $machine --sched drain --set event.drain=core \
        --set event.free_context="$1" -- backprop --nodes=1024 >&2 &&
        python3 -c "import json; s = json.load(open('$work/json'))['guests']['ipv4']
print(s['latency_cycles']['scheduling']['mean'])"
}
longer() {
    warp=$(wait_for warp) && block=$(wait_for block) || return 1
    echo "$warp $block"
    awk "BEGIN { exit !($block > 1.5 * $warp) }"
}
check "a context is free with its block" longer

# An event that is a thread block takes the first place of any core; one that is bound to a core waits for that one.
drains() { # drains core|blocks: mean cycles
    repeats packets=150,execute=no --tiles model --no-profile --set gpu.cores=8 --sched drain --set event.drain="$1" -- \
        matrixMul --rows=192 --quiet >&2 && python3 -c "import json; s = json.load(open('$work/json'))['guests']['ipv4']
print(s['latency_cycles']['scheduling']['mean'])"
}
sooner() {
    core=$(drains core) && blocks=$(drains blocks) || return 1
    echo "$core $blocks"
    awk "BEGIN { exit !($core > 1.5 * $blocks) }"
}
check "a thread block starts sooner than a bound event" sooner

# A wrong repetition.
altered() {
    mkdir -p "$work/sw/apps/matrixMul" &&
        sed 's/fma.rn.f32/fma.rz.f32/' sw/apps/matrixMul/matmul.ptx >"$work/sw/apps/matrixMul/matmul.ptx" &&
        ln -s "$top/sw/services" "$work/sw/services" && cp config/base.ini config/edge.ini "$work" || return 1
    (cd "$work" && ! "$evgpu" run --config "$work/edge.ini" $machine --service "$service,packets=40" \
        --program "$build/apps/matrixMul --rows=40" --repeat) >"$work/said" 2>&1 &&
        grep -q '^NOT VERIFIED: matrixMul: the program ended with status 1' "$work/said"
}
check "a background with a wrong result turns the run red" altered
third() {
    cat >"$work/third" <<END
#!/bin/sh
$build/apps/matrixMul --rows=32 --quiet || exit 9
echo x >>$work/times
[ \$(wc -l <$work/times) -ne 3 ]
END
    chmod +x "$work/third"
    ! "$evgpu" run $machine --service "$service,packets=200" --program "$work/third" --repeat >"$work/said" 2>&1 &&
        grep -q '^NOT VERIFIED: third.*: the program ended with status 1 in a repetition' "$work/said" &&
        grep -q '^Verdict  *verified: .* packets equal their host references' "$work/said"
}
check "so does the third repetition alone; the service goes on" third

check "--repeat without a program" fails_with 2 "--repeat needs --program" "$evgpu" run --repeat
check "--copies without --repeat" fails_with 2 "--copies needs --repeat" "$evgpu" run --program true --copies=2
check "--repeat 0" fails_with 2 "--repeat: must be 1 or more" "$evgpu" run --program true --repeat=0
check "--repeat with a quota" fails_with 2 "--repeat: leave it out; beside CPU cores and with quotas" \
    "$evgpu" run --program true --repeat --gpu-quota 5
check "random times need a rate" fails_with 2 "arrivals=poisson: needs pace=pps:N" \
    "$evgpu" run --service ipv4,arrivals=poisson
check "no such arrivals" fails_with 2 "arrivals sometimes: must be even or poisson" \
    "$evgpu" run --service ipv4,arrivals=sometimes
check "no such execution" fails_with 2 "execute maybe: must be yes or no" "$evgpu" run --service ipv4,execute=maybe
finish
