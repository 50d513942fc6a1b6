# The experiment runner: rows of every combination, tables, pictures, kept results, failures, Ctrl-C,
# errors in the file.
. tests/e2e/lib.sh.inc

file=$work/products.ini
cat >"$file" <<'END'
[experiment]
title = Matrix products by size
source = made up
[vary size]
32 = 32
48 = 48
[vary tiles]
model = model
verilator = verilator
[simulation]
config = gtx480.ini
program = matrixMul {size}
tiles = {tiles}
[figures]
cycles = cycles cycles
[define]
kcycles = cycles / 1000
[table]
rows = size
columns = tiles
cell = kcycles
unit = thousand cycles
decimals = 3
fold = mean
[picture]
kind = bars
x = size (rows)
y = time (thousand cycles)
[summary]
mean_kcycles = mean(size: kcycles[tiles=model])
same_percent = 100 * mean(size: cycles[tiles=model] / cycles[tiles=verilator])
[paper]
same_percent = 100
32/model = 30
[why]
same_percent = it does not differ
END
out=$work/results
experiment() {
    "$evgpu" experiment "$@" --out "$out"
}
shows() { # shows TEXT: in the table
    grep -qF -- "$1" "$work/table"
}

awk '/^```ini/ { n++ } /^```$/ { n += n % 2 } n == 1 && !/^```/' docs/guide/experiments.md >"$work/guide.ini"
check "the guide's example is an experiment" sh -c "test \"\$($evgpu experiment $work/guide.ini --list | wc -l)\" = 8"
check "four rows are listed" sh -c "test \"\$($evgpu experiment $file --list | tr '\n' ' ')\" = '32,model 32,verilator 48,model 48,verilator '"
check "one row" experiment "$file" --only 48,model
cp "$work/out" "$work/table"
check "... is run alone" shows "DONE: products: 1 run, 0 kept, 0 failed, 3 left out"
check "... and its mean is not known" grep -Eq '^mean +- +-$' "$work/table"
check "the others" experiment "$file" --jobs 2
cp "$work/out" "$work/table"
check "... go on from it" shows "DONE: products: 3 run, 1 kept, 0 failed, 0 left out"
check "... with the paper's value beside" grep -Eq '^32 +[0-9.]+ \(30\) +[0-9.]+$' "$work/table"
check "... and a summary" grep -Eq '^same_percent +100\.00 +100$' "$work/table"
for f in products.txt products.csv products.json products.svg products.png products.pdf products.gnuplot summary.json index.html; do
    check "... in $f" test -s "$out/products/$f"
done
flat() {
    figures "$out/products/summary.json" | tr -d '\n ' |
        grep -Eq '^\{"mean_kcycles":[0-9.]+,"same_percent":100\.0\}$'
}
check "the summary is flat, names and numbers" flat
check "the picture is one" sh -c "head -c 8 $out/products/products.png | od -An -c | grep -q 'P *N *G' &&
    grep -q '<svg' $out/products/products.svg && grep -q 'thousand cycles' $out/products/products.svg"

# Pictures of one mesh: two lines of equal values, an axis of powers of two, labels that do not fit below their bars.
cat >"$work/meshes.ini" <<'END'
[experiment]
title = Latency
[vary ticks]
1024 = 1024
2048 = 2048
[vary name]
first = 1
second = 1
[vary load]
a load of 0.01 flits in each tick at each node of all = 0.01
a load of 0.02 flits in each tick at each node of all = 0.02
a load of 0.03 flits in each tick at each node of all = 0.03
a load of 0.04 flits in each tick at each node of all = 0.04
[simulation same]
over = ticks name
command = mesh
rate = 0.02
seed = {name}
ticks = {ticks}
[figures same]
latency = latency ticks
[simulation long]
over = load
command = mesh
rate = {load}
ticks = 500
[figures long]
latency_by_load = latency ticks
[table lines]
rows = ticks
columns = name
cell = latency
[table bars]
rows = load
column latency = latency_by_load
[vary seed]
1..5/1 = step
[vary slope]
1 = 1
2 = 2
[vary bytes]
4 = 4
1K = 1024
4M = 4194304
[table wide]
rows = bytes
column sample = bytes
[table means]
rows = slope
column sample = slope * seed
column same = slope / 3
over = seed
fold = sum
decimals = 4
[picture means]
table = means
kind = bars
x = slope
y = sample
[picture wide]
table = wide
kind = lines
log_x = 2
x = bytes
y = bytes
[picture lines]
table = lines
kind = lines
log_x = 2
x = ticks
y = latency
[picture bars]
table = bars
kind = bars
x = load
y = latency
END
check "pictures" experiment "$work/meshes.ini"
cp "$work/out" "$work/table"
check "... lines that hide each other in panels" grep -q '^set multiplot layout 1,2' "$out/meshes/meshes-lines.gnuplot"
check "... every other one on a long axis" grep -q '^do for .* (j % 2 > 0)) } }$' "$out/meshes/meshes-wide.gnuplot"
check "... powers of two" grep -q '>1 Ki<' "$out/meshes/meshes-lines.svg"
# Of 1 to 5: the mean 3, the deviation sqrt(2.5), Student's t 2.776 for 4 degrees of freedom.
means() {
    grep -Eq '^1 +3\.0000 \+- 1\.9629 +0\.3333 \+- 0\.0000$' "$work/table" &&
        grep -Eq '^2 +6\.0000 \+- 3\.9259 +0\.6667 \+- 0\.0000$' "$work/table" &&
        grep -Eq '^sum +9\.0000 \+- 5\.8888 +1\.0000 \+- 0\.0000$' "$work/table"
}
check "... means with their intervals" means
check "... as whiskers" grep -q 'with vectors heads' "$out/meshes/meshes-means.gnuplot"

