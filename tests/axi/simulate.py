"""simulate.py BUILD WORK SEED EVENTS: bus_tests.py on axi_pins in Icarus, in the folder WORK; status 0 if all pass."""

import glob
import os
import sys

from cocotb_tools.runner import get_results, get_runner


def main(build, work, seed, events):
    here = os.path.dirname(os.path.abspath(__file__))
    rooms = ("common", "edge", "tiles", "axi")
    sources = [path for room in rooms for path in sorted(glob.glob(f"rtl/{room}/*.v"))]
    runner = get_runner("icarus")
    runner.build(
        sources=sources + [os.path.join(here, "axi_pins.v")],
        includes=[os.path.join(build, "gen")],
        hdl_toplevel="axi_pins",
        build_args=["-g2005"],
        build_dir=work,
    )
    results = runner.test(
        hdl_toplevel="axi_pins",
        test_module="bus_tests",
        test_dir=work,
        build_dir=work,
        seed=int(seed),
        extra_env={
            "PYTHONPATH": here,
            "EVGPU_RDL": os.path.join(build, "gen", "axi_regs.rdl"),
            "EVGPU_EVENTS": events,
            "EVGPU_SEED": seed,
        },
    )
    tests, failed = get_results(results)
    return 0 if tests == 3 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
