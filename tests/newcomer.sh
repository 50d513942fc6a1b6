#!/bin/sh
# What somebody meets who has Debian 12 and nothing else: makes a root with debootstrap's minimal set,
# git and make, clones this repository's HEAD into it and runs README's commands there.
#
# Usage: tests/newcomer.sh [run] [test]     (default: both)
#
# Needs root and mmdebstrap or debootstrap. Takes mirrors and apt settings of the running system. About
# 1.5 GB below TMPDIR (/var/tmp), removed at the end unless KEEP=1. Ends with one verdict line; the
# exit status is 0 only if every command succeeded. Not part of `make test`: run it before closing
# work that adds a package.
set -u

die() {
    echo "newcomer: $*" >&2
    exit 2
}

[ "$#" -gt 0 ] || set -- run test
for command in "$@"; do
    case $command in
    run | test) ;;
    *) die "$command: must be run or test" ;;
    esac
done
[ "$(id -u)" = 0 ] || die "must be root, to make a root file system and enter it"
cd "$(dirname "$0")/.." || exit 2
repository=$(git rev-parse --show-toplevel) || die "not a git repository"

# --- mirrors and settings of this system ----------------------------------------------------------
release=bookworm
sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | awk -v r="$release" 'index($3, r) == 1' | sort -u)
[ -n "$sources" ] || die "apt here knows no source of Debian 12 ($release); try apt-get update"
mirror=$(printf '%s\n' "$sources" | awk -v r="$release" '$3 == r { print $2; exit }')

work=$(mktemp -d "${TMPDIR:-/var/tmp}/newcomer.XXXXXX") || exit 2
root=$work/root
finish() {
    for m in dev/pts dev/shm proc; do
        ! mountpoint -q "$root/$m" 2>/dev/null || umount -l "$root/$m"
    done
    if [ "${KEEP:-0}" = 1 ]; then
        echo "newcomer: kept $work"
    elif grep -q " $work/" /proc/mounts 2>/dev/null; then
        echo "newcomer: something is still mounted below $work; not removed" >&2
    else
        rm -rf "$work"
    fi
}
trap finish EXIT
trap 'exit 130' INT TERM

printf '%s\n' "$sources" >"$work/sources.list"
apt-config dump --no-empty | grep -E '^Acquire::.*(Proxy|Retries|Check-Valid-Until|Timeout)' \
    >"$work/apt.conf"

# --- the root -------------------------------------------------------------------------------------
verdict() { # verdict STATUS TEXT
    [ "$1" = 0 ] && word=OK || word=FAILED
    echo "NEWCOMER $word: $2"
    exit "$1"
}

bootstrap() {
    if command -v mmdebstrap >/dev/null; then
        mmdebstrap --quiet --variant=minbase --include=git,make,ca-certificates \
            --aptopt="$work/apt.conf" "$release" "$root" "$work/sources.list"
    elif command -v debootstrap >/dev/null; then
        debootstrap --variant=minbase --include=git,make,ca-certificates "$release" "$root" \
            "$mirror" && cp "$work/sources.list" "$root/etc/apt/sources.list"
    else
        die "neither mmdebstrap nor debootstrap is installed"
    fi
}

bootstrap >"$work/bootstrap.log" 2>&1 || {
    tail -n 5 "$work/bootstrap.log" >&2
    verdict 1 "the bare root could not be made"
}
cp "$work/apt.conf" "$root/etc/apt/apt.conf.d/99host"
[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# Mirrors behind a proxy of one's own are trusted there as they are here.
[ ! -e /etc/ssl/certs/ca-certificates.crt ] ||
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
# Devices are those that the bootstrap made, so that this system's own cannot help or hinder.
mkdir -p "$root/dev/pts" "$root/dev/shm"
mount -t proc proc "$root/proc" && mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" &&
    mount -t devpts -o newinstance,mode=620,ptmxmode=666 devpts "$root/dev/pts" &&
    ln -sf pts/ptmx "$root/dev/ptmx" || verdict 1 "proc, shm and pts could not be mounted in $root"
[ -c "$root/dev/null" ] || verdict 1 "no devices in $root: is ${TMPDIR:-/var/tmp} mounted nodev?"
git clone --quiet --no-hardlinks "$repository" "$root/root/evgpu" ||
    verdict 1 "git clone of $repository"

# --- README's commands ----------------------------------------------------------------------------
said=
for command in "$@"; do
    log=$work/make-$command.log
    from=$(date +%s)
    # An environment of its own: nothing of the caller's tools or settings.
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 \
        chroot "$root" sh -c "cd /root/evgpu && make $command" >"$log" 2>&1
    status=$?
    seconds=$(($(date +%s) - from))
    if [ "$status" != 0 ]; then
        tail -n 30 "$log" >&2
        verdict 1 "make $command ended with status $status after $seconds s"
    fi
    said="${said:+$said; }make $command $seconds s ($(tail -n 1 "$log"))"
done
verdict 0 "$said"
