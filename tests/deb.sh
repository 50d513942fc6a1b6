#!/bin/sh
# The Debian package where there is nothing else: makes a bare root, installs FILE.deb there with apt, and uses it
# as a plain user: a service beside a CUDA program, machines, an experiment, a view, manual pages, completions.
# Then removes it, which leaves nothing.
#
# Usage: tests/deb.sh FILE.deb
#
# Needs root and mmdebstrap or debootstrap. Its last line is a verdict. Exit status 0: every step succeeded, 1: one
# has failed, 3: the bare root could not be made.
set -u
package=$(realpath "${1:?a package}") && [ -r "$package" ] || exit 2
cd "$(dirname "$0")/.." || exit 2

impossible() { # impossible TEXT [LOG]
    [ -z "${2:-}" ] || tail -n 5 "$2"
    echo "DEB IMPOSSIBLE: the bare root could not be made: $1"
    exit 3
}
bare_name=deb
bare_packages=ca-certificates
. tests/bare_root.sh.inc
cp "$package" "$root/root/evgpu.deb"

steps=0
step() { # step NAME COMMAND
    waiting enter "$2" >"$work/step.log" 2>&1 </dev/null || {
        tail -n 20 "$work/step.log"
        echo "DEB FAILED: $1"
        exit 1
    }
    steps=$((steps + 1))
    echo "ok $1"
}
as_user() { # as_user NAME COMMAND: as somebody with no rights in a folder of their own
    step "$1" "su -s /bin/sh -c 'cd ~ && $2' guest"
}
step "apt installs it with what it needs" 'apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /root/evgpu.deb gnuplot-nox man-db bash-completion jq &&
    useradd -m guest'
as_user "a service beside a program of the package" \
    "evgpu run --service ipv4,packets=640,route-count=1000 --program /usr/lib/evgpu/apps/vectorAdd --json run.json &&
    jq -e . run.json >/dev/null"
as_user "a machine by its name" "evgpu config gtx580.ini | grep -q gpu.cores"
as_user "experiments" "evgpu experiment --list | grep -q fe-fig10"
as_user "a row of an experiment, with its pictures" "evgpu experiment fe-fig10 --only 4K --out results"
as_user "a service's kernel" "evgpu run --service ipv6,packets=64,route-count=1000 --background 0 --tiles model"
as_user "views" "evgpu wave --list | grep -qx events"
as_user "documents" "test -r /usr/share/doc/evgpu/docs/tour.md && test -r /usr/share/doc/evgpu/copyright"
as_user "manual pages" "man evgpu-run | grep -q service && man evgpu.ini | grep -q gpu.cores && man evgpu | grep -q experiment"
as_user "completion of bash" "bash -c \". /usr/share/bash-completion/completions/evgpu
    COMP_WORDS=(evgpu run --serv) COMP_CWORD=2; _evgpu 2>/dev/null; test \\\"\\\${COMPREPLY[0]}\\\" = --service=\""
step "the toolkit, with its recommended compiler" \
    'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends clang-14 g++ libc6-dev'
cat >"$root/tmp/k.cu" <<'CUDA'
#include <cuda_runtime.h>
__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
int main(void)
{
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    fill<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    return h[31] != 31;
}
CUDA
as_user "nvcc compiles a program, which runs by itself" \
    "\"\$(evgpu cuda-home)/bin/nvcc\" /tmp/k.cu -o k && EVGPU_FLAGS=\"--tiles model\" ./k"
step "apt removes it, and nothing stays" 'apt-get remove -y -qq evgpu && ! find / -xdev -name "*evgpu*" \
    -not -path "/proc/*" -not -path "/root/*" -not -path "/home/*" -not -path "/var/*" -not -path "/tmp/*" | grep .'
echo "DEB OK: $steps steps, $(du -k "$package" | cut -f 1) KiB"
