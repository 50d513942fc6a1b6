# Programs that speak the protocol without the library: numbers without bound, halves of requests,
# replies that nobody takes. The machine answers or goes on waiting, with a word about whom it waits for,
# and hears signals meanwhile; a service beside it is right. Needs gcc.
. tests/e2e/lib.sh.inc

libs=$(cd "$build/lib" && pwd)
compile() { ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I. "$@"; }
check "raw: built by gcc" compile tests/cuda/api/raw.c sw/cuda/socket.c -o "$work/raw"
check "raw: ... the other program, too" compile tests/cuda/api/sizes.c -o "$work/sizes" -L"$libs" -lcudart -lcuda -lpthread \
    "-Wl,-rpath,$libs"
run() { # run OPTION...
    limited "$evgpu" run --config gtx580.ini --tiles model --set gpu.memory_mib=256 "$@" </dev/null
}
service="--service ipv4,packets=200,route-count=1000"
check "raw: numbers without bound are answered" run --program "$work/raw numbers"
check "raw: ... with the checks" run --program "$work/raw numbers" --check all
# shellcheck disable=SC2086 # two words
check "raw: ... and beside a service" run --program "$work/raw numbers" $service
check "raw: sizes of the library" run --program "$work/sizes"
says_why() { # the lines of the program and of the library
    run --program "$work/sizes" >"$work/text" 2>&1
    grep -q 'copy: source: 2305843009213693952 bytes at 0x[0-9a-f]* are not all memory of this process' "$work/text"
}
check "raw: ... with the reason" says_why

signalled() { # signalled WHAT: the run ends by SIGTERM, and leaves its statistics
    rm -f "$work/run.json" "$work/text"
    "$evgpu" run --config gtx580.ini --tiles model --set gpu.memory_mib=256 --json "$work/run.json" \
        --program "$work/raw $1" >"$work/text" 2>"$work/errors" </dev/null &
    command=$!
    until_true grep -q READY "$work/text" && kill -TERM "$command"
    await "$command"
    [ $? -ne 0 ] && grep -q '"end": "stopped"' "$work/run.json" || { cat "$work/text" "$work/errors"; return 1; }
}
for what in part payload deaf silent; do
    check "raw: signals are heard, $what" signalled "$what"
done

# A program that says nothing is waited for, with a word; what it does then is as if it had said it at once.
mkfifo "$work/gate"
waited_for() {
    run --json "$work/late.json" --program "sh -c 'read -r line <$work/gate; exec $work/sizes'" \
        >"$work/text" 2>"$work/errors" &
    command=$!
    until_true grep -q 'waiting for the program sh since [0-9]* s: it has not called the library yet; simulated time stands still' \
        "$work/errors"
    echo go >"$work/gate"
    await "$command"
}
check "raw: a program that says nothing is waited for with a word" waited_for
at_once() {
    run --json "$work/soon.json" --program "sh -c 'exec $work/sizes'" && same_figures "$work/soon.json" "$work/late.json"
}
check "raw: ... and nothing depends on it" at_once
finish
