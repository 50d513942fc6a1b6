#!/bin/sh
# deps.sh CLASS...: installs the packages of these classes of packages.txt whose probe is missing; with
# DEPS=0 it names them.
wanted=$*
missing=
while read -r package probe class rest; do
    case $package in '' | \#*) continue ;; esac
    case " $wanted " in *" $class "*) ;; *) continue ;; esac
    case $probe in
    /*) [ -e "$probe" ] ;;
    *) command -v "$probe" >/dev/null 2>&1 ;;
    esac || missing="$missing $package"
done <packages.txt
[ -n "$missing" ] || exit 0
if [ "${DEPS:-1}" = 0 ]; then
    echo "evgpu: missing packages:$missing"
    exit 0
fi
echo "evgpu: installing$missing"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
