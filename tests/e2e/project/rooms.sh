# sim/simt: a room calls only the rooms below it and includes only their interfaces, no room knows
# struct core, and no files of the core call each other in a circle. Checked on the sources and on the
# symbols of the objects, and on copies with something out of place.
. tests/e2e/lib.sh.inc

# Rooms from the bottom up, each with its interface. The files of sim/simt itself are above them all;
# of these a room includes the contract only.
rooms="warp/slots check/check lsu/lsu pipeline/pipeline functional/functional event/event"
contract="core_config core_env core_untimed counters"

# Lines "ROOM RANK INTERFACE".
ranks() {
    rank=0
    for room in $rooms; do
        echo "${room%/*} $rank $room"
        rank=$((rank + 1))
    done
}

# Prints includes that run upwards or pass by an interface, and uses of struct core in a room.
includes() { # DIRECTORY
    ranks >"$work/ranks"
    (cd "$1" && grep -rn --include='*.[ch]' '^#include "sim/simt/' .) |
        sed -E 's,^\./([^:]*):[0-9]*:#include "sim/simt/(.*)\.h"$,\1 \2,' |
        awk -v ranks="$work/ranks" -v contract="$contract" '
            BEGIN { while ((getline line < ranks) > 0) { split(line, r); rank[r[1]] = r[2]; face[r[1]] = r[3] } }
            function room(path) { return index(path, "/") ? substr(path, 1, index(path, "/") - 1) : "" }
            {
                from = room($1); to = room($2)
                if (to == from)
                    next
                if (to == "" ? index(" " contract " ", " " $2 " ") : from == "" || rank[to] < rank[from]) {
                    if (to == "" || $2 == face[to])
                        next
                }
                print $1 " includes " $2 ".h"
            }'
    (cd "$1" && grep -rnE --include='*.[ch]' '\<struct core\>' */)
}

# Lines "d SYMBOL FILE" and "u SYMBOL FILE": who defines and who uses a symbol. An object without a source
# is left over from another tree; native_prelude.c has none, since kernels' machine code is made with it.
symbols() { # DIRECTORY OBJECTS
    (cd "$1" && find . -name '*.c' ! -name native_prelude.c) | sed 's,^\./,,; s,\.c$,,' | while read -r file; do
        nm -g "$2/$file.o" | awk -v f="$file" '{ print ($(NF - 1) == "U" ? "u" : "d"), $NF, f }'
    done
}

# Lines "USER PROVIDER SYMBOL" from a table of symbols.
calls() { # TABLE
    awk '$1 == "d" { by[$2] = $3 } $1 == "u" { used[$3 " " $2] }
        END { for (u in used) { split(u, w); if (w[2] in by && by[w[2]] != w[1]) print w[1], by[w[2]], w[2] } }' "$1"
}

# Prints calls that run upwards and circles of files.
wrong_calls() { # TABLE
    ranks >"$work/ranks"
    calls "$1" >"$work/calls"
    [ "$(wc -l <"$work/calls")" -ge 150 ] || echo "the symbols of the core were not understood"
    awk -v ranks="$work/ranks" '
        BEGIN { while ((getline line < ranks) > 0) { split(line, r); rank[r[1]] = r[2] } }
        function height(path) { return index(path, "/") ? rank[substr(path, 1, index(path, "/") - 1)] : 99 }
        height($2) > height($1) { print $1 " calls " $3 " of " $2 }' "$work/calls"
    awk '{ print $1, $2 }' "$work/calls" | tsort 2>&1 >/dev/null | sed 's/^tsort: /circle: /'
}

nothing() { # COMMAND...: prints nothing
    "$@" >"$work/found"
    cat "$work/found"
    ! [ -s "$work/found" ]
}

finds() { # LINES COMMAND...: prints so many lines
    lines=$1
    shift
    "$@" >"$work/found"
    cat "$work/found"
    [ "$(wc -l <"$work/found")" -eq "$lines" ]
}

# Each line alone, in a file of its own, is found.
finds_includes() {
    while read -r file line; do
        rm -rf "$work/copy"
        cp -r sim/simt "$work/copy"
        echo "$line" >"$work/copy/$file"
        finds 1 includes "$work/copy" || { echo "not found: $line in $file"; return 1; }
    done <<'LINES'
lsu/new.c #include "sim/simt/pipeline/pipeline.h"
event/new.c #include "sim/simt/lsu/l1.h"
warp/new.h #include "sim/simt/core.h"
check/new.c void check_all(struct core *core);
LINES
}

finds_calls() {
    { cat "$work/table"; echo "u event_push lsu/port"; } >"$work/upward"
    { cat "$work/table"; echo "u check_access check/bad_access"; echo "u bad_global check/check"; } >"$work/circle"
    wrong_calls "$work/upward" | grep -qx "lsu/port calls event_push of event/event_run" &&
        wrong_calls "$work/circle" | grep -q "^circle: "
}

check "rooms: includes of sim/simt run down, to interfaces" nothing includes sim/simt
check "rooms: the check finds an include out of place" finds_includes
symbols sim/simt "$build/obj/sim/simt" >"$work/table"
check "rooms: calls of sim/simt run down, and no files call each other in a circle" nothing wrong_calls "$work/table"
check "rooms: the check finds a call upwards and a circle" finds_calls
finish
