#!/bin/sh
# Compiles CUDA C to PTX for evgpu: sw/cu2ptx.sh KERNEL.cu KERNEL.ptx [clang option ...]
# A --cuda-gpu-arch among the options takes the place of sm_35.
# Needs clang 14 (Debian package clang-14), no CUDA toolkit. CLANG names another clang++.
set -e
if [ $# -lt 2 ]; then
    echo "usage: $0 KERNEL.cu KERNEL.ptx [clang option ...]" >&2
    exit 2
fi
source=$1
output=$2
shift 2
include=$(dirname "$0")/include
arch=--cuda-gpu-arch=sm_35
case " $*" in
*" --cuda-gpu-arch="* | *" --offload-arch="*) arch= ;;
esac
exec "${CLANG:-clang++-14}" -x cuda --cuda-device-only $arch \
    -nocudainc -nocudalib --cuda-path=/nonexistent -D__CUDACC__ -D__NVCC__ \
    -isystem "$include" -isystem "$include/../cuda/include" -include cuda_runtime.h -O2 "$@" -S "$source" -o "$output"