# A file that is over seeds, two of the four so far: the mean of 1 and 2, Student's t 12.706 for one degree of freedom.
cat >"$work/seeds.ini" <<'END'
[experiment]
title = Seeds
over = seed
[vary load]
1 = 0.02
[vary seed]
1..4/1 = step
[simulation]
command = mesh
rate = {load}
ticks = 200
seed = {seed}
[figures]
latency = latency ticks
[table]
rows = load
column sample = seed + 0 * latency
decimals = 3
[table by_seed]
rows = seed
column sample = seed + 0 * latency[load=1]
[summary]
sample = mean(load: seed + 0 * latency)
[picture]
kind = bars
x = load
y = sample
END
check "a file that is over seeds" experiment "$work/seeds.ini" --only '1,[12]'
cp "$work/out" "$work/table"
seeds() {
    grep -Eq '^1 +1\.500 \+- 6\.353$' "$work/table" && grep -Eq '^sample +1\.50 \+- 6\.35$' "$work/table" &&
        test "$(grep -c '^Mean of 2 of 4 (seed)\.$' "$work/table")" = 2 && grep -Eq '^2 +2\.00$' "$work/table" &&
        grep -Eq '^3 +-$' "$work/table"
}
check "... means of the seeds that were run, and of how many" seeds
check "... in its JSON" sh -c "jq -e '.summary.sample == 1.5 and (.summary_interval.sample * 100 | round) == 635' $out/seeds/seeds.json"
check "... on its page" grep -q '1.50 &plusmn; 6.35' "$out/seeds/index.html"
check "... as whiskers" grep -q 'with vectors heads' "$out/seeds/seeds.gnuplot"
sed 's/^over = seed/over = sed/' "$work/seeds.ini" >"$work/sed.ini"
check "over what is no variable" fails_with 2 "[experiment] over: must be a variable" "$evgpu" experiment "$work/sed.ini" --out "$out"
check "... bars that lie, with level labels" sh -c "grep -q '^set ytics noenhanced (\"a load of 0.01' $out/meshes/meshes-bars.gnuplot &&
    ! grep -q rotate $out/meshes/meshes-bars.gnuplot"
