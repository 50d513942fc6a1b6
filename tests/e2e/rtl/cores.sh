# FuseSoC core files: they list what lies in rtl/ and tests/rtl (fpga/fusesoc/cores.py); with FuseSoC installed
# (make fusesoc-check), one block goes through lint, simulation and a device.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "cores: do not depend on the sanitizers"
    exit 0
fi

same() { # what is committed is what cores.py writes
    mkdir "$work/new"
    python3 fpga/fusesoc/cores.py "$work/new" || return 1
    (cd "$work/new" && find . -name '*.core' | sort) >"$work/files"
    [ "$(find rtl tests fpga -name '*.core' | wc -l)" -eq "$(wc -l <"$work/files")" ] || { echo "other core files"; return 1; }
    while read -r file; do cmp "$work/new/$file" "$file" || return 1; done <"$work/files"
}
listed() { # a file that no core lists is found
    cp -r rtl tests fpga "$work/" && : >"$work/rtl/edge/new.v" && (cd "$work" && python3 fpga/fusesoc/cores.py) &&
        ! cmp -s "$work/rtl/edge/evgpu_edge.core" rtl/edge/evgpu_edge.core
}
check "core files list the files of rtl/ (make cores)" same
check "... a new file is missed" listed
if ! cmp -s fpga/fusesoc/requirements.txt "$build/fusesoc-venv/requirements.txt"; then
    skip "cores: no FuseSoC in $build/fusesoc-venv: make fusesoc-check installs it"
    finish
fi
check "lint and simulation of mem_stall_monitor" limited sh fpga/fusesoc/check.sh "$build" lint,sim mem_stall_monitor
finish
