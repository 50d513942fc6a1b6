#!/bin/sh
# Prints the results of docs/measured/cm.md from the tables of `evgpu experiment cm`. Run by
# `make heterogeneous` in the project's directory. Fails if a table or a value is missing.
# Usage: cm.sh FOLDER
set -e
incomplete() { # incomplete FILE: a field that is only a dash; cm-fig14's averages may be invalid
    case $1 in *cm-fig14.txt) return 1 ;; esac
    awk '{ for (i = 1; i <= NF; i++) if ($i == "-") found = 1 } END { exit !found }' "$1"
}
for name in cm-fig16 cm-fig17 cm-fig15 cm-fig18 cm-fig19 cm-fig20 cm-refresh cm-dyncta cm-draws cm-machines \
    cm-mcf cm-table2 cm-table3 cm-fig1 cm-fig3 cm-fig4 cm-fig5 cm-fig6 cm-fig7 cm-fig8 cm-fig9 cm-fig10 cm-fig13 \
    cm-fig14 cm-4sm cm-partitioned cm-thresholds; do
    text=$1/$name/$name.txt
    if [ ! -f "$text" ] || incomplete "$text"; then
        echo "cm.sh: $text is missing or incomplete: run evgpu experiment $name" >&2
        exit 1
    fi
    sed -n "1s/^$name: \(.*\)/### \1 (\`$name\`)/p" "$text"
    printf '\n```\n'
    sed '1,2d' "$text"
    printf '```\n\n'
done
