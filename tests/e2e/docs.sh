# Documents: what they say about the tree is true of it (tests/e2e/docs.py).
. tests/e2e/lib.sh.inc

docs() {
    python3 -B tests/e2e/docs.py "$@"
}

notices() { # CHECK LINE: the check finds the one mistake of a page with that line
    echo "$2" >"$work/page.md"
    docs "$1" "$work/page.md"
    [ $? -eq 1 ]
}

check "links lead to files and headings" docs links
check "... a wrong one is noticed" notices links '[tour](tour.md#nowhere)'
check "paths exist" docs paths
check "... a wrong one is noticed" notices paths 'see `base/no_such_file.c`'
check "functions are where the documents say" docs functions
check "... a wrong one is noticed" notices functions 'see `base/alloc.c:no_such_function`'
check "table cells have under 25 words" docs cells
check "... a long one is noticed" notices cells "| $(seq -s ' ' 25) |"
finish
