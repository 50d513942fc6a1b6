"""same_packets.py PLAIN OPENED: each IPv4 packet of the second capture is one of the first, each once."""
import collections, struct, sys


def packets(path):
    data = open(path, "rb").read()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    at = 24
    while at < len(data):
        length = struct.unpack(order + "4I", data[at : at + 16])[2]
        ip = data[at + 16 + 14 : at + 16 + length]
        yield ip[: struct.unpack("!H", ip[2:4])[0]]
        at += 16 + length


plain, opened = (collections.Counter(packets(p)) for p in sys.argv[1:])
assert opened and not opened - plain, "a packet came out that had not gone in"
print(sum(opened.values()), "packets are the same")
