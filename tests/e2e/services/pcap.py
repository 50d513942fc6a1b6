"""Ethernet captures in the form of pcap, read and written by the tests."""
import struct


def frames(path):
    """The frames of a capture, in order."""
    with open(path, 'rb') as file:
        data = file.read()
    order = '<' if data[:4] in (b'\xd4\xc3\xb2\xa1', b'\x4d\x3c\xb2\xa1') else '>'
    at, found = 24, []
    while at < len(data):
        size = struct.unpack(order + 'I', data[at + 8:at + 12])[0]
        found.append(data[at + 16:at + 16 + size])
        at += 16 + size
    return found


def begin(out, magic=0xA1B2C3D4):
    """Writes the head of a capture to the open file `out`; the default counts microseconds."""
    out.write(struct.pack('<IHHiIII', magic, 2, 4, 0, 0, 65535, 1))


def add(out, seconds, part, frame):
    """Writes a frame, whole, that came `part` (of the capture's unit) behind `seconds`."""
    out.write(struct.pack('<4I', seconds, part, len(frame), len(frame)) + frame)
