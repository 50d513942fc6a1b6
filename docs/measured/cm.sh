#!/bin/sh
# Prints the results of docs/measured/cm.md from the tables of `evgpu experiment cm`. Run by
# `make heterogeneous` in the project's directory.
# Usage: heterogeneous.sh FOLDER
set -e
for name in cm-fig16 cm-fig17 cm-fig15 cm-fig18 cm-fig19 cm-fig20 cm-table2 cm-fig1 cm-fig3 cm-fig4 cm-fig5 cm-fig6 \
    cm-fig8 cm-fig9 cm-fig10 cm-4sm cm-partitioned cm-thresholds; do
    [ -f "$1/$name/$name.txt" ] || continue
    sed -n "1s/^$name: \(.*\)/### \1 (\`$name\`)/p" "$1/$name/$name.txt"
    printf '\n```\n'
    sed '1,2d' "$1/$name/$name.txt"
    printf '```\n\n'
done