cp "$out/products/products.json" "$work/first.json"
check "nothing has changed" experiment "$file"
cp "$work/out" "$work/table"
check "... so nothing is run" shows "0 run, 4 kept"
check "... and the files are the same" same_figures "$work/first.json" "$out/products/products.json"
check "asked again" experiment "$file" --again --only '32,*'
cp "$work/out" "$work/table"
check "... it is run again, the same" shows "2 run, 2 kept"
check "... to the bit" same_figures "$work/first.json" "$out/products/products.json"
# Kept results that are damaged are none; one that has no such figure is named, with what to do.
kept_of() {
    grep -l "\"row\": \"$1\"" "$out"/kept/*.json
}
for result in $(kept_of 32,model); do echo '[1, 2]' >"$result"; done
for result in $(kept_of 48,model); do head -c 300 "$result" >"$work/half" && cp "$work/half" "$result"; done
check "damaged results" experiment "$file"
cp "$work/out" "$work/table"
check "... are run again" shows "2 run, 2 kept"
check "... the same" same_figures "$work/first.json" "$out/products/products.json"
result=$(kept_of 32,verilator | head -n 1)
jq 'del(.statistics.cycles)' "$result" >"$work/without" && cp "$work/without" "$result"
without() {
    experiment "$file" >"$work/table" 2>&1
    [ $? -eq 1 ] && shows "contain no number cycles; they are in $out/kept/$(basename "$result"), which --again makes anew"
}
check "a result without a figure is named" without
check "... and made anew" experiment "$file" --again --only 32,verilator
jq '.statistics.cycles = -5' "$result" >"$work/negative" && cp "$work/negative" "$result"
negative() {
    experiment "$file" >"$work/table" 2>&1
    [ $? -eq 1 ] && shows "its cycles are negative; they are in $out/kept/$(basename "$result"), which --again makes anew"
}
check "a result that no run has is named" negative
rm "$result" && mkfifo "$result"
pipe() {
    limited "$evgpu" experiment "$file" --out "$out" "$@" >"$work/table" 2>&1
    [ $? -eq 1 ] && shows "$(basename "$result"): a result is kept there, and it is no regular file; remove it"
}
check "a pipe in its place is named" pipe
check "... before it is written to" pipe --again --only 32,verilator
rm "$result"
check "... and is none without it" experiment "$file"
# The files that a machine includes are part of it.
echo "include = $PWD/config/gtx480.ini" >"$work/parent.ini"
echo "include = parent.ini" >"$work/machine.ini"
sed "s,gtx480.ini,$work/machine.ini,; s/products/included/" "$file" >"$work/included.ini"
check "a machine that includes others" experiment "$work/included.ini" --only 48,model
check "... is kept" experiment "$work/included.ini" --only 48,model
cp "$work/out" "$work/table"
check "... as it is" shows "0 run, 1 kept"
printf '[gpu]\nmemory_mib = 1024\n' >>"$work/parent.ini"
check "another value in the included file" experiment "$work/included.ini" --only 48,model
cp "$work/out" "$work/table"
check "... makes another machine" shows "1 run, 0 kept"
sed 's/32 = 32/32 = 32 1/; s/products/others/' "$file" >"$work/changed.ini"
check "another argument" experiment "$work/changed.ini"
cp "$work/out" "$work/table"
check "... is another simulation" shows "2 run, 2 kept"

# A row that fails is one row with its message.
sed 's/^48 = 48/48 = no-number/' "$file" >"$work/failing.ini"
fails() {
    experiment "$work/failing.ini" >"$work/table" 2>&1
    test $? -eq 1
}
check "a failed simulation is an exit status of 1" fails
check "... one failed row" shows "FAILED: failing: 0 run, 2 kept, 2 failed"
check "... with its message" grep -q '^FAILED 48,model: .*ended with status 2; ..' "$work/table"
check "... and no mean" grep -Eq '^mean_kcycles +-' "$work/table"
check "... null in the summary" grep -q '"mean_kcycles": null' "$out/failing/summary.json"
sed 's/^cycles = cycles cycles/cycles = no.such.figure cycles/' "$file" >"$work/unknown.ini"
check "a figure that is not there is a failed row" sh -c "! $evgpu experiment $work/unknown.ini --out $out >$work/table &&
    grep -q 'its statistics contain no number no.such.figure' $work/table"
sed 's/^cycles = cycles cycles/cycles = gpu.per_core.first.active_cycles cycles/' "$file" >"$work/unknown.ini"
check "... so is one of a list's element by a name" sh -c "! $evgpu experiment $work/unknown.ini --out $out >$work/table &&
    grep -q 'its statistics contain no number gpu.per_core.first.active_cycles' $work/table"

# Ctrl-C: what has ended is kept. The product of 512 would take hours.
sed 's/^32 = 32/32 = 32 2/; s/^48 = 48/48 = 512 99999/' "$file" >"$work/long.ini"
stop() {
    "$evgpu" experiment "$work/long.ini" --out "$out" --jobs 1 >"$work/table" 2>"$work/stderr" &
    pid=$!
    until_true eval "grep -q '\[2/4\]' '$work/stderr' || gone $pid"
    kill -INT $pid
    await $pid
    test $? -eq 1
}
check "Ctrl-C ends an experiment" stop
check "... which says how it goes on" shows "2 run, 0 kept, 0 failed, 0 left out, stopped before the others; the same command continues"
check "... and leaves no simulation behind" until_true none_left

# A group: its members, one summary with their names in front.
printf '[experiment]\ntitle = Both\nmembers = %s %s\n' "$file" "$work/changed.ini" >"$work/both.ini"
check "a group" experiment "$work/both.ini"
check "... has one summary" grep -q '"changed.mean_kcycles": [0-9]' "$out/both/summary.json"
check "a row of one of its members" experiment "$work/both.ini" --only 48,verilator
check "... and of none" fails_with 2 "no row of any member of both" "$evgpu" experiment "$work/both.ini" --only 7 --out "$out"
check "no statistics are left of a failed simulation" sh -c "test -z \"\$(ls $out/kept | grep statistics)\""

wrong() { # wrong SED TEXT: the file changed like this is refused with the text
    sed "$1" "$file" >"$work/wrong.ini"
    fails_with 2 "$2" "$evgpu" experiment "$work/wrong.ini" --out "$out"
}
check "an unknown section" wrong 's/^\[summary\]/[sumary]/' "wrong.ini:30: [sumary]: no such section exists"
check "a section of too many words" wrong 's/^\[vary size\]/[vary size tiles]/' "no such section exists"
check "an open section" wrong 's/^\[summary\]/[summary/' "wrong.ini:29: neither \`[section]\` nor "
check "labels that go beyond 32 bits" wrong 's/^48 = 48/4294967290..4294967295 = n/' "labels 4294967290..4294967295: must be A..B or A..B/STEP"
check "labels with a word behind" wrong 's,^48 = 48,1..3/1x = n,' "labels 1..3/1x: must be A..B or A..B/STEP"
check "labels that are there already" wrong 's,^48 = 48,1..9/4 = n\n5..6 = n,' "labels 5..6: there is a label 5 already"
check "a label that is one of a range" wrong 's,^48 = 48,1..9/4 = n\n5 = five,' "label 5: is one of the numbers A..B above"
check "a figure's unit that is a sentence" wrong 's/^cycles = cycles cycles/& of the core, or of the network/' "[figures]: cycles: must be PATH UNIT"
check "an unknown key" wrong 's/^decimals/decimal/' "unknown key 'decimal'"
check "a value that depends on a label" wrong 's/mean(size: kcycles\[tiles=model\])/kcycles[tiles=model]/' "depends on size"
check "an unknown name in an expression" wrong 's/^kcycles = cycles/kcycles = cyles/' "neither figure, definition nor variable"
check "an unknown variable in a command" wrong 's/{size}/{sise}/' "the simulation has no such {VARIABLE}"
check "a paper's value for nothing" wrong 's/^same_percent = 100$/sam_percent = 100/' "[summary] does not define it"
check "a picture without axis text" wrong 's/^y = .*//' "the axes need labels"

# Maps, scales, parts of a text, an included file, figures that depend on further variables.
cat >"$work/sizes.inc" <<'END'
[map size]
over = kind number
vector,1 = vectorAdd --elements={small} | {small}
vector,2 = vectorAdd --elements=4096 | 4096
product,1 = matrixMul --rows=32 | 32
product,2 = matrixMul --rows=48 | 48
END
cat >"$work/scaled.ini" <<'END'
[experiment]
title = Scales and maps
include = sizes.inc
[scale few]
small = 1024
[scale many]
small = 2048
[vary kind]
vector = vector
product = product
[vary number]
1..2 = a number
[vary kernel]
add = vector_add
mul = matmul
none = nothing
[simulation]
over = kind number
config = gtx480.ini
program = {size:1}
[figures]
cycles = cycles cycles
launches = guests.{name}.kernels.{kernel}.launches?0 launches
threads = guests.{name}.kernels.{kernel}.block_threads?- threads
[map name]
over = kind
vector = vectorAdd
product = matrixMul
[table]
rows = kernel
column vector = sum(number: launches[kind=vector])
column product = sum(number: launches[kind=product])
[table threads]
rows = kernel
columns = kind
cell = threads[number=2]
[picture]
kind = bars
x = kernel
y = launches
[summary]
faster = cycles[kind=vector, number=2] / cycles[kind=vector, number=1]
END
check "maps and scales" experiment "$work/scaled.ini"
cp "$work/out" "$work/table"
check "... with figures of further variables" grep -Eq '^add +2.00 +0.00$' "$work/table"
check "... and nothing where there is nothing" grep -Eq '^none +- +-$' "$work/table"
check "another scale runs what differs" experiment "$work/scaled.ini" --scale many
cp "$work/out" "$work/table"
check "... and nothing else" shows "DONE: scaled: 1 run, 3 kept, 0 failed"
sed 's/^\[experiment\]/&\nscale = many/' "$work/scaled.ini" >"$work/chosen.ini"
sed 's/^scale = many/scale = most/' "$work/chosen.ini" >"$work/most.ini"
faster() { # faster FILE [OPTION...]: the summary's value
    "$evgpu" experiment --out "$out" "$@" 2>/dev/null | grep '^faster '
}
same() {
    [ "$1" = "$2" ]
}
few=$(faster "$work/scaled.ini") many=$(faster "$work/scaled.ini" --scale many)
check "two scales differ" sh -c '[ "$1" != "$2" ]' - "$few" "$many"
check "a file names its own scale" same "$many" "$(faster "$work/chosen.ini")"
check "... unless another is asked for" same "$few" "$(faster "$work/chosen.ini" --scale few)"
check "... and it must exist" fails_with 2 "no section [scale most] exists" "$evgpu" experiment "$work/most.ini" --out "$out"
check "no such scale" fails_with 2 "no section [scale some] exists" "$evgpu" experiment "$work/scaled.ini" --scale some --out "$out"
sed -i '/^vector,2/d' "$work/sizes.inc"
check "a map with a hole" fails_with 2 "[map size]: no text for vector,2" "$evgpu" experiment "$work/scaled.ini" --out "$out"

# What the kernels beside an evgpu compute is part of what a result depends on.
mkdir -p "$work/tree/build" "$work/tree/sw/services/one"
cp "$evgpu" "$work/tree/build/evgpu"
echo one >"$work/tree/sw/services/one/one.ptx"
printf '[experiment]\ntitle = T\n[simulation]\ncommand = mesh\nticks = 10\n[figures]\nlat = latency ticks\n' >"$work/kernels.ini"
of_tree() {
    "$work/tree/build/evgpu" experiment "$work/kernels.ini" --out "$out" >"$work/table"
}
check "an evgpu with kernels beside it" of_tree
check "... keeps a result" of_tree
check "... of them" shows "0 run, 1 kept"
echo another >"$work/tree/sw/services/one/one.ptx"
check "another kernel" of_tree
check "... makes another result" shows "1 run, 0 kept"

# Files without an end, of very many lines, and of words that mean nothing.
file_of() { # file_of NAME [experiment]-LINE...
    printf '[experiment]\ntitle = T\n' >"$work/$1.ini"
    name=$1
    shift
    printf '%s\n' "$@" '[simulation]' 'command = mesh' 'ticks = 10' '[figures]' 'lat = latency ticks' '[summary]' 'm = lat' \
        >>"$work/$name.ini"
}
lists() { # within 30 seconds of processor time
    (ulimit -t 30 && exec "$evgpu" experiment "$1" --list)
}
file_of endless 'include = /dev/zero'
check "an included file without an end" fails_with 2 "endless.ini:3: [experiment]: /dev/zero:1: neither" lists "$work/endless.ini"
mkfifo "$work/pipe.inc"
file_of piped 'include = pipe.inc'
yes '; comment' >"$work/pipe.inc" 2>/dev/null &
check "... and one of comments" fails_with 2 "pipe.inc: no regular file, and has 16 MiB or more" lists "$work/piped.ini"
awk 'BEGIN { for (i = 0; i < 1000000; i++) print " x" }' >"$work/many"
file_of long "$(cat "$work/many")"
check "a text of a million lines" lists "$work/long.ini"
printf '[experiment]\ntitle = T\nmembers = %s\n' "$work/both.ini" >"$work/nested.ini"
check "a group in a group" fails_with 1 "both.ini: is a group, no member of one" "$evgpu" experiment "$work/nested.ini" --out "$out"
printf '[experiment]\ntitle = T\nmembers = ,\n' >"$work/nested.ini"
check "a group of none" fails_with 2 "members: names none" "$evgpu" experiment "$work/nested.ini" --out "$out"
sed 's/command = mesh/command = meshes/' "$work/long.ini" | grep -v '^ x' >"$work/meshes.ini"
check "a command that does not exist" fails_with 1 "FAILED: evgpu: there is no command 'meshes'" \
    "$evgpu" experiment "$work/meshes.ini" --out "$out"

check "no such experiment" fails_with 2 "there is no experiment 'nothing'" "$evgpu" experiment nothing
check "no such row" fails_with 2 "no row of products" "$evgpu" experiment "$file" --only 7 --out "$out"
check "no job" fails_with 2 "must be 1 or more" "$evgpu" experiment "$file" --jobs 0
check "a folder that cannot be" fails_with 2 "not a directory" "$evgpu" experiment "$file" --out "$file"
check "every experiment that comes with evgpu is right" sh -c "test -z \"\$($evgpu experiment --list 2>&1 >/dev/null)\""
finish
