#!/bin/sh
# Tests of the tests: each mutant of by_hand.txt breaks one source file, and a test must fail because of
# it. Usage: run.sh BUILD [NAME...]; without names all of them, two at a time. BUILD holds finished test
# programs; it and the sources are copied to a scratch directory, where only what a mutant changes is
# built again. MUTANTS_TESTED=1: the caller runs the unbroken tests, too, and they are not run here.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
LIST=$here/by_hand.txt
. "$root/tests/variants.sh.inc"
. "$here/list.sh.inc"
given=$1
build=$(cd "$given" && pwd) || exit 1
shift
if [ $# -eq 0 ]; then
    mutant_names | xargs -P 2 -n 18 sh "$here/run.sh" "$given"
    exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
ulimit -c 0
failures=0

# build_and_run TEST LOG LIMIT [VARIABLE...]: 0 passed, 1 failed or took longer than LIMIT seconds, 2 not built;
# VARIABLEs are make's.
build_and_run() {
    program=$1 log=$2 target=build/$1 limit=$3
    shift 3
    case $program in
    *.sh) target=build/evgpu ;;
    *.task | *.v) target=build/gen/.stamp ;;
    esac
    # Quickly built is better than quickly run here: a tile in one compilation, hardly optimised, and without waveforms
    # unless the test writes some.
    set -- BUILD=build OPT=-Og 'short_functions=$(SHORT_FUNCTIONS)' "$@" "$target"
    case $program in
    tests/tb/*)
        grep -q tile_trace "$program.c" || set -- VTRACE= "$@"
        make_with_variants "$(variants_of "$program.c")" "$@"
        ;;
    *) make -s DEPS=0 SAN=0 "$@" ;;
    esac >"$log" 2>&1 || return 2
    case $program in
    *.sh) EVGPU_BUILD=build timeout "$limit" sh "$program" ;;
    *.v) timeout "$limit" sh tests/rtl/run.sh build "$program" ;;
    *.task) timeout "$limit" sh tests/formal/run.sh build -q "$(basename "$program" .task)" ;;
    *) CMOCKA_TEST_ABORT=1 timeout "$limit" "$target" ;; # its first failure is enough
    esac >>"$log" 2>&1 || return 1
}

# without_assertions FILE TEST [VARIABLE...]: the same of a tile whose modules have no assertions, which are most of its
# compilation; 0 where that says nothing of the mutant. A test that fails without them fails with them.
without_assertions() {
    case $1:$2 in
    rtl/*/properties/*) return 0 ;;
    rtl/*:tests/tb/*) ;;
    *) return 0 ;;
    esac
    noticed_by=$2
    shift 2
    build_and_run "$noticed_by" "$scratch/log" "$limit_here" ASSERTIONS='--noassert -Wno-UNUSEDSIGNAL' "$@"
}

fail() { # NAME REASON
    echo "not ok mutant $1: $2"
    tail -n 8 "$scratch/log" 2>/dev/null | sed 's/^/    /'
    failures=$((failures + 1))
}

# The build is as before anything was broken, times included: so no mutant costs the next one anything.
put_back() {
    find build -type f -newer "$scratch/start" | while read -r made; do
        cp -p "$scratch/finished/$made" "$made" 2>/dev/null || rm "$made"
    done
}

one() { # NAME
    name=$1
    file=$(mutant "$name" file)
    test=$(mutant "$name" test)
    [ -n "$file" ] || { fail "$name" "by_hand.txt has no such mutant"; return; }
    [ -f "$root/$file" ] || { fail "$name" "no file $file"; return; }
    limit_here=$(sed -n "s,^$test ,,p" "$scratch/good")
    [ -n "$limit_here" ] || { fail "$name" "$test fails without the mutant"; return; }
    sed "$(mutant "$name" sed)" "$root/$file" >"$file"
    if cmp -s "$root/$file" "$file"; then
        fail "$name" "changes nothing"
    else
        # No object of C depends on Verilog, and to read what each depends on is most of make's work.
        case $file in rtl/*.v | rtl/*.vh) set -- DEPENDENCIES= ;; *) set -- ;; esac
        without_assertions "$file" "$test" "$@"
        result=$?
        if [ "$result" -ne 1 ]; then
            put_back # the tile without assertions
            build_and_run "$test" "$scratch/log" "$limit_here" "$@"
            result=$?
        fi
        case $result in
        0) fail "$name" "$test passes" ;;
        1) echo "ok mutant $name" ;;
        *) fail "$name" "does not build" ;;
        esac
    fi
    put_back
    cp -p "$root/$file" "$file"
}

mkdir "$scratch/tree"
for part in Makefile mk packages.txt base rtl tb sim sw config tests; do
    [ -e "$root/$part" ] && cp -a "$root/$part" "$scratch/tree/"
done
mkdir "$scratch/tree/build"
(cd "$build" && cp -a defgen gen obj verilated ./lib*.a "$scratch/tree/build/") || exit 1
tests=$(for name; do mutant "$name" test; done | sort -u)
for program in evgpu $tests; do
    [ -x "$build/$program" ] && (cd "$build" && cp -a --parents "$program" "$scratch/tree/build/")
done
# Kernels, and the headers that they are made from.
(cd "$build" && find . \( -name '*.ptx' -o -path './sw/*.d' \) -exec cp -a --parents {} "$scratch/tree/build/" \;)
cd "$scratch/tree" || exit 1
# What make knows about dependencies goes by the path of the build directory.
find build -name '*.d' -exec sed -i "s,$build/,build/,g; s,\(^\| \)$given/,\1build/,g" {} +

# The test of a mutant must pass as long as nothing is broken. A mutant hangs if its test takes a minute more
# than 20 times as long; half an hour, where the test has not run unbroken.
: >"$scratch/good"
for test in $tests; do
    if [ "${MUTANTS_TESTED:-0}" = 1 ]; then
        echo "$test 1800" >>"$scratch/good"
        continue
    fi
    began=$(date +%s)
    build_and_run "$test" "$scratch/log" 3600 &&
        echo "$test $((20 * ($(date +%s) - began) + 60))" >>"$scratch/good"
done
mkdir "$scratch/finished"
cp -a build "$scratch/finished/"
touch "$scratch/start"
for name; do
    one "$name"
done
[ "$failures" -eq 0 ]
