# docs/guide/own-policy.md in short: its changes of the tree still change what they name, and the proof of the new
# policy holds. `make tutorials` runs the page word for word, with its builds of several minutes.
. tests/e2e/lib.sh.inc
. tests/tutorial.sh.inc

for tool in yosys z3 python3; do
    command -v "$tool" >/dev/null || { skip "the tutorial's proof: $tool is not installed"; finish; }
done
[ -e .git ] || { skip "the tutorial copies what git knows"; finish; }
unset MAKEFLAGS MAKELEVEL MFLAGS
root=$(pwd)
page=$root/docs/guide/own-policy.md
mkdir "$work/tree"
git ls-files -z base docs config mk rtl sim sw tb tests Makefile packages.txt VERSION |
    xargs -0 cp -a --parents -t "$work/tree"
blocks "$page" "$work/blocks"
cd "$work/tree" || exit 2

changes() { # changes TEXT FILE...: the block with this text, up to what it builds; each file differs then
    block=$(grep -l -- "$1" "$work"/blocks/*.sh | head -n 1)
    shift
    sed '/^make/,$d' "$block" >"$work/edit"
    sh -e "$work/edit" || return 1
    for file; do
        ! cmp -s "$file" "$root/$file" || { echo "$file is as before"; return 1; }
    done
}
check "the model's policy" changes emptiest.c tb/model/victim/emptiest.c tb/model/victim/policies.c
check "the Verilog's" changes 'enum victim_policy' rtl/evgpu.def rtl/edge/victim_select.v
check "... with its number, key and contract" sh -c "[ \$(grep -ci emptiest rtl/edge/victim_select.v) -eq 3 ]"
check "its rank for the proof" changes 'f_rank' rtl/edge/properties/victim_select.fv.vh
check "its tests" changes 'epoch % 4' tests/tb/test_victim_policies.c tests/tb/test_sm_event_unit_select.c \
    tests/tb/test_sm_event_unit_random.c tests/tb/bench/fake_core_answers.c
proved() {
    make -s DEPS=0 build/gen/.stamp && sh tests/formal/run.sh build victim_select && cat build/gen/evgpu_defs.vh | grep -q EMPTIEST
}
check "the policy is proved" proved
finish
