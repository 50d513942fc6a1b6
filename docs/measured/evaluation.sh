#!/bin/sh
# Prints the tables of a group of experiments, or of one, for its page in docs/measured, in the order of its members.
# Run by `make evaluation` in the project's directory. Fails if a table or a value is missing.
# Usage: evaluation.sh FOLDER GROUP
set -e
incomplete() { # incomplete FILE: a field that is only a dash; cm-fig14's averages may be invalid, and cm-scale takes hours
    case $1 in *cm-fig14.txt | *cm-scale.txt) return 1 ;; esac
    awk '{ for (i = 1; i <= NF; i++) if ($i == "-") found = 1 } END { exit !found }' "$1"
}
members=$(awk '/^[^ ]/ { on = 0 } /^members *=/ { on = 1; sub(/^[^=]*=/, "") } on' experiments/*/"$2.ini")
[ "$members" ] || members=$2
for name in $members; do
    text=$1/$name/$name.txt
    if [ ! -f "$text" ] || incomplete "$text"; then
        echo "evaluation.sh: $text is missing or incomplete: run evgpu experiment $name" >&2
        exit 1
    fi
    sed -n "1s/^$name: \(.*\)/### \1 (\`$name\`)/p" "$text"
    printf '\n```\n'
    sed '1,2d' "$text"
    printf '```\n\n'
done
