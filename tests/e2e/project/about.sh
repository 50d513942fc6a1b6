# Every result file says what it is of: version, command line, configuration, seed, computer, date, schema.
. tests/e2e/lib.sh.inc

small="--background 0 --service ipv4,packets=64,route-count=1000 --tiles model --no-profile"
export SOURCE_DATE_EPOCH=1000000000
read -r release _ <VERSION

says() { # says FILE FILTER: jq's, true of "about"
    jq -e --arg release "$release" ".about | $2" "$1" >/dev/null || { jq .about "$1"; return 1; }
}
origin='.schema == 1 and .evgpu.release == $release and (.evgpu.commit | length > 6) and
    (.evgpu.dirty | type == "boolean") and .date == "2001-09-09T01:46:40Z" and
    (.host | .name and .system and .processor and .processors > 0)'

# shellcheck disable=SC2086 # several words
check "a run" "$evgpu" run $small --seed 7 --policy newest --set gpu.cores=8 --json "$work/run.json" \
    --timeline "$work/timeline.json"
check "... its origin" says "$work/run.json" "$origin and .kind == \"run\" and .seed == 7"
check "... its command line" says "$work/run.json" \
    '.command[1] == "run" and .command[2] == "--background" and (.command | index("newest"))'
check "... words with commas whole" says "$work/run.json" '.command | index("ipv4,packets=64,route-count=1000")'
check "... its machine" says "$work/run.json" '.config | .file == "edge.ini" and
    (.overrides | sort) == ["event.policy=newest", "gpu.cores=8"] and .values.gpu.cores == 8 and
    .values.event.policy == "newest"'
# What the file lists is the machine that the keys give.
effective() {
    jq -r '.about.config.values | to_entries[] | .key as $s | .value | to_entries[] | "\($s).\(.key)=\(.value)"' \
        "$work/run.json" | grep -v '^gpu.cores=\|^event.policy=' >"$work/listed"
    "$evgpu" config edge.ini | grep -v '^gpu.cores=\|^event.policy=' | cmp - "$work/listed"
}
check "... every key of it" effective
check "... before everything else" sh -c "sed -n 2p '$work/run.json' | grep -qx '  \"about\": {'"
jq '{about: .otherData.about}' "$work/timeline.json" >"$work/about.json"
check "a timeline" says "$work/about.json" "$origin and .kind == \"timeline\" and .config.values.gpu.cores == 8"

# The same again is the same but for the command; another date is the only other difference.
# shellcheck disable=SC2086
"$evgpu" run $small --seed 7 --policy newest --set gpu.cores=8 --json "$work/run2.json" >/dev/null
check "the same run again" same_figures "$work/run.json" "$work/run2.json"
rest() { jq 'del(.about.command, .about.date)' "$1"; }
# shellcheck disable=SC2086
SOURCE_DATE_EPOCH='' "$evgpu" run $small --seed 7 --policy newest --set gpu.cores=8 --json "$work/run3.json" >/dev/null
rest "$work/run.json" >"$work/a"
rest "$work/run3.json" >"$work/b"
check "... at another time" cmp "$work/a" "$work/b"
check "... which is this one" sh -c \
    "[ \"\$(jq -r .about.date '$work/run3.json' | cut -c 1-4)\" -ge \"\$(date -u +%Y)\" ]"

check "a mesh" "$evgpu" mesh --ticks 100 --vcs 3 --seed 9 --json "$work/mesh.json"
check "... its origin and settings" says "$work/mesh.json" "$origin and .kind == \"mesh\" and .seed == 9 and
    .settings.vcs == 3 and .settings.size == \"6x6\""
