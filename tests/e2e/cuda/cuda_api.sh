# The client library (sw/cuda) from C: every group of calls, programs that go wrong, several programs
# and threads, and that nothing is left behind. Needs gcc alone.
. tests/e2e/lib.sh.inc

libs=$(cd "$build/lib" && pwd)
export EVGPU_CONFIG=gtx480.ini EVGPU_FLAGS='--tiles model --set gpu.memory_mib=256'
build_one() {
    ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I. "tests/cuda/api/$1.c" -o "$work/$1" \
        -L"$libs" -lcudart -lcuda -lpthread -ldl "-Wl,-rpath,$libs"
}
for each in memory registered handles streams launches driver libraries pools mappings processes shared_pools mixed names graphs graph_order graph_events driver_graphs values reasons long clocks polls failures; do
    check "$each is built by gcc" build_one "$each"
done
for each in memory registered handles streams launches driver libraries pools mappings mixed names graphs graph_order graph_events driver_graphs values; do
    check "$each, by itself" limited "$work/$each"
done
drawn() { # a graph with one node, in which another one has five nodes and four dependences
    limited "$work/graphs" "$work/graph.dot" && dot -Tplain "$work/graph.dot" >"$work/graph.txt" &&
        [ "$(grep -c '^node' "$work/graph.txt")" -eq 6 ] && [ "$(grep -c '^edge' "$work/graph.txt")" -eq 4 ]
}
if command -v dot >/dev/null; then
    check "a graph for Graphviz" drawn
else
    skip "a graph for Graphviz: dot is not installed"
