#!/bin/sh
# README's commands as somebody meets them who has Debian 12 and nothing else: makes a root with the minimal
# set of packages, git and make, clones this repository's HEAD into it, copies the folder `shared` beside the
# repository, if there is one, and runs `make run` and `make test` there. Their output is passed through.
#
# Usage: tests/newcomer.sh [run] [test]     (default: both)
#
# Needs root and mmdebstrap or debootstrap. Takes mirrors and apt settings of the running system. Needs 6 GB
# below TMPDIR (/var/tmp), which it gives back at the end unless KEEP=1. Its last line is a verdict. Exit
# status 0: every command succeeded. 1: one has failed. 3: the bare root could not be made.
set -u

usage() {
    echo "newcomer: $*" >&2
    exit 2
}
[ "$#" -gt 0 ] || set -- run test
for command in "$@"; do
    case $command in
    run | test) ;;
    *) usage "$command: must be run or test" ;;
    esac
done
cd "$(dirname "$0")/.." || exit 2
repository=$(pwd)

verdict() { # verdict STATUS TEXT
    case $1 in
    0) word=OK ;;
    1) word=FAILED ;;
    *) word=IMPOSSIBLE ;;
    esac
    echo "NEWCOMER $word: $2"
    exit "$1"
}
impossible() { # impossible TEXT [LOG]
    [ -z "${2:-}" ] || tail -n 5 "$2"
    verdict 3 "the bare root could not be made: $1"
}
bare_name=newcomer
bare_packages=git,make,ca-certificates
. tests/bare_root.sh.inc

git -c safe.directory='*' clone --quiet --no-hardlinks "$repository" "$root/root/evgpu" >"$work/clone.log" 2>&1 ||
    impossible "git cannot clone $repository" "$work/clone.log"
shared=$(dirname "$repository")/shared
[ ! -d "$shared" ] || cp -rL "$shared" "$root/root/shared" || impossible "$shared cannot be copied"
echo "newcomer: a bare Debian 12 with git and make, $(du -sm "$root" | cut -f 1) MB; README's commands follow"

# --- README's commands ----------------------------------------------------------------------------
command_in_root() { # COMMAND: its status is left in $work/status
    (enter "cd /root/evgpu && $1") </dev/null 2>&1
    echo $? >"$work/status"
}
said=
for command in "$@"; do
    from=$(date +%s)
    echo "newcomer: make $command"
    rm -f "$work/status"
    waiting command_in_root "make $command"
    status=$(cat "$work/status")
    seconds=$(($(date +%s) - from))
    [ "$status" = 0 ] || verdict 1 "make $command ended with status $status after $seconds s"
    said="${said:+$said; }make $command $seconds s"
done
verdict 0 "$said, $(du -sm "$root" | cut -f 1) MB"
