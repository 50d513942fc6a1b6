"""axi_frontend under a master and a memory that others wrote (cocotbext-axi), every channel with pauses.

Addresses, fields, accesses and reset values come from the SystemRDL that is generated with the hardware.
EVGPU_RDL names the file, EVGPU_EVENTS the number of doorbells, EVGPU_SEED the seed.
"""

import logging
import os
import random
import struct
import sys

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam, AxiResp

sys.path.insert(0, os.path.dirname(__file__))
import register_map  # noqa: E402

REGISTERS = 0x20000
PAGE = 0x1000
DEVICE = 0x123
ROWS, ENTRIES, ENTRY = 3, 8, 64
DONE = 2


def pauses(rng):
    """Pauses of one channel: often, seldom, or long ones."""
    kind = rng.choice(("often", "seldom", "long"))
    while True:
        if kind == "long":
            yield from [True] * rng.randrange(12)
            yield from [False] * rng.randrange(1, 12)
        else:
            yield rng.random() < (0.6 if kind == "often" else 0.1)


class Bench:
    def __init__(self, dut):
        for bus in ("s_axil", "m_axi"):
            logging.getLogger(f"cocotb.{dut._name}.{bus}").setLevel(logging.WARNING)
        self.dut = dut
        self.rng = random.Random(int(os.environ.get("EVGPU_SEED", "1")))
        self.map = {name: (REGISTERS + offset, fields)
                    for name, offset, fields in register_map.read(os.environ["EVGPU_RDL"])}
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=2**20)
        self.launched = [0] * ROWS
        self.running = []

    async def start(self, stalls=True):
        dut = self.dut
        dut.user.value = DEVICE
        for signal in (dut.ev_ack, dut.done_valid, dut.done_row, dut.done_param, dut.done_tag):
            signal.value = 0
        dut.rst.value = 1
        await ClockCycles(dut.clk, 4)
        dut.rst.value = 0
        await ClockCycles(dut.clk, 2)
        if stalls:
            write, read = self.master.write_if, self.master.read_if
            for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
                channel.set_pause_generator(pauses(self.rng))
            write, read = self.ram.write_if, self.ram.read_if
            for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
                channel.set_pause_generator(pauses(self.rng))

    async def write(self, name, value, resp=AxiResp.OKAY):
        answer = await self.master.write(self.map[name][0], struct.pack("<I", value))
        assert answer.resp == resp, name

    async def read(self, name):
        answer = await self.master.read(self.map[name][0], 4)
        assert answer.resp == AxiResp.OKAY, name
        return struct.unpack("<I", answer.data)[0]

    def field(self, register, field, value=1):
        low, = (low for name, low, *_ in self.map[register][1] if name == field)
        return value << low

    async def pair(self, name, value):
        await self.write(name + "_LO", value & 0xFFFFFFFF)
        await self.write(name + "_HI", value >> 32)

    def queue(self, row):
        return 0x10000 * (row + 1)

    def flag(self, row, number):
        return 0x80000 + 0x1000 * row + 4 * (number % ENTRIES)

    async def register(self, row):
        await self.write("OWNER", DEVICE)
        await self.pair("KERNEL", self.field("KERNEL_HI", "regs", 8) << 32 | 0x4000 + row)
        await self.pair("BASE", self.queue(row))
        await self.pair("SIZE", ENTRY)
        await self.pair("LAST", self.queue(row) + ENTRY * (ENTRIES - 1))
        await self.pair("FLAG_FIRST", self.flag(row, 0))
        await self.pair("FLAG_LAST", self.flag(row, ENTRIES - 1))
        for name in ("GRID_X", "GRID_Y", "GRID_Z", "BLOCK_Y", "BLOCK_Z"):
            await self.write(name, 1)
        await self.write("BLOCK_X", 32)
        await self.write("COMMAND", self.field("COMMAND", "go") | 1)
        while (result := await self.read("RESULT")) & self.field("RESULT", "busy"):
            pass
        assert result == self.field("RESULT", "row", row), hex(result)
        for entry in range(ENTRIES):
            self.ram.write(self.queue(row) + ENTRY * entry, struct.pack("<Q", self.flag(row, entry)))

    async def core(self):
        """Takes events, checks their order, and completes each after a while."""
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            if dut.ev_valid.value == 1 and dut.ev_ack.value == 1:
                row = int(dut.ev_row.value)
                assert int(dut.ev_param.value) == self.queue(row) + ENTRY * (self.launched[row] % ENTRIES)
                assert int(dut.ev_kernel.value) == 0x4000 + row
                self.launched[row] += 1
                self.running.append((row, int(dut.ev_param.value), int(dut.ev_tag.value)))
            if dut.done_valid.value == 1 and dut.done_ready.value == 1:
                self.running.pop(0)
                dut.done_valid.value = 0
            elif self.running and dut.done_valid.value == 0 and self.rng.random() < 0.3:
                dut.done_row.value, dut.done_param.value, dut.done_tag.value = self.running[0]
                dut.done_valid.value = 1
            dut.ev_ack.value = 1 if self.rng.random() < 0.5 else 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def registers(dut):
    """Each register's reset value, and what of it software writes, as the SystemRDL says."""
    bench = Bench(dut)
    await bench.start()
    for name, (_, fields) in bench.map.items():
        known = sum(((1 << width) - 1) << low for _, low, width, kind, _ in fields if kind != "ro")
        shown = sum(((1 << width) - 1) << low for _, low, width, kind, _ in fields if kind == "ro")
        stored = sum(((1 << width) - 1) << low for _, low, width, kind, _ in fields if kind == "rw")
        reset = sum(value << low for _, low, _, _, value in fields)
        assert await bench.read(name) & ~shown == reset & known, name
        value = bench.rng.getrandbits(32)
        if name == "COMMAND":
            value &= ~bench.field(name, "go")
        await bench.write(name, value)
        assert await bench.read(name) & ~shown == value & stored | reset & known & ~stored, name
    answer = await bench.master.read(REGISTERS + 0xF00, 4)
    assert answer.resp == AxiResp.SLVERR
    answer = await bench.master.write(REGISTERS + 0xF00, b"1234")
    assert answer.resp == AxiResp.SLVERR


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def events(dut):
    """Doorbells of three rows: every event in its order, every flag in memory, the counters right."""
    count = int(os.environ.get("EVGPU_EVENTS", "60"))
    bench = Bench(dut)
    await bench.start()
    await bench.write("CORES_LO", 1)
    for row in range(ROWS):
        await bench.register(row)
    cocotb.start_soon(bench.core())
    rung = [0] * ROWS
    writes = []
    for _ in range(count):
        row = bench.rng.randrange(ROWS)
        rung[row] += 1
        writes.append(bench.master.init_write(PAGE * row, b"\0\0\0\0"))
    for write in writes:
        await write.wait()
        assert write.data.resp == AxiResp.OKAY
    while not await bench.read("STATUS") & 1 or sum(bench.launched) < count or bench.running:
        pass
    assert bench.launched == rung
    for row in range(ROWS):
        for number in range(min(rung[row], ENTRIES)):
            assert struct.unpack("<I", bench.ram.read(bench.flag(row, number), 4))[0] == DONE
    for name in ("ACCEPTED", "COMPLETED", "FLAGS"):
        assert await bench.read(name) == count, name
    assert await bench.read("BUS_ERRORS") == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def refused(dut):
    """Doorbells that are none are answered with OKAY and counted; the first raises the interrupt."""
    bench = Bench(dut)
    await bench.start()
    await bench.write("IRQ_ENABLE", bench.field("IRQ_ENABLE", "doorbell"))
    await bench.register(0)
    for address, data, name in ((0, b"1", "BAD_SIZE"), (4, b"1234", "MISALIGNED"), (PAGE, b"1234", "UNREGISTERED")):
        answer = await bench.master.write(address, data)
        assert answer.resp == AxiResp.OKAY
        await ClockCycles(dut.clk, 4)
        assert await bench.read(name) == 1, name
    assert dut.irq.value == 1
    dut.user.value = DEVICE + 1
    await bench.master.write(0, b"1234")
    assert await bench.read("FOREIGN") == 1
    await bench.write("IRQ_STATUS", bench.field("IRQ_STATUS", "doorbell"))
    await ClockCycles(dut.clk, 3)
    assert dut.irq.value == 0
    assert await bench.read("ACCEPTED") == 0
