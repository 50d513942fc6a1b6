#!/bin/sh
# put.sh FILE MARKER TEXT [plain]: the lines of the file TEXT take the place of those in the document FILE
# between <!-- MARKER --> and <!-- end -->, below a comment on what measured them unless they are plain.
# Status 1, and FILE unchanged, when it has no such marker.
origin=
[ "$4" = plain ] || origin=$(sh "$(dirname "$0")/origin.sh")
new=$(mktemp) || exit 1
trap 'rm -f "$new"' EXIT
awk -v marker="<!-- $2 -->" -v text="$3" -v origin="$origin" '
    $0 == marker { print; if (origin) print origin; while ((getline line < text) > 0) print line; skip = 1; found = 1; next }
    $0 == "<!-- end -->" { skip = 0 }
    !skip { print }
    END { exit !found }' "$1" >"$new" || {
    echo "$1: no line <!-- $2 -->" >&2
    exit 1
}
cat "$new" >"$1"
