#!/bin/sh
# origin.sh: a comment for a page that says what measured it, when and where.
# origin.sh FILE: puts it below the page's title, in the place of an older one.
set -- "$1" "$(sh mk/version.sh)"
day=$(date -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"} +%Y-%m-%d)
line="<!-- measured with evgpu $2, $day, $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed 1q) -->"
if [ -n "$1" ]; then
    new=$(mktemp) || exit 1
    trap 'rm -f "$new"' EXIT
    awk -v line="$line" '/^<!-- measured with / { next } { print } NR == 1 { print line }' "$1" >"$new" && cat "$new" >"$1"
else
    echo "$line"
fi
