#!/bin/sh
# version.sh: prints what this tree is as "RELEASE COMMIT clean|dirty". version.sh FILE.h: writes it as C
# there, and leaves a file alone that says so.
# An archive that git makes has its commit in mk/commit (.gitattributes); a tree of another origin has none.
cd "$(dirname "$0")/.." || exit 1
read -r release <VERSION
state=clean
if [ -e .git ] && commit=$(git rev-parse HEAD 2>/dev/null); then
    # Two files with other times and the same text are the same.
    git diff-index --quiet HEAD 2>/dev/null || git update-index -q --refresh >/dev/null 2>&1
    git diff-index --quiet HEAD 2>/dev/null || state=dirty
else
    read -r commit <mk/commit
    case $commit in *[!0-9a-f]*) commit=unknown ;; esac
fi
[ $# -gt 0 ] || { echo "$release $commit $state"; exit; }
text="#define VERSION_RELEASE \"$release\"
#define VERSION_COMMIT  \"$commit\"
#define VERSION_STATE   \"$state\""
[ "$(cat "$1" 2>/dev/null)" = "$text" ] || echo "$text" >"$1"
