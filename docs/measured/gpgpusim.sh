#!/bin/sh
# Prints the table of docs/measured/gpgpusim.md: cycles of the kernels of tests/cuda/beside here, on gtx480.ini as it is
# and with two of GPGPU-Sim's rules, and in GPGPU-Sim with its own file of that GPU, as it is and with ours of three.
# Both run the same PTX, with the registers that evgpu gives it, and must compute the same. Run by
# `make gpgpusim GPGPUSIM=FOLDER` in the project's directory; FOLDER is a built GPGPU-Sim.
# Usage: gpgpusim.sh BUILD FOLDER
set -e
build=$(cd "$1" && pwd)
library=$(find "$2/lib" -name libcudart.so 2>/dev/null | sed 1q)
[ -f "$2/configs/tested-cfgs/SM2_GTX480/gpgpusim.config" ] && [ "$library" ] || {
    echo "gpgpusim.sh: '$2' is not the folder of a built GPGPU-Sim (GPGPUSIM=FOLDER)" >&2
    exit 1
}
theirs=$(cd "$2" && pwd)
tested=$theirs/configs/tested-cfgs/SM2_GTX480
library=$(cd "$(dirname "$library")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
home=$("$build/evgpu" cuda-home)
source=tests/cuda/beside/kernels.cu
"$home/bin/nvcc" -arch=sm_35 -o "$work/kernels" "$source"
"$home/bin/nvcc" -arch=sm_35 -ptx -o "$work/kernels.ptx" "$source"

# What GPGPU-Sim asks NVIDIA's tools for: the PTX, without lines of debugging information, which it does not read,
# and the registers and shared memory of each kernel.
mkdir -p "$work/cuda/bin"
cat >"$work/cuda/bin/cuobjdump" <<END
case \$1 in
-lptx) echo 'PTX file 1: kernels.1.sm_35.ptx' ;;
-xptx) sed '/^\t\.\(section\|loc\|file\)/d' "$work/kernels.ptx" >"\$2" ;;
esac
END
echo "cat '$work/registers' >&2" >"$work/cuda/bin/ptxas"
sed -i '1i #!/bin/sh' "$work"/cuda/bin/*
chmod +x "$work"/cuda/bin/*

cycles() { # cycles NAME OPTION...: ours into the file NAME, with the sums in NAME.sums
    name=$1
    shift
    "$build/evgpu" run --no-alone --config gtx480.ini "$@" --tiles model --json "$work/ours.json" \
        --program "$work/kernels" >"$work/ours.out" 2>&1 || { cat "$work/ours.out" >&2; return 1; }
    jq -r '.guests[] | .kernels // {} | to_entries[] | "\(.key) \(.value.cycles)"' "$work/ours.json" |
        sort >"$work/$name"
    grep '^sum ' "$work/ours.out" >"$work/$name.sums"
}
ours() {
    cycles its --set network.input_order=fifo --set core.const_fetch=half
    cycles evgpu
    diff "$work/its.sums" "$work/evgpu.sums" >&2
    jq -r '.guests[] | .kernels // {} | to_entries[]
        | "ptxas info    : Compiling entry function '\''\(.key)'\'' for '\''sm_35'\''",
          "ptxas info    : Used \(.value.registers) registers, \(.value.shared_bytes) bytes smem"' \
        "$work/ours.json" >"$work/registers"
}

# GPGPU-Sim's cycles with its files of the GPU and of its network, changed by the two SEDs.
gpgpusim() { # gpgpusim NAME SED SED
    mkdir "$work/$1.run"
    cp "$tested"/* "$work/$1.run/"
    sed -i "s/^-power_simulation_enabled 1/-power_simulation_enabled 0/; $2" "$work/$1.run/gpgpusim.config"
    sed -i "$3" "$work/$1.run/config_fermi_islip.icnt"
    (cd "$work/$1.run" && CUDA_INSTALL_PATH=$work/cuda PTXAS_CUDA_INSTALL_PATH=$work/cuda CUOBJDUMP_SIM_FILE=none \
        GPGPUSIM_ROOT=$theirs LD_LIBRARY_PATH=$library "$work/kernels") >"$work/$1.out" 2>&1 ||
        { tail -n 5 "$work/$1.out" >&2; return 1; }
    awk '$1 == "kernel_name" { name = $3 } $1 == "gpu_sim_cycle" { print name, $3 }' "$work/$1.out" | sort >"$work/$1"
    grep '^sum ' "$work/$1.out" | diff "$work/evgpu.sums" - >&2
}

ours
gpgpusim shipped '' ''
# A burst of 32 bytes in half the time: the bus has the same bytes per second.
bursts='s/^-gpgpu_n_mem_per_ctrlr 2/-gpgpu_n_mem_per_ctrlr 1/; s/CCD=2:/CCD=1:/; s/CCDL=3/CCDL=1/
    s/^-dram_data_command_freq_ratio 4/-dram_data_command_freq_ratio 8/'
gpgpusim bursts "$bursts" ''
# Beside it lines of 128 bytes for constants in a cache of the same size, and a message that waits for its receiver
# holds up no other.
gpgpusim rules "$bursts; s/^-gpgpu_const_cache:l1 N:64:64:2/-gpgpu_const_cache:l1 N:32:128:2/" \
    's/^num_vcs .*/num_vcs = 8;/; s/end_vc = 0/end_vc = 7/'
used=$work/rules.run
grep -q '^num_vcs = 8' "$used/config_fermi_islip.icnt" && grep -q 'N:32:128:2' "$used/gpgpusim.config" &&
    grep -q 'CCD=1:' "$used/gpgpusim.config" ||
    { echo "gpgpusim.sh: $tested has other lines than this script changes" >&2; exit 1; }
cat <<'END'
| kernel | GPGPU-Sim | short bursts | our rules | evgpu | its rules | evgpu / GPGPU-Sim | its rules / short bursts | evgpu / our rules |
|---|---|---|---|---|---|---|---|---|
END
order=$(grep -o '^sum [a-z0-9_]*' "$work/ours.out")
join "$work/shipped" "$work/bursts" | join - "$work/rules" | join - "$work/evgpu" | join - "$work/its" |
    awk -v order="$order" '
    { line[$1] = sprintf("| `%s` | %d | %d | %d | %d | %d | %.2f | %.2f | %.2f |",
                         $1, $2, $3, $4, $5, $6, $5 / $2, $6 / $3, $5 / $4)
      as += log($5 / $2); its += log($6 / $3); rules += log($5 / $4) }
    END {
        n = split("sum no_work " order, names)
        for (i = 1; i <= n; i++) if (names[i] in line) { print line[names[i]]; rows++ }
        if (rows != NR || NR < 27) exit 1
        printf "| geometric mean | | | | | | %.2f | %.2f | %.2f |\n",
               exp(as / rows), exp(its / rows), exp(rules / rows)
    }'
