# evgpu compare and evgpu stats: differences by size, thresholds, filters, exit status, CSV, bad files.
. tests/e2e/lib.sh.inc

small="--background 0 --packets 96 --route-count 1000 --tiles model --no-profile"
for victim in oldest newest; do
    # shellcheck disable=SC2086
    "$evgpu" run $small --policy $victim --json "$work/$victim.json" >/dev/null || echo "not ok a run"
done
a=$work/oldest.json
edit() { # edit FILTER: another file of the same run
    jq "$1" "$a" >"$work/b.json"
}
status() { # status NUMBER COMMAND...: with its output in $work/table
    want=$1
    shift
    "$@" >"$work/table" 2>"$work/message"
    got=$?
    [ "$got" -eq "$want" ] || { echo "status $got instead of $want"; cat "$work/table" "$work/message"; return 1; }
}
cmp_b() { # cmp_b STATUS OPTION...
    want=$1
    shift
    status "$want" "$evgpu" compare "$a" "$work/b.json" "$@"
}
prints() { grep -Eq -- "$1" "$work/table" || { cat "$work/table"; return 1; }; }
lacks() { ! grep -Eq -- "$1" "$work/table"; }


check "compare: two runs that differ in one key" status 1 "$evgpu" compare "$a" "$work/newest.json"
check "... says which" prints 'config.values.event.policy: oldest \| newest'
check "... names both command lines" sh -c "[ \"\$(grep -c '^   \\\$ .*evgpu run --background 0' '$work/table')\" -eq 2 ]"
check "... and the text that it changes" prints 'changed +oldest +newest +policy$'
check "... without which they are the same" status 0 "$evgpu" compare "$a" "$work/newest.json" --ignore policy
check "... as it says" prints '^SAME: 0 of [0-9]+ common fields'

# A file of somebody else, with an escape sequence in a name and in a text.
edit '.guests["a\u001b[2J"] = .guests.ipv4 | .guests.ipv4.verdict = "b\u007f\u009bc\\u001b\r"'
check "compare: control characters of a file" cmp_b 1 --field guests
check "... become question marks" prints 'b\?\?c\\u001b\? +.*verdict'
check "... also in names" prints 'guests\.a\?\[2J\.'
check "... and no other" lacks "$(printf '[\033\177]')"

# Ten more, a third more, one from 0, one text, one less and one more field.
edit '.gpu.cores.warp_instructions += 10 | .gpu.memory.reads = (.gpu.memory.reads * 4 / 3 | floor) | .gpu.events_aborted = 5 |
    .guests.ipv4.verdict = "else" | del(.gpu.tile_steps) | .gpu.more = 1'
