# sim/simt: struct core holds one struct per subject, and only the file that the subject's header names
# as its owner looks inside; the others ask by function. Checked on the source, and on a copy with a
# line that breaks the rule.
. tests/e2e/lib.sh.inc

# One line "MEMBER OWNER" per struct in struct core, from core_internal.h and the owners' headers.
# A subject without a .c file is its header's.
owners() { # DIRECTORY
    sed -n '/^struct core {/,/^}/s/^ *struct \([a-z_]*\) \([a-z_]*\);.*/\1 \2/p' "$1/core_internal.h" |
        while read -r type member; do
            [ "$type" = core_config ] || [ "$type" = core_env ] && continue
            header=$(grep -rl --include="*.h" "^struct $type {" "$1")
            owner=$(tr '\n' ' ' <"$header" | sed -n 's/.*Owner:[ *]*\([a-z0-9_]*\.c\).*/\1/p')
            echo "$member ${owner:-$(basename "$header")}"
        done
}

# Prints lines outside the owner that look into a subject or keep a pointer to it, or that write the
# configuration.
foreign() { # DIRECTORY
    owners "$1" >"$work/owners"
    [ "$(wc -l <"$work/owners")" -ge 15 ] || { echo "struct core was not understood"; return; }
    while read -r member owner; do
        for file in $(find "$1" -name "*.[ch]"); do
            name=$(basename "$file")
            [ "$name" = "$owner" ] && continue
            # core_internal.h has what is inlined into many files: issue_refresh is issue.c's.
            [ "$name" = core_internal.h ] && [ "$member" = issue ] && continue
            grep -nE "\<c->$member\.|\*[a-z_]+ = &c->$member;" "$file" | sed "s,^,$name:,"
        done
    done <"$work/owners"
    grep -rnE --include="*.c" '\<c->(config|env)\.[a-z_]*(\[[^]]*\])? *([-+|&]?=[^=]|\+\+|--)' "$1" | grep -v '/core\.c:'
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
    for line in 'x = c->fetch.busy;' 'struct lsu *l = &c->lsu;' 'c->config.warps = 1;'; do
        echo "$line" >"$work/copy/pipeline/wheel.c"
        [ "$(foreign "$work/copy" | wc -l)" -eq 1 ] || { echo "not found: $line"; return 1; }
    done
}

check "subjects: a file of sim/simt looks into its own struct only" alone
check "subjects: the check finds what is out of place" found
finish
