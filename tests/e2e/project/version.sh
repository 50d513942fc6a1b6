# What a build says of itself: commit and state of a git tree, of an archive of it, of a tree without
# either; and that kept results do not depend on it.
. tests/e2e/lib.sh.inc

tree=$work/tree
git() {
    command git -C "$tree" -c user.name=test -c user.email=test@example.org "$@"
}
mkdir -p "$tree/mk"
cp VERSION .gitattributes "$tree/"
cp mk/version.sh mk/commit "$tree/mk/"
release=$(cat VERSION)
says() { # says TEXT [TREE]
    said=$(sh "${2:-$tree}/mk/version.sh")
    [ "$said" = "$release $1" ] || { echo "it says: $said"; return 1; }
}
check "version: a tree of unknown origin" says "unknown clean"
git init -q 2>"$work/out"
git add .
git commit -qm one
commit=$(git rev-parse HEAD)
check "version: a commit" says "$commit clean"
touch "$tree/VERSION"
check "... a file with another time is the same" says "$commit clean"
echo >"$tree/new"
check "... a file that is not git's does not count" says "$commit clean"
echo "# more" >>"$tree/mk/version.sh"
check "... a changed file does" says "$commit dirty"
git checkout -q mk/version.sh
mkdir "$work/archive"
git archive HEAD | tar xf - -C "$work/archive"
check "version: an archive has its commit" says "$commit clean" "$work/archive"

sh "$tree/mk/version.sh" "$work/version.h"
touch -d 2001-01-01 "$work/version.h"
cp -p "$work/version.h" "$work/version.before"
sh "$tree/mk/version.sh" "$work/version.h"
check "version: the C file keeps its time" sh -c "! [ '$work/version.h' -nt '$work/version.before' ]"
echo "# more" >>"$tree/mk/version.sh"
sh "$tree/mk/version.sh" "$work/version.h"
check "... until the tree changes" grep -q dirty "$work/version.h"

check "evgpu --version is one line" sh -c \
    "$evgpu --version | grep -Eqx 'evgpu $release \(([0-9a-f]{12}|unknown)(, dirty)?\)'"

# The same evgpu of another commit: its bytes differ in nothing else.
cat >"$work/tiny.ini" <<'END'
[experiment]
title = A small mesh
[vary load]
low = 0.01
[simulation]
command = mesh
ticks = 100
rate = {load}
[figures]
latency = latency
[table]
rows = load
cell = latency
END
# "unknown" would be a word of other texts, too.
was=$("$evgpu" --version | sed 's/.*(\([^,)]*\).*/\1/')
[ "$was" != unknown ] || { skip "version: kept results of another commit: this build has none"; finish; }
sed "s/$was/$(echo "$was" | tr 0-9a-z 1-9a-z0)/" "$evgpu" >"$work/evgpu"
chmod +x "$work/evgpu"
for f in "$build"/*; do
    case $f in */evgpu) ;; *) ln -s "$PWD/$f" "$work/" 2>/dev/null ;; esac
done
check "another commit says so" sh -c "! '$work/evgpu' --version | grep -qF '$was'"
check "a result" "$evgpu" experiment "$work/tiny.ini" --out "$work/results"
check "... is kept for a build that differs in its commit alone" sh -c \
    "'$work/evgpu' experiment '$work/tiny.ini' --out '$work/results' | grep -q ' 0 run, 1 kept'"
printf x >>"$work/evgpu"
check "... and not for another one" sh -c \
    "'$work/evgpu' experiment '$work/tiny.ini' --out '$work/results' | grep -q ' 1 run, 0 kept'"
finish