fi
guests() { # guests OPTION...: on a small machine
    limited "$evgpu" run --config gtx480.ini --tiles model --set gpu.memory_mib=256 "$@"
}
check "clocks of the C library, bulk copies" limited env EVGPU_CLOCK=simulated "$work/clocks"
# These are the toolkit's, which a program is linked with, and found where the command looks for libraries.
home=$("$evgpu" cuda-home)
build_with() { # build_with NAME LIBRARY...
    name=$1
    shift
    ${CC:-gcc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I. -I"$home/include" "tests/cuda/api/$name.c" -o "$work/$name" -L"$home/lib64" "$@"
}
# Memory by handle in the other modes, two programs in the same addresses, and stores that it refuses.
check "mappings without time, with checks" limited env EVGPU_TIMING=none EVGPU_FLAGS="$EVGPU_FLAGS --check all" "$work/mappings"
check "mappings of two programs" guests --program "$work/mappings aliases" --program "$work/mappings aliases"
intruded() {
    guests --program "$work/mappings owns $work/where" --program "$work/mappings intrudes $work/where" >"$work/said" 2>&1
    [ $? -eq 1 ] && grep -q '^Verdict .*is in the memory of program mappings, which program mappings-2 may not access: 0 bytes inside 2097152 bytes' "$work/said" ||
        { cat "$work/said"; return 1; }
}
check "... are closed to each other" intruded
refuses() { # refuses WHERE TEXT: the store fails, with a line that says why
    limited "$work/mappings" "$1" 2>"$work/said" && grep -q "kernel fill, PTX line [0-9]*: store of 4 bytes at address 0x[0-9a-f]* is in $2" "$work/said" ||
        { cat "$work/said"; return 1; }
}
check "a store to addresses without memory" refuses reserved "reserved addresses to which nothing is mapped (cuMemMap): "
check "... to memory without access" refuses closed "mapped memory without access (cuMemSetAccess grants it): "
check "... to memory that was unmapped" refuses gone "freed memory: 0 bytes inside freed 2097152 bytes at .*(mapped memory, "
# Two processes of one program share memory and events; where each has a simulator, they do not.
check "processes share memory and events" guests --program "$work/processes"
check "... without time" guests --timing none --program "$work/processes"
check "processes share memory pools" guests --timing none --program "$work/shared_pools"
apart() {
    limited "$work/processes" apart 2>"$work/said" && grep -q '^evgpu: the handle is of a process with another simulator; ' "$work/said" ||
        { cat "$work/said"; return 1; }
}
check "... but not with a simulator each" apart
check "... nor memory pools" limited "$work/shared_pools" apart
check "nvml is built by gcc" build_with nvml -lnvidia-ml -lcudart
check "nvjitlink is built by gcc" build_with nvjitlink -lnvJitLink -lcuda
check "nvptxcompiler is built by gcc" build_with nvptxcompiler -lnvptxcompiler_static -lcuda
check "demangle is built by gcc" build_with demangle -lcufilt -lstdc++
check "demangle" limited "$work/demangle"
for each in nvml nvjitlink nvptxcompiler; do
    check "$each, by itself" limited env LD_LIBRARY_PATH="$home/lib64" "$work/$each"
    check "$each, under the command" guests --program "$work/$each"
done
says_why() { # after each "= TEXT", one line with that text
    limited env EVGPU_FLAGS="$EVGPU_FLAGS --no-profile" "$work/reasons" 2>"$work/said" || { cat "$work/said"; return 1; }
    grep -v '^evgpu: cycle ' "$work/said" | awk '/^= / { if (want != "") bad("nothing"); want = substr($0, 3); next }
        want == "" || !index($0, want) || !/^evgpu: / { bad($0) }
        { want = "" }
        function bad(got) { print "not \"" want "\": " got; wrong = 1 }
        END { exit wrong || want != "nothing" }'
}
check "each failing call says why, once" says_why
check "calls beside threads that poll" limited "$work/polls"
check "streams, under the command" guests --program "$work/streams"

# A long run says how far it is, on a terminal and elsewhere.
progress="cycle [0-9]+, [0-9]+ kcycle/s, kernel wait [0-9]+ %, [0-9]+ s left"
check "progress of a program started by itself" limited python3 tests/e2e/cuda/progress.py "evgpu: $progress" "$work/long"
check "progress under the command" limited python3 tests/e2e/cuda/progress.py "run: $progress" \
    "$evgpu" run --config gtx480.ini --tiles model --set gpu.memory_mib=256 --program "$work/long"
in_a_file() {
    "$work/long" 2>"$work/progress" &
    process=$!
    until_true grep -qE "^evgpu: $progress\$" "$work/progress" && kill -TERM "$process"
    await "$process"
    [ $? -eq 143 ]
}
check "... into a file" in_a_file

# What a program sees when it goes wrong.
for way in address misaligned trap leak forked threads spin; do
    check "failure: $way" limited "$work/failures" $way
done
endless() { # endless HOW STATUS: waits for values that nobody can write
    limited "$work/values" "$1" 2>"$work/said"
    got=$?
    grep -qE '^evgpu: [a-z]+: deadlock: stream [0-9]+ waits for \*0x[0-9a-f]+ == 0x6 \(32 bits, now 0x0\)' "$work/said" && [ "$got" -eq "$2" ] ||
        { cat "$work/said"; echo "status $got instead of $2"; return 1; }
}
check "values: a wait without an end" endless never 3
check "... waits in a circle" endless circle 3
check "... beside a thread that sleeps for ever" endless thread 143
ends_with() { # ends_with STATUS COMMAND...
    want=$1
    shift
    "$@"
    got=$?
    [ "$got" -eq "$want" ] || { echo "status $got instead of $want"; return 1; }
}
check "a program that crashes" ends_with 139 limited sh -c "'$work/failures' crash; exit \$?"
check "... ends the run with its status" ends_with 139 guests --program "$work/failures crash"
check "a program that is killed" ends_with 137 guests --program "$work/failures killed"
check "a program that fails" ends_with 7 guests --program "$work/failures status"
mkdir "$work/folder" && touch "$work/text"
for command in "/nonexistent: No such file or directory" "nosuch -x: no such command in PATH, nor among evgpu's applications" \
    "$work/folder: Is a directory" "$work/text: Permission denied" "$work/nosuch 'a b': No such file or directory"; do
    check "a program that is not there: ${command#"$work/"}" fails_with 2 "--program ${command%%[ :]*}: ${command#*: }" \
        "$evgpu" run --config nowhere.ini --program "${command%%: *}"
done
check "... which only a shell knows" ends_with 127 guests --program "nosuch 'a b'"
names_line() {
    limited "$work/failures" address 2>&1 | grep -q 'kernel store, PTX line [0-9]*: store of 4 bytes at address 0x1234'
}
check "the failure names kernel, line and address" names_line
deadlock() { # the simulator, which outlives the program, says why it has ended it
    ends_with 143 limited "$work/failures" deadlock >"$work/text" 2>&1 &&
        until_true grep -q 'wait for each other' "$work/text"
}
check "a deadlock between host threads" deadlock
deadlock_under_command() {
    guests --program "$work/failures deadlock" >"$work/text" 2>&1
    [ $? -eq 143 ] && grep -q "NOT VERIFIED.*wait for each other" "$work/text" || { cat "$work/text"; return 1; }
}
check "... under the command" deadlock_under_command
leaked() {
    guests --program "$work/failures leak" --json "$work/leak.json" && grep -q '"leaked_bytes": 65536' "$work/leak.json"
}
check "what is not freed is reported" leaked
killed_in_kernel() { # nobody waits for the kernel any more: the simulator ends too
    "$work/failures" endless >"$work/text" &
    program=$!
    until_true grep -q 'the kernel runs' "$work/text"
    kill -KILL "$program"
    await "$program"
    [ $? -eq 137 ] && until_true none_left
}
check "a program that is killed while its kernel runs without end" killed_in_kernel
lost_simulator() { # the simulator is the parent only when the program is its child
    guests --program "$work/failures lost" >"$work/text" 2>&1
    until_true none_left
    grep -q 'the simulator has ended' "$work/text" && ! grep -q failures.c "$work/text"
}
check "a simulator that ends" lost_simulator

# Several at once.
check "two programs share the GPU" guests --program "$work/streams" --program "$work/memory"
check "a program beside a service" guests --program "$build/apps/vectorAdd 3000" --service ipv4,packets=200
same() {
    guests --program "$work/streams" --json "$work/one.json" >/dev/null &&
        guests --program "$work/streams" --json "$work/two.json" >/dev/null &&
        same_figures "$work/one.json" "$work/two.json"
}
check "equal runs give equal figures" same
at_once() {
    (cd "$work" && "$work/launches" & first=$!; "$work/memory"; second=$?; wait $first && [ $second -eq 0 ])
}
check "two runs in one folder" at_once

# The library finds its simulator, or says why not.
unknown_config() {
    EVGPU_CONFIG=nowhere.ini "$work/driver" >"$work/text" 2>&1 && return 1
    grep -q 'nowhere.ini' "$work/text"
}
check "a machine that does not exist" unknown_config
no_simulator() {
    EVGPU=/nonexistent "$work/memory" >"$work/text" 2>&1 && return 1
    grep -q 'cannot start the simulator /nonexistent' "$work/text"
}
check "a simulator that does not exist" no_simulator
check "nothing is left behind" until_true none_left

# The apps.
check "vectorAdd" "$build/apps/vectorAdd" 10000
check "matrixMul" "$build/apps/matrixMul" 64
bad_argument() { "$build/apps/matrixMul" x >"$work/text" 2>&1; [ $? -eq 2 ]; }
check "a wrong argument of an app" bad_argument
finish
