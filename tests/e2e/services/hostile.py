"""hostile.py FILE SEED: a capture of frames that are right up to some header and noise from there on, of
all lengths from an Ethernet header alone on."""
import random, struct, sys

import pcap

random.seed(int(sys.argv[2]))


def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(room):
    protocol = random.choice([17, 17, 50, 50, 6])
    length = random.choice([max(room, 20)] * 6 + [random.randrange(20, max(room, 20) + 1), random.randrange(65536)])
    ip = struct.pack("!BBHHHBBH", random.choice([0x45] * 9 + [0x46, 0x4F, 0x44]), 0, length,
                     random.randrange(65536), 0, random.randrange(256), protocol, 0)
    ip += bytes([10, 1, 0, 2, 10, 0, 0, random.randrange(4)])
    return ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]


def memcached():
    request = random.choice([b"get ", b"gets ", b"get " + b"k" * random.randrange(300) + b" \r\n", b"\x80",
                             b"\x80\0" + bytes([0, random.randrange(256)]) + bytes(7) + bytes([random.randrange(256)]),
                             b"get a b c\r\n", b"\r\n", b"\0" * 30])
    return struct.pack("!4H", 4000, 11211, random.choice([0] * 6 + [8, 16, 20, 65535]) or 16 + len(request), 0) + \
        struct.pack("!4H", 1, random.choice([0] * 9 + [1]), random.choice([1] * 9 + [0, 9]), 0) + request


def frame():
    room = random.choice([0, 1, 19, 20, 27, 28, 36, 43, 44, 60, 100, 300, random.randrange(1500)])
    if random.random() < 0.3:
        kind, body = b"\x86\xdd", bytes([0x60 + random.randrange(2) * 16]) + random.randbytes(3)
        body += struct.pack("!HBB", random.choice([max(room - 40, 0), random.randrange(65536)]), 17, random.randrange(4))
    else:
        kind, body = b"\x08\0", ipv4(room)
        if random.random() < 0.5:
            body += memcached()
        elif random.random() < 0.8:
            body += struct.pack("!2I", random.choice([1000, 2000, 0, 3]), random.randrange(4))
    return (random.randbytes(12) + kind + body + random.randbytes(room))[: 14 + room]


with open(sys.argv[1], "wb") as out:
    pcap.begin(out)
    for i in range(400):
        pcap.add(out, 0, i, frame())
