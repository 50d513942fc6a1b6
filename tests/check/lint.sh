# Lint of what has changed (EVGPU_CHANGED names a file of file names): the format of C, modules of rtl/ by
# themselves, shell scripts, which file writes what.
. tests/e2e/lib.sh.inc

present() { # present PATTERN: changed files that are there
    grep -E "$1" "$EVGPU_CHANGED" | while read -r file; do
        [ ! -e "$file" ] || echo "$file"
    done
}
sources=$(present '\.(c|h|cpp)$')
if ! command -v clang-format >/dev/null; then
    skip "lint: clang-format is not installed"
elif [ -n "$sources" ]; then
    check "lint: format of $(echo "$sources" | wc -l) files" clang-format --dry-run -Werror $sources
fi
modules=$(present '^rtl/[a-z]*/[a-z_0-9]*\.v$')
[ -z "$modules" ] || LINT_FILES=$(echo $modules) sh tests/e2e/rtl/lint.sh || failures=$((failures + 1))
for script in $(present '\.(sh|sh\.inc)$'); do
    check "lint: $script" sh -n "$script"
done
check "lint: no blanks at the end of a line" sh -c "! grep -nE '[ 	]+\$' $(present '\.(c|h|cpp|v|vh|sh|inc|mk|py|md)$' | tr '\n' ' ') /dev/null"
sh tests/e2e/project/subjects.sh || failures=$((failures + 1))
finish
