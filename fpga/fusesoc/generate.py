"""What FuseSoC runs as a generator of evgpu: generate.py PARAMETERS.yml, in the folder for the results.

`make: defs` builds the project's generator with a C compiler and writes evgpu_defs.vh and axi_regs.vh.
`make: harness`, `module: NAME` also writes harness.v: a top with few pins around a module that has more
ports than the device has pins (fpga/harness.awk), with the yosys in PATH.
"""

import glob
import os
import subprocess
import sys

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORE = """CAPI=2:
name: {vlnv}
filesets:
  made:
    file_type: verilogSource
    files:{files}
targets:
  default:
    filesets: [made]
"""


def defs():
    sources = glob.glob(f"{ROOT}/tb/gen/*.c") + [f"{ROOT}/base/error.c", f"{ROOT}/base/alloc.c"]
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-std=c11", "-D_GNU_SOURCE", "-I", ROOT, "-o", "defgen", *sources], check=True)
    subprocess.run(["./defgen", f"{ROOT}/rtl/evgpu.def", "."], check=True)
    return "".join(f"\n      - {name}: {{is_include_file: true}}" for name in ("evgpu_defs.vh", "axi_regs.vh"))


def harness(module):
    files = " ".join(sorted(glob.glob(f"{ROOT}/rtl/*/*.v")))
    commands = f"read_verilog -defer -I. {files}; hierarchy -top {module}; tee -o ports portlist {module}"
    subprocess.run(["yosys", "-q", "-p", commands], check=True, stdout=subprocess.DEVNULL)
    with open("harness.v", "w", encoding="ascii") as out:
        subprocess.run(["awk", "-v", f"module={module}", "-f", f"{ROOT}/fpga/harness.awk", "ports"], check=True, stdout=out)
    return "\n      - harness.v"


def main(path):
    with open(path, encoding="utf-8") as file:
        given = yaml.safe_load(file)
    wanted = given["parameters"]
    files = defs()
    if wanted["make"] == "harness":
        files = harness(wanted["module"])
    name = given["vlnv"].split(":")[2]
    with open(f"{name}.core", "w", encoding="ascii") as core:
        core.write(CORE.format(vlnv=given["vlnv"], files=files))


if __name__ == "__main__":
    main(sys.argv[1])
