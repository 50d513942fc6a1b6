"""retime.py IN OUT HOW: a capture's packets with time stamps over an hour, in bursts of 20.

HOW: hour (microseconds), nano (nanosecond pcap), ng (pcapng, nanoseconds), jump (a day passes in the
middle), equal (all of one moment), back (half of each second burst lies ten seconds before the rest)."""
import struct
import sys

import pcap

SECOND = 10**9
START = 1700000000 * SECOND


def stamp(i, n, how):
    bursts = max(1, n // 20)
    if how == 'equal':
        return START
    at = START + i * bursts // n * (3600 * SECOND // bursts) + i % 20 * 700
    if how == 'jump' and i >= n // 2:
        at += 86400 * SECOND
    if how == 'back' and i % 40 >= 30:
        at -= 10 * SECOND
    return at


def classic(out, stamped, nano):
    pcap.begin(out, 0xA1B23C4D if nano else 0xA1B2C3D4)
    for at, frame in stamped:
        pcap.add(out, at // SECOND, at % SECOND // (1 if nano else 1000), frame)


def pcapng(out, stamped):
    out.write(struct.pack('<IIIHHqI', 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28))
    resolution = struct.pack('<HHB3xHH', 9, 1, 9, 0, 0)
    size = 20 + len(resolution)
    out.write(struct.pack('<IIHHI', 1, size, 1, 0, 0) + resolution + struct.pack('<I', size))
    for at, frame in stamped:
        pad = bytes(-len(frame) % 4)
        size = 32 + len(frame) + len(pad)
        out.write(struct.pack('<IIIIIII', 6, size, 0, at >> 32, at & 0xffffffff, len(frame), len(frame)))
        out.write(frame + pad + struct.pack('<I', size))


source, target, how = sys.argv[1:4]
frames = pcap.frames(source)
stamped = [(stamp(i, len(frames), how), frame) for i, frame in enumerate(frames)]
with open(target, 'wb') as file:
    if how == 'ng':
        pcapng(file, stamped)
    else:
        classic(file, stamped, how == 'nano')
