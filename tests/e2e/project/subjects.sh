# A struct whose parts several files share holds one struct per subject, and only the file that the
# subject's header names as its owner looks inside; the others ask by function. Checked on the source,
# and on a copy with a line that breaks the rule.
. tests/e2e/lib.sh.inc

# One line "MEMBER OWNER" per struct in the struct, from its header and the owners' headers. A subject
# without a .c file is its header's; a struct of another folder is none.
owners() { # DIRECTORY HEADER STRUCT SHARED...
    folder=$1 inside=$1/$2 whole=$3
    shift 3
    sed -n "/^struct $whole {/,/^}/s/^ *struct \([a-z_0-9]*\) \([a-z_0-9]*\);.*/\1 \2/p" "$inside" |
        while read -r type member; do
            case " $* " in *" $type "*) continue ;; esac
            header=$(grep -rl --include="*.h" "^struct $type {" "$folder")
            [ "$header" ] || continue
            owner=$(tr '\n' ' ' <"$header" | sed -n 's/.*Owner:[ *]*\([a-z_0-9]*\.c\).*/\1/p')
            echo "$member ${owner:-$(basename "$header")}"
        done
}

# Prints lines outside the owner that look into a subject or keep a pointer to it.
foreign() { # DIRECTORY PATHS: to the subjects in $work/owners
    while read -r member owner; do
        # slots.h has what is inlined into many files and needs several subjects.
        grep -rnE --include='*.[ch]' "$2$member\.|\*[a-z0-9_]+ = &$2$member;" "$1" |
            grep -vE "^[^:]*/($owner|slots\.h):"
    done <"$work/owners"
}

# Prints writes to members that one file sets and all read.
written() { # DIRECTORY PATHS MEMBERS WRITER
    grep -rnE --include="*.c" "$2($3)(\.[a-z_]*)?(\[[^]]*\])? *([-+|&]?=[^=]|\+\+|--)" "$1" |
        grep -v "/$4:"
}

understood() { # NUMBER: at least so many subjects
    [ "$(wc -l <"$work/owners")" -ge "$1" ] || echo "the struct was not understood"
}

# A room's struct holds the subjects of the room.
core() { # DIRECTORY
    for part in "core_internal.h core" "warp/slots.h slots" "lsu/lsu.h lsu" "lsu/memory.h memory" \
        "pipeline/pipeline.h pipeline" "event/event.h event_unit"; do
        # shellcheck disable=SC2086 # two words
        owners "$1" $part core_config core_env slots lsu pipeline event_unit access_list
    done >"$work/owners"
    understood 25
    foreign "$1" '[a-z>-]*(->|slots\.|lsu\.|pipeline\.|event\.)'
    written "$1" '(->|slots\.)' 'config|env' core.c
}

nic() { # DIRECTORY
    owners "$1" internal.h nic nic_config nic_capture >"$work/owners"
    understood 8
    foreign "$1" '\<n->'
    written "$1" '\<n->' 'config|capture' nic.c
}

program() { # DIRECTORY
    owners "$1" internal.h program >"$work/owners"
    understood 15
    foreign "$1" '\<(p|program)->'
    written "$1" '\<(p|program)->' 'guest|machine|name|attached|passes' program.c
}

alone() { # CHECK DIRECTORY
    "$@" >"$work/foreign"
    cat "$work/foreign"
    ! [ -s "$work/foreign" ]
}

# The check itself finds a read, a pointer and a write that are out of place.
found() { # CHECK DIRECTORY FILE LINE...
    check=$1 folder=$2 file=$3
    shift 3
    rm -rf "$work/copy"
    mkdir "$work/copy"
    cp -r "$folder/." "$work/copy"
    for line; do
        echo "$line" >"$work/copy/$file"
        [ "$("$check" "$work/copy" | wc -l)" -eq 1 ] || { echo "not found: $line"; return 1; }
    done
}

check "subjects: a file of sim/simt looks into its own struct only" alone core sim/simt
check "subjects: the check finds what is out of place" found core sim/simt pipeline/launch.c \
    'x = slots->ibuffers.busy;' 'struct l1 *l1 = &c->lsu.l1;' 'slots->config.warps = 1;'
check "subjects: a file of the NIC looks into its own struct only" alone nic sim/host/nic
check "subjects: ... and the check finds what is out of place" found nic sim/host/nic meter.c \
    'x = n->fill.count;' 'struct send *s = &n->send;' 'n->config.entries = 1;'
check "subjects: a file of a program looks into its own struct only" alone program sim/guest/program
check "subjects: ... and that check finds it, too" found program sim/guest/program figures.c \
    'x = t->program->streams.count;' 'struct program_settle *s = &p->settle;' 'p->machine = m;'
finish
