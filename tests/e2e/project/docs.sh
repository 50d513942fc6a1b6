# Documents: what they say about the tree is true of it (tests/e2e/project/docs.py).
. tests/e2e/lib.sh.inc

docs() {
    python3 -B tests/e2e/project/docs.py "$@"
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

# compiles RECIPE: its C files, in a copy of the sources that it has changed.
compiles() {
    mkdir "$work/recipe" &&
        git ls-files -z base sim sw/services tb tests/unit.h tests/mem tests/ptx tests/tb rtl/evgpu.def |
        xargs -0 cp --parents -t "$work/recipe" &&
        (cd "$work/recipe" && git apply --include='*.[ch]' --include='*.def' -) <"$1" &&
        (cd "$work/recipe" && mkdir gen && "$defgen" rtl/evgpu.def gen tb/wave/views.def &&
            for file in $(sed -n 's,^+++ b/\(.*\.c\)$,\1,p' "$root/$1"); do
                cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I. -Igen "$file" || exit 1
            done)
    status=$?
    rm -rf "$work/recipe"
    return $status
}

root=$PWD
[ -x "$build/defgen" ] && defgen=$(cd "$build" && pwd)/defgen
for recipe in docs/recipes/*.diff; do
    check "$recipe applies" git apply --check "$recipe"
    if [ "$defgen" ]; then
        check "... and compiles" compiles "$recipe"
    else
        skip "... and compiles: $build/defgen is not built"
    fi
done
finish
