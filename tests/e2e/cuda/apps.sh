# Every application of sw/apps at a small size, with model and Verilog in lockstep: a line of the table is
# NAME and its arguments, and may be there several times. Each checks itself; its status is the verdict.
. tests/e2e/lib.sh.inc

app() { # app NAME [ARGUMENT...]
    limited "$evgpu" run --config gtx480.ini --tiles lockstep --program "$build/apps/$*"
}
while read -r name arguments; do
    check "$name $arguments" app "$name" $arguments
    echo "$name $arguments" >>"$work/rows"
done <<'END'
matrixMul 40
vectorAdd 1000
bfs --nodes 300 --block 64
bfs --nodes 300 --frontier
histogram64 --kilobytes 31
blackScholes --options 900 --blocks 5
hotspot --side 37 --steps 5
fibLookup --threads 200
kernelPair --values 1000 --rounds 4
copyLatency --bytes 3001
productStream --products 5 --inner 32
productStream --tiles 12 --products 3 --inner 16 --way persistent
productStream --tiles 4 --products 3 --inner 16 --way persistent --blocks 3
pathfinder --columns 600 --rows 30
pathfinder --columns 1 --rows 4 --pyramid 3
backprop --nodes 528
backprop --nodes 16 --passes 3
kmeans --points 700 --features 9 --clusters 4 --rounds 3
lud --rows 64
srad --rows 48 --columns 64 --region 16
streamcluster --points 50 --dimensions 3 --chunk 20 --least 2 --most 3
convColor --images 37 --image-side 7 --times 3
convColor --images 128 --colours 3 --filters 32 --filter-side 2 --image-side 5 --padding 1 --stride 2
convSparse --images 5 --image-side 4 --colours 8 --groups 2
convSparse --images 64 --image-side 3 --colours 2 --filters 32 --filter-side 3 --padding 1
mst --nodes 200 --degree 3
mst --nodes 150 --graph road --block 64
sssp --nodes 300 --degree 3
sssp --nodes 200 --graph road --variant worklist --block 64
pageViewCount --lines 40 --pages 7
pageViewCount --lines 270 --pages 7 --sort chunks
pageViewRank --lines 300
pageViewRank --lines 600 --sort chunks
invertedIndex --documents 3 --bytes 1500 --urls 5
mummer --reference 300 --queries 70
mummer --reference 40 --queries 5 --length 90 --match 1
mummer --reference 10 --queries 10 --length 200 --match 5
surveyPropagation --variables 40 --clauses 168
surveyPropagation --variables 1500 --clauses 900 --literals 1
END

# Two at once: the first line of each, with that of the next application, on one machine.
together() { # together COMMAND COMMAND
    limited "$evgpu" run --config gtx480.ini --tiles lockstep --program "$build/apps/$1" --program "$build/apps/$2"
}
awk '!seen[$1]++' "$work/rows" >"$work/first"
sed 1d "$work/first" | paste -d '|' "$work/first" - | sed '$d' | sed -n 'p;n' >"$work/pairs"
[ $(($(wc -l <"$work/first") % 2)) -eq 0 ] || tail -n 2 "$work/first" | paste -s -d '|' >>"$work/pairs"
while IFS='|' read -r one two; do
    check "${one%% *} beside ${two%% *}" together "$one" "$two"
done <"$work/pairs"

# What every application does with wrong options.
wrong_option() { # wrong_option NAME
    fails_with 2 "'x'" "$build/apps/$1" --seed x && "$build/apps/$1" --help | grep -q -- --seed
}
unknown_option() {
    "$build/apps/$1" --no-such-option >"$work/text" 2>&1
    [ $? -eq 2 ] && grep -q "no-such-option" "$work/text"
}
while read -r name _; do
    check "$name: wrong and unknown options, help" eval "wrong_option $name && unknown_option $name"
done <"$work/first"

# Inputs from files, and what is wrong in them.
printf 'c three nodes\np sp 3 3\na 1 2 5\na 2 3 1\na 1 3 9\n' >"$work/good.gr"
printf 'p sp 3 1\na 1 4 5\n' >"$work/bad.gr"
for name in sssp mst; do
    check "$name: a graph from a file" app $name --file "$work/good.gr"
    check "$name: a bad file" fails_with 2 "$work/bad.gr:2: a node must be 1 to 3" \
        "$build/apps/$name" --file "$work/bad.gr"
done

printf 'http://a/\t1.2.3.4\t7\nhttp://b/\t1.2.3.4\t7\nhttp://a/\t1.2.3.4\t7' >"$work/good.log"
printf 'http://a/\t1.2.3.4\t7\nhttp://b/\t1.2.3.4\n' >"$work/bad.log"
check "pageViewCount: a log from a file" app pageViewCount --file "$work/good.log"
check "pageViewCount: a bad file" fails_with 2 "$work/bad.log:2: expected URL, IP and cookie" \
    "$build/apps/pageViewCount" --file "$work/bad.log"
printf 'http://a/\t7\nhttp://b/\t4294967295\nhttp://c/\t7\n' >"$work/good.pages"
printf 'http://a/\t4294967296\n' >"$work/bad.pages"
check "pageViewRank: pages from a file" app pageViewRank --file "$work/good.pages"
check "pageViewRank: a bad file" fails_with 2 "$work/bad.pages:1: expected URL and views" \
    "$build/apps/pageViewRank" --file "$work/bad.pages"
