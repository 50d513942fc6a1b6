#!/bin/sh
# Compiles CUDA C to PTX for evgpu: sw/cu2ptx.sh KERNEL.cu KERNEL.ptx [clang option ...]
# A --cuda-gpu-arch among the options takes the place of sm_35, -g0 leaves out the source lines.
# Needs clang 14 (Debian package clang-14), no CUDA toolkit. CLANG names another clang++. The first line
# of the PTX names its source.
set -e
if [ $# -lt 2 ]; then
    echo "usage: $0 KERNEL.cu KERNEL.ptx [clang option ...]" >&2
    exit 2
fi
source=$1
output=$2
shift 2
include=$(dirname "$0")/include
root=$(cd "$(dirname "$0")/.." && pwd)
arch=--cuda-gpu-arch=sm_35
case " $*" in
*" --cuda-gpu-arch="* | *" --offload-arch="*) arch= ;;
esac
clang=${CLANG:-clang++-14}
if ! command -v "$clang" >/dev/null; then
    echo "$0: $clang is not installed (Debian package clang-14)" >&2
    exit 2
fi
flags=$(sed -n 's,^// cu2ptx: ,,p' "$source")
made=$(mktemp)
trap 'rm -f "$made"' EXIT
"$clang" -x cuda --cuda-device-only $arch \
    -Xclang -target-feature -Xclang +ptx60 -nocudainc -nocudalib --cuda-path=/nonexistent -D__CUDACC__ -D__NVCC__ -gline-directives-only \
    -isystem "$include" -isystem "$include/../cuda/include" -include cuda_runtime.h -O2 $flags "$@" -S "$source" -o "$made"
# Source files are named from this tree's root and clang's own from its folder, so that the same
# source gives the same PTX everywhere; labels of the line table, which nothing refers to, go.
awk -v root="$root/" -v own="$("$clang" -print-resource-dir)/" -v source="$source" '
    NR == 1 { print "// Generated from " source " by sw/cu2ptx.sh; do not edit" }
    /^(Ltmp|Lfunc_begin|Lfunc_end)[0-9]+:$/ { next }
    /^\t\.file\t/ {
        at = index($0, "\"")
        name = substr($0, at + 1)
        if (index(name, root) == 1)
            name = substr(name, length(root) + 1)
        else if (index(name, own) == 1)
            name = "clang/" substr(name, length(own) + 1)
        $0 = substr($0, 1, at) name
    }
    { print }' "$made" >"$output"