check "compare: six differences" cmp_b 1
lines() { # lines N FIELD: the N-th difference is the field's
    [ "$(sed -n '/B - A/,$p' "$work/table" | sed -n "$(($1 + 1))p" | sed "s/ | .*//" | awk '{ print $NF }')" = "$2" ] ||
        { cat "$work/table"; return 1; }
}
check "... first what was 0 or is no number" lines 1 gpu.events_aborted
check "... by name" lines 2 guests.ipv4.verdict
check "... then by size" lines 3 gpu.memory.reads
check "... and smaller" lines 4 gpu.cores.warp_instructions
check "... then what one file has" lines 5 gpu.more
check "... or the other" lines 6 gpu.tile_steps
check "... with units" prints 'gpu.memory.reads \| requests$'
check "... with the difference" prints ' \+10  gpu.cores.warp_instructions'
check "... with the share" prints '\+33\.[0-9]+ % .*gpu.memory.reads'
check "... and what is not known" prints 'only in B.*gpu.more \| \?$'
check "... counted" prints '^DIFFERENT: 4 of [0-9]+ common fields differ by more than 0 %, 0 by less; 2 in one file only$'
check "compare: a threshold above one of them" cmp_b 1 --threshold 34%
check "... leaves the others" prints '^DIFFERENT: 2 of [0-9]+ common fields differ by more than 34 %, 2 by less; 2 '
check "compare: a threshold above all numbers of a section" cmp_b 0 --threshold 0.34 --field gpu.memory --field gpu.cores
check "... which are the same then" prints '^SAME: 0 of [0-9]+ common fields differ by more than 34 %, 2 by less; 0 '
check "compare: a pattern" cmp_b 1 --field '*.cores.warp_i*'
check "... takes nothing else" prints '^DIFFERENT: 1 of 1 common'
check "compare: a pattern to ignore" cmp_b 1 --ignore 'gpu*'
check "... leaves the other" prints '^DIFFERENT: 1 of'
check "compare: two lines" cmp_b 1 --lines 2
check "... and the number of the others" prints 'and 4 more'

# Elements of lists by name: in another order nothing has changed; figures of the computer do not count.
cat >"$work/make.py" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
about = dict(run["about"], kind="bench")
def job(name, tiles, cycles, wall):
    return {"name": name, "tiles": tiles, "cycles": cycles, "wall_s": wall}
jobs = [job("one", "model", 100, 1.5), job("one", "verilator", 101, 2.5), job("two", "model", 2**53 + 1, 3.5)]
json.dump({"about": about, "jobs": jobs}, open(sys.argv[2], "w"))
jobs = [job("two", "model", 2**53 + int(sys.argv[4]), 7.5), job("one", "verilator", 101, 2.0), job("one", "model", 100, 1.0)]
json.dump({"about": about, "jobs": jobs}, open(sys.argv[3], "w"))
END
python3 "$work/make.py" "$a" "$work/bench.json" "$work/bench2.json" 1
check "compare: jobs in another order, at another speed" status 0 "$evgpu" compare "$work/bench.json" "$work/bench2.json"
check "compare: ... the speed is compared when asked for" status 1 "$evgpu" compare --host-time "$work/bench.json" "$work/bench2.json"
check "... job by job" prints '\+114.29 % .*jobs\[two, model\].wall_s \| s$'
python3 "$work/make.py" "$a" "$work/bench.json" "$work/bench2.json" 2
check "compare: whole numbers beyond a double's precision" status 1 "$evgpu" compare "$work/bench.json" "$work/bench2.json"
check "... are told apart" prints '9007199254740993 +9007199254740994'
check "compare: figures of two kinds" fails_with 2 "they have no figures in common" "$evgpu" compare "$a" "$work/bench.json"

# Bad input: one line and status 2.
head -c 3000 "$a" >"$work/cut.json"
echo "hello" >"$work/text.json"
echo '{"end": "verified"}' >"$work/foreign.json"
sed 's/"schema": 1/"schema": 7/' "$a" >"$work/later.json"
sed 's/"doorbells": [0-9]*/"doorbells": NaN/' "$a" >"$work/nan.json"
sed 's/"doorbells": [0-9]*/"doorbells": 99999999999999999999999/' "$a" >"$work/huge.json"
sed 's/"doorbells": [0-9]*/"doorbells": 1e999/' "$a" >"$work/real.json"
python3 -c "print('[' * 100000)" >"$work/deep.json"
: >"$work/none.json"
for command in compare stats; do
    [ $command = compare ] && other=$a || other=
    bad() { # bad TEXT FILE
        # shellcheck disable=SC2086
        check "$command: $2" fails_with 2 "$1" "$evgpu" $command "$work/$2" $other
    }
    bad "no such.json: No such file" "no such.json"
    bad "cut.json:" cut.json
    bad "text.json:1: no JSON" text.json
    bad "none.json:1: no JSON" none.json
    bad "foreign.json: is JSON, but no result file of evgpu" foreign.json
    bad "later.json: has schema 7; this evgpu reads schema 1" later.json
    bad "NaN" nan.json
    bad "too big integer" huge.json
    bad "real number overflow" real.json
    bad "deep.json:" deep.json
done
# shellcheck disable=SC2086
"$evgpu" run $small --packets 32 --timeline "$work/timeline.json" >/dev/null
check "compare: a timeline" fails_with 2 "is a timeline; evgpu timeline draws it" "$evgpu" compare "$a" "$work/timeline.json"
check "compare: a threshold that is none" fails_with 2 "--threshold much: must be a share" \
    "$evgpu" compare "$a" "$a" --threshold much
check "compare: a negative one" fails_with 2 "--threshold -1%" "$evgpu" compare "$a" "$a" --threshold=-1%
check "compare: one file" fails_with 2 "two files are needed" "$evgpu" compare "$a"
check "compare: three files" fails_with 2 "is a third one" "$evgpu" compare "$a" "$a" "$a"
check "compare: a field that is not there" fails_with 2 "--field nothing: no such field" "$evgpu" compare "$a" "$a" --field nothing

# --- stats -----------------------------------------------------------------------------------------------
check "stats: figures of a part" status 0 "$evgpu" stats "$a" --field gpu.memory.queues.dram
check "... with units" prints '^ +64  gpu.memory.queues.dram.size \| entries$'
check "... and nothing else" sh -c "[ \"\$(wc -l <'$work/table')\" -eq 5 ]"
check "stats: CSV of two runs" status 0 "$evgpu" stats "$a" "$work/b.json" --csv
cp "$work/table" "$work/two.csv"
# Python's reader finds the JSON's figures again.
cat >"$work/read.py" <<'END'
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
assert rows[0] == ["field", sys.argv[2], sys.argv[3], "unit"], rows[0]
table = {r[0]: r[1:] for r in rows[1:]}
assert len(table) == len(rows) - 1 and all(len(r) == 4 for r in rows)
for column in (0, 1):
    j = json.load(open(sys.argv[2 + column]))
    assert table["gpu.cores.l1_hits"] == [*table["gpu.cores.l1_hits"][:2], "requests"]
    assert int(table["gpu.cores.l1_hits"][column]) == j["gpu"]["cores"]["l1_hits"]
    assert table["guests.ipv4.verdict"][column] == j["guests"]["ipv4"]["verdict"]
    assert int(table["gpu.per_core[3].active_cycles"][column]) == j["gpu"]["per_core"][3]["active_cycles"]
    assert abs(float(table["guests.ipv4.latency_cycles.packet.mean"][column]) /
               j["guests"]["ipv4"]["latency_cycles"]["packet"]["mean"] - 1) < 1e-8
assert table["gpu.more"] == ["", "1", "?"] and table["gpu.tile_steps"][1] == ""
END
check "... read again" python3 "$work/read.py" "$work/two.csv" "$a" "$work/b.json"
jq '.guests.ipv4.verdict = "a \"quoted\", text\nof two lines"' "$a" >"$work/quoted.json"
quoted() {
    "$evgpu" stats "$work/quoted.json" --csv --field guests.ipv4.verdict >"$work/table"
    printf 'field,value,unit\nguests.ipv4.verdict,"a ""quoted"", text\nof two lines",\n' | cmp - "$work/table"
}
check "stats: CSV with quotes" quoted
check "stats: nothing to do" fails_with 2 "name a result file, or --fields" "$evgpu" stats
check "stats: a field that is not there" fails_with 2 "--field nothing: no such field" "$evgpu" stats "$a" --field nothing
check "stats: ... in the list of a file" fails_with 2 "--field nothing: no such field" "$evgpu" stats --fields "$a" --field nothing
check "stats: ... in the list of all" fails_with 2 "--field nothing: no such field" "$evgpu" stats --fields --field nothing
finish
