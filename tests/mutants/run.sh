#!/bin/sh
# Tests of the tests: each NAME.mutant beside this script breaks one source file, and a test must
# fail because of it. Usage: run.sh BUILD [NAME...]. BUILD holds finished test programs; it and the
# sources are copied to a scratch directory, where only what a mutant changes is built again.
#
# A mutant has three lines:
#   file: the source to break
#   sed:  the sed script that breaks it; it must change the file
#   test: the test program (tests/LAYER/test_X) or script (tests/e2e/X.sh) that must fail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
given=$1
build=$(cd "$given" && pwd) || exit 1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
failures=0

field() { # FIELD FILE
    sed -n "s/^$1: //p" "$2"
}

build_and_run() { # TEST LOG: 0 passed, 1 failed, 2 not built
    case $1 in
    *.sh) target=build/evgpu ;;
    *) target=build/$1 ;;
    esac
    # Quickly built is better than quickly run here.
    make -s DEPS=0 BUILD=build SAN=0 OPT=-O1 "$target" >"$2" 2>&1 || return 2
    case $1 in
    *.sh) EVGPU_BUILD=build timeout 600 sh "$1" >>"$2" 2>&1 || return 1 ;;
    *) timeout 300 "$target" >>"$2" 2>&1 || return 1 ;;
    esac
}

fail() { # NAME REASON
    echo "not ok mutant $1: $2"
    tail -n 8 "$scratch/log" 2>/dev/null | sed 's/^/    /'
    failures=$((failures + 1))
}

# The test of a mutant must pass as long as nothing is broken; looked at once per test.
passes_unbroken() { # TEST
    grep -qx "$1" "$scratch/good" 2>/dev/null && return 0
    build_and_run "$1" "$scratch/log" || return 1
    echo "$1" >>"$scratch/good"
}

one() { # FILE.mutant
    name=$(basename "$1" .mutant)
    file=$(field file "$1")
    test=$(field test "$1")
    if [ ! -f "$root/$file" ] || [ -z "$test" ]; then
        fail "$name" "no such file or test"
        return
    fi
    passes_unbroken "$test" || { fail "$name" "$test fails without the mutant"; return; }
    sed "$(field sed "$1")" "$root/$file" >"$file"
    if cmp -s "$root/$file" "$file"; then
        fail "$name" "changes nothing"
        return
    fi
    build_and_run "$test" "$scratch/log"
    case $? in
    0) fail "$name" "$test passes" ;;
    1) echo "ok mutant $name" ;;
    *) fail "$name" "does not build" ;;
    esac
    cp "$root/$file" "$file" # newer than what was built from the mutant
}

mkdir "$scratch/tree"
for part in Makefile packages.txt rtl tb sim sw config tests; do
    [ -e "$root/$part" ] && cp -a "$root/$part" "$scratch/tree/"
done
mkdir "$scratch/tree/build"
(cd "$build" && cp -a defgen gen obj verilated tests ./lib*.a "$scratch/tree/build/") || exit 1
[ -e "$build/evgpu" ] && cp -a "$build/evgpu" "$scratch/tree/build/"
cd "$scratch/tree" || exit 1
# What make knows about dependencies goes by the path of the build directory.
find build -name '*.d' -exec sed -i "s,$build/,build/,g; s,\(^\| \)$given/,\1build/,g" {} +

if [ $# -eq 0 ]; then
    # By file, so that what a mutant leaves behind is mostly built again anyway.
    set -- $(grep -H '^file: ' "$here"/*.mutant | sort -t: -k3 | sed 's,.*/\(.*\)\.mutant:.*,\1,')
fi
for name; do
    one "$here/$name.mutant"
done
[ "$failures" -eq 0 ]
