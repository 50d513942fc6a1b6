# evgpu bench and `make bench-compare`: jobs, records, what counts as slower.
. tests/e2e/lib.sh.inc
compare="python3 -B tests/bench/compare.py"

"$evgpu" bench --list >"$work/jobs"
check "bench --list: names of jobs, one to a line" grep -qx 'matmul 512' "$work/jobs"
check "bench --only: none of this name" fails_with 2 "no job has this in its name; \`evgpu bench --list\` prints" \
    "$evgpu" bench --list --only matmul9
check "bench --job: a part of a name" fails_with 2 "--job matmul: no job has this name; \`evgpu bench --list\` prints" \
    "$evgpu" bench --list --job matmul

check "bench --repeat: none" fails_with 2 "--repeat: must be 1 to 100" "$evgpu" bench --list --repeat 0
job() { # job NAME FILTER: of the record of a job with this name
    "$evgpu" bench --job "$1" --repeat 2 --json "$work/job.json" && jq -e "$2" "$work/job.json"
}
check "bench: a job, with and without the RTL" job lud \
    '[.jobs[].tiles] == ["verilator", "model"] and .jobs[0].cycles == .jobs[1].cycles and .jobs[0].repeats == 2'
instructions=$(jq '.jobs[0].warp_instructions' "$work/job.json")
check "... median between least and most" jq -e \
    '.jobs | all(.wall_least_s <= .wall_s and .wall_s <= .wall_most_s and .user_s > 0)' "$work/job.json"
check "... what a cycle costs" jq -e '.costs[0].of == "cycle with little work" and
    (.costs[0].ns - .jobs[1].wall_s * 1e9 / .jobs[1].cycles | fabs) < 1e-3' "$work/job.json"
check "bench: on two threads the same" job "lud, 2 threads" \
    ".jobs[0] | .threads == 2 and .warp_instructions == $instructions"
check "bench: not timed, as many instructions" job "lud, not timed" \
    ".jobs[0] | (.timed | not) and .warp_instructions == $instructions"
# 399 doorbells of 12800 packets, 25 of 800.
"$evgpu" bench --only "events alone" --repeat 1 --json "$work/events.json" >/dev/null
check "bench: an event without the start of its job" jq -e '(.jobs | map(select(.tiles == "model"))) as $j |
    .costs | map(.size) == ["12800", "51200"] and
    (.[0].ns / ($j[0].wall_s - $j[1].wall_s) - 1e9 / (399 - 25) | fabs) < 1' "$work/events.json"

check "bench --threads-model" "$evgpu" bench --threads-model --only 'matmul 128' --json "$work/threads.json"
check "... expects a speed-up of 5 numbers of threads" \
    jq -e '.jobs | length == 1 and (.[0].expected | length == 5 and all(. > 0)) and .[0].cores_share > 0' "$work/threads.json"

# Decisions, from times that are made up: (base, ours) of each pair, and of those that have to confirm it.
check "bench-compare: what counts as slower and as faster" python3 -B - <<'END'
import sys
sys.path.insert(0, 'tests/bench')
import compare

RESULT = [('job', 'model', 100, 10, 0)]

def verdict(pairs, times, least=0.01, result=RESULT):
    """The verdict, the note and the pairs taken."""
    rest = {0: [ours for _, ours in times], 1: [base for base, _ in times]}
    order = []
    def measure(side):
        order.append(side)
        return rest[side].pop(0), result if side else RESULT
    job = compare.Job('job', [None, None], '')
    job.sample = measure
    return compare.compare(job, pairs, least), job.note, len(job.ours), order

assert verdict(3, [(1, 1.1), (1, 1.05), (1, 1.02)] * 2)[0] == 1
assert verdict(3, [(1, 0.9), (1, 0.95), (1, 0.98)] * 2)[0] == -1
assert verdict(3, [(1, 1.1)] * 3 + [(1, 1.1)] * 2 + [(1, 0.99)])[::2] == (0, 6), 'not confirmed'
assert verdict(3, [(1, 1.5), (1, 1.5), (1, 0.99)])[::2] == (0, 3), 'within the spread'
assert verdict(3, [(1, 1.005)] * 3)[0] == 0, 'below the least'
assert verdict(3, [(1, 1.005)] * 6, 0.001)[0] == 1
assert verdict(3, [(1, 1), (2, 2), (4, 4)])[0] == 0, 'a machine that slows down meets both'
assert verdict(2, [(1, 1)] * 2)[3] == [0, 1, 1, 0], 'in turn'
assert 'other cycles' in verdict(1, [(1, 1)], result=[('job', 'model', 101, 10, 0)])[1]
END

other=$work/other # a base that has the same jobs but one
mkdir -p "$other/build"
cat >"$other/build/evgpu" <<END
#!/bin/sh
case "\$*" in *sssp*) echo "evgpu: --job sssp: no job has this name" >&2; exit 2 ;; esac
cd "$PWD" && exec "$(realpath "$evgpu")" "\$@"
END
chmod +x "$other/build/evgpu"
run_compare() { # run_compare STATUS OPTION...
    want=$1
    shift
    $compare "$build" "$@" >"$work/table" 2>&1
    got=$?
    cat "$work/table"
    [ "$got" -eq "$want" ]
}
check "bench-compare: the same against the same" run_compare 0 "$other" --only "BFS 1024" --only "sssp, not" --pairs 3 --least 900
check "... a line for the job" grep -Eq '^BFS 1024 +[0-9.]+ +[0-9.]+ s .* 3  same$' "$work/table"
check "... one that the base lacks is said" grep -q '^sssp, not timed *only here$' "$work/table"
check "... and the verdict" grep -Eq "^NOT SLOWER than $other: 0 of 1 jobs slower, 0 faster; widest spread" "$work/table"
check "bench-compare: too few pairs" run_compare 2 "$other" --pairs 2
check "bench-compare: without a base" run_compare 2 ""
check "... says what to do" grep -qx 'bench-compare: say which commit to compare with: make bench-compare BASE=commit' "$work/table"
check "bench-compare: a base that is no commit" run_compare 2 no-such-commit
check "... is named" grep -q no-such-commit "$work/table"
finish
