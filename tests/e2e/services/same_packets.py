"""same_packets.py PLAIN OPENED: each IPv4 packet of the second capture is one of the first, each once."""
import collections, struct, sys

import pcap


def packets(path):
    for frame in pcap.frames(path):
        yield frame[14 : 14 + struct.unpack("!H", frame[16:18])[0]]


plain, opened = (collections.Counter(packets(p)) for p in sys.argv[1:])
assert opened and not opened - plain, "a packet came out that had not gone in"
print(sum(opened.values()), "packets are the same")
