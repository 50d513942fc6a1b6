# Missing packages are named and not installed with DEPS=0; an old Verilator is refused by name.
. tests/e2e/lib.sh.inc
unset MAKEFLAGS MAKELEVEL MFLAGS

mkdir "$work/tree"
cp -r Makefile mk "$work/tree/"
{
    cat packages.txt
    echo "evgpu-no-such-package /no/such/file run"
    echo "evgpu-other-package no-such-command test"
} >"$work/tree/packages.txt"
check "a missing package is named" sh -c \
    "make -C $work/tree DEPS=0 deps | grep -q 'missing packages:.* evgpu-no-such-package'"
check "... but not one of another class" sh -c \
    "! make -C $work/tree DEPS=0 deps | grep -q evgpu-other-package"
check "... and that one when it is needed" sh -c \
    "make -C $work/tree DEPS=0 deps DEPS_FOR='run test' | grep -q evgpu-other-package"

for version in 4.038 5.004 5.006 5.020 6.1; do
    printf '#!/bin/sh\necho "Verilator %s 2021-01-01"\n' "$version" >"$work/v$version"
    chmod +x "$work/v$version"
done
refused() {
    ! make check-tools VERILATOR="$work/v$1" 2>"$work/message" &&
        grep -q "Verilator 5.006 or later is needed" "$work/message"
}
check "Verilator 4.038 is refused" refused 4.038
check "Verilator 5.004 is refused" refused 5.004
for version in 5.006 5.020 6.1; do
    check "Verilator $version is taken" make check-tools VERILATOR="$work/v$version"
done
check "no Verilator is refused" refused none

printf '#!/bin/sh\necho "clang version 14.0.6"\n' >"$work/other-cc"
chmod +x "$work/other-cc"
fast() { # fast BUILD CC TEXT: refused, and says why
    ! CC=$2 sh mk/fast.sh "$1" 1 >"$work/message" && tail -n 1 "$work/message" | grep -q "^fast: FAIL: .*$3"
}
check "make fast wants gcc" fast "$build" "$work/other-cc" "is another compiler"
check "... and a finished build" fast "$work" cc "evgpu is not built"
finish
