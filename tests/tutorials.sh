#!/bin/sh
# The tutorials that change the tree, word for word, each in a copy of tree and build folder.
# Usage: tutorials.sh BUILD [PAGE...]; pages of docs/guide, all of them by default. The last line is a verdict.
cd "$(dirname "$0")/.." || exit 2
EVGPU_BUILD=${1:?BUILD}
root=$(pwd)
finished=$(cd "$EVGPU_BUILD" && pwd) || exit 2
shift
. tests/e2e/lib.sh.inc
. tests/tutorial.sh.inc
unset MAKEFLAGS MAKELEVEL MFLAGS
EVGPU_BUILD=build
DEPS=0
export EVGPU_BUILD DEPS

copy() { # copy FOLDER
    mkdir "$1" && git ls-files -z | xargs -0 cp -a --parents -t "$1" && cp -a "$finished" "$1/build"
}
began=$(date +%s)
pages=0
for page in ${*:-own-policy own-service}; do
    rm -rf "$work/tree" "$work/blocks"
    check "a copy of the tree for $page" copy "$work/tree"
    cd "$work/tree" || exit 2
    tutorial "docs/guide/$page.md"
    cd "$root" || exit 2
    pages=$((pages + 1))
done
seconds=$(($(date +%s) - began))
if [ "$failures" -eq 0 ]; then
    echo "TUTORIALS OK: $pages in $((seconds / 60)) min $((seconds % 60)) s"
else
    echo "TUTORIALS FAILED: $failures checks of $pages pages"
    exit 1
fi
