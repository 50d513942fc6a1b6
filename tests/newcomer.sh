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
[ "$(id -u)" = 0 ] || impossible "only root can make and enter a root file system"

# --- mirrors and settings of this system ----------------------------------------------------------
release=bookworm
sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' 2>/dev/null | awk -v r="$release" 'index($3, r) == 1' | sort -u)
[ -n "$sources" ] || impossible "apt here knows no source of Debian 12 ($release); try apt-get update"
mirror=$(printf '%s\n' "$sources" | awk -v r="$release" '$3 == r { print $2; exit }')

# --- what is made is taken away ---------------------------------------------------------------------
work=$(mktemp -d "${TMPDIR:-/var/tmp}/newcomer.XXXXXX") || impossible "no room below ${TMPDIR:-/var/tmp}"
root=$work/root
job=
kill_tree() { # PID: the parents first, which would start others
    kill_children=$(cat "/proc/$1/task"/*/children 2>/dev/null)
    kill -KILL "$1" 2>/dev/null
    for child in $kill_children; do
        (kill_tree "$child")
    done
}
in_root() { # the processes whose root it is
    ls -l /proc/[0-9]*/root 2>/dev/null | sed -n "s,.* /proc/\([0-9]*\)/root -> $root\$,\1,p"
}
finish() {
    trap '' INT TERM HUP
    [ -z "$job" ] || kill_tree "$job"
    # Its parents may have got the signal, too.
    while inside=$(in_root) && [ -n "$inside" ]; do
        kill -KILL $inside 2>/dev/null
        sleep 0.1
    done
    # A bootstrap that was killed may leave some.
    awk -v work="$work/" 'index($2, work) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mounted; do
        umount -l "$mounted"
    done
    if [ "${KEEP:-0}" = 1 ]; then
        echo "newcomer: kept $work"
    else
        rm -rf --one-file-system "$work"
    fi
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# A shell obeys a signal while it waits, not while a command runs before its eyes.
waiting() { # waiting COMMAND...
    "$@" &
    job=$!
    wait "$job"
    set -- $?
    job=
    return "$1"
}

# --- the root -------------------------------------------------------------------------------------
free=$(df -Pk "$work" | awk 'NR == 2 { print int($4 / 1000000) }')
[ "$free" -ge 6 ] || impossible "$free GB are free below $work, 6 are needed"
printf '%s\n' "$sources" >"$work/sources.list"
apt-config dump --no-empty | grep -E '^Acquire::.*(Proxy|Retries|Check-|Timeout)' >"$work/apt.conf"

bootstrap() {
    if command -v mmdebstrap >/dev/null; then
        mmdebstrap --quiet --variant=minbase --include=git,make,ca-certificates \
            --aptopt="$work/apt.conf" "$release" "$root" "$work/sources.list"
    elif command -v debootstrap >/dev/null; then
        debootstrap --variant=minbase --include=git,make,ca-certificates "$release" "$root" \
            "$mirror" && cp "$work/sources.list" "$root/etc/apt/sources.list"
    else
        echo "neither mmdebstrap nor debootstrap is installed"
        return 1
    fi
}
waiting bootstrap >"$work/bootstrap.log" 2>&1 </dev/null ||
    impossible "$(command -v mmdebstrap || command -v debootstrap || echo no bootstrap) failed" "$work/bootstrap.log"
cp "$work/apt.conf" "$root/etc/apt/apt.conf.d/99host"
[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# Mirrors behind a proxy of one's own are trusted there as they are here.
[ ! -e /etc/ssl/certs/ca-certificates.crt ] ||
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"

# enter COMMAND: runs in the root, with processes and mounts of its own that end with it, and an environment
# of its own: nothing of the caller's tools or settings but the way to the network.
enter() {
    exec unshare --mount --pid --fork --kill-child=KILL sh -c '
        root=$0
        mkdir -p "$root/dev/pts" "$root/dev/shm" &&
            mount -t proc proc "$root/proc" && mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" &&
            mount -t devpts -o newinstance,mode=620,ptmxmode=666 devpts "$root/dev/pts" &&
            ln -sf pts/ptmx "$root/dev/ptmx" || exit 125
        for device in null zero full random urandom tty; do # where the bootstrap may not make them
            [ -c "$root/dev/$device" ] || { touch "$root/dev/$device" &&
                mount --bind "/dev/$device" "$root/dev/$device"; } || exit 125
        done
        exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
            ${no_proxy:+no_proxy="$no_proxy"} chroot "$root" sh -c "$1"' "$root" "$1"
}
waiting enter 'set -e; test -r /proc/self/status; test -c /dev/ptmx' >"$work/enter.log" 2>&1 </dev/null ||
    impossible "it cannot be entered with proc, shm and pts mounted" "$work/enter.log"
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
