"""The register map as systemrdl-compiler reads it from the generated SystemRDL.

register_map.py FILE.rdl CHECK.h prints a line per field, and fails where the C header, which the same
definition gives, says something else.
"""

import re
import sys

from systemrdl import RDLCompiler
from systemrdl.node import FieldNode, RegNode


def read(path):
    """Lists (register, offset, [(field, low, width, access, reset)]) in ascending order."""
    compiler = RDLCompiler()
    compiler.compile_file(path)
    root = compiler.elaborate()
    registers = []
    for reg in root.top.descendants():
        if isinstance(reg, RegNode):
            fields = [
                (f.inst_name, f.low, f.width, access(f), f.get_property("reset") or 0) for f in reg.fields()
            ]
            registers.append((reg.inst_name, reg.absolute_address, fields))
    return registers


def access(field: FieldNode):
    if field.get_property("singlepulse"):
        return "w1p"
    if field.get_property("onwrite") is not None:
        return "w1c"
    if field.is_sw_writable:
        return "rw"
    return "ro" if field.is_hw_writable else "const"


def header_fields(path):
    """The same from the header: {(register, field): (offset, low, width)}."""
    text = open(path, encoding="ascii").read()
    offsets = dict(re.findall(r"^    EVG_AXI_([A-Z_0-9]+) = 0x([0-9a-f]+),", text, re.M))
    lows = dict(re.findall(r"^    EVG_AXI_([A-Z_0-9]+)_LSB = (\d+),", text, re.M))
    widths = dict(re.findall(r"^    EVG_AXI_([A-Z_0-9]+)_WIDTH = (\d+),", text, re.M))
    return offsets, lows, widths


def main(rdl, header):
    offsets, lows, widths = header_fields(header)
    seen = 0
    for name, offset, fields in read(rdl):
        assert int(offsets[name], 16) == offset, name
        for field, low, width, kind, reset in fields:
            key = f"{name}_{field.upper()}"
            assert int(lows[key]) == low and int(widths[key]) == width, key
            print(f"{offset:#05x} {name}.{field} [{low + width - 1}:{low}] {kind} {reset:#x}")
            seen += 1
    assert len(lows) == seen and len(offsets) == len(read(rdl)), "a register is missing"


if __name__ == "__main__":
    main(*sys.argv[1:])
