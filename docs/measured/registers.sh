#!/bin/sh
# Prints the table of docs/measured/registers.md: the registers of every kernel of the tree, beside those that NVIDIA's
# assembler gives it. Run by `make registers` in the project's directory.
# Usage: registers.sh BUILD. With PTXAS=FILE that assembler is asked again, for sm_50, and
# docs/measured/registers.ptxas holds its answers afterwards; else they are those that the file has.
set -e
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files=$(cd "$build" && ls sw/apps/*/*.ptx sw/services/*/*.ptx)

if [ -n "$PTXAS" ]; then
    for file in $files; do
        # An sm_35 of today's assemblers: the oldest that they know.
        sed 's/^\.target.*/.target sm_50/; s/^\.version.*/.version 6.3/' "$build/$file" >"$work/ptx"
        "$PTXAS" -arch=sm_50 -v -o /dev/null "$work/ptx" 2>&1 | awk -v file="$(basename "$file" .ptx)" '
            /Compiling entry/ { split($0, part, "\047"); kernel = part[2] }
            match($0, /Used [0-9]+/) { print file, kernel, substr($0, RSTART + 5, RLENGTH - 5) }'
    done | sort -u >docs/measured/registers.ptxas
fi

for file in $files; do
    "$build/evgpu" kernel --list "$build/$file" |
        awk -v file="$(basename "$file" .ptx)" 'NR > 1 { print file, $1, $2, $3, $5 }'
done | sort -u >"$work/ours"

awk '
    function up(n) { return n < 4 ? 4 : int((n + 3) / 4) * 4 }
    NR == FNR { theirs[$1 " " $2] = $3; next }
    {
        key = $1 " " $2
        if (!(key in theirs)) {
            print "registers.sh: docs/measured/registers.ptxas has no " key > "/dev/stderr"
            exit 1
        }
        ratio = $3 / up(theirs[key])
        logs += log(ratio)
        n++
        over += ratio > 1.3
        worst = ratio > worst ? ratio : worst
        row[n] = sprintf("%06.3f|| %s | %s | %d | %d | %d | %.2f |", ratio, $1, $2, $3, $4, theirs[key], ratio)
    }
    END {
        if (!n)
            exit 1
        printf "%d kernels: geometric mean %.3f, highest %.2f, %d over 1.3.\n\n", n, exp(logs / n), worst, over
        print "| file | kernel | registers | rows of constants | ptxas | ratio |"
        print "|---|---|---|---|---|---|"
        for (i = 1; i <= n; i++)
            print row[i] | "sort -r | sed \"s/^[^|]*|//\""
    }' docs/measured/registers.ptxas "$work/ours"
