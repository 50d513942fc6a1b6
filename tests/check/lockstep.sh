# One service beside a program, both back ends of the tiles compared at every edge.
. tests/e2e/lib.sh.inc

run() { # TILES
    limited "$evgpu" run --tiles "$1" --set gpu.cores=4 --service ipv4,packets=320,route-count=1000 \
        --json "$work/$1.json" --program "$build/apps/matrixMul --quiet 64 2"
}
check "lockstep" run lockstep
check "the model alone" run model
check "... has the same statistics" same_figures "$work/lockstep.json" "$work/model.json"
finish
