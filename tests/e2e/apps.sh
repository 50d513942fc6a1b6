# Every application of sw/apps at a small size, with model and Verilog in lockstep: a line of the table is
# NAME and its arguments, and may be there several times. Each checks itself; its status is the verdict.
. tests/e2e/lib.sh.inc

while read -r name arguments; do
    check "$name $arguments" timeout 60 "$evgpu" run --config gtx480.ini --tiles lockstep \
        --program "$build/apps/$name $arguments"
done <<'END'
matrixMul 40
vectorAdd 1000
pathfinder --columns 600 --rows 30
pathfinder --columns 1 --rows 4 --pyramid 3
END

# An application that nobody has put into the table is not tested.
listed() {
    for program in sw/apps/*/program.c; do
        name=$(basename "$(dirname "$program")")
        [ "$name" = eventForward ] || grep -q "^$name " tests/e2e/apps.sh || { echo "$name is missing"; return 1; }
    done
}
check "every application is in the table" listed
finish