# Documents of fragments of links, so that every state of the parser meets every character.
mkdir "$work/odd" "$work/empty"
awk 'BEGIN { srand(7); n = split("< a href = \" x > << a<a <a_href=\"y\" hre", part, " ")
    for (d = 0; d < 12; d++) { file = sprintf("%s/%02d.html", ARGV[1], d)
        for (i = 0; i < 500; i++) { r = int(rand() * (n + 3))
            printf "%s", r < n ? part[r + 1] : r == n ? "\n" : r == n + 1 ? " " : "<a href=\"z" d % 3 "\">" >file }
        close(file) } }' "$work/odd"
check "invertedIndex: odd documents" app invertedIndex --directory "$work/odd"
check "invertedIndex: no documents" fails_with 2 "$work/empty contains no text" \
    "$build/apps/invertedIndex" --directory "$work/empty"

printf '>one\nACGTACGTTAGNACGTAACC\n>two\nGGGTTTACGTAC\n' >"$work/good.fa"
printf '>r\nACGTNACGTA\n>s\nTTAC\n>short\nAC\n>beyond\nGTACAAAA\n' >"$work/reads.fa"
printf '>one\nACGT;\n' >"$work/bad.fa"
check "mummer: sequences from files" app mummer --reference-file "$work/good.fa" --query-file "$work/reads.fa" --match 3
check "mummer: a bad file" fails_with 2 "$work/bad.fa:2: ';' (0x3b) is not a letter" \
    "$build/apps/mummer" --reference-file "$work/bad.fa"

printf 'c units\np cnf 3 3\n1 0\n-1 -2 0\n2 3 0\n' >"$work/good.cnf"
printf 'p cnf 3 2\n1 0\n-1 4 0\n' >"$work/bad.cnf"
check "surveyPropagation: a formula from a file" app surveyPropagation --file "$work/good.cnf" --steps 5
check "surveyPropagation: a bad file" fails_with 2 "$work/bad.cnf:3: literal 4 exceeds the variables 1 to 3" \
    "$build/apps/surveyPropagation" --file "$work/bad.cnf"

# refused TEXT NAME ARGUMENT...: bad input, in one line that says what is wrong.
refused() {
    text=$1
    program=$build/apps/$2
    shift 2
    fails_with 2 "$text" "$program" "$@"
}
while read -r name arguments; do
    read -r text
    check "$name $arguments is refused" refused "$text" "$name" $arguments
done <<'END'
backprop --nodes 20
--nodes is 20; it must be a multiple of 16
lud --rows 100
--rows is 100; it must be a multiple of 16
srad --rows 20
--rows is 20; it must be a multiple of 16
srad --lambda 1001
--lambda is '1001'; it must be 0 to 1000
kmeans --clusters 200
--clusters is 200; with 34 features it must be at most 120
kmeans --points 3
--clusters is 5; it must be at most the number of points, 3
convColor --filters 24
--filters is 24; it must be a multiple of 16
convColor --filter-side 40
--filter-side is 40; it must not exceed the image with its padding, 28
convSparse --colours 7
--colours is 7; it must be a multiple of 2
convSparse --groups 4
--filters is 32; it must be a multiple of 64 (4 groups)
streamcluster --least 9 --most 8
--least is 9; it must be at most --most, 8
kmeans --file none.txt
none.txt cannot be opened
END

printf '1 0.5 2.5\n2 1e3 4\n\n3 7 8\n' >"$work/points"
check "kmeans reads points" app kmeans --file "$work/points" --clusters 2
printf '1 0.5 2.5\n2 1e3\n' >"$work/points"
check "... of one length" refused "points: line 2: the row has 1 features, but the first line has 2" kmeans --file "$work/points"
printf '1 0.5 2.5\n2 one 4\n' >"$work/points"
check "... which are numbers" refused "points: line 2: not a row of numbers" kmeans --file "$work/points"

# A path: a level per node, more than bfs has words for at once.
path() { # path NODES: in Rodinia's format
    awk -v n="$1" 'BEGIN { print n; for (v = 0; v < n; v++) print v, v < n - 1; print 0; print n - 1
        for (v = 1; v < n; v++) print v, 1 }'
}
path 150 >"$work/path"
check "bfs reads a graph" app bfs --graph "$work/path" --block 64
sed '3s/.*/7 1/' "$work/path" >"$work/gap"
check "... whose edges follow each other" refused "gap: first edge of node 1 is 7; the nodes before have 1" bfs --graph "$work/gap"
sed '$d' "$work/path" >"$work/short"
check "... and are all there" refused "short: target of edge 148 is missing or not a number" bfs --graph "$work/short"

# An application that nobody has put into the table is not tested.
listed() {
    for program in sw/apps/*/program.c; do
        name=$(basename "$(dirname "$program")")
        [ "$name" = eventForward ] && continue
        grep -q "^$name " tests/e2e/cuda/apps.sh || { echo "$name is missing"; return 1; }
        grep -q "^| $name |" docs/measured/applications.md || { echo "$name: make applications"; return 1; }
    done
}
check "every application is in the tables" listed
finish