check "a bench" "$evgpu" bench --only mesh --json "$work/bench.json"
check "... its origin" says "$work/bench.json" "$origin and .kind == \"bench\""
check "... and its jobs" jq -e '.jobs[0].name == "mesh 6 x 6 pair"' "$work/bench.json"
cat >"$work/k.ptx" <<'END'
.version 6.0
.target sm_20
.address_size 64
.visible .entry k() { ret; }
END
check "a kernel" "$evgpu" kernel "$work/k.ptx" k --tiles model --json "$work/kernel.json"
check "... its origin and machine" says "$work/kernel.json" "$origin and .kind == \"kernel\" and
    .config.file == \"gtx480.ini\" and .config.values.gpu.cores == 15"
check "a CPU trace" "$evgpu" cputrace --application mcf --count 1000 --seed 5 "$work/mcf.gz"
check "... has it beside it" says "$work/mcf.gz.about.json" "$origin and .kind == \"cputrace\" and .seed == 5"
check "the description of one" "$evgpu" cputrace --describe "$work/mcf.gz" --count 1000 --json "$work/mcf.json"
check "... its origin" says "$work/mcf.json" "$origin and .kind == \"cputrace\""

cat >"$work/small.ini" <<'END'
[experiment]
title = A small mesh
[vary load]
low = 0.01
[simulation]
command = mesh
ticks = 100
rate = {load}
[figures]
latency = latency
[table]
rows = load
cell = latency
[summary]
latency = mean(load: latency)
END
check "an experiment" "$evgpu" experiment "$work/small.ini" --out "$work/results"
check "... its origin" says "$work/results/small/small.json" "$origin and .kind == \"experiment\""
check "... that of its summary" says "$work/results/small/summary.json" "$origin and .kind == \"summary\""
check "... version and date on its page" grep -q "<i>evgpu $release (.*), 2001-09-09T01:46:40Z</i>" "$work/results/small/index.html"
check "... the command of a row" jq -e '.rows.low.command == ["mesh", "--ticks", "100", "--rate", "0.01"]' \
    "$work/results/small/small.json"
check "... origin of a kept result" says "$(echo "$work"/results/kept/*.json)" \
    "$origin and .kind == \"kept\" and .command[1] == \"mesh\""

# A waveform has a place for version and date; the rest is beside it.
# shellcheck disable=SC2086
check "a waveform" "$evgpu" run --background 0 --packets 32 --route-count 1000 --set gpu.cores=1 \
    --trace "$work/wave.fst" --trace-window 50
fst2vcd "$work/wave.fst" 2>/dev/null | sed 8q >"$work/vcd"
check "... its date" grep -q '2001-09-09T01:46:40Z' "$work/vcd"
check "... its version" grep -q "evgpu $release (" "$work/vcd"
check "... the rest of it" says "$work/wave.fst.about.json" "$origin and .kind == \"waveform\" and .config.values.gpu.cores == 1"
# So does a table of a page that a command writes; another takes its place.
printf '# A page\n\n<!-- t -->\n| old |\n<!-- end -->\n' >"$work/page.md"
printf '| a |\n|---|\n| 1 |\n' >"$work/text"
sh docs/measured/put.sh "$work/page.md" t "$work/text"
sh docs/measured/put.sh "$work/page.md" t "$work/text"
table() {
    sed -n 4p "$work/page.md" | grep -q "^<!-- measured with evgpu $release [0-9a-z]* \(clean\|dirty\), 2001-09-09, [0-9]* x .* -->\$" &&
        [ "$(sed '4d' "$work/page.md" | sed 3q | tail -n 1)" = '<!-- t -->' ] && [ "$(wc -l <"$work/page.md")" -eq 8 ]
}
check "a measured table" table
sh docs/measured/put.sh "$work/page.md" t "$work/text" plain
check "... and a plain one" sh -c "! grep -q measured '$work/page.md' && [ \"\$(wc -l <'$work/page.md')\" -eq 7 ]"
sh docs/measured/origin.sh "$work/page.md"
sh docs/measured/origin.sh "$work/page.md"
check "a page that is written as a whole" sh -c "[ \"\$(grep -n measured '$work/page.md' | cut -d: -f1)\" = 2 ]"
finish
