# A program's context dies with its process, however that ends and whatever is under way: nothing of it
# holds the run or a service beside it, the status is the program's, and its memory goes back. Needs gcc.
. tests/e2e/lib.sh.inc

libs=$(cd "$build/lib" && pwd)
program=$work/exits
check "exits: built by gcc" ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I. tests/cuda/api/exits.c \
    -o "$program" -L"$libs" -lcudart -lcuda -lpthread "-Wl,-rpath,$libs"

# What outlives its parent has the script's mark, and is ended with it.
end_children() {
    for child in $(env -u EVGPU_TEST_MARK grep -lszxF "EVGPU_TEST_MARK=$work" /proc/[0-9]*/environ | cut -d/ -f3); do
        [ "$child" = $$ ] || kill -KILL "$child" 2>/dev/null
    done
    rm -rf "$work"
}
trap end_children EXIT

status_of() { # status_of HOW
    case $1 in
    status) echo 7 ;;
    abort) echo 134 ;;
    kill) echo 137 ;;
    crash) echo 139 ;;
    *) echo 0 ;;
    esac
}
run() { # run STATUS OPTION...
    want=$1
    shift
    limited "$evgpu" run --config gtx580.ini --set gpu.memory_mib=512 --tiles model --json "$work/run.json" "$@" \
        >"$work/table" 2>"$work/errors" </dev/null
    got=$?
    [ "$got" -eq "$want" ] && return
    echo "status $got instead of $want: $*"
    tail -n 3 "$work/table" "$work/errors"
    return 1
}
ends() { # ends OPTION...: each of $whats in each of $hows
    for what in $whats; do
        for how in $hows; do
            run "$(status_of "$how")" "$@" --program "$program $what $how" || return 1
            [ $# -eq 0 ] || grep -q '^Verdict  *verified: [0-9]* packets equal' "$work/table" ||
                { grep Verdict "$work/table"; return 1; }
        done
    done
}
every_end="return exit status _exit abort kill crash waiter thread exec same child raw noise part"
for whats in idle kernel queued copies function inside events words; do
    hows=$every_end
    check "exits: with $whats, in every way" ends
done
service="--service ipv4,packets=200,route-count=1000"
# shellcheck disable=SC2086 # two words
for whats in queued function; do
    hows=$every_end
    check "exits: the same with $whats, beside a service" ends $service
done
whats="idle kernel copies inside events words" hows="return kill exec"
# shellcheck disable=SC2086
check "exits: ... and the rest, in three ways" ends $service

# The simulator of a program that was started by itself ends with it.
by_itself() {
    for what in kernel copies function events; do
        for how in return status kill exec raw; do
            EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --set gpu.memory_mib=512 --no-profile' \
                limited sh -c "'$program' $what $how >$work/text 2>&1; exit \$?"
            got=$?
            [ "$got" -eq "$(status_of $how)" ] || { echo "$what $how: $got"; cat "$work/text"; return 1; }
        done
    done
}
check "exits: a program started by itself" by_itself
# A channel's list is not read while a thread that ends takes its own channel out of it.
check "exits: ... while its other thread ends" limited env MALLOC_PERTURB_=170 EVGPU_CONFIG=gtx480.ini \
    EVGPU_FLAGS='--tiles model --set gpu.memory_mib=512 --no-profile' "$program" function late
# A signal ends it when its simulator has written what it has found.
signalled() { # signalled SIGNAL STATUS
    rm -f "$work/signalled.json" "$work/text"
    env --default-signal="$1" EVGPU_CONFIG=gtx480.ini \
        EVGPU_FLAGS="--tiles model --set gpu.memory_mib=512 --profile --json $work/signalled.json" \
        "$program" kernel sleep >"$work/text" 2>"$work/errors" &
    process=$!
    until_true grep -q SLEEPS "$work/text" && kill -"$1" "$process"
    await "$process"
    got=$?
    [ "$got" -eq "$2" ] && grep -q "killed by signal $(($2 - 128)) " "$work/signalled.json" &&
        grep -q '^Where the time went' "$work/errors" || { echo "status $got"; cat "$work/errors"; return 1; }
}
check "exits: a program started by itself leaves its statistics, SIGTERM" signalled TERM 143
check "... SIGINT" signalled INT 130
check "... SIGHUP" signalled HUP 129
simulator_left() {
    env -u EVGPU_TEST_MARK grep -lszxF "EVGPU_TEST_MARK=$work" /proc/[0-9]*/environ | while IFS=/ read -r _ _ process _; do
        tr '\0' ' ' <"/proc/$process/cmdline" | grep -q -e --attach && echo "$process"
    done | grep -q .
}
no_simulator_left() { ! simulator_left; }
check "... leaves no simulator behind" until_true no_simulator_left

# When the machine has ended, nobody kills a program whose threads in the library have ended, and which goes on.
libs_of="-L$libs -lcudart -lpthread -Wl,-rpath,$libs"
# shellcheck disable=SC2086
after_the_machine() {
    ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -Isw/cuda/include tests/cuda/api/worker.c -o "$work/worker" \
        $libs_of && run 3 --max-cycles 200000 --program "$work/worker" &&
        grep -q 'cycle limit of 200000 reached' "$work/table" && jq -e '.guests.worker.status == 3' "$work/run.json"
}
check "exits: after the machine's end" after_the_machine

# One process after the other in one program: each has a context of its own.
check "exits: a kernel of a process that has ended holds no other" run 0 \
    --program "sh -c '$program kernel return && $program queued exit && $program idle return'"
check "... nor one of a process that was killed" run 0 \
    --program "sh -c '$program kernel kill; $program idle return'"
check "... nor its memory: three times two fifths of it" run 0 \
    --program "sh -c '$program room return && $program room kill; $program room return'"
# What a killed shell has started goes on without it, but not on the GPU.
check "exits: a shell that is killed, with what it has started" run 137 --program "$program kernel parent; true"
check "... and says so" grep -q "^NOT VERIFIED: exits: the program was killed by signal 9" "$work/table"
# shellcheck disable=SC2086
check "... beside a service, which goes on" run 137 $service --program "$program kernel parent; true"
check "... to its end" grep -q '^Verdict  *verified: [0-9]* packets equal' "$work/table"
# shellcheck disable=SC2086
check "exits: repeated beside a service" run 0 $service --program "$program queued return" --repeat=3
check "... started so often" grep -q 'repeated  *[2-9][0-9]* times' "$work/table"
equal() {
    # shellcheck disable=SC2086
    for turn in 1 2; do
        run 0 $service --program "$program queued return" --program "$program copies _exit" && cp "$work/run.json" "$work/$turn.json" ||
            return 1
    done
    same_figures "$work/1.json" "$work/2.json"
}
check "exits: equal runs give equal statistics" equal
finish
