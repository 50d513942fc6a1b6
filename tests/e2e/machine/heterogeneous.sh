# CPU cores and GPU programs on one machine: the same statistics on every back end, each alone,
# warm-up before the GPU starts, quotas, repetition, Ctrl-C, bad input.
. tests/e2e/lib.sh.inc

run() { # run NAME OPTION...: statistics in NAME.json
    name=$1
    shift
    "$evgpu" run --config cm-bal.ini --no-profile --json "$work/$name.json" "$@"
}
shows() { # shows NAME PATTERN: the statistics hold it, on one line
    tr -d ' \n' <"$work/$1.json" | grep -Eq -- "$2"
}
number() { # number NAME KEY: of what was measured of the first program
    tr -d ' \n' <"$work/$1.json" | sed 's/.*"programs":\[//' | grep -oE "\"$2\":[0-9.]+" | head -n 1 | cut -d: -f2
}

same_but_steps() { # of regions' tiles
    figures "$work/$1.json" | sed /tile_steps/d >"$work/a"
    figures "$work/$2.json" | sed /tile_steps/d >"$work/b"
    cmp "$work/a" "$work/b"
}
both="--cpus H1 --cpu-warmup 1000 --cpu-quota 2000 --gpu-quota 300000 --concurrency cm-bal1"
bfs="$build/apps/bfs"
check "CPU cores and a GPU program" run first $both --program "$bfs"
check "... once more" run second $both --program "$bfs"
check "... with the same statistics" same_figures "$work/first.json" "$work/second.json"
for tiles in model lockstep; do
    check "... on $tiles tiles" run $tiles $both --program "$bfs" --tiles $tiles
    check "... with the same statistics" same_but_steps first $tiles
done

# What every core executed before the measurement is the warm-up at least, and its quota is measured.
warm() {
    tr -d ' \n' <"$work/first.json" |
        grep -oE '"instructions":[0-9]+,"cycles":[0-9]+,"ipc":[0-9.]+,"measured_instructions":[0-9]+' |
        tr ':,' '  ' | awk '{
            n++
            if ($2 - $8 < 1000 || $8 < 2000 || $8 > 2010)
                bad = 1
        } END { exit bad || n != 14 }'
}
check "all 14 cores are warm first, then measured" warm
check "the program is measured up to its quota" shows first '"completed":false,"completions":0'
check "... which it has reached" sh -c "test $(number first thread_instructions) -ge 300000"

check "CPU cores without a GPU program" run cpus --cpus 'mcf,gcc*2' --cpu-warmup 1000 --cpu-quota 5000
check "... three of them" shows cpus '"used_cores":3'
check "... and nothing on the GPU" shows cpus '"programs":\[\]'
check "a GPU program by its name, without CPU cores" run gpu --program bfs --gpu-quota 0 --concurrency cm-cpu
check "... is measured to its end" shows gpu '"completed":true,"completions":1'

add="$build/apps/vectorAdd"
check "a short program repeats beside CPU cores" run repeat --cpus soplex --cpu-warmup 1000 \
    --cpu-quota 30000 --gpu-quota 0 --program "$add"
check "... some times" sh -c "test $(number repeat completions) -ge 3"
check "... and prints once" sh -c "test \"\$(grep -c '^vectorAdd: right' '$work/out')\" -le 1"
check "two programs, of which one repeats" run two --gpu-quota 0 --program "$add" --program "$bfs"
check "... some times" sh -c "test $(number two completions) -ge 2"

printf 'int main(void) { return 3; }\n' >"$work/three.c"
gcc -o "$work/three" "$work/three.c"
check "a program that fails ends the run" sh -c "
    '$evgpu' run --config cm-bal.ini --no-profile --cpus gcc --cpu-warmup 100 --cpu-quota 1000000 \
        --program '$work/three' >'$work/text' 2>&1; test \$? -eq 3 &&
    grep -q 'the program ended with status 3' '$work/text'"

# Ctrl-C: statistics are written all the same.
stop() {
    "$evgpu" run --config cm-bal.ini --no-profile --cpus H2 --scale paper --program "$bfs" \
        --concurrency cm-bal2 --json "$work/stopped.json" >"$work/text" 2>&1 &
    child=$!
    interrupt 1 $child
    await $child
    test $? -eq 1 && grep -q 'NOT VERIFIED: stopped at cycle' "$work/text" && shows stopped '"end":"stopped"'
}
check "Ctrl-C ends a run of both in order" stop

check "quotas of a scale" sh -c "'$evgpu' run --help | grep -q 'small'"
refused() { # refused NAME TEXT OPTION...
    name=$1
    text=$2
    shift 2
    check "$name" fails_with 2 "$text" "$evgpu" run --config cm-bal.ini "$@"
}
refused "an unknown scale" "must be small or paper" --cpus H1 --scale large
refused "no quota" "--cpu-quota: must be 1 or more" --cpus H1 --cpu-quota 0
refused "an unknown mix" "'H9' is neither a file nor an application" --cpus H9
refused "more programs than cores" "names more programs than the machine has CPU cores, 14" --cpus 'gcc*15'
refused "an unknown policy" "--concurrency nix: must be off" --cpus H1 --concurrency nix
refused "no memory controller" "l2.partitions: 0 is out of range" --cpus H1 --set l2.partitions=0
refused "a placement without places" "marks 2 nodes 'G'" --cpus H1 --set network.placement=GG
refused "more SIMT cores than places" "60 SIMT cores (2 to a node) need 30" --cpus H1 --set gpu.cores=60
refused "more CPU cores than places" "30 CPU cores (1 to a node) need 30" --cpus H1 --set cpu_core.count=30
check "a machine without CPU cores" fails_with 2 "has no CPU cores" "$evgpu" run --config gtx480.ini --cpus H1
head -c 1000 /dev/zero >"$work/short.trace"
printf 'nothing of the kind' | gzip | head -c 20 >"$work/bad.gz"
for trace in short.trace bad.gz; do
    check "a truncated trace, $trace" sh -c "
        '$evgpu' run --config cm-bal.ini --cpus 'champsim:$work/$trace' >'$work/text' 2>&1; test \$? -eq 1 &&
        grep -q 'NOT VERIFIED: .*$trace' '$work/text'"
done

check "the workloads are those that the seed draws" sh -c \
    "awk -v seed=2014 -f experiments/cm/cm-draw.awk | cmp - experiments/cm/cm-workloads.inc"
check "... 36, each GPU type twice beside each mix" sh -c "
    test \$(grep -c '|' experiments/cm/cm-workloads.inc) -eq 36 &&
    test \$(sed -n 's/^\([HML]\)-.,. = \(..\) .*/\1 \2/p' experiments/cm/cm-workloads.inc |
        sort | uniq -c | awk '\$1 == 2' | wc -l) -eq 18"
finish
