# sim/simt: the parts of a core hold one struct per subject, and only the file that the subject's header
# names as its owner looks inside; the others ask by function. Checked on the source, and on a copy with a
# line that breaks the rule.
. tests/e2e/lib.sh.inc

# The headers with the structs that hold the subjects.
parts="core_internal.h warp/slots.h lsu/lsu.h lsu/memory.h pipeline/pipeline.h event/event.h"

# One line "MEMBER OWNER" per struct in these, from the owners' headers. A subject without a .c file is its
# header's. The configuration is core.c's; the parts themselves are no subjects.
owners() { # DIRECTORY
    for part in $parts; do
        sed -n '/^struct [a-z_]* {/,/^}/s/^ *struct \([a-z_0-9]*\) \([a-z_0-9]*\);.*/\1 \2/p' "$1/$part"
    done | while read -r type member; do
        header=$(grep -rl --include="*.h" "^struct $type {" "$1")
        case " core_config core_env slots lsu pipeline event_unit access_list " in *" $type "*) continue ;; esac
        [ "$header" ] || continue
        owner=$(tr '\n' ' ' <"$header" | sed -n 's/.*Owner:[ *]*\([a-z0-9_]*\.c\).*/\1/p')
        echo "$member ${owner:-$(basename "$header")} $(basename "$header")"
    done
}

# Prints lines outside the owner and its header that look into a subject or keep a pointer to it, or that
# write the configuration.
foreign() { # DIRECTORY
    owners "$1" >"$work/owners"
    [ "$(wc -l <"$work/owners")" -ge 25 ] || { echo "the parts of a core were not understood"; return; }
    while read -r member owner header; do
        for file in $(find "$1" -name "*.[ch]"); do
            name=$(basename "$file")
            [ "$name" = "$owner" ] || [ "$name" = "$header" ] && continue
            # slots.h has what is inlined into many files and needs several subjects.
            [ "$name" = slots.h ] && continue
            grep -nE "(->|slots\.|lsu\.|pipeline\.|event\.)$member\.|\*[a-z0-9_]+ = &[a-z]+(->|\.)([a-z]+\.)?$member;" "$file" |
                sed "s,^,$name:,"
        done
    done <"$work/owners"
    grep -rnE --include="*.[ch]" '(->|slots\.)(config|env)\.[a-z_]*(\[[^]]*\])? *([-+|&]?=[^=]|\+\+|--)' "$1" | grep -v '/core_api\.c:'
}

alone() {
    foreign sim/simt >"$work/foreign"
    cat "$work/foreign"
    ! [ -s "$work/foreign" ]
}

# The check itself finds a read, a pointer and a write that are out of place.
found() {
    mkdir -p "$work/copy"
    cp -r sim/simt/. "$work/copy"
    for line in 'x = slots->ibuffers.busy;' 'struct l1 *l1 = &c->lsu.l1;' 'slots->config.warps = 1;'; do
        echo "$line" >"$work/copy/pipeline/launch.c"
        [ "$(foreign "$work/copy" | wc -l)" -eq 1 ] || { echo "not found: $line"; return 1; }
    done
}

check "subjects: a file of sim/simt looks into its own struct only" alone
check "subjects: the check finds what is out of place" found
finish
