"""cores.py [ROOT]: writes the FuseSoC core files of rtl/, tests/rtl/ and fpga/fusesoc/ from what lies there.

A core per folder of rtl/ has its files; a core per block and tile has the targets lint, sim, ice40 and ecp5.
Run it after a file has come or gone (make cores); tests/e2e/rtl/cores.sh compares.
"""

import glob
import os
import re
import sys

VERSION = "1.0.0"
ROOMS = {
    "common": [],
    "edge": ["common"],
    "fe": ["common"],
    "cm": ["common"],
    "tiles": ["edge", "fe", "cm"],
    "axi": ["tiles"],
    "example": ["tiles"],
}
# Blocks and tiles, and the bench of tests/rtl that simulates them.
BLOCKS = {
    "axi_frontend": ("axi", "axi_frontend_bench"),
    "cm_bal_core": ("cm", "cm_bal_core_bench"),
    "cm_controller": ("cm", "concurrency_bench"),
    "cm_next_core": ("cm", "concurrency_bench"),
    "concurrency_unit": ("tiles", "concurrency_bench"),
    "doorbell_decoder": ("edge", "event_system_bench"),
    "event_kernel_table": ("edge", "event_system_bench"),
    "event_system": ("example", "event_system_bench"),
    "event_room": ("cm", "sm_room_unit_bench"),
    "fe_dram_scheduler": ("fe", "mem_frontend_bench"),
    "gpu_frontend": ("tiles", "event_system_bench"),
    "mem_frontend": ("tiles", "mem_frontend_bench"),
    "mem_stall_monitor": ("cm", "mem_stall_monitor_bench"),
    "pending_event_warp_table": ("edge", "event_system_bench"),
    "simt_core": ("example", "event_system_bench"),
    "sm_concurrency_unit": ("tiles", "concurrency_bench"),
    "sm_room_unit": ("tiles", "sm_room_unit_bench"),
    "sm_event_unit": ("tiles", "event_system_bench"),
    "warp_preempt_ctrl": ("edge", "event_system_bench"),
}
HEAD = "CAPI=2:\n# Written by fpga/fusesoc/cores.py (make cores).\nname: {name}:{version}\ndescription: {text}\n"


def text_of(path):
    """The first sentence of the comment over a module."""
    with open(path, encoding="ascii") as file:
        lines = []
        for line in file.readlines()[1:]:
            if line.strip() in ("//", "`default_nettype none"):
                break
            lines.append(line.strip("/ \n"))
    return " ".join(lines).split(": ", 1)[1].split(" (")[0].split(". ")[0].rstrip(".").replace(":", ",")


def files_of(folder, pattern, kind=""):
    return "".join(f"\n      - {os.path.basename(path)}{kind}" for path in sorted(glob.glob(f"{folder}/{pattern}")))


def room(name, below):
    depend = "".join(f"\n      - evgpu:rtl:{other}" for other in below) or "\n      - evgpu:gen:defs"
    proofs = "".join(
        f"\n      - properties/{os.path.basename(path)}: {{is_include_file: true}}"
        for path in sorted(glob.glob(f"rtl/{name}/properties/*.fv.vh"))
    )
    return (
        HEAD.format(name=f"evgpu:rtl:{name}", version=VERSION, text=f"Verilog of evgpu, folder rtl/{name}")
        + f"filesets:\n  rtl:\n    file_type: verilogSource\n    depend:{depend}\n    files:"
        + files_of(f"rtl/{name}", "*.v")
        + proofs
        + "\ntargets:\n  default:\n    filesets: [rtl]\n"
    )


def block(name, folder, bench):
    filesets = (
        f"filesets:\n  rtl:\n    depend:\n      - evgpu:rtl:{folder}\n  bench:\n    depend:\n      - evgpu:test:benches\n"
    )
    sim = (
        f"  sim:\n    default_tool: icarus\n    filesets: [rtl, bench]\n    toplevel: {bench}\n"
        "    tools:\n      icarus:\n        iverilog_options: [-g2005]\n"
    )
    place = ""
    for target, tool, options in (
        ("ice40", "icestorm", "        yosys_synth_options: [-abc9, -device, hx]\n        nextpnr_options: [--hx8k, --package, ct256, --pcf-allow-unconstrained]\n"),
        ("ecp5", "trellis", "        yosys_synth_options: [-abc9]\n        nextpnr_options: [--85k, --package, CABGA381, --speed, '6', --lpf-allow-unconstrained]\n"),
    ):
        place += (
            f"  {target}:\n    default_tool: {tool}\n    filesets: [rtl]\n    generate: [harness]\n"
            f"    toplevel: harness\n    tools:\n      {tool}:\n{options}"
        )
    return (
        HEAD.format(name=f"evgpu:block:{name}", version=VERSION, text=text_of(f"rtl/{folder}/{name}.v"))
        + filesets
        + "  tools:\n    depend:\n      - evgpu:gen:generators\n".replace("  tools:\n    depend:\n", "  generators:\n    depend:\n")
        + f"generate:\n  harness:\n    generator: evgpu\n    parameters:\n      make: harness\n      module: {name}\n"
        + "targets:\n  default:\n    filesets: [rtl]\n"
        + f"  lint:\n    default_tool: verilator\n    filesets: [rtl]\n    toplevel: {name}\n"
        + "    tools:\n      verilator:\n        mode: lint-only\n        verilator_options: [-Wall]\n"
        + sim
        + place.replace("filesets: [rtl]", "filesets: [rtl, generators]")
    )


def all_cores():
    cores = {f"rtl/{name}/evgpu_{name}.core": room(name, below) for name, below in ROOMS.items()}
    for name, (folder, bench) in BLOCKS.items():
        cores[f"fpga/fusesoc/{name}.core"] = block(name, folder, bench)
    cores["tests/rtl/evgpu_benches.core"] = (
        HEAD.format(name="evgpu:test:benches", version=VERSION, text="Benches of single blocks for Icarus")
        + "filesets:\n  benches:\n    file_type: verilogSource\n    depend:\n      - evgpu:rtl:axi\n      - evgpu:rtl:example\n    files:"
        + files_of("tests/rtl", "*.v")
        + "\ntargets:\n  default:\n    filesets: [benches]\n"
    )
    cores["fpga/fusesoc/generators.core"] = (
        HEAD.format(name="evgpu:gen:generators", version=VERSION, text="Generators of constants and harnesses")
        + "generators:\n  evgpu:\n    interpreter: python3\n    command: generate.py\n    description: See generate.py\n"
    )
    cores["fpga/fusesoc/defs.core"] = (
        HEAD.format(name="evgpu:gen:defs", version=VERSION, text="Constants, from rtl/evgpu.def")
        + "filesets:\n  generators:\n    depend:\n      - evgpu:gen:generators\n"
        + "generate:\n  defs:\n    generator: evgpu\n    parameters:\n      make: defs\n"
        + "targets:\n  default:\n    filesets: [generators]\n    generate: [defs]\n"
    )
    return cores


def main(root):
    rooms = {re.sub(r".*/", "", path.rstrip("/")) for path in glob.glob("rtl/*/")}
    if rooms != set(ROOMS):
        sys.exit(f"cores.py: ROOMS does not name the folders of rtl/: {sorted(rooms ^ set(ROOMS))}")
    for path, text in all_cores().items():
        os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
        with open(f"{root}/{path}", "w", encoding="ascii") as file:
            file.write(text)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
